import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Entry, Ledger, NewEntry } from '../../ledger/store/ledger.store.ts';
import { loadOrCreateKey, openLedger } from '../../ledger/store/ledger.store.ts';
import type { EventPage } from '../../wire/pages.ts';
import { codesOf } from './event-codes.ts';
import { type EventsAsked, eventPage, firstSeqFrom } from './event-page.ts';

/** Set it to see a real size: BANCA_EVENTS=1000000. */
const COUNT = Number(process.env['BANCA_EVENTS'] ?? 3_000);
const START_MS = 1_760_000_000_000;

const MEI = { id: 'S-01', name: 'Mei', role: 'supervisor' };
const RUI = { id: 'A-01', name: 'Rui', role: 'attendant' };
const LEO = { id: 'T-01', name: 'Leo', role: 'technician' };

const entry = (no: number): NewEntry => {
  const roundId = `R-${Math.floor(no / 50)}`;
  const seat = (no % 7) + 1;
  const [kind, body]: [string, unknown] =
    no % 500 === 0
      ? ['fault-reported', { device: 'shoe', fault: 'shoe-jam', place: 'card shoe' }]
      : no % 500 === 9
        ? ['fault-cleared', { device: 'shoe', fault: 'shoe-jam' }]
        : no % 50 === 1
          ? ['betting-opened', {}]
          : no % 50 === 49
            ? ['round-settled', { lines: [{ seat, by: seat }] }]
            : no % 50 === 25
              ? ['hold-released', { person: no % 100 === 25 ? MEI : RUI, persons: [LEO] }]
              : no % 3 === 0
                ? ['bet-placed', { seat, by: seat }]
                : ['turn-moved', { seat }];
  return { kind, roundId, body, postings: [] };
};

function filled(t: TestContext): Ledger {
  const dir = mkdtempSync(join(tmpdir(), 'banca-events-'));
  const ledger = openLedger(join(dir, 'ledger.db'), {
    terminalId: 'T-EVENTS',
    key: loadOrCreateKey(dir),
    createIfMissing: true,
  });
  t.after(() => {
    ledger.close();
    rmSync(dir, { recursive: true, force: true });
  });
  // One second for each transaction of a hundred entries.
  for (let no = 1; no <= COUNT; no += 100)
    ledger.append(
      START_MS + no * 10,
      null,
      Array.from({ length: Math.min(100, COUNT - no + 1) }, (_, i) => entry(no + i)),
    );
  return ledger;
}

const ASKED: Readonly<Record<string, Partial<EventsAsked>>> = {
  everything: {},
  'a code': { code: '504' },
  'the code of a fault': { code: '410' },
  'its end': { code: '410C' },
  'a code nobody tells': { code: '107' },
  'a class': { class: 'F' },
  'a class and a code': { class: 'I', code: '507' },
  'a seat': { seat: 3 },
  'a seat in the lines of a settlement': { seat: 3, code: '507' },
  'a round': { roundId: 'R-20' },
  'a round that never was': { roundId: 'R-none' },
  'a person by id': { person: 'S-01' },
  'a person by name, in a list': { person: 'leo' },
  'a person and a class': { person: 'A-01', class: 'W' },
  'nobody of that name': { person: 'S-0' },
  'a time': { fromMs: START_MS + 10_010, toMs: START_MS + 15_000 },
  'all of it': { class: 'I', seat: 2, fromMs: START_MS + 5_000, roundId: 'R-30' },
};

test('events by code, class, seat, round, person and time: page by page the same as all entries looked at one by one', async (t) => {
  const ledger = filled(t);
  const all = Array.from({ length: Math.ceil(COUNT / 1000) }, (_, i) =>
    ledger.read(i * 1000 + 1, 1000),
  ).flat();
  for (const [name, asked] of Object.entries(ASKED)) {
    const { code, class: cls, seat, roundId, person, fromMs, toMs } = asked;
    const expected = all
      .filter((each) => {
        const codes = codesOf(each);
        const { seat: at, by, lines, person: whose, persons } = each.body as Record<string, unknown>;
        const people = [whose, ...((persons ?? []) as unknown[])] as (
          | { id: string; name: string }
          | undefined
        )[];
        const seats = [
          at,
          by,
          ...((lines ?? []) as { seat: number; by: number }[]).flatMap((l) => [l.seat, l.by]),
        ];
        return (
          (code == null || codes.some((c) => c.code === code)) &&
          (cls == null || codes.some((c) => c.class === cls)) &&
          (seat == null || seats.includes(seat)) &&
          (person == null ||
            people.some((one) => one?.id === person || one?.name.toLowerCase() === person)) &&
          (roundId == null || each.roundId === roundId) &&
          (fromMs == null || each.atMs >= fromMs) &&
          (toMs == null || each.atMs < toMs)
        );
      })
      .map(({ seq }) => seq)
      .toReversed();
    const seen: number[] = [];
    let beforeSeq: number | null = null;
    do {
      const page: EventPage = await eventPage(ledger, null, { beforeSeq, limit: 40, kind: null, ...asked });
      assert.ok(page.events.length <= 40);
      seen.push(...page.events.map(({ seq }) => seq));
      beforeSeq = page.olderSeq;
    } while (beforeSeq !== null);
    assert.deepEqual(seen, expected, name);
    if (/person/.test(name)) assert.ok(seen.length > 0, name);
  }
});

