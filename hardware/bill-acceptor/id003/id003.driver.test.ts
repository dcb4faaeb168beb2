import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linesTo, Till, totalMinor } from '../../../test/kits/till.ts';
import type { AcceptorEvent } from '../../ports.ts';
import { toHex } from '../../transport/bytes.ts';
import { HandClock } from '../../transport/clock.ts';
import { memoryPair } from '../../transport/memory.transport.ts';
import { CODE, COUNTRIES } from './id003.codec.ts';
import { createId003 } from './id003.driver.ts';
import { Id003Sim, type Id003SimOptions } from './id003.sim.ts';

const READY_MS = 3000;

async function table(options: Partial<Id003SimOptions> = {}) {
  const clock = new HandClock();
  const sim = new Id003Sim({ clock, ...options });
  // What its codes mean is said by the options: a unit that leaves 88 unanswered does not say it.
  const till = new Till(clock, linesTo(sim, clock), (id, open, at) =>
    createId003(id, open, at, { countries: COUNTRIES }),
  );
  const driver = till.start();
  await clock.turn(READY_MS);
  return { clock, sim, till, driver };
}

const names = (events: readonly AcceptorEvent[]): string[] =>
  events.map((event) =>
    event.type === 'state' ? event.state : event.type === 'link' ? `link ${event.link}` : event.type,
  );

/** Commands the host sent, without the status requests. */
const said = (driver: ReturnType<Till['start']>): string[] =>
  driver
    .frames()
    .filter(({ direction, hex }) => direction === 'out' && !hex.startsWith('fc 05 11 '))
    .map(({ hex }) => hex.slice(6, -6));

test('start-up: identity and table are read, RESET, settings while initialising, then idle', async () => {
  const { till, driver } = await table();
  assert.deepEqual(names(till.events), ['link up', 'initializing', 'identity', 'settled-unknown', 'idle']);
  // Version, currencies, boot version, RESET, denominations, security, polled mode, direction,
  // options, no coupons, inhibit off. All twelve codes of the two currencies are allowed: bits 0..3
  // of the second byte, and the four without a note stay disabled.
  assert.deepEqual(said(driver), [
    '88',
    '8a',
    '89',
    '40',
    'c0 00 f0',
    'c1 00 00',
    'c2 00',
    'c4 00',
    'c5 00 00',
    'c7 02',
    'c3 00',
  ]);
});

test('a note is escrowed, stacked, credited and acknowledged once', async () => {
  const { clock, sim, till, driver } = await table();
  till.events.length = 0;
  assert.deepEqual(sim.insert(50_000, 'MOP'), { taken: true });
  await clock.turn(4000);
  assert.deepEqual(names(till.events), [
    'accepting',
    'escrow',
    'escrowed',
    'stacking',
    'credit',
    'credited',
    'stacked',
    'idle',
  ]);
  assert.deepEqual(sim.cashBox(), [{ currency: 'MOP', valueMinor: 50_000 }]);
  assert.equal(till.disk.creditedMinor, 50_000);
  assert.deepEqual(said(driver).slice(-2), ['42', '50']);
});

test('VEND VALID is repeated until the host acknowledges, for as long as that takes', async () => {
  const clock = new HandClock();
  const sim = new Id003Sim({ clock });
  const slow = createId003('slow', linesTo(sim, clock), clock);
  let credits = 0;
  slow.allow([10_000]);
  slow.start((event) => {
    if (event.type === 'escrowed') slow.stack();
    if (event.type === 'credit') credits++;
  });
  await clock.turn(READY_MS);
  sim.insert(10_000, 'HKD');
  await clock.turn(20_000);
  assert.ok(credits > 20, `${credits} credit signals`);
  assert.equal(sim.owesCredit(), true);
  slow.acknowledgeCredit();
  slow.acknowledgeCredit();
  const before = credits;
  await clock.turn(2000);
  assert.equal(sim.owesCredit(), false);
  assert.equal(credits, before);
  assert.equal(slow.state(), 'idle');
  await slow.stop();
});

