import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Language } from '../../engine/table/inputs.ts';
import { formatArticles } from '../texts/articles.ts';
import { formatMoney, formatSigned, type TableText, tableText } from '../texts/i18n.ts';
import { type Notice, useView } from './station.ts';

const LanguageContext = createContext<Language>('zh-Hant');
export const LanguageProvider = LanguageContext.Provider;

export interface Words {
  readonly language: Language;
  readonly t: TableText;
  money(amountMinor: number): string;
  signed(amountMinor: number): string;
  articles(cites: readonly string[]): string;
  notice(notice: Notice): string;
}

export function wordsIn(language: Language, rulebook: Parameters<typeof formatArticles>[1]): Words {
  const t = tableText(language);
  const articles = (cites: readonly string[]): string => formatArticles(cites, rulebook, language);
  return {
    language,
    t,
    money: (amount) => formatMoney(amount, language),
    signed: (amount) => formatSigned(amount, language),
    articles,
    notice({ code, cites, act, lateMs }) {
      const sentence =
        lateMs !== undefined
          ? t('bet.late', { ms: lateMs })
          : act !== null && code === 'not-allowed'
            ? t(`closed.${act}`)
            : t(`reject.${code}`);
      if (cites.length === 0) return sentence;
      const where = articles(cites);
      // The article first, as a dealer would say it: «Artigo 18.º: …».
      return `${where.charAt(0).toUpperCase()}${where.slice(1)}${language === 'zh-Hant' ? '：' : ': '}${sentence}`;
    },
  };
}

/** Everything a seat reads, in the seat's language. */
export const useWords = (): Words => wordsIn(useContext(LanguageContext), useView().table.rulebook);