test('a filter that finds little gives way to the table between any two reads', async (t) => {
  const ledger = filled(t);
  let turns = 0;
  let longestMs = 0;
  let isDone = false;
  let lastMs = performance.now();
  const turn = (): void => {
    turns += 1;
    longestMs = Math.max(longestMs, performance.now() - lastMs);
    lastMs = performance.now();
    if (!isDone) setImmediate(turn);
  };
  setImmediate(turn);
  const began = performance.now();
  let beforeSeq: number | null = null;
  let pages = 0;
  do {
    const page = await eventPage(ledger, null, { beforeSeq, limit: 40, kind: null, seat: 12 });
    assert.equal(page.events.length, 0);
    beforeSeq = page.olderSeq;
    pages += 1;
  } while (beforeSeq !== null);
  isDone = true;
  const reads = Math.ceil(COUNT / 250);
  assert.ok(turns >= reads, `${turns} turns of the loop for ${reads} reads`);
  const rareAtMs = performance.now();
  await eventPage(ledger, null, { beforeSeq: null, limit: 40, kind: null, code: '908' });
  t.diagnostic(
    `${COUNT} entries: by seat ${Math.round(rareAtMs - began)} ms in ${pages} pages, longest turn ${Math.round(longestMs)} ms; ` +
      `by a code that none has ${Math.round(performance.now() - rareAtMs)} ms`,
  );
});

test('the first entry from a time on', (t) => {
  const ledger = filled(t);
  assert.equal(firstSeqFrom(ledger, 0), 1);
  assert.equal(firstSeqFrom(ledger, START_MS + 10), 1);
  assert.equal(firstSeqFrom(ledger, START_MS + 11), 101);
  assert.equal(firstSeqFrom(ledger, Number.MAX_SAFE_INTEGER), COUNT + 1);
});

/** A ledger of so many entries that stores none: it counts what is asked of it. */
function counted(size: number) {
  const asked = { calls: 0, rows: 0, reads: 0 };
  const made = (seq: number): Entry => ({
    ...{ seq, atMs: START_MS + seq, kind: 'bet-placed', roundId: `R-${Math.ceil(seq / 100)}` },
    ...{ commandId: null, noteId: null, postings: [], hash: new Uint8Array(32) },
    body: { seat: 1, by: 1, person: MEI },
  });
  const ledger = {
    head: () => ({ seq: size }),
    read: (fromSeq: number, limit: number) => {
      asked.reads += 1;
      return Array.from({ length: Math.min(limit, size - fromSeq + 1) }, (_, i) => made(fromSeq + i));
    },
    roundSpan: () => ({ firstSeq: 500_001, lastSeq: 500_100 }),
    newest: (o: Parameters<Ledger['newest']>[0]) => {
      asked.calls += 1;
      if (o.kinds !== null && o.kinds !== undefined && !o.kinds.includes('bet-placed')) return [];
      const from = Math.min(o.beforeSeq ?? size + 1, size + 1) - 1;
      const count = Math.max(0, Math.min(o.limit, from - (o.downToSeq ?? 1) + 1));
      asked.rows += count;
      return Array.from({ length: count }, (_, i) => made(from - i));
    },
  } as unknown as Ledger;
  return { ledger, asked };
}

test('H5: of a million entries an answer looks at so many at most, whatever is asked for', async () => {
  const SIZE = 1_000_000;
  const cases: readonly (readonly [name: string, asked: Partial<EventsAsked>, most: number])[] = [
    ['everything', {}, 250],
    ['a seat that has nothing', { seat: 9 }, 25_250],
    ['a person who has nothing', { person: 'nobody' }, 25_250],
    ['a class', { class: 'I' }, 250],
    ['a code that none has', { code: '908' }, 0],
    ['a round', { roundId: 'R-5001' }, 250],
    ['a moment', { fromMs: START_MS + 700_000, toMs: START_MS + 700_040 }, 40],
    ['a moment and a seat', { fromMs: START_MS + 1, toMs: START_MS + 900_000, seat: 9 }, 25_250],
  ];
  for (const [name, asked, most] of cases) {
    const { ledger, asked: done } = counted(SIZE);
    const page = await eventPage(ledger, null, { beforeSeq: null, limit: 40, kind: null, ...asked });
    assert.ok(done.rows <= most, `${name}: ${done.rows} entries looked at`);
    assert.ok(done.reads <= 2 * Math.ceil(Math.log2(SIZE)), `${name}: ${done.reads} reads for the times`);
    // Once over the ledger where nothing is found, in strides between which the table is served.
    assert.ok(done.calls <= SIZE / 10_000 + 1, `${name}: asked ${done.calls} times`);
    assert.ok(page.events.length <= 40);
    if (done.rows >= 25_000)
      assert.ok(page.olderSeq !== null, `${name}: what is further back is another page`);
  }
});
