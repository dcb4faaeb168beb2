import { randomUUID } from 'node:crypto';
import canonicalize from 'canonicalize';
import { allowedNotes, type Effect, recordOf, whyShut } from '../../engine/engine.ts';
import { boxOf } from '../../engine/table/drop.ts';
import type { Person } from '../../engine/table/inputs.ts';
import { type AcceptorWord, LAST_WORD_WITHIN_MS } from '../../engine/table/note-matrix.ts';
import type {
  AcceptorEvent,
  AcceptorState,
  BillAcceptor,
  DeviceClock,
  DeviceIdentity,
  Note,
} from '../../hardware/ports.ts';
import { type FaultId, personsFor } from '../../wire/faults.ts';
import type { Outcome, Terminal } from '../table/terminal.ts';
import { stopsAllNotes, stopsNotes, stopsOf } from '../watches/faults.ts';
import { LIMITS, type Limits } from '../watches/limits.ts';
import { NoteTable } from './note-table.ts';

/** The fault an acceptor has as long as it is in this state. */
const STATE_FAULTS: Partial<Record<AcceptorState, FaultId>> = {
  jammed: 'acceptor-jammed',
  full: 'cash-box-full',
  'cassette-removed': 'cash-box-removed',
  paused: 'acceptor-paused',
  cheated: 'acceptor-cheated',
  failed: 'acceptor-failed',
};
const OF_STATES: ReadonlySet<string> = new Set([...Object.values(STATE_FAULTS), 'stacker-jammed']);

/** In these a unit has not said yet whether what was wrong is still wrong. */
const UNDECIDED: ReadonlySet<AcceptorState> = new Set([
  'offline',
  'initializing',
  'power-up-bill-in-acceptor',
  'power-up-bill-in-stacker',
]);

export interface AcceptorDeskOptions {
  readonly terminal: Terminal;
  readonly number: number;
  readonly acceptor: BillAcceptor;
  readonly clock: DeviceClock;
  readonly simulatorsAllowed: boolean;
  readonly limits?: Limits;
}

/** The unit at this place that persons, or the first start, have accepted. */
interface Accepted {
  readonly unit: string;
  readonly number: number;
}

const textOf = (identity: DeviceIdentity, notes: readonly Note[] | null): string =>
  canonicalize({ identity, notes }) ?? '';

/**
 * Between an acceptor and the table. What the unit says is an input, and what follows from it the
 * table decides; the unit gets its order (STACK, ACK) only after the transaction is on disk, so
 * whatever dies in between, the word comes again and is recognised by its row of the matrix.
 */
export class AcceptorDesk {
  readonly #o: AcceptorDeskOptions;
  readonly notes: NoteTable;
  #identity: DeviceIdentity | null = null;
  #notes: readonly Note[] | null = null;
  #link: 'unknown' | 'up' | 'down' = 'unknown';
  /** Of the last state that decides; null = none since the link came up. */
  #stateFault: FaultId | null = null;
  #detail: string | null = null;
  #isDecided = false;
  /** As it stands in the ledger, once it was looked for and found. */
  #accepted: Accepted | null = null;
  #rejectedAtMs: number[] = [];
  #changed: () => void = () => {};
  #cancelLastWord: (() => void) | null = null;
  #isStopped = false;
  #isUpdateDue = false;
  /**
   * The notes that are allowed change only once the unit has been told what follows from its last
   * word.
   */
  #isHearing = false;
  #isMaskDue = false;
  /** What the unit was last told to take; null = nothing yet. */
  #allowed: string | null = null;

  constructor(o: AcceptorDeskOptions) {
    this.#o = o;
    this.notes = new NoteTable(o);
  }

  get identity(): DeviceIdentity | null {
    return this.#identity;
  }

  /** What more the unit says of its state: what failed, where it is jammed. */
  get detail(): string | null {
    return this.#detail;
  }

