/**
 * What the live table has answered. A row is a state in which it has been, as far as the sight of
 * its game tells it from others; a column is a kind of card; an entry is what the live table made
 * of the two, with the decisions of its players and whatever follows before the next card. Nothing
 * here knows a rule of any game.
 */
import type { Card } from '../../engine/core/cards.ts';
import { isSame } from '../../engine/core/same.ts';
import { Looker } from '../../engine/table/looker.ts';
import { gameOf } from '../../engine/table/registry.ts';
import type { SettlementLine } from '../../engine/table/settlement.ts';
import type { Sight } from '../../engine/table/sight.ts';
import type { RoundState, TableState } from '../../engine/table/state.ts';
import { DoesNotHold } from '../command.ts';
import type { LiveTable, Snapshot } from './live-table.ts';
import type { SimulatedShoe } from './shoe.ts';

/** Nobody has asked, or there is no room: such a round is played live. */
export const UNKNOWN = 0;
/** Entries from here down are steps, those above it and below UNKNOWN ends. */
export const STEPS = -(1 << 20);
export const NO_CARD = 255;
/** The step asks for the card of the hand that has waited and whose turn it is now. */
export const WAITED = 254;
/**
 * What follows an end hangs on the shoe too: whether its end card is out, since when, and whether
 * too few cards are left.
 */
export const SLOTS = 6;
export const MOST_ASIDE = 255;

export const MOST_STATES = 60_000;
const MOST_STEPS = 40_000;
export const MOST_ENDS = 1 << 15;

/** How a round has ended; with hands laid aside these have lines of their own. */
interface End {
  readonly lines: readonly SettlementLine[];
  /** By hand laid aside: what it was settled with. */
  readonly asideLines: (SettlementLine | undefined)[];
}

/** Where a round begins, or a card is burnt before the first one of a shoe. */
export interface Beginning {
  readonly state: number;
  readonly isPreparing: boolean;
  /** The end card is out already. */
  readonly isEnded: boolean;
  /** Else it lies before the card with this number; -1 = there is none. */
  readonly endAt: number;
  readonly snapshot: Snapshot;
}

interface Step {
  readonly laysAside: number;
  readonly holdsBack: number;
  readonly turns: number;
  /** Where it leads, but for the card that it asks for. */
  readonly to: string;
}

/** A round as the live table has played it. `end` UNKNOWN: there was no room for it. */
export interface Asked {
  readonly end: number;
  readonly after: number;
  readonly aside: readonly number[];
  readonly lines: readonly SettlementLine[];
}

export class Answers {
  /**
   * By state, a multiple of `width`, and kind of card: the next state, minus an end, or STEPS less
   * a step.
   */
  readonly next: Int32Array;
  readonly width: number;
  /**
   * A step turns the hidden card, lays a hand aside, or has one wait or take its turn. By step, a
   * multiple of `width`, and kind of the card that it asks for: the next state, or minus an end.
   */
  readonly step: Int32Array;
  /** Which card of the round a step turns, WAITED, or NO_CARD. */
  readonly turns = new Uint8Array(MOST_STEPS + 1);
  /** The same of a step that does nothing else; NO_CARD where it does. */
  readonly plainTurns = new Uint8Array(MOST_STEPS + 1).fill(NO_CARD);
  /** Which hand it lays aside, 0 = none. */
  readonly laysAside = new Uint8Array(MOST_STEPS + 1);
  /** The kind of the card whose hand waits from now on, plus 1; 0 = none. */
  readonly holdsBack = new Uint8Array(MOST_STEPS + 1);
  /** By end and slot: where the next round begins; minus: out of a new shoe. */
  readonly after = new Int32Array(MOST_ENDS * SLOTS);
  readonly ends: End[] = [{ lines: [], asideLines: [] }];
  readonly beginnings: Beginning[] = [];
  /** Ends at which hands are not settled each by itself: asked every time. */
  readonly together = new Uint8Array(MOST_ENDS);
  /** Its cards go back into the shoe. */
  readonly isEndless: boolean;
  /** Its cards are shuffled after every round. */
  readonly isOfOneRound: boolean;
  /**
   * With fewer cards left there is no further round, before and after the end card; 0 where cards
   * go back.
   */
  readonly reserve: readonly [number, number];
  /**
   * Rounds that came to a question without an answer, and cards that were given to the live table
   * to get it.
   */
  asked = 0;
  fed = 0;
  protected readonly live: LiveTable;
  protected readonly shoe: SimulatedShoe;
  protected readonly sight: Sight;
  protected readonly looker: Looker;
  /** A card of each kind. */
  readonly #samples: (Card | undefined)[] = [];
  readonly #states = new Map<string, number>();
  readonly #steps = new Map<string, number>();
  readonly #endIds = new Map<string, number>();
  readonly #asideIds = new Map<string, number>();
  readonly #beginningIds = new Map<string, number>();
  readonly #prepared = new Map<number, number>();
  /** Of the round that is asked about: how many cards it has, and which of them lies face down. */
  protected count = 0;
  protected hiddenAt = -1;
  protected aside: number[] = [];
  protected waiting: readonly Card[] = [];
  /** What the round began with and does not say itself: the number of a series. */
  protected outside = 0;
  protected lines: readonly SettlementLine[] = [];
  #after = UNKNOWN;
  #wasEnded = false;
  /** The beginning at which a replayed round has left the live table. */
  #standsAt = UNKNOWN;

