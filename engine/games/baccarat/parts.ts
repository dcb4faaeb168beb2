import type { Card } from '../../core/cards.ts';
import type { RoundState } from '../../table/state.ts';
import type { Coup } from './roads.ts';

// What the state holds of baccarat.

declare module '../../table/state.ts' {
  interface ShoeParts {
    /**
     * The finished rounds of this shoe, of a shuffler the newest, for its roads; those shown
     * without bets are among them.
     */
    coups: Coup[];
  }
  interface RoundParts {
    /** The hand of the Player side; `bank` is the Banker side. */
    playerSide: Card[];
  }
  interface LaidParts {
    readonly playerSide: readonly Card[];
  }
}
declare module '../../table/events-round.ts' {
  interface SettlementFacts {
    /**
     * So many of the oldest rounds of the roads are forgotten, before this one is added. Absent =
     * none.
     */
    readonly coupsGone?: number;
  }
}
declare module '../../table/steps.ts' {
  interface FurtherSteps {
    'draw-for-player-side': true;
  }
}
declare module '../../table/game.ts' {
  interface GameView {
    /** null = another game is played */
    playerSide: { readonly cards: readonly Card[]; readonly points: number | null } | null;
    coups: readonly Coup[] | null;
  }
}

export const BACCARAT_PARTS = {
  shoe: () => ({ coups: [] }),
  round: () => ({ playerSide: [] }),
  laid: ({ playerSide }: RoundState) => ({ playerSide }),
};
