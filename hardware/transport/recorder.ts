import type { FrameRecord } from '../ports.ts';
import { toHex } from './bytes.ts';

/** The last frames of one device, for the technician's page and for replay. */
export class Recorder {
  readonly #limit: number;
  // Bytes as they are: hex is made when somebody looks, not ten times a second for ever.
  #frames: { readonly atMs: number; readonly direction: 'in' | 'out'; readonly bytes: Uint8Array }[] = [];

  constructor(limit = 200) {
    this.#limit = limit;
  }

  add(atMs: number, direction: 'in' | 'out', bytes: Uint8Array): void {
    this.#frames.push({ atMs, direction, bytes });
    if (this.#frames.length > this.#limit) this.#frames.shift();
  }

  forget(): void {
    this.#frames = [];
  }

  frames(): readonly FrameRecord[] {
    return this.#frames.map(({ atMs, direction, bytes }) => ({ atMs, direction, hex: toHex(bytes) }));
  }
}
