/** What the host tells of itself and of the machine, each from its real cause. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codesOf } from '../../host/pages/event-codes.ts';
import { idOf } from '../../host/program/software.ts';
import { LIMITS } from '../../host/watches/limits.ts';
import { CREDENTIAL, House, profileWith } from './house.ts';

const faults = (house: House): string[] => house.host.terminal.state.faults.map(({ fault }) => fault);
const codes = (house: House, kind: string): string[] => {
  const entry = house.entries(kind).at(-1);
  assert.ok(entry, `an entry ${kind}`);
  return codesOf(entry).map(({ code }) => code);
};
const started = (house: House): string[] => codes(house, 'program-started');

/** A display of this role is gone for good. */
const SOON = { ...LIMITS, displayLostMs: 1_000 };

test('101 to 105, 907: each start says how the life before ended and what it left on the table', async (t) => {
  const house = await House.open(t);
  assert.deepEqual(started(house), []);
  assert.equal(house.last('program-started')['after'], 'nothing');
  await house.restart();
  assert.deepEqual(codes(house, 'program-stopped'), ['105']);
  assert.deepEqual(started(house), ['104']);

  await house.die('boot-2');
  assert.deepEqual(started(house), ['102', '104'], 'power was lost between rounds');
  await house.fund(1, 50_000);
  await house.ready('TS 9H TD 8C');
  await house.do({ type: 'open-betting' });
  await house.do(house.bet(1, 10_000));
  const lastSeq = house.headSeq;
  await house.die('boot-3');
  assert.deepEqual(started(house), ['103', '104'], 'power was lost in a round');
  const told = house.last('program-started');
  assert.equal(told['phase'], 'betting');
  assert.equal(told['lastEntryMs'], house.entries().find(({ seq }) => seq === lastSeq)?.atMs);
  assert.equal(house.view.hold?.code, 'recovery');
  await house.die();
  assert.deepEqual(started(house), ['907', '104'], 'the process alone ended');
  assert.deepEqual(house.seat(1).bets, [{ by: 1, bet: 'main', amountMinor: 10_000 }]);
});

test('904, 905: a start names the program before it and every file that is not as it was', async (t) => {
  const house = await House.open(t);
  const files = { 'engine/a.ts': '01', 'engine/b.ts': '02', 'host/c.ts': '03' };
  house.software = { version: '1', id: idOf(files), files };
  await house.restart();
  assert.deepEqual(codes(house, 'code-checked'), ['905']);
  assert.equal(house.last('code-checked')['changes'], null, 'of that one no list of files is known');
  await house.restart();
  assert.deepEqual(codes(house, 'code-checked'), ['904C']);
  const changed = { 'engine/a.ts': '01', 'engine/b.ts': 'ff', 'host/d.ts': '04' };
  house.software = { version: '2', id: idOf(changed), files: changed };
  await house.restart();
  assert.deepEqual(codes(house, 'code-checked'), ['905']);
  const { was, changes } = house.last('code-checked');
  assert.deepEqual(was, { version: '1', id: idOf(files) });
  assert.deepEqual(changes, {
    count: 3,
    files: ['engine/b.ts changed', 'host/c.ts gone', 'host/d.ts new'],
  });
});

test('904: a program that the terminal file does not approve plays nothing and takes no note, over every restart, until the right one runs and two persons end it', async (t) => {
  const approved = 'a'.repeat(64);
  const house = await House.open(t, { file: { approvedSoftware: [approved] } });
  assert.deepEqual(faults(house), ['code-not-authentic']);
  assert.deepEqual(codes(house, 'code-checked'), ['904']);
  await house.until('the shoe is there', () =>
    house.view.devices.some(({ id, state }) => id === 'shoe' && state !== 'offline'),
  );
  await house.do({ type: 'sign-in-dealer', credential: CREDENTIAL.dealer });
  await house.loadShoe('2C TS');
  await house.do({ type: 'cut-shoe', seat: null });
  await house.do({ type: 'place-end-card', cardsBehind: 60 });
  await house.draw();
  await house.refused({ type: 'open-betting' }, 'held');
  assert.equal(house.rack.acceptor(1).insert(50_000, 'MOP').taken, false);
  const end = { type: 'end-fault', device: 'program', fault: 'code-not-authentic' } as const;
  const both = { ...end, credential: CREDENTIAL.technician, secondCredential: CREDENTIAL.supervisor };
  await house.do({ type: 'enter-service', credential: CREDENTIAL.technician });
  await house.refused(both, 'held');
  await house.do({ type: 'exit-service' });

  house.software = { version: '1', id: approved };
  await house.restart();
  assert.deepEqual(faults(house), ['code-not-authentic'], 'the right one runs, nobody has looked yet');
  await house.do({ type: 'enter-service', credential: CREDENTIAL.technician });
  const { machine } = await house.table.query({ query: 'devices' });
  assert.deepEqual(
    machine.map(({ device, code, level, canBeEnded }) => [device, code, level, canBeEnded]),
    [['program', 904, 'X', true]],
  );
  await house.do(both);
  await house.do({ type: 'exit-service' });
  await house.do({ type: 'open-betting' });
});

