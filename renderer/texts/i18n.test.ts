import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { effect } from '@preact/signals';
import { BET_KINDS, betKind, METERS } from '../../engine/accounting/meter-table.ts';
import { ACTS, EVENT_ROWS } from '../../engine/engine.ts';
import type { Language } from '../../engine/table/inputs.ts';
import { VOID_REASONS } from '../../engine/table/inputs.ts';
import { ID003_FAULTS } from '../../hardware/bill-acceptor/id003/id003-faults.ts';
import { CABINET_FAULTS } from '../../hardware/cabinet/kcb1/kcb1-faults.ts';
import { UPS_FAULTS } from '../../hardware/power/nut-faults.ts';
import { ESCPOS_FAULTS } from '../../hardware/printer/escpos-faults.ts';
import { SHOE_FAULTS } from '../../hardware/shoe/ksp1/ksp1-faults.ts';
import { FAULTS } from '../../wire/faults.ts';
import {
  allLanguages,
  feltText,
  formatMoney,
  formatSigned,
  houseLanguages,
  LANGUAGES,
  LOCALE,
  speakAt,
  tableText,
  textOfCode,
} from './i18n.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

type Tree = { readonly [key: string]: string | Tree };

function flatten(tree: Tree, prefix = ''): Map<string, string> {
  const flat = new Map<string, string>();
  for (const [key, value] of Object.entries(tree)) {
    if (typeof value === 'string') flat.set(prefix + key, value);
    else for (const [inner, text] of flatten(value, `${prefix}${key}.`)) flat.set(inner, text);
  }
  return flat;
}

/** Those of the rules pages have a test of their own for what is used, beside the pages. */
const SPACES = ['table', 'service', 'felt', 'map'];
const textsOf = (language: Language, space: string): Map<string, string> =>
  flatten(JSON.parse(read(`locales/${language}/${space}.json`)) as Tree);
/** Without the form of its number, see `Intl.PluralRules`. */
const nameOf = (key: string): string => key.replace(/_(?:one|many|other)$/, '');
const names = (texts: ReadonlyMap<string, string>): string[] =>
  [...new Set([...texts.keys()].map(nameOf))].sort();
const variablesOf = (text: string): string =>
  [...text.matchAll(/\{\{([^}]+)\}\}/g)]
    .map((match) => match[1]!.replaceAll(' ', ''))
    .sort()
    .join(' ');

test('every text exists in all three languages, is not empty and names the same variables', () => {
  for (const space of [...SPACES, 'rules', 'events']) {
    const chinese = textsOf('zh-Hant', space);
    for (const language of LANGUAGES) {
      const texts = textsOf(language, space);
      assert.deepEqual(names(texts), names(chinese), `${language}/${space}`);
      for (const [key, text] of texts) {
        const said = chinese.get(key) ?? chinese.get(`${nameOf(key)}_other`) ?? '';
        assert.notEqual(text.trim(), '', `${language} ${key}`);
        assert.equal(variablesOf(text), variablesOf(said), `${language} ${key}`);
      }
    }
  }
});

test('what is counted has every form that its language counts with', () => {
  for (const language of LANGUAGES) {
    const { pluralCategories } = new Intl.PluralRules(LOCALE[language]).resolvedOptions();
    for (const space of SPACES) {
      const texts = textsOf(language, space);
      for (const name of names(texts).filter((each) => !texts.has(each)))
        assert.deepEqual(
          [...texts.keys()].filter((key) => nameOf(key) === name).sort(),
          pluralCategories.map((form) => `${name}_${form}`).sort(),
          `${language}/${space}`,
        );
    }
  }
  const points = (language: Language): string[] =>
    [0, 1, 2, 21].map((count) => tableText(language)('wait.points', { points: count, count }));
  assert.deepEqual(points('en'), ['0 points', '1 point', '2 points', '21 points']);
  assert.deepEqual(points('pt'), ['0 pontos', '1 ponto', '2 pontos', '21 pontos']);
  assert.deepEqual(points('zh-Hant'), ['0 點', '1 點', '2 點', '21 點']);
  const seconds = (language: Language): string[] =>
    [1, 2, 1_000_000].map((count) => tableText(language)('speech.seconds', { count }));
  assert.deepEqual(seconds('en'), ['1 second', '2 seconds', '1000000 seconds']);
  assert.deepEqual(seconds('pt'), ['1 segundo', '2 segundos', '1000000 segundos']);
  assert.deepEqual(seconds('zh-Hant'), ['1 秒', '2 秒', '1000000 秒']);
});

