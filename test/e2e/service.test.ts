/**
 * Service mode of the terminal as it ships and as its people start it: drills held, an export
 * made and checked, a spoiled ledger repaired. What runs beside the host is what was built with it.
 */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { verifyLedger } from '../../ledger/chain/verifier.store.ts';
import type { Command } from '../../wire/commands.ts';
import { type DrillId, shownBy } from '../../wire/drills.ts';
import { type Attacked, attack, folderOf } from '../attacks/kit.ts';
import { flip } from '../kits/ledger-copy.ts';
import { processTree } from '../shell/processes.ts';
import { banca } from '../support/built.ts';
import { dealtRound, done, PEOPLE, seen } from '../support/dealt-round.ts';
import type { TestDisplay } from '../support/display.ts';
import { entriesOf } from '../support/entries.ts';
import { fullOr } from '../support/long.ts';
import { until } from '../support/until.ts';

const LIMIT_MS = 240_000;
/** Beside one another, for most of a drill is waiting. */
const TERMINALS = fullOr(4, 1);
/**
 * At what was built, where devices, disk, link and what runs beside a host are all other files than
 * the sources; test/host/drills.test.ts holds all.
 */
const DRILLS: readonly DrillId[] = [
  ...(['acceptor-jammed', 'card-misread', 'shoe-offline', 'power-loss', 'storage-full'] as const),
  ...(['ledger-damaged', 'cash-box-full', 'acceptor-cheated', 'acceptor-offline', 'shoe-jam'] as const),
  ...(['clock-behind', 'link-down', 'reader-gone', 'ledger-old'] as const),
].filter((_, at) => at % fullOr(1, 5) === 0);

async function refused(table: TestDisplay, command: Command, code: string): Promise<void> {
  const answer = await table.command(command);
  assert.ok(answer?.status === 'rejected', `${JSON.stringify(command)}: ${JSON.stringify(answer)}`);
  assert.equal(answer.code, code);
}

async function hold({ terminal }: Attacked, table: TestDisplay, drill: DrillId): Promise<void> {
  await done(table, { type: 'hold-drill', drill });
  await refused(table, { type: 'hold-drill', drill: 'shoe-jam' }, 'not-due');
  await until(`${drill} played by what was built`, () =>
    processTree(terminal.pid).some(({ command }) =>
      command.includes('build/program/host/drills/drill-main.js'),
    )
      ? true
      : null,
  );
  let steps: readonly object[] = [];
  const run = await until(
    `the end of ${drill}`,
    async () => {
      const page = await table.query({ query: 'drills' });
      steps = page.run?.steps ?? [];
      return page.run?.outcome ? page.run : null;
    },
    { limitMs: LIMIT_MS, said: () => JSON.stringify(steps) },
  );
  assert.equal(run.outcome, 'as-it-should', `${drill}: ${JSON.stringify(run.steps)}`);
  const shown = shownBy(drill);
  const told = run.steps.find((step) => step.at === 'told');
  assert.equal(
    'fault' in shown ? told?.fault : told?.hold,
    'fault' in shown ? shown.fault : shown.hold,
    drill,
  );
  assert.equal(run.steps.at(-1)?.at, 'verified');
}

