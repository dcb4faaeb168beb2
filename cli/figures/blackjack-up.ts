/**
 * Black jack against one open card of the bank, out of a full shoe, by enumeration of what the
 * player's and the bank's hands may hold. A hand of a split is met alone: cards are exchangeable,
 * so what lies between its cards only matters through what is known of it, namely how many of the
 * cards before were of the pair's rank and how many were not. In floating point, with every sum
 * compensated; the shoe is taken to be long enough for the round.
 */
import {
  type Counts,
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
import { deadChance, type Law, netOf, prizeChance, prizePays } from './blackjack-law.ts';
import type { Against } from './strategy-file.ts';
import { Sum } from './sum.ts';

/** What a round comes to, per round or as a chance; hands and pairs as mean numbers. */
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
  /** Of the special prizes, in initial stakes. */
  'prize',
  /** That a split is played, and what of `ev` and `prize` comes of it. */
  'splitPlayed',
  'splitEv',
  'splitPrize',
  /** Pairs that the second cards of split hands make. */
  'laterPairs',
  /** `ev` may be so much higher: what was not enumerated of a single loss. */
  'slack',
] as const;
export type Quantity = (typeof QUANTITIES)[number];

export class Sums {
  private readonly sums = Object.fromEntries(QUANTITIES.map((name) => [name, new Sum()])) as Record<
    Quantity,
    Sum
  >;
  /** Of rounds without a split: the chance by what they come to, prizes included. */
  private readonly results = new Map<number, Sum>();

  add(name: Quantity, part: number): void {
    this.sums[name].add(part);
  }

  result(net: number, chance: number): void {
    const known = this.results.get(net);
    if (known) known.add(chance);
    else {
      const sum = new Sum();
      sum.add(chance);
      this.results.set(net, sum);
    }
  }

  /** @param share of all rounds, with which these are added to others */
  get round(): Round {
    const numbers = Object.fromEntries(QUANTITIES.map((name) => [name, this.sums[name].value]));
    const results = [...this.results].map(([net, { value }]) => ({ net, chance: value }));
    return {
      ...(numbers as Record<Quantity, number>),
      results: results.filter(({ chance }) => chance > 0).sort((a, b) => a.net - b.net),
    };
  }
}

export type Round = Readonly<Record<Quantity, number>> & {
  readonly results: readonly { readonly net: number; readonly chance: number }[];
};

/** More cards than any hand holds, and more hands than a seat ever has. */
const MOST = 24;
/** So many combinations of hands are put together, and no more. */
const MOST_TOGETHER = 400_000;

export const OUTCOMES: readonly Outcome[] = [0, 17, 18, 19, 20, 21, 22];
const BY_OUTCOME = new Map(OUTCOMES.map((outcome, at) => [outcome, at]));

/** n (n - 1) (n - 2) …: the ways to take 0, 1, 2, … cards one after the other out of n. */
function falling(n: number, most: number): Float64Array {
  const list = new Float64Array(most + 1);
  list[0] = 1;
  for (let k = 0; k < most; k++) list[k + 1] = list[k]! * Math.max(0, n - k);
  return list;
}

/** What is decided about a hand of a split, or about what its second card was. */
const COLUMNS = ['first', 'later', 'prize', 'dead'] as const;
type Column = (typeof COLUMNS)[number];
type SplitHand = (more: number, done: number, column: Column) => number;

/** All rounds in which the bank's first card is `up`. */
export class AgainstUp {
  private readonly shoe: readonly number[];
  private readonly up: number;
  private readonly law: Law;
  private readonly cards: number;
  private readonly dealer: ReturnType<typeof dealerHands>;
  /** By rank: ways to take k cards of it out of the full shoe. */
  private readonly ways: readonly Float64Array[];
  private readonly waysOfAll: Float64Array;
  private readonly known = new Map<string, Float64Array>();
  private unsplit: ReturnType<AgainstUp['dealerMet']> | null = null;

  constructor(law: Law, shoe: readonly number[], up: number) {
    this.shoe = shoe;
    this.up = up;
    this.law = law;
    this.cards = shoe.reduce((sum, count) => sum + count);
    this.dealer = dealerHands(up, law.h17);
    this.ways = shoe.map((count) => falling(count, 4 * MOST));
    this.waysOfAll = falling(this.cards, 4 * MOST);
  }