test('a note that is not allowed, and one that is not in the table, come back', async () => {
  const { clock, sim, till, driver } = await table();
  driver.allow([10_000]);
  await clock.turn(500);
  sim.insert(50_000, 'MOP');
  await clock.turn(3000);
  assert.deepEqual(till.events.at(-3), { type: 'rejected', reason: 'inhibited' });
  sim.insert(12_300, 'USD');
  await clock.turn(3000);
  assert.deepEqual(till.events.at(-3), { type: 'rejected', reason: 'denomination' });
  assert.equal(sim.givenBack().length, 2);
  assert.deepEqual(sim.cashBox(), []);
});

test('a country code without a name makes a note of unknown value, and unknown is given back', async () => {
  const clock = new HandClock();
  const sim = new Id003Sim({ clock, currencies: ['EUR'] });
  const events: AcceptorEvent[] = [];
  const driver = createId003('a', linesTo(sim, clock), clock, { countries: { 77: 'MOP' } });
  driver.allow([10_000]);
  driver.start((event) => events.push(event));
  await clock.turn(READY_MS);
  assert.equal(driver.state(), 'disabled');
  assert.deepEqual(sim.insert(10_000, 'EUR'), { taken: false, why: 'inhibited' });
  await driver.stop();
});

test('nothing allowed = inhibited, whatever the unit was doing', async () => {
  const { clock, sim, driver } = await table();
  driver.allow([]);
  await clock.turn(300);
  assert.equal(driver.state(), 'disabled');
  assert.deepEqual(sim.insert(10_000, 'MOP'), { taken: false, why: 'inhibited' });
  driver.allow([10_000]);
  await clock.turn(500);
  assert.deepEqual(sim.insert(10_000, 'MOP'), { taken: true });
  assert.throws(() => driver.allow([-1]), /-1 minor units/);
});

test('the host may give a note back, hold it beyond ten seconds, or let the unit time out', async () => {
  const { clock, sim, till, driver } = await table();
  till.wants = () => 'return';
  sim.insert(10_000, 'MOP');
  await clock.turn(3000);
  assert.equal(till.events.at(-2)?.type, 'returned');
  await driver.stop();

  const events: AcceptorEvent[] = [];
  const holder = createId003('holder', linesTo(sim, clock), clock);
  holder.allow([10_000]);
  holder.start((event) => {
    events.push(event);
    if (event.type === 'credit') holder.acknowledgeCredit();
  });
  await clock.turn(READY_MS);
  sim.insert(10_000, 'MOP');
  await clock.turn(2000);
  holder.hold();
  await clock.turn(60_000);
  assert.equal(holder.state(), 'escrow');
  holder.stack();
  await clock.turn(3000);
  assert.equal(totalMinor(sim.cashBox()), 10_000);

  sim.insert(10_000, 'MOP');
  await clock.turn(15_000);
  assert.equal(events.at(-2)?.type, 'returned');
  assert.equal(totalMinor(sim.cashBox()), 10_000);
  assert.equal(sim.givenBack().length, 2);
  await holder.stop();
});

test('silence: the same question again, link down after three seconds, back by itself', async () => {
  const { clock, sim, till, driver } = await table();
  sim.silenceMs = 1000;
  sim.fault('silence');
  till.events.length = 0;
  await clock.turn(2500);
  assert.deepEqual(till.events, []);
  sim.silenceMs = 30_000;
  sim.fault('silence');
  await clock.turn(4000);
  assert.deepEqual(names(till.events), ['link down', 'offline']);
  await clock.turn(40_000);
  assert.equal(driver.state(), 'idle');
  assert.equal(names(till.events).filter((name) => name === 'link up').length, 1);
});

test('a line that cannot be opened is tried again with a bounded back-off', async () => {
  const clock = new HandClock();
  const sim = new Id003Sim({ clock });
  let there = false;
  const triedAtMs: number[] = [];
  const till = new Till(clock, () => {
    triedAtMs.push(clock.now());
    if (there) return linesTo(sim, clock)();
    return {
      name: 'nowhere',
      open: () => Promise.reject(new Error('no such device')),
      write: () => Promise.reject(new Error('closed')),
      close: () => Promise.resolve(),
    };
  });
  const driver = till.start();
  await clock.turn(60_000);
  const waits = triedAtMs.slice(1).map((at, i) => at - triedAtMs[i]!);
  assert.deepEqual(waits.slice(0, 5), [250, 500, 1000, 2000, 4000]);
  assert.ok(waits.slice(5).every((wait) => wait === 5000));
  there = true;
  await clock.turn(10_000);
  assert.equal(driver.state(), 'idle');
});

