import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { amountInWords } from './amount-in-words.ts';

/** minor units · Chinese · Portuguese · English */
const PATACAS: readonly (readonly [number, string, string, string])[] = [
  [100, '澳門元壹元正', 'uma pataca', 'one pataca'],
  [5, '澳門元零元零伍分', 'cinco avos', 'five avos'],
  [1_050, '澳門元壹拾元伍角正', 'dez patacas e cinquenta avos', 'ten patacas and fifty avos'],
  [10_000, '澳門元壹佰元正', 'cem patacas', 'one hundred patacas'],
  [
    10_101,
    '澳門元壹佰零壹元零壹分',
    'cento e uma patacas e um avo',
    'one hundred and one patacas and one avo',
  ],
  [
    1_248_025,
    '澳門元壹萬貳仟肆佰捌拾元貳角伍分',
    'doze mil quatrocentas e oitenta patacas e vinte e cinco avos',
    'twelve thousand four hundred and eighty patacas and twenty-five avos',
  ],
  [120_000, '澳門元壹仟貳佰元正', 'mil e duzentas patacas', 'one thousand two hundred patacas'],
  [1_000_500, '澳門元壹萬零伍元正', 'dez mil e cinco patacas', 'ten thousand and five patacas'],
  [200_000_000, '澳門元貳佰萬元正', 'dois milhões de patacas', 'two million patacas'],
  [
    100_150_000,
    '澳門元壹佰萬零壹仟伍佰元正',
    'um milhão mil e quinhentas patacas',
    'one million one thousand five hundred patacas',
  ],
];

test('an amount in words as it stands on a receipt, in each language', () => {
  for (const [minor, zh, pt, en] of PATACAS) {
    assert.equal(amountInWords(minor, 'MOP', 'zh-Hant'), zh);
    assert.equal(amountInWords(minor, 'MOP', 'pt'), pt);
    assert.equal(amountInWords(minor, 'MOP', 'en'), en);
  }
  assert.equal(amountInWords(220_001, 'EUR', 'pt'), 'dois mil e duzentos euros e um cêntimo');
  assert.equal(amountInWords(2_100, 'HKD', 'pt'), 'vinte e um dólares de Hong Kong');
  assert.equal(amountInWords(100, 'HKD', 'en'), 'one Hong Kong dollar');
});

test('two amounts never read alike', () => {
  const amount = fc.oneof(
    fc.integer({ min: 1, max: 20_000_000 }),
    fc.maxSafeNat().filter((n) => n > 0),
  );
  fc.assert(
    fc.property(amount, amount, (a, b) => {
      for (const language of ['zh-Hant', 'pt', 'en'] as const) {
        const [first, second] = [amountInWords(a, 'MOP', language), amountInWords(b, 'MOP', language)];
        assert.equal(first === second, a === b, `${a} and ${b}: ${first}`);
        assert.doesNotMatch(first, /undefined| {2}/);
      }
    }),
    { seed: 607, numRuns: 2_000 },
  );
});
