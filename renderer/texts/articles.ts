import { type CiteWord, citationsText, citationText } from '../../engine/books.ts';
import type { Language } from '../../engine/table/inputs.ts';
import type { RulebookId } from '../../engine/table/profile.ts';
import { tableText } from './i18n.ts';

const sayIn = (language: Language) => {
  const t = tableText(language);
  return (word: CiteWord, n: string): string => t(`article.${word}`, { n });
};

/**
 * A citation of the engine as the language prints it: «第十條第二款», «artigo 10.º, n.º 2», 'Article
 * 10(2)'.
 */
export const formatArticle = (cite: string, rulebook: RulebookId, language: Language): string =>
  citationText(cite, rulebook, language, sayIn(language));

export const formatArticles = (cites: readonly string[], rulebook: RulebookId, language: Language): string =>
  citationsText(cites, rulebook, language, sayIn(language));