test('a line that takes longer to open than it is waited for comes up all the same', async () => {
  const clock = new HandClock();
  const sim = new Id003Sim({ clock });
  // As USB is: what was given up is still under way, and the next opening waits for its end.
  let before = Promise.resolve();
  const till = new Till(clock, () => {
    const line = linesTo(sim, clock)();
    let opening = Promise.resolve();
    return {
      name: 'slow',
      open: (handlers) => {
        opening = before
          .then(() => new Promise<void>((resolve) => void clock.after(8000, resolve)))
          .then(() => line.open(handlers));
        return opening;
      },
      write: (bytes) => line.write(bytes),
      close: () => (before = opening.then(() => line.close())),
    };
  });
  const driver = till.start();
  await clock.turn(60_000);
  assert.equal(driver.state(), 'idle');
});

test('fault states are named, and a unit whose fault is mended comes back without a visit', async () => {
  const { clock, sim, till, driver } = await table();
  const walk = [
    ['jam', 'clear-jam', 'jammed'],
    ['failure', 'repair', 'failed'],
    ['cassette-out', 'cassette-in', 'cassette-removed'],
  ] as const;
  for (const [fault, remedy, state] of walk) {
    sim.fault(fault);
    await clock.turn(1000);
    assert.equal(driver.state(), state);
    await clock.turn(15_000);
    assert.equal(driver.state(), state);
    sim.fault(remedy);
    await clock.turn(15_000);
    assert.equal(driver.state(), 'idle');
  }
  sim.fault('full');
  await clock.turn(500);
  assert.equal(driver.state(), 'full');
  sim.emptyBox();
  await clock.turn(3000);
  assert.equal(driver.state(), 'idle');
  till.wants = () => 'stack';
  sim.insert(10_000, 'MOP');
  await clock.turn(700);
  sim.fault('cheat');
  await clock.turn(150);
  assert.equal(driver.state(), 'cheated');
  await clock.turn(5000);
  assert.equal(till.disk.creditedMinor, 0);
  assert.deepEqual(sim.cashBox(), []);
});

test('a jam after STACK leaves the note open until the path is free, and then it is disputed, not credited', async () => {
  const { clock, sim, till } = await table();
  sim.insert(100_000, 'MOP');
  await clock.turn(1000);
  sim.fault('jam');
  await clock.turn(3000);
  sim.fault('clear-jam');
  await clock.turn(20_000);
  assert.equal(sim.takenOut().length, 1);
  assert.equal(till.disk.creditedMinor, 0);
  assert.equal(till.disk.disputedMinor, 100_000);
});

test('a unit that forgets its credit at power-up leaves a disputed note, never silence', async () => {
  const { clock, sim, till } = await table();
  sim.insert(100_000, 'MOP');
  await clock.turn(1100);
  assert.equal(sim.inPath()?.beyond, true);
  sim.fault('forget-credit');
  sim.powerOff();
  await clock.turn(5000);
  sim.powerOn();
  await clock.turn(15_000);
  assert.equal(totalMinor(sim.cashBox()), 100_000);
  assert.equal(till.disk.creditedMinor, 0);
  assert.equal(till.disk.disputedMinor, 100_000);
});

const atRest = (sim: Id003Sim, till: Till): boolean =>
  sim.status() === CODE.idle && !sim.owesCredit() && till.disk.open === null && till.state() === 'idle';