  /** Every round of a player who decides so. `doublesSplits`: doubles after a split are allowed. */
  addTo(sums: Sums, against: Against, doublesSplits: boolean): void {
    const start = new Hands();
    const done: Finished[] = [];
    for (const a of RANKS)
      for (const b of RANKS) {
        const counts = withCard(withCard(NO_CARDS, a), b);
        const total = totalOf(counts);
        const surrenders = a === b ? against.surrenderPair[a] === '1' : says(against.surrender, total);
        if (total.best === 21) done.push(finished(counts, 1, 'natural'));
        else if (surrenders) done.push(finished(counts, 1, 'surrender'));
        else if (a === b && this.law.maxHands > 1 && against.split[a] === '1')
          this.addSplit(a, against, doublesSplits, sums);
        else start.add(counts, 1);
      }
    done.push(...playOut(start, against, against.double, against.pairPlay));
    for (const hand of done) this.addUnsplit(hand, sums);
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
    const waysWith = (counts: Counts): Float64Array => {
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
  private chanceOf(counts: Counts): number {
    let ways = 1;
    let size = 0;
    for (const rank of RANKS) {
      const count = counts[rank]! + this.isUp(rank);
      ways *= this.ways[rank]![count]!;
      size += count;
    }
    return ways === 0 ? 0 : ways / this.waysOfAll[size]!;
  }

  /**
   * By outcome (`OUTCOMES`): the chance that the player's cards are these, in an order once fixed,
   * and the bank comes to it.
   */
  outcomesWith(counts: Counts): Float64Array {
    const key = counts.join();
    const known = this.known.get(key);
    if (known) return known;
    const made = new Float64Array(OUTCOMES.length);
    this.known.set(key, made);
    const chance = this.chanceOf(counts);
    if (chance === 0) return made;
    this.unsplit ??= this.dealerMet(0);
    const { slots, waysWith } = this.unsplit;
    const size = counts.reduce((sum, count) => sum + count);
    const rest = falling(this.cards - size - 1, MOST);
    const bySlot = waysWith(counts);
    slots.forEach(({ outcome, size: drawn }, slot) => {
      if (bySlot[slot] !== 0) made[BY_OUTCOME.get(outcome)!]! += (chance * bySlot[slot]!) / rest[drawn]!;
    });
    return made;
  }

  /**
   * What an unsplit hand comes to, prizes included, times the chance of its cards in an order once
   * fixed; without the rounds in which the bank's natural keeps anybody from playing.
   */
  worthOf(hand: Finished): number {
    const { law } = this;
    const chances = this.outcomesWith(hand.counts);
    const won = law.prize ? prizeChance(hand) : 0;
    let worth = 0;
    OUTCOMES.forEach((outcome, at) => {
      if (chances[at] === 0 || (outcome === 0 && law.peeks)) return;
      const net = netOf(hand, outcome, law, 'only') * (law.prize?.closesHand ? 1 - won : 1);
      worth += chances[at]! * (net + (won > 0 ? won * prizePays(law.prize!, hand) : 0));
    });
    return worth;
  }

  private addUnsplit(hand: Finished, sums: Sums): void {
    const { law } = this;
    const { ways, counts, size, end, stake } = hand;
    const chances = this.outcomesWith(counts);
    const chance = ways * this.chanceOf(counts);
    if (chance === 0) return;
    if (end === 'surrender') sums.add('surr', chance);
    if (stake === 2) sums.add('double', chance);
    if (size === 3 && [6, 7, 8].every((rank) => counts[rank] === 1)) sums.add('p678', chance);
    if (size === 3 && counts[7] === 3) sums.add('p777', chance);
    OUTCOMES.forEach((outcome, at) => {
      if (chances[at] === 0) return;
      const part = ways * chances[at]!;
      const net = netOf(hand, outcome, law, 'only');
      const isPlayed = outcome !== 0 || !law.peeks;
      const won = law.prize && isPlayed ? prizeChance(hand) : 0;
      sums.add('ev', part * net * (law.prize?.closesHand ? 1 - won : 1));
      sums.add(net > 0 ? 'win' : net < 0 ? 'lose' : 'push', part);
      sums.result(net, part * (1 - won));
      if (won === 0) return;
      const pays = prizePays(law.prize!, hand);
      sums.add('prize', part * won * pays);
      sums.result((law.prize!.closesHand ? 0 : net) + pays, part * won);
    });
  }

  /** A pair that is split, with all the hands that may come of it. */
  addSplit(pair: number, against: Against, doublesSplits: boolean, sums: Sums): void {
    const { law } = this;
    const pairCounts = withCard(withCard(NO_CARDS, pair), pair);
    const chance = this.chanceOf(pairCounts);
    if (chance === 0) return;
    sums.add('split', chance);
    let played = chance;
    const natural = this.naturalRank();
    if (law.peeks && natural !== null) {
      // The dealer's natural is met before anybody splits and takes the initial bet.
      const met = this.chanceOf(withCard(pairCounts, natural));
      played -= met;
      sums.add('ev', -met);
      sums.result(-1, met);
    }
    sums.add('splitPlayed', played);
    const maxHands =
      pair === 1 && !law.resplitsAces ? 2 : Math.min(law.maxHands, Math.max(2, this.shoe[pair]!), MOST);
    const double = doublesSplits ? (against.doubleAfterSplit ?? against.double) : null;
    const hands = [false, true].map((same) => this.handsOfSplit(pair, same, against, double));
    const [other, same] = hands.map((list) => this.splitHand(pair, list)) as [SplitHand, SplitHand];
    const addHand = (ways: number, value: SplitHand, more: number, done: number, isFirst: boolean) => {
      const main = ways * value(more, done, isFirst ? 'first' : 'later');
      sums.add('ev', main);
      sums.add('splitEv', main);
      if (!law.prize) return;
      const prize = ways * value(more, done, 'prize');
      sums.add('prize', prize);
      sums.add('splitPrize', prize);
    };
    const addPairs = (ways: number, more: number, done: number): void => {
      const all = this.chanceOfMore(pair, more, done);
      const met = law.peeks && natural !== null ? this.chanceOfMore(pair, more, done, natural) : 0;
      sums.add('laterPairs', ways * (all - met));
    };
    const isReckonedTogether = law.splitLoses === 'originalOfFirstLeft' && !law.peeks && natural !== null;
    const together = isReckonedTogether ? this.deadTogether(pair, hands, sums) : null;
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
          addHand(ways, other, more, done, done === 0);
          if (done === 0) together?.first(ways, [other], more, done);
          paths[more]![done + 1]! += ways;
          if (done + 1 === more + 2) together?.all(ways, more, done + 1, 0);
          paths[more + 1]![done]! += ways;
          sums.add('hands', ways * this.chanceOfMore(pair, more + 1, done));
          addPairs(ways, more + 1, done);
        } else {
          for (let hand = done; hand < maxHands; hand++) {
            for (const value of [other, same]) addHand(ways, value, more, done, hand === 0);
            if (hand === 0) together?.first(ways, [other, same], more, done);
            addPairs(ways, more + 1, done);
          }
          together?.all(ways, more, done, maxHands - done);
        }
      }
    sums.add('hands', chance);
  }

