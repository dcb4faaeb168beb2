import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import Database from 'better-sqlite3';
import { People } from '../host/people.ts';
import { readScript } from '../host/script.ts';
import { loadOrCreateKey, type NewEntry, openLedger } from '../ledger/store/ledger.store.ts';
import { main } from './banca.ts';
import { moneyText } from './command.ts';

const BINARY = join(import.meta.dirname, 'banca.ts');
const TERMINAL = 'BJ-DEMO-01';
const root = mkdtempSync(join(tmpdir(), 'banca-cli-'));
const dataDir = join(root, 'data');
const ledger = join(dataDir, 'ledger.db');
const profile = join(root, 'terminal.json');
after(() => rmSync(root, { recursive: true, force: true }));

interface Run {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}
type Json = Readonly<Record<string, unknown>>;

const banca = (argv: readonly string[], input = ''): Run =>
  spawnSync(process.execPath, [BINARY, ...argv], { encoding: 'utf8', input, timeout: 50_000 });

/** The same command line in this process, for what needs no process of its own. */
async function here(argv: readonly string[]): Promise<Run> {
  const { log, error } = console;
  const out: string[] = [];
  const err: string[] = [];
  console.log = (line: string) => void out.push(`${line}\n`);
  console.error = (line: string) => void err.push(`${line}\n`);
  try {
    return { status: await main([...argv]), stdout: out.join(''), stderr: err.join('') };
  } finally {
    Object.assign(console, { log, error });
  }
}

/** Runs with --json: the exit code, and the one object that is all of stdout. */
async function json(...argv: string[]): Promise<Json & { readonly status: number | null }> {
  const { status, stdout, stderr } = await here([...argv, '--json']);
  assert.equal(stdout.trimEnd().split('\n').length, 1, `${argv.join(' ')}: ${stdout}${stderr}`);
  return { ...(JSON.parse(stdout) as Json), status };
}

/** Exit 2, nothing on stdout, and one sentence on stderr. */
function assertCannotRun({ status, stdout, stderr }: Run, argv: readonly string[], sentence: RegExp): void {
  assert.deepEqual([status, stdout], [2, ''], `${argv.join(' ')}: ${stderr}`);
  assert.match(stderr, sentence);
  assert.equal(stderr.trimEnd().split('\n').length, 1, stderr);
}
const cannotRun = async (argv: readonly string[], sentence: RegExp): Promise<void> =>
  assertCannotRun(await here(argv), argv, sentence);
const binaryCannotRun = (argv: readonly string[], sentence: RegExp, input = ''): void =>
  assertCannotRun(banca(argv, input), argv, sentence);

function script(name: string, ...steps: readonly object[]): string {
  const path = join(root, name);
  writeFileSync(path, steps.map((step) => JSON.stringify(step)).join('\n'));
  return path;
}

const stepsOf = ({ stderr }: Run): Json[] =>
  stderr
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Json);

/** A copy of the ledger whose `table` an attacker has rewritten, putting the trigger that forbids it back in its place. */
function forged(name: string, table: string, rewrite: (db: Database.Database) => void): string {
  const path = join(root, name);
  const original = new Database(ledger);
  original.prepare('VACUUM INTO ?').run(path);
  original.close();
  const db = new Database(path);
  const trigger = db
    .prepare('SELECT sql FROM sqlite_schema WHERE name = ?')
    .pluck()
    .get(`${table}_no_update`);
  db.exec(`DROP TRIGGER ${table}_no_update`);
  rewrite(db);
  db.exec(String(trigger));
  db.close();
  return path;
}

/** A copy of the ledger to which the terminal itself, with its key, has added something. */
function continued(name: string, add: (ledger: ReturnType<typeof openLedger>) => void): string {
  const dir = join(root, name);
  mkdirSync(dir);
  for (const file of ['ledger.db', 'ledger-key.pem']) copyFileSync(join(dataDir, file), join(dir, file));
  const path = join(dir, 'ledger.db');
  const opened = openLedger(path, {
    terminalId: TERMINAL,
    key: loadOrCreateKey(dir),
    createIfMissing: false,
  });
  add(opened);
  opened.close();
  return path;
}

