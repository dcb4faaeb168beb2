import { type Card, rankOf } from '../../core/cards.ts';
import { type GameSight, kindsBy, OPEN_ROUND, type Tell } from '../../table/sight.ts';
import type { RoundState } from '../../table/state.ts';
import { isPair, pointsOf } from './drawing.ts';
import type { BaccaratRules } from './rules.ts';

/**
 * Points, how many cards, and whether the first two are a pair; of the Player's third card its
 * points.
 */
function tellSide(cards: readonly Card[], tell: Tell, third: boolean): void {
  tell(cards.length);
  if (cards.length === 1) tell(rankOf(cards[0]!));
  if (cards.length < 2) return;
  tell(pointsOf(cards));
  tell(isPair(cards));
  if (third && cards.length > 2) tell(pointsOf(cards.slice(2)));
}

/**
 * What each option has to do with the cards: `state` = what it does is seen in the state itself.
 */
const OPTIONS = {
  game: 'state',
  decks: 'state',
  seats: 'state',
  layouts: 'state',
  cardSource: 'state',
  cutFromEnd: 'state',
  // The face of the first burnt card goes into how many are burnt.
  burn: 'state',
  burnFirstCardCounts: 'state',
  demoRounds: 'state',
  lastRound: 'state',
  faceUpDeal: 'state',
  commission: 'points and number of cards',
  commissionRounding: 'state',
  halfRounding: 'state',
  pairs: 'ranks of the first two cards',
  lucky6: 'points and number of cards',
  authorisedBets: 'points and number of cards, ranks of the first two cards',
  sideBetMax: 'state',
  min: 'state',
  max: 'state',
  step: 'state',
} as const satisfies Record<keyof BaccaratRules, string>;

export const BACCARAT_SIGHT: GameSight = {
  options: OPTIONS,
  of: () => ({
    ...OPEN_ROUND,
    mostSeats: 12,
    kinds: kindsBy(rankOf),
    leftOut: { 'shoe.coups': 'for the roads' },
    tellers: {
      'round.playerSide': (cards: readonly Card[], _: RoundState, tell) => tellSide(cards, tell, true),
      'round.bank': (cards: readonly Card[], _: RoundState, tell) => tellSide(cards, tell, false),
    },
  }),
};
