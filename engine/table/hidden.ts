import type { Card } from '../core/cards.ts';
import { dueCard, isDueFaceDown } from './due.ts';
import { handAt } from './places.ts';
import { gameOf } from './registry.ts';
import type { Hand, RoundSeat, RoundState, TableState } from './state.ts';

/** The bank, a seat with a hand, or among the cards that wait. */
export type HidingPlace = 'bank' | 'waiting' | number;

/** How many cards of a hand lie face up on the table, before those that lie face down. */
const cardsUp = (state: TableState, round: RoundState, hand: Hand): number =>
  gameOf(state).cardsUp?.(state, round, hand) ?? hand.cards.length;

/** The cards of a hand as people may know them: null lies face down. */
export function shownCards(state: TableState, round: RoundState, hand: Hand): (Card | null)[] {
  const up = cardsUp(state, round, hand);
  return hand.cards.map((card, i) => (i < up ? card : null));
}

/**
 * Where the terminal knows a card that people may not know: the bank's or a player's that lies face
 * down, one for which no place in the round has been found yet, or one that is kept for the next
 * hand, whenever that comes.
 */
export function hiddenAt(state: TableState): ReadonlySet<HidingPlace> {
  const { round, shoe } = state;
  const places = new Set<HidingPlace>();
  if (round !== null && round.lines === null) {
    if (round.bankHoleDown) places.add('bank');
    for (const { seat, hands } of round.seats)
      if (hands.some((hand) => cardsUp(state, round, hand) < hand.cards.length)) places.add(seat);
  }
  if (shoe.waiting.some(({ card, why }) => card !== null && (round !== null || why === 'kept')))
    places.add('waiting');
  return places;
}

export const hidesCards = (state: TableState): boolean => hiddenAt(state).size > 0;

/**
 * A card lies face down, or is about to, that is known to the terminal and that nobody else may
 * know yet.
 */
export function isCardHidden(state: TableState): boolean {
  const due = dueCard(state);
  return [...hiddenAt(state)].some((place) => place !== 'waiting') || (due !== null && isDueFaceDown(due));
}

/** A seat with null for each card that lies face down. */
function knownSeat(state: TableState, round: RoundState, seat: RoundSeat): object {
  const hands = seat.hands.map((hand) => ({ ...hand, cards: shownCards(state, round, hand) }));
  // A hand that lies face down is the only one of its seat, and its first cards are those that
  // count.
  const counted = seat.counted?.map((card, i) => (hands[0]?.cards[i] === null ? null : card)) ?? null;
  return { ...seat, hands, counted };
}

/**
 * The state as far as people may know it: with null for each hidden card and for what the shoe said
 * of it.
 */
export function knownState(state: TableState): unknown {
  if (!hidesCards(state)) return state;
  const { round, shoe } = state;
  const bank = (round?.bank ?? []).map((card, i) => (round!.bankHoleDown && i > 0 ? null : card));
  const hidden = [
    ...(round?.bank ?? []).filter((_, i) => bank[i] === null),
    ...(round?.seats ?? []).flatMap(({ hands }) =>
      hands.flatMap((hand) => hand.cards.slice(cardsUp(state, round!, hand))),
    ),
  ];
  const noted = round?.intents?.map((intent) => {
    const up = cardsUp(state, round, handAt(round, intent.seat, intent.hand));
    return { ...intent, cards: intent.cards.map((card, i) => (i < up ? card : null)) };
  });
  return {
    ...state,
    round: round && {
      ...round,
      bank,
      seats: round.seats.map((seat) => knownSeat(state, round, seat)),
      ...(noted ? { intents: noted } : {}),
    },
    shoe: {
      ...shoe,
      counts: shoe.counts.map((count, card) => count - hidden.filter((each) => each === card).length),
      // What is missing was not read, and hides nothing.
      waiting: shoe.waiting.map((each) =>
        each.card === null ? each : { ...each, card: null, confidence: null },
      ),
    },
  };
}
