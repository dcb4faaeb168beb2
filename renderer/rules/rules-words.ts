import { type RulesWords, RulesWriter } from '../../engine/books.ts';
import type { CiteWord } from '../../engine/rules/citation.ts';
import type { Language } from '../../engine/table/inputs.ts';
import en from '../../locales/en/rules.json' with { type: 'json' };
import pt from '../../locales/pt/rules.json' with { type: 'json' };
import zh from '../../locales/zh-Hant/rules.json' with { type: 'json' };
import type { TableView } from '../../wire/view.ts';
import { tableText } from '../texts/i18n.ts';

const WORDS: Readonly<Record<Language, RulesWords>> = { 'zh-Hant': zh, pt, en };

/** Writes the rules of this table in one language. */
export function rulesWriter(
  language: Language,
  { rulebook, currency }: Pick<TableView['table'], 'rulebook' | 'currency'>,
): RulesWriter {
  const t = tableText(language);
  const say = (word: CiteWord, n: string): string => t(`article.${word}`, { n });
  return new RulesWriter({ words: WORDS[language], say, rulebook, language, currency });
}

/** An option, or a member of one, by its name; a field of the file by itself. */
export function placeText(writer: RulesWriter, place: string): string {
  const option = writer.find(`option.${place}.name`);
  if (option !== null) return option;
  const whole = writer.find(`option.${place.slice(0, place.lastIndexOf('.'))}.name`);
  const member = writer.find(`option.${place}`);
  return whole !== null && member !== null ? `${whole}: ${member}` : place;
}
