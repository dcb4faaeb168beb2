/** `release.json`: the files of an installation as their maker has signed them. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { canonicalText } from '../../ledger/chain/canonical.ts';
import { verifySignature } from '../../ledger/chain/key.ts';
import type { SoftwareIdentity } from './software.ts';

export const RELEASE = 'release.json';
/** Five times the list of today. */
const MOST_BYTES = 4 * 2 ** 20;

const signedSchema = z.strictObject({
  release: z.strictObject({
    version: z.string().min(1).max(60),
    /** `idOf` the files. */
    id: z.string().regex(/^[0-9a-f]{64}$/),
    files: z.record(z.string(), z.string().regex(/^[0-9a-f]{64}$/)),
  }),
  /** Ed25519 over the line `banca-release-v1` and the RFC 8785 text of `release`, in base64. */
  signature: z.base64().length(88),
});

const bytesOf = (release: SoftwareIdentity): Uint8Array =>
  Buffer.from(`banca-release-v1\n${canonicalText(release)}`);

/** The text of the file. */
export function releaseText(software: SoftwareIdentity, sign: (bytes: Uint8Array) => Uint8Array): string {
  const { version, id, files } = software;
  const release = { version, id, files };
  const signature = Buffer.from(sign(bytesOf(release))).toString('base64');
  return `${JSON.stringify({ release, signature }, null, 1)}\n`;
}

const MOST_NAMED = 10;

/**
 * Why `software` is not what the owner of one of `keys` (Ed25519, base64) has signed; null: it is.
 */
export function releaseProblem(
  root: string,
  software: SoftwareIdentity,
  keys: readonly string[],
): string | null {
  const path = join(root, RELEASE);
  if (!existsSync(path)) return `there is no ${RELEASE}: nobody has signed this installation`;
  if (statSync(path).size > MOST_BYTES) return `${RELEASE} has more than ${MOST_BYTES} bytes`;
  let signed: z.infer<typeof signedSchema>;
  try {
    signed = signedSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    const what =
      error instanceof z.ZodError ? z.prettifyError(error).split('\n')[0] : (error as Error).message;
    return `${RELEASE} is no list of files: ${what}`;
  }
  const { release, signature } = signed;
  const bytes = bytesOf(release);
  const isOf = (key: string): boolean =>
    verifySignature(Buffer.from(key, 'base64'), bytes, Buffer.from(signature, 'base64'));
  if (!keys.some(isOf)) return `${RELEASE} is signed by none of the keys that may sign`;
  if (release.version !== software.version)
    return `${RELEASE} is of version ${release.version}, this is ${software.version}`;
  const names = new Set([...Object.keys(release.files), ...Object.keys(software.files)]);
  const others = [...names].filter((name) => release.files[name] !== software.files[name]).sort();
  if (others.length === 0) return null;
  const named = others.slice(0, MOST_NAMED).map((name) => {
    const what = !Object.hasOwn(software.files, name)
      ? 'is gone'
      : Object.hasOwn(release.files, name)
        ? 'is changed'
        : 'is not of it';
    return `${name} ${what}`;
  });
  const more = others.length - named.length;
  return `not as signed: ${named.join(', ')}${more > 0 ? `, and ${more} more` : ''}`;
}
