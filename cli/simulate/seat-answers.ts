/**
 * What the live table has answered about a seat that is alone with the bank, and whole rounds of
 * all seats, which it plays where a seat alone does not say it.
 */
import type { Card } from '../../engine/core/cards.ts';
import { dueCard } from '../../engine/table/due.ts';
import type { SettlementLine } from '../../engine/table/settlement.ts';
import type { Apart, Sight } from '../../engine/table/sight.ts';
import type { RoundState, TableState } from '../../engine/table/state.ts';
import { DoesNotHold } from '../command.ts';
import { Answers, MOST_STATES, note, SLOTS, UNKNOWN } from './answers.ts';
import type { LiveTable, Snapshot } from './live-table.ts';
import type { SimulatedShoe } from './shoe.ts';

/** Whose the next card is: everybody's; the seat's, one in its turn; the seat's, and the next. */
export const EVERYBODYS = 0;
export const ONE = 1;
export const TURN = 2;
/** Everybody's, but this seat does not ask for it. */
export const OTHERS = 3;

export type Series = TableState['streaks'];
export type Jackpots = TableState['jackpots'];

interface Start {
  readonly state: number;
  readonly series: number;
  readonly snapshot: Snapshot;
}

/** A round of all seats. */
export interface Whole {
  readonly lines: readonly SettlementLine[];
  readonly series: Series;
  readonly jackpots: Jackpots;
  readonly after: number;
}

/** What does not stand in the lines of the seat alone. */
interface EndOfSeat {
  readonly series: number;
  readonly needsBank: boolean;
  readonly isOfTable: boolean;
}

export class SeatAnswers extends Answers {
  /** By state. */
  readonly dues = new Uint8Array(MOST_STATES + 1);
  readonly seatEnds: EndOfSeat[] = [{ series: 0, needsBank: false, isOfTable: false }];
  /** What may run on a seat when a round begins, as if it were the first seat; 0 = nothing. */
  readonly series: Series[] = [[]];
  readonly #seriesIds = new Map<string, number>([['[]', 0]]);
  readonly #apart: Apart;
  /** By kind of the seat, by beginning, by series. */
  readonly #starts: readonly (Start | undefined)[][][];
  /** By seat: seats with the same bets have the same number. */
  readonly #kinds: readonly number[];

  constructor(live: LiveTable, shoe: SimulatedShoe, sight: Sight) {
    super(live, shoe, sight, false);
    const seats = [...new Set(live.laid.map(({ seat }) => seat))];
    // Nobody else asks for the bank's cards.
    this.#apart = seats.length === 1 ? { ...sight.apart!, rules: {}, needsBank: () => true } : sight.apart!;
    const betsOf = (at: number): string =>
      live.laid
        .flatMap(({ seat, bet, amountMinor }) => (seat === at ? [`${bet} ${amountMinor}`] : []))
        .join();
    const kinds = [...new Set(seats.map(betsOf))];
    this.#kinds = Array.from({ length: Math.max(...seats) + 1 }, (_, at) => kinds.indexOf(betsOf(at)));
    this.#starts = kinds.map(() => []);
    this.beginning();
  }

