import { randomUUID } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { Currency } from '../../engine/core/money.ts';
import { CURRENCIES, minor } from '../../engine/core/money.ts';
import type { Person } from '../../engine/table/inputs.ts';
import { allowedNotes, whyShut } from '../../engine/table/table.ts';
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
import { type AcceptorWord, decideNote, LAST_WORD_WITHIN_MS, noteWord, recordOf } from './note-matrix.ts';

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
 * Between an acceptor and the table. Every event becomes an input; the unit is told (STACK, ACK) only after the
 * transaction is on disk, so whatever dies in between, the event comes again and is recognised by its row of the matrix.
 */
export class AcceptorDesk {
  readonly #o: AcceptorDeskOptions;
  #identity: DeviceIdentity | null = null;
  #notes: readonly Note[] | null = null;
  #link: 'unknown' | 'up' | 'down' = 'unknown';
  /** Of the last state that decides; null = none since the link came up. */
  #stateFault: FaultId | null = null;
  #isDecided = false;
  /** As it stands in the ledger, once it was looked for and found. */
  #accepted: Accepted | null = null;
  #rejectedAtMs: number[] = [];
  #changed: () => void = () => {};
  #cancelLastWord: (() => void) | null = null;
  #isStopped = false;
  #isUpdateDue = false;

  constructor(o: AcceptorDeskOptions) {
    this.#o = o;
  }

  get identity(): DeviceIdentity | null {
    return this.#identity;
  }

  start(changed: () => void): void {
    this.#changed = changed;
    this.#watchLastWord();
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
    if (this.#stateFault !== null) causes.add(this.#stateFault);
    if ((boxNotes[number - 1] ?? 0) >= limits.nearFullNotes) causes.add('cash-box-near-full');
    if (heldNotes.some(({ acceptor }) => acceptor === number)) causes.add('note-in-doubt');
    if (this.#isOtherUnit()) causes.add('acceptor-changed');
    return causes;
  }

  #updateFaults(): void {
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
      (!this.#causes().has(fault as FaultId) && (this.#isDecided || !OF_STATES.has(fault)))
    );
  }

  /** The persons it needs have looked at it; their roles are checked by the caller. */
  release(fault: string, persons: readonly Person[], commandId: string): Outcome {
    const { terminal } = this.#o;
    if (!this.isCauseGone(fault))
      return { status: 'rejected', code: 'held', cites: [], detail: 'the cause is still there' };
    if (fault === 'acceptor-changed') this.#accept(persons);
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
    const { terminal, acceptor, number } = this.#o;
    acceptor.allow(this.#stop() === null ? allowedNotes(terminal.state, number) : []);
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
        return this.#updateFaults();
      case 'link':
        this.#link = event.link;
        if (event.link === 'up') this.#isDecided = false;
        return this.#updateFaults();
      case 'state':
        return this.#onState(event.state, event.detail);
      case 'escrowed':
        return this.#onNote('escrow', event.note);
      case 'credit':
        return this.#onNote('credited', event.note);
      case 'credit-repeated':
        terminal.record({ type: 'note-credit-repeated', acceptor: number });
        return;
      case 'sequence-error':
        return this.#report('acceptor-sequence');
      case 'returned':
      case 'settled-unknown':
        return this.#obey(event.type, null);
      case 'rejected':
        terminal.record({ type: 'note-rejected-by-device', acceptor: number, reason: event.reason });
        return this.#countReject(event.reason);
    }
  }

  #onState(state: AcceptorState, detail: string | null): void {
    // The events that name the note decide about it; the states of the same name only show it.
    if (state !== 'escrow' && state !== 'credited') this.#obey(state, null);
    if (!UNDECIDED.has(state)) {
      this.#isDecided = true;
      this.#stateFault =
        state === 'jammed' && detail === 'stacker' ? 'stacker-jammed' : (STATE_FAULTS[state] ?? null);
    }
    this.#updateFaults();
  }

