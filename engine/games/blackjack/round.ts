import { type Minor, ZERO } from '../../core/money.ts';
import { burnHead } from '../../table/cards.ts';
import { creditOf, type Draft, deadlineAt, profileOf } from '../../table/draft.ts';
import { emit } from '../../table/lane.ts';
import { handAt, roundSeat } from '../../table/places.ts';
import { payAtOnce, settleRound } from '../../table/round-end.ts';
import type { SettlementLine } from '../../table/settlement.ts';
import type { Bet, Bettor, Hand, RoundSeat, RoundState, TableState } from '../../table/state.ts';
import { isEvenMoneyUp, mostHands } from './acts.ts';
import { bankDraws, isLookDue, mayLoseOriginalOnly, needsBank, needsSecondCard } from './bank.ts';
import { isDealt, mainSeatAfter } from './due.ts';
import { canMakeBlackjack, isAce, isBlackjack, isSpecialPrize, pointsOf } from './hand.ts';
import { collectChips, payJackpot } from './jackpot.ts';
import type { OfferKind, PendingOffer } from './parts.ts';
import { articlesOf, type BlackjackRules, rulesOf } from './rules.ts';
import { isPaidBlackjack, paidBlackjackLines, settlementLines, specialPrizeLines } from './settle.ts';
import { decideByCard, decideByFirstCards, offerPairBets, withOpenSevens } from './side-bets.ts';
import { withStreaks } from './streak.ts';

/** The table asks this game about a round only while there is one. */
const roundOf = ({ state }: Draft): RoundState => state.round!;

/**
 * art. 20.1, r.15, r.16: who decides for a seat, out of the bettors with a main bet there, nearest
 * to the bank first: whoever sits there (art. 20.1.1), else the nearest (art. 20.1.2), or the
 * highest bet (art. 20.1.3). null = nobody has a main bet there, which no sound table comes to.
 */
function deciderOf(rules: BlackjackRules, seat: number, bets: readonly Bet[]): number | null {
  const mains = bets.filter((bet) => bet.seat === seat && bet.bet === 'main');
  const [nearest] = mains;
  if (nearest === undefined) return null;
  const occupant = mains.find(({ by }) => by === seat);
  const lowestSeatFirst = rules.vacantSeatDecider === 'highestThenLowestSeat';
  let highest = nearest;
  for (const bet of mains) {
    const isEqual = bet.amountMinor === highest.amountMinor;
    if (bet.amountMinor > highest.amountMinor || (isEqual && lowestSeatFirst && bet.by < highest.by))
      highest = bet;
  }
  if (!occupant && lowestSeatFirst) return highest.by;
  if (rules.betsBehind === 'highest' && occupant?.amountMinor !== highest.amountMinor) return highest.by;
  return (occupant ?? nearest).by;
}

/** The bets become final with the first card (arts. 13.2, 13.3; r.13). */
export function beginDeal(draft: Draft): void {
  const round = roundOf(draft);
  const rules = rulesOf(draft.state);
  const { bets } = round;
  const seats: { seat: number; decider: number }[] = [];
  for (let seat = mainSeatAfter(bets, 0); seat > 0; seat = mainSeatAfter(bets, seat)) {
    seats.push({ seat, decider: deciderOf(rules, seat, bets)! });
  }
  emit(draft, { type: 'deal-began', atMs: draft.atMs, bets, seats });
  collectChips(draft, bets);
}

