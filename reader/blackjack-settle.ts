import type { AuditedBet, AuditedLine } from './auditor.ts';
import {
  areSevens,
  isAce,
  isOneColour,
  isOneSuit,
  isPair,
  lowTotal,
  makesBlackjack,
  total,
} from './blackjack-cards.ts';
import type { Bettor, Hand, Seat } from './blackjack-hands.ts';
import type { BlackjackOptions } from './blackjack-options.ts';

/** The cards of a finished round, and all that was decided about them. */
export interface Played {
  readonly options: BlackjackOptions;
  readonly seats: readonly Seat[];
  readonly bank: readonly string[];
  readonly bets: readonly AuditedBet[];
}

/** Lines of the hands, the special prizes and the insurances. */
export function handLines(played: Played): AuditedLine[] {
  const lines: AuditedLine[] = [];
  const bankHasBlackjack = makesBlackjack(played.bank);
  for (const seat of played.seats) {
    for (const bettor of seat.bettors) {
      const { by } = bettor;
      const nets = bankHasBlackjack
        ? againstBlackjack(played, seat, bettor)
        : againstPoints(played, seat, bettor);
      for (const [at, hand] of seat.hands.entries()) {
        const prize = hand.prizes?.get(by);
        if (prize !== undefined)
          lines.push({ seat: seat.seat, by, bet: 'specialPrize', hand: at, net: prize });
        const net = nets.get(hand);
        if (net !== undefined) lines.push({ seat: seat.seat, by, bet: 'main', hand: at, net });
      }
      // art. 12.2, 12.3, r.33
      if (bettor.insurance > 0) {
        const net = bankHasBlackjack ? 2 * bettor.insurance : -bettor.insurance;
        lines.push({ seat: seat.seat, by, bet: 'insurance', hand: null, net });
      }
    }
  }
  return lines;
}

/**
 * What a bettor's hands bring that are closed before the bank's cards are known; undefined = they
 * still count.
 */
function closed(hand: Hand, bettor: Bettor, stake: number): number | undefined {
  // art. 10.3, r.34
  if (bettor.evenMoney) return stake;
  switch (hand.state) {
    case 'surrendered':
      // art. 18.1, r.36: half is lost; of an odd unit the player loses no more than half.
      return -Math.floor(stake / 2);
    case 'half':
      // art. 19.1
      return stake / 2;
    case 'prize':
      return 0;
    default:
      return undefined;
  }
}

/** arts. 9-11, 7.2; r.20-24: the bank has no blackjack. */
function againstPoints({ bank }: Played, seat: Seat, bettor: Bettor): Map<Hand, number> {
  const bankTotal = total(bank);
  const nets = new Map<Hand, number>();
  for (const hand of seat.hands) {
    const stake = hand.stakes.get(bettor.by);
    if (stake === undefined) continue;
    // r.32: an ace is bound for whoever has doubled; a bettor behind with a single bet has not.
    const points = stake > bettor.original ? hand.total : total(hand.cards);
    nets.set(hand, closed(hand, bettor, stake) ?? played(hand, stake, points));
  }
  return nets;

  function played(hand: Hand, stake: number, points: number): number {
    // art. 7.2, r.22: a bust loses though the bank may bust too.
    if (hand.state === 'bust') return -stake;
    // art. 10.2, 10.5, r.20, r.21: three to two, against a bank's 21 too; half a unit goes to the
    // player.
    if (hand.state === 'blackjack') return Math.ceil((stake * 3) / 2);
    if (bankTotal > 21) return stake;
    return Math.sign(points - bankTotal) * stake;
  }
}

/** arts. 10.6, 10.7, 11, 12.2, 16.6, 17.3; r.20, r.21: the bank has blackjack. */
function againstBlackjack({ options }: Played, seat: Seat, bettor: Bettor): Map<Hand, number> {
  const nets = new Map<Hand, number>();
  const open: Hand[] = [];
  for (const hand of seat.hands) {
    const stake = hand.stakes.get(bettor.by);
    if (stake === undefined) continue;
    const net = closed(hand, bettor, stake);
    if (net !== undefined) nets.set(hand, net);
    else if (hand.state === 'blackjack') nets.set(hand, 0);
    else open.push(hand);
  }
  if (losesOnlyOriginal(options, seat)) {
    // art. 16.6, 17.3: one original bet in all, booked on the first hand that is not closed.
    let isLost = false;
    for (const hand of open) {
      const stake = hand.stakes.get(bettor.by) ?? 0;
      if (hand.state === 'bust' && options.bustedVsDealerBlackjack === 'bustsLost') {
        nets.set(hand, -stake);
      } else {
        nets.set(hand, isLost ? 0 : -bettor.original);
        isLost = true;
      }
    }
    return nets;
  }
  for (const hand of open) {
    // art. 10.7: the bank has offered that the original bet alone is lost, and the bettor has
    // agreed.
    const isSpared = hand.losesOriginalOnly.has(bettor.by);
    nets.set(hand, isSpared ? -bettor.original : -(hand.stakes.get(bettor.by) ?? 0));
  }
  return nets;
}

