import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CannotRun } from '../command.ts';
import { SimulatedShoe } from './shoe.ts';

const drawn = (shoe: SimulatedShoe, count: number): number[] =>
  Array.from({ length: count }, () => shoe.draw());

test('a shoe gives every card as often as it has decks, however often it was gathered half way', () => {
  const shoe = new SimulatedShoe(2, 7, 'cut');
  drawn(shoe, 40);
  shoe.gather();
  assert.equal(shoe.left, 104);
  const counts = new Map<number, number>();
  for (const card of drawn(shoe, 104)) counts.set(card, (counts.get(card) ?? 0) + 1);
  assert.deepEqual([...counts.values()], Array(52).fill(2));
  assert.equal(shoe.left, 0);
  assert.throws(() => shoe.draw(), CannotRun);
});

test('the same seed gives the same cards, another one others', () => {
  const first = drawn(new SimulatedShoe(6, 1, 'cut'), 100);
  assert.deepEqual(drawn(new SimulatedShoe(6, 1, 'cut'), 100), first);
  assert.notDeepEqual(drawn(new SimulatedShoe(6, 2, 'cut'), 100), first);
});

test('a lane gives the same cards whatever was drawn before it, and no two give the same', () => {
  const [all, last] = [new SimulatedShoe(6, 1, 'cut'), new SimulatedShoe(6, 1, 'cut')];
  const lanes = [0, 1, 2].map((lane) => {
    all.toLane(lane);
    return drawn(all, 100);
  });
  drawn(last, 300);
  last.gather();
  last.toLane(2);
  assert.deepEqual(drawn(last, 100), lanes[2]);
  assert.deepEqual(drawn(new SimulatedShoe(6, 1, 'cut'), 100), lanes[0]);
  assert.equal(new Set(lanes.map(String)).size, 3);
});

for (const kind of ['fresh', 'cut'] as const)
  test(`after gathering all cards are equally likely, first and second: ${kind}`, () => {
    const shoe = new SimulatedShoe(1, 3, kind);
    const rounds = 52 * 400;
    const counts = [Array<number>(52).fill(0), Array<number>(52).fill(0)] as const;
    for (let i = 0; i < rounds; i++) {
      shoe.gather();
      counts[0][shoe.draw()]! += 1;
      counts[1][shoe.draw()]! += 1;
    }
    // Chi square with 51 degrees of freedom: mean 51, deviation 10.1.
    for (const count of counts) {
      const chi = count.reduce((sum, seen) => sum + (seen - 400) ** 2 / 400, 0);
      assert.ok(chi > 51 - 40 && chi < 51 + 50, String(chi));
    }
  });

test('one card after the other for as long as there is where to go on', () => {
  const [followed, drawn] = [new SimulatedShoe(6, 4, 'cut'), new SimulatedShoe(6, 4, 'cut')];
  // By the number of aces so far: the fifth ends it.
  const isAce = Uint8Array.from({ length: 52 }, (_, card) => (card % 13 === 0 ? 1 : 0));
  const next = Int32Array.from([0, 0, 2, 4, 4, 6, 6, 8, 8, 10, 10, -7]);
  assert.equal(followed.follow(next, isAce, 2), -7);
  for (let aces = 0; aces < 5; ) aces += isAce[drawn.draw()]!;
  assert.equal(followed.drawn, drawn.drawn);
  assert.ok(followed.drawn > 32, 'further than is shuffled at once');
});
