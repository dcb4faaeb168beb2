import type { ByteTransport, CardShoe, ShoeEvent } from '../../hardware/ports.ts';
import { decode, type Message, unpackFrame } from '../../hardware/shoe/ksp1/ksp1.codec.ts';
import { createKsp1, type Ksp1Options } from '../../hardware/shoe/ksp1/ksp1.driver.ts';
import { Ksp1Sim, type Ksp1SimOptions } from '../../hardware/shoe/ksp1/ksp1.sim.ts';
import { repeating } from '../../hardware/shoe/repeating.ts';
import { HandClock } from '../../hardware/transport/clock.ts';
import { type SeededChance, seededChance } from '../../hardware/transport/faults.ts';
import { type MemoryTransport, memoryPair } from '../../hardware/transport/memory.transport.ts';

type Numbered = Extract<ShoeEvent, { seq: number }>;

/**
 * A host reduced to its rule for cards: on disk first, then the ACK. What is on `disk` outlives it.
 */
export class Table {
  readonly clock: HandClock;
  readonly sim: Ksp1Sim;
  readonly disk: Numbered[] = [];
  readonly events: ShoeEvent[] = [];
  readonly #options: Ksp1Options;
  shoe: CardShoe | null = null;
  line: MemoryTransport | null = null;
  /** True = the host dies here. */
  diesAt: (place: string) => boolean = () => false;
  acknowledges = true;
  /** All that the host has said. */
  readonly said: Message[] = [];
  /** Frames of the shoe that arrive twice, per thousand. */
  repeatPerMille = 0;
  readonly #chance: SeededChance;

  constructor(options: Ksp1Options & Partial<Ksp1SimOptions> = {}, pairingKeyOfHost = options.pairingKey) {
    this.clock = new HandClock();
    this.sim = new Ksp1Sim({ clock: this.clock, ...options });
    this.#chance = seededChance(options.seed ?? 1);
    this.#options = pairingKeyOfHost === undefined ? {} : { pairingKey: pairingKeyOfHost };
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
        const frame = unpackFrame(bytes);
        const message = frame.ok ? decode(frame.value) : frame;
        if (!message.ok) throw new Error(`the host said ${message.error}`);
        this.said.push(message.value);
        return host.write(bytes);
      },
    };
  };

  start(): CardShoe {
    const shoe = createKsp1('shoe', this.open, this.clock, this.#options);
    this.shoe = shoe;
    shoe.start(
      (event) => this.#on(shoe, event),
      () => this.disk.at(-1)?.seq ?? 0,
    );
    return shoe;
  }

  kill(): void {
    void this.shoe?.stop();
    this.shoe = null;
  }

  cards(): (number | null)[] {
    return this.disk.flatMap((event) =>
      event.type === 'card' ? [event.suit === null ? null : event.suit * 13 + (event.rank ?? 0)] : [],
    );
  }

  #on(shoe: CardShoe, event: ShoeEvent): void {
    this.events.push(event);
    if (!('seq' in event) || event.seq === null) return;
    if (this.diesAt('before commit')) {
      this.kill();
      return;
    }
    this.disk.push(event as Numbered);
    if (this.diesAt('before ACK')) {
      this.kill();
      return;
    }
    if (this.acknowledges) shoe.acknowledge(event.seq);
  }

  /** Throws when the numbers on disk do anything but go up by one. */
  checkDisk(): void {
    this.disk.forEach(({ seq }, i) => {
      if (seq !== i + 1) throw new Error(`event ${seq} stands on disk as number ${i + 1}`);
    });
  }
}

export const names = (events: readonly ShoeEvent[]): string[] =>
  events
    .filter((event) => event.type !== 'status')
    .map((event) =>
      event.type === 'link' ? `link ${event.link}` : event.type === 'fault' ? event.fault : event.type,
    );
