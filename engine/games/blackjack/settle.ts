import type { Minor } from '../../core/money.ts';
import type { SettlementLine } from '../../table/settlement.ts';
import type { Bettor, Hand, RoundSeat, RoundState } from '../../table/state.ts';
import { isBlackjack, totalOf } from './hand.ts';
import type { BlackjackArticles, BlackjackRules } from './rules.ts';

interface Verdict {
  readonly outcome: string;
  /** Odds a to b on the stake that wins; null where the stake just stays or goes. */
  readonly odds: readonly [number, number] | null;
  /** Money won (positive) or lost (negative), apart from the stake. */
  readonly netMinor: number;
  readonly cites: readonly string[];
}

/** a/b of an amount; the step of the stakes is even, so that no result has a fraction. */
function partOf(amountMinor: number, [a, b]: readonly [number, number]): number {
  const part = (amountMinor * a) / b;
  if (!Number.isSafeInteger(part)) throw new Error(`a fraction of a minor unit: ${amountMinor} x ${a}/${b}`);
  return part;
}

/**
 * The main and insurance lines of a finished round and the prizes won in it, seat by seat and bettor by bettor.
 * For every main line the first rule that applies closes it; the order is the precedence of the articles.
 */
export function settlementLines(
  rules: BlackjackRules,
  articles: BlackjackArticles,
  round: RoundState,
): SettlementLine[] {
  const bank: Bank = {
    blackjack: isBlackjack(round.bank),
    total: totalOf(round.bank),
  };
  const lines: SettlementLine[] = [];
  for (const seat of round.seats) {
    for (let i = 0; i < seat.bettors.length; i++) {
      const bettor = seat.bettors[i]!;
      const lossBooked = bank.blackjack ? handOfSingleLoss(rules, seat, i) : null;
      for (let hand = 0; hand < seat.hands.length; hand++) {
        const stakeMinor = seat.hands[hand]!.stakesMinor[i]!;
        if (stakeMinor === 0) continue;
        const verdict = judge(rules, articles, seat, bettor, hand, stakeMinor, bank, lossBooked);
        lines.push({
          seat: seat.seat,
          by: bettor.by,
          bet: 'main',
          hand,
          outcome: verdict.outcome,
          stakeMinor,
          odds: verdict.odds,
          returnedMinor: (stakeMinor + verdict.netMinor) as Minor,
          netMinor: verdict.netMinor as Minor,
          cites: verdict.cites,
        });
      }
      if (bettor.insuranceMinor > 0) lines.push(insuranceLine(articles, seat, bettor, bank));
    }
    lines.push(...round.prizes.filter((prize) => prize.seat === seat.seat));
  }
  return lines;
}

interface Bank {
  readonly blackjack: boolean;
  readonly total: number;
}

/**
 * arts. 16.6, 17.3: with a bank's blackjack a seat that has split loses its original bet once. It is booked on the
 * first hand not already paid on which the bettor has money; null where the right does not exist or no hand is left.
 */
function handOfSingleLoss(rules: BlackjackRules, seat: RoundSeat, bettor: number): number | null {
  if (seat.hands.length < 2 || rules.splitVsDealerBlackjack !== 'originalOnly') return null;
  const bustsCount = rules.bustedVsDealerBlackjack === 'originalOnly';
  const at = seat.hands.findIndex(
    (hand) =>
      hand.stakesMinor[bettor]! > 0 && hand.status !== 'paid' && (bustsCount || hand.status !== 'busted'),
  );
  return at < 0 ? null : at;
}

