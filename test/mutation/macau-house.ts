import { type Bug, bugsIn, type Mutation } from './bugs.ts';

const BLACKJACK = 'engine/games/blackjack/';
const of2004 = (file: string, ...bugs: Bug[]): Mutation[] =>
  bugsIn('macau-blackjack-2004', BLACKJACK + file, bugs);
const of2009 = (file: string, ...bugs: Bug[]): Mutation[] =>
  bugsIn('macau-blackjack-2009', BLACKJACK + file, bugs);

/**
 * Despachos 56/2004 and 57/2009: the shoe, limits of bets, what a house may choose, and what must
 * be authorised.
 */
export const MACAU_HOUSE: readonly Mutation[] = [
  ...of2009(
    'blackjack.ts',
    [
      'burn-in-the-first-round',
      'art.4.2',
      'state.shoe.rounds > 0 ? 1 : 0',
      'state.shoe.rounds >= 0 ? 1 : 0',
      'a card is burnt before the first round of a shoe as well',
    ],
    [
      'start-burn-per-deck',
      'art.4.1.1',
      "burnAtStart === 'perDeck' ? decks : 1",
      "burnAtStart === 'perDeck' ? decks - 1 : 1",
      'one card fewer than packs is burnt',
    ],
    [
      'exposed-card-of-any-round-valid',
      'art.5.1.1',
      'return isFirst && exposedFirstCardValid;',
      'return exposedFirstCardValid;',
      'every card that lay face up is valid',
    ],
    [
      'end-card-further-back',
      'art.2.1.1',
      'least: cutBehind,',
      'least: cutBehind - 1,',
      'the second white card may lie one card too far back',
    ],
    [
      'wrong-bank-card-void-or-not',
      'art.6.1',
      "return shown || rulesOf(state).wrongDealerCard === 'void' ?",
      "return shown && rulesOf(state).wrongDealerCard === 'void' ?",
      'a card the bank drew wrongly is kept though it was seen',
    ],
    [
      'box-of-many-rounds',
      'art.2.2.3',
      "rulesOf(state).cardSource === 'box'",
      "rulesOf(state).cardSource !== 'box' && state.shoe.ended",
      'out of the metal box a second round is dealt',
    ],
  ),
  ...of2009(
    'bets.ts',
    [
      'one-bettor-too-many',
      'art.20.1.2',
      'onSeat >= bettors',
      'onSeat > bettors',
      'one more bettor than allowed on a seat',
    ],
    [
      'four-nearest',
      'art.20.1.2',
      "rules.betsBehind === 'nearest' ? 3 : null",
      "rules.betsBehind === 'nearest' ? 4 : null",
      'four bettors on a seat where the nearest decides',
    ],
    [
      'one-seat-too-many',
      'art.3.2',
      'seats >= rules.seatsPerPlayer',
      'seats > rules.seatsPerPlayer',
      'one more seat than the house allows a player',
    ],
    [
      'table-maximum-of-main-bets',
      'art.5.2.3.8',
      'bets.reduce((room, { amountMinor }) => room - amountMinor, total)',
      "bets.reduce((room, lies) => room - (lies.bet === 'main' ? lies.amountMinor : 0), total)",
      'side bets do not count for the table maximum',
    ],
    [
      'table-maximum-without-its-last-chip',
      'art.5.2.3.8',
      'return amountMinor > roomOf(rules, bets)',
      'return amountMinor >= roomOf(rules, bets)',
      'the table maximum itself is refused',
    ],
    [
      'maximum-of-one-touch',
      '',
      'before + amountMinor > rules.max)',
      'amountMinor > rules.max)',
      'chips on top pass the maximum',
    ],
  ),
  // ---- what the regulations let a house choose ----
  ...of2004(
    'macau-56-2004.ts',
    [
      'soft-17-in-2004',
      'art.6.1',
      'hitsSoft17: [false]',
      'hitsSoft17: [false, true]',
      '56/2004 lets the bank draw on 17',
    ],
    [
      'hole-card-in-2004',
      'art.5.2',
      "dealing: ['faceDown', 'faceUp']",
      "dealing: ['faceDown', 'faceUp', 'holeCard']",
      '56/2004 knows the third procedure',
    ],
    [
      'waiver-in-2004',
      'art.18',
      'toWaive: { legal: oneOf(true), authorisation: null, waivable: false }',
      "toWaive: { legal: oneOf(true, false), authorisation: 'art.18', waivable: true }",
      '56/2004 lets the house leave out arts. 15 and 18',
    ],
    [
      'perfect-pair-in-2004',
      'art.13',
      "'over13', 'under13']",
      "'over13', 'under13', 'perfectPair']",
      '56/2004 knows the perfect pair',
    ],
    [
      'busts-spared-in-2004',
      'art.7.2',
      "bustedVsDealerBlackjack: 'bustsLost'",
      "bustedVsDealerBlackjack: 'originalOnly'",
      'the offer of art. 10.7 reaches a busted hand',
    ],
    [
      'doubles-mixed-in-2004',
      'art.17',
      "doubleOn.includes('eleven') === (doubleOn.length === 1)",
      'doubleOn.length > 0',
      'any two cards and eleven are chosen together',
    ],
  ),
  ...of2009(
    'macau-options.ts',
    [
      'box-of-two-packs',
      'art.2.2.3',
      "o['cardSource'] !== 'box' || o['decks'] === 1",
      "o['cardSource'] !== 'box' || Number(o['decks']) <= 2",
      'the metal box takes two packs',
    ],
    [
      'white-card-behind-20',
      'art.2.1.1',
      'min: 30, max: 600',
      'min: 20, max: 600',
      'the second white card may lie before the last 20 cards',
    ],
    [
      'insurance-limits-crossed',
      'art.12.1',
      "fractionOf(o['insuranceMin']) <= fractionOf(o['insuranceMax'])",
      "fractionOf(o['insuranceMin']) > 0",
      'the least insurance may be above the greatest',
    ],
    [
      'odd-steps',
      '',
      '{ ...AMOUNT, min: 2, multipleOf: 2 }, 2, null)',
      '{ ...AMOUNT, min: 1 }, 2, null)',
      'an odd step lets halves of an avo arise',
    ],
    [
      'four-hands-with-a-hole-card',
      'art.5.2.3.7',
      "is: 'holeCard', value: 5",
      "is: 'holeCard', value: 4",
      'the third procedure begins with four hands',
    ],
  ),
  ...of2009(
    'macau-57-2009.ts',
    [
      'hands-of-the-third-procedure',
      'art.5.2.3.7',
      "o['dealing'] !== 'holeCard' || o['maxHands'] === 5",
      "o['dealing'] !== 'holeCard' || Number(o['maxHands']) >= 5",
      'the third procedure takes more than five hands',
    ],
    [
      'table-maximum-of-any-procedure',
      'art.5.2.3.8',
      "o['tableMaxTotal'] === null || o['dealing'] === 'holeCard'",
      "o['tableMaxTotal'] === null || o['dealing'] !== 'faceDown'",
      'the table maximum is set in the second procedure',
    ],
    // ---- authorisation, art. 21 ----
    ['two-days-notice', 'art.21.1', "'art.21.1': 3,", "'art.21.1': 2,", 'two working days are enough'],
    [
      'streak-without-notice',
      'art.21.3',
      "'art.21.3': 3 }",
      "'art.21.3': 0 }",
      'perfect pair and streaks take effect at once',
    ],
    [
      'soft-17-without-authorisation',
      'art.21.1',
      "oneOf('aceSix', 'any'), 'aceSix', AUTHORISED",
      "oneOf('aceSix', 'any'), 'aceSix', null",
      'soft 17 needs no authorisation',
    ],
  ),
  ...bugsIn('macau-blackjack-2009', 'engine/rules/authorisation.ts', [
    [
      'effective-a-day-late',
      'art.21.1',
      'if (today < effective)',
      'if (today <= effective)',
      'an authorisation does not hold on its own day',
    ],
    [
      'effective-before-its-day',
      'art.21.1',
      'if (today < effective)',
      'if (today < effective - 1)',
      'an authorisation holds the day before',
    ],
    [
      'record-of-another-option',
      'art.21.1',
      'named}.`',
      'named}`',
      'the record of an option covers every option whose name begins like it',
    ],
    [
      'nameless-record',
      'art.21.1',
      "reference === '' || record.by === ''",
      "reference === '' && record.by === ''",
      'a record without reference or person is enough',
    ],
    [
      'any-value-granted',
      'art.21.1',
      'return isSame(plain(granted), plain(value));',
      'return granted !== undefined;',
      'a record that names one value grants another',
    ],
    [
      'defaults-need-no-record',
      'art.21.1',
      "every ? legal.kind !== 'one-of' || legal.values.length > 1 : !isSame(value, byDefault)",
      '!isSame(value, byDefault)',
      'what is by default needs no record although the article makes it a choice',
    ],
    [
      'never-ends',
      'art.21.1',
      'today > untilOn)',
      'today > untilOn + 1)',
      'an authorisation holds the day after its last',
    ],
    [
      'revoked-a-day-late',
      'art.21.1',
      'today >= revokedOn)',
      'today > revokedOn)',
      'an authorisation holds on the day from which it is revoked',
    ],
  ]),
  ...bugsIn('macau-blackjack-2009', 'engine/rules/holidays.ts', [
    [
      'days-with-the-last',
      'art.21.1',
      'day < effective;',
      'day <= effective;',
      'the day on which it takes effect counts as a working day before',
    ],
    ['saturdays-work', 'art.21.1', '% 7 >= 5', '% 7 >= 6', 'Saturdays are working days'],
    [
      'holidays-work',
      'art.21.1',
      'day < effective && !isWeekend(day)) days -= 1',
      'day < requested && !isWeekend(day)) days -= 1',
      'public holidays are working days',
    ],
    [
      'holiday-counted-twice',
      'art.21.1',
      'of new Set(holidays(year)))',
      'of holidays(year))',
      'a day that two feasts share is taken off twice',
    ],
  ]),
  ...bugsIn('macau-blackjack-2009', 'engine/rules/rulebook.ts', [
    [
      'day-of-london',
      'art.21.1',
      '8 * 3_600_000',
      '0 * 3_600_000',
      'the day begins at midnight UTC, not in Macau',
    ],
  ]),
];
