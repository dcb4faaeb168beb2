/**
 * The table of a drill: a whole host on a copy of the ledger, simulated devices, and the hands and
 * PINs of its people.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { bettingChoices, hidesCards } from '../../engine/engine.ts';
import type { PersonRole } from '../../engine/table/inputs.ts';
import { acceptorCount } from '../../engine/table/profile.ts';
import type { ByteTransport, OpenTransport } from '../../hardware/ports.ts';
import { adoptKey, backupLedger } from '../../ledger/copy/backup.store.ts';
import { loadOrCreateKey, openLedger, openLedgerReader } from '../../ledger/store/ledger.store.ts';
import type { Command } from '../../wire/commands.ts';
import type { FaultId } from '../../wire/faults.ts';
import type { Credential } from '../../wire/fields.ts';
import type { TableView } from '../../wire/view.ts';
import { hashPin } from '../config/people.ts';
import type { TerminalFile } from '../config/terminal-file.ts';
import { type Host, startHost } from '../host.ts';
import { Sessions } from '../server/sessions.ts';
import { type Rack, rackInProcess } from '../simulation/rack.ts';
import { restoreState } from '../table/terminal.ts';
import { sizeOf } from '../watches/storage-watch.ts';

/** They exist in the copy alone. */
const CREDENTIALS: Readonly<Record<PersonRole, Credential>> = {
  dealer: { person: '1', pin: '1001' },
  attendant: { person: '2', pin: '2002' },
  supervisor: { person: '3', pin: '3003' },
  technician: { person: '4', pin: '4004' },
  auditor: { person: '5', pin: '5005' },
  manufacturer: { person: '6', pin: '6006' },
};
/** Log2 of scrypt's N: nobody looks for these. */
const COST = 12;

const LOOK_MS = 20;
const FREE_BYTES = 64 * 2 ** 20;
const LIMIT_MS = 60_000;
/** Nobody waits for a demonstration to look calm. */
const PACE = 0.2;

/** Why a drill cannot go on. */
export class DrillStopped extends Error {
  override readonly name = 'DrillStopped';
}

/** Pulls the plugs of lines, and puts them back. */
class Plugs {
  readonly #out = new Set<string>();
  readonly #lines = new Map<string, () => void>();

  pull(device: string): void {
    this.#out.add(device);
    this.#lines.get(device)?.();
  }

  putBack(device: string): void {
    this.#out.delete(device);
  }

  of(device: string, open: OpenTransport): OpenTransport {
    const plugged = (): ByteTransport => {
      const line = open();
      return {
        name: line.name,
        open: async (handlers) => {
          if (this.#out.has(device)) throw new Error('not plugged in');
          await line.open(handlers);
          this.#lines.set(device, () => {
            void line.close();
            handlers.onClose('unplugged');
          });
        },
        write: (bytes) => line.write(bytes),
        close: () => line.close(),
      };
    };
    return Object.assign(plugged, { simulated: true as const });
  }
}

export class DrillTable {
  host!: Host;
  readonly rack: Rack;
  readonly plugs = new Plugs();
  /** Added to the wall clock. */
  clockOffMs = 0;
  isDiskFull = false;
  readonly #file: TerminalFile;
  #dir: string;
  #life = 1;

  private constructor(dir: string, file: TerminalFile) {
    this.#dir = dir;
    this.#file = file;
    // A name of its own: of any other shoe the ledger may know numbers.
    this.rack = rackInProcess(acceptorCount(file.profile), null, 'DRILL-SHOE');
  }

  /** Copies the ledger into `dir` and starts a host on it. Nothing is written beside `dir`. */
  static async open(ledgerPath: string, dir: string): Promise<{ table: DrillTable; entries: number }> {
    const folder = join(dir, 'life-1');
    mkdirSync(folder, { recursive: true });
    const path = join(folder, 'ledger.db');
    await backupLedger(ledgerPath, path);
    adoptKey(path, loadOrCreateKey(folder));
    const reader = openLedgerReader(path);
    const entries = reader.newest({ beforeSeq: null, limit: 1, kind: null })[0]?.seq ?? 0;
    const state = restoreState(reader, entries);
    const { profile } = state;
    reader.close();
    if (profile === null) throw new DrillStopped('the ledger knows no table yet');
    // Drawn since the drill was asked for; DrillDesk says it in everybody's language.
    if (hidesCards(state)) throw new DrillStopped('a card lies face down: a drill waits until it is turned');
    const people = await Promise.all(
      Object.entries(CREDENTIALS).map(async ([role, { person, pin }]) => ({
        id: `DRILL-${role}`,
        name: `Drill ${role}`,
        number: person,
        role: role as PersonRole,
        pinHash: await hashPin(pin, COST),
      })),
    );
    const table = new DrillTable(folder, { profile, people });
    return { table, entries };
  }

