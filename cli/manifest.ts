/**
 * `manifest.json` of an export: every file with its size and SHA-256, and where the ledger stood, signed with the key of the
 * terminal over the RFC 8785 text of it after the line `banca-export-v1`. Without the key beside the ledger it is not signed.
 */
import { createHash } from 'node:crypto';
import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import { join, sep } from 'node:path';
import { z } from 'zod';
import { canonicalText } from '../ledger/chain/canonical.ts';
import { toHex } from '../ledger/chain/entry.codec.ts';
import { keyIdOf, type LedgerKey, publicKeyFromPem, verifySignature } from '../ledger/chain/key.ts';
import { verifyLedger } from '../ledger/chain/verifier.store.ts';
import { CannotRun, DoesNotHold } from './command.ts';

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
  files: z.array(fileSchema).min(1),
});
export type Manifest = z.infer<typeof manifestSchema>;
const signedSchema = z.strictObject({
  manifest: manifestSchema,
  /** Null: nobody had the key. */
  publicKey: hex(32).nullable(),
  signature: hex(64).nullable(),
});

const bytesOf = (manifest: Manifest): Uint8Array =>
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

export interface ExportReport {
  readonly ok: boolean;
  /** Empty when it holds. */
  readonly problem: string;
  readonly files: number;
  readonly headSeq: number;
  /** Null: it is not signed, so whoever can write there could have made it. */
  readonly keyId: string | null;
}

/**
 * Every file is there as it was written and no other, the signature holds, and so does the copy of the ledger in it.
 * @param pem the terminal's public key from a safe place; null = the one that the manifest names
 */
export function verifyExport(dir: string, pem: string | null): ExportReport {
  const path = join(dir, MANIFEST);
  if (!existsSync(path))
    throw new CannotRun(`${dir} has no ${MANIFEST}: it is no export, or one that was not finished`);
  let signed: z.infer<typeof signedSchema>;
  try {
    signed = signedSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    const what =
      error instanceof z.ZodError ? z.prettifyError(error).split('\n')[0] : (error as Error).message;
    throw new DoesNotHold(`${path} is no manifest: ${what}`);
  }
  const { manifest, publicKey, signature } = signed;
  const key =
    pem !== null ? publicKeyFromPem(pem) : publicKey === null ? null : Buffer.from(publicKey, 'hex');
  const problem = problemOf(dir, manifest, key, signature);
  return {
    ok: problem === '',
    problem,
    files: manifest.files.length,
    headSeq: manifest.headSeq,
    keyId: key === null ? null : keyIdOf(key),
  };
}

function problemOf(
  dir: string,
  manifest: Manifest,
  key: Uint8Array | null,
  signature: string | null,
): string {
  if (
    key !== null &&
    (signature === null || !verifySignature(key, bytesOf(manifest), Buffer.from(signature, 'hex')))
  )
    return `the signature of ${MANIFEST} does not hold`;
  const named = new Set(manifest.files.map(({ name }) => name));
  for (const { name, bytes, sha256 } of manifest.files) {
    const path = join(dir, name);
    if (!existsSync(path)) return `${name} is gone`;
    const sum = sumOf(path);
    if (sum.sha256 !== sha256 || sum.bytes !== bytes) return `${name} is not the file that was exported`;
  }
  for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
    const name = join(entry.parentPath, entry.name)
      .slice(dir.length)
      .replace(/^[/\\]+/, '')
      .split(sep)
      .join('/');
    if (entry.isFile() && name !== MANIFEST && !named.has(name)) return `${name} is no file of this export`;
  }
  if (!named.has(LEDGER_COPY)) return '';
  const report = verifyLedger(join(dir, LEDGER_COPY));
  if (!report.ok) return manifest.ok ? `${LEDGER_COPY} does not hold: ${report.problem}` : '';
  return report.headSeq === manifest.headSeq && report.headHash === manifest.headHash
    ? ''
    : `${LEDGER_COPY} ends with entry ${report.headSeq}, the manifest says ${manifest.headSeq}`;
}
