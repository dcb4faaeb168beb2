import type { ChildProcess } from 'node:child_process';
import { fork, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { RackClient } from '../../hardware/rack/rack-client.ts';
import type { RackCommand } from '../../hardware/rack/rack-commands.ts';
import type { SeededChance } from '../../hardware/transport/faults.ts';
import { seededChance } from '../../hardware/transport/faults.ts';
import type { Command, TableView } from '../../host/api.ts';
import { TestDisplay } from '../support/display.ts';
import type { Arm, FromHost } from './arm.ts';

/** One deed of the session; it is repeated until it is done, as a person or a device would. */
export type Action =
  | { readonly kind: 'command'; readonly command: Command }
  /** Done once by hands on a device; the device itself repeats what was not taken from it. `commits`: how many it makes. */
  | {
      readonly kind: 'device';
      readonly command: RackCommand;
      readonly commits: number;
      done(view: TableView): boolean;
    }
  | { readonly kind: 'wait'; done(view: TableView): boolean };

/** Entries that every start makes by itself: a life dies at the first commit that is more than that. */
const OF_EVERY_START = [
  'terminal-started',
  'table-held',
  'hold-released',
  'fault-reported',
  'fault-cleared',
  'shoe-link',
  'table-configured',
];

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

/** A table with devices that outlive the host, and a host that dies on demand. */
export class Session {
  readonly dir: string;
  readonly chance: SeededChance;
  readonly rack: RackClient;
  /** Command ids that were answered `done` or `exists`, and all that were ever sent. */
  readonly acknowledged = new Map<string, Command>();
  readonly sent = new Map<string, Command>();
  kills = 0;
  bootKills = 0;
  #rackProcess: ChildProcess;
  #host: ChildProcess | null = null;
  #display: TestDisplay | null = null;

  private constructor(dir: string, seed: number, rack: RackClient, rackProcess: ChildProcess) {
    this.dir = dir;
    this.chance = seededChance(seed);
    this.rack = rack;
    this.#rackProcess = rackProcess;
  }

  static async open(seed: number): Promise<Session> {
    const dir = mkdtempSync(join(tmpdir(), 'banca-crash-'));
    const rackDir = join(dir, 'rack');
    mkdirSync(rackDir);
    mkdirSync(join(dir, 'data'));
    const rackProcess = spawn(
      process.execPath,
      [path('../../hardware/rack/rack-main.ts'), '--dir', rackDir, '--acceptors', '7', '--supervised'],
      { stdio: ['pipe', 'pipe', 'inherit'] },
    );
    await new Promise((resolve) => createInterface({ input: rackProcess.stdout }).once('line', resolve));
    return new Session(dir, seed, await RackClient.connect(rackDir), rackProcess);
  }

  get view(): TableView | null {
    return this.#display?.view ?? null;
  }

  get ledgerPath(): string {
    return join(this.dir, 'data', 'ledger.db');
  }

  /** A running host with the layout confirmed, and its view. A life that has to be started is armed; its successors are not. */
  async alive(arm: Arm | null = null): Promise<TableView> {
    for (let next = arm; ; ) {
      if (!this.#display || this.#display.gone) {
        await this.#start(next);
        next = null;
      }
      const display = this.#display;
      const view = display?.view;
      if (!display || !view || display.gone) continue;
      if (view.hold?.code === 'recovery') {
        await display.command({ type: 'confirm-layout' });
        await display.until((next) => next.hold?.code !== 'recovery');
        continue;
      }
      return view;
    }
  }

  /** Does the action; with `kill`, the host dies just before and just after each of its commits first. */
  async perform(action: Action, kill: boolean): Promise<void> {
    const commits = action.kind === 'device' ? action.commits : 1;
    const deaths: (Arm | null)[] = [];
    for (let i = 0; kill && action.kind !== 'wait' && i < commits; i += 1)
      for (const when of ['before', 'after'] as const) deaths.push({ when, spare: OF_EVERY_START });
    const id = randomUUID();
    let handed = false;
    for (const arm of [...deaths, null]) {
      // Now and then a life ends already in its own start.
      if (arm && this.chance.below(12) === 0) await this.#dieInStart(arm.when);
      await this.#arm(arm);
      await this.alive(arm);
      if (action.kind === 'command') {
        await this.#command(id, action.command);
      } else {
        if (action.kind === 'device' && !handed) {
          handed = true;
          await this.#hand(action.command);
        }
        await this.#display?.until(action.done, arm ? 8_000 : 30_000);
      }
    }
    // The last life is not armed: here the deed must come to its end.
    for (let tries = 0; action.kind !== 'command' && tries < 5; tries += 1) {
      await this.alive();
      if (await this.#display?.until(action.done)) return;
    }
    if (action.kind !== 'command')
      throw new Error(`never done: ${JSON.stringify(action)} ${JSON.stringify(this.view)}`);
  }

  async close(): Promise<void> {
    this.#display?.close();
    this.#host?.kill('SIGKILL');
    this.rack.close();
    this.#rackProcess.stdin?.end();
  }

  /** Ends the host in good order, so that its ledger can be read to the end. */
  async stopHost(): Promise<void> {
    const host = this.#host;
    this.#host = null;
    if (!host || host.exitCode !== null || host.signalCode !== null) return;
    await new Promise((resolve) => {
      host.once('exit', resolve);
      host.disconnect();
    });
  }

  async #command(id: string, command: Command): Promise<void> {
    this.sent.set(id, command);
    const answer = await this.#display?.command(command, id);
    if (answer?.status === 'done' || answer?.status === 'exists') this.acknowledged.set(id, command);
    if (answer) {
      const { seq } = answer.status === 'rejected' ? { seq: 0 } : answer;
      await this.#display?.until((view) => view.seq >= seq);
    }
  }

  /** Hands try until the device is free: an acceptor that still starts up takes no note. */
  async #hand(command: RackCommand): Promise<void> {
    for (const end = performance.now() + 20_000; ; ) {
      const answer = await this.rack.do(command);
      if (!answer.ok) throw new Error(answer.error);
      const why =
        ('taken' in answer && !answer.taken) || ('drawn' in answer && !answer.drawn) ? answer.why : null;
      if (why === null) return;
      if (performance.now() > end) throw new Error(`${command.do}: ${why}`);
      await this.alive();
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  async #arm(arm: Arm | null): Promise<void> {
    const host = this.#host;
    if (!host?.connected || this.#display?.gone !== false) return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        host.off('message', done).off('exit', done);
        resolve();
      };
      host.on('message', done).on('exit', done);
      // The typings know no null message; the channel does.
      host.send(arm as Arm);
    });
  }

  async #dieInStart(when: Arm['when']): Promise<void> {
    this.#host?.kill('SIGKILL');
    await this.#gone();
    this.kills += 1;
    this.#spawn({ when, spare: [] });
    await new Promise((resolve) => this.#host?.once('exit', resolve));
    this.kills += 1;
    this.bootKills += 1;
    this.#display = null;
  }

  async #gone(): Promise<void> {
    const host = this.#host;
    if (host && host.exitCode === null && host.signalCode === null)
      await new Promise((resolve) => host.once('exit', resolve));
    this.#display = null;
  }

  #spawn(arm: Arm | null): ChildProcess {
    const host = fork(
      path('./host-under-test.ts'),
      [
        join(this.dir, 'data'),
        join(this.dir, 'rack'),
        path('../../host/profiles/demo.json'),
        JSON.stringify(arm),
      ],
      { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] },
    );
    host.stderr?.on('data', (text) => {
      if (process.env['CRASH_LOG']) process.stderr.write(text);
    });
    this.#host = host;
    return host;
  }

  async #start(arm: Arm | null): Promise<void> {
    if (this.#host) {
      const { signalCode, exitCode } = await this.#exit(this.#host);
      if (signalCode === 'SIGKILL') this.kills += 1;
      else throw new Error(`the host ended by itself with code ${exitCode}`);
      this.#host = null;
    }
    const host = this.#spawn(arm);
    const url = await new Promise<string | null>((resolve) => {
      host.once('message', (message) => resolve((message as FromHost & { url: string }).url));
      host.once('exit', () => resolve(null));
    });
    this.#display = url === null ? null : await TestDisplay.connect(url).catch(() => null);
  }

  async #exit(host: ChildProcess): Promise<ChildProcess> {
    if (host.exitCode === null && host.signalCode === null)
      await new Promise((resolve) => host.once('exit', resolve));
    return host;
  }
}
