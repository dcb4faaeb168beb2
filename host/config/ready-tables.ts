import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isSame } from '../../engine/core/same.ts';
import { checkProfile, type ProfileProblem } from '../../engine/engine.ts';
import type { TableProfile } from '../../engine/table/profile.ts';
import type { Terminal } from '../table/terminal.ts';
import { checkTable, ProfileError, readTableFile } from './terminal-file.ts';

/**
 * A table that this terminal can be: a file of its folder of tables, or what the terminal file
 * says.
 */
export interface ReadyTable {
  /** Name of the file without `.json`. */
  readonly name: string;
  readonly path: string;
  /** Null: the file cannot be read. */
  readonly profile: TableProfile | null;
  /**
   * Of the file; those of the law are looked for when the table is wanted, for an authorisation has
   * its day.
   */
  readonly fileProblems: readonly ProfileProblem[];
}

/** The newest table that the casino's centre has sent. */
export const CENTRE_TABLE = 'centre';
/** The table of the terminal file itself, where no file of the folder is the same. */
export const OWN_TABLE = 'terminal';

const NAME = /^[a-z0-9][a-z0-9-]{0,39}$/;

/**
 * Every table file beside a terminal file, by name; a file that cannot be used is listed with its
 * reasons and stops nothing. Throws where the folder was named and cannot be read.
 * @param folder null = the folder `tables` beside the terminal file, which need not be there
 */
export function readTables(terminalFile: string, own: TableProfile, folder: string | null): ReadyTable[] {
  const place = folder ?? join(dirname(terminalFile), 'tables');
  const files = folder === null && !existsSync(place) ? [] : readdirSync(place);
  const tables = files
    .filter((file) => file.endsWith('.json'))
    .toSorted()
    .map((file) => readTable(join(place, file), own));
  return tables.some(({ profile }) => isSame(profile, own))
    ? tables
    : [{ name: OWN_TABLE, path: terminalFile, profile: own, fileProblems: [] }, ...tables];
}

const problem = (place: string, message: string): ProfileProblem => ({
  place,
  article: '',
  why: 'malformed',
  message,
  record: null,
});

function readTable(path: string, own: TableProfile): ReadyTable {
  const name = basename(path, '.json');
  if (!NAME.test(name) || name === OWN_TABLE || name === CENTRE_TABLE) {
    const message = `a name is lower-case letters, digits and hyphens, at most 40, and not '${OWN_TABLE}' or '${CENTRE_TABLE}'`;
    return { name, path, profile: null, fileProblems: [problem('file', message)] };
  }
  return made(name, path, () => readTableFile(path, own));
}

/** A table file that came as a command of the centre. */
export const tableOfCentre = (sent: { name: string; profile: unknown }, own: TableProfile): ReadyTable =>
  made(CENTRE_TABLE, `${CENTRE_TABLE}: ${sent.name}`, () => checkTable(sent.profile, sent.name, own));

function made(name: string, path: string, profile: () => TableProfile): ReadyTable {
  try {
    return { name, path, profile: profile(), fileProblems: [] };
  } catch (error) {
    if (!(error instanceof ProfileError)) throw error;
    const fileProblems = error.problems.map(({ place, message }) => problem(place, message));
    return { name, path, profile: null, fileProblems };
  }
}

/** Why this table cannot be used at this moment, milliseconds since 1970, UTC; empty = it can. */
export function problemsOf({ profile, fileProblems }: ReadyTable, atMs: number): readonly ProfileProblem[] {
  if (profile === null) return fileProblems;
  const checked = checkProfile(profile, atMs);
  return checked.ok ? [] : checked.problems;
}

/** A problem in one sentence, with its place and its article. */
export const sentenceOf = ({ place, article, message }: ProfileProblem): string =>
  `${place}${article === '' ? '' : ` (${article})`}: ${message}`;

/**
 * Thrown where a terminal without any table yet is given one that the law refuses: there is nothing
 * to play on.
 */
export class FirstTableRefused extends Error {
  override readonly name = 'FirstTableRefused';
}

/**
 * The table of the terminal file comes into force where the law and the money on the table allow
 * it; else the old one stays. A table that somebody has chosen in service mode stays as long as the
 * file is what it was then.
 * @returns which table is in force and why, in one line
 * @throws {FirstTableRefused} it is the first table of this ledger, and unlawful
 */
export function bringIntoForce(terminal: Terminal, profile: TableProfile): string {
  const inForce = (why: string): string => {
    const { tableName, rulebook } = terminal.state.profile!;
    return `table in force: '${tableName}' (${rulebook}), ${why}`;
  };
  const { choice, profile: before } = terminal.state;
  if (choice && isSame(choice.over, profile) && !isSame(before, profile)) {
    const { person, atMs } = choice;
    const when = new Date(atMs).toISOString();
    return inForce(
      `chosen by ${person.name} (${person.id}) at ${when}; the terminal file has not changed since`,
    );
  }
  const outcome = terminal.submit({ type: 'configure', profile, person: null });
  if (outcome.status !== 'rejected') return inForce('as the terminal file, or --table, has it');
  if (before === null) {
    const checked = checkProfile(profile, terminal.now());
    const why = checked.ok ? outcome.code : checked.problems.map(sentenceOf).join('; ');
    throw new FirstTableRefused(`table '${profile.tableName}' (${profile.rulebook}) not taken: ${why}`);
  }
  const problem =
    `profile not taken: ${outcome.code} ${outcome.detail ?? ''} ${outcome.cites.join(' ')}`.trim();
  terminal.record({ type: 'profile-refused', problems: [problem] });
  return inForce(`as it was: ${problem}`);
}
