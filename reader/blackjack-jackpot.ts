import type { AuditedLine } from './auditor.ts';
import { isOneSuit, rank } from './blackjack-cards.ts';
import { type JackpotTerms, shareOf } from './blackjack-options.ts';

/** One chip in the slot, and the cards of its player in the order dealt. */
export interface Chip {
  readonly seat: number;
  readonly dealt: readonly string[];
}

function reduced(over: bigint, under: bigint): { over: bigint; under: bigint } {
  let [a, b] = [under, over];
  while (b > 0n) [a, b] = [b, a % b];
  return { over: over / a, under: under / a };
}

/** Portugal's progressive jackpot (r.38-50). */
export class Jackpot {
  readonly #terms: JackpotTerms;
  #meter: number;
  /** What the chips have added beyond whole units: nothing is lost. */
  #rest = { over: 0n, under: 1n };
  #before: { readonly meter: number; readonly rest: { readonly over: bigint; readonly under: bigint } };

  constructor(terms: JackpotTerms) {
    this.#terms = terms;
    this.#meter = terms.seed;
    this.#before = { meter: terms.seed, rest: this.#rest };
  }

  /** `rest`: a to b of one unit, from whatever share it has come. */
  find(meter: number, [over, under]: readonly [number, number]): void {
    this.#meter = meter;
    this.#rest = { over: BigInt(over), under: BigInt(under) };
    this.#before = { meter, rest: this.#rest };
  }

  get meter(): number {
    return this.#meter;
  }

  /** r.40, r.48: the chips are collected before the deal, and each lifts the meter. */
  collect(chips: number): void {
    const { increment, stake } = this.#terms;
    const [over = '0', under = '1'] = increment.split('/');
    this.#before = { meter: this.#meter, rest: this.#rest };
    const shared = this.#rest.under * BigInt(under);
    const parts = this.#rest.over * BigInt(under) + BigInt(chips * stake) * BigInt(over) * this.#rest.under;
    this.#meter += Number(parts / shared);
    this.#rest = reduced(parts % shared, shared);
  }

  /** The cards of the round are annulled: the chips go back, the meter too. */
  undo(): void {
    this.#meter = this.#before.meter;
    this.#rest = this.#before.rest;
  }

  settle(chips: readonly Chip[]): AuditedLine[] {
    const { pays, stake, seed } = this.#terms;
    const meterAtClose = this.#meter;
    const prizes = new Map<number, number>();
    const won = chips.map(({ seat, dealt }) => ({ seat, place: this.#placeOf(dealt) }));
    // r.50 a: from the smallest to the largest; nobody is paid what the meter does not hold.
    const lower = won
      .flatMap(({ seat, place }) => {
        const pay = place < 1 ? undefined : pays[place];
        if (pay === undefined) return [];
        const prize = pay.odds ? pay.odds * stake : shareOf(pay.share ?? '0', meterAtClose);
        return [{ seat, prize }];
      })
      .sort((a, b) => a.prize - b.prize || a.seat - b.seat);
    for (const { seat, prize } of lower) {
      const paid = Math.min(prize, this.#meter);
      prizes.set(seat, paid);
      this.#meter -= paid;
    }
    // r.50 a, b: what remains goes to the highest, in equal parts, an odd unit to the lower seat.
    const top = won.filter(({ place }) => place === 0).map(({ seat }) => seat);
    top.sort((a, b) => a - b);
    const odd = top.length === 0 ? 0 : this.#meter % top.length;
    top.forEach((seat, at) => {
      prizes.set(seat, (this.#meter - odd) / top.length + (at < odd ? 1 : 0));
    });
    if (top.length > 0) this.#meter = seed;
    return chips.map(({ seat }) => ({
      seat,
      by: seat,
      bet: 'jackpot',
      hand: null,
      net: (prizes.get(seat) ?? 0) - stake,
    }));
  }

  /** Place of the best combination among the cards that count (r.42); -1 = none. */
  #placeOf(dealt: readonly string[]): number {
    const counted = dealt.slice(0, this.#terms.cards);
    return this.#terms.pays.findIndex(({ combination }) => {
      const ofRank = counted.filter((card) => rank(card) === combination.charAt(0));
      const many = Number(combination.charAt(1));
      if (!combination.endsWith('s')) return ofRank.length >= many;
      return ofRank.some((card) => ofRank.filter((other) => isOneSuit([card, other])).length >= many);
    });
  }
}
