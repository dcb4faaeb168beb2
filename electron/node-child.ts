import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { parseObject, readLines } from './json-lines.ts';
import type { Running } from './keeper.ts';
import { watchStalls } from './stall-watch.ts';

/** Begins the reason of a child that ended before it reported `ready`. */
export const ENDED_EARLY = 'ended before it was ready: ';

/**
 * Node keeps here what it made of the sources: taking the types out of them and compiling them is
 * most of a start. Where it cannot be written Node goes without. V8 believes what it finds there,
 * so a terminal for play has none.
 */
const COMPILE_CACHE = join(import.meta.dirname, '..', 'build', 'compile-cache');

/**
 * The memory of a process that runs for weeks stands still. V8 lets the space for what is young
 * grow to 64 MiB as it likes: seen with a table's ledger, in two steps of 25 and 30 MiB after some
 * thousand rounds. With 16 MiB it takes no more of the processor.
 */
export const STEADY_MEMORY = '--max-semi-space-size=8';

/**
 * Nobody who may send this process a signal gets to look into it, or to change it, with Node's
 * inspector.
 */
export const NO_INSPECTOR = '--disable-sigusr1';

/**
 * What of our environment the programs need: language, time, temporary files, the centre's
 * database. Nothing that brings code into a process (NODE_OPTIONS, NODE_PATH, LD_PRELOAD…), and no
 * HOME, where Node looks for packages that are missing.
 */
const PASSED_ON = /^(?:PATH|LANG|LC_[A-Z]+|TZ|TMPDIR|DATABASE_URL|PG[A-Z]+)$/;

export const childEnvironment = (from: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(from).filter(([name]) => PASSED_ON.test(name)));

/** A child gets this long to end by itself before it is killed. */
const END_LIMIT_MS = 5_000;

export interface NodeChild extends Running {
  /** One JSON line on the child's stdin. */
  tell(message: unknown): void;
}

export interface NodeChildOptions {
  readonly name: string;
  readonly script: string;
  readonly args: readonly string[];
  /** First line on stdin: what must not stand in a command line. */
  readonly firstLine?: unknown;
  /** A listening socket of ours that it gets as its number 3. */
  readonly listenFd?: number | undefined;
  /** Ends the child even before it is ready. */
  readonly signal: AbortSignal;
  /**
   * It may use what V8 has made of the code before: that is code, too, and nobody has approved it.
   */
  readonly mayCache: boolean;
  readonly onMessage: (message: Readonly<Record<string, unknown>>) => void;
  readonly log: (line: string) => void;
}

/** Resolves with a readable reason when the process has ended or could not be started. */
export function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ? `signal ${signal}` : `code ${code}`));
  });
}

/**
 * Starts `script` under this Node with `--supervised`: it reads commands as JSON lines from stdin,
 * reports as JSON lines on stdout, logs to stderr, and ends when stdin closes. One that is stopped
 * or hangs is killed, see `stall-watch.ts`. So nothing outlives a supervisor, even a killed one.
 * Resolves with the child and its first message, which is the one with `ready: true`; rejects when
 * it ends before.
 */
export async function startNodeChild(options: NodeChildOptions): Promise<NodeChild> {
  const { name, log, listenFd } = options;
  const args = [STEADY_MEMORY, NO_INSPECTOR, options.script, ...options.args, '--supervised'];
  // A group of its own: Ctrl+C in the terminal reaches the supervisor only, which ends the children
  // in order.
  const child = spawn(process.execPath, listenFd === undefined ? args : [...args, '--listen-fd', '3'], {
    stdio: ['pipe', 'pipe', 'pipe', listenFd ?? 'ignore'],
    detached: true,
    env: {
      ...childEnvironment(process.env),
      ...(options.mayCache && { NODE_COMPILE_CACHE: COMPILE_CACHE }),
    },
  });
  let stalled: string | null = null;
  const watch = watchStalls(child.pid ?? 0, (why) => {
    if (stalled === null) log(`${name} does nothing any more: ${why}; it is killed`);
    stalled = why;
    child.kill('SIGKILL');
  });
  const ended = endOf(child).then((why) => {
    watch.stop();
    return stalled === null ? why : `${why}: ${stalled}`;
  });
  // Three pipes, whatever the fourth is.
  const [stdin, stdout, stderr] = child.stdio as [Writable, Readable, Readable, null, null];
  stdin.on('error', () => {});
  const tell = (message: unknown): void => {
    if (stdin.writable) stdin.write(`${JSON.stringify(message)}\n`);
  };
  if (options.firstLine !== undefined) tell(options.firstLine);
  readLines(stderr, (line) => log(`${name}: ${line}`));
  const ready = new Promise<'ready'>((resolve) => {
    readLines(stdout, (line) => {
      const message = parseObject(line);
      if (!message) {
        log(`${name}: ${line}`);
        return;
      }
      const isAlive = message['alive'] === true;
      watch.heard(isAlive);
      if (isAlive) return;
      options.onMessage(message);
      if (message['ready'] === true) resolve('ready');
    });
  });
  const stop = async (): Promise<void> => {
    stdin.end();
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), END_LIMIT_MS);
    await ended;
    clearTimeout(timer);
  };
  const abort = (): void => void stop();
  options.signal.addEventListener('abort', abort);
  void ended.then(() => options.signal.removeEventListener('abort', abort));
  const first = await Promise.race([ready, ended.then((why) => new Error(`${ENDED_EARLY}${why}`))]);
  if (first !== 'ready') throw first;
  return { pid: child.pid!, ended, tell, stop };
}
