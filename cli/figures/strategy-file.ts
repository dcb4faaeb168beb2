/**
 * Strategy files of black jack: decisions fixed by the dealer's card, the number of cards and the
 * total.
 */
import { z } from 'zod';
import { FILE_BOUNDS, parseBounded } from '../../ledger/chain/bounded-json.ts';

/**
 * One digit for every total 0 to 21, or for every pair: 0 unused, 1 aces, …, 10 any two ten-valued
 * cards; 1 = do it.
 */
const digits = (length: number) =>
  z.string().regex(new RegExp(`^[01]{${length}}$`), `${length} digits of 0 or 1 are due`);
const byTotal = z.object({ hard: digits(22), soft: digits(22) });
const against = z.object({
  hit: z.object({ '2': byTotal, '3': byTotal, '4': byTotal, '5': byTotal, '6+': byTotal }),
  double: byTotal,
  surrender: byTotal,
  takeHalfAtFiveCards: byTotal,
  split: digits(11),
  surrenderPair: digits(11),
  /** Two cards of one value that are not split nor surrendered: - as their total, else so. */
  pairPlay: z
    .string()
    .regex(/^[-SHD]{11}$/, '11 letters of -, S, H or D are due')
    .exactOptional(),
  /** Doubles after a split; those of the first two cards where it is left out. */
  doubleAfterSplit: byTotal.exactOptional(),
});
const flag = z.union([z.literal(0), z.literal(1)]);
const rules = z.object({
  decks: z.int().min(1).max(100),
  h17: z.enum(['stand on soft 17', 'hit every soft 17', 'hit only ace+6 in two cards']),
  hole: z.string().regex(/^(ENHC|OBO|PEEK):/, 'begins with ENHC:, OBO: or PEEK:'),
  das: flag,
  maxHands: z.int().min(1).max(20),
  resplitAces: flag,
  noSplit: flag,
});
const strategy = z.object({
  id: z.string().regex(/^[\w-]+$/),
  rules,
  strategy: z.record(z.enum(['A', '2', '3', '4', '5', '6', '7', '8', '9', 'T']), against),
});

/** What to do against one card of the dealer. */
export type Against = z.infer<typeof against>;
export type Strategy = z.infer<typeof strategy>;

/**
 * The strategies of a file, which holds one or a list. Throws Error with a sentence that names the
 * place.
 */
export function readStrategies(text: string): Strategy[] {
  const data: unknown = parseBounded(text, FILE_BOUNDS);
  const list = z
    .array(strategy)
    .min(1)
    .safeParse(Array.isArray(data) ? data : [data]);
  if (list.success) return list.data;
  const { path, message } = list.error.issues[0]!;
  throw new Error(`strategy ${path.join('.')}: ${message}`);
}
