import { type Parts, ZERO } from '../../core/money.ts';
import { reckoned, type SettlementLine } from '../../table/settlement.ts';
import type { Bet, RoundState } from '../../table/state.ts';
import { pointsOf } from './drawing.ts';
import { COMMISSION, PAYS } from './payoffs.ts';
import type { BaccaratArticles, BaccaratRules } from './rules.ts';
import { firstThatFits, type Outcome, outcomeOf, SIDE_BETS, type WinningHand } from './winning-hands.ts';

/** One line per bet, in the order in which the bets were laid. */
export function settlementLines(
  rules: BaccaratRules,
  articles: BaccaratArticles,
  { bets, playerSide, bank }: RoundState,
): SettlementLine[] {
  const player = pointsOf(playerSide);
  const banker = pointsOf(bank);
  const lines: SettlementLine[] = [];
  let outcome: Outcome | null = null;
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
      default: {
        outcome ??= outcomeOf(playerSide, bank);
        const { hands, cite } = sideBetOf(rules, articles, bet.bet);
        const at = firstThatFits(hands, outcome);
        lines.push(
          at < 0 ? lineOf(bet, 'lose', PAYS.lose, cite) : lineOf(bet, 'win', [hands[at]!.odds, 1], cite),
        );
      }
    }
  }
  return lines;
}

/** The hands a bet beside the sides wins with, and the article that pays it. */
function sideBetOf(
  { authorisedBets }: BaccaratRules,
  articles: BaccaratArticles,
  bet: string,
): { readonly hands: readonly WinningHand[]; readonly cite: string } {
  switch (bet) {
    case 'tie':
      return { hands: SIDE_BETS.tie, cite: articles.tieBet };
    case 'playerPair':
    case 'bankerPair':
      return { hands: SIDE_BETS[bet], cite: articles.pairs };
    case 'lucky6':
      return { hands: SIDE_BETS.lucky6, cite: articles.lucky6Pays };
  }
  const authorised = authorisedBets?.find(({ id }) => id === bet);
  if (!authorised) throw new Error(`no bet of this game: ${bet}`);
  return { hands: authorised.wins, cite: articles.authorisedPays };
}

/**
 * art. 18: either five percent of what the Banker wins, or none of it and half of the bet where it
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
