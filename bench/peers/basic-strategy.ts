/**
 * The fixed strategy every blackjack of this bench plays: six decks, S17, double any two, double
 * after split, no surrender.
 */
import { readFileSync } from 'node:fs';

interface Answers {
  readonly hit: Readonly<Record<string, { readonly hard: string; readonly soft: string }>>;
  readonly double: { readonly hard: string; readonly soft: string };
  readonly split: string;
}

const FILE = new URL('../../test/data/reference/reference-strategies.json', import.meta.url);
export const STRATEGY_ID = 'us-s17-das';

const strategies = JSON.parse(readFileSync(FILE, 'utf8')) as {
  id: string;
  strategy: Record<string, Answers>;
}[];
const { strategy } = strategies.find(({ id }) => id === STRATEGY_ID)!;

/**
 * `[dealer's card 1..10 * 64 + soft * 32 + total]` = 1: draw. For a total that a number of cards
 * cannot reach the answers do not matter.
 */
export const HIT = new Uint8Array(11 * 64);
/** Same index, hands of two cards. */
export const DOUBLE = new Uint8Array(11 * 64);
/** `[dealer's card * 16 + rank 1..10]` = 1: split. */
export const SPLIT = new Uint8Array(11 * 16);

const ranks = ['A', '2', '3', '4', '5', '6', '7', '8', '9', 'T'];
for (const [index, rank] of ranks.entries()) {
  const up = index + 1;
  const answers = strategy[rank]!;
  for (const [soft, kind] of (['hard', 'soft'] as const).entries())
    for (let total = 0; total <= 21; total++) {
      const at = up * 64 + soft * 32 + total;
      HIT[at] = Object.values(answers.hit).some((byCards) => byCards[kind][total] === '1') ? 1 : 0;
      DOUBLE[at] = answers.double[kind][total] === '1' ? 1 : 0;
    }
  for (let pair = 1; pair <= 10; pair++) SPLIT[up * 16 + pair] = answers.split[pair] === '1' ? 1 : 0;
}
