import type { OptionValue, RulebookId } from '../table/profile.ts';
import type { Holidays } from './holidays.ts';
import type { Home } from './home.ts';
import type { Sources } from './sources.ts';

/** The names of the games; each adds its own by `declare module`. */
export interface GameIds {}
export type GameId = keyof GameIds;

/** What the table needs of the options of any game; amounts in minor units. */
export interface TableRules {
  readonly game: GameId;
  readonly decks: number;
  readonly seats: number;
  readonly cardSource: 'box' | 'shoe' | 'autoShuffler' | 'continuousShuffler';
  readonly min: number;
  readonly max: number;
  readonly step: number;
}

/** Names of the bets that are data under an authorisation, where the game has such. */
export const authorisedNames = (rules: TableRules | null): readonly string[] =>
  (rules as { readonly authorisedBets?: readonly { readonly id: string }[] } | null)?.authorisedBets?.map(
    ({ id }) => id,
  ) ?? [];

/** What the table cites itself, whatever the game; '' where the regulation has no such article. */
export type TableArticle =
  | 'cut'
  | 'endCard'
  | 'endOfShoe'
  | 'reshuffle'
  | 'stop'
  | 'shuffler'
  | 'loading'
  | 'feeding'
  | 'complaints'
  | 'jam'
  | 'closing'
  | 'deckCheck'
  | 'replacement'
  | 'decks'
  | 'burnAtStart'
  | 'burnEachRound'
  | 'dealOrder'
  | 'exposed'
  | 'misdeal'
  | 'bankDraws'
  | 'sideBets';

/** What an option may be. `fraction`: text 'a/b' or 'a' between two such texts. */
export type Legal =
  | { readonly kind: 'one-of'; readonly values: readonly OptionValue[] }
  | {
      readonly kind: 'integer';
      readonly min: number;
      readonly max: number;
      readonly multipleOf?: number;
      readonly nullable?: true;
    }
  | { readonly kind: 'subset'; readonly of: readonly string[]; readonly min: number }
  | { readonly kind: 'fraction'; readonly min: string; readonly max: string; readonly nullable?: true }
  | { readonly kind: 'text'; readonly pattern: RegExp; readonly meaning: string }
  /** Options inside an option, named with dots: `jackpot.stake`. */
  | { readonly kind: 'object'; readonly fields: readonly OptionSpec[]; readonly nullable?: true }
  /**
   * Objects of one form, named by their place: `jackpot.pays.0.share`. `named`: each is a choice of
   * its own to an authorisation, by its field `id`.
   */
  | {
      readonly kind: 'list';
      readonly fields: readonly OptionSpec[];
      readonly min: number;
      readonly max?: number;
      readonly named?: true;
    };

/** One option of a regulation, as data: what the house may choose and on which article it rests. */
export interface OptionSpec {
  readonly id: string;
  readonly article: string;
  readonly legal: Legal;
  readonly default: OptionValue;
  /** Article under which the choice needs prior authorisation, null = it needs none. */
  readonly authorisation: string | null;
  /** Of a subset: members that stand under another article than `authorisation`. */
  readonly memberAuthorisation?: Readonly<Record<string, string>>;
  readonly waivable: boolean;
  /** Another default where an option that stands before this one has this value. */
  readonly defaultIf?: { readonly option: string; readonly is: OptionValue; readonly value: OptionValue };
}

/** Macau has had one offset from UTC since 1979. */
export const MACAU_OFFSET_MS = 8 * 3_600_000;

/** What must hold between options, beyond the legal values of each. */
export interface Combination {
  readonly option: string;
  readonly article: string;
  readonly message: string;
  readonly holds: (options: Readonly<Record<string, OptionValue>>) => boolean;
  /** Where it does not hold: the member of the option at fault; absent = the option itself. */
  readonly member?: (options: Readonly<Record<string, OptionValue>>) => string;
}

