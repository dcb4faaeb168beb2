import assert from 'node:assert/strict';
import { test } from 'node:test';
import { validateOptions } from '../books.ts';
import type { OptionValue, RulebookId } from '../table/profile.ts';

type Options = Readonly<Record<string, OptionValue>>;

const M04 = 'macau-blackjack-2004';
const M09 = 'macau-blackjack-2009';
const PT = 'portugal-blackjack';
const BACARA = 'macau-baccarat';
const WAR = 'macau-casino-war';

const pay = (combination: string, share: string): OptionValue => ({ combination, share });
const jackpot = (...pays: OptionValue[]): Options => ({
  jackpot: { stake: 100, increment: '1/2', cards: 3, pays },
});

/**
 * What a house may just choose, and what it may no more; the article and the option that refuse it.
 */
const BORDERS: readonly (readonly [
  rulebook: RulebookId,
  refusal: string,
  lawful: Options,
  unlawful: Options,
])[] = [
  [M09, 'art.1.1 seats', { seats: 6 }, { seats: 5 }],
  [M09, 'art.2.1.1 cutBehind', { cutBehind: 30 }, { cutBehind: 29 }],
  [M09, 'art.2.1.1 cutBehind', { decks: 2, cutBehind: 103 }, { decks: 2, cutBehind: 104 }],
  [
    M09,
    'art.2.2.3 decks',
    { cardSource: 'box', dealing: 'faceDown', decks: 1 },
    { cardSource: 'box', dealing: 'faceDown', decks: 2 },
  ],
  [M04, 'art.5.2 dealing', { dealing: 'faceDown' }, { dealing: 'holeCard' }],
  [
    M09,
    'art.5.2.3.5 playerCardsDown',
    { dealing: 'holeCard', playerCardsDown: 'one' },
    { playerCardsDown: 'one' },
  ],
  [M09, 'art.5.2.3.7 maxHands', { dealing: 'holeCard', maxHands: 5 }, { dealing: 'holeCard', maxHands: 6 }],
  [M09, 'art.5.2.3.7 maxHands', { dealing: 'holeCard' }, { dealing: 'holeCard', maxHands: 4 }],
  [M09, 'art.5.2.3.8 tableMaxTotal', { dealing: 'holeCard', tableMaxTotal: 5_000 }, { tableMaxTotal: 5_000 }],
  [M04, 'art.6.1 dealerHitsSoft17', { dealerHitsSoft17: false }, { dealerHitsSoft17: true }],
  [
    M09,
    'art.12.1 insuranceMin',
    { insuranceMin: '2/3', insuranceMax: '2/3' },
    { insuranceMin: '2/3', insuranceMax: '1/2' },
  ],
  [M09, 'art.12.1 insuranceMax', { insuranceMax: '1' }, { insuranceMax: '3/2' }],
  [M04, 'art.13 sideBets', { sideBets: ['sevens'] }, { sideBets: ['perfectPair'] }],
  [M04, 'art.15 specialPrize', { specialPrize: true }, { specialPrize: false }],
  [M09, 'art.16.1 maxHands', { maxHands: 4 }, { maxHands: 3 }],
  [M04, 'art.17 doubleOn', { doubleOn: ['eleven'] }, { doubleOn: ['anyTwo', 'eleven'] }],
  [M04, 'art.18 surrender', { surrender: true }, { surrender: false }],
  [
    M09,
    'art.20.1.2 maxBettorsPerSeat',
    { betsBehind: 'nearest', maxBettorsPerSeat: 3 },
    { betsBehind: 'nearest', maxBettorsPerSeat: 4 },
  ],
  // Halves are paid: an odd step would make a fraction of a minor unit.
  [M09, ' step', { step: 2 }, { step: 3 }],
  [M04, ' step', { step: 100 }, { step: 25 }],
  [PT, 'r.9 warningFromEnd', { warningFromEnd: 50 }, { warningFromEnd: 40 }],
  [PT, 'r.27 maxHands', { maxHands: null }, { maxHands: 4 }],
  [PT, 'r.33 insuranceMax', { insuranceMax: '1/2' }, { insuranceMax: '1' }],
  [
    PT,
    'r.50.a jackpot.pays',
    jackpot(pay('A3', '1'), pay('A2', '1/9')),
    jackpot(pay('A3', '1/2'), pay('A2', '1/9')),
  ],
  [BACARA, 'art.1 decks', { decks: 6 }, { decks: 5 }],
  [BACARA, 'art.2.2 demoRounds', { demoRounds: 3 }, { demoRounds: 4 }],
  [BACARA, 'art.2.1 cutFromEnd', { cutFromEnd: 12 }, { cutFromEnd: 11 }],
  [WAR, 'art.2.1 cutFromEnd', { cutFromEnd: 10 }, { cutFromEnd: 9 }],
];

for (const [rulebook, refusal, lawful, unlawful] of BORDERS) {
  test(`${refusal}: ${rulebook} takes ${JSON.stringify(lawful)}, not ${JSON.stringify(unlawful)}`, () => {
    const allowed = validateOptions(rulebook, lawful);
    assert.deepEqual(allowed.ok ? [] : allowed.problems, []);
    const refused = validateOptions(rulebook, unlawful);
    assert.deepEqual(
      refused.ok ? [] : refused.problems.map(({ article, option }) => `${article} ${option}`),
      [refusal],
    );
  });
}

test('art. 5.2.3.7 the third procedure begins with five hands, the others with four', () => {
  const handsOf = (options: Options): unknown => {
    const checked = validateOptions(M09, options);
    return checked.ok && (checked.resolved as unknown as Options)['maxHands'];
  };
  assert.equal(handsOf({ dealing: 'holeCard' }), 5);
  assert.equal(handsOf({ dealing: 'faceUp' }), 4);
});
