import i18next, { type TFunction } from 'i18next';
import type { Language } from '../../engine/table/inputs.ts';
import enFelt from '../../locales/en/felt.json' with { type: 'json' };
import enTable from '../../locales/en/table.json' with { type: 'json' };
import ptFelt from '../../locales/pt/felt.json' with { type: 'json' };
import ptTable from '../../locales/pt/table.json' with { type: 'json' };
import zhFelt from '../../locales/zh-Hant/felt.json' with { type: 'json' };
import zhTable from '../../locales/zh-Hant/table.json' with { type: 'json' };

export const LANGUAGES: readonly Language[] = ['zh-Hant', 'pt', 'en'];

/** The same on every panel, so that a player finds their own in any of them. */
export const LANGUAGE_SIGN: Readonly<Record<Language, string>> = { 'zh-Hant': '中', pt: 'PT', en: 'EN' };

/** Plurals and Intl follow European Portuguese; the folder and the wire just say `pt`. */
export const LOCALE: Readonly<Record<Language, string>> = { 'zh-Hant': 'zh-Hant', pt: 'pt-PT', en: 'en' };

const i18n = i18next.createInstance();
void i18n.init({
  lng: LOCALE['zh-Hant'],
  fallbackLng: LOCALE['zh-Hant'],
  initAsync: false,
  defaultNS: 'table',
  ns: ['table', 'service', 'felt', 'events', 'map'],
  // Preact escapes text by itself; nothing is ever put into the page as HTML.
  interpolation: { escapeValue: false },
  resources: {
    'zh-Hant': { table: zhTable, felt: zhFelt },
    'pt-PT': { table: ptTable, felt: ptFelt },
    en: { table: enTable, felt: enFelt },
  },
});

/** Adds the texts of a part of the page that comes later; asked for before, they are only codes. */
export function addTexts(
  space: 'service' | 'events' | 'map',
  texts: Readonly<Record<Language, object>>,
): void {
  for (const language of LANGUAGES) i18n.addResourceBundle(LOCALE[language], space, texts[language]);
}

/**
 * How each language writes an amount, as Intl does (a test holds them together), whose first
 * NumberFormat was a third of running the page's code.
 */
const SIGNS: Readonly<Record<Language, { readonly group: string; readonly point: string }>> = {
  'zh-Hant': { group: ',', point: '.' },
  pt: { group: '\u00a0', point: ',' },
  en: { group: ',', point: '.' },
};

/** Minor units (1/100) as a number with two decimals and no currency: '1,500.00', '1 500,00'. */
export function formatMoney(amountMinor: number, language: Language): string {
  return `${formatWhole(amountMinor, language)}${SIGNS[language].point}${String(Math.abs(amountMinor) % 100).padStart(2, '0')}`;
}

/** The same without decimals, cut off: '1,500', '1 500'. */
export function formatWhole(amountMinor: number, language: Language): string {
  const figures = String(Math.trunc(Math.abs(amountMinor) / 100));
  return (amountMinor < 0 ? '-' : '') + figures.replace(/\B(?=(\d{3})+$)/g, SIGNS[language].group);
}

/** '+2,250.00', '−600.00' with a real minus sign, '0.00'. */
export function formatSigned(amountMinor: number, language: Language): string {
  const sign = amountMinor > 0 ? '+' : amountMinor < 0 ? '−' : '';
  return `${sign}${formatMoney(Math.abs(amountMinor), language)}`;
}

i18n.services.formatter?.add('money', (value: number, locale) =>
  formatMoney(value, LANGUAGES.find((language) => LOCALE[language] === locale) ?? 'zh-Hant'),
);

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

const tableTexts = new Map<Language, TableText>();
const serviceTexts = new Map<Language, ServiceText>();
const mapTexts = new Map<Language, MapText>();
const feltTexts = new Map<Language, FeltText>();
/** Of a code that comes over the wire; null where it has no text. */
const codeTexts = new Map<Language, (key: string, values: object) => string | null>();
for (const language of LANGUAGES) {
  const lng = LOCALE[language];
  tableTexts.set(language, remembered(i18n.getFixedT(lng, 'table')));
  serviceTexts.set(language, remembered(i18n.getFixedT(lng, 'service')));
  mapTexts.set(language, remembered(i18n.getFixedT(lng, 'map')));
  feltTexts.set(language, remembered(i18n.getFixedT(lng, 'felt')));
  const t = i18n.getFixedT(lng);
  codeTexts.set(
    language,
    remembered((key, values) =>
      i18n.exists(key, { lng }) ? String(t(key as never, values as never)) : null,
    ),
  );
}

/** Texts of players and dealer in one language. */
export const tableText = (language: Language): TableText => tableTexts.get(language)!;
/** Texts of service mode in one language. */
export const serviceText = (language: Language): ServiceText => serviceTexts.get(language)!;

/** Texts of the map of the machine in one language. */
export const mapText = (language: Language): MapText => mapTexts.get(language)!;

/** What is printed on the felt, in one language. */
export const feltText = (language: Language): FeltText => feltTexts.get(language)!;

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
  return codeTexts.get(language)!(`${namespace}:${group}.${code}`, values) ?? code;
}
