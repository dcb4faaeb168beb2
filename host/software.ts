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

/** Version of the package and one SHA-256 over all code and texts: what an auditor compares with the approved one. */
export function softwareIdentity(root: string): { version: string; id: string } {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const hash = createHash('sha256');
  const files = globSync(
    PARTS.map((part) => `${part}/**/*.{ts,tsx,json,css,html,svg}`),
    { cwd: root },
  );
  for (const path of files.sort()) {
    hash
      .update(path)
      .update('\0')
      .update(readFileSync(join(root, path)))
      .update('\0');
  }
  return { version, id: hash.digest('hex') };
}