/** Runs one note from insertion to rest; `strike` is called once, `atMs` after the insertion. */
async function oneNote(atMs: number, strike: (t: Awaited<ReturnType<typeof table>>) => Promise<void>) {
  const t = await table();
  t.sim.insert(50_000, 'MOP');
  await t.clock.turn(atMs);
  await strike(t);
  await t.clock.turnUntil(`rest after a strike at ${atMs} ms`, () => atRest(t.sim, t.till), 40_000);
  assert.equal(t.sim.inPath(), null, `a note is left in the path (${atMs} ms)`);
  assert.equal(t.sim.owesCredit(), false, `a credit is left open (${atMs} ms)`);
  assert.equal(t.till.disk.creditedMinor, totalMinor(t.sim.cashBox()), `credited = stacked (${atMs} ms)`);
  assert.equal(t.till.disk.open, null, `a record is left open (${atMs} ms)`);
  assert.equal(t.till.disk.orphans, 0);
  return t;
}

// The note is through after 2 s; 20 ms is finer than any state of the unit and any exchange on the
// line.
const INSTANTS = Array.from({ length: 110 }, (_, i) => i * 20);

test('the host is killed at any instant of a note and comes back soon or late', async () => {
  let credited = 0;
  for (const atMs of INSTANTS)
    for (const awayMs of [0, 700, 6000, 15_000]) {
      const { till } = await oneNote(atMs, async ({ clock, till: dying }) => {
        dying.kill();
        await clock.turn(awayMs);
        dying.start();
      });
      credited += till.disk.creditedMinor;
    }
  assert.ok(credited > 0);
});

test('the host dies between two lines of its own rule', async () => {
  for (const place of ['before asked', 'before STACK', 'before credit', 'before ACK'])
    for (const awayMs of [100, 4000]) {
      const t = await table();
      let left = 1;
      t.till.diesAt = (here) => here === place && left-- > 0;
      t.sim.insert(50_000, 'MOP');
      await t.clock.turn(5000);
      assert.equal(t.till.alive, false, place);
      await t.clock.turn(awayMs);
      t.till.start();
      await t.clock.turn(30_000);
      assert.equal(t.till.disk.creditedMinor, totalMinor(t.sim.cashBox()), place);
      assert.equal(t.till.disk.orphans, 0, place);
      assert.equal(t.sim.owesCredit(), false, place);
    }
});

test('the unit loses its power at any instant of a note', async () => {
  const fates = new Set<string>();
  for (const atMs of INSTANTS)
    for (const offMs of [300, 8000]) {
      const { sim, till } = await oneNote(atMs, async ({ clock, sim: dying }) => {
        dying.powerOff();
        await clock.turn(offMs);
        dying.powerOn();
      });
      fates.add(
        `box ${sim.cashBox().length}, back ${sim.givenBack().length}, disputed ${till.disk.disputedMinor}`,
      );
    }
  // Both ends were met: given back at power-up, and stacked with its credit at power-up.
  assert.ok([...fates].some((fate) => fate.startsWith('box 1')));
  assert.ok([...fates].some((fate) => fate.startsWith('box 0, back 1')));
});

test('the line is pulled at any instant of a note', async () => {
  for (const atMs of INSTANTS)
    await oneNote(atMs, async ({ clock, sim }) => {
      const [, plug] = memoryPair({ clock });
      sim.plug(plug); // the host's own line hangs in the air now: silence, then a new one
      await clock.turn(100);
    });
});

test('options: ways, high security and functions go out as bytes, and what the bytes cannot say is refused', async () => {
  const clock = new HandClock();
  const sim = new Id003Sim({ clock });
  const options = { refusedWays: 0b0101, highSecurity: 0x8001, optionalFunctions: 0x0302 };
  const driver = createId003('optioned', linesTo(sim, clock), clock, options);
  driver.allow([10_000]);
  driver.start(() => {});
  await clock.turn(READY_MS);
  assert.equal(driver.state(), 'idle');
  const sent = said(driver);
  for (const frame of ['c4 05', 'c1 01 80', 'c5 02 03']) assert.ok(sent.includes(frame), frame);
  await driver.stop();
  const refused = [
    { refusedWays: 16 },
    { highSecurity: -1 },
    { optionalFunctions: 0.5 },
    { countries: { 300: 'MOP' } },
    { countries: { 1: 'mop' } },
  ];
  for (const wrong of refused)
    assert.throws(
      () => createId003('wrong', linesTo(sim, clock), clock, wrong),
      RangeError,
      JSON.stringify(wrong),
    );
});

