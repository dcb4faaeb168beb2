import { timesOf, wholePartOf } from '../../engine/core/money.ts';
import type { Act } from '../../engine/table/inputs.ts';
import type { SettlementLine } from '../../engine/table/settlement.ts';
import { commissionMinor, recompute } from '../../engine/table/settlement.ts';
import type { Choice } from '../../engine/table/steps.ts';
import type { HandView, SeatView, TableView } from '../../wire/view.ts';
import type { TableText } from '../texts/i18n.ts';

/** What the middle of a seat's panel is for at this moment. */
export type PanelMode =
  | 'service'
  | 'decide'
  | 'hold'
  | 'cash-out'
  | 'result'
  | 'limit'
  | 'bet'
  | 'free'
  | 'wait';

export function panelMode(view: TableView, seat: SeatView): PanelMode {
  if (view.service) return 'service';
  const inRound = ownBets(view, seat).length > 0;
  if (view.hold && inRound) return 'hold';
  if (choicesNow(seat).length > 0) return 'decide';
  if (seat.cashOut) return 'cash-out';
  if (view.hold && !seat.free) return 'hold';
  if (seat.result && view.phase !== 'betting') return 'result';
  if (seat.session?.reached && (view.phase === 'betting' || !inRound)) return 'limit';
  const hasMoney = seat.creditMinor > 0 || inRound;
  if (view.phase === 'betting' && hasMoney && seat.betting.length > 0) return 'bet';
  if (seat.free && !inRound) return 'free';
  return 'wait';
}

export interface OwnBet {
  /** On whose hand it lies. */
  readonly seat: number;
  readonly bet: string;
  readonly amountMinor: number;
}

/** What the bettor of a seat has laid, on their own seat first. */
export function ownBets(view: TableView, { seat: number }: SeatView): OwnBet[] {
  return view.seats
    .flatMap(({ seat, bets }) =>
      bets
        .filter(({ by }) => by === number)
        .map(({ bet, amountMinor }): OwnBet => ({ seat, bet, amountMinor })),
    )
    .sort((a, b) => Number(b.seat === number) - Number(a.seat === number));
}

/** The bettor of this seat decides the hand whose turn it is. */
export const hasTurn = (view: TableView, seat: SeatView): boolean =>
  view.seats.some(({ turnHand, decider }) => turnHand !== null && decider === seat.seat);

const ORDER: readonly Act[] = [
  'hit',
  'stand',
  'double',
  'split',
  'goToWar',
  'surrenderWar',
  'surrender',
  'fiveCardHalf',
  'evenMoney',
  'insure',
  'loseOriginalOnly',
  'followSplit',
  'followDouble',
  'betPair',
  'declineInsurance',
  'playOn',
];

/**
 * The lawful decisions a bettor has now about one hand, always in the same order; empty while they
 * have nothing to decide. Where they are asked about several, one after the other, the most urgent
 * first. What is closed is absent: the rules of the table say why.
 */
export function choicesNow(seat: Pick<SeatView, 'seat' | 'turnHand' | 'choices'>): readonly Choice[] {
  const { turnHand } = seat;
  const open = seat.choices.filter(
    (choice) =>
      choice.allowed && (choice.seat !== seat.seat || turnHand === null || choice.hand === turnHand),
  );
  const [first] = open;
  if (first === undefined) return [];
  return inOrder(open.filter(({ seat, hand }) => seat === first.seat && hand === first.hand));
}

/** Empty where the cards of the hand are not for this display. */
export const pointsText = ({ points, soft }: HandView, t: TableText): string =>
  points === null
    ? ''
    : soft
      ? t('wait.softPoints', { points })
      : t('wait.points', { points, count: points });

/** The total as the felt has it, of a soft hand both: '7/17'; empty as above. */
export const pointsOf = ({ points, soft }: HandView): string =>
  points === null ? '' : soft ? `${points - 10}/${points}` : String(points);

export const inOrder = (choices: readonly Choice[]): readonly Choice[] =>
  choices.toSorted((a, b) => ORDER.indexOf(a.act) - ORDER.indexOf(b.act));

/**
 * The amounts offered for touching: the least and the most insurance, and the middle where it is a
 * whole amount.
 */
export function insuranceAmounts(min: number, max: number): readonly number[] {
  if (min >= max) return [max];
  const middle = wholePartOf(min + max, [1, 2]);
  return middle !== null && middle > min ? [min, middle, max] : [min, max];
}

/** The part of the stake an amount is, where it has a short name: '½', '¾', 'full'. */
export function nameOfPart(amount: number, stake: number): '½' | '¾' | 'full' | null {
  if (timesOf(amount, 2) === stake) return '½';
  if (timesOf(amount, 4) === timesOf(stake, 3)) return '¾';
  return amount === stake ? 'full' : null;
}

/**
 * The sum that makes up a settled line, '1,500.00 × 3/2', '1,560.00 − 78.00 (5 %)', only if it
 * comes out at the line's own figure: a picture of the arithmetic that does not agree with the
 * money would be worse than none. Null as well where a stake is lost whole or comes back, which
 * needs no sum.
 */
export function lineSum(line: SettlementLine, money: (amountMinor: number) => string): string | null {
  const { odds, commission, keptMinor = 0, netMinor } = line;
  if (!odds || (odds[0] === -odds[1] && line.baseMinor === undefined)) return null;
  if (recompute(line) !== netMinor) return null;
  const [a, b] = [Math.abs(odds[0]), odds[1]];
  const times = a === 1 && b === 1 && commission ? '' : ` × ${b === 1 ? a : `${a}/${b}`}`;
  const percent = commission ? ` (${(commission[0] * 100) / commission[1]} %)` : '';
  const charged = commission ? ` − ${money(commissionMinor(line))}${percent}` : '';
  const kept = keptMinor > 0 ? ` − ${money(keptMinor)}` : '';
  return `${money(line.baseMinor ?? line.stakeMinor)}${times}${charged}${kept}`;
}
