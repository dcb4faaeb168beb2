import type { GameBook, PrintedOdds } from '../../rules/rules-page.ts';
import { MACAU_56_2004 } from './macau-56-2004.ts';
import { MACAU_57_2009 } from './macau-57-2009.ts';
import { PORTUGAL_21 } from './portugal-21.ts';
import { blackjackRules } from './rules-page.ts';
import { PAIR_PRICES, type Price, SEVENS_PRICES, STREAK_PRICES, THIRTEEN_PRICE } from './side-bet-prices.ts';

declare module '../../rules/rulebook.ts' {
  interface GameIds {
    blackjack: true;
  }
}
declare module '../../table/profile.ts' {
  interface RulebookIds {
    'macau-blackjack-2004': true;
    'macau-blackjack-2009': true;
    'portugal-blackjack': true;
  }
}

const at = ({ pays }: Price): PrintedOdds => ({ odds: [pays, 1] });
const from = (price: Price): PrintedOdds => ({ ...at(price), more: true });
const ODDS: Readonly<Record<string, PrintedOdds>> = {
  anyPair: at(PAIR_PRICES.anyPair),
  perfectPair: from(PAIR_PRICES.mixed),
  sevens: from(SEVENS_PRICES.two),
  over13: at(THIRTEEN_PRICE),
  under13: at(THIRTEEN_PRICE),
  streak2: at(STREAK_PRICES[2]!),
  streak3: at(STREAK_PRICES[3]!),
  streak4: at(STREAK_PRICES[4]!),
  streak5: at(STREAK_PRICES[5]!),
};

export const BLACKJACK_BOOK: GameBook = {
  id: 'blackjack',
  rulebooks: [MACAU_56_2004, MACAU_57_2009, PORTUGAL_21],
  page: blackjackRules,
  odds: (bet) => ODDS[bet] ?? null,
};
