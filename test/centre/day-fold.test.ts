import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyMeters, meterValue } from '../../engine/accounting/meter-fold.ts';
import { countEntry } from '../../host/pages/meters.ts';
import { holdBp, perHourTenths, sumOfNotes } from '../../upstream/day/closing.codec.ts';
import {
  bump,
  type DayEntry,
  DayFold,
  newBooks,
  noFigures,
  type RemovedBox,
  standing,
} from '../../upstream/day/day-fold.ts';
import { keptLedgers } from '../ledgers/kept.ts';

test('the meters of the kept ledgers are those of the engine, which counts them by itself', () => {
  let rounds = 0;
  for (const { name, entries } of keptLedgers()) {
    const fold = new DayFold(newBooks(), noFigures(), 0);
    const engine = emptyMeters();
    for (const entry of entries) {
      fold.take(entry);
      countEntry(engine, entry);
    }
    const { books, figures } = fold;
    const meters = { ...books.meters, ...standing(books.accounts, books.currency) };
    for (const [code, value] of Object.entries(meters))
      assert.equal(value, meterValue(engine, code), `${name} ${code}`);
    for (const code of [
      'coin_in',
      'won_total',
      'bills_in',
      'bills_to_drop',
      'rounds_dealt',
      'seat_games',
      'drop_total',
    ])
      assert.ok(meters[code]! > 0, `${name} ${code}`);
    rounds += meters['rounds_dealt']!;
    // One dealer has dealt all of it, and what they won and what was staked is the table's.
    const [play] = figures.play;
    assert.equal(figures.play.length, 1, name);
    assert.equal(play!.rounds, meters['rounds_dealt'], name);
    assert.equal(play!.hands, meters['seat_games'], name);
    assert.deepEqual(figures.accounts, books.accounts);
    const inBoxes = Object.values(figures.notes).flatMap(({ known }) => Object.entries(known));
    const dropMinor = inBoxes.reduce((sum, [note, count]) => sum + Number(note.split('_')[1]) * count, 0);
    assert.equal(dropMinor, meters['drop_total'], `${name}: notes of the boxes`);
  }
  assert.ok(rounds > 150);
});

test('what a dealer has won is what the bank has gained', () => {
  for (const { name, entries } of keptLedgers()) {
    // The prizes of a progressive jackpot come out of its meter.
    if (name.includes('jackpot')) continue;
    const fold = new DayFold(newBooks(), noFigures(), 0);
    // Up to the last round that is settled: one may be on the table.
    for (const entry of entries) fold.take(entry);
    const bank = Object.entries(fold.books.accounts).reduce(
      (sum, [account, amount]) => (account.endsWith('/bank') ? sum - amount : sum),
      0,
    );
    const won = fold.figures.play.reduce((sum, { wonMinor }) => sum + wonMinor, 0);
    assert.equal(won, bank, name);
  }
});

const entry = (seq: number, kind: string, body: unknown = {}, atMs = seq * 1_000): DayEntry => ({
  seq,
  atMs,
  kind,
  body,
  postings: [],
});
const note = (seq: number, acceptor: number, valueMinor: number | null, inBox = true): DayEntry =>
  valueMinor !== null && inBox
    ? entry(seq, 'note-credited', { acceptor, currency: 'MOP', valueMinor })
    : entry(seq, 'note-held', { acceptor, currency: 'MOP', valueMinor, inBox });
const removed = (seq: number, acceptor: number): DayEntry =>
  entry(seq, 'fault-reported', { device: `acceptor-${acceptor}`, fault: 'cash-box-removed' });

test('a box has the notes since the one before it was taken out', () => {
  const fold = new DayFold(newBooks(), noFigures(), 0);
  const boxes: RemovedBox[] = [];
  for (const each of [
    note(1, 1, 50_000),
    note(2, 1, 50_000),
    note(3, 2, 10_000),
    note(4, 1, null),
    note(5, 1, 10_000, false),
    removed(6, 1),
    note(7, 1, 100_000),
    // Found in the box after all, whichever it is then.
    entry(8, 'held-note-found', { acceptor: 1, currency: 'MOP', valueMinor: 10_000 }),
    removed(9, 1),
    removed(10, 1),
    entry(11, 'fault-reported', { device: 'shoe', fault: 'cash-box-removed' }),
    entry(12, 'fault-reported', { device: 'acceptor-2', fault: 'cash-box-full' }),
    // In a drop.
    entry(13, 'box-taken', { acceptor: 2 }),
  ]) {
    const { box } = fold.take(each);
    if (box !== null) boxes.push(box);
  }
  assert.deepEqual(
    boxes.map(({ acceptor, removedSeq, notes }) => [acceptor, removedSeq, notes]),
    [
      [1, 6, { known: { MOP_50000: 2 }, unknown: 1 }],
      [1, 9, { known: { MOP_100000: 1, MOP_10000: 1 }, unknown: 0 }],
      [1, 10, { known: {}, unknown: 0 }],
      [2, 13, { known: { MOP_10000: 1 }, unknown: 0 }],
    ],
  );
  assert.deepEqual(fold.books.boxes, {});
});

