import type { Card } from '../core/cards.ts';
import type { Minor } from '../core/money.ts';
import { coupOf } from '../games/baccarat/roads.ts';
import type { EventOf, Raise } from './events.ts';
import type { SettlementLine } from './settlement.ts';
import type {
  Bet,
  Bettor,
  Deadline,
  DoubleModality,
  Hand,
  HandPay,
  HandStatus,
  OfferKind,
  PendingOffer,
  RoundSeat,
  RoundState,
  ShoeState,
  TableState,
} from './state.ts';

/** The changes of the state that every round makes, each called by what happens live and by `evolve` from its event. */

/** The list with one more; an array that grows takes room for seventeen at once, and most lists of a round stay shorter. */
export function added<T>(list: T[], item: T): T[] {
  if (list.length === 0) return [item];
  if (list.length === 1) return [list[0]!, item];
  list.push(item);
  return list;
}

/** The same for cards, of which most hands hold two or three. */
function withCard(cards: Card[], card: Card): Card[] {
  if (cards.length === 0) return [card];
  if (cards.length === 1) return [cards[0]!, card];
  if (cards.length === 2) return [cards[0]!, cards[1]!, card];
  cards.push(card);
  return cards;
}

/** r.42: no jackpot looks at more of a player's cards. */
const MOST_COUNTED = 4;

export function addCredit(state: TableState, seat: number, amountMinor: number): void {
  const account = state.seats[seat - 1]!;
  account.creditMinor = (account.creditMinor + amountMinor) as Minor;
}

export function roundSeat(round: RoundState, seat: number): RoundSeat | undefined {
  const { seats } = round;
  for (let i = 0; i < seats.length; i++) if (seats[i]!.seat === seat) return seats[i];
  return undefined;
}

export const handAt = (round: RoundState, seat: number, hand: number): Hand =>
  roundSeat(round, seat)!.hands[hand]!;

export function findBet(bets: readonly Bet[], seat: number, by: number, bet: string): Bet | undefined {
  for (let i = 0; i < bets.length; i++) {
    const lies = bets[i]!;
    if (lies.seat === seat && lies.by === by && lies.bet === bet) return lies;
  }
  return undefined;
}

export function bettingOpened(
  state: TableState,
  atMs: number,
  roundId: string,
  roundNo: number,
  last: boolean,
  deadline: Deadline | null,
): void {
  const demo = deadline === null;
  state.phase = demo ? 'dealing' : 'betting';
  state.roundNo = roundNo;
  state.deadline = deadline;
  state.round = {
    id: roundId,
    no: roundNo,
    openedAtMs: atMs,
    demo,
    last,
    bets: [],
    placements: [],
    bettingClosedAtMs: null,
    forfeits: [],
    dealt: false,
    burnDue: 0,
    warBurned: 0,
    cardCount: 0,
    seats: [],
    bank: [],
    bankHoleDown: false,
    bankLooked: false,
    playerSide: [],
    additional: 0,
    turn: null,
    offers: null,
    prizes: [],
    lines: null,
    voided: false,
    settledAtMs: null,
  };
}

export function betPlaced(
  state: TableState,
  batch: number,
  seat: number,
  by: number,
  bet: string,
  amountMinor: Minor,
): void {
  const round = state.round!;
  const lies = findBet(round.bets, seat, by, bet);
  if (lies !== undefined) lies.amountMinor = (lies.amountMinor + amountMinor) as Minor;
  else round.bets = added(round.bets, { seat, by, bet, amountMinor });
  round.placements = added(round.placements, { batch, seat, by, bet, amountMinor });
  addCredit(state, by, -amountMinor);
}

export function bettingClosed(state: TableState, atMs: number, burnDue: number): void {
  const round = state.round!;
  state.phase = 'dealing';
  state.deadline = null;
  round.bettingClosedAtMs = atMs;
  round.burnDue = burnDue;
}

export const newHand = (cards: Card[], stakesMinor: Minor[]): Hand => ({
  cards,
  status: 'open',
  fromSplit: false,
  splitAces: false,
  doubled: null,
  aceLocked: false,
  called: false,
  prize: false,
  stakesMinor,
});

