/**
 * Hands of black jack by the cards they hold, in any order: how a fixed strategy and a dealer come
 * to them.
 */
import type { Against, Strategy } from './strategy-file.ts';

/** 1 the ace, 10 every ten-valued card; counts by rank leave index 0 at 0. */
export const RANKS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] as const;
export type Counts = readonly number[];

export const NO_CARDS: Counts = Array<number>(11).fill(0);
export const withCard = (counts: Counts, rank: number): Counts => counts.with(rank, counts[rank]! + 1);

interface Total {
  readonly best: number;
  /** An ace counts as eleven. */
  readonly soft: boolean;
}

export function totalOf(counts: Counts): Total {
  const hard = RANKS.reduce((sum, rank) => sum + rank * counts[rank]!, 0);
  const soft = counts[1]! > 0 && hard <= 11;
  return { best: soft ? hard + 10 : hard, soft };
}

/** Does the strategy's table have a 1 at this total? */
export const says = (table: Against['double'], { best, soft }: Total): boolean =>
  (soft ? table.soft : table.hard)[best] === '1';

/**
 * Hands that hold the same cards are one, with the number of orders in which the cards may have
 * come.
 */
export class Hands extends Map<string, { readonly counts: Counts; ways: number }> {
  add(counts: Counts, ways: number): void {
    const key = counts.join();
    const known = this.get(key);
    if (known) known.ways += ways;
    else this.set(key, { counts, ways });
  }
  addEachCard(counts: Counts, ways: number): void {
    for (const rank of RANKS) this.add(withCard(counts, rank), ways);
  }
}

/** What ended a hand before the dealer's turn: `half` took half the stake at five cards. */
export type End = 'stand' | 'bust' | 'half' | 'natural' | 'surrender';

/** A player's hand that draws no more. */
export interface Finished {
  readonly counts: Counts;
  readonly size: number;
  readonly ways: number;
  readonly best: number;
  readonly end: End;
  /** In initial stakes: 2 after doubling. */
  readonly stake: 1 | 2;
}

export const finished = (counts: Counts, ways: number, end: End, stake: 1 | 2 = 1): Finished => {
  const { best } = totalOf(counts);
  const size = counts.reduce((sum, count) => sum + count);
  return { counts, size, ways, best, end: best > 21 ? 'bust' : end, stake };
};

/**
 * Plays hands of two cards to their end: double, half at five cards, hit, in this order. `double`
 * is
 * the table for them, null where they may not; `pairPlay` comes before it where it names a pair.
 */
export function playOut(
  start: Hands,
  against: Against,
  double: Against['double'] | null,
  pairPlay?: string,
): Finished[] {
  const done: Finished[] = [];
  const doubled = new Hands();
  let hands = start;
  for (let size = 2; hands.size > 0; size++) {
    const next = new Hands();
    const hit = against.hit[size < 6 ? (`${size}` as '2' | '3' | '4' | '5') : '6+'];
    for (const { counts, ways } of hands.values()) {
      const total = totalOf(counts);
      const pair = size === 2 ? (pairPlay?.[counts.indexOf(2)] ?? '-') : '-';
      const doubles = size === 2 && (pair === '-' ? double !== null && says(double, total) : pair === 'D');
      if (total.best > 21) done.push(finished(counts, ways, 'bust'));
      else if (doubles) doubled.addEachCard(counts, ways);
      else if (size === 5 && says(against.takeHalfAtFiveCards, total))
        done.push(finished(counts, ways, 'half'));
      else if (pair === '-' ? says(hit, total) : pair === 'H') next.addEachCard(counts, ways);
      else done.push(finished(counts, ways, 'stand'));
    }
    hands = next;
  }
  for (const { counts, ways } of doubled.values()) done.push(finished(counts, ways, 'stand', 2));
  return done;
}

/** A dealer's hand that draws no more, by the cards after the first. */
export interface DealerHand {
  readonly counts: Counts;
  readonly size: number;
  readonly ways: number;
  readonly outcome: Outcome;
}

/** A dealer's final total, 22 for every bust, 0 for a natural. */
export type Outcome = 0 | 17 | 18 | 19 | 20 | 21 | 22;

export function dealerHands(up: number, h17: Strategy['rules']['h17']): DealerHand[] {
  const done: DealerHand[] = [];
  let hands = new Hands();
  hands.add(NO_CARDS, 1);
  for (let size = 0; hands.size > 0; size++) {
    const next = new Hands();
    const hitsSoft17 = h17 === 'hit every soft 17' || (h17 === 'hit only ace+6 in two cards' && size === 1);
    for (const { counts, ways } of hands.values()) {
      const { best, soft } = totalOf(withCard(counts, up));
      if (best < 17 || (best === 17 && soft && hitsSoft17)) next.addEachCard(counts, ways);
      else {
        const outcome = size === 1 && best === 21 ? 0 : (Math.min(best, 22) as Outcome);
        done.push({ counts, size, ways, outcome });
      }
    }
    hands = next;
  }
  return done;
}
