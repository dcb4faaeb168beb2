import type { Minor } from '../../core/money.ts';
import { articlesOf, type Draft, deadlineAt, emit, profileOf, rulesOf } from '../../table/draft.ts';
import type { SettlementLine } from '../../table/settlement.ts';
import type { Bet, Bettor, Hand, PendingOffer, RoundSeat, RoundState } from '../../table/state.ts';
import { bankDraws, needsBank, needsSecondCard } from './bank.ts';
import { dueCard } from './due.ts';
import { canMakeBlackjack, isAce, isBlackjack, isSpecialPrize, totalOf } from './hand.ts';
import type { BlackjackRules } from './rules.ts';
import { settlementLines, specialPrizeLines } from './settle.ts';

export function roundOf(draft: Draft): RoundState {
  if (!draft.state.round) throw new Error('no round');
  return draft.state.round;
}

/** art. 20.1: who decides for a seat, out of the bettors with a main bet there, nearest to the bank first. */
export function deciderOf(rules: BlackjackRules, seat: number, mains: readonly Bet[]): number {
  const occupant = mains.find((bet) => bet.by === seat);
  const nearest = mains[0];
  if (rules.betsBehind === 'highest') {
    const highest = Math.max(...mains.map((bet) => bet.amountMinor));
    if (occupant?.amountMinor === highest) return seat;
    return mains.find((bet) => bet.amountMinor === highest)?.by ?? seat;
  }
  return (occupant ?? nearest)?.by ?? seat;
}

/** The bets become final with the first card. */
export function beginDeal(draft: Draft): void {
  const round = roundOf(draft);
  const rules = rulesOf(draft.state);
  const bets = round.bets.map((bet) => ({ ...bet }));
  const seats = [...new Set(bets.filter((bet) => bet.bet === 'main').map((bet) => bet.seat))]
    .sort((a, b) => a - b)
    .map((seat) => ({
      seat,
      decider: deciderOf(
        rules,
        seat,
        bets.filter((bet) => bet.bet === 'main' && bet.seat === seat),
      ),
    }));
  emit(draft, { type: 'deal-began', atMs: draft.atMs, bets, seats });
}

/** What follows from a card that has just found its place. */
export function afterCard(draft: Draft): void {
  const round = roundOf(draft);
  switch (draft.state.phase) {
    case 'dealing':
      if (dueCard(draft.state) === null) endInitialDeal(draft);
      break;
    case 'turns':
      if (round.turn) judgeHand(draft, round.turn.seat, round.turn.hand);
      break;
    case 'bank':
      continueBank(draft);
      break;
    default:
      break;
  }
}

/** Names the blackjacks and opens what the articles offer before any further card. */
export function endInitialDeal(draft: Draft): void {
  const round = roundOf(draft);
  const blackjacks = round.seats.filter((seat) => isBlackjack(seat.hands[0]!.cards)).map((seat) => seat.seat);
  emit(draft, { type: 'initial-deal-ended', atMs: draft.atMs, blackjacks });
  const pending = firstOffers(round, rulesOf(draft.state));
  if (pending.length > 0) openOffers(draft, 'first', pending);
  else nextTurn(draft);
}

function openOffers(draft: Draft, kind: 'first' | 'original-only', pending: PendingOffer[]): void {
  const deadline = deadlineAt('offers', draft.atMs, profileOf(draft.state).timing.offersMs);
  emit(draft, { type: 'offers-opened', atMs: draft.atMs, kind, pending, deadline });
}

/** Bettors who have something to say before the turns: arts. 10.3, 12.1, 18.1. */
function firstOffers(round: RoundState, rules: BlackjackRules): PendingOffer[] {
  const up = round.bank[0]!;
  const pending: PendingOffer[] = [];
  for (const { seat, decider, bettors, hands } of round.seats) {
    const { status } = hands[0]!;
    for (const { by, insuranceMinor, insuranceDeclined, evenMoney } of bettors) {
      const mayInsure = isAce(up) && insuranceMinor === 0 && !insuranceDeclined;
      const mayTakeEvenMoney = status === 'blackjack' && canMakeBlackjack(up);
      const maySurrender =
        rules.surrender &&
        rules.surrenderWindow === 'beforeAnyCard' &&
        status === 'open' &&
        by === decider &&
        !isAce(up);
      if (!evenMoney && (mayInsure || mayTakeEvenMoney || maySurrender)) pending.push({ seat, by });
    }
  }
  return pending;
}

/** After an answer: when nobody is left to answer, the round goes on. */
export function afterAnswer(draft: Draft): void {
  const { offers } = roundOf(draft);
  if (!offers || offers.pending.length > 0) return;
  closeOffers(draft);
}

/** The deadline answers for whoever has not: nothing is taken. */
export function passOffers(draft: Draft): void {
  for (const { seat, by } of roundOf(draft).offers?.pending ?? []) {
    emit(draft, { type: 'offer-passed', atMs: draft.atMs, seat, by, byDefault: true });
  }
  closeOffers(draft);
}

function closeOffers(draft: Draft): void {
  const kind = roundOf(draft).offers?.kind;
  emit(draft, { type: 'offers-closed', atMs: draft.atMs });
  if (kind === 'original-only') settle(draft);
  else nextTurn(draft);
}

/** art. 6.3: turns run from the left; split hands of a seat from the first to the last. */
export function nextTurn(draft: Draft): void {
  for (const { seat, hands } of roundOf(draft).seats) {
    for (let hand = 0; hand < hands.length; hand++) {
      if (hands[hand]!.status === 'open') {
        moveTurn(draft, seat, hand);
        return;
      }
    }
  }
  beginBank(draft);
}

