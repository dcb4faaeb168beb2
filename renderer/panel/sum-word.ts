import type { SeatResult } from '../../wire/view.ts';
import type { TableText } from '../texts/i18n.ts';

/** What a round was for a bettor, in a word. */
export function sumWord(result: SeatResult, t: TableText): string {
  if (result.lines.some((line) => line.outcome === 'jackpot')) return t('outcome.jackpot');
  if (result.lines.some((line) => line.outcome === 'blackjack')) return t('outcome.blackjack');
  return result.netMinor > 0 ? t('result.win') : result.netMinor < 0 ? t('result.lose') : t('result.even');
}
