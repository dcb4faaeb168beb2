import assert from 'node:assert/strict';
import test from 'node:test';
import { flashesAt, formatClock, formatMoment, momentOfText, momentOrder, textOfMoment } from './clock.ts';

const at = (hour: number, minute: number): number => Date.UTC(2026, 0, 15, hour, minute);

test('the clock has 12 hours in every language, in Portuguese 24 in Portugal alone, in the time of the place of the casino', () => {
  assert.equal(formatClock(at(13, 42), 'MOP', 'en'), '9:42 p.m.');
  assert.equal(formatClock(at(13, 42), 'MOP', 'zh-Hant'), '下午 9:42');
  assert.equal(formatClock(at(13, 42), 'MOP', 'pt'), '9:42 p.m.');
  assert.equal(formatClock(at(13, 42), 'HKD', 'pt'), '9:42 p.m.');
  assert.equal(formatClock(at(13, 42), 'EUR', 'pt'), '13:42');
  assert.equal(formatClock(at(13, 42), 'EUR', 'en'), '1:42 p.m.');
});

test('a moment has the order of its language and 24 hours: the day before the month, in Chinese the year first', () => {
  assert.equal(formatMoment(at(13, 42), 'MOP', 'en'), '15/01/2026, 21:42:00');
  assert.equal(formatMoment(at(13, 42), 'MOP', 'pt'), '15/01/2026, 21:42:00');
  assert.equal(formatMoment(at(13, 42), 'MOP', 'zh-Hant'), '2026/01/15 21:42:00');
  assert.equal(formatMoment(at(16, 0), 'MOP', 'pt'), '16/01/2026, 00:00:00');
  const order = (language: Parameters<typeof momentOrder>[0]): string[] =>
    momentOrder(language).flatMap(({ type }) => (type === 'literal' ? [] : [type]));
  const time = ['hour', 'minute', 'second'];
  assert.deepEqual(order('zh-Hant'), ['year', 'month', 'day', ...time]);
  for (const language of ['pt', 'en'] as const)
    assert.deepEqual(order(language), ['day', 'month', 'year', ...time]);
});

test('midnight and noon are twelve', () => {
  assert.equal(formatClock(at(16, 0), 'MOP', 'en'), '12:00 a.m.');
  assert.equal(formatClock(at(4, 5), 'MOP', 'en'), '12:05 p.m.');
  assert.equal(formatClock(at(16, 0), 'MOP', 'pt'), '12:00 a.m.');
  assert.equal(formatClock(at(0, 0), 'EUR', 'pt'), '00:00');
  assert.equal(formatClock(at(12, 5), 'EUR', 'pt'), '12:05');
});

test('the clock flashes at every full ten minutes and between them not', () => {
  assert.equal(flashesAt(at(9, 10)), true);
  assert.equal(flashesAt(at(9, 10) + 9_000), false);
  assert.equal(flashesAt(at(9, 11)), false);
});

test('a time typed in is one of the place of the casino', () => {
  assert.equal(momentOfText('2026-05-01T18:30', 'MOP'), Date.UTC(2026, 4, 1, 10, 30));
  assert.equal(momentOfText('2026-05-01T18:30:07', 'EUR'), Date.UTC(2026, 4, 1, 17, 30, 7));
  assert.equal(momentOfText('2026-01-01T18:30', 'EUR'), Date.UTC(2026, 0, 1, 18, 30));
  for (const nothing of ['', 'yesterday', '2026-13-01T10:00'])
    assert.equal(momentOfText(nothing, 'MOP'), null);
  assert.equal(textOfMoment(Date.UTC(2026, 4, 1, 16, 30, 7), 'MOP'), '2026-05-02T00:30:07');
});

test('summer time: on both sides of its change, and the first of the hour that comes twice', () => {
  assert.equal(momentOfText('2026-03-29T00:59', 'EUR'), Date.UTC(2026, 2, 29, 0, 59));
  assert.equal(momentOfText('2026-03-29T02:01', 'EUR'), Date.UTC(2026, 2, 29, 1, 1));
  assert.equal(momentOfText('2026-10-25T00:30', 'EUR'), Date.UTC(2026, 9, 24, 23, 30));
  assert.equal(momentOfText('2026-10-25T01:30', 'EUR'), Date.UTC(2026, 9, 25, 0, 30));
  assert.equal(momentOfText('2026-10-25T02:30', 'EUR'), Date.UTC(2026, 9, 25, 2, 30));
});
