/**
 * The strategy of black jack that brings most under a law, out of a full shoe: by the bank's open
 * card, the number of cards and the total, or the pair. Every decision is the one that brings more
 * on the average of all hands that come to its place, each weighed with its exact chance; places
 * are
 * gone through from the longest hands to the first two cards until none changes any more.
 * Special prizes count. Hands of a split are played by the same tables, and a pair is split where
 * all its hands together, reckoned exactly, bring more than any other way.
 */

import { UP_CARDS, type UpCard } from './blackjack.ts';
import {
  type Counts,
  type Finished,
  finished,
  NO_CARDS,
  RANKS,
  totalOf,
  withCard,
} from './blackjack-hands.ts';
import type { Law } from './blackjack-law.ts';
import { AgainstUp, Sums } from './blackjack-up.ts';
import type { Against, Strategy } from './strategy-file.ts';

/** What the player of a table may do beside drawing and standing. */
export interface Allowed {
  readonly surrender: boolean;
  readonly fiveCards: boolean;
  /** The first two cards of an unsplit hand may be doubled. */
  readonly doubles: (counts: Counts) => boolean;
  /** The same of two cards after a split. */
  readonly doublesSplit: (counts: Counts) => boolean;
  /** Ten-valued cards of different ranks are a pair. */
  readonly splitsTens: boolean;
}

type Act = 'stand' | 'hit' | 'double' | 'surrender' | 'half';

/** Hands whose cards are the same in any order, on their way. */
interface Node {
  readonly counts: Counts;
  readonly size: number;
  readonly place: Place;
  /** By rank of the next card: the node it leads to, or the bust. */
  next: (Node | number)[];
  /**
   * Standing, half at five cards, and as it is played, each times the chance of the cards in one
   * order.
   */
  readonly stand: number;
  readonly half: number;
  value: number;
  /** Orders in which it is come to. */
  ways: number;
}

/** Where a strategy has one word for many hands. */
interface Place {
  readonly row: '2' | '3' | '4' | '5' | '6+';
  readonly soft: boolean;
  readonly total: number;
  /** Of two equal cards: their rank; else 0. */
  readonly pair: number;
  readonly nodes: Node[];
  act: Act;
}

const MOST_ROUNDS = 30;
/** The most a strategy file knows. */
const MOST_HANDS = 20;
/** Less than this is none: what two ways differ by in the last digits of a double. */
const LEAST_GAIN = 1e-13;

class BestAgainst {
  private readonly allowed: Allowed;
  private readonly exact: AgainstUp;
  private readonly nodes = new Map<string, Node>();
  private readonly places = new Map<string, Place>();
  private readonly doubled = new Map<Node, number>();
  private readonly mayHalve: boolean;
  private readonly maySurrender: boolean;
  private readonly splits: boolean;

  constructor(law: Law, allowed: Allowed, shoe: readonly number[], up: number) {
    this.allowed = allowed;
    this.exact = new AgainstUp(law, shoe, up);
    this.splits = law.maxHands > 1;
    // arts. 18.1, 19.1: not where the bank's first card is an ace; r.36 alike.
    this.mayHalve = allowed.fiveCards && up !== 1;
    this.maySurrender = allowed.surrender && up !== 1;
    for (const a of RANKS)
      for (const b of RANKS) if (b >= a) this.nodeOf(withCard(withCard(NO_CARDS, a), b), 2);
    this.settle();
  }

  private worth = (counts: Counts, end: Finished['end'], stake: 1 | 2 = 1): number =>
    this.exact.worthOf(finished(counts, 1, end, stake));

  private nodeOf(counts: Counts, size: number): Node {
    const key = counts.join();
    const known = this.nodes.get(key);
    if (known) return known;
    const { best, soft } = totalOf(counts);
    const pair = size === 2 ? Math.max(0, counts.indexOf(2)) : 0;
    const row = size < 6 ? (`${size}` as '2' | '3' | '4' | '5') : '6+';
    const name = [row, soft, best, pair].join();
    let place = this.places.get(name);
    if (!place) {
      place = { row, soft, total: best, pair, nodes: [], act: 'stand' };
      this.places.set(name, place);
    }
    const node: Node = {
      counts,
      size,
      place,
      next: [],
      stand: this.worth(counts, 'stand'),
      half: size === 5 ? this.worth(counts, 'half') : 0,
      value: 0,
      ways: 0,
    };
    this.nodes.set(key, node);
    place.nodes.push(node);
    if (best === 21) return node;
    node.next = RANKS.map((rank) => {
      const more = withCard(counts, rank);
      return totalOf(more).best > 21 ? this.worth(more, 'bust') : this.nodeOf(more, size + 1);
    });
    return node;
  }

