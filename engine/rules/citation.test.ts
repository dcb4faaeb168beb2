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
  assert.equal(cite('en', 'portugal-blackjack', 'pre'), 'preamble');
  assert.equal(cite('zh-Hant', 'portugal-blackjack', 'r.6', 'r.21'), '規則第6條、規則第21條');
});

test('parts of Bacará whose articles are not known, and a later order', () => {
  assert.equal(cite('en', 'macau-baccarat', 'drawing', 'art.18.2'), 'drawing table; Article 18(2)');
  assert.equal(cite('pt', 'macau-baccarat', '2018.art.17.5'), 'alteração de 2018, artigo 17.º, n.º 5');
  assert.equal(cite('zh-Hant', 'macau-baccarat', 'pairs', 'tie'), '對子規則、和局規則');
  assert.equal(cite('en', 'macau-baccarat', 'house rule 3'), 'house rule 3', 'as it came');
});

test('57/2009: subalíneas and romans are printed in figures in Chinese too', () => {
  const [sub, roman] = ['art.5.2.3.5', 'art.13.5.2.vi'];
  assert.equal(cite('zh-Hant', 'macau-blackjack-2009', sub), '第五條第二款（三）項（5）分項');
  assert.equal(cite('en', 'macau-blackjack-2009', roman), 'Article 13(5)(2)(vi)');
  assert.equal(cite('pt', 'macau-blackjack-2009', roman), 'artigo 13.º, alínea 5), subalínea (2), vi)');
  assert.equal(cite('zh-Hant', 'macau-blackjack-2009', roman), '第十三條（五）項（2）分項vi）');
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
