import assert from 'node:assert/strict';
import { test } from 'node:test';
import { names, Table } from '../../../test/kits/ksp1-table.ts';
import type { ShoeEvent } from '../../ports.ts';
import { toHex } from '../../transport/bytes.ts';
import { HandClock } from '../../transport/clock.ts';
import { CLEAN_LINE } from '../../transport/faults.ts';
import { type MemoryTransport, memoryPair } from '../../transport/memory.transport.ts';
import { encode, type Message } from './ksp1.codec.ts';
import { createKsp1 } from './ksp1.driver.ts';
import { JOURNAL_LIMIT } from './ksp1-memory.ts';

async function ready(options: ConstructorParameters<typeof Table>[0] = {}): Promise<Table> {
  const table = new Table(options);
  table.start();
  await table.clock.turn(500);
  return table;
}

const SOME = [0, 13, 26, 39, 12, 51, 7, 33];

test('cards come in the order they were drawn, with suit and rank of the engine', async () => {
  const table = await ready();
  table.sim.load(SOME, 8);
  for (const card of SOME) assert.deepEqual(table.sim.draw(), { drawn: true, cards: [card], cutCard: false });
  await table.clock.turn(1000);
  assert.deepEqual(names(table.events), [
    'link up',
    'identity',
    'loaded',
    ...SOME.map(() => 'card'),
    'empty',
  ]);
  assert.deepEqual(table.cards(), SOME);
  assert.deepEqual(table.disk.at(-1), { type: 'empty', seq: 10, cardsSinceLoading: 8 });
  table.checkDisk();
});

test('event n+1 waits for the ACK of n', async () => {
  const table = await ready();
  table.acknowledges = false;
  table.sim.load(SOME, 8);
  table.sim.draw();
  await table.clock.turn(10_000);
  assert.deepEqual(names(table.events), ['link up', 'identity', 'loaded']);
  table.shoe?.acknowledge(1);
  await table.clock.turn(100);
  assert.equal(table.events.at(-1)?.type, 'card');
  assert.throws(() => table.shoe?.acknowledge(3), /event 3 acknowledged, told so far 2/);
});

test('the cut card comes out before the card behind it', async () => {
  const table = await ready();
  table.sim.load(SOME, 1);
  table.sim.placeCutCard(2);
  for (let i = 0; i < SOME.length; i++) table.sim.draw();
  await table.clock.turn(500);
  const drawn = names(table.disk).slice(1);
  assert.equal(drawn.indexOf('cut-card'), SOME.length - 2);
  assert.throws(() => table.sim.placeCutCard(1), /from the end of 0 cards/);
});

test('faults are named, and what cannot be read is never guessed', async () => {
  const table = await ready();
  table.sim.load(SOME, 1);
  table.sim.fault('misread');
  table.sim.draw();
  table.sim.fault('doubtful');
  table.sim.draw();
  table.sim.fault('double-feed');
  table.sim.draw();
  table.sim.fault('reverse');
  table.sim.fault('jam');
  assert.deepEqual(table.sim.draw(), { drawn: false, why: 'jammed' });
  table.sim.fault('clear-jam');
  table.sim.fault('cover-open');
  assert.deepEqual(table.sim.draw(), { drawn: false, why: 'the cover is open' });
  table.sim.fault('cover-close');
  table.sim.fault('key');
  await table.clock.turn(500);
  assert.deepEqual(names(table.disk), [
    'loaded',
    'misread',
    'card',
    'double-feed',
    'reverse',
    'jam',
    'cover',
    'cover',
    'cover-open',
  ]);
  const doubtful = table.disk[2];
  assert.ok(doubtful?.type === 'card' && doubtful.confidence < 200);
  assert.equal(table.sim.remaining(), SOME.length - 3);
  table.checkDisk();
});

test('how the shoe is now comes after what happened, also where no event tells it', async () => {
  const table = await ready();
  const told = (): string[] =>
    table.events.flatMap((event) => {
      if (event.type !== 'status')
        return event.type === 'fault' || event.type === 'cover' ? [event.type] : [];
      const bits = [event.empty && 'empty', event.jammed && 'jammed', event.coverOpen && 'open'];
      return [`status ${bits.filter((bit) => bit).join(' ')}`];
    });
  await table.clock.turn(1500);
  assert.deepEqual(told(), ['status empty']);
  table.sim.load(SOME, 1);
  table.sim.fault('jam');
  await table.clock.turn(1500);
  table.sim.fault('clear-jam');
  await table.clock.turn(1500);
  // Over before the next heartbeat.
  table.sim.fault('cover-open');
  table.sim.fault('cover-close');
  await table.clock.turn(1500);
  assert.deepEqual(told().slice(1), ['fault', 'status jammed', 'status ', 'cover', 'cover', 'status ']);
});

