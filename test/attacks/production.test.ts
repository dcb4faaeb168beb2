/**
 * Where money is played for, a start that is not safe ends: with code 2, one sentence, and nothing
 * made or opened.
 */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { readLines } from '../../electron/json-lines.ts';
import { hashPin } from '../../host/config/people.ts';
import { whyNotForMoney } from '../../host/config/production.ts';
import { readTerminalFile, type TerminalFile } from '../../host/config/terminal-file.ts';
import { ROOT } from '../shell/paths.ts';
import { processTree } from '../shell/processes.ts';
import { BUILT_HOST, banca } from '../support/built.ts';
import { entriesOf } from '../support/entries.ts';
import { fullOr, LONG } from '../support/long.ts';
import { folderOf, stranger } from './kit.ts';

const LAUNCH = join(ROOT, 'electron', 'launch.ts');
const DEMO = join(ROOT, 'host', 'profiles', 'demo.json');
const demonstration = (): TerminalFile => JSON.parse(readFileSync(DEMO, 'utf8')) as TerminalFile;

/** Nobody's PIN, in the form of today's hashes. */
const hashOf = (digit: string): string => `scrypt$18$${digit.repeat(32)}$${digit.repeat(64)}`;

interface Case {
  readonly folder: string;
  readonly data: string;
  readonly path: string;
  file: Record<string, unknown>;
  args: string[];
}

/** A terminal file and a data folder with which money may be played for, and the unit's options. */
function properCase(t: TestContext): Case {
  const folder = folderOf(t);
  const { profile, people } = demonstration();
  const file = {
    profile: { ...profile, terminalId: 'BJ-07' },
    people: people.map((person, index) => ({ ...person, pinHash: hashOf(String(index)) })),
    devices: {
      acceptors: { 1: { model: 'id003', at: 'usb:0403:6001/NOBODY' } },
      shoe: { model: 'ksp1', at: 'usb:1209:0002' },
    },
  };
  const path = join(folder, 'terminal.json');
  const data = join(folder, 'data');
  return {
    folder,
    data,
    path,
    file,
    args: ['--production', '--profile', path, '--witness', join(folder, 'witness'), '--data', data],
  };
}

const write = ({ path, file }: Case): void => {
  writeFileSync(path, JSON.stringify(file));
  chmodSync(path, 0o600);
};

/**
 * Every socket that the supervisor of a start opens is a line in a file; its programs are not given
 * our environment.
 */
function watchSockets(folder: string): { env: NodeJS.ProcessEnv; opened: () => string[] } {
  const [hook, seen] = [join(folder, 'hook.mjs'), join(folder, 'sockets')];
  writeFileSync(
    hook,
    `import { appendFileSync } from 'node:fs';
     import net from 'node:net';
     for (const [owner, name] of [[net.Server.prototype, 'listen'], [net, '_createServerHandle']]) {
       const open = owner[name];
       owner[name] = function (...args) {
         appendFileSync(${JSON.stringify(seen)}, JSON.stringify(args[0]) + '\\n');
         return open.apply(this, args);
       };
     }`,
  );
  const { DISPLAY: _x, WAYLAND_DISPLAY: _w, ...env } = process.env;
  return {
    env: { ...env, NODE_OPTIONS: `--import=${hook}` },
    opened: () => (existsSync(seen) ? readFileSync(seen, 'utf8').split('\n').filter(Boolean) : []),
  };
}

function contentOf(folder: string): string[] | null {
  return existsSync(folder) ? readdirSync(folder, { recursive: true }).map(String).sort() : null;
}

/** Ended with code 2 and this one sentence, and no file is made. */
function assertRefused(
  {
    status,
    stdout,
    stderr,
  }: { readonly status: number | null; readonly stdout: string; readonly stderr: string },
  sentence: RegExp,
  what: string,
): void {
  assert.equal(status, 2, `${what}: ${status}: ${stderr}`);
  assert.equal(stderr.trimEnd().split('\n').length, 1, `${what}: one sentence: ${stderr}`);
  assert.match(stderr, sentence, what);
  assert.equal(stdout, '', what);
}

/** What every start asks the built host before anything else, in the supervisor's own words. */
function refused(made: Case, sentence: RegExp, what: string): void {
  const before = contentOf(made.data);
  const asked = [BUILT_HOST, ...made.args, '--check', '--supervised'];
  assertRefused(spawnSync(process.execPath, asked, { encoding: 'utf8', timeout: 600_000 }), sentence, what);
  assert.deepEqual(contentOf(made.data), before, `${what}: nothing is made`);
}

/**
 * The same by a whole start, which opens no socket either; and by `banca host --check`, as people
 * ask.
 */
