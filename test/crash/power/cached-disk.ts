/**
 * A disk with a volatile write cache: what was not flushed when the power goes may be lost, in any
 * order.
 */
import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import type { SeededChance } from '../../../hardware/transport/faults.ts';

/** Bytes a disk writes whole or, at worst, half. */
export const SECTOR = 512;

/**
 * `lying`: says that it has flushed and has not; then a cut loses the last LIE sectors of all that
 * was written.
 */
export type DiskKind = 'honest' | 'lying';
/** 1.5 MiB, several commits: the last 57 and 70 sectors held no acknowledged one. */
export const LIE = 3000;

interface Unflushed {
  readonly sector: number;
  readonly bytes: Buffer;
}

export class CachedDisk {
  readonly #file: number;
  readonly #kind: DiskKind;
  /**
   * In the order of the writes; a sector written twice is in it twice, and either may be what comes
   * to the disk.
   */
  #cache: Unflushed[] = [];
  readonly #newest = new Map<number, Buffer>();
  #isOn = true;
  writes = 0;
  flushes = 0;
  /** Called after each write, before it is answered. */
  onWrite: () => void = () => {};

  constructor(path: string, kind: DiskKind) {
    this.#file = openSync(path, 'r+');
    this.#kind = kind;
  }

  /** False from the cut until the power is back: nothing is taken and nothing is answered. */
  get isOn(): boolean {
    return this.#isOn;
  }

  powerOn(): void {
    this.#isOn = true;
  }

  /** Bytes at `offset`; both whole sectors. */
  read(offset: number, length: number): Buffer {
    const bytes = Buffer.alloc(length);
    readSync(this.#file, bytes, 0, length, offset);
    if (this.#newest.size > 0)
      for (let at = 0; at < length; at += SECTOR) this.#newest.get((offset + at) / SECTOR)?.copy(bytes, at);
    return bytes;
  }

  /** `durable`: past the cache (FUA). */
  write(offset: number, bytes: Buffer, durable: boolean): void {
    for (let at = 0; at < bytes.length; at += SECTOR) {
      const sector = { sector: (offset + at) / SECTOR, bytes: Buffer.from(bytes.subarray(at, at + SECTOR)) };
      if (durable && this.#kind === 'honest') {
        // What the cache has of this sector is older.
        if (this.#newest.delete(sector.sector))
          this.#cache = this.#cache.filter((other) => other.sector !== sector.sector);
        this.#put(sector);
      } else {
        this.#cache.push(sector);
        this.#newest.set(sector.sector, sector.bytes);
      }
    }
    this.writes += 1;
    this.onWrite();
  }

  flush(): void {
    this.flushes += 1;
    if (this.#kind === 'lying') return;
    for (const [sector, bytes] of this.#newest) this.#put({ sector, bytes });
    this.#forget();
  }

  /** Returns how many sectors were in the cache, and what became of them. */
  cutPower(chance: SeededChance): { unflushed: number; lost: number; torn: number } {
    this.#isOn = false;
    const cache = this.#cache;
    const found = { unflushed: cache.length, lost: 0, torn: 0 };
    // All lost; the end lost; any of them lost; any lost, and some of the others half. A liar that
    // lost in any order would leave no file system at all: in order it is at its mildest.
    const manner = this.#kind === 'lying' ? 1 : chance.below(4);
    const prefix = this.#kind === 'lying' ? cache.length - LIE : chance.below(cache.length + 1);
    for (const [i, { sector, bytes }] of cache.entries()) {
      const isKept = manner === 0 ? false : manner === 1 ? i < prefix : chance.below(2) === 0;
      if (!isKept) {
        found.lost += 1;
      } else if (manner === 3 && chance.below(8) === 0) {
        found.torn += 1;
        this.#put({ sector, bytes: bytes.subarray(0, 1 + chance.below(SECTOR - 1)) });
      } else {
        this.#put({ sector, bytes });
      }
    }
    this.#forget();
    return found;
  }

  close(): void {
    closeSync(this.#file);
  }

  #put({ sector, bytes }: Unflushed): void {
    writeSync(this.#file, bytes, 0, bytes.length, sector * SECTOR);
  }

  #forget(): void {
    this.#cache = [];
    this.#newest.clear();
  }
}
