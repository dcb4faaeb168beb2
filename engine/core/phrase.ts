/**
 * How many words there are to choose from, and how many a phrase has: 6 bits each, 48 of a hash.
 */
export const PHRASE_WORDS = 64;
const BITS = 6;
const LENGTH = 8;

/**
 * The numbers (0 to 63) of the words that stand for a hash, so that two people can compare one over
 * the telephone in whatever language. It guards against a mistake, not against somebody who has
 * days to search for another program with the same words: that is what the whole hash is for.
 * @param hex at least 48 bits
 */
export function phraseOf(hex: string): number[] {
  const bits = BigInt(`0x${hex.slice(0, (BITS * LENGTH) / 4)}`);
  return Array.from({ length: LENGTH }, (_, i) =>
    Number((bits >> BigInt(BITS * (LENGTH - 1 - i))) & BigInt(PHRASE_WORDS - 1)),
  );
}
