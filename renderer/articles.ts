import type { Language } from '../engine/table/inputs.ts';
import type { RulebookId } from '../engine/table/profile.ts';
import { type TableText, tableText } from './i18n.ts';

/**
 * Articles whose first level is an alínea (項) and not a numbered paragraph (n.º, 款), as printed:
 * 57/2009 has them in arts. 1, 6 and 13; 56/2004 also in 11 and 17.
 */
const ITEM_FIRST: Partial<Record<RulebookId, ReadonlySet<number>>> = {
  'macau-blackjack-2009': new Set([1, 6, 13]),
  'macau-blackjack-2004': new Set([1, 6, 11, 13, 17]),
};

const DIGITS = '零一二三四五六七八九';

/** 1..99 in Chinese numerals as articles are numbered: 10 -> 十, 21 -> 二十一. */
export function chineseNumber(n: number): string {
  if (!Number.isInteger(n) || n < 0 || n > 99) return String(n);
  if (n < 10) return DIGITS[n]!;
  const tens = Math.floor(n / 10);
  const ones = n % 10;
  return `${tens === 1 ? '' : DIGITS[tens]}十${ones === 0 ? '' : DIGITS[ones]}`;
}

type Level = 'number' | 'item' | 'subitem' | 'roman';

function levelText(level: Level, n: string, t: TableText): string {
  switch (level) {
    case 'number':
      return t('article.number', { n });
    case 'item':
      return t('article.item', { n });
    case 'subitem':
      return t('article.subitem', { n });
    case 'roman':
      return t('article.roman', { n });
  }
}

/**
 * 'art.10.2' -> «第十條第二款», «artigo 10.º, n.º 2», 'Article 10(2)'. The path is positional (article, paragraph,
 * alínea, subalínea, roman); what is not of that form is shown as it came.
 */
export function formatArticle(cite: string, rulebook: RulebookId, language: Language): string {
  const parts = /^art\.(\d+)((?:\.(?:\d+|[ivx]+))*)$/.exec(cite);
  if (!parts) return cite;
  const t = tableText(language);
  const article = Number(parts[1]);
  const rest = (parts[2] ?? '').split('.').filter((part) => part !== '');
  const levels: Level[] = ITEM_FIRST[rulebook]?.has(article)
    ? ['item', 'subitem', 'roman']
    : ['number', 'item', 'subitem', 'roman'];
  const chinese = language === 'zh-Hant';
  const words: string[] = [t('article.article', { n: chinese ? chineseNumber(article) : String(article) })];
  rest.forEach((part, index) => {
    const roman = !/^\d+$/.test(part);
    const level = roman ? 'roman' : (levels[index] ?? 'subitem');
    // Only articles, paragraphs and alíneas are numbered in Chinese; （1）分項 and i） are printed in figures.
    const inWords = chinese && !roman && (level === 'number' || level === 'item');
    words.push(levelText(level, inWords ? chineseNumber(Number(part)) : part, t));
  });
  return words.join(language === 'pt' ? ', ' : '');
}

export const formatArticles = (cites: readonly string[], rulebook: RulebookId, language: Language): string =>
  cites.map((cite) => formatArticle(cite, rulebook, language)).join(language === 'zh-Hant' ? '、' : '; ');