  get ledgerPath(): string {
    return join(this.#dir, 'ledger.db');
  }

  async start(o: { readonly upstreamUrl?: string } = {}): Promise<void> {
    const { profile } = this.#file;
    const key = loadOrCreateKey(this.#dir);
    const ledger = openLedger(this.ledgerPath, {
      terminalId: profile.terminalId,
      key,
      createIfMissing: false,
    });
    const { transports } = this.rack;
    const rack: Rack = {
      ...this.rack,
      transports: {
        acceptor: (number) => this.plugs.of(`acceptor-${number}`, transports.acceptor(number)),
        shoe: this.plugs.of('shoe', transports.shoe),
        printer: this.plugs.of('printer', transports.printer),
        cabinet: this.plugs.of('cabinet', transports.cabinet),
        ups: this.plugs.of('ups', transports.ups),
      },
    };
    // A budget that the ledger fills is a disk that is full.
    const storage = {
      slowSyncMs: 10_000,
      lookEveryMs: 500,
      budgetMiB: () => (sizeOf(this.ledgerPath) + (this.isDiskFull ? 0 : FREE_BYTES)) / 2 ** 20,
    };
    this.host = await startHost({
      ledger,
      ledgerPath: this.ledgerPath,
      key,
      file: this.#file,
      tables: [],
      rack,
      now: () => Date.now() + this.clockOffMs,
      rendererRoot: this.#dir,
      sessions: new Sessions(randomBytes(32), Date.now),
      port: 0,
      allowedUids: [],
      upstreamUrl: o.upstreamUrl ?? null,
      software: { version: 'drill', id: 'drill' },
      storage: {
        ...storage,
        get budgetMiB() {
          return storage.budgetMiB();
        },
      },
      machineBootId: `drill-${this.#life}`,
      pace: PACE,
      report: () => {},
      log: (line) => process.stderr.write(`[drill] ${line}\n`),
    });
  }

  stop(): Promise<void> {
    return this.host.stop('the drill is over');
  }

  /** The machine loses its power at this moment: the next life finds what is on the disk now. */
  async losePower(): Promise<void> {
    const left = this.#dir;
    this.#life += 1;
    this.#dir = join(left, '../..', `life-${this.#life}`);
    cpSync(left, this.#dir, { recursive: true });
    await this.stop();
    await this.start();
  }

  get view(): TableView {
    return this.host.view();
  }

  get step(): string {
    return this.view.dealer.step.step;
  }

  stands(fault: FaultId): boolean {
    return this.host.terminal.state.faults.some((known) => known.fault === fault);
  }

  async until(what: string, holds: () => boolean, limitMs = LIMIT_MS): Promise<void> {
    for (const end = performance.now() + limitMs; !holds(); ) {
      if (performance.now() > end)
        throw new DrillStopped(
          `waited ${limitMs / 1000} s for ${what}; step ${this.step}, hold ${this.view.hold?.code ?? 'none'}, ` +
            `faults ${this.host.terminal.state.faults.map(({ fault }) => fault).join(' ') || 'none'}`,
        );
      await sleep(LOOK_MS);
    }
  }

  /** Throws where the table refuses it. */
  async do(command: Command): Promise<void> {
    const outcome = await this.host.command(randomUUID(), command);
    if (outcome.status === 'rejected')
      throw new DrillStopped(`${command.type}: ${outcome.code} ${outcome.detail ?? ''}`);
  }

  credential(roles: readonly PersonRole[]): Credential {
    return CREDENTIALS[roles[0]!];
  }

  /** In service mode, with the PINs that the fault wants, as soon as its cause is gone. */
  async endFault(device: string, fault: string, persons: readonly (readonly PersonRole[])[]): Promise<void> {
    const [first, second] = persons;
    await this.do({ type: 'enter-service', credential: CREDENTIALS.technician });
    const end: Command = {
      type: 'end-fault',
      device,
      fault,
      credential: this.credential(first ?? ['technician']),
      ...(second ? { secondCredential: this.credential(second) } : {}),
    };
    for (const until = performance.now() + LIMIT_MS; ; await sleep(200)) {
      const outcome = await this.host.command(randomUUID(), end);
      if (outcome.status !== 'rejected') break;
      if (outcome.code !== 'held' || performance.now() > until)
        throw new DrillStopped(`end-fault: ${outcome.code} ${outcome.detail ?? ''}`);
    }
    await this.do({ type: 'exit-service' });
  }

  /** Notes whose fate is not known are given back by hand. */
  async closeCases(): Promise<void> {
    for (const { caseNo } of [...this.view.heldNotes])
      await this.do({
        type: 'resolve-held-note',
        caseNo,
        outcome: 'returned',
        reason: 'seen-in-box',
        credential: CREDENTIALS.attendant,
        secondCredential: CREDENTIALS.supervisor,
      });
  }

  /** Why the acceptor takes no note, null = it does. */
  whyShut(acceptor: number): string | null {
    const { ledger } = this.host.terminal;
    for (const { body } of ledger.newest({ beforeSeq: null, limit: 50, kind: 'acceptors-gated' })) {
      const gate = (body as { gates: { acceptor: number; shut: string | null }[] }).gates.find(
        (each) => each.acceptor === acceptor,
      );
      if (gate) return gate.shut;
    }
    return null;
  }

  /** Devices are there, and other units than the real ones are accepted. */
  async greetDevices(): Promise<void> {
    await this.until('the simulated devices', () =>
      this.view.devices.every(
        ({ state, fault }) => state !== 'offline' && state !== 'initialising' && fault !== 'acceptor-offline',
      ),
    );
    for (const { device, fault } of [...this.host.terminal.state.faults])
      if (fault === 'acceptor-changed') await this.endFault(device, fault, [['technician'], ['supervisor']]);
      else if (fault === 'notes-unconfirmed') await this.endFault(device, fault, [['technician']]);
  }

  /**
   * As far as a dealer can bring it: a shoe made ready, no round on the table or one that takes
   * bets.
   */
  async readyTable(): Promise<void> {
    this.host.demo({ dealer: true, players: false });
    await this.until(
      'a table that is ready',
      () => this.view.hold === null && (this.view.phase === 'betting' || this.step === 'open-betting'),
    );
    this.host.demo({ dealer: false, players: false });
  }

  async insertNote(): Promise<void> {
    const { notesMinor, currency, acceptors } = this.view.table;
    if (acceptors === 'shared') await this.do({ type: 'choose-note-seat', seat: 1 });
    await this.until('acceptor 1 to take notes', () =>
      this.view.devices.some(({ id, state }) => id === 'acceptor-1' && state === 'idle'),
    );
    await this.rack.do({ do: 'insert-note', acceptor: 1, valueMinor: notesMinor[0] ?? 0, currency });
  }

  /** A round with a bet of seat 1 and a card on the table. */
  async dealRound(): Promise<void> {
    const least = this.view.table.minMinor;
    for (let i = 0; i < 20 && (this.view.seats[0]?.creditMinor ?? 0) < least; i += 1) {
      const before = this.view.seats[0]?.creditMinor ?? 0;
      await this.insertNote();
      await this.until('the credit of the note', () => (this.view.seats[0]?.creditMinor ?? 0) > before);
    }
    if (this.view.phase !== 'betting') await this.do({ type: 'open-betting' });
    const bet = bettingChoices(this.host.terminal.state, 1).find(
      ({ act, allowed }) => act === 'place-bet' && allowed,
    )?.bet;
    await this.do({
      type: 'place-bet',
      roundId: this.view.round?.id ?? '',
      seat: 1,
      bet: bet ?? 'main',
      amountMinor: least,
      touchedAtMs: this.host.terminal.now(),
    });
    await this.do({ type: 'close-betting' });
    await this.until('a card to be due', () => /^(burn|draw-for)/.test(this.step));
    await this.drawCard();
    await this.until('a card to be due', () => /^(burn|draw-for)/.test(this.step));
  }

  async drawCard(): Promise<void> {
    const { drawn } = this.host.terminal.state.shoe;
    await this.rack.do({ do: 'draw-card' });
    await this.until(
      'the card',
      () => this.host.terminal.state.shoe.drawn > drawn || this.view.hold !== null,
    );
  }
}
