import type { ByteTransport, DeviceClock } from '../ports.ts';
import { systemClock } from './clock.ts';
import { CLEAN_LINE, disturb, type LineFaults, type SeededChance, seededChance } from './faults.ts';

export interface MemoryLine {
  readonly clock?: DeviceClock;
  /** Time a chunk is under way, milliseconds. */
  readonly latencyMs?: number;
  readonly faults?: LineFaults;
  readonly seed?: number;
}

export interface MemoryTransport extends ByteTransport {
  /** Pulls the plug: both ends close with this reason. */
  unplug(reason?: string): void;
}

const DONE = Promise.resolve();

type Handlers = Parameters<ByteTransport['open']>[0];

class End implements MemoryTransport {
  readonly name: string;
  peer: End | null = null;
  readonly #clock: DeviceClock;
  readonly #latencyMs: number;
  readonly #faults: LineFaults;
  readonly #chance: SeededChance;
  #handlers: Handlers | null = null;
  #waiting: Uint8Array[] = [];
  #closed = false;

  constructor(name: string, line: MemoryLine, chance: SeededChance) {
    this.name = name;
    this.#clock = line.clock ?? systemClock;
    this.#latencyMs = line.latencyMs ?? 0;
    this.#faults = line.faults ?? CLEAN_LINE;
    this.#chance = chance;
  }

  open(handlers: Handlers): Promise<void> {
    if (this.#closed) return Promise.reject(new Error(`${this.name}: not there`));
    if (this.#handlers !== null) return Promise.reject(new Error(`${this.name}: already open`));
    this.#handlers = handlers;
    for (const bytes of this.#waiting.splice(0)) handlers.onBytes(bytes);
    return DONE;
  }

  write(bytes: Uint8Array): Promise<void> {
    if (this.#closed) return Promise.reject(new Error(`${this.name}: closed`));
    // A copy: a real line does not change what is on its way when the sender reuses its buffer.
    const arriving = disturb(Uint8Array.from(bytes), this.#faults, this.#chance);
    if (arriving.length > 0) this.#clock.after(this.#latencyMs, () => this.peer?.deliver(arriving));
    return DONE;
  }

  close(): Promise<void> {
    this.unplug('closed');
    return DONE;
  }

  unplug(reason = 'unplugged'): void {
    this.fall(reason);
    this.peer?.fall(reason);
  }

  deliver(bytes: Uint8Array): void {
    if (this.#closed) return;
    if (this.#handlers === null) this.#waiting.push(bytes);
    else this.#handlers.onBytes(bytes);
  }

  fall(reason: string): void {
    if (this.#closed) return;
    this.#closed = true;
    const handlers = this.#handlers;
    this.#handlers = null;
    if (handlers !== null) this.#clock.after(0, () => handlers.onClose(reason));
  }
}

/**
 * Two ends of one line in memory. Bytes arrive after `latencyMs` on the given clock, never inside
 * write(); with a seed the line loses, shortens and corrupts chunks as told.
 */
export function memoryPair(line: MemoryLine = {}): [MemoryTransport, MemoryTransport] {
  const chance = seededChance(line.seed ?? 1);
  const [a, b] = [new End('memory:host', line, chance), new End('memory:device', line, chance)];
  a.peer = b;
  b.peer = a;
  return [a, b];
}
