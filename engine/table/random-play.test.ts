import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { playRandomly, RandomTable, Reached } from '../../test/support/random-table.ts';
import { validateOptions } from '../books.ts';
import type { OptionValue, RulebookId } from './profile.ts';

const someOptions = fc.record(
  {
    decks: fc.constantFrom(2, 6, 8),
    burnAtStart: fc.constantFrom('perDeck', 'one'),
    burnEachRound: fc.constantFrom('none', 'one', 'oneAndBeforeDealerSecond'),
    exposedFirstCardValid: fc.boolean(),
    dealerCardPass: fc.constantFrom(1, 2),
    soft17: fc.constantFrom('aceSix', 'any'),
    dealerHitsSoft17: fc.boolean(),
    wrongDealerCard: fc.constantFrom('void', 'validIfUnseen'),
    dealerPlaysOut: fc.constantFrom('always', 'ifNeeded'),
    doubledVsDealerBlackjack: fc.constantFrom('loseAll', 'offer'),
    elevenVsDealerBlackjack: fc.constantFrom('loseAll', 'offer'),
    bustedVsDealerBlackjack: fc.constantFrom('originalOnly', 'bustsLost'),
    specialPrize: fc.boolean(),
    specialPrizeMode: fc.constantFrom('bonus', 'closesHand'),
    specialPrizeBase: fc.constantFrom('stake', 'original'),
    maxHands: fc.constantFrom(4, 6),
    resplit: fc.boolean(),
    resplitAces: fc.boolean(),
    doubleOn: fc.constantFrom(
      ['anyTwo', 'afterSplit'],
      ['eleven'],
      ['anyTwo', 'eleven'],
      ['eleven', 'afterSplit'],
    ),
    surrender: fc.boolean(),
    surrenderWindow: fc.constantFrom('beforeAnyCard', 'beforeOwnCard'),
    betsBehind: fc.constantFrom('seated', 'nearest', 'highest'),
    behindFollows: fc.boolean(),
    seatsPerPlayer: fc.constantFrom(null, 1, 2),
    sideBets: fc.constantFrom(
      ['anyPair', 'sevens', 'over13', 'under13', 'perfectPair'],
      ['anyPair', 'streak2', 'streak3', 'streak4', 'streak5'],
      ['streak2', 'streak3'],
      [],
    ),
    sideBetsAtOnce: fc.constantFrom('oneKind', 'any'),
    anyPairResplit: fc.constantFrom('eachPair', 'firstOnly', 'newBet'),
    sevensThird: fc.constantFrom('afterSplit', 'splitOrHit'),
    over13Ace: fc.constantFrom('one', 'eleven', 'choice'),
    streakAbandon: fc.constantFrom('refuseDeal', 'forfeit'),
    sideBetMax: fc.constantFrom(null, 5_000),
    min: fc.constant(1_000),
    max: fc.constant(100_000),
    step: fc.constantFrom(2, 500, 1_000),
  },
  { requiredKeys: [] },
);

/** How cards come and are dealt; the rulebooks that have it so. */
const PROCEDURES = [
  {},
  { cardSource: 'autoShuffler' },
  { dealing: 'faceDown', cardSource: 'continuousShuffler' },
  { dealing: 'faceDown', cardSource: 'box', decks: 1 },
  { dealing: 'holeCard' },
  { dealing: 'holeCard', playerCardsDown: 'both', tableMaxTotal: 150_000 },
] as const;
type Procedure = (typeof PROCEDURES)[number];

/** The options without those that the regulation does not have, or not together. */
function lawful(rulebook: RulebookId, options: object, procedure: Procedure): Record<string, OptionValue> {
  const wanted = { ...options, ...procedure } as Record<string, OptionValue>;
  for (;;) {
    const checked = validateOptions(rulebook, wanted);
    if (checked.ok) return wanted;
    for (const { option } of checked.problems) delete wanted[option];
  }
}

const reached = new Reached();

test('money, books, meters and replay hold at every state of random play, lawful and not', () => {
  fc.assert(
    fc.property(fc.integer(), fc.nat(), someOptions, fc.boolean(), (seed, pick, options, shared) => {
      const rulebook = pick % 3 === 0 ? 'macau-blackjack-2004' : 'macau-blackjack-2009';
      const chosen = lawful(rulebook, options, PROCEDURES[pick % PROCEDURES.length]!);
      const table = new RandomTable(seed, rulebook, chosen, shared);
      playRandomly(table, 900);
      reached.add(table);
    }),
    { numRuns: 85, seed: 57_2010 },
  );
});

test('the random play above reached what it is meant to reach', () => {
  assert.ok(reached.rounds > 1_000, `${reached.rounds} rounds`);
  assert.ok(reached.voided > 50, `${reached.voided} voided`);
  const expected = [
    'bet-withdrawn',
    'betting-cancelled',
    'bank-swapped',
    'betting-extended',
    'burned-before-bank-second',
    'burned-exposed',
    'burned-round',
    'burned-set-aside',
    'burned-start',
    'burned-wrong-bank-card',
    'card-confirmed',
    'cards-swapped',
    'cash-out-cancelled',
    'complaint-raised',
    'credit-adjusted',
    'end-card-seen',
    'even-money-taken',
    'hand-doubled',
    'hand-paid',
    'hand-split',
    'hand-surrendered',
    'held-note-resolved',
    'hole-card-checked',
    'hole-card-turned',
    'insurance-declined',
    'insurance-laid',
    'note-refused',
    'note-returned',
    'service-entered',
    'side-bets-decided',
    'streak-forfeited',
    'streak-moved',
    'substantial-win-noticed',
  ];
  assert.deepEqual(reached.missing(expected), []);
});
