import { type Card, RANKS, rankOf, suitOf } from '../../core/cards.ts';
import { type GameSight, kindsBy, type Sight, type Tell } from '../../table/sight.ts';
import type { Hand, RoundState, TableState } from '../../table/state.ts';
import { needsBank } from './bank.ts';
import { hardTotalOf, isAce, isBlackjack, isPair, isSameValue, isSeven, pointsOf } from './hand.ts';
import { passJackpotRounds, placeOf } from './jackpot.ts';
import type { BlackjackRules } from './rules.ts';
import { isStreakBet } from './side-bet-prices.ts';

/**
 * What each option has to do with the cards: `state` = what it does is seen in the state itself.
 */
const OPTIONS = {
  game: 'state',
  decks: 'state',
  seats: 'state',
  cardSource: 'state',
  min: 'state',
  max: 'state',
  step: 'state',
  cutRight: 'state',
  deckCheck: 'state',
  loadingPackets: 'state',
  feeding: 'state',
  noLook: 'state',
  bankSecondReplaced: 'state',
  misdrawnCard: 'state',
  mustDrawBelow: 'totals',
  evenMoneyAgainst: 'the first card of the bank by its value',
  boundByHolder: 'state',
  blackjackPaidAtOnce: 'the first card of the bank by its value',
  resplitStaysOpen: 'state',
  aceLock: 'how many aces a locked hand has, up to two',
  followers: 'state',
  seatsPerPlayer: 'state',
  cutBehind: 'state',
  warningFromEnd: 'state',
  burnAtStart: 'state',
  burnEachRound: 'state',
  exposedFirstCardValid: 'state',
  dealing: 'a card face down is seen when it is turned',
  playerCardsDown: 'state',
  playerTurnsCards: 'state',
  dealerCardPass: 'state',
  dealerHitsSoft17: 'totals, and whether there is an ace',
  soft17: 'ace and six in two cards are a total of seven with an ace',
  wrongDealerCard: 'state',
  dealerPlaysOut: 'whether a hand laid aside is decided by the points of the bank, and whether one is lost',
  evenMoney: 'state',
  doubledVsDealerBlackjack: 'state',
  elevenVsDealerBlackjack: 'state',
  splitVsDealerBlackjack: 'hands of a split are settled together against a blackjack of the bank',
  bustedVsDealerBlackjack: 'as splitVsDealerBlackjack',
  sideBets: 'suits, of which cards says SUITS',
  sideBetMin: 'state',
  sideBetMax: 'state',
  sideBetsAtOnce: 'state',
  anyPairResplit: 'ranks of pairs',
  sevensThird: 'state',
  over13Ace: 'totals, and whether there is an ace',
  tableMaxTotal: 'state',
  streakAbandon: 'state',
  insuranceMin: 'state',
  insuranceMax: 'state',
  specialPrize: 'suits of six, seven and eight, up to three cards',
  specialPrizeMode: 'state',
  specialPrizeBase: 'state',
  splitBy: 'pairs by rank or by value',
  maxHands: 'state',
  resplit: 'state',
  resplitAces: 'state',
  doubleOn: 'totals',
  surrender: 'state',
  surrenderWindow: 'state',
  fiveCards: 'how many cards a hand has, up to six',
  betsBehind: 'state',
  vacantSeatDecider: 'state',
  maxBettorsPerSeat: 'state',
  behindFollows: 'state',
  deckReplacement: 'state',
  jackpot: 'ranks and suits of its combinations; the meter is moved round by round',
} as const satisfies Record<keyof BlackjackRules, string>;

const isNearPrize = (card: Card): boolean => rankOf(card) >= 5 && rankOf(card) <= 7;

/** Of which cards a side bet sees the suit. */
const SUITS: Readonly<Record<string, (card: Card) => boolean>> = {
  main: () => false,
  anyPair: () => false,
  sevens: isSeven,
  over13: () => false,
  under13: () => false,
  perfectPair: () => true,
  // art. 13.5: by the result of the round.
  streak2: () => false,
  streak3: () => false,
  streak4: () => false,
  streak5: () => false,
};

const pipsOf = (card: Card): number => Math.min(rankOf(card) + 1, 10);
const acesOf = (cards: readonly Card[], most: number): number => Math.min(cards.filter(isAce).length, most);

/**
 * art. 16.4: a closed hand is settled by its points, 21 also by whether it took cards; a closed by
 * its payment by how.
 */
function tellClosed(cards: readonly Card[], hand: Hand, tell: Tell): void {
  const points = pointsOf({ cards, aceLocked: hand.aceLocked });
  tell(Math.min(points, 22));
  tell(points === 21 || hand.status === 'paid' ? Math.min(cards.length, 3) : 0);
}

