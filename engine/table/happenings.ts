import type { Card } from '../core/cards.ts';
import type { Minor } from '../core/money.ts';
import { outlivedCoups } from '../games/baccarat/roads.ts';
import type { Due } from '../games/game.ts';
import * as change from './changes.ts';
import { type Draft, profileOf } from './draft.ts';
import type { EventOf, FromShoe, Raise } from './events.ts';
import type { SettlementLine } from './settlement.ts';
import type {
  Bet,
  Deadline,
  DoubleModality,
  HandPay,
  HandStatus,
  OfferKind,
  PendingOffer,
  TableState,
} from './state.ts';

/**
 * What happens in every round. Each function changes the state at once and makes the event where somebody listens: a
 * live table stores it, a simulation of millions of rounds does not. `evolve` calls the same changes with the event's
 * facts, so that a state can be told from its events alone.
 */

export function bettingOpened(draft: Draft, roundId: string, last: boolean, deadline: Deadline): void {
  const { state, atMs } = draft;
  const roundNo = state.roundNo + 1;
  change.bettingOpened(state, atMs, roundId, roundNo, last, deadline);
  draft.events?.push({ type: 'betting-opened', atMs, roundId, roundNo, last, deadline });
}

export function betPlaced(
  draft: Draft,
  batch: number,
  seat: number,
  by: number,
  bet: string,
  amountMinor: Minor,
  touchedAtMs: number,
): void {
  const { state, atMs } = draft;
  change.betPlaced(state, batch, seat, by, bet, amountMinor);
  if (draft.events) {
    const { currency } = profileOf(state);
    draft.events.push({ type: 'bet-placed', atMs, batch, seat, by, bet, currency, amountMinor, touchedAtMs });
  }
}

export function bettingClosed(draft: Draft, byDeadline: boolean, burnDue: number): void {
  const { state, atMs } = draft;
  change.bettingClosed(state, atMs, burnDue);
  draft.events?.push({ type: 'betting-closed', atMs, byDeadline, burnDue });
}

export function dealBegan(draft: Draft, bets: readonly Bet[], seats: EventOf<'deal-began'>['seats']): void {
  const { state, atMs } = draft;
  change.dealBegan(state, bets, seats);
  draft.events?.push({ type: 'deal-began', atMs, bets, seats });
}

/** What of a card that has left the shoe is told beside its face. */
type Drawn = Pick<FromShoe, 'drawNo' | 'confidence'>;

const fromShoe = (from: Drawn, card: Card, waited: boolean): FromShoe => ({
  card,
  drawNo: from.drawNo,
  confidence: from.confidence,
  waited,
});

export function cardDealt(
  draft: Draft,
  from: Drawn,
  card: Card,
  waited: boolean,
  { seat, hand, additional, faceDown }: Extract<Due, { to: 'seat' }>,
): void {
  const { state, atMs } = draft;
  change.cardDealt(state, card, from.drawNo, waited, seat, hand, additional);
  if (!draft.events) return;
  const dealt = { ...fromShoe(from, card, waited), seat, hand, additional };
  draft.events.push({ type: 'card-dealt', atMs, ...dealt, ...(faceDown ? { faceDown } : {}) });
}

export function bankCardDealt(
  draft: Draft,
  from: Drawn,
  card: Card,
  waited: boolean,
  faceDown: boolean,
): void {
  const { state, atMs } = draft;
  change.bankCardDealt(state, card, from.drawNo, waited, faceDown);
  draft.events?.push({ type: 'bank-card-dealt', atMs, ...fromShoe(from, card, waited), faceDown });
}

export function playerSideCardDealt(draft: Draft, from: Drawn, card: Card, waited: boolean): void {
  const { state, atMs } = draft;
  change.playerSideCardDealt(state, card, from.drawNo, waited);
  draft.events?.push({ type: 'player-side-card-dealt', atMs, ...fromShoe(from, card, waited) });
}

export function initialDealEnded(draft: Draft, blackjacks: readonly number[]): void {
  const { state, atMs } = draft;
  change.initialDealEnded(state, blackjacks);
  draft.events?.push({ type: 'initial-deal-ended', atMs, blackjacks });
}

export function holeCardChecked(draft: Draft, blackjack: boolean): void {
  change.holeCardChecked(draft.state);
  draft.events?.push({ type: 'hole-card-checked', atMs: draft.atMs, blackjack });
}

export function holeCardTurned(draft: Draft): void {
  change.holeCardTurned(draft.state);
  draft.events?.push({ type: 'hole-card-turned', atMs: draft.atMs });
}

export function offersOpened(
  draft: Draft,
  kind: OfferKind,
  pending: readonly PendingOffer[],
  deadline: Deadline,
): void {
  const { state, atMs } = draft;
  change.offersOpened(state, kind, pending, deadline);
  draft.events?.push({ type: 'offers-opened', atMs, kind, pending, deadline });
}

