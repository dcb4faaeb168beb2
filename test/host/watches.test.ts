/** What the host tells of itself and of the machine, each from its real cause. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codesOf } from '../../host/pages/event-codes.ts';
import { idOf } from '../../host/program/software.ts';
import { LIMITS } from '../../host/watches/limits.ts';
import { CREDENTIAL, profileWith, TestTerminal } from './test-terminal.ts';

const faults = (kit: TestTerminal): string[] => kit.host.terminal.state.faults.map(({ fault }) => fault);
const codes = (kit: TestTerminal, kind: string): string[] => {
  const entry = kit.entries(kind).at(-1);
  assert.ok(entry, `an entry ${kind}`);
  return codesOf(entry).map(({ code }) => code);
};
const started = (kit: TestTerminal): string[] => codes(kit, 'program-started');

/** A display of this role is gone for good. */
const SOON = { ...LIMITS, displayLostMs: 1_000 };

test('101 to 105, 907: each start says how the life before ended and what it left on the table', async (t) => {
  const kit = await TestTerminal.open(t);
  assert.deepEqual(started(kit), []);
  assert.equal(kit.last('program-started')['after'], 'nothing');
  await kit.restart();
  assert.deepEqual(codes(kit, 'program-stopped'), ['105']);
  assert.deepEqual(started(kit), ['104']);

  await kit.die('boot-2');
  assert.deepEqual(started(kit), ['102', '104'], 'power was lost between rounds');
  await kit.fund(1, 50_000);
  await kit.ready('TS 9H TD 8C');
  await kit.do({ type: 'open-betting' });
  await kit.do(kit.bet(1, 10_000));
  const lastSeq = kit.headSeq;
  await kit.die('boot-3');
  assert.deepEqual(started(kit), ['103', '104'], 'power was lost in a round');
  const told = kit.last('program-started');
  assert.equal(told['phase'], 'betting');
  assert.equal(told['lastEntryMs'], kit.entries().find(({ seq }) => seq === lastSeq)?.atMs);
  assert.equal(kit.view.hold?.code, 'recovery');
  await kit.die();
  assert.deepEqual(started(kit), ['907', '104'], 'the process alone ended');
  assert.deepEqual(kit.seat(1).bets, [{ by: 1, bet: 'main', amountMinor: 10_000 }]);
});

test('904, 905: a start names the program before it and every file that is not as it was', async (t) => {
  const kit = await TestTerminal.open(t);
  const files = { 'engine/a.ts': '01', 'engine/b.ts': '02', 'host/c.ts': '03' };
  kit.software = { version: '1', id: idOf(files), files };
  await kit.restart();
  assert.deepEqual(codes(kit, 'code-checked'), ['905']);
  assert.equal(kit.last('code-checked')['changes'], null, 'of that one no list of files is known');
  await kit.restart();
  assert.deepEqual(codes(kit, 'code-checked'), ['904C']);
  const changed = { 'engine/a.ts': '01', 'engine/b.ts': 'ff', 'host/d.ts': '04' };
  kit.software = { version: '2', id: idOf(changed), files: changed };
  await kit.restart();
  assert.deepEqual(codes(kit, 'code-checked'), ['905']);
  const { was, changes } = kit.last('code-checked');
  assert.deepEqual(was, { version: '1', id: idOf(files) });
  assert.deepEqual(changes, {
    count: 3,
    files: ['engine/b.ts changed', 'host/c.ts gone', 'host/d.ts new'],
  });
});

test('904: a program that the terminal file does not approve plays nothing and takes no note, over every restart, until the right one runs and two persons end it', async (t) => {
  const approved = 'a'.repeat(64);
  const kit = await TestTerminal.open(t, { file: { approvedSoftware: [approved] } });
  assert.deepEqual(faults(kit), ['code-not-authentic']);
  assert.deepEqual(codes(kit, 'code-checked'), ['904']);
  await kit.until('the shoe is there', () =>
    kit.view.devices.some(({ id, state }) => id === 'shoe' && state !== 'offline'),
  );
  await kit.do({ type: 'sign-in-dealer', credential: CREDENTIAL.dealer });
  await kit.loadShoe('2C TS');
  await kit.do({ type: 'cut-shoe', seat: null });
  await kit.do({ type: 'place-end-card', cardsBehind: 60 });
  await kit.draw();
  await kit.refused({ type: 'open-betting' }, 'held');
  assert.equal(kit.rack.acceptor(1).insert(50_000, 'MOP').taken, false);
  const end = { type: 'end-fault', device: 'program', fault: 'code-not-authentic' } as const;
  const both = { ...end, credential: CREDENTIAL.technician, secondCredential: CREDENTIAL.supervisor };
  await kit.do({ type: 'enter-service', credential: CREDENTIAL.technician });
  await kit.refused(both, 'held');
  await kit.do({ type: 'exit-service' });

  kit.software = { version: '1', id: approved };
  await kit.restart();
  assert.deepEqual(faults(kit), ['code-not-authentic'], 'the right one runs, nobody has looked yet');
  await kit.do({ type: 'enter-service', credential: CREDENTIAL.technician });
  const { machine } = await kit.table.query({ query: 'devices' });
  assert.deepEqual(
    machine.map(({ device, code, level, canBeEnded }) => [device, code, level, canBeEnded]),
    [['program', 904, 'X', true]],
  );
  await kit.do(both);
  await kit.do({ type: 'exit-service' });
  await kit.do({ type: 'open-betting' });
});

