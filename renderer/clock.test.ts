import assert from 'node:assert/strict';
import test from 'node:test';
import { flashesAt, formatClock } from './clock.ts';

const at = (hour: number, minute: number): number => Date.UTC(2026, 0, 15, hour, minute);

test('the clock has 12 hours, in the time of the place of the casino', () => {
  assert.equal(formatClock(at(13, 42), 'MOP', 'en'), '9:42 p.m.');
  assert.equal(formatClock(at(13, 42), 'MOP', 'zh-Hant'), '下午 9:42');
  assert.equal(formatClock(at(13, 42), 'EUR', 'pt'), '1:42 p.m.');
});

test('midnight and noon are twelve', () => {
  assert.equal(formatClock(at(16, 0), 'MOP', 'pt'), '12:00 a.m.');
  assert.equal(formatClock(at(4, 5), 'MOP', 'pt'), '12:05 p.m.');
});

test('the clock flashes at every full ten minutes and between them not', () => {
  assert.equal(flashesAt(at(9, 10)), true);
  assert.equal(flashesAt(at(9, 10) + 9_000), false);
  assert.equal(flashesAt(at(9, 11)), false);
});
