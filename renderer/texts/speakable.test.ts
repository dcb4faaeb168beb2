import assert from 'node:assert/strict';
import { test } from 'node:test';
import { amountAloud } from './amount-in-words.ts';
import { sentences, speakable } from './speakable.ts';

test('amounts are said in words, in the currency of the table', () => {
  assert.equal(speakable('costs 1,500.00', 'MOP', 'en'), 'costs one thousand five hundred patacas');
  assert.equal(
    speakable('custa 1\u00a0500,50', 'MOP', 'pt'),
    'custa mil e quinhentas patacas e cinquenta avos',
  );
  assert.equal(speakable('付 1,510.00', 'MOP', 'zh-Hant'), '付 一千五百一十澳門元');
  assert.equal(speakable('Balance 20.00 MOP', 'MOP', 'en'), 'Balance twenty patacas');
  assert.equal(
    speakable('Saldo 57\u00a0312,50\u00a0€', 'EUR', 'pt'),
    `Saldo ${amountAloud(5_731_250, 'EUR', 'pt')}`,
  );
  assert.equal(speakable('€3.00', 'EUR', 'en'), 'three euros');
  assert.equal(amountAloud(1_050, 'HKD', 'zh-Hant'), '十港元五角');
  assert.equal(amountAloud(2_005, 'MOP', 'zh-Hant'), '二十澳門元零五分');
});

test('odds, soft totals, ranges and signs are said as they are read out', () => {
  assert.equal(speakable('pays 11:1', 'MOP', 'en'), 'pays 11 to 1');
  assert.equal(speakable('Tie 5:1+', 'MOP', 'en'), 'Tie 5 to 1 or more');
  assert.equal(speakable('With 7/17, your decision?', 'MOP', 'en'), 'With 7 or 17, your decision?');
  assert.equal(
    speakable('100.00 – 10,000.00', 'MOP', 'en'),
    'one hundred patacas up to ten thousand patacas',
  );
  assert.equal(speakable('5 cards: ½', 'MOP', 'en'), '5 cards: half');
  assert.equal(speakable('−600.00', 'MOP', 'en'), 'minus six hundred patacas');
  assert.equal(speakable('«Soft» 17', 'MOP', 'pt'), 'Soft 17');
  assert.equal(speakable('莊家 17 點，賠 3:2', 'MOP', 'zh-Hant'), '莊家 十七 點，賠 二 賠 三');
  assert.equal(speakable('Takes 100 · 5K', 'MOP', 'en'), 'Takes 100, 5000');
});

test('what a synthesiser gets is one plain line that the host takes', () => {
  assert.equal(speakable('a\u0007\n b\u200e', 'MOP', 'en'), 'a b');
  assert.equal(speakable('x'.repeat(2_000), 'MOP', 'en').length, 800);
  assert.equal(sentences(['One', null, 'Two?', ''], 'en'), 'One. Two?');
  assert.equal(sentences(['一', '二？'], 'zh-Hant'), '一。二？');
});
