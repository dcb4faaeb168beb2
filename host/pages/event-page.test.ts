import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Ledger, NewEntry } from '../../ledger/store/ledger.store.ts';
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
