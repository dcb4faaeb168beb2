import { cardWords } from '../parts/card-text.ts';
import type { Opened } from '../sound/announce.ts';
import type { TableText } from '../texts/i18n.ts';

/** Cards of the bank or of the Player side that lie open now, and what it has with them. */
export const openedWords = ({ side, cards, points, state }: Opened, t: TableText): string =>
  [
    `${side === 'bank' ? t('dealer.bank') : t('bet.name.player')}: ${cards.map((card) => cardWords(card, t)).join(', ')}`,
    ...(points === null ? [] : [t('wait.points', { points, count: points })]),
    ...(state === null ? [] : [t(`hand.${state}`)]),
  ].join(', ');
