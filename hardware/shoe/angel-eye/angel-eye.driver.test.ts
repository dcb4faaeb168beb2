import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cardsIn, names, Table } from '../../../test/kits/angel-eye-table.ts';
import type { ShoeEvent } from '../../ports.ts';
import { toHex } from '../../transport/bytes.ts';
import { HandClock } from '../../transport/clock.ts';
import { CLEAN_LINE } from '../../transport/faults.ts';
import { type MemoryTransport, memoryPair } from '../../transport/memory.transport.ts';
import { type AngelMessage, encode } from './angel-eye.codec.ts';
import { ANGEL_EYE_LINE, createAngelEye } from './angel-eye.driver.ts';

const SOME = [0, 13, 26, 39, 12, 51, 7, 33];

async function ready(options: ConstructorParameters<typeof Table>[0] = {}): Promise<Table> {
  const table = new Table(options);
  table.start();
  await table.clock.turn(3000);
  table.sim.load(SOME);
  return table;
}

async function drawAll(table: Table, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    table.sim.draw();
    await table.clock.turn(1500);
  }
}

/** A driver with a line whose other end the test holds. */
async function byHand(): Promise<{
  clock: HandClock;
  events: ShoeEvent[];
  say(seq: number, message: AngelMessage, copies?: number): Promise<void>;
  line(): MemoryTransport;
}> {
  const clock = new HandClock();
  const events: ShoeEvent[] = [];
  let far: MemoryTransport | null = null;
  const shoe = createAngelEye(
    'shoe',
    () => {
      const [host, device] = memoryPair({ clock });
      far = device;
      void device.open({ onBytes: () => {}, onClose: () => {} });
      return host;
    },
    clock,
    { serial: 'AE-1' },
  );
  shoe.start(
    (event) => events.push(event),
    () => 0,
  );
  await clock.turn(2000);
  assert.deepEqual(names(events.splice(0)), ['link up', 'identity', 'gap']);
  return {
    clock,
    events,
    line: () => far!,
    say: async (seq, message, copies = 3) => {
      for (let i = 0; i < copies; i++) {
        void far?.write(encode(seq, message));
        await clock.turn(20);
      }
    },
  };
}

const card = (rank: number, kind: 'game' | 'outside' | 'again' = 'game'): AngelMessage => ({
  type: 'card',
  kind,
  target: 0,
  index: 0,
  suit: 3,
  rank,
});

test('5.1 the line is 4800 8N1; the shoe is sent no command, and has the name of its profile', async () => {
  assert.deepEqual(ANGEL_EYE_LINE, { baud: 4800, dataBits: 8, parity: 'none', stopBits: 1 });
  const table = await ready();
  table.shoe?.lock(true);
  await drawAll(table, 8);
  assert.deepEqual(table.said, []);
  assert.deepEqual(table.shoe?.capabilities, {
    ack: false,
    replay: false,
    auth: false,
    targets: true,
    loading: false,
  });
  const identity = table.events.find((event) => event.type === 'identity');
  assert.deepEqual(identity?.identity, { model: 'Angel Eye II-EX', serial: 'AE-1', firmware: '-' });
  assert.throws(
    () => createAngelEye('shoe', table.open, table.clock, { serial: '' }),
    /shoe: serial '' is not 1 to 16/,
  );
});

test('cards come in the order they were drawn, each once of three copies', async () => {
  const table = await ready();
  table.sim.placeCutCard(2);
  await drawAll(table, 8);
  assert.deepEqual(cardsIn(table.disk), SOME);
  assert.deepEqual(names(table.disk), [
    'restarted',
    ...SOME.slice(0, 6).map(() => 'card'),
    'cut-card',
    'card',
    'card',
  ]);
  // Three copies of each telegram are on the technician's page.
  const frames = table.shoe?.frames().map(({ hex }) => hex) ?? [];
  assert.equal(frames.filter((hex) => hex === frames.at(-1)).length, 3);
});

test('5.1 targets and results of its baccarat have no part in what is reported', async () => {
  const { events, say } = await byHand();
  for (const [seq, target] of [0, 1, 2, 4, 5].entries())
    await say(seq, { ...card(seq + 1), target, index: seq } as AngelMessage);
  await say(5, { type: 'result', winner: 'bank', playerPair: true, bankPair: false });
  await say(6, { type: 'standby' });
  await say(7, { type: 'lock', locked: true });
  await say(8, { type: 'setting', address: '01', value: '0002' });
  assert.deepEqual(cardsIn(events), [0, 1, 2, 3, 4]);
  assert.deepEqual(names(events), ['card', 'card', 'card', 'card', 'card']);
});

