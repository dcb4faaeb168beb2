import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIMITS } from '../../host/watches/limits.ts';
import type { DisplayRole } from '../../wire/display.ts';
import { CREDENTIAL, TestTerminal } from './test-terminal.ts';

const ROLES: readonly DisplayRole[] = [
  'table',
  'seat:1',
  'seat:6',
  'dealer',
  'spectator',
  'service',
  'operator',
];

test('displays of every role see the same table at the same entry', async (t) => {
  const kit = await TestTerminal.open(t);
  const displays = await Promise.all(ROLES.map((role) => kit.display(role)));
  for (const { view } of displays) assert.equal(view.table.terminalId, 'T-HOST-1');
  await kit.fund(1, 50_000);
  await kit.do({ type: 'sign-in-dealer', credential: CREDENTIAL.dealer });
  const seq = kit.headSeq;
  for (const display of displays) {
    const view = await display.until((seen) => seen.seq >= seq);
    assert.equal(view?.seq, seq);
    assert.equal(view?.bootId, kit.view.bootId);
    assert.equal(view?.seats[0]?.creditMinor, 50_000);
    assert.equal(view?.dealer.name, 'Lei Ka Man');
    assert.equal(view?.link.headSeq, seq);
  }
});

test('a display that comes back gets the newest view at once, and one that is gone costs the others nothing', async (t) => {
  const kit = await TestTerminal.open(t);
  const seat = await kit.display('seat:2');
  seat.close();
  await kit.until('it is gone', () => seat.gone);
  await kit.do({ type: 'call-attendant', seat: 2, on: true });
  const back = await kit.display('seat:2');
  assert.equal(back.view.seq, kit.headSeq);
  assert.equal(back.view.seats[1]?.callsAttendant, true);
  await kit.do({ type: 'call-attendant', seat: 2, on: false }, back);
});

test('each seat keeps its language, credit and call through a restart of the host', async (t) => {
  const kit = await TestTerminal.open(t);
  await kit.fund(3, 10_000);
  await kit.do({ type: 'set-language', seat: 2, language: 'pt' });
  await kit.do({ type: 'set-language', seat: 3, language: 'en' });
  await kit.do({ type: 'call-attendant', seat: 3, on: true });
  const { bootId } = kit.view;
  const seats = kit.view.seats.map(({ note: _note, ...seat }) => seat);
  await kit.restart();
  assert.notEqual(kit.table.view.bootId, bootId);
  assert.deepEqual(
    kit.table.view.seats.map(({ note: _note, ...seat }) => seat),
    seats,
  );
  assert.deepEqual(
    kit.table.view.seats.map(({ language }) => language),
    ['zh-Hant', 'pt', 'en', 'zh-Hant', 'zh-Hant', 'zh-Hant'],
  );
});

test('a profile that may not come into force leaves the old one standing, and says so in the ledger', async (t) => {
  const kit = await TestTerminal.open(t);
  await kit.fund(1, 10_000);
  await kit.restart({ tableName: 'Another' });
  assert.equal(kit.view.table.name, 'Test', 'there is credit');
  assert.match(JSON.stringify(kit.last('profile-refused')), /there is credit/);
  await kit.do({ type: 'request-cash-out', seat: 1 });
  const { requestId } = kit.seat(1).cashOut ?? { requestId: '' };
  await kit.do({ type: 'confirm-hand-pay', seat: 1, requestId, credential: CREDENTIAL.attendant });
  await kit.do({ type: 'set-language', seat: 4, language: 'pt' });
  await kit.restart({ tableName: 'Another' });
  assert.equal(kit.view.table.name, 'Another');
  assert.equal(kit.seat(4).language, 'pt', 'a language outlives the profile');
});

test('908: a dealer’s display that is lost gives strip and PINs back to the table until it is there again, over a restart', async (t) => {
  const kit = await TestTerminal.open(t, {
    file: { displays: { dealer: { screen: ':0.1' } }, limits: { ...LIMITS, displayLostMs: 1_000 } },
  });
  const signIn = { type: 'sign-in-dealer', credential: CREDENTIAL.dealer } as const;
  const service = { type: 'enter-service', credential: CREDENTIAL.technician } as const;
  await kit.refused(signIn, 'not-allowed');
  let dealer = await kit.display('dealer');
  await kit.do(signIn, dealer);
  await kit.do(service, dealer);
  await dealer.query({ query: 'devices' });
  await assert.rejects(kit.table.query({ query: 'devices' }), /service/);
  await kit.do({ type: 'exit-service' }, dealer);
  dealer.close();
  await kit.until('the loss', () => kit.view.handedOver?.dealer === false);
  await kit.do({ type: 'sign-out-dealer' });
  await kit.restart();
  await kit.do(signIn);
  dealer = await kit.display('dealer');
  await kit.until('it is there', () => kit.view.handedOver?.dealer === true);
  await kit.refused(service, 'not-allowed');
  await kit.do({ type: 'sign-out-dealer' }, dealer);
});
