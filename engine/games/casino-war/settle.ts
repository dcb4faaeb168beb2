import { type Parts, ZERO } from '../../core/money.ts';
import { reckoned, type SettlementLine } from '../../table/settlement.ts';
import type { RoundSeat, RoundState } from '../../table/state.ts';
import { PAYS } from './payoffs.ts';
import type { CasinoWarArticles } from './rules.ts';
import { isTied, rankValue } from './war.ts';

/** Seat by seat the initial bet, a raise included, and the tie bet. */
export function settlementLines(articles: CasinoWarArticles, round: RoundState): SettlementLine[] {
  const lines: SettlementLine[] = [];
  for (const seat of round.seats) {
    lines.push(mainLine(articles, round, seat));
    for (const bet of round.bets) {
      if (bet.seat !== seat.seat || bet.bet !== 'tie') continue;
      const tied = isTied(round, seat);
      lines.push(
        reckoned({
          seat: bet.seat,
          by: bet.by,
          bet: 'tie',
          hand: null,
          outcome: tied ? 'win' : 'lose',
          stakeMinor: bet.amountMinor,
          odds: tied ? PAYS.tie : PAYS.lose,
          returnedMinor: ZERO,
          netMinor: ZERO,
          cites: [tied ? articles.tie : isHigher(round, seat, 0) ? articles.higher : articles.lower],
        }),
      );
    }
  }
  return lines;
}

/** The seat's card of the deal (0) or of the challenge (1) is above the croupier's. */
const isHigher = ({ bank }: RoundState, { hands }: RoundSeat, at: 0 | 1): boolean =>
  rankValue(hands[0]!.cards[at]!) > rankValue(bank[at]!);

function mainLine(articles: CasinoWarArticles, round: RoundState, seat: RoundSeat): SettlementLine {
  const [outcome, odds, cite] = verdict(articles, round, seat);
  return reckoned({
    seat: seat.seat,
    by: seat.bettors[0]!.by,
    bet: 'main',
    hand: 0,
    outcome,
    stakeMinor: seat.hands[0]!.stakesMinor[0]!,
    odds,
    returnedMinor: ZERO,
    netMinor: ZERO,
    cites: [cite],
  });
}

function verdict(
  articles: CasinoWarArticles,
  round: RoundState,
  seat: RoundSeat,
): readonly [outcome: string, odds: Parts | null, cite: string] {
  const hand = seat.hands[0]!;
  if (!isTied(round, seat)) {
    return isHigher(round, seat, 0)
      ? ['win', PAYS.higher, articles.higher]
      : ['lose', PAYS.lose, articles.lower];
  }
  if (hand.status === 'surrendered') return ['half-loss', PAYS.half, articles.halfLoss];
  if (hand.cards.length < 2) return ['push', null, articles.tie];
  if (rankValue(hand.cards[1]!) === rankValue(round.bank[1]!))
    return ['war-tie', PAYS.warTie, articles.warTied];
  return isHigher(round, seat, 1)
    ? ['war-win', PAYS.warWin, articles.warWon]
    : ['war-lose', PAYS.lose, articles.warLost];
}
