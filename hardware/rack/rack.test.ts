import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { until } from '../../test/support/until.ts';
import { createId003 } from '../bill-acceptor/id003/id003.driver.ts';
import type { AcceptorEvent, ShoeEvent } from '../ports.ts';
import { createKsp1 } from '../shoe/ksp1/ksp1.driver.ts';
import { HandClock, systemClock } from '../transport/clock.ts';
import { DeviceRack, rackTransports } from './rack.sim.ts';
import { RackClient, socketTransports } from './rack-client.ts';
import type { RackCommand } from './rack-commands.ts';
import { shuffledDecks } from './shuffle.ts';

test('a shuffle holds every card of every pack, is the same for a seed and never the same without one', () => {
  for (const seed of [null, 1, -5]) {
    const cards = shuffledDecks(8, seed);
    assert.equal(cards.length, 416);
    for (let card = 0; card < 52; card++) assert.equal(cards.filter((other) => other === card).length, 8);
  }
  assert.deepEqual(shuffledDecks(6, 42), shuffledDecks(6, 42));
  assert.notDeepEqual(shuffledDecks(6, 42), shuffledDecks(6, 43));
  assert.notDeepEqual(shuffledDecks(6, null), shuffledDecks(6, null));
  assert.throws(() => shuffledDecks(0, 1), /0 decks/);
});

test('a malformed command is answered with its place and changes nothing', async () => {
  const clock = new HandClock();
  const rack = new DeviceRack({ acceptors: 2, clock });
  const before = JSON.stringify(rack.sight());
  const wrong: readonly (readonly [unknown, RegExp])[] = [
    [{ do: 'insert-note', acceptor: 3, valueMinor: 1000, currency: 'MOP' }, /no acceptor 3; this rack has 2/],
    [{ do: 'insert-note', acceptor: 1, valueMinor: 10.5, currency: 'MOP' }, /valueMinor/],
    [{ do: 'insert-note', acceptor: 1, valueMinor: 1000, currency: 'mop' }, /currency/],
    [{ do: 'load-shoe' }, /cards or decks/],
    [{ do: 'load-shoe', cards: [52] }, /cards\.0/],
    [{ do: 'load-shoe', decks: 8, seed: 1, extra: 1 }, /extra/],
    [{ do: 'place-cut-card', fromEnd: 5 }, /cut card 5 from the end of 0/],
    [{ do: 'fault', device: 'shoe', fault: 'cheat' }, /a shoe has no fault 'cheat'/],
    [{ do: 'fault', device: 'acceptor-1', fault: 'misread' }, /an acceptor has no fault/],
    [{ do: 'fault', device: 'printer', fault: 'jam' }, /a printer has no fault 'jam'/],
    [{ do: 'fault', device: 'plotter', fault: 'jam' }, /device/],
    [{ do: 'dance' }, /do/],
    [null, /command/],
  ];
  for (const [command, error] of wrong) {
    const answer = rack.handle(command);
    assert.ok(!answer.ok && error.test(answer.error), JSON.stringify([command, answer]));
  }
  assert.equal(JSON.stringify(rack.sight()), before);
  assert.throws(() => new DeviceRack({ acceptors: 0 }), /1 to 99/);
});

