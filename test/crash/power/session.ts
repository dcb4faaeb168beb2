import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync, ftruncateSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DeviceRack } from '../../../hardware/rack/rack.sim.ts';
import type { RackSight } from '../../../hardware/rack/rack-commands.ts';
import { openRack } from '../../../hardware/rack/rack-memory.store.ts';
import { type SeededChance, seededChance } from '../../../hardware/transport/faults.ts';
import { type DeviceServer, serveDevice } from '../../../hardware/transport/socket.transport.ts';
import { verifyLedger } from '../../../ledger/chain/verifier.store.ts';
import type { Command } from '../../../wire/commands.ts';
import type { TableView } from '../../../wire/view.ts';
import { Calls, type Remote } from '../../usb/calls.ts';
import { type Parts, Unavailable } from '../../usb/debian.ts';
import { runMachine } from '../../usb/vm.ts';
import { type Audited, auditCommands, counterOf, entriesOf, type Findings, unbookedNotes } from '../audit.ts';
import { SEATS } from '../director.ts';
import { type Action, terminalFile } from '../session.ts';
import { CachedDisk, type DiskKind } from './cached-disk.ts';
import type { Guest } from './guest.ts';
import { serveNbd } from './nbd.ts';

const TABLE = 'macau-2009';
/** Sparse; the host wants room for its reserve and its budget. */
const DISK_BYTES = 1024 * 1024 * 1024;
const STORAGE = { budgetMiB: 256, slowSyncMs: 10_000 };
/** An emulated processor on a busy machine is slow; nothing here is timed. */
const MACHINE_LIMIT_MS = 1_200_000;
const STEP_LIMIT_MS = 120_000;

/**
 * FTDI adapters: names of their sockets; in capitals they are the serial numbers that the guest
 * sees.
 */
const ADAPTERS = new Map([...SEATS.map((seat) => [`bv-${seat}`, seat] as const), ['shoe', null]]);
const LINE = { baud: 115_200, dataBits: 8, parity: 'none', stopBits: 1 };

const at = (adapter: string): string => `usb:0403:6001/${adapter.toUpperCase()}`;

export interface Cut {
  readonly when: 'in the start' | 'at a write' | 'at any moment';
  /** Sectors written and not flushed, and what became of them. */
  readonly unflushed: number;
  readonly lost: number;
  readonly torn: number;
  readonly seconds: number;
}

interface Machine {
  readonly guest: Remote<Guest>;
  view: TableView;
}

/** A terminal in a virtual machine whose power is cut; its devices stay outside and keep theirs. */
export class PowerSession implements Audited {
  readonly acknowledged = new Map<string, Command>();
  readonly sent = new Map<string, Command>();
  readonly chance: SeededChance;
  readonly cuts: Cut[] = [];
  /** What was wrong after a cut. */
  readonly found: Pick<Findings, 'lost' | 'doubled' | 'problems'> = { lost: 0, doubled: 0, problems: [] };
  readonly ledgerPath: string;
  readonly #dir: string;
  readonly #parts: Parts;
  readonly #programs: string;
  readonly #wanted: number;
  readonly #rack: DeviceRack = openRack(null, { acceptors: Math.max(...SEATS) });
  readonly #disk: CachedDisk;
  readonly #servers: (Server | DeviceServer)[] = [];
  #onPort: (socket: Socket) => void = () => {};
  #power = new AbortController();
  /** Rejects when the machine that runs has ended, cut off or by itself. */
  #down: Promise<never> = new Promise(() => {});
  #machine: Machine | null = null;
  /** Newest entry of which anything was seen outside. */
  #shownSeq = 0;
  /** Actions until the cut is near. */
  #actionsLeft = 0;
  #startedMs = 0;

  private constructor(
    dir: string,
    parts: Parts,
    programs: string,
    seed: number,
    cuts: number,
    kind: DiskKind,
  ) {
    this.#dir = dir;
    this.#parts = parts;
    this.#programs = programs;
    this.#wanted = cuts;
    this.chance = seededChance(seed);
    mkdirSync(join(dir, 'read-out'));
    this.ledgerPath = join(dir, 'read-out/ledger.db');
    this.#disk = new CachedDisk(newFileSystem(join(dir, 'disk.img')), kind);
  }

  /** `dir`: sockets and the disk go there. Throws Unavailable where no ext4 can be made. */
  static async open(
    dir: string,
    parts: Parts,
    programs: string,
    options: { readonly seed: number; readonly cuts: number; readonly disk: DiskKind },
  ): Promise<PowerSession> {
    const session = new PowerSession(dir, parts, programs, options.seed, options.cuts, options.disk);
    session.#servers.push(await serveNbd(join(dir, 'disk'), session.#disk, DISK_BYTES));
    for (const [adapter, seat] of ADAPTERS) {
      const device = seat === null ? session.#rack.shoe : session.#rack.acceptor(seat);
      session.#servers.push(await serveDevice(join(dir, adapter), (line) => device.plug(line)));
    }
    const port = createServer((socket) => session.#onPort(socket));
    session.#servers.push(
      await new Promise<Server>((done) => port.listen(join(dir, 'port'), () => done(port))),
    );
    return session;
  }