const START = [
  { do: 'sign-in', pin: '1111' },
  { do: 'load-shoe', cards: ['2C', 'TS', '9H', 'TH', '8D'] },
  { do: 'cut' },
  { do: 'place-end-card' },
  { do: 'draw' },
];

before(() => {
  const file = JSON.parse(readFileSync(join(import.meta.dirname, '../host/profiles/demo.json'), 'utf8')) as {
    profile: { timing: { minResultMs: number } };
  };
  file.profile.timing.minResultMs = 1;
  writeFileSync(profile, JSON.stringify(file));
  const path = script(
    'round.jsonl',
    ...START,
    { do: 'language', seat: 2, language: 'pt' },
    { do: 'note', seat: 2, valueMinor: 100_000 },
    { do: 'open-betting' },
    { do: 'bet', seat: 2, amountMinor: 50_000 },
    { do: 'bet', seat: 2, amountMinor: 100_000, refused: 'no-credit' },
    { do: 'close-betting' },
    { do: 'draw' },
    { do: 'decide', seat: 2, act: 'stand', refused: 'not-your-turn' },
    { do: 'decide', seat: 2, act: 'playOn' },
    { do: 'decide', seat: 2, act: 'stand' },
    { do: 'draw' },
    { do: 'close-round' },
    { do: 'cash-out', seat: 2 },
    { do: 'hand-pay', seat: 2, pin: '2222' },
    { do: 'open-betting' },
  );
  const run = banca(['host', '--data', dataDir, '--profile', profile, '--headless', '--sim', path]);
  assert.equal(run.status, 0, run.stderr);
  const ready = JSON.parse(run.stdout) as Json;
  assert.deepEqual([ready['ready'], ready['terminal']], [true, TERMINAL]);
  assert.deepEqual(stepsOf(run).at(-1), { script: 'done', steps: 20 });
});

describe('a command line', async () => {
  it('says what there is', async () => {
    for (const argv of [[], ['--help']]) {
      const { status, stdout } = banca(argv);
      assert.equal(status, 0);
      for (const name of ['host', 'verify', 'replay', 'meters', 'export', 'vectors', 'devices', 'person'])
        assert.match(stdout, new RegExp(`^ {2}${name} `, 'm'));
    }
    const help = banca(['export', '--help']);
    assert.match(help.stdout, /^usage: banca export DB --out DIR \[--json\]\n/);
    assert.equal(help.status, 0);
  });

  it('that cannot run gets one sentence and exit 2', async () => {
    await cannotRun(['verfy'], /^banca: there is no command 'verfy'/);
    await cannotRun(['toString'], /^banca: there is no command 'toString'/);
    await cannotRun(['replay'], /^banca replay: DB is missing$/m);
    await cannotRun(['replay', ledger, 'x'], /^banca replay: 'x' is one argument too many$/m);
    await cannotRun(['replay', join(root, 'none.db')], /^banca replay: there is no file .*none\.db$/m);
    await cannotRun(['meters', dataDir], /^banca meters: .* is a folder; name the ledger in it/);
    await cannotRun(['verify', dataDir], /^verify: .* is a folder; name the ledger in it/);
    await cannotRun(['meters', ledger, '--wrong'], /^banca meters: Unknown option '--wrong'/);
    await cannotRun(['vectors', join(root, 'none.json')], /^banca vectors: .*none\.json/);
    for (const name of ['rules', 'simulate', 'figures', 'device'])
      await cannotRun(
        [name, 'x', '--json'],
        new RegExp(`^banca ${name}: this command is not in this version`),
      );
  });

  it('of verify, vectors and devices answers with --json', async () => {
    const report = await json('verify', ledger);
    assert.deepEqual([report.status, report['ok'], report['terminal']], [0, true, TERMINAL]);
    const vectors = join(root, 'vectors.json');
    writeFileSync(vectors, '{"format":"banca-vectors/1","vectors":[]}');
    assert.deepEqual(await json('vectors', vectors), {
      status: 0,
      passed: 0,
      failed: 0,
      unsupported: 0,
      failures: [],
    });
    assert.ok('usb' in (await json('devices')));
  });
});

