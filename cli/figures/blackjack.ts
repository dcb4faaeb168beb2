/**
 * Black jack with a fixed strategy, first round of a full shoe, by enumeration of what the player's
 * and the dealer's hands may hold. A hand of a split is met alone: cards are exchangeable, so what
 * lies between its cards only matters through what is known of it, namely how many of the cards
 * before were of the pair's rank and how many were not. In floating point, with every sum
 * compensated; the shoe is taken to be long enough for the round.
 */
import {
  dealerHands,
  type Finished,
  finished,
  Hands,
  NO_CARDS,
  type Outcome,
  playOut,
  RANKS,
  says,
  totalOf,
  withCard,
} from './blackjack-hands.ts';
import type { Figure } from './figure.ts';
import type { Against, Strategy } from './strategy-file.ts';
import { STREAK_ODDS } from './streak.ts';

/** A sum of many small parts that loses none of them (Neumaier). */
class Sum {
  private sum = 0;
  private lost = 0;
  add(part: number): void {
    const next = this.sum + part;
    this.lost += Math.abs(this.sum) >= Math.abs(part) ? this.sum - next + part : part - next + this.sum;
    this.sum = next;
  }
  get value(): number {
    return this.sum + this.lost;
  }
}

/** What happens in a round, per round or as a chance. */
export const QUANTITIES = [
  'ev',
  'split',
  'surr',
  'double',
  'hands',
  'p678',
  'p777',
  'win',
  'lose',
  'push',
] as const;
export type Quantity = (typeof QUANTITIES)[number];
export type Round = Readonly<Record<Quantity, number>>;
type Sums = Readonly<Record<Quantity, Sum>>;

const NAMES = ['', 'A', '2', '3', '4', '5', '6', '7', '8', '9', 'T'] as const;
/** More cards than any hand holds. */
const MOST = 24;

/** n (n - 1) (n - 2) …: the ways to take 0, 1, 2, … cards one after the other out of n. */
function falling(n: number, most: number): Float64Array {
  const list = new Float64Array(most + 1);
  list[0] = 1;
  for (let k = 0; k < most; k++) list[k + 1] = list[k]! * Math.max(0, n - k);
  return list;
}

/** The cards by rank of so many decks. */
export const fullShoe = (decks: number): number[] => [
  0,
  ...RANKS.map((rank) => (rank === 10 ? 16 : 4) * decks),
];

type Hole = 'ENHC' | 'OBO' | 'PEEK';
const holeOf = ({ rules }: Strategy): Hole => rules.hole.split(':')[0] as Hole;

/** Net of a hand in initial stakes; `first` is the only hand or the first of a split. */
function netOf({ end, stake, best }: Finished, outcome: Outcome, hole: Hole, first: boolean): number {
  if (outcome === 0) {
    if (end === 'natural') return 0;
    if (hole === 'PEEK') return -1;
    if (end === 'half') return 0.5;
    if (end === 'surrender') return -0.5;
    // OBO: the dealer's natural takes one initial bet, and that is the first hand's.
    return hole === 'ENHC' ? -stake : first ? -1 : 0;
  }
  if (end === 'natural') return 1.5;
  if (end === 'half') return 0.5;
  if (end === 'surrender') return -0.5;
  if (end === 'bust') return -stake;
  if (outcome === 22 || best > outcome) return stake;
  return best < outcome ? -stake : 0;
}

/** All rounds in which the dealer's first card is `up`, added to the sums. */
class AgainstUp {
  private readonly shoe: readonly number[];
  private readonly up: number;
  private readonly hole: Hole;
  private readonly strategy: Strategy;
  private readonly against: Against;
  private readonly cards: number;
  private readonly dealer: ReturnType<typeof dealerHands>;
  /** By rank: ways to take k cards of it out of the full shoe. */
  private readonly ways: readonly Float64Array[];
  private readonly waysOfAll: Float64Array;

  constructor(strategy: Strategy, shoe: readonly number[], up: number) {
    this.shoe = shoe;
    this.up = up;
    this.hole = holeOf(strategy);
    this.strategy = strategy;
    this.against = strategy.strategy[NAMES[up] as Exclude<(typeof NAMES)[number], ''>];
    this.cards = shoe.reduce((sum, count) => sum + count);
    this.dealer = dealerHands(up, strategy.rules.h17);
    this.ways = shoe.map((count) => falling(count, 4 * MOST));
    this.waysOfAll = falling(this.cards, 4 * MOST);
  }

  addTo(sums: Sums): void {
    const { against, strategy } = this;
    const { noSplit, maxHands } = strategy.rules;
    const start = new Hands();
    const done: Finished[] = [];
    for (const a of RANKS)
      for (const b of RANKS) {
        const counts = withCard(withCard(NO_CARDS, a), b);
        const total = totalOf(counts);
        const surrenders = a === b ? against.surrenderPair[a] === '1' : says(against.surrender, total);
        if (total.best === 21) done.push(finished(counts, 1, 'natural'));
        else if (surrenders) done.push(finished(counts, 1, 'surrender'));
        else if (a === b && noSplit === 0 && maxHands > 1 && against.split[a] === '1') this.addSplit(a, sums);
        else start.add(counts, 1);
      }
    done.push(...playOut(start, against, true));
    const met = this.dealerMet(0);
    for (const hand of done) this.addUnsplit(hand, met, sums);
  }

