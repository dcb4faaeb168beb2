import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MOP_100, out, PLAIN, scripted, set, state } from '../../../test/kits/ssp-set.ts';
import { linesTo } from '../../../test/kits/till.ts';
import { HandClock } from '../../transport/clock.ts';
import { COMMAND, EVENT } from './ssp.codec.ts';
import { createSsp } from './ssp.driver.ts';
import { KEY_COMMANDS, SspSim } from './ssp.sim.ts';

test('a unit that wants a key and gets none says so; nothing is let in', async () => {
  const { unit, driver, events } = await set({ needsKey: true }, { encryption: 'off' });
  assert.ok(events.some((event) => event.type === 'state' && event.detail === 'key-not-set'));
  assert.equal(unit.insert(10_000, 'MOP').taken, false);
  await driver.stop();
});

test('units without encryption: refused, silent, or out of range at first; only `required` insists', async () => {
  for (const sim of [PLAIN, { silentCommands: KEY_COMMANDS }]) {
    const { unit, driver, clock } = await set(sim);
    await clock.turnUntil('open', () => unit.insert(10_000, 'MOP').taken, 30_000);
    await driver.stop();
    const insists = await set(sim, { encryption: 'required' });
    await insists.clock.turn(20_000);
    assert.deepEqual([insists.driver.state(), insists.unit.state()], ['offline', 'disabled']);
    const [opened, closed] = ['open', 'close'].map(
      (what) => insists.line.filter((one) => one === what).length,
    );
    assert.ok(opened! > 2 && opened! - closed! <= 1, `${opened} opened, ${closed} closed`);
    await insists.driver.stop();
  }
  const clock = new HandClock();
  const unit = new SspSim({ clock, currencies: ['MOP'] });
  const drawn = [4n, 15n, 2_147_483_647n, 2_147_483_629n];
  const driver = createSsp(
    'a',
    linesTo(unit, clock),
    clock,
    { encryption: 'required' },
    {
      prime: () => drawn.shift() ?? assert.fail('no third pair is needed'),
      bytes: (length) => new Uint8Array(length),
    },
  );
  driver.allow([10_000]);
  driver.start(() => {});
  await clock.turn(8000);
  assert.equal(unit.insert(10_000, 'MOP').taken, true, 'F4: other primes are tried');
  await driver.stop();
});

test('POLL WITH ACK refused, EVENT ACK refused: the unit is polled with POLL', async () => {
  for (const unknownCommands of [[COMMAND.pollWithAck], [COMMAND.eventAck]]) {
    const { clock, unit, driver, frames, types, until, escrow } = await set({ unknownCommands });
    await escrow();
    driver.stack();
    await until('credit', 'credit');
    driver.acknowledgeCredit();
    await clock.turn(8000);
    assert.match(out(frames()).at(-1)!, / 01 07 /);
    assert.deepEqual(
      types().filter((type) => !['escrowed', 'credit', 'credit-repeated'].includes(type)),
      [],
    );
    await clock.turnUntil('open', () => unit.insert(10_000, 'MOP').taken, 30_000);
    await driver.stop();
  }
});

test('POLL WITH ACK unanswered, as by a real NV9: after three lines the unit is polled with POLL', async () => {
  const { clock, unit, driver, events, frames, types, until } = await set({
    ...PLAIN,
    silentCommands: [COMMAND.pollWithAck],
  });
  await clock.turnUntil('open', () => unit.insert(10_000, 'MOP').taken, 60_000);
  const polls = out(frames()).filter((frame) => /^7f [08]0 01 (56|07) /.test(frame));
  const [first] = polls.flatMap((frame, at) => (/ 01 07 /.test(frame) ? [at] : []));
  assert.ok(polls.slice(0, first).every((frame) => / 01 56 /.test(frame)));
  assert.ok(
    polls.slice(first).every((frame) => / 01 07 /.test(frame)),
    'and never with 56 again',
  );
  assert.ok(polls.includes('7f 80 01 56 f7 83') || polls.includes('7f 00 01 56 f4 03'), polls[0]);
  assert.ok(polls.includes('7f 80 01 07 12 02'), polls[first!]);
  const lost = events.filter((event) => event.type === 'link' && event.link === 'down');
  assert.equal(lost.length, 3);
  await until('escrow', 'escrowed');
  driver.stack();
  await until('credit', 'credit');
  driver.acknowledgeCredit();
  await clock.turn(8000);
  assert.equal(types().filter((type) => type === 'credit').length, 1);
  await driver.stop();
});

