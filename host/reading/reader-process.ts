/**
 * The process of the second reader, and the line to it. Whoever asks waits for the answer as for a
 * write of the ledger, and no longer than `LONGEST_MS`: nothing else is served meanwhile, and no
 * input can come between the account and the money. The line is two named pipes, for only those can
 * be read without leaving the turn; they have no name any more once both ends are open.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LINE_BYTES, type Question, type Reply, replyIn } from '../../reader/form.ts';

/** A round must not wait longer for a process that hangs; far below what the supervisor allows. */
export const LONGEST_MS = 1_000;
/** Between looks into the pipe. */
const LOOK_MS = 0.1;
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 30_000;
/** A new process says that it is there within this time, or is ended. */
const UP_MS = 10_000;
const LOOK_UP_MS = 20;

/** What is asked of a new process: an empty round of a game that it knows. */
const PROBE: Omit<Question, 'id'> = {
  rulebook: 'macau-baccarat',
  options: {},
  seats: 1,
  streaks: [],
  jackpot: null,
  facts: [{ bets: [] }],
  ask: 'settled',
};

export interface ReaderProcessOptions {
  readonly log: (line: string) => void;
  /** It is there, or not: null, else why. */
  readonly is: (gone: string | null) => void;
  /** Another program than that of this terminal, for a test. */
  readonly program?: readonly string[];
  readonly longestMs?: number;
}

interface Running {
  readonly child: ChildProcess;
  readonly questions: number;
  readonly answers: number;
  rest: string;
}

const cell = new Int32Array(new SharedArrayBuffer(4));
const pause = (ms: number): void => void Atomics.wait(cell, 0, 0, ms);

/** Beside the sources the source, beside what was built what was built. */
function ownProgram(): string[] {
  const { url } = import.meta;
  const kind = extname(url);
  const script = fileURLToPath(new URL(`${kind === '.ts' ? '../..' : '..'}/reader/main${kind}`, url));
  return ['--disable-sigusr1', script];
}

export class ReaderProcess {
  readonly #o: ReaderProcessOptions;
  #running: Running | null = null;
  #timer: NodeJS.Timeout | null = null;
  #pauseMs = FIRST_PAUSE_MS;
  #lastId = 0;
  #isStopped = false;
  #isThere: boolean | null = null;

  constructor(o: ReaderProcessOptions) {
    this.#o = o;
  }

