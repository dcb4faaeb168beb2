import { spawn } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { parseObject, readLines } from '../../electron/json-lines.ts';
import { assertBuilt } from '../support/built.ts';
import { PATIENCE_MS } from '../support/chromium.ts';
import { freePort } from '../support/free-port.ts';
import { newDatabase } from '../support/new-database.ts';
import { until } from '../support/until.ts';
import { ROOT } from './paths.ts';
import { alive, processTree, signalTree } from './processes.ts';

export interface TerminalOptions {
  readonly shell: 'chromium' | 'electron';
  /** $DISPLAY; null = no window, only the services. */
  readonly display: string | null;
  /** The terminal's data folder. */
  readonly data: string;
  /** More arguments of `npm start`. */
  readonly args?: readonly string[];
  /** False: no centre starts beside it, which is half of a start. */
  readonly centre?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  /** Another installation than this checkout, which runs with the Node in it. */
  readonly root?: string;
  /**
   * A command that becomes the one which follows it, for a terminal that sees other files than we
   * do.
   */
  readonly within?: readonly string[];
}

type Message = Readonly<Record<string, unknown>>;

/** One thing that the terminal reported, with the time since its start. */
export interface TerminalEvent {
  readonly atMs: number;
  readonly message: Message;
}

const END_LIMIT_MS = 180_000;

const isStartOf =
  (name: string) =>
  ({ started }: Message): boolean =>
    (started as Message | undefined)?.['name'] === name;

/** A whole terminal as `npm start` starts it, with what it reports in test mode. */
export class Terminal {
  readonly events: TerminalEvent[] = [];
  /** Log lines, for a test that fails. */
  readonly logs: string[] = [];
  readonly debugPort: number;
  readonly ended: Promise<number | null>;
  readonly #startedMs = performance.now();
  readonly #news = new EventEmitter();
  readonly #child;
  #browser: Browser | null = null;