test('a card frame with rank or suit 0 is a card without a face', async () => {
  const clock = new HandClock();
  let device: MemoryTransport | null = null;
  const events: ShoeEvent[] = [];
  const shoe = createKsp1(
    'shoe',
    () => {
      const [host, far] = memoryPair({ clock });
      device = far;
      void far.open({ onBytes: () => {}, onClose: () => {} });
      return host;
    },
    clock,
  );
  shoe.start(
    (event) => events.push(event),
    () => 0,
  );
  await clock.turn(10);
  const say = (message: Message, seq = 0): void => {
    void device?.write(encode(message, seq));
  };
  say({
    type: 'hello',
    serial: 'S',
    firmware: 'F',
    lastSeq: 1,
    ackedSeq: 0,
    oldestSeq: 1,
    boot: 1,
    state: 0,
  });
  await clock.turn(10);
  say({ type: 'card', rank: 0, suit: 3, confidence: 250, code: null }, 1);
  await clock.turn(10);
  assert.deepEqual(events.at(-1), {
    type: 'card',
    seq: 1,
    suit: null,
    rank: null,
    confidence: 250,
    replay: false,
  });
  await shoe.stop();
});

test('a host that was away gets what it missed, marked as replay, and nothing twice', async () => {
  const table = await ready();
  table.sim.load(SOME, 1);
  table.sim.draw();
  await table.clock.turn(500);
  table.kill();
  table.sim.draw();
  table.sim.draw();
  await table.clock.turn(5000);
  table.start();
  await table.clock.turn(1000);
  assert.deepEqual(table.cards(), SOME.slice(0, 3));
  assert.deepEqual(
    table.disk.map((event) => 'replay' in event && event.replay),
    [false, false, true, true],
  );
  table.checkDisk();
});

test('the shoe loses its power: restarted is reported, the numbers go on', async () => {
  const table = await ready();
  table.sim.load(SOME, 1);
  table.sim.draw();
  await table.clock.turn(100);
  table.sim.powerOff();
  assert.deepEqual(table.sim.draw(), { drawn: false, why: 'no power' });
  await table.clock.turn(10_000);
  table.sim.powerOn();
  await table.clock.turn(6000);
  table.sim.draw();
  await table.clock.turn(500);
  assert.deepEqual(names(table.events).slice(-5), ['link down', 'link up', 'restarted', 'identity', 'card']);
  assert.deepEqual(table.cards(), SOME.slice(0, 2));
  table.checkDisk();
});

test('a blip of power shorter than the link time-out is reported as well', async () => {
  const table = await ready();
  table.sim.powerOff();
  await table.clock.turn(300);
  table.sim.powerOn();
  await table.clock.turn(1000);
  assert.ok(names(table.events).includes('restarted'));
  table.sim.load(SOME, 1);
  await table.clock.turn(500);
  assert.equal(names(table.events).at(-1), 'loaded');
});

test('the cable is pulled and put back', async () => {
  const table = await ready();
  table.sim.load(SOME, 1);
  await table.clock.turn(100);
  table.line?.unplug();
  await table.clock.turn(50);
  assert.equal(names(table.events).at(-1), 'link down');
  table.sim.draw();
  await table.clock.turn(2000);
  assert.deepEqual(names(table.events).slice(-2), ['link up', 'card']);
  table.checkDisk();
});

test('a shoe whose memory no longer holds what is missing: a gap, and it goes on with what there is', async () => {
  const table = await ready();
  table.sim.load(
    Array.from({ length: 52 }, (_, i) => i),
    1,
  );
  table.sim.draw();
  await table.clock.turn(500);
  table.kill();
  const away = table.disk.length;
  // Another terminal takes the shoe, and more happens than its memory holds.
  const elsewhere = createKsp1('elsewhere', table.open, table.clock);
  elsewhere.start(
    (event) => {
      if ('seq' in event && event.seq !== null) elsewhere.acknowledge(event.seq);
    },
    () => away,
  );
  await table.clock.turn(100);
  for (let i = 0; i < JOURNAL_LIMIT + 10; i++) {
    table.sim.fault('key');
    await table.clock.turn(10);
  }
  await elsewhere.stop();
  table.start();
  await table.clock.turn(1000);
  assert.ok(names(table.events).includes('gap'));
  const { lastSeq } = table.sim.journal();
  await table.clock.turn(20_000);
  assert.equal(table.disk.at(-1)?.seq, lastSeq);
});

test('a shoe that counts less than what is stored is refused', async () => {
  const table = await ready();
  table.sim.load(SOME, 1);
  await table.clock.turn(200);
  table.kill();
  table.disk.push({ type: 'cut-card', seq: 40, replay: false });
  table.start();
  await table.clock.turn(2000);
  assert.deepEqual(names(table.events).at(-1), 'gap');
  table.sim.draw();
  await table.clock.turn(2000);
  assert.deepEqual(names(table.events).at(-1), 'gap');
});

