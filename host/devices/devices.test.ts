import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { TableProfile } from '../../engine/table/profile.ts';
import type { AcceptorEvent, BillAcceptor, ShoeEvent } from '../../hardware/ports.ts';
import { loadOrCreateKey, openLedger } from '../../ledger/store/ledger.store.ts';
import { SILENT_SHOE } from '../../test/kits/silent-shoe.ts';
import { readTerminalFile } from '../config/terminal-file.ts';
import { Terminal } from '../table/terminal.ts';
import { Devices } from './devices.ts';

const DEMO = new URL('../profiles/demo.json', import.meta.url).pathname;

/**
 * Devices that do nothing by themselves: the test says what they tell, and sees what the acceptor
 * hears.
 */
function table(t: TestContext, changes: Partial<TableProfile> = {}) {
  const dir = mkdtempSync(join(tmpdir(), 'banca-devices-'));
  const profile = { ...readTerminalFile(DEMO).profile, ...changes };
  const ledger = openLedger(join(dir, 'ledger.db'), {
    terminalId: profile.terminalId,
    key: loadOrCreateKey(dir),
    createIfMissing: true,
  });
  const terminal = new Terminal({ ledger, now: Date.now, log: () => {} });
  terminal.submit({ type: 'configure', profile, person: null });
  const told: string[] = [];
  /** How many kinds of notes it was told to take, each time. */
  const allowed: number[] = [];
  let say: (event: AcceptorEvent) => void = () => {};
  let shoeSays: (event: ShoeEvent) => void = () => {};
  const acceptor: BillAcceptor = {
    id: 'acceptor-1',
    model: 'none',
    simulated: false,
    start: (listener) => {
      say = listener;
    },
    stop: async () => {},
    allow: (notesMinor) => allowed.push(notesMinor.length),
    tryNotes: () => {},
    confirm: () => {},
    stack: () => told.push('stack'),
    returnNote: () => told.push('return'),
    hold: () => {},
    acknowledgeCredit: () => told.push('acknowledge'),
    state: () => 'escrow',
    frames: () => [],
  };
  const devices = new Devices({
    terminal,
    acceptors: new Map([[1, acceptor]]),
    shoe: {
      ...SILENT_SHOE,
      start: (listener) => {
        shoeSays = listener;
      },
    },
    log: () => {},
  });
  devices.start(() => {});
  t.after(async () => {
    await devices.stop();
    terminal.close();
    ledger.close();
    rmSync(dir, { recursive: true });
  });
  const kinds = (): string[] => ledger.read(1, 1_000).map(({ kind }) => kind);
  return {
    terminal,
    devices,
    told,
    allowed,
    kinds,
    say: (event: AcceptorEvent) => say(event),
    shoeSays: (event: ShoeEvent) => shoeSays(event),
  };
}

const escrowed = (currency: string, valueMinor: number): AcceptorEvent => ({
  type: 'escrowed',
  note: { currency, valueMinor },
});

test('the same note in escrow once more is stacked again, under the same record', (t) => {
  const { say, told, kinds } = table(t);
  say(escrowed('MOP', 50_000));
  say(escrowed('MOP', 50_000));
  assert.deepEqual(told, ['stack', 'stack']);
  assert.equal(kinds().filter((kind) => kind === 'note-escrowed').length, 1);
});

test('an acceptor hears what it may take when that changes, not with every entry of the ledger', (t) => {
  const { allowed, terminal } = table(t);
  const before = allowed.length;
  const dealer = { id: 'D-1', name: 'Dealer', role: 'dealer' } as const;
  terminal.submit({ type: 'sign-in-dealer', person: dealer });
  terminal.submit({ type: 'call-attendant', seat: 1, on: true });
  assert.equal(allowed.length, before);
  const technician = { id: 'T-1', name: 'Technician', role: 'technician' } as const;
  terminal.submit({ type: 'enter-service', person: technician });
  terminal.submit({ type: 'exit-service' });
  assert.deepEqual(allowed.slice(before), [0, allowed[before - 1]]);
  assert.ok(allowed[before - 1]! > 0);
});

