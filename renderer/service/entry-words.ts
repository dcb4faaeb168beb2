import './texts.ts';
import type { Card } from '../../engine/core/cards.ts';
import type { Currency } from '../../engine/core/money.ts';
import { formatInteger, formatNumber } from '../../engine/rules/formats.ts';
import type { RulesWriter } from '../../engine/rules/rules-text.ts';
import type { Language, Person } from '../../engine/table/inputs.ts';
import type { OptionValue, RulebookId } from '../../engine/table/profile.ts';
import type { TableView } from '../../wire/view.ts';
import { placeText, rulesWriter } from '../rules/rules-words.ts';
import { formatArticles } from '../texts/articles.ts';
import { durationText, formatMoment, formatSecond } from '../texts/clock.ts';
import {
  formatMoney,
  formatSigned,
  serviceText,
  tableText,
  textOfCode,
  withCurrency,
} from '../texts/i18n.ts';
import { type Coded, FOUND, type How, MEMBERS, OF_KIND, REJECTION } from './entry-members.ts';

/** A member of an entry as a person reads it. */
export interface SaidMember {
  readonly label: string;
  readonly said: Said;
}
/**
 * Words · what only a machine has named · cards, by hands · what is inside of it, once or several
 * times.
 */
export type Said =
  | { readonly words: string }
  | { readonly code: string }
  | { readonly cards: readonly (readonly Card[])[] }
  | { readonly inside: readonly (readonly SaidMember[])[]; readonly isLong: boolean };

/**
 * In which words: the language, and where currency and articles are taken from that the entry does
 * not name itself.
 */
export interface Sayer {
  readonly language: Language;
  readonly table: Pick<TableView['table'], 'rulebook' | 'currency'>;
}

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const ORDER: ReadonlyMap<string, number> = new Map(Object.keys(MEMBERS).map((name, index) => [name, index]));
const MOST_SECONDS = 120;
/** More options than these are shown when they are asked for. */
const MOST_OPTIONS = 12;

/**
 * What stands in an entry of this kind, member by member, in the order in which people want to know
 * it.
 */
export function sayEntry(kind: string, body: unknown, sayer: Sayer): readonly SaidMember[] {
  if (!isFields(body)) return [{ label: '', said: { code: JSON.stringify(body) } }];
  const profile = isFields(body['profile']) ? body['profile'] : body;
  const own: Sayer = {
    ...sayer,
    table: {
      currency: (body['currency'] ?? profile['currency'] ?? sayer.table.currency) as Currency,
      rulebook: (profile['rulebook'] ?? sayer.table.rulebook) as RulebookId,
    },
  };
  const { type: _, atMs: __, ...rest } = body;
  return fieldsOf(kind, rest, own);
}

function fieldsOf(kind: string, fields: Fields, sayer: Sayer): SaidMember[] {
  const names = Object.keys(fields);
  return (
    names
      // It is written with every amount.
      .filter((name) => name !== 'currency' || !isPriced(kind, fields))
      .sort((a, b) => (ORDER.get(a) ?? ORDER.size) - (ORDER.get(b) ?? ORDER.size))
      .map((name) => ({
        // Who has granted an authorisation, and not a seat.
        label:
          name === 'by' && typeof fields[name] === 'string'
            ? serviceText(sayer.language)('entry.granted')
            : labelOf(name, sayer.language),
        said: say(howOf(kind, name, fields[name]), name, fields, sayer, kind),
      }))
  );
}

/** An amount is in there, however deep. */
const isPriced = (kind: string, fields: Fields): boolean =>
  Object.entries(fields).some(([name, value]) => {
    const how = howOf(kind, name, value);
    if (how === 'money' || how === 'signed') return value !== null;
    return [value].flat().some((each) => isFields(each) && isPriced(kind, each));
  });

