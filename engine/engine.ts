/** The engine as the other rooms use it: the table, and the games it can play. */
import { BACCARAT } from './games/baccarat/baccarat.ts';
import { BACCARAT_ROWS } from './games/baccarat/events.ts';
import { BLACKJACK } from './games/blackjack/blackjack.ts';
import { BLACKJACK_ROWS } from './games/blackjack/events.ts';
import { CASINO_WAR } from './games/casino-war/casino-war.ts';
import { CASINO_WAR_ROWS } from './games/casino-war/events.ts';
import { LEDGER_SHAPE } from './games/ledger-shape.ts';
import type { Rows } from './table/event-row.ts';
import { type EventBodies, TABLE_ROWS } from './table/events.ts';
import type { Act } from './table/inputs.ts';
import { gamesHandedIn, handIn } from './table/registry.ts';
import { giveShape } from './table/shape.ts';

giveShape(LEDGER_SHAPE);
for (const game of [BLACKJACK, BACCARAT, CASINO_WAR]) handIn(game);

export * from './table/table.ts';
export { BACCARAT, BLACKJACK, CASINO_WAR, handIn };

/** Every decision that a game knows which has been handed in by now. */
export const knownActs = (): Act[] => gamesHandedIn().flatMap(({ acts }) => acts);
/** Those of the games above. */
export const ACTS: readonly Act[] = knownActs();

/** Every event of the table and of these games has its row: one that has none does not compile. */
export const EVENT_ROWS = {
  ...TABLE_ROWS,
  ...BLACKJACK_ROWS,
  ...BACCARAT_ROWS,
  ...CASINO_WAR_ROWS,
} as const satisfies Rows<EventBodies>;
