/**
 * `banca rules RULEBOOK [--options JSON | --profile FILE] [--lang zh-Hant|pt|en] [--on DATE]
 * [--json] [--poster FILE [--staff]]`: how a table with these options plays, what it pays and what
 * the house has chosen, with the articles; the words of the seat panels' pages. --on says instead
 * which wording that is, what it was on that day, and where each diploma was seen. --poster writes
 * them for the wall, in Chinese and Portuguese; --staff adds the edges. FILE is a terminal file or
 * a table file; its authorisations must cover its choices today. Exit 0 printed, 1 the options are
 * not legal or not authorised (each named with its article), 2 cannot run.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import {
  type OptionProblem,
  parseDay,
  type RulesPage,
  type RulesTexts,
  type RulesWords,
  RulesWriter,
  rulebookOf,
  rulebooks,
  rulesPage,
  type TableOptions,
  unauthorisedChoices,
  validateOptions,
} from '../engine/books.ts';
import type { CiteWord } from '../engine/rules/citation.ts';
import type { Language } from '../engine/table/inputs.ts';
import type { Authorisation, OptionValue, RulebookId } from '../engine/table/profile.ts';
import { readGame } from '../host/config/terminal-file.ts';
import { FILE_BOUNDS, parseBounded } from '../ledger/chain/bounded-json.ts';
import { CannotRun, DoesNotHold, readArguments } from './command.ts';
import { type Both, type Edges, posterPage } from './poster.ts';

const RULEBOOKS: readonly RulebookId[] = rulebooks().map(({ id }) => id);
const LANGUAGES: readonly Language[] = ['zh-Hant', 'pt', 'en'];

function wordsOf(language: Language, space: 'rules' | 'table' | 'service'): RulesWords {
  const url = new URL(`../locales/${language}/${space}.json`, import.meta.url);
  return JSON.parse(readFileSync(url, 'utf8')) as RulesWords;
}

/** What writes the rules of one table in one language. */
export function rulesWriter(
  language: Language,
  { rulebook, currency }: Pick<RulesPage, 'rulebook' | 'currency'>,
  space: 'rules' | 'table' | 'service' = 'rules',
): RulesWriter {
  const cites = wordsOf(language, 'table')['article'] as Readonly<Record<CiteWord, string>>;
  return new RulesWriter({
    words: wordsOf(language, space),
    say: (word, n) => cites[word].replace('{{n}}', n),
    rulebook,
    language,
    currency,
  });
}

function readOptions(text: string): Readonly<Record<string, OptionValue>> {
  let options: unknown;
  try {
    options = parseBounded(text, FILE_BOUNDS);
  } catch {
    throw new CannotRun(`--options is no JSON: ${text}`);
  }
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw new CannotRun('--options must be an object, as in {"decks":8}');
  return options as Readonly<Record<string, OptionValue>>;
}

function readProfile(path: string): ReturnType<typeof readGame> {
  try {
    return readGame(path);
  } catch (error) {
    throw new CannotRun((error as Error).message);
  }
}

/** Chinese characters are two columns wide. */
const columns = (text: string): number =>
  [...text].reduce((sum, letter) => sum + (/[\u1100-\u115f\u2e80-\uffef]/u.test(letter) ? 2 : 1), 0);

const WIDTH = 96;

/** No line begins with a closing mark or ends with an opening one. */
const PIECES = /[（《「『]*(?:[\u2e80-\uffef]|[^\s\u2e80-\uffef]+)[，。；、：）」』》]*\s*|\s+/gu;

/**
 * Breaks a text at spaces, and between Chinese characters, so that no line is wider than the page.
 */
function wrapped(text: string, indent: string): string {
  const lines: string[] = [];
  let line = '';
  for (const piece of text.match(PIECES) ?? []) {
    if (line !== '' && columns(indent + line + piece.trimEnd()) > WIDTH) {
      lines.push(line.trimEnd());
      line = '';
    }
    line += piece;
  }
  lines.push(line.trimEnd());
  return lines.map((each) => indent + each).join('\n');
}

function printed({ title, regulation, wording, stakes, sections }: RulesTexts): string {
  const head = [title, regulation, ...wording, stakes].map((text) => wrapped(text, ''));
  const parts = [head.join('\n')];
  for (const section of sections) {
    const rows = section.rows.map(({ text, value, notes, cites }) => {
      const head = wrapped(value === null ? text : `${text}: ${value}`, '  ');
      const tail = [...notes, ...(cites === '' ? [] : [cites])].join(' · ');
      return tail === '' ? head : `${head}\n${wrapped(`[${tail}]`, '    ')}`;
    });
    parts.push(`${section.title}\n${rows.join('\n')}`);
  }
  return parts.join('\n\n');
}

/** Which wording is played, what it was on that day, and each diploma with where it was seen. */
function wordingPrinted(id: RulebookId, language: Language, day: string, asJson: boolean): void {
  const writer = rulesWriter(language, { rulebook: id, currency: null });
  const { verdict, diplomas } = writer.wordingOn(day);
  const [title, regulation] = [writer.text(`title.${id}`), writer.text(`regulation.${id}`)];
  const wording = writer.wording();
  if (asJson) {
    const { sources } = rulebookOf(id)!;
    console.log(JSON.stringify({ rulebook: id, language, day, wording, verdict, diplomas, sources }));
    return;
  }
  const head = [title, regulation, ...wording].map((text) => wrapped(text, ''));
  const rows = [...verdict, ...diplomas].map((text) => wrapped(text, '  '));
  console.log([...head, '', ...rows].join('\n'));
}

