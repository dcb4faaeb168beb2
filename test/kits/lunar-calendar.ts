/**
 * The Chinese calendar out of the sky: new moons and the sun's longitude (J. Meeus, Astronomical
 * Algorithms, chapters 25 and 49), days as of UTC+8. A year's months are counted from the one with
 * the winter solstice, the eleventh; where thirteen lie between two of them, the first in which the
 * sun enters no new sign is the leap month.
 */
const DAY_MS = 86_400_000;
const RAD = Math.PI / 180;
const J1970 = 2_440_587.5;
const IN_MACAU = 8 / 24;
/** Of these years, within twenty seconds: ephemeris time is ahead of the clocks. */
const DELTA_T = 70 / 86_400;
const sin = (degrees: number): number => Math.sin(degrees * RAD);

/** Apparent longitude of the sun, within 0.01 degrees: a quarter of an hour. */
export function sunAt(jde: number): number {
  const t = (jde - 2_451_545) / 36_525;
  const m = 357.52911 + 35_999.05029 * t;
  const centre =
    (1.914602 - 0.004817 * t) * sin(m) + (0.019993 - 0.000101 * t) * sin(2 * m) + 0.000289 * sin(3 * m);
  const longitude = 280.46646 + 36_000.76983 * t + 0.0003032 * t * t + centre;
  return (((longitude - 0.00569 - 0.00478 * sin(125.04 - 1934.136 * t)) % 360) + 360) % 360;
}

/** New moon number k (0 = of January 2000), within half a minute. */
export function newMoon(k: number): number {
  const t = k / 1236.85;
  const e = 1 - 0.002516 * t;
  const s = 2.5534 + 29.1053567 * k;
  const m = 201.5643 + 385.81693528 * k + 0.0107582 * t * t;
  const f = 160.7108 + 390.67050284 * k - 0.0016118 * t * t;
  const o = 124.7746 - 1.56375588 * k;
  const periodic =
    -0.4072 * sin(m) +
    0.17241 * e * sin(s) +
    0.01608 * sin(2 * m) +
    0.01039 * sin(2 * f) +
    0.00739 * e * sin(m - s) -
    0.00514 * e * sin(m + s) +
    0.00208 * e * e * sin(2 * s) -
    0.00111 * sin(m - 2 * f) -
    0.00057 * sin(m + 2 * f) +
    0.00056 * e * sin(2 * m + s) -
    0.00042 * sin(3 * m) +
    0.00042 * e * sin(s + 2 * f) +
    0.00038 * e * sin(s - 2 * f) -
    0.00024 * e * sin(2 * m - s) -
    0.00017 * sin(o);
  const planets =
    0.000325 * sin(299.77 + 0.107408 * k) +
    0.000165 * sin(251.88 + 0.016321 * k) +
    0.000164 * sin(251.83 + 26.651886 * k) +
    0.000126 * sin(349.42 + 36.412478 * k) +
    0.00011 * sin(84.66 + 18.206239 * k);
  return 2_451_550.09766 + 29.530588861 * k + 0.00015437 * t * t + periodic + planets;
}

/** Days since 1970 in Macau. */
const dayOf = (jde: number): number => Math.floor(jde - DELTA_T - J1970 + IN_MACAU);
const sunOn = (day: number): number => sunAt(day + J1970 - IN_MACAU + DELTA_T);

/** The day of a year on which the sun reaches a longitude, looked for from a day of a month on. */
export function termDay(year: number, month: number, from: number, longitude: number): number {
  const first = Date.UTC(year, month - 1, from) / DAY_MS;
  const ahead = (day: number): number => ((sunOn(day) - longitude + 540) % 360) - 180;
  for (let day = first; day < first + 10; day++) if (ahead(day) < 0 && ahead(day + 1) >= 0) return day;
  throw new Error(`no day of ${year}-${month} has the sun at ${longitude}`);
}

interface Month {
  readonly first: number;
  readonly number: number;
  readonly isLeap: boolean;
}

/** Months from the eleventh of the year before to the tenth of this one. */
function monthsOf(year: number): Month[] {
  const solstice = (of: number): number => termDay(of, 12, 18, 270);
  const about = Math.round((year - 1 - 2000 + 0.9) * 12.3685);
  const moons = Array.from({ length: 18 }, (_, i) => dayOf(newMoon(about - 2 + i)));
  const monthWith = (day: number): number => moons.findLastIndex((first) => first <= day);
  const start = monthWith(solstice(year - 1));
  const end = monthWith(solstice(year));
  const hasSign = (i: number): boolean =>
    Math.floor(sunOn(moons[i]!) / 30) !== Math.floor(sunOn(moons[i + 1]!) / 30);
  let leap = -1;
  if (end - start === 13) for (let i = end - 1; i > start; i--) if (!hasSign(i)) leap = i;
  const months: Month[] = [];
  for (let i = start; i < end; i++) {
    const isLeap = i === leap;
    const number = ((10 + (i - start) - (leap >= 0 && i >= leap ? 1 : 0)) % 12) + 1;
    months.push({ first: moons[i]!, number, isLeap });
  }
  return months;
}

/** The day of a year that the calendar calls so, not in a leap month. */
export function lunarDay(year: number, month: number, day: number): number {
  const found = monthsOf(year).find(({ number, isLeap }) => number === month && !isLeap);
  if (!found) throw new Error(`${year} has no month ${month}`);
  return found.first + day - 1;
}
