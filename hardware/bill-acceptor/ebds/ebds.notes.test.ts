/** Which rows of an EBDS or Pyramid unit's table count, and how a note is tried. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linesTo } from '../../../test/kits/till.ts';
import type { AcceptorEvent, Tape } from '../../ports.ts';
import { toHex } from '../../transport/bytes.ts';
import { HandClock } from '../../transport/clock.ts';
import { createEbds, createPyramid } from './ebds.driver.ts';
import { EbdsSim, type EbdsSimOptions } from './ebds.sim.ts';

const HKD_100 = { currency: 'HKD', valueMinor: 10_000 };
const NOTES = [1000, 2000, 5000, 10_000, 50_000, 100_000].map((valueMinor) => ({
  currency: 'HKD',
  valueMinor,
}));

interface Unit {
  readonly what: string;
  readonly sim: Partial<EbdsSimOptions>;
  /** The row of HKD 100, and of HKD 500, as the unit (or its option) says it. */
  readonly said: readonly [string, string];
  /** Poll with RETURN; what the mouth is opened with for HKD 100 alone. */
  readonly returns: RegExp;
  readonly opens: RegExp;
  /** The unit's own words for HKD 100 in escrow. */
  readonly escrow: RegExp;
}
const UNITS: readonly Unit[] = [
  {
    what: 'EBDS with extended notes',
    sim: {},
    said: ['HKD001+02', 'HKD005+02'],
    returns: /^02 08 1[01] 7f 5c 14 03/,
    // Inhibits: bit 3 of the first seven rows.
    opens: /^02 11 7[01] 03 (00|7f) 1c 14 08( 00){7} 03/,
    escrow: /^02 1e 7[01] 02 04 10 00 10 54 10 00 48 4b 44 30 30 31 2b 30 32 /,
  },
  {
    what: 'Pyramid',
    sim: { model: 'pyramid' },
    said: ['4 HKD 10000', '5 HKD 50000'],
    returns: /^02 08 1[01] 3f 50 00 03/,
    // The mask of the poll: value index 4.
    opens: /^02 08 1[01] 08 10 00 03/,
    escrow: /^02 0b 2[01] 04 10 20 00 /,
  },
];

async function set({ sim }: Unit) {
  const clock = new HandClock();
  const unit = new EbdsSim({ clock, currencies: ['HKD'], ...sim });
  const line = { in: [] as string[], out: [] as string[] };
  const tape: Tape = {
    input: (_atMs, input) => input.type === 'bytes' && line.in.push(toHex(input.bytes)),
    out: (_atMs, bytes) => line.out.push(toHex(bytes)),
    forget: () => {},
  };
  const open = Object.assign(linesTo(unit, clock), { tape });
  const driver =
    sim.model === 'pyramid'
      ? createPyramid('a', open, clock, { notes: NOTES })
      : createEbds('a', open, clock);
  const events: AcceptorEvent[] = [];
  driver.start((event) => {
    events.push(event);
    if (event.type === 'escrowed')
      if (event.note === null) driver.returnNote();
      else driver.stack();
    if (event.type === 'credit') driver.acknowledgeCredit();
  });
  await clock.turn(6000);
  const money = () =>
    events.filter(({ type }) => ['escrowed', 'tried', 'credit', 'returned', 'rejected'].includes(type));
  const hexes = (direction: 'in' | 'out') => line[direction];
  return { clock, unit, driver, events, money, hexes };
}

for (const of of UNITS) {
  test(`${of.what}: a note that is tried is named by its row and goes back`, async () => {
    const { clock, unit, driver, events, money, hexes } = await set(of);
    const identity = events.find((event) => event.type === 'identity');
    assert.deepEqual(identity?.table?.[3], { said: of.said[0], ...HKD_100 });
    driver.tryNotes();
    for (const valueMinor of [10_000, 50_000]) {
      await clock.turnUntil('open', () => unit.insert(valueMinor, 'HKD').taken, 20_000);
      await clock.turn(2000);
      assert.ok(
        hexes('out').some((hex) => of.returns.test(hex)),
        hexes('out').join('\n'),
      );
      if (valueMinor === 10_000)
        assert.ok(
          hexes('in').some((hex) => of.escrow.test(hex)),
          hexes('in').join('\n'),
        );
    }
    await driver.stop();
    assert.deepEqual(money(), [
      { type: 'tried', note: { said: of.said[0], ...HKD_100 } },
      { type: 'returned' },
      { type: 'tried', note: { said: of.said[1], currency: 'HKD', valueMinor: 50_000 } },
      { type: 'returned' },
    ]);
    assert.deepEqual(unit.cashBox(), []);
  });

  test(`${of.what}: once rows are confirmed, these are open and are credited, and no other one`, async () => {
    const { clock, unit, driver, money, hexes } = await set(of);
    driver.confirm({ [of.said[0]]: HKD_100 });
    driver.allow([10_000, 50_000]);
    await clock.turn(2000);
    assert.ok(
      hexes('out').some((hex) => of.opens.test(hex)),
      hexes('out').join('\n'),
    );
    unit.insert(50_000, 'HKD');
    await clock.turn(3000);
    assert.ok(!money().some(({ type }) => type === 'escrowed' || type === 'credit'));
    await clock.turnUntil('open', () => unit.insert(10_000, 'HKD').taken, 20_000);
    await clock.turnUntil('credit', () => money().at(-1)?.type === 'credit', 20_000);
    await clock.turn(1000);
    assert.deepEqual(money().slice(-2), [
      { type: 'escrowed', note: HKD_100 },
      { type: 'credit', note: HKD_100 },
    ]);
    assert.deepEqual(unit.cashBox(), [HKD_100]);
    // A row that was taken for another currency than the unit says counts for nothing.
    driver.confirm({ [of.said[0]]: { currency: 'MOP', valueMinor: 10_000 } });
    await clock.turn(2000);
    assert.equal(unit.insert(10_000, 'HKD').taken, false);
    await driver.stop();
  });
}
