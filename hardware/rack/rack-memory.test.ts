import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { createId003 } from '../bill-acceptor/id003/id003.driver.ts';
import type { AcceptorEvent, BillAcceptor, ShoeEvent } from '../ports.ts';
import { createKsp1 } from '../shoe/ksp1/ksp1.driver.ts';
import { HandClock } from '../transport/clock.ts';
import { DeviceRack, type RackMemory, rackTransports } from './rack.sim.ts';
import { RackClient } from './rack-client.ts';
import { readRackMemory, writeRackMemory } from './rack-memory.store.ts';

const NOTE = { currency: 'MOP', valueMinor: 10_000 };

function folder(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'rack-memory-'));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** Drivers on a rack, with a host that stacks and credits where `credits` says so. */
class SetUp {
  readonly clock = new HandClock();
  readonly rack: DeviceRack;
  readonly drivers: readonly BillAcceptor[];
  readonly told: AcceptorEvent[][] = [];
  readonly cards: ShoeEvent[] = [];
  readonly #shoe;
  stored = 0;

  constructor(o: {
    memory?: RackMemory;
    acceptors: number;
    credits: (n: number) => boolean;
    takesUpTo?: number;
    stored?: number;
    onKeep?: (memory: RackMemory) => void;
  }) {
    const { acceptors, credits, memory, onKeep } = o;
    this.stored = o.stored ?? 0;
    this.rack = new DeviceRack({
      acceptors,
      clock: this.clock,
      ...(memory ? { memory } : {}),
      ...(onKeep ? { onKeep } : {}),
    });
    const lines = rackTransports(this.rack, this.clock);
    this.drivers = Array.from({ length: acceptors }, (_, i) => {
      const driver = createId003(`acceptor-${i + 1}`, lines.acceptor(i + 1), this.clock);
      this.told.push([]);
      driver.allow([10_000]);
      driver.start((event) => {
        this.told[i]?.push(event);
        if (event.type === 'credit' && credits(i + 1)) driver.acknowledgeCredit();
      });
      return driver;
    });
    this.#shoe = createKsp1('shoe', lines.shoe, this.clock);
    this.#shoe.start(
      (event) => {
        if (!('seq' in event) || event.seq === null || event.seq > (o.takesUpTo ?? Infinity)) return;
        this.cards.push(event);
        this.stored = event.seq;
        this.#shoe.acknowledge(event.seq);
      },
      () => this.stored,
    );
  }

  async stop(): Promise<void> {
    for (const driver of this.drivers) await driver.stop();
    await this.#shoe.stop();
  }
}

const numbers = (events: readonly ShoeEvent[]): (number | string)[] =>
  events.map((event) => (event.type === 'card' ? (event.suit ?? 0) * 13 + (event.rank ?? 0) : event.type));

