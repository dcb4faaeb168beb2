/**
 * A strategy as people read it: by the total, the soft total or the pair, against each card of the
 * bank. S stand, H draw, D double, R give up half, P split, F half at five cards.
 */
import { UP_CARDS, type UpCard } from './blackjack.ts';
import type { Against, Strategy } from './strategy-file.ts';

export interface StrategyRow {
  /** `16`, `A+7` or `8+8`. */
  readonly hand: string;
  /** In the order of `COLUMNS`. */
  readonly acts: readonly string[];
}
export interface StrategyTable {
  readonly firstTwo: readonly StrategyRow[];
  /**
   * Four letters: three, four, five, six and more cards, - where there is no such hand; one letter
   * where all are the same.
   */
  readonly more: readonly StrategyRow[];
}

/** Two to ten, then the ace. */
export const COLUMNS = [...UP_CARDS.slice(2), UP_CARDS[1]] as readonly UpCard[];

const LAST_HARD = 20;
const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, i) => from + i);
const nameOf = (rank: number): string => UP_CARDS[rank]!;

type Kind = 'hard' | 'soft';
const has = (table: Against['double'], kind: Kind, total: number): boolean => table[kind][total] === '1';

function ofTwo(against: Against, kind: Kind, total: number): string {
  if (has(against.surrender, kind, total)) return 'R';
  if (has(against.double, kind, total)) return 'D';
  return has(against.hit['2'], kind, total) ? 'H' : 'S';
}

function ofPair(against: Against, rank: number, splits: boolean): string {
  if (against.surrenderPair[rank] === '1') return 'R';
  if (splits && against.split[rank] === '1') return 'P';
  const said = against.pairPlay?.[rank] ?? '-';
  if (said !== '-') return said;
  const own = ofTwo(against, rank === 1 ? 'soft' : 'hard', rank === 1 ? 12 : 2 * rank);
  return own === 'R' ? (has(against.hit['2'], 'hard', 2 * rank) ? 'H' : 'S') : own;
}

/** Without an eleven no hand below twelve holds an ace. */
const isPossible = (kind: Kind, total: number, cards: number): boolean =>
  kind === 'soft' ? total - 10 >= cards : total >= 12 || total >= 2 * cards;

function ofMore(against: Against, kind: Kind, total: number): string {
  const letters = (['3', '4', '5', '6+'] as const).map((size) => {
    if (!isPossible(kind, total, Number.parseInt(size, 10))) return '-';
    if (size === '5' && has(against.takeHalfAtFiveCards, kind, total)) return 'F';
    return has(against.hit[size], kind, total) ? 'H' : 'S';
  });
  return new Set(letters).size === 1 ? letters[0]! : letters.join('');
}

export function strategyTable({ rules, strategy }: Strategy): StrategyTable {
  const row = (hand: string, act: (against: Against) => string): StrategyRow => ({
    hand,
    acts: COLUMNS.map((up) => act(strategy[up])),
  });
  const soft = (total: number): string => `A+${total - 11}`;
  return {
    firstTwo: [
      // Two cards of different values: five is the least, nineteen the most.
      ...range(5, 19).map((total) => row(String(total), (against) => ofTwo(against, 'hard', total))),
      ...range(13, 20).map((total) => row(soft(total), (against) => ofTwo(against, 'soft', total))),
      ...range(1, 10).map((rank) =>
        row(`${nameOf(rank)}+${nameOf(rank)}`, (against) => ofPair(against, rank, rules.noSplit === 0)),
      ),
    ],
    more: [
      ...range(6, LAST_HARD + 1).map((total) =>
        row(String(total), (against) => ofMore(against, 'hard', total)),
      ),
      ...range(13, 21).map((total) => row(`soft ${total}`, (against) => ofMore(against, 'soft', total))),
    ],
  };
}

const lines = (title: string, rows: readonly StrategyRow[]): string[] => {
  const width = Math.max(2, ...rows.flatMap(({ acts }) => acts.map((act) => act.length)));
  const cells = (list: readonly string[]): string => list.map((cell) => cell.padEnd(width)).join(' ');
  return [
    `${title.padEnd(9)}${cells(COLUMNS)}`.trimEnd(),
    ...rows.map(({ hand, acts }) => `${hand.padEnd(9)}${cells(acts)}`.trimEnd()),
  ];
};

export function strategyText(strategy: Strategy): string {
  const { firstTwo, more } = strategyTable(strategy);
  return [
    'S stand, H draw, D double, R give up half, P split, F half at five cards',
    ...lines('two', firstTwo),
    'three, four, five, six and more cards; one letter where all are the same',
    ...lines('more', more),
  ].join('\n');
}
