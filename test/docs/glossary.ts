import { TERMS } from '../kits/glossary.ts';
import { table } from './table.ts';

/** Every term with its words in both homes, and where they come from. */
export const glossaryTable = (): string =>
  table(
    ['term', '中文', 'pt, Macau', 'pt, Portugal', 'English', 'Macau: from', 'Portugal: from'],
    TERMS.map(({ en, macau, portugal }) => {
      const zh = macau['zh-Hant'].word;
      const own = portugal?.['zh-Hant'].word ?? zh;
      const english = macau.en.word;
      const ownEnglish = portugal?.en.word ?? english;
      return [
        en,
        own === zh ? zh : `${zh}; in Portugal ${own}`,
        macau.pt.word,
        portugal?.pt.word ?? '–',
        ownEnglish === english ? english : `${english}; in Portugal ${ownEnglish}`,
        macau.from,
        portugal?.from ?? '–',
      ];
    }),
  );
