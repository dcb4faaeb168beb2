/** A shoe on the line of a serial server: a real TCP connection between it and its driver. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { cardsIn, names } from '../../../test/kits/angel-eye-table.ts';
import { until } from '../../../test/support/until.ts';
import type { ShoeEvent } from '../../ports.ts';
import { openAddress } from '../../transport/address.ts';
import { joinBytes } from '../../transport/bytes.ts';
import { HandClock, systemClock } from '../../transport/clock.ts';
import { memoryPair } from '../../transport/memory.transport.ts';
import { serialServerTransport } from '../../transport/socket.transport.ts';
import { type AngelMessage, COPIES, encode } from './angel-eye.codec.ts';
import { createAngelEye } from './angel-eye.driver.ts';

/** Passes bytes on to one host, in raw socket mode; what comes while there is none is lost. */
class SerialServer {
  readonly hosts: Socket[] = [];
  /** Hosts that may have the line at once; one more is hung up on. */
  places = 1;
  port = 0;
  #server: Server | null = null;

  async on(): Promise<void> {
    const server = createServer((socket) => {
      socket.on('error', () => socket.destroy());
      socket.resume();
      if (this.hosts.filter(({ destroyed }) => !destroyed).length >= this.places) socket.destroy();
      else this.hosts.push(socket);
    });
    this.#server = server;
    await new Promise<void>((done) => server.listen(this.port, '127.0.0.1', done));
    this.port = (server.address() as AddressInfo).port;
  }

  async off(): Promise<void> {
    for (const host of this.hosts.splice(0)) host.resetAndDestroy();
    await new Promise((done) => this.#server?.close(done) ?? done(null));
    this.#server = null;
  }

  get host(): Socket | undefined {
    return this.hosts.find(({ destroyed }) => !destroyed);
  }

  async write(bytes: Uint8Array): Promise<void> {
    const { host } = this;
    if (host !== undefined) await new Promise((done) => host.write(bytes, done));
  }
}

const card = (number: number): AngelMessage => ({
  type: 'card',
  kind: 'game',
  target: 0,
  index: 0,
  suit: [3, 4, 1, 2][Math.floor(number / 13)]!,
  rank: (number % 13) + 1,
});
const telegram = (seq: number, number: number): Uint8Array => encode(seq % 10, card(number));
const threeOf = (bytes: Uint8Array): Uint8Array => joinBytes(bytes, joinBytes(bytes, bytes));

interface Run {
  readonly server: SerialServer;
  readonly events: ShoeEvent[];
  cards(): (number | null)[];
}

async function listening(t: TestContext): Promise<Run> {
  const server = new SerialServer();
  await server.on();
  const events: ShoeEvent[] = [];
  const open = openAddress({ kind: 'serial-server', host: '127.0.0.1', port: server.port }, { line: null });
  const shoe = createAngelEye('shoe', open, systemClock, { serial: 'AE-1' });
  shoe.start(
    (event) => events.push(event),
    () => 0,
  );
  t.after(async () => {
    await shoe.stop();
    await server.off();
  });
  await until('the server has its host', () => server.host !== undefined);
  return { server, events, cards: () => cardsIn(events) };
}

/** What a network may make of the bytes of a line. */
const WAYS: readonly (readonly [string, (bytes: Uint8Array) => readonly Uint8Array[]])[] = [
  ['one byte at a time', (bytes) => Array.from(bytes, (byte) => Uint8Array.of(byte))],
  ['in pieces of five, across the telegrams', (bytes) => piecesOf(bytes, 5)],
  ['all merged', (bytes) => [bytes]],
];
const piecesOf = (bytes: Uint8Array, size: number): Uint8Array[] =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.slice(i * size, (i + 1) * size));

for (const [way, cut] of WAYS)
  test(`each card comes once, in its order: ${way}`, async (t) => {
    const { server, events, cards } = await listening(t);
    const drawn = [0, 13, 26, 39, 12, 12, 7];
    const bytes = drawn.map((number, i) => threeOf(telegram(i + 1, number))).reduce(joinBytes);
    for (const piece of cut(bytes)) {
      await server.write(piece);
      await sleep(1);
    }
    await until('the last card', () => cards().length >= drawn.length);
    await sleep(20);
    assert.deepEqual(cards(), drawn);
    assert.deepEqual(names(events), ['link up', 'identity', 'gap', ...drawn.map(() => 'card')]);
  });

