import { type Card, cardOf, RANKS } from '../../core/cards.ts';
import { isPair, pointsOf, thirdCardDue } from './drawing.ts';
import { PAYS } from './payoffs.ts';

/**
 * Hands that a bet wins with, and what it pays then: every member that is not null must hold. A bet
 * is a list of them, of which the first that fits pays; where none does the bet is lost.
 */
export interface WinningHand {
  readonly winner: 'player' | 'banker' | 'tie' | null;
  readonly playerPoints: number | null;
  readonly playerCards: number | null;
  readonly bankerPoints: number | null;
  readonly bankerCards: number | null;
  /** The first two cards of that side are of one rank. */
  readonly playerPair: true | null;
  readonly bankerPair: true | null;
  /** To one. */
  readonly odds: number;
}

/** What the hands of both sides have come to, as far as a bet can tell. */
export type Outcome = { readonly [Member in Exclude<keyof WinningHand, 'odds'>]: string | number | boolean };

export function outcomeOf(player: readonly Card[], banker: readonly Card[]): Outcome {
  const playerPoints = pointsOf(player);
  const bankerPoints = pointsOf(banker);
  return {
    winner: playerPoints === bankerPoints ? 'tie' : playerPoints > bankerPoints ? 'player' : 'banker',
    playerPoints,
    playerCards: player.length,
    bankerPoints,
    bankerCards: banker.length,
    playerPair: isPair(player),
    bankerPair: isPair(banker),
  };
}

/** What can be asked of the hands, in the order in which the page of the rules says it. */
export const ASKED = [
  'winner',
  'playerPoints',
  'playerCards',
  'bankerPoints',
  'bankerCards',
  'playerPair',
  'bankerPair',
] as const satisfies readonly (keyof Outcome)[];

const fits = (hand: WinningHand, outcome: Outcome): boolean =>
  ASKED.every((member) => hand[member] === null || hand[member] === outcome[member]);

/** Which of them pays; -1 = the bet is lost. */
export const firstThatFits = (hands: readonly WinningHand[], outcome: Outcome): number =>
  hands.findIndex((hand) => fits(hand, outcome));

const ANY: Omit<WinningHand, 'odds'> = {
  winner: null,
  playerPoints: null,
  playerCards: null,
  bankerPoints: null,
  bankerCards: null,
  playerPair: null,
  bankerPair: null,
};

export const winningHand = (asked: Partial<Omit<WinningHand, 'odds'>>, odds: number): WinningHand => ({
  ...ANY,
  ...asked,
  odds,
});

/** The bets of the regulation that are won by what the hands come to (arts. 13, 17). */
export const SIDE_BETS = {
  tie: [winningHand({ winner: 'tie' }, PAYS.tie[0])],
  playerPair: [winningHand({ playerPair: true }, PAYS.pair[0])],
  bankerPair: [winningHand({ bankerPair: true }, PAYS.pair[0])],
  lucky6: [
    winningHand({ winner: 'banker', bankerPoints: 6, bankerCards: 2 }, PAYS.lucky6Two[0]),
    winningHand({ winner: 'banker', bankerPoints: 6, bankerCards: 3 }, PAYS.lucky6Three[0]),
  ],
} as const satisfies Readonly<Record<string, readonly WinningHand[]>>;

const RANKS_OF_A_SUIT: readonly Card[] = [...RANKS].map((_, rank) => cardOf(0, rank));
/**
 * Two cards for every sum of points with and without a pair; one card for each number of points.
 */
const TWO_CARDS: readonly (readonly Card[])[] = [
  ...new Map(
    RANKS_OF_A_SUIT.flatMap((first) =>
      RANKS_OF_A_SUIT.map((second) => {
        const cards = [first, second];
        return [`${pointsOf(cards)} ${isPair(cards)}`, cards] as const;
      }),
    ),
  ).values(),
];
const ONE_CARD = RANKS_OF_A_SUIT.slice(0, 10);

/** All that the drawing table can make of the cards. */
export function reckonOutcomes(): readonly Outcome[] {
  const found = new Map<string, Outcome>();
  const goOn = (player: readonly Card[], banker: readonly Card[]): void => {
    const next = thirdCardDue(player, banker);
    if (next === null) {
      const outcome = outcomeOf(player, banker);
      found.set(Object.values(outcome).join(), outcome);
    } else if (next === 'bank') for (const card of ONE_CARD) goOn(player, [...banker, card]);
    else for (const card of ONE_CARD) goOn([...player, card], banker);
  };
  for (const player of TWO_CARDS) for (const banker of TWO_CARDS) goOn(player, banker);
  return [...found.values()];
}

let everyOutcome: readonly Outcome[] | undefined;
/** The same, reckoned once. */
export function outcomes(): readonly Outcome[] {
  everyOutcome ??= reckonOutcomes();
  return everyOutcome;
}