test('5.1 a telegram counts once, whether one, two or all three of its copies arrive, and more than three', async () => {
  const { events, say } = await byHand();
  await say(1, card(1), 1);
  await say(2, card(2), 2);
  await say(3, card(3), 3);
  await say(4, card(4), 6);
  assert.deepEqual(cardsIn(events), [0, 1, 2, 3]);
  assert.ok(!names(events).includes('gap'));
});

test('5.1 seq wraps: thirty telegrams in a row are thirty, and the same card again is another card', async () => {
  const { events, say, clock } = await byHand();
  for (let i = 0; i < 30; i++) {
    await say(i % 10, card(5));
    await clock.turn(300);
  }
  assert.equal(cardsIn(events).length, 30);
  assert.ok(!names(events).includes('gap'));
  const numbers = events.flatMap((event) => (event.type === 'card' ? [event.seq] : []));
  assert.deepEqual(
    numbers,
    Array.from({ length: 30 }, (_, i) => i + 10),
  );
});

test('a new telegram that has the seq of the last one, nine being lost, is reported after the gap', async () => {
  const { events, say, clock } = await byHand();
  await say(3, card(5));
  await clock.turn(5000);
  // The very same bytes: only the time tells them from a copy.
  await say(3, card(5));
  await clock.turn(5000);
  await say(3, card(6));
  assert.deepEqual(names(events), ['card', 'gap', 'card', 'gap', 'card']);
  assert.deepEqual(cardsIn(events), [4, 4, 5]);
});

test('5.1 missing seq: the gap is reported before the next card', async () => {
  const { events, say } = await byHand();
  await say(8, card(1));
  await say(1, card(2));
  assert.deepEqual(names(events), ['card', 'gap', 'card']);
  const gap = events.find((event) => event.type === 'fault');
  assert.deepEqual(gap, { type: 'fault', seq: null, fault: 'gap', detail: '2 telegrams before seq 1' });
});

test('two copies that differ are reported: what was taken may be the wrong one', async () => {
  const { events, say } = await byHand();
  await say(1, card(1), 1);
  await say(1, card(3), 1);
  assert.deepEqual(names(events), ['card', 'crc']);
  assert.deepEqual(cardsIn(events), [0]);
});

test('5.1 errors 1 to 7, and cards outside a game are cards in doubt', async () => {
  const { events, say } = await byHand();
  for (let code = 1; code <= 7; code++) await say(code, { type: 'error', inErrorMode: code > 1, code });
  await say(8, { type: 'errorCleared', code: 7 });
  await say(9, card(1, 'outside'));
  assert.deepEqual(names(events), [
    'misread',
    'error',
    'error',
    'reverse',
    'reverse',
    'error',
    'error',
    'card',
  ]);
  const details = events.flatMap((event) => (event.type === 'fault' ? [event.detail] : []));
  assert.equal(details[0], 'error 1: cannot read');
  assert.equal(details[6], 'error 7: draw time-out, the shoe waits to be cleared');
  const last = events.at(-1);
  assert.ok(last?.type === 'card' && last.confidence === 0 && last.rank === 0);
});

test('a card without suit or rank has no face; what is not understood is reported and counted', async () => {
  const { events, say, clock, line } = await byHand();
  await say(1, { type: 'card', kind: 'game', target: 0, index: 0, suit: 0, rank: 5 });
  await say(2, { type: 'card', kind: 'game', target: 0, index: 0, suit: 1, rank: 14 });
  // Sound, with a code that no source knows: seq 3, X.
  for (let i = 0; i < 3; i++) void line().write(Uint8Array.of(0x05, 0x33, 0x58, 0x03, 0x36, 0x38));
  await clock.turn(100);
  await say(4, card(1));
  assert.deepEqual(cardsIn(events), [null, null, 0]);
  assert.deepEqual(names(events), ['card', 'card', 'crc', 'card']);
});

