import type { Currency } from '../../engine/core/money.ts';
import { formatDay, formatMinute, zoneOf } from '../../engine/rules/formats.ts';
import type { Language } from '../../engine/table/inputs.ts';
import { type TableText, tableText } from './i18n.ts';

export { formatMoment, formatSecond, type MomentPart, momentOrder } from '../../engine/rules/formats.ts';

/**
 * '下午 9:42', '9:42 p.m.': the clock every player's screen carries. Twelve hours are asked for in
 * Macau, whatever the language of the seat; in Portugal a Portuguese one has 24.
 */
export function formatClock(atMs: number, currency: Currency, language: Language): string {
  const time = formatMinute(atMs, currency);
  if (language === 'pt' && currency === 'EUR') return time;
  const [hours, minutes] = time.split(':') as [string, string];
  const hour = Number(hours);
  return tableText(language)(hour < 12 ? 'clock.am' : 'clock.pm', {
    time: `${hour % 12 === 0 ? 12 : hour % 12}:${minutes}`,
  });
}

/** For an axis: '21:00' of an hour, '01/05' of a day. */
export const formatTick = (
  atMs: number,
  currency: Currency,
  language: Language,
  unit: 'hour' | 'day',
): string => (unit === 'hour' ? formatMinute(atMs, currency) : formatDay(atMs, currency, language));

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
  new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone: zoneOf(currency) })
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
