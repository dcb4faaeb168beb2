import type { Language } from '../table/inputs.ts';
import type { OptionValue, RulebookId } from '../table/profile.ts';
import { citationsText, type SayCite } from './citation.ts';
import { formatNumber, formatShort, LOCALE, withCurrency } from './formats.ts';
import { type Legal, rulebookOf } from './rulebook.ts';
import type {
  OptionInForce,
  Pays,
  RulesItem,
  RulesPage,
  RulesValue,
  RulesWord,
  SectionId,
} from './rules-page.ts';
import { type Diploma, wordingOn } from './sources.ts';

/**
 * The texts of one language as they stand in `rules.json`; those under the name of a rulebook come
 * before the others.
 */
export interface RulesWords {
  readonly [key: string]: string | RulesWords;
}

/** One row of a page as a person reads it. */
export interface RulesRow {
  readonly text: string;
  /** What a bet pays or the value of an option; null = a statement. */
  readonly value: string | null;
  /** Of an option: default or the house's choice, and the permission it needs. */
  readonly notes: readonly string[];
  readonly cites: string;
}

export interface RulesTexts {
  readonly title: string;
  readonly regulation: string;
  /** Which wording is played, and up to when changes were looked for. */
  readonly wording: readonly string[];
  readonly stakes: string;
  readonly sections: readonly {
    readonly id: SectionId;
    readonly title: string;
    readonly rows: readonly RulesRow[];
  }[];
}

/** Options that are amounts in minor units. */
const AMOUNTS: ReadonlySet<string> = new Set([
  'min',
  'max',
  'step',
  'sideBetMin',
  'sideBetMax',
  'tableMaxTotal',
  'jackpot.stake',
  'jackpot.seed',
]);

export class RulesWriter {
  readonly #words: RulesWords;
  readonly #rulebook: RulebookId;
  readonly #language: Language;
  readonly #currency: string | null;
  readonly #say: SayCite;

  constructor(at: {
    readonly words: RulesWords;
    readonly say: SayCite;
    readonly rulebook: RulebookId;
    readonly language: Language;
    readonly currency: string | null;
  }) {
    this.#words = at.words;
    this.#say = at.say;
    this.#rulebook = at.rulebook;
    this.#language = at.language;
    this.#currency = at.currency;
  }

  /** Null where there is no such text. */
  find(key: string): string | null {
    for (const start of [`${this.#rulebook}.`, '']) {
      let found: string | RulesWords | undefined = this.#words;
      for (const part of `${start}${key}`.split('.')) {
        found = typeof found === 'object' ? found[part] : undefined;
      }
      if (typeof found === 'string') return found;
    }
    return null;
  }

