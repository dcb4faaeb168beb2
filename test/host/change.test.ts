/**
 * 806: a change of the table by two persons, with its reason, at its time, once the table is empty;
 * the law is asked twice.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Command } from '../../wire/commands.ts';
import { CREDENTIAL, profileWith, TestTerminal } from './test-terminal.ts';

const REASON = 'Promotion of the weekend';
const change = (
  options: Record<string, unknown>,
  more: Partial<Extract<Command, { type: 'plan-change' }>> = {},
) =>
  ({
    type: 'plan-change',
    edit: { options },
    reason: REASON,
    fromMs: null,
    credential: CREDENTIAL.technician,
    secondCredential: CREDENTIAL.supervisor,
    ...more,
  }) as Command;

const inForce = (kit: TestTerminal): Readonly<Record<string, unknown>> =>
  kit.host.terminal.state.profile!.options;
const planned = async (kit: TestTerminal) => (await kit.table.query({ query: 'change' })).plan;

test('two persons enter it; it waits for the empty table, over a restart, and comes with difference, reason and names', async (t) => {
  const kit = await TestTerminal.open(t);
  await kit.fund(1, 50_000);
  await kit.refused(change({ max: 400_000 }), 'service');
  await kit.do({ type: 'enter-service', credential: CREDENTIAL.technician });
  await kit.refused(change({ max: 400_000 }, { credential: CREDENTIAL.attendant } as never), 'person');
  await kit.refused(change({ max: 400_000 }, { secondCredential: CREDENTIAL.technician } as never), 'person');
  await kit.refused(change({ max: 400_000 }, { credential: CREDENTIAL.supervisor } as never), 'person');
  await kit.refused(change({ max: 500_000 }), 'nothing-to-do');
  const before = kit.headSeq;
  await kit.do(change({ max: 400_000 }));
  assert.deepEqual(kit.kindsSince(before), ['change-planned']);
  const plan = await planned(kit);
  assert.deepEqual(plan?.changes, [{ place: 'options.max', from: 500_000, to: 400_000 }]);
  assert.deepEqual([plan?.waitsFor?.why, plan?.persons], ['credit', ['João Silva', 'Maria Nunes']]);
  await kit.do({ type: 'exit-service' });
  await kit.restart();
  await kit.do({ type: 'request-cash-out', seat: 1 });
  await kit.do({
    type: 'confirm-hand-pay',
    seat: 1,
    requestId: kit.seat(1).cashOut!.requestId,
    credential: CREDENTIAL.attendant,
  });
  await kit.until('it is in force', () => inForce(kit)['max'] === 400_000);
  const { person, second, reason, changes } = kit.last<Record<string, { id: string }>>('table-configured');
  assert.deepEqual([person?.id, second?.id, reason], ['T-01', 'S-01', REASON]);
  assert.deepEqual(changes, [{ place: 'options.max', from: 500_000, to: 400_000 }]);
  await kit.restart();
  assert.equal(inForce(kit)['max'], 400_000, 'the terminal file has not changed since');
});

test('at its time, and not before; dropped it does not come', async (t) => {
  const kit = await TestTerminal.open(t);
  await kit.do({ type: 'enter-service', credential: CREDENTIAL.supervisor });
  const fromMs = kit.now() + 3_600_000;
  await kit.refused(change({ max: 400_000 }, { fromMs: kit.now() - 1 }), 'too-late');
  await kit.do(change({ max: 400_000 }, { fromMs }));
  await kit.do({ type: 'exit-service' });
  assert.equal(inForce(kit)['max'], 500_000);
  kit.offsetMs += 3_600_000;
  await kit.until('its time', () => inForce(kit)['max'] === 400_000);
  await kit.do({ type: 'enter-service', credential: CREDENTIAL.supervisor });
  await kit.do(change({ max: 300_000 }, { fromMs: kit.now() + 3_600_000 }));
  await kit.do({ type: 'drop-change', credential: CREDENTIAL.technician });
  await kit.refused({ type: 'drop-change', credential: CREDENTIAL.technician }, 'nothing-to-do');
  await kit.restart();
  assert.equal(
    kit.host.terminal.ledger.newest({ beforeSeq: null, limit: 1, kind: 'change-dropped' }).length,
    1,
  );
  assert.equal(inForce(kit)['max'], 400_000);
});

test('art. 1.2, art. 21: an illegal value, a combination and a choice without its authorisation are named with their article', async (t) => {
  const kit = await TestTerminal.open(t, {
    profile: {
      authorisations: [
        {
          options: ['seats'],
          by: 'DICJ',
          reference: 'S/1',
          requestedOn: '2020-01-06',
          effectiveOn: '2020-02-03',
        },
      ],
    },
  });
  await kit.do({ type: 'enter-service', credential: CREDENTIAL.technician });
  const check = async (options: Record<string, unknown>) =>
    kit.table.query({
      query: 'check-change',
      edit: { options: options as never },
      fromMs: null,
    });
  const { problems } = await check({ decks: 13 });
  assert.deepEqual(
    problems.map(({ place, article, why }) => [place, article, why]),
    [['decks', 'art.1.2', 'illegal']],
  );
  assert.deepEqual(await kit.refused(change({ decks: 13 }), 'off'), ['art.1.2']);
  const unauthorised = (await check({ sideBets: ['anyPair'] })).problems;
  assert.ok(
    unauthorised.length > 0 &&
      unauthorised.every(({ article, why }) => article !== '' && why === 'no-record'),
  );
  const combined = (await check({ min: 600_000 })).problems;
  assert.ok(combined.length > 0, 'more at least than at most');
  assert.deepEqual(
    (await check({ decks: 8 })).changes.map(({ place }) => place),
    ['options.decks'],
  );
  assert.deepEqual(profileWith().options['max'], inForce(kit)['max']);
});
