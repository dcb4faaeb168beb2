/**
 * Programs of Debian that tests start themselves: PostgreSQL with its backup and its failover, and
 * Prometheus. What this machine has not is fetched once by apt and unpacked, not installed:
 * installed, most of them would run as services of this machine from then on.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

const PACKAGES = [
  'postgresql',
  'pgbackrest',
  'patroni',
  'etcd-server',
  'prometheus',
  'prometheus-alertmanager',
];
/** A hundred megabytes each. */
const NOT_RUN = ['prometheus', 'prometheus-alertmanager'];
const CACHE = join(import.meta.dirname, '../../node_modules/.cache/banca');
const PLACE = join(
  CACHE,
  `programs-${createHash('sha256').update(PACKAGES.join()).digest('hex').slice(0, 12)}`,
);

export interface DebianPrograms {
  /** Where those that this machine had not are unpacked. */
  readonly place: string;
  /** Of a process that runs one of them. */
  readonly env: Readonly<Record<string, string>>;
}

let found: DebianPrograms | { readonly skip: string } | null = null;

export function debianPrograms(): DebianPrograms | { readonly skip: string } {
  found ??= look();
  return found;
}

function look(): DebianPrograms | { readonly skip: string } {
  const why = `${PLACE}-not-fetched`;
  if (!existsSync(PLACE)) {
    if (process.env['BANCA_NO_SETUP'] === '1')
      return { skip: `BANCA_NO_SETUP=1 forbids to fetch ${PACKAGES.join(', ')}` };
    if (existsSync(why)) return { skip: readFileSync(why, 'utf8') };
    try {
      fetchPrograms();
    } catch (error) {
      // Once: a machine without a network would try for a minute at each test file.
      writeFileSync(
        why,
        `apt has not brought ${PACKAGES.join(', ')}: ${(error as Error).message} (${why} says so)`,
      );
      return { skip: readFileSync(why, 'utf8') };
    }
  }
  const under = (...folders: string[]): string => folders.map((each) => join(PLACE, each)).join(delimiter);
  const libraries = globSync('usr/lib/*-linux-gnu', { cwd: PLACE });
  return {
    place: PLACE,
    env: {
      PATH: `${under('usr/bin', 'usr/sbin')}${delimiter}${process.env['PATH'] ?? ''}`,
      ...(libraries.length > 0 && { LD_LIBRARY_PATH: under(...libraries) }),
      PYTHONPATH: under('usr/lib/python3/dist-packages'),
      LC_ALL: 'C.UTF-8',
      PYTHONDONTWRITEBYTECODE: '1',
    },
  };
}

function apt(cwd: string, ...words: string[]): string {
  const done = spawnSync('apt-get', ['-qq', ...words], { cwd, encoding: 'utf8', maxBuffer: 2 ** 26 });
  if (done.status === 0) return done.stdout;
  throw new Error(`apt-get ${words[0]}: ${done.error?.message ?? done.stderr.trim().split('\n').at(-1)}`);
}

function fetchPrograms(): void {
  mkdirSync(CACHE, { recursive: true });
  const dir = mkdtempSync(join(CACHE, 'fetch-'));
  try {
    // What an installation would bring besides what is here, by apt itself.
    const missing = (): string[] =>
      [
        ...apt(dir, 'install', '--simulate', '--no-install-recommends', ...PACKAGES).matchAll(
          /^Inst (\S+)/gm,
        ),
      ].map(([, name]) => name!);
    const fetchAll = (): void => {
      const names = missing();
      console.error(
        `fetching ${names.length} packages for ${PACKAGES.join(', ')} (once, unpacked in node_modules/.cache)`,
      );
      if (names.length > 0) apt(dir, 'download', ...names);
    };
    try {
      fetchAll();
    } catch {
      // Package lists are missing or name a version that the archive has replaced.
      if (process.getuid?.() === 0) apt(dir, 'update');
      else spawnSync('sudo', ['-n', 'apt-get', 'update', '-qq'], { stdio: 'ignore' });
      fetchAll();
    }
    const unpacked = join(dir, 'unpacked');
    mkdirSync(unpacked);
    for (const file of globSync('*.deb', { cwd: dir })) {
      const { status, stderr } = spawnSync('dpkg-deb', ['-x', join(dir, file), unpacked], {
        encoding: 'utf8',
      });
      if (status !== 0) throw new Error(`${file}: ${stderr}`);
    }
    for (const program of NOT_RUN) rmSync(join(unpacked, 'usr/bin', program), { force: true });
    // Whoever runs it later may not write here.
    spawnSync('/usr/bin/python3', ['-m', 'compileall', '-q', join(unpacked, 'usr/lib/python3')]);
    mkdirSync(dirname(PLACE), { recursive: true });
    renameSync(unpacked, PLACE);
  } catch (error) {
    // Another test file was quicker.
    if (!existsSync(PLACE)) throw error;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