function refusedWhole(made: Case, sentence: RegExp, what: string): void {
  const sockets = watchSockets(made.folder);
  const before = contentOf(made.data);
  const options = { env: sockets.env, encoding: 'utf8', timeout: 600_000 } as const;
  assertRefused(spawnSync(process.execPath, [LAUNCH, ...made.args], options), sentence, what);
  assert.deepEqual(contentOf(made.data), before, `${what}: nothing is made`);
  assert.deepEqual(sockets.opened(), [], `${what}: nothing is opened`);
}

/** As the document says to ask before the first start. */
function refusedByHand(made: Case, sentence: RegExp, what: string): void {
  const { status, stdout, stderr } = banca(['host', '--check', ...made.args]);
  assertRefused({ status, stdout, stderr }, sentence, what);
  assert.equal(contentOf(made.data), null, `${what}: nothing is made`);
}

type Change = (made: Case) => void;
const person =
  (index: number, change: object): Change =>
  (made) => {
    const people = made.file['people'] as object[];
    people[index] = { ...people[index], ...change };
  };
const devices =
  (change: object): Change =>
  (made) => {
    made.file['devices'] = { ...(made.file['devices'] as object), ...change };
  };
const option =
  (...more: string[]): Change =>
  (made) => {
    made.args = [...made.args, ...more];
  };

const WEAK = `scrypt$${'a'.repeat(32)}$${'b'.repeat(64)}`;

const FILES: readonly (readonly [what: string, change: Change, sentence: RegExp])[] = [
  [
    'a TPM of software',
    (made) => Object.assign(made.file, { tpm: 'swtpm:path=/tmp/tpm' }),
    /terminal\.json: tpm: swtpm:path=\/tmp\/tpm is a TPM of software/,
  ],
  [
    'the demonstration under a name of its own',
    (made) => Object.assign(made.file, { profile: demonstration().profile }),
    /terminal\.json: profile\.terminalId: BJ-DEMO-01 is the demonstration's: give/,
  ],
  [
    'a result that nobody could read',
    (made) => {
      const profile = made.file['profile'] as { timing: object };
      Object.assign(profile.timing, { minResultMs: 2_999 });
    },
    /terminal\.json: profile\.timing\.minResultMs: a result stays for 3000 ms at least/,
  ],
  [
    'a published hash',
    person(3, { pinHash: demonstration().people[1]!.pinHash }),
    /terminal\.json: people\.3\.pinHash: the PIN of T-01 is published: give this person another one with 'banca person'/,
  ],
  [
    'a hash that is tried in minutes',
    person(0, { pinHash: WEAK }),
    /terminal\.json: people\.0\.pinHash: the PIN of D-01 .* quickly tried out: .*'banca person'/,
  ],
  [
    'a hash that is tried in hours',
    person(0, { pinHash: hashOf('d').replace('$18$', '$17$') }),
    /terminal\.json: people\.0\.pinHash: the PIN of D-01 .* quickly tried out/,
  ],
  [
    'the devices taken out: simulated ones',
    (made) => delete made.file['devices'],
    /terminal\.json: devices: missing, so the devices would be simulated: name the real ones/,
  ],
  [
    'a cabinet board behind a socket',
    devices({ cabinet: { model: 'kcb1', at: 'unix:/tmp/cabinet.sock' } }),
    /terminal\.json: devices\.cabinet\.at: unix:\/tmp\/cabinet\.sock is a socket/,
  ],
  [
    'simulators among the devices',
    devices({ simulatorsAllowed: true }),
    /terminal\.json: devices\.simulatorsAllowed: is for a demonstration: take it out/,
  ],
  [
    'a shoe behind a socket',
    devices({ shoe: { model: 'ksp1', at: 'unix:/tmp/shoe.sock' } }),
    /terminal\.json: devices\.shoe\.at: unix:\/tmp\/shoe\.sock is a socket, .*: connect the device by usb:/,
  ],
  [
    'an acceptor behind a port',
    devices({ acceptors: { 2: { model: 'id003', at: 'tcp:4001' } } }),
    /terminal\.json: devices\.acceptors\.2\.at: tcp:4001 is a socket/,
  ],
  [
    'an acceptor behind a serial server',
    devices({ acceptors: { 2: { model: 'id003', at: 'tcp:10.0.0.2:4001' } } }),
    /devices\.acceptors\.2\.at: tcp:10\.0\.0\.2:4001 is a network, .*: connect an acceptor by usb:/,
  ],
  [
    'a printer behind a socket',
    devices({ printer: { model: 'escpos', at: 'unix:/tmp/printer.sock' } }),
    /devices\.printer\.at: unix:\/tmp\/printer\.sock is a socket/,
  ],
  [
    'a shoe behind an address of this machine',
    devices({ shoe: { model: 'ksp1', at: 'tcp:127.0.0.1:4001' } }),
    /devices\.shoe\.at: tcp:127\.0\.0\.1:4001 is a socket/,
  ],
  [
    'a shoe somewhere in the world',
    devices({ shoe: { model: 'ksp1', at: 'tcp:8.8.4.4' } }),
    /devices\.shoe\.at: tcp:8\.8\.4\.4 is no address of a network of its own/,
  ],
];