export function offerPassed(draft: Draft, seat: number, by: number, byDefault: boolean): void {
  const { state, atMs } = draft;
  change.offerAnswered(state, seat, by);
  draft.events?.push({ type: 'offer-passed', atMs, seat, by, byDefault });
}

export function offersClosed(draft: Draft): void {
  change.offersClosed(draft.state);
  draft.events?.push({ type: 'offers-closed', atMs: draft.atMs });
}

export function turnMoved(draft: Draft, seat: number, hand: number, deadline: Deadline | null): void {
  const { state, atMs } = draft;
  change.turnMoved(state, seat, hand, deadline);
  draft.events?.push({ type: 'turn-moved', atMs, seat, hand, deadline });
}

export function hitCalled(draft: Draft, seat: number, hand: number, by: number, byDefault: boolean): void {
  const { state, atMs } = draft;
  change.hitCalled(state, seat, hand);
  draft.events?.push({ type: 'hit-called', atMs, seat, hand, by, byDefault });
}

export function handStood(draft: Draft, seat: number, hand: number, by: number, byDefault: boolean): void {
  const { state, atMs } = draft;
  change.handClosed(state, seat, hand, 'stood');
  draft.events?.push({ type: 'hand-stood', atMs, seat, hand, by, byDefault });
}

export function handClosed(draft: Draft, seat: number, hand: number, status: HandStatus): void {
  const { state, atMs } = draft;
  change.handClosed(state, seat, hand, status);
  draft.events?.push({ type: 'hand-closed', atMs, seat, hand, status });
}

export function handDoubled(
  draft: Draft,
  seat: number,
  hand: number,
  by: number,
  modality: DoubleModality,
  aceLocked: boolean,
  raises: readonly Raise[],
): void {
  const { state, atMs } = draft;
  change.handDoubled(state, seat, hand, modality, aceLocked, raises);
  if (draft.events) {
    const { currency } = profileOf(state);
    draft.events.push({ type: 'hand-doubled', atMs, seat, hand, by, modality, aceLocked, currency, raises });
  }
}

export function bankTurnBegan(draft: Draft, burnDue: number): void {
  const { state, atMs } = draft;
  change.bankTurnBegan(state, burnDue);
  draft.events?.push({ type: 'bank-turn-began', atMs, burnDue });
}

export function roundSettled(draft: Draft, lines: readonly SettlementLine[], deadline: Deadline): void {
  const { state, atMs } = draft;
  const { currency, handPaidWinMinor } = profileOf(state);
  const byHand = handPaidWinMinor === undefined ? NONE : winsByHand(state, lines, handPaidWinMinor);
  const coupsGone = outlivedCoups(state.shoe.coups.length);
  change.roundSettled(state, atMs, lines, deadline, byHand, coupsGone);
  if (draft.events) {
    const handed = byHand.length === 0 ? {} : { byHand };
    const gone = coupsGone === 0 ? {} : { coupsGone };
    draft.events.push({ type: 'round-settled', atMs, currency, lines, deadline, ...handed, ...gone });
    for (const { seat, requestId, amountMinor } of byHand)
      draft.events.push({ type: 'substantial-win-noticed', atMs, seat, requestId, currency, amountMinor });
  }
}

const NONE: readonly HandPay[] = [];

/** Bettors whose net win of the round is above the limit, by seat: that win, not their stakes, is paid by hand. */
function winsByHand(state: TableState, lines: readonly SettlementLine[], limitMinor: Minor): HandPay[] {
  const nets = new Map<number, number>();
  for (const { by, netMinor } of lines) nets.set(by, (nets.get(by) ?? 0) + netMinor);
  return [...nets]
    .filter(([, net]) => net > limitMinor)
    .sort(([a], [b]) => a - b)
    .map(([seat, net], index) => ({
      seat,
      requestId: `${state.round!.id}-${seat}`,
      payNo: (state.nextPayNo ?? 1) + index,
      amountMinor: net as Minor,
    }));
}

export function resultsShown(draft: Draft): void {
  change.resultsShown(draft.state);
  draft.events?.push({ type: 'results-shown', atMs: draft.atMs });
}

export function roundClosed(draft: Draft, next: 'idle' | 'shoe', cardsBack: boolean): void {
  change.roundClosed(draft.state, next, cardsBack, true);
  draft.events?.push({ type: 'round-closed', atMs: draft.atMs, next, cardsBack, kept: true });
}

export function cardBurned(
  draft: Draft,
  from: Drawn,
  card: Card,
  waited: boolean,
  why: EventOf<'card-burned'>['why'],
  person: EventOf<'card-burned'>['person'],
  cites: readonly string[],
  unseen = false,
): void {
  const { state, atMs } = draft;
  change.cardBurned(state, unseen ? null : card, from.drawNo, waited, why);
  if (!draft.events) return;
  const burned = { ...fromShoe(from, card, waited), why, person, cites };
  draft.events.push({ type: 'card-burned', atMs, ...burned, ...(unseen ? { unseen } : {}) });
}
