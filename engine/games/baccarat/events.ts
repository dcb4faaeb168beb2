import type { Rows } from '../../table/event-row.ts';
import { type FromShoe, takeCard } from '../../table/events-shoe.ts';

/** What happens in a round of baccarat and in no other. */
export interface BaccaratEvents {
  'player-side-card-dealt': FromShoe;
}

declare module '../../table/events.ts' {
  interface EventBodies extends BaccaratEvents {}
}

export const BACCARAT_ROWS = {
  'player-side-card-dealt': {
    apply(state, { card, drawNo, waited }) {
      const round = state.round!;
      takeCard(state, card, drawNo, waited);
      round.playerSide.push(card);
      round.cardCount += 1;
    },
    postings: null,
    codes: ['403'],
    words: 'event.player-side-card-dealt',
  },
} as const satisfies Rows<BaccaratEvents>;
