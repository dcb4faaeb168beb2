import type { AuditedAct } from './auditor.ts';
import { isAce } from './blackjack-cards.ts';
import { type Bettor, Hand, type Seat } from './blackjack-hands.ts';
import { mayTakeEvenMoney, modalityOf, ofSplitting } from './blackjack-refusals.ts';
import type { Round } from './blackjack-round.ts';
import { isSpareOffered } from './blackjack-settle.ts';

/** Does what `refusalsOf` has found lawful. */
export function perform(round: Round, act: AuditedAct): void {
  const seat = round.seat(act.seat)!;
  const by = act.by ?? seat.decider;
  const bettor = seat.bettor(by)!;
  const hand = seat.hands[act.hand]!;
  switch (act.do) {
    case 'betPair':
      hand.pairBets!.set(by, act.amount!);
      break;
    case 'insure':
      bettor.insurance = act.amount!;
      break;
    case 'declineInsurance':
      bettor.declined = true;
      break;
    case 'evenMoney':
      // r.15: complementary bets are bound by the holder's decision; in Macau it is each bettor's
      // own.
      for (const one of round.isPortugal ? seat.bettors : [bettor]) one.evenMoney = true;
      break;
    case 'surrender':
      hand.state = 'surrendered';
      for (const one of seat.bettors) round.hasAnswered(seat, one.by);
      break;
    case 'playOn':
      break;
    case 'loseOriginalOnly':
      for (const one of seat.hands)
        if (isSpareOffered(round.options, seat, one)) one.losesOriginalOnly.add(by);
      break;
    case 'followDouble':
    case 'followSplit': {
      const { stakes } = round.following!.hand;
      stakes.set(by, (stakes.get(by) ?? 0) + bettor.original);
      break;
    }
    default:
      return play(round, seat, hand, act);
  }
  const isOfInsurance = act.do === 'insure' || act.do === 'declineInsurance';
  if (isOfInsurance && round.stage === 'offers' && mayTakeEvenMoney(round, seat, by)) return;
  round.hasAnswered(seat, by);
}

/** An act of a hand in its turn. */
function play(round: Round, seat: Seat, hand: Hand, { do: act, raised }: AuditedAct): void {
  // art. 16.5: holding a pair that could be split again and playing it otherwise ends splitting on
  // the seat.
  const couldSplit = hand.fromSplit && !hand.splitAces && ofSplitting(round, hand).length === 0;
  if (act !== 'split' && couldSplit) seat.declinedResplit = true;
  switch (act) {
    case 'stand':
      hand.state = 'stood';
      break;
    case 'fiveCardHalf':
      hand.state = 'half';
      break;
    case 'hit':
      seat.thirdBy ??= 'hit';
      round.owe(hand);
      break;
    case 'double':
      seat.thirdBy ??= 'double';
      double(round, seat, hand, raised);
      break;
    case 'split':
      seat.thirdBy ??= 'split';
      split(round, seat, hand, raised);
      break;
  }
}

/** arts. 6.4.2, 17; r.29-32: the raise equals the bet. */
function double(round: Round, seat: Seat, hand: Hand, raised?: readonly number[]): void {
  hand.doubled = modalityOf(round, hand);
  // r.32: an ace counted as one to make 9 or 10 stays one.
  if (round.isPortugal && hand.cards.some(isAce)) hand.boundAces = 2;
  for (const { by, original } of raising(round, seat, hand, raised)) hand.stakes.set(by, 2 * original);
  if (!askFollowers(round, seat, hand, 'followDouble', hand)) round.owe(hand);
}

/**
 * arts. 16.1-16.3; r.26-28: the second card of the pair opens a hand of its own with a bet of its
 * own.
 */
function split(round: Round, seat: Seat, hand: Hand, raised?: readonly number[]): void {
  const second = new Hand();
  const isAces = isAce(hand.cards[0]!);
  second.cards = [hand.cards.pop()!];
  for (const one of [hand, second]) {
    one.fromSplit = true;
    one.splitAces = isAces;
    one.pairBets = null;
  }
  for (const { by, original } of raising(round, seat, hand, raised)) second.stakes.set(by, original);
  seat.hands.splice(seat.hands.indexOf(hand) + 1, 0, second);
  askFollowers(round, seat, hand, 'followSplit', second);
}

/**
 * Whose bets are raised with the decider's: all of the seat whose money covers it, or theirs alone
 * (option `behindFollows`).
 */
function raising(round: Round, seat: Seat, hand: Hand, raised?: readonly number[]): Bettor[] {
  const follows = (by: number): boolean => round.options.behindFollows && (raised?.includes(by) ?? true);
  return seat.bettors.filter(({ by }) => hand.stakes.has(by) && (by === seat.decider || follows(by)));
}

/** r.28, r.30: whoever has a complementary bet on the hand may raise it too. */
function askFollowers(
  round: Round,
  seat: Seat,
  hand: Hand,
  act: 'followDouble' | 'followSplit',
  raised: Hand,
): boolean {
  if (!round.isPortugal) return false;
  const others = seat.bettors.filter(({ by }) => by !== seat.decider && hand.stakes.has(by));
  if (others.length === 0) return false;
  round.following = { act, hand: raised };
  round.invited = others.map(({ by }) => ({ seat: seat.seat, by }));
  round.stage = 'follow';
  return true;
}
