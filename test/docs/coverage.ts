/**
 * Which code and which tests rest on each article: read out of the rulebooks' own data (an
 * article's key, an option's article), the places where the engine uses them, the words of
 * comments, the conformance vectors and the tests.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type OptionSpec, type Rulebook, rulebookOf } from '../../engine/books.ts';
import type { RulebookId } from '../../engine/table/profile.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** One numbered statement of a regulation. `paper`: why no code answers for it. */
export interface Article {
  readonly id: string;
  readonly subject: string;
  readonly paper?: string;
}

export interface Covered extends Article {
  /** Files of the engine, and of the host where it is the host's to keep. */
  readonly code: readonly string[];
  /** Conformance vectors that cite it. */
  readonly vectors: number;
  readonly tests: readonly string[];
}

interface Book {
  readonly id: RulebookId;
  readonly title: string;
  /** The files with the regulation's data. */
  readonly files: readonly string[];
  /** Files whose words cite this regulation. */
  readonly speaks: (path: string) => boolean;
  /** Articles that have other text in the regulation the shared files speak of. */
  readonly differs: ReadonlySet<string>;
}

const BLACKJACK = 'engine/games/blackjack/';
const isBaccarat = (path: string): boolean => /baccarat|bacara/.test(path);
const isWar = (path: string): boolean => /(^|\W)war|casino/.test(path);
/** Files that say `art.` and are of no other game speak of Macau's black jack. */
const isBlackjack = (path: string): boolean => !isBaccarat(path) && !isWar(path);
const NONE: ReadonlySet<string> = new Set();

export const BOOKS: readonly Book[] = [
  {
    id: 'macau-blackjack-2009',
    title: 'Macau Black Jack, Despacho 57/2009',
    files: [`${BLACKJACK}macau-57-2009.ts`, `${BLACKJACK}macau-options.ts`],
    speaks: (path) => isBlackjack(path) && !path.includes('2004'),
    differs: NONE,
  },
  {
    id: 'macau-blackjack-2004',
    title: 'Macau Black Jack, Despacho 56/2004',
    files: [`${BLACKJACK}macau-56-2004.ts`, `${BLACKJACK}macau-options.ts`],
    speaks: (path) => isBlackjack(path) && !path.includes('2009'),
    differs: new Set(['11', '17', '21']),
  },
  {
    id: 'portugal-blackjack',
    title: 'Portugal Blackjack/21, edition after 2001',
    files: [`${BLACKJACK}portugal-21.ts`],
    speaks: () => true,
    differs: NONE,
  },
  {
    id: 'macau-baccarat',
    title: 'Macau Bacará, Despacho 55/2004 and its changes, as far as seen',
    files: ['engine/games/baccarat/macau-bacara.ts'],
    speaks: isBaccarat,
    differs: NONE,
  },
  {
    id: 'macau-casino-war',
    title: 'Macau «Desafio ao Casino», Despacho 74/2005',
    files: ['engine/games/casino-war/desafio-ao-casino.ts'],
    speaks: isWar,
    differs: NONE,
  },
];

const DATA_FILES: ReadonlySet<string> = new Set(BOOKS.flatMap((book) => book.files));

export const articlesIn = (id: RulebookId): readonly Article[] =>
  JSON.parse(read(`docs/regulations/articles/${id}.json`)) as Article[];

/**
 * `'art.6.1'`, `art. 6.1`, `arts. 16.6, 17.3`, `r.21`, `r. 21` in code, comments and names of
 * tests.
 */
export function citedIn(text: string): Set<string> {
  const cited = new Set<string>();
  for (const [, path] of text.matchAll(/\b((?:2018\.)?art\.\d+(?:\.\d+)*(?:\.[ivx]+\b)?)/g)) cited.add(path!);
  for (const [, list] of text.matchAll(
    /\b[Aa]rts?\. ((?:\d+(?:\.\d+)*(?:\.[ivx]+\b)?(?:, | and | or )?)+)/g,
  )) {
    for (const [path] of list!.matchAll(/\d+(?:\.\d+)*(?:\.[ivx]+)?/g)) cited.add(`art.${path}`);
  }
  for (const [, list] of text.matchAll(/\br\. ?((?:\d+(?:\.[a-c])?(?:, r\.|, | and r\.)?)+)/g)) {
    for (const [path] of list!.matchAll(/\d+(?:\.[a-c])?/g)) cited.add(`r.${path}`);
  }
  for (const [, part] of text.matchAll(/'(drawing|tie|pairs)'/g)) cited.add(part!);
  return cited;
}

/**
 * Names taken out of the articles or the rules: `articles.cut`, `articlesOf(state).cut`, `const {
 * cut } = articles`.
 */
function namesOf(text: string, of: 'articles' | 'rules'): Set<string> {
  const source = `(?:\\w+\\.)*${of}(?:Of\\([^()]*(?:\\([^()]*\\))?[^()]*\\))?!?`;
  const names = new Set<string>();
  for (const match of text.matchAll(new RegExp(`${source}\\??\\.(\\w+)`, 'g'))) names.add(match[1]!);
  for (const match of text.matchAll(new RegExp(`\\{([^{}]*)\\}(?:: \\w+)? = ${source}[;\\s]`, 'g'))) {
    for (const name of match[1]!.split(',')) names.add(name.split(/[:=]/)[0]!.trim());
  }
  for (const match of text.matchAll(/\b(?:o|options|spec)\['(\w+)'\]/g)) names.add(match[1]!);
  return names;
}

interface Source {
  readonly path: string;
  readonly cited: ReadonlySet<string>;
  readonly articles: ReadonlySet<string>;
  readonly rules: ReadonlySet<string>;
}

