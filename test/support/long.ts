/**
 * `npm test` should end within twenty minutes on two slow cores. It skips a test that takes
 * long where a shorter one covers the same code; `npm run test:all`, or running the file itself,
 * includes it.
 */
const isShort = process.env['BANCA_SHORT'] === '1';

/** Why such a test is skipped; false = it runs. */
export const LONG: string | false = isShort && 'npm run test:all has it';

/** How many: of all tests, and of `npm test`. */
export const fullOr = (all: number, short: number): number => (isShort ? short : all);
