import type { Card } from '../core/cards.ts';
import type { Minor } from '../core/money.ts';
import type { EventOf, Raise, TableEvent } from './events.ts';
import { addCredit } from './evolve-cash.ts';
import { takeCard } from './evolve-shoe.ts';
import type { SettlementLine } from './settlement.ts';
import type { Bet, Bettor, Hand, RoundSeat, RoundState, TableState } from './state.ts';

/** Events of betting and of the round. */
export function evolveRound(state: TableState, event: TableEvent): void {
  if (event.type === 'betting-opened') openRound(state, event);
  else if (state.round) evolveOpenRound(state, state.round, event);
}

function openRound(state: TableState, event: EventOf<'betting-opened'>): void {
  state.phase = 'betting';
  state.roundNo = event.roundNo;
  state.deadline = event.deadline;
  state.round = {
    id: event.roundId,
    no: event.roundNo,
    openedAtMs: event.atMs,
    last: event.last,
    bets: [],
    placements: [],
    bettingClosedAtMs: null,
    dealt: false,
    burnDue: 0,
    cardCount: 0,
    seats: [],
    bank: [],
    additional: 0,
    turn: null,
    offers: null,
    prizes: [],
    lines: null,
    voided: false,
    settledAtMs: null,
  };
}

const newHand = (cards: Card[], stakesMinor: Minor[]): Hand => ({
  cards,
  status: 'open',
  fromSplit: false,
  splitAces: false,
  doubled: null,
  called: false,
  prize: false,
  stakesMinor,
});

export const roundSeat = (round: RoundState, seat: number): RoundSeat | undefined =>
  round.seats.find((candidate) => candidate.seat === seat);

const bettorOf = (round: RoundState, seat: number, by: number): Bettor | undefined =>
  roundSeat(round, seat)?.bettors.find((bettor) => bettor.by === by);

const handAt = (round: RoundState, seat: number, hand: number): Hand => roundSeat(round, seat)!.hands[hand]!;

function answered(round: RoundState, seat: number, by: number): void {
  if (!round.offers) return;
  round.offers = {
    kind: round.offers.kind,
    pending: round.offers.pending.filter((offer) => offer.seat !== seat || offer.by !== by),
  };
}

/** Raises of a seat, as one amount per bettor in the order of its bettors. */
function stakeRaises(state: TableState, seat: RoundSeat, raises: readonly Raise[]): Minor[] {
  for (const raise of raises) addCredit(state, raise.by, -raise.amountMinor);
  return seat.bettors.map(
    (bettor) => (raises.find((raise) => raise.by === bettor.by)?.amountMinor ?? 0) as Minor,
  );
}

function payLines(state: TableState, round: RoundState, lines: readonly SettlementLine[]): void {
  for (const line of lines) addCredit(state, line.by, line.returnedMinor);
  round.lines = [...lines];
  round.turn = null;
  round.offers = null;
  state.phase = 'settled';
}

