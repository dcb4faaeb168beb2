/** Cards and equality: the values everything else is made of. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Card, cardName, isCard, parseCard } from './cards.ts';
import { isSame } from './same.ts';
import { shuffledShoe } from './shoe.ts';

test('a card is a whole number below 52 and has two letters; nothing else is one', () => {
  for (let card = 0; card < 52; card++) {
    assert.ok(isCard(card));
    assert.equal(parseCard(cardName(card as Card)), card);
  }
  for (const other of [-1, 52, 1.5, Number.NaN, '7', null, undefined, [7]]) assert.ok(!isCard(other));
  for (const text of ['', 'T', 'TSX', 'XS', 'TX', 'ST', '1S', 'ts'])
    assert.equal(parseCard(text), null, text);
  assert.equal(cardName(null), '??');
});

test('values are the same whatever the order of their keys, and not where one has what the other lacks', () => {
  assert.ok(isSame({ a: [1, { b: null }], c: 'x' }, { c: 'x', a: [1, { b: null }] }));
  const pairs: readonly (readonly [unknown, unknown])[] = [
    [1, {}],
    [1, 2],
    [[], {}],
    [[], { length: 0 }],
    [null, {}],
    [{ a: undefined }, { b: undefined }],
    [{ a: 1 }, { a: 1, b: 2 }],
    [{ a: { b: 1 } }, { a: { b: 2 } }],
    [[1, 2], [1]],
  ];
  for (const [a, b] of pairs)
    assert.deepEqual([isSame(a, b), isSame(b, a)], [false, false], JSON.stringify([a, b]));
});

test('a shuffled shoe has every card of its decks, and the same seed the same order', () => {
  const shoe = shuffledShoe(2, 7);
  assert.deepEqual(shuffledShoe(2, 7), shoe);
  assert.notDeepEqual(shuffledShoe(2, 8), shoe);
  assert.deepEqual(
    shoe.toSorted((a, b) => a - b),
    Array.from({ length: 104 }, (_, at) => at >> 1),
  );
  assert.equal(shuffledShoe(1, 7).length, 52);
  for (const decks of [0, -1, 1.5]) assert.throws(() => shuffledShoe(decks, 1), RangeError);
});
