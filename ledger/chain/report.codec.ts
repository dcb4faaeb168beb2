/**
 * What a terminal says about itself when it asks the centre for its position; signed like a batch.
 */
import canonicalize from 'canonicalize';
import { toHex } from './entry.codec.ts';
import type { LedgerKey } from './key.ts';

export const REPORT_VERSION = 1;

export interface Report {
  readonly v: typeof REPORT_VERSION;
  readonly terminal: string;
  /** Newest entry of the terminal's ledger, 0 for none. */
  readonly headSeq: number;
  /** Hex, 64 zeros for none; the same for all hashes here. */
  readonly headHash: string;
  /**
   * Newest entry the terminal holds an acknowledgement for, with its hash: proof that the centre
   * once had it.
   */
  readonly ackedSeq: number;
  readonly ackedHash: string;
  /** Terminal's clock minus the centre's at the last answer, null before the first. */
  readonly clockOffMs: number | null;
  /**
   * A position the centre named that is not in this ledger: its number, and our own hash there,
   * null when we end before.
   */
  readonly disputes: { readonly seq: number; readonly ownHash: string | null } | null;
  readonly signature: string;
}

/** The bytes the terminal signs. */
export function reportBytes(r: Omit<Report, 'signature'>): Uint8Array {
  const { terminal, headSeq, headHash, ackedSeq, ackedHash, clockOffMs, disputes } = r;
  return Buffer.from(
    `banca-report-v1\n${canonicalize({ terminal, headSeq, headHash, ackedSeq, ackedHash, clockOffMs, disputes })}`,
  );
}

export function makeReport(r: Omit<Report, 'v' | 'signature'>, key: LedgerKey): Report {
  const unsigned = { v: REPORT_VERSION, ...r } as const;
  return { ...unsigned, signature: toHex(key.sign(reportBytes(unsigned))) };
}
