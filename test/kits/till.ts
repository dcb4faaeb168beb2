/**
 * For tests: a host reduced to its rule for credit. What is on `disk` outlives it; it can be killed
 * at any event. The rule: write "stack asked" before STACK, credit in one step with closing the
 * question, ACK only afterwards.
 */

import { createId003 } from '../../hardware/bill-acceptor/id003/id003.driver.ts';
import type {
  AcceptorEvent,
  AcceptorState,
  BillAcceptor,
  ByteTransport,
  DeviceClock,
  Note,
  OpenTransport,
} from '../../hardware/ports.ts';
import type { HandClock } from '../../hardware/transport/clock.ts';
import { memoryPair } from '../../hardware/transport/memory.transport.ts';

export interface Disk {
  open: { valueMinor: number; state: 'asked' | 'credited' } | null;
  creditedMinor: number;
  credits: number;
  disputedMinor: number;
  returned: number;
  orphans: number;
}

type CreateAcceptor = (id: string, open: OpenTransport, clock: DeviceClock) => BillAcceptor;

const GONE_ON: readonly AcceptorState[] = ['stacked', 'accepting', 'escrow', 'power-up-bill-in-acceptor'];

export class Till {
  readonly disk: Disk = {
    open: null,
    creditedMinor: 0,
    credits: 0,
    disputedMinor: 0,
    returned: 0,
    orphans: 0,
  };
  readonly events: AcceptorEvent[] = [];
  readonly #clock: DeviceClock;
  readonly #open: OpenTransport;
  readonly #create: CreateAcceptor;
  #driver: BillAcceptor | null = null;
  /** Asked at each place where a power cut of the host would hurt; true = the host dies here. */
  diesAt: (place: string) => boolean = () => false;
  /** What to do with a note in escrow. */
  wants: (note: Note) => 'stack' | 'return' = () => 'stack';
  allowedMinor: readonly number[] = [1000, 2000, 5000, 10_000, 50_000, 100_000];

  constructor(clock: DeviceClock, open: OpenTransport, create: CreateAcceptor = createId003) {
    this.#clock = clock;
    this.#open = open;
    this.#create = create;
  }

  get alive(): boolean {
    return this.#driver !== null;
  }

  state(): string {
    return this.#driver?.state() ?? 'dead';
  }

  start(): BillAcceptor {
    const driver = this.#create('acceptor-1', this.#open, this.#clock);
    this.#driver = driver;
    driver.allow(this.allowedMinor);
    driver.start((event) => this.#on(driver, event));
    return driver;
  }

  kill(): void {
    void this.#driver?.stop();
    this.#driver = null;
  }

  #on(driver: BillAcceptor, event: AcceptorEvent): void {
    this.events.push(event);
    const disk = this.disk;
    const dies = (place: string): boolean => {
      if (!this.diesAt(place)) return false;
      this.kill();
      return true;
    };
    if (event.type === 'escrowed') {
      const sameNote = disk.open?.state === 'asked' && disk.open.valueMinor === event.note?.valueMinor;
      if (!sameNote) this.#dispute();
      if (event.note === null || this.wants(event.note) === 'return') {
        driver.returnNote();
        return;
      }
      if (!sameNote) {
        if (dies('before asked')) return;
        disk.open = { valueMinor: event.note.valueMinor, state: 'asked' };
      }
      if (dies('before STACK')) return;
      driver.stack();
    } else if (event.type === 'credit') {
      if (dies('before credit')) return;
      if (disk.open === null) disk.orphans++;
      else if (disk.open.state === 'asked') {
        disk.creditedMinor += disk.open.valueMinor;
        disk.credits++;
        disk.open = { ...disk.open, state: 'credited' };
      }
      if (dies('before ACK')) return;
      driver.acknowledgeCredit();
    } else if (event.type === 'returned') {
      disk.returned++;
      if (disk.open?.state === 'asked') disk.open = null;
    } else if (event.type === 'settled-unknown' || event.type === 'sequence-error') this.#dispute();
    else if (event.type === 'state') {
      // The unit has gone on: a credit signal from here on is not about the note that was credited.
      if (disk.open?.state === 'credited' && GONE_ON.includes(event.state)) disk.open = null;
      if (event.state === 'idle' || event.state === 'disabled') this.#dispute();
    }
  }

  // The device is at rest, or another note is in escrow: the open question will not be answered any
  // more.
  #dispute(): void {
    if (this.disk.open?.state === 'asked') this.disk.disputedMinor += this.disk.open.valueMinor;
    this.disk.open = null;
  }
}

export const linesTo =
  (sim: { plug(transport: ByteTransport): void }, clock: HandClock): OpenTransport =>
  () => {
    const [host, device] = memoryPair({ clock, latencyMs: 3 });
    sim.plug(device);
    return host;
  };

export const totalMinor = (notes: readonly Note[]): number =>
  notes.reduce((sum, note) => sum + note.valueMinor, 0);
