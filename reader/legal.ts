/**
 * What a table may be set to, as far as money hangs on it: a round under other terms is none that
 * the articles know, whatever it pays.
 */
import type { Question } from './form.ts';

type Options = Question['options'];
/** The articles let the option be so, or name the rule that it breaks. */
type Term = readonly [cite: string, holds: (o: Options) => boolean];

const share = (value: unknown): number => {
  const [over = '0', under = '1'] = String(value).split('/');
  return Number(over) / Number(under);
};
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const isIn = (value: unknown, ...values: readonly unknown[]): boolean => values.includes(value);
const isBetween = (value: unknown, least: number, most: number): boolean =>
  Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most;
/** Half of every bet must be a whole amount. */
const isEven = ({ step }: Options): boolean => Number(step) > 0 && Number(step) % 2 === 0;

const DOUBLE_ON = ['anyTwo', 'afterSplit', 'eleven'];
const OLD_SIDE_BETS = ['anyPair', 'sevens', 'over13', 'under13'];
const NEW_SIDE_BETS = [...OLD_SIDE_BETS, 'perfectPair', 'streak2', 'streak3', 'streak4', 'streak5'];

const MACAU: readonly Term[] = [
  ['art.1.2', ({ decks }) => isBetween(decks, 1, 12)],
  ['art.2.2.3', ({ cardSource, decks }) => cardSource !== 'box' || decks === 1],
  ['art.2.1.1', ({ cutBehind }) => Number(cutBehind) >= 30],
  ['art.10.3', ({ evenMoney }) => evenMoney === true],
  [
    'art.12.1',
    ({ insuranceMin: least, insuranceMax: most }) =>
      share(least) >= 1 / 2 && share(least) <= share(most) && share(most) <= 1,
  ],
  ['art.19', ({ fiveCards }) => fiveCards === true],
  ['art.18.1', isEven],
  [
    'art.17.1',
    ({ doubleOn }) => list(doubleOn).length > 0 && list(doubleOn).every((on) => isIn(on, ...DOUBLE_ON)),
  ],
  ['art.5.2.2.1', ({ dealing, cardSource }) => dealing !== 'faceUp' || cardSource !== 'box'],
  [
    'art.20.1.2',
    ({ betsBehind, maxBettorsPerSeat: most }) =>
      betsBehind !== 'nearest' || most === null || Number(most) <= 3,
  ],
];

const MACAU_2004: readonly Term[] = [
  ...MACAU,
  ['art.5.2', ({ dealing }) => isIn(dealing, 'faceDown', 'faceUp')],
  ['art.6.1', ({ dealerHitsSoft17 }) => dealerHitsSoft17 === false],
  ['art.10.7', ({ bustedVsDealerBlackjack }) => bustedVsDealerBlackjack === 'bustsLost'],
  ['art.12.2', ({ splitVsDealerBlackjack }) => splitVsDealerBlackjack === 'loseAll'],
  ['art.13', ({ sideBets }) => list(sideBets).every((bet) => isIn(bet, ...OLD_SIDE_BETS))],
  ['art.15', ({ specialPrize }) => specialPrize === true],
  ['art.17', ({ doubleOn }) => list(doubleOn).includes('eleven') === (list(doubleOn).length === 1)],
  ['art.18', ({ surrender }) => surrender === true],
];

const MACAU_2009: readonly Term[] = [
  ...MACAU,
  ['art.5.2.3.7', ({ dealing, maxHands }) => dealing !== 'holeCard' || maxHands === 5],
  ['art.5.2.3.8', ({ dealing, tableMaxTotal }) => dealing === 'holeCard' || tableMaxTotal === null],
  ['art.13', ({ sideBets }) => list(sideBets).every((bet) => isIn(bet, ...NEW_SIDE_BETS))],
  ['art.16.6', ({ splitVsDealerBlackjack }) => splitVsDealerBlackjack === 'originalOnly'],
  ['art.17.3', ({ doubledVsDealerBlackjack }) => doubledVsDealerBlackjack === 'originalOnly'],
];

