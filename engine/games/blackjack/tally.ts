import type { SettlementLine } from '../../table/settlement.ts';
import type { RoundState } from '../../table/state.ts';
import { type Tally, tallyByMoney } from '../../table/tallies.ts';
import { isSecondCardOpen } from './bank.ts';
import { isBlackjack, totalOf } from './hand.ts';

/** The bank's second card was not seen: nobody needed it. */
export const BANK_UNPLAYED = 0;
/** No two cards have one point. */
export const BANK_BLACKJACK = 1;

/** Else the bank's points, as far as its cards lie open; more than 21 is a bust. */
const bankOf = (round: RoundState): number => {
  if (!isSecondCardOpen(round)) return BANK_UNPLAYED;
  return isBlackjack(round.bank) ? BANK_BLACKJACK : totalOf(round.bank);
};

/** Won, even and lost hands, by money. Bets given up are settled without cards (art. 13.5.2.vi). */
export const tallyOf = (round: RoundState, lines: readonly SettlementLine[]): Tally | null =>
  round.dealt ? tallyByMoney(bankOf(round), lines) : null;