  private readonly isUp = (rank: number): number => (rank === this.up ? 1 : 0);

  /**
   * For every hand: the ways in which the dealer's hand comes with it, as a list by `slots`. Cards
   * of the rank `apart` are counted in the slot and not in the ways, because a split has more of
   * them; 0 for none.
   */
  private dealerMet(apart: number) {
    const slots: { readonly outcome: Outcome; readonly apart: number; readonly size: number }[] = [];
    const slotOf = new Map<string, number>();
    const factors: number[] = [];
    const ends: number[] = [];
    const slotByHand: number[] = [];
    for (const { counts, size, outcome } of this.dealer) {
      for (const rank of RANKS)
        if (rank !== apart && counts[rank]! > 0) factors.push(rank * MOST + counts[rank]!);
      ends.push(factors.length);
      const slot = { outcome, apart: counts[apart]!, size };
      const key = Object.values(slot).join();
      if (!slotOf.has(key)) slotOf.set(key, slots.push(slot) - 1);
      slotByHand.push(slotOf.get(key)!);
    }
    const factor = Uint16Array.from(factors);
    const end = Uint32Array.from(ends);
    const slotAt = Uint16Array.from(slotByHand);
    const waysAt = Float64Array.from(this.dealer, ({ ways }) => ways);
    const left = new Float64Array(11 * MOST);
    const bySlot = new Float64Array(slots.length);
    const waysWith = ({ counts }: Finished): Float64Array => {
      for (const rank of RANKS)
        left.set(falling(this.shoe[rank]! - counts[rank]! - this.isUp(rank), MOST - 1), rank * MOST);
      bySlot.fill(0);
      let at = 0;
      for (let hand = 0; hand < end.length; hand++) {
        let ways = waysAt[hand]!;
        for (; at < end[hand]!; at++) ways *= left[factor[at]!]!;
        bySlot[slotAt[hand]!]! += ways;
      }
      return bySlot;
    };
    return { slots, waysWith };
  }

  /**
   * The chance that the first cards of the shoe, in an order once fixed, are the dealer's first and
   * these.
   */
  private chanceOf(counts: readonly number[]): number {
    let ways = 1;
    let size = 0;
    for (const rank of RANKS) {
      const count = counts[rank]! + this.isUp(rank);
      ways *= this.ways[rank]![count]!;
      size += count;
    }
    return ways === 0 ? 0 : ways / this.waysOfAll[size]!;
  }

  private addUnsplit(hand: Finished, met: ReturnType<AgainstUp['dealerMet']>, sums: Sums): void {
    const chance = hand.ways * this.chanceOf(hand.counts);
    if (chance === 0) return;
    const { counts, size, end, stake } = hand;
    if (end === 'surrender') sums.surr.add(chance);
    if (stake === 2) sums.double.add(chance);
    if (size === 3 && [6, 7, 8].every((rank) => counts[rank] === 1)) sums.p678.add(chance);
    if (size === 3 && counts[7] === 3) sums.p777.add(chance);
    const rest = falling(this.cards - size - 1, MOST);
    const bySlot = met.waysWith(hand);
    met.slots.forEach(({ outcome, size: drawn }, slot) => {
      if (bySlot[slot] === 0) return;
      const part = (chance * bySlot[slot]!) / rest[drawn]!;
      const net = netOf(hand, outcome, this.hole, true);
      sums.ev.add(part * net);
      sums[net > 0 ? 'win' : net < 0 ? 'lose' : 'push'].add(part);
    });
  }

  /** A pair that is split, with all the hands that may come of it. */
  private addSplit(pair: number, sums: Sums): void {
    const { rules } = this.strategy;
    const pairCounts = withCard(withCard(NO_CARDS, pair), pair);
    const chance = this.chanceOf(pairCounts);
    if (chance === 0) return;
    sums.split.add(chance);
    if (this.hole === 'PEEK') {
      // The dealer's natural is met before anybody splits and takes the initial bet.
      for (const { counts, outcome } of this.dealer)
        if (outcome === 0)
          sums.ev.add(-this.chanceOf(pairCounts.map((count, rank) => count + counts[rank]!)));
    }
    const maxHands = pair === 1 && rules.resplitAces === 0 ? 2 : rules.maxHands;
    const other = this.splitHands(pair, false);
    const same = this.splitHands(pair, true);
    /**
     * The hands get their second cards one after the other. `paths` are the orders in which `more`
     * of them were of the pair's rank (and made one hand more each) and `done` of them were not
     * (and finished one hand each).
     */
    const paths: number[][] = Array.from({ length: maxHands - 1 }, () => Array<number>(maxHands + 1).fill(0));
    paths[0]![0] = 1;
    for (let more = 0; more <= maxHands - 2; more++)
      for (let done = 0; done < more + 2; done++) {
        const ways = paths[more]![done]!;
        if (ways === 0) continue;
        if (more < maxHands - 2) {
          sums.ev.add(ways * other(more, done, done === 0));
          paths[more]![done + 1]! += ways;
          paths[more + 1]![done]! += ways;
          sums.hands.add(ways * this.chanceOfMore(pair, more + 1, done));
        } else {
          for (let hand = done; hand < maxHands; hand++)
            for (const value of [other, same]) sums.ev.add(ways * value(more, done, hand === 0));
        }
      }
    sums.hands.add(chance);
  }

