/** Drills: each fault on a copy of the state, brought about, noticed, answered as claimed, and over; the real ledger untouched. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { DrillPage } from '../../host/api.ts';
import { playDrill } from '../../host/drill-scenarios.ts';
import { DrillTable } from '../../host/drill-table.ts';
import { DRILL_IDS, DRILLS, type DrillStep, type Shown } from '../../host/drills.ts';
import { stateHash } from '../../host/terminal.ts';
import { House, PIN } from './house.ts';

const drillFolders = (): string[] => readdirSync(tmpdir()).filter((name) => name.startsWith('banca-drill-'));

test('809: a technician holds a drill with a round on the table; the ledger says that and no more', {
  timeout: 240_000,
}, async (t) => {
  const house = await House.open(t);
  await house.fund(1, 50_000);
  await house.ready('TS 9H TD 8C');
  await house.deal({ 1: 10_000 });
  await house.refused({ type: 'hold-drill', drill: 'note-jam' }, 'service');
  await house.do({ type: 'enter-service', pin: PIN.attendant });
  await house.refused({ type: 'hold-drill', drill: 'note-jam' }, 'person');
  await house.do({ type: 'exit-service' });
  await house.do({ type: 'enter-service', pin: PIN.technician });
  const before = house.headSeq;
  const state = stateHash(house.host.terminal.state).toString('hex');
  await house.do({ type: 'hold-drill', drill: 'note-jam' });
  assert.equal(
    (await house.send({ type: 'hold-drill', drill: 'card-jam' })).status,
    'rejected',
    'one at a time',
  );
  const run = async () => (await house.table.query<DrillPage>({ query: 'drills' })).run;
  await house.until('it is over', () => house.entries('drill-ended').length === 1, 200_000);
  const { outcome, steps } = (await run())!;
  assert.equal(outcome, 'as-it-should', JSON.stringify(steps));
  assert.deepEqual(
    house.kindsSince(before).filter((kind) => kind !== 'note-closed'),
    ['drill-begun', 'drill-ended'],
  );
  const { person, drill } = house.last<{ person: { id: string }; drill: string }>('drill-ended');
  assert.deepEqual([person.id, drill], ['T-01', 'note-jam']);
  assert.equal(stateHash(house.host.terminal.state).toString('hex'), state, 'the table is as it was');
  assert.deepEqual(drillFolders(), [], 'nothing is left of it');
});

/** With `DRILLS=all` every one; else one of each kind, for the others want the same minute of time. */
const OFTEN = [
  'note-pulled',
  'acceptor-unplugged',
  'card-misread',
  'shoe-unplugged',
  'power-loss',
  'disk-full',
] as const;
const chosen = process.env['DRILLS'] === 'all' ? DRILL_IDS : OFTEN;

test('drills show what they claim and play on', { timeout: 600_000 }, async (t) => {
  const house = await House.open(t);
  await house.fund(1, 50_000);
  const results = await Promise.all(
    chosen.map(async (id) => {
      const dir = mkdtempSync(join(tmpdir(), 'banca-test-drill-'));
      const steps: DrillStep[] = [];
      try {
        const { table } = await DrillTable.open(house.ledgerPath, dir);
        await playDrill(id, table, (step) => steps.push(step));
        return { id, steps, why: null };
      } catch (error) {
        return { id, steps, why: (error as Error).message };
      } finally {
        rmSync(dir, { recursive: true, force: true });
      }
    }),
  );
  for (const { id, steps, why } of results) {
    assert.equal(why, null, `${id}: ${why} ${JSON.stringify(steps)}`);
    const shown: Shown = DRILLS[id];
    const told = steps.find((step) => step.at === 'told');
    assert.equal(
      'fault' in shown ? told?.fault : told?.hold,
      'fault' in shown ? shown.fault : shown.hold,
      id,
    );
    assert.equal(steps.at(-1)?.at, 'verified');
  }
});