  /** The rank that makes a natural of the bank's first card, or null. */
  private naturalRank(): number | null {
    return this.up === 1 ? 10 : this.up === 10 ? 1 : null;
  }

  /**
   * A single loss (arts. 16.6, 17.3) goes to the first hand that is left. `first` takes from `ev`
   * the rounds in which the first hand is not, `all` gives back those in which none is.
   */
  private deadTogether(pair: number, hands: readonly (readonly Finished[])[], sums: Sums) {
    const natural = this.naturalRank()!;
    const dead = hands.map((list) => {
      const kept = new Hands();
      for (const hand of list) {
        const chance = deadChance(hand, this.law);
        if (chance > 0) kept.add(hand.counts, hand.ways * chance);
      }
      return kept;
    });
    const [others, either] = [dead[0]!, new Hands()];
    for (const list of dead) for (const { counts, ways } of list.values()) either.add(counts, ways);
    const none = new Hands();
    none.add(NO_CARDS, 1);
    const made = new Map<string, Hands | null>([['0,0', none]]);
    /** So many dead hands whose second card is another, and of either kind; null: too many. */
    const togetherOf = (ofOthers: number, ofEither: number): Hands | null => {
      const key = `${ofOthers},${ofEither}`;
      const known = made.get(key);
      if (known !== undefined) return known;
      const before = ofEither > 0 ? togetherOf(ofOthers, ofEither - 1) : togetherOf(ofOthers - 1, ofEither);
      const last = ofEither > 0 ? either : others;
      const isTooMany = before === null || before.size * last.size > MOST_TOGETHER;
      const joined = isTooMany ? null : new Hands();
      if (joined)
        for (const a of before!.values())
          for (const b of last.values())
            joined.add(
              a.counts.map((count, rank) => count + b.counts[rank]!),
              a.ways * b.ways,
            );
      made.set(key, joined);
      return joined;
    };
    const lose = (chance: number): void => {
      sums.add('ev', -chance);
      sums.add('splitEv', -chance);
    };
    return {
      first: (ways: number, kinds: readonly SplitHand[], more: number, done: number): void => {
        for (const value of kinds) lose(ways * value(more, done, 'dead'));
      },
      all: (ways: number, more: number, ofOthers: number, ofEither: number): void => {
        if (either.size === 0) return;
        const joined = togetherOf(ofOthers, ofEither);
        if (joined === null) {
          sums.add('slack', ways * this.chanceOfMore(pair, more, ofOthers, natural));
          return;
        }
        const sum = new Sum();
        for (const hand of joined.values())
          sum.add(hand.ways * this.chanceOf(withCard(hand.counts, natural)));
        lose(-ways * sum.value);
      },
    };
  }