  start(changed: () => void): void {
    this.#changed = changed;
    this.#watchLastWord();
    this.notes.start();
    this.#o.acceptor.start((event) => {
      this.#on(event);
      this.#changed();
    });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancelLastWord?.();
    await this.#o.acceptor.stop();
  }

  /** No acceptor has answered since the start. */
  reportAbsence(): void {
    if (this.#link !== 'unknown') return;
    this.#link = 'down';
    this.#updateFaults();
  }

  /** Something was stored: what is allowed, and what stands open, may be another thing now. */
  committed(): void {
    if (!this.#o.terminal.state.service) this.notes.drop();
    this.#applyMask();
    this.#watchLastWord();
    if (this.#isUpdateDue) return;
    this.#isUpdateDue = true;
    // After the listeners of this commit: a fault is a commit of its own.
    queueMicrotask(() => {
      this.#isUpdateDue = false;
      if (!this.#isStopped) this.#updateFaults();
    });
  }

  // ---- faults ----

  get #id(): string {
    return this.#o.acceptor.id;
  }

  #standing(): string[] {
    return this.#o.terminal.state.faults.flatMap(({ device, fault }) => (device === this.#id ? [fault] : []));
  }

  /** What is wrong at this moment. */
  #causes(): ReadonlySet<FaultId> {
    const { terminal, number, limits = LIMITS } = this.#o;
    const { heldNotes, boxNotes } = terminal.state;
    const causes = new Set<FaultId>();
    if (this.#link === 'down') causes.add('acceptor-offline');
    // What is taken out in a drop is no fault.
    const isDrop = this.#stateFault === 'cash-box-removed' && this.#isBoxDue;
    if (this.#stateFault !== null && !isDrop) causes.add(this.#stateFault);
    if ((boxNotes[number - 1] ?? 0) >= limits.nearFullNotes) causes.add('cash-box-near-full');
    if (heldNotes.some(({ acceptor }) => acceptor === number)) causes.add('note-in-doubt');
    if (this.#isOtherUnit()) causes.add('acceptor-changed');
    if (this.notes.isOpen) causes.add('notes-unconfirmed');
    return causes;
  }

  /** Its box is exchanged in the drop that stands, and has not been so far. */
  get #isBoxDue(): boolean {
    const box = boxOf(this.#o.terminal.state, this.#o.number);
    return box === 'due' || box === 'out';
  }

  /** What the unit says of its box, where that is announced. */
  #followBox(): void {
    const { terminal, number: acceptor } = this.#o;
    const box = boxOf(terminal.state, acceptor);
    const isOut = this.#stateFault === 'cash-box-removed';
    if (!this.#isDecided || this.#link !== 'up') return;
    if (box === 'due' && isOut) terminal.submit({ type: 'take-box', acceptor });
    if (box === 'out' && !isOut) terminal.submit({ type: 'put-box-back', acceptor });
  }

  #updateFaults(): void {
    this.#followBox();
    const causes = this.#causes();
    const standing = this.#standing();
    for (const fault of standing) {
      const isUnknown =
        (OF_STATES.has(fault) && !this.#isDecided) ||
        (fault === 'acceptor-offline' && this.#link === 'unknown');
      if (!causes.has(fault as FaultId) && !isUnknown && personsFor(fault).length === 0)
        this.#o.terminal.submit({ type: 'clear-fault', device: this.#id, fault });
    }
    for (const fault of causes) if (!standing.includes(fault)) this.#report(fault);
  }

  #report(fault: FaultId): void {
    if (this.#standing().includes(fault)) return;
    const place = `acceptor ${this.#o.number}`;
    this.#o.terminal.submit({
      type: 'report-fault',
      device: this.#id,
      fault,
      place,
      ...stopsOf(fault, this.#seats()),
    });
  }

  /** Whoever uses this acceptor now. */
  #seats(): number[] {
    const { terminal, number } = this.#o;
    const { profile, noteSeat } = terminal.state;
    if (profile?.acceptors === 'per-seat') return [number];
    return noteSeat === null ? [] : [noteSeat];
  }

  /** Whether what caused a standing fault is over, so that persons may end it. */
  isCauseGone(fault: string): boolean {
    return (
      fault === 'acceptor-changed' ||
      (fault === 'notes-unconfirmed' && this.notes.canBeSigned) ||
      (!this.#causes().has(fault as FaultId) && (this.#isDecided || !OF_STATES.has(fault)))
    );
  }

  /** The persons it needs have looked at it; their roles are checked by the caller. */
  release(fault: string, persons: readonly Person[], commandId: string): Outcome {
    const { terminal } = this.#o;
    if (!this.isCauseGone(fault))
      return { status: 'rejected', code: 'held', cites: [], detail: 'the cause is still there' };
    if (fault === 'acceptor-changed') this.#accept(persons);
    if (fault === 'notes-unconfirmed') this.notes.sign(persons);
    if (fault === 'acceptor-rejects') this.#rejectedAtMs = [];
    return terminal.submit({ type: 'clear-fault', device: this.#id, fault, persons }, commandId);
  }

  // ---- which unit this is ----

  #unit(): string | null {
    return this.#identity && textOf(this.#identity, this.#notes);
  }

  #lastAccepted(): Accepted | null {
    this.#accepted ??= this.#findAccepted();
    return this.#accepted;
  }

  #findAccepted(): Accepted | null {
    const { ledger } = this.#o.terminal;
    const commandId = ledger.lastCommandId(`unit:${this.#id}:`);
    const known = commandId === null ? null : ledger.findCommand(commandId);
    const entry = known && ledger.read(known.lastSeq, 1)[0];
    if (commandId === null || !entry) return null;
    const { identity, notes } = entry.body as { identity: DeviceIdentity; notes: readonly Note[] | null };
    return { unit: textOf(identity, notes), number: Number(commandId.slice(commandId.lastIndexOf(':') + 1)) };
  }

  #isOtherUnit(): boolean {
    const unit = this.#unit();
    const accepted = unit === null ? null : this.#lastAccepted();
    return accepted !== null && accepted.unit !== unit;
  }

  /** `persons` empty: the first unit of this place, which there is nothing to compare with. */
  #accept(persons: readonly Person[]): void {
    if (this.#identity === null) return;
    const number = (this.#lastAccepted()?.number ?? 0) + 1;
    this.#accepted = null;
    this.#o.terminal.record(
      { type: 'unit-accepted', device: this.#id, identity: this.#identity, notes: this.#notes, persons },
      `unit:${this.#id}:${String(number).padStart(6, '0')}`,
    );
  }

  // ---- notes ----

  #applyMask(): void {
    this.#isMaskDue = this.#isHearing;
    if (this.#isHearing) return;
    const { terminal, acceptor, number } = this.#o;
    const isOpen = this.#stop() === null;
    const allowed = this.notes.isTrying ? 'trying' : isOpen ? allowedNotes(terminal.state, number) : [];
    // Every touch of a table comes by here, and seldom is anything else allowed than before.
    if (String(allowed) === this.#allowed) return;
    this.#allowed = String(allowed);
    if (allowed === 'trying') acceptor.tryNotes();
    else acceptor.allow(allowed);
  }

  /** See NoteTable.try. */
  tryNote(inHandMinor: number | null): Outcome {
    const outcome = this.notes.try(inHandMinor);
    this.#applyMask();
    this.#updateFaults();
    return outcome;
  }

  /** The fault that keeps every note out here, null = none does. */
  #stop(): string | null {
    const { terminal } = this.#o;
    if (terminal.locked !== null) return 'books-differ';
    const { faults } = terminal.state;
    const stop = faults.find(
      (known) => (known.device === this.#id && stopsNotes(known.fault)) || stopsAllNotes(known),
    );
    return stop?.fault ?? null;
  }

  /** Why no note is taken here, whether or not one is on its way; null = notes are taken. */
  whyShut(): string | null {
    return this.#stop() ?? whyShut(this.#o.terminal.state, this.#o.number);
  }

  #on(event: AcceptorEvent): void {
    const { terminal, number } = this.#o;
    switch (event.type) {
      case 'identity':
        this.#identity = event.identity;
        this.#notes = event.notes ?? null;
        if (this.#lastAccepted() === null) this.#accept([]);
        this.notes.identified(event.identity, event.table ?? []);
        this.#applyMask();
        return this.#updateFaults();
      case 'tried':
        return this.notes.tried(event.note);
      case 'link':
        this.#link = event.link;
        if (event.link === 'up') this.#isDecided = false;
        return this.#updateFaults();
      case 'state':
        return this.#onState(event.state, event.detail);
      case 'escrowed':
        return this.#hear('escrow', event.note);
      case 'credit':
        return this.#hear('credited', event.note);
      case 'credit-repeated':
        terminal.record({ type: 'note-credit-repeated', acceptor: number });
        return;
      case 'sequence-error':
        return this.#report('acceptor-sequence');
      case 'returned':
      case 'settled-unknown':
        return this.#hear(event.type);
      case 'rejected':
        terminal.record({ type: 'note-rejected-by-device', acceptor: number, reason: event.reason });
        return this.#countReject(event.reason);
    }
  }

  #onState(state: AcceptorState, detail: string | null): void {
    // The events that name the note decide about it; the states of the same name only show it.
    if (state !== 'escrow' && state !== 'credited') this.#hear(state);
    this.#detail = detail;
    if (!UNDECIDED.has(state)) {
      this.#isDecided = true;
      this.#stateFault =
        state === 'jammed' && detail === 'stacker' ? 'stacker-jammed' : (STATE_FAULTS[state] ?? null);
    }
    this.#updateFaults();
  }

  /**
   * What the gate refused, and what waited for us too long, is our doing and no sign of anything.
   */
  #countReject(reason: string): void {
    if (reason === 'inhibited' || reason === 'escrow-time-out') return;
    const { clock, limits = LIMITS } = this.#o;
    const nowMs = clock.now();
    this.#rejectedAtMs = [...this.#rejectedAtMs.filter((at) => nowMs - at < limits.rejectsWithinMs), nowMs];
    if (this.#rejectedAtMs.length >= limits.mostRejects) this.#report('acceptor-rejects');
  }

  /** Has the table decide what follows, and does it. */
  #hear(word: AcceptorWord, note: Note | null = null): void {
    const { terminal, number: acceptor } = this.#o;
    this.#isHearing = true;
    const outcome = terminal.submit({
      type: 'hear-acceptor',
      acceptor,
      word,
      note,
      noteId: randomUUID(),
      shutBy: this.#stop(),
      isLocked: terminal.locked !== null,
    });
    const effects = outcome.status === 'rejected' ? [] : (outcome.effects ?? []);
    for (const effect of effects) this.#obey(effect);
    this.#isHearing = false;
    if (this.#isMaskDue) this.#applyMask();
    if (!effects.some(({ type }) => type === 'hear-again')) return;
    this.#updateFaults();
    this.#hear(word, note);
  }

  #obey(effect: Effect): void {
    const { terminal, acceptor } = this.#o;
    switch (effect.type) {
      case 'stack-note':
        return acceptor.stack();
      case 'return-note':
        return acceptor.returnNote();
      case 'acknowledge-credit':
        return acceptor.acknowledgeCredit();
      case 'record':
        terminal.record(effect.event);
        return;
      case 'report-sequence':
        return this.#report('acceptor-sequence');
      case 'hear-again':
        return;
    }
  }

  /**
   * A requested note must not stay open for ever behind a unit that says nothing, or always the
   * same.
   */
  #watchLastWord(): void {
    const isOpen = recordOf(this.#o.terminal.state, this.#o.number) === 'stack-requested';
    if (!isOpen) {
      this.#cancelLastWord?.();
      this.#cancelLastWord = null;
    } else
      this.#cancelLastWord ??= this.#o.clock.after(LAST_WORD_WITHIN_MS, () => {
        this.#cancelLastWord = null;
        if (!this.#isStopped) this.#hear('no-word');
      });
  }
}
