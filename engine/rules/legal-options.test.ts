import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KNOWN_BETS, validateOptions } from '../books.ts';
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

const BOX = { cardSource: 'box', dealing: 'faceDown', decks: 1 } as const;

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
  [M09, 'art.2.2.3 decks', BOX, { ...BOX, decks: 2 }],
  [M09, 'art.4.2 burnEachRound', { ...BOX, burnEachRound: 'none' }, { ...BOX, burnEachRound: 'one' }],
  [M09, 'art.5.2 dealerCardPass', { dealerCardPass: 2 }, { dealing: 'holeCard', dealerCardPass: 2 }],
  [M09, 'art.5.2 dealerCardPass', { dealing: 'faceDown', dealerCardPass: 2 }, { ...BOX, dealerCardPass: 2 }],
  [M04, 'art.5.2 dealing', { dealing: 'faceDown' }, { dealing: 'holeCard' }],
  [
    M09,
    'art.5.2.3.5 playerCardsDown',
    { dealing: 'holeCard', playerCardsDown: 'one' },
    { playerCardsDown: 'one' },
  ],
  [
    M09,
    'art.5.2.3.6 playerTurnsCards',
    { dealing: 'holeCard', playerTurnsCards: true },
    { playerTurnsCards: true },
  ],
  [M09, 'art.5.2.3.7 maxHands', { dealing: 'holeCard', maxHands: 5 }, { dealing: 'holeCard', maxHands: 6 }],
  [M09, 'art.5.2.3.7 maxHands', { dealing: 'holeCard' }, { dealing: 'holeCard', maxHands: 4 }],
  [M09, 'art.5.2.3.8 tableMaxTotal', { dealing: 'holeCard', tableMaxTotal: 5_000 }, { tableMaxTotal: 5_000 }],
  [
    M09,
    'art.5.2.3.8 tableMaxTotal',
    { dealing: 'holeCard', min: 1_000, tableMaxTotal: 1_000 },
    { dealing: 'holeCard', min: 1_000, tableMaxTotal: 900 },
  ],
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
  [
    M09,
    'art.20.1.2 maxBettorsPerSeat',
    { betsBehind: 'highest', maxBettorsPerSeat: 4 },
    { betsBehind: 'nearest', maxBettorsPerSeat: 4 },
  ],
  // Halves are paid: an odd step would make a fraction of a minor unit.
  [M09, ' step', { step: 2 }, { step: 3 }],
  [M04, ' step', { step: 100 }, { step: 25 }],
  [WAR, ' step', { step: 2 }, { step: 5 }],
  [M09, ' max', { min: 2_000, max: 2_000 }, { min: 2_000, max: 1_000 }],
  [M09, ' sideBetMax', { sideBetMin: 500, sideBetMax: 500 }, { sideBetMin: 500, sideBetMax: 400 }],
  ...([BACARA, WAR] as const).flatMap(
    (rulebook) =>
      [
        [rulebook, ' max', { min: 2_000, max: 2_000 }, { min: 2_000, max: 1_000, sideBetMax: 2_000 }],
        [rulebook, ' sideBetMax', { min: 1_000, sideBetMax: 1_000 }, { min: 1_000, sideBetMax: 900 }],
      ] as const,
  ),
  [PT, 'r.9 warningFromEnd', { warningFromEnd: 50 }, { warningFromEnd: 40 }],
  [PT, 'r.27 maxHands', { maxHands: null }, { maxHands: 4 }],
  [PT, 'r.37 max', { min: 1_000, max: 1_000 }, { min: 1_000, max: 900 }],
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

/** A value that is not of the kind of its option, and what the option may be instead. */
const ILLEGAL: readonly (readonly [rulebook: RulebookId, options: Options, refusal: string])[] = [
  [M09, { decks: 6.5 }, 'decks: 6.5 is not an integer 1..12'],
  [M09, { decks: '6' }, 'decks: "6" is not an integer 1..12'],
  [M09, { decks: null }, 'decks: null is not an integer 1..12'],
  [M09, { seatsPerPlayer: 0 }, 'seatsPerPlayer: 0 is not an integer 1..12 or null'],
  [M09, { step: 3 }, 'step: 3 is not an integer 2..1000000000000 in steps of 2'],
  [M04, { sideBets: 'pair' }, 'sideBets: "pair" is not a list out of anyPair, sevens, over13, under13'],
  [
    M04,
    { sideBets: ['sevens', 'sevens'] },
    'sideBets: ["sevens","sevens"] is not a list out of anyPair, sevens, over13, under13',
  ],
  [M09, { doubleOn: [] }, 'doubleOn: [] is not a non-empty list out of anyTwo, afterSplit, eleven'],
  [M09, { insuranceMax: 1 }, 'insuranceMax: 1 is not a fraction 1/2..1'],
  [M09, { insuranceMax: 'half' }, 'insuranceMax: "half" is not a fraction 1/2..1'],
  [
    PT,
    { jackpot: [] },
    'jackpot: [] is not an object of stake, increment, seed, cards, pays, marking or null',
  ],
  [PT, jackpot(null), 'jackpot.pays: [null] is not a list of at least 1 objects of combination, share, odds'],
  [PT, jackpot(pay('A3', 'all')), 'jackpot.pays.0.share: "all" is not a fraction 0..1 or null'],
  [
    BACARA,
    { authorisedBets: [1] },
    'authorisedBets: [1] is not a list of 0 to 4 objects of id, name, short, wins, min, max, place, disclosure',
  ],
  [
    BACARA,
    { authorisedBets: [{ ...KNOWN_BETS[0], name: null }] as unknown as OptionValue },
    'authorisedBets.0.name: null is not an object of zh-Hant, pt, en',
  ],
];
for (const [rulebook, options, refusal] of ILLEGAL)
  test(`${rulebook}: ${refusal}`, () => {
    const checked = validateOptions(rulebook, options);
    assert.deepEqual(
      checked.ok ? [] : checked.problems.map(({ option, message }) => `${option}: ${message}`),
      [refusal],
    );
  });

test('art. 5.2.3.7 the third procedure begins with five hands, the others with four', () => {
  const handsOf = (options: Options): unknown => {
    const checked = validateOptions(M09, options);
    return checked.ok && (checked.resolved as unknown as Options)['maxHands'];
  };
  assert.equal(handsOf({ dealing: 'holeCard' }), 5);
  assert.equal(handsOf({ dealing: 'faceUp' }), 4);
});