export interface Rulebook {
  readonly id: RulebookId;
  readonly game: GameId;
  /** Which wording is played. */
  readonly sources: Sources;
  readonly options: readonly OptionSpec[];
  readonly combinations: readonly Combination[];
  /**
   * Article under which an authorisation is asked for -> working days it must be asked for ahead;
   * absent = none stated.
   */
  readonly noticeDays?: Readonly<Record<string, number>>;
  /** Whose law it is: its language leads at the table. */
  readonly home: Home;
  /** Of its country: no working days. */
  readonly holidays: Holidays;
  /** Of its country, in milliseconds from UTC: its days begin then. */
  readonly dayOffsetMs: number;
  /**
   * Articles whose first level is an alínea (項) and not a numbered paragraph (n.º, 款), as printed.
   */
  readonly itemFirst?: readonly number[];
  /**
   * What the regulation leaves no choice in and the shared procedure has to know; part of the
   * resolved rules.
   */
  readonly fixed?: Readonly<Record<string, OptionValue>>;
  /** Fills in what the options leave to follow from another one. */
  readonly derived?: (options: Readonly<Record<string, OptionValue>>) => Record<string, OptionValue>;
  /**
   * Where the regulation says what the shared procedure does; a game has more of them than the
   * table.
   */
  readonly articles: Readonly<Record<TableArticle, string>>;
}

export interface OptionProblem {
  readonly option: string;
  readonly article: string;
  readonly message: string;
}

export type OptionsChecked =
  | { readonly ok: true; readonly resolved: TableRules }
  | { readonly ok: false; readonly problems: readonly OptionProblem[] };

const RULEBOOKS = new Map<string, Rulebook>();

export function addRulebook(rulebook: Rulebook): void {
  RULEBOOKS.set(rulebook.id, rulebook);
}

/** The regulations of the games that have been handed in. */
export const rulebooks = (): readonly Rulebook[] => [...RULEBOOKS.values()];

/** The rulebook of that id, null where no game has it. */
export function rulebookOf(id: RulebookId): Rulebook | null {
  if (RULEBOOKS.size === 0) throw new Error('no games have been handed in: import engine/books.ts');
  return RULEBOOKS.get(id) ?? null;
}

/** 'a/b' or 'a' -> [a, b]; null where the text is no fraction. */
export function parseFraction(text: string): readonly [number, number] | null {
  const match = /^(\d{1,9})(?:\/([1-9]\d{0,8}))?$/.exec(text);
  return match ? [Number(match[1]), Number(match[2] ?? 1)] : null;
}

const isBelow = (a: readonly [number, number], b: readonly [number, number]): boolean =>
  a[0] * b[1] < b[0] * a[1];

function isLegal(legal: Legal, value: OptionValue): boolean {
  switch (legal.kind) {
    case 'one-of':
      return legal.values.includes(value);
    case 'integer':
      if (value === null) return legal.nullable === true;
      return (
        typeof value === 'number' &&
        value >= legal.min &&
        value <= legal.max &&
        value % (legal.multipleOf ?? 1) === 0
      );
    case 'subset':
      return (
        Array.isArray(value) &&
        value.length >= legal.min &&
        new Set(value).size === value.length &&
        value.every((member: string) => legal.of.includes(member))
      );
    case 'fraction': {
      if (value === null) return legal.nullable === true;
      const given = typeof value === 'string' ? parseFraction(value) : null;
      return (
        given !== null &&
        !isBelow(given, parseFraction(legal.min)!) &&
        !isBelow(parseFraction(legal.max)!, given)
      );
    }
    case 'text':
      return typeof value === 'string' && legal.pattern.test(value);
    case 'object':
      return value === null ? legal.nullable === true : isObject(value);
    case 'list':
      return (
        Array.isArray(value) &&
        value.length >= legal.min &&
        value.length <= (legal.max ?? Number.POSITIVE_INFINITY) &&
        value.every(isObject)
      );
  }
}