function judge(
  rules: BlackjackRules,
  articles: BlackjackArticles,
  seat: RoundSeat,
  bettor: Bettor,
  at: number,
  stakeMinor: Minor,
  bank: Bank,
  lossBooked: number | null,
): Verdict {
  const hand = seat.hands[at]!;
  const wins = (outcome: string, odds: readonly [number, number], ...cites: string[]): Verdict => ({
    outcome,
    odds,
    netMinor: partOf(stakeMinor, odds),
    cites,
  });
  const loses = (outcome: string, lostMinor: number, ...cites: string[]): Verdict => ({
    outcome,
    odds: null,
    netMinor: -lostMinor,
    cites,
  });
  const ties = (outcome: string, ...cites: string[]): Verdict => ({
    outcome,
    odds: null,
    netMinor: 0,
    cites,
  });

  if (bettor.evenMoney) return wins('even-money', [1, 1], articles.evenMoney);
  if (hand.status === 'surrendered') {
    return loses('surrender', partOf(stakeMinor, [1, 2]), articles.surrender);
  }
  if (hand.status === 'paid') {
    return hand.prize
      ? ties('closed-by-prize', articles.specialPrize)
      : wins('five-card-half', [1, 2], articles.fiveCards);
  }
  const total = totalOf(hand.cards);
  if (bank.blackjack) {
    if (hand.status === 'blackjack') return ties('push', articles.tieBlackjack);
    const protectedLoss = againstBankBlackjack(
      rules,
      articles,
      seat,
      bettor,
      hand,
      at,
      stakeMinor,
      lossBooked,
    );
    if (protectedLoss) return protectedLoss;
    if (hand.status === 'busted') return loses('bust', stakeMinor, articles.bust);
    if (hand.doubled && stakeMinor > bettor.originalMinor) {
      return loses('lose', stakeMinor, articles.bankBlackjack, articles.doubleOriginalOnly);
    }
    return loses('lose', stakeMinor, total === 21 ? articles.plain21 : articles.bankBlackjack);
  }
  if (hand.status === 'busted') return loses('bust', stakeMinor, articles.bust);
  if (hand.status === 'blackjack') {
    return wins('blackjack', [3, 2], bank.total === 21 ? articles.blackjackBeats21 : articles.blackjack);
  }
  if (bank.total > 21) return wins('win', [1, 1], articles.points, articles.bust);
  if (total > bank.total) {
    if (total === 21) return wins('win', [1, 1], hand.cards.length > 2 ? articles.win21 : articles.plain21);
    return wins('win', [1, 1], articles.points);
  }
  if (total === bank.total) return ties('push', articles.tiePoints);
  return loses('lose', stakeMinor, articles.points);
}

/** What a bank's blackjack takes from a split or doubled bet where less than all is lost; null = the common rule. */
function againstBankBlackjack(
  rules: BlackjackRules,
  articles: BlackjackArticles,
  seat: RoundSeat,
  bettor: Bettor,
  hand: Hand,
  at: number,
  stakeMinor: Minor,
  lossBooked: number | null,
): Verdict | null {
  const bustIsLost = hand.status === 'busted' && rules.bustedVsDealerBlackjack === 'bustsLost';
  if (bustIsLost) return null;
  const original = (cite: string): Verdict => ({
    outcome: 'original-only',
    odds: null,
    netMinor: -bettor.originalMinor,
    cites: [cite],
  });
  if (seat.hands.length > 1 && rules.splitVsDealerBlackjack === 'originalOnly') {
    return at === lossBooked
      ? original(articles.splitOriginalOnly)
      : { outcome: 'returned', odds: null, netMinor: 0, cites: [articles.splitOriginalOnly] };
  }
  if (hand.doubled === null || stakeMinor === bettor.originalMinor) return null;
  if (hand.doubled !== 'eleven' && rules.doubledVsDealerBlackjack === 'originalOnly') {
    return original(articles.doubleOriginalOnly);
  }
  return bettor.losesOriginalOnly ? original(articles.originalOnlyOffer) : null;
}

/** arts. 12.2, 12.3: two to one with a bank's blackjack, else lost; whatever became of the main bet. */
function insuranceLine(
  articles: BlackjackArticles,
  seat: RoundSeat,
  bettor: Bettor,
  bank: Bank,
): SettlementLine {
  const stakeMinor = bettor.insuranceMinor;
  const netMinor = bank.blackjack ? 2 * stakeMinor : -stakeMinor;
  return {
    seat: seat.seat,
    by: bettor.by,
    bet: 'insurance',
    hand: null,
    outcome: bank.blackjack ? 'win' : 'lose',
    stakeMinor,
    odds: bank.blackjack ? [2, 1] : null,
    returnedMinor: (stakeMinor + netMinor) as Minor,
    netMinor: netMinor as Minor,
    cites: [bank.blackjack ? articles.bankBlackjack : articles.insuranceLost],
  };
}

/**
 * art. 15: three times the bet, one line per bettor; `stakeMinor` is the base of the arithmetic, it stays on the hand.
 * The line is fixed at once and cannot be taken back by the result; it is credited with the round's settlement.
 */
export function specialPrizeLines(
  rules: BlackjackRules,
  articles: BlackjackArticles,
  seat: RoundSeat,
  hand: number,
): SettlementLine[] {
  return seat.bettors.flatMap((bettor, i) => {
    const onHand = seat.hands[hand]!.stakesMinor[i]!;
    if (onHand === 0) return [];
    const base = rules.specialPrizeBase === 'stake' ? onHand : bettor.originalMinor;
    const prize = (3 * base) as Minor;
    return [
      {
        seat: seat.seat,
        by: bettor.by,
        bet: 'specialPrize',
        hand,
        outcome: 'special-prize',
        stakeMinor: base,
        odds: [3, 1] as const,
        returnedMinor: prize,
        netMinor: prize,
        cites: [articles.specialPrize],
      },
    ];
  });
}
