import { isSame } from '../core/same.ts';
import type { Authorisation, OptionValue, TableProfile } from '../table/profile.ts';
import { workingDaysBetween } from './holidays.ts';
import { type OptionProblem, type OptionSpec, type Rulebook, validateOptions } from './rulebook.ts';

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

/**
 * A choice of the house that needs prior authorisation; `option` with dots inside an option:
 * `sideBets.perfectPair`.
 */
export interface ChoiceToAuthorise {
  readonly option: string;
  readonly article: string;
  /** What is to be granted; of a member of a list, that it is in it. */
  readonly value: OptionValue;
}

/**
 * no-record: none names the choice · other-value: the record names another one · bad-record: it
 * names no day, no reference or nobody · ended, revoked: its last day is over
 */
export interface AuthorisationProblem extends OptionProblem {
  readonly why: 'no-record' | 'other-value' | 'bad-record' | 'short-notice' | 'not-yet' | 'ended' | 'revoked';
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
 * it stands. `every`: also what is as the table has it, for an article that lists alternatives
 * makes each of them a choice; `options` are complete then.
 */
export const choicesToAuthorise = (
  rulebook: Rulebook,
  options: Options,
  every = false,
): ChoiceToAuthorise[] => choicesIn(rulebook.options, options, '', every);

function choicesIn(
  specs: readonly OptionSpec[],
  options: Options,
  path: string,
  every: boolean,
): ChoiceToAuthorise[] {
  return specs.flatMap((spec) => {
    if (!Object.hasOwn(options, spec.id)) return [];
    const { legal, authorisation, defaultIf } = spec;
    const option = path + spec.id;
    const value = options[spec.id]!;
    const isOther = defaultIf !== undefined && options[defaultIf.option] === defaultIf.is;
    const byDefault = isOther ? defaultIf.value : spec.default;
    if (legal.kind === 'subset') return membersIn(spec, option, value, every ? null : byDefault);
    if ('named' in legal)
      return (value as readonly Options[]).map((item) => ({
        option: `${option}.${String(item['id'])}`,
        article: authorisation!,
        value: item,
      }));
    const inner =
      legal.kind === 'object' && value !== null
        ? choicesIn(legal.fields, value as Options, `${option}.`, every)
        : [];
    const isChoice = every ? legal.kind !== 'one-of' || legal.values.length > 1 : !isSame(value, byDefault);
    return authorisation !== null && isChoice ? [{ option, article: authorisation, value }, ...inner] : inner;
  });
}

/** The members that stand under the article of their list; their order is no choice. */
const commonOf = ({ memberAuthorisation = {} }: OptionSpec, list: readonly string[]): string[] =>
  list.filter((member) => !Object.hasOwn(memberAuthorisation, member)).toSorted();

/**
 * Members that stand under an article of their own are choices of their own once they are on.
 * @param byDefault null = the list as it is by default is a choice as well
 */
function membersIn(
  spec: OptionSpec,
  option: string,
  value: OptionValue,
  byDefault: OptionValue,
): ChoiceToAuthorise[] {
  const { authorisation, memberAuthorisation = {} } = spec;
  const given = value as readonly string[];
  const usual = byDefault as readonly string[] | null;
  const common = commonOf(spec, given);
  const choices = given.flatMap((member) => {
    const article = memberAuthorisation[member];
    return article === undefined ? [] : [{ option: `${option}.${member}`, article, value: true }];
  });
  return authorisation !== null && !(usual !== null && isSame(common, commonOf(spec, usual)))
    ? [{ option, article: authorisation, value: common }, ...choices]
    : choices;
}

const isList = (options: Authorisation['options']): options is readonly string[] => Array.isArray(options);

/** The name by which a record speaks of an option: its own, or of what it stands in. */
const nameIn = ({ options }: Authorisation, option: string): string | undefined =>
  (isList(options) ? options : Object.keys(options)).find(
    (named) => option === named || option.startsWith(`${named}.`),
  );

/** Members that are left out are null; a list is what stands at its places. */
function plain(value: OptionValue | undefined): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([name, member]) => [name, plain(member)]));
}

/** Of a list of names: whether it is in it; of objects that have an `id`, the one of that name. */
const memberOf = (list: readonly OptionValue[], name: string): OptionValue =>
  list.find((each) => (each as { readonly id?: OptionValue } | null)?.id === name) ?? list.includes(name);

