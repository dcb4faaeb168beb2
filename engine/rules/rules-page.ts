import type { Parts } from '../core/money.ts';
import type { Language } from '../table/inputs.ts';
import type { OptionValue, RulebookId } from '../table/profile.ts';
import { articlesToAuthorise } from './authorisation.ts';
import {
  addRulebook,
  type GameId,
  type Legal,
  type OptionSpec,
  type Rulebook,
  rulebookOf,
} from './rulebook.ts';

/** Words that come with the table and stand in no file of texts. */
export interface Said {
  readonly said: Readonly<Record<Language, string>>;
}
/** A text by its key, with what stands in it. */
export type RulesWord =
  | string
  | Said
  | { readonly key: string; readonly values: Readonly<Record<string, RulesValue>> };

/**
 * What stands in a text: a count or a word as it is, an amount in minor units, a part 'a/b', or
 * words with texts.
 */
export type RulesValue =
  | number
  | string
  | { readonly minor: number }
  | { readonly fraction: string }
  | { readonly words: readonly RulesWord[] }
  | Said;

/**
 * What a bet pays: odds a to b, perhaps less a commission on what is won, the bet back, half of it
 * lost, two bets lost; of a jackpot a share 'a/b' of its meter, or what is left of it.
 */
export type Pays =
  | { readonly odds: Parts; readonly commission?: Parts }
  | 'back'
  | 'half'
  | 'twice'
  | { readonly share: string }
  | 'rest';

export interface OptionInForce {
  /** With dots inside an option: `jackpot.stake`. */
  readonly id: string;
  readonly value: OptionValue;
  /** Undefined: it has none and must be given. */
  readonly default: OptionValue | undefined;
  readonly isDefault: boolean;
  readonly legal: Legal;
  readonly article: string;
  /** Articles under which one of its values needs prior authorisation. */
  readonly authorisation: readonly string[];
  readonly waivable: boolean;
}

/**
 * One statement: the key of its text, what stands in it, and the articles it rests on ([] = the
 * house's own).
 */
export interface RulesItem {
  readonly key: string;
  readonly values: Readonly<Record<string, RulesValue>>;
  readonly cites: readonly string[];
  /** In the section of the payoffs. */
  readonly pays?: Pays;
  /** In the section of the options. */
  readonly option?: OptionInForce;
}

export const SECTIONS = [
  'game',
  'cards',
  'bets',
  'deal',
  'play',
  'bank',
  'extra',
  'payoffs',
  'errors',
  'options',
] as const;
export type SectionId = (typeof SECTIONS)[number];

export interface RulesSection {
  readonly id: SectionId;
  readonly items: readonly RulesItem[];
}

/**
 * How a table plays today, as data: texts are keys of the locales (`rules.json`), numbers are the
 * options in force.
 */
export interface RulesPage {
  readonly rulebook: RulebookId;
  readonly currency: string | null;
  readonly minMinor: number;
  readonly maxMinor: number;
  /** In the order a player asks; a section without items is left out. */
  readonly sections: readonly RulesSection[];
}

/** The options of a table, complete: as `validateOptions` resolves them. */
export type TableOptions = Readonly<Record<string, OptionValue>>;

/**
 * Where a game writes its page. `say` and `pays` leave out what the regulation does not know:
 * `cites` names the articles per regulation, several with a space between, '' = the house's own.
 */
export interface Pen<Regulation extends string> {
  say(section: SectionId, key: string, cites: Cites<Regulation>, values?: RulesItem['values']): void;
  pays(key: string, pays: Pays, cites: Cites<Regulation>, values?: RulesItem['values']): void;
}
export type Cites<Regulation extends string> = Readonly<Partial<Record<Regulation, string>>>;

/** What a bet pays, as it is printed on the felt: odds, with `more` where better hands pay more. */
export interface PrintedOdds {
  readonly odds: Parts;
  readonly more?: true;
  /** Part of what is won that the house takes. */
  readonly commission?: Parts;
  /** What pays other odds. */
  readonly except?: string;
}