const forBoth = <T>(of: (language: Language) => T): Both<T> => [of('zh-Hant'), of('pt')];

function recordOf({ reference, by, requestedOn, effectiveOn }: Authorisation, page: RulesPage): Both {
  return forBoth((language) => {
    const writer = rulesWriter(language, page, 'service');
    const [requested, effective] = [writer.day(requestedOn), writer.day(effectiveOn)];
    return writer.text('tables.records', { reference, by, requested, effective });
  });
}

/** As service mode shows it where options are changed. */
const ESTIMATE_SECONDS = 5;
const EDGE_DIGITS = 4;

async function edgesOf(page: RulesPage, options: Readonly<Record<string, OptionValue>>): Promise<Edges> {
  const [{ tableFigures }, { estimate }, { rulesFor }] = await Promise.all([
    import('./figures/table-figures.ts'),
    import('./figures/estimate.ts'),
    import('./simulate/setup.ts'),
  ]);
  const figures = tableFigures(page.rulebook, rulesFor(page.rulebook, options));
  const estimates = await estimate(figures, options, ESTIMATE_SECONDS);
  const known = new Set([...figures.bets, ...estimates].map(({ bet }) => bet));
  const without = figures.notEnumerated.filter(({ bet }) => !known.has(bet));
  const inLanguage = (language: Language) => {
    const [service, table] = [rulesWriter(language, page, 'service'), rulesWriter(language, page, 'table')];
    const percent = (value: string): string => `${service.number(100 * Number(value), EDGE_DIGITS)} %`;
    const name = (bet: string): string =>
      bet.includes(' ') ? service.text(`edges.of.${bet}`) : table.text(`bet.name.${bet}`);
    return {
      title: service.text('edges.title'),
      about: service.text('edges.about'),
      favours: service.text('edges.favours'),
      rows: [
        ...figures.bets.map(({ bet, edge, favoursPlayer }) => ({
          ...{ bet: name(bet), edge: percent(edge), favoursPlayer },
        })),
        ...estimates.map(({ bet, edge, error }) => ({
          ...{
            bet: name(bet),
            edge: `${percent(edge)} ± ${percent(error)}`,
            favoursPlayer: Number(edge) < 0,
          },
        })),
      ],
      none:
        without.length === 0
          ? null
          : service.text('edges.none', { bets: without.map(({ bet }) => name(bet)).join(', ') }),
    };
  };
  return forBoth(inLanguage);
}

function writePoster(path: string, page: string): void {
  try {
    writeFileSync(path, page);
  } catch (error) {
    throw new CannotRun(`--poster ${path}: ${(error as Error).message}`);
  }
}

const sentencesOf = (problems: readonly OptionProblem[]): string =>
  problems
    .map(({ option, article, message }) => `${option}${article === '' ? '' : ` (${article})`}: ${message}`)
    .join('; ');

export async function rules(argv: string[]): Promise<number> {
  const { values, positionals } = readArguments(
    argv,
    {
      options: { type: 'string' },
      profile: { type: 'string' },
      lang: { type: 'string', default: 'zh-Hant' },
      on: { type: 'string' },
      json: { type: 'boolean', default: false },
      poster: { type: 'string' },
      staff: { type: 'boolean', default: false },
    },
    ['RULEBOOK'],
  );
  const id = RULEBOOKS.find((each) => each === positionals[0]);
  if (!id || !rulebookOf(id))
    throw new CannotRun(`there is no rulebook '${positionals[0]}'; there are ${RULEBOOKS.join(', ')}`);
  const language = LANGUAGES.find((each) => each === values.lang);
  if (!language) throw new CannotRun(`--lang ${values.lang}: ${LANGUAGES.join(', ')}`);
  if (values.options !== undefined && values.profile !== undefined)
    throw new CannotRun('--options and --profile exclude each other');
  if (values.staff && values.poster === undefined) throw new CannotRun('--staff belongs to --poster');
  if (values.on !== undefined) {
    if (values.poster !== undefined) throw new CannotRun('--on and --poster exclude each other');
    if (parseDay(values.on) === null) throw new CannotRun(`--on ${values.on}: no day as in 2006-01-31`);
    wordingPrinted(id, language, values.on, values.json);
    return 0;
  }
  const file = values.profile === undefined ? null : readProfile(values.profile);
  if (file && file.rulebook !== id)
    throw new CannotRun(`the profile ${values.profile} is of ${file.rulebook}, not of ${id}`);
  const seats = file?.seatCount === undefined ? {} : { seats: file.seatCount };
  const options = file ? { ...seats, ...file.options } : readOptions(values.options ?? '{}');
  const checked = validateOptions(id, options);
  if (!checked.ok) throw new DoesNotHold(sentencesOf(checked.problems));
  const unauthorised = file
    ? unauthorisedChoices(rulebookOf(id)!, options, file.authorisations ?? [], Date.now())
    : [];
  if (unauthorised.length > 0) throw new DoesNotHold(sentencesOf(unauthorised));
  const page = rulesPage(id, checked.resolved as unknown as TableOptions, file?.currency ?? null)!;
  if (values.poster !== undefined) {
    const edges = values.staff ? await edgesOf(page, options) : null;
    const poster = posterPage({
      table: file?.tableName ?? null,
      texts: forBoth((each) => rulesWriter(each, page).page(page)),
      records: (file?.authorisations ?? []).map((record) => recordOf(record, page)),
      edges,
    });
    writePoster(values.poster, poster);
    return 0;
  }
  const texts = rulesWriter(language, page).page(page);
  console.log(values.json ? JSON.stringify({ rulebook: id, language, ...texts, page }) : printed(texts));
  return 0;
}
