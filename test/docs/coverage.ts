/**
 * Which code and which tests rest on each statement of each article. Code: the rulebooks' own data
 * (an article's key, an option's article), the places where the engine uses them, the words of
 * comments. Tests: those that a statement names, else vectors and tests that say the article aloud.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type OptionSpec, type Rulebook, rulebookOf } from '../../engine/books.ts';
import type { RulebookId } from '../../engine/table/profile.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** What one sentence of an article demands, and the tests that hold it. */
export interface Statement {
  readonly says: string;
  /** `vector ID`, or a test file and how the title of the test begins: `FILE: TITLE`. */
  readonly tests?: readonly string[];
  /** Why no code answers for it. */
  readonly paper?: string;
  /** Why no test holds it. */
  readonly open?: string;
}

/**
 * One number of a regulation. With several `statements` each stands for itself; without them the
 * number is one statement, held by every vector and test that names it.
 */
export interface Article extends Pick<Statement, 'paper' | 'open'> {
  readonly id: string;
  readonly subject: string;
  readonly statements?: readonly Statement[];
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
  for (const [, first, last] of text.matchAll(/\br\.(\d+)-r\.(\d+)/g))
    for (let no = Number(first); no <= Number(last); no++) cited.add(`r.${no}`);
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

/** What a test says aloud: titles, and what it compares. A comment holds nothing. */
export const withoutComments = (text: string): string =>
  text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|\s)\/\/.*$/gm, '$1');

interface Source {
  readonly path: string;
  readonly cited: ReadonlySet<string>;
  readonly articles: ReadonlySet<string>;
  readonly rules: ReadonlySet<string>;
}

const sourceOf = (path: string): Source => {
  const whole = read(path);
  const text = path.endsWith('.test.ts') ? withoutComments(whole) : whole;
  return { path, cited: citedIn(text), articles: namesOf(text, 'articles'), rules: namesOf(text, 'rules') };
};

const files = (...patterns: string[]): string[] => globSync(patterns, { cwd: ROOT }).sort();
/** The rules pages say every article; what a page says is no proof that somebody plays it. */
const saysOnly = (path: string): boolean => /rules-(page|text)|citation/.test(path);