/** 'newMemberMinor' of a later version as 'new member'. */
export function labelOf(name: string, language: Language): string {
  const label = textOfCode('service', 'member', name, language);
  if (label !== name) return label;
  return name.replace(/(Minor|Ms)$/, '').replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function howOf(kind: string, name: string, value: unknown): How {
  const own: How | undefined = (OF_KIND as Readonly<Record<string, How>>)[`${kind}.${name}`];
  const known = own ?? (MEMBERS as Readonly<Record<string, How>>)[name];
  if (known !== undefined) {
    // A list of what is inside where another version had a number, and the other way round.
    return known === 'inside' && !holdsFields(value)
      ? 'plain'
      : holdsFields(value) && isFlat(known)
        ? 'inside'
        : known;
  }
  if (holdsFields(value)) return 'inside';
  if (typeof value === 'number' && name.endsWith('Minor')) return 'money';
  if (typeof value === 'number' && name.endsWith('AtMs')) return 'moment';
  if (typeof value === 'number' && name.endsWith('Ms')) return 'span';
  return typeof value === 'boolean' ? 'yes' : 'plain';
}
const holdsFields = (value: unknown): boolean =>
  isFields(value) || (Array.isArray(value) && value.some(isFields));
const isFlat = (how: How): boolean =>
  typeof how === 'object' || how === 'plain' || how === 'money' || how === 'yes';

const CODE = /^[a-z0-9]+(?:[-_:.][a-z0-9]+)+$|^[0-9a-f]{12,}$|^[\w+/=-]{40,}$/i;
/** A name, or a sentence, or what only machines call anything. */
const named = (value: string): Said => (CODE.test(value) ? { code: value } : { words: value });

function say(how: How, name: string, fields: Fields, sayer: Sayer, kind: string): Said {
  const value = fields[name];
  const { language, table } = sayer;
  const none = serviceText(language)('none');
  if (how === 'acceptor' && !Array.isArray(value))
    return { words: value === null ? word('all', language) : String(value) };
  if (value === null || value === undefined || (Array.isArray(value) && value.length === 0))
    return { words: none };
  if (how === 'inside' || how === 'folded') {
    const all = Array.isArray(value) ? value : [value];
    return {
      inside: all.map((each) =>
        isFields(each) ? fieldsOf(kind, each, sayer) : [{ label: '', said: named(String(each)) }],
      ),
      isLong: how === 'folded',
    };
  }
  if (how === 'card') return { cards: handsOf(value) };
  if (how === 'articles')
    return { words: formatArticles(value as readonly string[], table.rulebook, language) };
  if (how === 'fraction' || how === 'odds' || how === 'percent') {
    const [a, b] = value as readonly [number, number];
    if (how === 'percent') return { words: `${(a * 100) / b} %` };
    return { words: `${a}${how === 'odds' ? ':' : '/'}${b}`.replace('-', '−') };
  }
  if (how === 'options' && isFields(value))
    return { inside: [optionsOf(value, sayer)], isLong: Object.keys(value).length > MOST_OPTIONS };
  if (how === 'option') return optionOf(value as OptionValue, fields, sayer);
  if (Array.isArray(value)) {
    const each = value.map((one: unknown) => say(how, name, { ...fields, [name]: one }, sayer, kind));
    const isCode = each.some((one) => 'code' in one);
    const text = each.map((one) => ('words' in one ? one.words : 'code' in one ? one.code : none));
    const listed = text.join(language === 'zh-Hant' ? '、' : ', ');
    return isCode ? { code: listed } : { words: listed };
  }
  if (typeof how === 'object') return codedIn(how, value, language);
  switch (how) {
    case 'seat-or-bank':
      return { words: value === 0 ? labelOf('bank', language) : String(value) };
    case 'money':
      return { words: withCurrency(formatMoney(Number(value), language), table.currency, language) };
    case 'signed':
      return { words: withCurrency(formatSigned(Number(value), language), table.currency, language) };
    case 'second':
      return { words: formatSecond(Number(value), table.currency, language) };
    case 'moment':
      return { words: formatMoment(Number(value), table.currency, language) };
    case 'span':
      return { words: spanText(Number(value), language) };
    case 'yes':
      return { words: word(String(value), language) };
    case 'person':
      return { words: personText(value as Person, language) };
    case 'hand':
      return { words: String(Number(value) + 1) };
    case 'confidence':
      return { words: `${String(value)} / 255` };
    case 'place':
      return named(placeText(rulesWriter(language, table), String(value).replace(/^options\./, '')));
    case 'rulebook':
      return { words: rulesWriter(language, table).text(`regulation.${String(value)}`) };
    case 'options':
      return { words: placeText(rulesWriter(language, table), String(value)) };
    case 'device':
      return named(deviceText(String(value), language));
    case 'setting': {
      const key = `${name}-${String(value)}`;
      const text = textOfCode('table', 'settings', key, language);
      return text === key ? named(String(value)) : { words: text };
    }
    default:
      return typeof value === 'string' ? named(value) : { words: String(value) };
  }
}

/** The text of a code in the first of these groups that has one; the code itself where none has. */
function codedIn({ groups }: Coded, value: unknown, language: Language): Said {
  if (typeof value !== 'string') return { words: String(value) };
  for (const group of groups) {
    const [space, path] = group.split(':') as ['table' | 'service', string];
    const text = textOfCode(space, path, value, language);
    if (text !== value) return { words: text };
  }
  return named(value);
}

const word = (code: string, language: Language): string => textOfCode('service', 'word', code, language);

/**
 * What a self-test has found: a state or a fault by its name, else in the words of whoever has
 * found it.
 */
export function foundText(detail: string, language: Language): string {
  const [, entries] = /^(\d+) entries$/.exec(detail) ?? [];
  if (entries !== undefined)
    return serviceText(language)('test.entries', {
      n: formatInteger(Number(entries), language),
      count: Number(entries),
    });
  const said = codedIn(FOUND, detail, language);
  return 'words' in said ? said.words : detail;
}

/**
 * Why a note was not taken, or went back: out of the entry that says so. `byUnit`: the unit has
 * refused it by itself.
 */
export function whyText(why: string, language: Language, byUnit: boolean): string {
  const said = codedIn(byUnit ? REJECTION : MEMBERS.shut, why, language);
  return 'words' in said ? said.words : why;
}

const personText = ({ name, role }: Person, language: Language): string => {
  const roleText = textOfCode('service', 'role', role, language);
  return language === 'zh-Hant' ? `${name}（${roleText}）` : `${name} (${roleText})`;
};

/** '15 s', '25 min', '2 h'; seconds as long as people count in them. */
export function spanText(ms: number, language: Language): string {
  const sign = ms < 0 ? '−' : '';
  const length = Math.abs(ms);
  if (length <= MOST_SECONDS * 1000)
    return (
      sign +
      serviceText(language)('storage.seconds', {
        n: formatNumber(length / 1000, language, 0, 3),
      })
    );
  return sign + durationText(length, tableText(language));
}

/** A card, the cards of a hand, or of several. */
function handsOf(value: unknown): Card[][] {
  if (!Array.isArray(value)) return [[value as Card]];
  return value.some(Array.isArray) ? value.flatMap(handsOf) : [value as Card[]];
}

/** 'acceptor-3' as 'Bill acceptor 3'; an id that has no name stays itself. */
export function deviceText(id: string, language: Language): string {
  const s = serviceText(language);
  const [, number] = /^acceptor-(\d+)$/.exec(id) ?? [];
  if (number !== undefined) return `${s('device.bill-acceptor')} ${number}`;
  if (id === 'shoe') return s('device.card-shoe');
  if (id === 'printer') return s('device.receipt-printer');
  if (id === 'cabinet') return s('device.cabinet-board');
  if (id === 'ups') return s('device.power-supply');
  const [part, rest] = id.split(/:(.*)/);
  return rest === undefined ? word(id, language) : `${word(part!, language)} (${rest})`;
}

/** A value of the place of the profile that lies next to it. */
function optionOf(value: OptionValue, { place }: Fields, { language, table }: Sayer): Said {
  const id = String(place).replace(/^options\./, '');
  const writer = rulesWriter(language, table);
  if (writer.find(`option.${id}.name`) !== null || String(place).startsWith('options.'))
    return { words: optionText(writer, id, value) };
  const how = (MEMBERS as Readonly<Record<string, How>>)[id.slice(id.lastIndexOf('.') + 1)] ?? 'plain';
  return holdsFields(value)
    ? say('inside', id, { [id]: value }, { language, table }, '')
    : say(how, id, { [id]: value }, { language, table }, '');
}

/** Options by the names of the rules pages. */
function optionsOf(options: Fields, { language, table }: Sayer): SaidMember[] {
  const writer = rulesWriter(language, table);
  return Object.entries(options).map(([id, value]) => {
    const label = writer.find(`option.${id}.name`);
    return label === null
      ? {
          label: labelOf(id, language),
          said:
            isFields(value) || Array.isArray(value) ? { code: JSON.stringify(value) } : named(String(value)),
        }
      : { label, said: { words: optionText(writer, id, value as OptionValue) } };
  });
}

/** Ledgers of older versions hold values that have no text any more: those stand as they are. */
function optionText(writer: RulesWriter, id: string, value: OptionValue): string {
  try {
    return writer.option(id, value);
  } catch {
    return JSON.stringify(value);
  }
}