test('a table in one process: notes and cards through the real drivers', async () => {
  const clock = new HandClock();
  const rack = new DeviceRack({ acceptors: 7, clock });
  const lines = rackTransports(rack, clock);
  const credited: number[] = [];
  const drivers = Array.from({ length: 7 }, (_, i) => {
    const driver = createId003(`acceptor-${i + 1}`, lines.acceptor(i + 1), clock);
    driver.allow([10_000]);
    driver.start((event) => {
      if (event.type === 'escrowed') driver.stack();
      if (event.type === 'credit') {
        credited.push(i + 1);
        driver.acknowledgeCredit();
      }
    });
    return driver;
  });
  const cards: ShoeEvent[] = [];
  const shoe = createKsp1('shoe', lines.shoe, clock);
  shoe.start(
    (event) => {
      if (event.type === 'card') cards.push(event);
      if ('seq' in event && event.seq !== null) shoe.acknowledge(event.seq);
    },
    () => 0,
  );
  await clock.turn(3000);
  for (let n = 1; n <= 7; n++)
    assert.deepEqual(await rack.do({ do: 'insert-note', acceptor: n, valueMinor: 10_000, currency: 'HKD' }), {
      ok: true,
      taken: true,
      why: null,
    });
  const loaded = await rack.do({ do: 'load-shoe', decks: 6, seed: 9 });
  assert.ok(loaded.ok && loaded.cardCount === 312);
  for (let i = 0; i < 10; i++) await rack.do({ do: 'draw-card' });
  await rack.do({ do: 'power-cycle', device: 'acceptor-2', offMs: 500 });
  await clock.turn(20_000);
  assert.deepEqual(
    credited.toSorted((a, b) => a - b),
    [1, 3, 4, 5, 6, 7],
  );
  const sight = rack.sight();
  assert.equal(sight.acceptors[1]?.givenBack.length, 1);
  assert.equal(sight.acceptors.flatMap(({ cashBox }) => cashBox).length, 6);
  assert.equal(sight.shoe.remaining, 302);
  assert.deepEqual(
    cards.map((event) => event.type === 'card' && (event.suit ?? 0) * 13 + (event.rank ?? 0)),
    shuffledDecks(6, 9).slice(0, 10),
  );
  const emptied = await rack.do({ do: 'empty-box', acceptor: 1 });
  assert.ok(emptied.ok && emptied.notes.length === 1);
  for (const driver of drivers) await driver.stop();
  await shoe.stop();
});

async function startRack(dir: string): Promise<{ process: ChildProcess; ready: Record<string, unknown> }> {
  const main = new URL('./rack-main.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, [main, '--dir', dir, '--acceptors', '1', '--supervised'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface({ input: child.stdout! }), 'line')) as [string];
  return { process: child, ready: JSON.parse(line) as Record<string, unknown> };
}

test('the rack as a process: a host comes, goes between STACK and credit, and another finds the note', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'rack-'));
  const { process: child, ready } = await startRack(dir);
  t.after(() => {
    child.kill('SIGKILL');
    rmSync(dir, { recursive: true, force: true });
  });
  assert.equal(ready['ready'], true);
  assert.equal(ready['simulated'], true);
  const hands = await RackClient.connect(dir);
  assert.equal(hands.isConnected, true);
  const lines = socketTransports(dir);

  const host = (stop: AcceptorEvent['type']) => {
    const driver = createId003('acceptor-1', lines.acceptor(1), systemClock);
    const events: AcceptorEvent[] = [];
    const reached = Promise.withResolvers<void>();
    driver.allow([50_000]);
    driver.start((event) => {
      events.push(event);
      if (event.type === 'escrowed') driver.stack();
      if (event.type === stop) reached.resolve();
    });
    return { driver, events, reached: reached.promise };
  };
  const first = host('credit');
  const taken = async (): Promise<boolean> => {
    const command: RackCommand = { do: 'insert-note', acceptor: 1, valueMinor: 50_000, currency: 'MOP' };
    const answer = await hands.do(command);
    return answer.ok && 'taken' in answer && answer.taken;
  };
  await until('the note is taken', taken);
  await first.reached;
  await first.driver.stop();

  const second = host('credit');
  await second.reached;
  second.driver.acknowledgeCredit();
  const { cashBox } = await until('the credit has its answer', async () => {
    const sight = await hands.do({ do: 'state' });
    assert.ok(sight.ok);
    const [acceptor] = sight.acceptors;
    return acceptor!.owesCredit ? null : acceptor!;
  });
  assert.deepEqual(cashBox, [{ currency: 'MOP', valueMinor: 50_000 }]);
  await second.driver.stop();

  const left = once(child, 'exit');
  child.stdin?.end();
  assert.deepEqual(await left, [0, null]);
  await assert.rejects(hands.do({ do: 'state' }), /rack is gone/);
  await assert.rejects(RackClient.connect(dir), /ENOENT|ECONNREFUSED/);
});

test('the control socket answers what is not JSON', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'rack-'));
  const { process: child, ready } = await startRack(dir);
  t.after(() => {
    child.kill('SIGKILL');
    rmSync(dir, { recursive: true, force: true });
  });
  const { createConnection } = await import('node:net');
  const socket = createConnection(String(ready['control']));
  socket.write('{"do":\n{"do":"state"}\n');
  const lines: string[] = [];
  for await (const line of createInterface({ input: socket })) {
    lines.push(line);
    if (lines.length === 2) break;
  }
  socket.destroy();
  assert.match(lines[0] ?? '', /"ok":false,"error":"not JSON/);
  assert.match(lines[1] ?? '', /"ok":true,"acceptors":/);
});
