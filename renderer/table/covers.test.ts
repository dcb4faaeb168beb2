import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VIEWS } from '../../test/fixtures/views.ts';
import type { TableView } from '../../wire/view.ts';
import { type Cover, type LeftOut, leftOut } from './covers.ts';
import { formOf } from './form.ts';
import type { Box } from './geometry.ts';
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
  for (const { seats, stacks } of [under(VIEWS.turn, boxOf(VIEWS.turn) + 70), under(VIEWS.turn, 300, null)])
    assert.deepEqual([seats, stacks], [new Set(), new Set()]);
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

test('no figure is cut: an amount, a number or a name that anything lies over in part goes, its chips stay', () => {
  const empty = (top: number): LeftOut => under(VIEWS.betting, top, null);
  assert.deepEqual([...empty(boxOf(VIEWS.betting) + 5).numbers], [3]);
  assert.deepEqual([...empty(boxOf(VIEWS.betting) + 30).numbers], []);
  const turn = (top: number): LeftOut => under(VIEWS.turn, top, null);
  const table = layTable(1920, 1080, formOf(VIEWS.turn));
  const { y } = pictureOf(VIEWS.turn, table).stacks.find(({ key }) => key === '3/0')!.label!.at;
  assert.deepEqual([[...turn(y + 5).labels], [...turn(y + 5).stacks]], [['3/0'], []]);
  assert.deepEqual([...turn(y + 40).labels], []);
  const { spots } = layTable(1920, 1080, formOf(VIEWS['2009-betting'])).seats[2]!;
  const spotted = (top: number): LeftOut => under(VIEWS['2009-betting'], top, null);
  assert.ok(spotted(spots[0]!.name.y).prints.has(`3/${spots[0]!.bet}`));
  assert.deepEqual([...spotted(Math.max(...spots.map((spot) => spot.y)) + 90).prints], []);
});

test('no sign beside the game is cut: what a tray or a sheet lies over in part goes', () => {
  const table = layTable(1920, 1080, formOf(VIEWS.betting));
  const picture = pictureOf(VIEWS.betting, table);
  const over = ({ x, y, width, height }: Box): string[] => [
    ...leftOut(picture, table, [{ x: x + width - 2, y: y + height - 2, width: 9, height: 9, shows: null }])
      .signs,
  ];
  assert.deepEqual([over(table.limits), over(table.round)], [['limits'], ['round']]);
  assert.deepEqual([...under(VIEWS.betting, 500, null).signs], []);
  const tray = { x: 0, y: 225, width: 270, height: 855, shows: 7 };
  assert.deepEqual([...leftOut(picture, table, [tray]).signs], ['tray']);
});
