/**
 * Every drill, each at a whole host of its own on a copy of a ledger with a round on its table: the
 * fault appears under its code, is put right, and the true ledger has no part in it.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { playDrill } from '../../host/drills/drill-scenarios.ts';
import { DrillTable } from '../../host/drills/drill-table.ts';
import { openLedgerReader } from '../../ledger/store/ledger.store.ts';
import { DRILL_GROUPS, DRILL_IDS, type DrillId, type DrillStep, shownBy } from '../../wire/drills.ts';
import { codesOfFault, FAULTS } from '../../wire/faults.ts';
import { fullOr } from '../support/long.ts';
import { newRack, TestTerminal } from './test-terminal.ts';

/** Beside one another, for most of a drill is waiting. */
const AT_ONCE = 8;
/** How many times faster than a real unit the devices move. */
const HURRY = 4;

/** What stands in a folder, byte for byte. */
const hashOf = (dir: string): string =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort()
    .map((path) => `${path} ${createHash('sha256').update(readFileSync(path)).digest('hex')}`)
    .join('\n');

/** The steps of it, and the codes of what its ledger got. */
async function held(
  ledgerPath: string,
  id: DrillId,
  whenReady: (table: DrillTable) => Promise<void> = async () => {},
): Promise<{ steps: DrillStep[]; codes: Set<string>; faults: string[] }> {
  const dir = mkdtempSync(join(tmpdir(), `banca-drill-${id}-`));
  const steps: DrillStep[] = [];
  const { table, entries } = await DrillTable.open(ledgerPath, dir, HURRY);
  const beReady = table.beReady.bind(table);
  table.beReady = async () => {
    await beReady();
    await whenReady(table);
  };
  try {
    await playDrill(id, table, (step) => steps.push(step));
    const reader = openLedgerReader(join(table.dir, 'ledger.db'));
    const since = reader.read(entries + 1, 100_000);
    reader.close();
    const of = (kind: string) =>
      since
        .filter((entry) => entry.kind === kind)
        .map(({ body }) => (body as { fault: keyof typeof FAULTS }).fault);
    return {
      steps,
      codes: new Set([
        ...of('fault-reported').map((fault) => codesOfFault(FAULTS[fault]).begins),
        ...of('fault-cleared').map((fault) => codesOfFault(FAULTS[fault]).ends),
      ]),
      faults: of('fault-reported').filter((fault) => !of('fault-cleared').includes(fault)),
    };
  } catch (error) {
    await table.close().catch(() => {});
    throw new Error(`${id}: ${(error as Error).message}\n${JSON.stringify(steps)}`, { cause: error });
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

test('H10: every fault that can be practised appears under its code and is put right; the true ledger is as it was', {
  timeout: 1_200_000,
}, async (t) => {
  // One acceptor: no drill is about another one. At the built terminal every seat has its own.
  const kit = await TestTerminal.open(t, { profile: { acceptors: 'shared' }, rack: newRack(1) });
  await kit.do({ type: 'choose-note-seat', seat: 1 });
  await kit.fund(1, 50_000);
  await kit.ready('TS 9H TD 8C');
  await kit.deal({ 1: 10_000 });
  await kit.stop();
  const before = hashOf(kit.dir);
  const waiting = DRILL_IDS.filter((_, at) => at % fullOr(1, 3) === 0);
  const failed: unknown[] = [];
  const play = async (): Promise<void> => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
      const shown = shownBy(id);
      try {
        const { steps, codes, faults } = await held(kit.ledgerPath, id);
        const told = steps.find((step) => step.at === 'told');
        assert.deepEqual(
          told && ('fault' in shown ? { fault: told.fault } : { hold: told.hold }),
          shown,
          JSON.stringify(steps),
        );
        assert.equal(steps.at(-1)?.at, 'verified', id);
        // A terminal that stands still has written nothing of it.
        if ('fault' in shown && !steps.some(({ at }) => at === 'ledger-restored') && id !== 'storage-refuses')
          for (const code of Object.values(codesOfFault(FAULTS[shown.fault])))
            assert.ok(codes.has(code), `${id}: ${code} in ${[...codes].join(' ')}`);
        assert.deepEqual(faults, [], `${id}: ends with a fault`);
      } catch (error) {
        failed.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, play));
  assert.deepEqual(failed, []);
  assert.equal(hashOf(kit.dir), before);
});

test('H10: on a table that takes bets already a drill without a round is played as on any other', async (t) => {
  const kit = await TestTerminal.open(t, { profile: { acceptors: 'shared' }, rack: newRack(1) });
  await kit.ready('TS 9H TD 8C');
  await kit.stop();
  // Whoever makes the table ready may have gone on to this by then.
  const { steps } = await held(kit.ledgerPath, 'cabinet-offline', async (table) => {
    await table.do({ type: 'open-betting' });
  });
  assert.equal(steps.at(-1)?.at, 'verified');
});

test('H10: each drill stands in one group', () => {
  assert.equal(new Set(DRILL_IDS).size, DRILL_IDS.length);
  for (const [group, ids] of Object.entries(DRILL_GROUPS)) assert.ok(ids.length <= 14, group);
});
