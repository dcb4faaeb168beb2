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

test('B12 what the table waits for decisions is counted apart for those noted ahead, and what they have saved', () => {
  const turn = (seat: number) => ({
    seat,
    hand: 0,
    deadline: { kind: 'decision', atMs: 0, totalMs: 20_000 },
  });
  const said = (seat: number, byDefault = false) => ({ seat, hand: 0, by: seat, byDefault });
  const at = (ms: number) => START_MS + ms;
  const trends = told([
    [at(0), 'turn-moved', turn(1)],
    [at(6_000), 'hit-called', said(1)],
    [at(9_000), 'card-dealt', {}],
    [at(11_000), 'hand-stood', said(1)],
    // Their turn, and what they had noted is said in it: in one transaction.
    [at(11_000), 'turn-moved', turn(2)],
    [at(11_100), 'hand-stood', said(2)],
    [at(11_100), 'turn-moved', turn(3)],
    [at(11_100), 'intent-taken', said(2)],
    [at(31_100), 'hand-stood', said(3, true)],
    // A split hand waits for its card, and a hold is no player's time.
    [at(31_100), 'turn-moved', { ...turn(4), deadline: null }],
    [at(41_000), 'card-dealt', {}],
    [at(42_000), 'table-held', {}],
    [at(99_000), 'hand-stood', said(4)],
    [at(99_000), 'bank-turn-began', {}],
  ]);
  assert.deepEqual(trends.page(1, at(100_000)).decisions, {
    asked: { count: 2, ms: 8_000 },
    noted: { count: 1, ms: 100 },
    savedMs: 3_900,
  });
  assert.equal(told([]).page(1, START_MS).decisions.savedMs, null);
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

test('K6: rounds of each seat, and the hours it played in', () => {
  const settled = (...by: number[]) => ({ lines: by.map((seat) => ({ seat, by: seat })) });
  const trends = told([
    [START_MS, 'round-settled', settled(1, 1, 3)],
    [START_MS + 1, 'round-settled', settled(3)],
    [START_MS + HOUR_MS, 'round-settled', settled(3)],
  ]);
  assert.deepEqual(trends.page(24, START_MS + HOUR_MS).seats, [
    { seat: 1, rounds: 1, hours: 1 },
    { seat: 3, rounds: 3, hours: 2 },
  ]);
  assert.deepEqual(trends.page(1, START_MS + HOUR_MS).seats, [{ seat: 3, rounds: 1, hours: 1 }]);
});

test('H9: how long faults stood: each device for itself, from its first word to its end, the newest two hundred', () => {
  const jam = (acceptor: number) => ({
    device: `acceptor-${acceptor}`,
    fault: 'acceptor-jammed',
    place: 'x',
  });
  const trends = told([
    [START_MS, 'fault-reported', jam(1)],
    [START_MS + 1_000, 'fault-reported', jam(2)],
    [START_MS + 2_000, 'fault-reported', jam(1)],
    [START_MS + 5_000, 'fault-cleared', jam(1)],
    [START_MS + 61_000, 'fault-cleared', jam(2)],
    [START_MS + 62_000, 'fault-cleared', jam(2)],
    [START_MS + 63_000, 'fault-reported', { ...jam(1), fault: 'cash-box-full' }],
  ]);
  assert.deepEqual(trends.page(1, START_MS + 70_000).stood, [
    { fault: 'acceptor-jammed', count: 2, medianMs: 60_000, mostMs: 60_000 },
  ]);
  const many = told(
    Array.from({ length: 300 }, (_, no) => [
      [START_MS + no * 1_000, 'fault-reported', jam(1)] as const,
      [START_MS + no * 1_000 + no, 'fault-cleared', jam(1)] as const,
    ]).flat(),
  );
  assert.deepEqual(many.page(1, START_MS + 300_000).stood, [
    { fault: 'acceptor-jammed', count: 200, medianMs: 200, mostMs: 299 },
  ]);
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
