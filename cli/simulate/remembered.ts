/**
 * Rounds out of what the live table has answered before, and the proof that they are those that it
 * would play.
 */
import { type Card, cardName } from '../../engine/core/cards.ts';
import { isSame } from '../../engine/core/same.ts';
import type { TableRules } from '../../engine/rules/rulebook.ts';
import { sightOn } from '../../engine/table/looker.ts';
import type { SettlementLine } from '../../engine/table/settlement.ts';
import type { Sight, SightOf } from '../../engine/table/sight.ts';
import { DoesNotHold } from '../command.ts';
import { Answers, type Beginning, MOST_ENDS, NO_CARD, SLOTS, STEPS, UNKNOWN, WAITED } from './answers.ts';
import { type Laid, LiveTable } from './live-table.ts';
import { SimulatedShoe } from './shoe.ts';
import type { PlayedTable, TableSetup } from './table.ts';
import { Tallies } from './tallies.ts';
import type { Tally, TallySums } from './tally.ts';

/** One round of so many is played again on the live table, from the same cards. */
export const REPLAYED = 1_000;
/**
 * So is the first round that ends in one way, the second, the fourth, and so on until this one:
 * else an end that comes once in ten thousand rounds would be looked at once in ten million.
 */
export const LAST_OF_SELDOM = 64;
const MOST_HANDS = 64;
/** Rounds that wait until they are replayed one after the other, which takes half as long. */
const REPLAYS_AT_ONCE = 256;

/** What is remembered of a round, to be compared with what the live table makes of its cards. */
interface Remembered {
  readonly round: number;
  readonly beginning: number;
  /** All cards that are out at its end, and the number of its first one. */
  readonly cards: Uint8Array;
  readonly from: number;
  readonly lines: readonly SettlementLine[];
  readonly follows: number;
}

/** What the game sees of a table with these bets, or why its rounds are played live. */
export function sightFor(rules: TableRules, laid: readonly Laid[]): SightOf {
  const sight = sightOn(
    rules,
    laid.map(({ bet }) => bet),
  );
  if ('live' in sight || sight.apart || !isOfSeats(sight, laid)) return sight;
  return { live: `more than ${sight.mostSeats} seats have cards of their own` };
}

/**
 * The seats are played apart: there are too many of them, or what runs on them outlives a round.
 */
export const isOfSeats = ({ mostSeats }: Sight, laid: readonly Laid[]): boolean =>
  new Set(laid.map(({ seat }) => seat)).size > mostSeats;

export class RememberedTable implements PlayedTable {
  readonly stakeMinor: number;
  readonly tallies: readonly Tally[];
  readonly #counted: Tallies;
  readonly #answers: Answers;
  readonly #shoe: SimulatedShoe;
  readonly #sight: Sight;
  readonly #fresh: boolean;
  /** Where the next round begins; minus: the cards are gathered first. */
  #then: number;
  #played = 0;
  /** Rounds that have ended so since they were counted last. */
  readonly #ends = new Float64Array(MOST_ENDS);
  /** The same of all rounds, until LAST_OF_SELDOM. */
  readonly #seen = new Uint8Array(MOST_ENDS);
  /** End after end: wagered, returned and laid before the cards, for each tally. */
  readonly #amounts: Float64Array;
  readonly #hasAmounts = new Uint8Array(MOST_ENDS);
  /** The same of each hand laid aside, by end. */
  readonly #asideAmounts: ((Float64Array | undefined)[] | undefined)[] = [];
  /**
   * By end, once it is no longer seldom: where the next round begins while the end card is in the
   * shoe.
   */
  readonly #goesOn = new Int32Array(MOST_ENDS);
  /** How each of some plain rounds ended. */
  readonly #ended = new Int32Array(REPLAYED);
  /**
   * Of the last round: how it ended, the hands laid aside in it, and its lines where they were
   * asked for.
   */
  #end = UNKNOWN;
  readonly #aside = new Uint8Array(MOST_HANDS);
  #asides = 0;
  /** Kinds of the first cards of hands that wait in the round that is played, the next one last. */
  readonly #waiting = new Uint8Array(MOST_HANDS);
  #lines: readonly SettlementLine[] | null = null;
  #toReplay: Remembered[] = [];

  /** @throws CannotRun where the table cannot be set up so, with a sentence */
  constructor(setup: TableSetup, sight: Sight) {
    const live = new LiveTable(setup);
    live.begin();
    this.stakeMinor = live.stakeMinor;
    this.#counted = new Tallies(setup, live);
    this.tallies = this.#counted.all;
    this.#amounts = new Float64Array(MOST_ENDS * this.#counted.none().length);
    this.#fresh = setup.shoe === 'fresh';
    this.#sight = sight;
    this.#shoe = new SimulatedShoe(live.state.rules!.decks, setup.seed, setup.shoe);
    this.#answers = new Answers(live, this.#shoe, sight);
    this.#then = this.#answers.first;
  }

  /** How much is known by now, and how often the live table was asked, replays apart. */
  get known(): {
    readonly states: number;
    readonly ends: number;
    readonly asked: number;
    readonly fed: number;
  } {
    const { states, ends, asked, fed } = this.#answers;
    return { states, ends: ends.length - 1, asked, fed };
  }