export function dealBegan(
  state: TableState,
  bets: readonly Bet[],
  seats: EventOf<'deal-began'>['seats'],
): void {
  const round = state.round!;
  round.dealt = true;
  state.shoe.rounds += 1;
  if (round.demo) state.shoe.demoRounds += 1;
  for (let s = 0; s < seats.length; s++) {
    const { seat, decider } = seats[s]!;
    let bettors: Bettor[] = [];
    let stakes: Minor[] = [];
    let hasChip = false;
    for (let i = 0; i < bets.length; i++) {
      const bet = bets[i]!;
      if (bet.seat !== seat) continue;
      if (bet.bet === 'jackpot') hasChip = true;
      if (bet.bet !== 'main') continue;
      stakes = added(stakes, bet.amountMinor);
      bettors = added(bettors, {
        by: bet.by,
        originalMinor: bet.amountMinor,
        insuranceMinor: 0 as Minor,
        insuranceDeclined: false,
        evenMoney: false,
        losesOriginalOnly: false,
      });
    }
    round.seats = added(round.seats, {
      seat,
      decider,
      bettors,
      hands: [newHand([], stakes)],
      resplitDeclined: false,
      counted: hasChip ? [] : null,
    });
  }
  for (let i = 0; i < bets.length; i++) {
    const bet = bets[i]!;
    const account = state.seats[bet.by - 1]!;
    account.previousBets = hasLaidBefore(bets, i) ? added(account.previousBets, bet) : [bet];
  }
}

function hasLaidBefore(bets: readonly Bet[], at: number): boolean {
  for (let i = 0; i < at; i++) if (bets[i]!.by === bets[at]!.by) return true;
  return false;
}

function takeCard(state: TableState, card: Card | null, drawNo: number | null, waited: boolean): void {
  const { shoe } = state;
  if (waited) {
    shoe.waiting.shift();
  } else {
    shoe.drawn += 1;
    shoe.lastDrawNo = drawNo;
    delete shoe.nextFaceUp;
    delete shoe.lastUnseen;
  }
  if (card === null) shoe.lastUnseen = true;
  else shoe.counts[card]! += 1;
}

export function cardDealt(
  state: TableState,
  card: Card,
  drawNo: number | null,
  waited: boolean,
  seat: number,
  hand: number,
  additional: boolean,
): void {
  const round = state.round!;
  takeCard(state, card, drawNo, waited);
  const { hands, counted } = roundSeat(round, seat)!;
  const to = hands[hand]!;
  to.cards = withCard(to.cards, card);
  if (counted !== null && counted.length < MOST_COUNTED) counted.push(card);
  to.called = false;
  round.cardCount += 1;
  if (additional) round.additional += 1;
}

export function bankCardDealt(
  state: TableState,
  card: Card,
  drawNo: number | null,
  waited: boolean,
  faceDown: boolean,
): void {
  const round = state.round!;
  takeCard(state, card, drawNo, waited);
  round.bank = withCard(round.bank, card);
  if (faceDown) round.bankHoleDown = true;
  round.cardCount += 1;
}

export function playerSideCardDealt(
  state: TableState,
  card: Card,
  drawNo: number | null,
  waited: boolean,
): void {
  const round = state.round!;
  takeCard(state, card, drawNo, waited);
  round.playerSide = withCard(round.playerSide, card);
  round.cardCount += 1;
}

/** `card`: null = nobody has seen it. */
export function cardBurned(
  state: TableState,
  card: Card | null,
  drawNo: number | null,
  waited: boolean,
  why: EventOf<'card-burned'>['why'],
): void {
  const { shoe } = state;
  takeCard(state, card, drawNo, waited);
  shoe.burned += 1;
  shoe.discarded += 1;
  if (why === 'start') shoe.startBurned += 1;
  else if (why === 'war' && state.round) state.round.warBurned += 1;
  else if ((why === 'round' || why === 'before-bank-second') && state.round) state.round.burnDue -= 1;
}

export function initialDealEnded(state: TableState, blackjacks: readonly number[]): void {
  const round = state.round!;
  const { seats } = round;
  // After a swap of first cards all of them are read anew.
  if (round.prizes.length > 0) round.prizes = [];
  for (let i = 0; i < seats.length; i++) {
    const hand = seats[i]!.hands[0]!;
    if (blackjacks.length > 0 && blackjacks.includes(seats[i]!.seat)) hand.status = 'blackjack';
    else if (hand.status === 'blackjack') hand.status = 'open';
  }
}

export function holeCardChecked(state: TableState): void {
  state.round!.bankLooked = true;
}

export function holeCardTurned(state: TableState): void {
  state.round!.bankHoleDown = false;
}

export function offersOpened(
  state: TableState,
  kind: OfferKind,
  pending: readonly PendingOffer[],
  deadline: Deadline,
): void {
  const round = state.round!;
  state.phase = 'offers';
  state.deadline = deadline;
  // New bets on a split hand (art. 13.1.2) and raises that follow (r.28, r.30) are laid within the turn of that hand.
  if (kind === 'first' || kind === 'original-only') round.turn = null;
  round.offers = { kind, pending: pending.slice() };
}

