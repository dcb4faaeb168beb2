import type { AuditedBet, Refusals } from './auditor.ts';
import type { BlackjackOptions } from './blackjack-options.ts';

/**
 * What a new bet is judged by: the bets already on the table, and what stands from the rounds
 * before.
 */
export interface BetsSoFar {
  readonly bets: readonly AuditedBet[];
  /** Seats with a streak series from an earlier round still undecided. */
  readonly hasSeries: (seat: number) => boolean;
  /** Seats that are taken; null = the seat of everybody who bets. */
  readonly seated: readonly number[] | null;
}

const mainOn = ({ bets }: BetsSoFar, seat: number, by: number): boolean =>
  bets.some((bet) => bet.bet === 'main' && bet.seat === seat && bet.by === by);

const isAmount = (amount: number): boolean => Number.isSafeInteger(amount) && amount > 0;

/**
 * art. 13: one of the listed bets; streak numbers are one of them (13.5.2.iv), over and under 13
 * too (13.3).
 */
const kindOf = (bet: string): string =>
  bet.startsWith('streak') ? 'streak' : bet === 'over13' || bet === 'under13' ? 'thirteen' : bet;

/** Macau: why the bet is refused; empty = it may lie. */
export function refusalsInMacau(options: BlackjackOptions, so: BetsSoFar, bet: AuditedBet): Refusals {
  return bet.bet === 'main' ? refusalsOfMain(options, so, bet) : refusalsOfSideBet(options, so, bet);
}

function refusalsOfMain(options: BlackjackOptions, so: BetsSoFar, bet: AuditedBet): Refusals {
  const reasons: string[] = [];
  // A bet laid is a bet, not a second one beside it.
  if (mainOn(so, bet.seat, bet.by)) reasons.push('not-allowed');
  if (!isAmount(bet.amount)) return [...reasons, 'out-of-range'];
  if (bet.amount % options.step !== 0) reasons.push('step');
  if (bet.amount < options.min || bet.amount > options.max) reasons.push('out-of-range');
  const mains = so.bets.filter((laid) => laid.bet === 'main');
  // art. 3.2
  const seats = mains.filter((laid) => laid.by === bet.by).length;
  if (options.seatsPerPlayer !== null && seats >= options.seatsPerPlayer) reasons.push('limit');
  // art. 20.1.2: three at most, fewer where the floor says so.
  const most = options.maxBettorsPerSeat ?? (options.betsBehind === 'nearest' ? 3 : Number.POSITIVE_INFINITY);
  if (mains.filter((laid) => laid.seat === bet.seat).length >= most) reasons.push('limit');
  if (passesTableTotal(options, so, bet)) reasons.push('limit');
  return reasons;
}

function refusalsOfSideBet(options: BlackjackOptions, so: BetsSoFar, bet: AuditedBet): Refusals {
  const reasons: string[] = [];
  if (!options.sideBets.includes(bet.bet)) reasons.push('off');
  const own = so.bets.filter((laid) => laid.by === bet.by && laid.seat === bet.seat && laid.bet !== 'main');
  // art. 13.5.2.v, art. 1.5: while the seat's series runs nothing is added to it.
  if (bet.bet.startsWith('streak') && so.hasSeries(bet.seat)) reasons.push('locked');
  if (own.some((laid) => laid.bet === bet.bet)) reasons.push('not-allowed');
  // art. 13: beside the bettor's main bet; only "any pair" on hands of any player (13.1).
  const isAnyPair = bet.bet === 'anyPair';
  const hasMain = isAnyPair
    ? so.bets.some((laid) => laid.bet === 'main' && laid.by === bet.by) &&
      so.bets.some((laid) => laid.bet === 'main' && laid.seat === bet.seat)
    : mainOn(so, bet.seat, bet.by);
  if (!hasMain) reasons.push('no-main');
  const hasOtherKind = own.some((laid) => kindOf(laid.bet) !== kindOf(bet.bet));
  if (options.sideBetsAtOnce === 'oneKind' && hasOtherKind) reasons.push('one-kind');
  if (!isAmount(bet.amount)) return [...reasons, 'out-of-range'];
  const least = options.sideBetMin ?? 1;
  const most = options.sideBetMax ?? options.max;
  if (bet.amount < least || bet.amount > most) reasons.push('out-of-range');
  if (passesTableTotal(options, so, bet)) reasons.push('limit');
  return reasons;
}

