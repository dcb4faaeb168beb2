/**
 * `manifest.json` of an export: every file with its size and SHA-256, and where the ledger stood,
 * signed with the key of the terminal over the RFC 8785 text of it after the line
 * `banca-export-v1`. Without the key beside the ledger it is not signed.
 */
import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import { z } from 'zod';
import { canonicalText } from '../ledger/chain/canonical.ts';
import { toHex } from '../ledger/chain/entry.codec.ts';
import type { LedgerKey } from '../ledger/chain/key.ts';
import { madeBySchema } from './made-by.ts';

export const MANIFEST = 'manifest.json';
/** The copy of the ledger in an export. */
export const LEDGER_COPY = 'ledger.db';
const hex = (bytes: number) => z.string().regex(new RegExp(`^[0-9a-f]{${bytes * 2}}$`));

const fileSchema = z.strictObject({
  /** With `/` between folders. */
  name: z.string().regex(/^(?!.*\.\.)[A-Za-z0-9._/-]+$/),
  bytes: z.int().min(0),
  sha256: hex(32),
});
const manifestSchema = z.strictObject({
  terminal: z.string(),
  madeAtMs: z.int(),
  headSeq: z.int(),
  headHash: z.string(),
  /** The ledger held when it was exported. */
  ok: z.boolean(),
  /** Absent in exports of earlier versions. */
  made: madeBySchema.exactOptional(),
  files: z.array(fileSchema).min(1),
});
export type Manifest = z.infer<typeof manifestSchema>;
export const signedSchema = z.strictObject({
  manifest: manifestSchema,
  /** Null: nobody had the key. */
  publicKey: hex(32).nullable(),
  signature: hex(64).nullable(),
});

/** What is signed. */
export const bytesOf = (manifest: Manifest): Uint8Array =>
  Buffer.from(`banca-export-v1\n${canonicalText(manifest)}`);

/** The text of the file. */
export function signedText(manifest: Manifest, key: LedgerKey | null): string {
  const signed: z.infer<typeof signedSchema> = {
    manifest,
    publicKey: key === null ? null : toHex(key.publicKey),
    signature: key === null ? null : toHex(key.sign(bytesOf(manifest))),
  };
  return `${JSON.stringify(signed, null, 2)}\n`;
}

/** SHA-256 and size of a file of any size. */
export function sumOf(path: string): { readonly bytes: number; readonly sha256: string } {
  const hash = createHash('sha256');
  const chunk = Buffer.alloc(1 << 20);
  const fd = openSync(path, 'r');
  let bytes = 0;
  try {
    for (let n = readSync(fd, chunk); n > 0; n = readSync(fd, chunk)) {
      hash.update(chunk.subarray(0, n));
      bytes += n;
    }
  } finally {
    closeSync(fd);
  }
  return { bytes, sha256: hash.digest('hex') };
}