  async close(): Promise<void> {
    this.#power.abort();
    await this.#down.catch(() => {});
    for (const server of this.#servers) void server.close();
    this.#disk.close();
  }

  async sight(): Promise<RackSight> {
    return this.#rack.sight();
  }

  async unbookedNotes(): Promise<ReadonlySet<number>> {
    await this.#whilePowered(async ({ guest }) => this.#readOut(await guest.ledger()));
    return unbookedNotes(this.ledgerPath, this.#rack.sight());
  }

  async stopHost(): Promise<void> {
    const { guest } = await this.#running();
    await guest.stop();
    this.#readOut(await guest.ledger());
  }

  async alive(): Promise<TableView> {
    return this.#whilePowered(async ({ view }) => view);
  }

  /**
   * Does the action, again after each cut, as a display and a device would; a card or note is
   * handed only once.
   */
  async perform(action: Action): Promise<void> {
    const id = randomUUID();
    if (this.#actionsLeft > 0) {
      this.#actionsLeft -= 1;
      if (this.#actionsLeft === 0) this.#cutSoon();
    }
    if (action.kind === 'command') {
      this.sent.set(id, action.command);
      await this.#whilePowered(async (machine) => {
        const answer = await machine.guest.command(action.command, id);
        if (answer === null) throw new Error('the host ended by itself');
        if (answer.status === 'rejected') return;
        this.acknowledged.set(id, action.command);
        this.#shownSeq = Math.max(this.#shownSeq, answer.seq);
        await this.#until(machine, (view) => view.seq >= answer.seq);
      });
      return;
    }
    let isHanded = false;
    const notesBefore = this.#notesBack(action);
    for (let tries = 0; tries < 5; tries += 1) {
      const isDone = await this.#whilePowered(async (machine) => {
        if (action.done(machine.view)) return true;
        if (action.kind === 'device' && (!isHanded || this.#notesBack(action) > notesBefore)) {
          isHanded = await this.#hand(machine, action);
        }
        return this.#until(machine, action.done);
      });
      if (isDone) return;
    }
    throw new Error(`never done: ${JSON.stringify(action)} ${JSON.stringify(this.#machine?.view)}`);
  }

