/** 806: a change of the table by two persons, with its reason, at its time, once the table is empty; the law is asked twice. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Command } from '../../wire/commands.ts';
import { CREDENTIAL, House, profileWith } from './house.ts';

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

const inForce = (house: House): Readonly<Record<string, unknown>> =>
  house.host.terminal.state.profile!.options;
const planned = async (house: House) => (await house.table.query({ query: 'change' })).plan;

test('two persons enter it; it waits for the empty table, over a restart, and comes with difference, reason and names', async (t) => {
  const house = await House.open(t);
  await house.fund(1, 50_000);
  await house.refused(change({ max: 400_000 }), 'service');
  await house.do({ type: 'enter-service', credential: CREDENTIAL.technician });
  await house.refused(change({ max: 400_000 }, { credential: CREDENTIAL.attendant } as never), 'person');
  await house.refused(
    change({ max: 400_000 }, { secondCredential: CREDENTIAL.technician } as never),
    'person',
  );
  await house.refused(change({ max: 400_000 }, { credential: CREDENTIAL.supervisor } as never), 'person');
  await house.refused(change({ max: 500_000 }), 'nothing-to-do');
  const before = house.headSeq;
  await house.do(change({ max: 400_000 }));
  assert.deepEqual(house.kindsSince(before), ['change-planned']);
  const plan = await planned(house);
  assert.deepEqual(plan?.changes, [{ place: 'options.max', from: 500_000, to: 400_000 }]);
  assert.deepEqual([plan?.waitsFor?.why, plan?.persons], ['credit', ['João Silva', 'Maria Nunes']]);
  await house.do({ type: 'exit-service' });
  await house.restart();
  await house.do({ type: 'request-cash-out', seat: 1 });
  await house.do({
    type: 'confirm-hand-pay',
    seat: 1,
    requestId: house.seat(1).cashOut!.requestId,
    credential: CREDENTIAL.attendant,
  });
  await house.until('it is in force', () => inForce(house)['max'] === 400_000);
  const { person, second, reason, changes } = house.last<Record<string, { id: string }>>('table-configured');
  assert.deepEqual([person?.id, second?.id, reason], ['T-01', 'S-01', REASON]);
  assert.deepEqual(changes, [{ place: 'options.max', from: 500_000, to: 400_000 }]);
  await house.restart();
  assert.equal(inForce(house)['max'], 400_000, 'the terminal file has not changed since');
});

test('at its time, and not before; dropped it does not come', async (t) => {
  const house = await House.open(t);
  await house.do({ type: 'enter-service', credential: CREDENTIAL.supervisor });
  const fromMs = house.now() + 3_600_000;
  await house.refused(change({ max: 400_000 }, { fromMs: house.now() - 1 }), 'too-late');
  await house.do(change({ max: 400_000 }, { fromMs }));
  await house.do({ type: 'exit-service' });
  assert.equal(inForce(house)['max'], 500_000);
  house.offsetMs += 3_600_000;
  await house.until('its time', () => inForce(house)['max'] === 400_000);
  await house.do({ type: 'enter-service', credential: CREDENTIAL.supervisor });
  await house.do(change({ max: 300_000 }, { fromMs: house.now() + 3_600_000 }));
  await house.do({ type: 'drop-change', credential: CREDENTIAL.technician });
  await house.refused({ type: 'drop-change', credential: CREDENTIAL.technician }, 'nothing-to-do');
  await house.restart();
  assert.equal(
    house.host.terminal.ledger.newest({ beforeSeq: null, limit: 1, kind: 'change-dropped' }).length,
    1,
  );
  assert.equal(inForce(house)['max'], 400_000);
});

test('art. 1.2, art. 21: an illegal value, a combination and a choice without its authorisation are named with their article', async (t) => {
  const house = await House.open(t, {
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
  await house.do({ type: 'enter-service', credential: CREDENTIAL.technician });
  const check = async (options: Record<string, unknown>) =>
    house.table.query({
      query: 'check-change',
      edit: { options: options as never },
      fromMs: null,
    });
  const { problems } = await check({ decks: 13 });
  assert.deepEqual(
    problems.map(({ place, article, why }) => [place, article, why]),
    [['decks', 'art.1.2', 'illegal']],
  );
  assert.deepEqual(await house.refused(change({ decks: 13 }), 'off'), ['art.1.2']);
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
  assert.deepEqual(profileWith().options['max'], inForce(house)['max']);
});