const isObject = (value: OptionValue): value is { readonly [field: string]: OptionValue } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const idsOf = (fields: readonly OptionSpec[]): string => fields.map(({ id }) => id).join(', ');

function describe(legal: Legal): string {
  switch (legal.kind) {
    case 'one-of':
      return legal.values.map((value) => JSON.stringify(value)).join(', ');
    case 'integer':
      return `an integer ${legal.min}..${legal.max}${legal.multipleOf ? ` in steps of ${legal.multipleOf}` : ''}${legal.nullable ? ' or null' : ''}`;
    case 'subset':
      return `${legal.min > 0 ? 'a non-empty' : 'a'} list out of ${legal.of.join(', ')}`;
    case 'fraction':
      return `a fraction ${legal.min}..${legal.max}${legal.nullable ? ' or null' : ''}`;
    case 'text':
      return legal.meaning;
    case 'object':
      return `an object of ${idsOf(legal.fields)}${legal.nullable ? ' or null' : ''}`;
    case 'list':
      return `a list of ${legal.max === undefined ? `at least ${legal.min}` : `${legal.min} to ${legal.max}`} objects of ${idsOf(legal.fields)}`;
  }
}

type Options = Readonly<Record<string, OptionValue>>;

/**
 * Checks a set of options against its table and makes it complete; `path` names the option they
 * stand in.
 */
function completed(
  specs: readonly OptionSpec[],
  options: Options,
  path: string,
  of: string,
  problems: OptionProblem[],
): Record<string, OptionValue> {
  const complete: Record<string, OptionValue> = {};
  for (const given of Object.keys(options)) {
    if (!specs.some((spec) => spec.id === given)) {
      problems.push({ option: path + given, article: '', message: `unknown option of ${of}` });
    }
  }
  for (const spec of specs) {
    const { id, article, legal } = spec;
    const option = path + id;
    const given = options[id];
    if (given === undefined) {
      const { defaultIf } = spec;
      const isOther = defaultIf !== undefined && complete[defaultIf.option] === defaultIf.is;
      const byDefault = isOther ? defaultIf.value : spec.default;
      if (isLegal(legal, byDefault)) complete[id] = byDefault;
      else problems.push({ option, article, message: `must be given: ${describe(legal)}` });
    } else if (!isLegal(legal, given)) {
      problems.push({ option, article, message: `${JSON.stringify(given)} is not ${describe(legal)}` });
    } else if (legal.kind === 'object' && given !== null) {
      complete[id] = completed(legal.fields, given as Options, `${option}.`, id, problems);
    } else if (legal.kind === 'list') {
      complete[id] = (given as readonly Options[]).map((item, i) =>
        completed(legal.fields, item, `${option}.${i}.`, id, problems),
      );
    } else {
      complete[id] = given;
    }
  }
  return complete;
}

/**
 * Checks the options of a profile against the rulebook's table and makes them complete with its
 * defaults. Every unknown or illegal option is named with its article; nothing is silently ignored.
 */
export function validateOptions(id: RulebookId, options: Options): OptionsChecked {
  const rulebook = rulebookOf(id);
  if (!rulebook) {
    return { ok: false, problems: [{ option: 'rulebook', article: '', message: `unsupported: ${id}` }] };
  }
  const problems: OptionProblem[] = [];
  const resolved = {
    game: rulebook.game,
    ...rulebook.fixed,
    ...completed(rulebook.options, options, '', id, problems),
  };
  if (problems.length === 0) {
    if (rulebook.derived) Object.assign(resolved, rulebook.derived(resolved));
    for (const { option, article, message, holds, member } of rulebook.combinations) {
      if (!holds(resolved)) problems.push({ option: member?.(resolved) ?? option, article, message });
    }
  }
  return problems.length > 0
    ? { ok: false, problems }
    : { ok: true, resolved: resolved as unknown as TableRules };
}