/** Whether the seat has the right of art. 16.6 or 17.3 (2009 only). */
function losesOnlyOriginal(options: BlackjackOptions, { hands }: Seat): boolean {
  if (hands.length > 1) return options.splitVsDealerBlackjack === 'originalOnly';
  const { doubled } = hands[0]!;
  const isCovered = doubled === 'anyTwo' || doubled === 'afterSplit';
  return isCovered && options.doubledVsDealerBlackjack === 'originalOnly';
}

/** art. 10.7: whether the bank offers that of this doubled hand only the original bet is lost. */
export function isSpareOffered(options: BlackjackOptions, seat: Seat, hand: Hand): boolean {
  if (hand.doubled === null || hand.state === 'bust' || losesOnlyOriginal(options, seat)) return false;
  return options.doubledVsDealerBlackjack === 'originalOnly'
    ? options.elevenVsDealerBlackjack === 'offer'
    : options.doubledVsDealerBlackjack === 'offer';
}

/** arts. 13 and 14: the bets on the first two cards, and on what a split makes of them. */
export function sideBetLines({ options, seats, bets }: Played): AuditedLine[] {
  const lines: AuditedLine[] = [];
  for (const { seat: at, by, bet, amount } of bets) {
    const seat = seats.find((played) => played.seat === at);
    const odds = seat ? oddsOf(options, seat, bet) : null;
    if (odds !== null) lines.push({ seat: at, by, bet, hand: null, net: (odds === 0 ? -1 : odds) * amount });
  }
  for (const { seat, laterPairBets } of seats) {
    for (const { by, amount, isWon } of laterPairBets)
      lines.push({ seat, by, bet: 'anyPair', hand: null, net: isWon ? 11 * amount : -amount });
  }
  return lines;
}

/**
 * What the side bet pays to one, 0 = it loses, null = it is not decided by the cards of this round.
 */
function oddsOf(options: BlackjackOptions, seat: Seat, bet: string): number | null {
  const two = seat.dealt.slice(0, 2);
  switch (bet) {
    case 'anyPair': {
      if (!isPair(two)) return 0;
      const later = options.anyPairResplit === 'eachPair' ? seat.laterPairs : 0;
      return 11 * (1 + later); // art. 14.1
    }
    case 'sevens':
      return sevens(options, seat);
    case 'over13':
      return thirteen(two, options.over13Ace).high > 13 ? 1 : 0; // art. 14.3
    case 'under13':
      return thirteen(two, options.over13Ace).low < 13 ? 1 : 0;
    case 'perfectPair':
      if (!isPair(two)) return 0;
      return isOneSuit(two) ? 25 : isOneColour(two) ? 12 : 5; // art. 14.4
    default:
      return null;
  }
}

/** art. 14.2: only the greatest combination is paid. */
function sevens(options: BlackjackOptions, seat: Seat): number {
  const two = seat.dealt.slice(0, 2);
  if (!areSevens(two)) return 0;
  const three = seat.dealt.slice(0, 3);
  // art. 13.2.2: the third card dealt, after the two were split.
  const mayCount = seat.thirdBy === 'split' || options.sevensThird === 'splitOrHit';
  if (three.length === 3 && mayCount && areSevens(three)) return isOneSuit(three) ? 5000 : 500;
  return isOneSuit(two) ? 150 : 50;
}

/**
 * art. 13.3: the total of the first two cards, the ace as the house has laid down (art. 8 leaves it
 * open).
 */
function thirteen(two: readonly string[], ace: BlackjackOptions['over13Ace']): { high: number; low: number } {
  const low = lowTotal(two);
  const high = two.some(isAce) ? total(two) : low;
  return { high: ace === 'one' ? low : high, low: ace === 'eleven' ? high : low };
}

/** arts. 11.2, 13.5.2, 16.7, 18.3: the seat's round, by the hands of the one who decides for it. */
export function resultOf(
  seat: Seat,
  bank: readonly string[],
  lines: readonly AuditedLine[],
): 'won' | 'lost' | 'tied' {
  const bankHasBlackjack = makesBlackjack(bank);
  let won = 0;
  let lost = 0;
  for (const [at, hand] of seat.hands.entries()) {
    const line = lines.find(
      (l) => l.bet === 'main' && l.seat === seat.seat && l.by === seat.decider && l.hand === at,
    );
    if (!line) continue;
    // A hand whose stake goes back under art. 16.6 was beaten by the blackjack all the same.
    const isReturned =
      bankHasBlackjack && line.net === 0 && hand.state !== 'blackjack' && hand.state !== 'prize';
    // art. 15: what the prize has paid and closed is won, though its stake only comes back.
    if (line.net > 0 || hand.state === 'prize') won += 1;
    else if (line.net < 0 || isReturned) lost += 1;
  }
  return won > lost ? 'won' : won < lost ? 'lost' : 'tied';
}
