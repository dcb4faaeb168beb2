import type { Currency } from '../../engine/core/money.ts';
import type { Language } from '../../engine/table/inputs.ts';
import { LOCALE, type TableText, tableText } from './i18n.ts';

/**
 * The wall clock follows the place of the casino, whatever the machine is set to. Its currency
 * names the place: it stays what it is when the terminal becomes the table of another country's
 * rules.
 */
const zoneOf = (currency: Currency): string => (currency === 'EUR' ? 'Europe/Lisbon' : 'Asia/Macau');

const partsFormats = new Map<string, Intl.DateTimeFormat>();
function hourAndMinute(atMs: number, currency: Currency): { hour: number; minute: string } {
  const zone = zoneOf(currency);
  let format = partsFormats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-GB', {
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
      timeZone: zone,
    });
    partsFormats.set(zone, format);
  }
  const parts = Object.fromEntries(format.formatToParts(atMs).map((part) => [part.type, part.value]));
  return { hour: Number(parts['hour']), minute: parts['minute'] ?? '00' };
}

/** The day before the month in English too, as Macau and Portugal write. */
const DATES: Readonly<Record<Language, string>> = { ...LOCALE, en: 'en-GB' };

/** '下午 9:42', '9:42 p.m.': the 12-hour clock every player's screen carries. */
export function formatClock(atMs: number, currency: Currency, language: Language): string {
  const { hour, minute } = hourAndMinute(atMs, currency);
  const time = `${hour % 12 === 0 ? 12 : hour % 12}:${minute}`;
  return tableText(language)(hour < 12 ? 'clock.am' : 'clock.pm', { time });
}

const TO_THE_SECOND: Intl.DateTimeFormatOptions = {
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
};

/**
 * Date and time with seconds for service mode, of 24 hours in every language: '2026/05/01
 * 18:30:07', '01/05/2026, 18:30:07'.
 */
export function formatMoment(atMs: number, currency: Currency, language: Language): string {
  const format = new Intl.DateTimeFormat(DATES[language], { ...TO_THE_SECOND, timeZone: zoneOf(currency) });
  // In Chinese a thin space parts date and time.
  return format.format(atMs).replace('\u2009', ' ');
}

export type MomentPart = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second';

/** The parts of a moment in the order the language writes them, and the signs between them. */
export const momentOrder = (
  language: Language,
): readonly { readonly type: MomentPart | 'literal'; readonly value: string }[] =>
  new Intl.DateTimeFormat(DATES[language], TO_THE_SECOND).formatToParts(0) as {
    type: MomentPart | 'literal';
    value: string;
  }[];

/** For an axis: '21:00' of an hour, '01/05' of a day. */
export function formatTick(
  atMs: number,
  currency: Currency,
  language: Language,
  unit: 'hour' | 'day',
): string {
  return new Intl.DateTimeFormat(DATES[language], {
    ...(unit === 'hour'
      ? { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }
      : { day: '2-digit', month: '2-digit' }),
    timeZone: zoneOf(currency),
  }).format(atMs);
}

/** Making one takes longer than all the rest of the dealer's edge. */
const secondFormats = new Map<string, Intl.DateTimeFormat>();

/** '21:42:07' for the dealer's edge: a time of this day, to the second. */
export function formatSecond(atMs: number, currency: Currency, language: Language): string {
  const zone = zoneOf(currency);
  let format = secondFormats.get(`${language} ${zone}`);
  if (!format) {
    format = new Intl.DateTimeFormat(DATES[language], {
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
      timeZone: zone,
    });
    secondFormats.set(`${language} ${zone}`, format);
  }
  return format.format(atMs);
}

/**
 * '2026-05-01T18:30' as a clock at the casino shows it, in ms since 1970 UTC; null for what is no
 * such time. In the hour that comes twice when summer time ends it is the first one.
 */
export function momentOfText(text: string, currency: Currency): number | null {
  const asUtc = Date.parse(`${text}Z`);
  if (text === '' || Number.isNaN(asUtc)) return null;
  // The difference to UTC can change between the two: the first one is only near.
  const near = asUtc - offsetMs(asUtc, currency);
  const before = asUtc - offsetMs(near - 3_600_000, currency);
  return before - asUtc === -offsetMs(before, currency) ? before : asUtc - offsetMs(near, currency);
}

/** As a clock at the casino shows it: '2026-05-01T18:30:07', what `momentOfText` reads. */
export const textOfMoment = (atMs: number, currency: Currency): string =>
  new Intl.DateTimeFormat('sv-SE', { ...TO_THE_SECOND, timeZone: zoneOf(currency) })
    .format(atMs)
    .replace(' ', 'T');

/** What the clock of the casino is ahead of UTC. */
const offsetMs = (atMs: number, currency: Currency): number =>
  Date.parse(`${textOfMoment(atMs, currency)}Z`) - Math.floor(atMs / 1000) * 1000;

const FLASH_MS = 8_000;

/**
 * The clock flashes for some seconds at every full ten minutes (the regulator asks for at least
 * every 10 min).
 */
export const flashesAt = (atMs: number): boolean => atMs % 600_000 < FLASH_MS;

const MINUTE_MS = 60_000;

/** '25 min', '2 h', '1 h 12 min'. */
export function durationText(ms: number, t: TableText): string {
  const all = Math.floor(ms / MINUTE_MS);
  const [hours, minutes] = [Math.floor(all / 60), all % 60];
  if (hours === 0) return t('session.minutes', { minutes });
  return minutes === 0 ? t('session.hours', { hours }) : t('session.hoursMinutes', { hours, minutes });
}
