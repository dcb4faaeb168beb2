import type { ByteTransport, CardShoe, ShoeEvent } from '../../hardware/ports.ts';
import { type AngelEyeOptions, createAngelEye } from '../../hardware/shoe/angel-eye/angel-eye.driver.ts';
import { AngelEyeSim, type AngelEyeSimOptions } from '../../hardware/shoe/angel-eye/angel-eye.sim.ts';
import { repeating } from '../../hardware/shoe/repeating.ts';
import { HandClock } from '../../hardware/transport/clock.ts';
import { type SeededChance, seededChance } from '../../hardware/transport/faults.ts';
import { type MemoryTransport, memoryPair } from '../../hardware/transport/memory.transport.ts';

/**
 * A host reduced to its rule for cards: on disk, or not taken. What is on `disk` outlives it, and
 * so does what it was told.
 */
export class Table {
  readonly clock = new HandClock();
  readonly sim: AngelEyeSim;
  readonly disk: Extract<ShoeEvent, { seq: number }>[] = [];
  readonly events: ShoeEvent[] = [];
  readonly #options: AngelEyeOptions;
  readonly #chance: SeededChance;
  shoe: CardShoe | null = null;
  line: MemoryTransport | null = null;
  /** True = the host dies here. */
  diesAt: (place: string) => boolean = () => false;
  /** Chunks of the shoe that arrive twice, per thousand. */
  repeatPerMille = 0;
  /** Bytes that the host has sent. */
  readonly said: Uint8Array[] = [];

  constructor(options: Partial<AngelEyeSimOptions> & Partial<AngelEyeOptions> = {}) {
    const { commands, ...sim } = options;
    this.sim = new AngelEyeSim({ ...sim, clock: this.clock });
    this.#options = { serial: 'AE-1', ...(commands === undefined ? {} : { commands }) };
    this.#chance = seededChance(options.seed ?? 1);
  }

  readonly open = (): ByteTransport => {
    const [host, device] = memoryPair({ clock: this.clock, latencyMs: 3 });
    this.line = host;
    this.sim.plug(repeating(device, this.#chance, () => this.repeatPerMille));
    return {
      name: host.name,
      open: (handlers) => host.open(handlers),
      close: () => host.close(),
      write: (bytes) => {
        this.said.push(bytes);
        return host.write(bytes);
      },
    };
  };

  start(): void {
    const shoe = createAngelEye('shoe', this.open, this.clock, this.#options);
    this.shoe = shoe;
    shoe.start(
      (event) => this.#on(shoe, event),
      () => this.disk.at(-1)?.seq ?? 0,
    );
  }

  kill(): void {
    void this.shoe?.stop();
    this.shoe = null;
  }

  #on(shoe: CardShoe, event: ShoeEvent): void {
    if (!('seq' in event) || event.seq === null) {
      this.events.push(event);
      return;
    }
    if (this.diesAt('before commit')) {
      this.kill();
      return;
    }
    this.events.push(event);
    const before = this.disk.at(-1)?.seq ?? 0;
    if (event.seq <= before) throw new Error(`event ${event.seq} after ${before}`);
    this.disk.push(event as (typeof this.disk)[number]);
    if (this.diesAt('after commit')) {
      this.kill();
      return;
    }
    shoe.acknowledge(event.seq);
  }
}

/** A card as 0..51, null for one without a face. */
export const cardOf = (event: Extract<ShoeEvent, { type: 'card' }>): number | null =>
  event.suit === null || event.rank === null ? null : event.suit * 13 + event.rank;

export const cardsIn = (events: readonly ShoeEvent[]): (number | null)[] =>
  events.flatMap((event) => (event.type === 'card' ? [cardOf(event)] : []));

export const names = (events: readonly ShoeEvent[]): string[] =>
  events
    .filter((event) => event.type !== 'status')
    .map((event) =>
      event.type === 'link' ? `link ${event.link}` : event.type === 'fault' ? event.fault : event.type,
    );
