import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Card, parseCard } from '../../engine/core/cards.ts';
import type { Hand, RoundSeat, RoundState } from '../../engine/table/state.ts';
import type { Strategy } from '../figures/strategy-file.ts';
import { BlackjackPlayer } from './player.ts';
import { builtIn } from './setup.ts';

const cardsOf = (text: string): Card[] => text.split(' ').map((name) => parseCard(name)!);
const handOf = (text: string, more: Partial<Hand> = {}): Hand =>
  ({ cards: cardsOf(text), status: 'open', fromSplit: false, splitAces: false, ...more }) as Hand;
const seatWith = (...hands: Hand[]): RoundSeat => ({ seat: 1, hands }) as unknown as RoundSeat;
const against = (up: string): RoundState => ({ bank: cardsOf(up) }) as unknown as RoundState;

const named = (id: string): Strategy => builtIn().find((strategy) => strategy.id === id)!;
const rsa = new BlackjackPlayer(named('macau-wizard-rsa'));
const once = new BlackjackPlayer(named('macau-wizard-standard'));
const half = new BlackjackPlayer(named('macau2004-enhc-5card'));

const split = { fromSplit: true } as const;
const decide = (player: BlackjackPlayer, up: string, hand: Hand, ...others: Hand[]): string =>
  player.decide(against(up), seatWith(hand, ...others), 0);

test('a pair is surrendered by its own table, any other two cards by their total', () => {
  const gives = (up: string, hand: Hand): boolean => rsa.surrenders(against(up), seatWith(hand));
  assert.equal(gives('TS', handOf('TH 6D')), true);
  assert.equal(gives('TS', handOf('8H 8D')), true);
  assert.equal(
    gives('9S', handOf('8H 8D')),
    false,
    'sixteen against nine is surrendered, this pair is split',
  );
  assert.equal(gives('9S', handOf('TH 6D')), true);
  assert.equal(gives('TS', handOf('AH 5D')), false, 'a soft hand');
  assert.equal(gives('TS', handOf('TH 6D', { status: 'blackjack' })), false);
  assert.equal(gives('TS', handOf('TH 2D 4D')), false, 'three cards');
});

test('surrender, split, double, half, hit: in this order', () => {
  assert.equal(decide(rsa, 'TS', handOf('TH 6D')), 'surrender');
  assert.equal(decide(rsa, 'TS', handOf('TH 6D', split)), 'hit', 'a split hand is not surrendered');
  assert.equal(decide(rsa, '9S', handOf('8H 8D')), 'split');
  assert.equal(decide(rsa, '6S', handOf('6H 5D')), 'double');
  assert.equal(decide(rsa, '6S', handOf('6H 3D 2C')), 'hit', 'eleven in three cards');
  assert.equal(decide(rsa, '6S', handOf('TH 2D')), 'stand');
  assert.equal(decide(rsa, '6S', handOf('AH 5D')), 'double', 'soft sixteen');
  assert.equal(decide(rsa, '6S', handOf('TH AD 5C')), 'stand', 'hard sixteen with an ace');
});

test('half a stake at exactly five cards, where the strategy takes it', () => {
  const five = handOf('2H 3D 4C 5S 3S');
  assert.equal(decide(half, '7S', five), 'fiveCardHalf');
  assert.equal(decide(rsa, '7S', five), 'stand');
});

test('hits by the number of cards held, six and more alike', () => {
  // Thirteen against two: two cards stand, and so do six.
  assert.equal(decide(rsa, '2S', handOf('TH 2D')), 'hit');
  assert.equal(decide(rsa, '2S', handOf('2H 2D 2C 2S 2H 2D')), 'hit');
  assert.equal(decide(rsa, '4S', handOf('2H 2D 2C 2S 2H 2D')), 'stand');
});

test('a further split only up to the number of hands, of aces where the strategy has it so', () => {
  const eights = handOf('8H 8D', split);
  const rest = [handOf('8C', split), handOf('8S', split)];
  assert.equal(decide(rsa, '6S', eights, ...rest), 'split');
  assert.notEqual(decide(rsa, '6S', eights, ...rest, handOf('8S', split)), 'split');
  const aces = handOf('AH AD', { ...split, splitAces: true });
  assert.equal(decide(rsa, '6S', aces, handOf('AC')), 'split');
  assert.equal(decide(once, '6S', aces, handOf('AC')), 'stand');
});

test('two ten-valued cards of any ranks are a pair, which no strategy here splits', () => {
  assert.equal(decide(rsa, '6S', handOf('JH QD')), 'stand');
  const tens = named('macau-wizard-rsa');
  const strategy = structuredClone(tens.strategy);
  strategy['6'].split = '01111011111';
  assert.equal(decide(new BlackjackPlayer({ ...tens, strategy }), '6S', handOf('JH QD')), 'split');
});

test('a split hand is doubled only where the strategy doubles after a split', () => {
  const nine = handOf('6H 3D', split);
  assert.equal(decide(rsa, '6S', nine, nine), 'double');
  const { rules, ...strategy } = named('macau-wizard-rsa');
  const plain = new BlackjackPlayer({ ...strategy, rules: { ...rules, das: 0 } });
  assert.equal(decide(plain, '6S', nine, nine), 'hit');
});
