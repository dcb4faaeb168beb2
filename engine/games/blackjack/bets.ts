import { isInSteps, upToStep } from '../../core/money.ts';
import { type Rejection, reject } from '../../core/result.ts';
import { isTaken } from '../../table/draft.ts';
import type { Laid } from '../../table/game.ts';
import { findBet } from '../../table/places.ts';
import type { Bet, TableState } from '../../table/state.ts';
import { refuseChip } from './jackpot.ts';
import { articlesOf, type BlackjackArticles, type BlackjackRules, rulesOf } from './rules.ts';
import { isStreakBet, kindOf, SIDE_BET_ARTICLES } from './side-bet-prices.ts';

/** Kinds of bets of this table, the main one first. */
export function bets(state: TableState): readonly string[] {
  const { sideBets = [], jackpot } = rulesOf(state);
  return jackpot ? ['main', ...sideBets, 'jackpot'] : ['main', ...sideBets];
}

type At = { readonly seat: number; readonly by: number; readonly bet: string };

const laidOf = (bets: readonly Bet[], seat: number, by: number, bet: string): number =>
  findBet(bets, seat, by, bet)?.amountMinor ?? 0;

const hasMain = (bets: readonly Bet[], seat: number, by: number): boolean =>
  findBet(bets, seat, by, 'main') !== undefined;

/**
 * Limits of one placement on top of what lies; `bets` may already hold others of the same touch.
 */
export function refuseBet(state: TableState, bets: readonly Bet[], laid: Laid): Rejection | null {
  if (laid.bet === 'main') return refuseMain(state, bets, laid);
  const { jackpot } = rulesOf(state);
  return laid.bet === 'jackpot' && jackpot
    ? refuseChip(jackpot, articlesOf(state), bets, laid)
    : refuseSideBet(state, bets, laid);
}

function refuseMain(state: TableState, bets: readonly Bet[], laid: Laid): Rejection | null {
  const rules = rulesOf(state);
  const articles = articlesOf(state);
  const { seat, by, amountMinor } = laid;
  const before = laidOf(bets, seat, by, 'main');
  if (rules.boundByHolder && by !== seat && isTaken(state, seat) && !hasMain(bets, seat, seat)) {
    return reject('no-seat-holder-bet', [articles.betsBehind]);
  }
  if (!isInSteps(amountMinor, rules.step))
    return reject('step', stepCites(articles), `multiples of ${rules.step}`);
  if (before + amountMinor < rules.min || before + amountMinor > rules.max) {
    return reject('out-of-range', stepCites(articles), `${rules.min}..${rules.max}`);
  }
  if (amountMinor > roomOnSeat(rules, bets, seat)) {
    return reject('limit', [articles.betsBehind], `${rules.max} on a seat`);
  }
  if (before === 0) {
    const main = bets.filter(({ bet }) => bet === 'main');
    const onSeat = main.filter((lies) => lies.seat === seat).length;
    const seats = main.filter((lies) => lies.by === by).length;
    const bettors = rules.maxBettorsPerSeat ?? (rules.betsBehind === 'nearest' ? 3 : null);
    if (bettors !== null && onSeat >= bettors) return reject('limit', [articles.maxBettors]);
    // art. 3.3: a player may bet on several seats; art. 3.2: on no more than the house has it.
    if (rules.seatsPerPlayer !== null && seats >= rules.seatsPerPlayer) {
      return reject('limit', [articles.seatsPerPlayer]);
    }
  }
  return refuseTotal(rules, bets, amountMinor);
}

const stepCites = ({ step }: BlackjackArticles): readonly string[] => (step === '' ? [] : [step]);

/**
 * art. 13: beside a main bet of the same bettor, on the same seat unless it is any pair, which may
 * lie on the hand of any player (art. 13.1); one kind per bettor and seat.
 */
function refuseSideBet(state: TableState, bets: readonly Bet[], laid: Laid): Rejection | null {
  const rules = rulesOf(state);
  const articles = articlesOf(state);
  const { seat, by, bet, amountMinor } = laid;
  if (!rules.sideBets?.includes(bet)) return reject('off', [SIDE_BET_ARTICLES[bet] ?? articles.sideBets]);
  // arts. 1.5, 13.5.2.v: one button per seat, and nothing of a series is changed while it runs.
  if (isStreakBet(bet) && state.streaks.some((streak) => streak.seat === seat)) {
    return reject('locked', ['art.13.5.2.v']);
  }
  const isBeside =
    bet === 'anyPair'
      ? bets.some((lies) => lies.bet === 'main' && lies.by === by) &&
        bets.some((lies) => lies.bet === 'main' && lies.seat === seat)
      : hasMain(bets, seat, by);
  if (!isBeside) return reject('no-main', [articles.sideBets]);
  const hasOtherKind = bets.some(
    (lies) => lies.seat === seat && lies.by === by && lies.bet !== 'main' && kindOf(lies.bet) !== kindOf(bet),
  );
  if (hasOtherKind && rules.sideBetsAtOnce === 'oneKind') return reject('one-kind', [articles.sideBets]);
  const { least, most } = sideBetRange(rules);
  const sum = laidOf(bets, seat, by, bet) + amountMinor;
  if (sum < least || sum > most) return reject('out-of-range', [], `${least}..${most}`);
  return refuseTotal(rules, bets, amountMinor);
}

/** No article limits a side bet: what the house has set, else up to the table's maximum. */
export const sideBetRange = (rules: BlackjackRules): { readonly least: number; readonly most: number } => ({
  least: rules.sideBetMin ?? 1,
  most: rules.sideBetMax ?? rules.max,
});

/** r.15, r.16: the bets on a seat, whoever laid them, reach the maximum of the table at most. */
function roomOnSeat(rules: BlackjackRules, bets: readonly Bet[], seat: number): number {
  if (!rules.boundByHolder) return Number.POSITIVE_INFINITY;
  let room = rules.max;
  for (const bet of bets) if (bet.bet === 'main' && bet.seat === seat) room -= bet.amountMinor;
  return room;
}

/** art. 5.2.3.8: main and side bets of the table together, first come, first served. */
function refuseTotal(rules: BlackjackRules, bets: readonly Bet[], amountMinor: number): Rejection | null {
  return amountMinor > roomOf(rules, bets) ? reject('limit', ['art.5.2.3.8']) : null;
}

function roomOf(rules: BlackjackRules, bets: readonly Bet[]): number {
  const total = rules.tableMaxTotal ?? null;
  return total === null
    ? Number.POSITIVE_INFINITY
    : bets.reduce((room, { amountMinor }) => room - amountMinor, total);
}

/** What one more placement may add; side bets pay whole multiples and need no even stake. */
export function betRange(
  state: TableState,
  bets: readonly Bet[],
  at: At,
): { least: number; most: number; step: number } {
  const rules = rulesOf(state);
  const laid = laidOf(bets, at.seat, at.by, at.bet);
  const room = roomOf(rules, bets);
  if (at.bet === 'main') {
    const { min, max, step } = rules;
    return {
      least: laid > 0 ? step : upToStep(min, step),
      most: Math.min(max - laid, room, roomOnSeat(rules, bets, at.seat)),
      step,
    };
  }
  if (at.bet === 'jackpot') {
    const { stake } = rules.jackpot!;
    return { least: stake, most: laid > 0 ? 0 : stake, step: stake };
  }
  const { least, most } = sideBetRange(rules);
  return { least: laid > 0 ? 1 : least, most: Math.min(most - laid, room), step: 1 };
}
