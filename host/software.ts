import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Everything whose change changes what the terminal does; the built page is covered by its sources. */
const PARTS = [
  'engine',
  'hardware',
  'ledger',
  'host',
  'renderer',
  'electron',
  'upstream',
  'locales',
  'assets',
];

export interface SoftwareIdentity {
  readonly version: string;
  /** `idOf` the files: what an auditor compares with the approved one. */
  readonly id: string;
  /** SHA-256 of every file in hex, by its path. */
  readonly files: Readonly<Record<string, string>>;
}

/** SHA-256 over the lines `<path> <SHA-256>`, by path in the order of its characters. */
export function idOf(files: Readonly<Record<string, string>>): string {
  const hash = createHash('sha256');
  for (const path of Object.keys(files).sort()) hash.update(`${path} ${files[path]}\n`);
  return hash.digest('hex');
}

/** Version of the package and hashes of all code and texts. */
export function softwareIdentity(root: string): SoftwareIdentity {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const paths = globSync(
    PARTS.map((part) => `${part}/**/*.{ts,tsx,json,css,html,svg}`),
    { cwd: root },
  );
  const files = Object.fromEntries(
    paths.map((path) => [
      path,
      createHash('sha256')
        .update(readFileSync(join(root, path)))
        .digest('hex'),
    ]),
  );
  return { version, id: idOf(files), files };
}
