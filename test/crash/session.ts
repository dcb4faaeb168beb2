import type { ChildProcess } from 'node:child_process';
import { fork, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { RackClient } from '../../hardware/rack/rack-client.ts';
import type { RackCommand, RackSight } from '../../hardware/rack/rack-commands.ts';
import type { SeededChance } from '../../hardware/transport/faults.ts';
import { seededChance } from '../../hardware/transport/faults.ts';
import type { Command } from '../../wire/commands.ts';
import type { TableView } from '../../wire/view.ts';
import { TestDisplay } from '../support/display.ts';
import type { Arm, Death, FromHost, Standing } from './arm.ts';
import { DISK_TROUBLES, isDiskTrouble } from './arm.ts';
import { type Audited, unbookedNotes } from './audit.ts';
import { Disk } from './disk.ts';
import type { State } from './states.ts';
import type { Toll } from './toll.ts';

/** One deed of the session; it is repeated until it is done, as a person or a device would. */
export type Action =
  | { readonly kind: 'command'; readonly command: Command }
  /**
   * Done once by hands on a device; the device itself repeats what was not taken from it.
   * `commits`: how many it makes.
   */
  | {
      readonly kind: 'device';
      readonly command: RackCommand;
      readonly commits: number;
      /** Done to the device first: what it does next goes wrong. */
      readonly mishap?: Extract<RackCommand, { do: 'fault' }>;
      done(view: TableView): boolean;
    }
  | { readonly kind: 'wait'; done(view: TableView): boolean };

/**
 * Entries that every start makes by itself: a life dies at the first commit that is more than that.
 */
const OF_EVERY_START = [
  'program-started',
  'code-checked',
  'acceptors-gated',
  'unit-accepted',
  'notes-confirmed',
  'note-closed',
  'terminal-started',
  'table-held',
  'hold-released',
  'fault-reported',
  'fault-cleared',
  'shoe-link',
  'table-configured',
];

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));
const DEMO = path('../../host/profiles/demo.json');

/** Deadlines are no part of this: hands and kills decide when something happens. */
const TIMING = {
  bettingMs: 120_000,
  offersMs: 60_000,
  decisionMs: 120_000,
  minConfidence: 200,
  minResultMs: 200,
};

/**
 * The demonstration's terminal at another table. `table`: name of a file in host/profiles/tables.
 */
export function terminalFile(table: string): { profile: object; people: object } {
  const { profile, people } = JSON.parse(readFileSync(DEMO, 'utf8')) as { profile: object; people: object };
  const own = JSON.parse(readFileSync(join(DEMO, '..', 'tables', `${table}.json`), 'utf8')) as object;
  return { profile: { ...profile, ...own, timing: TIMING }, people };
}

export interface Programs {
  /** The bundled host-under-test, and the rack. */
  readonly host: string;
  readonly rack: string;
  /**
   * The compiled disk.c; null = there is no compiler, and the disk neither fails nor loses
   * anything.
   */
  readonly disk: string | null;
}

/** A table with devices that outlive the host, and a host and a disk that die on demand. */
export class Session implements Audited {
  readonly dir: string;
  readonly chance: SeededChance;
  readonly rack: RackClient;
  readonly acknowledged = new Map<string, Command>();
  readonly sent = new Map<string, Command>();
  readonly #programs: Programs;
  readonly #toll: Toll;
  readonly #disk: Disk | null;
  readonly #rackProcess: ChildProcess;
  #host: ChildProcess | null = null;
  #display: TestDisplay | null = null;
  /** What the life that runs is to die of; null = it is to live. */
  #death: Death | null = null;
  #standing: Standing = { states: ['starting'] };
  /** Resolves when the life that runs is over and its last line is read. */
  #over: Promise<unknown> = Promise.resolve();

  private constructor(
    dir: string,
    seed: number,
    programs: Programs,
    toll: Toll,
    rack: RackClient,
    rackProcess: ChildProcess,
  ) {
    this.dir = dir;
    this.chance = seededChance(seed);
    this.#programs = programs;
    this.#toll = toll;
    this.rack = rack;
    this.#rackProcess = rackProcess;
    this.#disk = programs.disk === null ? null : new Disk(programs.disk, join(dir, 'data'));
  }

