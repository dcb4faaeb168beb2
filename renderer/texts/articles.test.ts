import assert from 'node:assert/strict';
import test from 'node:test';
import { formatArticle, formatArticles } from './articles.ts';

const MACAU = 'macau-blackjack-2009';

test('an article is written as each language prints it', () => {
  assert.equal(formatArticle('art.10.2', MACAU, 'zh-Hant'), '第十條第二款');
  assert.equal(formatArticle('art.10.2', MACAU, 'pt'), 'artigo 10.º, n.º 2');
  assert.equal(formatArticle('art.10.2', MACAU, 'en'), 'Article 10(2)');
  assert.equal(formatArticle('art.9', MACAU, 'zh-Hant'), '第九條');
});

test('57/2009 arts. 1, 6 and 13 have alíneas at the first level, the others numbered paragraphs', () => {
  assert.equal(formatArticle('art.6.1', MACAU, 'zh-Hant'), '第六條（一）項');
  assert.equal(formatArticle('art.6.4.2', MACAU, 'pt'), 'artigo 6.º, alínea 4), subalínea (2)');
  assert.equal(formatArticle('art.13.5.2.i', MACAU, 'pt'), 'artigo 13.º, alínea 5), subalínea (2), i)');
  assert.equal(formatArticle('art.5.2.3.4', MACAU, 'zh-Hant'), '第五條第二款（三）項（4）分項');
  assert.equal(formatArticle('art.17.1.2', MACAU, 'zh-Hant'), '第十七條第一款（二）項');
});

test('56/2004 art. 17 has bare alíneas where 57/2009 has paragraphs', () => {
  assert.equal(formatArticle('art.17.1', 'macau-blackjack-2004', 'pt'), 'artigo 17.º, alínea 1)');
  assert.equal(formatArticle('art.17.1', MACAU, 'pt'), 'artigo 17.º, n.º 1');
});

test('what is no citation is shown as it came', () => {
  for (const text of ['', 'rule 7', 'art.', 'art.x', 'art.1.2,3']) {
    assert.equal(formatArticle(text, MACAU, 'pt'), text);
  }
});

test('several articles are joined as the language does', () => {
  assert.equal(formatArticles(['art.9', 'art.7.2'], MACAU, 'zh-Hant'), '第九條、第七條第二款');
  assert.equal(formatArticles(['art.9', 'art.7.2'], MACAU, 'en'), 'Article 9; Article 7(2)');
});