describe('banca replay', () => {
  it('gives the live hash of the state at the end of the round', async () => {
    const all = await json('replay', ledger);
    const rounds = all['rounds'] as { roundId: string; seq: number; hash: string; stored: string }[];
    const db = new Database(ledger, { readonly: true });
    const live = db.prepare('SELECT seq, hex(state_hash) AS hash FROM snapshots').all() as {
      seq: number;
      hash: string;
    }[];
    db.close();
    assert.equal(live.length, 1);
    assert.deepEqual(rounds, [
      {
        roundId: `${TERMINAL}-000001`,
        seq: live[0]?.seq,
        hash: live[0]?.hash.toLowerCase(),
        stored: live[0]?.hash.toLowerCase(),
      },
    ]);
    assert.deepEqual([all.status, all['ok'], all['unsigned'], all['between']], [0, true, 0, []]);
    assert.deepEqual((await json('replay', ledger, '--round', `${TERMINAL}-000001`))['rounds'], rounds);
    const { stdout } = banca(['replay', ledger]);
    assert.match(
      stdout,
      /^BJ-DEMO-01-000001 entry \d+ [0-9a-f]{64} equal\n1 rounds replayed, 0 states differ\n$/,
    );
  });

  it('knows which rounds have not ended and which never were', async () => {
    await cannotRun(
      ['replay', ledger, '--round', `${TERMINAL}-000002`],
      /round BJ-DEMO-01-000002 has not ended yet/,
    );
    await cannotRun(['replay', ledger, '--round', 'x'], /round x is not in this ledger/);
  });

  it('finds a signed state that the events do not lead to: exit 1', async () => {
    const path = continued('other-state', (opened) => opened.checkpoint('test', new Uint8Array(32), 1));
    assert.equal((await json('verify', path))['ok'], true, 'the chain alone cannot know');
    const { status, ...all } = await json('replay', path);
    assert.deepEqual([status, all['ok'], all['differing']], [1, false, 1]);
    assert.match(
      (await here(['replay', path])).stdout,
      /^\(between rounds\) entry \d+ [0-9a-f]{64} LIVE 0{64}$/m,
    );
  });

  it('finds a round whose events were rewritten with the whole chain after them', async () => {
    const path = forged('rewritten.db', 'entries', (db) => {
      const rows = db.prepare<[], { seq: number; bytes: string }>(
        'SELECT seq, bytes FROM entries ORDER BY seq',
      );
      let hash: Buffer = Buffer.alloc(32);
      for (const { seq, bytes } of rows.all()) {
        const text = bytes.includes('"kind":"language-set"') ? bytes.replace('"pt"', '"en"') : bytes;
        hash = createHash('sha256').update(hash).update(text).digest();
        db.prepare('UPDATE entries SET bytes = ?, hash = ? WHERE seq = ?').run(text, hash, seq);
      }
    });
    const run = banca(['replay', path, '--json']);
    assert.equal(run.status, 1);
    assert.match(run.stderr, /^banca replay: .*rewritten\.db does not hold: /);
    assert.equal((JSON.parse(run.stdout) as Json)['differing'], 1);
  });

  it('names an entry that no engine can play, as verify and meters do', async () => {
    let seq = 0;
    const path = continued('unplayable', (opened) => {
      const entry: NewEntry = { kind: 'round-settled', roundId: null, body: {}, postings: [] };
      seq = opened.append(Number.MAX_SAFE_INTEGER, null, [entry])[0]?.seq ?? 0;
    });
    const replayed = await json('replay', path);
    assert.deepEqual([replayed.status, (replayed['stopped'] as Json)['seq']], [1, seq]);
    const verified = await json('verify', path);
    assert.deepEqual([verified.status, verified['firstBadSeq']], [1, seq]);
    const { status, stderr } = await here(['meters', path]);
    assert.equal(status, 1);
    assert.match(
      stderr,
      new RegExp(`^banca meters: entry ${seq} \\(round-settled\\) cannot be played: .*\n$`),
    );
  });

  it('does not stumble over what is no ledger: exit 1', async () => {
    const path = join(root, 'noise.db');
    writeFileSync(path, 'no database at all'.repeat(500));
    for (const argv of [
      ['replay', path],
      ['meters', path],
      ['export', path, '--out', join(root, 'noise')],
    ]) {
      const { status, stdout, stderr } = await here(argv);
      assert.deepEqual([status, stdout], [1, '']);
      assert.match(stderr, /does not hold: .*\n.*what stands there cannot be used: .*\n$/);
    }
  });
});