  constructor(live: LiveTable, shoe: SimulatedShoe, sight: Sight, isTable = true) {
    this.live = live;
    this.shoe = shoe;
    this.sight = sight;
    this.looker = new Looker(sight);
    this.width = Math.max(...sight.kinds) + 1;
    this.next = new Int32Array((MOST_STATES + 1) * this.width);
    this.step = new Int32Array((MOST_STEPS + 1) * this.width);
    for (let card = 51; card >= 0; card--) this.#samples[sight.kinds[card]!] = card as Card;
    const { state } = live;
    const game = gameOf(state);
    this.isEndless = game.cardsBack(state) !== 'never';
    this.isOfOneRound = game.isShoeOfOneRound(state);
    const ended = { ...state, shoe: { ...state.shoe, ended: true } };
    this.reserve = this.isEndless ? [0, 0] : [game.reserve(state), game.reserve(ended)];
    if (isTable) this.beginning();
  }

  get states(): number {
    return this.#states.size;
  }

  /** Where the table stands before its first card. */
  get first(): number {
    return 1;
  }

  /** Where a card burnt in preparation leads. */
  prepare(beginning: number, card: Card): number {
    const key = beginning * 64 + this.sight.kinds[card]!;
    let then = this.#prepared.get(key);
    if (then === undefined) {
      this.#goTo(beginning, this.shoe.cards.subarray(0, this.shoe.drawn - 1));
      this.live.feed(card);
      then = this.beginning();
      this.#prepared.set(key, then);
    }
    return then;
  }

