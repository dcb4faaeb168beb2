/** Our own engine: whole rounds at its table, dealer, players and shoe in one. */

import { isOfSeats, RememberedTable, sightFor } from '../../cli/simulate/remembered.ts';
import { RememberedSeats } from '../../cli/simulate/remembered-seats.ts';
import { setUp } from '../../cli/simulate/setup.ts';
import { type PlayedTable, SimulatedTable, type TableSetup } from '../../cli/simulate/table.ts';
import type { GameId, TableRules } from '../../engine/rules/rulebook.ts';
import type { TableEvent } from '../../engine/table/events.ts';
import type { OptionValue, RulebookId } from '../../engine/table/profile.ts';
import { STRATEGY_ID } from './basic-strategy.ts';
import type { Peer } from './peer.ts';

/**
 * `silent`: the live table, nobody listens. `events`: its events are handed on. `remembered`: out
 * of what it has answered before, as `banca simulate` plays.
 */
export const ROADS = ['silent', 'events', 'remembered'] as const;
export type Road = (typeof ROADS)[number];
export const SEAT_COUNTS = [1, 7] as const;
export const GAMES = ['blackjack', 'baccarat', 'casino-war'] as const satisfies readonly GameId[];

/** What is played: a game, or one of its tables that leaves something out. */
export const PLAYED = [...GAMES, 'blackjack without prize'] as const;
type Played = (typeof PLAYED)[number];

interface TableOf {
  readonly rulebook: RulebookId;
  readonly strategy: string | null;
  readonly options: Readonly<Record<string, OptionValue>> | null;
  readonly bet: string;
}

const TABLES: Readonly<Record<Played, TableOf>> = {
  blackjack: { rulebook: 'macau-blackjack-2009', strategy: STRATEGY_ID, options: null, bet: 'main' },
  'blackjack without prize': {
    rulebook: 'macau-blackjack-2009',
    strategy: STRATEGY_ID,
    options: { specialPrize: false },
    bet: 'main',
  },
  baccarat: { rulebook: 'macau-baccarat', strategy: null, options: null, bet: 'banker' },
  'casino-war': {
    rulebook: 'macau-casino-war',
    strategy: 'always-war',
    // With several challenges at once the last round of a shoe needs what lies behind the end card.
    options: { cutFromEnd: 20, warBurn: 'once' },
    bet: 'main',
  },
};

export interface OwnCase {
  readonly played: Played;
  readonly seats: number;
  readonly road: Road;
}

export const nameOf = ({ played, seats, road }: OwnCase): string => `banca ${played} ${seats} ${road}`;

/** With whose programs it is compared. */
export const gameOf = ({ played }: OwnCase): GameId =>
  played === 'blackjack without prize' ? 'blackjack' : played;

export const OWN_CASES: readonly OwnCase[] = [
  ...GAMES.flatMap((played) =>
    SEAT_COUNTS.flatMap((seats) => ROADS.map((road) => ({ played, seats, road }))),
  ),
  { played: 'blackjack without prize', seats: 1, road: 'remembered' },
];

/** A table with `seats` players of one stake each, its shoes dealt to the end card. */
export function tableOf(
  own: OwnCase,
  listener: (events: readonly TableEvent[]) => void = () => {},
): PlayedTable {
  const { setup, rules } = setupOf(own);
  if (own.road !== 'remembered')
    return new SimulatedTable(own.road === 'events' ? { ...setup, listener } : setup);
  const sight = sightFor(rules, setup.laid);
  if ('live' in sight) throw new Error(`${setup.rulebook}: ${sight.live}`);
  return isOfSeats(sight, setup.laid) ? new RememberedSeats(setup, sight) : new RememberedTable(setup, sight);
}

export function setupOf({ played, seats }: Pick<OwnCase, 'played' | 'seats'>): {
  readonly setup: TableSetup;
  readonly rules: TableRules;
} {
  const table = TABLES[played];
  const { rulebook, bet } = table;
  const asked = { rulebook, strategy: table.strategy, options: filled(table), seats, shoe: 'cut' as const };
  const { options, seatCount, player, rules } = setUp(asked)[0]!;
  const laid = Array.from({ length: seats }, (_, i) => ({ seat: i + 1, bet, as: bet }));
  return { setup: { rulebook, options, seatCount, shoe: 'cut', seed: 1, player, laid }, rules };
}

/** Options of one's own are those of the strategy but for what is named. */
function filled({ rulebook, strategy, options }: TableOf): TableOf['options'] {
  if (strategy !== STRATEGY_ID || options === null) return options;
  const [fitted] = setUp({ rulebook, strategy, options: null, seats: 1, shoe: 'cut' });
  return { ...fitted!.options, ...options };
}

/** Time of the processor: a new table's first 10^5 rounds and first 10^6. */
export interface Filling {
  readonly first100kSeconds: number;
  readonly first1mSeconds: number;
}

export function fillingOf(own: OwnCase): Filling {
  const before = process.cpuUsage();
  const since = (): number => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1e6;
  };
  const table = tableOf(own);
  table.play(100_000);
  const first100kSeconds = since();
  table.play(900_000);
  return { first100kSeconds, first1mSeconds: since() };
}

export const ownPeer = (own: OwnCase): Peer => ({
  async load() {
    let events = 0;
    const table = tableOf(own, (made) => {
      events += made.length;
    });
    // Until the table has seen what a round can be.
    if (own.road === 'remembered') table.play(own.seats === 1 ? 60_000_000 : 4_000_000);
    table.finish();
    const won = (): number =>
      table.tallies.reduce(
        (sum, { sums: { wageredMinor, returnedMinor } }) => sum + returnedMinor - wageredMinor,
        0,
      );
    return (rounds) => {
      const before = won();
      table.play(rounds);
      table.finish();
      if (own.road === 'events' && events === 0) throw new Error('no events were made');
      return (won() - before) / (table.stakeMinor * own.seats);
    };
  },
});
