import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CabinetEvent, CabinetStatus } from '../../ports.ts';
import { HandClock } from '../../transport/clock.ts';
import { CLEAN_LINE } from '../../transport/faults.ts';
import { type MemoryTransport, memoryPair } from '../../transport/memory.transport.ts';
import { Kcb1Board } from './kcb1.driver.ts';
import { Kcb1Sim } from './kcb1.sim.ts';

async function ready() {
  const clock = new HandClock();
  const sim = new Kcb1Sim({ clock });
  const events: CabinetEvent[] = [];
  let line: MemoryTransport | null = null;
  const board = new Kcb1Board(
    'cabinet',
    () => {
      const [host, device] = memoryPair({ clock, latencyMs: 2 });
      line = host;
      sim.plug(device);
      return host;
    },
    clock,
  );
  board.start((event) => events.push(event));
  await clock.turn(1500);
  const status = (): CabinetStatus => {
    const last = events.findLast((event) => event.type === 'status');
    assert.ok(last);
    return last.status;
  };
  return { clock, sim, events, board, status, unplug: () => line!.unplug() };
}

test('the board says who it is and how the cabinet is, and nothing twice', async () => {
  const { clock, events, status } = await ready();
  await clock.turn(10_000);
  assert.deepEqual(
    events.slice(0, 3).map(({ type }) => type),
    ['identity', 'link', 'status'],
  );
  assert.equal(status().serial, 'SIM-CABINET-1');
  assert.deepEqual(status().open, []);
  // The lamp went from out of service to off; nothing has changed since.
  assert.ok(events.length <= 4, JSON.stringify(events));
});

test('a door is reported within a moment, counted, and sounds the siren of the board for ten seconds', async () => {
  const { clock, sim, status } = await ready();
  sim.fault('main-open');
  await clock.turn(10);
  assert.deepEqual([status().open, status().opened.main, status().siren], [['main'], 1, true]);
  sim.fault('main-close');
  await clock.turn(9_900);
  assert.ok(sim.sight().sirenMs > 0);
  await clock.turn(200);
  assert.deepEqual([status().open, status().siren], [[], false]);
  sim.fault('acceptor-open');
  await clock.turn(10);
  assert.deepEqual([status().opened.acceptor, sim.sight().sirenMs > 0], [1, false]);
});

test('without power a door is counted on the battery, with the time it was off; a door left open once', async () => {
  const { clock, sim, status, events } = await ready();
  sim.powerOff();
  sim.fault('logic-open');
  sim.fault('logic-close');
  sim.fault('logic-open');
  await clock.turn(90_000);
  assert.ok(events.some((event) => event.type === 'link' && event.link === 'down'));
  sim.powerOn();
  await clock.turn(6_000);
  assert.deepEqual(
    [status().open, status().opened.logic, status().openedOff.logic, status().offSeconds],
    [['logic'], 0, 2, 90],
  );
  assert.equal(events.filter((event) => event.type === 'identity').length, 2, 'asked who it is again');
});

test('lamp and siren are asked for until the board shows them, and again after its power was gone', async () => {
  const { clock, sim, board, unplug } = await ready();
  sim.line = { ...CLEAN_LINE, losePerMille: 1000 };
  board.lamp('slow', 'fast');
  board.siren(20_000);
  await clock.turn(1_000);
  assert.deepEqual([sim.sight().upper, sim.sight().sirenMs > 0], ['off', false]);
  sim.line = CLEAN_LINE;
  await clock.turn(1_500);
  assert.deepEqual([sim.sight().upper, sim.sight().lower, sim.sight().sirenMs > 0], ['slow', 'fast', true]);
  sim.powerOff();
  sim.powerOn();
  await clock.turn(2_000);
  assert.deepEqual([sim.sight().upper, sim.sight().sirenMs > 0], ['slow', true]);
  await clock.turn(17_000);
  assert.equal(sim.sight().sirenMs, 0);
  board.siren(60_000);
  await clock.turn(100);
  board.siren(0);
  await clock.turn(600);
  assert.equal(sim.sight().sirenMs, 0);
  unplug();
  await clock.turn(1_000);
  assert.equal(sim.sight().lower, 'fast');
});

test('a board that hears nobody shows that the terminal is out of service', async () => {
  const { clock, sim, board } = await ready();
  board.lamp('steady', 'off');
  await clock.turn(600);
  assert.deepEqual([sim.sight().upper, sim.sight().lower], ['steady', 'off']);
  await board.stop();
  await clock.turn(6_000);
  assert.deepEqual([sim.sight().upper, sim.sight().lower], ['fast', 'fast']);
});

test('battery and key are reported', async () => {
  const { clock, sim, status } = await ready();
  sim.fault('battery-low');
  sim.fault('key-on');
  await clock.turn(10);
  assert.deepEqual([status().batteryLow, status().key], [true, true]);
  sim.fault('battery-new');
  sim.fault('key-off');
  await clock.turn(10);
  assert.deepEqual([status().batteryLow, status().key], [false, false]);
});
