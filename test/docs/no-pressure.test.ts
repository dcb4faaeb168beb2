/**
 * K5: what this table does not do to its players, rule by rule, each with what would show that it
 * does. A rule stands in the list, or it is none.
 */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { nextStep } from '../../engine/engine.ts';
import { soundsOf } from '../../renderer/sound/announce.ts';
import { COMMAND_ROWS } from '../../wire/commands.ts';
import { line, makeView, midShoe, player, result, round } from '../fixtures/view-kit.ts';
import { TestTable } from '../support/table-kit.ts';

const ROOT = join(import.meta.dirname, '..', '..');
/** What players read: the table, the cloth, the rules. */
const READ_BY_PLAYERS = ['table', 'felt', 'rules', 'portugal'];

/** Words that hurry, that tempt, and that call a loss nearly a win. */
const HURRY =
  /!|！|\b(?:hurry|quick(?:ly)? now|don.t miss|last chance|act now|limited time|depressa|apresse-se|não perca|última oportunidade|aproveite|só hoje)\b|快啲|趕快|把握機會|最後機會|不要錯過|限時優惠/i;
const TEMPT =
  /\b(?:so close|almost won|nearly won|near miss|due to win|lucky streak|double your|win big|feeling lucky|quase ganhou|por pouco|está com sorte|recupere)\b|差一點|就差|幾乎贏|手氣|翻本|贏大錢/i;

const textsOf = (value: unknown, path = ''): [path: string, text: string][] =>
  typeof value === 'string'
    ? [[path, value]]
    : Object.entries(value as object).flatMap(([key, inner]) => textsOf(inner, `${path}.${key}`));

/** Texts of players in the three languages that one of these finds. */
function pressing(pattern: RegExp, changed: Readonly<Record<string, string>> = {}): string[] {
  return globSync('locales/*/*.json', { cwd: ROOT })
    .filter((path) => READ_BY_PLAYERS.some((name) => path.endsWith(`/${name}.json`)))
    .flatMap((path) =>
      textsOf(JSON.parse(readFileSync(join(ROOT, path), 'utf8'))).map(
        ([key, text]) => [`${path}${key}`, changed[`${path}${key}`] ?? text] as const,
      ),
    )
    .filter(([, text]) => pattern.test(text))
    .map(([key, text]) => `${key}: ${text}`);
}

/** A table on which seat 1 has played a round to its end. */
function played(): TestTable {
  const table = TestTable.ready();
  table.bets({ 1: 10_000 });
  table.draw('TS 9H 8D');
  table.wait();
  table.act(1, 'stand');
  table.draw('TC');
  table.wait();
  table.must({ type: 'close-round' });
  return table;
}
const DAY_MS = 24 * 3_600_000;

const RULES: Readonly<Record<string, () => void>> = {
  'a round that has not won on the whole is not celebrated, whatever one of its bets has won': () => {
    const before = makeView({
      phase: 'bank',
      round: round(),
      shoe: midShoe(),
      seats: [player(1, 1_000, null)],
    });
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -500, max: 500 }), { minLength: 1, maxLength: 6 }), (nets) => {
        const lines = nets.map((net) => line(1, net > 0 ? 'win' : 'lose', 100, net, [1, 1], []));
        const after = {
          ...before,
          phase: 'settled' as const,
          seats: [player(1, 1_000, null, { result: result(lines) })],
        };
        const isHeard = soundsOf(before, after).some(
          (sound) => sound.kind === 'effect' && sound.effect === 'win',
        );
        assert.equal(isHeard, nets.reduce((sum, net) => sum + net, 0) > 0, JSON.stringify(nets));
      }),
    );
  },
  'no round begins by itself, however long nobody touches anything': () => {
    const table = played();
    assert.equal(table.state.deadline, null, 'no time runs between two rounds');
    for (const atMs of [table.atMs + 1, table.atMs + DAY_MS])
      assert.equal(table.try({ type: 'reach-deadline', atMs })?.code, 'not-due');
    assert.equal(table.state.phase, 'idle');
    assert.equal(nextStep(table.state).step, 'open-betting', 'the dealer opens it');
    const opens = COMMAND_ROWS.filter(({ name }) => /open-betting|demo-round/.test(name));
    for (const { name, from } of opens) assert.ok(from.includes('dealer') && !from.includes('seat'), name);
  },
  'no bet is laid again without a touch of its player': () => {
    const table = played();
    table.open();
    assert.deepEqual(table.state.round!.bets, []);
    table.bet(1, 10_000);
    assert.equal(table.state.round!.bets.length, 1, 'with a touch it is');
  },
  'who does not decide in time stands, and pays nothing more': () => {
    const table = TestTable.ready();
    table.bets({ 1: 10_000 });
    table.draw('5S 9H 6D');
    table.wait();
    const { creditMinor } = table.state.seats[0]!;
    const atMs = table.state.deadline!.atMs;
    table.must({ type: 'reach-deadline', atMs });
    assert.equal(table.state.seats[0]!.creditMinor, creditMinor);
    assert.equal(table.state.round!.seats[0]!.hands[0]!.status, 'stood');
  },
  'a result lies until it could be read': () => {
    const table = TestTable.ready();
    table.bets({ 1: 10_000 });
    table.draw('TS 9H 8D');
    table.wait();
    table.act(1, 'stand');
    table.draw('TC');
    assert.equal(table.try({ type: 'close-round' })?.code, 'not-due');
  },
  'nothing plays for a player: who plays by itself is a simulator': () => {
    for (const { name, from } of COMMAND_ROWS)
      if (/auto/.test(name)) assert.deepEqual([...from], ['operator'], name);
  },
  'no text hurries': () => assert.deepEqual(pressing(HURRY), []),
  'no text tempts, and none calls a loss nearly a win': () => assert.deepEqual(pressing(TEMPT), []),
};

for (const [rule, holds] of Object.entries(RULES)) test(`K5: ${rule}`, holds);

test('K5: a text that hurries or tempts is found in each language', () => {
  const planted = {
    'locales/en/table.json.veil.starting': 'Hurry',
    'locales/pt/table.json.veil.starting': 'Por pouco',
    'locales/zh-Hant/table.json.veil.starting': '把握機會',
  };
  assert.equal(pressing(HURRY, planted).length, 2);
  assert.equal(pressing(TEMPT, planted).length, 1);
});
