/**
 * Public holidays, so that working days are those of the law. A day is a number of days since
 * 1970.
 */
const DAY_MS = 86_400_000;
export const dayNumber = (year: number, month: number, day: number): number =>
  Date.UTC(year, month - 1, day) / DAY_MS;

/** Western Easter Sunday: the Gregorian computus (Meeus, Jones, Butcher). */
export function easter(year: number): number {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const d = Math.floor(b / 4);
  const g = Math.floor((8 * b + 13) / 25);
  const h = (19 * a + b - d - g + 15) % 30;
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7;
  const m = Math.floor((a + 11 * h + 22 * l) / 451);
  const month = Math.floor((h + l - 7 * m + 114) / 31);
  return dayNumber(year, month, ((h + l - 7 * m + 114) % 31) + 1);
}

/**
 * Macau's feasts of the Chinese calendar, as month and day: Lunar New Year, Cheng Ming, Buddha (8th
 * of the 4th month), Tung Ng (5th of the 5th), the day after Chong Chao (16th of the 8th), Chong
 * Yeong (9th of the 9th), winter solstice. Made by test/kits/lunar-calendar.ts, which reckons new
 * moons and the sun; a test compares.
 */
export const LUNAR_FEASTS: Readonly<Record<number, string>> = {
  2004: '0122 0404 0526 0622 0929 1022 1221',
  2005: '0209 0405 0515 0611 0919 1011 1222',
  2006: '0129 0405 0505 0531 1007 1030 1222',
  2007: '0218 0405 0524 0619 0926 1019 1222',
  2008: '0207 0404 0512 0608 0915 1007 1221',
  2009: '0126 0404 0502 0528 1004 1026 1222',
  2010: '0214 0405 0521 0616 0923 1016 1222',
  2011: '0203 0405 0510 0606 0913 1005 1222',
  2012: '0123 0404 0428 0623 1001 1023 1221',
  2013: '0210 0404 0517 0612 0920 1013 1222',
  2014: '0131 0405 0506 0602 0909 1002 1222',
  2015: '0219 0405 0525 0620 0928 1021 1222',
  2016: '0208 0404 0514 0609 0916 1009 1221',
  2017: '0128 0404 0503 0530 1005 1028 1222',
  2018: '0216 0405 0522 0618 0925 1017 1222',
  2019: '0205 0405 0512 0607 0914 1007 1222',
  2020: '0125 0404 0430 0625 1002 1025 1221',
  2021: '0212 0404 0519 0614 0922 1014 1221',
  2022: '0201 0405 0508 0603 0911 1004 1222',
  2023: '0122 0405 0526 0622 0930 1023 1222',
  2024: '0210 0404 0515 0610 0918 1011 1221',
  2025: '0129 0404 0505 0531 1007 1029 1221',
  2026: '0217 0405 0524 0619 0926 1018 1222',
  2027: '0206 0405 0513 0609 0916 1008 1222',
  2028: '0126 0404 0502 0528 1004 1026 1221',
  2029: '0213 0404 0520 0616 0923 1016 1221',
  2030: '0203 0405 0509 0605 0913 1005 1222',
  2031: '0123 0405 0528 0624 1002 1024 1222',
  2032: '0211 0404 0516 0612 0920 1012 1221',
  2033: '0131 0404 0506 0601 0909 1001 1221',
  2034: '0219 0405 0525 0620 0928 1020 1222',
  2035: '0208 0405 0515 0610 0917 1009 1222',
  2036: '0128 0404 0503 0530 1005 1027 1221',
  2037: '0215 0404 0522 0618 0925 1017 1221',
  2038: '0204 0405 0511 0607 0914 1007 1222',
  2039: '0124 0405 0430 0527 1003 1026 1222',
  2040: '0212 0404 0518 0614 0921 1014 1221',
};

/** Ordem Executiva 60/2000, item 1: 1 Jan … 25 Dec. */
const MACAU_FIXED = [101, 501, 1001, 1002, 1102, 1208, 1220, 1224, 1225];
/** Código do Trabalho, art. 234.1, without the three days that move with Easter. */
const PORTUGAL_FIXED = [101, 425, 501, 610, 815, 1005, 1101, 1201, 1208, 1225];

const at = (year: number, monthDay: number): number =>
  dayNumber(year, Math.floor(monthDay / 100), monthDay % 100);

/** Public holidays of a year, ascending; [] where they are not known. */
export type Holidays = (year: number) => readonly number[];

/**
 * Macau, Ordem Executiva 60/2000. Days off that make up for a holiday on a weekend are none: it
 * does not make them holidays. Beyond the years of the table nothing is known of the feasts.
 */
export const macauHolidays: Holidays = (year) => {
  const feasts = LUNAR_FEASTS[year];
  if (feasts === undefined) return [];
  const [newYear, ...others] = feasts.split(' ').map((day) => at(year, Number(day))) as [number, ...number[]];
  const sunday = easter(year);
  const fixed = MACAU_FIXED.map((day) => at(year, day));
  // Good Friday and Holy Saturday; the first three days of the Lunar New Year.
  const moving = [sunday - 2, sunday - 1, newYear, newYear + 1, newYear + 2, ...others];
  return [...fixed, ...moving].sort((a, b) => a - b);
};

/**
 * Portugal, Lei 7/2009 as in Lei 8/2016, since 2 April 2016; what a municipality keeps is not in
 * it. Good Friday, Easter Sunday, Corpo de Deus (60 days after Easter).
 */
export const portugalHolidays: Holidays = (year) => {
  if (year < 2017) return [];
  const sunday = easter(year);
  return [...PORTUGAL_FIXED.map((day) => at(year, day)), sunday - 2, sunday, sunday + 60].sort(
    (a, b) => a - b,
  );
};

/** 1 January 1970 was a Thursday. */
const isWeekend = (day: number): boolean => (((day + 3) % 7) + 7) % 7 >= 5;

/**
 * Whole working days between asking and taking effect, both days themselves apart: no Saturday, no
 * Sunday, no public holiday.
 */
export function workingDaysBetween(requested: number, effective: number, holidays: Holidays): number {
  const between = Math.max(0, effective - requested - 1);
  // Every seven days hold five; the rest is counted, so that a record of the year 1 takes no
  // longer.
  let days = Math.floor(between / 7) * 5;
  for (let day = effective - (between % 7); day < effective; day++) if (!isWeekend(day)) days += 1;
  // No country's holidays are known outside of these years.
  for (let year = 2004; year <= 2200; year++) {
    if (dayNumber(year + 1, 1, 1) <= requested || dayNumber(year, 1, 1) >= effective) continue;
    for (const day of new Set(holidays(year)))
      if (day > requested && day < effective && !isWeekend(day)) days -= 1;
  }
  return days;
}
