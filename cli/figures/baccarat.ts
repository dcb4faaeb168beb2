/**
 * Macau Bacará, first round of a full shoe, by enumeration of the points of all six cards a round
 * can use. A round that ends earlier counts with every pair of cards that could have followed, so
 * every ordering of six cards weighs the same. Written from the drawing table again and sharing
 * nothing with the engine, so that the one can be held against the other.
 */
import { KNOWN_BETS } from '../../engine/books.ts';
import { type Figure, figure } from './figure.ts';
import { edgeOf, minus, plus, type Rational, ratio, times } from './rational.ts';

const POINTS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] as const;

/**
 * The Player side's third card (points) on which the Banker draws, by the Banker's first two cards.
 */
const BANKER_DRAWS: Readonly<Record<number, readonly number[]>> = {
  0: POINTS,
  1: POINTS,
  2: POINTS,
  3: [0, 1, 2, 3, 4, 5, 6, 7, 9],
  4: [2, 3, 4, 5, 6, 7],
  5: [4, 5, 6, 7],
  6: [6, 7],
};

/**
 * Does the Banker with two cards of this total draw? `playerThird` is null where the Player stood
 * without a natural.
 */
const bankerDraws = (banker: number, playerThird: number | null): boolean =>
  playerThird === null ? banker <= 5 : (BANKER_DRAWS[banker]?.includes(playerThird) ?? false);

/** What a bet beside the sides may ask of both hands; null = nothing. */
export type AskedHand = {
  readonly [member in 'playerPoints' | 'playerCards' | 'bankerPoints' | 'bankerCards']: number | null;
} & {
  readonly winner: string | null;
  readonly playerPair: boolean | null;
  readonly bankerPair: boolean | null;
  readonly odds: number;
};

/** Both hands of so many orderings of six cards. */
interface Ended {
  readonly player: number;
  readonly playerCards: 2 | 3;
  readonly playerPair: boolean;
  readonly banker: number;
  readonly bankerCards: 2 | 3;
  readonly bankerPair: boolean;
  ways: bigint;
}

/** How many of the orderings of six cards end so. */
export interface BaccaratCounts {
  /** Every end that there is. */
  readonly ends: readonly Ended[];
  total: bigint;
  /** By the winning or tied points, 0 to 9. */
  readonly player: bigint[];
  readonly banker: bigint[];
  readonly tie: bigint[];
  /** The Banker's wins with six points by its number of cards. */
  readonly bankerSix: { 2: bigint; 3: bigint };
  natural: bigint;
  /** By the number of cards the round used. */
  readonly cards: { 4: bigint; 5: bigint; 6: bigint };
}

const cardsWith = (points: number, decks: number): number => (points === 0 ? 16 : 4) * decks;

