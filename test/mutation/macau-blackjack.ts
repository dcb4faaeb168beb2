import { type Bug, bugsIn, type Mutation } from './bugs.ts';

const BLACKJACK = 'engine/games/blackjack/';
const of2004 = (file: string, ...bugs: Bug[]): Mutation[] =>
  bugsIn('macau-blackjack-2004', BLACKJACK + file, bugs);
const of2009 = (file: string, ...bugs: Bug[]): Mutation[] =>
  bugsIn('macau-blackjack-2009', BLACKJACK + file, bugs);

/** Despachos 56/2004 and 57/2009: dealing, the look, the bank, results, who decides. */
export const MACAU_BLACKJACK: readonly Mutation[] = [
  // ---- dealing, art. 5 ----
  ...of2009(
    'due.ts',
    [
      'bank-in-other-pass',
      'art.5.2.2.1',
      'rules.dealerCardPass === 1 ? 1 : 0',
      'rules.dealerCardPass === 2 ? 1 : 0',
      'the bank takes its card in the pass that was not chosen',
    ],
    [
      'hole-card-face-up',
      'art.5.2.3.2',
      'dealsHoleCard(rules) ? TO_BANK_FACE_DOWN',
      'dealsHoleCard(rules) ? TO_BANK',
      "the bank's second card is dealt face up",
    ],
  ),
  ...of2004('bank.ts', [
    'no-hole-card-out-of-the-box',
    'art.5.2.1.2',
    " || cardSource === 'box'",
    '',
    'out of the metal box the bank takes its second card after the players',
  ]),
  ...of2009(
    'round.ts',
    [
      'deal-from-the-right',
      'art.5.1',
      "type: 'deal-began', atMs: draft.atMs, bets, seats }",
      "type: 'deal-began', atMs: draft.atMs, bets, seats: seats.toReversed() }",
      'cards are dealt and hands played from the right',
    ],
    [
      'surrender-before-the-look',
      'art.5.2.3.3',
      ' && !isLookDue(rules, round)',
      '',
      'surrender is offered before the bank has looked',
    ],
  ),
  ...of2009(
    'bank.ts',
    [
      'look-without-end',
      'art.5.2.3.3',
      'canMakeBlackjack(round.bank[0]!);\n\n/** The hand is decided',
      'round.bank.length > 1;\n\n/** The hand is decided',
      'the bank looks whatever its open card is',
    ],
    // ---- the bank, art. 6 ----
    ['bank-stands-on-16', 'art.6.1', 'total <= 16', 'total < 16', 'the bank stands on 16'],
    [
      'soft-17-only-read-any',
      'art.6.6',
      "rules.soft17 === 'any' ?",
      "rules.soft17 !== 'any' ?",
      'the two readings of soft 17 are exchanged',
    ],
  ),
  ...of2009(
    'hand.ts',
    [
      'soft-17-of-three-cards',
      'art.6.6',
      'cards.length === 2 && cards.some(isAce) &&',
      'cards.some(isAce) &&',
      'an ace, a six and a ten are a soft 17 too',
    ],
    [
      'no-look-with-a-ten',
      'art.5.2.3.3',
      'isAce(card) || isTen(card);',
      'isAce(card);',
      'with a ten or figure up nobody expects a blackjack of the bank',
    ],
    ['figures-are-eleven', 'art.8', '+ 1, 10)', '+ 1, 11)', 'figures count eleven'],
    [
      'ace-is-eleven-past-21',
      'art.8',
      'hard <= 11 && cards.some(isAce)',
      'hard <= 12 && cards.some(isAce)',
      'an ace counts eleven where that passes 21',
    ],
    // ---- special prizes, art. 15 ----
    [
      'prize-without-one-suit',
      'art.15',
      'rankOf(card) === rank && suitOf(card) === suit',
      'rankOf(card) === rank',
      'six, seven, eight of any suits win the prize',
    ],
    [
      'prize-for-two-sevens',
      'art.15',
      'if (cards.length !== 3) return false;',
      'if (cards.length < 2) return false;',
      'the prize is read in two cards or four',
    ],
  ),
  ...of2009(
    'round.ts',
    [
      'prize-closes-never',
      'art.15',
      "rules.specialPrizeMode === 'closesHand'",
      "rules.specialPrizeMode === 'bonus'",
      'the two readings of what becomes of the hand are exchanged',
    ],
    [
      'prize-though-waived',
      'art.21.2',
      'if (rules.specialPrize && isSpecialPrize(subject.cards)',
      'if (isSpecialPrize(subject.cards)',
      'the prize is paid where it was left out',
    ],
  ),
  ...of2009(
    'settle.ts',
    [
      'prize-on-the-original',
      'art.15',
      "rules.specialPrizeBase === 'stake'",
      "rules.specialPrizeBase !== 'stake'",
      'the two readings of the base of the prize are exchanged',
    ],
    // ---- results, arts. 7, 9, 10, 11 ----
    [
      'bust-wins-with-the-bank',
      'art.7.2',
      "\n  if (hand.status === 'busted') return",
      "\n  if (hand.status === 'busted' && bank.total <= 21) return",
      'a busted hand wins where the bank busts too',
    ],
    [
      'blackjack-ties-with-21',
      'art.10.5',
      "  if (hand.status === 'blackjack') {\n",
      "  if (hand.status === 'blackjack' && bank.total !== 21) {\n",
      "a blackjack does not beat the bank's 21 in more cards",
    ],
    [
      'split-blackjack',
      'art.10.6',
      "  if (hand.status === 'blackjack') {\n",
      "  if (hand.status === 'blackjack' || (total === 21 && hand.cards.length === 2)) {\n",
      'an ace and a ten of a split hand are paid as a blackjack',
    ],
    [
      'tie-wins',
      'art.11.1.2',
      'if (total > bank.total) {',
      'if (total >= bank.total) {',
      'a tie on points wins',
    ],
    [
      'blackjack-tie-loses',
      'art.11.1.1',
      "if (hand.status === 'blackjack') return",
      "if (hand.status === 'blackjack' && bank.total !== 21) return",
      'a blackjack against a blackjack loses',
    ],
    // ---- a bank's blackjack against splits and doubles, arts. 7.2, 10.7, 16.6, 17.3 ----
    [
      'split-loses-all',
      'art.16.6',
      "seat.hands.length > 1 && rules.splitVsDealerBlackjack === 'originalOnly'",
      "seat.hands.length > 2 && rules.splitVsDealerBlackjack === 'originalOnly'",
      "against the bank's blackjack two split hands lose all",
    ],
    [
      'every-split-hand-loses-one',
      'art.16.6',
      'return at === lossBooked',
      'return at >= lossBooked',
      'each split hand loses the original bet',
    ],
    [
      'single-loss-of-who-has-nothing-there',
      'art.16.6',
      'hand.stakesMinor[bettor]! > 0 && ',
      '',
      'a bettor behind without money on the first hand loses nothing',
    ],
    [
      'eleven-loses-the-original-only',
      'art.17.3',
      "hand.doubled !== 'eleven' && rules",
      'rules',
      'a double on eleven is protected like the others',
    ],
    [
      'double-original-only-loses-all',
      'art.17.3',
      'baseMinor: stakeMinor === bettor.originalMinor ? null : bettor.originalMinor',
      'baseMinor: null',
      'who loses the original only loses the whole double',
    ],
    [
      'original-only-unasked',
      'art.10.7',
      'return bettor.losesOriginalOnly ?',
      'return !bettor.losesOriginalOnly ?',
      'who took the offer loses all, who did not loses the original',
    ],
    [
      'busts-read-otherwise',
      'art.7.2',
      "hand.status === 'busted' && rules.bustedVsDealerBlackjack === 'bustsLost'",
      "hand.status === 'busted' && rules.bustedVsDealerBlackjack !== 'bustsLost'",
      'the two readings of busts against a blackjack are exchanged',
    ],
    [
      'busts-hide-the-single-loss',
      'art.7.2',
      "(bustsCount || hand.status !== 'busted')",
      "hand.status !== 'busted'",
      'a split whose hands all bust loses nothing to a blackjack',
    ],
    // ---- insurance, art. 12 ----
    [
      'insurance-follows-the-hand',
      'art.12.2',
      'return bank.blackjack\n    ? lineOf(',
      "return bank.blackjack && seat.hands[0]!.status !== 'busted'\n    ? lineOf(",
      'insurance is lost with a busted hand',
    ],
  ),
  ...of2004(
    'payoffs.ts',
    [
      'blackjack-pays-six-to-five',
      'art.10.2',
      'blackjack: [3, 2]',
      'blackjack: [6, 5]',
      'a blackjack pays six to five',
    ],
    [
      'insurance-pays-even',
      'art.12.2',
      'insurance: [2, 1]',
      'insurance: [1, 1]',
      'insurance pays one to one',
    ],
    [
      'prize-pays-two',
      'art.15',
      'specialPrize: [3, 1]',
      'specialPrize: [2, 1]',
      'the special prize is twice the bet',
    ],
    ['surrender-loses-all', 'art.18.1', 'surrender: [-1, 2]', 'surrender: [-1, 1]', 'surrender loses all'],
    [
      'five-cards-pay-all',
      'art.19.1',
      'fiveCards: [1, 2]',
      'fiveCards: [1, 1]',
      'five cards are paid the whole bet',
    ],
    [
      'even-money-pays-blackjack',
      'art.10.3',
      'evenMoney: [1, 1]',
      'evenMoney: [3, 2]',
      'even money is paid three to two',
    ],
  ),
  ...of2009(
    'bank.ts',
    [
      'busted-double-is-offered',
      'art.10.7',
      "if (doubled === null || status === 'busted') return false;",
      'if (doubled === null) return false;',
      'the original only is offered for a busted double',
    ],
    [
      'offer-of-the-other-double',
      'art.10.7',
      "doubled === 'eleven' ? rules.elevenVs",
      "doubled !== 'eleven' ? rules.elevenVs",
      'the offer follows the option of the other kind of double',
    ],
    [
      'bank-idle-with-insurance',
      'art.12.2',
      'bettor.insuranceMinor > 0 ||',
      'bettor.insuranceMinor < 0 ||',
      'insurance is settled without the second card of the bank',
    ],
    [
      'bank-idle-with-busted-splits',
      'art.16.6',
      '? rules.splitVsDealerBlackjack !==',
      '? rules.splitVsDealerBlackjack ===',
      'busted split hands do not wait for the second card of the bank',
    ],
  ),
  ...of2009(
    'round.ts',
    [
      'card-after-a-double',
      'art.17.2',
      'return true;\n  if (hand.splitAces)',
      'return false;\n  if (hand.splitAces)',
      'a doubled hand goes on after its one card',
    ],
    [
      'split-ace-goes-on',
      'art.16.3',
      'hand.cards.every((card) => isAce(card))',
      'hand.cards.some((card) => isAce(card))',
      'a split ace stays open with any second card',
    ],
    [
      'five-cards-21-against-an-ace',
      'art.6.4.1',
      'hand.cards.length !== 5 || aceUp ||',
      'hand.cards.length !== 5 ||',
      'a 21 of five cards stays open though nothing may be asked for',
    ],
    // ---- bets behind, art. 20 ----
    [
      'highest-tie-to-the-later',
      'art.20.1.3',
      'bet.amountMinor > highest.amountMinor ||',
      'bet.amountMinor >= highest.amountMinor ||',
      'of two equal bets the later one decides',
    ],
    [
      'highest-only-without-occupant',
      'art.20.1.3',
      "rules.betsBehind === 'highest' && occupant?.amountMinor !== highest.amountMinor",
      "rules.betsBehind === 'highest' && !occupant",
      'whoever sits there decides against a higher bet',
    ],
    [
      'nearest-before-occupant',
      'art.20.1.1',
      'return (occupant ?? nearest).by;',
      'return nearest.by;',
      'who bet first decides against whoever sits there',
    ],
    // ---- burns, art. 4 ----
    [
      'burn-before-second-always',
      'art.4.2',
      "rules.burnEachRound === 'oneAndBeforeDealerSecond'",
      "rules.burnEachRound !== 'none'",
      "a card is burnt before the bank's second one where only one per round is",
    ],
    // ---- bank's play ----
    [
      'bank-draws-for-nobody',
      'art.6.1',
      "rules.dealerPlaysOut === 'ifNeeded' && !needsBank(round)",
      "rules.dealerPlaysOut !== 'ifNeeded' && !needsBank(round)",
      'the bank plays out only where it need not',
    ],
    [
      'misdeal-keeps-insurance',
      'art.5.1.2',
      '(insuranceMinor > 0 ?',
      '(insuranceMinor > 0 && hands.length > 1 ?',
      'a cancelled round keeps the insurance',
    ],
    [
      'misdeal-keeps-side-bets',
      'art.5.1.2',
      "round.bets.filter(({ bet }) => bet !== 'main')",
      "round.bets.filter(({ bet }) => bet === 'jackpot')",
      'a cancelled round keeps the side bets',
    ],
  ),
];
