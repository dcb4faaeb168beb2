/**
 * Black jack with a fixed strategy, first round of a full shoe: all rounds, whatever the bank's
 * first
 * card is.
 */
import { RANKS } from './blackjack-hands.ts';
import { type Law, lawOfStrategy } from './blackjack-law.ts';
import { AgainstUp, type Round, Sums } from './blackjack-up.ts';
import type { Figure } from './figure.ts';
import type { Strategy } from './strategy-file.ts';
import { STREAK_ODDS } from './streak.ts';

/** The names of ranks in a strategy file, by rank. */
export const UP_CARDS = ['', 'A', '2', '3', '4', '5', '6', '7', '8', '9', 'T'] as const;
export type UpCard = Exclude<(typeof UP_CARDS)[number], ''>;

/** The cards by rank of so many decks. */
export const fullShoe = (decks: number): number[] => [
  0,
  ...RANKS.map((rank) => (rank === 10 ? 16 : 4) * decks),
];

/**
 * A round with this strategy out of a shoe with so many cards of each rank (`fullShoe`), under its
 * own law or a table's.
 */
export function blackjackRound(
  strategy: Strategy,
  shoe: readonly number[],
  law: Law = lawOfStrategy(strategy.rules),
): Round {
  const sums = new Sums();
  sums.add('hands', 1);
  for (const up of RANKS)
    new AgainstUp(law, shoe, up).addTo(
      sums,
      strategy.strategy[UP_CARDS[up] as UpCard],
      strategy.rules.das === 1,
    );
  return sums.round;
}

/** Decimals of these figures. */
const PLACES = 14;

const FIGURES = ['ev', 'split', 'surr', 'double', 'hands', 'p678', 'p777'] as const;

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
  const always = FIGURES.map((name) => line(name, round[name]));
  if (strategy.rules.noSplit === 0) return always;
  const won = round.win / (round.win + round.lose);
  return [
    ...always,
    ...(['win', 'lose', 'push'] as const).map((name) => line(name, round[name])),
    ...STREAK_ODDS.map(([wins, odds]) => line(`streak${wins}`, won ** wins * (odds + 1) - 1)),
  ];
}