  /** The lines of the round that was played last. */
  get lines(): readonly SettlementLine[] {
    return this.#lines ?? this.#linesOf()!;
  }

  play(rounds: number): void {
    const last = this.#played + rounds;
    while (this.#played < last) {
      const beginning = this.#begin();
      const then = this.#then;
      const beforeReplay = REPLAYED - 1 - (this.#played % REPLAYED);
      this.#played += this.#plain(Math.min(last - this.#played, beforeReplay), beginning);
      if (this.#played === last || this.#then !== then) continue;
      this.#played += 1;
      this.#round(beginning);
    }
    this.#replayAll();
    this.#countEnds();
  }

  finish(): void {
    this.#counted.finish();
  }

  take(): TallySums[] {
    return this.#counted.take();
  }

  /**
   * A new table that plays the cards of this lane and knows what this one has learnt. Lanes come in
   * ascending order.
   */
  toLane(no: number): void {
    this.#shoe.toLane(no);
    this.#then = this.#answers.first;
  }

  /** The cards are gathered and prepared where that is due; where the next round begins. */
  #begin(): Beginning {
    const answers = this.#answers;
    const { beginnings } = answers;
    if (this.#then < 0) {
      this.#shoe.gather();
      if (!this.#fresh) this.#counted.endShoe();
      this.#then = -this.#then;
    }
    while (beginnings[this.#then]!.isPreparing) this.#then = answers.prepare(this.#then, this.#shoe.draw());
    return beginnings[this.#then]!;
  }

  /**
   * Plays plain rounds: nothing of them is unknown, no hand is split, and none has to be replayed.
   * Stops before the first round that is not plain and after one that is followed by another
   * beginning, and returns how many it has played.
   */
  #plain(most: number, { state, isEnded, endAt }: Beginning): number {
    const { next, step, width, plainTurns, reserve, isEndless, isOfOneRound } = this.#answers;
    if (this.#fresh || isEndless || isOfOneRound || isEnded) return 0;
    const { kinds, hiddenKinds } = this.#sight;
    const shoe = this.#shoe;
    const { cards } = shoe;
    const goesOn = this.#goesOn;
    const then = this.#then;
    const ended = this.#ended;
    // An import would be read through its module for every card.
    const [steps, unknown, noCard] = [STEPS, UNKNOWN, NO_CARD];
    const stop = Math.min(endAt < 0 ? cards.length : endAt, cards.length - reserve[0]);
    shoe.shuffleTo(stop);
    let from = shoe.drawn;
    let rounds = 0;
    for (; rounds < most; rounds++) {
      let at = from;
      let to = state;
      while (to > 0 && at < stop) to = next[to + kinds[cards[at++]!]!]!;
      if (to <= steps) {
        const turned = plainTurns[steps - to]!;
        if (turned === noCard) break;
        to = step[(steps - to) * width + hiddenKinds[cards[from + turned]!]!]!;
        while (to > 0 && at < stop) to = next[to + kinds[cards[at++]!]!]!;
        if (to <= steps) break;
      }
      if (to >= unknown) break;
      const follows = goesOn[-to]!;
      if (follows <= 0) break;
      from = at;
      ended[rounds] = -to;
      if (follows !== then) {
        this.#then = follows;
        rounds += 1;
        break;
      }
    }
    if (rounds === 0) return 0;
    shoe.drawn = from;
    this.#end = ended[rounds - 1]!;
    this.#asides = 0;
    this.#lines = null;
    this.#counted.addEnds(ended, rounds, this.#amounts);
    return rounds;
  }

  #round({ state, isEnded, endAt }: Beginning): void {
    const answers = this.#answers;
    const { next, step, width, turns, laysAside, holdsBack } = answers;
    const { kinds, hiddenKinds } = this.#sight;
    const shoe = this.#shoe;
    const aside = this.#aside;
    const waiting = this.#waiting;
    const then = this.#then;
    const from = shoe.drawn;
    let asides = 0;
    let waits = 0;
    let to = shoe.follow(next, kinds, state);
    while (to <= STEPS) {
      const made = STEPS - to;
      if (laysAside[made] !== 0) aside[asides++] = laysAside[made]!;
      if (holdsBack[made] !== 0) waiting[waits++] = holdsBack[made]! - 1;
      const turned = turns[made]!;
      let asked = 0;
      if (turned === WAITED) asked = waiting[--waits]!;
      else if (turned !== NO_CARD) asked = hiddenKinds[shoe.cards[from + turned]!]!;
      to = step[made * width + asked]!;
      if (to > 0) to = shoe.follow(next, kinds, to);
    }
    this.#asides = asides;
    this.#lines = null;
    let follows = UNKNOWN;
    if (to === UNKNOWN) follows = this.#ask(then, from);
    else this.#end = -to;
    const end = this.#end;
    if (this.#asides > 0 || end === UNKNOWN) this.#countLines(then, from);
    else if (this.#fresh) this.#ends[end]! += 1;
    else this.#countEnd(end);
    if (follows === UNKNOWN) {
      const isOut = isEnded || (from <= endAt && endAt < shoe.drawn);
      follows = answers.after[end * SLOTS + answers.slot(isEnded, isOut, shoe.left)]!;
      if (follows === UNKNOWN) follows = answers.play(then, from).after;
    }
    const isSeldom = this.#seen[end] !== LAST_OF_SELDOM && this.#isSeldom();
    if (this.#seen[end] === LAST_OF_SELDOM && this.#asides === 0)
      this.#goesOn[end] = answers.after[end * SLOTS]!;
    if (isSeldom || this.#played % REPLAYED === 0) this.#keep(then, from, follows);
    this.#then = follows;
  }

  /** The round that began at `from` has come to a question without an answer; what follows it. */
  #ask(beginning: number, from: number): number {
    const { end, aside, lines, after } = this.#answers.play(beginning, from);
    this.#end = end;
    this.#aside.set(aside);
    this.#asides = aside.length;
    if (end === UNKNOWN || aside.length > 0) this.#lines = lines;
    return after;
  }

  #isSeldom(): boolean {
    const seen = this.#seen[this.#end]!;
    this.#seen[this.#end] = seen + 1;
    // One less than a power of two.
    return (seen & (seen + 1)) === 0;
  }

  // ---- what it comes to ----

  /** A round with hands laid aside, or without room for its end. */
  #countLines(beginning: number, from: number): void {
    if (this.#lines !== null || !this.#countAside()) {
      this.#lines ??= this.#linesOf() ?? this.#answers.play(beginning, from).lines;
      this.#counted.add(this.#lines);
    }
    this.#counted.endRound();
  }

  /** Counts the hands laid aside, each by itself, and the rest; false where that is not known. */
  #countAside(): boolean {
    const end = this.#end;
    if (this.#answers.together[end] !== 0) return false;
    const { asideLines } = this.#answers.ends[end]!;
    this.#asideAmounts[end] ??= [];
    const known = this.#asideAmounts[end];
    for (let hand = 0; hand < this.#asides; hand++) {
      const id = this.#aside[hand]!;
      if (known[id] !== undefined) continue;
      const line = asideLines[id];
      if (line === undefined) return false;
      const amounts = this.#counted.none();
      this.#counted.addLines([line], amounts);
      known[id] = amounts;
    }
    for (let hand = 0; hand < this.#asides; hand++) this.#counted.addAmounts(known[this.#aside[hand]!]!);
    this.#countEnd(end);
    return true;
  }

  /** Null where it is not known what the hands laid aside come to. */
  #linesOf(): readonly SettlementLine[] | null {
    const { lines, asideLines } = this.#answers.ends[this.#end]!;
    if (this.#asides === 0) return lines;
    if (this.#answers.together[this.#end] !== 0) return null;
    const whole: SettlementLine[] = [];
    for (let hand = 0; hand < this.#asides; hand++) {
      const line = asideLines[this.#aside[hand]!];
      if (line === undefined) return null;
      whole.push({ ...line, hand });
    }
    return [...whole, ...lines];
  }

  #countEnd(end: number): void {
    if (this.#hasAmounts[end] === 0) this.#amountsOf(end);
    this.#counted.addAmounts(this.#amounts, end * 3 * this.tallies.length);
  }

  #amountsOf(end: number): Float64Array {
    const size = 3 * this.tallies.length;
    const amounts = this.#amounts.subarray(end * size, end * size + size);
    if (this.#hasAmounts[end] === 0) {
      this.#counted.amountsOf(this.#answers.ends[end]!.lines, amounts);
      this.#hasAmounts[end] = 1;
    }
    return amounts;
  }

  #countEnds(): void {
    const { length } = this.#answers.ends;
    for (let end = 1; end < length; end++) {
      const rounds = this.#ends[end]!;
      if (rounds > 0) this.#counted.addBlocks(rounds, this.#amountsOf(end));
    }
    this.#ends.fill(0, 0, length);
  }

  // ---- the proof ----

  #keep(beginning: number, from: number, follows: number): void {
    const { cards, drawn } = this.#shoe;
    const { lines } = this;
    this.#toReplay.push({
      round: this.#played,
      beginning,
      cards: cards.slice(0, drawn),
      from,
      lines,
      follows,
    });
    if (this.#toReplay.length === REPLAYS_AT_ONCE) this.#replayAll();
  }

  #replayAll(): void {
    for (const remembered of this.#toReplay) this.#replay(remembered);
    this.#toReplay = [];
  }

  /** What is remembered of this round must be what the live table makes of its cards. */
  #replay({ round, beginning, cards, from, lines: remembered, follows }: Remembered): void {
    const { lines, after } = this.#answers.replay(beginning, cards, from);
    if (isSame(remembered, lines) && follows === after) return;
    const names = Array.from(cards.subarray(from), (card) => cardName(card as Card));
    throw new DoesNotHold(
      `round ${round} is not what the live table plays: cards ${names.join(' ')}; remembered ${JSON.stringify(remembered)}; live ${JSON.stringify(lines)}${follows === after ? '' : '; another beginning follows'}`,
    );
  }
}