test('5.1 R tells a card again: shown, and never taken as a new one', async () => {
  const table = await ready();
  await drawAll(table, 2);
  table.sim.powerOff();
  await table.clock.turn(1000);
  table.sim.powerOn();
  await table.clock.turn(4000);
  await drawAll(table, 1);
  assert.deepEqual(cardsIn(table.disk), SOME.slice(0, 3));
  const again = table.events.flatMap((event) =>
    event.type === 'fault' && event.fault === 'restarted' ? [event.detail] : [],
  );
  assert.deepEqual(again.slice(1), [
    'the shoe has been switched on, or has begun again',
    'the shoe tells a card again: rank 1 suit 3, card 0 of target 0',
    'the shoe tells a card again: rank 1 suit 4, card 0 of target 1',
  ]);
});

test('what the shoe does wrong is reported, and what it reads while in error or locked is a card in doubt', async () => {
  const table = await ready();
  table.sim.fault('misread');
  await drawAll(table, 1);
  await drawAll(table, 1);
  table.sim.fault('clear-error');
  table.sim.fault('key');
  await drawAll(table, 1);
  table.sim.fault('key');
  await drawAll(table, 1);
  table.sim.fault('reverse');
  table.sim.fault('again');
  await table.clock.turn(500);
  assert.deepEqual(names(table.disk).slice(1), ['misread', 'card', 'card', 'card', 'reverse', 'restarted']);
  assert.deepEqual(
    table.disk.flatMap((event) => (event.type === 'card' ? [event.confidence] : [])),
    [0, 0, 255],
  );
});

test('5.4 a shoe without replay: any loss of the line is reported before the next card', async () => {
  const table = await ready();
  await drawAll(table, 1);
  table.line?.unplug();
  await table.clock.turn(100);
  table.sim.draw();
  await table.clock.turn(3000);
  await drawAll(table, 1);
  assert.deepEqual(names(table.events).slice(4), [
    'card',
    'link down',
    'link up',
    'identity',
    'gap',
    'gap',
    'card',
  ]);
  assert.deepEqual(cardsIn(table.disk), [SOME[0], SOME[2]]);
});

test('a new life of the host: the numbers go on, and what was missed meanwhile is reported', async () => {
  const table = await ready();
  await drawAll(table, 2);
  table.kill();
  table.sim.draw();
  await table.clock.turn(2000);
  const before = table.events.length;
  table.start();
  await table.clock.turn(100);
  assert.deepEqual(names(table.events.slice(before)), ['link up', 'identity', 'gap']);
  await drawAll(table, 1);
  assert.deepEqual(cardsIn(table.disk), [SOME[0], SOME[1], SOME[3]]);
  const numbers = table.disk.map(({ seq }) => seq);
  assert.deepEqual(
    numbers,
    [...new Set(numbers)].sort((a, b) => a - b),
  );
});

test('copies of a card that is on disk are no new card for the next life of the host', async () => {
  const table = await ready();
  await drawAll(table, 1);
  table.diesAt = (place) => place === 'after commit';
  table.sim.draw();
  await table.clock.turn(22);
  assert.equal(table.shoe, null);
  table.diesAt = () => false;
  table.start();
  await table.clock.turn(3000);
  assert.deepEqual(cardsIn(table.disk), SOME.slice(0, 2));
});

test('one damaged copy is nothing; three damaged ones in a row are reported', async () => {
  const table = await ready();
  await drawAll(table, 1);
  table.sim.line = { ...CLEAN_LINE, flipPerMille: 1000 };
  table.sim.draw();
  await table.clock.turn(500);
  table.sim.line = CLEAN_LINE;
  await drawAll(table, 1);
  assert.deepEqual(names(table.events).slice(-3), ['crc', 'gap', 'card']);
});

test('with leave to send commands, lock and unlock reach the shoe; one that does not answer is reported', async () => {
  const table = await ready({ commands: true });
  table.shoe?.lock(true);
  await table.clock.turn(500);
  assert.deepEqual(table.said.map(toHex), ['02 4f 50 4c 4b 30 32 03 31 42']);
  assert.equal(table.sim.isLocked(), true);
  table.shoe?.lock(false);
  await table.clock.turn(500);
  assert.equal(table.sim.isLocked(), false);
  table.sim.powerOff();
  table.shoe?.lock(true);
  await table.clock.turn(5000);
  assert.equal(table.said.length, 5);
  assert.equal(names(table.events).at(-1), 'error');
});