  private double(node: Node): number {
    const known = this.doubled.get(node);
    if (known !== undefined) return known;
    const value = RANKS.reduce((sum, rank) => sum + this.worth(withCard(node.counts, rank), 'stand', 2), 0);
    this.doubled.set(node, value);
    return value;
  }

  private readonly hit = ({ next }: Node): number =>
    next.reduce<number>((sum, to) => sum + (typeof to === 'number' ? to : to.value), 0);

  private valueOf(node: Node, act: Act): number {
    switch (act) {
      case 'hit':
        return this.hit(node);
      case 'half':
        return node.half;
      case 'double':
        return this.double(node);
      case 'surrender':
        return this.worth(node.counts, 'surrender');
      case 'stand':
        return node.stand;
    }
  }

  private actsOf({ row, total, nodes }: Place): Act[] {
    if (total === 21) return row === '5' && this.mayHalve ? ['stand', 'half'] : ['stand'];
    const acts: Act[] = ['stand', 'hit'];
    if (row === '5' && this.mayHalve) acts.push('half');
    if (row === '2' && nodes.every(({ counts }) => this.allowed.doubles(counts))) acts.push('double');
    if (row === '2' && this.maySurrender) acts.push('surrender');
    return acts;
  }

  /** Longer hands first; of hands of six cards and more those with more points, an ace as one. */
  private settle(): void {
    const deepest = [...this.nodes.values()].sort(
      (a, b) => b.size - a.size || hardOf(b.counts) - hardOf(a.counts),
    );
    const places = [...this.places.values()].sort(
      (a, b) => (a.row < b.row ? 1 : a.row > b.row ? -1 : 0) || hardOfPlace(b) - hardOfPlace(a),
    );
    for (const place of places) if (place.total < (place.soft ? 18 : 15)) place.act = 'hit';
    for (let round = 0; round < MOST_ROUNDS; round++) {
      this.reach(deepest);
      let isChanged = false;
      for (const row of ['6+', '5', '4', '3', '2'] as const) {
        for (const place of places) if (place.row === row && this.improve(place)) isChanged = true;
        // Hands of six cards lead to each other: what they are worth follows at once.
        for (const node of deepest) node.value = this.valueOf(node, node.place.act);
      }
      if (!isChanged) return;
    }
    throw new Error('the best strategy is not found');
  }

  private reach(deepest: readonly Node[]): void {
    for (const node of deepest) {
      node.ways = 0;
      node.value = this.valueOf(node, node.place.act);
    }
    for (const node of deepest)
      if (node.size === 2 && node.place.act !== 'surrender') node.ways = node.place.pair > 0 ? 1 : 2;
    for (const node of deepest.toReversed())
      if (node.place.act === 'hit')
        for (const to of node.next) if (typeof to !== 'number') to.ways += node.ways;
  }

  private improve(place: Place): boolean {
    const { nodes } = place;
    const isMet = nodes.some(({ ways }) => ways > 0);
    const worthOf = (act: Act): number =>
      // A place that nobody comes to is answered as if all its hands came there.
      nodes.reduce((sum, node) => sum + (isMet ? node.ways : 1) * this.valueOf(node, act), 0);
    // What surrenders is met no less often than before.
    if (place.row === '2') for (const node of nodes) node.ways = place.pair > 0 ? 1 : 2;
    let [best, most] = [place.act, worthOf(place.act) + LEAST_GAIN];
    for (const act of this.actsOf(place)) {
      const worth = worthOf(act);
      if (worth > most) [best, most] = [act, worth];
    }
    const isChanged = best !== place.act;
    place.act = best;
    if (isChanged && place.row === '6+') for (const node of nodes) node.value = this.valueOf(node, best);
    return isChanged;
  }

  // ---- as a table ----

