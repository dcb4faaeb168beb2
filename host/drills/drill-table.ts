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
import { HandClock } from '../../hardware/transport/clock.ts';
import { adoptKey, backupLedger } from '../../ledger/copy/backup.store.ts';
import { loadOrCreateKey, openLedgerReader } from '../../ledger/store/ledger.store.ts';
import type { Command } from '../../wire/commands.ts';
import { type FaultId, personsFor } from '../../wire/faults.ts';
import type { TableView } from '../../wire/view.ts';
import type { TerminalFile } from '../config/terminal-file.ts';
import type { Host } from '../host.ts';
import { type Rack, rackInProcess } from '../simulation/rack.ts';
import { restoreState } from '../table/terminal.ts';
import {
  CREDENTIALS,
  copyFolderIn,
  DrillStopped,
  Fate,
  ledgerIn,
  peopleOfDrill,
  type Settings,
  startLife,
} from './drill-life.ts';

const LOOK_MS = 20;
const LIMIT_MS = 60_000;
/** How often the time of the devices goes on, and by how much at most. */
const BEAT_MS = 10;
const LONGEST_BEAT_MS = 200;
/** Before the role, where a lost display stands. */
const DISPLAY = 'display:';

type RackCommand = Parameters<Rack['do']>[0];

export class DrillTable {
  host!: Host;
  readonly rack: Rack;
  readonly fate = new Fate();
  readonly file: TerminalFile;
  #dir: string;
  #life = 1;
  #settings: Settings = {};
  readonly #clock = new HandClock();
  readonly #beat: NodeJS.Timeout;

