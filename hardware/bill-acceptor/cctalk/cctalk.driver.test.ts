import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linesTo } from '../../../test/kits/till.ts';
import type { AcceptorEvent, ByteTransport, Note } from '../../ports.ts';
import { HandClock } from '../../transport/clock.ts';
import { seededChance } from '../../transport/faults.ts';
import { memoryPair } from '../../transport/memory.transport.ts';
import { HEADER } from './cctalk.codec.ts';
import { createCctalk } from './cctalk.driver.ts';
import { CctalkSim, type CctalkSimOptions } from './cctalk.sim.ts';
import type { CctalkOptions } from './cctalk-state.machine.ts';

const MOP_100: Note = { currency: 'MOP', valueMinor: 10_000 };

async function set(sim: Partial<CctalkSimOptions> = {}, options: CctalkOptions = {}) {
  const clock = new HandClock();
  const unit = new CctalkSim({ clock, currencies: ['MOP'], ...sim });
  let kept: string | null = null;
  const memory = {
    load: () => kept,
    save: (text: string) => {
      kept = text;
    },
  };
  const events: AcceptorEvent[] = [];
  const start = () => {
    const driver = createCctalk('a', linesTo(unit, clock), clock, options, memory);
    driver.allow([10_000]);
    driver.start((event) => events.push(event));
    return driver;
  };
  const driver = start();
  await clock.turn(5000);
  const money = () => events.filter(({ type }) => !['link', 'state', 'identity'].includes(type)).slice(1);
  const frames = (of = driver) => of.frames().map(({ direction, hex }) => `${direction} ${hex}`);
  const until = (what: string, type: AcceptorEvent['type']) =>
    clock.turnUntil(what, () => money().at(-1)?.type === type, 30_000);
  return { clock, unit, driver, start, events, money, frames, until };
}
const state = (events: readonly AcceptorEvent[]) => {
  const last = events.findLast((event) => event.type === 'state');
  return [last?.state, last?.detail];
};

test('a note to the byte: escrow is read twice, the host is asked, routed, read twice, credited once', async () => {
  const { clock, unit, driver, money, frames, until, events } = await set();
  assert.deepEqual(state(events), ['idle', null]);
  const opening = frames().filter((line) => line.startsWith('out') && !line.includes('28 00 01 9f'));
  assert.deepEqual(opening.slice(0, 2), ['out 28 00 01 f5 e2', 'out 28 00 01 f6 e1']);
  assert.ok(frames().includes('in 01 0e 28 00 42 69 6c 6c 20 56 61 6c 69 64 61 74 6f 72 80'));
  assert.ok(frames().includes('out 28 01 01 99 03 3a') && frames().includes('out 28 02 01 e7 08 00 e6'));
  assert.ok(!frames().some((line) => line.startsWith('in 28')), 'its own words are not the unit’s');
  unit.insert(10_000, 'MOP');
  await until('escrow', 'escrowed');
  assert.deepEqual(frames().slice(-4), [
    'out 28 00 01 9f 38',
    'in 01 0b 28 00 01 04 01 00 00 00 00 00 00 00 00 c6',
    'out 28 00 01 9f 38',
    'in 01 0b 28 00 01 04 01 00 00 00 00 00 00 00 00 c6',
  ]);
  assert.equal(unit.cashBox().length, 0, 'nothing is stacked before the host says so');
  driver.stack();
  await until('credit', 'credit');
  assert.ok(frames().includes('out 28 01 01 9a 01 3b'));
  assert.equal(frames().at(-1), 'in 01 0b 28 00 02 04 00 04 01 00 00 00 00 00 00 c1');
  await clock.turn(500);
  assert.equal(
    money().filter(({ type }) => type === 'credit').length > 1,
    true,
    'told until it is committed',
  );
  driver.acknowledgeCredit();
  await clock.turn(2000);
  assert.deepEqual(money()[0], { type: 'escrowed', note: MOP_100 });
  assert.ok(
    money()
      .slice(1)
      .every((event) => event.type === 'credit' && event.note?.valueMinor === 10_000),
  );
  const told = money().length;
  await clock.turn(20_000);
  assert.equal(money().length, told, 'an event counts once');
  assert.deepEqual([unit.cashBox(), state(events)], [[MOP_100], ['idle', null]]);
  await driver.stop();
});

test('encrypted and with a CRC, without an echo: the same note, and no byte of it in the clear', async () => {
  const { unit, driver, frames, until } = await set({ code: '123456', echo: false }, { code: '123456' });
  assert.ok(frames().includes('out 28 00 cb d8 ff'));
  unit.insert(10_000, 'MOP');
  await until('escrow', 'escrowed');
  driver.returnNote();
  await until('back', 'returned');
  assert.equal(unit.givenBack().length, 1);
  await driver.stop();
});