const sourceOf = (path: string): Source => {
  const text = read(path);
  return { path, cited: citedIn(text), articles: namesOf(text, 'articles'), rules: namesOf(text, 'rules') };
};

const files = (...patterns: string[]): string[] => globSync(patterns, { cwd: ROOT }).sort();
/** The rules pages say every article; what a page says is no proof that somebody plays it. */
const saysOnly = (path: string): boolean => /rules-(page|text)|citation/.test(path);

interface Vector {
  readonly rulebook: RulebookId;
  readonly cites: readonly string[];
}

/** What the conformance files of before call articles whose numbers have been seen since. */
const SINCE_SEEN: Readonly<Record<string, readonly string[]>> = {
  pairs: ['art.13.1.4.1'],
  '2018.art.13': ['art.13.1.4.3'],
  '2018.art.17.5': ['art.17.5'],
};
export const asNumbered = (cites: readonly string[]): string[] =>
  cites.flatMap((cite) => SINCE_SEEN[cite] ?? [cite]);

/** Options with their articles, those inside an option too. */
const specsOf = (specs: readonly OptionSpec[]): OptionSpec[] =>
  specs.flatMap((spec) => [
    spec,
    ...(spec.legal.kind === 'object' || spec.legal.kind === 'list' ? specsOf(spec.legal.fields) : []),
  ]);

/** Keys of a rulebook's data that stand for an article. */
function keysFor(book: Rulebook, article: string): { articles: string[]; rules: string[] } {
  return {
    articles: Object.entries(book.articles)
      .filter(([, value]) => value.split(' ').includes(article))
      .map(([key]) => key),
    rules: specsOf(book.options)
      .filter((spec) => spec.article === article)
      .map((spec) => spec.id),
  };
}

/** Every article of every regulation with what answers for it. */
export function coverage(): ReadonlyMap<RulebookId, readonly Covered[]> {
  const isTest = (path: string): boolean => path.endsWith('.test.ts');
  const code = files('engine/**/*.ts', 'host/**/*.ts')
    .filter((path) => !isTest(path) && !saysOnly(path))
    .map(sourceOf);
  const tests = files(
    'engine/**/*.test.ts',
    'host/**/*.test.ts',
    'cli/*.test.ts',
    'test/**/*.ts',
    'reader/*.ts',
  )
    .filter((path) => !/^test\/(docs|fixtures|mutation|support|pictures)\//.test(path) && !saysOnly(path))
    .map(sourceOf);
  const vectors = files('test/data/vectors/*.json').flatMap(
    (path) => (JSON.parse(read(path)) as { vectors: Vector[] }).vectors,
  );
  return new Map(
    BOOKS.map((book) => {
      const rulebook = rulebookOf(book.id);
      if (!rulebook) throw new Error(`the engine does not play ${book.id}`);
      const says = (source: Source, id: string): boolean =>
        source.cited.has(id) &&
        book.speaks(source.path) &&
        (source.path.startsWith(book.files[0]!.replace(/ts$/, '')) || !book.differs.has(id.split('.')[1]!));
      const covered = articlesIn(book.id).map((article): Covered => {
        const keys = keysFor(rulebook, article.id);
        const shared = (source: Source): boolean =>
          !DATA_FILES.has(source.path) &&
          (source.path.startsWith(`engine/games/${rulebook.game}/`) ||
            source.path.startsWith('engine/table/')) &&
          (keys.articles.some((key) => source.articles.has(key)) ||
            keys.rules.some((key) => source.rules.has(key)));
        const own = (path: string): boolean => !DATA_FILES.has(path) || book.files.includes(path);
        const holds = keys.articles.length > 0 || keys.rules.length > 0;
        return {
          ...article,
          code: code
            .filter(
              (source) =>
                (own(source.path) && says(source, article.id)) ||
                (source.path === book.files[0] && holds) ||
                shared(source),
            )
            .map(({ path }) => path),
          vectors: vectors.filter(
            ({ rulebook: of, cites }) => of === book.id && asNumbered(cites).includes(article.id),
          ).length,
          tests: tests.filter((source) => says(source, article.id)).map(({ path }) => path),
        };
      });
      return [book.id, covered] as const;
    }),
  );
}

/**
 * Articles that nobody answers for: no code or no test, and not listed as paper; or paper, and code
 * after all.
 */
export function orphans(covered: readonly Covered[]): string[] {
  return covered.flatMap(({ id, paper, code, vectors, tests }) => {
    if (paper !== undefined) return [];
    const lacks = [
      ...(code.length === 0 ? ['code'] : []),
      ...(vectors === 0 && tests.length === 0 ? ['test'] : []),
    ];
    return lacks.length > 0 ? [`${id}: no ${lacks.join(', no ')}`] : [];
  });
}

const short = (path: string): string =>
  `\`${path.replace(/^engine\/games\/(?:blackjack|baccarat|casino-war)\//, '').replace(/^engine\//, '')}\``;

let found: ReturnType<typeof coverage> | null = null;

/** The table of one regulation for docs/regulations/coverage.md. */
export function coverageTable(id: RulebookId): string {
  found ??= coverage();
  const rows = found.get(id)!.map(({ id: article, subject, paper, code, vectors, tests }) => {
    const many = vectors === 1 ? 'vector' : 'vectors';
    const shown = [...(vectors > 0 ? [`${vectors} ${many}`] : []), ...tests.map(short)];
    return [
      `\`${article}\``,
      subject,
      paper === undefined ? code.map(short).join(', ') : `procedure/paper: no code: ${paper}`,
      shown.join(', ') || '–',
    ];
  });
  return [['article', 'what it says', 'code', 'tests'], ['---', '---', '---', '---'], ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}
