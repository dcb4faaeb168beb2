/**
 * The disk under the ledger: how much of its budget is used, whether it takes a write and how long
 * a sync lasts (906). Play ends before a write would fail: at 80 % of the budget a notice, at 90 %
 * no more notes, at 95 % no further round; and a reserve of real blocks is given up when the disk
 * is full all the same, so that the round on the table can be paid.
 */
import { closeSync, existsSync, fsyncSync, openSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { Ledger } from '../../ledger/store/ledger.store.ts';
import type { StoragePage } from '../../wire/pages.ts';
import type { OwnFaults } from './own-faults.ts';

const MIB = 2 ** 20;

/** Section `storage` of the terminal file. MiB of 2^20 bytes; ms. */
export const storageSchema = z.strictObject({
  /** What ledger and copy may come to. */
  budgetMiB: z
    .int()
    .min(32)
    .max(4 * MIB),
  /** A sync that takes longer is slow; three slow ones of the last ten are a fault. */
  slowSyncMs: z.int().min(20).max(10_000),
});
export type StorageSettings = Readonly<z.infer<typeof storageSchema>> & {
  /** Absent: every 30 s. */
  readonly lookEveryMs?: number;
};

/** For a demonstration; docs/operations/storage.md says how a table in use is planned. */
const DEFAULTS: StorageSettings = { budgetMiB: 8_192, slowSyncMs: 1_000 };

/**
 * What holds without a section of its own: a disk that is smaller than the budget is the budget.
 */
export function defaultStorage(dir: string): StorageSettings {
  const { blocks, bsize } = statfsSync(dir);
  const diskMiB = Math.max(32, Math.floor((blocks * bsize) / MIB));
  return { ...DEFAULTS, budgetMiB: Math.min(DEFAULTS.budgetMiB, diskMiB) };
}

export const STORAGE_LIMITS = { low: 0.8, short: 0.9, full: 0.95 } as const;
/** So far a fault outlasts its threshold: what is used swings by a WAL. */
const SWING = 0.01;

/** A round of a full table with its postings, snapshot, WAL and copy stays far below. */
const RESERVE_BYTES = 16 * MIB;
const reserveIn = (dir: string): string => join(dir, 'reserve');
const probeIn = (dir: string): string => join(dir, 'storage-probe');

const LOOK_EVERY_MS = 30_000;
const SYNCS_KEPT = 10;
const SLOW_SYNCS = 3;

/** What a write, its sync and its end say of the disk; null = it takes them. */
function refusalOf(path: string, bytes: number): string | null {
  try {
    const fd = openSync(path, 'w', 0o600);
    try {
      const chunk = Buffer.alloc(Math.min(bytes, MIB));
      for (let at = 0; at < bytes; at += chunk.length) writeSync(fd, chunk);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

const freeOf = (dir: string): number => {
  const { bavail, bsize } = statfsSync(dir);
  return bavail * bsize;
};

/** Less than this is as good as nothing: a WAL grows to 4 MiB before it is taken in. */
const LEAST_BYTES = 4 * MIB;

/** The file of the probe stays, so a full disk may still take it: room is asked for beside. */
function whyNot(dir: string): string | null {
  const refused = refusalOf(probeIn(dir), 4_096);
  const freeBytes = freeOf(dir);
  return refused ?? (freeBytes < LEAST_BYTES ? `only ${freeBytes >> 10} KiB are free in ${dir}` : null);
}

/**
 * Readies the disk for a start, with the reserve given up where it must be. Why nothing can be
 * stored; null = it can.
 */
export function readyDisk(dir: string): string | null {
  const refused = whyNot(dir);
  if (refused === null || !existsSync(reserveIn(dir))) return refused;
  try {
    rmSync(reserveIn(dir));
  } catch {
    return refused;
  }
  return whyNot(dir);
}

/**
 * Where it is not there and there is room for twice as much. Real blocks: a hole in a file reserves
 * nothing.
 */
function keepReserve(dir: string, freeBytes: number): boolean {
  const path = reserveIn(dir);
  if (existsSync(path) && statSync(path).size === RESERVE_BYTES) return true;
  if (freeBytes < 2 * RESERVE_BYTES) return false;
  const refused = refusalOf(path, RESERVE_BYTES);
  if (refused !== null) rmSync(path, { force: true });
  return refused === null;
}

/** Bytes of a ledger file with its WAL; 0 for what is not there. */
export const sizeOf = (path: string): number =>
  [path, `${path}-wal`].reduce(
    (sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );

/** How long the last syncs took, whoever asked for them. */
export class Syncs {
  readonly ms: number[] = [];
  readonly #onCommit: (ms: number) => void;

  constructor(onCommit: (ms: number) => void = () => {}) {
    this.#onCommit = onCommit;
  }

  took(ms: number): void {
    this.ms.push(ms);
    if (this.ms.length > SYNCS_KEPT) this.ms.shift();
  }

  /** The same ledger, whose commits count here. */
  ofLedger(ledger: Ledger): Ledger {
    return {
      ...ledger,
      append: (...entries) => {
        const began = performance.now();
        const stored = ledger.append(...entries);
        const ms = performance.now() - began;
        this.took(ms);
        this.#onCommit(ms);
        return stored;
      },
    };
  }
}

export interface StorageWatchOptions {
  readonly own: OwnFaults;
  readonly syncs: Syncs;
  readonly ledgerPath: string;
  /** Null = there is none. */
  readonly copyPath: string | null;
  readonly settings: StorageSettings;
}

export class StorageWatch {
  readonly #o: StorageWatchOptions;
  readonly #dir: string;
  #page: StoragePage | null = null;
  #timer: NodeJS.Timeout | null = null;
  #looking: Promise<void> | null = null;

  constructor(o: StorageWatchOptions) {
    this.#o = o;
    this.#dir = dirname(o.ledgerPath);
  }

  start(): void {
    void this.look();
    this.#timer = setInterval(() => void this.look(), this.#o.settings.lookEveryMs ?? LOOK_EVERY_MS);
  }

  async stop(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
    await this.#looking;
  }

  /** Null until the first look. */
  page(): StoragePage | null {
    return this.#page;
  }

  /** One look at a time; whoever asks meanwhile gets that one. */
  look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = null;
    });
    return this.#looking;
  }

  async #look(): Promise<void> {
    const { own, settings, syncs, ledgerPath, copyPath } = this.#o;
    const refused = await this.#probe();
    const freeBytes = freeOf(this.#dir);
    const hasReserve = refused === null && keepReserve(this.#dir, freeBytes);
    const budgetBytes = settings.budgetMiB * MIB;
    const ledgerBytes = sizeOf(ledgerPath);
    const usedBytes = ledgerBytes + (copyPath === null ? 0 : sizeOf(copyPath));
    const roomBytes = Math.max(0, Math.min(budgetBytes - usedBytes, freeBytes));
    const used = 1 - roomBytes / budgetBytes;
    const percent = `${Math.floor(used * 100)} %`;
    const is = (fault: 'storage-low' | 'storage-short' | 'storage-full', limit: number): void =>
      own.set('storage', fault, used >= limit - (own.stands('storage', fault) ? SWING : 0), {
        place: percent,
      });
    is('storage-low', STORAGE_LIMITS.low);
    is('storage-short', STORAGE_LIMITS.short);
    if (refused !== null || !hasReserve)
      own.set('storage', 'storage-full', true, { place: refused ?? 'reserve' });
    else is('storage-full', STORAGE_LIMITS.full);
    const slow = syncs.ms.filter((ms) => ms > settings.slowSyncMs);
    if (slow.length >= SLOW_SYNCS)
      own.set('storage', 'storage-slow', true, { place: `${Math.round(Math.max(...slow))} ms` });
    else if (slow.length === 0) own.set('storage', 'storage-slow', false);
    this.#page = {
      usedBytes,
      budgetBytes,
      freeBytes,
      roomBytes,
      slowestSyncMs: Math.round(Math.max(0, ...syncs.ms)),
      refused,
    };
  }

  /**
   * A sync beside the ledger's own: a table that stands still would else not learn that its disk
   * has gone.
   */
  async #probe(): Promise<string | null> {
    const began = performance.now();
    try {
      const file = await open(probeIn(this.#dir), 'w', 0o600);
      try {
        await file.write(Buffer.alloc(4_096));
        await file.sync();
      } finally {
        await file.close();
      }
    } catch (error) {
      return (error as Error).message;
    }
    this.#o.syncs.took(performance.now() - began);
    return null;
  }
}