  constructor(options: TerminalOptions, debugPort: number) {
    this.debugPort = debugPort;
    const env: NodeJS.ProcessEnv = { ...process.env, ...options.env };
    if (options.display === null) delete env['DISPLAY'];
    else env['DISPLAY'] = options.display;
    delete env['WAYLAND_DISPLAY'];
    // A witness that goes away with the test; a later `--witness` among the arguments counts.
    const witness = join(options.data, 'witness');
    const args = ['--test', '--data', options.data, '--witness', witness, '--restart-cap', '100'];
    if (options.centre === false) args.push('--no-centre');
    args.push(...(options.args ?? []));
    if (options.display !== null) args.push('--shell', options.shell, '--debug-port', String(debugPort));
    const { root = ROOT } = options;
    const node = options.root === undefined ? process.execPath : join(root, 'node_modules', '.bin', 'node');
    const launch = ['--disable-sigusr1', join(root, 'electron', 'launch.ts'), ...args];
    const [program, ...all] = [...(options.within ?? []), node, ...launch];
    this.#child = spawn(program!, all, {
      stdio: ['pipe', 'pipe', 'pipe'],
      env,
    });
    this.#child.stdin.on('error', () => {});
    readLines(this.#child.stderr, (line) => this.logs.push(`${this.#now()} ${line}`));
    readLines(this.#child.stdout, (line) => {
      const message = parseObject(line);
      if (message) this.events.push({ atMs: this.#now(), message });
      else this.logs.push(`${this.#now()} ${line}`);
      this.#news.emit('news');
    });
    this.ended = new Promise((resolve) => {
      this.#child.once('exit', (code) => {
        resolve(code);
        this.#news.emit('news');
      });
    });
  }

  get pid(): number {
    return this.#child.pid!;
  }

  /**
   * Waits for the first event from index `from` on for which `wanted` holds. Rejects with the log
   * after `limitMs`.
   */
  async event(
    what: string,
    wanted: (message: Message) => boolean,
    from = 0,
    limitMs = 240_000,
  ): Promise<TerminalEvent> {
    const deadline = performance.now() + limitMs;
    for (;;) {
      const found = this.events.slice(from).find((event) => wanted(event.message));
      if (found) return found;
      if (this.#child.exitCode !== null || performance.now() > deadline)
        throw new Error(`the terminal did not report: ${what}\n${this.logs.slice(-40).join('\n')}`);
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          clearTimeout(timer);
          this.#news.off('news', wake);
          resolve();
        };
        const timer = setTimeout(wake, 500);
        this.#news.on('news', wake);
      });
    }
  }

  /**
   * Waits for the first start of `host`, `window`, `centre` or `rack` from event `from` on. Rejects
   * as `event` does.
   */
  async started(name: string, from = 0): Promise<void> {
    await this.event(`${name} is started`, isStartOf(name), from);
  }

  /** Process id of the newest life of `host`, `window`, `centre` or `rack`. */
  pidOf(name: string): number {
    const started = this.events.findLast(({ message }) => isStartOf(name)(message));
    if (!started) throw new Error(`${name} was not started`);
    return (started.message['started'] as { pid: number }).pid;
  }

  /** Fresh address of a display, usable once. */
  async mint(role: string): Promise<string> {
    const from = this.events.length;
    this.#child.stdin.write(`${JSON.stringify({ mint: role })}\n`);
    const { message } = await this.event(
      `ticket for ${role}`,
      (m) => (m['minted'] as Message)?.['role'] === role,
      from,
    );
    const { url } = message['minted'] as { url: string | null };
    if (url === null) throw new Error(`no ticket for ${role}`);
    return url;
  }

  /**
   * The kiosk's page through the debugging port; asked again, because a restarted window is a new
   * browser.
   */
  async page(): Promise<Page> {
    await this.leavePage();
    this.#browser = await chromium.connectOverCDP(`http://127.0.0.1:${this.debugPort}`);
    const page = this.#browser
      .contexts()
      .flatMap((context) => context.pages())
      .find((candidate) => candidate.url().startsWith('http://127.0.0.1:'));
    if (!page) throw new Error('the window shows no page of the terminal');
    page.setDefaultTimeout(PATIENCE_MS);
    return page;
  }

  /** Detaches from the page that `page` gave last. */
  async leavePage(): Promise<void> {
    await this.#browser?.close().catch(() => {});
  }

  /** Ends the terminal as Ctrl+C does. Resolves with its exit code. */
  async stop(): Promise<number | null> {
    await this.leavePage();
    this.#child.kill('SIGINT');
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), END_LIMIT_MS);
    const code = await this.ended;
    clearTimeout(timer);
    return code;
  }

  /** Stops every process of the terminal. Resolves once none of them runs any more. */
  async pause(): Promise<void> {
    signalTree(this.pid, 'SIGSTOP');
    await until('every process is stopped', () => processTree(this.pid).every(({ state }) => state === 'T'));
  }

  resume(): void {
    signalTree(this.pid, 'SIGCONT');
  }

  /** SIGKILL to every process, so that none can say or write anything in farewell. */
  async cutPower(): Promise<void> {
    const pids = signalTree(this.pid, 'SIGKILL');
    await this.ended;
    await until('all processes are gone', () => alive(pids).length === 0);
  }

  #now(): number {
    return Math.round(performance.now() - this.#startedMs);
  }
}

/**
 * Starts a terminal: what was built, of these sources, unless another installation is named. It is
 * up when `event()` has seen the display `up` (with a window) or the host `started`.
 */
export async function startTerminal(options: TerminalOptions): Promise<Terminal> {
  const { data, args = [], centre = true, root, within } = options;
  if (root === undefined) assertBuilt();
  // A file of its own may name a centre elsewhere, and a stand-in for the host has none.
  const hasOwnCentre = centre && !args.includes('--profile') && !args.includes('--host');
  const isNew = !existsSync(data) || readdirSync(data).length === 0;
  if (hasOwnCentre && isNew && within === undefined) await newDatabase(join(data, 'centre', 'postgres'));
  return new Terminal(options, await freePort());
}
