/**
 * The proof in one command: types, style, build, then the tests; `npm test`. With `--all` the long
 * ones too, `npm run test:all`. With words, the tests with one of them in their path, all of them:
 * `node test/run.ts WORD…`; with `--unit`, the unit tests alone. Ends with the closing lines of
 * node's test runner.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  closeSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { finished } from 'node:stream/promises';
import { run as runTests } from 'node:test';
import { spec } from 'node:test/reporters';
import { pathToFileURL } from 'node:url';
import { argumentsOf } from '../ledger/chain/program-arguments.ts';
import { startPostgres } from './centre/postgres.ts';
import { debianPrograms } from './support/debian-programs.ts';

const started = performance.now();
const { values, positionals: only } = argumentsOf({
  allowPositionals: true,
  options: { unit: { type: 'boolean', default: false }, all: { type: 'boolean', default: false } },
});
const unitOnly = values.unit;
const isShort = only.length === 0 && !values.all;
// Read by `support/long.ts`.
process.env['BANCA_SHORT'] = isShort ? '1' : '';

process.env['NODE_ENV'] = 'test';
// Node keeps what it makes of the sources: taking the types out is most of the start of a test
// file, or of `banca`. A terminal passes this on to none of its programs.
process.env['NODE_COMPILE_CACHE'] = join(import.meta.dirname, '..', 'build', 'tests', 'compile-cache');

/**
 * Terminals of the tests keep their ledgers in memory where there is enough: a hundred of them that
 * sync to one slow disk wait for it most of the time. Nothing here pulls a plug, and what a killed
 * process has written stays.
 */
const MEMORY = '/dev/shm';
const ENOUGH_BYTES = 8 * 2 ** 30;
if (process.env['TMPDIR'] === undefined && existsSync(MEMORY)) {
  const { bavail, bsize } = statfsSync(MEMORY);
  if (bavail * bsize >= ENOUGH_BYTES) process.env['TMPDIR'] = MEMORY;
}

function ended(title: string, at: number, status: number | null, signal: string | null): boolean {
  const seconds = ((performance.now() - at) / 1000).toFixed(1);
  if (status === 0) console.log(`${title}: ${seconds} s`);
  else console.log(`\n${title}: FAILED (${signal ?? `exit ${status}`}) after ${seconds} s`);
  return status === 0;
}

/** Suites that failed. One that failed does not keep the next from being run. */
const failed: string[] = [];

/**
 * For programs of Go: what they hold is freed at their end, and collecting it before is a fifth of
 * their time.
 */
const NO_COLLECTION = { GOGC: 'off', GOMEMLIMIT: '3GiB' };

/**
 * Runs beside what comes next; what it says is printed by the returned function, which waits for
 * its end.
 */
function beside(title: string, command: string, args: readonly string[]): () => Promise<void> {
  const at = performance.now();
  const folder = mkdtempSync(join(tmpdir(), 'banca-test-'));
  const said = join(folder, 'said');
  const output = openSync(said, 'w');
  const env = { ...process.env, ...NO_COLLECTION };
  const child = spawn(command, args, { stdio: ['ignore', output, output], env });
  closeSync(output);
  const exit = once(child, 'exit') as Promise<[number | null, string | null]>;
  process.once('exit', () => child.kill());
  return async () => {
    const [status, signal] = await exit;
    process.stdout.write(readFileSync(said));
    rmSync(folder, { recursive: true });
    if (!ended(title, at, status, signal)) failed.push(title);
  };
}

const tests = (patterns: readonly string[]): string[] =>
  globSync([...patterns])
    .filter((file) => only.length === 0 || only.some((word) => file.includes(word)))
    .toSorted((a, b) => rankOf(a) - rankOf(b));
interface Took {
  readonly file: string;
  /** Seconds from its start to its end, and of the processor, both with what it has started. */
  readonly wall: number;
  readonly processor: number;
}

/** What each test file took, as `support/each-file.ts` writes it. */
const times = join(mkdtempSync(join(tmpdir(), 'banca-times-')), 'times');
process.env['BANCA_TEST_TIMES'] = times;
process.env['BANCA_TEST_RUNNER'] = String(process.pid);
process.once('exit', () => rmSync(dirname(times), { recursive: true, force: true }));
const HEAVIEST = 12;

/** Why tests have failed, of this process and of the one with the unit tests; said last. */
const reasons = process.env['BANCA_TEST_REASONS'] ?? join(dirname(times), 'reasons');
process.env['BANCA_TEST_REASONS'] = reasons;
const MOST_REASON = 600;

function sayTimes(title: string): void {
  const all = readFileSync(times, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Took);
  const sum = all.reduce((seconds, { processor }) => seconds + processor, 0);
  console.log(
    `${title}: ${all.length} files took ${sum.toFixed(0)} s of processor; the longest, with theirs:`,
  );
  for (const { file, wall, processor } of all.toSorted((a, b) => b.wall - a.wall).slice(0, HEAVIEST))
    console.log(
      `  ${wall.toFixed(1).padStart(6)} s ${processor.toFixed(1).padStart(6)} s  ${relative('.', file)}`,
    );
}

