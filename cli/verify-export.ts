/**
 * `banca verify --export DIR --key KEY`: the manifest is signed by the terminal whose key this is,
 * every file is there as it was written and no other, the ledger in it holds, and every plain file
 * is what that ledger gives.
 */
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { readJsonFile } from '../ledger/chain/bounded-file.store.ts';
import { keyIdOf, verifySignature } from '../ledger/chain/key.ts';
import { verifyLedger } from '../ledger/chain/verifier.store.ts';
import { openLedgerReader } from '../ledger/store/ledger.store.ts';
import { CannotRun, DoesNotHold } from './command.ts';
import { madeBy } from './made-by.ts';
import { bytesOf, LEDGER_COPY, MANIFEST, type Manifest, signedSchema, sumOf } from './manifest.ts';
import { PLAIN_FILES } from './plain-files.ts';

/** More than the manifest of any export. */
const MOST_BYTES = 16 * 2 ** 20;

export interface ExportReport {
  readonly ok: boolean;
  /** Empty when it holds. */
  readonly problem: string;
  readonly files: number;
  readonly headSeq: number;
  /** Null: it is not signed, so whoever can write there could have made it. */
  readonly keyId: string | null;
  /** The key is the one that was named. */
  readonly isKnownKey: boolean;
}

/**
 * Without a known key everything is checked all the same; but anybody could have signed, so it does
 * not hold.
 */
export function verifyExport(dir: string, known: Uint8Array | null): ExportReport {
  const { manifest, publicKey, signature } = readManifest(dir);
  const key = publicKey === null ? null : Buffer.from(publicKey, 'hex');
  const keyId = key && keyIdOf(key);
  const isKnownKey = key !== null && known !== null && key.equals(known);
  const problem = problemOf(dir, manifest, key, signature) || strangerOf(keyId, known, isKnownKey);
  const { files, headSeq } = manifest;
  return { ok: problem === '', problem, files: files.length, headSeq, keyId, isKnownKey };
}

function readManifest(dir: string): z.infer<typeof signedSchema> {
  const path = join(dir, MANIFEST);
  if (!existsSync(path))
    throw new CannotRun(`${dir} has no ${MANIFEST}: it is no export, or one that was not finished`);
  try {
    const { size } = lstatSync(path);
    if (size > MOST_BYTES) throw new Error(`it has ${size} bytes`);
    return signedSchema.parse(readJsonFile(path));
  } catch (error) {
    const what =
      error instanceof z.ZodError ? z.prettifyError(error).split('\n')[0] : (error as Error).message;
    throw new DoesNotHold(`${path} is no manifest: ${what}`);
  }
}

function strangerOf(keyId: string | null, known: Uint8Array | null, isKnownKey: boolean): string {
  if (isKnownKey) return '';
  return known === null
    ? `it agrees with itself, but anybody could have made it: name the terminal's public key with --key, to be compared with ${keyId}, which has signed`
    : `${MANIFEST} is signed with key ${keyId}, not with ${keyIdOf(known)}`;
}

function problemOf(
  dir: string,
  manifest: Manifest,
  key: Uint8Array | null,
  signature: string | null,
): string {
  if (key === null || signature === null)
    return `${MANIFEST} is not signed: whoever can write there could have made it`;
  if (!verifySignature(key, bytesOf(manifest), Buffer.from(signature, 'hex')))
    return `the signature of ${MANIFEST} does not hold`;
  return (
    filesProblem(dir, manifest) || ledgerProblem(dir, manifest, keyIdOf(key)) || plainProblem(dir, manifest)
  );
}

function filesProblem(dir: string, manifest: Manifest): string {
  const named = new Set(manifest.files.map(({ name }) => name));
  for (const name of [LEDGER_COPY, ...Object.keys(PLAIN_FILES)])
    if (!named.has(name)) return `${MANIFEST} does not name ${name}`;
  for (const { name, bytes, sha256 } of manifest.files) {
    const path = join(dir, name);
    const file = lstatSync(path, { throwIfNoEntry: false });
    if (file === undefined) return `${name} is gone`;
    if (!file.isFile() || file.size !== bytes || sumOf(path).sha256 !== sha256)
      return `${name} is not the file that was exported`;
  }
  // What is no folder, links too: a link could lead to anything tomorrow.
  for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
    const name = relative(dir, join(entry.parentPath, entry.name)).split(sep).join('/');
    if (!entry.isDirectory() && name !== MANIFEST && !named.has(name))
      return `${name} is no file of this export`;
  }
  return '';
}

function ledgerProblem(dir: string, manifest: Manifest, keyId: string): string {
  const report = verifyLedger(join(dir, LEDGER_COPY));
  if (!report.ok) {
    const asSaid = manifest.ok ? '' : ', and did not when it was exported';
    return `${LEDGER_COPY} does not hold${asSaid}: ${report.problem}`;
  }
  if (report.terminal !== manifest.terminal)
    return `${LEDGER_COPY} is of ${report.terminal}, the manifest of ${manifest.terminal}`;
  if (report.headSeq !== manifest.headSeq || report.headHash !== manifest.headHash)
    return `${LEDGER_COPY} ends with entry ${report.headSeq}, the manifest says ${manifest.headSeq}`;
  if (report.checkpoints > 0 && !report.keyIds.includes(keyId))
    return `${MANIFEST} is signed with key ${keyId}, the ledger with ${report.keyIds.join(', ')}`;
  return '';
}

/**
 * Written again from the ledger: a signature says who has exported, this says that what was
 * exported is true.
 */
function plainProblem(dir: string, { made, headSeq }: Manifest): string {
  const reader = openLedgerReader(join(dir, LEDGER_COPY));
  try {
    if (made !== undefined && !isDeepStrictEqual(made, madeBy(reader, headSeq)))
      return `${MANIFEST} names another program or table than ${LEDGER_COPY}`;
    for (const [name, parts] of Object.entries(PLAIN_FILES)) {
      const sum = createHash('sha256');
      for (const part of parts(reader)) sum.update(part);
      if (sum.digest('hex') !== sumOf(join(dir, name)).sha256)
        return `${name} is not what this program makes of the entries in ${LEDGER_COPY}`;
    }
    return '';
  } finally {
    reader.close();
  }
}
