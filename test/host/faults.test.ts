import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { evidenceBytes } from '../../host/devices/evidence.ts';
import { stopsOf } from '../../host/watches/faults.ts';
import { toHex } from '../../ledger/chain/entry.codec.ts';
import { verifySignature } from '../../ledger/chain/key.ts';
import { FAULTS, type FaultId, type FaultRow } from '../../wire/faults.ts';
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

interface Kept {
  readonly evidence: {
    readonly seq: number;
    readonly fault: string;
    readonly level: string;
    readonly ledger: { readonly seq: number; readonly hash: string };
    readonly state: { readonly seats: readonly { readonly creditMinor: number }[]; readonly shoe: object };
    readonly frames: Readonly<Record<string, readonly { readonly hex: string }[]>>;
  };
  readonly publicKey: string;
  readonly signature: string;
}

test('F13 of every fault that pauses, holds, locks or stops its evidence is kept: frames, state and ledger, signed', async (t) => {
  const kit = await TestTerminal.open(t);
  await kit.fund(2, 50_000);
  const folder = join(kit.dir, 'recordings');
  const kept = (): string[] =>
    existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.jsonl')) : [];
  const { terminal } = kit.host;
  // A notice and a shut mouth are none.
  for (const fault of ['cash-box-near-full', 'cash-box-full'])
    terminal.submit({ type: 'report-fault', device: 'acceptor-3', fault, place: 'acceptor 3' });
  const struck = (Object.entries(FAULTS) as [FaultId, FaultRow][]).filter(
    ([fault, { level }]) => 'PHLX'.includes(level) && !['books-differ', 'ledger-damaged'].includes(fault),
  );
  for (const [fault, { device }] of struck) {
    const of = device === 'card-shoe' ? 'shoe' : device === 'bill-acceptor' ? 'acceptor-1' : 'part';
    terminal.submit({ type: 'report-fault', device: of, fault, place: 'here', ...stopsOf(fault, [1]) });
  }
  await kit.until('all of it is kept', () => kept().length === struck.length);
  const told = new Map(
    kit.entries('fault-reported').map(({ seq, body }) => [(body as { fault: string }).fault, seq]),
  );
  for (const [fault, { level }] of struck) {
    const name = `evidence-${String(told.get(fault)).padStart(12, '0')}-${fault}.jsonl`;
    const { evidence, publicKey, signature } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Kept;
    assert.deepEqual([evidence.seq, evidence.fault, evidence.level], [told.get(fault), fault, level]);
    assert.ok(
      verifySignature(Buffer.from(publicKey, 'hex'), evidenceBytes(evidence), Buffer.from(signature, 'hex')),
    );
    assert.equal(toHex(terminal.ledger.hashAt(evidence.ledger.seq)!), evidence.ledger.hash);
    assert.equal(evidence.state.seats[1]?.creditMinor, 50_000);
    assert.ok(
      !('counts' in evidence.state.shoe),
      'what is left in a shoe would tell a card that lies hidden',
    );
    assert.ok(evidence.frames['acceptor-2']!.length > 0, `${fault}: what the acceptors said before it`);
  }
  assert.ok(verifySignature(Buffer.alloc(32), evidenceBytes({}), Buffer.alloc(64)) === false);
});

test('F13 the newest hundred are kept', async (t) => {
  const kit = await TestTerminal.open(t);
  const folder = join(kit.dir, 'recordings');
  const fault = { device: 'shoe', fault: 'shoe-jam' } as const;
  for (let no = 0; no < 103; no += 1) {
    kit.host.terminal.submit({ type: 'report-fault', ...fault, place: 'card shoe' });
    kit.host.terminal.submit({ type: 'clear-fault', ...fault });
  }
  const last = kit.entries('fault-reported').at(-1)!.seq;
  const newest = `evidence-${String(last).padStart(12, '0')}-shoe-jam.jsonl`;
  await kit.until('the last', () => existsSync(folder) && readdirSync(folder).includes(newest));
  await kit.until(
    'the oldest are gone',
    () => readdirSync(folder).filter((name) => name.endsWith('.jsonl')).length === 100,
  );
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