/** Milliseconds that this machine's processors have worked and waited since its start. */
function processors(): { readonly busy: number; readonly all: number } {
  const times = cpus().map(({ times }) => times);
  const all = times.flatMap((each) => Object.values(each)).reduce((sum, each) => sum + each, 0);
  return { busy: all - times.reduce((sum, { idle }) => sum + idle, 0), all };
}

/** Runs these files in this order, so many at once. */
async function nodeTest(title: string, files: readonly string[], concurrency: number): Promise<void> {
  if (files.length === 0) return;
  const at = performance.now();
  const before = processors();
  writeFileSync(times, '');
  let isGreen = true;
  const stream = runTests({
    files: [...files],
    concurrency,
    timeout: 900_000,
    execArgv: ['--import', pathToFileURL(join(import.meta.dirname, 'support', 'each-file.ts')).href],
  });
  stream.on('test:fail', ({ todo, file, name, details: { error } }) => {
    if (todo !== undefined && todo !== false) return;
    isGreen = false;
    if ('failureType' in error && error.failureType === 'subtestsFailed') return;
    const { message } = error.cause instanceof Error ? error.cause : error;
    const where = file === undefined ? '' : relative('.', file);
    appendFileSync(
      reasons,
      `✖ ${where} «${name}»\n  ${message.slice(0, MOST_REASON).replaceAll('\n', '\n  ')}\n`,
    );
  });
  const said = stream.compose(new spec());
  said.pipe(process.stdout, { end: false });
  await finished(said);
  sayTimes(title);
  const { busy, all } = processors();
  console.log(`${title}: processors ${Math.round((100 * (busy - before.busy)) / (all - before.all))} % busy`);
  if (!ended(title, at, isGreen ? 0 : 1, null)) failed.push(title);
}

const UNIT = [
  'engine',
  'hardware',
  'ledger',
  'reader',
  'wire',
  'host',
  'renderer',
  'electron',
  'upstream',
  'cli',
  'assets',
  'bench',
]
  .map((room) => `${room}/**/*.test.ts`)
  .concat('test/rooms/**/*.test.ts');
/**
 * Rooms whose tests share nothing but code: one process for each room. Starting a process for each
 * file and loading the sources anew takes 0.6 s of a processor, two thirds of most of them.
 */
const TOGETHER = ['engine', 'wire', 'renderer', 'host', 'hardware', 'ledger', 'upstream', 'electron'];
/** These wait much of their time: so many processes each. */
const WAITING = ['test/host', 'test/panels', 'test/docs'];
const WAITING_PROCESSES = 2;

/** These files, with the short ones of each of these rooms behind files that import them. */
function together(files: readonly string[], rooms: readonly string[], processes: number): string[] {
  const folder = join('build', 'tests', 'together');
  mkdirSync(folder, { recursive: true });
  const isShort = (file: string): boolean => rankOf(file) === LONG.length;
  const gathered = new Set<string>();
  const made = rooms.flatMap((room) => {
    const members = files.filter((file) => file.startsWith(`${room}/`) && isShort(file));
    return Array.from({ length: Math.min(processes, members.length) }, (_, no) => {
      const own = members.filter((__, at) => at % processes === no);
      const path = join(folder, `${room.replace('/', '-')}-${no + 1}.test.ts`);
      writeFileSync(path, own.map((file) => `import '../../../${file}';\n`).join(''));
      for (const file of own) gathered.add(file);
      return path;
    });
  });
  return [...made, ...files.filter((file) => !gathered.has(file))];
}

/**
 * These take longest and come first, the longest of them at the head: else one of them would run on
 * alone at the end.
 */
const LONG = [
  'engine/table/random-play',
  'cli/simulate',
  'cli/banca',
  'cli/build',
  'engine/games/casino-war/random-play',
  'ledger/copy/',
  'cli/figures/',
  'engine/games/baccarat/random-play',
  'hardware/bill-acceptor/slow-lines',
  'hardware/bill-acceptor/cctalk/',
  'hardware/bill-acceptor/ebds/',
  'hardware/bill-acceptor/ssp/',
  'test/host/growth',
  // It waits for two dead servers.
  'test/centre/failover',
  'test/attacks/hidden-cards',
  'test/screens/screens',
  'test/shell/',
  'test/newcomer/newcomer',
  'test/attacks/old-disk-image',
  'test/host/demo',
  'test/attacks/production',
  'test/attacks/witness',
  'test/crash/crash',
  'test/e2e/second-start',
  'test/e2e/service',
  'test/panels/repair',
  'test/attacks/sealed-electron',
  'test/attacks/way-back',
  'test/attacks/exports',
  'test/attacks/sticks',
  'test/attacks/software',
  'test/attacks/burnt-cards',
  'test/attacks/hidden-hands',
  'test/attacks/kills',
  'test/host/shoe',
  'test/host/behind',
  'test/e2e/',
  'test/screens/keyboard',
  'test/attacks/',
  'test/pictures/',
  'test/touchmap/',
  'test/docs/recovery',
  'test/verifier/',
  'test/centre/',
];