test('a rack starts again with every note where it lay, every card in its order and every event that nobody took', async (t) => {
  const file = join(folder(t), 'devices.json');
  // 1 in the box · 2 in escrow · 3 past the point of no return · 4 credit not taken · 5 jammed · 6
  // given back · 7 box out
  const first = new SetUp({
    acceptors: 7,
    credits: (n) => n === 1,
    takesUpTo: 3,
    onKeep: (memory) => writeRackMemory(file, memory),
  });
  const { rack, clock } = first;
  await clock.turn(3000);
  for (const n of [1, 2, 3, 4, 5, 6])
    assert.ok((await rack.do({ do: 'insert-note', acceptor: n, ...NOTE })).ok);
  await clock.turn(1000);
  for (const n of [1, 4]) first.drivers[n - 1]?.stack();
  first.drivers[5]?.returnNote();
  rack.handle({ do: 'fault', device: 'acceptor-5', fault: 'jam' });
  rack.handle({ do: 'fault', device: 'acceptor-7', fault: 'cassette-out' });
  await clock.turn(2000);
  first.drivers[2]?.stack();
  await clock.turnUntil('past the point of no return', () => rack.acceptor(3).inPath()?.beyond === true);

  const shoe = [5, 18, 40, 51, 0, 13, 26, 39, 12, 25];
  rack.handle({ do: 'load-shoe', cards: shoe });
  rack.handle({ do: 'place-cut-card', fromEnd: 3 });
  rack.handle({ do: 'fault', device: 'shoe', fault: 'cover-open' });
  rack.handle({ do: 'fault', device: 'shoe', fault: 'cover-close' });
  for (let i = 0; i < 5; i++) assert.ok((await rack.do({ do: 'draw-card' })).ok);
  await clock.turn(100);
  assert.deepEqual(numbers(first.cards), ['loaded', 'cover', 'cover']);
  const before = rack.sight();
  await first.stop();
  // Nothing is said in farewell: the file must already hold it all.
  const kept = readRackMemory(file);
  assert.ok(kept);
  assert.deepEqual(kept, rack.memory());

  const second = new SetUp({ memory: kept, acceptors: 7, credits: () => true, stored: first.stored });
  const after = second.rack.sight();
  assert.deepEqual(
    after.acceptors.map(({ status }) => status),
    // POWER UP · with bill in acceptor · with bill in stacker
    ['40', '41', '42', '42', '41', '40', '40'],
  );
  const lying = (sight: typeof before) => sight.acceptors.map(({ status: _status, ...rest }) => rest);
  assert.deepEqual(lying(after), lying(before));
  assert.deepEqual(after.shoe, { ...before.shoe, boot: 2 });
  assert.deepEqual([after.shoe.lastSeq, after.shoe.ackedSeq], [8, 3]);

  await second.clock.turn(6000);
  const told = (n: number): string[] => second.told[n - 1]!.map(({ type }) => type);
  const states = (n: number): string[] =>
    second.told[n - 1]!.flatMap((event) => (event.type === 'state' ? [event.state] : []));
  const boxes = second.rack.sight().acceptors;
  assert.deepEqual(
    boxes.map(({ cashBox }) => cashBox.length),
    [1, 0, 1, 1, 0, 0, 0],
  );
  for (const n of [3, 4])
    assert.equal(told(n).filter((type) => type === 'credit').length, 1, `acceptor ${n}`);
  for (const n of [1, 2, 5, 6, 7]) assert.ok(!told(n).includes('credit'), `acceptor ${n}`);
  for (const n of [2, 6]) assert.deepEqual(boxes[n - 1]?.givenBack, [NOTE], `acceptor ${n}`);
  assert.ok(states(5).includes('jammed') && states(7).includes('cassette-removed'));
  assert.ok(boxes.every(({ owesCredit }) => !owesCredit));

  assert.deepEqual(numbers(second.cards), shoe.slice(0, 5));
  assert.ok(second.cards.every((event) => event.type === 'card' && event.replay));
  for (let i = 0; i < 5; i++) assert.ok((await second.rack.do({ do: 'draw-card' })).ok);
  await second.clock.turn(1000);
  assert.deepEqual(numbers(second.cards), [...shoe.slice(0, 7), 'cut-card', ...shoe.slice(7), 'empty']);
  const third = second.rack.memory();
  await second.stop();
  assert.deepEqual([third.shoe.cards, third.shoe.drawn], [[], shoe]);
});

test('nobody hears of a change before it is in the file, and what is not kept changes no file', async () => {
  let kept: RackMemory | null = null;
  let writes = 0;
  const setUp = new SetUp({
    acceptors: 2,
    credits: () => true,
    onKeep: (memory) => {
      kept = memory;
      writes++;
    },
  });
  const check = (): void => assert.deepEqual(kept, setUp.rack.memory());
  await setUp.clock.turn(3000);
  check();
  const quiet = writes;
  await setUp.clock.turn(5000);
  assert.equal(writes, quiet, 'polls and heartbeats are written nowhere');
  await setUp.rack.do({ do: 'insert-note', acceptor: 2, ...NOTE });
  check();
  await setUp.clock.turn(700);
  setUp.drivers[1]?.stack();
  for (let i = 0; i < 100; i++) {
    await setUp.clock.turn(20);
    check();
  }
  assert.equal(setUp.rack.acceptor(2).cashBox().length, 1);
  await setUp.rack.do({ do: 'load-shoe', decks: 1, seed: 3 });
  for (const fault of ['misread', 'double-feed', 'reverse', 'jam', 'clear-jam']) {
    setUp.rack.handle({ do: 'fault', device: 'shoe', fault });
    await setUp.rack.do({ do: 'draw-card' });
    check();
  }
  await setUp.stop();
});

test('another shoe takes the place of the one on the table: a new name, and numbers from the beginning', async () => {
  const setUp = new SetUp({ acceptors: 1, credits: () => true });
  await setUp.clock.turn(1000);
  await setUp.rack.do({ do: 'load-shoe', cards: [1, 2, 3] });
  await setUp.rack.do({ do: 'draw-card' });
  await setUp.clock.turn(1000);
  const swapped = await setUp.rack.do({ do: 'swap-shoe' });
  assert.deepEqual(swapped, { ok: true, serial: 'SIM-SHOE-2' });
  assert.deepEqual(setUp.rack.handle({ do: 'swap-shoe', serial: 'SIM-SHOE-2' }), {
    ok: false,
    error: 'SIM-SHOE-2 is the shoe on the table',
  });
  setUp.stored = 0;
  await setUp.clock.turn(3000);
  await setUp.rack.do({ do: 'load-shoe', cards: [50] });
  await setUp.rack.do({ do: 'draw-card' });
  await setUp.clock.turn(1000);
  assert.deepEqual(numbers(setUp.cards), ['loaded', 1, 'loaded', 50, 'empty']);
  assert.equal(setUp.rack.memory().shoe.lastSeq, 3);
  await setUp.stop();
});

