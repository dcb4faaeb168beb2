import { resolve } from 'node:path';

/** The checkout. */
export const ROOT = resolve(import.meta.dirname, '..', '..');