test('a shoe never seen here starts after what another terminal has acknowledged', async () => {
  const table = await ready();
  table.sim.load(SOME, 1);
  table.sim.draw();
  await table.clock.turn(500);
  table.kill();
  table.disk.length = 0;
  table.start();
  table.sim.draw();
  await table.clock.turn(1000);
  assert.deepEqual(
    table.disk.map((event) => event.seq),
    [3],
  );
});

test('the memory never gives up an event that nobody has taken', async () => {
  const table = new Table();
  table.sim.load(
    Array.from({ length: 832 }, (_, i) => i % 52),
    16,
  );
  let drawn = 0;
  let why = '';
  for (let i = 0; i < 600 && why === ''; i++) {
    const result = table.sim.draw();
    if (result.drawn) drawn++;
    else why = result.why;
  }
  assert.match(why, /memory is full/);
  table.start();
  await table.clock.turn(30_000);
  assert.equal(table.cards().length, drawn);
  assert.deepEqual(table.sim.draw().drawn, true);
});

test('pairing: the right key deals, a wrong or missing one deals nothing', async () => {
  const key = new Uint8Array(32).fill(7);
  const right = await ready({ pairingKey: key });
  right.sim.load(SOME, 1);
  await right.clock.turn(200);
  assert.equal(right.disk.length, 1);

  const wrong = new Table({ pairingKey: new Uint8Array(32).fill(8) }, key);
  wrong.start();
  wrong.sim.load(SOME, 1);
  await wrong.clock.turn(10_000);
  assert.deepEqual(names(wrong.events), ['link up', 'identity', 'not-authentic']);
  assert.equal(wrong.disk.length, 0);

  const without = new Table({}, key);
  without.start();
  without.sim.load(SOME, 1);
  await without.clock.turn(10_000);
  assert.deepEqual(names(without.events), ['link up', 'identity', 'not-authentic']);
  assert.equal(without.disk.length, 0);
});

const nonces = (table: Table): string[] =>
  table.said.flatMap((message) => (message.type === 'challenge' ? [toHex(message.nonce)] : []));

test('5.4 a shoe proves itself again after each loading, before one of its new cards is taken', async () => {
  const hostKey = new Uint8Array(32).fill(7);
  const shoeKey = Uint8Array.from(hostKey);
  const table = new Table({ pairingKey: shoeKey }, hostKey);
  table.start();
  await table.clock.turn(500);
  assert.equal(nonces(table).length, 1);
  table.sim.load(SOME, 1);
  table.sim.draw();
  await table.clock.turn(400);
  assert.equal(nonces(table).length, 2);
  assert.deepEqual(table.cards(), SOME.slice(0, 1));
  // What is loaded now is another box that calls itself the same.
  shoeKey.fill(8);
  table.sim.load(SOME, 1);
  table.sim.draw();
  await table.clock.turn(10_000);
  assert.deepEqual(names(table.events).slice(-2), ['loaded', 'not-authentic']);
  assert.deepEqual(table.cards(), SOME.slice(0, 1));
  // The box that was meant is put there.
  shoeKey.fill(7);
  await table.clock.turn(1000);
  assert.deepEqual(table.cards(), [SOME[0], SOME[0]]);
  table.checkDisk();
});

test('5.4 a shoe proves itself again and gets the time of day at moments nobody can foresee', async () => {
  const before = Date.now();
  const table = await ready({ pairingKey: new Uint8Array(32).fill(7) });
  await table.clock.turn(3_600_000);
  const asked = nonces(table);
  // At the start, and then 1 to 10 minutes after one another.
  assert.ok(asked.length >= 7 && asked.length <= 61, `${asked.length} challenges in an hour`);
  assert.equal(new Set(asked).size, asked.length, 'no nonce twice');
  assert.equal(table.said.filter(({ type }) => type === 'time').length, asked.length);
  assert.ok((table.sim.timeOfDay() ?? 0) >= before);
  assert.deepEqual(names(table.events), ['link up', 'identity']);
  table.sim.load(SOME, 1);
  table.sim.draw();
  await table.clock.turn(1000);
  assert.deepEqual(table.cards(), SOME.slice(0, 1));
});

test('5.4 at such a moment a shoe without the key deals nothing more', async () => {
  const hostKey = new Uint8Array(32).fill(7);
  const shoeKey = Uint8Array.from(hostKey);
  const table = new Table({ pairingKey: shoeKey }, hostKey);
  table.start();
  table.sim.load(SOME, 1);
  await table.clock.turn(1000);
  shoeKey.fill(8);
  await table.clock.turn(603_000);
  assert.equal(names(table.events).at(-1), 'not-authentic');
  table.sim.draw();
  await table.clock.turn(1000);
  assert.deepEqual(table.cards(), []);
});

