/**
 * Rounds of several seats, and of series and meters that live on, out of what the live table has
 * answered about a seat alone; and the proof that they are those that the whole table would play.
 */
import { type Card, cardName } from '../../engine/core/cards.ts';
import { isSame } from '../../engine/core/same.ts';
import type { SettlementLine } from '../../engine/table/settlement.ts';
import type { Sight } from '../../engine/table/sight.ts';
import { DoesNotHold } from '../command.ts';
import { MOST_ENDS, NO_CARD, SLOTS, STEPS, UNKNOWN, WAITED } from './answers.ts';
import { LiveTable } from './live-table.ts';
import { LAST_OF_SELDOM, REPLAYED } from './remembered.ts';
import { EVERYBODYS, type Jackpots, ONE, OTHERS, SeatAnswers, type Series, TURN } from './seat-answers.ts';
import { SimulatedShoe } from './shoe.ts';
import type { PlayedTable, TableSetup } from './table.ts';
import { Tallies } from './tallies.ts';
import type { Tally, TallySums } from './tally.ts';

const MOST_CARDS = 64;

/** A seat in the round that is played. */
class Played {
  readonly seat: number;
  start!: ReturnType<SeatAnswers['start']>;
  /** A state, or minus an end. */
  at = UNKNOWN;
  /** Its own cards and everybody's. */
  readonly cards = new Uint8Array(MOST_CARDS);
  count = 0;
  readonly aside = new Uint8Array(MOST_CARDS);
  asides = 0;
  /** Kinds of the first cards of hands that wait, the next one last. */
  readonly waiting = new Uint8Array(MOST_CARDS);
  waits = 0;
  /** That runs here, before the round. */
  series = 0;
  /** By end: what its lines add to the tallies. */
  readonly amounts: (Float64Array | undefined)[] = [];

  constructor(seat: number) {
    this.seat = seat;
  }
}

export class RememberedSeats implements PlayedTable {
  readonly stakeMinor: number;
  readonly tallies: readonly Tally[];
  readonly #counted: Tallies;
  readonly #answers: SeatAnswers;
  readonly #shoe: SimulatedShoe;
  readonly #sight: Sight;
  readonly #fresh: boolean;
  readonly #seats: readonly Played[];
  readonly #sums: Float64Array;
  readonly #mains: Float64Array;
  readonly #seen = new Uint8Array(MOST_ENDS);
  /** Where the next round begins; minus: the cards are gathered first. */
  #then: number;
  #played = 0;
  #wholes = 0;
  /** The meters when they were seen last, and the rounds since. */
  #jackpots: Jackpots;
  #passed = 0;
  /** Of the last round, where the table has played it. */
  #lines: readonly SettlementLine[] | null = null;

  /** @throws CannotRun where the table cannot be set up so, with a sentence */
  constructor(setup: TableSetup, sight: Sight) {
    const live = new LiveTable(setup);
    live.begin();
    this.stakeMinor = live.stakeMinor;
    this.#counted = new Tallies(setup, live);
    this.tallies = this.#counted.all;
    this.#sums = this.#counted.none();
    this.#mains = this.#counted.none();
    this.#counted.addMains(this.#mains);
    this.#fresh = setup.shoe === 'fresh';
    this.#sight = sight;
    this.#shoe = new SimulatedShoe(live.state.rules!.decks, setup.seed, setup.shoe);
    this.#shoe.toLane(setup.lane ?? 0);
    this.#jackpots = structuredClone(live.state.jackpots);
    this.#answers = new SeatAnswers(live, this.#shoe, sight);
    this.#seats = [...new Set(live.laid.map(({ seat }) => seat))]
      .sort((a, b) => a - b)
      .map((seat) => new Played(seat));
    this.#then = this.#answers.first;
  }

