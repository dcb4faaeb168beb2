import { type Card, rankOf } from '../../core/cards.ts';
import { type GameSight, kindsBy, OPEN_ROUND, type Teller } from '../../table/sight.ts';
import type { CasinoWarRules } from './rules.ts';

const OPTIONS = {
  game: 'state',
  decks: 'state',
  seats: 'state',
  cardSource: 'state',
  cutFromEnd: 'state',
  tieBet: 'state',
  sideBetMax: 'state',
  tieBettorMain: 'state',
  warBurn: 'state',
  min: 'state',
  max: 'state',
  step: 'state',
} as const satisfies Record<keyof CasinoWarRules, string>;

/** art. 4: ranks count, suits never. */
const tellRanks: Teller = (cards: readonly Card[], _: unknown, tell) => tell(cards.map(rankOf));

export const CASINO_WAR_SIGHT: GameSight = {
  options: OPTIONS,
  of: (rules) => ({
    ...OPEN_ROUND,
    mostSeats: 2,
    apart: {
      rules: {},
      needsBank: () => true,
      // art. 7.5: burnt before each card, the burns of one challenge lie between those of another.
      oneAtATime: (rules as CasinoWarRules).warBurn === 'perCard',
      isOfTable: () => false,
      passRounds: () => {},
    },
    kinds: kindsBy(rankOf),
    leftOut: {},
    tellers: { 'hands.cards': tellRanks, 'round.bank': tellRanks },
  }),
};
