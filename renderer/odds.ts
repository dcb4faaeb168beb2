/** What a bet pays, as it is printed on the felt and on the buttons: '11:1', and '5:1+' where better hands pay more. */
import { PAYS as BACCARAT_PAYS, COMMISSION } from '../engine/games/baccarat/payoffs.ts';
import {
  PAIR_PRICES,
  SEVENS_PRICES,
  STREAK_PRICES,
  THIRTEEN_PRICE,
} from '../engine/games/blackjack/side-bet-prices.ts';
import { PAYS as WAR_PAYS } from '../engine/games/casino-war/payoffs.ts';
import type { Language } from '../engine/table/inputs.ts';
import type { Parts } from '../engine/table/settlement.ts';
import type { TableView } from '../wire/view.ts';
import { amountText } from './table/chips.ts';

const ratio = ([a, b]: Parts): string => `${a}:${b}`;
const toOne = (pays: number, more = false): string => `${pays}:1${more ? '+' : ''}`;

const BLACKJACK: Readonly<Record<string, string>> = {
  anyPair: toOne(PAIR_PRICES.anyPair.pays),
  perfectPair: toOne(PAIR_PRICES.mixed.pays, true),
  sevens: toOne(SEVENS_PRICES.two.pays, true),
  over13: toOne(THIRTEEN_PRICE.pays),
  under13: toOne(THIRTEEN_PRICE.pays),
  streak2: toOne(STREAK_PRICES[2]!.pays),
  streak3: toOne(STREAK_PRICES[3]!.pays),
  streak4: toOne(STREAK_PRICES[4]!.pays),
  streak5: toOne(STREAK_PRICES[5]!.pays),
};
const BACCARAT: Readonly<Record<string, string>> = {
  player: ratio(BACCARAT_PAYS.side),
  tie: ratio(BACCARAT_PAYS.tie),
  playerPair: ratio(BACCARAT_PAYS.pair),
  bankerPair: ratio(BACCARAT_PAYS.pair),
  lucky6: `${ratio(BACCARAT_PAYS.lucky6Two)}+`,
};
/** art. 18.1: what is left of a win of one after the commission. */
const bankerNet = (language: Language): string => {
  const net = String(1 - COMMISSION[0] / COMMISSION[1]);
  return `${language === 'pt' ? net.replace('.', ',') : net}:1`;
};

/** Null where nothing is printed. A jackpot's slot tells the price of its chip. */
export function oddsText(
  bet: string,
  { table, jackpot }: Pick<TableView, 'table' | 'jackpot'>,
  language: Language,
): string | null {
  switch (table.rulebook) {
    case 'macau-casino-war':
      return bet === 'tie' ? ratio(WAR_PAYS.tie) : bet === 'main' ? ratio(WAR_PAYS.higher) : null;
    case 'macau-baccarat':
      if (bet !== 'banker') return BACCARAT[bet] ?? null;
      return table.options['commission'] === 'none-banker-six-half'
        ? `${ratio(BACCARAT_PAYS.side)} · 6:½`
        : bankerNet(language);
    default:
      if (bet === 'jackpot') return jackpot === null ? null : amountText(jackpot.stakeMinor, language);
      return BLACKJACK[bet] ?? null;
  }
}
