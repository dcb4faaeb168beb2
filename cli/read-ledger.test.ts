import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import Database from 'better-sqlite3';
import { tableHashOf } from '../host/table/table-hash.ts';
import { restoreState } from '../host/table/terminal.ts';
import {
  loadOrCreateKey,
  type NewEntry,
  openLedger,
  openLedgerReader,
} from '../ledger/store/ledger.store.ts';
import {
  banca,
  cannotRun,
  here,
  type Json,
  json,
  profile,
  root,
  START,
  script,
  stepsOf,
} from '../test/kits/cli.ts';
import { moneyText } from './command.ts';
import type { MadeBy } from './made-by.ts';

const TERMINAL = 'BJ-DEMO-01';
const dataDir = join(root, 'data');
const ledger = join(dataDir, 'ledger.db');

before(() => {
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
    { do: 'hand-pay', seat: 2, credential: { person: '2', pin: '2222' } },
    { do: 'open-betting' },
  );
  const run = banca(['host', '--data', dataDir, '--profile', profile, '--headless', '--sim', path]);
  assert.equal(run.status, 0, run.stderr);
  const ready = JSON.parse(run.stdout) as Json;
  assert.deepEqual([ready['ready'], ready['terminal']], [true, TERMINAL]);
  assert.deepEqual(stepsOf(run).at(-1), { script: 'done', steps: 20 });
});

/**
 * A copy of the ledger whose `table` an attacker has rewritten, putting the trigger that forbids it
 * back in its place.
 */
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

