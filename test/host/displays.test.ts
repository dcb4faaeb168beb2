import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DisplayRole } from '../../wire/display.ts';
import { CREDENTIAL, House } from './house.ts';

const ROLES: readonly DisplayRole[] = ['table', 'seat:1', 'seat:6', 'dealer', 'service', 'operator'];

test('displays of every role see the same table at the same entry', async (t) => {
  const house = await House.open(t);
  const displays = await Promise.all(ROLES.map((role) => house.display(role)));
  for (const { view } of displays) assert.equal(view.table.terminalId, 'T-HOST-1');
  await house.fund(1, 50_000);
  await house.do({ type: 'sign-in-dealer', credential: CREDENTIAL.dealer });
  const seq = house.headSeq;
  for (const display of displays) {
    const view = await display.until((seen) => seen.seq >= seq);
    assert.equal(view?.seq, seq);
    assert.equal(view?.bootId, house.view.bootId);
    assert.equal(view?.seats[0]?.creditMinor, 50_000);
    assert.equal(view?.dealer.name, 'Lei Ka Man');
    assert.equal(view?.link.headSeq, seq);
  }
});

test('a display that comes back gets the newest view at once, and one that is gone costs the others nothing', async (t) => {
  const house = await House.open(t);
  const seat = await house.display('seat:2');
  seat.close();
  await house.until('it is gone', () => seat.gone);
  await house.do({ type: 'call-attendant', seat: 2, on: true });
  const back = await house.display('seat:2');
  assert.equal(back.view.seq, house.headSeq);
  assert.equal(back.view.seats[1]?.callsAttendant, true);
  await house.do({ type: 'call-attendant', seat: 2, on: false }, back);
});

test('each seat keeps its language, credit and call through a restart of the host', async (t) => {
  const house = await House.open(t);
  await house.fund(3, 10_000);
  await house.do({ type: 'set-language', seat: 2, language: 'pt' });
  await house.do({ type: 'set-language', seat: 3, language: 'en' });
  await house.do({ type: 'call-attendant', seat: 3, on: true });
  const { bootId } = house.view;
  const seats = house.view.seats.map(({ note: _note, ...seat }) => seat);
  await house.restart();
  assert.notEqual(house.table.view.bootId, bootId);
  assert.deepEqual(
    house.table.view.seats.map(({ note: _note, ...seat }) => seat),
    seats,
  );
  assert.deepEqual(
    house.table.view.seats.map(({ language }) => language),
    ['zh-Hant', 'pt', 'en', 'zh-Hant', 'zh-Hant', 'zh-Hant'],
  );
});

test('a profile that may not come into force leaves the old one standing, and says so in the ledger', async (t) => {
  const house = await House.open(t);
  await house.fund(1, 10_000);
  await house.restart({ tableName: 'Another' });
  assert.equal(house.view.table.name, 'Test', 'there is credit');
  assert.match(JSON.stringify(house.last('profile-refused')), /there is credit/);
  await house.do({ type: 'request-cash-out', seat: 1 });
  const { requestId } = house.seat(1).cashOut ?? { requestId: '' };
  await house.do({ type: 'confirm-hand-pay', seat: 1, requestId, credential: CREDENTIAL.attendant });
  await house.do({ type: 'set-language', seat: 4, language: 'pt' });
  await house.restart({ tableName: 'Another' });
  assert.equal(house.view.table.name, 'Another');
  assert.equal(house.seat(4).language, 'pt', 'a language outlives the profile');
});
