/**
 * What the side bets pay to one, and the articles that say when and how much. Both Despachos number
 * these alike (arts. 13 and 14); perfect pair (13.4) and winning streak (13.5) stand in 57/2009
 * alone.
 */
export interface Price {
  readonly pays: number;
  readonly cites: readonly string[];
}

export const PAIR_PRICES = {
  /** The first two cards of a hand; later pairs of a seat that has split. */
  anyPair: { pays: 11, cites: ['art.13.1.1', 'art.14.1'] },
  laterPair: { pays: 11, cites: ['art.13.1.2', 'art.14.1'] },
  mixed: { pays: 5, cites: ['art.13.4.1', 'art.14.4.1'] },
  colour: { pays: 12, cites: ['art.13.4.2', 'art.14.4.2'] },
  perfect: { pays: 25, cites: ['art.13.4.3', 'art.14.4.3'] },
} as const satisfies Record<string, Price>;

export const SEVENS_PRICES = {
  two: { pays: 50, cites: ['art.13.2.1', 'art.14.2.1'] },
  twoSuited: { pays: 150, cites: ['art.13.2.1', 'art.14.2.2'] },
  three: { pays: 500, cites: ['art.13.2.2', 'art.14.2.3'] },
  threeSuited: { pays: 5000, cites: ['art.13.2.2', 'art.14.2.4'] },
} as const satisfies Record<string, Price>;

export const THIRTEEN_PRICE = { pays: 1, cites: ['art.13.3', 'art.14.3'] } as const satisfies Price;

/** By the number of rounds won in a row. */
export const STREAK_PRICES: Readonly<Record<number, Price>> = {
  2: { pays: 3, cites: ['art.13.5.2.i', 'art.14.5.1'] },
  3: { pays: 8, cites: ['art.13.5.2.i', 'art.14.5.2'] },
  4: { pays: 18, cites: ['art.13.5.2.i', 'art.14.5.3'] },
  5: { pays: 38, cites: ['art.13.5.2.i', 'art.14.5.4'] },
};

/** Where a side bet is defined, for its refusals and for the panel. */
export const SIDE_BET_ARTICLES: Readonly<Record<string, string>> = {
  anyPair: 'art.13.1',
  sevens: 'art.13.2',
  over13: 'art.13.3',
  under13: 'art.13.3',
  perfectPair: 'art.13.4',
  streak2: 'art.13.5.1.i',
  streak3: 'art.13.5.1.ii',
  streak4: 'art.13.5.1.iii',
  streak5: 'art.13.5.1.iv',
};

/**
 * art. 13: one of them at a time; over and under are one, several streak numbers too
 * (art. 13.5.2.iv).
 */
export const kindOf = (bet: string): string =>
  isStreakBet(bet) ? 'streak' : bet === 'over13' || bet === 'under13' ? 'thirteen' : bet;

export const isStreakBet = (bet: string): boolean => bet.startsWith('streak');

/** 2 to 5, of a streak bet. */
export const streakNumber = (bet: string): number => Number(bet.slice('streak'.length));
