import { partOf } from '../../engine/core/money.ts';
import { PAYS } from '../../engine/games/blackjack/payoffs.ts';
import { PAYS as WAR_PAYS } from '../../engine/games/casino-war/payoffs.ts';
import type { Language } from '../../engine/table/inputs.ts';
import type { Choice } from '../../engine/table/steps.ts';
import type { HandView, SeatView, TableView } from '../../wire/view.ts';
import { pointsOf } from '../parts/mode.ts';
import { amountText } from '../table/chips.ts';
import { oddsText } from '../table/odds.ts';
import type { TableText } from '../texts/i18n.ts';
import type { Question } from './decision.ts';

/** What the bettor `by` has on this hand, minor units. */
export function stakeOf({ front }: SeatView, hand: HandView | undefined, by: number): number {
  if (!hand) return 0;
  if (by === front) return hand.stakeMinor;
  return hand.behind.find((each) => each.by === by)?.stakeMinor ?? 0;
}

/** What insurance of this amount wins, minor units (art. 12.2; r.33). */
export const insuranceWins = (amountMinor: number): number => partOf(amountMinor, PAYS.insurance);

/** Any pair on a split hand (art. 13.1.2) is laid with as much as on the first pair. */
export function amountToLay(
  { act, minMinor, maxMinor }: Choice,
  subject: SeatView,
  by: number,
): number | undefined {
  if (act !== 'betPair' || minMinor === null || maxMinor === null) return undefined;
  const first = subject.bets.find((each) => each.by === by && each.bet === 'anyPair');
  return Math.max(minMinor, Math.min(first?.amountMinor ?? 0, maxMinor));
}

interface Asked {
  readonly view: TableView;
  readonly hand: HandView | undefined;
  readonly question: Question;
  /** On the hand, and what a decision without a fixed amount would lay; minor units. */
  readonly stakeMinor: number;
  readonly amountMinor: number | undefined;
}

/** What an act costs, and what it can win where that differs: a line each. */
export function costsOf(
  act: Choice['act'] | 'wait',
  { view, hand, question, stakeMinor, amountMinor = 0 }: Asked,
  t: TableText,
  language: Language,
  text: (amountMinor: number, language: Language) => string = amountText,
): readonly string[] {
  const of = (minor: number): { amount: string } => ({ amount: text(minor, language) });
  switch (act) {
    case 'stand':
      return hand && hand.points !== null ? [t('cost.stays', { points: pointsOf(hand) })] : [t('cost.free')];
    case 'double':
    case 'split':
    case 'followDouble':
    case 'followSplit':
      return [
        t('cost.costs', of(amountMinor)),
        t('cost.wins', of(partOf(stakeMinor + amountMinor, PAYS.win))),
      ];
    case 'goToWar':
      return [
        t('cost.costs', of(amountMinor)),
        t('cost.wins', of(partOf(stakeMinor + amountMinor, WAR_PAYS.warWin))),
      ];
    case 'surrender':
    case 'surrenderWar':
      return [t('cost.back', of(amountMinor))];
    case 'evenMoney':
    case 'fiveCardHalf':
      return [t('cost.winsNow', of(amountMinor))];
    case 'loseOriginalOnly':
      return [t('cost.loses', of(amountMinor))];
    case 'betPair':
      return [
        t('cost.costs', of(amountMinor)),
        t('cost.pays', { odds: oddsText('anyPair', view, language) ?? '' }),
      ];
    case 'wait':
    case 'playOn':
      return question === 'evenMoney'
        ? [t('cost.mayWin', of(partOf(stakeMinor, PAYS.blackjack)))]
        : [t('cost.free')];
    default:
      return [t('cost.free')];
  }
}