  start(): void {
    if (this.#isStopped) return;
    try {
      this.#running = this.#spawn();
    } catch (error) {
      return void this.#lost(`it cannot be started: ${(error as Error).message}`);
    }
    this.#waitFor(this.#running, this.#ask(this.#running, PROBE), performance.now() + UP_MS);
  }

  stop(): void {
    this.#isStopped = true;
    this.#end();
  }

  /** For tests: the process that runs now. */
  get pid(): number | null {
    return this.#running?.child.pid ?? null;
  }

  /** The answer, or in words why there is none; then it is ended and started again. */
  read(question: Omit<Question, 'id'>): Reply | string {
    const running = this.#running;
    if (running === null) return 'it is away';
    // A start takes seconds on a busy machine: no turn is held for it, or the shoe seems lost.
    if (this.#isThere !== true) return 'it is coming up';
    const id = this.#ask(running, question);
    if (id === null) return this.#lost('it takes no question');
    const until = performance.now() + (this.#o.longestMs ?? LONGEST_MS);
    for (;;) {
      const reply = this.#look(running, id);
      if (typeof reply === 'string') return this.#lost(reply);
      if (reply !== null) {
        // One that comes up and fails at every round must not come up at once for ever.
        this.#pauseMs = FIRST_PAUSE_MS;
        return reply;
      }
      if (performance.now() > until) return this.#lost(`no answer in ${this.#o.longestMs ?? LONGEST_MS} ms`);
      pause(LOOK_MS);
    }
  }

  #spawn(): Running {
    const dir = mkdtempSync(join(tmpdir(), 'banca-reader-'));
    const opened: number[] = [];
    try {
      const paths = [join(dir, 'questions'), join(dir, 'answers')] as const;
      execFileSync('mkfifo', ['-m', '600', ...paths]);
      const open = (path: string, how: number): number => {
        const fd = openSync(path, how | constants.O_NONBLOCK);
        opened.push(fd);
        return fd;
      };
      // Both ends in this order: a writer finds its reader.
      const toRead = open(paths[0], constants.O_RDONLY);
      const questions = open(paths[0], constants.O_WRONLY);
      const answers = open(paths[1], constants.O_RDONLY);
      const toWrite = open(paths[1], constants.O_WRONLY);
      const args = this.#o.program ?? ownProgram();
      const child = spawn(process.execPath, args, { stdio: [toRead, toWrite, 'pipe'] });
      closeSync(toRead);
      closeSync(toWrite);
      const running: Running = { child, questions, answers, rest: '' };
      child
        .stderr!.setEncoding('utf8')
        .on('data', (text: string) => this.#o.log(`reader: ${text.slice(0, 400).trim()}`));
      child.on('error', (error) => this.#ended(running, error.message));
      child.on('exit', (code, signal) => this.#ended(running, `it has ended with ${signal ?? code}`));
      return running;
    } catch (error) {
      for (const fd of opened) closeSync(fd);
      throw error;
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  }

  #ended(running: Running, why: string): void {
    if (this.#running === running) this.#lost(why);
  }

  /** @returns number of the question; null = it cannot be written */
  #ask({ questions }: Running, question: Omit<Question, 'id'>): number | null {
    const id = ++this.#lastId;
    const line = Buffer.from(`${JSON.stringify({ id, ...question })}\n`);
    try {
      return line.length <= LINE_BYTES && writeSync(questions, line) === line.length ? id : null;
    } catch {
      return null;
    }
  }

  /** The answer to this question, null = none yet; a text: there will be none. */
  #look(running: Running, id: number): Reply | string | null {
    const buffer = Buffer.alloc(65_536);
    let size: number;
    try {
      size = readSync(running.answers, buffer);
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'EAGAIN' ? null : (error as Error).message;
    }
    if (size === 0) return 'it has ended';
    const lines = (running.rest + buffer.toString('utf8', 0, size)).split('\n');
    running.rest = lines.pop()!;
    if (running.rest.length > LINE_BYTES) return 'an answer without an end';
    for (const line of lines) {
      const reply = replyIn(line);
      if (reply === null) return 'an answer that is none';
      if (reply.id === id) return reply;
      if (reply.id > this.#lastId) return 'an answer to no question';
    }
    return null;
  }

  /** Whether a new process is up is looked at without holding anybody. */
  #waitFor(running: Running, id: number | null, untilMs: number): void {
    if (this.#running !== running || this.#isStopped) return;
    const reply = id === null ? 'it takes no question' : this.#look(running, id);
    if (typeof reply === 'string') return void this.#lost(reply);
    if (reply !== null) return this.#there();
    if (performance.now() > untilMs) return void this.#lost('it does not come up');
    this.#timer = setTimeout(() => this.#waitFor(running, id, untilMs), LOOK_UP_MS);
    this.#timer.unref();
  }

  #there(): void {
    this.#isThere = true;
    setImmediate(() => {
      if (!this.#isStopped && this.#isThere === true) this.#o.is(null);
    });
  }

  #lost(why: string): string {
    this.#end();
    if (this.#isStopped) return why;
    this.#isThere = false;
    this.#o.log(`the second reader is away: ${why}`);
    setImmediate(() => {
      if (!this.#isStopped && this.#isThere === false) this.#o.is(why);
    });
    this.#timer = setTimeout(() => this.start(), this.#pauseMs);
    this.#timer.unref();
    this.#pauseMs = Math.min(2 * this.#pauseMs, LONGEST_PAUSE_MS);
    return why;
  }

  #end(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    const running = this.#running;
    this.#running = null;
    if (running === null) return;
    running.child.kill('SIGKILL');
    closeSync(running.questions);
    closeSync(running.answers);
  }
}
