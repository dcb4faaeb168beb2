import { signal } from '@preact/signals';
import i18next, { type TFunction } from 'i18next';
import {
  type AuthorisedBet,
  authorisedIn,
  KNOWN_BETS,
  rulebookOf,
  type TableOptions,
} from '../../engine/books.ts';
import { isSame } from '../../engine/core/same.ts';
import { formatMoney, LOCALE } from '../../engine/rules/formats.ts';
import { HOUSE_LANGUAGES, type Home, leadingLanguage } from '../../engine/rules/home.ts';
import type { Language } from '../../engine/table/inputs.ts';
import type { RulebookId } from '../../engine/table/profile.ts';
import enFelt from '../../locales/en/felt.json' with { type: 'json' };
import enPortugal from '../../locales/en/portugal.json' with { type: 'json' };
import enTable from '../../locales/en/table.json' with { type: 'json' };
import ptFelt from '../../locales/pt/felt.json' with { type: 'json' };
import ptPortugal from '../../locales/pt/portugal.json' with { type: 'json' };
import ptTable from '../../locales/pt/table.json' with { type: 'json' };
import zhFelt from '../../locales/zh-Hant/felt.json' with { type: 'json' };
import zhPortugal from '../../locales/zh-Hant/portugal.json' with { type: 'json' };
import zhTable from '../../locales/zh-Hant/table.json' with { type: 'json' };

export const LANGUAGES: readonly Language[] = ['zh-Hant', 'pt', 'en'];

/** The same on every panel, so that a player finds their own in any of them. */
export const LANGUAGE_SIGN: Readonly<Record<Language, string>> = { 'zh-Hant': '中', pt: 'PT', en: 'EN' };

export {
  formatMoney,
  formatShort,
  formatSigned,
  formatWhole,
  LOCALE,
  withCurrency,
} from '../../engine/rules/formats.ts';

/**
 * Whose words these are. The law of Macau has the common files; where Portugal's has another word,
 * its own file stands before them.
 */
const CODES: Readonly<Record<Home, Readonly<Record<Language, string>>>> = {
  macau: LOCALE,
  portugal: { 'zh-Hant': 'zh-Hant-portugal', pt: 'pt-portugal', en: 'en-portugal' },
};

const i18n = i18next.createInstance();
void i18n.init({
  lng: LOCALE['zh-Hant'],
  fallbackLng: {
    ...Object.fromEntries(LANGUAGES.map((each) => [CODES.portugal[each], [LOCALE[each]]])),
    default: [LOCALE['zh-Hant']],
  },
  initAsync: false,
  defaultNS: 'table',
  ns: ['table', 'service', 'felt', 'events', 'map'],
  // Preact escapes text by itself; nothing is ever put into the page as HTML.
  interpolation: { escapeValue: false },
  resources: {
    'zh-Hant': { table: zhTable, felt: zhFelt },
    'pt-PT': { table: ptTable, felt: ptFelt },
    en: { table: enTable, felt: enFelt },
    [CODES.portugal['zh-Hant']]: zhPortugal,
    [CODES.portugal.pt]: ptPortugal,
    [CODES.portugal.en]: enPortugal,
  },
});

/**
 * Adds the texts of a part of the page that comes later, and where the law of a home has other
 * words; asked for before, they are only codes.
 */
export function addTexts(
  space: 'service' | 'events' | 'map',
  texts: Readonly<Record<Language, object>>,
  home: Home = 'macau',
): void {
  for (const language of LANGUAGES) i18n.addResourceBundle(CODES[home][language], space, texts[language]);
}

const languageOf = (code: string | undefined): Language =>
  LANGUAGES.find((language) => Object.values(CODES).some((codes) => codes[language] === code)) ?? 'zh-Hant';

i18n.services.formatter?.add('money', (value: number, code) => formatMoney(value, languageOf(code)));

export type TableText = TFunction<'table'>;
export type ServiceText = TFunction<'service'>;
export type FeltText = TFunction<'felt'>;
export type MapText = TFunction<'map'>;

/** More than all sentences of a shift; amounts are endless, memory is not. */
const MOST_REMEMBERED = 5_000;

/**
 * Makes every sentence once: the seven panels ask for some two hundred at every view, and putting
 * them together again was two fifths of drawing the panels.
 */
function remembered<F>(make: F): F {
  const known = new Map<string, unknown>();
  const from = make as (key: string, values?: object) => unknown;
  return ((key: string, values?: object) => {
    const name = values === undefined ? key : `${key} ${JSON.stringify(values)}`;
    const before = known.get(name);
    if (before !== undefined) return before;
    if (known.size >= MOST_REMEMBERED) known.clear();
    const made = from(key, values);
    known.set(name, made);
    return made;
  }) as F;
}

