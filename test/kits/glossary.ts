/** The glossary, and the texts it is compared with: what a table of each home can show. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RulesWords, RulesWriter, rulebookOf } from '../../engine/books.ts';
import type { Home } from '../../engine/rules/home.ts';
import type { Language } from '../../engine/table/inputs.ts';
import { merged, RULEBOOKS } from '../support/every-rule.ts';

const LOCALES = join(import.meta.dirname, '../../locales');
const json = <T>(path: string): T => JSON.parse(readFileSync(join(LOCALES, path), 'utf8')) as T;

interface Word {
  readonly word: string;
  /** What a text that has the word holds, as a regular expression; absent = the word itself. */
  readonly stem?: string;
  /** What no text may hold. */
  readonly not?: readonly string[];
}
export type HomeWords = Readonly<Record<Language, Word>> & {
  /** The article, or whose word it is. */
  readonly from: string;
};
export interface Term {
  readonly id: string;
  /** What it is, in English. */
  readonly en: string;
  /** Texts that must have the word: `table:act.hit`. */
  readonly at: readonly string[];
  readonly macau: HomeWords;
  /** Absent: Portugal has no word of its own. */
  readonly portugal?: HomeWords;
}

export const { terms: TERMS } = json<{ readonly terms: readonly Term[] }>('glossary.json');

export const wordsOf = (
  home: Home,
): readonly { readonly id: string; readonly at: readonly string[]; readonly words: HomeWords }[] =>
  TERMS.map(({ id, at, macau, portugal }) => ({ id, at, words: (home === 'portugal' && portugal) || macau }));

interface Tree {
  readonly [key: string]: string | Tree;
}

function* leaves(tree: Tree, path: string): Generator<readonly [string, string]> {
  for (const [key, value] of Object.entries(tree)) {
    if (typeof value === 'string') yield [path + key, value];
    else yield* leaves(value, `${path}${key}.`);
  }
}

/** The rules pages of this home, statement by statement, under the keys that were asked for. */
function rulesAt(home: Home, language: Language): Map<string, string> {
  const { article } = json<{ article: Record<string, string> }>(`${language}/table.json`);
  const found = new Map<string, string>();
  const listening = (words: RulesWords, path: string): RulesWords =>
    new Proxy(words, {
      get(target, key: string) {
        const text = target[key];
        if (typeof text === 'string') found.set(`rules:${path}${key}`, text);
        return typeof text === 'object' ? listening(text, `${path}${key}.`) : text;
      },
    });
  for (const rulebook of RULEBOOKS.filter((id) => rulebookOf(id)!.home === home)) {
    const writer = new RulesWriter({
      words: listening(json<RulesWords>(`${language}/rules.json`), ''),
      say: (word, n) => article[word]!.replace('{{n}}', n),
      rulebook,
      language,
      currency: null,
    });
    writer.page(merged(rulebook));
  }
  return found;
}

const known = new Map<string, ReadonlyMap<string, string>>();

/** Every text a table of this home can show, by `file:key`. */
export function textsAt(home: Home, language: Language): ReadonlyMap<string, string> {
  const name = `${home} ${language}`;
  let texts = known.get(name);
  if (texts === undefined) {
    const own = {
      ...json<Tree>(`${language}/portugal.json`),
      ...json<Tree>(`${language}/portugal-service.json`),
    };
    texts = new Map([
      ...['table', 'felt', 'service', 'events', 'map'].flatMap((file) => [
        ...leaves(json<Tree>(`${language}/${file}.json`), `${file}:`),
        ...(home === 'portugal' ? leaves((own[file] ?? {}) as Tree, `${file}:`) : []),
      ]),
      ...rulesAt(home, language),
    ]);
    known.set(name, texts);
  }
  return texts;
}

/** Texts that hold a word they may not, or lack the one they must have. */
export function strays(home: Home, texts: (language: Language) => ReadonlyMap<string, string>): string[] {
  const found: string[] = [];
  for (const language of ['zh-Hant', 'pt', 'en'] as const) {
    const all = texts(language);
    for (const { id, at, words } of wordsOf(home)) {
      const { word, stem = word, not = [] } = words[language];
      const must = new RegExp(stem, 'u');
      for (const key of at) {
        const text = all.get(key);
        if (text !== undefined && !must.test(text))
          found.push(`${home} ${language} ${key}: '${text}' lacks '${word}' (${id})`);
      }
      for (const each of not) {
        const other = new RegExp(each, 'u');
        for (const [key, text] of all)
          if (other.test(text)) found.push(`${home} ${language} ${key}: '${text}' for '${word}' (${id})`);
      }
    }
  }
  return found;
}
