import type { Auditor } from './auditor.ts';
import { baccarat } from './baccarat.ts';
import { BlackjackAuditor } from './blackjack.ts';
import { casinoWar } from './casino-war.ts';
import type { Question } from './form.ts';

/** A table as it stood when the bets of the asked round were opened; null = a game unknown here. */
export function modelOf({ rulebook, options, seats, streaks, jackpot }: Question): Auditor | null {
  switch (rulebook) {
    case 'macau-blackjack-2004':
    case 'macau-blackjack-2009':
    case 'portugal-blackjack': {
      const model = new BlackjackAuditor(rulebook, options);
      model.findTable(streaks, jackpot);
      return model;
    }
    case baccarat.rulebook:
      return baccarat.model(options, seats);
    case casinoWar.rulebook:
      return casinoWar.model(options, seats);
    default:
      return null;
  }
}
