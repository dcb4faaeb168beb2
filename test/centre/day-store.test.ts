/** Gaming days on the embedded database: what is counted, refused, closed and corrected. */
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { main } from '../../cli/banca.ts';
import { chainHash, encodeEntry, GENESIS_HASH, type Posting, toHex } from '../../ledger/chain/entry.codec.ts';
import { keyFromPrivate } from '../../ledger/chain/key.ts';
import { openLedgerReader } from '../../ledger/store/ledger.store.ts';
import { calendarOf, dayAfter } from '../../upstream/day/calendar.ts';
import {
  closingHash,
  differences,
  readClosing,
  resultOf,
  signClosing,
} from '../../upstream/day/closing.codec.ts';
import {
  addCount,
  type BoxLine,
  boxesOf,
  type Closed,
  closeDay,
  closingsOf,
  countOn,
  secondsOf,
  tablesOn,
} from '../../upstream/day/day.store.ts';
import { type HashedEntry, recompute } from '../../upstream/day/recompute.ts';
import { statementCsv } from '../../upstream/day/statement.ts';
import { type Db, openEmbedded } from '../../upstream/db.store.ts';
import { unpackKept } from '../ledgers/kept.ts';
import { newDatabase } from '../support/new-database.ts';

const root = mkdtempSync(join(tmpdir(), 'banca-days-'));
const key = keyFromPrivate(generateKeyPairSync('ed25519').privateKey);
const rules = { timeZone: 'Asia/Macau', dayBegins: '06:00' };
const calendar = calendarOf(rules);
/** Four days in a row that are over. */
const DAYS = [-5, -4, -3, -2].map((days) => dayAfter(calendar.dayOf(Date.now()), days));
const [FIRST, SECOND, THIRD, FOURTH] = DAYS as [string, string, string, string];
const HOUR = 3_600_000;
let db: Db;
let people: number[];

before(async () => {
  await newDatabase(join(root, 'postgres'));
  db = await openEmbedded(join(root, 'postgres'));
  people = (
    await db.query<{ id: number }>(
      "INSERT INTO people (name, role) VALUES ('Wong', 'count-room'), ('Sou', 'count-room') RETURNING person_id::int AS id",
    )
  ).map(({ id }) => id);
});
after(async () => {
  await db.close();
  rmSync(root, { recursive: true, force: true });
});

type Said = readonly [kind: string, body?: object, postings?: readonly Posting[]];

/** A table whose entries are in the database as its own batches would have put them there. */
class Table {
  readonly id: string;
  readonly entries: HashedEntry[] = [];
  #hash: Uint8Array = GENESIS_HASH;

  constructor(id: string) {
    this.id = id;
  }

  async enrol(): Promise<this> {
    await db.query("INSERT INTO terminals (terminal_id, public_key) VALUES ($1, decode($2, 'hex'))", [
      this.id,
      toHex(key.publicKey),
    ]);
    return this;
  }

