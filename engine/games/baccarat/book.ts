import type { GameBook, PrintedOdds } from '../../rules/rules-page.ts';
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

const odds: GameBook['odds'] = (bet, { commission }) => {
  if (bet !== 'banker') return ODDS[bet] ?? null;
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
