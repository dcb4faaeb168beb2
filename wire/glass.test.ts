import assert from 'node:assert/strict';
import { test } from 'node:test';
import { astray, layPanels, MOST_PANELS, mostOnCloth, spareSeats } from './glass.ts';

const columnsWithout = (seatCount: number, spare: readonly number[]): number[] =>
  Array.from({ length: seatCount }, (_, i) => i).filter((i) => !spare.includes(i + 1));

test('up to seven seats every panel lies before its own seat, whoever has a display', () => {
  for (let seats = 1; seats <= MOST_PANELS; seats++)
    for (let have = 0; have < 2 ** seats; have++) {
      const columns = Array.from({ length: seats }, (_, i) => i).filter((i) => have & (1 << i));
      assert.deepEqual(layPanels(columns, seats), { width: 1, middles: columns.map((i) => i + 0.5) });
    }
});

test('panels of eight to twelve seats touch no other and stay on the glass, in whichever seven columns they are', () => {
  for (let seats = 8; seats <= 12; seats++) {
    for (let have = 0; have < 2 ** seats; have++) {
      const columns = Array.from({ length: seats }, (_, i) => i).filter((i) => have & (1 << i));
      const { width, middles } = layPanels(columns, seats);
      if (columns.length <= MOST_PANELS) assert.equal(width, seats / MOST_PANELS);
      for (const [i, middle] of middles.entries()) {
        const [left, right] = [middle - width / 2, middle + width / 2];
        assert.ok(left > -1e-9 && right < seats + 1e-9, `${columns.join()} of ${seats}: ${middles.join()}`);
        if (i > 0)
          assert.ok(
            left > middles[i - 1]! + width / 2 - 1e-9,
            `${columns.join()} of ${seats}: ${middles.join()}`,
          );
      }
      // The dealer on the other side: the same in a mirror.
      const mirrored = layPanels(columns.map((i) => seats - 1 - i).reverse(), seats);
      for (const [i, middle] of middles.toReversed().entries())
        assert.ok(Math.abs(seats - middle - mirrored.middles[i]!) < 1e-9);
    }
  }
});

test('the displays that are named in a refusal leave the others room, and one fewer does not', () => {
  for (let seats = 1; seats <= 12; seats++) {
    const spare = spareSeats(seats);
    assert.equal(spare.length, Math.max(0, seats - MOST_PANELS));
    assert.deepEqual(astray(columnsWithout(seats, spare), seats), [], `${seats}: ${spare.join()}`);
    if (seats === 12) assert.deepEqual(spare, [2, 4, 6, 9, 11]);
  }
  assert.deepEqual(astray([5, 6, 7, 8, 9, 10, 11], 12), [5, 6, 7, 8, 9, 10]);
});

test('only Bacará has room on its cloth for more than seven seats', () => {
  const most = ['macau-baccarat', 'macau-casino-war', 'macau-blackjack-2009', 'portugal-blackjack'].map(
    (id) => mostOnCloth(id as Parameters<typeof mostOnCloth>[0]),
  );
  assert.deepEqual(most, [12, 7, 7, 7]);
});
