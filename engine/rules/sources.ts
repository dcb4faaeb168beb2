/**
 * Which wording of a regulation is played, and where it was seen. Nothing here says what is in
 * force: it says what was seen, and up to when changes were looked for.
 */

/**
 * whole: all of it in an official publication · part: some of it there · hand: the whole text, not
 * compared with the gazette · copy: some of it in a copy that is not the gazette · none: its text
 * was not seen
 */
export type Seen = 'whole' | 'part' | 'hand' | 'copy' | 'none';

export interface Diploma {
  /** As it is cited: `56/2004`. */
  readonly act: string;
  /** Its day or its gazette's; a month or a year where no day was seen: `2009-01`. */
  readonly day: string;
  readonly does: 'makes' | 'changes' | 'replaces';
  /** What it changes, as the diploma says: `13, 17`; absent = not known, or the whole text. */
  readonly articles?: string;
  readonly seen: Seen;
  /** part: some of what it changes is in the text that is played. */
  readonly played: boolean | 'part';
}

export interface Sources {
  /** In the order of their days. */
  readonly diplomas: readonly Diploma[];
  /** The last month of which a list of changes was seen. */
  readonly checkedTo: string;
}

/** What a day of a year, `2006-01-01`, says of the text that is played. */
export interface WordingOn {
  /** The first diploma had not been made. */
  readonly isBefore: boolean;
  /** Changes made by then that the text played has not, or not wholly. */
  readonly missing: readonly Diploma[];
  /** Made by then in its place. */
  readonly replaced: readonly Diploma[];
  /** Changes in the text played that were made later. */
  readonly later: readonly Diploma[];
  /** Later than any list of changes that was seen. */
  readonly isUnchecked: boolean;
}

export function wordingOn({ diplomas, checkedTo }: Sources, day: string): WordingOn {
  // A month stands before its days: what has no day counts from the beginning of its month.
  const isMade = (diploma: Diploma): boolean => diploma.day <= day;
  const made = diplomas.filter(isMade);
  return {
    isBefore: made.length === 0,
    missing: made.filter(({ does, played }) => does !== 'replaces' && played !== true),
    replaced: made.filter(({ does }) => does === 'replaces'),
    later: made.length === 0 ? [] : diplomas.filter((each) => !isMade(each) && each.played !== false),
    isUnchecked: day.slice(0, checkedTo.length) > checkedTo,
  };
}
