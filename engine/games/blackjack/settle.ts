import { type Minor, type Parts, ZERO } from '../../core/money.ts';
import { reckoned, type SettlementLine } from '../../table/settlement.ts';
import type { Bettor, Hand, RoundSeat, RoundState } from '../../table/state.ts';
import { isBlackjack, pointsOf, totalOf } from './hand.ts';
import { PAYS } from './payoffs.ts';
import type { BlackjackArticles, BlackjackRules } from './rules.ts';

interface Verdict {
  readonly outcome: string;
  readonly odds: Parts | null;
  /** The odds are reckoned on this part of the stake; null = on all of it. */
  readonly baseMinor: Minor | null;
  readonly cites: readonly string[];
}

const verdict = (outcome: string, odds: Parts | null, cites: readonly string[]): Verdict => ({
  outcome,
  odds,
  baseMinor: null,
  cites,
});

/**
 * The main and insurance lines of a finished round and the prizes won in it, seat by seat and
 * bettor by bettor. For every main line the first rule that applies closes it; the order is the
 * precedence of the articles.
 */
export function settlementLines(
  rules: BlackjackRules,
  articles: BlackjackArticles,
  round: RoundState,
): SettlementLine[] {
  const bank: Bank = {
    blackjack: isBlackjack(round.bank),
    atLook: round.bankLooked,
    total: totalOf(round.bank),
  };
  const lines: SettlementLine[] = [];
  for (const seat of round.seats) {
    seat.bettors.forEach((bettor, i) => {
      const lossBooked = bank.blackjack ? handOfSingleLoss(rules, seat, i) : -1;
      seat.hands.forEach((played, hand) => {
        const stakeMinor = played.stakesMinor[i]!;
        if (stakeMinor === 0 || isPaidBlackjack(played)) return;
        const { outcome, odds, baseMinor, cites } = judge(
          rules,
          articles,
          seat,
          bettor,
          hand,
          stakeMinor,
          bank,
          lossBooked,
        );
        const why = isReadTwice(played) ? [...cites, articles.aceLock] : cites;
        lines.push(lineOf(seat.seat, bettor.by, 'main', hand, outcome, stakeMinor, odds, baseMinor, why));
      });
      if (bettor.insuranceMinor > 0) lines.push(insuranceLine(articles, seat, bettor, bank));
    });
    for (const prize of round.prizes) if (prize.seat === seat.seat) lines.push(prize);
  }
  return lines;
}

/**
 * r.32 binds the ace of whoever has doubled; a bettor behind whose bet stayed single has considered
 * nothing.
 */
const pointsFor = ({ originalMinor }: Bettor, hand: Hand, stakeMinor: Minor): number =>
  stakeMinor > originalMinor ? pointsOf(hand) : totalOf(hand.cards);

/** r.32: the hand counts more for whom the bound ace does not bind. */
const isReadTwice = (hand: Hand): boolean => pointsOf(hand) !== totalOf(hand.cards);

/** r.21: paid and collected after the deal; its line is among the prizes of the round. */
export const isPaidBlackjack = ({ status, cards }: Hand): boolean => status === 'paid' && cards.length === 2;

/** r.21: the lines of the blackjacks that the bank's first card cannot match, one per bettor. */
export const paidBlackjackLines = (
  articles: BlackjackArticles,
  { seat, bettors, hands }: RoundSeat,
): SettlementLine[] =>
  bettors.map(({ by }, i) => {
    const stakeMinor = hands[0]!.stakesMinor[i]!;
    const cites = [articles.blackjack];
    const line = lineOf(seat, by, 'main', 0, 'blackjack', stakeMinor, PAYS.blackjack, null, cites);
    return { ...line, atOnce: true };
  });

interface Bank {
  readonly blackjack: boolean;
  /** art. 5.2.3.4: it came to light before anybody could play. */
  readonly atLook: boolean;
  readonly total: number;
}

/**
 * arts. 16.6, 17.3: with a bank's blackjack a seat that has split loses its original bet once. It
 * is booked on the first hand not already paid on which the bettor has money; -1 where none is
 * left.
 */
function handOfSingleLoss(rules: BlackjackRules, seat: RoundSeat, bettor: number): number {
  const bustsCount = rules.bustedVsDealerBlackjack === 'originalOnly';
  return seat.hands.findIndex(
    (hand) =>
      hand.stakesMinor[bettor]! > 0 && hand.status !== 'paid' && (bustsCount || hand.status !== 'busted'),
  );
}

