/**
 * The parts of the documents that are made from the code: `node test/docs/generated.ts` writes
 * them, a test compares. A part stands between `<!-- made: NAME -->` and `<!-- end: NAME -->`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { baccaratFigures } from '../../cli/figures/baccarat.ts';
import { KNOWN_BETS, type Legal, type OptionSpec, type Rulebook, rulebookOf } from '../../engine/books.ts';
import { MACAU_BACARA } from '../../engine/games/baccarat/macau-bacara.ts';
import { MACAU_56_2004 } from '../../engine/games/blackjack/macau-56-2004.ts';
import { MACAU_57_2009 } from '../../engine/games/blackjack/macau-57-2009.ts';
import { DESAFIO_AO_CASINO } from '../../engine/games/casino-war/desafio-ao-casino.ts';
import type { OptionValue } from '../../engine/table/profile.ts';
import { argumentsOf } from '../../ledger/chain/program-arguments.ts';
import { INCIDENTS } from '../night/incidents.ts';
import { IN_THE_FOLDER, ROOMS_OF } from '../rooms/rooms.ts';
import { conditionTable } from './conditions.ts';
import { BOOKS, coverageTable, openTable } from './coverage.ts';
import {
  alarmCodes,
  codeTable,
  eventNames,
  faultTable,
  notDetectedTable,
  withoutCodeTable,
} from './events.ts';
import { sentenceTable, situationTable, undrilledTable, untoldTable } from './faults.ts';
import { glossaryTable } from './glossary.ts';
import { absentTable, betTable, meterTable } from './meters.ts';
import { centreRights, pageRights, rightTable } from './rights.ts';
import { table } from './table.ts';
import { dealerCommands, operatorCommands, queryTable, seatCommands, serviceCommands } from './wire.ts';

export const ROOT = join(import.meta.dirname, '..', '..');

/** The rooms of a folder, with what they may touch. */
const roomTable = (folder: string): string =>
  table(
    ['room', 'what it is', 'may touch'],
    Object.entries(ROOMS_OF[folder]!).map(([name, { is, touches }]) => [
      `\`${name === IN_THE_FOLDER ? `${folder}/` : name}\``,
      is,
      touches.map((other) => `\`${other === IN_THE_FOLDER ? `${folder}/` : other}\``).join(', '),
    ]),
  );

/** What happens in a night, and for how long it may keep the table from playing. */
const incidentTable = (): string =>
  table(
    ['incident', 'the table stands', 'because'],
    Object.entries(INCIDENTS).map(([name, { mayStandMs, because }]) => [
      name,
      mayStandMs === 0 ? 'not at all' : `${mayStandMs / 1000} s at most`,
      because,
    ]),
  );

// ---- options of a regulation ----

const code = (value: OptionValue): string =>
  Array.isArray(value) ? value.map(code).join(', ') || 'none' : `\`${String(value)}\``;
const number = (value: number): string => String(value).replaceAll(/\B(?=(\d{3})+$)/g, ' ');

function legalText(legal: Legal): string {
  switch (legal.kind) {
    case 'one-of':
      return legal.values.map(code).join(', ');
    case 'integer': {
      const steps = legal.multipleOf === undefined ? '' : `, a multiple of ${legal.multipleOf}`;
      return `${number(legal.min)} to ${number(legal.max)}${steps}${legal.nullable ? ', or `null`' : ''}`;
    }
    case 'subset':
      return `${legal.min > 0 ? 'one or more of' : 'any of'} ${code(legal.of)}`;
    case 'fraction':
      return `a fraction from \`${legal.min}\` to \`${legal.max}\`${legal.nullable ? ', or `null`' : ''}`;
    case 'text':
      return legal.meaning;
    case 'object':
      return `an object of the options below${legal.nullable ? ', or `null`' : ''}`;
    case 'list':
      return `a list of ${legal.max === undefined ? `${legal.min} or more` : `${legal.min} to ${legal.max}`} objects of the options below`;
  }
}

/** `art.13.5.2.vi` as it is cited in the ledger; a dash for what no article names. */
const article = (id: string): string => (id === '' ? '–' : `\`${id}\``);

function needsText(spec: OptionSpec): string {
  const { authorisation, memberAuthorisation = {}, waivable } = spec;
  if (authorisation === null) return '–';
  const members = Object.entries(memberAuthorisation).map(([member, under]) => `\`${member}\` \`${under}\``);
  return [waivable ? `to leave it out: \`${authorisation}\`` : `\`${authorisation}\``, ...members].join(', ');
}

/** An option and those inside it, under their whole names. */
const withFields = (spec: OptionSpec, path: string): OptionSpec[] => {
  const { legal } = spec;
  const inside = legal.kind === 'object' || legal.kind === 'list' ? legal.fields : [];
  const id = path + spec.id;
  return [{ ...spec, id }, ...inside.flatMap((field) => withFields(field, `${id}.`))];
};

const defaultText = ({ default: byDefault, defaultIf }: OptionSpec): string =>
  defaultIf === undefined
    ? code(byDefault)
    : `${code(byDefault)}; ${code(defaultIf.value)} where \`${defaultIf.option}\` is ${code(defaultIf.is)}`;