function sightOf(rules: BlackjackRules, bets: readonly string[]): Sight {
  const { specialPrize, splitBy, dealerPlaysOut } = rules;
  const chips = bets.filter((bet) => bet === 'jackpot').length;
  const jackpot = chips > 0 ? rules.jackpot! : null;
  const isCounted = (card: Card): boolean =>
    jackpot?.pays.some(({ combination }) => combination[0] === RANKS[rankOf(card)]) ?? false;
  const suited = bets.map((bet) => {
    if (bet === 'jackpot') return isCounted;
    const sees = SUITS[bet];
    if (!sees) throw new Error(`the sight of blackjack does not mention the bet ${bet}`);
    return sees;
  });
  if (specialPrize) suited.push(isNearPrize);
  const hasSevens = bets.includes('sevens');
  const hasSideBets = bets.some((bet) => bet !== 'main' && bet !== 'jackpot' && !isStreakBet(bet));
  const hasStreaks = bets.some(isStreakBet);
  const isSuited = (card: Card): boolean => suited.some((sees) => sees(card));
  const kinds = kindsBy((card) => (isSuited(card) ? card : 100 + rankOf(card)));
  const kindOf = (card: Card): number => kinds[card]!;
  // art. 13.2.1: the seven of another hand counts too.
  const mayWait = (card: Card): boolean => isSuited(card) && !(hasSevens && isSeven(card));
  /** Of the only seat: hands of a split whose turn is still to come. */
  const waitingHands = ({ seats, turn }: RoundState): readonly Hand[] =>
    turn === null || seats.length > 1
      ? []
      : seats[0]!.hands.filter(({ cards }, i) => i > turn.hand && cards.length === 1 && mayWait(cards[0]!));
  const isSplittable = splitBy === 'value' ? isSameValue : isPair;

  function tellOpen(cards: readonly Card[], { aceLocked }: Hand, tell: Tell): void {
    const [a, b] = cards as [Card, Card];
    // A pair may become two hands.
    if (cards.length < 2 || isSplittable(cards)) {
      tell(cards.map(kindOf));
      return;
    }
    tell(Math.min(cards.length, 6));
    tell(hardTotalOf(cards));
    tell(acesOf(cards, aceLocked ? 2 : 1));
    if (cards.length > 2) return;
    tell(isSameValue(cards));
    // art. 15: two of six, seven and eight of one suit.
    const isNear = specialPrize && isNearPrize(a) && isNearPrize(b) && suitOf(a) === suitOf(b);
    tell(isNear ? [Math.min(a, b), Math.max(a, b)] : 0);
  }

  return {
    // A series and a meter go on from round to round.
    mostSeats: jackpot !== null || hasStreaks ? 0 : 1,
    apart: {
      // Others may ask for the bank's cards too.
      rules: { dealerPlaysOut: 'always' },
      needsBank: (round) => dealerPlaysOut === 'always' || needsBank(round),
      oneAtATime: false,
      // r.50: a prize is measured on the meter, and shared.
      isOfTable: ({ outcome }) => outcome === 'jackpot',
      passRounds: (state, rounds) => passJackpotRounds(state, rounds * chips),
    },
    kinds,
    hiddenKinds: kindsBy(pipsOf),
    leftOut: jackpot ? { 'table.jackpots': 'who remembers the rounds moves the meter' } : {},
    tellers: {
      // r.42, r.43: the first cards of the seat, as far as they can still make a combination.
      'seats.counted': (cards: readonly Card[] | null, _: unknown, tell) => {
        if (cards === null || jackpot === null) tell(null);
        else if (cards.length >= jackpot.cards) tell(placeOf(jackpot, cards));
        else {
          tell(cards.length);
          tell(cards.filter(isCounted).toSorted((a, b) => a - b));
        }
      },
      'round.additional': (count: number, _: RoundState, tell) => tell(Math.min(count, 1)),
      'round.bank': (bank: readonly Card[], { bankHoleDown }: RoundState, tell) => {
        const open = bankHoleDown ? bank.slice(0, 1) : bank;
        tell(Math.min(open.length, 3));
        if (open.length === 1) tell(pipsOf(open[0]!));
        else if (open.length > 1) {
          tell(hardTotalOf(open));
          tell(acesOf(open, 1));
        }
      },
      // A hand laid aside is still asked whether the bank must play for it, or for what it has
      // lost.
      'seats.hands': (hands: readonly Hand[], _: unknown, tell, { round }) => {
        if (hands.length === 1 || round!.seats.length > 1 || hasStreaks) {
          tell(hands, 'hands');
          return;
        }
        tell(hands.length);
        if (dealerPlaysOut === 'ifNeeded') {
          tell(hands.some(({ status }) => status === 'stood' || status === 'done'));
          tell(hands.some(({ status }) => status === 'busted'));
        }
        for (const hand of hands) if (hand.status === 'open') tell(hand, 'hands');
      },
      'hands.cards': (cards: readonly Card[], hand: Hand, tell, { phase, round }) => {
        // Side bets are decided when the first cards are out.
        if (phase === 'dealing' && hasSideBets) tell(cards.map(kindOf));
        else if (waitingHands(round!).includes(hand)) tell(rankOf(cards[0]!));
        else if (hand.status === 'open') tellOpen(cards, hand, tell);
        // art. 13.2.1: two sevens are paid at the end of the round.
        else if (hasSevens && cards.length === 2 && cards.every(isSeven)) tell(cards.map(kindOf));
        else tellClosed(cards, hand, tell);
      },
    },
    isHidden: ({ round }: TableState) => round?.bankHoleDown === true,
    // art. 16.7: a series goes on by the balance of all hands of a split.
    aside: ({ seats }) =>
      !hasStreaks && seats.length === 1 && seats[0]!.hands.length > 1
        ? seats[0]!.hands.filter(({ status }) => status !== 'open')
        : [],
    // Which bets and prizes the suit decides: by the first two cards, or when its hand gets more.
    waiting: (round) => waitingHands(round).map(({ cards }) => cards[0]!),
    // arts. 16.6, 17.3
    isTogether: ({ bank }) => isBlackjack(bank),
  };
}

export const BLACKJACK_SIGHT: GameSight = {
  options: OPTIONS,
  of: (rules, bets) => sightOf(rules as BlackjackRules, bets),
};