function judge(
  rules: BlackjackRules,
  articles: BlackjackArticles,
  seat: RoundSeat,
  bettor: Bettor,
  at: number,
  stakeMinor: Minor,
  bank: Bank,
  lossBooked: number,
): Verdict {
  const hand = seat.hands[at]!;
  if (bettor.evenMoney) return verdict('even-money', PAYS.evenMoney, [articles.evenMoney]);
  if (hand.status === 'surrendered') {
    return verdict('surrender', PAYS.surrender, [articles.surrender]);
  }
  if (hand.status === 'paid') {
    return hand.prize
      ? verdict('closed-by-prize', null, [articles.specialPrize])
      : verdict('five-card-half', PAYS.fiveCards, [articles.fiveCards]);
  }
  const total = pointsFor(bettor, hand, stakeMinor);
  if (bank.blackjack) {
    if (hand.status === 'blackjack') return verdict('push', null, [articles.tieBlackjack]);
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
    if (protectedLoss !== null) return protectedLoss;
    if (hand.status === 'busted') return verdict('bust', PAYS.lose, [articles.bust]);
    if (bank.atLook) return verdict('lose', PAYS.lose, [articles.bankBlackjack, articles.lookBlackjack]);
    // Where there is a right to lose the original only, the line says why it does not reach this
    // double.
    if (stakeMinor > bettor.originalMinor && articles.doubleOriginalOnly !== '')
      return verdict('lose', PAYS.lose, [articles.bankBlackjack, articles.doubleOriginalOnly]);
    return verdict('lose', PAYS.lose, [total === 21 ? articles.plain21 : articles.bankBlackjack]);
  }
  if (hand.status === 'busted') return verdict('bust', PAYS.lose, [articles.bust]);
  if (hand.status === 'blackjack') {
    return verdict('blackjack', PAYS.blackjack, [
      bank.total === 21 ? articles.blackjackBeats21 : articles.blackjack,
    ]);
  }
  if (bank.total > 21) return verdict('win', PAYS.win, [articles.points, articles.bankBust]);
  if (total > bank.total) {
    if (total === 21)
      return verdict('win', PAYS.win, [hand.cards.length > 2 ? articles.win21 : articles.plain21]);
    return verdict('win', PAYS.win, [articles.points]);
  }
  if (total === bank.total) return verdict('push', null, [articles.tiePoints]);
  return verdict('lose', PAYS.lose, [articles.points]);
}

/**
 * What a bank's blackjack takes from a split or doubled bet where less than all is lost; null = the
 * common rule.
 */
function againstBankBlackjack(
  rules: BlackjackRules,
  articles: BlackjackArticles,
  seat: RoundSeat,
  bettor: Bettor,
  hand: Hand,
  at: number,
  stakeMinor: Minor,
  lossBooked: number,
): Verdict | null {
  const bustIsLost = hand.status === 'busted' && rules.bustedVsDealerBlackjack === 'bustsLost';
  if (bustIsLost) return null;
  const original = (cite: string): Verdict => ({
    outcome: 'original-only',
    odds: PAYS.lose,
    baseMinor: stakeMinor === bettor.originalMinor ? null : bettor.originalMinor,
    cites: [cite],
  });
  if (seat.hands.length > 1 && rules.splitVsDealerBlackjack === 'originalOnly') {
    return at === lossBooked
      ? original(articles.splitOriginalOnly)
      : verdict('returned', null, [articles.splitOriginalOnly]);
  }
  if (stakeMinor === bettor.originalMinor) return null;
  if (hand.doubled !== 'eleven' && rules.doubledVsDealerBlackjack === 'originalOnly') {
    return original(articles.doubleOriginalOnly);
  }
  return bettor.losesOriginalOnly ? original(articles.originalOnlyOffer) : null;
}

/**
 * arts. 12.2, 12.3: two to one with a bank's blackjack, else lost; whatever became of the main bet.
 */
function insuranceLine(
  articles: BlackjackArticles,
  seat: RoundSeat,
  bettor: Bettor,
  bank: Bank,
): SettlementLine {
  return bank.blackjack
    ? lineOf(seat.seat, bettor.by, 'insurance', null, 'win', bettor.insuranceMinor, PAYS.insurance, null, [
        articles.insuranceWon,
      ])
    : lineOf(seat.seat, bettor.by, 'insurance', null, 'lose', bettor.insuranceMinor, PAYS.lose, null, [
        articles.insuranceLost,
      ]);
}

function lineOf(
  seat: number,
  by: number,
  bet: string,
  hand: number | null,
  outcome: string,
  stakeMinor: Minor,
  odds: Parts | null,
  baseMinor: Minor | null,
  cites: readonly string[],
): SettlementLine {
  return baseMinor === null
    ? reckoned({ seat, by, bet, hand, outcome, stakeMinor, odds, returnedMinor: ZERO, netMinor: ZERO, cites })
    : reckoned({
        seat,
        by,
        bet,
        hand,
        outcome,
        stakeMinor,
        odds,
        baseMinor,
        returnedMinor: ZERO,
        netMinor: ZERO,
        cites,
      });
}

/**
 * art. 15, r.35: three times the bet, one line per bettor; the base of the arithmetic stays on the
 * hand, so the line has no stake of its own. It is paid at once («imediatamente», «logo») and
 * nothing takes it back.
 */
export function specialPrizeLines(
  rules: BlackjackRules,
  articles: BlackjackArticles,
  seat: RoundSeat,
  hand: number,
): SettlementLine[] {
  return seat.bettors.flatMap(({ by, originalMinor }, i) => {
    const onHand = seat.hands[hand]!.stakesMinor[i]!;
    if (onHand === 0) return [];
    const base = rules.specialPrizeBase === 'stake' ? onHand : originalMinor;
    const cites = [articles.specialPrize];
    const prize = PAYS.specialPrize;
    const line = lineOf(seat.seat, by, 'specialPrize', hand, 'special-prize', ZERO, prize, base, cites);
    return [{ ...line, atOnce: true }];
  });
}
