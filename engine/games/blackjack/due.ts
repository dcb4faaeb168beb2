import type { Due } from '../../table/game.ts';
import { roundSeat } from '../../table/places.ts';
import type { Bet, RoundState, TableState } from '../../table/state.ts';
import { dealsHoleCard } from './bank.ts';
import { dealsDown, liesFaceDown, openCards } from './face-down.ts';
import { type BlackjackRules, rulesOf } from './rules.ts';

const TO_BANK: Due = { to: 'bank' };
const TO_BANK_FACE_DOWN: Due = { to: 'bank', faceDown: true };
const BURN_BEFORE_BANK: Due = { to: 'burn', why: 'before-bank-second' };

/** The one card that is due in a round of blackjack, null where none is. */
export function dueInRound(round: RoundState, state: TableState): Due | null {
  switch (state.phase) {
    case 'dealing':
      return initialDue(round, rulesOf(state));
    case 'turns': {
      const { seat, hand } = round.turn!;
      const to = roundSeat(round, seat)!.hands[hand]!;
      if (!to.called && to.cards.length !== 1) return null;
      const due: Due = { to: 'seat', seat, hand, additional: true };
      return liesFaceDown(rulesOf(state), round, to) ? { ...due, faceDown: true } : due;
    }
    case 'bank':
      return round.burnDue > 0 ? BURN_BEFORE_BANK : TO_BANK;
    default:
      return null;
  }
}

/**
 * art. 5.1: one card at a time from the left to the seats with a bet, the bank after the last of
 * them; which one is next follows from how many have been dealt. null = everybody has their first
 * cards.
 */
function initialDue(round: RoundState, rules: BlackjackRules): Due | null {
  const isFirstDown = dealsDown(rules) && openCards(rules) === 0;
  if (!round.dealt) return toSeat(mainSeatAfter(round.bets, 0), isFirstDown);
  return initialDueAt(round, rules, round.cardCount);
}

/** Where the first cards go, by how many have been dealt before. */
export function initialDueAt({ seats }: RoundState, rules: BlackjackRules, cardCount: number): Due {
  const isDown = dealsDown(rules);
  const isFirstDown = isDown && openCards(rules) === 0;
  if (cardCount < seats.length) return toSeat(seats[cardCount]!.seat, isFirstDown);
  const firstPass = seats.length + (rules.dealerCardPass === 1 ? 1 : 0);
  if (cardCount < firstPass) return TO_BANK;
  const at = cardCount - firstPass;
  if (at < seats.length) return toSeat(seats[at]!.seat, isDown);
  return dealsHoleCard(rules) ? TO_BANK_FACE_DOWN : TO_BANK;
}

/** Everybody has their first cards. */
export function isDealt({ seats, cardCount }: RoundState, rules: BlackjackRules): boolean {
  const toBank = cardCount - 2 * seats.length;
  return toBank > 0 && (toBank > 1 || !dealsHoleCard(rules));
}

function toSeat(seat: number, isDown: boolean): Due {
  const due = { to: 'seat', seat, hand: 0, additional: false } as const;
  return isDown ? { ...due, faceDown: true } : due;
}

/** The next seat to the right of `after` with bets, a main bet among them; 0 = there is none. */
export function mainSeatAfter(bets: readonly Bet[], after: number): number {
  let next = 0;
  for (const { seat } of bets) {
    if (seat > after && (next === 0 || seat < next)) next = seat;
  }
  return next;
}
