import { type Card, rankOf } from '../../core/cards.ts';
import type { LastCard } from '../../table/events-round.ts';
import type { Due } from '../../table/game.ts';
import type { Hand, RoundSeat, RoundState, TableState } from '../../table/state.ts';
import type { Tally } from '../../table/tallies.ts';
import { type CasinoWarRules, rulesOf } from './rules.ts';

const TO_CROUPIER: Due = { to: 'bank' };

/** Cards burnt at once in the challenge (art. 7.5). */
export const BURNT = 3;

/** art. 4: ace, king, queen, jack, ten … two; the ace is always high. 2 to 14. */
export const rankValue = (card: Card): number => (rankOf(card) === 0 ? 14 : rankOf(card) + 1);

export const hasTieBet = (round: RoundState, seat: number): boolean => {
  for (const bet of round.bets) if (bet.seat === seat && bet.bet === 'tie') return true;
  return false;
};

/** Asked once the croupier has a card. */
export const isTied = ({ bank }: RoundState, { hands }: RoundSeat): boolean =>
  rankValue(hands[0]!.cards[0]!) === rankValue(bank[0]!);

/**
 * art. 7.4: the choice belongs to whoever ties and has not bet on it; elsewhere to every one who
 * ties.
 */
export const mayChoose = (rules: CasinoWarRules, round: RoundState, seat: RoundSeat): boolean =>
  isTied(round, seat) && (rules.tieBettorMain === 'choose' || !hasTieBet(round, seat.seat));

/** By the first cards: the croupier's, and how many lay above it, tied, and below it (art. 7). */
export function tallyOf(round: RoundState): Tally {
  const bank = rankValue(round.bank[0]!);
  const tally: [number, number, number, number] = [bank, 0, 0, 0];
  for (const { hands } of round.seats) tally[2 - Math.sign(rankValue(hands[0]!.cards[0]!) - bank)]! += 1;
  return tally;
}

/** The challenge is on for this hand, its card may still be on its way. */
export const isAtWar = (hand: Hand): boolean => hand.called || hand.cards.length > 1;

/**
 * Cards to be burnt in the whole challenge before its next card, which goes to a player or to the
 * croupier.
 */
export function burnsBefore(rules: CasinoWarRules, round: RoundState, toCroupier: boolean): number {
  if (rules.warBurn === 'perCard') return BURNT * (round.additional + 1);
  return toCroupier ? 2 * BURNT : BURNT;
}

/**
 * art. 5.2: from the left one card to each seat, then one to the croupier; art. 7.5: the same in
 * the challenge, with burns.
 */
export function due(round: RoundState, state: TableState): Due | null {
  switch (state.phase) {
    case 'dealing':
      return firstDue(round);
    case 'bank':
      return warDue(round, rulesOf(state));
    default:
      return null;
  }
}

function firstDue(round: RoundState): Due | null {
  const { dealt, seats, cardCount, bank } = round;
  if (!dealt) return { to: 'seat', seat: firstSeat(round), hand: 0, additional: false };
  if (cardCount < seats.length)
    return { to: 'seat', seat: seats[cardCount]!.seat, hand: 0, additional: false };
  return bank.length === 0 ? TO_CROUPIER : null;
}

/** On every seat with a bet lies a main bet. */
const firstSeat = ({ bets }: RoundState): number => Math.min(...bets.map(({ seat }) => seat));

function warDue(round: RoundState, rules: CasinoWarRules): Due | null {
  if (round.bank.length > 1) return null;
  const fighter = round.seats.find(({ hands }) => hands[0]!.called);
  if (round.warBurned < burnsBefore(rules, round, !fighter)) return { to: 'burn', why: 'war' };
  return fighter ? { to: 'seat', seat: fighter.seat, hand: 0, additional: true } : TO_CROUPIER;
}

/** Until somebody has chosen, or the next card of the challenge is on its way with its burns. */
export function findLastCard(state: TableState): LastCard | null {
  const { seats, bank, cardCount, warBurned, additional } = state.round!;
  const isFirst = !seats.some(hasChosen);
  if (isFirst && bank.length > 0) return { card: bank[0]!, seat: null, hand: 0, additional: false };
  if (isFirst) return lastOf(seats[cardCount - 1]!, false);
  const burnt = rulesOf(state).warBurn === 'perCard' ? BURNT * additional : BURNT;
  if (additional === 0 || warBurned !== burnt) return null;
  return lastOf(seats.findLast(({ hands }) => hands[0]!.cards.length > 1)!, true);
}

const hasChosen = ({ hands }: RoundSeat): boolean => hands[0]!.status !== 'open' || isAtWar(hands[0]!);

const lastOf = ({ seat, hands }: RoundSeat, additional: boolean): LastCard => ({
  card: hands[0]!.cards.at(-1)!,
  seat,
  hand: 0,
  additional,
});