  /** Entries a second apart, from so long after the beginning of the day on. */
  async write(day: string, fromMs: number, ...said: readonly Said[]): Promise<this> {
    const startMs = calendar.boundsOf(day).startMs + fromMs;
    const rows = said.map(([kind, body = {}, postings = []], i) => {
      const seq = this.entries.length + 1;
      const fields = { seq, atMs: startMs + i * 1_000, kind, body, postings };
      const bytes = encodeEntry(this.id, { ...fields, roundId: null, commandId: null, noteId: null });
      this.#hash = chainHash(this.#hash, Buffer.from(bytes));
      this.entries.push({ ...fields, hash: toHex(this.#hash) });
      return { ...fields, bytes, hash: toHex(this.#hash), postings: JSON.stringify(postings) };
    });
    await db.query(
      `INSERT INTO entries (terminal_id, seq, at_ms, kind, bytes, postings, hash)
       SELECT $1, s, a, k, b, p::json, decode(h, 'hex')
       FROM unnest($2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::text[]) AS n (s, a, k, b, p, h)`,
      [
        this.id,
        rows.map(({ seq }) => seq),
        rows.map(({ atMs }) => atMs),
        rows.map(({ kind }) => kind),
        rows.map(({ bytes }) => bytes),
        rows.map(({ postings }) => postings),
        rows.map(({ hash }) => hash),
      ],
    );
    await db.query(
      "UPDATE terminals SET head_seq = $2, head_hash = decode($3, 'hex') WHERE terminal_id = $1",
      [this.id, this.entries.length, toHex(this.#hash)],
    );
    while (await countOn(db, calendar)) {
      // To its end.
    }
    return this;
  }

  /** Says that it has entries up to `seq`. */
  report(seq = this.entries.length): Promise<unknown> {
    return db.query(
      `INSERT INTO reports (terminal_id, received_at, head_seq, acked_seq) VALUES ($1, now(), $2, 0)
       ON CONFLICT (terminal_id) DO UPDATE SET received_at = now(), head_seq = excluded.head_seq`,
      [this.id, seq],
    );
  }

  close = (day: string, nowMs = Date.now(), lost: string | null = null): Promise<Closed> =>
    db.transaction((q) =>
      closeDay(q, { ...rules, calendar, key }, { terminal: this.id, day, by: 'Ana', nowMs, lost }),
    );
  boxes = (day: string): Promise<BoxLine[]> => boxesOf(db, day, this.id);
  count = (box: BoxLine, notes: Record<string, number>, no = 1, by = 0, reason = '') =>
    db.transaction((q) =>
      addCount(q, this.id, box.removedSeq, {
        no,
        notes,
        by: ['Wong', 'Sou'][by]!,
        person: people[by]!,
        reason,
      }),
    );
  closings = () => closingsOf(db, this.id, 0);
  findings = async (signed = this.closings(), trusted: string | null = toHex(key.publicKey)) =>
    (await recompute(await signed, { terminal: this.id, trusted, entries: this.entries })).findings;
}

const post = (...moves: readonly (readonly [string, number])[]): Posting[] =>
  moves.map(([account, amountMinor]) => ({ account, currency: 'MOP', amountMinor }));
const note = (acceptor: number, valueMinor: number): Said => [
  'note-credited',
  { acceptor, currency: 'MOP', valueMinor, seat: acceptor, noteId: 'n' },
  post([`cash-box:${acceptor}`, valueMinor], [`seat-credit:${acceptor}`, -valueMinor]),
];
const out = (acceptor: number): Said => [
  'fault-reported',
  { device: `acceptor-${acceptor}`, fault: 'cash-box-removed', place: '' },
];
const OPENED: Said[] = [
  ['table-configured', { profile: { tableName: '=Lótus', rulebook: 'macau-baccarat', currency: 'MOP' } }],
  ['dealer-signed-in', { person: { id: 'D-1', name: '=HYPERLINK("http://evil")', role: 'dealer' } }],
];
/** One player stakes and loses all of it. */
const lost = (seat: number, minor: number): Said[] => [
  ['betting-opened', { roundNo: 1 }],
  ['bet-placed', {}, post([`seat-credit:${seat}`, minor], [`stake:${seat}`, -minor])],
  ['betting-closed'],
  ['deal-began', { bets: [{ by: seat, bet: 'banker', amountMinor: minor }] }],
  [
    'round-settled',
    {
      lines: [
        { by: seat, bet: 'banker', outcome: 'lose', stakeMinor: minor, returnedMinor: 0, netMinor: -minor },
      ],
    },
    post([`stake:${seat}`, minor], ['bank', -minor]),
  ],
  ['results-shown'],
  ['round-closed'],
];

test('a day is closed once, with drop, win, hold, counts and one missing note named down to its box', async () => {
  const table = await new Table('T-1').enrol();
  await table.write(
    FIRST,
    HOUR,
    ...OPENED,
    note(1, 50_000),
    note(1, 50_000),
    note(3, 10_000),
    ...lost(1, 30_000),
  );
  await table.write(FIRST, 9 * HOUR, out(1), out(3), note(1, 100_000));
  await table.report();
  const boxes = await table.boxes(FIRST);
  assert.deepEqual(
    boxes.map(({ acceptor, removedSeq, count }) => [acceptor, removedSeq, count]),
    [
      [1, 13, null],
      [3, 14, null],
    ],
  );
  assert.deepEqual(
    await table
      .close(FIRST)
      .then((said) => said.outcome === 'uncounted' && said.boxes.map((box) => box.acceptor)),
    [1, 3],
  );
  assert.equal(await table.count(boxes[0]!, { MOP_50000: 1 }), 'counted');
  assert.equal(await table.count(boxes[1]!, { MOP_10000: 1 }), 'counted');
  assert.deepEqual(await table.close(FIRST), { outcome: 'closed', no: 1 });
  assert.deepEqual(await table.close(FIRST), { outcome: 'exists', no: 1 });

  const [signed] = await table.closings();
  const closing = readClosing(signed!);
  const { dropMinor, winMinor, holdBp, varianceMinor, expectedMinor } = resultOf(closing, 'MOP');
  assert.deepEqual([dropMinor, winMinor, holdBp], [210_000, 30_000, 1_429]);
  assert.deepEqual([expectedMinor, varianceMinor], [110_000, -50_000]);
  assert.deepEqual(
    closing.boxes.flatMap(({ acceptor, notes, counted }) =>
      differences(notes, counted.notes).map((each) => ({ acceptor, ...each })),
    ),
    [{ acceptor: 1, note: 'MOP_50000', count: -1 }],
  );
  assert.deepEqual(closing.inBoxes, { 1: { known: { MOP_100000: 1 }, unknown: 0 } });
  assert.deepEqual([closing.after.meters['rounds_dealt'], closing.after.meters['coin_in']], [1, 30_000]);
  assert.deepEqual([closing.closedBy, closing.toSeq, closing.toHash], ['Ana', 15, table.entries[14]!.hash]);
  assert.deepEqual(await table.findings(), []);
  // No text of the ledger is a formula of a spreadsheet.
  const csv = statementCsv([signed!]);
  assert.match(csv, /'=HYPERLINK/);
  assert.doesNotMatch(csv, /(?:^|,)"?\s*[=+@]/m);
  assert.match(csv, /^\S+,T-1,1,result,variance,,MOP,-500,amount\r$/m);
});

test('a day is not closed before it is over, or while entries of it are missing, from which number on', async () => {
  const table = await new Table('T-2').enrol();
  await table.write(FIRST, HOUR, ...OPENED, note(1, 10_000));
  const { endMs } = calendar.boundsOf(FIRST);
  assert.equal((await table.close(FIRST, endMs - 1)).outcome, 'not-over');
  assert.equal(
    (await table.close(FIRST, endMs + 59_999)).outcome,
    'not-over',
    'its clock may be a minute behind',
  );
  assert.deepEqual(
    await table.close(FIRST),
    { outcome: 'missing', fromSeq: 4, toSeq: null },
    'not heard since',
  );
  await table.report(9);
  assert.deepEqual(await table.close(FIRST), { outcome: 'missing', fromSeq: 4, toSeq: 9 });
  assert.deepEqual(await table.closings(), []);
  // An entry of the next day proves that nothing of this one is to come.
  await table.write(SECOND, HOUR, note(1, 10_000));
  assert.deepEqual(await table.close(FIRST), { outcome: 'closed', no: 1 });
  // One that has ended in order says nothing more.
  await db.query('DELETE FROM reports WHERE terminal_id = $1', [table.id]);
  assert.equal((await table.close(SECOND)).outcome, 'missing');
  await table.write(SECOND, 2 * HOUR, ['program-stopped']);
  assert.deepEqual(await table.close(SECOND), { outcome: 'closed', no: 2 });
  assert.deepEqual(await table.findings(), []);
});

test('a day of a table that is lost is closed without what is missing, with the reason, an hour after it was heard', async () => {
  const table = await new Table('T-LOST').enrol();
  await table.write(FIRST, HOUR, ...OPENED, note(1, 10_000), out(1));
  await table.report(9);
  const laterMs = Date.now() + HOUR + 1_000;
  const missing = { outcome: 'missing', fromSeq: 5, toSeq: 9 };
  assert.deepEqual(await table.close(FIRST, Date.now(), 'burnt'), missing, 'it was heard just now');
  assert.deepEqual(await table.close(FIRST, laterMs), missing, 'nobody says that it is lost');
  assert.equal((await table.close(FIRST, laterMs, 'burnt')).outcome, 'uncounted');
  const [box] = (await table.boxes(FIRST)) as [BoxLine];
  await table.count(box, box.notes.known);
  assert.deepEqual(await table.close(FIRST, laterMs, 'burnt'), { outcome: 'closed', no: 1 });
  assert.deepEqual(await table.close(SECOND, laterMs, '=burnt'), { outcome: 'closed', no: 2 });
  // A disk that was saved after all: what it says of both days is a correction of the next one.
  await table.write(FIRST, 22 * HOUR, note(1, 50_000));
  await table.write(THIRD, HOUR, note(1, 100_000));
  await table.report();
  assert.deepEqual(await table.close(THIRD, Date.now(), 'not lost'), { outcome: 'closed', no: 3 });
  const signed = await table.closings();
  assert.deepEqual(
    signed
      .map((each) => readClosing(each))
      .map(({ without, spans }) => [without, spans.map(({ day }) => day)]),
    [
      [{ fromSeq: 5, reason: 'burnt' }, [FIRST]],
      [{ fromSeq: 5, reason: '=burnt' }, [SECOND]],
      [undefined, [FIRST, THIRD]],
    ],
  );
  assert.match(statementCsv(signed), /,2,closing,without entries from 5 on,,,'=burnt,text\r$/m);
  assert.deepEqual(await table.findings(), []);
});

test('entries that come after the closing change nothing of it and are corrections of the next day', async () => {
  const table = await new Table('T-3').enrol();
  await table.write(FIRST, HOUR, ...OPENED, note(1, 10_000));
  await table.report();
  assert.deepEqual(await table.close(FIRST), { outcome: 'closed', no: 1 });
  const [before] = await table.closings();
  // It had played on without a network, and its clock was behind.
  await table.write(FIRST, 22 * HOUR, note(1, 50_000), ...lost(1, 20_000), out(1));
  await table.write(SECOND, HOUR, note(1, 100_000), out(1));
  await table.write(THIRD, HOUR, note(1, 100_000));
  for (const box of await table.boxes(SECOND)) await table.count(box, box.notes.known);
  assert.deepEqual(await table.boxes(FIRST), []);
  assert.deepEqual(await table.close(SECOND), { outcome: 'closed', no: 2 });
  const [first, second] = await table.closings();
  assert.deepEqual(first, before);
  const closing = readClosing(second!);
  assert.deepEqual(
    closing.spans.map(({ day, fromSeq, toSeq }) => [day, fromSeq, toSeq]),
    [
      [FIRST, 4, 12],
      [SECOND, 13, 14],
    ],
  );
  const late = resultOf(closing, 'MOP', closing.spans[0]);
  assert.deepEqual([late.dropMinor, late.winMinor], [50_000, 20_000]);
  assert.deepEqual([resultOf(closing, 'MOP').dropMinor, resultOf(closing, 'MOP').winMinor], [100_000, 0]);
  assert.equal(closing.boxes.length, 2);
  assert.match(statementCsv([second!]), /,correction,"\S+, entries 4 to 12, drop",,MOP,500,amount/);
  assert.deepEqual(await table.findings(), []);
});

test('a box is counted once; again by another person with a reason, and never after the closing', async () => {
  const table = await new Table('T-4').enrol();
  await table.write(FIRST, HOUR, ...OPENED, note(2, 10_000), out(2));
  await table.write(SECOND, HOUR, note(2, 10_000), out(2));
  const [box] = (await table.boxes(FIRST)) as [BoxLine];
  assert.equal(await table.count(box, { MOP_10000: 2 }), 'counted');
  assert.equal(await table.count(box, { MOP_10000: 2 }), 'exists', 'the same form, sent again');
  assert.equal(await table.count(box, { MOP_10000: 1 }), 'already');
  assert.equal(await table.count(box, { MOP_10000: 2 }, 1, 1), 'already', 'two people at once');
  assert.equal(await table.count(box, { MOP_10000: 1 }, 2, 0, 'wrong'), 'same-person');
  assert.equal(await table.count(box, { MOP_10000: 1 }, 2, 1), 'no-reason');
  assert.equal(await table.count(box, { MOP_10000: 1 }, 2, 1, '+two stuck together'), 'counted');
  assert.equal(await table.count({ ...box, removedSeq: 1 }, {}), 'no-box');
  assert.deepEqual(await table.close(FIRST), { outcome: 'closed', no: 1 });
  assert.equal(await table.count(box, { MOP_10000: 9 }, 3, 0, 'later'), 'closed');
  const insert = `INSERT INTO box_counts (terminal_id, removed_seq, no, notes, person_id, who, reason)
    VALUES ('T-4', 4, 3, '{}', ${people[0]}, 'x', '')`;
  await assert.rejects(db.query(insert), /the day of this box is closed/);
  for (const change of [
    'UPDATE box_counts SET no = 9',
    'DELETE FROM box_counts',
    'TRUNCATE box_counts',
    'UPDATE day_closings SET no = 9',
    'DELETE FROM day_closings',
    'TRUNCATE day_closings',
  ])
    await assert.rejects(db.query(change), /append-only/, change);
  const [signed] = await table.closings();
  const { counted } = readClosing(signed!).boxes[0]!;
  assert.deepEqual(
    { ...counted, atMs: 0 },
    { no: 2, notes: { MOP_10000: 1 }, by: 'Sou', atMs: 0, reason: '+two stuck together' },
  );
  assert.match(statementCsv([signed!]), /,box-recount,"acceptor 2, entry 4",Sou,,'\+two stuck together,text/);
  assert.deepEqual(await table.findings(), []);
});

test('days follow on each other, those without an entry too', async () => {
  const table = await new Table('T-5').enrol();
  assert.equal((await table.close(FIRST)).outcome, 'nothing', 'no entry at all');
  await table.write(SECOND, HOUR, ...OPENED, note(1, 10_000));
  assert.equal((await table.close(FIRST)).outcome, 'nothing', 'before its first entry');
  await table.write(FOURTH, HOUR, note(1, 20_000));
  assert.deepEqual(await table.close(SECOND), { outcome: 'closed', no: 1 });
  assert.deepEqual(await table.close(FOURTH), { outcome: 'day-before', day: THIRD });
  assert.equal((await table.close(FIRST)).outcome, 'nothing', 'before the first closing');
  assert.deepEqual(await table.close(THIRD), { outcome: 'closed', no: 2 });
  await table.report();
  assert.deepEqual(await table.close(FOURTH), { outcome: 'closed', no: 3 });
  const [, idle, last] = (await table.closings()).map(readClosing);
  assert.deepEqual([idle!.spans, idle!.before], [[{ ...idle!.spans[0], fromSeq: 4, toSeq: 3 }], idle!.after]);
  assert.equal(resultOf(last!, 'MOP').dropMinor, 20_000);
  assert.deepEqual(await table.findings(), []);
  // Another table may begin in the middle: what was before stands in its first closing.
  const other = await new Table('T-6').enrol();
  await other.write(FIRST, HOUR, ...OPENED, note(1, 10_000), out(1));
  await other.report();
  assert.deepEqual(await other.close(THIRD), { outcome: 'closed', no: 1 }, 'idle since');
  const [began] = (await other.closings()).map(readClosing);
  assert.equal(began!.before.accounts['MOP/cash-box:1'], 10_000);
  assert.deepEqual(await other.findings(), []);
});

test('closings of a real terminal are computed again from its own ledger, by two counts', async (t) => {
  const dir = mkdtempSync(join(root, 'kept-'));
  const path = unpackKept('0.1.0/macau-2009', dir);
  const reader = openLedgerReader(path);
  t.after(() => reader.close());
  const entries = reader.read(1, 10_000);
  const table = await new Table(reader.terminalId).enrol();
  // In three parts, as batches come; its clock was right then.
  for (const [from, to] of [
    [1, 300],
    [301, 301],
    [302, entries.length],
  ] as const) {
    for (const { seq, bytes, hash } of reader.readBytes(from, to - from + 1))
      await db.query(
        `INSERT INTO entries (terminal_id, seq, at_ms, kind, bytes, postings, hash, received_at)
         VALUES ($1, $2, $3::bigint, $4, $5, $6::json, decode($7, 'hex'), to_timestamp($3::bigint / 1000.0))`,
        [
          ...[table.id, seq, entries[seq - 1]!.atMs, entries[seq - 1]!.kind, bytes.toString()],
          ...[JSON.stringify(entries[seq - 1]!.postings), toHex(hash)],
        ],
      );
    await db.query('UPDATE terminals SET head_seq = $2 WHERE terminal_id = $1', [table.id, to]);
    while (await countOn(db, calendar)) {
      // To its end.
    }
  }
  const day = calendar.dayOf(entries[0]!.atMs);
  const { endMs } = calendar.boundsOf(day);
  assert.deepEqual(await table.close(day, endMs + 60_000), { outcome: 'closed', no: 1 });
  const seconds = await secondsOf(db, { startMs: 0, endMs: endMs + HOUR }, table.id);
  assert.deepEqual(
    [seconds.length, seconds.reduce((sum, { rounds }) => sum + rounds, 0), seconds[0]!.name],
    [1, entries.filter(({ kind }) => kind === 'round-closed').length, 'Lei Ka Man'],
  );
  const closings = join(dir, 'closings.json');
  writeFileSync(closings, JSON.stringify({ terminal: table.id, closings: await table.closings() }));
  writeFileSync(join(dir, 'closing.pub'), key.publicPem);
  const said: string[] = [];
  t.mock.method(console, 'log', (line: string) => said.push(line));
  const banca = (...args: readonly string[]) => main(['day', path, '--closings', closings, ...args]);
  const csv = join(dir, 'statement.csv');
  writeFileSync(csv, statementCsv(await table.closings()));
  assert.equal(await banca('--key', join(dir, 'closing.pub'), '--statement', csv), 0, said.join());
  assert.match(said.at(-1)!, /^1 closings, 0 differences, signatures by the key that was named$/);
  writeFileSync(csv, statementCsv(await table.closings()).replace(',drop,,MOP,', ',drop,,MOP,1'));
  assert.equal(await banca('--statement', csv), 1);
  assert.match(said.join('\n'), /statement\.csv, line 2 is \S+, computed /);
  // Signed by whoever owns the centre, and still not what the table has.
  const closing = readClosing((await table.closings())[0]!);
  const { v: _, ...rest } = closing;
  const meters = { ...closing.after.meters, coin_in: 1 };
  const forged = signClosing({ ...rest, after: { ...closing.after, meters } }, key);
  writeFileSync(closings, JSON.stringify({ terminal: table.id, closings: [forged] }));
  assert.equal(await banca(), 1);
  assert.match(said.join('\n'), /after\.meters\.coin_in is 1, by the ledger \d+/);
  assert.match(said.join('\n'), /meter coin_in is 1, by the engine \d+/);
});

test('a clock that is years ahead makes no day of its own', async () => {
  const table = await new Table('T-7').enrol();
  await table.write(FIRST, HOUR, ...OPENED);
  await table.write('2150-01-01', 0, note(1, 10_000));
  const [on] = await tablesOn(db, FIRST, 'T-7');
  assert.equal(on!.openDay, calendar.dayOf(Date.now()));
});

test('whoever changes a closing, its order, its key or the ledger is named with the place', async () => {
  const table = await new Table('T-8').enrol();
  const many = Array.from({ length: 700 }, (_, i) => note(1 + (i % 7), 10_000));
  await table.write(FIRST, HOUR, ...OPENED, ...many);
  await table.write(SECOND, HOUR, note(1, 10_000));
  await table.write(THIRD, HOUR, note(1, 10_000));
  assert.deepEqual(
    [await table.close(FIRST), await table.close(SECOND)].map(({ outcome }) => outcome),
    ['closed', 'closed'],
  );
  const signed = await table.closings();
  assert.deepEqual(await table.findings(), []);
  const closing = readClosing(signed[1]!);
  const other = keyFromPrivate(generateKeyPairSync('ed25519').privateKey);
  const changed = (of: Partial<typeof closing>, by = key) => {
    const { v: _, ...rest } = closing;
    return [signed[0]!, signClosing({ ...rest, ...of }, by)];
  };
  const what = async (of: readonly { bytes: string; signature: string; key: string }[]): Promise<string> =>
    (await table.findings(Promise.resolve(of as typeof signed))).map((finding) => finding.what).join('; ');
  assert.match(
    await what([{ ...signed[0]!, bytes: signed[0]!.bytes.replace('"no":1', '"no":2') }]),
    /signature does not hold/,
  );
  assert.match(
    await what([signed[1]!]),
    /number is 2, its place 1; it does not follow on the closing before/,
  );
  assert.match(await what(changed({}, other)), /signed with another key/);
  assert.match(await what(changed({ prevHash: closingHash('x') })), /does not follow/);
  const [span] = closing.spans as [(typeof closing.spans)[0]];
  const accounts = { ...span.figures.accounts, 'MOP/cash-box:1': 9_000 };
  assert.match(
    await what(changed({ spans: [{ ...span, figures: { ...span.figures, accounts } }] })),
    /^spans\.0\.figures\.accounts\.MOP\/cash-box:1 is 9000, by the ledger 10000$/,
  );
  assert.match(await what(changed({ spans: [{ ...span, fromSeq: span.fromSeq + 1 }] })), /figures/);
  assert.match(await what(changed({ toHash: closingHash('x') })), /another one than was closed/);
  table.entries.splice(500, 1, { ...table.entries[500]!, body: {}, postings: [] });
  const places = await what(signed);
  assert.match(places, /spans\.0\.figures\.meters\.bills_in is 7000000, by the ledger 6990000/);
  table.entries.length = 600;
  assert.match(await what(signed), /the ledger ends with entry 600, the closing is up to 702/);
});