/** Counts all orderings of six cards out of `decks` decks. */
export function countBaccarat(decks: number): BaccaratCounts {
  const zeros = () => POINTS.map(() => 0n);
  const ends = new Map<number, Ended>();
  const counts: BaccaratCounts & { ends: readonly Ended[] } = {
    ends: [],
    total: 0n,
    player: zeros(),
    banker: zeros(),
    tie: zeros(),
    bankerSix: { 2: 0n, 3: 0n },
    natural: 0n,
    cards: { 4: 0n, 5: 0n, 6: 0n },
  };
  const left = POINTS.map((points) => cardsWith(points, decks));
  /** Tens, jacks, queens and kings, which a pair tells apart: as many of each are left. */
  const tens = [4, 4, 4, 4].map((each) => each * decks);
  const size = 52 * decks;
  /**
   * Takes one card of these points out of the shoe for `then`, which gets the number of such cards
   * there were.
   */
  const draw = (points: number, then: (ways: number) => void): void => {
    const ways = left[points]!;
    if (ways === 0) return;
    left[points] = ways - 1;
    then(ways);
    left[points] = ways;
  };

  const ended = (player: Hand, playerCards: 2 | 3, banker: Hand, bankerCards: 2 | 3, ways: bigint): void => {
    counts.total += ways;
    counts.cards[(playerCards + bankerCards) as 4 | 5 | 6] += ways;
    if (player.points === banker.points) counts.tie[player.points]! += ways;
    else if (player.points > banker.points) counts.player[player.points]! += ways;
    else {
      counts.banker[banker.points]! += ways;
      if (banker.points === 6) counts.bankerSix[bankerCards] += ways;
    }
    const side = (hand: Hand, cards: number): number =>
      (hand.points * 2 + cards - 2) * 2 + (hand.isPair ? 1 : 0);
    const place = side(player, playerCards) * 40 + side(banker, bankerCards);
    const known = ends.get(place);
    if (known) known.ways += ways;
    else ends.set(place, { ...handsOf(player, playerCards, banker, bankerCards), ways });
  };

  const afterTwo = (player: Hand, banker: Hand, ways: bigint): void => {
    const unseen = (cards: number): bigint => BigInt(cards === 4 ? (size - 4) * (size - 5) : size - 5);
    const withThird = ({ points, isPair }: Hand, third: number): Hand => ({
      points: (points + third) % 10,
      isPair,
    });
    const isNatural = player.points >= 8 || banker.points >= 8;
    if (isNatural) counts.natural += ways * unseen(4);
    if (isNatural || (player.points >= 6 && !bankerDraws(banker.points, null))) {
      ended(player, 2, banker, 2, ways * unseen(4));
    } else if (player.points >= 6) {
      for (const third of POINTS)
        ended(player, 2, withThird(banker, third), 3, ways * BigInt(left[third]!) * unseen(5));
    } else {
      for (const third of POINTS)
        draw(third, (playerWays) => {
          const total = withThird(player, third);
          const sofar = ways * BigInt(playerWays);
          if (!bankerDraws(banker.points, third)) ended(total, 3, banker, 2, sofar * unseen(5));
          else
            for (const last of POINTS)
              ended(total, 3, withThird(banker, last), 3, sofar * BigInt(left[last]!));
        });
    }
  };

  // The order of a side's first two cards changes nothing: each two points are met once and counted
  // for both orders.
  const two = (then: (hand: Hand, ways: number) => void): void => {
    for (const first of POINTS)
      draw(first, (a) => {
        for (const second of POINTS)
          if (second >= first)
            draw(second, (b) => {
              const points = (first + second) % 10;
              if (second > 0) {
                // No card beside tens is left to be told from another of its points.
                const took = first === 0 ? 1 : 0;
                tens[0]! -= took;
                then({ points, isPair: first === second }, a * b * (first === second ? 1 : 2));
                tens[0]! += took;
                return;
              }
              const pairs = tens.reduce((all, count) => all + count * (count - 1), 0);
              const before = [...tens];
              const go = (isPair: boolean, ways: number): void => {
                tens[0]! -= isPair ? 2 : 1;
                tens[1]! -= isPair ? 0 : 1;
                if (ways > 0) then({ points, isPair }, ways);
                tens.splice(0, 4, ...before);
              };
              go(true, pairs);
              go(false, a * b - pairs);
            });
      });
  };
  two((player, a) => two((banker, b) => afterTwo(player, banker, BigInt(a) * BigInt(b))));
  counts.ends = [...ends.values()];
  return counts;
}

/** Points, and whether the first two cards are of one rank. */
interface Hand {
  readonly points: number;
  readonly isPair: boolean;
}

const handsOf = (
  player: Hand,
  playerCards: 2 | 3,
  banker: Hand,
  bankerCards: 2 | 3,
): Omit<Ended, 'ways'> => ({
  player: player.points,
  playerCards,
  playerPair: player.isPair,
  banker: banker.points,
  bankerCards,
  bankerPair: banker.isPair,
});

