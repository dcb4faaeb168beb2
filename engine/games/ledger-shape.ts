import type { Shape } from '../table/shape.ts';
import { BACCARAT_PARTS } from './baccarat/parts.ts';
import { BLACKJACK_PARTS } from './blackjack/parts.ts';
import { CASINO_WAR_PARTS } from './casino-war/parts.ts';

/**
 * The form in which a state stands in the ledger, and in which it is hashed: every state has the
 * members of these three games, whichever is played. It has been so since the first ledger. A later
 * game adds its members where it is played (`Game.parts`).
 */
export const LEDGER_SHAPE: Shape = {
  table: BLACKJACK_PARTS.table,
  profile: BLACKJACK_PARTS.profile,
  shoe: BACCARAT_PARTS.shoe,
  round: (round) => {
    const { forfeits, bankLooked, offers, prizes } = BLACKJACK_PARTS.round();
    const { playerSide } = BACCARAT_PARTS.round();
    const { warBurned } = CASINO_WAR_PARTS.round();
    return { ...round, forfeits, bankLooked, offers, prizes, playerSide, warBurned };
  },
  seat: BLACKJACK_PARTS.seat,
  bettor: BLACKJACK_PARTS.bettor,
  hand: BLACKJACK_PARTS.hand,
  laid: BACCARAT_PARTS.laid,
};
