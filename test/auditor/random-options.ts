import { KNOWN_BETS, type OptionSpec, rulebookOf, validateOptions } from '../../engine/books.ts';
import type { OptionValue, RulebookId } from '../../engine/table/profile.ts';
import type { Random } from './random.ts';

/** Integers without a natural range: values that are met at tables, and some at the edge. */
const INTEGERS: Readonly<Record<string, readonly (number | null)[]>> = {
  decks: [1, 2, 4, 5, 6, 8],
  seats: [6, 7, 8, 12],
  seatsPerPlayer: [null, 1, 2],
  maxBettorsPerSeat: [null, 1, 2, 3],
  maxHands: [4, 5, 6],
  cutBehind: [30, 60],
  tableMaxTotal: [null, 2_000, 50_000],
  sideBetMin: [null, 1, 500],
  sideBetMax: [null, 5_000],
  min: [100, 1_000],
  max: [30_000, 100_000_000],
  step: [2, 100, 1_000],
};

const FRACTIONS = ['1/2', '2/3', '3/4', '1'];

const ALL_STREAKS = ['streak2', 'streak3', 'streak4', 'streak5'];
/** Options that make sense, or are lawful, only together: some sittings begin with one of these. */
const TOGETHER: readonly Readonly<Record<string, OptionValue>>[] = [
  { cardSource: 'box', decks: 1, dealing: 'faceDown' },
  { dealing: 'faceDown' },
  { dealing: 'holeCard' },
  { dealing: 'holeCard', sideBets: [...ALL_STREAKS, 'anyPair', 'perfectPair'] },
  { sideBets: ALL_STREAKS },
  { sideBets: ['sevens', 'streak2', 'streak3'], streakAbandon: 'forfeit', sideBetsAtOnce: 'any' },
  { doubleOn: ['eleven'], elevenVsDealerBlackjack: 'offer' },
  { doubledVsDealerBlackjack: 'offer' },
  { anyPairResplit: 'newBet' },
];

const jackpot = (stake: number, increment: string, cards: number, pays: object[]): OptionValue =>
  ({ stake, seed: 10_000 * stake, increment, cards, pays, marking: 'automatic' }) as unknown as OptionValue;
/** r.40, r.43: what an inspectorate might have approved. */
const JACKPOTS: readonly OptionValue[] = [
  jackpot(100, '1/2', 4, [
    { combination: 'A4s', share: '1' },
    { combination: 'A4', share: '1/10' },
    { combination: 'A3s', odds: 500 },
    { combination: 'A3', odds: 100 },
    { combination: 'A2s', odds: 30 },
    { combination: 'A2', odds: 10 },
  ]),
  jackpot(100, '1/3', 3, [
    { combination: 'A3', share: '1' },
    { combination: 'A2', share: '1/7' },
  ]),
  jackpot(50, '1/4', 2, [
    { combination: 'A2s', share: '1' },
    { combination: 'A2', odds: 7 },
  ]),
];

const NAME = { 'zh-Hant': '場方', pt: 'Da casa', en: 'House' };
/** Bacará art. 13.4: what a director has authorised, and what might be. */
const AUTHORISED_BETS = [
  KNOWN_BETS,
  [
    KNOWN_BETS[1]!,
    {
      id: 'houseBet',
      name: NAME,
      short: NAME,
      min: 500,
      max: 20_000,
      // The first that fits pays: a tie of pairs, a tie, a Banker of three cards that wins with a
      // pair.
      wins: [
        { winner: 'tie', playerPair: true, odds: 30 },
        { winner: 'tie', odds: 2 },
        { winner: 'banker', bankerCards: 3, bankerPair: true, odds: 7 },
        { playerPoints: 0, odds: 1 },
      ],
    },
  ],
] as unknown as readonly OptionValue[];

/** Random lawful options of the rulebook; most options keep their default. */
export function drawOptions(rulebook: RulebookId, random: Random): Record<string, OptionValue> {
  const isLegal = (options: Record<string, OptionValue>): boolean => validateOptions(rulebook, options).ok;
  let options: Record<string, OptionValue> = {};
  const start = { ...TOGETHER[random(TOGETHER.length)] };
  if (random(2) === 0 && isLegal(start)) options = start;
  const often = 2 + random(6);
  for (const spec of rulebookOf(rulebook)?.options ?? []) {
    if (random(often) > 0 || spec.id in options) continue;
    const more = { ...options, [spec.id]: drawValue(spec, random) };
    if (isLegal(more)) options = more;
  }
  return options;
}

function drawValue(spec: OptionSpec, random: Random): OptionValue {
  const pick = <T>(items: readonly T[]): T => items[random(items.length)]!;
  const { legal } = spec;
  switch (legal.kind) {
    case 'one-of':
      return pick(legal.values);
    case 'integer':
      return pick(INTEGERS[spec.id] ?? [legal.min, Math.min(legal.max, legal.min + 1)]);
    case 'subset': {
      const drawn = legal.of.filter(() => random(2) === 0);
      return drawn.length >= legal.min ? drawn : [...legal.of];
    }
    case 'fraction':
      return pick(FRACTIONS);
    case 'object':
      return spec.id === 'jackpot' ? pick(JACKPOTS) : spec.default;
    case 'list':
      return spec.id === 'authorisedBets' ? pick(AUTHORISED_BETS) : spec.default;
    case 'text':
      return spec.default;
  }
}
