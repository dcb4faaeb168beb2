import { type Bug, bugsIn, type Mutation } from './bugs.ts';

const BLACKJACK = 'engine/games/blackjack/';
const of2009 = (file: string, ...bugs: Bug[]): Mutation[] =>
  bugsIn('macau-blackjack-2009', BLACKJACK + file, bugs);

/** Despachos 56/2004 and 57/2009: what a player may ask for, and when. */
export const MACAU_DECISIONS: readonly Mutation[] = [
  ...of2009(
    'acts.ts',
    [
      'insurance-with-a-ten',
      'art.12.1',
      'if (!isAce(round.bank[0]!)) return',
      'if (!canMakeBlackjack(round.bank[0]!)) return',
      'insurance is taken against a ten',
    ],
    [
      'insurance-after-a-card',
      'art.12.1',
      '\n  if (round.additional > 0) return',
      '\n  if (round.additional > 1) return',
      'insurance is taken after an additional card',
    ],
    [
      'insurance-after-the-look',
      'art.12.1',
      'if (round.bankLooked || isSecondCardOpen(round)) {',
      'if (isSecondCardOpen(round)) {',
      'insurance is taken though the bank has looked',
    ],
    [
      'insurance-twice',
      'art.12.1',
      'if (bettor.insuranceMinor > 0 || bettor.insuranceDeclined) {',
      'if (bettor.insuranceDeclined) {',
      'insurance is laid a second time',
    ],
    [
      'insurance-below-the-whole-bet',
      'art.12.1',
      'amountMinor > maxMinor',
      'amountMinor >= maxMinor',
      'the greatest lawful insurance is refused',
    ],
    [
      'insurance-rounded-down',
      'art.12.1',
      "partOf(originalMinor, least, 'up')",
      "partOf(originalMinor, least, 'down')",
      'less than the least fraction insures',
    ],
    [
      'insurance-rounded-up',
      'art.12.1',
      "partOf(originalMinor, most, 'down')",
      "partOf(originalMinor, most, 'up')",
      'more than the greatest fraction insures',
    ],
    [
      'insurance-after-even-money',
      'art.12.1',
      'if (hasTakenIt) return',
      'if (hasTakenIt && bettor.insuranceDeclined) return',
      'who took even money insures as well',
    ],
    // ---- even money, art. 10.3 ----
    [
      'even-money-against-an-ace-only',
      'art.10.3',
      ': canMakeBlackjack(up);',
      ': isAce(up);',
      'even money is refused against a ten',
    ],
    [
      'even-money-after-the-look',
      'art.10.3',
      'return round.bankLooked || isSecondCardOpen(round)',
      'return round.bankLooked && isSecondCardOpen(round)',
      "even money is taken when the bank's second card is known",
    ],
    // ---- surrender, art. 18 ----
    [
      'surrender-against-an-ace',
      'art.18.1',
      'if (isAce(round.bank[0]!)) return',
      'if (isAce(round.bank[0]!) && hand.fromSplit) return',
      'surrender is taken against an ace',
    ],
    [
      'surrender-after-own-card',
      'art.18.2',
      '} else if (hand.cards.length > 2) {',
      '} else if (hand.cards.length > 3) {',
      'surrender is taken with three cards',
    ],
    [
      'surrender-windows-exchanged',
      'art.18.2',
      "if (rules.surrenderWindow === 'beforeAnyCard') {\n    if",
      "if (rules.surrenderWindow !== 'beforeAnyCard') {\n    if",
      'the two windows of surrender are exchanged',
    ],
    [
      'surrender-of-a-split',
      'art.18.2',
      'if (hand.fromSplit) return',
      'if (hand.fromSplit && seat.hands.length > 2) return',
      'a split hand is surrendered',
    ],
    [
      'surrender-though-waived',
      'art.21.2',
      'if (!rules.surrender) return',
      'if (!rules.surrender && hand.fromSplit) return',
      'surrender is taken where it was left out',
    ],
    [
      'surrender-of-anybody',
      'art.20.1',
      '[articles.waived]);\n  if (by !== seat.decider) return',
      '[articles.waived]);\n  if (by !== seat.decider && hand.fromSplit) return',
      'a bettor behind surrenders the hand',
    ],
    // ---- the turn, arts. 6.3, 6.4 ----
    [
      'hit-at-21',
      'art.6.4.1',
      'return totalOf(hand.cards) === 21 ?',
      'return totalOf(hand.cards) === 22 ?',
      'five cards with 21 take a sixth',
    ],
    [
      'hit-on-split-aces',
      'art.16.3',
      "if (hand.splitAces) return reject('not-allowed', [articles.splitAces]",
      "if (hand.splitAces && hand.cards.length > 2) return reject('not-allowed', [articles.splitAces]",
      'a pair of aces on a split ace takes a third card',
    ],
    [
      'turn-of-another-hand',
      'art.6.3',
      ' && round.turn.hand === handNo;',
      ';',
      'another hand of the seat is played out of its turn',
    ],
    // ---- doubling, art. 17 ----
    [
      'double-on-three-cards',
      'art.17.1',
      "if (hand.cards.length !== 2) return reject('not-allowed', [articles.double]",
      "if (hand.cards.length > 3) return reject('not-allowed', [articles.double]",
      'three cards are doubled',
    ],
    [
      'double-on-split-aces',
      'art.17.1.2',
      "if (hand.splitAces) return reject('not-allowed', [articles.doubleAfterSplit]",
      "if (hand.splitAces && hand.cards.length > 2) return reject('not-allowed', [articles.doubleAfterSplit]",
      'split aces are doubled',
    ],
    [
      'double-eleven-after-a-split',
      'art.17.1.3',
      'return !hand.fromSplit && totalOf(hand.cards) === 11',
      'return totalOf(hand.cards) === 11',
      'an eleven of a split hand is doubled where only the first two cards are',
    ],
    [
      'double-ten-as-eleven',
      'art.17.1.3',
      'totalOf(hand.cards) === 11 &&',
      'totalOf(hand.cards) >= 10 &&',
      'every total from ten up doubles as an eleven',
    ],
    [
      'double-after-split-as-any-two',
      'art.17.1.2',
      "hand.fromSplit ? 'afterSplit' :",
      "hand.doubled ? 'afterSplit' :",
      'a split hand is doubled under the modality of any two cards',
    ],
    // ---- splits, art. 16 ----
    [
      'one-hand-too-many',
      'art.16.1',
      'if (seat.hands.length >= mostHands(rules)) return',
      'if (seat.hands.length > mostHands(rules)) return',
      'one more hand than authorised',
    ],
    [
      'split-of-values',
      'art.16.1',
      "splitBy === 'value' ?",
      "splitBy !== 'rank' ?",
      'a ten and a king are split in Macau',
    ],
    [
      'resplit-aces-unauthorised',
      'art.16.3',
      'if (!rules.resplitAces) return',
      'if (!rules.resplit) return',
      'aces are split again where that is off',
    ],
    [
      'resplit-though-off',
      'art.16.5',
      'if (!rules.resplit) return',
      'if (!rules.resplit && seat.hands.length > 2) return',
      'pairs are split again once where that is off',
    ],
    [
      'resplit-after-declining',
      'art.16.5',
      'if (seat.resplitDeclined)',
      'if (seat.resplitDeclined && seat.hands.length > 3)',
      'who has played on with a pair splits another one',
    ],
    // ---- five cards, art. 19 ----
    [
      'five-cards-are-six',
      'art.19.1',
      'if (hand.cards.length !== 5) return',
      'if (hand.cards.length < 5) return',
      'six cards are paid half as five are',
    ],
    [
      'five-cards-against-an-ace',
      'art.19.2',
      'return isAce(round.bank[0]!) ?',
      'return isAce(round.bank[0]!) && hand.fromSplit ?',
      'five cards are paid half against an ace',
    ],
    // ---- raises, arts. 16.2, 20.1 ----
    [
      'followers-without-credit',
      'art.20.1',
      '(rules.behindFollows && bettor.originalMinor <= creditOf(state, bettor.by))',
      'rules.behindFollows',
      'a bet behind follows with money it does not have',
    ],
    [
      'raise-as-it-lies',
      'art.16.2',
      'map((bettor) => ({ by: bettor.by, amountMinor: bettor.originalMinor }))',
      'map((bettor, i) => ({ by: bettor.by, amountMinor: hand.stakesMinor[i]! }))',
      'a raise is the stake of the hand, not the initial bet',
    ],
  ),
];
