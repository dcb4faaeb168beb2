import type { Act } from '../../engine/table/inputs.ts';
import type { Choice } from '../../engine/table/steps.ts';
import type { SeatView, SettlementLine, TableView } from '../../host/api.ts';

/** What the middle of a seat's panel is for at this moment. */
export type PanelMode = 'service' | 'decide' | 'hold' | 'cash-out' | 'result' | 'bet' | 'free' | 'wait';

export function panelMode(view: TableView, seat: SeatView): PanelMode {
  if (view.service) return 'service';
  const inRound = seat.bets.length > 0 || seat.hands.length > 0;
  if (view.hold && inRound) return 'hold';
  if (choicesNow(seat).length > 0) return 'decide';
  if (seat.cashOut) return 'cash-out';
  if (view.hold && !seat.free) return 'hold';
  if (seat.result && view.phase !== 'betting') return 'result';
  const hasMoney = seat.creditMinor > 0 || seat.bets.length > 0;
  if (view.phase === 'betting' && hasMoney && seat.betting.length > 0) return 'bet';
  if (seat.free && !inRound) return 'free';
  return 'wait';
}

const ORDER: readonly Act[] = [
  'hit',
  'stand',
  'double',
  'split',
  'surrender',
  'fiveCardHalf',
  'evenMoney',
  'insure',
  'loseOriginalOnly',
  'declineInsurance',
  'playOn',
];

/** Closed ones of these are only shown where the others leave room: they come up in few hands. */
const SELDOM: ReadonlySet<Act> = new Set([
  'fiveCardHalf',
  'evenMoney',
  'insure',
  'loseOriginalOnly',
  'declineInsurance',
  'playOn',
]);

/** The decisions a seat has now, always in the same order; empty while it has nothing to decide. */
export function choicesNow(seat: SeatView): readonly Choice[] {
  const own = seat.choices.filter((choice) => seat.turnHand === null || choice.hand === seat.turnHand);
  if (!own.some((choice) => choice.allowed)) return [];
  const shown = own.filter((choice) => choice.allowed || !SELDOM.has(choice.act));
  return [...shown].sort((a, b) => ORDER.indexOf(a.act) - ORDER.indexOf(b.act));
}

/** The amounts offered for touching: the least and the most insurance, and the middle where it is a whole amount. */
export function insuranceAmounts(min: number, max: number): readonly number[] {
  if (min >= max) return [max];
  const middle = (min + max) / 2;
  return Number.isInteger(middle) && middle > min ? [min, middle, max] : [min, max];
}

/** The part of the stake an amount is, where it has a short name: '½', '¾', 'full'. */
export function partOf(amount: number, stake: number): '½' | '¾' | 'full' | null {
  if (amount * 2 === stake) return '½';
  if (amount * 4 === stake * 3) return '¾';
  return amount === stake ? 'full' : null;
}

/**
 * The sum that makes up a settled line, only if it comes out at the line's own figure: a picture of the arithmetic that
 * does not agree with the money would be worse than none.
 */
export function lineOdds(line: SettlementLine): readonly [number, number] | null {
  // A surrender pays nothing, so it has no odds; half of the stake goes (art. 18.1).
  const odds = line.odds ?? (line.outcome === 'surrender' ? ([1, 2] as const) : null);
  if (!odds) return null;
  const [a, b] = odds;
  return line.stakeMinor * a === Math.abs(line.netMinor) * b ? [a, b] : null;
}