describe('banca meters', () => {
  type Meters = { code: string; unit: string; value: number }[];
  const meterIn = (report: Json, code: string) =>
    (report['meters'] as Meters).find((meter) => meter.code === code)?.value;

  it('folds all of the life of the terminal', async () => {
    const report = await json('meters', ledger);
    assert.deepEqual(
      [report.status, report['ok'], report['currency'], report['problems']],
      [0, true, 'MOP', []],
    );
    // Seat 2 has TS TH, the bank 9H 8D: 20 beats 17.
    const expected = {
      'bills-in': 100_000,
      'bill-in-MOP-1000': 1,
      'coin-in': 50_000,
      'coin-out': 100_000,
      'handpaid-total': 150_000,
      'rounds-dealt': 1,
      'games-won': 1,
      'cards-burned': 1,
      'cards-dealt': 4,
      'power-resets': 1,
    };
    for (const [code, value] of Object.entries(expected)) assert.equal(meterIn(report, code), value, code);
    const { stdout } = await here(['meters', ledger]);
    assert.match(stdout, /^bills-in +1,000\.00 MOP$/m);
    assert.match(stdout, /^games-won +1$/m);
  });

  it('stops at an entry or at a time', async () => {
    const db = new Database(ledger, { readonly: true });
    const credited = db
      .prepare("SELECT seq, at_ms AS atMs FROM entries WHERE kind = 'note-credited'")
      .get() as {
      seq: number;
      atMs: number;
    };
    db.close();
    assert.equal(meterIn(await json('meters', ledger, '--as-of', String(credited.seq - 1)), 'bills-in'), 0);
    const there = await json('meters', ledger, '--as-of', String(credited.seq));
    assert.deepEqual([meterIn(there, 'bills-in'), there['asOf']], [100_000, credited]);
    const time = (atMs: number) => new Date(atMs).toISOString();
    assert.equal(meterIn(await json('meters', ledger, '--as-of', time(credited.atMs)), 'bills-in'), 100_000);
    assert.equal(meterIn(await json('meters', ledger, '--as-of', time(credited.atMs - 1)), 'bills-in'), 0);
    const macau = time(credited.atMs + 8 * 3_600_000).replace('Z', '+08:00');
    assert.equal(meterIn(await json('meters', ledger, '--as-of', macau), 'bills-in'), 100_000);
    assert.deepEqual((await json('meters', ledger, '--as-of', '0'))['asOf'], { seq: 0, atMs: null });
    for (const wrong of ['yesterday', '2026-05-01T10:00:00', '2026-13-01T10:00:00Z', '-1'])
      await cannotRun(
        ['meters', ledger, `--as-of=${wrong}`],
        /--as-of .*: an entry number, or a time with its zone/,
      );
  });

  it('says that what it counts cannot be trusted when the ledger does not hold: exit 1', async () => {
    const path = forged('postings.db', 'postings', (db) =>
      db.exec("UPDATE postings SET amount_minor = 1 WHERE account = 'bank'"),
    );
    const { status, stdout, stderr } = banca(['meters', path, '--json']);
    assert.equal(status, 1);
    assert.match(stderr, /^banca meters: .*postings\.db does not hold: entry at entry \d+: rows of postings/);
    assert.equal(meterIn(JSON.parse(stdout) as Json, 'bills-in'), 100_000);
  });

  it('writes money with integers alone', async () => {
    assert.deepEqual([0, 5, -5, 12_345, -100_000, 123_456_789].map(moneyText), [
      '0.00',
      '0.05',
      '-0.05',
      '123.45',
      '-1,000.00',
      '1,234,567.89',
    ]);
  });
});

