/**
 * Names and texts of others in the terminal's log and in `banca`: they are shown, never obeyed, and
 * begin no line of their own.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { plainLine } from '../../ledger/chain/plain-line.ts';
import { ROOT } from '../shell/paths.ts';
import { startTerminal } from '../shell/terminal.ts';
import { folderOf } from './kit.ts';

/**
 * A line that looks like the supervisor's own, a cleared screen, turned writing, and other ends of
 * a line.
 */
const FORGED = 'x\nhost started, pid 1\u001b[2J\r\u2028\u202eforged\u0085\u200b';

test('a table whose name holds lines and escapes is named in one line', async (t) => {
  const terminal = await startTerminal({
    ...{ shell: 'chromium', display: null, data: folderOf(t) },
    args: ['--table', FORGED],
  });
  t.after(() => terminal.stop());
  await terminal.ended;
  const about = terminal.logs.filter((line) => /forged|pid 1\b/.test(line));
  assert.equal(about.length, 1, terminal.logs.join('\n'));
  assert.match(about[0]!, /host: \[host\] --table x\\nhost started, pid 1\\u\{1b\}\[2J/);
  for (const line of terminal.logs) assert.doesNotMatch(line, /[\p{Cc}\p{Cf}\u2028\u2029]/u);
});

test('a terminal file whose names turn, hide or end what is read, or lead elsewhere, starts nothing', async (t) => {
  const folder = folderOf(t);
  const file = join(folder, 'terminal.json');
  const demo = readFileSync(join(ROOT, 'host', 'profiles', 'demo.json'), 'utf8');
  type File = { profile: Record<string, unknown>; people: Record<string, unknown>[] };
  for (const [place, change] of [
    ['profile.tableName', ({ profile }) => (profile['tableName'] = 'Table\u202e1')],
    ['profile.tableName', ({ profile }) => (profile['tableName'] = 'Table\n1')],
    ['profile.terminalId', ({ profile }) => (profile['terminalId'] = '../BJ-1')],
    ['people.0.name', ({ people }) => (people[0]!['name'] = 'Lei\u200b Ka')],
    ['people.0.id', ({ people }) => (people[0]!['id'] = 'D\u0000-01')],
  ] as readonly (readonly [string, (file: File) => void])[]) {
    const changed = JSON.parse(demo) as File;
    change(changed);
    writeFileSync(file, JSON.stringify(changed));
    const data = join(folder, 'data');
    const terminal = await startTerminal({
      ...{ shell: 'chromium', display: null, data },
      args: ['--profile', file],
    });
    t.after(() => terminal.stop());
    assert.equal(await terminal.ended, 2, place);
    assert.ok(
      terminal.logs.some((line) => line.includes(`${file}: ${place}: `)),
      terminal.logs.join('\n'),
    );
    assert.ok(!existsSync(join(data, 'ledger.db')), place);
  }
});

test('banca shows a file name and obeys no character of it', () => {
  const path = join(ROOT, `\u001b]0;forged\u0007\u202e.db`);
  const { status, stderr } = spawnSync(process.execPath, [join(ROOT, 'cli', 'banca.ts'), 'verify', path], {
    encoding: 'utf8',
  });
  assert.equal(status, 2);
  assert.match(stderr, /forged/);
  assert.doesNotMatch(stderr.trimEnd(), /[\p{Cc}\p{Cf}]/u);
});

test('what can be seen stays as it is, in every language of the terminal', () => {
  const text = 'Lei Ka Man 李家文 João «ç» — 100 % 🂡';
  assert.equal(plainLine(text), text);
  assert.equal(plainLine('\ud800'), '\\u{d800}');
});
