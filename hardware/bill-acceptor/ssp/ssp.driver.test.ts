import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MOP_100, out, PLAIN, set, state } from '../../../test/kits/ssp-set.ts';

test('without encryption, to the byte: come up, escrow, held, stacked by a poll, credited once', async () => {
  const { clock, unit, driver, events, frames, until, escrow, types } = await set(PLAIN, {
    encryption: 'off',
  });
  assert.deepEqual(state(events), ['idle', null]);
  assert.deepEqual(frames().slice(0, 6), [
    'out 7f 80 01 11 65 82', // SYNC
    'in 7f 80 01 f0 23 80',
    'out 7f 00 01 18 50 08', // HOLD: no note lies in escrow
    'in 7f 00 01 f5 3e 0a',
    'out 7f 80 02 06 06 24 14', // HOST PROTOCOL VERSION 6
    'in 7f 80 01 f0 23 80',
  ]);
  for (const said of ['7f 80 01 56 f7 83', '7f 00 03 02 08 00 28 28', '7f 80 01 0a 3f 82'])
    assert.ok(out(frames()).includes(said), `${said} among ${out(frames()).join(', ')}`);
  await escrow();
  assert.match(frames().at(-1)!, /^in 7f .0 03 f0 ef 04/);
  assert.equal(unit.cashBox().length, 0);
  await clock.turn(3000);
  assert.deepEqual(
    [...new Set(out(frames()).slice(-4))].sort(),
    ['7f 00 01 18 50 08', '7f 80 01 18 53 82'],
    'HOLD, and no poll, until the host has decided',
  );
  assert.equal(unit.state(), 'escrow');
  driver.stack();
  await until('credit', 'credit');
  const since = frames().slice(-12).join('\n');
  assert.match(since, /out 7f .0 01 07 .*\nin 7f .0 02 f0 cc/, 'a poll stacks it');
  assert.match(frames().at(-1)!, /^in 7f .0 04 f0 ee 04 cc/);
  await clock.turn(1000);
  const again = out(frames()).slice(-3);
  assert.equal(new Set(again).size, 1, 'the same packet until the host has committed');
  driver.acknowledgeCredit();
  await clock.turn(5000);
  assert.deepEqual([...new Set(types())], ['escrowed', 'credit']);
  assert.deepEqual([unit.cashBox(), state(events)], [[MOP_100], ['idle', null]]);
  await driver.stop();
});

test('encrypted, to the byte on the line: the key exchange, and nothing in the clear behind it', async () => {
  const { clock, unit, driver, line, frames, escrow, until, types } = await set();
  assert.deepEqual(line.slice(0, 9), [
    'open',
    'out 7f 80 01 11 65 82',
    'in 7f 80 01 f0 23 80',
    'out 7f 00 01 18 50 08',
    'in 7f 00 01 f5 3e 0a',
    'out 7f 80 09 4a ff ff ff 7f 7f 00 00 00 00 6b 39', // 2^31 - 1; its 7F is doubled
    'in 7f 80 01 f0 23 80',
    'out 7f 00 09 4b ed ff ff 7f 7f 00 00 00 00 5e 3f',
    'in 7f 00 01 f0 20 0a',
  ]);
  assert.match(line[9]!, /^out 7f 80 09 4c/);
  assert.match(line[10]!, /^in 7f 80 09 f0/);
  await escrow();
  driver.stack();
  await until('credit', 'credit');
  driver.acknowledgeCredit();
  await clock.turn(3000);
  assert.deepEqual([...new Set(types())], ['escrowed', 'credit']);
  const behind = line.slice(11).filter((frame) => !/ 7f .0 01 (11|f0) /.test(frame));
  assert.ok(behind.length > 50);
  for (const frame of behind) assert.match(frame, / 7f .0 (7f 7f|11|21|31|41|51|61|71|81|91|a1) 7e /);
  // What service mode shows is plain, and holds no key.
  const shown = frames().join('\n');
  assert.match(shown, /out 7f .0 01 56 /);
  assert.match(shown, /out 7f .0 01 57 .*\nin 7f .0 01 f0/, 'EVENT ACK after the commit');
  assert.ok(!shown.includes(' 7e ') && !/ (4a|4b|4c) /.test(shown.replaceAll(/in .*/g, '')));
  assert.equal(unit.owesCredit(), false);
  await driver.stop();
});