describe('banca export', () => {
  it('writes what a second verifier needs, and names the hash of every file', async () => {
    const dir = join(root, 'export');
    const report = await json('export', ledger, '--out', dir);
    assert.deepEqual([report.status, report['ok']], [0, true]);
    assert.deepEqual(readdirSync(dir).toSorted(), [
      'README.txt',
      'checkpoints.jsonl',
      'entries.jsonl',
      'keys.jsonl',
      'postings.csv',
    ]);
    const readme = readFileSync(join(dir, 'README.txt'), 'utf8');
    assert.match(readme, /docs\/ledger-format\.md/);
    for (const { name, sha256 } of report['files'] as { name: string; sha256: string }[]) {
      assert.equal(
        createHash('sha256')
          .update(readFileSync(join(dir, name)))
          .digest('hex'),
        sha256,
      );
      assert.ok(readme.includes(`\n${sha256}  ${name}\n`), name);
    }
    // The chain, from the exported text alone.
    let hash: Buffer = Buffer.alloc(32);
    const lines = readFileSync(join(dir, 'entries.jsonl'), 'utf8').trimEnd().split('\n');
    for (const line of lines) {
      const bytes = line.slice(line.indexOf('"entry":') + '"entry":'.length, -1);
      hash = createHash('sha256').update(hash).update(bytes).digest();
      assert.equal((JSON.parse(line) as Json)['hash'], hash.toString('hex'));
    }
    assert.deepEqual([lines.length, hash.toString('hex')], [report['entries'], report['headHash']]);
    const csv = readFileSync(join(dir, 'postings.csv'), 'utf8').trimEnd().split('\r\n');
    assert.equal(csv[0], 'seq,line,time,kind,round_id,account,currency,amount_minor');
    assert.equal(
      csv.slice(1).reduce((sum, line) => sum + Number(line.split(',')[7]), 0),
      0,
    );
    assert.ok(csv.some((line) => /^\d+,1,\d{4}-.*Z,note-credited,,cash-box:2,MOP,100000$/.test(line)));
    await cannotRun(['export', ledger, '--out', dir], /--out .*: there is something already/);
    await cannotRun(['export', ledger], /--out DIR is missing/);
  });

  it('writes down that a ledger did not hold: exit 1', async () => {
    const path = forged('export.db', 'entries', (db) =>
      db.exec('UPDATE entries SET at_ms = 5 WHERE seq = 7'),
    );
    const dir = join(root, 'export-bad');
    const { status, stderr } = await here(['export', path, '--out', dir, '--json']);
    assert.equal(status, 1);
    assert.match(stderr, /does not hold/);
    assert.match(readFileSync(join(dir, 'README.txt'), 'utf8'), /THE LEDGER DID NOT HOLD when .*entry 7/);
  });
});

describe('banca person', () => {
  const ana = ['person', '--id', 'A-9', '--name', 'Ana Rocha', '--role', 'auditor'];

  it('makes a record that the terminal knows by its PIN', async () => {
    for (const [argv, input] of [
      [ana, '4711\n4711\n'],
      [[...ana, '--pin-stdin', '--json'], '4711'],
    ] as const) {
      const { status, stdout } = banca(argv, input);
      assert.equal(status, 0);
      const { pinHash, ...person } = JSON.parse(stdout) as { pinHash: string };
      const expected = { id: 'A-9', name: 'Ana Rocha', role: 'auditor' };
      assert.deepEqual(person, expected);
      const people = new People([{ ...expected, role: 'auditor', pinHash }], () => 0);
      assert.deepEqual(await people.identify('4711', ['auditor']), { person: expected });
    }
  });

  it('refuses two PINs, half a PIN and a role that is none', async () => {
    binaryCannotRun(ana, /the two PINs are not the same/, '4711\n4712\n');
    binaryCannotRun(ana, /the PIN must come twice/, '4711\n');
    binaryCannotRun(ana, /the PIN is missing/);
    binaryCannotRun([...ana, '--pin-stdin'], /the PIN: 4 to 8 digits/, '47\n');
    await cannotRun([...ana.slice(0, -1), 'owner'], /--role: /);
    await cannotRun(['person', '--id', 'x'], /--name NAME is missing/);
  });
});