test('a unit that does not know the boot version, coupons or optional functions is used without them', async () => {
  const { clock, till, driver } = await table({ unknownCommands: [0x89, 0xc5, 0xc7] });
  await clock.turn(READY_MS);
  const identity = till.events.find((event) => event.type === 'identity');
  assert.equal(identity?.type === 'identity' && identity.identity.firmware, 'SIMULATED ID003-1.0');
  assert.equal(driver.state(), 'idle');
});

test('a late answer is not taken for the answer to the next question, and a frame that comes twice counts once', async () => {
  const { clock, sim, till } = await table();
  for (let note = 0; note < 5; note++) {
    await clock.turnUntil('idle', () => sim.status() === CODE.idle);
    sim.insert(10_000, 'MOP');
    for (let i = 0; i < 20; i++) {
      sim.fault('repeat-frame');
      await clock.turn(150);
    }
  }
  assert.equal(till.disk.creditedMinor, totalMinor(sim.cashBox()));
  assert.equal(till.disk.credits, 5);
  assert.equal(till.disk.orphans, 0);
});

test('a note that the unit could not give back at power-up shows by its credit signal, and is nobody’s', async () => {
  const { clock, sim, till } = await table();
  sim.insert(10_000, 'MOP');
  await clock.turn(200);
  sim.fault('swallow');
  sim.powerOff();
  sim.powerOn();
  await clock.turn(10_000);
  assert.equal(sim.cashBox().length, 1);
  assert.deepEqual([till.disk.credits, till.disk.orphans], [0, 1]);
});

test('in a pause nothing moves; the note goes on when the other one is taken away', async () => {
  const { clock, sim, till, driver } = await table();
  sim.insert(10_000, 'MOP');
  await clock.turnUntil('stacking', () => sim.status() === CODE.stacking);
  sim.fault('pause');
  await clock.turn(5000);
  assert.equal(driver.state(), 'paused');
  assert.equal(sim.insert(10_000, 'MOP').taken, false);
  sim.fault('go-on');
  await clock.turn(3000);
  assert.equal(till.disk.creditedMinor, 10_000);
});

test('a coupon is refused at the mouth; a unit that cannot do that gets RETURN, and no host is asked', async () => {
  for (const unknownCommands of [[], [0xc7]]) {
    const { clock, sim, till, driver } = await table({ unknownCommands });
    till.events.length = 0;
    assert.deepEqual(sim.insertCoupon('0123456789'), { taken: true });
    await clock.turn(4000);
    const reasons = till.events.flatMap((event) => (event.type === 'rejected' ? [event.reason] : []));
    assert.deepEqual(reasons, [unknownCommands.length === 0 ? 'inhibited' : 'barcode']);
    assert.equal(
      till.events.some(({ type }) => type === 'escrowed' || type === 'returned'),
      false,
    );
    assert.equal(driver.state(), 'idle');
  }
});

test('STACKED without VEND VALID: an error of sequence, no credit', async () => {
  const { clock, sim, till } = await table();
  sim.fault('stacked-first');
  sim.insert(50_000, 'MOP');
  await clock.turn(4000);
  assert.equal(sim.cashBox().length, 1);
  assert.ok(names(till.events).includes('sequence-error'));
  assert.deepEqual([till.disk.creditedMinor, till.disk.disputedMinor], [0, 50_000]);
});

test('a driver is started once', async () => {
  const { driver } = await table();
  assert.throws(() => driver.start(() => {}), /already started/);
  await driver.stop();
  assert.throws(() => driver.start(() => {}), /already started/);
});

/** Whole frames of one direction. */
const whole = (driver: ReturnType<Till['start']>, way: 'in' | 'out'): string[] =>
  driver
    .frames()
    .filter(({ direction }) => direction === way)
    .map(({ hex }) => hex);