test('a host that dies before it commits: with POLL WITH ACK the unit repeats the credit to the next one', async () => {
  for (const isFrozen of [true, false]) {
    const { clock, unit, driver, start, money, types, until, escrow } = await set({ isFrozen });
    await escrow();
    driver.stack();
    await until('credit', 'credit');
    await driver.stop();
    const before = money().length;
    const again = start();
    await clock.turnUntil('told again', () => types().slice(before).includes('credit'), 30_000);
    assert.deepEqual(money().at(-1), { type: 'credit', note: MOP_100 });
    again.acknowledgeCredit();
    await clock.turn(3000);
    assert.equal(types().at(-1), 'credit');
    assert.equal(unit.owesCredit(), false);
    await again.stop();
  }
});

test('a host that dies before it commits: with POLL the credit comes once, and the fate is unknown', async () => {
  const { clock, driver, start, types, until, escrow } = await set(PLAIN);
  await escrow();
  driver.stack();
  await until('credit', 'credit');
  await driver.stop();
  const before = types().length;
  const again = start();
  await clock.turn(15_000);
  assert.deepEqual(types().slice(before), ['settled-unknown']);
  await again.stop();
});

test('the line is lost between STACK and credit: credited once', async () => {
  for (const sim of [{}, PLAIN]) {
    const { clock, unit, driver, types, until, escrow } = await set(sim);
    await escrow();
    driver.stack();
    await clock.turnUntil('under way', () => unit.state() === 'stacking', 2000);
    unit.unplug();
    await until('credit', 'credit');
    driver.acknowledgeCredit();
    await clock.turn(5000);
    assert.deepEqual([...new Set(types())], ['escrowed', 'credit']);
    assert.equal(unit.cashBox().length, 1);
    await driver.stop();
  }
});

test('the line is lost in escrow: the note is asked for before a poll could stack it, and given back', async () => {
  for (const sim of [{}, PLAIN]) {
    const { clock, unit, driver, types, frames, until, escrow } = await set(sim);
    await escrow();
    unit.unplug();
    await until('back', 'returned');
    assert.ok(out(frames()).some((frame) => / 01 08 /.test(frame)));
    await clock.turn(3000);
    assert.deepEqual([types(), unit.cashBox().length], [['escrowed', 'returned'], 0]);
    await driver.stop();
  }
});

test('power is lost behind the point of no return: what the unit says of it at its start is the credit', async () => {
  for (const [sim, last] of [
    [{}, 'credit'],
    [{ needsKey: true }, 'credit'],
    [PLAIN, 'credit'],
    [{ keepsEvents: false }, 'credit'],
  ] as const) {
    const { clock, unit, driver, types, events, until, escrow } = await set(sim);
    await escrow();
    driver.stack();
    await clock.turnUntil('beyond', () => unit.inPath()?.beyond === true, 2000);
    unit.powerOff();
    await clock.turn(1500);
    unit.powerOn();
    await until('its end', last);
    driver.acknowledgeCredit();
    await clock.turn(20_000);
    assert.equal(types().filter((type) => type === 'credit').length >= 1, true);
    assert.deepEqual(
      types().filter((type) => !['escrowed', 'credit', 'credit-repeated'].includes(type)),
      [],
    );
    assert.deepEqual([unit.cashBox().length, state(events)[0]], [1, 'idle']);
    assert.ok(events.filter(({ type }) => type === 'identity').length > 1, 'it says again who it is');
    await driver.stop();
  }
});

test('a unit that answers FA has lost its key: the line is opened again with another one', async () => {
  const { clock, unit, driver, line, escrow, until } = await set({ needsKey: true });
  unit.powerOff();
  unit.powerOn();
  const before = line.length;
  await clock.turn(8000);
  const since = line.slice(before);
  assert.ok(since.some((frame) => /^in 7f .0 01 fa/.test(frame)));
  assert.equal(since.filter((frame) => frame.startsWith('out 7f 80 09 4c')).length, 1);
  await escrow();
  driver.returnNote();
  await until('back', 'returned');
  await driver.stop();
});