test('units that leave optional questions unanswered, or refuse them, go into service', async () => {
  const optional = [COMMAND.protocolVersion, COMMAND.serial, COMMAND.firmware, COMMAND.lastReject];
  for (const sim of [
    { silentCommands: optional },
    { unknownCommands: optional },
    { ...PLAIN, silentCommands: optional },
  ]) {
    const { clock, unit, driver, events } = await set(sim);
    await clock.turnUntil('open', () => unit.insert(10_000, 'MOP').taken, 60_000);
    assert.equal(events.find((event) => event.type === 'identity')?.identity.serial, '');
    await driver.stop();
  }
});

test('rows of the table are confirmed by what the unit says of them; any other row is none', async () => {
  const { clock, unit, driver, events } = await set();
  const identity = events.find((event) => event.type === 'identity');
  assert.deepEqual(identity?.identity, {
    model: 'SSP note validator',
    serial: '1193046',
    firmware: 'SIMULATED SSP-1 0337',
  });
  const row = identity?.table?.[3];
  assert.deepEqual(row, {
    said: '04 4d 4f 50 64 00 00 00 00 00 01 00 00 64',
    valueMinor: 10_000,
    currency: 'MOP',
  });
  driver.confirm({});
  await clock.turn(1000);
  assert.equal(unit.insert(10_000, 'MOP').taken, false);
  driver.confirm({ [row.said]: { currency: 'MOP', valueMinor: 1000 } });
  await clock.turn(1000);
  assert.equal(unit.insert(10_000, 'MOP').taken, false, 'another value than the unit says');
  driver.confirm({ [row.said]: MOP_100 });
  await clock.turn(1000);
  assert.equal(unit.insert(10_000, 'MOP').taken, true);
  await driver.stop();
});

test('every note is let in to be tried, told by its row, and given back', async () => {
  const { clock, unit, driver, money, until } = await set();
  driver.tryNotes();
  await clock.turn(1000);
  assert.equal(unit.insert(50_000, 'MOP').taken, true);
  await until('tried', 'returned');
  const tried = money().find((event) => event.type === 'tried');
  assert.equal(tried?.note?.valueMinor, 50_000);
  assert.equal(unit.givenBack().length, 1);
  await driver.stop();
});

test('a unit with a payout is none of ours and never opens', async () => {
  for (const unitType of [6, 7]) {
    const { unit, driver, events } = await set({ unitType });
    assert.deepEqual(state(events), ['failed', 'no-bill-validator']);
    assert.equal(unit.insert(10_000, 'MOP').taken, false);
    await driver.stop();
  }
});

test('jam, path open, box out, box full: said by name in both ways of telling, and over when it is over', async () => {
  for (const tellsOnce of [false, true])
    for (const [fault, end, said] of [
      ['jam', 'clear-jam', ['jammed', 'path']],
      ['cassette-out', 'cassette-in', ['cassette-removed', null]],
      ['open-path', 'close-path', ['failed', 'transport-open']],
      ['full', null, ['full', null]],
    ] as const) {
      const { clock, unit, driver, events } = await set({ tellsOnce });
      unit.fault(fault);
      await clock.turn(3000);
      assert.deepEqual(state(events), said);
      if (end === null) unit.emptyBox();
      else unit.fault(end);
      await clock.turnUntil('idle', () => state(events)[0] === 'idle', 30_000);
      await clock.turnUntil('open', () => unit.insert(10_000, 'MOP').taken, 5000);
      await driver.stop();
    }
});

