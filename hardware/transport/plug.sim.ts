import type { ByteTransport } from '../ports.ts';

interface Ends {
  onBytes(bytes: Uint8Array): void;
  /** The line in the plug is open. */
  opened?(): void;
  /** The host has hung up, or the line could not be opened. */
  gone?(): void;
}

/** The one plug of a simulated device: a line that is put in pushes out the one before. */
export class Plug {
  readonly #ends: Ends;
  #line: ByteTransport | null = null;

  constructor(ends: Ends) {
    this.#ends = ends;
  }

  get isIn(): boolean {
    return this.#line !== null;
  }

  put(line: ByteTransport): void {
    this.#line = line;
    const isMine = (): boolean => this.#line === line;
    const gone = (): void => {
      if (!isMine()) return;
      this.#line = null;
      this.#ends.gone?.();
    };
    const onBytes = (bytes: Uint8Array): void => {
      if (isMine()) this.#ends.onBytes(bytes);
    };
    line.open({ onBytes, onClose: gone }).then(() => {
      if (isMine()) this.#ends.opened?.();
    }, gone);
  }

  /** Pulls the line out; the host's end closes, too. */
  pull(): void {
    const line = this.#line;
    this.#line = null;
    void line?.close();
  }

  /** What a bad line has left of it may be nothing. */
  write(bytes: Uint8Array): void {
    if (bytes.length > 0) this.#line?.write(bytes).catch(() => {});
  }
}