  against(doublesSplits: boolean): Against {
    const letters = (length: number) => Array<string>(length).fill('0');
    const byTotal = () => ({ hard: letters(22), soft: letters(22) });
    const rows = { '2': byTotal(), '3': byTotal(), '4': byTotal(), '5': byTotal(), '6+': byTotal() };
    const [double, surrender, half, splitDouble] = [byTotal(), byTotal(), byTotal(), byTotal()];
    const surrenderPair = letters(11);
    const pairPlay = Array<string>(11).fill('-');
    const totals = [...this.places.values()].filter(({ pair }) => pair === 0);
    for (const { row, soft, total, act } of totals) {
      const kind = soft ? 'soft' : 'hard';
      if (act === 'hit') rows[row][kind][total] = '1';
      if (act === 'half') half[kind][total] = '1';
      // After a double that is not allowed or a surrender too late, the next best is played.
      if (act === 'double' || act === 'surrender') {
        const place = this.places.get([row, soft, total, 0].join())!;
        if (this.best(place, ['stand', 'hit']) === 'hit') rows[row][kind][total] = '1';
        if (act === 'double') double[kind][total] = '1';
        else surrender[kind][total] = '1';
      }
    }
    if (doublesSplits)
      for (const place of this.places.values())
        if (place.row === '2' && place.pair === 0 && place.total < 21)
          if (place.nodes.every(({ counts }) => this.allowed.doublesSplit(counts)))
            if (this.best(place, ['stand', 'hit', 'double']) === 'double')
              splitDouble[place.soft ? 'soft' : 'hard'][place.total] = '1';
    for (const place of this.places.values()) {
      const { pair, act, soft, total } = place;
      if (pair === 0) continue;
      if (act === 'surrender') surrenderPair[pair] = '1';
      else pairPlay[pair] = act === 'hit' ? 'H' : act === 'double' ? 'D' : 'S';
      // A four, a twenty and two aces have no other hands of two cards.
      if (!totals.some((other) => other.row === '2' && other.soft === soft && other.total === total)) {
        const kind = soft ? 'soft' : 'hard';
        if (this.best(place, ['stand', 'hit']) === 'hit') rows['2'][kind][total] = '1';
      }
    }
    const join = (of: { hard: string[]; soft: string[] }) => ({
      hard: of.hard.join(''),
      soft: of.soft.join(''),
    });
    const table: Against = {
      hit: {
        '2': join(rows['2']),
        '3': join(rows['3']),
        '4': join(rows['4']),
        '5': join(rows['5']),
        '6+': join(rows['6+']),
      },
      double: join(double),
      surrender: join(surrender),
      takeHalfAtFiveCards: join(half),
      split: '0'.repeat(11),
      surrenderPair: surrenderPair.join(''),
      pairPlay: pairPlay.join(''),
      doubleAfterSplit: join(splitDouble),
    };
    return this.withSplits(table, doublesSplits);
  }

  private best(place: Place, acts: readonly Act[]): Act {
    const worth = (act: Act): number =>
      place.nodes.reduce((sum, node) => sum + (node.place.pair > 0 ? 1 : 2) * this.valueOf(node, act), 0);
    return acts.reduce((a, b) => (worth(b) > worth(a) + LEAST_GAIN ? b : a));
  }

  private withSplits(table: Against, doublesSplits: boolean): Against {
    const split = table.split.split('');
    if (!this.splits) return table;
    for (const place of this.places.values()) {
      const { pair, act, nodes } = place;
      if (pair === 0 || (pair === 10 && !this.allowed.splitsTens)) continue;
      const sums = new Sums();
      this.exact.addSplit(pair, table, doublesSplits, sums);
      const { splitEv, splitPrize } = sums.round;
      if (splitEv + splitPrize > this.valueOf(nodes[0]!, act) + LEAST_GAIN) split[pair] = '1';
    }
    // Surrender is asked first: a pair that is split is none of it.
    const surrenderPair = table.surrenderPair.replaceAll(/1/g, (_, at: number) =>
      split[at] === '1' ? '0' : '1',
    );
    return { ...table, split: split.join(''), surrenderPair };
  }
}

const hardOf = (counts: Counts): number => RANKS.reduce((sum, rank) => sum + rank * counts[rank]!, 0);
const hardOfPlace = ({ soft, total }: Place): number => (soft ? total - 10 : total);

/**
 * The best strategy out of a shoe with so many cards of each rank, in the form of a strategy file.
 */
export function bestStrategy(id: string, shoe: readonly number[], law: Law, allowed: Allowed): Strategy {
  const decks = Math.max(1, Math.round(shoe.reduce((sum, count) => sum + count) / 52));
  const mayDoubleSplits = law.maxHands > 1 && mayEver(allowed.doublesSplit);
  return {
    id,
    rules: {
      decks,
      h17: law.h17,
      hole: law.peeks ? 'PEEK:' : law.splitLoses === 'all' ? 'ENHC:' : 'OBO:',
      das: mayDoubleSplits ? 1 : 0,
      maxHands: Math.min(law.maxHands, MOST_HANDS),
      resplitAces: law.resplitsAces ? 1 : 0,
      noSplit: law.maxHands > 1 ? 0 : 1,
    },
    strategy: Object.fromEntries(
      RANKS.map((up) => [
        UP_CARDS[up] as UpCard,
        new BestAgainst(law, allowed, shoe, up).against(mayDoubleSplits),
      ]),
    ) as Strategy['strategy'],
  };
}

const mayEver = (doubles: Allowed['doubles']): boolean =>
  RANKS.some((a) => RANKS.some((b) => doubles(withCard(withCard(NO_CARDS, a), b))));
