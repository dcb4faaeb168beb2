import { canonicalText } from './canonical.ts';
import { toHex } from './entry.codec.ts';

export interface Checkpoint {
  readonly no: number;
  /** Newest entry it stands on, 0 for an empty ledger. */
  readonly seq: number;
  readonly entryHash: Uint8Array;
  /** SHA-256 of the state text at `seq` when one was taken. */
  readonly stateHash: Uint8Array | null;
  readonly reason: string;
  readonly atMs: number;
  readonly keyId: string;
  readonly signature: Uint8Array;
}

/** The bytes a checkpoint's Ed25519 signature covers: a fixed first line, then RFC 8785 JSON. */
export function checkpointBytes(terminal: string, c: Omit<Checkpoint, 'signature'>): Uint8Array {
  const { no, seq, reason, atMs, keyId } = c;
  const entryHash = toHex(c.entryHash);
  const stateHash = c.stateHash === null ? null : toHex(c.stateHash);
  return Buffer.from(
    `banca-checkpoint-v1\n${canonicalText({ terminal, no, seq, entryHash, stateHash, reason, atMs, keyId })}`,
  );
}
