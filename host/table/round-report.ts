import { cardName } from '../../engine/core/cards.ts';
import type { TableState } from '../../engine/table/state.ts';
import type { Ledger } from '../../ledger/store/ledger.store.ts';

/**
 * One finished round in a few plain facts, for the printed account of a terminal without a display.
 */
export function roundReport(state: TableState, ledger: Ledger, ackedSeq: number): object {
  const { round, profile } = state;
  const decisions = new Map<number, string[]>();
  const SPOKEN: Readonly<Record<string, string>> = {
    'hit-called': 'hit',
    'hand-stood': 'stand',
    'hand-doubled': 'double',
    'hand-split': 'split',
    'hand-surrendered': 'surrender',
    'insurance-laid': 'insure',
    'even-money-taken': 'even money',
    'five-card-half-taken': 'five-card half',
    'war-declared': 'go to war',
  };
  for (const { kind, body } of ledger.readRound(round?.id ?? '')) {
    const word = SPOKEN[kind];
    const { seat } = body as { seat?: number };
    if (word && seat !== undefined) decisions.set(seat, [...(decisions.get(seat) ?? []), word]);
  }
  return {
    no: round?.no,
    voided: round?.voided,
    bank: round?.bank.map(cardName),
    ...(round && round.playerSide.length > 0 ? { playerSide: round.playerSide.map(cardName) } : {}),
    seats: seatsOf(round).map((seat) => ({
      seat,
      cards: (round?.seats.find((played) => played.seat === seat)?.hands ?? []).map((hand) =>
        hand.cards.map(cardName),
      ),
      decisions: decisions.get(seat) ?? [],
      lines: (round?.lines ?? [])
        .filter((line) => line.seat === seat)
        .map(({ bet, outcome, netMinor, cites }) => ({ bet, outcome, netMinor, cites })),
    })),
    currency: profile?.currency,
    headSeq: ledger.head().seq,
    ackedSeq,
  };
}

/** Seats with cards of their own or with bets, as in baccarat, in their order. */
const seatsOf = (round: TableState['round']): number[] =>
  [...new Set([...(round?.seats ?? []), ...(round?.bets ?? [])].map(({ seat }) => seat))].sort(
    (a, b) => a - b,
  );
