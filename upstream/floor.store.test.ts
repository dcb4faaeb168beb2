import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { newDatabase } from '../test/support/new-database.ts';
import { until } from '../test/support/until.ts';
import { calendarOf } from './day/calendar.ts';
import { countOn, tablesOn } from './day/day.store.ts';
import { type Db, openEmbedded, type Queryable } from './db.store.ts';
import { floorLines, moveAlarms, standingAlarms } from './floor.store.ts';
import { createFloorKeeper, type Floor } from './floor-keeper.ts';
import { catchUp } from './floor-ledgers.store.ts';
import { NO_PLAN } from './floor-plan.ts';
import { createMetrics } from './metrics.ts';
import { forkLines, terminalLines } from './operator.store.ts';

const TABLES = 64;
const ENTRIES = 500;

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly Plans?: readonly Plan[];
}
const partsOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(partsOf)];

const root = mkdtempSync(join(tmpdir(), 'banca-floor-'));
let db: Db;
before(async () => {
  await newDatabase(join(root, 'postgres'));
  db = await openEmbedded(join(root, 'postgres'));
  await db.script(`
    INSERT INTO terminals (terminal_id, public_key, head_seq)
      SELECT 'T' || n, sha256(''), ${ENTRIES} FROM generate_series(1, ${TABLES}) AS n`);
});
after(async () => {
  await db.close();
  rmSync(root, { recursive: true, force: true });
});

test('no look at the floor reads the entries of all time', async () => {
  await db.script(`
    INSERT INTO entries (terminal_id, seq, at_ms, kind, bytes, postings, hash)
      SELECT 'T' || n, seq, seq * 1000, CASE WHEN seq % 12 = 1 THEN 'betting-opened' ELSE 'bet-placed' END,
        json_build_object('body', json_build_object('text', repeat('x', 200))), '[]', sha256('')
      FROM generate_series(1, ${TABLES}) AS n, generate_series(1, ${ENTRIES}) AS seq;
  `);
  /** Statements that read entries, and which partitions they would read from end to end. */
  const seen = new Map<string, string[]>();
  const watched = (q: Queryable): Queryable => ({
    ...q,
    query: async <Row>(sql: string, params?: readonly unknown[]) => {
      if (/\b(?:FROM|JOIN) entries\b/.test(sql)) {
        const [row] = await q.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
          `EXPLAIN (FORMAT JSON) ${sql}`,
          params,
        );
        const parts = partsOf(row!['QUERY PLAN'][0].Plan).filter((part) =>
          part['Relation Name']?.startsWith('entries'),
        );
        assert.ok(parts.length > 0, sql);
        const whole = parts.filter((part) => part['Node Type'].endsWith('Seq Scan'));
        seen.set(
          sql,
          whole.map((part) => part['Relation Name']!),
        );
      }
      return await q.query<Row>(sql, params);
    },
  });
  const looked: Db = {
    ...db,
    ...watched(db),
    transaction: (work) => db.transaction((q) => work(watched(q))),
  };
  const calendar = calendarOf({ timeZone: 'Asia/Macau', dayBegins: '06:00' });
  for (const isAnalysed of [false, true]) {
    if (isAnalysed) await db.script('ANALYZE');
    seen.clear();
    assert.equal(await catchUp(looked, Date.now()), true);
    assert.equal(await countOn(looked, calendar), true);
    assert.equal((await floorLines(looked)).length, TABLES);
    assert.equal((await terminalLines(looked)).length, TABLES);
    assert.equal((await tablesOn(looked, '1970-01-01')).length, TABLES);
    assert.deepEqual(await forkLines(looked), []);
    await createMetrics(looked).registry.metrics();
    assert.equal(seen.size, 7, [...seen.keys()].join('\n'));
    assert.deepEqual([...seen.values()].flat(), [], isAnalysed ? 'analysed' : 'new');
  }
});

test('a whole floor falls silent and is heard again: every table has its alarm once, and loses it', async () => {
  const tables = await floorLines(db);
  const wanted = tables.flatMap(({ terminal }) =>
    Array.from({ length: 9 }, (_, i) => ({
      ...{ terminal, kind: 'clock' as const, about: String(i), facts: { offMs: i }, sinceMs: 1_000 },
    })),
  );
  const numbers = async (): Promise<unknown> =>
    (
      await db.query<{ numbers: unknown }>(
        `SELECT array_agg(DISTINCT (no, about)::text ORDER BY (no, about)::text) AS numbers FROM floor_alarms`,
      )
    )[0]!.numbers;
  // Both instances have noticed it.
  await Promise.all([moveAlarms(db, wanted, []), moveAlarms(db, wanted.toReversed(), [])]);
  const standing = await standingAlarms(db, ['clock', 'late']);
  assert.equal(standing.length, 9 * TABLES, 'more than a page shows');
  assert.deepEqual(
    await numbers(),
    Array.from({ length: 9 }, (_, i) => `(${i + 1},${i})`),
  );
  assert.deepEqual(await standingAlarms(db, ['silent']), []);
  await moveAlarms(db, [], standing);
  assert.deepEqual(await standingAlarms(db, ['clock']), []);
  // What comes again is another alarm, under the next number.
  await moveAlarms(db, wanted.slice(0, 1), []);
  assert.deepEqual(
    (await standingAlarms(db, ['clock'])).map(({ terminal, no }) => [terminal, no]),
    [[wanted[0]!.terminal, 10]],
  );
});

test('while a fleet comes a floor that nobody watches waits, and one that is watched does not', async (t) => {
  const keeper = createFloorKeeper({
    db,
    plan: NO_PLAN,
    calendar: calendarOf(NO_PLAN),
    isPressed: () => true,
    onError: (error) => assert.fail(error as Error),
  });
  t.after(() => keeper.stop());
  keeper.start();
  await until('a first look', () => keeper.newest());
  const first = keeper.newest();
  await sleep(2_500);
  assert.equal(keeper.newest(), first);
  const looks: Floor[] = [];
  t.after(keeper.watch((floor) => looks.push(floor)));
  await until('two more', () => looks.length >= 2);
});
