import { createHash, hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Everything whose change changes what the terminal does. */
const PARTS = [
  'engine',
  'hardware',
  'ledger',
  'host',
  'cli',
  'renderer',
  'electron',
  'upstream',
  'locales',
  'assets',
];

const IS_PART = /\.(ts|tsx|json|css|html|svg)$/;
/** What really runs and is shown, letters, cards and sounds included. It is built of the parts and of packages, and the same bytes wherever it is built. */
const BUILT = ['build/electron', 'build/program', 'build/renderer'];

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

/** Version of the package and hashes of all code and texts, and of all that was built of them. */
export function softwareIdentity(root: string): SoftwareIdentity {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const files: Record<string, string> = {};
  // By hand: `globSync` and a stream of hashing for each took 130 ms of processor, this takes 35.
  const add = (folder: string, isPart: RegExp): void => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) add(path, isPart);
      else if (isPart.test(path)) files[path] = hash('sha256', readFileSync(join(root, path)));
    }
  };
  // A bundled program may stand alone, without its sources.
  for (const part of PARTS) if (existsSync(join(root, part))) add(part, IS_PART);
  for (const built of BUILT) if (existsSync(join(root, built))) add(built, /./);
  return { version, id: idOf(files), files };
}

let atStart: SoftwareIdentity | null = null;
/** As it was when it was first asked for: the program that has begun to run. */
export const softwareAtStart = (root: string): SoftwareIdentity => (atStart ??= softwareIdentity(root));

/** All that a build of the host depends on, packages included. */
export function sourcesId(root: URL): string {
  const files = Object.entries(softwareAtStart(fileURLToPath(root)).files);
  const isSource = (path: string): boolean => !path.endsWith('.test.ts') && !path.startsWith('build/');
  const id = idOf(Object.fromEntries(files.filter(([path]) => isSource(path))));
  return `${id} ${hash('sha256', readFileSync(new URL('package-lock.json', root)))}`;
}
