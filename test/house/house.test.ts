import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { SourceFile } from './house.ts';
import { inspect } from './house.ts';

const listed = execFileSync(
  'git',
  ['ls-files', '-co', '--exclude-standard', '*.ts', '*.tsx', '*.mjs', '*.cjs'],
  {
    encoding: 'utf8',
  },
);
const sources: SourceFile[] = listed
  .split('\n')
  .filter((path) => path !== '' && !path.startsWith('test/house/') && existsSync(path))
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }));

test('the rooms import only what the plan of the house allows, and no banned word stands anywhere', () => {
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
    ['host/a.test.ts', "test.only('x', () => {});"],
    ['ledger/a.ts', "db.pragma('synchronous = NORMAL');"],
  ];
  for (const [path, text] of planted)
    assert.equal(inspect([{ path, text }]).length, 1, `not found: ${path}: ${text}`);
});

test('what the plan allows is not reported', () => {
  const allowed: [string, string][] = [
    ['ledger/a.ts', "import type { Minor } from '../engine/core/money.ts';"],
    ['renderer/a.ts', "import type { TableView } from '../wire/view.ts';"],
    ['renderer/a.ts', "import { PROTOCOL_VERSION } from '../wire/version.ts';"],
    ['host/a.ts', "import { decide } from '../engine/table/table.ts';"],
    ['engine/a.test.ts', "import { test } from 'node:test';"],
  ];
  for (const [path, text] of allowed) assert.deepEqual(inspect([{ path, text }]), []);
});