  /**
   * That after the split pair `more` cards of its rank and `others` of other ranks come, in an
   * order once fixed; and one of the rank `beside` to the bank.
   */
  private chanceOfMore(pair: number, more: number, others: number, beside: number | null = null): number {
    const counts = NO_CARDS.with(pair, 2 + more);
    if (beside === null)
      return this.chanceOf(counts) * this.chanceOfOthers(pair, 3 + more, 1 - this.isUp(pair), others);
    const usedOthers = 1 - this.isUp(pair) + (beside === pair ? 0 : 1);
    return this.chanceOf(withCard(counts, beside)) * this.chanceOfOthers(pair, 4 + more, usedOthers, others);
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

  /** How a split hand ends, by whether its second card has the rank of the pair. */
  private handsOfSplit(
    pair: number,
    same: boolean,
    against: Against,
    double: Against['double'] | null,
  ): Finished[] {
    const start = new Hands();
    for (const rank of RANKS)
      if ((rank === pair) === same) start.add(withCard(withCard(NO_CARDS, pair), rank), 1);
    return pair === 1
      ? [...start.values()].map(({ counts, ways }) => finished(counts, ways, 'stand'))
      : playOut(start, against, double);
  }

  /**
   * The mean of what a column says of one such hand, as a function of what the second cards before
   * were (`more` of the pair's rank, `done` others), times the chance of all this in a fixed order.
   */
  private splitHand(pair: number, hands: readonly Finished[]): SplitHand {
    const { law } = this;
    const met = this.dealerMet(pair);
    const size = 2 * MOST;
    /** By cards of the pair's rank and all cards, without the hand's first. */
    const table = Object.fromEntries(
      COLUMNS.map((column) => [column, new Float64Array(size * size)]),
    ) as Record<Column, Float64Array>;
    for (const hand of hands) {
      let ways = hand.ways;
      for (const rank of RANKS)
        if (rank !== pair) ways *= this.ways[rank]![hand.counts[rank]! + this.isUp(rank)]!;
      if (ways === 0) continue;
      const won = law.prize ? prizeChance(hand) : 0;
      const open = law.prize?.closesHand ? 1 - won : 1;
      const bySlot = met.waysWith(hand.counts);
      met.slots.forEach(({ outcome, apart, size: drawn }, slot) => {
        if (outcome === 0 && law.peeks) return;
        const at = (hand.counts[pair]! - 1 + apart) * size + hand.size - 1 + drawn;
        const part = ways * bySlot[slot]!;
        table.first[at]! += part * open * netOf(hand, outcome, law, 'first of a split');
        table.later[at]! += part * open * netOf(hand, outcome, law, 'later of a split');
        if (won > 0) table.prize[at]! += part * won * prizePays(law.prize!, hand);
        if (outcome === 0) table.dead[at]! += part * deadChance(hand, law);
      });
    }
    const cells = [...table.first.keys()]
      .filter((at) => COLUMNS.some((column) => table[column][at] !== 0))
      .map((at) => ({ at, ofPair: Math.floor(at / size), all: at % size }));
    return (more, done, column) => {
      const sum = new Sum();
      for (const { at, ofPair, all } of cells) {
        const ways = this.ways[pair]![2 + more + ofPair + this.isUp(pair)]!;
        if (ways === 0) continue;
        const used = 3 + more + all;
        const others = this.chanceOfOthers(pair, used, all - ofPair + 1 - this.isUp(pair), done);
        sum.add(((table[column][at]! * ways) / this.waysOfAll[used]!) * others);
      }
      return sum.value;
    };
  }
}