  private constructor(dir: string, file: TerminalFile, hurry: number) {
    this.#dir = dir;
    this.file = file;
    const { profile } = file;
    let lastMs = Math.floor(performance.now());
    // Devices and drivers have one time: where this process is late, neither misses the other.
    this.#beat = setInterval(() => {
      // Whole milliseconds: a fraction lost in rounding would never be made up.
      const nowMs = Math.floor(performance.now());
      void this.#clock.turn(Math.min((nowMs - lastMs) * hurry, LONGEST_BEAT_MS));
      lastMs = nowMs;
    }, BEAT_MS);
    this.rack = rackInProcess({
      clock: this.#clock,
      acceptors: acceptorCount(profile),
      currencies: [profile.currency],
      // A name of its own: the ledger may know the numbers of any other shoe.
      shoeSerial: 'DRILL-SHOE',
      pairingKey: randomBytes(32),
    });
  }

  /**
   * Copies the ledger into `dir`. Nothing is written beside `dir`. `hurry`: how many times faster
   * than real ones the devices are, for a test.
   */
  static async open(
    ledgerPath: string,
    dir: string,
    hurry = 1,
  ): Promise<{ table: DrillTable; entries: number }> {
    const folder = join(dir, 'life-1');
    mkdirSync(copyFolderIn(folder), { recursive: true });
    const path = ledgerIn(folder);
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
    const table = new DrillTable(folder, { profile, people: await peopleOfDrill() }, hurry);
    return { table, entries };
  }

  get dir(): string {
    return this.#dir;
  }

  async start(settings = this.#settings): Promise<void> {
    this.#settings = settings;
    const { file, rack, fate } = this;
    const clock = this.#clock;
    this.host = await startLife({ dir: this.#dir, no: this.#life, file, rack, fate, settings, clock });
  }

  stop(): Promise<void> {
    return this.host.stop('the drill is over');
  }

  /** For good. */
  async close(): Promise<void> {
    clearInterval(this.#beat);
    clearInterval(this.fate.readerKills);
    await this.stop();
  }

  async restart(settings = this.#settings): Promise<void> {
    await this.stop();
    await this.start(settings);
  }

  /** The machine loses its power at this moment: the next life finds what is on the disk now. */
  async losePower(): Promise<void> {
    const left = this.#dir;
    this.#life += 1;
    this.#dir = join(left, '../..', `life-${this.#life}`);
    cpSync(left, this.#dir, { recursive: true });
    await this.restart();
  }

  get view(): TableView {
    return this.host.view();
  }

  get step(): string {
    return this.view.dealer.step.step;
  }

  get headSeq(): number {
    return this.host.terminal.ledger.head().seq;
  }

  stands(fault: FaultId): boolean {
    return this.host.terminal.state.faults.some((known) => known.fault === fault);
  }

  /** Whether an entry of this kind has come after this one. */
  has(kind: string, afterSeq: number, is: (body: object) => boolean = () => true): boolean {
    const { ledger } = this.host.terminal;
    return ledger
      .newest({ beforeSeq: null, downToSeq: afterSeq + 1, limit: 200, kind })
      .some(({ body }) => is(body as object));
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

  fault(device: string, fault: string): Promise<void> {
    return this.rack.do({ do: 'fault', device, fault } as RackCommand);
  }

  // ---- its people ----

  enterService(): Promise<void> {
    return this.do({ type: 'enter-service', credential: CREDENTIALS.technician });
  }

  /** Refused with the answer where they are. */
  async askIfExcluded(document: string, seat: number): Promise<void> {
    const asked = { type: 'check-exclusion', document, seat, credential: CREDENTIALS.attendant } as const;
    const outcome = await this.host.command(randomUUID(), asked);
    if (outcome.status !== 'rejected' || outcome.code !== 'excluded')
      throw new DrillStopped(`check-exclusion: ${JSON.stringify(outcome)}`);
  }

  /** In service mode, with the PINs that the fault wants, as soon as its cause is gone. */
  async endFault(device: string, fault: string, persons: readonly (readonly PersonRole[])[]): Promise<void> {
    const [first, second] = persons.map(([role]) => CREDENTIALS[role!]);
    if (this.host.terminal.state.service === null) await this.enterService();
    const end: Command = {
      type: 'end-fault',
      device,
      fault,
      credential: first ?? CREDENTIALS.technician,
      ...(second && { secondCredential: second }),
    };
    for (const until = performance.now() + LIMIT_MS; ; await sleep(200)) {
      const outcome = await this.host.command(randomUUID(), end);
      if (outcome.status !== 'rejected') break;
      if (outcome.code !== 'held' || performance.now() > until)
        throw new DrillStopped(`end-fault ${fault}: ${outcome.code} ${outcome.detail ?? ''}`);
    }
    await this.do({ type: 'exit-service' });
  }

  /** Notes whose fate is not known: seen in the box, or given back by hand. */
  async closeCases(outcome: 'credited' | 'returned'): Promise<boolean> {
    const cases = [...this.view.heldNotes];
    for (const { caseNo } of cases)
      await this.do({
        type: 'resolve-held-note',
        caseNo,
        outcome,
        reason: 'seen-in-box',
        credential: CREDENTIALS.attendant,
        secondCredential: CREDENTIALS.supervisor,
      });
    return cases.length > 0;
  }

  async payOut(seat: number): Promise<void> {
    const waits = (): string | undefined => this.view.seats[seat - 1]?.cashOut?.requestId;
    if (waits() === undefined) await this.do({ type: 'request-cash-out', seat });
    await this.do({
      ...{ type: 'confirm-hand-pay', seat, requestId: waits() ?? '' },
      ...{ credential: CREDENTIALS.attendant, secondCredential: CREDENTIALS.supervisor },
    });
  }

  voidRound(): Promise<void> {
    return this.do({ type: 'void-round', reason: 'shoe-fault', credential: CREDENTIALS.supervisor });
  }

  // ---- its table ----

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

  /** Devices and displays are there, other units than the real ones accepted, cards ready. */
  async beReady(): Promise<void> {
    const faults = () => [...this.host.terminal.state.faults];
    for (const { device } of faults())
      if (device.startsWith(DISPLAY)) this.host.watches.displays.there(device.slice(DISPLAY.length) as never);
    await this.until('the simulated devices', () =>
      this.view.devices.every(
        ({ state, fault }) => state !== 'offline' && state !== 'initialising' && fault !== 'acceptor-offline',
      ),
    );
    await this.until('the devices to say which they are', () =>
      this.view.devices.every(
        ({ id, kind }) => kind === 'receipt-printer' || this.host.devices.identity(id) !== null,
      ),
    );
    await this.endFaults();
    // What the copy has on its table was dealt from another shoe: it is cancelled there, as a
    // dealer would have to.
    await this.readyTable();
  }

  /** Those that stand and wait for persons alone; none of a file that a drill has not. */
  async endFaults(): Promise<void> {
    for (const { device, fault } of [...this.host.terminal.state.faults])
      if (personsFor(fault).length > 0 && (fault !== 'ledger-repaired' || this.host.copy !== null))
        await this.endFault(device, fault, personsFor(fault));
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

  /** No round, and nobody has any money on it: it can become another table. */
  async emptyTable(): Promise<void> {
    if (this.view.phase === 'betting') {
      const isBet = (this.host.terminal.state.round?.bets.length ?? 0) > 0;
      await (isBet ? this.voidRound() : this.do({ type: 'close-betting' }));
      this.host.demo({ dealer: true, players: false });
      await this.until('the end of the round', () => this.step === 'open-betting');
      this.host.demo({ dealer: false, players: false });
    }
    for (const { seat, creditMinor } of this.view.seats) if (creditMinor > 0) await this.payOut(seat);
  }

  /** No hold, and notes are taken, where whoever brings one has said for which seat. */
  playsOn(): Promise<void> {
    return this.until(
      'play to go on',
      () => this.view.hold === null && [null, 'seat'].includes(this.whyShut(1)),
    );
  }

  async insertNote(): Promise<void> {
    const { notesMinor, currency, acceptors } = this.view.table;
    // In service mode a note is tried, for no seat.
    if (acceptors === 'shared' && this.host.terminal.state.service === null)
      await this.do({ type: 'choose-note-seat', seat: 1 });
    await this.until('acceptor 1 to take notes', () =>
      this.view.devices.some(({ id, state }) => id === 'acceptor-1' && state === 'idle'),
    );
    await this.rack.do({ do: 'insert-note', acceptor: 1, valueMinor: notesMinor[0] ?? 0, currency });
  }

  /** A note that cannot come back any more, and has not fallen into the box yet. */
  async insertBeyond(): Promise<void> {
    for (let i = 0; i < 5; i += 1) {
      const { headSeq } = this;
      await this.insertNote();
      for (const end = performance.now() + LIMIT_MS; performance.now() < end; await sleep(5)) {
        if ((await this.rack.sight()).acceptors[0]?.path?.beyond === true) return;
        if (this.has('note-credited', headSeq)) break;
      }
    }
    throw new DrillStopped('no note was seen on its way into the box');
  }

  async fund(leastMinor: number): Promise<void> {
    const credit = (): number => this.view.seats[0]?.creditMinor ?? 0;
    for (let i = 0; i < 20 && credit() < leastMinor; i += 1) {
      const before = credit();
      await this.insertNote();
      await this.until('the credit of the note', () => credit() > before);
    }
  }

  /** A round with a bet of seat 1 and a card on the table. */
  async dealRound(): Promise<void> {
    const least = this.view.table.minMinor;
    await this.fund(least);
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