describe('banca host', () => {
  const host = (name: string, ...more: readonly string[]): string[] => [
    'host',
    ...['--data', join(root, name), '--profile', profile],
    ...more,
  ];

  it('ends a script at the first refused step: exit 1', async () => {
    const path = script('refused.jsonl', ...START.slice(0, 1), { do: 'open-betting' }, { do: 'cut' });
    const run = banca(host('refused', '--sim', path));
    assert.equal(run.status, 1);
    const steps = stepsOf(run);
    assert.deepEqual(
      steps.slice(0, 2).map((step) => [step['do'], step['ok']]),
      [
        ['sign-in', true],
        ['open-betting', false],
      ],
    );
    assert.deepEqual(steps[2], { script: 'stopped', line: 2, why: 'not-due' });
    assert.equal(steps.length, 3);
    assert.equal((await json('verify', join(root, 'refused', 'ledger.db')))['ok'], true);
  });

  it('plays faults and words of the dealer, and stops when an announced refusal does not come', async () => {
    const path = script(
      'faults.jsonl',
      ...START,
      { do: 'note', seat: 1, valueMinor: 123, refused: 'rejected' },
      { do: 'draw', count: 1, refused: 'unexpected-card' },
      { do: 'command', command: { type: 'set-card-aside' } },
      { do: 'draw', refused: 'not-due' },
      { do: 'fault', device: 'acceptor-3', fault: 'jam' },
      { do: 'wait', device: 'acceptor-3', state: 'jammed' },
      {
        do: 'device',
        command: { do: 'insert-note', acceptor: 3, valueMinor: 5000, currency: 'MOP' },
        refused: 'device',
      },
      { do: 'command', command: { type: 'enter-service', pin: '9999' }, refused: 'person' },
      { do: 'command', command: { type: 'no-such' }, refused: 'malformed' },
      { do: 'fault', device: 'shoe', fault: 'fire', refused: 'device' },
      { do: 'wait', step: 'open-betting' },
      { do: 'open-betting', refused: 'held' },
    );
    const run = banca(host('faults', '--sim', path));
    const steps = stepsOf(run);
    assert.equal(run.status, 1, run.stderr);
    assert.deepEqual(steps.at(-1), { script: 'stopped', line: 17, why: 'not refused with held' });
    assert.deepEqual(steps.filter((step) => step['ok'] === false).length, 1);
  });

  it('names file, line and place of a mistake in a script before anything is started: exit 2', async () => {
    const mistake = join(root, 'mistake.jsonl');
    const cases: [string, RegExp][] = [
      ['{"do":"bet","seat":0,"amountMinor":100}', /mistake\.jsonl:1: seat: /],
      ['# only a remark\n{"do":"load-shoe","cards":["1X"]}', /mistake\.jsonl:2: cards\.0: 1X is no card/],
      ['{"do":"wait"}', /mistake\.jsonl:1: step: wait for one of/],
      ['{"do":"cut","seats":1}', /mistake\.jsonl:1: .*"seats"/],
      ['{"do":', /mistake\.jsonl:1: .*JSON/],
      ['# nothing', /mistake\.jsonl: the script has no step/],
      ['{"do":"sign-in","pin":"1111"}\n{"do":"dance"}', /mistake\.jsonl:2: do: /],
    ];
    for (const [text, sentence] of cases) {
      writeFileSync(mistake, text);
      assert.throws(() => readScript(mistake), { message: sentence });
    }
    binaryCannotRun(host('nothing', '--sim', mistake), /mistake\.jsonl:2: do: /);
    assert.ok(!readdirSync(root).includes('nothing'));
  });

  it('that cannot run says why: exit 2', async () => {
    await cannotRun(['host'], /^banca host: --data DIR is missing$/m);
    binaryCannotRun(host('x', '--port', 'many'), /--port many: a number from 0 to 65535/);
    binaryCannotRun(host('x', '--profile', join(root, 'none.json')), /none\.json/);
    binaryCannotRun(
      host('x', '--demo', '--sim', join(root, 'round.jsonl')),
      /--sim .* --demo .* one of them/,
    );
    const damaged = join(root, 'damaged');
    mkdirSync(damaged);
    copyFileSync(join(dataDir, 'ledger-key.pem'), join(damaged, 'ledger-key.pem'));
    writeFileSync(join(damaged, 'ledger.db'), 'no database at all'.repeat(500));
    binaryCannotRun(host('damaged'), /^banca host: ledger .* is damaged: .*call the technician\.$/m);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    binaryCannotRun(host('taken', '--port', String(port)), new RegExp(`banca host: .*EADDRINUSE.*:${port}`));
    server.close();
  });
});
