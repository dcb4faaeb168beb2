import { randomUUID } from 'node:crypto';
import type { Currency } from '../engine/core/money.ts';
import { CURRENCIES, minor } from '../engine/core/money.ts';
import type { NoteInFlight } from '../engine/table/state.ts';
import type { Effect } from '../engine/table/table.ts';
import { allowedNotes } from '../engine/table/table.ts';
import type {
  AcceptorEvent,
  AcceptorState,
  BillAcceptor,
  CardShoe,
  DeviceIdentity,
  FrameRecord,
} from '../hardware/ports.ts';
import { isSimulatedIdentity } from '../hardware/simulators.ts';
import type { DeviceView } from './api.ts';
import { ShoeDesk } from './shoe.ts';
import type { Terminal } from './terminal.ts';

/** States of an acceptor that are faults, with the fault they are reported as; all others clear it. */
const ACCEPTOR_FAULTS: Partial<Record<AcceptorState, string>> = {
  offline: 'acceptor-offline',
  jammed: 'acceptor-jammed',
  full: 'cash-box-full',
  'cassette-removed': 'cash-box-removed',
  cheated: 'acceptor-cheated',
  failed: 'acceptor-failed',
};

/** Quiet states: a note that was to be stacked is in none of them any more. */
const AT_REST: ReadonlySet<AcceptorState> = new Set(['idle', 'disabled']);

/** A device that has not answered this long after the start is not there. */
const ABSENT_AFTER_MS = 10_000;

/**
 * Between the devices and the table. Every device event becomes an input; the device is told (STACK, ACK) only after the
 * transaction is on disk, so whatever dies in between, the event comes again and is recognised.
 */
export class Devices {
  readonly #terminal: Terminal;
  readonly #acceptors: ReadonlyMap<number, BillAcceptor>;
  readonly #shoe: CardShoe;
  readonly #desk: ShoeDesk;
  readonly #identities = new Map<string, DeviceIdentity>();
  readonly #seen = new Set<string>();
  #absence: NodeJS.Timeout | undefined;
  #changed: () => void = () => {};

  constructor(o: {
    terminal: Terminal;
    acceptors: ReadonlyMap<number, BillAcceptor>;
    shoe: CardShoe;
    log: (line: string) => void;
  }) {
    this.#terminal = o.terminal;
    this.#acceptors = o.acceptors;
    this.#shoe = o.shoe;
    this.#desk = new ShoeDesk(o);
  }