test('a note of the same figure in another currency is another note: it never goes in for the one before', (t) => {
  const { say, told, terminal, kinds } = table(t);
  say(escrowed('MOP', 50_000));
  say(escrowed('HKD', 50_000));
  assert.deepEqual(told, ['stack', 'return']);
  assert.equal(terminal.state.heldNotes[0]?.valueMinor, 50_000, 'what became of the first is a case');
  assert.deepEqual(kinds().slice(-3), ['note-held', 'fault-reported', 'note-rejected-by-device']);
  assert.deepEqual(
    terminal.state.faults.map(({ device, fault }) => `${device} ${fault}`),
    ['acceptor-1 note-in-doubt'],
  );
  say({ type: 'returned' });
  assert.equal(terminal.state.seats[0]?.creditMinor, 0);
});

test('a note nobody has a name for comes back and stands in the ledger', (t) => {
  const { say, told, kinds, terminal } = table(t);
  say({ type: 'escrowed', note: null });
  say(escrowed('XYZ', 50_000));
  assert.deepEqual(told, ['return', 'return']);
  assert.deepEqual(kinds().slice(-2), ['note-rejected-by-device', 'note-rejected-by-device']);
  assert.deepEqual(terminal.state.notes, []);
});

test('a locked terminal gives back what is in escrow, and leaves a credit signal unanswered for the life that can take it', (t) => {
  const { say, told, kinds, terminal } = table(t);
  say(escrowed('MOP', 50_000));
  terminal.reportAudit(['seat-credit:1: planted']);
  const before = kinds().length;
  say({ type: 'credit', note: { currency: 'MOP', valueMinor: 50_000 } });
  assert.deepEqual([told, kinds().length], [['stack'], before]);
  say(escrowed('MOP', 10_000));
  assert.deepEqual(told, ['stack', 'return']);
  assert.deepEqual(kinds().slice(before), ['note-rejected-by-device']);
  assert.equal(terminal.state.notes.length, 1, 'the note that was asked for stays open');
});

test('a credit signal that comes again is put on record and acknowledged again', (t) => {
  const { say, told, kinds, terminal } = table(t);
  const note = { currency: 'MOP', valueMinor: 50_000 };
  say(escrowed('MOP', 50_000));
  say({ type: 'credit', note });
  say({ type: 'credit', note });
  assert.deepEqual(told, ['stack', 'acknowledge', 'acknowledge']);
  assert.equal(kinds().at(-1), 'note-credit-repeated');
  assert.equal(terminal.state.seats[0]?.creditMinor, 50_000);
});

test('nobody ends a jam between the shoe’s word of it and its next status', (t) => {
  const { devices, terminal, shoeSays } = table(t, { supervisedShoe: true });
  const supervisor = { id: 'S-01', name: 'Rita', role: 'supervisor' } as const;
  const status = { type: 'status', empty: false, jammed: false, coverOpen: false } as const;
  const end = (id: string) => devices.release('shoe', 'shoe-jam', [supervisor], id);
  shoeSays({ type: 'link', link: 'up' });
  shoeSays({
    type: 'identity',
    identity: { model: 'none', serial: '1', firmware: '1' },
    lastSeq: 0,
    boot: 1,
  });
  shoeSays(status);
  shoeSays({ type: 'fault', seq: 1, fault: 'jam', detail: null });
  assert.equal(end('soon').status, 'rejected');
  shoeSays({ ...status, jammed: true });
  assert.equal(end('still').status, 'rejected');
  shoeSays(status);
  const out = end('out');
  assert.equal(out.status, 'done', JSON.stringify(out));
  assert.deepEqual(
    terminal.state.faults.filter(({ fault }) => fault === 'shoe-jam'),
    [],
  );
});
