import type { Minor } from '../core/money.ts';
import * as change from './changes.ts';
import { addCredit, findBet, handAt, newHand, payLines, roundSeat } from './changes.ts';
import type { EventOf, Raise, TableEvent } from './events.ts';
import type { Bettor, RoundSeat, RoundState, TableState } from './state.ts';

/** Events of betting and of the round. */
export function evolveRound(state: TableState, event: TableEvent): void {
  if (event.type === 'betting-opened') {
    change.bettingOpened(state, event.atMs, event.roundId, event.roundNo, event.last, event.deadline);
  } else if (event.type === 'demo-round-opened') {
    change.bettingOpened(state, event.atMs, event.roundId, event.roundNo, event.last, null);
  } else if (state.round) evolveOpenRound(state, state.round, event);
}

const bettorOf = (round: RoundState, seat: number, by: number): Bettor | undefined =>
  roundSeat(round, seat)?.bettors.find((bettor) => bettor.by === by);

/** Raises of a seat, as one amount per bettor in the order of its bettors. */
function stakeRaises(state: TableState, seat: RoundSeat, raises: readonly Raise[]): Minor[] {
  for (const raise of raises) addCredit(state, raise.by, -raise.amountMinor);
  return seat.bettors.map(
    (bettor) => (raises.find((raise) => raise.by === bettor.by)?.amountMinor ?? 0) as Minor,
  );
}

