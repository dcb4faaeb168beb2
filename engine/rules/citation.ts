import type { Language } from '../table/inputs.ts';
import type { RulebookId } from '../table/profile.ts';
import { rulebookOf } from './rulebook.ts';

const DIGITS = '零一二三四五六七八九';

/** 1..99 in Chinese numerals as articles are numbered: 10 -> 十, 21 -> 二十一. */
export function chineseNumber(n: number): string {
  if (n > 99) return String(n);
  if (n < 10) return DIGITS[n]!;
  const tens = Math.floor(n / 10);
  const ones = n % 10;
  return `${tens === 1 ? '' : DIGITS[tens]}十${ones === 0 ? '' : DIGITS[ones]}`;
}

/**
 * The words a citation is made of; each is a text with `n` in it, or without for the parts that
 * have no number.
 */
export type CiteWord =
  | 'article'
  | 'number'
  | 'item'
  | 'subitem'
  | 'roman'
  | 'rule'
  | 'letter'
  | 'preamble'
  | 'preambleOf'
  | 'order'
  | 'drawing'
  | 'tie'
  | 'pairs';
export type SayCite = (word: CiteWord, n: string) => string;

type Level = 'number' | 'item' | 'subitem' | 'roman';
const FROM_NUMBER: readonly Level[] = ['number', 'item', 'subitem', 'roman'];
const FROM_ITEM: readonly Level[] = ['item', 'subitem', 'roman'];

/**
 * 'art.10.2' -> «第十條第二款», «artigo 10.º, n.º 2», 'Article 10(2)'; 'r.6.a' is a rule of Portugal,
 * 'pre.36' what the preamble says of it, 'drawing' and 'tie' parts of Bacará whose articles are not
 * known. 'pairs' and '2018.art.13', another order of the year, stand in earlier ledgers. The path
 * is positional (article, paragraph, alínea, subalínea, roman); what is not of these forms is shown
 * as it came.
 */
export function citationText(cite: string, rulebook: RulebookId, language: Language, say: SayCite): string {
  const chinese = language === 'zh-Hant';
  const join = (words: readonly string[]): string => words.join(language === 'pt' ? ', ' : '');
  if (cite === 'drawing' || cite === 'tie' || cite === 'pairs') return say(cite, '');
  if (cite === 'pre') return say('preamble', '');
  const rule = /^(r|pre)\.(\d+)(?:\.([a-z]))?$/.exec(cite);
  if (rule) {
    const number = say(rule[1] === 'r' ? 'rule' : 'preambleOf', rule[2]!);
    return rule[3] === undefined ? number : join([number, say('letter', rule[3])]);
  }
  const parts = /^(?:(\d{4})\.)?art\.(\d+)((?:\.(?:\d+|[ivx]+))*)$/.exec(cite);
  if (!parts) return cite;
  const article = Number(parts[2]);
  const rest = (parts[3] ?? '').split('.').filter((part) => part !== '');
  const levels = rulebookOf(rulebook)?.itemFirst?.includes(article) ? FROM_ITEM : FROM_NUMBER;
  const words: string[] = parts[1] === undefined ? [] : [say('order', parts[1])];
  words.push(say('article', chinese ? chineseNumber(article) : String(article)));
  rest.forEach((part, index) => {
    const level = levels[index] ?? 'subitem';
    // Only articles, paragraphs and alíneas are numbered in Chinese; （1）分項 and i） are printed in
    // figures.
    const inWords = chinese && (level === 'number' || level === 'item');
    words.push(say(level, inWords ? chineseNumber(Number(part)) : part));
  });
  return join(words);
}

/** Several citations, joined as the language does. */
export const citationsText = (
  cites: readonly string[],
  rulebook: RulebookId,
  language: Language,
  say: SayCite,
): string =>
  cites.map((cite) => citationText(cite, rulebook, language, say)).join(language === 'zh-Hant' ? '、' : '; ');