  #notesBack(action: Action): number {
    if (action.kind !== 'device' || action.command.do !== 'insert-note') return 0;
    return this.#rack.sight().acceptors[action.command.acceptor - 1]?.givenBack.length ?? 0;
  }

  /** Hands try until the device is free: an acceptor that still starts up takes no note. */
  async #hand(machine: Machine, action: Extract<Action, { kind: 'device' }>): Promise<boolean> {
    if (action.mishap) this.#rack.handle(action.mishap);
    for (const end = performance.now() + STEP_LIMIT_MS; ; ) {
      const answer = await this.#rack.do(action.command);
      if (!answer.ok) throw new Error(answer.error);
      const why =
        ('taken' in answer && !answer.taken) || ('drawn' in answer && !answer.drawn) ? answer.why : null;
      if (why === null) return true;
      if (action.done(machine.view)) return true;
      if (performance.now() > end) throw new Error(`${action.command.do}: ${why}`);
      await this.#look(machine);
      await sleep(50);
    }
  }

  async #look(machine: Machine): Promise<void> {
    const view = await machine.guest.view(machine.view.seq);
    if (view === null) throw new Error('the host ended by itself');
    machine.view = view;
    this.#shownSeq = Math.max(this.#shownSeq, view.seq);
    if (view.hold?.code === 'recovery') await machine.guest.command({ type: 'confirm-layout' }, randomUUID());
  }

  async #until(machine: Machine, holds: (view: TableView) => boolean): Promise<boolean> {
    for (const end = performance.now() + STEP_LIMIT_MS; !holds(machine.view); await this.#look(machine))
      if (performance.now() > end) return false;
    return true;
  }

  /**
   * Starts the work again, on a new start of the machine, when the power has gone in its middle.
   */
  async #whilePowered<T>(work: (machine: Machine) => Promise<T>): Promise<T> {
    for (;;)
      try {
        const machine = await Promise.race([this.#running(), this.#down]);
        return await Promise.race([work(machine), this.#down]);
      } catch (error) {
        if (!this.#power.signal.aborted) throw error;
        // QEMU has gone before the next one comes.
        await this.#down.catch(() => {});
        this.#machine = null;
      }
  }

  async #running(): Promise<Machine> {
    this.#machine ??= await this.#boot();
    return this.#machine;
  }

  async #boot(): Promise<Machine> {
    this.#startedMs = performance.now();
    const power = new AbortController();
    this.#power = power;
    const ready = new Promise<Socket>((resolve) => {
      this.#onPort = (socket) => {
        socket.on('error', () => socket.destroy());
        socket.once('data', () => resolve(socket));
      };
    });
    this.#disk.powerOn();
    const isToCut = this.cuts.length < this.#wanted;
    if (isToCut && this.chance.below(6) === 0) this.#cutAtWrite('in the start', 60);
    else if (isToCut) this.#actionsLeft = 1 + this.chance.below(40);
    this.#down = runMachine({
      parts: this.#parts,
      dir: this.#dir,
      programs: this.#programs,
      adapters: [...ADAPTERS.keys()],
      port: 'port',
      settings: [],
      disk: 'disk',
      args: ['/rig/power/guest.js'],
      limitMs: MACHINE_LIMIT_MS,
      powerCut: power.signal,
    }).then((status) => {
      throw new Error(`the guest ended by itself with ${status}`);
    });
    this.#down.catch(() => {});
    const boot = async (): Promise<Machine> => {
      const socket = await ready;
      // A pipe passes no error on: what the reader of lines makes of a reset connection nobody
      // could catch.
      const guest = new Calls(socket.pipe(new PassThrough()), socket).on<Guest>('guest');
      await guest.mount();
      this.#afterCut(await guest.ledger());
      await guest.start(JSON.stringify(this.#terminalFile()));
      const view = await guest.view(0);
      if (view === null) throw new Error('the host ended by itself');
      const machine = { guest, view };
      await this.#look(machine);
      await this.#until(machine, ({ hold }) => hold?.code !== 'recovery');
      return machine;
    };
    return Promise.race([boot(), this.#down]);
  }

  #terminalFile(): object {
    const acceptors = SEATS.map((seat) => [String(seat), { model: 'id003', at: at(`bv-${seat}`) }]);
    return {
      ...terminalFile(TABLE),
      storage: STORAGE,
      devices: {
        acceptors: Object.fromEntries(acceptors),
        shoe: { model: 'ksp1', at: at('shoe'), line: LINE },
        simulatorsAllowed: true,
      },
    };
  }

  #cutSoon(): void {
    // At most moments the cache is empty: a commit writes and flushes at once.
    if (this.chance.below(4) > 0) {
      this.#cutAtWrite('at a write', 30);
      return;
    }
    const power = this.#power;
    setTimeout(() => {
      if (this.#power === power) this.#cut('at any moment');
    }, this.chance.below(4_000));
  }

  #cutAtWrite(when: Cut['when'], below: number): void {
    let left = 1 + this.chance.below(below);
    this.#disk.onWrite = () => {
      left -= 1;
      if (left === 0) this.#cut(when);
    };
  }

  #cut(when: Cut['when']): void {
    if (this.#power.signal.aborted) return;
    this.#disk.onWrite = () => {};
    const seconds = Math.round((performance.now() - this.#startedMs) / 1000);
    const cut = { when, ...this.#disk.cutPower(this.chance), seconds };
    this.cuts.push(cut);
    this.#power.abort();
    console.log(
      `cut ${this.cuts.length}: ${JSON.stringify({ ...cut, acknowledged: this.acknowledged.size })}`,
    );
  }

  /** What the cut has left, before the host can mend anything of it. */
  #afterCut(ledger: Record<string, string>): void {
    const hasLedger = this.#readOut(ledger);
    const report = hasLedger ? verifyLedger(this.ledgerPath) : null;
    if (report !== null && !report.ok)
      this.found.problems.push(`after cut ${this.cuts.length}: ${report.problem}`);
    const entries = hasLedger ? entriesOf(this.ledgerPath) : [];
    const count = counterOf(this.found);
    auditCommands(entries, this, count);
    const newest = entries.at(-1)?.seq ?? 0;
    count('entries shown', this.#shownSeq, Math.min(newest, this.#shownSeq));
    if (this.found.problems.length > 0) throw new Error(`after cut ${this.cuts.length} something is missing`);
  }

  /** False: there is none yet. */
  #readOut(ledger: Record<string, string>): boolean {
    for (const name of ['ledger.db', 'ledger.db-wal', 'ledger.db-shm'])
      rmSync(join(this.#dir, 'read-out', name), { force: true });
    for (const [name, bytes] of Object.entries(ledger))
      writeFileSync(join(this.#dir, 'read-out', name), Buffer.from(bytes, 'base64'));
    return ledger['ledger.db'] !== undefined;
  }
}

function newFileSystem(path: string): string {
  const file = openSync(path, 'w');
  ftruncateSync(file, DISK_BYTES);
  closeSync(file);
  try {
    execFileSync('mkfs.ext4', ['-q', '-F', path], {
      env: { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin:/sbin` },
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new Unavailable('mkfs.ext4 is not installed (apt-get install e2fsprogs)');
  }
  return path;
}
