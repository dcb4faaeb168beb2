import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Card, parseCard } from '../../core/cards.ts';
import { isAceSix, lockedTotalOf } from './hand.ts';

const cards = (text: string): Card[] => text.split(' ').map((name) => parseCard(name)!);

test('r.32 a locked ace counts one; another one may be eleven where that does not pass 21', () => {
  const total = (text: string): number => lockedTotalOf(cards(text));
  assert.deepEqual(['AS 8D 2C', 'AS 8D AC', 'AS AD TC', '9S AD TC'].map(total), [11, 20, 12, 20]);
});

test('art. 6.6 to the letter: an ace and a six, and nothing else', () => {
  const is = (text: string): boolean => isAceSix(cards(text));
  assert.deepEqual(['AS 6D', '6D AS', 'AS 7D', '6S TD', '8S 9D', 'AS 2D 4C'].map(is), [
    ...[true, true, false, false, false, false],
  ]);
});