/** art. 5.2.3.8, procedure 3: a total for the table in each round, side bets included. */
function passesTableTotal(options: BlackjackOptions, so: BetsSoFar, bet: AuditedBet): boolean {
  if (options.tableMaxTotal === null || options.dealing !== 'holeCard') return false;
  const total = so.bets.reduce((sum, laid) => sum + laid.amount, 0);
  return total + bet.amount > options.tableMaxTotal;
}

/**
 * art. 20.1: who decides for the hands of a seat; `bets` are the main bets on it, nearest to the
 * bank first.
 */
export function deciderInMacau(options: BlackjackOptions, seat: number, bets: readonly AuditedBet[]): number {
  const highest = Math.max(...bets.map((bet) => bet.amount));
  // art. 20.1.3: of equal bets the occupant's decides.
  const eligible = options.betsBehind === 'highest' ? bets.filter((bet) => bet.amount === highest) : bets;
  return (eligible.find((bet) => bet.by === seat) ?? eligible[0]!).by;
}

/** Portugal: why the bet is refused; empty = it may lie. */
export function refusalsInPortugal(options: BlackjackOptions, so: BetsSoFar, bet: AuditedBet): Refusals {
  if (bet.bet === 'main') return refusalsOfPortugueseMain(options, so, bet);
  if (bet.bet !== 'jackpot' || options.jackpot === null) return ['off'];
  const reasons: string[] = [];
  // r.42, r.46: on the player's own cards.
  if (bet.seat !== bet.by) reasons.push('not-own-seat');
  // r.45
  if (!mainOn(so, bet.by, bet.by)) reasons.push('no-main');
  // r.47
  if (so.bets.some((laid) => laid.bet === 'jackpot' && laid.by === bet.by)) reasons.push('one-chip');
  if (bet.amount !== options.jackpot.stake) reasons.push('wrong-stake');
  return reasons;
}

function refusalsOfPortugueseMain(options: BlackjackOptions, so: BetsSoFar, bet: AuditedBet): Refusals {
  const reasons: string[] = [];
  if (mainOn(so, bet.seat, bet.by)) reasons.push('not-allowed');
  // r.15: a complementary bet presupposes the holder's own; r.16: a vacant seat is open to all.
  const isTaken = so.seated?.includes(bet.seat) ?? so.bets.some((laid) => laid.by === bet.seat);
  if (bet.by !== bet.seat && isTaken && !mainOn(so, bet.seat, bet.seat)) reasons.push('no-seat-holder-bet');
  if (!isAmount(bet.amount)) return [...reasons, 'out-of-range'];
  // r.14: the minimum or a multiple of it, up to the maximum.
  if (bet.amount % options.min !== 0) reasons.push('step');
  if (bet.amount < options.min || bet.amount > options.max) reasons.push('out-of-range');
  // r.15, r.16: all bets of a seat together reach the maximum at most.
  const onSeat = so.bets.filter((laid) => laid.bet === 'main' && laid.seat === bet.seat);
  if (onSeat.reduce((sum, laid) => sum + laid.amount, 0) + bet.amount > options.max) reasons.push('limit');
  return reasons;
}

/**
 * r.15: the holder; r.16: on a vacant seat the highest bet, of equal ones the one from the lowest
 * seat.
 */
export function deciderInPortugal(seat: number, bets: readonly AuditedBet[]): number {
  if (bets.some((bet) => bet.by === seat)) return seat;
  const highest = Math.max(...bets.map((bet) => bet.amount));
  return Math.min(...bets.filter((bet) => bet.amount === highest).map((bet) => bet.by));
}