test('908: the table’s display lost holds the round; it comes back, the dealer compares, the round goes on', async (t) => {
  const kit = await TestTerminal.open(t, { file: { limits: SOON } });
  const dealer = await kit.display('dealer');
  await kit.fund(1, 50_000);
  await kit.ready('TS 9H TD 8C');
  await kit.do({ type: 'open-betting' });
  await kit.do(kit.bet(1, 10_000));
  kit.table.close();
  await kit.until('the loss', () => faults(kit).includes('display-lost'));
  assert.equal(kit.view.hold?.code, 'machine-fault');
  assert.equal(kit.view.deadline, null, 'no time runs');
  await kit.refused({ type: 'confirm-layout' }, 'held', dealer);
  kit.table = await kit.display('table');
  await kit.until('it is back', () => faults(kit).length === 0);
  assert.deepEqual([codes(kit, 'fault-reported'), codes(kit, 'fault-cleared')], [['908'], ['908C']]);
  assert.ok((kit.last<{ forMs: number }>('fault-cleared').forMs ?? -1) >= 0);
  await kit.do({ type: 'confirm-layout' });
  await kit.do(kit.bet(1, 5_000));
});

test('908: a seat’s display lost locks that seat alone, over a restart, until it is back and an attendant has ended it', async (t) => {
  const kit = await TestTerminal.open(t, { file: { limits: SOON } });
  const own = await kit.display('seat:2');
  await kit.fund(2, 50_000);
  await kit.ready('TS 9H TD 8C');
  own.close();
  await kit.until('the loss', () => faults(kit).includes('seat-display-lost'));
  await kit.restart();
  assert.deepEqual(faults(kit), ['seat-display-lost']);
  await kit.do({ type: 'open-betting' });
  await kit.refused(kit.bet(2, 10_000), 'seat-locked');
  await kit.do({ type: 'request-cash-out', seat: 2 });
  const requestId = kit.seat(2).cashOut?.requestId ?? '';
  await kit.do({ type: 'cancel-cash-out', seat: 2, requestId });

  const end = { type: 'end-fault', device: 'display:seat:2', fault: 'seat-display-lost' } as const;
  await kit.do({ type: 'enter-service', credential: CREDENTIAL.attendant });
  const early = await kit.send({ ...end, credential: CREDENTIAL.attendant });
  assert.ok(early.status === 'rejected' && early.code === 'held', JSON.stringify(early));
  const tried = kit.last<{ fault: string; persons: { id: string }[] }>('fault-end-refused');
  assert.deepEqual([tried.fault, tried.persons.map(({ id }) => id)], ['seat-display-lost', ['A-01']]);
  assert.deepEqual(codes(kit, 'fault-end-refused'), ['816']);
  await kit.display('seat:2');
  await kit.do({ ...end, credential: CREDENTIAL.attendant });
  await kit.do({ type: 'exit-service' });
  await kit.do(kit.bet(2, 10_000));
});

test('908: a sign that the terminal file names is a notice to staff until it is back, and stops nothing', async (t) => {
  const kit = await TestTerminal.open(t, {
    file: { displays: { spectator: { screen: ':0.1' } }, limits: SOON },
  });
  const sign = await kit.display('spectator');
  await kit.fund(1, 50_000);
  await kit.ready('TS 9H TD 8C');
  sign.close();
  await kit.until('the loss', () => faults(kit).includes('sign-display-lost'));
  assert.equal(kit.view.hold, null);
  await kit.do({ type: 'open-betting' });
  await kit.do(kit.bet(1, 10_000));
  await kit.display('spectator');
  await kit.until('it is back', () => faults(kit).length === 0);
  assert.deepEqual([codes(kit, 'fault-reported'), codes(kit, 'fault-cleared')], [['908'], ['908C']]);
});

