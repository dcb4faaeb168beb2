import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { cannotRun, here, json, profile, root } from '../test/kits/cli.ts';
import { posterPage } from './poster.ts';

test('every rulebook is printed in every language, with article numbers, no line wider than the page', async () => {
  for (const [rulebook, article] of [
    ['macau-blackjack-2004', /\[artigo 17\.º, alínea 1\)\]/],
    ['macau-blackjack-2009', /\[artigo 17\.º, n\.º 1, alínea 1\)\]/],
    ['portugal-blackjack', /\[regra 29\]/],
    ['macau-baccarat', /Banqueiro \(«banker»\): 1 para 1, menos 5%\n {4}\[artigo 18\.º, n\.º 1\]/],
    ['macau-casino-war', /10 para 1\n {4}\[artigo 7\.º, n\.º 3\]/],
  ] as const) {
    for (const language of ['zh-Hant', 'pt', 'en']) {
      const { status, stdout, stderr } = await here(['rules', rulebook, '--lang', language]);
      assert.equal(status, 0, stderr);
      assert.ok(stdout.split('\n').length > 80, stdout);
      for (const line of stdout.split('\n')) assert.ok(line.length <= 96, line);
      if (language === 'pt') assert.match(stdout, article);
    }
  }
});

test('--on says which wording is played, what the day has otherwise, and where each diploma was seen', async () => {
  const on = async (day: string, ...more: string[]): Promise<string> => {
    const args = ['rules', 'macau-blackjack-2004', '--lang', 'en', '--on', day, ...more];
    const { status, stdout, stderr } = await here(args);
    assert.equal(status, 0, stderr);
    return stdout.replaceAll(/\n */g, ' ');
  };
  assert.match(await on('2006-01-01'), /without Despacho 42\/2007.* no change was known .*not in the text/);
  assert.match(await on('2008-01-01'), /On January 1, 2008 the rules had changes .*: 42\/2007\./);
  const today = await on('2026-11-24');
  assert.match(today, /another regulation had taken the place of these rules: 57\/2009/);
  assert.match(today, /Changes after April 2018 were not looked for/);
  assert.match(
    today,
    /42\/2007 \(March 5, 2007\): changes 6, 13, 16, 17, 21; .*; seen in part in an official/,
  );
  const { verdict, sources } = JSON.parse(await on('2008-01-01', '--json')) as Record<string, unknown[]>;
  assert.equal(verdict?.length, 1);
  assert.ok(sources);
  const page = await here(['rules', 'portugal-blackjack', '--lang', 'pt']);
  assert.match(page.stdout.replaceAll('\n', ' '), /Portaria n\.º 817\/2005 ou a da n\.º 217\/2007/);
  await cannotRun(['rules', 'macau-baccarat', '--on', '2006-02-30'], /--on 2006-02-30: no day as in/);
});

