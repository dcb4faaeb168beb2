import { isSame } from '../core/same.ts';
import type { Authorisation, OptionValue } from '../table/profile.ts';
import type { OptionProblem, OptionSpec, Rulebook } from './rulebook.ts';

const DAY_MS = 86_400_000;
/** A day as `2026-11-21`, or null where the text names none. */
export function parseDay(text: string): number | null {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (!match) return null;
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number];
  const first = Date.UTC(year, month - 1, 1) / DAY_MS;
  const days = Date.UTC(year, month, 1) / DAY_MS - first;
  return month >= 1 && month <= 12 && day >= 1 && day <= days ? first + day - 1 : null;
}

/** 1 January 1970 was a Thursday. */
const isWeekend = (day: number): boolean => (day + 3) % 7 >= 5;

/**
 * Whole working days between asking and taking effect, both days themselves apart. Saturdays and
 * Sundays do not count; public holidays are not known here, so that the house must add them: this
 * is the least the article asks.
 */
export function workingDaysBetween(requested: number, effective: number): number {
  const between = Math.max(0, effective - requested - 1);
  // Every seven days hold five; the rest is counted, so that a record of the year 1 takes no
  // longer.
  let days = Math.floor(between / 7) * 5;
  for (let day = effective - (between % 7); day < effective; day++) if (!isWeekend(day)) days += 1;
  return days;
}

/**
 * A choice of the house that needs prior authorisation; `option` with dots inside an option:
 * `sideBets.perfectPair`.
 */
export interface ChoiceToAuthorise {
  readonly option: string;
  readonly article: string;
}

/** no-record: none names the choice · bad-record: it names no day, no reference or nobody */
export interface AuthorisationProblem extends OptionProblem {
  readonly why: 'no-record' | 'bad-record' | 'short-notice' | 'not-yet';
  /** The record that does not cover the choice; null = there is none. */
  readonly record: Authorisation | null;
}

type Options = Readonly<Record<string, OptionValue>>;

/** Articles under which a value of this option needs prior authorisation; empty = none does. */
export const articlesToAuthorise = ({ authorisation, memberAuthorisation = {} }: OptionSpec): string[] => [
  ...new Set([...(authorisation === null ? [] : [authorisation]), ...Object.values(memberAuthorisation)]),
];

/**
 * Choices of the house that need prior authorisation: what differs from the regulation's table as
 * it stands.
 */
export const choicesToAuthorise = (rulebook: Rulebook, options: Options): ChoiceToAuthorise[] =>
  choicesIn(rulebook.options, options, '');

function choicesIn(specs: readonly OptionSpec[], options: Options, path: string): ChoiceToAuthorise[] {
  return specs.flatMap((spec) => {
    if (!Object.hasOwn(options, spec.id)) return [];
    const { legal, authorisation, defaultIf } = spec;
    const option = path + spec.id;
    const value = options[spec.id]!;
    const isOther = defaultIf !== undefined && options[defaultIf.option] === defaultIf.is;
    const byDefault = isOther ? defaultIf.value : spec.default;
    if (legal.kind === 'subset') return membersIn(spec, option, value, byDefault);
    const inner =
      legal.kind === 'object' && value !== null
        ? choicesIn(legal.fields, value as Options, `${option}.`)
        : [];
    return authorisation !== null && !isSame(value, byDefault)
      ? [{ option, article: authorisation }, ...inner]
      : inner;
  });
}

/**
 * Members that stand under an article of their own are choices of their own once they are on; their
 * order is none.
 */
function membersIn(
  { authorisation, memberAuthorisation = {} }: OptionSpec,
  option: string,
  value: OptionValue,
  byDefault: OptionValue,
): ChoiceToAuthorise[] {
  const given = value as readonly string[];
  const usual = byDefault as readonly string[];
  const common = (list: readonly string[]): string[] =>
    list.filter((member) => !Object.hasOwn(memberAuthorisation, member)).toSorted();
  const choices = given.flatMap((member) => {
    const article = Object.hasOwn(memberAuthorisation, member) ? memberAuthorisation[member] : undefined;
    return article === undefined || usual.includes(member)
      ? []
      : [{ option: `${option}.${member}`, article }];
  });
  return authorisation !== null && !isSame(common(given), common(usual))
    ? [{ option, article: authorisation }, ...choices]
    : choices;
}

/** A record of an option covers what stands in it. */
const covers = ({ options }: Authorisation, option: string): boolean =>
  options.some((named) => option === named || option.startsWith(`${named}.`));

/**
 * Authorised choices without a record that covers them at this moment, one problem per choice;
 * empty = all may be on. 57/2009 art. 21.1 and 21.3, Bacará art. 19: asked for at least three
 * working days before they take effect.
 * @param atMs milliseconds since 1970, UTC: the moment the profile takes effect
 */
export function unauthorisedChoices(
  rulebook: Rulebook,
  options: Options,
  records: readonly Authorisation[],
  atMs: number,
): AuthorisationProblem[] {
  const today = Math.floor((atMs + rulebook.dayOffsetMs) / DAY_MS);
  return choicesToAuthorise(rulebook, options).flatMap(({ option, article }) => {
    const covering = records.filter((record) => covers(record, option));
    const found = covering.map((record) => whyNot(rulebook, article, record, today));
    if (found.includes(null)) return [];
    const reason = found[0] ?? { why: 'no-record', message: 'no record of an authorisation' };
    return [{ option, article, ...reason, record: covering[0] ?? null }];
  });
}

function whyNot(
  rulebook: Rulebook,
  article: string,
  record: Authorisation,
  today: number,
): Pick<AuthorisationProblem, 'why' | 'message'> | null {
  const bad = (message: string) => ({ why: 'bad-record', message }) as const;
  const requested = parseDay(record.requestedOn);
  const effective = parseDay(record.effectiveOn);
  if (record.reference === '' || record.by === '') return bad('the record names no reference or nobody');
  if (requested === null) return bad(`requestedOn ${JSON.stringify(record.requestedOn)} is no day`);
  if (effective === null) return bad(`effectiveOn ${JSON.stringify(record.effectiveOn)} is no day`);
  const days = rulebook.noticeDays?.[article] ?? 0;
  const given = workingDaysBetween(requested, effective);
  if (given < days) {
    const message = `asked for ${given} working days before it takes effect, ${days} are due (${record.reference})`;
    return { why: 'short-notice', message };
  }
  return today < effective
    ? { why: 'not-yet', message: `takes effect on ${record.effectiveOn} (${record.reference})` }
    : null;
}
