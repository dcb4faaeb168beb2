import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Entry } from '../../ledger/store/ledger.store.ts';
import { repeated } from '../devices/note-traces.ts';
import { Latencies } from './latencies.ts';
import { Trends } from './trends.ts';

const HOUR_MS = 3_600_000;
const START_MS = Date.UTC(2026, 4, 1);

const told = (of: readonly (readonly [atMs: number, kind: string, body: object])[]): Trends => {
  const trends = new Trends();
  for (const [atMs, kind, body] of of)
    trends.take({
      kind,
      atMs,
      body,
      seq: 1,
      roundId: null,
      commandId: null,
      noteId: null,
      postings: [],
      hash: new Uint8Array(),
    } as Entry);
  return trends;
};
const note = (noteId: string, acceptor: number, valueMinor = 10_000): object => ({
  noteId,
  acceptor,
  seat: acceptor,
  currency: 'MOP',
  valueMinor,
});

test('H6 notes are counted by what became of each: by acceptor, value and outcome', () => {
  const trends = told([
    [START_MS, 'note-escrowed', note('a', 1)],
    [START_MS, 'note-escrowed', note('b', 2, 50_000)],
    [START_MS + 1, 'note-credited', note('a', 1)],
    [START_MS + 2, 'note-returned', { noteId: 'b', acceptor: 2 }],
    [START_MS + 3, 'note-refused', { ...note('c', 2), why: 'limit' }],
    [START_MS + 4, 'note-rejected-by-device', { acceptor: 1, reason: 'inhibited' }],
    [START_MS + 5, 'note-held', { ...note('d', 1), caseNo: 1, why: 'value', inBox: true }],
  ]);
  assert.deepEqual(
    trends
      .page(1, START_MS + 10)
      .notes.map(({ acceptor, valueMinor, outcome, count }) => [acceptor, valueMinor, outcome, count]),
    [
      [1, 10_000, 'credited', 1],
      [2, 50_000, 'returned', 1],
      [2, 10_000, 'refused', 1],
      [1, null, 'rejected', 1],
      [1, null, 'held', 1],
    ],
  );
});

test('rounds and faults stand in their hour; of what is older than the span and than a month nothing is shown', () => {
  const fault = { device: 'shoe', fault: 'shoe-jam', place: 'card shoe' };
  const trends = told([
    ...Array.from(
      { length: 40 * 24 },
      (_, hour) => [START_MS + hour * HOUR_MS, 'round-settled', {}] as const,
    ),
    [START_MS + 40 * 24 * HOUR_MS, 'fault-reported', fault],
    [START_MS + 40 * 24 * HOUR_MS + 1, 'fault-cleared', fault],
  ]);
  const nowMs = START_MS + 40 * 24 * HOUR_MS + 2;
  const day = trends.page(24, nowMs);
  assert.equal(
    day.rounds.reduce((sum, { count }) => sum + count, 0),
    23,
  );
  assert.deepEqual(day.faults, [{ atMs: START_MS + 40 * 24 * HOUR_MS, code: '410', count: 1 }]);
  assert.equal(trends.page(744, nowMs).rounds.length, 744);
});

test('latencies: the middle, what 95 of 100 keep to, the longest, and every kept one in a bar', () => {
  const latencies = new Latencies();
  for (let ms = 1; ms <= 1_500; ms += 1) latencies.took('commit', ms);
  const [commit] = latencies.page();
  assert.ok(commit);
  assert.deepEqual(
    [commit.count, commit.kept, commit.medianMs, commit.p95Ms, commit.mostMs],
    [1_500, 1_000, 1_001, 1_451, 1_500],
  );
  assert.equal(
    commit.bars.reduce((sum, { count }) => sum + count, 0),
    1_000,
  );
});

test('a poll and its answer that come again and again are shown once, with their number', () => {
  const frames = (of: string) =>
    [...of].map((hex, i) => ({ atMs: i, hex, direction: hex < 'a' ? ('out' as const) : ('in' as const) }));
  assert.deepEqual(
    repeated(frames('AaAaAaBbAa')).map(({ hex, times }) => `${hex}${times}`),
    ['A3', 'a3', 'B1', 'b1', 'A1', 'a1'],
  );
  assert.equal(
    repeated(frames('AaAaA')).reduce((sum, { times }) => sum + times, 0),
    5,
    'none is lost',
  );
});
