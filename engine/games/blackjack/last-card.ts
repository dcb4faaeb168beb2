import { type Rejection, reject } from '../../core/result.ts';
import type { LastCard } from '../../table/events-round.ts';
import { handAt } from '../../table/places.ts';
import type { Hand, RoundSeat, RoundState, TableState } from '../../table/state.ts';
import { dealsHoleCard } from './bank.ts';
import { initialDueAt } from './due.ts';
import { articlesOf, type BlackjackRules, rulesOf } from './rules.ts';

// art. 5.1.1: the card dealt last, for as long as nothing has followed from it that stands: a word
// of a player, a further card, money, the look at the hole card, a card of the bank turned.

export function refuseTakingBack(state: TableState): Rejection | null {
  const round = state.round!;
  const rules = rulesOf(state);
  const { exposed, bankSecond } = articlesOf(state);
  // r.17: all cards lie open but for the bank's second, which has a button of its own.
  if (rules.bankSecondReplaced) return reject('not-allowed', [bankSecond], 'only the bank’s second card');
  if (round.cardCount === 0) return reject('not-due', [exposed], 'no card has been dealt');
  const { rounds, drawn } = state.shoe;
  if (rounds === 1 && drawn === 1 && rules.exposedFirstCardValid)
    return reject('not-allowed', [exposed], 'the first card of the game is valid');
  return findLastCard(state) === null
    ? reject('too-late', [exposed], 'something has followed from this card')
    : null;
}

export function findLastCard(state: TableState): LastCard | null {
  const round = state.round!;
  const rules = rulesOf(state);
  switch (state.phase) {
    case 'dealing':
      return lastOfDeal(round, rules);
    case 'offers':
      return isUntouched(round) ? lastOfDeal(round, rules) : null;
    case 'turns':
      if (round.additional === 0) return isUntouched(round) ? lastOfDeal(round, rules) : null;
      return lastOfTurns(round, rules);
    case 'bank':
      return lastOfBank(round, rules);
    default:
      return null;
  }
}

/** Nobody has said anything that stands, and the bank has not looked. */
export const isUntouched = ({ bankLooked, seats }: RoundState): boolean =>
  !bankLooked &&
  seats.every(
    ({ hands, bettors }) =>
      hands.length === 1 &&
      !hands[0]!.called &&
      (hands[0]!.status === 'open' || hands[0]!.status === 'blackjack') &&
      bettors.every((each) => each.insuranceMinor === 0 && !each.insuranceDeclined && !each.evenMoney),
  );

function lastOfDeal(round: RoundState, rules: BlackjackRules): LastCard {
  const at = initialDueAt(round, rules, round.cardCount - 1);
  const seat = at.to === 'seat' ? at.seat : null;
  const cards = seat === null ? round.bank : handAt(round, seat, 0).cards;
  return { card: cards.at(-1)!, seat, hand: 0, additional: false };
}

function lastOfTurns(round: RoundState, rules: BlackjackRules): LastCard | null {
  const { seats } = round;
  const turn = round.turn!;
  const at = seats.findIndex(({ seat }) => seat === turn.seat);
  const played = seats[at]!;
  const hand = played.hands[turn.hand]!;
  if (hand.called) return null;
  const isOwn = hand.cards.length > 2 || (hand.fromSplit && hand.cards.length === 2);
  if (isOwn) return additionalAt(round, played, turn.hand);
  if (mayHaveJustSplit(played, turn.hand)) return null;
  // art. 13.1.2: money on the pair that this hand may become.
  if (round.bets.some((bet) => bet.seat === turn.seat && bet.hand === turn.hand)) return null;
  return lastClosed(round, rules, at, turn.hand);
}

/**
 * A split is a word of the player. A later hand waits with one card too where the one before it was
 * closed; beside another hand of one card the two cannot be told apart.
 */
const mayHaveJustSplit = ({ hands }: RoundSeat, at: number): boolean => hands[at + 1]?.cards.length === 1;

/** The bank's own; before its first one, what closed the last hand. */
function lastOfBank(round: RoundState, rules: BlackjackRules): LastCard | null {
  const { bank, burnDue, seats } = round;
  const isHoleCard = dealsHoleCard(rules);
  if (bank.length > (isHoleCard ? 2 : 1))
    return { card: bank.at(-1)!, seat: null, hand: 0, additional: true };
  const burnsBefore = rules.burnEachRound === 'oneAndBeforeDealerSecond' ? 1 : 0;
  if (isHoleCard || burnDue !== burnsBefore) return null;
  // Everybody has a blackjack: nobody had a turn.
  if (isUntouched(round)) return lastOfDeal(round, rules);
  return lastClosed(round, rules, seats.length, 0);
}

/** The hand before this one, where a card closed it and no word has been said since. */
function lastClosed(
  round: RoundState,
  rules: BlackjackRules,
  seatAt: number,
  handNo: number,
): LastCard | null {
  for (let s = Math.min(seatAt, round.seats.length - 1); s >= 0; s--) {
    const played = round.seats[s]!;
    for (let h = (s === seatAt ? handNo : played.hands.length) - 1; h >= 0; h--) {
      const { status } = played.hands[h]!;
      const wasBefore =
        status === 'blackjack' || (status === 'surrendered' && rules.surrenderWindow === 'beforeAnyCard');
      if (wasBefore) continue;
      return status === 'busted' || status === 'done' ? additionalAt(round, played, h) : null;
    }
  }
  return null;
}

/** An additional card, unless a prize or a bet beside has been decided by it. */
function additionalAt(round: RoundState, { seat, hands }: RoundSeat, at: number): LastCard | null {
  const hand = hands[at]!;
  return hand.prize || isBetDecided(round, seat, hand)
    ? null
    : { card: hand.cards.at(-1)!, seat, hand: at, additional: true };
}

/** arts. 13.1.2, 13.2.2: a pair on a split hand, a third seven. */
const isBetDecided = ({ bets }: RoundState, seat: number, { cards }: Hand): boolean =>
  bets.some(
    (bet) =>
      bet.seat === seat &&
      ((bet.bet === 'sevens' && cards.length <= 3) || (bet.bet === 'anyPair' && cards.length === 2)),
  );

/**
 * art. 5.1.2: the one card of a doubled hand for that of another; nobody decides anything after it.
 */
export function maySwapAdditional(
  state: TableState,
  from: RoundSeat,
  to: RoundSeat,
  place: number | undefined,
): boolean {
  const round = state.round!;
  const isOpen =
    state.phase === 'turns' || (state.phase === 'bank' && rulesOf(state).dealerPlaysOut === 'always');
  const isFree = ({ seat, hands }: RoundSeat): boolean => {
    const hand = hands[0]!;
    return (
      hands.length === 1 &&
      hand.doubled !== null &&
      !hand.prize &&
      hand.cards.length === 3 &&
      !isBetDecided(round, seat, hand)
    );
  };
  return isOpen && place === 2 && isFree(from) && isFree(to);
}
