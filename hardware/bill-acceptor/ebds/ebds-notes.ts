/** The note software of the simulated units: which notes they know, and how they write them. */
import type { Note } from '../../ports.ts';
import { type NoteSpec, noteOf } from './ebds-messages.codec.ts';

const TENS = [
  [1, 1],
  [2, 1],
  [5, 1],
  [1, 2],
  [5, 2],
  [1, 3],
] as const;

const NOTES: Readonly<Record<string, readonly (readonly [base: number, exponent: number])[]>> = {
  MOP: TENS,
  HKD: TENS,
  EUR: [
    [5, 0],
    [1, 1],
    [2, 1],
    [5, 1],
    [1, 2],
    [2, 2],
    [5, 2],
  ],
};

export function specsOf(currencies: readonly string[]): readonly NoteSpec[] {
  return currencies.flatMap((currency) => {
    const notes = NOTES[currency];
    if (notes === undefined) throw new RangeError(`no notes known in ${currency}`);
    return notes.map(([base, exponent]) => ({
      currency,
      base,
      exponent,
      orientation: 0,
      letters: 'AAAA',
      classification: 0,
    }));
  });
}

/** Where in the table a note is, 0-based; -1 = not in it. */
export const indexOfNote = (table: readonly NoteSpec[], { currency, valueMinor }: Note): number =>
  table.findIndex((spec) => {
    const note = noteOf(spec);
    return note?.currency === currency && note.valueMinor === valueMinor;
  });
