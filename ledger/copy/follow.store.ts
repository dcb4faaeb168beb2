/**
 * The copy kept level with the ledger: its file is opened or rebuilt, then carries what has come
 * since.
 */
import { existsSync, statSync } from 'node:fs';
import type { OpenOptions } from '../store/open.store.ts';
import { openFile } from '../store/open.store.ts';
import { openInPlace } from '../store/sqlite.store.ts';
import { carrierBetween } from './carry.store.ts';
import { rebuildCopy } from './mend.store.ts';
import { finishRebuild } from './rebuild.store.ts';

export interface Copy {
  /** Newest entry it has. */
  readonly seq: () => number;
  /**
   * Carries a bounded part of what it lacks, durably; false when it has all. Throws as Carrier
   * does.
   */
  readonly step: () => boolean;
  /** Its file still has its name: what is written to a deleted one is written for nobody. */
  readonly isInPlace: () => boolean;
  readonly close: () => void;
}

/** About 2 ms of work: bounds how long a commit can wait for the processor or the disk. */
const BATCH = 200;

/**
 * Opens the copy of a ledger that is in use or closed; makes it where it is missing, or again when
 * told so, from a ledger that must then hold in full. Throws LedgerDamaged (its `path` says which
 * of the two), LedgerUnusable, SqliteError.
 */
export function openCopy(
  path: string,
  copyPath: string,
  o: Pick<OpenOptions, 'terminalId' | 'key'> & { readonly again: boolean },
): Copy {
  finishRebuild(copyPath, o.terminalId);
  if (o.again || !existsSync(copyPath)) rebuildCopy(path, copyPath, o);
  const { db, lock } = openFile(copyPath, { ...o, createIfMissing: false });
  const ledger = openInPlace(path);
  const close = (): void => {
    ledger.close();
    db.close();
    lock.close();
  };
  try {
    const carrier = carrierBetween(ledger, db);
    const { ino } = statSync(copyPath);
    return {
      seq: () => carrier.head().seq,
      step: () => carrier.entries(BATCH) + carrier.marks() > 0,
      isInPlace: () => statSync(copyPath, { throwIfNoEntry: false })?.ino === ino,
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}