test('a host that dies after the credit event: the next one reads the same event, and credits it', async () => {
  const { clock, unit, driver, start, money, until } = await set();
  unit.insert(10_000, 'MOP');
  await until('escrow', 'escrowed');
  driver.stack();
  await until('credit', 'credit');
  await driver.stop();
  const again = start();
  await clock.turn(5000);
  assert.deepEqual(money().at(-1), { type: 'credit', note: MOP_100 });
  again.acknowledgeCredit();
  await clock.turn(500);
  await again.stop();
  const before = money().length;
  const third = start();
  await clock.turn(5000);
  assert.deepEqual(money().slice(before), [{ type: 'settled-unknown' }], 'the host hears no more of it');
  await third.stop();
});

for (const [what, fault, mend, said] of [
  ['the stacker fails', 'failure', 'repair', { type: 'credit', note: MOP_100 }],
  ['the note jams and is taken out', 'jam', 'clear-jam', { type: 'settled-unknown' }],
] as const)
  test(`${what} while the note moves, and the host dies: the next one waits for what becomes of it`, async () => {
    const { clock, unit, driver, start, money, until, events } = await set();
    unit.insert(10_000, 'MOP');
    await until('escrow', 'escrowed');
    driver.stack();
    await clock.turnUntil(
      'the note is past the point of no return',
      () => unit.inPath()?.beyond === true,
      5000,
    );
    unit.fault(fault);
    await clock.turnUntil(
      'the host hears of it',
      () => !['stacking', 'escrow'].includes(state(events)[0]!),
      5000,
    );
    await driver.stop();
    const before = money().length;
    const again = start();
    await clock.turn(15_000);
    assert.deepEqual(money().slice(before), [], 'nothing is known yet');
    unit.fault(mend);
    await clock.turnUntil('its end', () => money().length > before, 15_000);
    if (said.type === 'credit') again.acknowledgeCredit();
    await clock.turn(15_000);
    assert.deepEqual(money().slice(before), [said]);
    await again.stop();
  });

test('more events than the buffer holds: a named fault, and no money of it', async () => {
  const { clock, unit, driver, money, until, events } = await set();
  unit.insert(10_000, 'MOP');
  await until('escrow', 'escrowed');
  driver.stack();
  await clock.turn(250);
  unit.fault('flood');
  await clock.turn(1500);
  assert.deepEqual(
    money()
      .slice(1)
      .map(({ type }) => type)
      .slice(0, 2),
    ['sequence-error', 'settled-unknown'],
  );
  // The note falls later, and its own event is reported: no record is open for it any more.
  assert.deepEqual(money().at(-1), { type: 'credit', note: MOP_100 });
  driver.acknowledgeCredit();
  await clock.turn(500);
  assert.deepEqual(state(events), ['failed', 'events-lost']);
  await clock.turn(15_000);
  assert.deepEqual(state(events), ['idle', null]);
  await driver.stop();
});

test('five new events after the host was away, behind which nothing can be compared: no money of them', async () => {
  const { clock, unit, driver, start, money, until } = await set();
  unit.insert(10_000, 'MOP');
  await until('escrow', 'escrowed');
  driver.stack();
  await until('credit', 'credit');
  await driver.stop();
  // The credit and four events more: the unit may as well have started again in between.
  for (const fault of ['cassette-out', 'cassette-in', 'cassette-out', 'cassette-in'] as const)
    unit.fault(fault);
  const before = money().length;
  const again = start();
  await clock.turn(5000);
  assert.deepEqual(
    money()
      .slice(before)
      .map(({ type }) => type),
    ['sequence-error', 'settled-unknown'],
  );
  await again.stop();
});

test('power lost while the note is under way: what the unit says of it afterwards, and never a guess', async () => {
  for (const [afterPowerCut, last] of [
    ['credit', 'credit'],
    ['unknown', 'sequence-error'],
    ['nothing', 'settled-unknown'],
  ] as const) {
    const { clock, unit, driver, money, until } = await set({ afterPowerCut });
    unit.insert(10_000, 'MOP');
    await until('escrow', 'escrowed');
    driver.stack();
    await clock.turnUntil('beyond', () => unit.inPath()?.beyond === true, 2000);
    unit.powerOff();
    await clock.turn(1500);
    unit.powerOn();
    await clock.turn(20_000);
    assert.equal(money().at(-1)?.type, last, afterPowerCut);
    assert.equal(unit.cashBox().length, 1);
    await driver.stop();
  }
});

