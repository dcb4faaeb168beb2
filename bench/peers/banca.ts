/** Our own engine: whole rounds at its table, dealer, players and shoe in one. */
import { setUp } from '../../cli/simulate/setup.ts';
import { SimulatedTable } from '../../cli/simulate/table.ts';
import type { GameId } from '../../engine/rules/rulebook.ts';
import type { TableEvent } from '../../engine/table/events.ts';
import type { OptionValue, RulebookId } from '../../engine/table/profile.ts';
import { STRATEGY_ID } from './basic-strategy.ts';
import type { Peer } from './peer.ts';

/**
 * `silent`: `simulate`, nobody listens. `events`: `advance`, every event is made, as at the live
 * table.
 */
export const ROADS = ['silent', 'events'] as const;
export type Road = (typeof ROADS)[number];
export const SEAT_COUNTS = [1, 7] as const;
export const GAMES = ['blackjack', 'baccarat', 'casino-war'] as const satisfies readonly GameId[];

interface TableOf {
  readonly rulebook: RulebookId;
  readonly strategy: string | null;
  readonly options: Readonly<Record<string, OptionValue>> | null;
  readonly bet: string;
}

const TABLES: Readonly<Record<GameId, TableOf>> = {
  blackjack: { rulebook: 'macau-blackjack-2009', strategy: STRATEGY_ID, options: null, bet: 'main' },
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
  readonly game: GameId;
  readonly seats: number;
  readonly road: Road;
}

export const nameOf = ({ game, seats, road }: OwnCase): string => `banca ${game} ${seats} ${road}`;

export const OWN_CASES: readonly OwnCase[] = GAMES.flatMap((game) =>
  SEAT_COUNTS.flatMap((seats) => ROADS.map((road) => ({ game, seats, road }))),
);

/** A table with `seats` players of one stake each, its shoes dealt to the end card. */
export function tableOf(
  { game, seats, road }: OwnCase,
  listener: (events: readonly TableEvent[]) => void,
): SimulatedTable {
  const { bet, ...table } = TABLES[game];
  const [setup] = setUp({ ...table, seats, shoe: 'cut' });
  const { options, seatCount, player } = setup!;
  const { rulebook } = table;
  const laid = Array.from({ length: seats }, (_, i) => ({ seat: i + 1, bet, as: bet }));
  const told = road === 'events' ? { listener } : {};
  return new SimulatedTable({ rulebook, options, seatCount, shoe: 'cut', seed: 1, player, laid, ...told });
}

export const ownPeer = (own: OwnCase): Peer => ({
  async load() {
    let events = 0;
    const table = tableOf(own, (made) => {
      events += made.length;
    });
    const credit = (): number => table.state.seats.reduce((sum, { creditMinor }) => sum + creditMinor, 0);
    return (rounds) => {
      const before = credit();
      for (let i = 0; i < rounds; i++) table.playRound();
      if (own.road === 'events' && events === 0) throw new Error('no events were made');
      return (credit() - before) / (table.stakeMinor * own.seats);
    };
  },
});
