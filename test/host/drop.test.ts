/** The exchange of cash boxes, with the hands that take them out and put them back. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DROP_WITHIN_MS } from '../../engine/table/drop.ts';
import { CREDENTIAL, TestTerminal } from './test-terminal.ts';

/** The pieces that were cut off, the newest last; each as its lines. */
const paper = (kit: TestTerminal): readonly (readonly string[])[] => kit.rack.sight().printer.pieces;
const ended = (kit: TestTerminal) => kit.entries('slip-ended');
const isReady = (kit: TestTerminal): Promise<void> =>
  kit.until(
    'printer',
    () => kit.view.devices.find(({ kind }) => kind === 'receipt-printer')?.state === 'idle',
  );

test('H15: boxes of a drop are no faults, each is signed and printed, and the drop survives a restart; another box is a fault', async (t) => {
  const kit = await TestTerminal.open(t);
  await isReady(kit);
  const faultsNow = (): string[] => kit.host.terminal.state.faults.map(({ fault }) => fault);
  const box = (acceptor: number) => kit.view.devices.find(({ id }) => id === `acceptor-${acceptor}`)?.box;
  const hand = (acceptor: number, fault: 'cassette-out' | 'cassette-in') =>
    kit.hands({ do: 'fault', device: `acceptor-${acceptor}`, fault });
  await kit.fund(1, 100_000);
  await kit.fund(2, 50_000);
  const announce = { type: 'announce-drop' as const, acceptors: [1, 2] };
  await kit.refused({ ...announce, credential: CREDENTIAL.dealer }, 'person');
  await kit.do({ ...announce, credential: CREDENTIAL.attendant });
  await kit.refused({ ...announce, credential: CREDENTIAL.attendant }, 'duplicate');
  assert.deepEqual([box(1), box(2), box(3)], ['due', 'due', undefined]);
  assert.equal(kit.view.drop?.name, kit.last<{ person: { name: string } }>('drop-announced').person.name);
  await hand(1, 'cassette-out');
  await kit.until('it is out', () => box(1) === 'out');
  await kit.until('the slip', () => ended(kit).length === 1);
  assert.match(paper(kit).at(-1)!.join('\n'), /^COFRE RETIRADO \/ DROP$/m);
  assert.match(paper(kit).at(-1)!.join('\n'), /^MOP 1 000,00$/m);
  const { ledger } = kit.host.terminal;
  const taken = kit.entries('box-taken').at(-1)!;
  assert.ok(ledger.checkpoints().some(({ seq, reason }) => seq === taken.seq && reason === 'drop'));
  assert.deepEqual(faultsNow(), []);
  assert.equal(kit.view.devices.find(({ id }) => id === 'acceptor-1')?.player, 'no-notes');
  await kit.refused({ type: 'end-drop', credential: CREDENTIAL.supervisor }, 'not-allowed');

  await kit.restart();
  await kit.until(
    'still out, as the unit says',
    () => box(1) === 'out' && kit.rack.acceptor(1).status() !== null,
  );
  await kit.acceptorReady(2);
  assert.deepEqual(faultsNow(), []);
  // Put back while nobody looked is put back all the same.
  await hand(1, 'cassette-in');
  await kit.until('exchanged', () => box(1) === 'exchanged');
  assert.equal(kit.host.terminal.state.boxNotes[0], 0);
  await kit.fund(1, 10_000);
  // Nobody has announced these two: one that was exchanged already, and a stranger.
  for (const acceptor of [1, 3]) {
    await hand(acceptor, 'cassette-out');
    await kit.until('a fault', () => faultsNow().includes('cash-box-removed'));
    await hand(acceptor, 'cassette-in');
    await kit.until('over', () => faultsNow().length === 0);
  }
  await hand(2, 'cassette-out');
  await kit.until('it is out', () => box(2) === 'out');
  await hand(2, 'cassette-in');
  await kit.until('the drop is over', () => kit.view.drop === undefined);
  assert.equal(kit.last('drop-ended')['why'], 'done');
  assert.equal(kit.host.terminal.state.boxNotes[1], 0);
  await kit.until('a slip for each of four', () => ended(kit).length === 4);
});

test('H15: a drop that is announced and never done ends by itself', async (t) => {
  const kit = await TestTerminal.open(t);
  await kit.do({ type: 'announce-drop', acceptors: null, credential: CREDENTIAL.supervisor });
  kit.offsetMs += DROP_WITHIN_MS;
  await kit.restart();
  await kit.until('it is over', () => kit.view.drop === undefined);
  assert.deepEqual([kit.last('drop-ended')['why'], kit.last('drop-ended')['person']], ['time', null]);
  await kit.do({ type: 'enter-service', credential: CREDENTIAL.technician });
  // It can be done in service mode as well; the PIN is still an attendant's or a supervisor's.
  await kit.do({ type: 'announce-drop', acceptors: null, credential: CREDENTIAL.attendant });
  await kit.do({ type: 'end-drop', credential: CREDENTIAL.attendant });
  assert.equal(kit.last('drop-ended')['why'], 'person');
});
