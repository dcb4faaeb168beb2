/** A disk that fails and loses on demand, under a process that knows nothing of it; see disk.c. */
import { spawnSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  ftruncateSync,
  openSync,
  readFileSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SeededChance } from '../../hardware/transport/faults.ts';

/** How the disk behaves from now on; absent = as it should. Times in ms. */
export interface DiskMood {
  readonly writeErrno?: number;
  readonly syncErrno?: number;
  readonly syncMs?: number;
  /** The process ends by SIGKILL in the middle of so many syncs from now, 1 = the next one. */
  readonly dieAtSync?: number;
}

/** Linux, the same on every architecture that Node runs on. */
export const ERRNO = { EIO: 5, ENOSPC: 28, EROFS: 30 } as const;

/** Bytes a disk writes whole or not at all. */
const SECTOR = 512;

/** Compiles disk.c into `dir`. Null where there is no C compiler. */
export function buildDisk(dir: string): string | null {
  const library = join(dir, 'disk.so');
  const source = fileURLToPath(new URL('disk.c', import.meta.url));
  const { status, stderr, error } = spawnSync('cc', ['-O2', '-shared', '-fPIC', '-o', library, source], {
    encoding: 'utf8',
  });
  if (error !== undefined) return null;
  if (status !== 0) throw new Error(`disk.c: ${stderr}`);
  return library;
}

interface Unsynced {
  readonly offset: number;
  readonly oldSize: number;
  readonly old: Buffer;
}

/** One disk: the folder whose files it holds, and beside it control and journal. */
export class Disk {
  readonly #dir: string;
  readonly #control: string;
  readonly #journal: string;
  readonly env: Readonly<Record<string, string>>;

  constructor(library: string, dir: string) {
    this.#dir = dir;
    this.#control = `${dir}.control`;
    this.#journal = `${dir}.journal`;
    this.env = {
      LD_PRELOAD: library,
      BANCA_DISK_DIR: dir,
      BANCA_DISK_CONTROL: this.#control,
      BANCA_DISK_JOURNAL: this.#journal,
    };
    this.set({});
  }

  /** From the next call on, also of a process that runs. */
  set(mood: DiskMood): void {
    setDisk(this.#control, mood);
  }

  /**
   * The power is gone: of what was not synced any sector may have come to the disk, in any order,
   * and the last one half. The process that wrote must have ended. Returns how many sectors were
   * lost and how many torn.
   */
  cutPower(chance: SeededChance): { lost: number; torn: number } {
    const found = { lost: 0, torn: 0 };
    for (const [name, writes] of this.#unsynced()) {
      const path = join(this.#dir, name);
      if (!existsSync(path)) continue;
      const after = readFileSync(path);
      const before = undone(after, writes);
      const { bytes, lost, torn } = remains(before, after, chance);
      found.lost += lost;
      found.torn += torn;
      const fd = openSync(path, 'r+');
      writeSync(fd, bytes, 0, bytes.length, 0);
      ftruncateSync(fd, bytes.length);
      closeSync(fd);
    }
    this.forget();
    return found;
  }

  /** Everything written so far has come to the disk. */
  forget(): void {
    if (existsSync(this.#journal)) truncateSync(this.#journal, 0);
  }

  #unsynced(): Map<string, Unsynced[]> {
    const files = new Map<string, Unsynced[]>();
    const journal = existsSync(this.#journal) ? readFileSync(this.#journal) : Buffer.alloc(0);
    for (let at = 0; at < journal.length; ) {
      const kind = journal.readUInt32LE(at);
      const nameLength = journal.readUInt32LE(at + 4);
      const offset = Number(journal.readBigInt64LE(at + 8));
      const oldSize = Number(journal.readBigInt64LE(at + 16));
      const oldLength = journal.readUInt32LE(at + 24);
      at += 32;
      const name = journal.toString('utf8', at, at + nameLength);
      at += nameLength;
      const old = journal.subarray(at, at + oldLength);
      at += oldLength;
      const writes = files.get(name) ?? [];
      if (kind === 2) files.delete(name);
      else files.set(name, [...writes, { offset, oldSize, old }]);
    }
    return files;
  }
}

/**
 * Writes the mood of a disk by the path of its control file: what a process under test does to its
 * own.
 */
export function setDisk(control: string, mood: DiskMood): void {
  const bytes = Buffer.alloc(16);
  bytes.writeInt32LE(mood.writeErrno ?? 0, 0);
  bytes.writeInt32LE(mood.syncErrno ?? 0, 4);
  bytes.writeInt32LE(mood.syncMs ?? 0, 8);
  bytes.writeInt32LE(mood.dieAtSync ?? 0, 12);
  const fd = openSync(control, existsSync(control) ? 'r+' : 'w');
  writeSync(fd, bytes, 0, bytes.length, 0);
  closeSync(fd);
}

function undone(after: Buffer, writes: readonly Unsynced[]): Buffer {
  let bytes = Buffer.from(after);
  for (const { offset, oldSize, old } of writes.toReversed()) {
    const was = Buffer.alloc(oldSize);
    bytes.copy(was, 0, 0, Math.min(bytes.length, oldSize));
    old.copy(was, offset);
    bytes = was;
  }
  return bytes;
}

/**
 * What the disk holds where it was `before` at the last sync and would be `after` at the next one.
 */
function remains(
  before: Buffer,
  after: Buffer,
  chance: SeededChance,
): { bytes: Buffer; lost: number; torn: number } {
  const manner = chance.below(4);
  const length = Math.max(before.length, after.length);
  const [from, to] = [Buffer.alloc(length), Buffer.alloc(length)];
  before.copy(from);
  after.copy(to);
  const changed: number[] = [];
  for (let at = 0; at < length; at += SECTOR)
    if (!from.subarray(at, at + SECTOR).equals(to.subarray(at, at + SECTOR))) changed.push(at);
  // All lost; a tail lost, in the order of the file; any of them lost; any lost, and one in the
  // middle of being written.
  const kept = (i: number, count: number): boolean =>
    manner === 0 ? false : manner === 1 ? i < count : chance.below(2) === 0;
  const prefix = chance.below(changed.length + 1);
  const tornAt = manner === 3 && changed.length > 0 ? changed[chance.below(changed.length)] : undefined;
  let lost = 0;
  const bytes = Buffer.from(from);
  for (const [i, at] of changed.entries())
    if (kept(i, prefix)) to.copy(bytes, at, at, at + SECTOR);
    else lost += 1;
  if (tornAt !== undefined)
    for (let at = tornAt; at < Math.min(tornAt + SECTOR, length); at += 1) bytes[at] = chance.below(256);
  // The length of a file is written with its directory, before or after its bytes.
  const size = chance.below(2) === 0 && lost === changed.length ? before.length : after.length;
  return { bytes: bytes.subarray(0, size), lost, torn: tornAt === undefined ? 0 : 1 };
}
