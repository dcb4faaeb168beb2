/** What of this installation decides what the terminal does, file by file. */
import { createHash, hash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The sources of all that runs. */
export const ROOMS: readonly string[] = [
  'engine',
  'hardware',
  'wire',
  'ledger',
  'reader',
  'host',
  'cli',
  'renderer',
  'electron',
  'upstream',
  'locales',
  'assets',
];
/**
 * What really runs and is shown, letters, cards and sounds included. It is built of the rooms and
 * of packages, and the same bytes wherever it is built.
 */
const BUILT = ['build/electron', 'build/program', 'build/renderer'];
/**
 * How Node and npm take all of that; a package that lies nearer than those of the lock file would
 * be taken instead.
 */
const AROUND = ['package.json', 'package-lock.json', '.npmrc', 'build/package.json', 'build/node_modules'];

/** These packages are in `build/renderer` and loaded from nowhere else. */
export const PAGE_ONLY: readonly string[] = [
  '@fontsource-variable/noto-sans-hk',
  '@preact/signals',
  'i18next',
  'pixi.js',
  'preact',
  'uqr',
];
/** Its one file that runs is `node`, which is looked at wherever it lies. */
const NODE_PACKAGE = /^node-(?:bin-|linux-)/;

const UNITS = ['banca.service', 'banca.socket', 'banca-kiosk.service', 'banca-window.socket'];
/** Where `docs/operations/install.md` puts copies of files of `electron/deploy`. */
const INSTALLED: Readonly<Record<string, string>> = {
  ...Object.fromEntries(UNITS.map((unit) => [unit, `/etc/systemd/system/${unit}`])),
  '70-banca-usb.rules': '/etc/udev/rules.d/70-banca-usb.rules',
  '70-banca-pcscd.rules': '/etc/polkit-1/rules.d/70-banca-pcscd.rules',
  '71-banca-lockdown.rules': '/etc/udev/rules.d/71-banca-lockdown.rules',
  '70-banca-sysctl.conf': '/etc/sysctl.d/70-banca.conf',
  '70-banca-modprobe.conf': '/etc/modprobe.d/banca.conf',
  'chromium-policy.json': '/etc/chromium/policies/managed/banca.json',
};
/** What systemd adds to the units. */
const DROP_INS = UNITS.map((unit) => `/etc/systemd/system/${unit}.d`);

export interface SoftwareIdentity {
  readonly version: string;
  /** `idOf` the files: what an auditor compares with the approved one. */
  readonly id: string;
  /** SHA-256 of every file in hex, by its path; of what is no file, of what it is. */
  readonly files: Readonly<Record<string, string>>;
}

/** The software of a host; of a test's, its name alone. */
export type Software = Pick<SoftwareIdentity, 'version' | 'id'> & Partial<SoftwareIdentity>;

/** SHA-256 over the lines `<path> <SHA-256>`, by path in the order of its characters. */
export function idOf(files: Readonly<Record<string, string>>): string {
  const sum = createHash('sha256');
  for (const path of Object.keys(files).sort()) sum.update(`${path} ${files[path]}\n`);
  return sum.digest('hex');
}

/** For people: path and hash, a package being one line with `idOf` its files; null for no list. */
export function byPackage(
  files: SoftwareIdentity['files'] | undefined,
): [path: string, sum: string][] | null {
  if (files === undefined) return null;
  const packages = new Map<string, Record<string, string>>();
  const lines: Record<string, string> = {};
  for (const [path, sum] of Object.entries(files)) {
    const name = /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1];
    if (name === undefined) lines[path] = sum;
    else packages.set(name, Object.assign(packages.get(name) ?? {}, { [path]: sum }));
  }
  for (const [name, within] of packages) lines[`node_modules/${name}`] = idOf(within);
  return Object.entries(lines);
}

/**
 * All that decides what the terminal does. Takes a second: see `readSoftware` for a host that
 * plays.
 */
export function softwareIdentity(root: string, system = '/'): SoftwareIdentity {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const files: Record<string, string> = { node: sumOf(process.execPath, Infinity) };
  for (const path of [...ROOMS, ...BUILT, ...AROUND, 'node_modules/electron/dist', 'node_modules/.bin/node'])
    add(root, path, files);
  addPackages(root, files);
  for (let at = dirname(root); ; at = dirname(at)) {
    if (existsSync(join(at, 'node_modules'))) files[join(at, 'node_modules')] = kind('beside the program');
    if (at === dirname(at)) break;
  }
  for (const [name, path] of Object.entries(INSTALLED)) {
    const found: Record<string, string> = {};
    add(system, path.slice(1), found);
    const sum = found[path.slice(1)];
    // One that is as it is delivered says nothing more.
    if (sum !== undefined && sum !== files[`electron/deploy/${name}`]) files[path] = sum;
  }
  const dropIns: Record<string, string> = {};
  for (const path of DROP_INS) add(system, path.slice(1), dropIns);
  for (const [path, sum] of Object.entries(dropIns)) files[`/${path}`] = sum;
  addProcess(files);
  return { version, id: idOf(files), files };
}

