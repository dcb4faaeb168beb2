/**
 * The rounds of one simulation in parts, for as many threads as there are. Every part belongs to a
 * lane of the seed and the lanes do not hang on the threads: the same seed gives the same figures
 * on every machine.
 */
import type { Sight } from '../../engine/table/sight.ts';
import { isOfSeats, RememberedTable, sightFor } from './remembered.ts';
import { RememberedSeats } from './remembered-seats.ts';
import type { Asked, Setup } from './setup.ts';
import { type PlayedTable, SimulatedTable, type TableSetup } from './table.ts';
import type { TallySums } from './tally.ts';

/** About a quarter of a second out of memory, seat by seat or on the live table. */
const ROUNDS_REMEMBERED = 1_000_000;
const ROUNDS_OF_SEATS = 200_000;
const ROUNDS_LIVE = 20_000;
/**
 * A jackpot's meter and a streak live on from round to round, so such a table must go on where its
 * last part has ended.
 */
const LONG_LANES = 8;

export interface Played {
  readonly seed: number;
  /** Every round on the live table, none out of memory. */
  readonly isLive: boolean;
}

export class Lanes {
  /** Why every round is played live; null = rounds are remembered. */
  readonly whyLive: string | null;
  readonly roundsOfPart: number;
  readonly #setup: TableSetup;
  readonly #remembered: RememberedTable | null;
  /** What the seats are seen by, where they are played apart; null = live tables. */
  readonly #sight: Sight | null;
  /** Tables that go on, by lane. */
  readonly #tables = new Map<number, PlayedTable>();

  /** @throws CannotRun where the table cannot be set up so, with a sentence */
  constructor({ rulebook, shoe }: Asked, setup: Setup, { seed, isLive }: Played) {
    const { options, seatCount, player, laid, rules } = setup;
    this.#setup = { rulebook, options, seatCount, shoe, player, laid, seed };
    const sight = isLive ? { live: 'asked for' } : sightFor(rules, laid);
    this.whyLive = 'live' in sight ? sight.live : null;
    const isApart = !('live' in sight) && isOfSeats(sight, laid);
    this.#sight = isApart ? sight : null;
    this.roundsOfPart = 'live' in sight ? ROUNDS_LIVE : isApart ? ROUNDS_OF_SEATS : ROUNDS_REMEMBERED;
    this.#remembered = 'live' in sight || isApart ? null : new RememberedTable(this.#setup, sight);
    if (!this.#remembered) this.#tableOf(0);
  }

  /** One table of them, for the names of its tallies and its stake. */
  get table(): Pick<PlayedTable, 'tallies' | 'stakeMinor'> {
    return this.#remembered ?? this.#tableOf(0);
  }

  /** Parts of the same lane are played by one thread, in their order. */
  laneOf(part: number): number {
    return this.#remembered ? part : part % LONG_LANES;
  }

  /** What each tally comes to in this part. Parts come in ascending order. */
  play(part: number, rounds: number): readonly TallySums[] {
    const lane = this.laneOf(part);
    this.#remembered?.toLane(lane);
    const table = this.#remembered ?? this.#tableOf(lane);
    table.play(rounds);
    return table.take();
  }

  #tableOf(lane: number): PlayedTable {
    const known = this.#tables.get(lane);
    if (known) return known;
    const setup = { ...this.#setup, lane };
    const table = this.#sight ? new RememberedSeats(setup, this.#sight) : new SimulatedTable(setup);
    this.#tables.set(lane, table);
    return table;
  }
}