/**
 * Run with `--all` alone. Shorter ones look for the same: `hidden-cards` for a card that lies face
 * down, `crash` for a kill, `displays` for the table in Electron, `repair` for a technician's way.
 */
const LONG_FILES = [
  'test/attacks/burnt-cards.test.ts',
  'test/attacks/hidden-hands.test.ts',
  'test/attacks/kills.test.ts',
  'test/e2e/electron.test.ts',
  'test/newcomer/technician.test.ts',
];

/**
 * The unit tests in a process that has no network but its own loopback: nothing of them, the build
 * included, may need more. `test/rooms/offline.test.ts` is among them and looks.
 */
async function unitsCutOff(): Promise<void> {
  const at = performance.now();
  const args = ['test/run.ts', '--unit', ...(values.all ? ['--all'] : []), ...only];
  // Where no account but root may make a network of its own, it is root of its own first.
  const own = process.getuid?.() === 0 ? ['--net'] : ['--map-root-user', '--net'];
  const loopback = ['sh', '-c', 'ip link set lo up && exec "$@"', 'sh'];
  const isPossible = spawnSync('unshare', [...own, ...loopback, 'true']).status === 0;
  if (!isPossible)
    console.error('this machine makes no network of its own: unit tests see that of the machine');
  const [command, ...rest] = [
    ...(isPossible ? ['unshare', ...own, ...loopback] : []),
    process.execPath,
    ...args,
  ];
  const child = spawn(command!, rest, {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, BANCA_CUT_OFF: isPossible ? '1' : '' },
  });
  process.once('exit', () => child.kill());
  const [status, signal] = (await once(child, 'exit')) as [number | null, string | null];
  if (!ended('unit tests, cut off', at, status, signal)) failed.push('unit tests');
}

const rankOf = (file: string): number => {
  const rank = LONG.findIndex((long) => file.startsWith(long));
  return rank < 0 ? LONG.length : rank;
};

if (only.length === 0 && !unitOnly) {
  const checks = [
    // A second checker would check again what all projects share.
    beside('types', 'tsc', ['-b', '--builders', '1', '--checkers', '1']),
    beside('format and lint', 'biome', ['check', '.']),
    beside('type-aware lint', 'oxlint', ['--type-aware']),
  ];
  for (const done of checks) await done();
  if (failed.length > 0) process.exit(1);
}
/**
 * Left out: devices of our own that break off in mid-byte, CP210x and encrypted SSP among them, and
 * the whole terminal, whose hosts take an emulated processor half a minute each: two thirds of the
 * time of all. `npm run test:usb` has them.
 */
const LEFT_OUT = ['usbip', 'terminal'];
const RIG = isShort
  ? ['cdc-acm', 'hid']
  : globSync('*.ts', { cwd: join(import.meta.dirname, 'usb', 'guest', 'tests') })
      .map((file) => basename(file, '.ts'))
      .filter((name) => !LEFT_OUT.includes(name));
// The guest of the rig waits much of its time, so it runs beside the others.
const usb =
  !unitOnly && (only.length === 0 || only.includes('usb'))
    ? beside('tests on USB', process.execPath, ['test/usb/usb.ts', ...RIG])
    : null;
const units = tests(UNIT);
if (unitOnly || units.length === 0) await nodeTest('unit tests', together(units, TOGETHER, 1), 2);
else await unitsCutOff();
if (unitOnly) process.exit(failed.length === 0 ? 0 : 1);
const whole = tests(['test/**/*.test.ts']).filter(
  (file) => !file.startsWith('test/rooms/') && !(isShort && LONG_FILES.includes(file)),
);
// Fetched once, before several files would do it at the same time.
if (whole.some((file) => file.startsWith('test/centre/'))) {
  const programs = debianPrograms();
  if ('skip' in programs) console.error(programs.skip);
}
// To make, start and stop one takes some seconds of a processor.
const server =
  whole.filter((file) => file.startsWith('test/centre/')).length > 1 ? await startPostgres() : null;
if (server && 'url' in server) process.env['BANCA_TEST_POSTGRES'] = server.url;
// They wait for terminals, centres and devices much of their time: three at once left 15 % of two
// cores idle.
await nodeTest('tests of whole processes', together(whole, WAITING, WAITING_PROCESSES), 4);
if (server && 'url' in server) await server.stop();
await usb?.();
console.log(`all tests: ${((performance.now() - started) / 1000).toFixed(0)} s`);
if (existsSync(reasons)) console.log(`\n${readFileSync(reasons, 'utf8')}`);
if (failed.length > 0) console.log(`FAILED: ${failed.join(', ')}`);
process.exit(failed.length === 0 ? 0 : 1);