/** What follows from a card that has just found its place. */
export function afterCard(draft: Draft): void {
  const round = roundOf(draft);
  switch (draft.state.phase) {
    case 'dealing':
      if (isDealt(round, rulesOf(draft.state))) endInitialDeal(draft);
      break;
    case 'turns': {
      const { seat, hand } = round.turn!;
      decideByCard(draft, seat, hand);
      judgeHand(draft, seat, hand);
      break;
    }
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
  const blackjacks: number[] = [];
  for (const { seat, hands } of round.seats) {
    const { cards, status } = hands[0]!;
    if (status !== 'paid' && isBlackjack(cards)) blackjacks.push(seat);
  }
  emit(draft, { type: 'initial-deal-ended', atMs: draft.atMs, blackjacks });
  if (rulesOf(draft.state).blackjackPaidAtOnce === true) payBlackjacks(draft);
  decideByFirstCards(draft);
  openPlay(draft);
}

/** r.21: a blackjack is paid at once where the bank's first card can make none. */
function payBlackjacks(draft: Draft): void {
  const { seats, bank } = roundOf(draft);
  if (canMakeBlackjack(bank[0]!)) return;
  const articles = articlesOf(draft.state);
  const lines = seats
    .filter(({ hands }) => hands[0]!.status === 'blackjack')
    .flatMap((seat) => paidBlackjackLines(articles, seat));
  if (lines.length === 0) return;
  emit(draft, { type: 'blackjacks-paid', atMs: draft.atMs, lines });
  payAtOnce(draft, lines);
}

/**
 * What the articles offer before the turns; then the look where one is due, and once more what it
 * leaves open.
 */
function openPlay(draft: Draft): void {
  const pending = firstOffers(roundOf(draft), rulesOf(draft.state));
  if (pending.length > 0) openOffers(draft, 'first', pending);
  else lookOrPlay(draft);
}

/**
 * art. 5.2.3.3: after insurance and even money, before surrender. art. 5.2.3.4: with a blackjack
 * the round is over.
 */
function lookOrPlay(draft: Draft): void {
  const round = roundOf(draft);
  if (!isLookDue(rulesOf(draft.state), round)) {
    nextTurn(draft);
    return;
  }
  const blackjack = isBlackjack(round.bank);
  emit(draft, { type: 'hole-card-checked', atMs: draft.atMs, blackjack });
  if (!blackjack) {
    openPlay(draft);
    return;
  }
  emit(draft, { type: 'hole-card-turned', atMs: draft.atMs });
  settle(draft);
}

function openOffers(draft: Draft, kind: OfferKind, pending: PendingOffer[]): void {
  const deadline = deadlineAt('offers', draft.atMs, profileOf(draft.state).timing.offersMs);
  emit(draft, { type: 'offers-opened', atMs: draft.atMs, kind, pending, deadline });
}

/** Bettors who have something to say before the turns: arts. 10.3, 12.1, 18.1. */
function firstOffers(round: RoundState, rules: BlackjackRules): PendingOffer[] {
  const up = round.bank[0]!;
  const hasInsurance = isAce(up) && !round.bankLooked;
  const hasEvenMoney = isEvenMoneyUp(rules, up) && !round.bankLooked;
  const hasSurrender =
    rules.surrender && rules.surrenderWindow === 'beforeAnyCard' && !isAce(up) && !isLookDue(rules, round);
  const pending: PendingOffer[] = [];
  for (const { seat, decider, bettors, hands } of round.seats) {
    const { status } = hands[0]!;
    for (const { by, insuranceMinor, insuranceDeclined, evenMoney } of bettors) {
      const isOwn = by === decider || !rules.boundByHolder;
      // r.15: whoever is bound by the holder's even money may still insure.
      const hasTaken = evenMoney && isOwn;
      const mayInsure = hasInsurance && insuranceMinor === 0 && !insuranceDeclined && !hasTaken;
      const mayTakeEvenMoney = hasEvenMoney && status === 'blackjack' && isOwn && !evenMoney;
      const maySurrender = hasSurrender && status === 'open' && by === decider;
      if (mayInsure || mayTakeEvenMoney || maySurrender) pending.push({ seat, by });
    }
  }
  return pending;
}

/** After an answer: when nobody is left to answer, the round goes on. */
export function afterAnswer(draft: Draft): void {
  if (roundOf(draft).offers!.pending.length === 0) closeOffers(draft);
}

/** The deadline answers for whoever has not: nothing is taken. */
export function passOffers(draft: Draft): void {
  const pending = roundOf(draft).offers?.pending ?? [];
  while (pending.length > 0) {
    const { seat, by } = pending[0]!;
    emit(draft, { type: 'offer-passed', atMs: draft.atMs, seat, by, byDefault: true });
  }
  closeOffers(draft);
}

function closeOffers(draft: Draft): void {
  const kind = roundOf(draft).offers?.kind;
  emit(draft, { type: 'offers-closed', atMs: draft.atMs });
  if (kind === 'original-only') settle(draft);
  else if (kind === 'first') lookOrPlay(draft);
}

/**
 * r.28, r.30: bettors behind with money on the split or doubled hand may follow, before a card is
 * dealt to it.
 */
export function offerFollowing(draft: Draft, kind: 'follow-split' | 'follow-double'): void {
  if (rulesOf(draft.state).followers !== 'own') return;
  const round = roundOf(draft);
  const turn = round.turn!;
  const { decider, bettors, hands } = roundSeat(round, turn.seat)!;
  const pending: PendingOffer[] = [];
  for (const [i, { by, originalMinor }] of bettors.entries()) {
    const mayFollow = by !== decider && hands[turn.hand]!.stakesMinor[i]! > 0;
    if (mayFollow && originalMinor <= creditOf(draft.state, by)) pending.push({ seat: turn.seat, by });
  }
  if (pending.length > 0) openOffers(draft, kind, pending);
}

/** art. 6.3: turns run from the left; split hands of a seat from the first to the last. */
export function nextTurn(draft: Draft): void {
  for (const { seat, hands } of roundOf(draft).seats) {
    const hand = hands.findIndex(({ status }) => status === 'open');
    if (hand >= 0) return moveTurn(draft, seat, hand);
  }
  beginBank(draft);
}

export function moveTurn(draft: Draft, seat: number, hand: number): void {
  const played = handAt(roundOf(draft), seat, hand);
  const { decisionMs } = profileOf(draft.state).timing;
  const deadline =
    played.cards.length < 2 ? null : deadlineAt('decision', draft.atMs, decisionMs, seat, hand);
  emit(draft, { type: 'turn-moved', atMs: draft.atMs, seat, hand, deadline });
  if (played.cards.length < 2) offerPairBets(draft);
}

/** A hand in its turn has received a card: it is closed by the articles, or it asks again. */
function judgeHand(draft: Draft, seat: number, hand: number): void {
  const rules = rulesOf(draft.state);
  const round = roundOf(draft);
  const played = roundSeat(round, seat)!;
  const subject = played.hands[hand]!;
  const total = pointsOf(subject);
  if (total > 21) {
    emit(draft, { type: 'hand-closed', atMs: draft.atMs, seat, hand, status: 'busted' });
    nextTurn(draft);
    return;
  }
  if (rules.specialPrize && isSpecialPrize(subject.cards)) {
    winSpecialPrize(draft, rules, played, hand);
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

/** A doubled hand has got its one card from another one (art. 5.1.2): it is judged again. */
export function judgeDoubled(draft: Draft, seat: number): void {
  const rules = rulesOf(draft.state);
  const played = roundSeat(roundOf(draft), seat)!;
  const hand = played.hands[0]!;
  const status = pointsOf(hand) > 21 ? 'busted' : 'done';
  if (status !== hand.status) emit(draft, { type: 'hand-closed', atMs: draft.atMs, seat, hand: 0, status });
  if (rules.specialPrize && isSpecialPrize(hand.cards)) winSpecialPrize(draft, rules, played, 0);
}

function winSpecialPrize(draft: Draft, rules: BlackjackRules, seat: RoundSeat, hand: number): void {
  const lines = specialPrizeLines(rules, articlesOf(draft.state), seat, hand);
  emit(draft, {
    type: 'special-prize-won',
    atMs: draft.atMs,
    seat: seat.seat,
    hand,
    closesHand: rules.specialPrizeMode === 'closesHand',
    lines,
  });
  payAtOnce(draft, lines);
}

/**
 * No further card at 21 (art. 6.4.1), after a double (arts. 6.4.2, 17.2), on a split ace
 * (art. 6.4.3); what may still be asked for keeps a hand open.
 */
function isClosedByCard(
  rules: BlackjackRules,
  seat: RoundSeat,
  hand: Hand,
  total: number,
  aceUp: boolean,
): boolean {
  if (hand.doubled !== null) return true;
  if (hand.splitAces) {
    const mayResplit =
      rules.resplitAces && seat.hands.length < mostHands(rules) && hand.cards.every((card) => isAce(card));
    return !mayResplit;
  }
  return total === 21 && (hand.cards.length !== 5 || aceUp || !rules.fiveCards);
}

function beginBank(draft: Draft): void {
  const { state } = draft;
  const round = roundOf(draft);
  const rules = rulesOf(state);
  const draws = rules.dealerPlaysOut === 'always' || needsSecondCard(rules, round);
  const burnDue = draws && rules.burnEachRound === 'oneAndBeforeDealerSecond' ? 1 : 0;
  emit(draft, { type: 'bank-turn-began', atMs: draft.atMs, burnDue });
  if (!draws) {
    settle(draft);
  } else if (round.bankHoleDown) {
    emit(draft, { type: 'hole-card-turned', atMs: draft.atMs });
    continueBank(draft);
  }
}

function continueBank(draft: Draft): void {
  const round = roundOf(draft);
  const rules = rulesOf(draft.state);
  if (isBlackjack(round.bank)) {
    const pending = originalOnlyOffers(rules, round);
    if (pending.length > 0) openOffers(draft, 'original-only', pending);
    else settle(draft);
  } else if (!bankDraws(rules, round.bank) || (rules.dealerPlaysOut === 'ifNeeded' && !needsBank(round))) {
    settle(draft);
  }
}

/**
 * art. 10.7: doubled bets that would be lost whole and for which the bank offers the original only.
 */
function originalOnlyOffers(rules: BlackjackRules, round: RoundState): PendingOffer[] {
  return round.seats.flatMap(({ seat, bettors, hands }) =>
    hands.some((hand) => mayLoseOriginalOnly(rules, hand))
      ? bettors.map(({ by }: Bettor) => ({ seat, by }))
      : [],
  );
}

function settle(draft: Draft): void {
  const { state } = draft;
  const round = roundOf(draft);
  const rules = rulesOf(state);
  let lines = settlementLines(rules, articlesOf(state), round);
  lines = withOpenSevens(rules, round, lines);
  lines = withStreaks(draft, lines);
  if (rules.jackpot) lines.push(...payJackpot(draft, round));
  discardMisdrawn(draft);
  settleRound(draft, lines);
}

/** r.18, r.19: a card that nobody asked for and the bank may not take goes to the discard. */
export function discardMisdrawn(draft: Draft): void {
  const { state } = draft;
  if (!rulesOf(state).misdrawnCard) return;
  while (state.shoe.waiting[0]?.why === 'kept') burnHead(draft, 'misdrawn', null, articlesOf(state).misdraw);
}

/**
 * art. 5.1.2: all cards are cancelled and every stake of the round goes back whole. What an article
 * has paid at once (art. 15; r.21, r.35) is no card of the round any more: it stands.
 */
export function refundLines(round: RoundState, state: TableState): SettlementLine[] {
  const { misdeal } = articlesOf(state);
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
  const onHands = round.seats.flatMap(({ seat, bettors, hands }) =>
    bettors.flatMap(({ by, insuranceMinor }, i) => [
      ...hands
        .map((hand, k) => back(seat, by, 'main', k, isPaidBlackjack(hand) ? ZERO : hand.stakesMinor[i]!))
        .filter((line) => line.stakeMinor > 0),
      ...(insuranceMinor > 0 ? [back(seat, by, 'insurance', null, insuranceMinor)] : []),
    ]),
  );
  const beside = round.bets.filter(({ bet }) => bet !== 'main');
  return [
    ...onHands,
    ...beside.map(({ seat, by, bet, amountMinor }) => back(seat, by, bet, null, amountMinor)),
    ...round.prizes.filter(({ atOnce }) => atOnce),
  ];
}