export function moveTurn(draft: Draft, seat: number, hand: number): void {
  const played = roundOf(draft).seats.find((candidate) => candidate.seat === seat)!.hands[hand]!;
  const { decisionMs } = profileOf(draft.state).timing;
  const deadline =
    played.cards.length < 2 ? null : deadlineAt('decision', draft.atMs, decisionMs, seat, hand);
  emit(draft, { type: 'turn-moved', atMs: draft.atMs, seat, hand, deadline });
}

/** A hand in its turn has received a card: it is closed by the articles, or it asks again. */
function judgeHand(draft: Draft, seat: number, hand: number): void {
  const rules = rulesOf(draft.state);
  const round = roundOf(draft);
  const played = round.seats.find((candidate) => candidate.seat === seat)!;
  const subject = played.hands[hand]!;
  const total = totalOf(subject.cards);
  if (total > 21) {
    emit(draft, { type: 'hand-closed', atMs: draft.atMs, seat, hand, status: 'busted' });
    nextTurn(draft);
    return;
  }
  if (rules.specialPrize && !subject.prize && isSpecialPrize(subject.cards)) {
    emit(draft, {
      type: 'special-prize-won',
      atMs: draft.atMs,
      seat,
      hand,
      closesHand: rules.specialPrizeMode === 'closesHand',
      lines: specialPrizeLines(rules, articlesOf(draft.state), played, hand),
    });
  }
  if (subject.status !== 'open') {
    nextTurn(draft);
  } else if (isClosedByCard(rules, played, subject, total, isAce(round.bank[0]!))) {
    emit(draft, { type: 'hand-closed', atMs: draft.atMs, seat, hand, status: 'done' });
    nextTurn(draft);
  } else {
    moveTurn(draft, seat, hand);
  }
}

/** art. 6.4: no further card at 21, after a double, on a split ace; what may still be asked for keeps a hand open. */
function isClosedByCard(
  rules: BlackjackRules,
  seat: RoundSeat,
  hand: Hand,
  total: number,
  aceUp: boolean,
): boolean {
  if (hand.doubled) return true;
  if (hand.splitAces) {
    const mayResplit =
      rules.resplitAces && seat.hands.length < rules.maxHands && hand.cards.every((card) => isAce(card));
    return !mayResplit;
  }
  return total === 21 && (hand.cards.length !== 5 || aceUp);
}

function beginBank(draft: Draft): void {
  const { state } = draft;
  const round = roundOf(draft);
  const rules = rulesOf(state);
  const draws = rules.dealerPlaysOut === 'always' || needsSecondCard(rules, round);
  const burnDue = draws && rules.burnEachRound === 'oneAndBeforeDealerSecond' ? 1 : 0;
  emit(draft, { type: 'bank-turn-began', atMs: draft.atMs, burnDue });
  if (!draws) settle(draft);
}

function continueBank(draft: Draft): void {
  const round = roundOf(draft);
  const rules = rulesOf(draft.state);
  if (round.bank.length < 2) return;
  if (isBlackjack(round.bank)) {
    const pending = originalOnlyOffers(rules, round);
    if (pending.length > 0) openOffers(draft, 'original-only', pending);
    else settle(draft);
  } else if (!bankDraws(rules, round.bank) || (rules.dealerPlaysOut === 'ifNeeded' && !needsBank(round))) {
    settle(draft);
  }
}

/** art. 10.7: doubled bets that would be lost whole and for which the bank offers the original only. */
function originalOnlyOffers(rules: BlackjackRules, round: RoundState): PendingOffer[] {
  const offered = (hand: Hand): boolean =>
    hand.doubled === 'eleven'
      ? rules.elevenVsDealerBlackjack === 'offer'
      : hand.doubled !== null && rules.doubledVsDealerBlackjack === 'offer';
  return round.seats.flatMap(({ seat, bettors, hands }) =>
    hands.some(offered) ? bettors.map(({ by }: Bettor) => ({ seat, by })) : [],
  );
}

/** The result stays at least this long for every card to be checked. */
const MS_PER_CARD = 400;

export function resultsDeadline(draft: Draft): ReturnType<typeof deadlineAt> {
  const { minResultMs } = profileOf(draft.state).timing;
  return deadlineAt('results', draft.atMs, Math.max(minResultMs, MS_PER_CARD * roundOf(draft).cardCount));
}

function settle(draft: Draft): void {
  const { state } = draft;
  emit(draft, {
    type: 'round-settled',
    atMs: draft.atMs,
    currency: profileOf(state).currency,
    lines: settlementLines(rulesOf(state), articlesOf(state), roundOf(draft)),
    deadline: resultsDeadline(draft),
  });
}

/** art. 5.1.2: all cards are cancelled and every stake of the round goes back whole. */
export function refundLines(round: RoundState, misdeal: string): SettlementLine[] {
  const back = (
    seat: number,
    by: number,
    bet: string,
    hand: number | null,
    stakeMinor: Minor,
  ): SettlementLine => ({
    seat,
    by,
    bet,
    hand,
    outcome: 'void',
    stakeMinor,
    odds: null,
    returnedMinor: stakeMinor,
    netMinor: 0 as Minor,
    cites: [misdeal],
  });
  if (!round.dealt) return round.bets.map((bet) => back(bet.seat, bet.by, bet.bet, null, bet.amountMinor));
  return round.seats.flatMap(({ seat, bettors, hands }) =>
    bettors.flatMap(({ by, insuranceMinor }, i) => [
      ...hands
        .map((hand, k) => back(seat, by, 'main', k, hand.stakesMinor[i]!))
        .filter((line) => line.stakeMinor > 0),
      ...(insuranceMinor > 0 ? [back(seat, by, 'insurance', null, insuranceMinor)] : []),
    ]),
  );
}