interface Texts {
  readonly table: TableText;
  readonly service: ServiceText;
  readonly map: MapText;
  readonly felt: FeltText;
  /** Of a code that comes over the wire; null where it has no text. */
  readonly code: (key: string, values: object) => string | null;
}

function textsOf(lng: string): Texts {
  const t = i18n.getFixedT(lng);
  return {
    table: remembered(i18n.getFixedT(lng, 'table')),
    service: remembered(i18n.getFixedT(lng, 'service')),
    map: remembered(i18n.getFixedT(lng, 'map')),
    felt: remembered(i18n.getFixedT(lng, 'felt')),
    code: remembered((key, values) =>
      i18n.exists(key, { lng }) ? String(t(key as never, values as never)) : null,
    ),
  };
}

const homeTexts = (home: Home): Readonly<Record<Language, Texts>> => ({
  'zh-Hant': textsOf(CODES[home]['zh-Hant']),
  pt: textsOf(CODES[home].pt),
  en: textsOf(CODES[home].en),
});
const bothHomes = (): Readonly<Record<Home, Readonly<Record<Language, Texts>>>> => ({
  macau: homeTexts('macau'),
  portugal: homeTexts('portugal'),
});
const texts = signal(bothHomes());

/**
 * A page shows one table, and a table one law at a time. A signal: parts of the page whose
 * properties stay the same would keep the words of the law before.
 */
const home = signal<Home>('macau');

/** Of a regulation no game has: a house in Macau. */
export const homeOf = (rulebook: RulebookId): Home => rulebookOf(rulebook)?.home ?? 'macau';

/**
 * Chooses the words; before anything of a table with this regulation and these options is shown.
 */
export function speakAt(rulebook: RulebookId, options: Readonly<Record<string, unknown>> = {}): void {
  home.value = homeOf(rulebook);
  nameBets(authorisedIn(options as TableOptions));
}

/** The bets whose words have come with the table last. */
let named: readonly AuthorisedBet[] = [];

/** art. 13.4: what such a bet is called on panels and cloth stands in its authorisation. */
function nameBets(bets: readonly AuthorisedBet[]): void {
  if (isSame(bets, named)) return;
  named = bets;
  for (const { id, name, short } of bets) {
    for (const language of LANGUAGES) {
      i18n.addResource(LOCALE[language], 'table', `bet.name.${id}`, name[language]);
      i18n.addResource(LOCALE[language], 'felt', `spot.${id}`, short[language]);
    }
  }
  // What was asked for before the words were there is only a code.
  texts.value = bothHomes();
}
nameBets(KNOWN_BETS);

/**
 * Whoever tries a simulation out reads English at the edge of the dealer; never at a table for
 * money.
 */
export const staffEnglish = signal(false);
export const houseSpeaksEnglish = (): boolean => HOUSE_LANGUAGES[home.value].includes('en');
/** What the house itself speaks, its leading language first. */
export const houseLanguages = (): readonly Language[] =>
  staffEnglish.value && !houseSpeaksEnglish()
    ? ['en', leadingLanguage(home.value)]
    : HOUSE_LANGUAGES[home.value];
/** Its first: figures that stand alone are written as it writes them. */
export const houseLanguage = (): Language => houseLanguages()[0]!;
/** All, those of the house first. */
export const allLanguages = (): readonly Language[] => [
  ...houseLanguages(),
  ...LANGUAGES.filter((language) => !houseLanguages().includes(language)),
];

/** Texts of players and dealer in one language. */
export const tableText = (language: Language): TableText => texts.value[home.value][language].table;
/** Texts of service mode in one language. */
export const serviceText = (language: Language): ServiceText => texts.value[home.value][language].service;

/** Texts of the map of the machine in one language. */
export const mapText = (language: Language): MapText => texts.value[home.value][language].map;

/** What is printed on the felt, in one language. */
export const feltText = (language: Language): FeltText => texts.value[home.value][language].felt;

/**
 * The text of a code that comes as a plain string over the wire; a code without a text shows
 * itself.
 */
export function textOfCode(
  namespace: 'table' | 'service' | 'events' | 'map',
  group: string,
  code: string,
  language: Language,
  values: Readonly<Record<string, string>> = {},
): string {
  return texts.value[home.value][language].code(`${namespace}:${group}.${code}`, values) ?? code;
}
