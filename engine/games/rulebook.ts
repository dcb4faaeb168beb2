import type { OptionValue, RulebookId } from '../table/profile.ts';
import { MACAU_57_2009 } from './blackjack/macau-57-2009.ts';
import type { BlackjackArticles, BlackjackRules } from './blackjack/rules.ts';

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
  | { readonly kind: 'fraction'; readonly min: string; readonly max: string };

/** One option of a regulation, as data: what the house may choose and on which article it rests. */
export interface OptionSpec {
  readonly id: string;
  readonly article: string;
  readonly legal: Legal;
  readonly default: OptionValue;
  /** Article under which the choice needs prior authorisation, null = it needs none. */
  readonly authorisation: string | null;
  readonly waivable: boolean;
  /** Legal values (for a subset: members) the engine plays today; absent = all of them. */
  readonly supported?: readonly OptionValue[];
}

/** What must hold between options, beyond the legal values of each. */
export interface Combination {
  readonly option: string;
  readonly article: string;
  readonly message: string;
  readonly holds: (options: Readonly<Record<string, OptionValue>>) => boolean;
}

export interface Rulebook {
  readonly id: RulebookId;
  readonly options: readonly OptionSpec[];
  readonly combinations: readonly Combination[];
  readonly articles: BlackjackArticles;
}

export interface OptionProblem {
  readonly option: string;
  readonly article: string;
  readonly message: string;
}

export type OptionsChecked =
  | { readonly ok: true; readonly resolved: BlackjackRules }
  | { readonly ok: false; readonly problems: readonly OptionProblem[] };

const RULEBOOKS: Partial<Record<RulebookId, Rulebook>> = { 'macau-blackjack-2009': MACAU_57_2009 };

/** The rulebook of that id, null where the engine does not play it yet. */
export const rulebookOf = (id: RulebookId): Rulebook | null => RULEBOOKS[id] ?? null;

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
        Number.isSafeInteger(value) &&
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
      const given = typeof value === 'string' ? parseFraction(value) : null;
      const min = parseFraction(legal.min);
      const max = parseFraction(legal.max);
      return given !== null && min !== null && max !== null && !isBelow(given, min) && !isBelow(max, given);
    }
  }
}

function describe(legal: Legal): string {
  switch (legal.kind) {
    case 'one-of':
      return legal.values.map((value) => JSON.stringify(value)).join(', ');
    case 'integer':
      return `an integer ${legal.min}..${legal.max}${legal.multipleOf ? ` in steps of ${legal.multipleOf}` : ''}${legal.nullable ? ' or null' : ''}`;
    case 'subset':
      return `${legal.min > 0 ? 'a non-empty' : 'a'} list out of ${legal.of.join(', ')}`;
    case 'fraction':
      return `a fraction ${legal.min}..${legal.max}`;
  }
}

const isSupported = (spec: OptionSpec, value: OptionValue): boolean =>
  spec.supported === undefined ||
  (spec.legal.kind === 'subset' && Array.isArray(value)
    ? value.every((member: string) => spec.supported?.includes(member))
    : spec.supported.includes(value));

/** The default as far as the engine plays it: a list loses the members that are not supported. */
const defaultOf = (spec: OptionSpec): OptionValue =>
  spec.legal.kind === 'subset' && Array.isArray(spec.default)
    ? spec.default.filter((member: string) => spec.supported?.includes(member) ?? true)
    : spec.default;

/**
 * Checks the options of a profile against the rulebook's table and makes them complete with its defaults.
 * Every unknown, illegal or not yet supported option is named with its article; nothing is silently ignored.
 */
export function validateOptions(
  id: RulebookId,
  options: Readonly<Record<string, OptionValue>>,
): OptionsChecked {
  const rulebook = rulebookOf(id);
  if (!rulebook) {
    return { ok: false, problems: [{ option: 'rulebook', article: '', message: `unsupported: ${id}` }] };
  }
  const problems: OptionProblem[] = [];
  const resolved: Record<string, OptionValue> = {};
  for (const given of Object.keys(options)) {
    if (!rulebook.options.some((spec) => spec.id === given)) {
      problems.push({ option: given, article: '', message: `unknown option of ${id}` });
    }
  }
  for (const spec of rulebook.options) {
    const { id: option, article } = spec;
    const given = Object.hasOwn(options, option) ? options[option] : undefined;
    if (given === undefined) {
      resolved[option] = defaultOf(spec);
    } else if (!isLegal(spec.legal, given)) {
      problems.push({ option, article, message: `${JSON.stringify(given)} is not ${describe(spec.legal)}` });
    } else if (!isSupported(spec, given)) {
      problems.push({ option, article, message: `unsupported: ${JSON.stringify(given)}` });
    } else {
      resolved[option] = given;
    }
  }
  if (problems.length === 0) {
    for (const { option, article, message, holds } of rulebook.combinations) {
      if (!holds(resolved)) problems.push({ option, article, message });
    }
  }
  return problems.length > 0
    ? { ok: false, problems }
    : { ok: true, resolved: resolved as unknown as BlackjackRules };
}
