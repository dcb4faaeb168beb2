/**
 * `banca release --sign KEY | --check --key KEY [--json]`: the list of all files that decide what
 * this installation does, signed by its maker, in `release.json`. Exit 0 signed, or everything as
 * signed; 1 something is not; 2 cannot run.
 */
import { createPrivateKey } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { RELEASE, releaseProblem, releaseText } from '../host/program/release.ts';
import { softwareIdentity } from '../host/program/software.ts';
import { keyFromPrivate, type LedgerKey } from '../ledger/chain/key.ts';
import { CannotRun, readArguments, required } from './command.ts';
import { readPublicKey } from './public-key.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

export function release(argv: string[]): number {
  const { values } = readArguments(argv, {
    sign: { type: 'string' },
    check: { type: 'boolean', default: false },
    key: { type: 'string' },
    json: { type: 'boolean', default: false },
  });
  if ((values.sign === undefined) !== values.check) throw new CannotRun('--sign KEY or --check: one of them');
  if (values.sign !== undefined) return sign(makersKey(values.sign), values.json);
  const key = readPublicKey('--key', required('--key FILE|BASE64', values.key))!;
  const software = softwareIdentity(ROOT);
  const problem = releaseProblem(ROOT, software, [Buffer.from(key).toString('base64')]);
  const { version, id } = software;
  if (values.json) console.log(JSON.stringify({ ok: problem === null, problem: problem ?? '', version, id }));
  else if (problem === null) console.log(`Everything is as signed: banca ${version}, software id ${id}`);
  else console.log(`This is not the signed release: ${problem}`);
  return problem === null ? 0 : 1;
}

function makersKey(path: string): LedgerKey {
  try {
    const key = createPrivateKey(readFileSync(path, 'utf8'));
    if (key.asymmetricKeyType !== 'ed25519') throw new Error(`it is ${key.asymmetricKeyType}`);
    return keyFromPrivate(key);
  } catch (error) {
    throw new CannotRun(`--sign ${path}: no private Ed25519 key in PEM: ${(error as Error).message}`);
  }
}

function sign(key: LedgerKey, json: boolean): number {
  const software = softwareIdentity(ROOT);
  const path = join(ROOT, RELEASE);
  writeFileSync(`${path}.part`, releaseText(software, key.sign));
  renameSync(`${path}.part`, path);
  const { version, id, files } = software;
  const softwareKey = Buffer.from(key.publicKey).toString('base64');
  const count = Object.keys(files).length;
  if (json) console.log(JSON.stringify({ path, version, id, files: count, softwareKey }));
  else
    console.log(
      `${path}: banca ${version}, ${count} files, software id ${id}\n"softwareKey": ["${softwareKey}"]`,
    );
  return 0;
}