/** What is printed of a game: its regulations, and how the page of its rules is written. */
export interface GameBook {
  readonly id: GameId;
  readonly rulebooks: readonly Rulebook[];
  readonly page: (pen: Pen<string>, rulebook: RulebookId, options: TableOptions) => void;
  /** Null where nothing is printed. */
  readonly odds: (bet: string, options: TableOptions) => PrintedOdds | null;
}

const BOOKS = new Map<string, GameBook>();

/** Makes the regulations of a game known. */
export function addBook(book: GameBook): void {
  for (const rulebook of book.rulebooks) addRulebook(rulebook);
  BOOKS.set(book.id, book);
}

/** The book that a regulation stands in; null where no game has it. */
export function bookOf(id: RulebookId): GameBook | null {
  const rulebook = rulebookOf(id);
  return rulebook && BOOKS.get(rulebook.game)!;
}

/**
 * The rules page of a table: statements with their articles, payoffs, options. `options` are
 * complete (`validateOptions`). Null where the engine does not play the rulebook.
 */
export function rulesPage(
  id: RulebookId,
  options: TableOptions,
  currency: string | null = null,
): RulesPage | null {
  const rulebook = rulebookOf(id);
  if (!rulebook) return null;
  const items = new Map<SectionId, RulesItem[]>(SECTIONS.map((section) => [section, []]));
  const put = (section: SectionId, cites: string | undefined, item: Omit<RulesItem, 'cites'>): void => {
    if (cites === undefined) return;
    items.get(section)!.push({ ...item, cites: cites === '' ? [] : cites.split(' ') });
  };
  const pen: Pen<string> = {
    say: (section, key, cites, values = {}) => put(section, cites[id], { key, values }),
    pays: (key, pays, cites, values = {}) => put('payoffs', cites[id], { key, values, pays }),
  };
  BOOKS.get(rulebook.game)!.page(pen, id, options);
  const groups = rulebook.options.map((spec) => optionsInForce([spec], options));
  // What the house has chosen comes before what it left as it was; what is inside an option stays
  // with it.
  for (const chosen of [true, false]) {
    for (const group of groups.filter(([first]) => first!.isDefault !== chosen)) {
      for (const option of group) {
        put('options', option.article, { key: `option.${option.id}`, values: {}, option });
      }
    }
  }
  return {
    rulebook: id,
    currency,
    minMinor: Number(options['min']),
    maxMinor: Number(options['max']),
    sections: SECTIONS.map((section) => ({ id: section, items: items.get(section)! })).filter(
      (section) => section.items.length > 0,
    ),
  };
}

/**
 * Every option of a rulebook with its value at this table; those inside an option follow it, with a
 * dot.
 */
export function optionsInForce(
  specs: readonly OptionSpec[],
  options: TableOptions,
  within = '',
): OptionInForce[] {
  return specs.flatMap((spec) => {
    const { legal, article, waivable } = spec;
    const authorisation = articlesToAuthorise(spec);
    const id = within + spec.id;
    const value = options[spec.id] ?? null;
    // Inside an option null is no default where it is not a legal value either.
    const byDefault =
      within !== '' && spec.default === null && !('nullable' in legal) ? undefined : defaultOf(spec, options);
    const isDefault =
      JSON.stringify(value) === JSON.stringify(byDefault) ||
      // r.14: the step that is left out is the minimum.
      (id === 'step' && byDefault === null);
    const own = { id, value, default: byDefault, isDefault, legal, article, authorisation, waivable };
    return legal.kind === 'object' && value !== null
      ? [own, ...optionsInForce(legal.fields, value as unknown as TableOptions, `${id}.`)]
      : [own];
  });
}

const defaultOf = ({ default: byDefault, defaultIf }: OptionSpec, options: TableOptions): OptionValue =>
  defaultIf !== undefined && options[defaultIf.option] === defaultIf.is ? defaultIf.value : byDefault;
