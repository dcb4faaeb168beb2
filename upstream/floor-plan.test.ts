import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { faultOf, floorClock, moneyText } from './floor-figures.ts';
import { NO_PLAN, paceOf, placed, readFloorPlan } from './floor-plan.ts';
import { LANGUAGES } from './floor-table.ts';
import { FLOOR_WORDS } from './floor-words.ts';

const root = mkdtempSync(join(tmpdir(), 'banca-plan-'));
after(() => rmSync(root, { recursive: true }));
const path = join(root, 'floor.json');
const read = (plan: unknown) => {
  writeFileSync(path, typeof plan === 'string' ? plan : JSON.stringify(plan));
  return readFloorPlan(path);
};

test('a plan says where tables stand; what it does not name stands last', () => {
  const plan = read({
    timeZone: 'Asia/Macau',
    zones: [
      { name: 'Lotus', tables: ['BJ-02', 'BJ-01'] },
      { name: { 'zh-Hant': '貴賓廳', pt: 'VIP', en: 'High limit' }, tables: ['BA-9'], pace: { least: 10 } },
    ],
    pace: { minutes: 15, least: 20, most: 90 },
  });
  assert.deepEqual(
    placed(plan, ['A', 'BJ-01', 'BJ-02']).map(({ tables }) => tables),
    [['BJ-02', 'BJ-01'], [], ['A']],
  );
  assert.deepEqual(paceOf(plan, 'BJ-01'), { minutes: 15, least: 20, most: 90 });
  assert.deepEqual(paceOf(plan, 'BA-9'), { minutes: 30, least: 10, most: null });
  assert.deepEqual(placed(NO_PLAN, ['A']), [{ name: null, tables: ['A'] }]);
  assert.deepEqual(read({}), NO_PLAN);
});

test('what is wrong in a plan is named with its place', () => {
  for (const [plan, complaint] of [
    ['{', /floor\.json: .*JSON/],
    [{ timeZone: 'Macau' }, /plan\.timeZone is no time zone/],
    [{ zones: [{ name: '', tables: [] }] }, /plan\.zones\[0\]\.name/],
    [{ zones: [{ name: 'a', tables: ['x y'] }] }, /plan\.zones\[0\]\.tables\[0\] must match/],
    [
      {
        zones: [
          { name: 'a', tables: ['x'] },
          { name: 'b', tables: ['x'] },
        ],
      },
      /plan\.zones\[1\]\.tables\[0\] x stands in two/,
    ],
    [{ pace: { least: 9, most: 8 } }, /plan\.pace\.least is more than/],
    [{ pace: { minutes: 7 } }, /plan\.pace\.minutes/],
    [{ zone: [] }, /plan .*zone/],
  ] as const)
    assert.throws(() => read(plan), complaint, JSON.stringify(plan));
  assert.throws(() => readFloorPlan(join(root, 'none')), /ENOENT/);
});

test('every language has words of its own for everything on the board', () => {
  const told = (words: unknown, name = ''): [string, string][] =>
    typeof words === 'function'
      ? [[name, String((words as (...args: unknown[]) => unknown)(3, 41, 'x'))]]
      : typeof words === 'object' && words !== null
        ? Object.entries(words).flatMap(([member, each]) => told(each, `${name}.${member}`))
        : [[name, String(words)]];
  const [first, ...others] = LANGUAGES.map((language) => new Map(told(FLOOR_WORDS[language])));
  for (const words of others) {
    assert.deepEqual([...words.keys()], [...first!.keys()]);
    for (const [name, word] of words) {
      if (name !== '.gap') assert.notEqual(word, '', name);
      const isNumbers = ['.gap', '.stop', '.comma', '.devices.ups', '.games.blackjack'].includes(name);
      if (!isNumbers) assert.notEqual(word, first!.get(name), name);
    }
  }
});

test('faults have the names and levels of the terminals, and one of a later version is a fault', () => {
  assert.equal(faultOf('acceptor-jammed').name?.pt, 'Nota encravada');
  assert.equal(faultOf('acceptor-jammed').level, 'M');
  assert.equal(faultOf('ups-battery-old').level, 'N');
  for (const fault of ['of-a-later-version', 'constructor', '__proto__'])
    assert.deepEqual(faultOf(fault), { name: null, level: 'M' }, fault);
});

test('times are those of the house, of 24 hours, and amounts as each language writes them', () => {
  const atMs = Date.UTC(2026, 10, 26, 16, 5, 9);
  for (const lang of LANGUAGES) {
    const clock = floorClock('Asia/Macau', lang);
    assert.equal(clock.minute(atMs), '00:05', lang);
    assert.equal(clock.at(atMs, atMs + 3_600_000), '00:05', lang);
    assert.match(clock.at(atMs, atMs + 86_400_000), /^(?:27\/11|11\/27|11月27日) 00:05$/, lang);
  }
  assert.equal(moneyText(2_450_005, 'MOP', 'en'), '24,500.05 MOP');
  assert.equal(moneyText(2_450_005, 'MOP', 'pt'), '24\u00a0500,05 MOP');
  assert.equal(moneyText(7, 'EUR', 'zh-Hant'), '0.07 EUR');
});
