import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { amountsReckoned } from './amounts.ts';
import { circlesIn } from './circles.ts';
import type { SourceFile } from './plan.ts';
import { inspect } from './plan.ts';
import { IN_THE_FOLDER, ROOMS_OF } from './rooms.ts';

const listed = execFileSync(
  'git',
  ['ls-files', '-co', '--exclude-standard', '*.ts', '*.tsx', '*.mjs', '*.cjs'],
  {
    encoding: 'utf8',
  },
);
const sources: SourceFile[] = listed
  .split('\n')
  .filter((path) => path !== '' && !path.startsWith('test/rooms/') && existsSync(path))
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }));

test('the rooms import only what the plan allows, and no banned word stands anywhere', () => {
  assert.ok(sources.length > 50);
  const found = inspect(sources).map(({ path, line, rule }) => `${path}:${line}: ${rule}`);
  assert.deepEqual(found, []);
});

test('a planted violation is found, in every room and of every kind', () => {
  const planted: [string, string][] = [
    ['engine/core/a.ts', "import { x } from '../../hardware/ports.ts';"],
    ['engine/core/a.ts', "import { readFileSync } from 'node:fs';"],
    ['engine/core/a.ts', "import { z } from 'zod';"],
    ['engine/core/a.ts', 'const now = Date.now();'],
    ['engine/core/a.ts', 'const luck = Math.random();'],
    ['hardware/a.ts', "import type { Card } from '../engine/core/cards.ts';"],
    ['engine/core/a.ts', "import { read } from '../../reader/read.ts';"],
    ['reader/a.ts', "import type { Card } from '../engine/core/cards.ts';"],
    ['reader/a.ts', "import type { ReadAccount } from '../wire/host-events.ts';"],
    ['host/table/a.ts', "import { read } from '../../reader/read.ts';"],
    ['hardware/a.ts', 'const payout = 3;'],
    ['ledger/a.ts', "import { minor } from '../engine/core/money.ts';"],
    ['host/a.ts', "import { app } from 'electron';"],
    ['host/a.ts', "export * from '../renderer/app.tsx';"],
    ['renderer/a.ts', "import { command } from '../wire/commands.ts';"],
    ['wire/a.ts', "import type { Terminal } from '../host/table/terminal.ts';"],
    ['cli/a.ts', "import type { Terminal } from '../host/table/terminal.ts';"],
    ['cli/a.ts', "import { readGame, type GameOfTable } from '../host/config/terminal-file.ts';"],
    ['renderer/a.ts', "import type { People } from '../host/config/people.ts';"],
    ['renderer/a.ts', "const html = await import('../ledger/chain/chain.ts');"],
    ['electron/a.ts', "import { decide } from '../engine/table/table.ts';"],
    ['upstream/a.ts', "import { openLedger } from '../ledger/store/ledger.store.ts';"],
    ['cli/a.ts', "import { start } from '../electron/launch.ts';"],
    ['host/table/a.ts', "import { Queries } from '../pages/queries.ts';"],
    ['host/table/a.ts', "import type { Queries } from '../pages/queries.ts';"],
    ['host/table/a.ts', "type Queries = import('../pages/queries.ts').Queries;"],
    ['host/server/a.ts', "import type { Host } from '../host.ts';"],
    ['host/pages/a.ts', "import { systemClock } from '../../hardware/transport/clock.ts';"],
    ['engine/table/a.ts', "import { BLACKJACK } from '../games/blackjack/blackjack.ts';"],
    ['engine/accounting/a.ts', "import type { Coup } from '../games/baccarat/roads.ts';"],
    ['engine/rules/a.ts', "type Coup = import('../games/baccarat/roads.ts').Coup;"],
    ['engine/games/baccarat/a.ts', "import { PAYS } from '../blackjack/payoffs.ts';"],
    ['host/table/a.ts', "import { rulesOf } from '../../engine/games/blackjack/rules.ts';"],
    ['host/table/a.ts', "import { decide } from '../../engine/table/table.ts';"],
    ['renderer/a.ts', "import { rulebookOf } from '../engine/rules/rulebook.ts';"],
    ['host/cellar/a.ts', "import { Terminal } from '../table/terminal.ts';"],
    ['engine/a.test.ts', "import { playVectors } from '../cli/vectors.ts';"],
    ['test/support/a.ts', "import { playVectors } from '../../cli/vectors.ts';"],
    ['renderer/table/a.ts', "import { Wire } from '../station/wire.ts';"],
    ['renderer/panel/a.tsx', "import type { Page } from '../service/pages.tsx';"],
    ['renderer/rules/a.ts', "import felt from '../../assets/generated/felt.json';"],
    ['host/a.test.ts', "test.only('x', () => {});"],
    ['ledger/a.ts', "db.pragma('synchronous = NORMAL');"],
    ['cli/a.ts', `// ${'a'.repeat(98)}`],
    ['cli/a.ts', `// The host is ${'told'} of it.`],
  ];
  for (const [path, text] of planted)
    assert.equal(inspect([{ path, text }]).length, 1, `not found: ${path}: ${text}`);
});

