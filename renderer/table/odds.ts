/**
 * What a bet pays, as it is printed on the felt and on the buttons: '11:1', and '5:1+' where better
 * hands pay more.
 */
import { bookOf, type TableOptions } from '../../engine/books.ts';
import { formatNumber } from '../../engine/rules/formats.ts';
import type { Language } from '../../engine/table/inputs.ts';
import type { TableView } from '../../wire/view.ts';
import { amountText } from './chips.ts';

/** Null where nothing is printed. A jackpot's slot tells the price of its chip. */
export function oddsText(
  bet: string,
  { table, jackpot }: Pick<TableView, 'table' | 'jackpot'>,
  language: Language,
): string | null {
  if (bet === 'jackpot') return jackpot === null ? null : amountText(jackpot.stakeMinor, language);
  const printed = bookOf(table.rulebook)?.odds(bet, table.options as TableOptions) ?? null;
  if (printed === null) return null;
  const { odds, more, commission, except } = printed;
  if (commission) {
    // What is left of a win of one after the commission.
    const net = (odds[0] / odds[1]) * (1 - commission[0] / commission[1]);
    return `${formatNumber(net, language, 0, 2)}:1`;
  }
  return `${odds[0]}:${odds[1]}${more ? '+' : ''}${except === undefined ? '' : ` · ${except}`}`;
}