interface Vector {
  readonly id: string;
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

const allVectors = (): Vector[] =>
  files('test/data/vectors/*.json').flatMap(
    (path) => (JSON.parse(read(path)) as { vectors: Vector[] }).vectors,
  );

/** Titles of the tests of a file, as they are written. */
const titlesIn = (text: string): string[] =>
  [...text.matchAll(/\b(?:test|it)\(\s*['"`](.+)/g)].map((match) => match[1]!);

/**
 * Tests that a statement names and that are nowhere, and statements that name none and do not say
 * why.
 */
export function lostTests(id: RulebookId, articles: readonly Article[] = articlesIn(id)): string[] {
  const vectors = new Set(allVectors().flatMap((each) => (each.rulebook === id ? [each.id] : [])));
  const isThere = (name: string): boolean => {
    if (name.startsWith('vector ')) return vectors.has(name.slice('vector '.length));
    const [, path, title] = /^(\S+): (.+)$/.exec(name) ?? [];
    if (path === undefined || title === undefined || !existsSync(join(ROOT, path))) return false;
    return titlesIn(read(path)).some((each) => each.startsWith(title));
  };
  return articles.flatMap(({ id: article, statements = [] }) =>
    statements.flatMap(({ says, tests = [], paper, open }) => [
      ...tests.filter((name) => !isThere(name)).map((name) => `${article}: no such test: ${name}`),
      ...(tests.length === 0 && paper === undefined && open === undefined
        ? [`${article}, ${says}: neither a test nor why there is none`]
        : []),
      ...(tests.length > 0 && (paper ?? open) !== undefined
        ? [`${article}, ${says}: a test and a reason`]
        : []),
    ]),
  );
}

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
  const tests = files('engine/**/*.test.ts', 'host/**/*.test.ts', 'cli/*.test.ts', 'test/**/*.test.ts')
    .filter((path) => !/^test\/(docs|fixtures|mutation|support|pictures)\//.test(path) && !saysOnly(path))
    .map(sourceOf);
  const vectors = allVectors();
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
 * Articles that nobody answers for: no code, or no test and no word that it is open, and not listed
 * as paper.
 */
export function orphans(covered: readonly Covered[]): string[] {
  return covered.flatMap(({ id, paper, open, statements, code, vectors, tests }) => {
    if (paper !== undefined) return [];
    const isHeld = vectors > 0 || tests.length > 0 || open !== undefined || statements !== undefined;
    const lacks = [...(code.length === 0 ? ['code'] : []), ...(isHeld ? [] : ['test'])];
    return lacks.length > 0 ? [`${id}: no ${lacks.join(', no ')}`] : [];
  });
}

/** One statement of one regulation, and everything that is run for it. */
export interface Held {
  readonly rulebook: RulebookId;
  readonly article: string;
  /** Which of several statements of the number, from 1; null = its only one. */
  readonly no: number | null;
  readonly says: string;
  /** Ids of conformance vectors. */
  readonly vectors: readonly string[];
  /** Test files, with how the title begins; null = every test of the file. */
  readonly tests: readonly { readonly file: string; readonly title: string | null }[];
  readonly why: { readonly paper: string } | { readonly open: string } | null;
}

/** Every statement of every regulation, in the order of the regulations. */
export function statements(): Held[] {
  found ??= coverage();
  const vectors = allVectors();
  return BOOKS.flatMap(({ id: rulebook }) =>
    found!.get(rulebook)!.flatMap(({ id: article, subject, statements: several, tests, paper, open }) => {
      const reason = (of: Pick<Statement, 'paper' | 'open'>): Held['why'] =>
        of.paper !== undefined ? { paper: of.paper } : of.open === undefined ? null : { open: of.open };
      if (several === undefined) {
        const cited = vectors.filter(
          ({ rulebook: of, cites }) => of === rulebook && asNumbered(cites).includes(article),
        );
        const of = { paper, open } as Pick<Statement, 'paper' | 'open'>;
        return [
          {
            ...{ rulebook, article, no: null, says: subject, vectors: cited.map(({ id }) => id) },
            tests: tests.map((file) => ({ file, title: null })),
            why: reason(of),
          },
        ];
      }
      return several.map(({ says, tests: names = [], ...rest }, at): Held => {
        const isVector = (name: string): boolean => name.startsWith(VECTOR);
        return {
          ...{ rulebook, article, no: at + 1, says },
          vectors: names.filter(isVector).map((name) => name.slice(VECTOR.length)),
          tests: names
            .filter((name) => !isVector(name))
            .map((name) => {
              const [, file = '', title = ''] = /^(\S+): (.+)$/.exec(name) ?? [];
              return { file, title };
            }),
          why: reason(rest),
        };
      });
    }),
  );
}
const VECTOR = 'vector ';

const short = (path: string): string =>
  `\`${path.replace(/^engine\/games\/(?:blackjack|baccarat|casino-war)\//, '').replace(/^engine\//, '')}\``;

let found: ReturnType<typeof coverage> | null = null;

const row = (...cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const isOpen = ({ tests = [], paper }: Statement): boolean => tests.length === 0 && paper === undefined;

/** Vectors by their number, tests by their file. */
function testsShown(names: readonly string[]): string {
  const vectors = names.filter((name) => name.startsWith('vector ')).length;
  const paths = names.flatMap((name) => (name.startsWith('vector ') ? [] : [name.split(': ')[0]!]));
  const many = vectors === 1 ? 'vector' : 'vectors';
  return [...(vectors > 0 ? [`${vectors} ${many}`] : []), ...new Set(paths.map(short))].join(', ');
}

const heldBy = (statement: Statement): string =>
  statement.paper === undefined
    ? isOpen(statement)
      ? `**open**: ${statement.open}`
      : testsShown(statement.tests!)
    : 'procedure/paper';

/** The table of one regulation for docs/regulations/coverage.md: a row for each statement. */
export function coverageTable(id: RulebookId): string {
  found ??= coverage();
  const rows = found
    .get(id)!
    .flatMap(({ id: article, subject, statements, code, vectors, tests, ...rest }) => {
      const inCode = (paper: string | undefined): string =>
        paper === undefined ? code.map(short).join(', ') : `procedure/paper: no code: ${paper}`;
      if (statements === undefined) {
        const one = [...Array.from({ length: vectors }, () => 'vector '), ...tests];
        const held = heldBy({ says: subject, ...rest, ...(one.length > 0 ? { tests: one } : {}) });
        return [row(`\`${article}\``, subject, inCode(rest.paper), held)];
      }
      return statements.map((statement, at) =>
        row(
          `\`${article}\` (${at + 1})`,
          statement.says,
          at === 0 || statement.paper !== undefined ? inCode(statement.paper) : '″',
          heldBy(statement),
        ),
      );
    });
  return [row('statement', 'what it says', 'code', 'tests'), row('---', '---', '---', '---'), ...rows].join(
    '\n',
  );
}

/** Every statement that no test holds, of all regulations. */
export function openTable(): string {
  found ??= coverage();
  const rows = BOOKS.flatMap(({ id }) =>
    found!.get(id)!.flatMap(({ id: article, subject, statements, vectors, tests, open, paper }) => {
      const one: Statement = {
        says: subject,
        ...(open === undefined ? {} : { open }),
        ...(paper === undefined ? {} : { paper }),
        ...(vectors + tests.length > 0 ? { tests } : {}),
      };
      const left = (statements ?? (vectors + tests.length > 0 ? [] : [one])).filter(isOpen);
      return left.map((statement) =>
        row(`\`${id}\``, `\`${article}\``, statement.says, statement.open ?? ''),
      );
    }),
  );
  return [
    row('regulation', 'article', 'what it says', 'why it is open'),
    row('---', '---', '---', '---'),
    ...rows,
  ].join('\n');
}