  /** How much is known by now; how often the live table was asked, and played a whole round. */
  get known(): {
    readonly states: number;
    readonly ends: number;
    readonly asked: number;
    readonly fed: number;
  } {
    const { states, ends, fed } = this.#answers;
    return { states, ends: ends.length - 1, asked: this.#wholes, fed };
  }

  /** Of the round that was played last, seat by seat. */
  get lines(): readonly SettlementLine[] {
    return this.#lines ?? this.#seats.flatMap((played) => this.#linesOf(played));
  }

  /** That run on seats now. */
  get series(): Series {
    return this.#seats.flatMap(({ seat, series }) => this.#seriesOn(seat, series));
  }

  /** The meters as they stand now. */
  get jackpots(): Jackpots {
    return this.#answers.passed(this.#jackpots, this.#passed);
  }

  play(rounds: number): void {
    for (let i = 0; i < rounds; i++) this.#round();
  }

  finish(): void {
    this.#counted.finish();
  }

  take(): TallySums[] {
    return this.#counted.take();
  }

  #round(): void {
    const answers = this.#answers;
    const { beginnings, after } = answers;
    const shoe = this.#shoe;
    const seats = this.#seats;
    let then = this.#then;
    this.#played += 1;
    if (then < 0) {
      shoe.gather();
      if (!this.#fresh) this.#counted.endShoe();
      then = -then;
    }
    while (beginnings[then]!.isPreparing) then = answers.prepare(then, shoe.draw());
    const from = shoe.drawn;
    const { isEnded, endAt } = beginnings[then]!;
    for (const played of seats) {
      played.start = answers.start(then, played.seat, played.series);
      played.at = played.start.state;
      played.count = 0;
      played.asides = 0;
      played.waits = 0;
    }
    this.#lines = null;
    const isApart = this.#deal() && this.#isApart();
    const isOut = isEnded || (from <= endAt && endAt < shoe.drawn);
    // Where the table says how the round goes on, cards are still to come.
    let follows = isApart ? after[then * SLOTS + answers.slot(isEnded, isOut, shoe.left)]! : UNKNOWN;
    if (!isApart || follows === UNKNOWN || this.#played % REPLAYED === 0 || this.#isSeldom())
      follows = this.#whole(then, from, isApart, follows);
    else {
      this.#passed += 1;
      this.#count();
      for (const played of seats) played.series = answers.seatEnds[-played.at]!.series;
    }
    this.#counted.endRound();
    this.#then = follows;
  }

  /** Gives the cards of a round to its seats; false where the table must say how it goes on. */
  #deal(): boolean {
    const { dues, width } = this.#answers;
    const { oneAtATime } = this.#sight.apart!;
    const shoe = this.#shoe;
    const seats = this.#seats;
    for (;;) {
      let isGiven = false;
      let isAsked = false;
      let open = 0;
      for (let i = 0; i < seats.length; i++) {
        const played = seats[i]!;
        while (played.at > 0) {
          const due = dues[played.at / width]!;
          if (due === EVERYBODYS || due === OTHERS) {
            if (due === EVERYBODYS) isAsked = true;
            break;
          }
          if (due === TURN && oneAtATime && this.#openSeats() > 1) return false;
          if (!this.#give(played, shoe.draw())) return false;
          isGiven = true;
          if (due === ONE) break;
        }
        if (played.at > 0) open += 1;
      }
      if (isGiven) continue;
      if (open === 0) return true;
      if (!isAsked) return false;
      const card = shoe.draw();
      for (let i = 0; i < seats.length; i++)
        if (seats[i]!.at > 0 && !this.#give(seats[i]!, card)) return false;
    }
  }

  #openSeats(): number {
    let open = 0;
    for (const { at } of this.#seats) if (at > 0) open += 1;
    return open;
  }

  /** False: there is no room for what the seat comes to. */
  #give(played: Played, card: Card): boolean {
    const { next, step, width, turns, laysAside, holdsBack } = this.#answers;
    const { kinds, hiddenKinds } = this.#sight;
    played.cards[played.count++] = card;
    let to = next[played.at + kinds[card]!]!;
    if (to <= STEPS) {
      const made = STEPS - to;
      if (laysAside[made] !== 0) played.aside[played.asides++] = laysAside[made]!;
      if (holdsBack[made] !== 0) played.waiting[played.waits++] = holdsBack[made]! - 1;
      const turned = turns[made]!;
      let asked = 0;
      if (turned === WAITED) asked = played.waiting[--played.waits]!;
      else if (turned !== NO_CARD) asked = hiddenKinds[played.cards[turned]!]!;
      to = step[made * width + asked]!;
    }
    if (to === UNKNOWN) {
      to = this.#answers.walk(played.start, played.cards, played.count);
      const { aside, waiting } = this.#answers.walked;
      played.aside.set(aside);
      played.asides = aside.length;
      played.waiting.set(waiting);
      played.waits = waiting.length;
    }
    played.at = to;
    return to !== UNKNOWN;
  }

  /** The seats alone say what the round comes to. */
  #isApart(): boolean {
    const { seatEnds } = this.#answers;
    let isNeeded = false;
    for (let i = 0; i < this.#seats.length; i++) {
      const { isOfTable, needsBank } = seatEnds[-this.#seats[i]!.at]!;
      if (isOfTable) return false;
      isNeeded ||= needsBank;
    }
    return isNeeded;
  }

  #isSeldom(): boolean {
    let isSeldom = false;
    for (let i = 0; i < this.#seats.length; i++) {
      const end = -this.#seats[i]!.at;
      const seen = this.#seen[end]!;
      if (seen === LAST_OF_SELDOM) continue;
      this.#seen[end] = seen + 1;
      // One less than a power of two.
      if ((seen & (seen + 1)) === 0) isSeldom = true;
    }
    return isSeldom;
  }

  /** The table plays the round; what the seats alone have said of it must be the same. */
  #whole(beginning: number, from: number, isApart: boolean, follows: number): number {
    this.#wholes += 1;
    if (isApart) this.#passed += 1;
    const answers = this.#answers;
    const remembered = isApart ? this.lines : null;
    const told = isApart ? this.#seats.map(({ at }) => answers.seatEnds[-at]!.series) : null;
    const whole = answers.whole(
      beginning,
      from,
      this.series,
      this.#jackpots,
      this.#passed - (isApart ? 1 : 0),
    );
    const lines = bySeat(whole.lines);
    const series = this.#seats.map(({ seat }) =>
      answers.seriesOf(whole.series.filter((one) => one.seat === seat)),
    );
    const isOther = follows !== UNKNOWN && follows !== whole.after;
    const hasMoved = isApart && !isSame(metersOf(whole.jackpots), metersOf(this.jackpots));
    if (
      (remembered && !isSame(remembered, lines)) ||
      (told && !isSame(told, series)) ||
      isOther ||
      hasMoved
    ) {
      const cards = Array.from(this.#shoe.cards.subarray(from, this.#shoe.drawn), (card) =>
        cardName(card as Card),
      );
      throw new DoesNotHold(
        `round ${this.#played} is not what the live table plays: cards ${cards.join(' ')}; remembered ${JSON.stringify(remembered)}; live ${JSON.stringify(lines)}${isOther ? '; another beginning follows' : ''}${hasMoved ? '; a meter stands elsewhere' : ''}`,
      );
    }
    this.#lines = lines;
    this.#jackpots = whole.jackpots;
    this.#passed = 0;
    for (const [i, played] of this.#seats.entries()) played.series = series[i]!;
    this.#counted.add(lines);
    return whole.after;
  }

  // ---- what it comes to ----

  #count(): void {
    const sums = this.#sums;
    sums.set(this.#mains);
    for (let i = 0; i < this.#seats.length; i++) {
      const played = this.#seats[i]!;
      if (played.asides > 0) this.#counted.addLines(this.#linesOf(played), sums);
      else {
        const amounts = played.amounts[-played.at] ?? this.#amountsOf(played);
        for (let k = 0; k < sums.length; k++) sums[k]! += amounts[k]!;
      }
    }
    this.#counted.addAmounts(sums);
  }

  #amountsOf(played: Played): Float64Array {
    const amounts = this.#counted.none();
    this.#counted.addLines(this.#linesOf(played), amounts);
    played.amounts[-played.at] = amounts;
    return amounts;
  }

