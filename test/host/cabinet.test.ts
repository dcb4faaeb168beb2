/** The cabinet of a whole terminal: doors, lamp and siren, and the UPS behind it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DeviceRack } from '../../hardware/rack/rack.sim.ts';
import { systemClock } from '../../hardware/transport/clock.ts';
import { codesOf } from '../../host/pages/event-codes.ts';
import { CREDENTIAL, hurried, TestTerminal } from './test-terminal.ts';

type Fault = Extract<Parameters<TestTerminal['hands']>[0], { do: 'fault' }>['fault'];
const door = (kit: TestTerminal, fault: Fault) => kit.hands({ do: 'fault', device: 'cabinet', fault });
const mains = (kit: TestTerminal, fault: Fault) => kit.hands({ do: 'fault', device: 'ups', fault });
const faults = (kit: TestTerminal): string[] => kit.host.terminal.state.faults.map(({ fault }) => fault);
const stands = (kit: TestTerminal, fault: string, isThere = true) =>
  kit.until(`${fault} ${isThere}`, () => faults(kit).includes(fault) === isThere);
const lamp = (kit: TestTerminal): string => {
  const { upper, lower } = kit.rack.cabinet.sight();
  return `${upper} ${lower}`;
};
const shows = (kit: TestTerminal, wanted: string) =>
  kit.until(`lamp ${wanted}, not ${lamp(kit)}`, () => lamp(kit) === wanted);
const isThere = (kit: TestTerminal) =>
  kit.until('cabinet and UPS', () =>
    ['cabinet', 'ups'].every((id) =>
      kit.view.devices.some((each) => each.id === id && each.state === 'idle'),
    ),
  );
const codes = (kit: TestTerminal, afterSeq = 0): string[] =>
  kit.entries(null, afterSeq).flatMap((entry) => codesOf(entry).map(({ code }) => code));
const doorCodes = (kit: TestTerminal, afterSeq = 0): string[] =>
  codes(kit, afterSeq).filter((code) => /^2[01]\d/.test(code) && code !== '219');
const reasons = (kit: TestTerminal): string[] =>
  kit.host.terminal.ledger.checkpoints().map(({ reason }) => reason);
async function meters(kit: TestTerminal): Promise<ReadonlyMap<string, number>> {
  const page = await kit.table.query({ query: 'meters', asOfMs: null, fromMs: null, by: null });
  return new Map(page.meters.map(({ code, value }) => [code, value]));
}

test('201: the main door opened in mid-note and in mid-round: no money, the siren, a signature, one credit', async (t) => {
  const kit = await TestTerminal.open(t);
  await isThere(kit);
  await kit.fund(2, 50_000);
  await kit.ready('TS 9H TD 8C');
  await kit.deal({ 2: 10_000 });
  const before = kit.headSeq;
  const signed = reasons(kit).length;
  await kit.insert(1, 50_000);
  await kit.until('the note is on its way', () => kit.entries('note-stack-requested', before).length === 1);
  await door(kit, 'main-open');
  await stands(kit, 'main-door-open');
  assert.equal(kit.rack.cabinet.sight().sirenMs > 9_000, true, 'for ten seconds');
  await kit.until('the note is settled', () => kit.entries('note-credited', before).length === 1);
  assert.equal(kit.seat(1).creditMinor, 50_000);
  assert.equal(kit.host.terminal.state.heldNotes.length, 0);
  assert.equal(kit.view.hold?.code, 'machine-fault');
  await kit.until('every gate is shut', () => [1, 2, 3].every((n) => kit.rack.acceptor(n).status() === 0x1a));
  await kit.refused({ type: 'request-cash-out', seat: 1 }, 'held');
  await kit.refused(kit.act(2, 'stand'), 'held');
  assert.equal(kit.step, 'call-supervisor');
  await shows(kit, 'off fast');
  assert.deepEqual(
    reasons(kit)
      .slice(signed)
      .filter((reason) => reason !== 'closing'),
    ['door'],
  );
  await door(kit, 'main-close');
  await stands(kit, 'main-door-open', false);
  assert.equal(kit.step, 'confirm-layout');
  await kit.do({ type: 'confirm-layout' });
  if (kit.step === 'await-offers') kit.passDeadline();
  await kit.do(kit.act(2, 'stand'));
  await kit.do({ type: 'request-cash-out', seat: 1 });
  assert.deepEqual(doorCodes(kit, before), ['201', '202']);
  assert.equal(kit.entries('note-credited', before).length, 1);
  await kit.do({ type: 'enter-service', credential: CREDENTIAL.technician });
  const counted = await meters(kit);
  assert.deepEqual(
    [counted.get('door_main'), counted.get('tilts_201'), counted.get('games_since_door')],
    [1, 1, 0],
  );
});

test('203 to 212: each door by its number, what it stops, and nothing told twice', async (t) => {
  const kit = await TestTerminal.open(t);
  await isThere(kit);
  await kit.fund(1, 50_000);
  await kit.ready('TS 9H TD 8C');
  const from = kit.headSeq;
  for (const [name, fault, opens, paysOut] of [
    ['drop', 'drop-door-open', true, true],
    ['acceptor', 'acceptor-door-open', true, false],
    ['cabinet', 'cabinet-door-open', true, false],
  ] as const) {
    await door(kit, `${name}-open`);
    await stands(kit, fault);
    const { terminal } = kit.host;
    const opened = terminal.submit({ type: 'open-betting', roundId: terminal.nextRoundId() });
    assert.equal(opened.status === 'done', opens, fault);
    if (opens) assert.equal(terminal.submit({ type: 'close-betting' }).status, 'done');
    const asked = await kit.send({ type: 'request-cash-out', seat: 1 });
    assert.equal(asked.status === 'done', paysOut, fault);
    if (paysOut) {
      const { requestId } = kit.seat(1).cashOut!;
      await kit.do({ type: 'cancel-cash-out', seat: 1, requestId });
    }
    await door(kit, `${name}-close`);
    await stands(kit, fault, false);
  }
  assert.deepEqual(doorCodes(kit, from), ['203', '204', '207', '208', '211', '212']);
  // The logic area is looked at by two before anything goes on.
  await door(kit, 'logic-open');
  await stands(kit, 'logic-door-open');
  await kit.do({ type: 'enter-service', credential: CREDENTIAL.technician });
  const end = {
    type: 'end-fault',
    device: 'cabinet',
    fault: 'logic-door-open',
    credential: CREDENTIAL.technician,
    secondCredential: CREDENTIAL.supervisor,
  } as const;
  await kit.refused(end, 'held');
  await door(kit, 'logic-close');
  await kit.until('closed', () => kit.view.devices.find(({ id }) => id === 'cabinet')?.state === 'idle');
  assert.ok(faults(kit).includes('logic-door-open'));
  await kit.do(end);
  assert.deepEqual(doorCodes(kit, from).slice(6), ['205', '206']);
});

test('215 to 218: what was opened without power, or while the terminal was away, is reported by the next start, once', async (t) => {
  const kit = await TestTerminal.open(t);
  await isThere(kit);
  await kit.stop();
  const board = kit.rack.cabinet;
  board.fault('acceptor-open');
  board.fault('acceptor-close');
  board.powerOff();
  for (const name of ['main', 'logic', 'logic', 'drop', 'acceptor'] as const) {
    board.fault(`${name}-open`);
    board.fault(`${name}-close`);
  }
  board.powerOn();
  const from = kit.headSeq;
  kit.machineBootId = 'boot-2';
  await kit.start();
  await stands(kit, 'drop-door-opened-off');
  assert.deepEqual(faults(kit).toSorted(), [
    'acceptor-door-opened-off',
    'drop-door-opened-off',
    'logic-door-opened-off',
    'main-door-opened-off',
  ]);
  assert.deepEqual(doorCodes(kit, from).toSorted(), ['207', '208', '215', '216', '217', '218']);
  const { opened, openedOff } = kit.last<{ opened: object; openedOff: object }>('doors-counted');
  assert.deepEqual(opened, { main: 0, drop: 0, logic: 0, acceptor: 1, cabinet: 0 });
  assert.deepEqual(openedOff, { main: 1, drop: 1, logic: 2, acceptor: 1, cabinet: 0 });
  assert.ok(board.sight().sirenMs > 9_000);
  assert.equal(reasons(kit).at(-1), 'door');
  await kit.refused({ type: 'request-cash-out', seat: 1 }, 'held');

  await kit.restart();
  await isThere(kit);
  assert.equal(faults(kit).length, 4, 'they stand over a restart');
  await kit.do({ type: 'enter-service', credential: CREDENTIAL.technician });
  const { technician, supervisor, attendant } = CREDENTIAL;
  const end = (fault: string, credential: typeof attendant | typeof supervisor | typeof technician) => ({
    type: 'end-fault' as const,
    device: 'cabinet',
    fault,
    credential,
  });
  await kit.refused(end('main-door-opened-off', attendant), 'person');
  await kit.do(end('main-door-opened-off', supervisor));
  await kit.do({ ...end('logic-door-opened-off', technician), secondCredential: supervisor });
  await kit.do(end('acceptor-door-opened-off', attendant));
  await kit.do(end('drop-door-opened-off', attendant));
  assert.deepEqual(faults(kit), []);
  const counted = await meters(kit);
  assert.deepEqual(
    ['door_main_poweroff', 'door_logic_poweroff', 'door_acceptor', 'door_acceptor_poweroff', 'door_main'].map(
      (code) => counted.get(code),
    ),
    [1, 2, 1, 1, 0],
  );
});

test('220, 222: a board that is gone or another one lets no further round begin', async (t) => {
  const kit = await TestTerminal.open(t);
  await isThere(kit);
  await kit.ready('TS 9H TD 8C');
  kit.rack.cabinet.powerOff();
  await stands(kit, 'cabinet-offline');
  await kit.refused({ type: 'open-betting' }, 'held');
  kit.rack.cabinet.powerOn();
  await stands(kit, 'cabinet-offline', false);
  await kit.do({ type: 'open-betting' });
  await kit.do({ type: 'close-betting' });

  await kit.stop();
  const memory = kit.rack.cabinet.memory();
  kit.rack = new DeviceRack({
    acceptors: 6,
    clock: hurried,
    boardClock: systemClock,
    memory: {
      ...kit.rack.memory(),
      cabinet: { ...memory, serial: 'ANOTHER', opened: { ...memory.opened, main: 9 } },
    },
  });
  await kit.start();
  await stands(kit, 'cabinet-changed');
  assert.equal(faults(kit).includes('main-door-open'), false, 'what it has counted elsewhere is not ours');
  await kit.do({ type: 'enter-service', credential: CREDENTIAL.technician });
  await kit.do({
    type: 'end-fault',
    device: 'cabinet',
    fault: 'cabinet-changed',
    credential: CREDENTIAL.technician,
    secondCredential: CREDENTIAL.supervisor,
  });
  await kit.restart();
  await isThere(kit);
  assert.equal(faults(kit).includes('cabinet-changed'), false);
});

test('the lamp shows who is called, who is to be paid, and what is out of service; its test moves no meter', async (t) => {
  const kit = await TestTerminal.open(t);
  await isThere(kit);
  await kit.fund(1, 50_000);
  await kit.ready('TS 9H TD 8C');
  await shows(kit, 'off off');
  await kit.do({ type: 'call-attendant', seat: 2, on: true });
  await shows(kit, 'steady off');
  await kit.do({ type: 'request-cash-out', seat: 1 });
  await shows(kit, 'slow slow');
  await kit.refused({ type: 'test-device', device: 'cabinet', part: 'lamp' }, 'service');
  await kit.do({ type: 'enter-service', credential: CREDENTIAL.technician });
  await shows(kit, 'fast fast');
  const before = [...(await meters(kit))];
  await kit.do({ type: 'test-device', device: 'cabinet', part: 'lamp' });
  await shows(kit, 'steady steady');
  await kit.do({ type: 'test-device', device: 'cabinet', part: 'siren' });
  await kit.until('the siren', () => kit.rack.cabinet.sight().sirenMs > 0);
  assert.ok(kit.rack.cabinet.sight().sirenMs <= 2_000);
  assert.deepEqual(
    [...(await meters(kit))].filter(([code]) => code !== 'queue_depth'),
    before.filter(([code]) => code !== 'queue_depth'),
  );
  assert.deepEqual(codes(kit).filter((code) => code === '808').length, 2);
  const { devices } = await kit.table.query({ query: 'devices' });
  const board = devices.find(({ view }) => view.id === 'cabinet');
  assert.deepEqual([board?.cabinet?.open, board?.cabinet?.key, board?.identity?.model], [[], false, 'KCB-1']);
  assert.equal(devices.find(({ view }) => view.id === 'ups')?.power?.charge, 100);
  await door(kit, 'key-on');
  await kit.until('the key', () => codes(kit).includes('223'));
  await door(kit, 'key-off');
  await kit.until('the key', () => codes(kit).includes('223C'));
  await kit.do({ type: 'exit-service' });
  await shows(kit, 'slow slow');
});

test('107, 110: on its battery the round is finished and no other begins; at its end the program ends in order; with the mains the table goes on', async (t) => {
  const kit = await TestTerminal.open(t);
  await isThere(kit);
  await kit.fund(1, 50_000);
  await kit.ready('TS 9H TD 8C');
  await kit.deal({ 1: 10_000 });
  await mains(kit, 'mains-off');
  await stands(kit, 'ups-on-battery');
  await shows(kit, 'fast fast');
  assert.equal(kit.view.hold, null, 'the round goes on');
  if (kit.step === 'await-offers') kit.passDeadline();
  await kit.do(kit.act(1, 'stand'));
  while (kit.view.phase === 'bank') await kit.draw();
  await kit.until('paid', () => kit.entries('round-settled').length === 1);
  kit.offsetMs += 10_000;
  await kit.do({ type: 'close-round' });
  await kit.refused({ type: 'open-betting' }, 'held');
  assert.deepEqual(
    kit.reports.filter((line) => 'shutdown' in line),
    [],
  );
  await mains(kit, 'low');
  await kit.until('it asks to be ended', () => kit.reports.some((line) => 'shutdown' in line));
  await kit.restart();
  assert.equal(kit.entries('program-stopped').length, 1);
  await isReadable(kit);
  assert.ok(faults(kit).includes('ups-battery-low'));
  assert.equal(kit.reports.filter((line) => 'shutdown' in line).length, 1, 'the next life stands still');
  await mains(kit, 'mains-on');
  await stands(kit, 'ups-battery-low', false);
  await stands(kit, 'ups-on-battery', false);
  await kit.do({ type: 'open-betting' });
  assert.deepEqual(
    codes(kit).filter((code) => /^1(07|10)/.test(code)),
    ['107', '110', '110C', '107C'].sort((a, b) => codes(kit).indexOf(a) - codes(kit).indexOf(b)),
  );
  await mains(kit, 'stale');
  await stands(kit, 'ups-offline');
});

const isReadable = (kit: TestTerminal) =>
  kit.until(
    'the UPS is heard',
    () => kit.view.devices.find(({ id }) => id === 'ups')?.state === 'battery-low',
  );