test('the plug is pulled in mid-route: credited once when the line is back', async () => {
  const { clock, unit, driver, money, until } = await set();
  unit.insert(10_000, 'MOP');
  await until('escrow', 'escrowed');
  driver.stack();
  await clock.turnUntil('under way', () => unit.state() === 'stacking', 2000);
  unit.unplug();
  await until('credit', 'credit');
  driver.acknowledgeCredit();
  await clock.turn(5000);
  assert.deepEqual(
    money().map(({ type }) => type),
    ['escrowed', 'credit'],
  );
  await driver.stop();
});

test('units that leave optional questions unanswered, or refuse them, go into service', async () => {
  const optional = [
    HEADER.manufacturer,
    HEADER.productCode,
    HEADER.serialNumber,
    HEADER.currencyRevision,
    HEADER.requestMasterInhibit,
  ];
  for (const sim of [{ silentTo: optional }, { refuses: optional }]) {
    const { clock, unit, driver } = await set(sim);
    await clock.turnUntil('open', () => unit.insert(10_000, 'MOP').taken, 60_000);
    await driver.stop();
  }
});

test('answers that come up to 900 ms late are not taken for those to later questions: it is one unit', async () => {
  const said = new Set<string>();
  for (let seed = 1; seed <= 30; seed++) {
    const clock = new HandClock();
    const chance = seededChance(seed);
    const unit = new CctalkSim({ clock, currencies: ['MOP'] });
    const open = (): ByteTransport => {
      const [host, far] = memoryPair({ clock, latencyMs: 3 });
      let freeAtMs = 0;
      const write = async (bytes: Uint8Array): Promise<void> => {
        if (chance.happens(200)) freeAtMs = Math.max(freeAtMs, clock.now()) + chance.below(900);
        clock.after(Math.max(0, freeAtMs - clock.now()), () => void far.write(bytes).catch(() => {}));
      };
      unit.plug({ name: far.name, open: (on) => far.open(on), close: () => far.close(), write });
      return host;
    };
    const driver = createCctalk('a', open, clock);
    driver.start((event) => {
      if (event.type === 'identity') said.add(JSON.stringify(event));
    });
    await clock.turn(20_000);
    await driver.stop();
  }
  assert.equal(said.size, 1, [...said].join('\n'));
});

test('what is no bill validator, or has no escrow, never opens and says why', async () => {
  for (const [sim, why] of [
    [{ category: 'Coin Acceptor' }, 'no-bill-validator'],
    [{ refuses: [HEADER.modifyOperatingMode] }, 'no-escrow'],
  ] as const) {
    const { clock, unit, driver, events } = await set(sim);
    await clock.turn(5000);
    assert.deepEqual(state(events), ['failed', why]);
    assert.deepEqual(unit.insert(10_000, 'MOP'), { taken: false, why: 'inhibited' });
    await driver.stop();
  }
});

test('a real unit’s countries have no name before somebody gives it one', async () => {
  const { unit, driver, events, clock } = await set({ revision: 'BNV 1.2' });
  const identity = events.find((event) => event.type === 'identity');
  assert.deepEqual(identity?.table?.[3], { said: '4 MO0100A 1 0', valueMinor: 10_000, currency: null });
  assert.deepEqual(unit.insert(10_000, 'MOP'), { taken: false, why: 'inhibited' });
  driver.confirm({ '4 MO0100A 1 0': MOP_100 });
  await clock.turn(1000);
  assert.deepEqual(unit.insert(10_000, 'MOP'), { taken: true });
  await driver.stop();
});

test('jam, full box, box out: said by name, shut, and open again when it is over', async () => {
  for (const [fault, end, said] of [
    ['jam', 'clear-jam', ['jammed', 'path']],
    ['cassette-out', 'cassette-in', ['cassette-removed', null]],
    ['failure', 'repair', ['failed', 'stacker-faulty']],
  ] as const) {
    const { clock, unit, driver, events } = await set();
    unit.fault(fault);
    await clock.turn(2000);
    assert.deepEqual(state(events), said);
    unit.fault(end);
    await clock.turnUntil('idle', () => state(events)[0] === 'idle', 15_000);
    await driver.stop();
  }
});

test('options that do not fit are refused', () => {
  const clock = new HandClock();
  for (const options of [{ address: 1 }, { code: '12345' }, { code: '123456', checksum: 'simple' }] as const)
    assert.throws(() => createCctalk('a', () => assert.fail(), clock, options), RangeError);
});
