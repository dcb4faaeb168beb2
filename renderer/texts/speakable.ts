import { type Currency, minorOfUnits } from '../../engine/core/money.ts';
import type { Language } from '../../engine/table/inputs.ts';
import { amountAloud, chineseNumberAloud } from './amount-in-words.ts';
import { tableText } from './i18n.ts';

/** What the host takes at once. */
const MOST_CHARACTERS = 800;

const NAMES = 'MOP|HKD|EUR|€';
/** Figures in groups: '1,500', in Portuguese '1 500' with a space that does not break. */
const WHOLE: Readonly<Record<Language, string>> = {
  'zh-Hant': String.raw`\d{1,3}(?:,\d{3})+|\d+`,
  pt: String.raw`\d{1,3}(?:\u00a0\d{3})+|\d+`,
  en: String.raw`\d{1,3}(?:,\d{3})+|\d+`,
};
const POINT: Readonly<Record<Language, string>> = { 'zh-Hant': String.raw`\.`, pt: ',', en: String.raw`\.` };

const digits = (text: string): number => Number(text.replaceAll(/\D/g, ''));

/**
 * What stands on a panel as a synthesiser can say it: amounts in words, odds, signs and fractions
 * as they are read out.
 */
export function speakable(text: string, currency: Currency, language: Language): string {
  const t = tableText(language);
  const [whole, point] = [WHOLE[language], POINT[language]];
  const money = new RegExp(
    String.raw`(?:(?:${NAMES})\s?)?(?<![\d.,])(${whole})${point}(\d\d)(?![\d%])(?:\s?(?:${NAMES}))?`,
    'g',
  );
  const said = text
    .replaceAll(money, (_, units: string, parts: string) =>
      amountAloud(minorOfUnits(digits(units)) + Number(parts), currency, language),
    )
    .replaceAll(new RegExp(`(${whole})(?:\\s?(?:${NAMES}))`, 'g'), (_, units: string) =>
      amountAloud(minorOfUnits(digits(units)), currency, language),
    )
    // '5:1+', '3/2'; a soft hand is '7/17'
    .replaceAll(/(\d+(?:[.,]\d+)?)[:/](\d+)(\+)?/g, (_, a: string, b: string, more?: string) =>
      Number(b) - Number(a) === 10
        ? t('speech.either', { a, b })
        : t(more ? 'speech.oddsOrMore' : 'speech.odds', { a, b }),
    )
    .replaceAll(/(\d+)K\b/g, '$1000')
    .replaceAll(new RegExp(whole, 'g'), (figures) => String(digits(figures)))
    .replaceAll(/[–—]/g, t('speech.upTo'))
    .replaceAll('½', t('speech.half'))
    .replaceAll('¾', t('speech.threeQuarters'))
    .replaceAll('−', ` ${t('speech.minus')} `)
    .replaceAll('×', ` ${t('speech.times')} `)
    .replaceAll('=', ` ${t('speech.makes')} `)
    .replaceAll('·', ',')
    .replaceAll(/[+«»“”"()（）[\]<>|…]/g, ' ');
  const counted =
    language === 'zh-Hant'
      ? said.replaceAll(/\d+(?![\d.])/g, (figures) => chineseNumberAloud(Number(figures)))
      : said;
  return counted
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ([,.?!;:，。？！])/g, '$1')
    .trim()
    .slice(0, MOST_CHARACTERS);
}

/** Sentences one after the other. */
export const sentences = (parts: readonly (string | null)[], language: Language): string =>
  parts
    .filter((part) => part !== null && part.trim() !== '')
    .map((part) => (/[.?!。？！]$/.test(part!) ? part! : `${part!}${language === 'zh-Hant' ? '。' : '.'}`))
    .join(language === 'zh-Hant' ? '' : ' ');