test('hours are those that somebody stood at the table, within the stretch', () => {
  const person = (id: string) => ({ person: { id, name: `of ${id}`, role: 'dealer' } });
  const fold = new DayFold(newBooks(), noFigures(), 0);
  const hour = 3_600_000;
  fold.take(entry(1, 'dealer-signed-in', person('A'), 1 * hour));
  fold.take(entry(2, 'bet-placed', {}, 2 * hour));
  fold.begin(3 * hour);
  // Half of the time since is before the stretch.
  fold.take(entry(3, 'dealer-signed-in', person('B'), 4 * hour));
  fold.take(entry(4, 'program-stopped', {}, 5 * hour));
  fold.take(entry(5, 'terminal-started', {}, 8 * hour));
  fold.take(entry(6, 'program-started', {}, 9 * hour));
  fold.take(entry(7, 'dealer-signed-out', {}, 10 * hour));
  fold.take(entry(8, 'bet-placed', {}, 20 * hour));
  assert.deepEqual(
    fold.figures.play.map(({ dealer, openMs }) => [dealer, openMs / hour]),
    [
      ['A', 1],
      ['B', 2],
    ],
  );
});

test('cards that were put right are of whoever dealt them', () => {
  const fold = new DayFold(newBooks(), noFigures(), 0);
  for (const each of [
    entry(1, 'dealer-signed-in', { person: { id: 'A', name: 'A', role: 'dealer' } }),
    entry(2, 'card-confirmed', { read: 5, card: 5 }),
    entry(3, 'card-confirmed', { read: null, card: 5 }),
    entry(4, 'card-confirmed', { read: 5, card: 6 }),
    entry(5, 'card-confirmed', { read: null, card: null, sealed: { same: true } }),
    entry(6, 'card-confirmed', { read: null, card: null, sealed: { same: false } }),
    entry(7, 'cards-swapped', { fromSeat: 1, toSeat: 2 }),
  ])
    fold.take(each);
  assert.deepEqual(
    fold.figures.play.map(({ dealer, corrected }) => [dealer, corrected]),
    [['A', 3]],
  );
});

test('entries of no form count nothing, and names without end become one', () => {
  const fold = new DayFold(newBooks(), noFigures(), 0);
  const odd = [
    null,
    5,
    'x',
    [],
    {},
    { acceptor: 1e9 },
    { lines: [{}] },
    { person: { id: 1 } },
    { acceptor: '__proto__' },
  ];
  let seq = 0;
  for (const kind of [
    'note-credited',
    'round-settled',
    'fault-reported',
    'table-configured',
    'dealer-signed-in',
    'hand-paid',
  ])
    for (const body of odd) {
      seq += 1;
      fold.take(entry(seq, kind, body));
    }
  assert.deepEqual([fold.books.meters, fold.books.boxes, fold.figures.play], [{}, {}, []]);
  assert.equal(fold.figures.entries, seq);
  const sums = {};
  for (let at = 0; at < 5_000; at += 1) bump(sums, `MOP/made-up:${at}`, 1);
  assert.ok(Object.keys(sums).length <= 401);
  assert.equal(
    Object.values<number>(sums).reduce((sum, n) => sum + n, 0),
    5_000,
  );
  bump(sums, '__proto__', 7);
  assert.equal(Object.getPrototypeOf(sums), Object.prototype);
});

test('notes beyond all sense, which a table may say, are added up without ending the page', () => {
  const known = { MOP_50000: 2, MOP_9007199254740991: 3, MOP_x: 4, HKD_50000: 5 };
  assert.ok(sumOfNotes(known, 'MOP') > Number.MAX_SAFE_INTEGER);
  assert.equal(sumOfNotes({ MOP_50000: 2, MOP_x: 4, HKD_50000: 5 }, 'MOP'), 100_000);
});

test('hold and rates are rounded half away from nothing, on whole numbers', () => {
  assert.deepEqual(
    [holdBp(15, 100), holdBp(-15, 100), holdBp(1, 3), holdBp(-2, 3), holdBp(5, 0), holdBp(0, 7)],
    [1_500, -1_500, 3_333, -6_667, null, 0],
  );
  assert.equal(holdBp(9_000_000_000_000_001, 9_000_000_000_000_000), 10_000);
  assert.deepEqual(
    [perHourTenths(60, 3_600_000), perHourTenths(7, 1_800_000), perHourTenths(1, 0)],
    [600, 140, null],
  );
});
