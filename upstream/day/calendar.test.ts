import assert from 'node:assert/strict';
import { test } from 'node:test';
import { calendarOf, dayAfter, isDay } from './calendar.ts';

const at = (text: string): number => Date.parse(text);
const text = (ms: number): string => new Date(ms).toISOString().slice(0, 16);

test('a day goes from the hour of closing of its date to that of the next', () => {
  const { boundsOf, dayOf } = calendarOf({ timeZone: 'Asia/Macau', dayBegins: '06:00' });
  const { startMs, endMs } = boundsOf('2026-11-27');
  assert.deepEqual([text(startMs), text(endMs)], ['2026-11-26T22:00', '2026-11-27T22:00']);
  assert.equal(dayOf(startMs - 1), '2026-11-26');
  assert.equal(dayOf(startMs), '2026-11-27');
  assert.equal(dayOf(endMs - 1), '2026-11-27');
  assert.equal(dayOf(endMs), '2026-11-28');
  // Midnight of the wall is in the middle of a day, the new year too.
  assert.equal(dayOf(at('2026-12-31T16:30Z')), '2026-12-31');
  assert.equal(dayOf(at('2027-01-01T21:59Z')), '2027-01-01');
});

test('in Lisbon a day of March has 23 hours and one of October 25', () => {
  const { boundsOf } = calendarOf({ timeZone: 'Europe/Lisbon', dayBegins: '06:00' });
  const hours = (day: string): number => (boundsOf(day).endMs - boundsOf(day).startMs) / 3_600_000;
  assert.deepEqual(['2026-03-27', '2026-03-28', '2026-03-29'].map(hours), [24, 23, 24]);
  assert.deepEqual(['2026-10-23', '2026-10-24', '2026-10-25'].map(hours), [24, 25, 24]);
});

test('an hour that does not exist begins its day with the jump, one that comes twice with the first', () => {
  const { boundsOf, dayOf } = calendarOf({ timeZone: 'Europe/Lisbon', dayBegins: '01:30' });
  // On 29 March 01:00 is 02:00.
  assert.equal(text(boundsOf('2026-03-29').startMs), '2026-03-29T01:00');
  assert.equal(dayOf(at('2026-03-29T00:59:59Z')), '2026-03-28');
  assert.equal(dayOf(at('2026-03-29T01:00Z')), '2026-03-29');
  // On 25 October 02:00 is 01:00 again: 01:30 comes at 00:30 and at 01:30 UTC.
  assert.equal(text(boundsOf('2026-10-25').startMs), '2026-10-25T00:30');
  assert.equal(dayOf(at('2026-10-25T00:29Z')), '2026-10-24');
  assert.equal(dayOf(at('2026-10-25T01:10Z')), '2026-10-25', 'the wall shows 01:10 for the second time');
  // West of Greenwich, and where the clock jumps by half an hour.
  const york = calendarOf({ timeZone: 'America/New_York', dayBegins: '02:30' });
  assert.equal(text(york.boundsOf('2026-03-08').startMs), '2026-03-08T07:00');
  const howe = calendarOf({ timeZone: 'Australia/Lord_Howe', dayBegins: '02:15' });
  assert.equal(text(howe.boundsOf('2026-10-04').startMs), '2026-10-03T15:30');
});

test('days meet without a gap for years, in every zone that is asked', () => {
  for (const timeZone of ['Asia/Macau', 'Europe/Lisbon', 'Atlantic/Azores'])
    for (const dayBegins of ['00:00', '01:30']) {
      const { boundsOf, dayOf } = calendarOf({ timeZone, dayBegins });
      for (let day = '2026-01-01'; day < '2027-03-01'; day = dayAfter(day)) {
        const { startMs, endMs } = boundsOf(day);
        assert.equal(endMs, boundsOf(dayAfter(day)).startMs);
        for (const ms of [startMs, endMs - 1, (startMs + endMs) / 2])
          assert.equal(dayOf(ms), day, `${timeZone} ${day}`);
      }
    }
});

test('what is no date is none, and any time has a day', () => {
  assert.deepEqual(
    ['2026-02-28', '2026-02-29', '2028-02-29', '2026-13-01', '1999-12-31', '2026-1-1', ' 2026-01-01'].map(
      isDay,
    ),
    [true, false, true, false, false, false, false],
  );
  const { dayOf } = calendarOf({ timeZone: 'Asia/Macau', dayBegins: '06:00' });
  for (const ms of [-1e15, 0, 8e15, Number.MAX_SAFE_INTEGER]) assert.ok(isDay(dayOf(ms)), `${ms}`);
});
