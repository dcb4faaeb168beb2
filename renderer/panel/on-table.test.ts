import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeView, player } from '../../test/fixtures/view-kit.ts';
import type { TableView } from '../../wire/view.ts';
import { type PanelPlace, panelsOnTable } from './on-table.ts';

const BESIDE = [2, 4, 6, 9, 11];
const EVERY = Array.from({ length: 12 }, (_, i) => i + 1);

const placesAt = (count: number, there: readonly number[], lost: readonly number[] = []) => {
  const seats = [player(count, 0, null)];
  const handedOver: TableView['handedOver'] = {
    dealer: false,
    seats: there,
    ...(lost.length > 0 ? { lost } : {}),
  };
  return new Map(panelsOnTable(makeView({ seats, handedOver })).map(({ seat, place }) => [seat.seat, place]));
};

const touch = (a: PanelPlace, b: PanelPlace): boolean =>
  a.isGuest === b.isGuest && Math.abs(a.middle - b.middle) < (a.width + b.width) / 2 - 1e-9;

test('of seven seats every panel is before its own, with a display or without one', () => {
  for (const [seat, { column, middle, width, isGuest }] of placesAt(7, [], [3])) {
    assert.deepEqual([column, middle, width, isGuest], [7 - seat, 7.5 - seat, 1, false]);
  }
  assert.deepEqual([...placesAt(7, [2, 5]).keys()], [1, 3, 4, 6, 7]);
});

test('whichever displays are lost, in whatever order, nobody else’s panel moves, and no panel lies on another', () => {
  const whole = placesAt(12, BESIDE);
  assert.equal(whole.size, 7);
  for (let gone = 0; gone < 2 ** BESIDE.length; gone++) {
    const lost = BESIDE.filter((_, i) => gone & (1 << i));
    const places = placesAt(
      12,
      BESIDE.filter((seat) => !lost.includes(seat)),
      lost,
    );
    assert.equal(places.size, 7 + lost.length);
    for (const [seat, place] of whole)
      assert.deepEqual(places.get(seat), place, `seat ${seat}, lost ${lost.join()}`);
    for (const seat of lost) assert.ok(places.get(seat)!.isGuest);
    for (const [a, one] of places)
      for (const [b, other] of places)
        assert.ok(a >= b || !touch(one, other), `${a} and ${b}, lost ${lost.join()}`);
  }
});

test('twelve displays that are all lost: twelve panels in two rows, as wide as ever', () => {
  const places = [...placesAt(12, [], EVERY).values()];
  assert.equal(places.length, 12);
  assert.equal(places.filter(({ isGuest }) => isGuest).length, 7);
  for (const [i, place] of places.entries()) {
    assert.equal(place.width, 12 / 7);
    assert.ok(places.every((other, j) => j <= i || !touch(place, other)));
  }
});
