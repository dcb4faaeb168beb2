import { ZERO } from '../../core/money.ts';
import { type Parts, reckoned, type SettlementLine } from '../../table/settlement.ts';
import type { Bet, RoundState } from '../../table/state.ts';
import { isPair, pointsOf } from './drawing.ts';
import { COMMISSION, PAYS } from './payoffs.ts';
import type { BaccaratArticles, BaccaratRules } from './rules.ts';

/** One line per bet, in the order in which the bets were laid. */
export function settlementLines(
  rules: BaccaratRules,
  articles: BaccaratArticles,
  { bets, playerSide, bank }: RoundState,
): SettlementLine[] {
  const player = pointsOf(playerSide);
  const banker = pointsOf(bank);
  const lines: SettlementLine[] = [];
  for (const bet of bets) {
    switch (bet.bet) {
      case 'player':
        lines.push(
          player === banker
            ? lineOf(bet, 'push', null, articles.tie)
            : player > banker
              ? lineOf(bet, 'win', PAYS.side, articles.sides)
              : lineOf(bet, 'lose', PAYS.lose, articles.sides),
        );
        break;
      case 'banker':
        lines.push(
          player === banker
            ? lineOf(bet, 'push', null, articles.tie)
            : player > banker
              ? lineOf(bet, 'lose', PAYS.lose, articles.sides)
              : bankerWon(rules, articles, bet, banker),
        );
        break;
      case 'tie':
        lines.push(decided(bet, player === banker, PAYS.tie, articles.tieBet));
        break;
      case 'playerPair':
        lines.push(decided(bet, isPair(playerSide), PAYS.pair, articles.pairs));
        break;
      case 'bankerPair':
        lines.push(decided(bet, isPair(bank), PAYS.pair, articles.pairs));
        break;
      case 'lucky6': {
        const odds = bank.length === 2 ? PAYS.lucky6Two : PAYS.lucky6Three;
        lines.push(decided(bet, banker === 6 && banker > player, odds, articles.lucky6Pays));
        break;
      }
      default:
        throw new Error(`no bet of this game: ${bet.bet}`);
    }
  }
  return lines;
}

/**
 * art. 18: either five percent of what the Banker wins, or none of it and half of the bet where he
 * wins with six.
 */
function bankerWon(
  rules: BaccaratRules,
  articles: BaccaratArticles,
  bet: Bet,
  points: number,
): SettlementLine {
  const { seat, by, amountMinor: stakeMinor } = bet;
  const line = { seat, by, bet: bet.bet, hand: null, stakeMinor, returnedMinor: ZERO, netMinor: ZERO };
  if (rules.commission === 'five-percent') {
    return reckoned({
      ...line,
      outcome: 'win',
      odds: PAYS.side,
      commission: COMMISSION,
      rounded: rules.commissionRounding,
      cites: [articles.commission],
    });
  }
  const cites = [articles.bankerSix];
  return points === 6
    ? reckoned({ ...line, outcome: 'banker-six', odds: PAYS.bankerSix, rounded: rules.halfRounding, cites })
    : reckoned({ ...line, outcome: 'win', odds: PAYS.side, cites });
}

const decided = (bet: Bet, isWon: boolean, odds: Parts, cite: string): SettlementLine =>
  isWon ? lineOf(bet, 'win', odds, cite) : lineOf(bet, 'lose', PAYS.lose, cite);

const lineOf = (
  { seat, by, bet, amountMinor }: Bet,
  outcome: string,
  odds: Parts | null,
  cite: string,
): SettlementLine =>
  reckoned({
    seat,
    by,
    bet,
    hand: null,
    outcome,
    stakeMinor: amountMinor,
    odds,
    returnedMinor: ZERO,
    netMinor: ZERO,
    cites: [cite],
  });