test('a refused note is said with its reason; one that the host gives back is `returned`', async () => {
  const { clock, unit, driver, money, types, until, escrow } = await set();
  unit.fault('reject', 0x1c);
  unit.insert(10_000, 'MOP');
  await until('refused', 'rejected');
  assert.deepEqual(money().at(-1), { type: 'rejected', reason: 'several-notes' });
  await escrow();
  driver.returnNote();
  await until('back', 'returned');
  await clock.turn(2000);
  assert.deepEqual(types(), ['rejected', 'escrowed', 'returned']);
  await driver.stop();
});

test('a note in escrow is held before an event beside it is acknowledged', async () => {
  const { clock, driver, said } = await scripted([
    [EVENT.fraud, 0, EVENT.read, 4],
    [EVENT.rejecting],
    [EVENT.rejected],
    [],
  ]);
  await clock.turn(3000);
  const first = said.filter((command) => command !== COMMAND.pollWithAck);
  assert.deepEqual(first.slice(0, 2), [COMMAND.hold, COMMAND.eventAck]);
  await driver.stop();
});

test('a credit that comes again in other answers is credited once; STACKED may have a byte behind it', async () => {
  const { clock, driver, events, said } = await scripted([
    [EVENT.read, 4],
    [EVENT.stacking],
    [EVENT.credit, 4, EVENT.stacking],
    [EVENT.credit, 4, EVENT.stacked, 4],
    [],
  ]);
  await clock.turnUntil('escrow', () => events.some(({ type }) => type === 'escrowed'), 5000);
  driver.stack();
  await clock.turnUntil('credit', () => events.some(({ type }) => type === 'credit'), 5000);
  driver.acknowledgeCredit();
  await clock.turn(5000);
  const told = events.map(({ type }) => type).filter((type) => type.startsWith('credit'));
  assert.deepEqual([...new Set(told)], ['credit', 'credit-repeated']);
  assert.ok(said.includes(COMMAND.eventAck));
  assert.deepEqual(state(events), ['idle', null]);
  await driver.stop();
});

test('what stands behind a repeated credit waits for EVENT ACK: it would close the record', async () => {
  const both = [EVENT.credit, 4, EVENT.stacked];
  // The host commits while the packet that was said again is on its way.
  let commit = (): void => {};
  const { clock, driver, events, said } = await scripted([[EVENT.read, 4], both, both, []], () => commit());
  await clock.turnUntil('escrow', () => events.some(({ type }) => type === 'escrowed'), 5000);
  driver.stack();
  await clock.turnUntil('credit', () => events.some(({ type }) => type === 'credit'), 5000);
  commit = () => driver.acknowledgeCredit();
  await clock.turnUntil('stacked', () => said.includes(0), 5000);
  const acknowledged = said.indexOf(COMMAND.eventAck);
  assert.ok(acknowledged >= 0 && acknowledged < said.indexOf(0), said.join(' '));
  await driver.stop();
});

test('a barcoded ticket is given back', async () => {
  const { clock, driver, events, said } = await scripted([[EVENT.ticket], [EVENT.rejected], []]);
  await clock.turn(3000);
  assert.ok(said.includes(COMMAND.reject));
  assert.deepEqual(
    events.find((event) => event.type === 'rejected'),
    { type: 'rejected', reason: 'barcode' },
  );
  await driver.stop();
});

test('what fits no unit is refused: an address, the answer of another unit', async () => {
  const clock = new HandClock();
  assert.throws(() => createSsp('a', () => assert.fail(), clock, { address: 0x7e }), RangeError);
  const { driver, unit } = await set({ address: 3 }, { address: 3 });
  assert.equal(unit.insert(10_000, 'MOP').taken, true);
  await driver.stop();
  const deaf = await set({ address: 3 });
  assert.equal(deaf.driver.state(), 'offline');
  await deaf.driver.stop();
  // With another fixed half the unit does not understand what is said.
  const other = await set({ fixedKey: '0011223344556677' });
  assert.equal(other.unit.insert(10_000, 'MOP').taken, false);
  await other.driver.stop();
});
