/**
 * `npm test` has twenty-five minutes of two cores, slow ones too. What takes long there, and has a
 * shorter test of the same code beside it, is left to `npm run test:all` and to whoever runs its
 * file.
 */
const isShort = process.env['BANCA_SHORT'] === '1';

/** Why such a test is skipped; false = it runs. */
export const LONG: string | false = isShort && 'npm run test:all has it';

/** Repetitions of a property: of all tests, and of `npm test`. */
export const often = (all: number, short: number): number => (isShort ? short : all);