  /**
   * That after the split pair `more` cards of its rank and `others` of other ranks come, in an
   * order once fixed.
   */
  private chanceOfMore(pair: number, more: number, others: number): number {
    const counts = NO_CARDS.with(pair, 2 + more);
    return this.chanceOf(counts) * this.chanceOfOthers(pair, 3 + more, 1 - this.isUp(pair), others);
  }

  /**
   * That the next cards are all not of this rank, once `used` cards are known of which `usedOthers`
   * are not.
   */
  private chanceOfOthers(rank: number, used: number, usedOthers: number, next: number): number {
    const others = this.cards - this.shoe[rank]! - usedOthers;
    if (next > others) return 0;
    let chance = 1;
    for (let i = 0; i < next; i++) chance *= (others - i) / (this.cards - used - i);
    return chance;
  }

  /**
   * The mean net of one hand of a split whose second card is of the pair's rank, or is not, as a
   * function of what the second cards before were (`more` of the pair's rank, `done` others), times
   * the chance of all this in a fixed order.
   */
  private splitHands(pair: number, same: boolean) {
    const start = new Hands();
    for (const rank of RANKS)
      if ((rank === pair) === same) start.add(withCard(withCard(NO_CARDS, pair), rank), 1);
    const hands =
      pair === 1
        ? [...start.values()].map(({ counts, ways }) => finished(counts, ways, 'stand'))
        : playOut(start, this.against, this.strategy.rules.das === 1);
    const met = this.dealerMet(pair);
    const size = 2 * MOST;
    /**
     * By cards of the pair's rank and all cards, without the hand's first; nets of the first hand
     * and of another.
     */
    const table = { first: new Float64Array(size * size), later: new Float64Array(size * size) };
    for (const hand of hands) {
      let ways = hand.ways;
      for (const rank of RANKS)
        if (rank !== pair) ways *= this.ways[rank]![hand.counts[rank]! + this.isUp(rank)]!;
      if (ways === 0) continue;
      const bySlot = met.waysWith(hand);
      met.slots.forEach(({ outcome, apart, size: drawn }, slot) => {
        if (outcome === 0 && this.hole === 'PEEK') return;
        const at = (hand.counts[pair]! - 1 + apart) * size + hand.size - 1 + drawn;
        table.first[at]! += ways * bySlot[slot]! * netOf(hand, outcome, this.hole, true);
        table.later[at]! += ways * bySlot[slot]! * netOf(hand, outcome, this.hole, false);
      });
    }
    const cells = [...table.first.keys()]
      .filter((at) => table.first[at] !== 0 || table.later[at] !== 0)
      .map((at) => ({ at, ofPair: Math.floor(at / size), all: at % size }));
    return (more: number, done: number, first: boolean): number => {
      const nets = first ? table.first : table.later;
      const sum = new Sum();
      for (const { at, ofPair, all } of cells) {
        const ways = this.ways[pair]![2 + more + ofPair + this.isUp(pair)]!;
        if (ways === 0) continue;
        const used = 3 + more + all;
        const others = this.chanceOfOthers(pair, used, all - ofPair + 1 - this.isUp(pair), done);
        sum.add(((nets[at]! * ways) / this.waysOfAll[used]!) * others);
      }
      return sum.value;
    };
  }
}

/** A round with this strategy out of a shoe with so many cards of each rank (`fullShoe`). */
export function blackjackRound(strategy: Strategy, shoe: readonly number[]): Round {
  const sums = Object.fromEntries(QUANTITIES.map((name) => [name, new Sum()])) as unknown as Sums;
  sums.hands.add(1);
  for (const up of RANKS) new AgainstUp(strategy, shoe, up).addTo(sums);
  return Object.fromEntries(QUANTITIES.map((name) => [name, sums[name].value])) as Round;
}

/** Decimals of these figures. */
const PLACES = 14;

/**
 * The figures of a strategy; won, lost and tied rounds and the streak only where no hand is ever
 * split.
 */
export function blackjackFigures(strategy: Strategy, decks: number): Figure[] {
  const round = blackjackRound(strategy, fullShoe(decks));
  const line = (name: string, value: number): Figure => ({
    id: `bj-${strategy.id}-${decks}d-${name}`,
    value: value.toFixed(PLACES),
  });
  const always = QUANTITIES.slice(0, -3).map((name) => line(name, round[name]));
  if (strategy.rules.noSplit === 0) return always;
  const won = round.win / (round.win + round.lose);
  return [
    ...always,
    ...(['win', 'lose', 'push'] as const).map((name) => line(name, round[name])),
    ...STREAK_ODDS.map(([wins, odds]) => line(`streak${wins}`, won ** wins * (odds + 1) - 1)),
  ];
}