export function offerAnswered(state: TableState, seat: number, by: number): void {
  const offers = state.round!.offers;
  if (!offers) return;
  const { pending } = offers;
  for (let i = 0; i < pending.length; i++) {
    if (pending[i]!.seat === seat && pending[i]!.by === by) {
      pending.splice(i, 1);
      return;
    }
  }
}

export function offersClosed(state: TableState): void {
  state.round!.offers = null;
  state.phase = 'turns';
  state.deadline = null;
}

export function turnMoved(state: TableState, seat: number, hand: number, deadline: Deadline | null): void {
  state.phase = 'turns';
  state.deadline = deadline;
  const round = state.round!;
  if (round.turn?.seat !== seat || round.turn.hand !== hand) round.turn = { seat, hand };
}

export function hitCalled(state: TableState, seat: number, hand: number): void {
  handAt(state.round!, seat, hand).called = true;
  state.deadline = null;
}

export function handClosed(state: TableState, seat: number, hand: number, status: HandStatus): void {
  handAt(state.round!, seat, hand).status = status;
  state.deadline = null;
}

export function handDoubled(
  state: TableState,
  seat: number,
  hand: number,
  modality: DoubleModality,
  aceLocked: boolean,
  raises: readonly Raise[],
): void {
  const at = roundSeat(state.round!, seat)!;
  const doubled = at.hands[hand]!;
  for (let i = 0; i < raises.length; i++) {
    const { by, amountMinor } = raises[i]!;
    addCredit(state, by, -amountMinor);
    for (let k = 0; k < at.bettors.length; k++) {
      if (at.bettors[k]!.by === by) {
        doubled.stakesMinor[k] = (doubled.stakesMinor[k]! + amountMinor) as Minor;
      }
    }
  }
  doubled.doubled = modality;
  doubled.aceLocked = aceLocked;
  doubled.called = true;
  state.deadline = null;
}

export function bankTurnBegan(state: TableState, burnDue: number): void {
  const round = state.round!;
  state.phase = 'bank';
  state.deadline = null;
  round.turn = null;
  round.burnDue = burnDue;
}

export function payLines(state: TableState, lines: readonly SettlementLine[]): void {
  const round = state.round!;
  for (let i = 0; i < lines.length; i++) addCredit(state, lines[i]!.by, lines[i]!.returnedMinor);
  round.lines = lines;
  round.turn = null;
  round.offers = null;
  state.phase = 'settled';
}

export function roundSettled(
  state: TableState,
  atMs: number,
  lines: readonly SettlementLine[],
  deadline: Deadline,
  byHand?: readonly HandPay[],
  coupsGone = 0,
): void {
  const { round, shoe } = state;
  payLines(state, lines);
  round!.settledAtMs = atMs;
  if (round!.playerSide.length > 0)
    shoe.coups = [...shoe.coups.slice(coupsGone), coupOf(round!.playerSide, round!.bank)];
  for (const { seat, requestId, payNo, amountMinor } of byHand ?? []) {
    addCredit(state, seat, -amountMinor);
    const account = state.seats[seat - 1]!;
    account.wins = [...(account.wins ?? []), { requestId, amountMinor, sinceMs: atMs, payNo }];
    state.nextPayNo = payNo + 1;
  }
  state.deadline = deadline;
}

export function resultsShown(state: TableState): void {
  state.deadline = null;
}

/** The cards out of the shuffler are in it again, all but those that wait for their place. */
export function takeCardsBack(shoe: ShoeState): void {
  shoe.counts.fill(0);
  shoe.drawn = shoe.waiting.length;
  shoe.burned = 0;
  shoe.discarded = 0;
}

export function roundClosed(
  state: TableState,
  next: 'idle' | 'shoe',
  cardsBack: boolean,
  kept: boolean,
): void {
  const { shoe } = state;
  const round = state.round!;
  if (kept && !round.demo) {
    const { id, no, settledAtMs, bank, playerSide, seats } = round;
    state.lastRound = { id, no, endedAtMs: settledAtMs!, bank, playerSide, seats };
  }
  state.round = null;
  state.phase = next;
  state.deadline = null;
  if (cardsBack) {
    takeCardsBack(shoe);
  } else {
    shoe.discarded += round.cardCount;
  }
  if (next === 'shoe') shoe.stage = 'none';
}
