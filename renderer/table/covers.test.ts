import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VIEWS } from '../../test/fixtures/views.ts';
import type { TableView } from '../../wire/view.ts';
import { type Cover, type LeftOut, leftOut } from './covers.ts';
import { formOf } from './form.ts';
import { cardBox } from './hands.ts';
import { layTable } from './layout.ts';
import { pictureOf } from './picture.ts';

/** A panel before seat 3 whose upper edge lies so high, px of 1080. */
function under(view: TableView, top: number, shows: number | null = 3): LeftOut {
  const table = layTable(1920, 1080, formOf(view));
  const { zone } = table.seats[2]!;
  const cover: Cover = { x: zone.x + 4, y: top, width: zone.width - 8, height: 1080 - top, shows };
  return leftOut(pictureOf(view, table), table, [cover]);
}
const boxOf = (view: TableView): number => layTable(1920, 1080, formOf(view)).seats[2]!.y;

test('a hand that its panel covers in part goes as a whole, with its total and its chips; no other seat’s', () => {
  const view = VIEWS['2009-play'];
  const table = layTable(1920, 1080, formOf(view));
  const cards = pictureOf(view, table).cards.filter(({ owner }) => owner === 3);
  const feet = cards.map(({ place }) => cardBox(table, place)).map(({ y, height }) => y + height);
  const { seats, stacks } = under(view, Math.max(...feet) - 2);
  assert.deepEqual([...seats], [3]);
  assert.deepEqual([...stacks].filter((key) => /^3\/\d/.test(key)).length, view.seats[2]!.hands.length);
  assert.ok([...stacks].every((key) => key.startsWith('3/')));
});

test('a panel over the amount in the box takes the cards above it with it', () => {
  const { seats, stacks } = under(VIEWS.turn, boxOf(VIEWS.turn) + 40);
  assert.deepEqual([[...seats], [...stacks]], [[3], ['3/0']]);
});

test('a panel that stands clear of the hand leaves it, and one that shows no hand always does', () => {
  assert.deepEqual(under(VIEWS.turn, boxOf(VIEWS.turn) + 70), { seats: new Set(), stacks: new Set() });
  assert.deepEqual(under(VIEWS.turn, 300, null), { seats: new Set(), stacks: new Set() });
});

test('insurance stays on the band as long as nothing lies over it', () => {
  const view: TableView = {
    ...VIEWS.turn,
    seats: VIEWS.turn.seats.map((seat) =>
      seat.seat === 3 ? { ...seat, insurance: [{ by: 3, amountMinor: VIEWS.turn.table.minMinor }] } : seat,
    ),
  };
  const { y } = layTable(1920, 1080, formOf(view)).seats[2]!.insurance;
  assert.deepEqual([...under(view, y + 60).stacks], ['3/0']);
  assert.deepEqual([...under(view, y + 10).stacks].sort(), ['3/0', '3/insurance']);
});
