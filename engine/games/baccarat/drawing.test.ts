import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Card, cardOf, parseCard } from '../../core/cards.ts';
import { isPair, pointsOf, thirdCardDue } from './drawing.ts';

const cards = (text: string): Card[] => text.split(' ').map((name) => parseCard(name)!);

test('art. 5: ten and figures are nothing, tens of the sum are dropped', () => {
  assert.equal(pointsOf(cards('KS QH')), 0);
  assert.equal(pointsOf(cards('TD JC AS')), 1);
  assert.equal(pointsOf(cards('7S 8H')), 5);
  assert.equal(pointsOf(cards('9S 9H 9D')), 7);
  assert.equal(pointsOf([]), 0);
});

test('pairs: rank only, and only of the first two cards', () => {
  assert.ok(isPair(cards('8S 8S')));
  assert.ok(isPair(cards('JS JD 4C')));
  assert.ok(!isPair(cards('TS KD')));
  assert.ok(!isPair(cards('8S 5D 8C')));
});

/** A hand of two cards with these points, and a card of these pips. */
const hand = (points: number): Card[] => [cardOf(0, 12), pip(points)];
const pip = (pips: number): Card => cardOf(1, pips === 0 ? 9 : pips - 1);

/**
 * drawing, as it is printed: rows are the Banker's points, columns the Player's third card 0 to 9,
 * last = it took none.
 */
const TABLE = [
  'DDDDDDDDDD D',
  'DDDDDDDDDD D',
  'DDDDDDDDDD D',
  'DDDDDDDDSD D',
  'SSDDDDDDSS D',
  'SSSSDDDDSS D',
  'SSSSSSDDSS S',
  'SSSSSSSSSS S',
];

test('drawing: every cell of the table, Player first, nobody against eight or nine', () => {
  for (let player = 0; player <= 9; player++) {
    for (let banker = 0; banker <= 9; banker++) {
      const first = thirdCardDue(hand(player), hand(banker));
      const place = `Player ${player}, Banker ${banker}`;
      if (player >= 8 || banker >= 8) {
        assert.equal(first, null, place);
      } else if (player >= 6) {
        assert.equal(first, TABLE[banker]!.at(-1) === 'D' ? 'bank' : null, place);
      } else {
        assert.equal(first, 'player-side', place);
        for (let third = 0; third <= 9; third++) {
          const next = thirdCardDue([...hand(player), pip(third)], hand(banker));
          assert.equal(next, TABLE[banker]![third] === 'D' ? 'bank' : null, `${place}, third ${third}`);
        }
      }
    }
  }
});

test('drawing: one additional card a side', () => {
  assert.equal(thirdCardDue(cards('2S 3D 4C'), cards('KS 2H 5C')), null);
  assert.equal(thirdCardDue(cards('6S KD'), cards('KS 2H 5C')), null);
});
