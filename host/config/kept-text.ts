import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readBounded } from '../../ledger/chain/bounded-file.store.ts';
import { textHash } from '../../ledger/chain/roster.codec.ts';
import { writeDurably } from '../../ledger/store/key.store.ts';

/**
 * Texts of the centre that no ledger holds, each under its SHA-256 in a folder of their own: what
 * lies there and is another text counts as missing.
 */
export class KeptText {
  readonly dir: string;
  readonly #mostBytes: number;

  constructor(dir: string, mostCharacters: number) {
    this.dir = dir;
    this.#mostBytes = mostCharacters * 4;
  }

  /** On disk before the order that names it. */
  keep(sha256: string, text: string): void {
    const path = this.#pathOf(sha256);
    mkdirSync(this.dir, { recursive: true, mode: 0o700 });
    // What a start has left half written, or somebody has changed.
    if (existsSync(path) && this.read(sha256) === null) rmSync(path);
    rmSync(`${path}.${process.pid}`, { force: true });
    writeDurably(path, text);
  }

  /** Null: it is not there, or is another one. */
  read(sha256: string): string | null {
    try {
      const text = readBounded(this.#pathOf(sha256), this.#mostBytes);
      return textHash(text) === sha256 ? text : null;
    } catch {
      return null;
    }
  }

  /** The order that names this one is on the ledger: no other one is asked for any more. */
  dropOthers(sha256: string): void {
    if (!existsSync(this.dir)) return;
    for (const name of readdirSync(this.dir)) if (name !== `${sha256}.json`) rmSync(join(this.dir, name));
  }

  #pathOf(sha256: string): string {
    return join(this.dir, `${sha256}.json`);
  }
}