test('what the plan allows is not reported', () => {
  const allowed: [string, string][] = [
    ['ledger/a.ts', "import type { Minor } from '../engine/core/money.ts';"],
    ['hardware/a.ts', "import { minorOfUnits } from '../engine/core/money.ts';"],
    ['upstream/a.ts', "import { timesOf } from '../engine/core/money.ts';"],
    ['renderer/a.ts', "import type { TableView } from '../wire/view.ts';"],
    ['renderer/a.ts', "import { PROTOCOL_VERSION } from '../wire/version.ts';"],
    ['host/a.ts', "import { decide } from '../engine/engine.ts';"],
    ['engine/games/baccarat/a.ts', "import { emit } from '../../table/lane.ts';"],
    ['engine/games/ledger-shape.ts', "import { BACCARAT_PARTS } from './baccarat/parts.ts';"],
    ['engine/a.test.ts', "import { test } from 'node:test';"],
    ['engine/a.test.ts', "import { TestTable } from '../test/support/table-kit.ts';"],
  ];
  for (const [path, text] of allowed) assert.deepEqual(inspect([{ path, text }]), []);
});

test('what a room may touch stands above it, and no room is without two files', () => {
  for (const [folder, rooms] of Object.entries(ROOMS_OF)) {
    const names = Object.keys(rooms);
    for (const [at, [name, { touches }]] of Object.entries(rooms).entries()) {
      const inside = touches.filter((other) => !other.endsWith('/'));
      assert.deepEqual(
        inside.filter((other) => !names.slice(0, at).includes(other)),
        [],
        `${folder}/${name}`,
      );
      const start = name === IN_THE_FOLDER ? `${folder}/` : `${folder}/${name}/`;
      const files = sources.filter(({ path }) => path.startsWith(start) && !path.includes('.test.'));
      assert.ok(files.length > 1, `${folder}/${name}`);
    }
  }
});

test('no files import each other in a circle, types included', () => {
  assert.deepEqual(circlesIn(sources), []);
});

test('a planted circle is found, of types too', () => {
  const a = { path: 'host/table/a.ts', text: "import type { B } from './b.ts';" };
  const b = { path: 'host/table/b.ts', text: "export type { C } from './c.ts';" };
  const c = { path: 'host/table/c.ts', text: "type A = import('./a.ts').A;\nimport 'node:fs';" };
  const end = { path: 'host/table/d.ts', text: "import { a } from './a.ts';" };
  const paths = [a, b, c].map(({ path }) => path);
  assert.deepEqual(circlesIn([end, c, b, a]), [paths]);
  assert.deepEqual(circlesIn([a, b, end]), []);
});

test('amounts are multiplied, divided and rounded in one module alone', () => {
  const found = amountsReckoned(sources).map(({ path, line, rule }) => `${path}:${line}: ${rule}`);
  assert.deepEqual(found, []);
});

test('an amount that is reckoned with elsewhere is found', () => {
  const planted: [string, string][] = [
    ['host/a.ts', 'const half = stakeMinor / 2;'],
    ['host/a.ts', 'const half = line.stakeMinor * 0.5;'],
    ['host/a.ts', 'const odd = stakes[i]! % 3;'],
    ['host/a.ts', 'const won = odds * (stake + raise);'],
    ['host/a.ts', 'const won = 3 * Math.abs(netMinor as number);'],
    ['host/a.ts', 'const won = BigInt(amountMinor) / 2n;'],
    ['host/a.ts', 'const won = grossMinor(line) / 20;'],
    ['host/a.ts', 'const wonMinor = (a + b) * odds;'],
    ['host/a.ts', 'const line = { netMinor: pays * laying };'],
    ['host/a.ts', 'const net = (pays * laying) as Minor;'],
    ['host/a.ts', 'amountMinor *= 2;'],
    ['host/a.ts', 'total = isWon ? 0 : Math.round(prize);'],
    ['host/a.ts', 'this.creditMinor = Math.floor(value);'],
    [
      'upstream/a.ts',
      'const sum = notes.reduce((all, { valueMinor, count }) => all + valueMinor * count, 0);',
    ],
    ['renderer/a.tsx', 'const text = <b>{amountMinor / 100}</b>;'],
    ['hardware/a.ts', 'const note = { currency, valueMinor: base * 10 ** exponent };'],
    ['engine/table/a.ts', 'const least = Math.ceil(min / step) * step;'],
  ];
  for (const [path, text] of planted)
    assert.equal(amountsReckoned([{ path, text }]).length, 1, `not found: ${path}: ${text}`);
  const allowed: [string, string][] = [
    ['host/a.ts', 'const left = creditMinor - stakeMinor + Math.max(0, netMinor);'],
    ['host/a.ts', 'const isGreat = amountMinor >= 2 ** 40;'],
    ['host/a.ts', 'const label = { amountMinor, x: width / 2 };'],
    ['host/a.ts', 'const wonMinor = partOf(stakeMinor, [pays * 2, 1]);'],
    ['host/a.test.ts', 'const half = stakeMinor / 2;'],
    ['reader/a.ts', 'const half = stake / 2;'],
    ['engine/core/money.ts', 'const half = stakeMinor / 2;'],
  ];
  for (const [path, text] of allowed) assert.deepEqual(amountsReckoned([{ path, text }]), [], text);
});