test('908: the table’s display lost holds the round; it comes back, the dealer compares, the round goes on', async (t) => {
  const house = await House.open(t, { file: { limits: SOON } });
  const dealer = await house.display('dealer');
  await house.fund(1, 50_000);
  await house.ready('TS 9H TD 8C');
  await house.do({ type: 'open-betting' });
  await house.do(house.bet(1, 10_000));
  house.table.close();
  await house.until('the loss', () => faults(house).includes('display-lost'));
  assert.equal(house.view.hold?.code, 'machine-fault');
  assert.equal(house.view.deadline, null, 'no time runs');
  await house.refused({ type: 'confirm-layout' }, 'held', dealer);
  house.table = await house.display('table');
  await house.until('it is back', () => faults(house).length === 0);
  assert.deepEqual([codes(house, 'fault-reported'), codes(house, 'fault-cleared')], [['908'], ['908C']]);
  assert.ok((house.last<{ forMs: number }>('fault-cleared').forMs ?? -1) >= 0);
  await house.do({ type: 'confirm-layout' });
  await house.do(house.bet(1, 5_000));
});

test('908: a seat’s display lost locks that seat alone, over a restart, until it is back and an attendant has ended it', async (t) => {
  const house = await House.open(t, { file: { limits: SOON } });
  const own = await house.display('seat:2');
  await house.fund(2, 50_000);
  await house.ready('TS 9H TD 8C');
  own.close();
  await house.until('the loss', () => faults(house).includes('seat-display-lost'));
  await house.restart();
  assert.deepEqual(faults(house), ['seat-display-lost']);
  await house.do({ type: 'open-betting' });
  await house.refused(house.bet(2, 10_000), 'seat-locked');
  await house.do({ type: 'request-cash-out', seat: 2 });
  const requestId = house.seat(2).cashOut?.requestId ?? '';
  await house.do({ type: 'cancel-cash-out', seat: 2, requestId });

  const end = { type: 'end-fault', device: 'display:seat:2', fault: 'seat-display-lost' } as const;
  await house.do({ type: 'enter-service', credential: CREDENTIAL.attendant });
  await house.refused({ ...end, credential: CREDENTIAL.attendant }, 'held');
  await house.display('seat:2');
  await house.do({ ...end, credential: CREDENTIAL.attendant });
  await house.do({ type: 'exit-service' });
  await house.do(house.bet(2, 10_000));
});

test('108: a clock put forward or back is told; behind the newest entry it is a fault until it has caught up', async (t) => {
  const house = await House.open(t);
  const put = (byMs: number): void => {
    house.clockJumpMs += byMs;
    house.offsetMs += byMs;
  };
  put(3_600_000);
  await house.until('the jump', () => house.entries('clock-jumped').length === 1);
  assert.deepEqual(codes(house, 'clock-jumped'), ['108']);
  const { byMs } = house.last<{ byMs: number }>('clock-jumped');
  assert.ok(Math.abs(byMs - 3_600_000) < 1_000, String(byMs));
  assert.deepEqual(faults(house), []);

  await house.fund(1, 50_000);
  await house.ready('TS 9H TD 8C');
  put(-3_600_000);
  await house.until('the fault', () => faults(house).includes('clock-behind'));
  const times = house.entries().map(({ atMs }) => atMs);
  assert.deepEqual(
    times,
    times.toSorted((a, b) => a - b),
    'no entry is before the one before it',
  );
  await house.restart();
  assert.equal(house.entries('clock-jumped').length, 3, 'found by the start, too');
  assert.ok(faults(house).includes('clock-behind'), 'it stands over the restart');

  put(3_600_000);
  await house.until('the end', () => !faults(house).includes('clock-behind'));
  assert.deepEqual(codes(house, 'fault-cleared'), ['108C']);
});

