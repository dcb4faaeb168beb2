/**
 * Changes of conditions that no test can catch, each with the reason why it changes nothing.
 * `conditions.ts` measures it and compares.
 */
export const EQUIVALENT: Readonly<Record<string, string>> = {};