/** All of `rooms` and the lock file: what a build of the host depends on. */
export function sourcesId(root: URL): string {
  const files: Record<string, string> = {};
  for (const path of [...ROOMS, 'package-lock.json']) add(fileURLToPath(root), path, files);
  return idOf(Object.fromEntries(Object.entries(files).filter(([path]) => !path.endsWith('.test.ts'))));
}

/** What brings other code into this very process. */
const INTO_NODE = /^(?:NODE_OPTIONS|NODE_PATH|NODE_REPL_EXTERNAL_MODULE|LD_(?!BIND_NOW$).*)$/;
/** Options of Node that the supervisor gives, and those of no weight. */
const HARMLESS =
  /^--(?:max-semi-space-size=|disable-sigusr1$|disable-warning=|title=|test|enable-source-maps$)/;

/**
 * Options and variables of this process, and the folders that Node looks for missing packages in.
 */
function addProcess(files: Record<string, string>): void {
  for (const [name, value] of Object.entries(process.env))
    if (INTO_NODE.test(name) && value !== '') files[`environment/${name}`] = kind(value ?? '');
  for (const option of process.execArgv)
    if (!HARMLESS.test(option)) files[`option/${option}`] = kind('an option of Node');
  const home = process.env['HOME'];
  const global = [
    ...(home === undefined ? [] : [join(home, '.node_modules'), join(home, '.node_libraries')]),
    join(dirname(process.execPath), '../..', 'lib', 'node'),
  ];
  for (const path of global) if (existsSync(path)) files[path] = kind('beside the program');
}

const kind = (what: string): string => hash('sha256', what);

/**
 * A file, or all that lies in a folder; nothing where there is neither. Links are not followed:
 * where they lead is what they are.
 */
function add(root: string, path: string, files: Record<string, string>): void {
  const full = join(root, path);
  const found = lstatSync(full, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (found.isDirectory()) for (const name of readdirSync(full)) add(root, `${path}/${name}`, files);
  else if (found.isFile()) files[path] = sumOf(full, found.size);
  else files[path] = kind(found.isSymbolicLink() ? `link to ${readlinkSync(full)}` : 'no file');
}

/** More than this is read piece by piece: Node itself has 126 MB. */
const PIECE = 1 << 20;

function sumOf(path: string, size: number): string {
  if (size <= PIECE) return hash('sha256', readFileSync(path));
  const sum = createHash('sha256');
  const piece = Buffer.allocUnsafe(PIECE);
  const fd = openSync(path, 'r');
  try {
    for (let n = readSync(fd, piece); n > 0; n = readSync(fd, piece)) sum.update(piece.subarray(0, n));
  } finally {
    closeSync(fd);
  }
  return sum.digest('hex');
}

interface Package {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/**
 * Every file of the packages that the programs load, and each package that the lock file does not
 * know.
 */
function addPackages(root: string, files: Record<string, string>): void {
  const lock = join(root, 'package-lock.json');
  const folder = join(root, 'node_modules');
  if (!existsSync(lock) || !existsSync(folder)) return;
  const { packages } = JSON.parse(readFileSync(lock, 'utf8')) as { packages: Record<string, Package> };
  const loaded = loadedPackages(packages);
  for (const path of loaded) if (!NODE_PACKAGE.test(basename(path))) add(root, path, files);
  const scoped = readdirSync(folder).flatMap((name) =>
    name.startsWith('@') && lstatSync(join(folder, name)).isDirectory()
      ? readdirSync(join(folder, name)).map((inside) => `${name}/${inside}`)
      : [name],
  );
  // A name with a dot at its front is none of a package.
  for (const name of scoped)
    if (!name.startsWith('.') && packages[`node_modules/${name}`] === undefined)
      files[`node_modules/${name}`] = kind('not in package-lock.json');
}

/** The folders of what the programs depend on, as Node looks for them. */
function loadedPackages(packages: Readonly<Record<string, Package>>): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (from: string, { dependencies, optionalDependencies, peerDependencies }: Package): void => {
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
      if (from === '' && PAGE_ONLY.includes(name)) continue;
      const path = folderOf(name, from);
      if (path === null || found.has(path)) continue;
      found.add(path);
      visit(path, packages[path]!);
    }
  };
  const folderOf = (name: string, from: string): string | null => {
    for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
      const path = `${at === '' ? '' : `${at}/`}node_modules/${name}`;
      if (packages[path]) return path;
      if (at === '') return null;
    }
  };
  visit('', packages['']!);
  return found;
}