test('316: acceptors shut and opened are one entry for all, with the reason', async (t) => {
  const house = await House.open(t);
  await house.acceptorReady(1);
  const last = (): unknown => house.last('acceptors-gated')['gates'];
  const all = (shut: string | null) =>
    Array.from({ length: 6 }, (_, index) => ({ acceptor: index + 1, shut }));
  await house.do({ type: 'enter-service', credential: CREDENTIAL.technician });
  assert.deepEqual(last(), all('service'));
  assert.deepEqual(codes(house, 'acceptors-gated'), ['316']);
  assert.deepEqual(codes(house, 'service-entered'), ['803', '805']);
  await house.do({ type: 'exit-service' });
  assert.deepEqual(last(), all(null));
  assert.deepEqual(codes(house, 'acceptors-gated'), ['316C']);
  assert.deepEqual(codes(house, 'service-left'), ['804', '805C']);
  await house.hands({ do: 'fault', device: 'acceptor-3', fault: 'failure', code: 0xa6 });
  await house.until('the fault', () => faults(house).includes('acceptor-failed'));
  await house.until('told', () => JSON.stringify(last()) === '[{"acceptor":3,"shut":"acceptor-failed"}]');
});

test('907: a window that is restarted three times within ten minutes pauses the table until a person has looked', async (t) => {
  const house = await House.open(t);
  await house.ready('TS 9H TD 8C');
  for (let i = 0; i < 3; i += 1) house.host.processRestarted('window', 'signal SIGKILL');
  assert.deepEqual(house.last('process-restarted'), { process: 'window', why: 'signal SIGKILL' });
  assert.deepEqual(codes(house, 'process-restarted'), ['907']);
  assert.deepEqual(faults(house), ['window-restarts']);
  await house.refused({ type: 'open-betting' }, 'held');
  await house.restart();
  assert.deepEqual(faults(house), ['window-restarts']);
  await house.do({ type: 'enter-service', credential: CREDENTIAL.attendant });
  await house.do({
    type: 'end-fault',
    device: 'window',
    fault: 'window-restarts',
    credential: CREDENTIAL.attendant,
  });
  await house.do({ type: 'exit-service' });
  await house.do({ type: 'open-betting' });
});

test('310: a pulled note locks its seat’s bets, over a restart; what is credited can be paid', async (t) => {
  const house = await House.open(t);
  await house.fund(1, 50_000);
  await house.acceptorReady(1);
  await house.hands({ do: 'insert-note', acceptor: 1, valueMinor: 50_000, currency: 'MOP' });
  await house.hands({ do: 'fault', device: 'acceptor-1', fault: 'cheat' });
  await house.until('the lock', () => faults(house).includes('acceptor-cheated'));
  await house.restart();
  await house.fund(2, 50_000);
  await house.ready('TS 9H TD 8C');
  await house.do({ type: 'open-betting' });
  await house.refused(house.bet(1, 10_000), 'seat-locked');
  await house.do(house.bet(2, 10_000));
  await house.do({ type: 'request-cash-out', seat: 1 });
});

test('a clock that is put back keeps no window open: it closes when its time has passed', async (t) => {
  const { timing } = profileWith();
  const house = await House.open(t, { profile: { timing: { ...timing, bettingMs: 1_500 } } });
  await house.fund(1, 50_000);
  await house.ready('TS 9H TD 8C');
  await house.do({ type: 'open-betting' });
  await house.do(house.bet(1, 10_000));
  house.clockJumpMs -= 3_600_000;
  house.offsetMs -= 3_600_000;
  await house.until('the window is closed', () => house.entries('betting-closed').length === 1);
});
