/** The built terminal with a second reader, and without one. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { everyAuthorisation } from '../../engine/games/every-authorisation.ts';
import { entriesOf } from '../support/entries.ts';
import { until } from '../support/until.ts';
import { ROOT } from './paths.ts';
import { processTree } from './processes.ts';
import { startTerminal, type Terminal } from './terminal.ts';

async function start(
  t: TestContext,
  more: { readonly secondReader?: 'hold' },
  args: readonly string[],
): Promise<{ readonly terminal: Terminal; readonly data: string; readonly readers: () => number[] }> {
  const home = mkdtempSync(join(tmpdir(), 'banca-reader-'));
  const data = join(home, 'data');
  const file = JSON.parse(readFileSync(join(ROOT, 'host', 'profiles', 'demo.json'), 'utf8'));
  file.profile.authorisations = everyAuthorisation(file.profile.rulebook);
  file.profile.timing.minResultMs = 0;
  const profile = join(home, 'table.json');
  writeFileSync(profile, JSON.stringify({ ...file, ...more }));
  const terminal = await startTerminal({
    shell: 'chromium',
    display: null,
    data,
    args: ['--profile', profile, ...args],
  });
  t.after(async () => {
    await terminal.stop();
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  });
  await terminal.event('the host is up', (m) => (m['started'] as { name?: string })?.name === 'host');
  const readers = (): number[] =>
    processTree(terminal.pid)
      .filter(({ command }) => command.includes('reader/main.js'))
      .map(({ pid }) => pid);
  return { terminal, data, readers };
}

const kindsOf = (data: string): string[] => entriesOf(data).map(({ kind }) => kind);

test('secondReader: a round of the demonstration waits for the reader, is read and paid', async (t) => {
  const { terminal, data, readers } = await start(t, { secondReader: 'hold' }, ['--demo', '--rounds', '1']);
  const [first] = await until('the reader runs', () => (readers().length === 1 ? readers() : null));
  // Gone before anything is paid: only another one lets money move.
  process.kill(first!, 'SIGKILL');
  assert.equal(await terminal.ended, 0, terminal.logs.slice(-20).join('\n'));
  const kinds = kindsOf(data);
  assert.ok(kinds.filter((kind) => kind === 'round-settled').length >= 1);
  assert.deepEqual(
    kinds.filter((kind) => ['round-unread', 'reading-differed', 'round-voided'].includes(kind)),
    [],
  );
  const faults = entriesOf(data).flatMap(({ kind, body }) =>
    kind === 'fault-reported' || kind === 'fault-cleared'
      ? [`${kind} ${(body as { fault: string }).fault}`]
      : [],
  );
  for (const kind of ['fault-reported', 'fault-cleared'])
    assert.ok(faults.includes(`${kind} reader-gone`), kind);
});

test('without secondReader there is no such process', async (t) => {
  const { terminal, readers } = await start(t, {}, []);
  // A reader would run before the host takes its first display.
  await terminal.mint('table');
  assert.deepEqual(readers(), []);
});