test('809: a technician holds drills with a round on the table; the ledger says that and no more', {
  timeout: 900_000,
}, async (t) => {
  // Their own, for other terminals of this machine hold drills as well.
  const TMPDIR = folderOf(t);
  await Promise.all(
    Array.from({ length: TERMINALS }, async (_, index) => {
      const own = DRILLS.filter((_id, at) => at % TERMINALS === index);
      const attacked = await attack(t, { env: { TMPDIR }, centre: true });
      const { terminal } = attacked;
      const table = await attacked.display('table');
      await dealtRound(table);
      await refused(table, { type: 'hold-drill', drill: own[0]! }, 'service');
      await done(table, { type: 'enter-service', credential: PEOPLE.attendant });
      await refused(table, { type: 'hold-drill', drill: own[0]! }, 'person');
      await done(table, { type: 'exit-service' });
      await done(table, { type: 'enter-service', credential: PEOPLE.technician });
      await seen(table, 'the link', ({ link }) => link.state === 'up');
      await until('an end of its fault, for a new centre takes its time', () => {
        const of = (kind: string) => entriesOf(attacked.data, kind).length;
        return of('fault-reported') === of('fault-cleared') ? true : null;
      });
      for (const drill of own) await hold(attacked, table, drill);
      table.close();
      assert.equal(await terminal.stop(), 0);
      const all = entriesOf(attacked.data);
      const began = all.findIndex(({ kind }) => kind === 'drill-begun');
      const since = all.slice(began, all.findLastIndex(({ kind }) => kind === 'drill-ended') + 1);
      assert.deepEqual(
        since
          // The code of this start may be read late on a busy machine.
          .filter(({ kind }) => kind !== 'note-closed' && kind !== 'code-checked')
          .map(({ kind, body }) => [kind, (body as { drill?: string }).drill ?? JSON.stringify(body)]),
        own.flatMap((drill) => [
          ['drill-begun', drill],
          ['drill-ended', drill],
        ]),
      );
      assert.equal(verifyLedger(join(attacked.data, 'ledger.db')).problem, '');
    }),
  );
  const left = readdirSync(TMPDIR).filter((name) => name.startsWith('banca-drill-'));
  assert.deepEqual(left, [], 'nothing is left of them');
});

/** Changes a digit in the stored bytes of every entry of this kind. */
function spoil(path: string, kind: string): void {
  const bytes = readFileSync(path);
  const mark = `"kind":"${kind}"`;
  let found = 0;
  for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, at + 1)) {
    flip(path, at + mark.length - 3, 1);
    found += 1;
  }
  assert.ok(found > 0, `${kind} in ${path}`);
}

test('812: an export is made and holds; a spoiled ledger is repaired, at the next start and by hand', {
  timeout: 900_000,
}, async (t) => {
  const first = await attack(t);
  const { data } = first;
  const ledger = join(data, 'ledger.db');
  const table = await first.display('table');
  await dealtRound(table);
  await done(table, { type: 'enter-service', credential: PEOPLE.technician });
  await refused(table, { type: 'make-export', target: '/etc' }, 'not-due');
  const target = join(data, 'exports');
  await done(table, { type: 'make-export', target });
  const programs = await until('the export is made by what was built', () => {
    const found = processTree(first.terminal.pid).filter(({ command }) => command.includes('/cli/banca.'));
    return found.length > 0 ? found : null;
  });
  for (const { command } of programs) assert.match(command, /build\/program\/cli\/banca\.js/);
  const run = await until('the end of the export', async () => {
    const page = await table.query({ query: 'exports' });
    return page.run !== null && page.run.ok !== null ? page.run : null;
  });
  assert.deepEqual([run.ok, run.why], [true, null]);
  const verified = banca(['verify', '--export', run.dir, '--key', join(data, 'enrolled', 'BJ-DEMO-01.pub')]);
  assert.equal(verified.status, 0, verified.stderr);
  for (const name of ['ledger.db', 'events.csv', 'events.json', 'meters.csv', 'recordings', 'manifest.json'])
    assert.ok(existsSync(join(run.dir, name)), name);
  table.close();
  assert.equal(await first.terminal.stop(), 0);

  const { headSeq, headHash } = verifyLedger(ledger);
  spoil(ledger, 'session-began');
  assert.notEqual(verifyLedger(ledger).problem, '');
  const second = await attack(t, { data });
  assert.match(second.log(), /ledger repaired from /);
  assert.ok(existsSync(`${ledger}.damaged-1`), 'the damaged file is kept');
  assert.equal(await second.terminal.stop(), 0);
  const mended = entriesOf(data);
  assert.equal(Buffer.from(mended[headSeq - 1]!.hash).toString('hex'), headHash);

  const copy = join(data, 'copy', 'ledger.db');
  spoil(copy, 'session-began');
  const repaired = banca(['repair', ledger, '--json']);
  assert.equal(repaired.status, 0, repaired.stderr);
  assert.equal((JSON.parse(repaired.stdout) as { copyMadeAnew: boolean }).copyMadeAnew, true);
  assert.equal(verifyLedger(copy).headSeq, verifyLedger(ledger).headSeq);
  const third = await attack(t, { data });
  assert.doesNotMatch(third.log(), /repaired|damaged/);
});