test('5.4 a card drawn while the shoe is in service mode is a card in doubt, also when it is reported later', async () => {
  const table = await ready();
  table.sim.load(SOME, 1);
  table.kill();
  table.sim.fault('service');
  table.sim.draw();
  table.sim.fault('service-end');
  table.sim.draw();
  table.start();
  await table.clock.turn(2000);
  const confidences = table.disk.flatMap((event) => (event.type === 'card' ? [event.confidence] : []));
  assert.deepEqual(confidences, [0, 250]);
});

test('locking reaches the mouth of the shoe and survives its restart', async () => {
  const table = await ready();
  table.sim.load(SOME, 1);
  table.shoe?.lock(true);
  await table.clock.turn(1000);
  assert.deepEqual(table.sim.draw(), { drawn: false, why: 'locked' });
  table.sim.powerOff();
  await table.clock.turn(3000);
  table.sim.powerOn();
  await table.clock.turn(8000);
  assert.equal(table.sim.isLocked(), true);
  table.shoe?.lock(false);
  await table.clock.turn(1000);
  assert.equal(table.sim.draw().drawn, true);
});

test('two damaged frames in a row are a fault, one is not', async () => {
  const table = await ready();
  const BENT = { dropPerMille: 0, flipPerMille: 1000, losePerMille: 0 };
  const damageFor = async (ms: number): Promise<void> => {
    table.sim.line = BENT;
    table.sim.fault('key');
    await table.clock.turn(ms);
    table.sim.line = CLEAN_LINE;
    await table.clock.turn(1500);
  };
  await damageFor(10);
  assert.ok(!names(table.events).includes('crc'));
  await damageFor(900);
  assert.ok(names(table.events).includes('crc'));
  table.checkDisk();
});

test('the card that left last is read once more under its own number, where the shoe can', async () => {
  const table = await ready();
  const again = () => table.events.flatMap((event) => (event.type === 'read-again' ? [event] : []));
  table.sim.load(SOME, 1);
  table.sim.fault('misread');
  table.sim.draw();
  await table.clock.turn(100);
  const { seq } = table.disk.at(-1)!;
  assert.equal(table.shoe!.rereads, true);
  table.shoe!.readAgain(seq);
  await table.clock.turn(100);
  const ace = { suit: 0, rank: 0, confidence: 250 };
  assert.deepEqual(again(), [{ type: 'read-again', of: seq, ...ace }]);
  assert.deepEqual(table.sim.journal(), { lastSeq: seq, ackedSeq: seq, oldestSeq: 1 }, 'no new number');
  // What cannot be read this time either, and a number that is not the newest card's.
  const none = { suit: null, rank: null, confidence: 0 };
  table.sim.fault('unreadable');
  table.shoe!.readAgain(seq);
  await table.clock.turn(100);
  table.sim.fault('readable');
  table.shoe!.readAgain(seq - 1);
  await table.clock.turn(100);
  assert.deepEqual(again().slice(1), [
    { type: 'read-again', of: seq, ...none },
    { type: 'read-again', of: seq - 1, ...none },
  ]);
});

test('a second reading whose question or answer is lost is asked for again; the one of a lost shoe is none', async () => {
  const table = await ready();
  const again = () => table.events.flatMap((event) => (event.type === 'read-again' ? [event.rank] : []));
  table.sim.load(SOME, 1);
  table.sim.draw();
  await table.clock.turn(100);
  const { seq } = table.disk.at(-1)!;
  table.sim.line = { ...CLEAN_LINE, losePerMille: 1000 };
  table.shoe!.readAgain(seq);
  await table.clock.turn(600);
  assert.deepEqual(again(), []);
  table.sim.line = CLEAN_LINE;
  await table.clock.turn(600);
  assert.deepEqual(again(), [0]);
  table.sim.line = { ...CLEAN_LINE, losePerMille: 1000 };
  table.shoe!.readAgain(seq);
  await table.clock.turn(3_000);
  assert.deepEqual(again(), [0, null], 'once, and not when the shoe is back');
  table.sim.line = CLEAN_LINE;
  await table.clock.turn(10_000);
  assert.deepEqual(again(), [0, null]);
});

test('a shoe of before there was the word is not asked to read again', async () => {
  const table = await ready({ rereads: false });
  table.sim.load(SOME, 1);
  table.sim.draw();
  await table.clock.turn(100);
  assert.equal(table.shoe!.rereads, false);
  assert.throws(() => table.shoe!.readAgain(2), /reads no card twice/);
  assert.ok(table.said.every(({ type }) => type !== 'reread'));
});
