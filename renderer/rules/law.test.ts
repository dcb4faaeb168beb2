import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import type { Language } from '../../engine/table/inputs.ts';
import type { RulebookId } from '../../engine/table/profile.ts';
import { lawOf } from './law.ts';

/** Letters of each text as it was seen, without what only divides them, and their SHA-256. */
const SEEN: readonly (readonly [RulebookId, Language, letters: number, sha256: string])[] = [
  [
    'macau-blackjack-2009',
    'zh-Hant',
    5735,
    '48f255ec5cf010f1a7614a7605ea9a4a69b20c5530c4739dafd7cd7e30680252',
  ],
  ['macau-blackjack-2009', 'pt', 16922, '2836425ae7b0af2e459ab9589f697ceee51aac0c96916709de9454790868b2c4'],
  ['macau-blackjack-2004', 'pt', 11151, '750f09c23336d36fca58d850e0b388d7ce85b391de5b2a3b276ac2207c8270ab'],
  ['portugal-blackjack', 'pt', 14580, '926867e4a2bdf007c8ddaa885adbfa50409f8f07ceb85f528074c7a72df34ae8'],
  ['macau-baccarat', 'pt', 580, '3d345cd5df31524d75c1c294fa07cabeef33d4f9ecec2f2af07c91a4075ab406'],
  ['macau-casino-war', 'pt', 2607, 'f9ac1b225cd2574abbcc60c68ba91f89f72dda9a2a31bda83e2cdd79125ac8aa'],
];

export const lettersOf = (texts: readonly string[]): string => texts.join('').replaceAll(/\s/g, '');

test('J4: the text of each regulation is letter by letter what was seen', () => {
  for (const [rulebook, language, letters, sha256] of SEEN) {
    const law = lawOf(rulebook, language);
    assert.equal(law?.language, language);
    const text = lettersOf(law!.articles.flatMap((article) => article.text));
    assert.equal([...text].length, letters, `${rulebook} ${language}`);
    assert.equal(createHash('sha256').update(text).digest('hex'), sha256, `${rulebook} ${language}`);
  }
});

test('J4: every article has its number; where a text was not seen in a language, the Portuguese one is shown', () => {
  const cites = (rulebook: RulebookId, language: Language): (string | null)[] =>
    lawOf(rulebook, language)!.articles.map(({ cite }) => cite);
  const arts = Array.from({ length: 21 }, (_, i) => `art.${i + 1}`);
  assert.deepEqual(cites('macau-blackjack-2009', 'zh-Hant'), arts);
  assert.deepEqual(cites('macau-blackjack-2009', 'pt'), arts);
  assert.deepEqual(
    cites('portugal-blackjack', 'zh-Hant'),
    Array.from({ length: 61 }, (_, i) => `r.${i + 1}`),
  );
  assert.equal(lawOf('macau-casino-war', 'en')?.language, 'pt');
});
