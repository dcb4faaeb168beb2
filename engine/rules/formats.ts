/**
 * How each language writes numbers, amounts, dates and times, on screens and on paper: the only
 * place that knows. pt is pt-PT: '57 312,50 €', 24 hours.
 */
import { type Currency, oddMinorOf, wholeUnitsOf } from '../core/money.ts';
import type { Language } from '../table/inputs.ts';

/** Plurals and Intl follow European Portuguese; the folder and the wire just say `pt`. */
export const LOCALE: Readonly<Record<Language, string>> = { 'zh-Hant': 'zh-Hant', pt: 'pt-PT', en: 'en' };

/**
 * How each language writes a number, as Intl does (a test holds them together), whose first
 * NumberFormat was a third of running the page's code.
 */
const SIGNS: Readonly<Record<Language, { readonly group: string; readonly point: string }>> = {
  'zh-Hant': { group: ',', point: '.' },
  pt: { group: '\u00a0', point: ',' },
  en: { group: ',', point: '.' },
};

/** A whole number: '1,500', '1 500'. */
export function formatInteger(value: number, language: Language): string {
  const figures = String(Math.abs(value)).replace(/\B(?=(\d{3})+$)/g, SIGNS[language].group);
  return (value < 0 ? '-' : '') + figures;
}

/** Minor units (1/100) as a number with two decimals and no currency: '1,500.00', '1 500,00'. */
export function formatMoney(amountMinor: number, language: Language): string {
  return `${formatWhole(amountMinor, language)}${SIGNS[language].point}${String(oddMinorOf(amountMinor)).padStart(2, '0')}`;
}

/** The same without decimals, cut off: '1,500', '1 500'. */
export function formatWhole(amountMinor: number, language: Language): string {
  const figures = formatInteger(wholeUnitsOf(Math.abs(amountMinor)), language);
  return amountMinor < 0 ? `-${figures}` : figures;
}

/** Decimals only where there are any: 225000 -> '2,250'; 1250 -> '12.50'. */
export const formatShort = (amountMinor: number, language: Language): string =>
  (oddMinorOf(amountMinor) === 0 ? formatWhole : formatMoney)(amountMinor, language);

/** '+2,250.00', '−600.00' with a real minus sign, '0.00'. */
export function formatSigned(amountMinor: number, language: Language): string {
  const sign = amountMinor > 0 ? '+' : amountMinor < 0 ? '−' : '';
  return `${sign}${formatMoney(Math.abs(amountMinor), language)}`;
}

/**
 * A formatted amount, or two of them with a dash between, with its currency: 'MOP 1,500.00',
 * '€1,500.00', in Portuguese '1 500,00 €'.
 */
export function withCurrency(amount: string, currency: string, language: Language): string {
  if (currency !== 'EUR') return `${currency} ${amount}`;
  return language === 'pt' ? `${amount}\u00a0€` : `€${amount}`;
}

const numbers = new Map<string, Intl.NumberFormat>();

/** Any number with at least and at most so many decimals, grouped: '0.42', '1 000,5'. */
export function formatNumber(value: number, language: Language, least: number, most = least): string {
  const name = `${language} ${least} ${most}`;
  const format =
    numbers.get(name) ??
    new Intl.NumberFormat(LOCALE[language], {
      minimumFractionDigits: least,
      maximumFractionDigits: most,
      useGrouping: 'always',
    });
  numbers.set(name, format);
  return format.format(value);
}

/** Of a part of 1, with at most one decimal: '12.5%', '12,5%'. */
export const formatPercent = (part: number, language: Language): string =>
  `${formatNumber(part * 100, language, 0, 1)}%`;

// ---- dates and times ----

/**
 * The wall clock follows the place of the casino, whatever the machine is set to. Its currency
 * names the place: it stays what it is when the terminal becomes the table of another country's
 * rules.
 */
export const zoneOf = (currency: Currency): string => (currency === 'EUR' ? 'Europe/Lisbon' : 'Asia/Macau');

/** The day before the month in English too, as Macau and Portugal write. */
const DATES: Readonly<Record<Language, string>> = { ...LOCALE, en: 'en-GB' };

const times = new Map<string, Intl.DateTimeFormat>();

/** Making one takes longer than all the rest of the dealer's edge. */
function timeFormat(language: Language, kind: keyof typeof KINDS, currency: Currency): Intl.DateTimeFormat {
  const timeZone = zoneOf(currency);
  const name = `${language} ${kind} ${timeZone}`;
  const format = times.get(name) ?? new Intl.DateTimeFormat(DATES[language], { ...KINDS[kind], timeZone });
  times.set(name, format);
  return format;
}

const DAY = { day: '2-digit', month: '2-digit' } as const;
const MINUTE = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const SECOND = { ...MINUTE, second: '2-digit' } as const;
const KINDS = {
  day: DAY,
  minute: MINUTE,
  second: SECOND,
  moment: { ...DAY, ...SECOND, year: 'numeric' },
} as const satisfies Readonly<Record<string, Intl.DateTimeFormatOptions>>;

/** 'hh:mm' of 24 hours, the same in every language. */
export const formatMinute = (atMs: number, currency: Currency): string =>
  timeFormat('pt', 'minute', currency).format(atMs);

/** '21:42:07': a time of this day, to the second. */
export const formatSecond = (atMs: number, currency: Currency, language: Language): string =>
  timeFormat(language, 'second', currency).format(atMs);

/** For an axis: '01/05'. */
export const formatDay = (atMs: number, currency: Currency, language: Language): string =>
  timeFormat(language, 'day', currency).format(atMs);

/**
 * Date and time with seconds, of 24 hours in every language: '2026/05/01 18:30:07', '01/05/2026,
 * 18:30:07'.
 */
export const formatMoment = (atMs: number, currency: Currency, language: Language): string =>
  // In Chinese a thin space parts date and time.
  timeFormat(language, 'moment', currency).format(atMs).replace('\u2009', ' ');

export type MomentPart = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second';

/** The parts of a moment in the order the language writes them, and the signs between them. */
export const momentOrder = (
  language: Language,
): readonly { readonly type: MomentPart | 'literal'; readonly value: string }[] =>
  timeFormat(language, 'moment', 'MOP').formatToParts(0) as {
    type: MomentPart | 'literal';
    value: string;
  }[];
