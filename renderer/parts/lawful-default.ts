import type { RulebookId } from '../../engine/table/profile.ts';
import { formGameOf } from '../table/form.ts';
import type { TableText } from '../texts/i18n.ts';

/**
 * What happens when nobody answers in time, said before anybody bets; null = nobody is ever asked.
 * It never takes new money.
 */
export function lawfulDefault(rulebook: RulebookId, t: TableText): string | null {
  switch (formGameOf(rulebook)) {
    case 'baccarat':
      return null;
    case 'casino-war':
      return t('default.war');
    default:
      // r.18: below twelve nobody may stand.
      return t(rulebook === 'portugal-blackjack' ? 'default.draw' : 'default.stand');
  }
}