/** A record grants what it names; of a list it names, the members that are in it. */
function grants(rulebook: Rulebook, record: Authorisation, { option, value }: ChoiceToAuthorise): boolean {
  if (isList(record.options)) return true;
  const name = nameIn(record, option)!;
  let granted: OptionValue | undefined = record.options[name];
  for (const part of option.slice(name.length + 1).split('.')) {
    if (part === '') continue;
    if (Array.isArray(granted)) granted = memberOf(granted as readonly OptionValue[], part);
    else granted = (granted as { readonly [field: string]: OptionValue } | null)?.[part] ?? undefined;
  }
  const spec = rulebook.options.find(({ id }) => id === option);
  if (spec?.legal.kind === 'subset' && Array.isArray(granted)) granted = commonOf(spec, granted as string[]);
  return isSame(plain(granted), plain(value));
}

/** Some record names values, so the house's records are read as the regulator reads them. */
const nameValues = (records: readonly Authorisation[]): boolean =>
  records.some(({ options }) => !isList(options));

/**
 * What the house's records have to cover. Where they name values, also each default that an article
 * makes subject to authorisation; records of names alone are of before, and leave defaults out.
 */
export function choicesToCover(
  rulebook: Rulebook,
  options: Options,
  records: readonly Authorisation[],
): ChoiceToAuthorise[] {
  const checked = nameValues(records) ? validateOptions(rulebook.id, options) : null;
  return checked?.ok
    ? choicesToAuthorise(rulebook, { ...(checked.resolved as unknown as Options), ...options }, true)
    : choicesToAuthorise(rulebook, options);
}

/** The day it is in the place of the casino. */
export const dayAt = (rulebook: Rulebook, atMs: number): number =>
  Math.floor((atMs + rulebook.dayOffsetMs) / DAY_MS);

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
  const today = dayAt(rulebook, atMs);
  return choicesToCover(rulebook, options, records).flatMap((choice) => {
    const { option, article } = choice;
    const covering = records.filter((record) => nameIn(record, option) !== undefined);
    const found = covering.map((record) => whyNot(rulebook, choice, record, today));
    if (found.includes(null)) return [];
    // Of several records the one that names the value says more than one that names another.
    const at = Math.max(
      0,
      found.findIndex((each) => each!.why !== 'other-value'),
    );
    const reason = found[at] ?? { why: 'no-record', message: 'no record of an authorisation' };
    return [{ option, article, ...reason, record: covering[at] ?? null }];
  });
}

/** Choices whose authorisation has ended or was revoked since they were switched on. */
export const lapsedChoices = (
  rulebook: Rulebook,
  {
    seatCount,
    options,
    authorisations: records = [],
  }: Pick<TableProfile, 'seatCount' | 'options' | 'authorisations'>,
  atMs: number,
): AuthorisationProblem[] =>
  records.some(({ untilOn, revokedOn }) => untilOn !== undefined || revokedOn !== undefined)
    ? unauthorisedChoices(rulebook, { seats: seatCount, ...options }, records, atMs).filter(
        ({ why }) => why === 'ended' || why === 'revoked',
      )
    : [];

function whyNot(
  rulebook: Rulebook,
  choice: ChoiceToAuthorise,
  record: Authorisation,
  today: number,
): Pick<AuthorisationProblem, 'why' | 'message'> | null {
  const { reference } = record;
  const because = (why: AuthorisationProblem['why'], message: string) => ({ why, message });
  if (reference === '' || record.by === '')
    return because('bad-record', 'the record names no reference or nobody');
  const days: Partial<Record<'requestedOn' | 'effectiveOn' | 'untilOn' | 'revokedOn', number>> = {};
  for (const field of ['requestedOn', 'effectiveOn', 'untilOn', 'revokedOn'] as const) {
    const text = record[field];
    if (text === undefined) continue;
    const day = parseDay(text);
    if (day === null) return because('bad-record', `${field} ${JSON.stringify(text)} is no day`);
    days[field] = day;
  }
  const effective = days.effectiveOn!;
  if (!grants(rulebook, record, choice))
    return because('other-value', `another value was granted (${reference})`);
  const due = rulebook.noticeDays?.[choice.article] ?? 0;
  const given = workingDaysBetween(days.requestedOn!, effective, rulebook.holidays);
  if (given < due) {
    const message = `asked for ${given} working days before it takes effect, ${due} are due (${reference})`;
    return because('short-notice', message);
  }
  if (today < effective) return because('not-yet', `takes effect on ${record.effectiveOn} (${reference})`);
  const { revokedOn = Number.POSITIVE_INFINITY, untilOn = Number.POSITIVE_INFINITY } = days;
  if (today >= revokedOn) return because('revoked', `revoked from ${record.revokedOn} on (${reference})`);
  if (today > untilOn) return because('ended', `ended on ${record.untilOn} (${reference})`);
  return null;
}
