import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CREDENTIAL, House } from './house.ts';

const faults = (house: House): string[] => house.host.terminal.state.faults.map(({ fault }) => fault);

test('a pulled note locks its acceptor until an attendant and a supervisor have looked at it, whatever else goes on', async (t) => {
  const house = await House.open(t);
  await house.acceptorReady(1);
  await house.hands({ do: 'insert-note', acceptor: 1, valueMinor: 50_000, currency: 'MOP' });
  await house.hands({ do: 'fault', device: 'acceptor-1', fault: 'cheat' });
  await house.until('the lock', () => faults(house).includes('acceptor-cheated'));
  const seen = house.view.devices.find(({ id }) => id === 'acceptor-1');
  assert.deepEqual([seen?.fault, seen?.player], ['acceptor-cheated', 'staff']);
  await house.fund(2, 50_000);

  const end = { type: 'end-fault', device: 'acceptor-1', fault: 'acceptor-cheated' } as const;
  const both = { ...end, credential: CREDENTIAL.attendant, secondCredential: CREDENTIAL.supervisor };
  await house.refused(both, 'service');
  await house.do({ type: 'enter-service', credential: CREDENTIAL.attendant });
  const page = async () => {
    const { devices } = await house.table.query({ query: 'devices' });
    return devices.find(({ view }) => view.id === 'acceptor-1')?.faults[0];
  };
  const told = await page();
  assert.deepEqual(
    [told?.fault, told?.code, told?.level, told?.place, told?.persons],
    ['acceptor-cheated', 310, 'L', 'acceptor 1', [['attendant', 'supervisor'], ['supervisor']]],
  );
  await house.until('its cause is gone', () => house.rack.acceptor(1).status() === 0x1a);
  for (const pins of [
    { credential: CREDENTIAL.attendant },
    { credential: CREDENTIAL.dealer, secondCredential: CREDENTIAL.supervisor },
    { credential: CREDENTIAL.attendant, secondCredential: CREDENTIAL.attendant2 },
    { credential: CREDENTIAL.supervisor, secondCredential: CREDENTIAL.supervisor },
  ])
    await house.refused({ ...end, ...pins }, 'person');
  await house.refused({ ...both, fault: 'acceptor-jammed' }, 'nothing-to-do');
  await house.do(both);
  const persons = house.last<{ persons: { id: string }[] }>('fault-cleared').persons.map(({ id }) => id);
  assert.deepEqual(persons, ['A-01', 'S-01']);
  await house.do({ type: 'exit-service' });
  await house.fund(1, 50_000);
  assert.deepEqual(faults(house), []);
});

test('a lock survives a restart', async (t) => {
  const house = await House.open(t);
  await house.acceptorReady(1);
  await house.hands({ do: 'fault', device: 'acceptor-1', fault: 'failure', code: 0xa6 });
  await house.until('the fault', () => faults(house).includes('acceptor-failed'));
  await house.hands({ do: 'fault', device: 'acceptor-1', fault: 'repair' });
  await house.restart();
  await house.acceptorReady(2);
  assert.deepEqual(faults(house), ['acceptor-failed']);
  assert.equal(house.rack.acceptor(1).insert(50_000, 'MOP').taken, false);
});
