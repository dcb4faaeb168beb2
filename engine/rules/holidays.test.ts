import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lunarDay, termDay } from '../../test/kits/lunar-calendar.ts';
import {
  easter,
  LUNAR_FEASTS,
  macauHolidays,
  parseDay,
  portugalHolidays,
  workingDaysBetween,
} from '../books.ts';

const iso = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10);
const days = (from: string, to: string, of = macauHolidays): number =>
  workingDaysBetween(parseDay(from)!, parseDay(to)!, of);

test('Easter Sunday, its border days among them', () => {
  const known = ['1818-03-22', '1943-04-25', '2000-04-23', '2008-03-23', '2024-03-31', '2025-04-20'];
  for (const day of [...known, '2026-04-05', '2027-03-28', '2038-04-25'])
    assert.equal(iso(easter(Number(day.slice(0, 4)))), day);
});

test('every feast of the table is where moons and sun have it', () => {
  for (const [key, feasts] of Object.entries(LUNAR_FEASTS)) {
    const year = Number(key);
    const reckoned = [
      lunarDay(year, 1, 1),
      termDay(year, 4, 2, 15),
      lunarDay(year, 4, 8),
      lunarDay(year, 5, 5),
      lunarDay(year, 8, 16),
      lunarDay(year, 9, 9),
      termDay(year, 12, 18, 270),
    ];
    assert.equal(feasts, reckoned.map((day) => iso(day).slice(5).replace('-', '')).join(' '), key);
  }
});

test('Macau: the twenty days of Ordem Executiva 60/2000 in 2026, and 2025 and 2027 as they were published', () => {
  assert.deepEqual(
    macauHolidays(2026).map((day) => iso(day).slice(5)),
    [
      '01-01',
      '02-17',
      '02-18',
      '02-19',
      '04-03',
      '04-04',
      '04-05',
      '05-01',
      '05-24',
      '06-19',
      '09-26',
      '10-01',
      '10-02',
      '10-18',
      '11-02',
      '12-08',
      '12-20',
      '12-22',
      '12-24',
      '12-25',
    ],
  );
  const has = (year: number, ...list: string[]): void => {
    const holidays = macauHolidays(year).map((day) => iso(day).slice(5));
    assert.deepEqual(
      list.filter((day) => !holidays.includes(day)),
      [],
      String(year),
    );
    assert.equal(holidays.length, 20);
  };
  has(
    2025,
    '01-29',
    '01-30',
    '01-31',
    '04-04',
    '04-18',
    '04-19',
    '05-05',
    '05-31',
    '10-07',
    '10-29',
    '12-21',
  );
  has(
    2027,
    '02-06',
    '02-07',
    '02-08',
    '04-05',
    '03-26',
    '03-27',
    '05-13',
    '06-09',
    '09-16',
    '10-08',
    '12-22',
  );
});

test('Portugal: thirteen days, three of which move with Easter', () => {
  const of2026 = portugalHolidays(2026).map((day) => iso(day).slice(5));
  assert.deepEqual(of2026, [
    '01-01',
    '04-03',
    '04-05',
    '04-25',
    '05-01',
    '06-04',
    '06-10',
    '08-15',
    '10-05',
    '11-01',
    '12-01',
    '12-08',
    '12-25',
  ]);
  assert.ok(portugalHolidays(2027).map(iso).includes('2027-05-27'), 'Corpo de Deus');
  assert.deepEqual(portugalHolidays(2016), [], 'the law of before 2 April 2016 was another');
  assert.equal(portugalHolidays(2017).length, 13);
});

test('working days: weekends and holidays are none, and a holiday on a weekend counts once', () => {
  assert.equal(days('2026-11-19', '2026-11-25'), 3, 'Thursday to Wednesday: Friday, Monday, Tuesday');
  assert.equal(days('2026-11-20', '2026-11-23'), 0, 'Friday to Monday');
  assert.equal(days('2026-02-16', '2026-02-20'), 0, 'three days of the Lunar New Year');
  assert.equal(days('2026-09-30', '2026-10-06'), 1, '1 and 2 October, a weekend, and Monday');
  assert.equal(days('2020-09-30', '2020-10-06'), 1, '2 October 2020 was also the day after Chong Chao');
  assert.equal(days('2026-12-23', '2026-12-30'), 2, '24 and 25 December and a weekend');
  assert.equal(days('2026-05-22', '2026-05-26'), 1, 'Buddha is on a Sunday; the Monday is no holiday');
  assert.equal(days('2026-06-09', '2026-06-12', portugalHolidays), 1);
  assert.equal(days('2025-12-29', '2026-01-05'), 3, 'over the turn of the year: 30, 31 and 2');
  assert.equal(days('2026-10-01', '2026-10-06'), 1, 'asked for on a holiday');
  assert.equal(days('2026-09-28', '2026-10-01'), 2, 'takes effect on one');
  assert.equal(days('2041-09-30', '2041-10-04'), 3, 'no feast after 2040 is known');
  assert.equal(days('2200-04-29', '2200-05-02', portugalHolidays), 1, '1 May 2200 is a Thursday');
});

test('a record of long ago, and of before there is a table, is counted at once', () => {
  assert.equal(days('1969-12-01', '1969-12-31'), 21);
  assert.ok(days('1601-01-01', '2026-01-01') > 100_000);
  assert.equal(days('2026-01-05', '2026-01-05'), 0);
  assert.equal(days('2026-01-06', '2026-01-05'), 0);
});