test("Portugal's texts are those of the common files that it has other words for", () => {
  for (const language of LANGUAGES) {
    for (const [file, spaces] of [
      ['portugal', ['table', 'felt']],
      ['portugal-service', ['service', 'events', 'map']],
    ] as const) {
      const own = JSON.parse(read(`locales/${language}/${file}.json`)) as Record<string, Tree>;
      assert.deepEqual(Object.keys(own), spaces);
      for (const space of spaces) {
        const common = textsOf(language, space);
        for (const [key, text] of flatten(own[space]!)) {
          assert.equal(variablesOf(text), variablesOf(common.get(key)!), `${language} ${space}:${key}`);
          assert.notEqual(text, common.get(key), `${language} ${space}:${key} is no other word`);
        }
      }
    }
  }
});

test("the words are those of the law at the table, and Portugal's fall back on the common ones", (t) => {
  t.after(() => speakAt('macau-blackjack-2009'));
  const said = (): string[] => [
    tableText('pt')('act.stand'),
    tableText('pt')('act.hit'),
    tableText('pt')('seat.balance'),
    feltText('pt')('source.shoe'),
    textOfCode('table', 'outcome', 'bust', 'pt'),
    tableText('zh-Hant')('act.stand'),
  ];
  speakAt('macau-blackjack-2009');
  assert.deepEqual(said(), ['Prescindir', 'Pedir carta', 'Saldo', '«Shoe»', 'Rebentou', '不博牌']);
  assert.deepEqual(houseLanguages(), ['zh-Hant', 'pt']);
  assert.deepEqual(allLanguages(), ['zh-Hant', 'pt', 'en']);
  speakAt('portugal-blackjack');
  assert.deepEqual(said(), ['Ficar', 'Pedir carta', 'Saldo', 'Sabot', 'Excedeu 21', '不博牌']);
  assert.deepEqual(houseLanguages(), ['pt', 'en']);
  assert.deepEqual(allLanguages(), ['pt', 'en', 'zh-Hant']);
  assert.equal(tableText('pt')('bet.insured', { amount: 150_000 }).replace(/\s/g, ' '), 'Seguro 1 500,00');
});

test('what has shown a text hears of another law', (t) => {
  t.after(() => speakAt('macau-blackjack-2009'));
  speakAt('macau-blackjack-2009');
  let drawn = '';
  const end = effect(() => {
    drawn = `${houseLanguages().join(' ')}: ${tableText('pt')('act.stand')}`;
  });
  t.after(end);
  assert.equal(drawn, 'zh-Hant pt: Prescindir');
  speakAt('portugal-blackjack');
  assert.equal(drawn, 'pt en: Ficar');
});