const meets = (end: Ended, hand: AskedHand): boolean => {
  const winner = end.player > end.banker ? 'player' : end.player < end.banker ? 'banker' : 'tie';
  return (
    (hand.winner ?? winner) === winner &&
    (hand.playerPoints ?? end.player) === end.player &&
    (hand.bankerPoints ?? end.banker) === end.banker &&
    (hand.playerCards ?? end.playerCards) === end.playerCards &&
    (hand.bankerCards ?? end.bankerCards) === end.bankerCards &&
    (hand.playerPair ?? end.playerPair) === end.playerPair &&
    (hand.bankerPair ?? end.bankerPair) === end.bankerPair
  );
};

/** What each of these hands pays and how often it is the first that comes. */
export function prizesOf(
  { ends, total }: BaccaratCounts,
  hands: readonly AskedHand[],
): readonly (readonly [chance: Rational, odds: number])[] {
  return hands.map((hand, at) => {
    const before = hands.slice(0, at);
    const here = ends.filter((end) => meets(end, hand) && !before.some((other) => meets(end, other)));
    return [
      ratio(
        here.reduce((all, { ways }) => all + ways, 0n),
        total,
      ),
      hand.odds,
    ];
  });
}

const sum = (list: readonly bigint[]): bigint => list.reduce((a, b) => a + b, 0n);

/**
 * Probabilities, edges (art. 18 with both alternatives of the commission) and counts for a shoe of
 * so many decks.
 */
export function baccaratFigures(decks: number): Figure[] {
  const counts = countBaccarat(decks);
  const of = (ways: bigint): Rational => ratio(ways, counts.total);
  const banker = of(sum(counts.banker));
  const player = of(sum(counts.player));
  const tie = of(sum(counts.tie));
  const bankerSix = of(counts.banker[6]!);
  const half = ratio(1, 2);
  // The stake is at risk only where Player or Banker wins: a tie returns it.
  const bankerEdge = minus(player, times(banker, ratio(95, 100)));
  const bankerEdgeHalfOnSix = minus(player, minus(banker, times(bankerSix, half)));
  const pair = ratio(4 * decks - 1, 52 * decks - 1);
  const { cards } = counts;
  const meanCards = plus(
    plus(times(of(cards[4]), ratio(4)), times(of(cards[5]), ratio(5))),
    times(of(cards[6]), ratio(6)),
  );

  const fraction = (name: string, value: Rational): Figure => figure(`baccarat-${decks}d-${name}`, value);
  return [
    fraction('banker-win', banker),
    fraction('player-win', player),
    fraction('tie', tie),
    {
      id: `baccarat-${decks}d-combos`,
      value: [sum(counts.banker), sum(counts.player), sum(counts.tie), counts.total].join('/'),
    },
    fraction('banker-he-5pct', bankerEdge),
    fraction('player-he', minus(banker, player)),
    fraction('tie-he-8to1', edgeOf([tie, 8])),
    fraction('tie-he-9to1', edgeOf([tie, 9])),
    fraction('banker-he-nocomm-b6half', bankerEdgeHalfOnSix),
    fraction('banker-win-6', bankerSix),
    fraction('banker-win-6-2c', of(counts.bankerSix[2])),
    fraction('banker-win-6-3c', of(counts.bankerSix[3])),
    fraction('natural', of(counts.natural)),
    fraction('cards4', of(cards[4])),
    fraction('cards5', of(cards[5])),
    fraction('cards6', of(cards[6])),
    fraction('mean-cards', meanCards),
    ...POINTS.flatMap((points) => [
      fraction(`tie-${points}`, of(counts.tie[points]!)),
      fraction(`bwin-${points}`, of(counts.banker[points]!)),
      fraction(`pwin-${points}`, of(counts.player[points]!)),
    ]),
    fraction('pair-either-side', pair),
    fraction('pair-he-11to1', edgeOf([pair, 11])),
    fraction('lucky6-he-12-20', edgeOf([of(counts.bankerSix[2]), 12], [of(counts.bankerSix[3]), 20])),
    ...KNOWN_BETS.map(({ id, wins }) => fraction(`${id}-he`, edgeOf(...prizesOf(counts, wins)))),
  ];
}