  #linesOf(played: Played): SettlementLine[] {
    const { start, cards, count, seat, asides, aside, at } = played;
    const answers = this.#answers;
    const { lines, asideLines } = answers.ends[-at]!;
    const own = (line: SettlementLine): SettlementLine => ({ ...line, seat, by: seat });
    if (asides === 0) return lines.map(own);
    const laid: SettlementLine[] = [];
    for (let hand = 0; hand < asides; hand++) {
      const line = answers.together[-at] === 0 ? asideLines[aside[hand]!] : undefined;
      if (line === undefined) {
        answers.walk(start, cards, count);
        return answers.walked.lines.map(own);
      }
      laid.push({ ...own(line), hand });
    }
    return [...laid, ...lines.map(own)];
  }

  #seriesOn(seat: number, series: number): Series {
    return this.#answers.series[series]!.map((one) => ({
      ...one,
      seat,
      open: one.open.map((bet) => ({ ...bet, by: seat })),
    }));
  }
}

const metersOf = (jackpots: Jackpots): unknown =>
  jackpots.map(({ currency, meterMinor, rest }) => ({ currency, meterMinor, rest: [...rest] }));

/** The lines of a round seat by seat, those of each in their order. */
export const bySeat = (lines: readonly SettlementLine[]): SettlementLine[] =>
  lines.toSorted((a, b) => a.seat - b.seat);