test('C7: only coupons are refused, and notes are taken by either reading of its bits', async () => {
  for (const couponBit of [0, 1] as const) {
    const { clock, sim, till, driver } = await table({ couponBit });
    assert.ok(whole(driver, 'out').includes('fc 06 c7 02 76 92'));
    assert.ok(whole(driver, 'in').includes('fc 06 c7 02 76 92'));
    sim.insert(10_000, 'MOP');
    await clock.turn(4000);
    assert.deepEqual(sim.cashBox(), [{ currency: 'MOP', valueMinor: 10_000 }]);
    assert.equal(till.disk.creditedMinor, 10_000);
    sim.insertCoupon('0123456789');
    await clock.turn(4000);
    const reasons = till.events.flatMap((event) => (event.type === 'rejected' ? [event.reason] : []));
    assert.deepEqual(reasons, [couponBit === 1 ? 'inhibited' : 'barcode']);
    assert.equal(till.state(), 'idle');
  }
});

test('a unit that stays shut though it was opened says so after three seconds, and no longer once it opens', async () => {
  const { clock, sim, till, driver } = await table();
  till.events.length = 0;
  sim.switchOff(true);
  await clock.turn(2500);
  assert.deepEqual(till.events, [{ type: 'state', state: 'disabled', detail: null }]);
  await clock.turn(1500);
  assert.deepEqual(till.events.at(-1), { type: 'state', state: 'disabled', detail: 'though-open' });
  // A unit that the host itself shuts is shut, and no more.
  driver.allow([]);
  await clock.turn(1000);
  assert.deepEqual(till.events.at(-1), { type: 'state', state: 'disabled', detail: null });
  driver.allow([10_000]);
  sim.switchOff(false);
  await clock.turn(1000);
  assert.equal(driver.state(), 'idle');
  sim.insert(10_000, 'MOP');
  await clock.turn(4000);
  assert.equal(till.disk.creditedMinor, 10_000);
});

const ASKED = [0x88, 0x89, 0xc1, 0xc2, 0xc4, 0xc5, 0xc7];

for (const silent of [...ASKED.map((command) => [command]), ASKED])
  test(`a unit that leaves ${silent.map((command) => command.toString(16)).join(', ')} unanswered goes into service without`, async () => {
    const { clock, sim, till, driver } = await table({ silentCommands: silent });
    await clock.turn(20_000);
    assert.equal(driver.state(), 'idle');
    const identities = till.events.filter((event) => event.type === 'identity');
    assert.equal(identities.length, 1);
    const firmware = identities[0]?.type === 'identity' ? identities[0].identity.firmware : null;
    const said = [
      silent.includes(0x88) ? '' : 'SIMULATED ID003-1.0',
      silent.includes(0x89) ? '' : 'boot S1.0',
    ];
    assert.equal(firmware, said.filter((text) => text !== '').join(', '));
    assert.deepEqual(
      till.events.filter((event) => event.type === 'link').map((event) => event.link),
      ['up'],
    );
    sim.insert(10_000, 'MOP');
    await clock.turn(4000);
    assert.equal(till.disk.creditedMinor, 10_000);
    // It is not asked again as long as it stays on.
    const asked = (): number =>
      whole(driver, 'out').filter((hex) => silent.includes(Number.parseInt(hex.slice(6, 8), 16))).length;
    const before = asked();
    await clock.turn(5000);
    assert.ok(asked() <= before);
  });

test('a table that nobody answers for keeps the unit shut: its values are no guess', async () => {
  const { clock, sim, driver } = await table({ silentCommands: [0x8a] });
  await clock.turn(20_000);
  assert.notEqual(driver.state(), 'idle');
  assert.equal(sim.insert(10_000, 'MOP').taken, false);
});

