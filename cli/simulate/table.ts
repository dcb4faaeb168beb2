/**
 * A table of the engine that plays rounds one after the other, with its shoe and what its bets come
 * to.
 */

import type { Card } from '../../engine/core/cards.ts';
import type { SettlementLine } from '../../engine/table/settlement.ts';
import type { TableState } from '../../engine/table/state.ts';
import { type LiveSetup, LiveTable } from './live-table.ts';
import { SimulatedShoe } from './shoe.ts';
import { Tallies } from './tallies.ts';
import type { Tally, TallySums } from './tally.ts';

export interface TableSetup extends LiveSetup {
  readonly seed: number;
  /** Which of the lanes of this seed its cards come from; 0 if nothing is said. */
  readonly lane?: number;
}

/** A table that `banca simulate` plays, by whatever road. */
export interface PlayedTable {
  readonly stakeMinor: number;
  /** What each kind of bet has cost and brought, prizes of their own last. */
  readonly tallies: readonly Tally[];
  /** Of the round that was played last. */
  readonly lines: readonly SettlementLine[];
  play(rounds: number): void;
  /** What is left of the last block counts too. */
  finish(): void;
  /** What `tallies` have come to, after `finish`; they begin again with nothing. */
  take(): readonly TallySums[];
}

export class SimulatedTable implements PlayedTable {
  readonly state: TableState;
  readonly tallies: readonly Tally[];
  readonly stakeMinor: number;
  readonly #live: LiveTable;
  readonly #shoe: SimulatedShoe;
  readonly #counted: Tallies;
  #hasPlayed = false;
  #lines: readonly SettlementLine[] = [];

  /** @throws CannotRun where the table cannot be set up so, with a sentence */
  constructor(setup: TableSetup) {
    this.#live = new LiveTable(setup);
    this.state = this.#live.state;
    this.stakeMinor = this.#live.stakeMinor;
    this.#shoe = new SimulatedShoe(this.state.rules!.decks, setup.seed, setup.shoe);
    this.#shoe.toLane(setup.lane ?? 0);
    this.#counted = new Tallies(setup, this.#live);
    this.tallies = this.#counted.all;
  }

  /** Of the round that was played last. */
  get lines(): readonly SettlementLine[] {
    return this.#lines;
  }

  play(rounds: number): void {
    for (let i = 0; i < rounds; i++) this.playRound();
  }

  /**
   * One whole round with its bets, cards, decisions, settlement and closing; cards are made ready
   * first where due.
   */
  playRound(): void {
    const live = this.#live;
    live.begin();
    this.#gather();
    while (!live.feed(this.#draw())) {}
    this.#lines = this.state.round!.lines!;
    this.#counted.add(this.#lines);
    live.end();
    this.#counted.endRound();
    this.#gather();
    this.#hasPlayed = true;
  }

  finish(): void {
    this.#counted.finish();
  }

  take(): TallySums[] {
    return this.#counted.take();
  }

  /** The cards are in the shoe again where the table has them all back. */
  #gather(): void {
    if (!this.#live.hasGathered) return;
    this.#live.hasGathered = false;
    this.#shoe.gather();
    if (this.#hasPlayed) this.#counted.endShoe();
  }

  #draw(): Card {
    const { ended, endCardBehind } = this.state.shoe;
    if (!ended && endCardBehind === this.#shoe.left) this.#live.endCard();
    return this.#shoe.draw();
  }
}