test('options are those of the command line or of a terminal file', async () => {
  const chosen = await here(['rules', 'macau-blackjack-2009', '--lang', 'en', '--options', '{"decks":8}']);
  assert.match(chosen.stdout, /^ {2}Number of decks: 8\n {4}\[chosen by the house \(default: 6\) · needs/m);
  const table = await here(['rules', 'macau-blackjack-2009', '--lang', 'en', '--profile', profile]);
  assert.equal(table.status, 0, table.stderr);
  assert.match(table.stdout, /^Bets from MOP [\d,]+ to MOP [\d,]+$/m);
});

test('a table file is printed too, and its choices need their authorisations', async () => {
  const path = join(root, 'table.json');
  const write = (authorisations: object[]): void =>
    writeFileSync(
      path,
      JSON.stringify({
        tableName: 'Two',
        rulebook: 'macau-blackjack-2009',
        options: { dealing: 'holeCard', sideBets: ['anyPair', 'sevens', 'over13', 'under13', 'streak2'] },
        authorisations,
      }),
    );
  const record = { options: ['dealing'], by: 'DICJ', reference: '7/2026', requestedOn: '2026-01-05' };
  write([{ ...record, effectiveOn: '2026-01-08' }]);
  const args = ['rules', 'macau-blackjack-2009', '--lang', 'en', '--profile', path];
  const refused = await here(args);
  assert.deepEqual([refused.status, refused.stdout], [1, '']);
  assert.match(
    refused.stderr,
    /dealing \(art\.21\.1\): asked for 2 working days .*; sideBets\.streak2 \(art\.21\.3\): no record/,
  );
  write([{ ...record, options: ['dealing', 'sideBets'], effectiveOn: '2026-01-09' }]);
  const { status, stdout, stderr } = await here(args);
  assert.equal(status, 0, stderr);
  assert.match(stdout, /needs prior authorisation: Articles? 21\(1\)/);
});

test('--json is the page as data and in words', async () => {
  const { status, rulebook, language, sections, page } = await json(
    'rules',
    'macau-casino-war',
    '--lang',
    'pt',
  );
  assert.deepEqual([status, rulebook, language], [0, 'macau-casino-war', 'pt']);
  const ids = (list: unknown): string[] => (list as { id: string }[]).map(({ id }) => id);
  assert.deepEqual(ids(sections), ['game', 'cards', 'bets', 'deal', 'play', 'payoffs', 'errors', 'options']);
  assert.deepEqual(ids((page as { sections: unknown }).sections), ids(sections));
});

test('illegal options are named with their articles and exit 1', async () => {
  const options = '{"sideBets":["perfect"],"maxHands":2,"nothing":1}';
  const { status, stdout, stderr } = await here(['rules', 'macau-blackjack-2009', '--options', options]);
  assert.deepEqual([status, stdout], [1, '']);
  assert.match(stderr, /sideBets \(art\.13\): .*; maxHands \(art\.16\.1\): /);
  assert.match(stderr, /nothing: unknown option/);
});

test('what it cannot be asked for it says in one sentence', async () => {
  await cannotRun(['rules'], /RULEBOOK is missing/);
  await cannotRun(['rules', 'poker'], /there is no rulebook 'poker'; there are macau-blackjack-2004,/);
  await cannotRun(['rules', 'macau-baccarat', '--lang', 'fr'], /--lang fr: zh-Hant, pt, en/);
  await cannotRun(['rules', 'macau-baccarat', '--options', '{'], /--options is no JSON/);
  await cannotRun(['rules', 'macau-baccarat', '--options', '[]'], /--options must be an object/);
  await cannotRun(['rules', 'macau-baccarat', '--profile', profile], /is of macau-blackjack-2009, not of/);
  await cannotRun(['rules', 'macau-baccarat', '--profile', join(root, 'none.json')], /none\.json/);
  const broken = join(root, 'broken.json');
  writeFileSync(broken, '{"profile":{}}');
  await cannotRun(['rules', 'macau-baccarat', '--profile', broken], /broken\.json: profile\.terminalId/);
});

test('a poster has the rules in Chinese and Portuguese with all their letters, and edges for staff alone', async () => {
  const path = join(root, 'poster.html');
  const table = join(import.meta.dirname, '../host/profiles/tables/baccarat-no-commission.json');
  const poster = async (...more: string[]): Promise<string> => {
    const argv = ['rules', 'macau-baccarat', '--profile', table, '--poster', path, ...more];
    const { status, stdout, stderr } = await here(argv);
    assert.deepEqual([status, stdout], [0, ''], stderr);
    return readFileSync(path, 'utf8');
  };
  const forPlayers = await poster();
  for (const text of ['百家樂', 'Bacará', 'DEMONSTRATION 4', 'size: A3'])
    assert.ok(forPlayers.includes(text), text);
  assert.doesNotMatch(forPlayers, /https?:|Vantagem da casa/, 'nothing from outside, no edge');
  const faces = [...forPlayers.matchAll(/@font-face\{[^}]*unicode-range:([^;}]*)/g)].map(
    ([, range]) => range!,
  );
  assert.ok(faces.join().toUpperCase().includes('U+767E'), 'the first letter of the title');
  const forStaff = await poster('--staff');
  assert.match(forStaff, /Vantagem da casa.*<b>14,3596 %<\/b>/s);
  assert.doesNotMatch(forStaff, /Favorece o jogador/);
  await cannotRun(['rules', 'macau-baccarat', '--staff'], /--staff belongs to --poster/);
  await cannotRun(
    ['rules', 'macau-baccarat', '--poster', join(root, 'no', 'poster.html')],
    /--poster .*no\/poster\.html: ENOENT/,
  );
});

test('a bet that favours the player is marked on the poster of the staff', () => {
  const texts = { title: 'a & b', regulation: '', wording: [], stakes: '', sections: [] };
  const page = (favoursPlayer: boolean): string => {
    const rows = [{ bet: 'Inicial', edge: '-0,13 %', favoursPlayer }];
    const edges = { title: '', about: '', favours: 'Favorece', rows, none: null };
    return posterPage({ table: null, texts: [texts, texts], records: [], edges: [edges, edges] });
  };
  assert.match(page(true), /<strong>Favorece<\/strong>/);
  assert.doesNotMatch(page(false), /<strong>/);
  assert.match(page(false), /a &amp; b/, 'texts are no HTML');
});
