/** Where money is played for, a start that is not safe ends: with code 2, one sentence, and nothing made or opened. */
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
import { codesOf } from '../../host/event-codes.ts';
import type { TerminalFile } from '../../host/profile.ts';
import { openLedgerReader } from '../../ledger/store/ledger.store.ts';
import { ROOT } from '../shell/paths.ts';
import { processTree } from '../shell/processes.ts';
import { attack, folderOf, stranger } from './kit.ts';

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

/** Every socket that the supervisor of a start opens is a line in a file; its programs are not given our environment. */
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

/** The start ends with code 2 and this one sentence; no file is made and no socket opened. */
function refused(made: Case, sentence: RegExp, what: string): void {
  const sockets = watchSockets(made.folder);
  const before = contentOf(made.data);
  const { status, stdout, stderr } = spawnSync(process.execPath, [LAUNCH, ...made.args], {
    env: sockets.env,
    encoding: 'utf8',
    timeout: 60_000,
  });
  assert.equal(status, 2, `${what}: ${status}: ${stderr}`);
  assert.equal(stderr.trimEnd().split('\n').length, 1, `${what}: one sentence: ${stderr}`);
  assert.match(stderr, sentence, what);
  assert.equal(stdout, '', what);
  assert.deepEqual(contentOf(made.data), before, `${what}: nothing is made`);
  assert.deepEqual(sockets.opened(), [], `${what}: nothing is opened`);
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
];

for (const [what, change, sentence] of FILES)
  test(`the terminal file: ${what}`, (t) => {
    const made = properCase(t);
    change(made);
    write(made);
    refused(made, sentence, what);
    // The file alone is enough, where it names real devices.
    if (made.file['devices'] === undefined) return;
    made.args.shift();
    refused(made, sentence, `${what}, without --production`);
  });

test('the terminal file: missing, the demonstration’s own, or not to be read', (t) => {
  const made = properCase(t);
  const named = made.args;
  refused(made, /terminal\.json: file: .*ENOENT/, 'no file');
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
    refused(made, sentence, what);
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
    refused(made, belongs, path);
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

test('a file as it should be: the terminal starts, with nothing simulated and no centre of its own', async (t) => {
  const made = properCase(t);
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

// ---- what changes stands in the ledger ----

const entriesOf = (data: string) => {
  const reader = openLedgerReader(join(data, 'ledger.db'));
  try {
    return reader.read(1, Number.MAX_SAFE_INTEGER);
  } finally {
    reader.close();
  }
};

test('the terminal file and its people: every change is in the ledger, and nothing where there is none', async (t) => {
  const folder = folderOf(t);
  const [path, data] = [join(folder, 'terminal.json'), join(folder, 'data')];
  const { profile, people } = demonstration();
  const terminal = { profile: { ...profile, terminalId: 'BJ-08' }, people: [...people] };
  const life = async (text: string) => {
    writeFileSync(path, text);
    const from = existsSync(data) ? entriesOf(data).length : 0;
    const { terminal: started } = await attack(t, { data, args: ['--profile', path] });
    await started.stop();
    const told = entriesOf(data)
      .slice(from)
      .filter(({ kind }) => kind === 'terminal-file-changed' || kind === 'people-changed');
    return told.map(({ kind, body }) => ({
      kind,
      body: body as Record<string, unknown>,
      codes: codesOf({ kind, body }),
    }));
  };
  const text = (): string => JSON.stringify(terminal);

  const [file, roster] = await life(text());
  assert.deepEqual(
    [file?.kind, file?.body['was'], file?.codes],
    ['terminal-file-changed', null, [{ code: '813', class: 'W' }]],
  );
  assert.deepEqual([roster?.kind, roster?.codes], ['people-changed', [{ code: '814', class: 'W' }]]);
  const changesIn = (body: unknown) =>
    (
      body as {
        changes: { what: string; person: { id: string }; was: { role: string } | null; newPin: boolean }[];
      }
    ).changes;
  assert.deepEqual(
    changesIn(roster?.body).map(({ what, person: { id } }) => [what, id]),
    people.map(({ id }) => ['added', id]),
  );

  assert.deepEqual(await life(text()), [], 'the same file again');
  const spaced = await life(`${text()}\n`);
  assert.deepEqual(
    spaced.map(({ kind }) => kind),
    ['terminal-file-changed'],
    'other bytes, the same people',
  );
  assert.equal(spaced[0]?.body['was'], file?.body['sha256']);

  // A technician makes himself a supervisor, gives a dealer a PIN that they know, and a friend a name on the list.
  const technician = people.findIndex(({ role }) => role === 'technician');
  terminal.people[technician] = { ...people[technician]!, role: 'supervisor' };
  terminal.people[0] = { ...people[0]!, pinHash: WEAK };
  terminal.people.splice(1, 1, {
    ...people[1]!,
    id: 'A-99',
    name: 'A friend',
    pinHash: WEAK.replace('a', 'c'),
  });
  const changed = (await life(text())).find(({ kind }) => kind === 'people-changed');
  assert.deepEqual(
    changesIn(changed?.body)
      .map(({ what, person: { id }, was, newPin }) => [what, id, was?.role ?? null, newPin])
      .sort(),
    [
      ['added', 'A-99', null, true],
      ['changed', people[0]!.id, null, true],
      ['changed', people[technician]!.id, 'technician', false],
      ['removed', people[1]!.id, null, false],
    ].sort(),
  );
  // And puts everything back: that is seen as well.
  terminal.people.splice(0, terminal.people.length, ...people);
  assert.equal(changesIn((await life(text())).at(-1)?.body).length, 4);

  const ledger = JSON.stringify(entriesOf(data).map(({ body }) => body));
  for (const { pinHash } of people)
    for (const part of pinHash.split('$').slice(-2)) assert.ok(!ledger.includes(part), 'no hash of a PIN');
  assert.ok(!ledger.includes('scrypt'));
});
