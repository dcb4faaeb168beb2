import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { chineseNumber, citationsText } from '../books.ts';
import type { Language } from '../table/inputs.ts';
import type { RulebookId } from '../table/profile.ts';

function cite(language: Language, rulebook: RulebookId, ...cites: string[]): string {
  const url = new URL(`../../locales/${language}/table.json`, import.meta.url);
  const { article } = JSON.parse(readFileSync(url, 'utf8')) as { article: Record<string, string> };
  return citationsText(cites, rulebook, language, (word, n) => article[word]!.replace('{{n}}', n));
}

test('a rule of Portugal, its item and its preamble', () => {
  assert.equal(cite('zh-Hant', 'portugal-blackjack', 'r.6.a'), '規則第6條a項');
  assert.equal(cite('pt', 'portugal-blackjack', 'r.6.a', 'r.21'), 'regra 6, alínea a); regra 21');
  assert.equal(cite('en', 'portugal-blackjack', 'r.50.b'), 'Rule 50(b)');
  assert.equal(cite('pt', 'portugal-blackjack', 'pre.36'), 'preâmbulo (regra 36)');
});

test('parts of Bacará whose articles are not known, and a later order', () => {
  assert.equal(cite('en', 'macau-baccarat', 'drawing', 'art.18.2'), 'drawing table; Article 18(2)');
  assert.equal(cite('pt', 'macau-baccarat', '2018.art.17.5'), 'alteração de 2018, artigo 17.º, n.º 5');
  assert.equal(cite('zh-Hant', 'macau-baccarat', 'pairs'), '對子規則');
});

test('Desafio ao Casino: alíneas in art. 1, numbered paragraphs elsewhere', () => {
  assert.equal(cite('pt', 'macau-casino-war', 'art.1.3'), 'artigo 1.º, alínea 3)');
  assert.equal(cite('zh-Hant', 'macau-casino-war', 'art.7.5.1'), '第七條第五款（一）項');
});

test('Chinese numerals 1 to 99', () => {
  assert.deepEqual([1, 9, 10, 11, 19, 20, 21, 40, 99].map(chineseNumber), [
    '一',
    '九',
    '十',
    '十一',
    '十九',
    '二十',
    '二十一',
    '四十',
    '九十九',
  ]);
  assert.equal(chineseNumber(100), '100');
});