test('a note that the unit rejects after eleven seconds in escrow is reported as returned, with its own reason', async () => {
  const { clock, sim, till, driver } = await table({ escrowEnds: 'rejecting' });
  till.wants = () => 'return';
  driver.allow([10_000]);
  // The host says nothing of the note.
  const events: AcceptorEvent[] = [];
  await driver.stop();
  const silent = createId003('silent', linesTo(sim, clock), clock);
  silent.allow([10_000]);
  silent.start((event) => events.push(event));
  await clock.turn(READY_MS);
  sim.insert(10_000, 'MOP');
  await clock.turn(11_000);
  assert.equal(silent.state(), 'escrow');
  await clock.turn(2000);
  assert.deepEqual(events.slice(-4), [
    { type: 'rejected', reason: 'escrow-time-out' },
    { type: 'state', state: 'rejecting', detail: 'inhibited' },
    { type: 'returned' },
    { type: 'state', state: 'idle', detail: null },
  ]);
  assert.ok(whole(silent, 'in').includes('fc 06 17 79 19 00'));
  assert.equal(sim.givenBack().length, 1);
  await silent.stop();
});

test('VEND VALID with bytes behind it is the credit signal, once', async () => {
  for (const [vendData, frame] of [
    [[0x00], 'fc 06 15 00 ef dd'],
    [[0x61, 0x01], 'fc 07 15 61 01 9b 6e'],
  ] as const) {
    const { clock, sim, till, driver } = await table({ vendData });
    sim.insert(50_000, 'MOP');
    await clock.turn(4000);
    assert.deepEqual([till.disk.creditedMinor, till.disk.credits], [50_000, 1]);
    assert.ok(
      whole(driver, 'in').includes(frame),
      whole(driver, 'in')
        .filter((hex) => hex.slice(6, 8) === '15')
        .join(),
    );
    assert.equal(sim.owesCredit(), false);
  }
});

for (const [what, muteAfterVendMs] of [
  ['falls silent when VEND VALID was left for a minute', 60_000],
  ['repeats VEND VALID for ever', undefined],
] as const)
  test(`a unit that ${what}: RESET goes out where it is needed, and the note is credited once`, async () => {
    const clock = new HandClock();
    const sim = new Id003Sim({ clock, ...(muteAfterVendMs === undefined ? {} : { muteAfterVendMs }) });
    const events: AcceptorEvent[] = [];
    const resets: number[] = [];
    const tape = {
      input: () => {},
      out: (atMs: number, bytes: Uint8Array) => {
        if (toHex(bytes) === 'fc 05 40 2b 15') resets.push(atMs);
      },
      forget: () => {},
    };
    const driver = createId003('a', Object.assign(linesTo(sim, clock), { tape }), clock);
    driver.allow([10_000]);
    driver.start((event) => {
      events.push(event);
      if (event.type === 'escrowed') driver.stack();
    });
    await clock.turn(READY_MS);
    sim.insert(10_000, 'MOP');
    await clock.turnUntil('credit', () => driver.state() === 'credited', 10_000);
    const creditAtMs = clock.now();
    resets.length = 0;
    // A line that is out for a while is no such silence.
    sim.line = { ...sim.line, losePerMille: 1000 };
    await clock.turnUntil('offline', () => driver.state() === 'offline', 10_000);
    sim.line = { ...sim.line, losePerMille: 0 };
    await clock.turnUntil('back', () => driver.state() === 'credited', 20_000);
    assert.deepEqual(resets, []);
    // The host is busy for two minutes.
    await clock.turn(120_000);
    const [first] = resets;
    if (muteAfterVendMs === undefined) assert.deepEqual(resets, []);
    else assert.ok(first !== undefined && first - creditAtMs >= muteAfterVendMs, `RESET at ${first}`);
    driver.acknowledgeCredit();
    await clock.turnUntil('idle', () => driver.state() === 'idle', 60_000);
    assert.equal(sim.owesCredit(), false);
    assert.equal(sim.cashBox().length, 1);
    // Its signals were about one note, and the next one is taken as ever.
    assert.ok(!events.some(({ type }) => type === 'sequence-error'));
    const credits = events.filter(({ type }) => type === 'credit').length;
    sim.insert(10_000, 'MOP');
    await clock.turnUntil(
      'the next',
      () => events.filter(({ type }) => type === 'credit').length > credits,
      20_000,
    );
    driver.acknowledgeCredit();
    await clock.turnUntil('idle', () => driver.state() === 'idle', 60_000);
    assert.equal(sim.cashBox().length, 2);
    await driver.stop();
  });
