/**
 * The regulations' own words, as far as their text was seen, article by article: of 57/2009 in
 * Chinese and Portuguese, of the others in Portuguese. Nothing is left out and nothing added; the
 * order is that of the text.
 */
import type { Language } from '../../engine/table/inputs.ts';
import type { RulebookId } from '../../engine/table/profile.ts';
import bacara from './law/macau-baccarat.json' with { type: 'json' };
import blackjack2004 from './law/macau-blackjack-2004.json' with { type: 'json' };
import blackjack2009 from './law/macau-blackjack-2009.json' with { type: 'json' };
import war from './law/macau-casino-war.json' with { type: 'json' };
import portugal from './law/portugal-blackjack.json' with { type: 'json' };

interface Article {
  /** Null: the copy that was seen has no numbers. */
  readonly cite: string | null;
  /** Heading and paragraphs. */
  readonly text: readonly string[];
}
type Law = Partial<Readonly<Record<Language, readonly Article[]>>>;

const LAWS: Partial<Readonly<Record<RulebookId, Law>>> = {
  'macau-blackjack-2009': blackjack2009,
  'macau-blackjack-2004': blackjack2004,
  'portugal-blackjack': portugal,
  'macau-baccarat': bacara,
  'macau-casino-war': war,
};

/** In this language where it was seen in it, else in Portuguese; null = it was not seen. */
export function lawOf(
  rulebook: RulebookId,
  language: Language,
): { readonly language: Language; readonly articles: readonly Article[] } | null {
  const law = LAWS[rulebook];
  const seen = law?.[language] ? language : 'pt';
  const articles = law?.[seen];
  return articles ? { language: seen, articles } : null;
}
