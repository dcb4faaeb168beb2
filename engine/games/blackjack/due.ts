import type { RoundState, TableState } from '../../table/state.ts';
import type { BlackjackRules } from './rules.ts';

/** Where the next card goes. */
export type Due =
  | { readonly to: 'burn'; readonly why: 'start' | 'round' | 'before-bank-second' }
  | { readonly to: 'seat'; readonly seat: number; readonly hand: number; readonly additional: boolean }
  | { readonly to: 'bank' };

/**
 * The one card that is due now, null where none is: nothing else may leave the shoe.
 * A hold does not change what is due, it only keeps it from being dealt.
 */
export function dueCard(state: TableState): Due | null {
  if (state.phase === 'shoe' && state.shoe.stage === 'burn') return { to: 'burn', why: 'start' };
  const { round, rules } = state;
  if (!round || !rules) return null;
  switch (state.phase) {
    case 'dealing':
      return round.burnDue > 0 ? { to: 'burn', why: 'round' } : initialDue(round, rules);
    case 'turns': {
      if (!round.turn) return null;
      const { seat, hand } = round.turn;
      const played = round.seats.find((candidate) => candidate.seat === seat)?.hands[hand];
      return played?.called || played?.cards.length === 1
        ? { to: 'seat', seat, hand, additional: true }
        : null;
    }
    case 'bank':
      return round.burnDue > 0 ? { to: 'burn', why: 'before-bank-second' } : { to: 'bank' };
    default:
      return null;
  }
}

/** art. 5.1: one card at a time from the left to the seats with a bet, the bank after the last of them. */
function initialDue(round: RoundState, rules: BlackjackRules): Due | null {
  if (!round.dealt) {
    return { to: 'seat', seat: firstSeat(round), hand: 0, additional: false };
  }
  for (const pass of [1, 2]) {
    for (const { seat, hands } of round.seats) {
      if (hands[0]!.cards.length < pass) return { to: 'seat', seat, hand: 0, additional: false };
    }
    if (pass === rules.dealerCardPass && round.bank.length === 0) return { to: 'bank' };
  }
  return null;
}

const firstSeat = (round: RoundState): number =>
  round.bets.reduce((left, bet) => (bet.bet === 'main' && bet.seat < left ? bet.seat : left), Infinity);
