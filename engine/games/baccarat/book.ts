import type { GameBook, PrintedOdds, TableOptions } from '../../rules/rules-page.ts';
import { authorisedIn } from './authorised-bets.ts';
import { MACAU_BACARA } from './macau-bacara.ts';
import { COMMISSION, PAYS } from './payoffs.ts';
import { baccaratRules } from './rules-page.ts';

declare module '../../rules/rulebook.ts' {
  interface GameIds {
    baccarat: true;
  }
}
declare module '../../table/profile.ts' {
  interface RulebookIds {
    'macau-baccarat': true;
  }
}

const ODDS: Readonly<Record<string, PrintedOdds>> = {
  player: { odds: PAYS.side },
  tie: { odds: PAYS.tie },
  playerPair: { odds: PAYS.pair },
  bankerPair: { odds: PAYS.pair },
  lucky6: { odds: PAYS.lucky6Two, more: true },
};

function oddsOfAuthorised(options: TableOptions, bet: string): PrintedOdds | null {
  const found = authorisedIn(options).find(({ id }) => id === bet);
  if (!found) return null;
  const odds = found.wins.map((hand) => hand.odds);
  const least = Math.min(...odds);
  return { odds: [least, 1], ...(odds.some((each) => each > least) ? { more: true } : {}) };
}

const odds: GameBook['odds'] = (bet, options) => {
  const { commission } = options;
  if (bet !== 'banker') return ODDS[bet] ?? oddsOfAuthorised(options, bet);
  return commission === 'none-banker-six-half'
    ? { odds: PAYS.side, except: '6:½' }
    : { odds: PAYS.side, commission: COMMISSION };
};

export const BACCARAT_BOOK: GameBook = {
  id: 'baccarat',
  rulebooks: [MACAU_BACARA],
  page: baccaratRules,
  odds,
};
