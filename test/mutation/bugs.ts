import type { RulebookId } from '../../engine/table/profile.ts';

/** A planted bug of the law: `find`, which stands exactly once in `file`, is replaced. */
export interface Mutation {
  readonly id: string;
  /** The rulebook whose law is broken; where several share the code, the one that is cited. */
  readonly rulebook: RulebookId;
  /** '' = the law of the house: limits, money, time. */
  readonly article: string;
  /** From the root of the repository. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
  /** What the planted bug does, in one line. */
  readonly law: string;
}

/** Short `find`s keep planted where the text around them changes. */
export type Bug = readonly [id: string, article: string, find: string, replace: string, law: string];

/** Bugs of one file. */
export const bugsIn = (rulebook: RulebookId, file: string, bugs: readonly Bug[]): Mutation[] =>
  bugs.map(([id, article, find, replace, law]) => ({ id, rulebook, article, file, find, replace, law }));

/** How often the text to be replaced stands in its file; a mutation needs exactly one place. */
export const placesOf = ({ find }: Mutation, source: string): number => source.split(find).length - 1;

/** The source with the bug. */
export const plantedIn = ({ find, replace }: Mutation, source: string): string =>
  // A function: `$` in the text means itself.
  source.replace(find, () => replace);
