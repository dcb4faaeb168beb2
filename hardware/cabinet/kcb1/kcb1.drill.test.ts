import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { fullOr } from '../../../test/support/long.ts';
import type { CabinetStatus } from '../../ports.ts';
import { HandClock } from '../../transport/clock.ts';
import { CLEAN_LINE, seededChance } from '../../transport/faults.ts';
import { type MemoryTransport, memoryPair } from '../../transport/memory.transport.ts';
import { DOORS } from './kcb1.codec.ts';
import { Kcb1Board } from './kcb1.driver.ts';
import { Kcb1Sim } from './kcb1.sim.ts';

/**
 * BANCA_DRILLS=100000 for a night, from BANCA_DRILL_FROM on. BANCA_DRILL_SEED=n repeats one run.
 */
const RUNS = Number(process.env['BANCA_DRILLS'] ?? fullOr(300, 150));
const FROM = Number(process.env['BANCA_DRILL_FROM'] ?? 1);
const ONLY = process.env['BANCA_DRILL_SEED'];

/**
 * Five seconds of hands, cuts and damage, then peace: the host that is there then knows every
 * opening, and the board shows what was asked for last.
 */
async function drill(seed: number): Promise<ReadonlySet<string>> {
  const chance = seededChance(seed);
  const clock = new HandClock();
  const sim = new Kcb1Sim({ clock, seed });
  const met = new Set<string>();
  const did = { on: 0, off: 0 };
  let board: Kcb1Board | null = null;
  let line: MemoryTransport | null = null;
  let last: CabinetStatus | null = null;
  const start = (): void => {
    board = new Kcb1Board(
      'cabinet',
      () => {
        const [host, device] = memoryPair({ clock, latencyMs: 3 });
        line = host;
        sim.plug(device);
        return host;
      },
      clock,
    );
    board.start((event) => {
      if (event.type === 'status') last = event.status;
    });
  };
  start();
  const noise = {
    dropPerMille: chance.below(80),
    flipPerMille: chance.below(80),
    losePerMille: chance.below(200),
  };
  sim.line = noise;
  let isOff = false;
  for (const untilMs = clock.now() + 5000; clock.now() < untilMs; ) {
    await clock.turn(10 + chance.below(150));
    if (chance.happens(isOff ? 200 : 40)) {
      met.add('power');
      isOff = !isOff;
      if (isOff) sim.powerOff();
      else sim.powerOn();
    }
    if (chance.happens(30)) {
      met.add('unplug');
      (line as MemoryTransport | null)?.unplug();
    }
    if (chance.happens(30)) {
      met.add('kill');
      void (board as Kcb1Board | null)?.stop();
      start();
    }
    if (chance.happens(300)) {
      const door = DOORS[chance.below(DOORS.length)]!;
      const isOpen = sim.sight().open.includes(door);
      sim.fault(`${door}-${isOpen ? 'close' : 'open'}`);
      if (!isOpen) did[isOff ? 'off' : 'on'] += 1;
      if (!isOpen && isOff) met.add('opened off');
    }
  }
  sim.line = CLEAN_LINE;
  sim.powerOn();
  board!.lamp('slow', 'steady');
  board!.siren(0);
  await clock.turn(12_000);
  const { open, opened, openedOff } = sim.sight();
  assert.ok(last !== null, `seed ${seed}`);
  const told: CabinetStatus = last;
  assert.deepEqual(
    {
      open: told.open.toSorted(),
      opened: told.opened,
      openedOff: told.openedOff,
      upper: told.upper,
      lower: told.lower,
    },
    { open: open.toSorted(), opened, openedOff, upper: 'slow', lower: 'steady' },
    `seed ${seed}`,
  );
  const sum = (counts: CabinetStatus['opened']): number => DOORS.reduce((all, door) => all + counts[door], 0);
  assert.deepEqual([sum(told.opened), sum(told.openedOff)], [did.on, did.off], `seed ${seed}`);
  assert.equal(told.siren, false, `seed ${seed}`);
  await board!.stop();
  return met;
}

test(`whatever happens, every opening is known in the end, and the lamp is as asked (${RUNS} seeded runs)`, async (t) => {
  const met = new Map<string, number>();
  const seeds = ONLY === undefined ? Array.from({ length: RUNS }, (_, i) => FROM + i) : [Number(ONLY)];
  for (const seed of seeds) {
    for (const kind of await drill(seed)) met.set(kind, (met.get(kind) ?? 0) + 1);
    await setImmediate(); // a run lives on microtasks alone; without this no time limit of the test runner would ever act
  }
  t.diagnostic(`runs that met: ${[...met].map((kind) => kind.join(' ')).join(', ')}`);
  if (ONLY !== undefined) return;
  for (const kind of ['power', 'unplug', 'kill', 'opened off'])
    assert.ok((met.get(kind) ?? 0) > RUNS / 50, `${kind} was met ${met.get(kind) ?? 0} times`);
});