const optionTable = ({ options }: Rulebook): string =>
  table(
    ['option', 'article', 'legal values', 'default', 'prior authorisation'],
    options
      .flatMap((spec) => withFields(spec, ''))
      .map((spec) => [
        `\`${spec.id}\``,
        article(spec.article),
        legalText(spec.legal),
        defaultText(spec),
        needsText(spec),
      ]),
  );

const combinationTable = ({ combinations }: Rulebook): string =>
  table(
    ['option', 'article', 'what must hold'],
    combinations.map(({ option, article: id, message }) => [`\`${option}\``, article(id), message]),
  );

/** Edges of the bets that directors have authorised, by the number of packs art. 1 allows. */
function authorisedTable(): string {
  const DECKS = [6, 7, 8, 9, 10, 11, 12];
  const edges = DECKS.map((decks) => new Map(baccaratFigures(decks).map(({ id, value }) => [id, value])));
  return table(
    ['packs', ...KNOWN_BETS.map(({ id, name }) => `\`${id}\`, ${name.en}`)],
    DECKS.map((decks, at) => [
      String(decks),
      ...KNOWN_BETS.map(({ id }) => {
        const edge = Number(edges[at]!.get(`baccarat-${decks}d-${id}-he`));
        return `${(100 * edge).toFixed(4)} %`;
      }),
    ]),
  );
}

// ---- licences ----

interface LockEntry {
  readonly version?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly optional?: boolean;
}

const readJson = <T>(path: string): T => JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as T;

interface Package {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  readonly optional: boolean;
}

/**
 * What `npm ci --ignore-scripts --omit=dev` may lay out on any machine, from the lock file alone.
 */
function runtimePackages(): Package[] {
  const { packages } = readJson<{ packages: Record<string, LockEntry> }>('package-lock.json');
  return Object.entries(packages)
    .filter(([path, entry]) => path !== '' && !entry.dev && !entry.devOptional)
    .map(([path, entry]) => ({
      name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version: entry.version ?? '',
      licence: entry.license ?? 'NOT NAMED',
      optional: entry.optional === true,
    }))
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

function directPackages(): string {
  const { dependencies, optionalDependencies } = readJson<{
    dependencies: Record<string, string>;
    optionalDependencies: Record<string, string>;
  }>('package.json');
  const direct = new Set([...Object.keys(dependencies), ...Object.keys(optionalDependencies)]);
  return table(
    ['package', 'version', 'licence'],
    runtimePackages()
      .filter(({ name }) => direct.has(name))
      .map(({ name, version, licence }) => [`\`${name}\``, version, licence]),
  );
}

function allPackages(): string {
  const byLicence = new Map<string, Package[]>();
  for (const each of runtimePackages())
    byLicence.set(each.licence, [...(byLicence.get(each.licence) ?? []), each]);
  return [...byLicence]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([licence, packages]) => {
      const names = packages.map(({ name, version, optional }) => `${name} ${version}${optional ? '*' : ''}`);
      return `**${licence}** (${packages.length}): ${names.join(', ')}.`;
    })
    .join('\n\n');
}

// ---- words of the dealer ----

interface Words {
  readonly step: Readonly<Record<string, string>>;
  readonly confirm: Readonly<Record<string, string>>;
  readonly option: Readonly<Record<string, string>>;
  readonly hold: Readonly<Record<string, string>>;
}

/** One row per text of the group, as the kiosk shows it: English, Chinese, Portuguese. */
function wordTable(group: keyof Words, without: readonly string[] = []): string {
  const [zh, pt, en] = ['zh-Hant', 'pt', 'en'].map(
    (language) => readJson<Words>(`locales/${language}/table.json`)[group],
  ) as [Words[typeof group], Words[typeof group], Words[typeof group]];
  const text = (raw: string | undefined): string =>
    (raw ?? '').replaceAll(/\{\{(\w+)(?:, \w+)?\}\}/g, (_, name: string) => `*${name}*`);
  return table(
    ['', '中文', 'Português'],
    Object.keys(en)
      .filter((key) => !without.includes(key))
      .map((key) => [text(en[key]), text(zh[key]), text(pt[key])]),
  );
}

// ---- documents ----

export interface Part {
  readonly document: string;
  readonly name: string;
  readonly make: () => string;
}