test('108: a clock put forward or back is reported; behind the newest entry it is a fault until it has caught up', async (t) => {
  const kit = await TestTerminal.open(t);
  const put = (byMs: number): void => {
    kit.clockJumpMs += byMs;
    kit.offsetMs += byMs;
  };
  put(3_600_000);
  await kit.until('the jump', () => kit.entries('clock-jumped').length === 1);
  assert.deepEqual(codes(kit, 'clock-jumped'), ['108']);
  const { byMs } = kit.last<{ byMs: number }>('clock-jumped');
  assert.ok(Math.abs(byMs - 3_600_000) < 1_000, String(byMs));
  assert.deepEqual(faults(kit), []);

  await kit.fund(1, 50_000);
  await kit.ready('TS 9H TD 8C');
  put(-3_600_000);
  await kit.until('the fault', () => faults(kit).includes('clock-behind'));
  const times = kit.entries().map(({ atMs }) => atMs);
  assert.deepEqual(
    times,
    times.toSorted((a, b) => a - b),
    'no entry is before the one before it',
  );
  await kit.restart();
  assert.equal(kit.entries('clock-jumped').length, 3, 'found by the start, too');
  assert.ok(faults(kit).includes('clock-behind'), 'it stands over the restart');

  put(3_600_000);
  await kit.until('the end', () => !faults(kit).includes('clock-behind'));
  assert.deepEqual(codes(kit, 'fault-cleared'), ['108C']);
});

test('316: acceptors shut and opened are one entry for all, with the reason', async (t) => {
  const kit = await TestTerminal.open(t);
  await kit.acceptorReady(1);
  const last = (): unknown => kit.last('acceptors-gated')['gates'];
  const all = (shut: string | null) =>
    Array.from({ length: 6 }, (_, index) => ({ acceptor: index + 1, shut }));
  await kit.do({ type: 'enter-service', credential: CREDENTIAL.technician });
  assert.deepEqual(last(), all('service'));
  assert.deepEqual(codes(kit, 'acceptors-gated'), ['316']);
  assert.deepEqual(codes(kit, 'service-entered'), ['803', '805']);
  await kit.do({ type: 'exit-service' });
  assert.deepEqual(last(), all(null));
  assert.deepEqual(codes(kit, 'acceptors-gated'), ['316C']);
  assert.deepEqual(codes(kit, 'service-left'), ['804', '805C']);
  await kit.hands({ do: 'fault', device: 'acceptor-3', fault: 'failure', code: 0xa6 });
  await kit.until('the fault', () => faults(kit).includes('acceptor-failed'));
  await kit.until('told', () => JSON.stringify(last()) === '[{"acceptor":3,"shut":"acceptor-failed"}]');
});

test('907: a window that is restarted three times within ten minutes pauses the table until a person has looked', async (t) => {
  const kit = await TestTerminal.open(t);
  await kit.ready('TS 9H TD 8C');
  for (let i = 0; i < 3; i += 1) kit.host.processRestarted('window', 'signal SIGKILL');
  assert.deepEqual(kit.last('process-restarted'), { process: 'window', why: 'signal SIGKILL' });
  assert.deepEqual(codes(kit, 'process-restarted'), ['907']);
  assert.deepEqual(faults(kit), ['window-restarts']);
  await kit.refused({ type: 'open-betting' }, 'held');
  await kit.restart();
  assert.deepEqual(faults(kit), ['window-restarts']);
  await kit.do({ type: 'enter-service', credential: CREDENTIAL.attendant });
  await kit.do({
    type: 'end-fault',
    device: 'window',
    fault: 'window-restarts',
    credential: CREDENTIAL.attendant,
  });
  await kit.do({ type: 'exit-service' });
  await kit.do({ type: 'open-betting' });
});

test('310: a pulled note locks its seat’s bets, over a restart; what is credited can be paid', async (t) => {
  const kit = await TestTerminal.open(t);
  await kit.fund(1, 50_000);
  await kit.acceptorReady(1);
  await kit.hands({ do: 'insert-note', acceptor: 1, valueMinor: 50_000, currency: 'MOP' });
  await kit.hands({ do: 'fault', device: 'acceptor-1', fault: 'cheat' });
  await kit.until('the lock', () => faults(kit).includes('acceptor-cheated'));
  await kit.restart();
  await kit.fund(2, 50_000);
  await kit.ready('TS 9H TD 8C');
  await kit.do({ type: 'open-betting' });
  await kit.refused(kit.bet(1, 10_000), 'seat-locked');
  await kit.do(kit.bet(2, 10_000));
  await kit.do({ type: 'request-cash-out', seat: 1 });
});

test('a clock that is put back keeps no window open: it closes when its time has passed', async (t) => {
  const { timing } = profileWith();
  const kit = await TestTerminal.open(t, { profile: { timing: { ...timing, bettingMs: 1_500 } } });
  await kit.fund(1, 50_000);
  await kit.ready('TS 9H TD 8C');
  await kit.do({ type: 'open-betting' });
  await kit.do(kit.bet(1, 10_000));
  kit.clockJumpMs -= 3_600_000;
  kit.offsetMs -= 3_600_000;
  await kit.until('the window is closed', () => kit.entries('betting-closed').length === 1);
});