interface Terms {
  readonly stake: number;
  readonly seed: number;
  readonly cards: number;
  readonly pays: readonly {
    readonly combination: string;
    readonly share?: string | null;
    readonly odds?: number | null;
  }[];
}

const jackpotHolds =
  (holds: (jackpot: Terms) => boolean) =>
  ({ jackpot }: Options): boolean =>
    !jackpot || holds(jackpot as Terms);

const PORTUGAL: readonly Term[] = [
  ['r.3', ({ decks }) => isIn(decks, 4, 6)],
  ['r.6.a', ({ dealerHitsSoft17 }) => dealerHitsSoft17 === false],
  ['r.14', ({ min, step }) => step === null || step === min],
  ['r.17', ({ dealing }) => dealing === 'holeCard'],
  ['r.18', ({ mustDrawBelow }) => isIn(mustDrawBelow, undefined, 12)],
  [
    'r.20',
    ({ doubledVsDealerBlackjack: one, splitVsDealerBlackjack: two }) =>
      one === 'loseAll' && two === 'loseAll',
  ],
  ['r.22', ({ dealerPlaysOut }) => isIn(dealerPlaysOut, undefined, 'ifNeeded')],
  ['r.27', ({ maxHands, resplit }) => maxHands === null && resplit === true],
  ['r.33', ({ insuranceMin, insuranceMax }) => insuranceMin === null && share(insuranceMax) === 1 / 2],
  ['r.35', ({ specialPrize }) => specialPrize === true],
  ['r.36', ({ surrender }) => surrender === true],
  ['r.37', ({ min, max }) => Number(max) >= Number(min) && Number(max) <= 30 * Number(min)],
  ['r.44', jackpotHolds(({ seed, stake }) => seed >= 10_000 * stake)],
  [
    'r.42',
    jackpotHolds(({ cards, pays }) => pays.every(({ combination }) => Number(combination[1]) <= cards)),
  ],
  ['r.43', jackpotHolds(({ pays }) => pays.every((pay) => !pay.share !== !pay.odds))],
  [
    'r.50.a',
    jackpotHolds(({ pays }) => pays.every((pay, at) => (share(pay.share ?? 0) === 1) === (at === 0))),
  ],
];

/** art. 13.5: what an application describes: hands that win, in the points and cards there are. */
const isPrize = (prize: unknown): boolean => {
  const { odds, winner, playerPoints, bankerPoints, playerCards, bankerCards } = prize as Options;
  return (
    isBetween(odds, 1, Number.MAX_SAFE_INTEGER) &&
    isIn(winner, 'player', 'banker', 'tie', null) &&
    [playerPoints, bankerPoints].every((points) => points === null || isBetween(points, 0, 9)) &&
    [playerCards, bankerCards].every((cards) => isIn(cards, 2, 3, null))
  );
};
const isAuthorisable = (bet: unknown): boolean => {
  const prizes = list((bet as Options)['wins']);
  return prizes.length > 0 && prizes.every(isPrize);
};

const BACARA: readonly Term[] = [
  ['art.13.5', ({ authorisedBets }) => list(authorisedBets).every(isAuthorisable)],
  ['art.1', ({ decks }) => isBetween(decks, 6, 12)],
  ['art.2.2', ({ demoRounds }) => isBetween(demoRounds, 0, 3)],
  ['art.18', ({ commission }) => isIn(commission, 'five-percent', 'none-banker-six-half')],
];

const TERMS: Readonly<Record<string, readonly Term[]>> = {
  'macau-blackjack-2004': MACAU_2004,
  'macau-blackjack-2009': MACAU_2009,
  'portugal-blackjack': PORTUGAL,
  'macau-baccarat': BACARA,
  'macau-casino-war': [['art.7.4', isEven]],
};

/** The article that these options break; null = none. */
export const brokenTerm = (rulebook: string, options: Options): string | null =>
  TERMS[rulebook]?.find(([, holds]) => !holds(options))?.[0] ?? null;