export const PARTS: readonly Part[] = [
  { document: 'docs/operations/simulation-script.md', name: 'incidents', make: incidentTable },
  {
    document: 'docs/regulations/macau-56-2004.md',
    name: 'options',
    make: () => optionTable(MACAU_56_2004),
  },
  {
    document: 'docs/regulations/macau-56-2004.md',
    name: 'combinations',
    make: () => combinationTable(MACAU_56_2004),
  },
  {
    document: 'docs/regulations/macau-57-2009.md',
    name: 'options',
    make: () => optionTable(MACAU_57_2009),
  },
  {
    document: 'docs/regulations/macau-57-2009.md',
    name: 'combinations',
    make: () => combinationTable(MACAU_57_2009),
  },
  {
    document: 'docs/regulations/macau-bacara.md',
    name: 'options',
    make: () => optionTable(MACAU_BACARA),
  },
  {
    document: 'docs/regulations/macau-bacara.md',
    name: 'combinations',
    make: () => combinationTable(MACAU_BACARA),
  },
  { document: 'docs/regulations/macau-bacara.md', name: 'authorised bets', make: authorisedTable },
  {
    document: 'docs/regulations/macau-desafio-ao-casino.md',
    name: 'options',
    make: () => optionTable(DESAFIO_AO_CASINO),
  },
  {
    document: 'docs/regulations/macau-desafio-ao-casino.md',
    name: 'combinations',
    make: () => combinationTable(DESAFIO_AO_CASINO),
  },
  {
    document: 'docs/regulations/portugal-21.md',
    name: 'options',
    make: () => optionTable(rulebookOf('portugal-blackjack')!),
  },
  {
    document: 'docs/regulations/portugal-21.md',
    name: 'combinations',
    make: () => combinationTable(rulebookOf('portugal-blackjack')!),
  },
  { document: 'docs/regulations/coverage.md', name: 'open', make: openTable },
  ...BOOKS.map(({ id }) => ({
    document: 'docs/regulations/coverage.md',
    name: id,
    make: () => coverageTable(id),
  })),
  { document: 'docs/regulations/conditions.md', name: 'conditions', make: conditionTable },
  { document: 'docs/operations/dealer.md', name: 'steps', make: () => wordTable('step') },
  { document: 'docs/operations/dealer.md', name: 'buttons', make: () => wordTable('confirm') },
  { document: 'docs/operations/dealer.md', name: 'options-of-dealer', make: () => wordTable('option') },
  { document: 'docs/operations/dealer.md', name: 'holds', make: () => wordTable('hold', ['title', 'safe']) },
  { document: 'docs/glossary.md', name: 'terms', make: glossaryTable },
  { document: 'docs/architecture.md', name: 'rooms of the host', make: () => roomTable('host') },
  { document: 'docs/architecture.md', name: 'rooms of the renderer', make: () => roomTable('renderer') },
  { document: 'docs/events.md', name: 'codes', make: codeTable },
  { document: 'docs/events.md', name: 'not-detected', make: notDetectedTable },
  { document: 'docs/events.md', name: 'without-code', make: withoutCodeTable },
  { document: 'docs/events.md', name: 'faults', make: faultTable },
  { document: 'docs/operations/faults.md', name: 'situations', make: situationTable },
  { document: 'docs/operations/faults.md', name: 'untold', make: untoldTable },
  { document: 'docs/operations/faults.md', name: 'sentences', make: sentenceTable },
  { document: 'docs/operations/technician.md', name: 'undrilled faults', make: undrilledTable },
  { document: 'docs/operations/rights.md', name: 'rights', make: rightTable },
  { document: 'docs/operations/rights.md', name: 'pages', make: pageRights },
  { document: 'docs/operations/centre.md', name: 'rights of the centre', make: centreRights },
  { document: 'docs/meters.md', name: 'meters', make: meterTable },
  { document: 'docs/meters.md', name: 'bets', make: betTable },
  { document: 'docs/meters.md', name: 'absent', make: absentTable },
  { document: 'docs/wire.md', name: 'seat commands', make: seatCommands },
  { document: 'docs/wire.md', name: 'dealer commands', make: dealerCommands },
  { document: 'docs/wire.md', name: 'service commands', make: serviceCommands },
  { document: 'docs/wire.md', name: 'operator commands', make: operatorCommands },
  { document: 'docs/wire.md', name: 'queries', make: queryTable },
  { document: 'docs/third-party.md', name: 'direct', make: directPackages },
  { document: 'docs/third-party.md', name: 'all', make: allPackages },
];

/** Files that are made as a whole: their path and what makes them. */
export const WHOLE_FILES: readonly { readonly path: string; readonly make: () => string }[] = [
  ...(['zh-Hant', 'pt', 'en'] as const).map((language) => ({
    path: `locales/${language}/events.json`,
    make: () => eventNames(language),
  })),
  { path: 'upstream/alarm-codes.json', make: alarmCodes },
];

/** Text of the document with the part replaced. Throws when the document has no place for it. */
export function withPart(text: string, { document, name, make }: Part): string {
  const begin = `<!-- made: ${name} -->\n`;
  const end = `\n<!-- end: ${name} -->`;
  const from = text.indexOf(begin);
  const to = text.indexOf(end, from);
  if (from < 0 || to < 0) throw new Error(`${document} has no place for the part '${name}'`);
  return `${text.slice(0, from + begin.length)}\n${make()}\n${text.slice(to)}`;
}

if (import.meta.main) {
  argumentsOf({});
  for (const part of PARTS) {
    const path = join(ROOT, part.document);
    const text = readFileSync(path, 'utf8');
    const fresh = withPart(text, part);
    if (fresh === text) continue;
    writeFileSync(path, fresh);
    console.log(`${part.document}: ${part.name} written`);
  }
  for (const { path, make } of WHOLE_FILES) writeFileSync(join(ROOT, path), make());
}