function evolveOpenRound(state: TableState, round: RoundState, event: TableEvent): void {
  switch (event.type) {
    case 'bet-placed':
      change.betPlaced(state, event.batch, event.seat, event.by, event.bet, event.amountMinor);
      break;
    case 'bet-withdrawn': {
      const bet = findBet(round.bets, event.seat, event.by, event.bet)!;
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
      change.bettingClosed(state, event.atMs, event.burnDue);
      break;
    case 'betting-cancelled':
      state.round = null;
      state.phase = 'idle';
      state.deadline = null;
      break;
    case 'betting-extended':
      state.deadline = event.deadline;
      break;
    case 'streak-forfeited':
      round.forfeits.push({ seat: event.seat, by: event.by });
      break;
    case 'deal-began':
      change.dealBegan(state, event.bets, event.seats);
      break;
    case 'card-dealt':
      change.cardDealt(
        state,
        event.card,
        event.drawNo,
        event.waited,
        event.seat,
        event.hand,
        event.additional,
      );
      break;
    case 'bank-card-dealt':
      change.bankCardDealt(state, event.card, event.drawNo, event.waited, event.faceDown);
      break;
    case 'player-side-card-dealt':
      change.playerSideCardDealt(state, event.card, event.drawNo, event.waited);
      break;
    case 'cards-swapped': {
      const from = handAt(round, event.fromSeat, 0);
      const to = handAt(round, event.toSeat, 0);
      [from.cards, to.cards] = [to.cards, from.cards];
      for (const seat of round.seats) if (seat.counted !== null) seat.counted = [...seat.hands[0]!.cards];
      break;
    }
    case 'initial-deal-ended':
      change.initialDealEnded(state, event.blackjacks);
      break;
    case 'hole-card-checked':
      change.holeCardChecked(state);
      break;
    case 'hole-card-turned':
      change.holeCardTurned(state);
      break;
    case 'offers-opened':
      change.offersOpened(state, event.kind, event.pending, event.deadline);
      break;
    case 'insurance-laid': {
      bettorOf(round, event.seat, event.by)!.insuranceMinor = event.amountMinor;
      addCredit(state, event.by, -event.amountMinor);
      change.offerAnswered(state, event.seat, event.by);
      break;
    }
    case 'insurance-declined':
      bettorOf(round, event.seat, event.by)!.insuranceDeclined = true;
      change.offerAnswered(state, event.seat, event.by);
      break;
    case 'even-money-taken':
      bettorOf(round, event.seat, event.by)!.evenMoney = true;
      for (const by of event.bound) bettorOf(round, event.seat, by)!.evenMoney = true;
      change.offerAnswered(state, event.seat, event.by);
      break;
    case 'original-only-taken':
      bettorOf(round, event.seat, event.by)!.losesOriginalOnly = true;
      change.offerAnswered(state, event.seat, event.by);
      break;
    case 'offer-passed':
      change.offerAnswered(state, event.seat, event.by);
      break;
    case 'hand-surrendered':
      roundSeat(round, event.seat)!.hands[0]!.status = 'surrendered';
      change.offerAnswered(state, event.seat, event.by);
      break;
    case 'offers-closed':
      change.offersClosed(state);
      break;
    case 'turn-moved':
      change.turnMoved(state, event.seat, event.hand, event.deadline);
      break;
    case 'hit-called':
      change.hitCalled(state, event.seat, event.hand);
      break;
    case 'hand-stood':
      change.handClosed(state, event.seat, event.hand, 'stood');
      break;
    case 'hand-doubled':
      change.handDoubled(state, event.seat, event.hand, event.modality, event.aceLocked, event.raises);
      break;
    case 'war-declared': {
      const seat = roundSeat(round, event.seat)!;
      const hand = seat.hands[0]!;
      const raised = stakeRaises(state, seat, event.raises);
      hand.stakesMinor = hand.stakesMinor.map((stake, i) => (stake + raised[i]!) as Minor);
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
    case 'raise-followed': {
      const { seat: seatNo, by, hand, kind, amountMinor } = event;
      const seat = roundSeat(round, seatNo)!;
      const at = seat.bettors.findIndex((bettor) => bettor.by === by);
      const { stakesMinor } = seat.hands[kind === 'split' ? hand + 1 : hand]!;
      stakesMinor[at] = (stakesMinor[at]! + amountMinor) as Minor;
      addCredit(state, by, -amountMinor);
      change.offerAnswered(state, seatNo, by);
      break;
    }
    case 'blackjacks-paid':
      for (const { seat } of event.lines) roundSeat(round, seat)!.hands[0]!.status = 'paid';
      round.prizes.push(...event.lines);
      break;
    case 'bank-second-burned':
      round.bank.pop();
      round.bankHoleDown = false;
      round.cardCount -= 1;
      round.offers = null;
      round.turn = null;
      state.shoe.burned += 1;
      state.shoe.discarded += 1;
      state.phase = 'dealing';
      state.deadline = null;
      break;
    case 'resplit-declined':
      roundSeat(round, event.seat)!.resplitDeclined = true;
      break;
    case 'hand-closed':
      change.handClosed(state, event.seat, event.hand, event.status);
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
    case 'side-bets-decided':
      round.prizes.push(...event.lines);
      // A bet on a split hand is decided by the second card of that hand, before any other can be laid.
      for (const bet of round.bets) if (bet.hand !== undefined) bet.hand = null;
      break;
    case 'pair-bet-laid': {
      const { seat, by, hand, amountMinor } = event;
      round.bets.push({ seat, by, bet: 'anyPair', amountMinor, hand });
      addCredit(state, by, -amountMinor);
      change.offerAnswered(state, seat, by);
      break;
    }
    case 'streak-moved':
      moveStreak(state, event);
      break;
    case 'bank-turn-began':
      change.bankTurnBegan(state, event.burnDue);
      break;
    case 'round-settled':
      change.roundSettled(state, event.atMs, event.lines, event.deadline, event.byHand, event.coupsGone);
      break;
    case 'round-voided':
      payLines(state, event.lines);
      round.settledAtMs = event.atMs;
      round.voided = true;
      state.shoe.discarded += state.shoe.waiting.filter((card) => card.why !== 'kept').length;
      state.shoe.waiting = state.shoe.waiting.filter((card) => card.why === 'kept');
      state.deadline = event.deadline;
      state.paused = null;
      break;
    case 'results-shown':
      change.resultsShown(state);
      break;
    case 'round-closed':
      change.roundClosed(state, event.next, event.cardsBack, event.kept ?? false);
      break;
    default:
      break;
  }
}

/** The series of the seats stay in the order of the seats. */
function moveStreak(state: TableState, { seat, wins, open }: EventOf<'streak-moved'>): void {
  state.streaks = state.streaks.filter((streak) => streak.seat !== seat);
  if (open.length === 0) return;
  state.streaks.push({ seat, wins, open });
  state.streaks.sort((a, b) => a.seat - b.seat);
}
