import { type Minor, timesOf, upToStep, ZERO } from '../../core/money.ts';
import { type Rejection, reject } from '../../core/result.ts';
import { creditOf, type Draft, profileOf } from '../../table/draft.ts';
import type { EventOf } from '../../table/events.ts';
import { emit } from '../../table/lane.ts';
import { settleRound } from '../../table/round-end.ts';
import type { SettlementLine } from '../../table/settlement.ts';
import type { RoundState, TableState } from '../../table/state.ts';
import type { Forfeit, Streak, StreakBet } from './parts.ts';
import { rulesOf } from './rules.ts';
import { isStreakBet, STREAK_PRICES, streakNumber } from './side-bet-prices.ts';

/** Streak bets laid on a seat in this round; they join its series with the settlement. */
function newBets(round: RoundState | null, seat: number): StreakBet[] {
  const bets: StreakBet[] = [];
  for (const { seat: at, by, bet, amountMinor } of round?.bets ?? []) {
    if (at === seat && isStreakBet(bet)) bets.push({ by, number: streakNumber(bet), amountMinor });
  }
  return bets;
}

const hasStreakBet = ({ bets }: RoundState): boolean => bets.some(({ bet }) => isStreakBet(bet));

/**
 * The series of a seat as it stands, with what was laid in the running round once its first card is
 * out; null = none.
 */
export function streakAt(state: TableState, seat: number): Streak | null {
  const { round, streaks } = state;
  const running = streaks.find((streak) => streak.seat === seat);
  if (running) return running;
  const open = round?.dealt && !round.lines ? newBets(round, seat) : [];
  return open.length > 0 ? { seat, wins: 0, open } : null;
}

/**
 * art. 13.5.2.iii: 0 = nothing open, 1 = bets open without a win, 2 to 5 = the button lies there.
 */
export const buttonOf = (streak: Streak | null): number => (streak ? streak.wins + 1 : 0);

// ---- art. 13.5.2.vi: the duty to go on betting ----

const hasGivenUp = (round: RoundState, seat: number, by: number): boolean =>
  round.forfeits.some((forfeit) => forfeit.seat === seat && forfeit.by === by);

/**
 * Bettors with open streak bets and no main bet on their seat in this round, leftmost seat first;
 * asked while bets are taken.
 */
function owing(state: TableState): Forfeit[] {
  const { streaks } = state;
  const round = state.round!;
  return streaks.flatMap(({ seat, open }) =>
    [...new Set(open.map(({ by }) => by))]
      .filter(
        (by) =>
          !hasGivenUp(round, seat, by) &&
          !round.bets.some((bet) => bet.bet === 'main' && bet.seat === seat && bet.by === by),
      )
      .map((by) => ({ seat, by })),
  );
}

/**
 * While a bet that is owed is missing no card is dealt; a window in which nobody bets is no round.
 */
export function refuseClosing(state: TableState): (Rejection & { readonly seat: number }) | null {
  // No other bet lies without a main one.
  if (!state.round?.bets.length) return null;
  const [first] = owing(state);
  if (!first) return null;
  const detail = `seat ${first.seat}, bettor ${first.by}: streak bets are open`;
  return { ...reject('must-bet', ['art.13.5.2.vi'], detail), seat: first.seat };
}

/**
 * A bettor who owes a bet and does not lay it keeps nobody from playing: a supervisor may always
 * say that the bettor has left. What becomes of the open bets is `areLost`.
 */
export function refuseForfeit(state: TableState, seat: number, by: number): Rejection | null {
  const cites = ['art.13.5.2.vi'];
  if (state.phase !== 'betting') return reject('not-due', cites, 'only while bets are taken');
  return owing(state).some((owed) => owed.seat === seat && owed.by === by)
    ? null
    : reject('not-allowed', cites, 'this bettor owes no bet');
}

export function mayForfeit(state: TableState): 'lost' | 'returned' | null {
  const owed = state.phase === 'betting' ? owing(state) : [];
  if (owed.length === 0) return null;
  if (areLost(state)) return 'lost';
  // Without a sanction there is no haste: the button comes when the time is up, or the bet cannot
  // be laid at all.
  const isLate =
    (state.deadline?.atMs ?? 0) > (state.round?.openedAtMs ?? 0) + profileOf(state).timing.bettingMs;
  const isDue = isLate || owed.some(({ by }) => creditOf(state, by) < leastMain(state));
  return isDue ? 'returned' : null;
}

/** The least main bet, in steps of the table. */
function leastMain(state: TableState): number {
  const { min, step } = rulesOf(state);
  return upToStep(min, step);
}

/** art. 13.5.2.vi names no sanction: the bets come back, unless the house rules have them lost. */
const areLost = (state: TableState): boolean => rulesOf(state).streakAbandon === 'forfeit';

/**
 * What stays of a credit for the duty: the least main bet for each seat with open bets on which
 * none of theirs lies. It is always enough, for a round that is not lost gives it back, and a lost
 * one ends the series (art. 13.5.2.ii).
 */
export function keptMinor(state: TableState, by: number): number {
  const { round, streaks } = state;
  const bets = round && !round.lines ? round.bets : [];
  return (
    streaks.filter(
      ({ seat, open }) =>
        open.some((bet) => bet.by === by) &&
        !bets.some((bet) => bet.bet === 'main' && bet.seat === seat && bet.by === by) &&
        !(round && hasGivenUp(round, seat, by)),
    ).length * leastMain(state)
  );
}