function evolveOpenRound(state: TableState, round: RoundState, event: TableEvent): void {
  switch (event.type) {
    case 'bet-placed': {
      const bet = findBet(round.bets, event);
      if (bet) bet.amountMinor = (bet.amountMinor + event.amountMinor) as Minor;
      else {
        round.bets.push({
          seat: event.seat,
          by: event.by,
          bet: event.bet,
          amountMinor: event.amountMinor,
        });
      }
      round.placements.push({
        batch: event.batch,
        seat: event.seat,
        by: event.by,
        bet: event.bet,
        amountMinor: event.amountMinor,
      });
      addCredit(state, event.by, -event.amountMinor);
      break;
    }
    case 'bet-withdrawn': {
      const bet = findBet(round.bets, event)!;
      bet.amountMinor = (bet.amountMinor - event.amountMinor) as Minor;
      round.bets = round.bets.filter((candidate) => candidate.amountMinor > 0);
      const at = round.placements.findLastIndex(
        (placed) =>
          placed.batch === event.batch &&
          placed.seat === event.seat &&
          placed.by === event.by &&
          placed.bet === event.bet,
      );
      round.placements.splice(at, 1);
      addCredit(state, event.by, event.amountMinor);
      break;
    }
    case 'betting-closed':
      state.phase = 'dealing';
      state.deadline = null;
      round.bettingClosedAtMs = event.atMs;
      round.burnDue = event.burnDue;
      break;
    case 'betting-cancelled':
      state.round = null;
      state.phase = 'idle';
      state.deadline = null;
      break;
    case 'deal-began':
      beginDeal(state, round, event);
      break;
    case 'card-dealt': {
      takeCard(state, event);
      const hand = handAt(round, event.seat, event.hand);
      hand.cards.push(event.card);
      hand.called = false;
      round.cardCount += 1;
      if (event.additional) round.additional += 1;
      break;
    }
    case 'bank-card-dealt':
      takeCard(state, event);
      round.bank.push(event.card);
      round.cardCount += 1;
      break;
    case 'cards-swapped': {
      const from = handAt(round, event.fromSeat, 0);
      const to = handAt(round, event.toSeat, 0);
      [from.cards, to.cards] = [to.cards, from.cards];
      break;
    }
    case 'initial-deal-ended':
      for (const seat of round.seats) {
        const hand = seat.hands[0]!;
        if (event.blackjacks.includes(seat.seat)) hand.status = 'blackjack';
        else if (hand.status === 'blackjack') hand.status = 'open';
      }
      break;
    case 'offers-opened':
      state.phase = 'offers';
      state.deadline = event.deadline;
      round.turn = null;
      round.offers = { kind: event.kind, pending: [...event.pending] };
      break;
    case 'insurance-laid': {
      bettorOf(round, event.seat, event.by)!.insuranceMinor = event.amountMinor;
      addCredit(state, event.by, -event.amountMinor);
      answered(round, event.seat, event.by);
      break;
    }
    case 'insurance-declined':
      bettorOf(round, event.seat, event.by)!.insuranceDeclined = true;
      answered(round, event.seat, event.by);
      break;
    case 'even-money-taken':
      bettorOf(round, event.seat, event.by)!.evenMoney = true;
      answered(round, event.seat, event.by);
      break;
    case 'original-only-taken':
      bettorOf(round, event.seat, event.by)!.losesOriginalOnly = true;
      answered(round, event.seat, event.by);
      break;
    case 'offer-passed':
      answered(round, event.seat, event.by);
      break;
    case 'hand-surrendered':
      roundSeat(round, event.seat)!.hands[0]!.status = 'surrendered';
      answered(round, event.seat, event.by);
      break;
    case 'offers-closed':
      round.offers = null;
      state.phase = 'turns';
      state.deadline = null;
      break;
    case 'turn-moved':
      state.phase = 'turns';
      state.deadline = event.deadline;
      round.turn = { seat: event.seat, hand: event.hand };
      break;
    case 'hit-called':
      handAt(round, event.seat, event.hand).called = true;
      state.deadline = null;
      break;
    case 'hand-stood':
      handAt(round, event.seat, event.hand).status = 'stood';
      state.deadline = null;
      break;
    case 'hand-doubled': {
      const seat = roundSeat(round, event.seat)!;
      const hand = seat.hands[event.hand]!;
      const raised = stakeRaises(state, seat, event.raises);
      hand.stakesMinor = hand.stakesMinor.map((stake, i) => (stake + raised[i]!) as Minor);
      hand.doubled = event.modality;
      hand.called = true;
      state.deadline = null;
      break;
    }
    case 'hand-split': {
      const seat = roundSeat(round, event.seat)!;
      const hand = seat.hands[event.hand]!;
      const added = newHand([hand.cards[1]!], stakeRaises(state, seat, event.raises));
      hand.cards = [hand.cards[0]!];
      for (const half of [hand, added]) {
        half.fromSplit = true;
        half.splitAces = event.aces;
      }
      seat.hands.splice(event.hand + 1, 0, added);
      state.deadline = null;
      break;
    }
    case 'resplit-declined':
      roundSeat(round, event.seat)!.resplitDeclined = true;
      break;
    case 'hand-closed':
      handAt(round, event.seat, event.hand).status = event.status;
      state.deadline = null;
      break;
    case 'five-card-half-taken':
      handAt(round, event.seat, event.hand).status = 'paid';
      state.deadline = null;
      break;
    case 'special-prize-won': {
      const hand = handAt(round, event.seat, event.hand);
      hand.prize = true;
      if (event.closesHand) hand.status = 'paid';
      round.prizes.push(...event.lines);
      break;
    }
    case 'bank-turn-began':
      state.phase = 'bank';
      state.deadline = null;
      round.turn = null;
      round.burnDue = event.burnDue;
      break;
    case 'round-settled':
      payLines(state, round, event.lines);
      round.settledAtMs = event.atMs;
      state.deadline = event.deadline;
      break;
    case 'round-voided':
      payLines(state, round, event.lines);
      round.settledAtMs = event.atMs;
      round.voided = true;
      state.shoe.discarded += state.shoe.waiting.filter((card) => card.why !== 'kept').length;
      state.shoe.waiting = state.shoe.waiting.filter((card) => card.why === 'kept');
      state.deadline = event.deadline;
      state.paused = null;
      break;
    case 'results-shown':
      state.deadline = null;
      break;
    case 'round-closed':
      closeRound(state, round, event);
      break;
    default:
      break;
  }
}

const findBet = (bets: Bet[], at: { seat: number; by: number; bet: string }): Bet | undefined =>
  bets.find((bet) => bet.seat === at.seat && bet.by === at.by && bet.bet === at.bet);

function beginDeal(state: TableState, round: RoundState, event: EventOf<'deal-began'>): void {
  round.dealt = true;
  state.shoe.rounds += 1;
  round.seats = event.seats.map(({ seat, decider }) => {
    const mains = event.bets.filter((bet) => bet.seat === seat && bet.bet === 'main');
    return {
      seat,
      decider,
      bettors: mains.map((bet) => ({
        by: bet.by,
        originalMinor: bet.amountMinor,
        insuranceMinor: 0 as Minor,
        insuranceDeclined: false,
        evenMoney: false,
        losesOriginalOnly: false,
      })),
      hands: [
        newHand(
          [],
          mains.map((bet) => bet.amountMinor),
        ),
      ],
      resplitDeclined: false,
    };
  });
  for (const account of state.seats) {
    const laid = event.bets.filter((bet) => bet.by === account.seat);
    if (laid.length > 0) account.previousBets = laid.map((bet) => ({ ...bet }));
  }
}

function closeRound(state: TableState, round: RoundState, event: EventOf<'round-closed'>): void {
  const { shoe } = state;
  state.round = null;
  state.phase = event.next;
  state.deadline = null;
  if (event.cardsBack) {
    shoe.counts.fill(0);
    shoe.drawn = shoe.waiting.length;
    shoe.burned = 0;
    shoe.discarded = 0;
  } else {
    shoe.discarded += round.cardCount;
  }
  if (event.next === 'shoe') shoe.stage = 'none';
}
