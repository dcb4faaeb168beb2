import assert from 'node:assert/strict';
import test from 'node:test';
import { minor } from '../../engine/core/money.ts';
import { mop, player } from '../../test/fixtures/view-kit.ts';
import { VIEWS } from '../../test/fixtures/views.ts';
import type { SeatView } from '../../wire/view.ts';
import { type Behind, besideBox } from './behind.ts';
import { formOf } from './form.ts';
import { type Box, boxAround } from './geometry.ts';
import { layTable } from './layout.ts';
import { pictureOf } from './picture.ts';
import type { StackPiece } from './pieces.ts';
import type { TableLayout } from './table-layout.ts';

const SIZES = [
  [1920, 1080],
  [1366, 768],
  [1024, 768],
] as const;
const FORMS = ['betting', '2004-betting', '2009-betting', 'pt-betting'] as const;

const bettors = (seat: number, count: number): Behind[] =>
  [1, 2, 3, 4, 5, 6, 7]
    .filter((by) => by !== seat)
    .slice(0, count)
    .map((by) => ({ by, keptMinor: mop(10_000), wonMinor: minor(0) }));

/** The label as wide as it may become. */
const labelBox = (table: TableLayout, { label }: StackPiece): Box =>
  boxAround(label!.at.x, label!.at.y, label!.room, 28 * table.unit);

const overlap = (a: Box, b: Box): number =>
  Math.min(
    Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x),
    Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y),
  );

test('chips behind lie beside the box of their seat: on no other seat, not on each other', () => {
  for (const [width, height] of SIZES) {
    for (const name of FORMS) {
      const table = layTable(width, height, formOf(VIEWS[name]));
      for (const { seat, zone } of table.seats) {
        for (const count of [1, 2, 3, 4, 5, 6]) {
          const pieces = besideBox(table, player(seat, 0, 100), bettors(seat, count));
          const labels = pieces.map((piece) => labelBox(table, piece));
          const where = `${name} seat ${seat} with ${count} at ${width}`;
          for (const [i, label] of labels.entries()) {
            const inZone = label.x >= zone.x - 1 && label.x + label.width <= zone.x + zone.width + 1;
            assert.ok(inZone, `${where}: ${JSON.stringify(label)} in ${JSON.stringify(zone)}`);
            for (const other of labels.slice(i + 1)) assert.ok(overlap(label, other) <= 0.5, where);
          }
          const xs = pieces.map(({ at }) => at.x);
          assert.ok(Math.min(...xs) >= table.felt.left && Math.max(...xs) <= table.felt.right, where);
        }
      }
    }
  }
});

const seatOf = (name: keyof typeof VIEWS, seat: number): SeatView => VIEWS[name].seats[seat - 1]!;

test('every bettor has chips of their own, with the number of their seat, in the order of the bets', () => {
  const view = VIEWS['behind-betting'];
  const shown = pictureOf(view, layTable(1920, 1080, formOf(view)));
  const told = shown.stacks
    .filter(({ owner }) => owner === 4 || owner === 5)
    .map(({ key, bettor, amountMinor, label }) => [key, bettor, amountMinor / 100, label?.texts[0]]);
  assert.deepEqual(told, [
    ['4/0', 2, 100, '2: 100'],
    ['4/0/by6', 6, 1000, '6: 1,000'],
    ['5/0', 5, 100, '100'],
    ['5/0/by1', 1, 300, '1: 300'],
    ['5/0/by2', 2, 1500, '2: 1,500'],
    ['5/0/by3', 3, 100, '3: 100'],
    ['5/0/by6', 6, 2000, '6: 2,000'],
    ['5/0/by7', 7, 50, '7: 50'],
  ]);
});

test('the felt shows no more and no less money than lies on the hands, and each tells its own result', () => {
  const view = VIEWS['behind-settled'];
  const shown = pictureOf(view, layTable(1920, 1080, formOf(view)));
  for (const seat of view.seats) {
    const due = seat.lines.reduce((sum, line) => sum + line.returnedMinor, 0);
    const lies = shown.stacks
      .filter(({ owner }) => owner === seat.seat)
      .reduce((sum, { amountMinor }) => sum + amountMinor, 0);
    assert.equal(lies, due, `seat ${seat.seat}`);
  }
  const five = shown.stacks.find(({ key }) => key === '5/0/by2');
  assert.deepEqual([five?.label?.texts[0], five?.label?.tone], ['2: +1,500', 'won']);
  assert.equal(shown.ribbons.find(({ seat }) => seat === 5)?.amount, '+100', 'of the seat itself');
});

test('after a split the chips behind stand on the hands their money is on', () => {
  const view = VIEWS['behind-split'];
  const shown = pictureOf(view, layTable(1920, 1080, formOf(view)));
  const behind = shown.stacks.filter(({ key }) => key.endsWith('/behind'));
  assert.deepEqual(
    behind.map(({ key, amountMinor, label }) => [key, amountMinor / 100, label?.texts[0]]),
    [
      ['3/0/behind', 1500, '1 6'],
      ['3/1/behind', 1000, '6'],
      ['5/0/behind', 3950, '1 2 3 6 7'],
      ['5/1/behind', 1500, '2'],
      ['5/2/behind', 3500, '2 6'],
    ],
  );
  assert.equal(seatOf('behind-split', 5).hands[3]?.behind.length, 0);
});
