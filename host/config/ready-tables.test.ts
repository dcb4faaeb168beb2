import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { checkProfile } from '../../engine/engine.ts';
import { problemsOf, readTables, sentenceOf } from './ready-tables.ts';
import { readTerminalFile } from './terminal-file.ts';

const DEMO = fileURLToPath(new URL('../profiles/demo.json', import.meta.url));
const { profile: OWN } = readTerminalFile(DEMO);
const TODAY = Date.parse('2026-05-04T12:00:00+08:00');

test('the demonstration is ready for every system, and every choice in it has its record', () => {
  const tables = readTables(DEMO, OWN, null);
  for (const table of tables) assert.deepEqual(problemsOf(table, TODAY), [], table.path);
  const played = tables.map(({ name, profile }) => {
    const checked = checkProfile(profile!, TODAY);
    const rules = (checked.ok ? checked.rules : {}) as Readonly<Record<string, unknown>>;
    const shown = ['dealing', 'cardSource', 'commission'].map((option) => rules[option]).filter(Boolean);
    return [name, profile!.rulebook, ...shown, ...(rules['jackpot'] ? ['jackpot'] : [])].join(' ');
  });
  assert.deepEqual(played, [
    'baccarat-five-percent macau-baccarat shoe five-percent',
    'baccarat-lucky-7 macau-baccarat shoe five-percent',
    'baccarat-no-commission macau-baccarat shoe none-banker-six-half',
    'casino-war macau-casino-war shoe',
    'macau-2004 macau-blackjack-2004 faceDown shoe',
    'macau-2009-hole-card macau-blackjack-2009 holeCard shoe',
    'macau-2009 macau-blackjack-2009 faceUp shoe',
    'portugal-jackpot portugal-blackjack holeCard continuousShuffler jackpot',
    'portugal portugal-blackjack holeCard shoe',
  ]);
  // Records of a demonstration must not look like anything else.
  for (const { profile } of tables)
    for (const { by, reference } of profile?.authorisations ?? [])
      assert.match(by + reference, /demonstration.*DEMO/);
});

test('a file that cannot be used is listed with its places and articles, and stops no other', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'banca-tables-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const write = (name: string, content: unknown): void =>
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  const game = { tableName: 'X', rulebook: 'macau-casino-war', options: {} };
  write('good.json', game);
  write('own-chips.json', { ...game, chipsMinor: [1_000, 2_000] });
  write('no-json.json', '{');
  write('no-game.json', { tableName: 'X', chipsMinor: [2_000, 1_000], colour: 'red' });
  write('falling.json', { ...game, chipsMinor: [2_000, 1_000] });
  write('seats.json', { ...game, seatCount: 9 });
  write('illegal.json', { ...game, options: { step: 3, decks: 13 } });
  write('unasked.json', {
    ...game,
    rulebook: 'macau-baccarat',
    options: { commission: 'none-banker-six-half' },
  });
  write('Wrong Name.json', game);
  write('terminal.json', game);
  write('readme.txt', 'no table');
  const told = Object.fromEntries(
    readTables(DEMO, OWN, folder).map((table) => [
      table.name,
      problemsOf(table, TODAY).map(sentenceOf).join('; '),
    ]),
  );
  const NAME =
    "file: a name is lower-case letters, digits and hyphens, at most 40, and not 'terminal' or 'centre'";
  const { 'no-json': noJson, 'no-game': noGame, ...rest } = told;
  assert.match(noJson!, /^file: .*JSON/);
  assert.match(noGame!, /rulebook: .*; options: .*colour/);
  assert.deepEqual(rest, {
    terminal: NAME,
    'Wrong Name': NAME,
    falling: 'chipsMinor: must ascend',
    good: '',
    illegal:
      'decks (art.1.1): 13 is not an integer 1..12; step: 3 is not an integer 2..1000000000000 in steps of 2',
    'own-chips': '',
    seats: 'file: Unrecognized key: "seatCount"',
    unasked: 'commission (art.19): no record of an authorisation',
  });
});

test('what a table file leaves out is as in the terminal file, but no authorisation of another table', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'banca-tables-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const game = { tableName: 'X', rulebook: 'macau-casino-war', options: {} };
  writeFileSync(join(folder, 'war.json'), JSON.stringify({ ...game, maxCreditMinor: 7_000 }));
  const record = {
    options: ['decks'],
    by: 'DICJ',
    reference: '1',
    requestedOn: '2026-01-05',
    effectiveOn: '2026-01-12',
  };
  const own = { ...OWN, authorisations: [record] };
  const [first, war] = readTables(DEMO, own, folder);
  assert.deepEqual([first?.name, first?.profile], ['terminal', own]);
  assert.deepEqual(war?.profile, { ...OWN, ...game, maxCreditMinor: 7_000 });
});

test('a folder that was named must be there; the one beside the terminal file need not', () => {
  assert.throws(() => readTables(DEMO, OWN, '/nowhere/at/all'), /ENOENT/);
  assert.deepEqual(
    readTables('/nowhere/at/all/terminal.json', OWN, null).map(({ name }) => name),
    ['terminal'],
  );
});