  /**
   * The round that began here with the card number `from` is played on the live table; what it
   * answers is noted, and must be what it has answered before. Cards that are not drawn yet are
   * drawn.
   */
  play(beginning: number, from: number): Asked {
    const live = this.live;
    const shoe = this.shoe;
    const { state, endAt } = this.beginnings[beginning]!;
    this.#goTo(beginning, shoe.cards.subarray(0, from));
    this.ask();
    let at = state;
    for (let i = from; ; i++) {
      if (i === endAt) live.endCard();
      const card = i < shoe.drawn ? (shoe.cards[i] as Card) : shoe.draw();
      at = this.take(at, card, shoe.cards[from + this.hiddenAt] as Card);
      if (at < 0 || this.#after !== UNKNOWN)
        return { end: UNKNOWN - at, after: this.#after, aside: this.aside, lines: this.lines };
    }
  }

  /**
   * The round of the cards from number `from` on is played on the live table, and nothing is noted.
   */
  replay(beginning: number, cards: Uint8Array, from: number): Pick<Asked, 'lines' | 'after'> {
    const { live } = this;
    const { endAt } = this.beginnings[beginning]!;
    this.#goTo(beginning, cards.subarray(0, from));
    for (let i = from; i < cards.length; i++) {
      if (i === endAt) live.endCard();
      if (!live.feed(cards[i] as Card)) continue;
      const lines = live.state.round!.lines!;
      if (i < cards.length - 1) return { lines, after: UNKNOWN };
      const after = this.#next();
      this.#standsAt = Math.abs(after);
      return { lines, after };
    }
    return { lines: [], after: UNKNOWN };
  }

  /** A round is asked about from its beginning, at which the live table stands. */
  protected ask(): void {
    this.asked += 1;
    this.noCards();
    this.aside = [];
    this.waiting = [];
  }

  /** A round is to begin. */
  protected noCards(): void {
    this.count = 0;
    this.hiddenAt = -1;
  }

  /**
   * What the next card makes of this state; where it is not known yet, the live table is also asked
   * what every other kind would.
   * @param hidden the card that lies face down, if there is one
   */
  protected take(at: number, card: Card, hidden: Card): number {
    if (at !== UNKNOWN && this.next[at + this.sight.kinds[card]!] === UNKNOWN) this.#takeEach(at, hidden);
    return this.#answer(at, card, hidden);
  }

  #takeEach(at: number, hidden: Card): void {
    const live = this.live;
    const snapshot = live.snapshot();
    snapshot.shoe.counts.fill(0);
    const { count, hiddenAt, aside, waiting } = this;
    const goBack = (): void => {
      live.restore(snapshot);
      Object.assign(this, { count, hiddenAt, aside: [...aside], waiting });
    };
    for (const card of this.#samples) {
      if (card === undefined) continue;
      goBack();
      this.#answer(at, card, hidden);
    }
    goBack();
  }

  /**
   * Feeds a card to the live table, notes what comes of it, and gives it: a state, or minus an end;
   * UNKNOWN without room.
   */
  #answer(at: number, card: Card, hidden: Card): number {
    const live = this.live;
    const { sight, hiddenAt } = this;
    const { kinds, hiddenKinds, isHidden, aside } = sight;
    this.fed += 1;
    this.#after = UNKNOWN;
    const isSettled = live.feed(card);
    const { state } = live;
    if (!isHidden(state)) this.hiddenAt = -1;
    else if (hiddenAt < 0) this.hiddenAt = this.count;
    this.count += 1;
    const round = state.round!;
    const laid = aside(round);
    const isMore = laid.length > this.aside.length;
    if (laid.length > this.aside.length + 1) throw new DoesNotHold('two hands were closed by one card');
    if (isMore) this.aside.push(this.#asideOf(this.looker.seeHand(state, laid.at(-1)!)));
    const isTurned = hiddenAt >= 0 && (isSettled || this.hiddenAt < 0);
    const [held, taken] = this.#waits(sight.waiting(round));
    if (isTurned && taken !== null)
      throw new DoesNotHold('a hand takes its turn when the hidden card is turned');
    // What the step leads to, without the card that it asks for: face down or waiting again.
    let down = '';
    if (isTurned) down = this.looker.seeRound(state, { ...round, bank: round.bank.slice(0, 1) });
    else if (taken !== null) {
      const turn = { ...round.turn!, hand: round.turn!.hand - 1 };
      down = this.#see({ ...state, round: { ...round, turn } });
    }
    const answer = isSettled ? -this.end(state, round) : at === UNKNOWN ? UNKNOWN : this.state();
    if (at === UNKNOWN || answer === UNKNOWN) return answer;
    const where = at + kinds[card]!;
    if (!isTurned && !isMore && held === null && taken === null) {
      note(this.next, where, answer);
      return answer;
    }
    const made = this.#stepOf({
      laysAside: isMore ? this.aside.at(-1)! : 0,
      holdsBack: held === null ? 0 : kinds[held]! + 1,
      turns: isTurned ? hiddenAt : taken === null ? NO_CARD : WAITED,
      to: isTurned || taken !== null ? `${down} ${this.outside}` : String(answer),
    });
    if (made === UNKNOWN) return answer;
    note(this.next, where, STEPS - made);
    const asked = isTurned ? hiddenKinds[hidden]! : taken === null ? 0 : kinds[taken]!;
    note(this.step, made * this.width + asked, answer);
    return answer;
  }

  /** First cards of the hand that waits from now on, and of the one that waits no longer. */
  #waits(now: readonly Card[]): [held: Card | null, taken: Card | null] {
    const before = this.waiting;
    this.waiting = now;
    const more = now.length - before.length;
    if (!isSame(more > 0 ? now.slice(more) : now, more < 0 ? before.slice(-more) : before))
      throw new DoesNotHold('hands do not take their turns in the order in which they wait');
    if (Math.abs(more) > 1) throw new DoesNotHold('two hands wait, or take their turns, by one card');
    return [more > 0 ? now[0]! : null, more < 0 ? before[0]! : null];
  }

  #stepOf({ laysAside, holdsBack, turns, to }: Step): number {
    const key = `${laysAside} ${holdsBack} ${turns} ${to}`;
    let made = this.#steps.get(key);
    if (made === undefined) {
      if (this.#steps.size === MOST_STEPS) return UNKNOWN;
      made = this.#steps.size + 1;
      this.#steps.set(key, made);
      this.turns[made] = turns;
      if (laysAside === 0 && holdsBack === 0 && turns !== WAITED) this.plainTurns[made] = turns;
      this.laysAside[made] = laysAside;
      this.holdsBack[made] = holdsBack;
    }
    return made;
  }

  #asideOf(key: string): number {
    let id = this.#asideIds.get(key);
    if (id === undefined) {
      id = this.#asideIds.size + 1;
      if (id > MOST_ASIDE) throw new Error('more kinds of closed hands than there is room for');
      this.#asideIds.set(key, id);
    }
    return id;
  }

  #see(state: TableState): string {
    // A card burnt before the round moves the one that is to lie face down.
    const place = state.phase === 'dealing' ? this.count : this.hiddenAt;
    return `${place} ${this.looker.see(state)}`;
  }

  protected state(): number {
    const key = this.#see(this.live.state);
    let state = this.#states.get(key);
    if (state === undefined) {
      if (this.#states.size === MOST_STATES) return UNKNOWN;
      state = (this.#states.size + 1) * this.width;
      this.#states.set(key, state);
    }
    return state;
  }

  protected beginning(): number {
    const { state } = this.live;
    const { ended, endCardBehind } = state.shoe;
    this.noCards();
    const at = this.state();
    if (at === UNKNOWN) throw new Error('no room for the beginning of a round');
    const key = `${at} ${ended} ${endCardBehind}`;
    let id = this.#beginningIds.get(key);
    if (id === undefined) {
      id = this.#beginningIds.size + 1;
      this.#beginningIds.set(key, id);
      this.beginnings[id] = {
        state: at,
        isPreparing: state.phase === 'shoe',
        isEnded: ended,
        endAt: ended || endCardBehind === null ? -1 : this.shoe.cards.length - endCardBehind,
        snapshot: this.live.snapshot(),
      };
    }
    return id;
  }

  /** The live table where a round begins, with the cards that are out. */
  #goTo(beginning: number, out: Uint8Array): void {
    const live = this.live;
    if (this.#standsAt !== beginning) live.restore(this.beginnings[beginning]!.snapshot);
    this.#standsAt = UNKNOWN;
    const { shoe } = live.state;
    const { counts } = shoe;
    counts.fill(0);
    for (let i = 0; i < out.length; i++) counts[out[i]!]! += 1;
    shoe.drawn = out.length;
    this.#wasEnded = shoe.ended;
  }

  /** Slot of what follows, with so many cards left. */
  slot(wasEnded: boolean, isEnded: boolean, left: number): number {
    const lacks = left < this.reserve[isEnded ? 1 : 0] ? 1 : 0;
    return (wasEnded ? 4 : isEnded ? 2 : 0) + lacks;
  }

  /** Settled: notes with what, and where the next round begins. */
  protected end(state: TableState, round: RoundState): number {
    const end = this.endOf(state, round);
    const slot = this.slot(this.#wasEnded, state.shoe.ended, state.shoe.decks * 52 - state.shoe.drawn);
    this.#after = this.#next();
    if (end !== UNKNOWN) note(this.after, end * SLOTS + slot, this.#after);
    return end;
  }

  /** Where the round after a settled one begins; minus: out of a new shoe. */
  #next(): number {
    const { live } = this;
    live.hasGathered = false;
    live.end();
    live.begin();
    const next = this.beginning();
    return live.hasGathered ? -next : next;
  }

  /** @param more what else tells one end from another */
  protected endOf(state: TableState, round: RoundState, more = ''): number {
    const lines = round.lines!;
    const isSplit = this.aside.length > 0;
    const rest = isSplit ? lines.filter(({ bet }) => bet !== 'main') : lines;
    const key = JSON.stringify(rest) + more + (isSplit ? this.looker.seeRound(state, round) : '');
    let end = this.#endIds.get(key) ?? UNKNOWN;
    if (end === UNKNOWN && this.ends.length < MOST_ENDS) {
      end = this.ends.length;
      this.ends.push({ lines: structuredClone(rest) as SettlementLine[], asideLines: [] });
      this.#endIds.set(key, end);
    }
    if (isSplit && end !== UNKNOWN) this.#noteAside(end, round, lines);
    this.lines = lines;
    return end;
  }

  #noteAside(end: number, round: RoundState, lines: readonly SettlementLine[]): void {
    if (this.sight.isTogether(round)) {
      this.together[end] = 1;
      return;
    }
    const { asideLines } = this.ends[end]!;
    for (const line of lines) {
      if (line.bet !== 'main') continue;
      const id = this.aside[line.hand!]!;
      const known = asideLines[id];
      const said = JSON.stringify({ ...line, hand: null });
      if (known !== undefined && JSON.stringify({ ...known, hand: null }) !== said)
        throw new DoesNotHold(`two answers to one question: a closed hand is settled by ${said}`);
      asideLines[id] ??= { ...line };
    }
  }
}

/** What is known already must be answered in the same way again. */
export function note(answers: Int32Array, where: number, answer: number): void {
  const known = answers[where]!;
  if (known !== UNKNOWN && known !== answer)
    throw new DoesNotHold(
      `two answers to one question: ${where} was answered with ${known}, now with ${answer}`,
    );
  answers[where] = answer;
}
