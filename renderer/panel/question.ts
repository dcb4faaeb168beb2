import { rankOf } from '../../engine/core/cards.ts';
import type { HandView, SeatView, TableView } from '../../wire/view.ts';
import { pointsOf } from '../parts/mode.ts';
import type { TableText } from '../texts/i18n.ts';
import type { Question } from './decision.ts';

/** What a decision is about. */
export interface Matter {
  /** Whose hand it is. */
  readonly subject: SeatView;
  readonly hand: HandView | undefined;
}

export function questionText(
  question: Question,
  view: TableView,
  { subject, hand }: Matter,
  t: TableText,
): string {
  const { cards, points: bank } = view.bank;
  const { seat } = subject;
  if (question === 'turn') {
    if (!hand || hand.points === null || bank === null) return t('offer.decide');
    const points = pointsOf(hand);
    const [up, ...others] = cards;
    const isAce = up != null && rankOf(up) === 0 && others.every((card) => card === null);
    return isAce ? t('offer.turnAce', { points }) : t('offer.turn', { points, bank });
  }
  return question === 'followSplit' || question === 'followDouble'
    ? t(`offer.${question}`, { seat })
    : t(`offer.${question}`);
}