  /** What the gate refused is our doing, and no sign of anything. */
  #countReject(reason: string): void {
    if (reason === 'inhibited') return;
    const { clock, limits = LIMITS } = this.#o;
    const nowMs = clock.now();
    this.#rejectedAtMs = [...this.#rejectedAtMs.filter((at) => nowMs - at < limits.rejectsWithinMs), nowMs];
    if (this.#rejectedAtMs.length >= limits.mostRejects) this.#report('acceptor-rejects');
  }

  #onNote(said: 'escrow' | 'credited', note: Note | null): void {
    const ours = recordOf(this.#o.terminal.state, this.#o.number).note;
    this.#obey(noteWord(said, note, ours), note);
  }

  /** Does what the matrix says. */
  #obey(word: AcceptorWord, note: Note | null): void {
    const { terminal, acceptor, number } = this.#o;
    const decision = decideNote(recordOf(terminal.state, number).record, word);
    switch (decision) {
      case 'nothing':
      case 'wait':
        return;
      case 'stack-again':
        return acceptor.stack();
      case 'hold':
        this.#hold(word);
        if (word === 'stacked') this.#report('acceptor-sequence');
        return;
      case 'hold-and-decide':
        this.#hold(word);
        // The case shuts this acceptor, also to the note that has brought it up.
        this.#updateFaults();
        return this.#decide(note);
      case 'decide':
        return this.#decide(note);
      case 'close':
        terminal.submit({ type: 'close-note', acceptor: number });
        return;
      case 'close-and-decide':
        terminal.submit({ type: 'close-note', acceptor: number });
        return this.#decide(note);
      case 'close-returned':
        terminal.submit({ type: 'return-note', acceptor: number, noteId: null });
        return;
      case 'acknowledge':
        terminal.record({ type: 'note-credit-repeated', acceptor: number });
        return acceptor.acknowledgeCredit();
      case 'credit':
      case 'find':
      case 'hold-orphan':
        return this.#submitCredit(note);
    }
  }

  /** One input for all three: the table's own rule comes to the same end, and writes it with the money. */
  #submitCredit(note: Note | null): void {
    const { terminal, acceptor, number } = this.#o;
    const valueMinor = note ? minor(note.valueMinor) : null;
    const outcome = terminal.submit({ type: 'stack-note', acceptor: number, noteId: null, valueMinor });
    // Anything but a lock means that the note's fate is on disk: the unit may forget it.
    if (outcome.status === 'rejected' && outcome.code !== 'held' && outcome.code !== 'service')
      acceptor.acknowledgeCredit();
  }

  #hold(word: AcceptorWord): void {
    const { terminal, number } = this.#o;
    const open = terminal.state.notes.find((note) => note.acceptor === number);
    if (open) terminal.submit({ type: 'dispute-note', acceptor: number, noteId: open.noteId, why: word });
  }

  #decide(note: Note | null): void {
    const { terminal, acceptor, number } = this.#o;
    const currency = CURRENCIES.find((known): known is Currency => known === note?.currency);
    const off = this.#stop();
    if (!note || !currency || off !== null) {
      const reason = !note
        ? 'a note the unit has no name for'
        : currency
          ? `the acceptor is off: ${off}`
          : `a note in ${note.currency}`;
      terminal.record({ type: 'note-rejected-by-device', acceptor: number, reason });
      return acceptor.returnNote();
    }
    const outcome = terminal.submit({
      type: 'escrow-note',
      noteId: randomUUID(),
      acceptor: number,
      currency,
      valueMinor: minor(note.valueMinor),
    });
    if (outcome.status === 'rejected') acceptor.returnNote();
  }

  /** A requested note must not stay open for ever behind a unit that says nothing, or always the same. */
  #watchLastWord(): void {
    const isOpen = recordOf(this.#o.terminal.state, this.#o.number).record === 'stack-requested';
    if (!isOpen) {
      this.#cancelLastWord?.();
      this.#cancelLastWord = null;
    } else
      this.#cancelLastWord ??= this.#o.clock.after(LAST_WORD_WITHIN_MS, () => {
        this.#cancelLastWord = null;
        if (!this.#isStopped) this.#obey('no-word', null);
      });
  }
}
