/**
 * Every text of the locales beside locales/glossary.json: one word for one thing in each language
 * and home.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { strays, TERMS, textsAt, wordsOf } from '../../test/kits/glossary.ts';

const HOMES = ['macau', 'portugal'] as const;

test('every text keeps to the glossary of its home', () => {
  const found = HOMES.flatMap((home) => strays(home, (language) => textsAt(home, language)));
  assert.deepEqual(found, []);
});

test('a planted word of the other home, and a mixed one, are found', () => {
  const planted: readonly (readonly ['macau' | 'portugal', 'zh-Hant' | 'pt' | 'en', string, string])[] = [
    ['macau', 'zh-Hant', 'table:act.split', '分牌'],
    ['macau', 'zh-Hant', 'table:hold.safe', '你的投注已保存。'],
    ['macau', 'pt', 'table:act.stand', 'Ficar'],
    ['macau', 'pt', 'table:step.load-shoe', 'Coloque as cartas no sabot'],
    ['portugal', 'pt', 'table:act.double', 'Dobrar'],
    ['portugal', 'pt', 'table:closed.hit', 'Com ases separados não se pede mais cartas.'],
    ['portugal', 'pt', 'service:role.dealer', 'Croupier'],
    ['portugal', 'zh-Hant', 'table:act.double', '加倍'],
    ['macau', 'en', 'rules:blackjack.sideNone', 'This table has no extra bets.'],
    ['macau', 'pt', 'service:noteTable.said', 'A unidade diz'],
    ['portugal', 'pt', 'service:reason.notThere', 'O aparelho não está presente'],
    ['macau', 'pt', 'map:said', 'O que a máquina disse'],
    ['macau', 'en', 'service:noteTable.said', 'The unit says'],
  ];
  for (const [home, language, key, text] of planted) {
    const texts = (other: typeof language): ReadonlyMap<string, string> =>
      other === language ? new Map([...textsAt(home, other), [key, text]]) : textsAt(home, other);
    assert.ok(textsAt(home, language).has(key), `${home} has ${key}`);
    const found = strays(home, texts);
    assert.ok(
      found.some((each) => each.startsWith(`${home} ${language} ${key}: `)),
      `${home} ${key} '${text}' is not found`,
    );
  }
});

test('what must have a word is there', () => {
  for (const { id, at } of TERMS) {
    assert.ok(at.length > 0, id);
    for (const key of at)
      assert.ok(
        HOMES.some((home) => textsAt(home, 'pt').has(key)),
        `${id}: ${key}`,
      );
  }
});

test('every term has its source, and its words in all languages', () => {
  for (const home of HOMES) {
    for (const { id, words } of wordsOf(home)) {
      assert.notEqual(words.from.trim(), '', id);
      for (const language of ['zh-Hant', 'pt', 'en'] as const)
        assert.notEqual(words[language].word.trim(), '', `${id} ${language}`);
    }
  }
});
