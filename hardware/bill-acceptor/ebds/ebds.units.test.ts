/**
 * EBDS and Pyramid units as their makers' and integrators' descriptions have them, where those
 * differ from one another.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linesTo, Till, totalMinor } from '../../../test/kits/till.ts';
import type { AcceptorEvent } from '../../ports.ts';
import { EMPTY_PARSER, fromHex, toHex } from '../../transport/bytes.ts';
import { HandClock } from '../../transport/clock.ts';
import { memoryPair } from '../../transport/memory.transport.ts';
import { parse } from './ebds.codec.ts';
import { createEbds, createPyramid } from './ebds.driver.ts';
import { EbdsSim, type EbdsSimOptions } from './ebds.sim.ts';
import { decodeHost } from './ebds-messages.codec.ts';

const HKD = [1000, 2000, 5000, 10_000, 50_000, 100_000].map((valueMinor) => ({
  currency: 'HKD',
  valueMinor,
}));

async function table(options: Partial<EbdsSimOptions> = {}) {
  const clock = new HandClock();
  const sim = new EbdsSim({ clock, ...options });
  const sent: string[] = [];
  const heard: string[] = [];
  const till = new Till(
    clock,
    () => {
      const line = linesTo(sim, clock)();
      return {
        name: line.name,
        open: ({ onBytes, onClose }) =>
          line.open({
            onBytes: (bytes) => {
              heard.push(toHex(bytes));
              onBytes(bytes);
            },
            onClose,
          }),
        write: (bytes) => {
          sent.push(toHex(bytes));
          return line.write(bytes);
        },
        close: () => line.close(),
      };
    },
    (id, open, at) =>
      options.model === 'pyramid'
        ? createPyramid(id, open, at, { notes: HKD })
        : createEbds(id, open, at, {}),
  );
  const driver = till.start();
  return { clock, sim, till, driver, sent, heard };
}

type Table = Awaited<ReturnType<typeof table>>;

const identityOf = (events: readonly AcceptorEvent[]) =>
  events.flatMap((event) => (event.type === 'identity' ? [event] : []));
const currencyOf = ({ model }: Partial<EbdsSimOptions>): string => (model === 'pyramid' ? 'HKD' : 'MOP');

async function takesOneNote({ clock, sim, till }: Table, currency: string): Promise<void> {
  assert.deepEqual(sim.insert(10_000, currency), { taken: true });
  await clock.turn(5000);
  assert.deepEqual(sim.cashBox(), [{ currency, valueMinor: 10_000 }]);
  assert.deepEqual([till.disk.credits, till.disk.creditedMinor, till.disk.orphans], [1, 10_000, 0]);
}

// Which questions a unit leaves unanswered, and a frame of each as it goes out.
const SILENT: readonly (readonly [options: Partial<EbdsSimOptions>, frame: RegExp])[] = [
  [{ model: 'pyramid', silentTo: ['telemetry'] }, /^02 06 6[01] 01 03 6[67]$/],
  [{ silentTo: ['auxiliary'] }, /^02 08 6[01] 00 00 07 03 6[ef]$/],
  [{ silentTo: ['set-escrow-timeout'] }, /^02 0b 7[01] 04 00 1c 14 0a 01 03 ..$/],
  [{ silentTo: ['set-inhibits'] }, /^02 11 7[01] 03 00 1c 14( [0-7][0-9a-f]){8} 03 ..$/],
  [
    { plainOnly: true, silentTo: ['query-note', 'set-inhibits', 'auxiliary'] },
    /^02 0a 7[01] 02 00 1c 14 01 03 ..$/,
  ],
  [{ silentTo: ['auxiliary', 'set-escrow-timeout', 'set-inhibits'] }, /^02 11 7[01] 03 /],
];

for (const [options, frame] of SILENT)
  for (const silentTakesToggle of [false, true])
    test(`${options.model ?? 'ebds'} without an answer to ${options.silentTo?.join(', ')}${silentTakesToggle ? ', its toggle taken' : ''}: into service without`, async () => {
      const t = await table({ ...options, silentTakesToggle });
      await t.clock.turn(60_000);
      assert.equal(t.driver.state(), 'idle');
      assert.ok(
        t.sent.some((hex) => frame.test(hex)),
        t.sent
          .filter((hex) => hex.slice(6, 7) !== '1')
          .slice(0, 8)
          .join('\n'),
      );
      assert.deepEqual(
        t.till.events.flatMap((event) => (event.type === 'link' ? [event.link] : [])),
        ['up'],
      );
      const identities = identityOf(t.till.events);
      assert.equal(identities.length, 1);
      if (options.silentTo?.includes('auxiliary') || options.model === 'pyramid')
        assert.equal(identities[0]?.identity.serial, '');
      // It is not asked again as long as it stays on.
      const before = t.sent.filter((hex) => frame.test(hex)).length;
      await t.clock.turn(20_000);
      assert.equal(t.sent.filter((hex) => frame.test(hex)).length, before);
      await takesOneNote(t, options.plainOnly === true ? 'HKD' : currencyOf(options));
    });

test('a note table that ends with a blank row of index 0 is read once, to its end', async () => {
  const t = await table({ tableEnd: 'index-0', currencies: ['MOP'] });
  await t.clock.turn(6000);
  assert.equal(t.driver.state(), 'idle');
  assert.equal(identityOf(t.till.events)[0]?.notes?.length, 6);
  // The seventh row is asked for once, and answered by a blank note of index 0.
  assert.equal(t.sent.filter((hex) => /^02 0a 7[01] 02 00 1c 14 07 03/.test(hex)).length, 1);
  assert.ok(
    t.heard.some((hex) => /^02 1e 7[01] 02 01 10 00 10 54 10( 00){18} 03 ..$/.test(hex)),
    t.heard.join('\n'),
  );
  await takesOneNote(t, 'MOP');
});

test('inhibits of ten bytes, as another host sends them, are understood by the unit; other lengths are not', () => {
  const hex = '02 13 70 03 7f 1c 10 7e 00 00 00 00 00 00 00 00 00 03';
  const sum = fromHex(hex.slice(3, -3)).reduce((all, byte) => all ^ byte, 0);
  const { frames } = parse(EMPTY_PARSER, Uint8Array.of(...fromHex(hex), sum));
  assert.equal(frames.length, 1);
  const decoded = decodeHost(frames[0]!.frame);
  assert.ok(decoded.ok && decoded.value.type === 'set-inhibits');
  assert.deepEqual([...decoded.value.enabled], [0x7e, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
});

test('ten bytes of inhibits hold at the unit: what they leave out is rejected', async () => {
  const clock = new HandClock();
  const sim = new EbdsSim({ clock, currencies: ['MOP'] });
  const [host, unit] = memoryPair({ clock });
  sim.plug(unit);
  await host.open({ onBytes: () => {}, onClose: () => {} });
  await clock.turn(3000);
  const send = async (text: string): Promise<void> => {
    const bytes = fromHex(text);
    const sum = bytes.subarray(1).reduce((all, byte) => all ^ byte, 0);
    await host.write(Uint8Array.of(...bytes, 0x03, sum));
    await clock.turn(50);
  };
  await send('02 08 10 7f 1c 10');
  await send('02 13 71 03 7f 1c 10 7e 00 00 00 00 00 00 00 00 00');
  assert.equal(sim.insert(1000, 'MOP').taken, true);
  await clock.turn(1500);
  assert.equal(sim.givenBack().length, 1);
  await send('02 08 10 7f 1c 10');
  assert.equal(sim.insert(2000, 'MOP').taken, true);
  await clock.turn(600);
  assert.equal(sim.status(), 'escrow');
});

for (const plainValueless of [false, true])
  test(`stacked without a value at power-up, ${plainValueless ? 'in a plain status' : 'with a blank note'}: no credit, the note is disputed`, async () => {
    const t = await table({ stackedAtPowerUp: 'valueless', plainValueless });
    await t.clock.turn(6000);
    t.sim.insert(100_000, 'MOP');
    await t.clock.turnUntil('beyond', () => t.sim.inPath()?.beyond === true);
    t.sim.powerOff();
    await t.clock.turn(1000);
    t.heard.length = 0;
    t.sim.powerOn();
    await t.clock.turn(15_000);
    const frame = plainValueless
      ? /^02 0b 2[01] 1[01] 10 01 10 54 10 03 ..$/
      : /^02 1e 7[01] 02 1[01] 10 0[01] 10 54 10( 00){18} 03 ..$/;
    assert.ok(
      t.heard.some((hex) => frame.test(hex)),
      t.heard.slice(0, 10).join('\n'),
    );
    assert.equal(totalMinor(t.sim.cashBox()), 100_000);
    assert.deepEqual([t.till.disk.creditedMinor, t.till.disk.disputedMinor], [0, 100_000]);
    assert.equal(t.sim.owesCredit(), false);
    assert.equal(t.driver.state(), 'idle');
  });

for (const answer of ['stack', 'return'] as const)
  test(`policy B, a note lies in escrow again after the power cut: the host is asked again, and ${answer}s it`, async () => {
    const t = await table({ escrowAtPowerUp: 'escrow' });
    await t.clock.turn(6000);
    t.till.wants = () => answer;
    t.sim.insert(50_000, 'MOP');
    await t.clock.turnUntil('escrow', () => t.sim.status() === 'escrow');
    t.sim.powerOff();
    await t.clock.turn(4000);
    t.till.events.length = 0;
    t.sim.powerOn();
    await t.clock.turn(15_000);
    assert.deepEqual(
      t.till.events.flatMap((event) => (event.type === 'escrowed' ? [event.note] : [])),
      [{ currency: 'MOP', valueMinor: 50_000 }],
    );
    const inBox = answer === 'stack' ? 50_000 : 0;
    assert.equal(totalMinor(t.sim.cashBox()), inBox);
    assert.deepEqual(
      [t.till.disk.creditedMinor, t.till.disk.disputedMinor, t.till.disk.orphans],
      [inBox, 0, 0],
    );
    assert.equal(t.sim.givenBack().length, answer === 'stack' ? 0 : 1);
    assert.equal(t.driver.state(), 'idle');
  });

for (const model of ['ebds', 'pyramid'] as const)
  for (const idlesWithoutCassette of [false, true])
    test(`${model}: the cassette is out, idling bit ${idlesWithoutCassette ? 'kept' : 'clear'}: it says so, and takes notes when it is back`, async () => {
      const t = await table({ model, idlesWithoutCassette });
      await t.clock.turn(6000);
      t.heard.length = 0;
      t.sim.fault('cassette-out');
      await t.clock.turn(2000);
      const first = idlesWithoutCassette ? '01' : '00';
      assert.ok(
        t.heard.some((hex) => new RegExp(`^02 0b 2[01] ${first} 00 00 `).test(hex)),
        t.heard.slice(0, 4).join('\n'),
      );
      assert.equal(t.driver.state(), 'cassette-removed');
      t.sim.fault('cassette-in');
      await t.clock.turn(10_000);
      assert.equal(t.driver.state(), 'idle');
      await takesOneNote(t, currencyOf({ model }));
    });
