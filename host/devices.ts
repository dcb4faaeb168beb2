import { randomUUID } from 'node:crypto';
import { cardOf } from '../engine/core/cards.ts';
import type { Currency } from '../engine/core/money.ts';
import { CURRENCIES, minor } from '../engine/core/money.ts';
import type { Effect } from '../engine/table/table.ts';
import { allowedNotes } from '../engine/table/table.ts';
import type {
  AcceptorEvent,
  AcceptorState,
  BillAcceptor,
  CardShoe,
  DeviceIdentity,
  FrameRecord,
  ShoeEvent,
} from '../hardware/ports.ts';
import type { DeviceView } from './api.ts';
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

const shoeCommandId = (serial: string, seq: number): string =>
  `shoe:${serial}:${String(seq).padStart(12, '0')}`;

/**
 * Between the devices and the table. Every device event becomes an input; the device is told (STACK, ACK) only after the
 * transaction is on disk, so whatever dies in between, the event comes again and is recognised.
 */
export class Devices {
  readonly #terminal: Terminal;
  readonly #acceptors: ReadonlyMap<number, BillAcceptor>;
  readonly #shoe: CardShoe;
  readonly #log: (line: string) => void;
  readonly #identities = new Map<string, DeviceIdentity>();
  readonly #faults = new Map<string, string>();
  #shoeSerial = '';
  #shoeLink: 'up' | 'down' = 'down';
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
    this.#log = o.log;
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
    this.#shoe.start(
      (event) => this.#onShoe(event),
      (serial) => this.#lastShoeSeq(serial),
    );
    this.#applyMasks();
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#acceptors.values()].map((acceptor) => acceptor.stop()));
    await this.#shoe.stop();
  }

  views(): DeviceView[] {
    const acceptors = [...this.#acceptors.values()].map(
      (acceptor): DeviceView => ({
        id: acceptor.id,
        kind: 'bill-acceptor',
        model: acceptor.model,
        simulated: acceptor.simulated,
        state: acceptor.state(),
        fault: this.#faults.get(acceptor.id) ?? null,
      }),
    );
    return [
      ...acceptors,
      {
        id: this.#shoe.id,
        kind: 'card-shoe',
        model: this.#shoe.model,
        simulated: this.#shoe.simulated,
        state: this.#shoeLink === 'up' ? 'idle' : 'offline',
        fault: this.#faults.get(this.#shoe.id) ?? null,
      },
    ];
  }

  identity(id: string): DeviceIdentity | null {
    return this.#identities.get(id) ?? null;
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

  #fault(device: string, fault: string | null, place: string): void {
    const standing = this.#faults.get(device);
    if (standing === (fault ?? undefined)) return;
    if (standing !== undefined) this.#terminal.submit({ type: 'clear-fault', device, fault: standing });
    if (fault === null) {
      this.#faults.delete(device);
    } else {
      this.#faults.set(device, fault);
      this.#terminal.submit({ type: 'report-fault', device, fault, place });
    }
    this.#changed();
  }

  // ---- notes ----

  #inFlight(number: number): { noteId: string; valueMinor: number } | null {
    return this.#terminal.state.notes.find((note) => note.acceptor === number) ?? null;
  }

  #onAcceptor(number: number, acceptor: BillAcceptor, event: AcceptorEvent): void {
    const terminal = this.#terminal;
    switch (event.type) {
      case 'identity':
        this.#identities.set(acceptor.id, event.identity);
        return this.#changed();
      case 'link':
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
    if (note && inFlight && inFlight.valueMinor === note.valueMinor) {
      // We were gone between writing the request and sending STACK; the note still waits in escrow.
      acceptor.stack();
      return;
    }
    // Before any other note is handled the open one is closed: what the device tells next is about the new one.
    if (inFlight) this.#disputeLeftover(number, 'another note is in escrow');
    const currency = CURRENCIES.find((known): known is Currency => known === note?.currency);
    if (!note || !currency) {
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

  // ---- cards ----

  #lastShoeSeq(serial: string): number {
    const id = this.#terminal.ledger.lastCommandId(`shoe:${serial}:`);
    return id === null ? 0 : Number(id.slice(id.lastIndexOf(':') + 1));
  }

  #onShoe(event: ShoeEvent): void {
    const terminal = this.#terminal;
    if (event.type === 'link') {
      this.#shoeLink = event.link;
      this.#fault(this.#shoe.id, event.link === 'down' ? 'shoe-offline' : null, 'card shoe');
      return this.#changed();
    }
    if (event.type === 'identity') {
      this.#shoeSerial = event.identity.serial;
      this.#identities.set(this.#shoe.id, event.identity);
      return this.#changed();
    }
    const { seq } = event;
    const id = seq === null ? null : shoeCommandId(this.#shoeSerial, seq);
    const outcome = this.#submitShoe(event, id);
    if (outcome.status === 'rejected') {
      this.#log(`shoe event ${event.type} refused: ${outcome.code} ${outcome.detail ?? ''}`);
      // Still on the record, once, so that the shoe can be told to go on.
      terminal.record({ type: 'shoe-event-refused', event: event.type, code: outcome.code }, id);
    }
    if (seq !== null && terminal.locked === null) this.#shoe.acknowledge(seq);
  }

  #submitShoe(event: Exclude<ShoeEvent, { type: 'link' | 'identity' }>, id: string | null) {
    const terminal = this.#terminal;
    const device = this.#shoe.id;
    switch (event.type) {
      case 'card':
        if (event.suit === null || event.rank === null)
          return terminal.submit(
            { type: 'report-fault', device, fault: 'shoe-misread', place: 'card shoe' },
            id,
          );
        return terminal.submit(
          {
            type: 'draw-card',
            drawNo: null,
            card: cardOf(event.suit, event.rank),
            confidence: event.confidence,
          },
          id,
        );
      case 'cut-card':
        return terminal.submit({ type: 'end-card-out' }, id);
      case 'loaded':
        return terminal.submit({ type: 'load-shoe', shoeId: event.shoeId, decks: event.decks }, id);
      case 'empty':
        return terminal.submit({ type: 'report-fault', device, fault: 'shoe-empty', place: 'card shoe' }, id);
      case 'cover':
        return event.open
          ? terminal.submit(
              { type: 'report-fault', device, fault: 'shoe-cover-open', place: 'card shoe' },
              id,
            )
          : terminal.submit({ type: 'clear-fault', device, fault: 'shoe-cover-open' }, id);
      case 'fault':
        return terminal.submit(
          { type: 'report-fault', device, fault: `shoe-${event.fault}`, place: 'card shoe' },
          id,
        );
    }
  }
}
