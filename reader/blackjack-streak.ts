import type { AuditedBet, AuditedLine } from './auditor.ts';
import type { AskedSeries } from './form.ts';

/** art. 14.5: what «2», «3», «4» and «5» pay to one. */
const PAYS: Readonly<Record<number, number>> = { 2: 3, 3: 8, 4: 18, 5: 38 };

interface Series {
  /** Rounds won in a row; the button shows one more (art. 13.5.2.iii). */
  wins: number;
  open: { readonly by: number; readonly number: number; readonly amount: number }[];
}

/** Winning Streak: what is open at each seat over the rounds (art. 13.5). */
export class Streaks {
  #series = new Map<number, Series>();
  #before = new Map<number, Series>();

  find(series: readonly AskedSeries[]): void {
    this.#series = new Map(series.map(({ seat, wins, open }) => [seat, { wins, open: [...open] }]));
  }

  hasSeries(seat: number): boolean {
    return this.#series.has(seat);
  }

  /** Bettors with an open number, in seat order: their duty to go on betting (art. 13.5.2.vi). */
  owing(): { readonly seat: number; readonly by: number }[] {
    return [...this.#series]
      .sort(([a], [b]) => a - b)
      .flatMap(([seat, { open }]) => [...new Set(open.map(({ by }) => by))].map((by) => ({ seat, by })));
  }

  /** The first card is about to be dealt: from here the bets cannot be touched (art. 13.5.2.v). */
  begin(bets: readonly AuditedBet[]): void {
    this.#before = new Map(
      [...this.#series].map(([seat, { wins, open }]) => [seat, { wins, open: [...open] }]),
    );
    for (const { seat, by, bet, amount } of bets) {
      if (!bet.startsWith('streak')) continue;
      const series = this.#series.get(seat) ?? { wins: 0, open: [] };
      series.open.push({ by, number: Number(bet.slice(6)), amount });
      this.#series.set(seat, series);
    }
  }

  /**
   * art. 13.5.2.vi names no sanction for a bettor who has left: their open numbers come back, or
   * are lost where the house has ruled so.
   */
  leave(seat: number, by: number, areLost: boolean): AuditedLine[] {
    return this.#close(seat, (bet) => bet.by === by, areLost ? -1 : 0);
  }

  /** art. 5.1.2: the round never was. */
  undo(): void {
    this.#series = this.#before;
  }

  /** arts. 11.2, 13.5.2, 16.7, 18.3: the seat's round is won, lost or tied. */
  settle(seat: number, result: 'won' | 'lost' | 'tied'): AuditedLine[] {
    const series = this.#series.get(seat);
    if (!series || result === 'tied') return [];
    if (result === 'lost') return this.#close(seat, () => true, -1);
    series.wins += 1;
    const { wins } = series;
    return this.#close(seat, (bet) => bet.number === wins, PAYS[wins] ?? 0);
  }

  #close(seat: number, isDecided: (bet: Series['open'][number]) => boolean, odds: number): AuditedLine[] {
    const series = this.#series.get(seat);
    if (!series) return [];
    const decided = series.open.filter(isDecided);
    series.open = series.open.filter((bet) => !decided.includes(bet));
    if (series.open.length === 0) this.#series.delete(seat);
    return decided.map(({ by, number, amount }) => ({
      seat,
      by,
      bet: `streak${number}`,
      hand: null,
      net: odds * amount,
    }));
  }

  /** 0 = no button, 1 = bets open and no win yet, 2 to 5 = the button lies there. */
  button(seat: number): number {
    const series = this.#series.get(seat);
    return series ? series.wins + 1 : 0;
  }
}