/**
 * The window closes without a round, but series were given up in it: they are settled by
 * themselves.
 */
export function settleForfeits(draft: Draft): boolean {
  const { state } = draft;
  if (state.round!.forfeits.length === 0) return false;
  settleRound(draft, settleStreaks(draft, []));
  return true;
}

// ---- the end of a round ----

type Result = EventOf<'streak-moved'>['result'];

/** The lines of a round with those of its streak bets, where there are any. */
export function withStreaks(draft: Draft, lines: SettlementLine[]): SettlementLine[] {
  const { streaks, round } = draft.state;
  if (streaks.length === 0 && !hasStreakBet(round!)) return lines;
  return [...lines, ...settleStreaks(draft, lines)];
}

/**
 * Settles the streak bets of all seats, last of all (arts. 11.2, 13.5.2, 14.5, 16.7, 18.3), and
 * moves the buttons.
 * @param lines the main lines of the round
 */
function settleStreaks(draft: Draft, lines: readonly SettlementLine[]): SettlementLine[] {
  const { state, atMs } = draft;
  const round = state.round!;
  const settled: SettlementLine[] = [];
  for (let seat = 1; seat <= state.seats.length; seat++) {
    const before = state.streaks.find((streak) => streak.seat === seat);
    const bets = before?.open ?? newBets(round, seat);
    if (bets.length === 0) continue;
    const given = bets.filter(({ by }) => hasGivenUp(round, seat, by));
    for (const bet of given) settled.push(givenUp(state, seat, bet));
    const kept = bets.filter((bet) => !given.includes(bet));
    const result = kept.length === 0 ? 'forfeited' : resultOf(round, seat, lines);
    const wins = (before?.wins ?? 0) + (result === 'won' ? 1 : 0);
    const open = kept.filter((bet) => {
      const line = lineOf(round, seat, bet, result, wins);
      if (line) settled.push(line);
      return line === null;
    });
    const isMoved = !before || wins !== before.wins || open.length !== before.open.length;
    if (isMoved) emit(draft, { type: 'streak-moved', atMs, seat, result, wins, open });
  }
  return settled;
}

/**
 * Whether the seat has won the round: by the hands of the one who decides for it, tied hands aside.
 * More won than lost go on (art. 16.7.1), as many suspend the count (art. 16.7.2), fewer lose
 * (art. 16.7.3); a hand whose stake goes back under art. 16.6 was lost to the bank's blackjack all
 * the same, and one that the special prize has paid and closed is won (arts. 13.5, 15), though its
 * stake comes back as it was.
 */
function resultOf(round: RoundState, at: number, lines: readonly SettlementLine[]): Result {
  const seat = round.seats.find((played) => played.seat === at);
  if (seat?.hands.some(({ status }) => status === 'surrendered')) return 'surrendered';
  let balance = 0;
  for (const { seat: lineSeat, by, bet, outcome, netMinor } of lines) {
    if (bet !== 'main' || lineSeat !== at || by !== seat?.decider) continue;
    if (netMinor > 0 || outcome === 'closed-by-prize') balance += 1;
    else if (netMinor < 0 || outcome === 'returned') balance -= 1;
  }
  return balance > 0 ? 'won' : balance < 0 ? 'lost' : 'tied';
}

/** The line of a bet that the round has decided, null = it stays open. */
function lineOf(
  round: RoundState,
  seat: number,
  bet: StreakBet,
  result: Result,
  wins: number,
): SettlementLine | null {
  switch (result) {
    case 'won':
      return bet.number === wins ? won(seat, bet) : null;
    case 'lost': {
      const isSplit = (round.seats.find((played) => played.seat === seat)?.hands.length ?? 1) > 1;
      return lost(seat, bet, 'lose', isSplit ? ['art.16.7.3', 'art.13.5.2.ii'] : ['art.13.5.2.ii']);
    }
    case 'surrendered':
      return lost(seat, bet, 'lose', ['art.18.3']);
    case 'tied':
    case 'forfeited':
      return null;
  }
}

function won(seat: number, { by, number, amountMinor }: StreakBet): SettlementLine {
  const { pays, cites } = STREAK_PRICES[number]!;
  return {
    seat,
    by,
    bet: `streak${number}`,
    hand: null,
    outcome: 'win',
    stakeMinor: amountMinor,
    odds: [pays, 1],
    returnedMinor: timesOf(amountMinor, pays + 1) as Minor,
    netMinor: timesOf(amountMinor, pays) as Minor,
    cites,
  };
}

function givenUp(state: TableState, seat: number, bet: StreakBet): SettlementLine {
  const line = lost(seat, bet, 'forfeit', ['art.13.5.2.vi']);
  if (areLost(state)) return line;
  return { ...line, outcome: 'released', odds: null, returnedMinor: bet.amountMinor, netMinor: ZERO };
}

const lost = (
  seat: number,
  { by, number, amountMinor }: StreakBet,
  outcome: 'lose' | 'forfeit',
  cites: readonly string[],
): SettlementLine => ({
  seat,
  by,
  bet: `streak${number}`,
  hand: null,
  outcome,
  stakeMinor: amountMinor,
  odds: [-1, 1],
  returnedMinor: 0 as Minor,
  netMinor: -amountMinor as Minor,
  cites,
});