  /** @throws Error where there is no such text, or a value of it is missing: a bug. */
  text(key: string, values: Readonly<Record<string, RulesValue>> = {}): string {
    const text = this.find(key);
    if (text === null) throw new Error(`no text '${key}' for ${this.#rulebook} in ${this.#language}`);
    return text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
      const value = values[name];
      if (value === undefined) throw new Error(`'${key}' lacks '${name}'`);
      return this.#value(value);
    });
  }

  #value(value: RulesValue): string {
    if (typeof value === 'string') return value;
    if (typeof value === 'number') return this.number(value, 0);
    if ('fraction' in value) return this.#fraction(value.fraction);
    if ('minor' in value) return this.amount(value.minor);
    return 'said' in value ? this.#word(value) : this.#list(value.words.map((word) => this.#word(word)));
  }

  #word(word: RulesWord): string {
    if (typeof word === 'string') return this.text(word);
    return 'said' in word ? word.said[this.#language] : this.text(word.key, word.values);
  }

  /** As the language writes it, with so many decimals. */
  number(value: number, decimals: number): string {
    return formatNumber(value, this.#language, decimals);
  }

  /** 'a/b' in words where it has some, as half and the whole have. */
  #fraction(text: string): string {
    return this.find(`fraction.${text}`) ?? text;
  }

  #list(members: readonly string[]): string {
    return members.join(this.text('label.and'));
  }

  /** Minor units with the currency, decimals only where there are any: 'MOP 1,500', '1 500 €'. */
  amount(minor: number): string {
    const number = formatShort(minor, this.#language);
    return this.#currency === null ? number : withCurrency(number, this.#currency, this.#language);
  }

  /**
   * A value of an option in words; numbers and fractions stay themselves. `id` with dots inside an
   * option.
   */
  option(id: string, value: OptionValue): string {
    const named = (name: string): string => this.text(`option.${id}.${name}`);
    if (typeof value === 'number') {
      if (AMOUNTS.has(id)) return this.amount(value);
      return this.find(`option.${id}.${value}`) ?? this.number(value, 0);
    }
    if (value === null || typeof value === 'boolean') return named(String(value));
    if (typeof value === 'string') {
      const [name, n] = value.split(':') as [string, string | undefined];
      if (n !== undefined) return this.text(`option.${id}.${name}`, { n });
      return /^\d+(\/\d+)?$/.test(value) ? this.#fraction(value) : named(value);
    }
    if (!Array.isArray(value)) return named('on');
    const members = value as readonly OptionValue[];
    if (members.length === 0) return named('empty');
    // Objects have no names of their own: their number is said.
    return members.every((member) => typeof member === 'string')
      ? this.#list(members.map((member) => named(String(member))))
      : this.number(members.length, 0);
  }

  /** The values an option may have. */
  legal(id: string, legal: Legal): string {
    const orNull = (text: string, nullable: true | undefined): string =>
      nullable ? this.text('legal.or', { this: text, that: this.option(id, null) }) : text;
    switch (legal.kind) {
      case 'one-of':
        return legal.values
          .map((value) => this.option(id, value))
          .reduce((so, next) => this.text('legal.or', { this: so, that: next }));
      case 'integer': {
        const { min, max, multipleOf: step } = legal;
        const say = (value: number): string => this.option(id, value);
        const range =
          step === undefined
            ? this.text('legal.range', { min: say(min), max: say(max) })
            : this.text('legal.steps', { min: say(min), max: say(max), step: say(step) });
        return orNull(range, legal.nullable);
      }
      case 'fraction':
        return orNull(
          this.text('legal.range', { min: { fraction: legal.min }, max: { fraction: legal.max } }),
          legal.nullable,
        );
      case 'subset': {
        if (legal.of.length === 0) return this.option(id, []);
        return this.text(legal.min > 0 ? 'legal.some' : 'legal.any', { list: this.option(id, legal.of) });
      }
      case 'object':
        return orNull(this.option(id, {} as unknown as OptionValue), legal.nullable);
      case 'list':
      case 'text':
        return this.text('legal.free');
    }
  }

  cites(cites: readonly string[]): string {
    return citationsText(cites, this.#rulebook, this.#language, this.#say);
  }

  pays(pays: Pays): string {
    if (typeof pays === 'string') return this.text(`pays.${pays}`);
    if ('share' in pays) return this.text('pays.share', { share: { fraction: pays.share } });
    if (pays.commission) {
      const [part, whole] = pays.commission;
      return this.text('pays.less', { odds: this.pays({ odds: pays.odds }), percent: (part * 100) / whole });
    }
    const [a, b] = pays.odds;
    // Chinese says what one wins, as the felt does: 1 賠 1.5.
    if (this.#language === 'zh-Hant') return this.text('pays.odds', { n: String(a / b) });
    return b === 1 ? this.text('pays.odds', { n: a }) : this.text('pays.ratio', { a, b });
  }

  /** Of an option: is it the default, was it the house's choice, does it need a permission. */
  notes(option: OptionInForce): string[] {
    const { id, isDefault, authorisation, waivable } = option;
    const chosen = isDefault
      ? this.text('label.default')
      : option.default === undefined
        ? this.text('label.given')
        : this.text('label.chosen', { default: this.option(id, option.default) });
    if (authorisation.length === 0) return [chosen];
    const articles = this.cites(authorisation);
    return [chosen, this.text(waivable ? 'label.waivable' : 'label.authorised', { articles })];
  }

  /** A day or a month as the language writes it: `2004-05-12`, `2009-01`. */
  day(text: string): string {
    const day = { timeZone: 'UTC', year: 'numeric', month: 'long' } as const;
    const form = text.length > 'YYYY-MM'.length ? ({ ...day, day: 'numeric' } as const) : day;
    return new Intl.DateTimeFormat(LOCALE[this.#language], form).format(Date.parse(text));
  }

  /** Which wording is played, and up to when changes were looked for. */
  wording(): string[] {
    return [this.text(`wording.played.${this.#rulebook}`), this.#unchecked()];
  }

  #unchecked(): string {
    const { checkedTo } = rulebookOf(this.#rulebook)!.sources;
    return this.text('wording.unchecked', { month: this.day(checkedTo) });
  }

  /** What is known of the rules on a day, and each diploma with where it was seen. */
  wordingOn(on: string): { verdict: string[]; diplomas: string[] } {
    const { sources } = rulebookOf(this.#rulebook)!;
    const { isBefore, isUnchecked, missing, replaced, later } = wordingOn(sources, on);
    const day = this.day(on);
    const verdict = isBefore ? [this.text('wording.on.before', { day })] : [];
    for (const [key, diplomas] of Object.entries({ replaced, missing, later })) {
      const acts = this.#list(diplomas.map((each) => each.act));
      if (diplomas.length > 0) verdict.push(this.text(`wording.on.${key}`, { day, acts }));
    }
    if (verdict.length === 0) verdict.push(this.text('wording.on.same', { day }));
    if (isUnchecked) verdict.push(this.#unchecked());
    return { verdict, diplomas: sources.diplomas.map((diploma) => this.#diploma(diploma)) };
  }

  #diploma({ act, day, does, articles, played, seen }: Diploma): string {
    return this.text('wording.row', {
      act,
      day: this.day(day),
      does:
        articles === undefined
          ? this.text(`wording.does.${does}`)
          : this.text('wording.does.articles', { articles }),
      played: this.text(`wording.is.${played}`),
      seen: this.text(`wording.seen.${seen}`),
    });
  }

  #row({ key, values, cites, pays, option }: RulesItem): RulesRow {
    return {
      text: this.text(option ? `${key}.name` : key, values),
      value: pays ? this.pays(pays) : option ? this.option(option.id, option.value) : null,
      notes: option ? this.notes(option) : [],
      cites: this.cites(cites),
    };
  }

  /** The page in words: what a display shows and `banca rules` prints. */
  page(page: RulesPage): RulesTexts {
    return {
      title: this.text(`title.${this.#rulebook}`),
      regulation: this.text(`regulation.${this.#rulebook}`),
      wording: this.wording(),
      stakes: this.text('label.stakes', { min: { minor: page.minMinor }, max: { minor: page.maxMinor } }),
      sections: page.sections.map(({ id, items }) => ({
        id,
        title: this.text(`section.${id}`),
        rows: items.map((item) => this.#row(item)),
      })),
    };
  }
}