test('no text is unused', () => {
  const source = globSync('renderer/**/*.{ts,tsx}', { cwd: ROOT })
    .filter((path) => !path.endsWith('.test.ts') && !path.endsWith('.d.ts'))
    .map(read)
    .join('\n');
  const literals = new Set(
    [...source.matchAll(/['"`]([\w-]+(?:\.[\w-]+)+)['"`]/g)].map((match) => match[1]!),
  );
  // A text at the top of a file is known by being asked for: s('exit').
  const asked = new Set([...source.matchAll(/\(\s*'([\w-]+)'/g)].map((match) => match[1]!));
  const groups = [
    // t(`reject.${code}`)
    ...[...source.matchAll(/`([\w-]+(?:\.[\w-]+)*\.)\$\{/g)].map((match) => match[1]!),
    // textOfCode('table', 'outcome', …), code('meter', …)
    ...[...source.matchAll(/\(\s*'(?:table|service|map)',\s*'([\w.-]+)'/g)].map((match) => `${match[1]}.`),
    ...[...source.matchAll(/\b(?:code|tableCode|text)\(\s*'([\w.-]+)'/g)].map((match) => `${match[1]}.`),
  ];
  const unused = SPACES.flatMap((space) =>
    names(textsOf('zh-Hant', space)).filter(
      (key) =>
        !literals.has(key) &&
        !(asked.has(key) && !key.includes('.')) &&
        !groups.some((group) => key.startsWith(group) && !key.slice(group.length).includes('.')),
    ),
  );
  assert.deepEqual(unused, []);
});

/**
 * Members of a union of string literals as they stand in a source file, from `start` to the next
 * semicolon at line end.
 */
function members(path: string, start: string, pattern = /'([a-z][A-Za-z-]*)'/g): string[] {
  const source = read(path);
  const from = source.indexOf(start);
  assert.notEqual(from, -1, `${start} in ${path}`);
  const until = source.slice(from).search(/;\n/);
  const block = source.slice(from + start.length, from + until).replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
  const found = [...block.matchAll(pattern)].map((match) => match[1]!);
  assert.ok(found.length > 1, `${start} in ${path} has members`);
  return [...new Set(found)];
}

function assertCovered(space: string, group: string, codes: readonly string[], exactly: boolean): void {
  const texts = textsOf('zh-Hant', space);
  const there = [...texts.keys()]
    .filter((key) => key.startsWith(`${group}.`))
    .map((key) => key.slice(group.length + 1));
  const missing = codes.filter((code) => !there.includes(code));
  assert.deepEqual(missing, [], `${space}:${group} lacks texts`);
  if (exactly) {
    const surplus = there.filter((code) => !codes.includes(code));
    assert.deepEqual(surplus, [], `${space}:${group} has texts for nothing`);
  }
}

/** Sentences of a step in one of its circumstances. */
const STEP_VARIANTS = [
  'draw-for-hand',
  'draw-hole-card',
  'await-hand',
  'await-decision-by',
  'bet-owed',
  'cut-in-turn',
  'cut-by-supervisor',
  'open-shuffler-technician',
];

test('every reject code, act, hold, void reason, step and option has a text', () => {
  assertCovered('table', 'reject', members('engine/core/result.ts', 'export type RejectCode ='), true);
  assertCovered('table', 'act', ACTS, true);
  assertCovered('table', 'closed', ACTS, true);
  assertCovered('table', 'voidReason', VOID_REASONS, true);
  const holds = members('engine/table/steps.ts', 'readonly code:');
  assertCovered('table', 'hold', [...holds, 'title', 'safe'], true);
  const steps = read('engine/table/steps.ts');
  const stepBlock = steps.slice(
    steps.indexOf('export interface FurtherSteps'),
    steps.indexOf('/** Buttons the dealer'),
  );
  const ofGames = globSync('engine/games/*/parts.ts', { cwd: ROOT }).map(
    (path) => /interface FurtherSteps \{([^}]*)\}/.exec(read(path))?.[1] ?? '',
  );
  const stepCodes = [...[stepBlock, ...ofGames].join('').matchAll(/'([a-z-]+)'/g)].map((match) => match[1]!);
  assert.ok(stepCodes.length > 10);
  assertCovered('table', 'step', [...stepCodes, ...STEP_VARIANTS], true);
  assertCovered('table', 'option', members('engine/table/steps.ts', 'readonly option:'), true);
  assertCovered('service', 'role', members('engine/table/inputs.ts', 'export const ROLES ='), true);
});

test('every event of table and host has a name for the technician', () => {
  const types = (path: string): string[] =>
    [...read(path).matchAll(/readonly type: '([a-z-]+)'/g)].map((match) => match[1]!);
  const codes = [...Object.keys(EVENT_ROWS), ...types('wire/host-events.ts')];
  assert.ok(codes.length > 50);
  assertCovered('table', 'event', codes, true);
});

test('every outcome of a settled line has a word', () => {
  const source = globSync('engine/games/**/*.ts', { cwd: ROOT })
    .filter((path) => !path.endsWith('.test.ts'))
    .map(read)
    .join('\n');
  const pattern =
    /(?:outcome: (?:[^',]*\? )?|\b(?:wins|loses|ties|verdict)\(\s*)'([a-z-]+)'(?: : '([a-z-]+)')?/g;
  const codes = [...source.matchAll(pattern)].flatMap((match) =>
    match.slice(1).filter((code) => code !== undefined),
  );
  assert.ok(codes.length > 8);
  assertCovered('table', 'outcome', [...new Set(codes)], false);
  const texts = [...textsOf('zh-Hant', 'table').keys()].filter((key) => key.startsWith('outcome.'));
  const surplus = texts.filter((key) => !source.includes(`'${key.slice('outcome.'.length)}'`));
  assert.deepEqual(surplus, []);
});

/** What is paid on a bet of another kind, and what no wager is laid for. */
const NO_WAGERS: ReadonlySet<string> = new Set(['even_money', 'special_prize']);
const NO_PAYS: ReadonlySet<string> = new Set(['double', 'split', 'challenge']);

test('every meter, device state, device fault and self-test check has a name', () => {
  const meters = METERS.map(({ code }) => code).filter((code) => !code.includes('<'));
  meters.push('bill_in', 'tilts');
  for (const kind of BET_KINDS) {
    if (!NO_WAGERS.has(kind)) meters.push(`bet_${kind}`);
    if (!NO_PAYS.has(kind)) meters.push(`pay_${kind}`);
  }
  // Every kind of bet is counted under its own name, on the tables that take it.
  const names = [...textsOf('zh-Hant', 'table').keys()].filter((key) => key.startsWith('bet.name.'));
  assert.deepEqual(
    names.filter((key) => !BET_KINDS.has(betKind(key.slice('bet.name.'.length)))),
    [],
  );
  assertCovered('service', 'meter', meters, true);
  const conditions = ['AcceptorState', 'PrinterCondition', 'CabinetCondition', 'PowerCondition'].flatMap(
    (type) => members('hardware/ports.ts', `export type ${type} =`),
  );
  assertCovered('service', 'deviceState', [...new Set(conditions)], true);
  // What a unit says of a refusal, and of what is wrong with it: each word of every bill protocol.
  const said = globSync('hardware/bill-acceptor/*/*.{codec,machine}.ts', { cwd: ROOT }).map(read).join('\n');
  const table = (name: string): string[] =>
    [...said.matchAll(new RegExp(`${name}[^=]*= \\{([^}]*)\\}`, 'g'))].flatMap((rows) =>
      [...rows[1]!.matchAll(/'([a-z0-9-]+)'/g)].map((match) => match[1]!),
    );
  const refusals = [...said.matchAll(/(?:reason: |ESCROW_TIME_OUT = )'([a-z-]+)'/g)].map(
    (match) => match[1]!,
  );
  assert.ok(table('REJECT_REASON').length >= 40 && refusals.length >= 3);
  assertCovered(
    'service',
    'rejection',
    [...new Set([...table('REJECT_REASON'), ...refusals])].filter((code) => code !== 'unknown'),
    true,
  );
  const failures = [...table('FAILURE_CODE'), ...table('const DETAIL')];
  for (const match of said.matchAll(
    /(?:detail: |'(?:failed|paused|initializing|jammed)', )'([a-z-]+)'|\? '(though-open)'/g,
  ))
    failures.push((match[1] ?? match[2])!);
  assert.ok(failures.length > 20);
  for (const one of ['events-lost', 'string-fraud', 'key-not-set', 'though-open'])
    assert.ok(failures.includes(one), one);
  assertCovered('service', 'failure', [...new Set(failures)], true);
  const faults = Object.keys(FAULTS);
  assert.ok(faults.length > 20);
  const shoe = members('hardware/ports.ts', 'export type ShoeFault =').map((fault) => `shoe-${fault}`);
  assert.deepEqual(
    shoe.filter((fault) => !faults.includes(fault)),
    [],
    'every fault a shoe can tell has its row',
  );
  assertCovered('table', 'fault', faults, true);
  assertCovered('service', 'faultText', faults, true);
  assertCovered('map', 'short', faults, true);
  assertCovered(
    'service',
    'level',
    members('wire/faults.ts', 'export type FaultLevel =', /'([A-Z])'/g),
    true,
  );
  const sentences = members('wire/faults.ts', 'export type PlayerSentence =');
  assertCovered('table', 'deviceFault', sentences, true);
  const checks = [...read('host/watches/self-test.ts').matchAll(/check: '([a-z-]+)'/g)].map(
    (match) => match[1]!,
  );
  assertCovered('service', 'check', checks, true);
});

test('every fault that a simulator can be told has its words', () => {
  const lists = [ID003_FAULTS, SHOE_FAULTS, ESCPOS_FAULTS, CABINET_FAULTS, UPS_FAULTS];
  assertCovered('table', 'sim.fault', [...new Set(lists.flat())], true);
});

test('the types of the texts are those of the files (else: i18next-cli types)', () => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(ROOT, 'node_modules/i18next-cli/dist/esm/cli.js'), 'types', '--ci', '--quiet'],
    { cwd: ROOT, encoding: 'utf8' },
  );
  assert.equal(status, 0, stdout + stderr);
});

test('money is a number with two decimals, grouped as the language does', () => {
  assert.equal(formatMoney(225_000, 'zh-Hant'), '2,250.00');
  assert.equal(formatMoney(225_000, 'pt').replace(/\s/g, ' '), '2 250,00');
  assert.equal(formatMoney(7_100_000_05, 'en'), '7,100,000.05');
  assert.equal(formatSigned(-60_000, 'zh-Hant'), '−600.00');
  assert.equal(formatSigned(60_000, 'zh-Hant'), '+600.00');
  assert.equal(formatSigned(0, 'zh-Hant'), '0.00');
  assert.equal(tableText('pt')('bet.insured', { amount: 15_000 }), 'Seguro 150,00');
});

test('a code without a text shows itself', () => {
  assert.equal(textOfCode('table', 'event', 'card-dealt', 'en'), 'Card dealt');
  assert.equal(textOfCode('table', 'event', 'never-heard-of', 'en'), 'never-heard-of');
});