test('a server that starts again in the middle of a telegram: the copies that come after it are one card', async (t) => {
  const { server, events, cards } = await listening(t);
  const [first, second] = [telegram(1, 5), telegram(2, 44)];
  await server.write(threeOf(first));
  await server.write(second.subarray(0, 5));
  await until('the first card', () => cards().length === 1);
  await server.off();
  await until('the line is lost', () => names(events).includes('link down'));
  await server.on();
  await until('the server has its host again', () => server.host !== undefined);
  await server.write(joinBytes(second.subarray(5), joinBytes(second, second)));
  await until('the second card', () => cards().length === 2);
  assert.deepEqual(cards(), [5, 44]);
  // What may be lost is said before the next card.
  assert.deepEqual(names(events), [
    'link up',
    'identity',
    'gap',
    'card',
    'link down',
    'link up',
    'identity',
    'gap',
    'card',
  ]);
});

test('a server that starts again between two copies: the later ones are no second card', async (t) => {
  const { server, cards } = await listening(t);
  await server.write(telegram(1, 5));
  await until('the card', () => cards().length === 1);
  await server.off();
  await server.on();
  await until('the server has its host again', () => server.host !== undefined);
  await server.write(joinBytes(telegram(1, 5), telegram(1, 5)));
  await server.write(threeOf(telegram(2, 6)));
  await until('the next card', () => cards().includes(6));
  assert.deepEqual(cards(), [5, 6]);
});

test('a place that another host has: the line is not open for a moment, and the reason names the host', async (t) => {
  const server = new SerialServer();
  await server.on();
  t.after(() => server.off());
  const heard: string[] = [];
  const handlers = { onBytes: () => heard.push('bytes'), onClose: (why: string) => heard.push(why) };
  const first = serialServerTransport('127.0.0.1', server.port);
  await first.open(handlers);
  const second = serialServerTransport('127.0.0.1', server.port);
  await assert.rejects(
    second.open(handlers),
    new Error(`tcp:127.0.0.1:${server.port}: it hangs up at once, as if another host had the line`),
  );
  assert.deepEqual(heard, []);
  // The host that is there keeps the line.
  await first.write(Uint8Array.of(1));
  await first.close();
  server.hosts.length = 0;
  const third = serialServerTransport('127.0.0.1', server.port);
  await third.open(handlers);
  await third.close();
});

test('a server whose power was cut closes nothing: the kernel asks it, and a line without an answer is lost', async (t) => {
  const server = new SerialServer();
  await server.on();
  t.after(() => server.off());
  const line = serialServerTransport('127.0.0.1', server.port);
  await line.open({ onBytes: () => {}, onClose: () => {} });
  const far = `0100007F:${server.port.toString(16).toUpperCase().padStart(4, '0')}`;
  const row = readFileSync('/proc/net/tcp', 'latin1')
    .split('\n')
    .map((text) => text.trim().split(/\s+/))
    .find(([, , remote, state]) => remote === far && state === '01');
  // Timer 02 of an open connection is that of keep-alive.
  assert.match(row?.[5] ?? 'no row', /^02:/);
  await line.close();
});

/** A driver on a line that stands still for as long as the test turns the clock. */
async function standing(stallMs: number): Promise<ShoeEvent[]> {
  const clock = new HandClock();
  const events: ShoeEvent[] = [];
  const lines: ReturnType<typeof memoryPair>[] = [];
  const open = Object.assign(
    () => {
      const pair = memoryPair({ clock });
      void pair[1].open({ onBytes: () => {}, onClose: () => {} });
      lines.push(pair);
      return pair[0];
    },
    { stallMs },
  );
  const shoe = createAngelEye('shoe', open, clock, { serial: 'AE-1' });
  shoe.start(
    (event) => events.push(event),
    () => 0,
  );
  await clock.turn(2000);
  const say = async (bytes: Uint8Array, thenMs: number): Promise<void> => {
    void lines[0]![1].write(bytes);
    await clock.turn(thenMs);
  };
  await say(telegram(1, 5), 3000);
  for (let i = 1; i < COPIES; i++) await say(telegram(1, 5), 30);
  await say(threeOf(telegram(2, 6)), 5000);
  // As many copies as there are have been heard: this is a card of its own, after nine lost.
  await say(telegram(2, 6), 30);
  await shoe.stop();
  return events.slice(3);
}

test('copies that a network has held back for seconds are no second card; on a cable they would be one', async () => {
  assert.deepEqual(names(await standing(20_000)), ['card', 'card', 'gap', 'card']);
  assert.deepEqual(names(await standing(0)), ['card', 'gap', 'card', 'card', 'gap', 'card']);
});
