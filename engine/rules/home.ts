/** Where a regulation is law, and which languages lead there. */
import type { Language } from '../table/inputs.ts';

export type Home = 'macau' | 'portugal';

/**
 * What the house itself speaks at its edge of the table, the leading language first: Macau's two as
 * its regulations are published, in Portugal that of the law and one for guests.
 */
export const HOUSE_LANGUAGES: Readonly<Record<Home, readonly Language[]>> = {
  macau: ['zh-Hant', 'pt'],
  portugal: ['pt', 'en'],
};

/** What is printed on the cloth. */
export const FELT_LANGUAGES: Readonly<Record<Home, readonly Language[]>> = {
  macau: ['zh-Hant', 'pt'],
  portugal: ['pt'],
};

/** What a seat speaks until its player chooses. */
export const leadingLanguage = (home: Home): Language => HOUSE_LANGUAGES[home][0]!;
