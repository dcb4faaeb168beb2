/**
 * Which notes of a unit count: its own words, what a technician has confirmed, and nothing else.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { realUnit } from '../../../test/kits/real-unit.ts';
import { linesTo } from '../../../test/kits/till.ts';
import type { AcceptorEvent, Note } from '../../ports.ts';
import { HandClock } from '../../transport/clock.ts';
import { createId003 } from './id003.driver.ts';
import { Id003Sim, type Id003SimOptions } from './id003.sim.ts';
import type { Id003Options } from './id003-options.ts';

const HKD_100: Note = { currency: 'HKD', valueMinor: 10_000 };
const ROW_100 = '64 48 01 02';

async function set(
  sim: Partial<Id003SimOptions>,
  options: Id003Options = {},
  line: Parameters<typeof realUnit>[2] | null = {},
) {
  const clock = new HandClock();
  const unit = new Id003Sim({ clock, currencies: ['HKD', 'MOP'], ...sim });
  const open = line === null ? linesTo(unit, clock) : realUnit(unit, clock, line);
  const driver = createId003('a', open, clock, options);
  const events: AcceptorEvent[] = [];
  driver.start((event) => events.push(event));
  await clock.turn(3000);
  const money = () =>
    events.filter(({ type }) => ['escrowed', 'tried', 'credit', 'returned', 'rejected'].includes(type));
  const said = () =>
    driver
      .frames()
      .filter(({ direction, hex }) => direction === 'out' && !hex.startsWith('fc 05 11 '))
      .map(({ hex }) => hex);
  const feeds = async (valueMinor: number, currency = 'HKD') => {
    await clock.turnUntil('idle', () => unit.status() === 0x11, 20_000);
    assert.deepEqual(unit.insert(valueMinor, currency), { taken: true });
    await clock.turn(4000);
  };
  return { clock, unit, driver, events, money, said, feeds };
}

test('no default guesses money: 48 and 4D, which our simulator uses, have no name on a unit that is none', async () => {
  const { driver, unit, events, said } = await set({});
  driver.allow([10_000, 50_000]);
  await driver.stop();
  const identity = events.find((event) => event.type === 'identity');
  assert.equal(identity?.identity.firmware, 'UBA-10-SS ID003-05 V9.9, boot S1.0');
  assert.deepEqual(identity?.notes, []);
  assert.deepEqual(identity?.table?.[3], { said: ROW_100, valueMinor: 10_000, currency: null });
  assert.equal(identity?.table?.length, 12);
  // The mouth stays shut: every code refused (C0 FF FF), and nothing is accepted (C3 01).
  assert.ok(said().includes('fc 07 c0 ff ff 95 45'), said().join('\n'));
  assert.ok(said().includes('fc 06 c3 01 8d c7') && !said().includes('fc 06 c3 00 04 d6'));
  assert.deepEqual(unit.insert(10_000, 'HKD'), { taken: false, why: 'inhibited' });
});

test('the simulator, and a unit whose codes the terminal file names, say it by themselves', async () => {
  for (const [line, options] of [
    [null, {}],
    [{}, { countries: { 72: 'HKD' } }],
  ] as const) {
    const { driver, events } = await set({ currencies: ['HKD'] }, options, line);
    await driver.stop();
    const identity = events.find((event) => event.type === 'identity');
    assert.deepEqual(identity?.notes?.[3], HKD_100);
  }
});

test('a note that is tried comes in, is named by its row, and goes back: RETURN, and never STACK', async () => {
  const { driver, unit, money, said, feeds } = await set({});
  driver.tryNotes();
  await feeds(10_000);
  await feeds(50_000, 'MOP');
  await driver.stop();
  assert.deepEqual(money(), [
    { type: 'tried', note: { said: ROW_100, valueMinor: 10_000, currency: null } },
    { type: 'returned' },
    { type: 'tried', note: { said: '6b 4d 05 02', valueMinor: 50_000, currency: null } },
    { type: 'returned' },
  ]);
  // 12 codes of the table are open (bits 0 to 11 clear).
  assert.ok(
    said().some((hex) => hex.startsWith('fc 07 c0 00 f0 ')),
    said().join('\n'),
  );
  assert.equal(said().filter((hex) => hex === 'fc 05 43 b0 27').length, 2);
  assert.ok(!said().includes('fc 05 42 39 36') && !said().includes('fc 05 41 a2 04'));
  assert.deepEqual([unit.cashBox().length, unit.givenBack().length], [0, 2]);
});

test('a row that was confirmed opens its code alone, and its note is credited with that currency', async () => {
  const { driver, unit, money, said, feeds, clock } = await set({});
  driver.confirm({ [ROW_100]: HKD_100 });
  driver.allow([10_000, 50_000]);
  await clock.turn(1000);
  // Bit 3, code 64, is the only one that is clear.
  assert.ok(
    said().some((hex) => hex.startsWith('fc 07 c0 f7 ff ')),
    said().join('\n'),
  );
  await feeds(50_000);
  assert.deepEqual(money(), [{ type: 'rejected', reason: 'inhibited' }]);
  await clock.turnUntil('idle', () => unit.status() === 0x11);
  unit.insert(10_000, 'HKD');
  await clock.turnUntil('escrow', () => money().at(-1)?.type === 'escrowed');
  driver.stack();
  await clock.turnUntil('credit', () => money().at(-1)?.type === 'credit');
  driver.acknowledgeCredit();
  await clock.turn(2000);
  await driver.stop();
  assert.deepEqual(money().slice(1), [
    { type: 'escrowed', note: HKD_100 },
    { type: 'credit', note: HKD_100 },
  ]);
  assert.deepEqual(unit.cashBox(), [HKD_100]);
});

test('a unit that takes notes whatever C0 says: what was not confirmed has no value, and the host gives it back', async () => {
  const { driver, money, feeds } = await set({}, {}, { masks: false });
  driver.confirm({ [ROW_100]: HKD_100 });
  driver.allow([10_000, 50_000]);
  await feeds(50_000);
  await driver.stop();
  assert.deepEqual(money()[0], { type: 'escrowed', note: null });
});

test('what was confirmed counts as long as unit and options do not say otherwise', async () => {
  const cases: readonly (readonly [what: string, row: string, note: Note, options: Id003Options])[] = [
    ['another row of the same code', '64 48 05 01', { ...HKD_100, valueMinor: 5000 }, {}],
    ['another value than the unit says', ROW_100, { ...HKD_100, valueMinor: 50_000 }, {}],
    ['another currency than the options say', ROW_100, HKD_100, { countries: { 72: 'CAD' } }],
    ['a currency that is not to be taken', ROW_100, HKD_100, { currencies: ['MOP'] }],
  ];
  for (const [what, row, note, options] of cases) {
    const { driver, unit, clock } = await set({}, options);
    driver.confirm({ [row]: note });
    driver.allow([5000, 10_000, 50_000]);
    await clock.turn(1000);
    assert.deepEqual(unit.insert(10_000, 'HKD'), { taken: false, why: 'inhibited' }, what);
    await driver.stop();
  }
});

/** What a unit with EUR software has answered to 8A, as an integrator's public notes have it. */
const EUR_TABLE =
  'fc 25 8a 61 00 00 00 62 e0 05 00 63 e0 0a 00 64 e0 14 00 65 e0 32 00 66 e0 0a 01 67 e0 14 01 68 e0 32 01 05 c1';

test('EUR has the codes of JCM’s software: 61 has no note, 62 is 5; the simulator writes what a real unit wrote', async () => {
  const { driver, unit, events } = await set({ currencies: ['EUR'] }, { countries: { 224: 'EUR' } });
  const table = driver.frames().find(({ direction, hex }) => direction === 'in' && hex.slice(6, 8) === '8a');
  assert.equal(table?.hex, EUR_TABLE);
  const identity = events.find((event) => event.type === 'identity');
  assert.deepEqual(
    identity?.table?.map(({ said, valueMinor }) => [said.slice(0, 2), valueMinor]),
    [
      ['62', 500],
      ['63', 1000],
      ['64', 2000],
      ['65', 5000],
      ['66', 10_000],
      ['67', 20_000],
      ['68', 50_000],
    ],
  );
  driver.allow([500]);
  assert.ok(unit.status() !== null);
  await driver.stop();
});