  /** `table`: name of a file in host/profiles/tables. */
  static async open(seed: number, table: string, programs: Programs, toll: Toll): Promise<Session> {
    const dir = mkdtempSync(join(tmpdir(), 'banca-crash-'));
    const rackDir = join(dir, 'rack');
    mkdirSync(rackDir);
    mkdirSync(join(dir, 'data'));
    writeFileSync(join(dir, 'terminal.json'), JSON.stringify(terminalFile(table)));
    const rackProcess = spawn(
      process.execPath,
      [programs.rack, '--dir', rackDir, '--acceptors', '7', '--supervised'],
      { stdio: ['pipe', 'pipe', 'inherit'] },
    );
    await new Promise((resolve) => createInterface({ input: rackProcess.stdout }).once('line', resolve));
    return new Session(dir, seed, programs, toll, await RackClient.connect(rackDir), rackProcess);
  }

  get view(): TableView | null {
    return this.#display?.view ?? null;
  }

  get ledgerPath(): string {
    return join(this.dir, 'data', 'ledger.db');
  }

  /**
   * A running host with the layout confirmed, and its view. A life that has to be started is armed;
   * its successors are not.
   */
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

  /**
   * Does the action; with `kill`, the host dies just before and just after each of its commits
   * first, and in other ways.
   */
  async perform(action: Action, kill: boolean): Promise<void> {
    const id = randomUUID();
    let handed = false;
    const before = action.kind === 'device' ? await this.#notesBack(action.command) : 0;
    for (const death of [...(kill ? this.#deaths(action) : []), null]) {
      // Now and then a life ends already in its own start.
      if (death !== null && this.chance.below(10) === 0) await this.#dieInStart();
      this.log(death ?? 'lives');
      const arm = death === null || death === 'any moment' ? null : { death, spare: OF_EVERY_START };
      const syncs = death === 'in sync' ? { syncs: 1 + this.chance.below(3) } : {};
      await this.#arm(arm && { ...arm, ...syncs }, death);
      await this.alive(arm && { ...arm, ...syncs });
      if (death === 'any moment') this.#death = death;
      const timer =
        death === 'any moment' ? this.#killWithin(action.kind === 'command' ? 12 : 400) : undefined;
      if (action.kind === 'command') {
        await this.#command(id, action.command);
      } else {
        const isDone = (): boolean => this.view !== null && action.done(this.view);
        if (
          action.kind === 'device' &&
          !isDone() &&
          (!handed || (await this.#notesBack(action.command)) > before)
        ) {
          handed = true;
          await this.#hand(action, isDone);
        }
        await this.#display?.until(action.done, death === null ? 30_000 : 8_000);
      }
      clearTimeout(timer);
    }
    // The last life is not armed: here the deed must come to its end.
    for (let tries = 0; action.kind !== 'command' && tries < 5; tries += 1) {
      await this.alive();
      if (await this.#display?.until(action.done)) return;
    }
    if (action.kind !== 'command')
      throw new Error(`never done: ${JSON.stringify(action)} ${JSON.stringify(this.view)}`);
  }

  /** Where the table stood at the last word of the host. */
  get states(): readonly State[] {
    return this.#standing.states;
  }

  /**
   * For each commit of the action: just before it, in two other ways that may leave it undone, and
   * just after it.
   */
  #deaths(action: Action): Death[] {
    if (action.kind === 'wait') return ['any moment'];
    const others: readonly Death[] = this.#disk
      ? ['any moment', 'in sync', 'slow disk', ...DISK_TROUBLES]
      : ['any moment'];
    const other = (): Death => others[this.chance.below(others.length)] as Death;
    const commits = action.kind === 'device' ? action.commits : 1;
    return Array.from({ length: commits }, (): Death[] => [
      'before commit',
      other(),
      other(),
      'after commit',
    ]).flat();
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
    if (answer?.status === 'rejected') this.log(`refused: ${JSON.stringify(answer)}`);
    if (answer?.status === 'done' || answer?.status === 'exists') this.acknowledged.set(id, command);
    if (answer) {
      const { seq } = answer.status === 'rejected' ? { seq: 0 } : answer;
      await this.#display?.until((view) => view.seq >= seq);
    }
  }

  /**
   * A host that comes back too late finds that the unit has given the note back: then it is put in
   * again.
   */
  async #notesBack(command: RackCommand): Promise<number> {
    if (command.do !== 'insert-note') return 0;
    const sight = await this.sight();
    return sight.acceptors[command.acceptor - 1]?.givenBack.length ?? 0;
  }

  async sight(): Promise<RackSight> {
    const answer = await this.rack.do({ do: 'state' });
    if (!answer.ok) throw new Error(answer.error);
    return answer;
  }

  async unbookedNotes(): Promise<ReadonlySet<number>> {
    return unbookedNotes(this.ledgerPath, await this.sight());
  }

  /** Hands try until the device is free: an acceptor that still starts up takes no note. */
  async #hand(
    { mishap, command }: Pick<Extract<Action, { kind: 'device' }>, 'mishap' | 'command'>,
    isDone: () => boolean,
  ): Promise<void> {
    if (mishap) await this.#hand({ command: mishap }, () => false);
    for (const end = performance.now() + 60_000; ; ) {
      const answer = await this.rack.do(command);
      if (!answer.ok) throw new Error(answer.error);
      const why =
        ('taken' in answer && !answer.taken) || ('drawn' in answer && !answer.drawn) ? answer.why : null;
      if (why === null || isDone()) return;
      if (performance.now() > end) throw new Error(`${command.do}: ${why}`);
      await this.alive();
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  async #arm(arm: Arm | null, death: Death | null): Promise<void> {
    const host = this.#host;
    if (!host?.connected || this.#display?.gone !== false) return;
    this.#disk?.set({});
    await new Promise<void>((resolve) => {
      const done = (message?: unknown): void => {
        host.off('message', done).off('exit', done);
        // Else it has died in this moment, of what it was to die of before.
        if (typeof message === 'object' && message !== null) this.#death = death;
        resolve();
      };
      host.on('message', done).on('exit', done);
      // The typings know no null message; the channel does.
      host.send(arm as Arm, (error) => error && done());
    });
  }

  log(text: string): void {
    if (process.env['CRASH_LOG']) console.error(performance.now() | 0, this.dir.slice(-3), text);
  }

  #killWithin(ms: number, afterMs = 0): NodeJS.Timeout {
    const [host, death] = [this.#host, this.#death];
    return setTimeout(
      () => {
        if (this.#death === death) host?.kill('SIGKILL');
      },
      afterMs + this.chance.below(ms * 10) / 10,
    );
  }

  async #dieInStart(): Promise<void> {
    this.#death = 'any moment';
    this.#host?.kill('SIGKILL');
    await this.#end();
    const atOnce = this.chance.below(2) === 0;
    this.#spawn(atOnce ? { death: 'in start', spare: [] } : null);
    this.#death = 'in start';
    if (!atOnce) this.#killWithin(400);
    await this.#end();
  }

  /**
   * Waits until the life is over, counts it, and puts the disk right again or what is left of it.
   */
  async #end(): Promise<void> {
    const host = this.#host;
    this.#host = null;
    this.#display = null;
    if (!host) return;
    await this.#over;
    const death = this.#standing.now ?? this.#death;
    if (death === null) throw new Error(`the host ended by itself: ${host.signalCode ?? host.exitCode}`);
    const cut = this.#disk !== null && this.chance.below(2) === 0 ? this.#disk.cutPower(this.chance) : null;
    this.#disk?.set({});
    this.log(
      `ended: ${death} in ${this.#standing.states.join(', ')}${cut ? `, ${cut.lost} sectors lost` : ''}`,
    );
    this.#toll.add(death, this.#standing.states, cut);
    this.#death = null;
  }

  #spawn(arm: Arm | null): ChildProcess {
    const host = fork(
      this.#programs.host,
      [join(this.dir, 'data'), join(this.dir, 'rack'), join(this.dir, 'terminal.json'), JSON.stringify(arm)],
      {
        stdio: ['ignore', 'ignore', 'pipe', 'ipc', 'pipe'],
        env: {
          ...process.env,
          NODE_COMPILE_CACHE: join(this.#programs.host, '..', 'compile-cache'),
          ...this.#disk?.env,
        },
      },
    );
    host.stderr?.on('data', (text) => {
      if (process.env['CRASH_LOG']) process.stderr.write(text);
    });
    this.#standing = { states: ['starting'] };
    createInterface({ input: host.stdio[4] as Readable }).on('line', (line) => {
      this.#standing = JSON.parse(line) as Standing;
      const { now } = this.#standing;
      // A slow sync is killed in its middle; a host whose disk refuses mostly ends by itself.
      if (now === 'slow disk') this.#killWithin(400);
      else if (now !== undefined && isDiskTrouble(now)) this.#killWithin(2_000, 2_000);
    });
    this.#over = new Promise((resolve) => host.once('close', resolve));
    this.#host = host;
    return host;
  }

  async #start(arm: Arm | null): Promise<void> {
    await this.#end();
    this.#death = arm?.death ?? null;
    const host = this.#spawn(arm);
    const url = await new Promise<string | null>((resolve) => {
      host.once('message', (message) => resolve((message as FromHost & { url: string }).url));
      host.once('exit', () => resolve(null));
    });
    this.#display = url === null ? null : await TestDisplay.connect(url).catch(() => null);
  }
}
