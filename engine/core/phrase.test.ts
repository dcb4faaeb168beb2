import assert from 'node:assert/strict';
import { test } from 'node:test';
import en from '../../locales/en/service.json' with { type: 'json' };
import pt from '../../locales/pt/service.json' with { type: 'json' };
import zh from '../../locales/zh-Hant/service.json' with { type: 'json' };
import { PHRASE_WORDS, phraseOf } from './phrase.ts';

test('I3 eight words tell 48 bits of a hash, and each bit changes one of them', () => {
  const hex = '0123456789ab';
  assert.deepEqual(phraseOf(`${hex}ffff`), [0, 18, 13, 5, 25, 56, 38, 43]);
  const before = phraseOf(hex);
  for (let bit = 0; bit < 48; bit += 1) {
    const flipped = (BigInt(`0x${hex}`) ^ (1n << BigInt(bit))).toString(16).padStart(12, '0');
    assert.equal(phraseOf(flipped).filter((word, i) => word !== before[i]).length, 1);
  }
});

test('every language has a word of its own for each number', () => {
  for (const { phrase } of [en, pt, zh]) {
    const words = Array.from({ length: PHRASE_WORDS }, (_, i) => phrase[String(i) as keyof typeof phrase]);
    assert.equal(new Set(words).size, PHRASE_WORDS);
    assert.ok(words.every((word) => word.length > 0));
  }
});
