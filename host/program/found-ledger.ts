/**
 * Ledger and copy as a start finds them, mended where that can be done, and whether the ledger is
 * the one that was played on last: else it is in dispute, and nothing is written into it.
 */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type CopyState, forkOf, mendLedger } from '../../ledger/copy/mend.store.ts';
import { LedgerForked } from '../../ledger/store/errors.ts';
import { KEY_FILE } from '../../ledger/store/key.store.ts';
import {
  type Ledger,
  type LedgerKey,
  type LedgerReader,
  openLedger,
  openLedgerReader,
} from '../../ledger/store/ledger.store.ts';
import { hasBeenHere } from '../../ledger/store/open.store.ts';
import type { Dispute, Witness } from '../../ledger/store/witness.store.ts';
import { startsIn } from './life.ts';
import { counterDispute, type StartCounter } from './start-counter.ts';

export interface LedgerPlace {
  readonly dataDir: string;
  readonly ledgerPath: string;
  readonly copyPath: string;
  readonly terminalId: string;
  readonly key: LedgerKey;
  readonly witness: Witness;
  /** Null: the terminal file names no TPM. */
  readonly counter: StartCounter | null;
  readonly log: (line: string) => void;
}

export type Found =
  | { readonly ledger: Ledger; readonly copy: CopyState; readonly dispute: null }
  | { readonly dispute: Dispute };

/**
 * Stands from before the key is made until the first ledger is whole: a key without a ledger is a
 * first start that was cut short.
 */
export const beginMark = (ledgerPath: string): string => `${ledgerPath}-begin`;

/** Throws what `mendLedger` and `openLedger` throw. */
export function findLedger(o: LedgerPlace): Found {
  const { ledgerPath, copyPath, terminalId, key, log } = o;
  const gone = goneFrom(o);
  if (gone !== null) return { dispute: gone };
  try {
    const { repaired, copy } = mendLedger(ledgerPath, copyPath, { terminalId, key, now: Date.now });
    if (repaired) log(`ledger repaired from ${copyPath}: ${JSON.stringify(repaired)}`);
    const ledger = openLedger(ledgerPath, { terminalId, key, createIfMissing: true });
    rmSync(beginMark(ledgerPath), { force: true });
    const dispute = disputeOf(ledger, ledger.head(), o);
    if (dispute === null) return { ledger, copy, dispute };
    ledger.close();
    return { dispute };
  } catch (error) {
    if (error instanceof LedgerForked) return { dispute: forked(error) };
    throw error;
  }
}

/** The same question, with nothing mended or opened for writing; null = nothing is in dispute. */
export function disputeIn(o: Omit<LedgerPlace, 'log'>): Dispute | null {
  const { ledgerPath, copyPath } = o;
  const gone = goneFrom(o);
  if (gone !== null || !existsSync(ledgerPath)) return gone;
  const fork = forkOf(ledgerPath, copyPath, { ...o, now: Date.now });
  if (fork !== null) return forked(fork);
  const reader = openLedgerReader(ledgerPath);
  try {
    return disputeOf(reader, headOf(reader), o);
  } finally {
    reader.close();
  }
}

function disputeOf(
  ledger: LedgerReader,
  head: ReturnType<Ledger['head']>,
  { witness, counter }: Pick<LedgerPlace, 'witness' | 'counter'>,
): Dispute | null {
  const starts = startsIn(ledger);
  const seen = { hashAt: ledger.hashAt, head: () => head, named: starts.witness };
  return witness.dispute(seen) ?? counterDispute(starts, counter);
}

const forked = ({ what, other }: LedgerForked): Dispute => ({
  kind: 'fork',
  why: `entry ${other.seq}: ${what}`,
  must: other,
});

function goneFrom({ dataDir, ledgerPath, copyPath, witness }: Omit<LedgerPlace, 'log'>): Dispute | null {
  const files = [ledgerPath, copyPath];
  if (files.some((path) => existsSync(path))) return null;
  const isFirst = !files.some(hasBeenHere) && existsSync(beginMark(ledgerPath));
  return (
    witness.dispute(null) ??
    (isFirst
      ? null
      : {
          kind: 'gone',
          why: `there is a key ${join(dataDir, KEY_FILE)}, and neither a ledger ${ledgerPath} nor a copy of it`,
          must: null,
        })
  );
}

/** Newest entry of a ledger that is open to be read; 0 while it is empty. */
export function headOf(reader: LedgerReader): { readonly seq: number; readonly hash: Uint8Array } {
  const [newest] = reader.newest({ beforeSeq: null, limit: 1, kind: null });
  return newest ?? { seq: 0, hash: reader.hashAt(0)! };
}