  /** A seat when a round begins; seats with the same bets share it. */
  start(beginning: number, seat: number, series: number): Start {
    const ofKind = this.#starts[this.#kinds[seat]!]!;
    ofKind[beginning] ??= [];
    let start = ofKind[beginning][series];
    if (start === undefined) {
      const { live } = this;
      const { snapshot } = this.beginnings[beginning]!;
      const rules = { ...snapshot.rules!, ...this.#apart.rules };
      const laid = live.laid.filter((one) => one.seat === seat).map((one) => ({ ...one, seat: 1 }));
      live.reopen({ ...snapshot, rules }, this.series[series]!, laid);
      this.noCards();
      start = { state: this.state(), series, snapshot: live.snapshot() };
      if (start.state === UNKNOWN) throw new Error('no room for the beginning of a round');
      start.snapshot.shoe.counts.fill(0);
      ofKind[beginning][series] = start;
    }
    return start;
  }

  /** What the seat has come to with the first `count` of these cards: a state, or minus an end. */
  walk({ state, series, snapshot }: Start, cards: Uint8Array, count: number): number {
    this.live.restore(snapshot);
    this.ask();
    this.outside = series;
    let at = state;
    for (let i = 0; i < count; i++) at = this.take(at, cards[i] as Card, cards[this.hiddenAt] as Card);
    return at;
  }

  /** Of the last walk. */
  get walked(): {
    readonly aside: readonly number[];
    /** Kinds of the first cards of hands that wait, the next one last. */
    readonly waiting: readonly number[];
    readonly lines: readonly SettlementLine[];
  } {
    const { aside, lines } = this;
    return { aside, waiting: this.waiting.map((card) => this.sight.kinds[card]!).reverse(), lines };
  }

  /**
   * The round that began at `from`, on the table with all its seats. Cards that are not drawn yet
   * are drawn.
   * @param passed rounds since the meters stood so
   */
  whole(beginning: number, from: number, series: Series, jackpots: Jackpots, passed: number): Whole {
    const { live, shoe } = this;
    const { state } = live;
    const { snapshot, endAt, isEnded } = this.beginnings[beginning]!;
    live.reopen(snapshot, series, live.laid);
    this.passed(jackpots, passed);
    state.shoe.counts.fill(0);
    for (let i = 0; i < from; i++) state.shoe.counts[shoe.cards[i]!]! += 1;
    state.shoe.drawn = from;
    let isSettled = false;
    let at = from;
    for (; !isSettled; at++) {
      if (at === endAt) live.endCard();
      isSettled = live.feed(at < shoe.drawn ? (shoe.cards[at] as Card) : shoe.draw());
    }
    if (at < shoe.drawn)
      throw new DoesNotHold(`the table has taken ${at - from} cards, the seats ${shoe.drawn - from}`);
    const lines = state.round!.lines!;
    const outlives = { series: state.streaks, jackpots: structuredClone(state.jackpots) };
    const slot = this.slot(isEnded, state.shoe.ended, shoe.left);
    state.streaks = [];
    live.hasGathered = false;
    live.end();
    live.begin();
    const next = this.beginning();
    const after = live.hasGathered ? -next : next;
    note(this.after, beginning * SLOTS + slot, after);
    return { lines, after, ...outlives };
  }

  /** The meters after so many rounds without a prize. */
  passed(jackpots: Jackpots, rounds: number): Jackpots {
    const { state } = this.live;
    state.jackpots = structuredClone(jackpots);
    this.#apart.passRounds(state, rounds);
    return structuredClone(state.jackpots);
  }

  /** The number of a series, whatever seat it runs on. */
  seriesOf(series: Series): number {
    const first = series.map((one) => ({
      ...one,
      seat: 1,
      open: one.open.map((bet) => ({ ...bet, by: 1 })),
    }));
    const key = JSON.stringify(first);
    let id = this.#seriesIds.get(key);
    if (id === undefined) {
      id = this.series.length;
      this.series.push(first);
      this.#seriesIds.set(key, id);
    }
    return id;
  }

  protected override state(): number {
    const at = super.state();
    if (at !== UNKNOWN) this.dues[at / this.width] = this.#due();
    return at;
  }

  #due(): number {
    const { state } = this.live;
    if (dueCard(state)?.to === 'seat') return state.phase === 'dealing' ? ONE : TURN;
    return state.phase === 'bank' && !this.#apart.needsBank(state.round!) ? OTHERS : EVERYBODYS;
  }

  protected override end(state: TableState, round: RoundState): number {
    const { isOfTable, needsBank } = this.#apart;
    const series = this.seriesOf(state.streaks);
    const isNeeded = needsBank(round);
    // What such a line pays is asked of the table.
    const lines = round.lines!.map((line) =>
      isOfTable(line) ? { ...line, baseMinor: 0, odds: null, returnedMinor: 0, netMinor: 0 } : line,
    ) as unknown as readonly SettlementLine[];
    const end = this.endOf(state, { ...round, lines }, ` ${series} ${isNeeded}`);
    if (end !== UNKNOWN)
      this.seatEnds[end] ??= { series, needsBank: isNeeded, isOfTable: lines.some(isOfTable) };
    return end;
  }
}
