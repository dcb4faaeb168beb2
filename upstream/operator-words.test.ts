import assert from 'node:assert/strict';
import { test } from 'node:test';
import { html, table } from './html.ts';
import { LOGIN_WORDS } from './login-words.ts';
import { amountText } from './operator.ts';
import { wordsFor } from './operator-words.ts';

const LANGUAGES = ['en', 'pt', 'zh-Hant'] as const;

test('the pages speak the first language of the browser that they know', () => {
  for (const [header, lang] of [
    [undefined, 'en'],
    ['', 'en'],
    ['pt-PT,pt;q=0.9,en;q=0.8', 'pt'],
    ['zh-Hant-MO', 'zh-Hant'],
    ['ZH-tw', 'zh-Hant'],
    ['fr-FR,pt;q=0.5', 'pt'],
    ['fr', 'en'],
    ['entirely, nothing', 'en'],
  ] as const)
    assert.equal(wordsFor(header).lang, lang, String(header));
});

test('every language has a word of its own for everything', () => {
  const [en, ...others] = LANGUAGES.map((language) => wordsFor(language).words);
  for (const words of others) {
    assert.deepEqual(Object.keys(words), Object.keys(en!));
    assert.deepEqual(Object.keys(words.incidents), Object.keys(en!.incidents));
    for (const [name, word] of Object.entries(words)) assert.notEqual(word, '', name);
    for (const [name, word] of Object.entries(words.incidents)) {
      assert.notEqual(word, '', name);
      assert.notEqual(word, en!.incidents[name], name);
    }
  }
});

test('every language has its own sentence for each refusal, act, role and word of the log-in', () => {
  const leaves = (of: object, path = ''): [string, string][] =>
    Object.entries(of).flatMap(([key, value]: [string, unknown]) =>
      typeof value === 'string' ? [[path + key, value]] : leaves(value as object, `${path}${key}.`),
    );
  const texts = LANGUAGES.map((language) => new Map(leaves(LOGIN_WORDS[language])));
  for (const [key, word] of texts[0]!) {
    const others = texts.slice(1).map((each) => each.get(key) ?? '');
    assert.ok(
      others.every((other) => other !== '' && other !== word),
      key,
    );
    for (const each of texts)
      assert.equal(each.get(key)!.includes('{provider}'), word.includes('{provider}'), key);
  }
  assert.deepEqual(new Set(texts.map(({ size }) => size)).size, 1);
});

test('text that somebody puts into a page stays text', () => {
  const evil = `<b onclick="x">'&\u202e`;
  const { text } = html`<p title="${evil}">${evil}${null}${[html`<i>${7}</i>`, '<']}</p>`;
  assert.doesNotMatch(text, /<b|"x"|'|\u202e/);
  assert.match(text, /^<p title="&lt;b onclick=&quot;x&quot;&gt;&#39;&amp;[^"]*">.*–<i>7<\/i>&lt;<\/p>$/);
  const shown = table(['<h>'], [[evil]], 'none').text;
  assert.match(shown, /<th scope="col">&lt;h&gt;<\/th>/);
  assert.doesNotMatch(shown, /<b/);
  assert.equal(table(['h'], [], '<none>').text, '<p class="none">&lt;none&gt;</p>');
});

test('amounts have two decimals, whatever their size and sign', () => {
  for (const [minor, text] of [
    [0, '0.00'],
    [5, '0.05'],
    [-5, '−0.05'],
    [123_456, '1234.56'],
    ['-90071992547409930', '−900719925474099.30'],
  ] as const)
    assert.equal(amountText(minor), text);
});