/**
 * The case that shows that a start, the supervisor's question and `banca host --check` end alike.
 */
const AS_A_WHOLE = 'a hash that is tried in minutes';

/** What the host judges by, without a start. */
function judged({ path, data, folder }: Case, sentence: RegExp, what: string): void {
  const why = whyNotForMoney({
    path,
    file: readTerminalFile(path),
    demonstration: { path: DEMO, file: readTerminalFile(DEMO) },
    dataDir: data,
    witnessDir: join(folder, 'witness'),
    tablesDir: null,
    simulating: [],
  });
  assert.match(why ?? 'nothing', sentence, what);
}

for (const [at, [what, change, sentence]] of FILES.entries())
  test(`the terminal file: ${what}`, (t) => {
    const made = properCase(t);
    change(made);
    write(made);
    judged(made, sentence, what);
    // `npm test` starts every fourth.
    if (at % fullOr(1, 4) > 0) return;
    refused(made, sentence, what);
    if (what === AS_A_WHOLE) {
      refusedWhole(made, sentence, what);
      refusedByHand(made, sentence, what);
    }
    // The file alone is enough, where it names real devices.
    if (made.file['devices'] === undefined || (LONG !== false && what !== AS_A_WHOLE)) return;
    made.args.shift();
    refused(made, sentence, `${what}, without --production`);
    if (what === AS_A_WHOLE) refusedWhole(made, sentence, `${what}, without --production`);
  });