describe('a ledger that a script has made', () => {
  it('holds, and is read by its file alone', async () => {
    const report = await json('verify', ledger);
    assert.deepEqual([report.status, report['ok'], report['terminal']], [0, true, TERMINAL]);
    await cannotRun(['replay', ledger, 'x'], /^banca replay: 'x' is one argument too many$/m);
    await cannotRun(['meters', ledger, '--wrong'], /^banca meters: Unknown option '--wrong'/);
    await cannotRun(['meters', dataDir], /^banca meters: .* is a folder; name the ledger in it/);
    await cannotRun(['verify', dataDir], /^verify: .* is a folder; name the ledger in it/);
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
    assert.deepEqual([all.status, all['ok'], all['unsigned']], [0, true, 0]);
    // Signed when the doors had been counted, when the dealer came, and when the terminal was
    // stopped.
    const between = all['between'] as { hash: string; stored: string }[];
    assert.deepEqual(
      between.map(({ hash, stored }) => hash === stored),
      [true, true, true],
    );
    assert.deepEqual((await json('replay', ledger, '--round', `${TERMINAL}-000001`))['rounds'], rounds);
    const { stdout } = banca(['replay', ledger]);
    assert.match(
      stdout,
      /^BJ-DEMO-01-000001 entry \d+ [0-9a-f]{64} equal\n\(between rounds\) entry \d+ [0-9a-f]{64} equal\n1 rounds replayed, 0 states differ\n$/m,
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
    // The end of the round, and the stop after it.
    assert.equal((JSON.parse(run.stdout) as Json)['differing'], 2);
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
      bills_in: 100_000,
      bill_in_MOP_1000: 1,
      coin_in: 50_000,
      coin_out: 100_000,
      handpaid_total: 150_000,
      rounds_dealt: 1,
      games_won: 1,
      cards_burned: 1,
      cards_dealt: 4,
      power_resets: 1,
    };
    for (const [code, value] of Object.entries(expected)) assert.equal(meterIn(report, code), value, code);
    const { stdout } = await here(['meters', ledger]);
    assert.match(stdout, /^bills_in +1,000\.00 MOP$/m);
    assert.match(stdout, /^games_won +1$/m);
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
    assert.equal(meterIn(await json('meters', ledger, '--as-of', String(credited.seq - 1)), 'bills_in'), 0);
    const there = await json('meters', ledger, '--as-of', String(credited.seq));
    assert.deepEqual([meterIn(there, 'bills_in'), there['asOf']], [100_000, credited]);
    const time = (atMs: number) => new Date(atMs).toISOString();
    assert.equal(meterIn(await json('meters', ledger, '--as-of', time(credited.atMs)), 'bills_in'), 100_000);
    assert.equal(meterIn(await json('meters', ledger, '--as-of', time(credited.atMs - 1)), 'bills_in'), 0);
    const macau = time(credited.atMs + 8 * 3_600_000).replace('Z', '+08:00');
    assert.equal(meterIn(await json('meters', ledger, '--as-of', macau), 'bills_in'), 100_000);
    assert.deepEqual((await json('meters', ledger, '--as-of', '0'))['asOf'], { seq: 0, atMs: null });
    for (const wrong of ['yesterday', '2026-05-01T10:00:00', '2026-13-01T10:00:00Z', '-1'])
      await cannotRun(
        ['meters', ledger, `--as-of=${wrong}`],
        /--as-of .*: an entry number, or a time with its zone/,
      );
  });

  it('counts a period, and divides by seat, game, bet, note, dealer and shift', async () => {
    const all = await json('meters', ledger);
    const half = await json('meters', ledger, '--as-of', '40');
    const rest = await json('meters', ledger, '--from', '40');
    assert.equal((rest['from'] as Json)['seq'], 40);
    for (const code of ['bills_in', 'coin_in', 'coin_out', 'cards_dealt', 'power_resets'])
      assert.equal(meterIn(half, code)! + meterIn(rest, code)!, meterIn(all, code), code);
    const parts = async (by: string, code: string): Promise<unknown> =>
      ((await json('meters', ledger, '--by', by))['meters'] as { code: string; parts: Json }[]).find(
        (meter) => meter.code === code,
      )?.parts;
    assert.deepEqual(await parts('seat', 'coin_in'), { 2: 50_000, '': 0 });
    assert.deepEqual(await parts('game', 'coin_in'), { 'macau-blackjack-2009': 50_000 });
    assert.deepEqual(await parts('bet', 'coin_in'), { main: 50_000 });
    assert.deepEqual(await parts('denomination', 'bills_in'), { MOP_1000: 100_000 });
    for (const by of ['dealer', 'shift'])
      assert.equal(
        Object.values((await parts(by, 'coin_in')) as Record<string, number>).reduce((a, b) => a + b),
        50_000,
      );
    const { stdout } = await here(['meters', ledger, '--by', 'seat']);
    assert.match(stdout, /^coin_in +500\.00 MOP\n {2}seat 2 {2}500\.00 MOP$/m);
    await cannotRun(['meters', ledger, '--by', 'table'], /--by table: one of seat, game, bet, denomination/);
    await cannotRun(['meters', ledger, '--from', 'then'], /--from then: an entry number, or a time/);
  });

  it('names the equation that does not hold, as verify does with its entry: exit 1', async () => {
    // A note that is credited and in no cash box: chained, signed, in balance, and what the table
    // owes.
    const note = { noteId: 'n9', acceptor: 1, seat: 1, currency: 'MOP', valueMinor: 50_000, atMs: 1 };
    let seq = 0;
    const path = continued('no-box', (opened) => {
      const postings = [
        { account: 'bank', currency: 'MOP', amountMinor: 50_000 },
        { account: 'seat-credit:1', currency: 'MOP', amountMinor: -50_000 },
      ];
      const entry: NewEntry = { kind: 'note-credited', roundId: null, body: note, postings };
      seq = opened.append(4_000_000_000_000, null, [entry])[0]?.seq ?? 0;
    });
    const sentence = 'equation 4, drop = bills to drop: 100000 is not 150000';
    const counted = await json('meters', path);
    assert.deepEqual([counted.status, counted['problems']], [1, [sentence]]);
    assert.match((await here(['meters', path])).stdout, new RegExp(`^PROBLEM  ${sentence}$`, 'm'));
    const verified = await json('verify', path);
    assert.deepEqual([verified.status, verified['firstBadSeq']], [1, seq]);
    assert.equal((verified['books'] as Json)['problem'], 'equation 4, drop = bills to drop: 0 is not 50000');
  });

  it('says that what it counts cannot be trusted when the ledger does not hold: exit 1', async () => {
    const path = forged('bank.db', 'entries', (db) =>
      db.exec(`UPDATE entries SET bytes = replace(bytes, '"account":"bank"', '"account":"bonk"')`),
    );
    const { status, stdout, stderr } = banca(['meters', path, '--json']);
    assert.equal(status, 1);
    assert.match(stderr, /^banca meters: .*bank\.db does not hold: entry at entry \d+: hash is not SHA-256/);
    assert.equal(meterIn(JSON.parse(stdout) as Json, 'bills_in'), 100_000);
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

describe('banca recall', () => {
  it('shows the newest round, or the one that is named: cards, credits, amounts with their articles, steps', async () => {
    const { status, roundId } = await json('recall', ledger);
    assert.deepEqual([status, roundId], [0, `${TERMINAL}-000002`]);
    assert.equal((await json('recall', ledger, '--round', '1'))['roundId'], `${TERMINAL}-000001`);
    const { stdout } = await here(['recall', ledger, '--round', `${TERMINAL}-000001`]);
    assert.match(stdout, /^round 1 \(BJ-DEMO-01-000001\) of macau-blackjack-2009, opened /);
    assert.match(stdout, /^seat 2: credit 1,000\.00 before, /m);
    assert.match(stdout, /^ {2}main \S+: stake 500\.00, returned \d[\d,.]* \[art\./m);
    await cannotRun(['recall', ledger, '--round', '3'], /round 3 is not in this ledger/);
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
      'events.csv',
      'events.json',
      'keys.jsonl',
      'ledger.db',
      'manifest.json',
      'meters.csv',
      'meters.json',
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
      // It cannot have its own; the manifest has.
      if (name !== 'README.txt') assert.ok(readme.includes(`\n${sha256}  ${name}\n`), name);
    }
    const { made } = (
      JSON.parse(readFileSync(join(dir, 'manifest.json'), 'utf8')) as { manifest: { made: MadeBy } }
    ).manifest;
    const reader = openLedgerReader(ledger);
    const state = restoreState(reader, Number(report['headSeq']));
    reader.close();
    assert.deepEqual(made.languages, ['zh-Hant', 'pt', 'en']);
    assert.deepEqual(made.table, {
      name: state.profile!.tableName,
      rulebook: state.profile!.rulebook,
      sha256: tableHashOf(state.profile!),
    });
    for (const part of [made.table!.sha256, made.program?.id ?? 'none recorded'])
      assert.ok(readme.includes(part), part);
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

  it('verifies as a whole afterwards, and names what is not as it was exported', async () => {
    const dir = join(root, 'export-verified');
    const key = Buffer.from(loadOrCreateKey(dataDir).publicKey).toString('base64');
    const { keyId } = (await json('export', ledger, '--out', dir)) as Json;
    const holds = await json('verify', '--export', dir, '--key', key);
    assert.deepEqual([holds.status, holds['ok'], holds['keyId']], [0, true, keyId]);
    const unknown = await json('verify', '--export', dir);
    assert.deepEqual([unknown.status, unknown['isKnownKey']], [1, false]);
    assert.match(String(unknown['problem']), /name the terminal's public key with --key/);
    await cannotRun(['verify', '--export', dir, '--key', 'nowhere'], /--key nowhere: neither a file/);
    const events = JSON.parse(readFileSync(join(dir, 'events.json'), 'utf8')) as Json[];
    const csv = readFileSync(join(dir, 'events.csv'), 'utf8').trimEnd().split('\r\n');
    assert.equal(csv.length, events.length + 1);
    assert.ok(csv.some((line) => /,302,I,Note stacked and credited,note-credited,/.test(line)));
    const { meters } = JSON.parse(readFileSync(join(dir, 'meters.json'), 'utf8')) as { meters: Json[] };
    assert.ok(meters.some(({ code, value }) => code === 'bills_in' && value === 100_000));
    const problem = async (): Promise<string> => {
      const { status, ...report } = await json('verify', '--export', dir, '--key', key);
      assert.equal(status, 1);
      return String(report['problem']);
    };
    writeFileSync(join(dir, 'meters.csv'), readFileSync(join(dir, 'meters.csv'), 'utf8').replace('1', '2'));
    assert.equal(await problem(), 'meters.csv is not the file that was exported');
    const text = readFileSync(join(dir, 'manifest.json'), 'utf8');
    writeFileSync(join(dir, 'manifest.json'), text.replace(/"headSeq": \d+/, '"headSeq": 1'));
    assert.equal(await problem(), 'the signature of manifest.json does not hold');
    rmSync(join(dir, 'manifest.json'));
    await cannotRun(['verify', '--export', dir], /no manifest.json/);
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
