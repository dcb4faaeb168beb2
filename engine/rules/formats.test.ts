import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { LANGUAGES } from '../table/inputs.ts';
import {
  formatDay,
  formatInteger,
  formatMinute,
  formatMoment,
  formatMoney,
  formatNumber,
  formatPercent,
  formatShort,
  formatSigned,
  formatWhole,
  LOCALE,
  withCurrency,
} from './formats.ts';

/** 26 November 2026, 20:14:07 in Lisbon, which is 04:14:07 of the next day in Macau. */
const EVENING_MS = Date.UTC(2026, 10, 26, 20, 14, 7);
/** A space that no line breaks at. */
const plain = (text: string): string => text.replaceAll('\u00a0', ' ');

test("Portugal's formats: spaces between thousands, a comma, the euro behind, 24 hours", () => {
  assert.equal(plain(withCurrency(formatMoney(5_731_250, 'pt'), 'EUR', 'pt')), '57 312,50 €');
  assert.equal(plain(withCurrency(formatShort(100_000, 'pt'), 'EUR', 'pt')), '1 000 €');
  assert.deepEqual(
    [-100_500, 0, 100_500].map((amountMinor) => plain(formatSigned(amountMinor, 'pt'))),
    ['−1 005,00', '0,00', '+1 005,00'],
  );
  assert.equal(formatMinute(EVENING_MS, 'EUR'), '20:14');
  assert.equal(formatMoment(EVENING_MS, 'EUR', 'pt'), '26/11/2026, 20:14:07');
  assert.equal(formatDay(EVENING_MS, 'EUR', 'pt'), '26/11');
});

test("Macau's formats: in Chinese and English 2,450.00, in Portuguese as in Portugal, the pataca in front", () => {
  for (const language of ['zh-Hant', 'en'] as const)
    assert.equal(withCurrency(formatMoney(245_000, language), 'MOP', language), 'MOP 2,450.00');
  assert.equal(plain(withCurrency(formatMoney(245_000, 'pt'), 'MOP', 'pt')), 'MOP 2 450,00');
  assert.equal(formatMoment(EVENING_MS, 'MOP', 'zh-Hant'), '2026/11/27 04:14:07');
  assert.equal(formatMoment(EVENING_MS, 'MOP', 'en'), '27/11/2026, 04:14:07');
});

test('in Portugal, Chinese and English put the euro sign first', () => {
  for (const language of ['zh-Hant', 'en'] as const)
    assert.equal(withCurrency(formatMoney(5_731_250, language), 'EUR', language), '€57,312.50');
});

test('numbers are grouped from the first thousand on, parts of a hundred have one decimal at most', () => {
  assert.equal(plain(formatInteger(1_000, 'pt')), '1 000');
  assert.equal(formatInteger(-1_234_567, 'en'), '-1,234,567');
  assert.equal(plain(formatNumber(1_000.5, 'pt', 0, 1)), '1 000,5');
  assert.equal(formatNumber(0.42, 'en', 2), '0.42');
  assert.equal(formatPercent(0.125, 'pt'), '12,5%');
  assert.equal(formatPercent(0.5, 'zh-Hant'), '50%');
});

test('amounts are written as Intl writes them', () => {
  for (const language of LANGUAGES) {
    const as = (digits: number): Intl.NumberFormat =>
      new Intl.NumberFormat(LOCALE[language], {
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
        useGrouping: 'always',
      });
    const [whole, exact] = [as(0), as(2)];
    const check = (amountMinor: number): void => {
      assert.equal(formatMoney(amountMinor, language), exact.format(amountMinor / 100));
      const round = amountMinor - (amountMinor % 100);
      assert.equal(formatWhole(round, language), whole.format(round / 100));
    };
    // -0 is no amount
    fc.assert(fc.property(fc.integer({ min: 100, max: 1e14 }), check));
    fc.assert(fc.property(fc.integer({ min: -1e14, max: -100 }), check));
    for (let amountMinor = 0; amountMinor <= 200_000; amountMinor += 7) check(amountMinor);
    const euros = new Intl.NumberFormat(LOCALE[language], {
      style: 'currency',
      currency: 'EUR',
      useGrouping: 'always',
    });
    for (const amountMinor of [0, 50, 99_999, 123_456, 5_731_250])
      assert.equal(
        withCurrency(formatMoney(amountMinor, language), 'EUR', language),
        euros.format(amountMinor / 100),
      );
  }
});