test('the terminal file: missing, the demonstration’s own, or not to be read', (t) => {
  const made = properCase(t);
  const named = made.args;
  refusedWhole(made, /terminal\.json: file: .*ENOENT/, 'no file');
  made.args = ['--production', '--data', made.data];
  refused(made, /^--profile FILE is missing: .* needs the terminal file of its own table/, 'none named');
  for (const path of [DEMO, join(made.folder, 'link.json')]) {
    if (path !== DEMO) symlinkSync(DEMO, path);
    made.args = ['--production', '--data', made.data, '--profile', path];
    refused(made, /json: this is the demonstration's: write a terminal file for this table/, path);
  }
  made.args = named;
  for (const [text, sentence] of [
    ['', /terminal\.json: file: /],
    ['{ "profile": ', /terminal\.json: file: /],
    ['[]', /terminal\.json: file: /],
    [JSON.stringify({ ...made.file, people: [] }), /terminal\.json: people: /],
    [JSON.stringify({ ...made.file, production: false }), /terminal\.json: file: .*production/],
  ] as const) {
    writeFileSync(made.path, text);
    refused(made, sentence, text);
  }
  rmSync(made.path);
  mkdirSync(made.path);
  refused(made, /terminal\.json: file: /, 'a folder');
});

for (const [what, change, sentence] of [
  ['--demo', option('--demo'), /^--demo .*real ones/],
  ['--simulators-allowed', option('--simulators-allowed'), /^--simulators-allowed is for simulated devices/],
  ['--test', option('--test'), /^--test is for the project's tests/],
  ['a debugging port', option('--test', '--debug-port', '9222'), /^--test is for the project's tests/],
  ['a stand-in for the host', option('--test', '--host', LAUNCH), /^--test is for the project's tests/],
] as const)
  test(`options: ${what}`, (t) => {
    const made = properCase(t);
    write(made);
    change(made);
    refusedWhole(made, sentence, what);
  });

test('accounts: who else can read the hashes or change the file, its tables or the ledger', (t) => {
  const made = properCase(t);
  write(made);
  for (const mode of [0o644, 0o640, 0o604]) {
    chmodSync(made.path, mode);
    if (mode === 0o640 && process.getuid!() === 0) continue;
    refused(made, /terminal\.json: other accounts may read it.*chmod/, mode.toString(8));
  }
  for (const mode of [0o620, 0o602]) {
    chmodSync(made.path, mode);
    refused(
      made,
      /terminal\.json: other accounts may write it \(mode 6[02][02]\): 'chmod go-w/,
      mode.toString(8),
    );
  }
  chmodSync(made.path, 0o600);

  chmodSync(made.folder, 0o777);
  refused(made, /: other accounts may write it \(mode 777\): 'chmod go-w/, 'the folder of the file');
  chmodSync(made.folder, 0o755);

  const tables = join(made.folder, 'tables');
  cpSync(join(ROOT, 'host', 'profiles', 'tables'), tables, { recursive: true });
  chmodSync(join(tables, 'casino-war.json'), 0o666);
  refused(made, /tables\/casino-war\.json: other accounts may write it/, 'a table');
  chmodSync(join(tables, 'casino-war.json'), 0o644);
  chmodSync(tables, 0o775);
  refused(made, /tables: other accounts may write it/, 'the folder of tables');
  chmodSync(tables, 0o755);

  mkdirSync(made.data, { mode: 0o750 });
  refused(made, /data: must belong to this account .* closed to all others .*mode 750/, 'the data folder');
  rmSync(made.data, { recursive: true });
  const shared = join(made.folder, 'shared');
  mkdirSync(shared);
  chmodSync(shared, 0o777);
  refused(
    { ...made, args: [...made.args.slice(0, -1), join(shared, 'data')] },
    /shared: other accounts may write it/,
    'above the data folder',
  );
});

test('accounts: a terminal file, a folder above it or a data folder of somebody else', (t) => {
  const other = stranger(t);
  if (other === null) return;
  const made = properCase(t);
  write(made);
  const belongs = new RegExp(`: belongs to the account ${other.uid}, which could change it: 'chown`);
  for (const path of [made.path, dirname(made.path)]) {
    chownSync(path, other.uid, 0);
    refusedWhole(made, belongs, path);
    chownSync(path, 0, 0);
  }
  mkdirSync(made.data, { mode: 0o700 });
  chownSync(made.data, other.uid, 0);
  refused(made, belongs, basename(made.data));
});

test('tables: an unknown one, and one that is not lawful', (t) => {
  const made = properCase(t);
  write(made);
  mkdirSync(join(made.folder, 'tables'));
  const unlawful = { ...demonstration().profile, options: { min: 5_000, max: 1 } };
  const { tableName, rulebook, options } = unlawful;
  writeFileSync(join(made.folder, 'tables', 'wrong.json'), JSON.stringify({ tableName, rulebook, options }));
  option('--table', 'none')(made);
  refused(made, /^--table none: there are terminal, wrong/, 'unknown');
  made.args[made.args.length - 1] = 'wrong';
  refused(made, /^--table wrong: .*wrong\.json: max: must not be below min/, 'unlawful');
});

test('a published PIN that is hashed at full cost, and options that are not lawful', {
  skip: LONG,
}, async (t) => {
  const made = properCase(t);
  person(0, { pinHash: await hashPin('4444') })(made);
  write(made);
  const published = /terminal\.json: people\.0\.pinHash: the PIN of D-01 is published: give this person/;
  refusedByHand(made, published, 'by hand');
  const start = spawnSync(process.execPath, [LAUNCH, ...made.args], { encoding: 'utf8', timeout: 600_000 });
  assert.equal(start.status, 2, start.stderr);
  assert.match(start.stderr, published);
  assert.deepEqual(entriesOf(made.data), [], 'nothing was played');

  rmSync(made.data, { recursive: true });
  person(0, { pinHash: hashOf('0') })(made);
  const { profile } = demonstration();
  made.file['profile'] = { ...profile, terminalId: 'BJ-07', options: { ...profile.options, decks: 13 } };
  write(made);
  refusedByHand(made, /terminal\.json: decks \(art\.1\.2\): 13 is not/, 'options');
});

test('a file as it should be: the terminal starts, with nothing simulated and no centre of its own', async (t) => {
  const made = properCase(t);
  // The published PINs are tried on everybody, which takes seconds for each.
  made.file['people'] = (made.file['people'] as object[]).slice(0, 1);
  write(made);
  const sockets = watchSockets(made.folder);
  const child = spawn(process.execPath, [LAUNCH, ...made.args], { env: sockets.env, stdio: 'pipe' });
  t.after(() => child.kill('SIGKILL'));
  const lines: string[] = [];
  const ready = new Promise<string>((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      readLines(stream, (line) => {
        lines.push(line);
        if (/open in a browser/.test(line)) resolve(line);
      });
  });
  const ended = once(child, 'exit').then(() => 'ended');
  assert.match(await Promise.race([ready, ended]), /open in a browser/, lines.join('\n'));
  const commands = processTree(child.pid!).map(({ command }) => command);
  assert.ok(commands.some((command) => /host\/main\.[jt]s/.test(command)));
  assert.ok(!commands.some((command) => /rack-main|upstream/.test(command)), commands.join('\n'));
  assert.ok(sockets.opened().length > 0, 'what is looked for elsewhere can be seen');
  child.kill('SIGTERM');
  assert.equal(await ended, 'ended');
  assert.equal(child.exitCode, 0);
});
