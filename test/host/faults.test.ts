import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CREDENTIAL, TestTerminal } from './test-terminal.ts';

const faults = (kit: TestTerminal): string[] => kit.host.terminal.state.faults.map(({ fault }) => fault);

test('a pulled note locks its acceptor until an attendant and a supervisor have looked at it, whatever else goes on', async (t) => {
  const kit = await TestTerminal.open(t);
  await kit.acceptorReady(1);
  await kit.hands({ do: 'insert-note', acceptor: 1, valueMinor: 50_000, currency: 'MOP' });
  await kit.hands({ do: 'fault', device: 'acceptor-1', fault: 'cheat' });
  await kit.until('the lock', () => faults(kit).includes('acceptor-cheated'));
  const seen = kit.view.devices.find(({ id }) => id === 'acceptor-1');
  assert.deepEqual([seen?.fault, seen?.player], ['acceptor-cheated', 'staff']);
  await kit.fund(2, 50_000);

  const end = { type: 'end-fault', device: 'acceptor-1', fault: 'acceptor-cheated' } as const;
  const both = { ...end, credential: CREDENTIAL.attendant, secondCredential: CREDENTIAL.supervisor };
  await kit.refused(both, 'service');
  await kit.do({ type: 'enter-service', credential: CREDENTIAL.attendant });
  const page = async () => {
    const { devices } = await kit.table.query({ query: 'devices' });
    return devices.find(({ view }) => view.id === 'acceptor-1')?.faults[0];
  };
  const told = await page();
  assert.deepEqual(
    [told?.fault, told?.code, told?.level, told?.place, told?.persons],
    ['acceptor-cheated', 310, 'L', 'acceptor 1', [['attendant', 'supervisor'], ['supervisor']]],
  );
  await kit.until('its cause is gone', () => kit.rack.acceptor(1).status() === 0x1a);
  for (const pins of [
    { credential: CREDENTIAL.attendant },
    { credential: CREDENTIAL.dealer, secondCredential: CREDENTIAL.supervisor },
    { credential: CREDENTIAL.attendant, secondCredential: CREDENTIAL.attendant2 },
    { credential: CREDENTIAL.supervisor, secondCredential: CREDENTIAL.supervisor },
  ])
    await kit.refused({ ...end, ...pins }, 'person');
  await kit.refused({ ...both, fault: 'acceptor-jammed' }, 'nothing-to-do');
  await kit.do(both);
  const persons = kit.last<{ persons: { id: string }[] }>('fault-cleared').persons.map(({ id }) => id);
  assert.deepEqual(persons, ['A-01', 'S-01']);
  await kit.do({ type: 'exit-service' });
  await kit.fund(1, 50_000);
  assert.deepEqual(faults(kit), []);
});

test('a lock survives a restart', async (t) => {
  const kit = await TestTerminal.open(t);
  await kit.acceptorReady(1);
  await kit.hands({ do: 'fault', device: 'acceptor-1', fault: 'failure', code: 0xa6 });
  await kit.until('the fault', () => faults(kit).includes('acceptor-failed'));
  await kit.hands({ do: 'fault', device: 'acceptor-1', fault: 'repair' });
  await kit.restart();
  await kit.acceptorReady(2);
  assert.deepEqual(faults(kit), ['acceptor-failed']);
  assert.equal(kit.rack.acceptor(1).insert(50_000, 'MOP').taken, false);
});
