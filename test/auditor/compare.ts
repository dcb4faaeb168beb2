/**
 * What the engine says of the table against what the auditor says of it, at every step and at the
 * end of a round.
 */
import { isDeepStrictEqual } from 'node:util';
import { cardName } from '../../engine/core/cards.ts';
import { nextStep, type TableState } from '../../engine/engine.ts';
import type { SettlementLine } from '../../engine/table/settlement.ts';
import type { AuditedLine, Auditor, Due } from '../../reader/auditor.ts';
import { summed } from '../../reader/read.ts';
import { Disagreed } from './disagreed.ts';

export function same(what: string, engine: unknown, auditor: unknown): void {
  if (!isDeepStrictEqual(engine, auditor)) throw new Disagreed(what, engine, auditor);
}

/** Whose the next card is, or who is to speak. */
export function compareDue(state: TableState, auditor: Auditor): void {
  same('what comes next', textOfStep(state), textOfDue(auditor.due()));
}

const place = (at: { readonly seat: number; readonly hand: number }): string => `${at.seat}.${at.hand}`;
const offers = (seats: readonly number[]): string => `offers ${[...new Set(seats)].sort().join(' ')}`;

function textOfStep(state: TableState): string {
  const step = nextStep(state);
  switch (step.step) {
    case 'draw-for-seat':
      return `seat ${place(step)}`;
    case 'draw-for-bank':
      return 'bank';
    case 'draw-for-player-side':
      return 'player';
    case 'await-offers':
      // The step names where those who are asked sit; what they are asked about lies on these
      // seats.
      return offers(state.round?.offers?.pending.map(({ seat }) => seat) ?? step.seats);
    case 'await-decision':
      return `decision ${place(step)}`;
    case 'read-results':
    case 'close-round':
      return 'over';
    default:
      return step.step;
  }
}

function textOfDue(due: Due): string {
  switch (due.to) {
    case 'seat':
    case 'decision':
      return `${due.to} ${place(due)}`;
    case 'offers':
      return offers(due.seats);
    default:
      return due.to;
  }
}

/**
 * A settled or cancelled round: lines, cards, the players' money, what outlives the round.
 * @param worthBefore the players' money when the bets were opened, in minor units
 */
export function compareRound(
  state: TableState,
  auditor: Auditor,
  rulebook: string,
  worthBefore: number,
): void {
  const { round } = state;
  if (!round?.lines) throw new Disagreed('no lines', null, auditor.lines());
  const engine = round.lines.map((line) => ({ ...line, net: line.netMinor }));
  const lines = auditor.lines() ?? [];
  // In a cancelled round every bet goes back; on how many lines it stands does not matter.
  if (round.voided) same('lines of a void', wholeBets(engine), wholeBets(lines));
  else same('lines', textOf(summed(engine)), textOf(summed(lines)));
  same('bank', round.bank.map(cardName), auditor.bank());
  if (auditor.player) same('player', round.playerSide.map(cardName), auditor.player());
  for (const { seat, hands } of round.seats) {
    const cards = hands.map((hand) => hand.cards.map(cardName));
    same(`cards of seat ${seat}`, cards, auditor.hands()[String(seat)] ?? []);
  }
  for (const line of round.lines) checkLine(line, rulebook);
  const won = round.lines.reduce((sum, line) => sum + line.netMinor, 0);
  same('credits', worthOf(state), worthBefore + won);
  compareSeries(state, auditor);
}

/** The numbers of a line make the amount that is paid. */
function checkLine(line: SettlementLine, rulebook: string): void {
  const { bet, outcome, stakeMinor, returnedMinor, netMinor, cites } = line;
  same(`net of ${bet} ${outcome}`, netMinor, netOf(line));
  same('returned = stake + net', returnedMinor, stakeMinor + netMinor);
  if (returnedMinor < 0 || stakeMinor < 0) throw new Disagreed('negative amount', line, null);
  // Arts. 8-12 of Bacará, where errors would stand, have not been seen.
  const isUnwritten = outcome === 'void' && rulebook === 'macau-baccarat';
  if (cites.length === 0 && !isUnwritten) throw new Disagreed('line without an article', line, null);
}

/**
 * What a line's own numbers make: the base times the odds, less commission on a win, less what the
 * house keeps.
 */
function netOf({ stakeMinor, baseMinor, odds, commission, keptMinor, rounded }: SettlementLine): number {
  const whole = (value: number): number => {
    if (Number.isInteger(value)) return value;
    if (rounded === undefined) throw new Disagreed('a fraction without a rule for it', value, null);
    return Math.sign(value) * (rounded === 'up' ? Math.ceil(Math.abs(value)) : Math.floor(Math.abs(value)));
  };
  const result = odds ? whole(((baseMinor ?? stakeMinor) * odds[0]) / odds[1]) : 0;
  const charge = commission && result > 0 ? whole((result * commission[0]) / commission[1]) : 0;
  return result - charge - (keptMinor ?? 0) + 0;
}

/** The players' money between rounds: credits, and streak bets that stay on the table. */
export function worthOf({ seats, streaks }: TableState): number {
  const credits = seats.reduce((sum, { creditMinor }) => sum + creditMinor, 0);
  return streaks.flatMap(({ open }) => open).reduce((sum, { amountMinor }) => sum + amountMinor, credits);
}

/** The streak button of every seat, the jackpot's meter. */
function compareSeries(state: TableState, auditor: Auditor): void {
  const { streak, jackpot } = auditor.after();
  if (streak) {
    for (const { seat } of state.seats) {
      const series = state.streaks.find((one) => one.seat === seat);
      same(`streak button of seat ${seat}`, series ? series.wins + 1 : 0, streak[String(seat)]);
    }
  }
  const meter = state.jackpots[0];
  if (meter && typeof jackpot === 'number') same('jackpot', meter.meterMinor, jackpot);
}

/** Lines as texts in an order of their own. */
const textOf = (lines: readonly AuditedLine[]): string[] =>
  lines
    .map(({ seat, by, bet, hand, net }) => `${seat} by ${by} ${bet} ${hand ?? '-'} ${net === 0 ? 0 : net}`)
    .sort();

/** The bets of a cancelled round, whatever hands they lay on. */
const wholeBets = (lines: readonly AuditedLine[]): string[] =>
  textOf(summed(lines.map((line) => ({ ...line, hand: null }))));