  /** `changed` is called when a device shows something new that is no ledger entry (a state, an identity). */
  start(changed: () => void): void {
    this.#changed = changed;
    this.#terminal.onCommit(({ effects }) => {
      for (const effect of effects) this.#carryOut(effect);
      this.#applyMasks();
    });
    for (const [number, acceptor] of this.#acceptors)
      acceptor.start((event) => this.#onAcceptor(number, acceptor, event));
    this.#desk.start(changed);
    this.#applyMasks();
    this.#absence = setTimeout(() => {
      this.#desk.reportAbsence();
      for (const [number, { id }] of this.#acceptors)
        if (!this.#seen.has(id)) this.#fault(id, 'acceptor-offline', `acceptor ${number}`);
    }, ABSENT_AFTER_MS);
  }

  async stop(): Promise<void> {
    clearTimeout(this.#absence);
    await Promise.all([...this.#acceptors.values()].map((acceptor) => acceptor.stop()));
    await this.#shoe.stop();
  }

  views(): DeviceView[] {
    const acceptors = [...this.#acceptors.values()].map(
      (acceptor): DeviceView => ({
        id: acceptor.id,
        kind: 'bill-acceptor',
        model: acceptor.model,
        simulated: this.#isSimulated(acceptor),
        state: acceptor.state(),
        fault: this.#standing(acceptor.id)[0] ?? null,
      }),
    );
    return [
      ...acceptors,
      {
        id: this.#shoe.id,
        kind: 'card-shoe',
        model: this.#shoe.model,
        simulated: this.#isSimulated(this.#shoe),
        state: this.#desk.link === 'up' ? 'idle' : 'offline',
        fault: this.#standing(this.#shoe.id)[0] ?? null,
      },
    ];
  }

  #isSimulated({ id, simulated }: BillAcceptor | CardShoe): boolean {
    const identity = this.identity(id);
    return simulated || (identity !== null && isSimulatedIdentity(identity));
  }

  identity(id: string): DeviceIdentity | null {
    return id === this.#shoe.id ? this.#desk.identity : (this.#identities.get(id) ?? null);
  }

  /** Last frames of a device, times as wall clock: the drivers count from the start of the process. */
  frames(id: string): readonly FrameRecord[] {
    const device = [this.#shoe, ...this.#acceptors.values()].find((candidate) => candidate.id === id);
    const start = performance.timeOrigin;
    return (device?.frames() ?? []).map((frame) => ({ ...frame, atMs: Math.round(start + frame.atMs) }));
  }

  #applyMasks(): void {
    for (const [number, acceptor] of this.#acceptors)
      acceptor.allow(this.#terminal.locked === null ? allowedNotes(this.#terminal.state, number) : []);
  }

  #carryOut(effect: Effect): void {
    const acceptor = this.#acceptors.get(effect.acceptor);
    if (!acceptor) return;
    switch (effect.type) {
      case 'stack-note':
        return acceptor.stack();
      case 'return-note':
        return acceptor.returnNote();
      case 'acknowledge-credit':
        return acceptor.acknowledgeCredit();
    }
  }

  /** As they stand in the books: a fault that began in an earlier life of this process may end in this one. */
  #standing(device: string): string[] {
    return this.#terminal.state.faults.flatMap((known) => (known.device === device ? [known.fault] : []));
  }

  /** The one fault an acceptor has now, null for none. */
  #fault(device: string, fault: string | null, place: string): void {
    const standing = this.#standing(device);
    for (const old of standing)
      if (old !== fault) this.#terminal.submit({ type: 'clear-fault', device, fault: old });
    if (fault !== null && !standing.includes(fault))
      this.#terminal.submit({ type: 'report-fault', device, fault, place });
    this.#changed();
  }

  // ---- notes ----

  #inFlight(number: number): NoteInFlight | null {
    return this.#terminal.state.notes.find((note) => note.acceptor === number) ?? null;
  }

  #onAcceptor(number: number, acceptor: BillAcceptor, event: AcceptorEvent): void {
    const terminal = this.#terminal;
    switch (event.type) {
      case 'identity':
        this.#identities.set(acceptor.id, event.identity);
        return this.#changed();
      case 'link':
        this.#seen.add(acceptor.id);
        this.#fault(acceptor.id, event.link === 'down' ? 'acceptor-offline' : null, `acceptor ${number}`);
        return;
      case 'state':
        this.#fault(acceptor.id, ACCEPTOR_FAULTS[event.state] ?? null, `acceptor ${number}`);
        if (AT_REST.has(event.state)) this.#disputeLeftover(number, event.state);
        return this.#changed();
      case 'escrowed':
        return this.#onEscrow(number, acceptor, event.note);
      case 'credit': {
        const outcome = terminal.submit({
          type: 'stack-note',
          acceptor: number,
          noteId: null,
          valueMinor: event.note ? minor(event.note.valueMinor) : null,
        });
        // Anything but a lock means that the note's fate is on disk (credited, held, or known already): the device may forget it.
        if (outcome.status === 'rejected' && outcome.code !== 'held' && outcome.code !== 'service')
          acceptor.acknowledgeCredit();
        return;
      }
      case 'returned':
        terminal.submit({ type: 'return-note', acceptor: number, noteId: null });
        return;
      case 'rejected':
        terminal.record({ type: 'note-rejected-by-device', acceptor: number, reason: event.reason });
        return;
      case 'settled-unknown':
        return this.#disputeLeftover(number, 'settled without a credit signal');
    }
  }

  #onEscrow(
    number: number,
    acceptor: BillAcceptor,
    note: { currency: string; valueMinor: number } | null,
  ): void {
    const inFlight = this.#inFlight(number);
    if (note && inFlight?.valueMinor === note.valueMinor && inFlight.currency === note.currency) {
      // We were gone between writing the request and sending STACK; the note still waits in escrow.
      acceptor.stack();
      return;
    }
    // Before any other note is handled the open one is closed: what the device tells next is about the new one.
    if (inFlight) this.#disputeLeftover(number, 'another note is in escrow');
    const currency = CURRENCIES.find((known): known is Currency => known === note?.currency);
    if (!note || !currency) {
      const reason = note ? `a note in ${note.currency}` : 'a note the unit has no name for';
      this.#terminal.record({ type: 'note-rejected-by-device', acceptor: number, reason });
      acceptor.returnNote();
      return;
    }
    const outcome = this.#terminal.submit({
      type: 'escrow-note',
      noteId: randomUUID(),
      acceptor: number,
      currency,
      valueMinor: minor(note.valueMinor),
    });
    if (outcome.status === 'rejected') acceptor.returnNote();
  }

  /** The device is at rest and a note that should have gone to its cash box is neither credited nor returned. */
  #disputeLeftover(number: number, why: string): void {
    const inFlight = this.#inFlight(number);
    if (inFlight)
      this.#terminal.submit({ type: 'dispute-note', acceptor: number, noteId: inFlight.noteId, why });
  }
}
