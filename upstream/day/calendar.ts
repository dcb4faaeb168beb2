/**
 * Gaming days: from the house's hour of closing of one date to that of the next, by the clock on
 * its wall. A day bears the date on which it begins.
 */

/** `2026-11-27`. */
export type Day = string;

export interface DayRules {
  readonly timeZone: string;
  /** `06:00`. */
  readonly dayBegins: string;
}

export interface Bounds {
  readonly day: Day;
  readonly startMs: number;
  /** The first moment of the next day. */
  readonly endMs: number;
}

const MINUTE_MS = 60_000;
const HALF_DAY_MS = 43_200_000;
const pad = (n: number): string => String(n).padStart(2, '0');

const utcOf = (day: Day): number => Date.parse(`${day}T00:00:00Z`);
const dayOfUtc = (ms: number): Day => new Date(ms).toISOString().slice(0, 10);

/** The date `days` later. */
export const dayAfter = (day: Day, days = 1): Day => dayOfUtc(utcOf(day) + days * 2 * HALF_DAY_MS);

/** Whether it is a date of the calendar between 2000 and 2199. */
export const isDay = (text: string): boolean =>
  /^2[01]\d\d-\d\d-\d\d$/.test(text) && Number.isFinite(utcOf(text)) && dayOfUtc(utcOf(text)) === text;

/** Times that a calendar has, whatever a terminal's clock says. */
const FIRST_MS = Date.parse('2000-01-02T00:00:00Z');
const LAST_MS = Date.parse('2199-12-30T00:00:00Z');

export interface Calendar {
  dayOf(atMs: number): Day;
  boundsOf(day: Day): Bounds;
}

export function calendarOf({ timeZone, dayBegins }: DayRules): Calendar {
  const [hour, minute] = dayBegins.split(':').map(Number) as [number, number];
  const wall = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
  /** What the clock on the wall shows, as if it were UTC; to the minute. */
  const wallOf = (atMs: number): number => {
    const part = Object.fromEntries(wall.formatToParts(atMs).map(({ type, value }) => [type, value]));
    return Date.parse(
      `${part['year']}-${part['month']}-${part['day']}T${part['hour']}:${part['minute']}:00Z`,
    );
  };

  /**
   * The first moment at which the wall shows the hour on this date. An hour that comes twice counts
   * when it comes first; where the clock is put forward over it, the day begins at that moment.
   */
  const beginOf = (day: Day): number => {
    const wanted = Date.parse(`${day}T${pad(hour)}:${pad(minute)}:00Z`);
    const offsetAt = (atMs: number): number => wallOf(atMs) - atMs;
    const [before, after] = [offsetAt(wanted - 2 * HALF_DAY_MS), offsetAt(wanted + 2 * HALF_DAY_MS)];
    const shown = [wanted - before, wanted - after].filter((at) => wallOf(at) === wanted);
    if (shown.length > 0) return Math.min(...shown);
    // No clock shows it. The jump lies between what either offset would have made of it.
    let [low, high] = [wanted - Math.max(before, after), wanted - Math.min(before, after)];
    while (high - low > MINUTE_MS) {
      const middle = low + Math.floor((high - low) / (2 * MINUTE_MS)) * MINUTE_MS;
      if (offsetAt(middle) === before) low = middle;
      else high = middle;
    }
    return high;
  };

  let last: Bounds | null = null;
  const boundsOf = (day: Day): Bounds => {
    if (last?.day !== day) last = { day, startMs: beginOf(day), endMs: beginOf(dayAfter(day)) };
    return last;
  };
  return {
    boundsOf,
    dayOf: (said) => {
      const atMs = Math.min(Math.max(said, FIRST_MS), LAST_MS);
      if (last !== null && atMs >= last.startMs && atMs < last.endMs) return last.day;
      const date = dayOfUtc(wallOf(atMs));
      return atMs < boundsOf(date).startMs ? dayAfter(date, -1) : date;
    },
  };
}