test('a rack may get more acceptors, and none that holds notes is left out', () => {
  const clock = new HandClock();
  const memory = new DeviceRack({ acceptors: 3, clock }).memory();
  const [one, two, three] = memory.acceptors;
  const used: RackMemory = { ...memory, acceptors: [one!, two!, { ...three!, cashBox: [NOTE] }] };
  for (const acceptors of [1, 5]) {
    const rack = new DeviceRack({ acceptors, clock, memory: used });
    assert.equal(rack.acceptorCount, Math.max(3, acceptors));
    assert.deepEqual(rack.acceptor(3).cashBox(), [NOTE]);
  }
});

test('a damaged memory is refused with file and place, and stays as it is', (t) => {
  const file = join(folder(t), 'devices.json');
  assert.equal(readRackMemory(file), null);
  const rack = new DeviceRack({ acceptors: 1, clock: new HandClock() });
  rack.handle({ do: 'load-shoe', cards: [1, 2] });
  rack.handle({ do: 'draw-card' });
  const good = rack.memory();
  const [loaded, card] = good.shoe.journal as [string, string];
  const shoe = (changes: object) => JSON.stringify({ ...good, shoe: { ...good.shoe, ...changes } });
  const wrong: readonly (readonly [string, RegExp])[] = [
    ['', /JSON/],
    [JSON.stringify(good).slice(0, -20), /JSON/],
    [JSON.stringify({ ...good, version: 2 }), /version/],
    [JSON.stringify({ ...good, acceptors: [] }), /acceptors/],
    [
      JSON.stringify({ ...good, acceptors: [{ ...good.acceptors[0], cashBox: [{}] }] }),
      /acceptors\.0\.cashBox/,
    ],
    [shoe({ cards: [52] }), /shoe\.cards\.0/],
    [shoe({ ackedSeq: 3 }), /shoe\.ackedSeq/],
    [shoe({ cutCardBefore: 2 }), /shoe\.cutCardBefore/],
    [shoe({ journal: [loaded] }), /shoe\.journal: 1 events of 2/],
    [shoe({ journal: [card, loaded] }), /shoe\.journal\.0: event 2 instead of 1/],
    [shoe({ journal: [loaded, card.replace(/^5301/, '5302')] }), /shoe\.journal\.1: version/],
    [shoe({ journal: [loaded, `${card.slice(0, 26)}ff${card.slice(28)}`] }), /shoe\.journal\.1: checksum/],
  ];
  for (const [text, error] of wrong) {
    writeFileSync(file, text);
    assert.throws(
      () => readRackMemory(file),
      (thrown: Error) => thrown.message.startsWith(`${file}: `) && error.test(thrown.message),
      text.slice(0, 80),
    );
    assert.equal(readFileSync(file, 'utf8'), text);
  }
  writeRackMemory(file, good);
  assert.deepEqual(readRackMemory(file), good);
  assert.ok(!existsSync(`${file}.new`));
});

const MAIN = new URL('./rack-main.ts', import.meta.url).pathname;

test('the rack as a process is killed at once after a card and starts again where it was', async (t) => {
  const dir = folder(t);
  const state = join(dir, 'devices.json');
  const start = async () => {
    const child = spawn(
      process.execPath,
      [MAIN, '--dir', join(dir, 's'), '--state', state, '--acceptors', '1', '--supervised'],
      { stdio: ['pipe', 'pipe', 'inherit'] },
    );
    t.after(() => child.kill('SIGKILL'));
    await once(createInterface({ input: child.stdout }), 'line');
    return { child, hands: await RackClient.connect(join(dir, 's')) };
  };
  const one = await start();
  await one.hands.do({ do: 'load-shoe', decks: 6 });
  for (let i = 0; i < 9; i++) await one.hands.do({ do: 'draw-card' });
  const before = await one.hands.do({ do: 'state' });
  const killed = once(one.child, 'exit');
  one.child.kill('SIGKILL');
  await killed;
  one.hands.close();
  const two = await start();
  const after = await two.hands.do({ do: 'state' });
  assert.ok(before.ok && after.ok);
  assert.equal(before.shoe.drawn.length, 9);
  assert.deepEqual(after.shoe, { ...before.shoe, boot: before.shoe.boot + 1 });
  const gone = once(two.child, 'exit');
  two.child.stdin.end();
  await gone;
  two.hands.close();

  writeFileSync(state, '{"version":1');
  const { status, stderr } = spawnSync(
    process.execPath,
    [MAIN, '--dir', join(dir, 's'), '--state', state, '--acceptors', '1'],
    { encoding: 'utf8' },
  );
  assert.equal(status, 2);
  assert.ok(stderr.startsWith(`${state}: the memory of the simulated devices cannot be used: `), stderr);
  assert.equal(stderr.trim().split('\n').length, 1);
  assert.equal(readFileSync(state, 'utf8'), '{"version":1');
});
