import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { Table } from '../../../test/kits/ksp1-table.ts';
import { fullOr } from '../../../test/support/long.ts';
import { CLEAN_LINE, type LineFaults, seededChance } from '../../transport/faults.ts';

/**
 * BANCA_DRILLS=100000 for a night, from BANCA_DRILL_FROM on. BANCA_DRILL_SEED=n repeats one run.
 */
const RUNS = Number(process.env['BANCA_DRILLS'] ?? fullOr(300, 150));
const FROM = Number(process.env['BANCA_DRILL_FROM'] ?? 1);
const ONLY = process.env['BANCA_DRILL_SEED'];

/**
 * Five seconds in which everything that can go wrong goes wrong at some rate, then peace; answers
 * what was met.
 */
async function drill(seed: number): Promise<ReadonlySet<string>> {
  const chance = seededChance(seed);
  const paired = chance.happens(500);
  const table = new Table({ seed, ...(paired ? { pairingKey: new Uint8Array(32).fill(seed % 256) } : {}) });
  const kinds = new Set<string>();
  const order = Array.from({ length: 104 }, () => chance.below(52));
  const out: number[] = [];
  table.start();
  table.sim.load(order, 2);
  const noise: LineFaults = {
    dropPerMille: chance.below(80),
    flipPerMille: chance.below(80),
    losePerMille: chance.below(100),
  };
  table.sim.line = noise;
  table.repeatPerMille = chance.below(100);
  table.diesAt = (place) => {
    const dies = chance.happens(60);
    if (dies) kinds.add(place);
    return dies;
  };
  let off = false;
  let silentUntilMs = 0;
  for (const untilMs = table.clock.now() + 5000; table.clock.now() < untilMs; ) {
    await table.clock.turn(10 + chance.below(150));
    if (off && chance.happens(200)) {
      table.sim.powerOn();
      off = false;
    } else if (!off && chance.happens(30)) {
      kinds.add('power');
      table.sim.powerOff();
      off = true;
    }
    if (silentUntilMs > 0 && table.clock.now() >= silentUntilMs) {
      silentUntilMs = 0;
      table.sim.line = noise;
    } else if (chance.happens(20)) {
      kinds.add('silence');
      silentUntilMs = table.clock.now() + chance.below(3000);
      table.sim.line = { ...noise, losePerMille: 1000 };
    }
    if (table.shoe === null && chance.happens(300)) table.start();
    if (chance.happens(30)) {
      kinds.add('unplug');
      table.line?.unplug();
    }
    if (chance.happens(20)) {
      kinds.add('kill');
      table.kill();
    }
    if (chance.happens(500)) {
      const drawn = table.sim.draw();
      if (drawn.drawn) out.push(...drawn.cards);
    }
  }
  table.sim.line = CLEAN_LINE;
  table.repeatPerMille = 0;
  table.diesAt = () => false;
  table.sim.powerOn();
  if (table.shoe === null) table.start();
  const { lastSeq } = table.sim.journal();
  await table.clock.turnUntil(`seed ${seed}`, () => table.disk.at(-1)?.seq === lastSeq, 60_000);
  table.checkDisk();
  assert.deepEqual(table.cards(), out, `seed ${seed}: what was dealt and what is on disk`);
  table.kill();
  return kinds;
}

test(`whatever happens, every card drawn is on disk once, in order (${RUNS} seeded runs)`, async (t) => {
  const met = new Map<string, number>();
  const seeds = ONLY === undefined ? Array.from({ length: RUNS }, (_, i) => FROM + i) : [Number(ONLY)];
  for (const seed of seeds) {
    for (const kind of await drill(seed)) met.set(kind, (met.get(kind) ?? 0) + 1);
    await setImmediate(); // a run lives on microtasks alone; without this no time limit of the test runner would ever act
  }
  t.diagnostic(
    `seeds ${seeds[0]} to ${seeds.at(-1)}; runs that met: ${[...met].map((kind) => kind.join(' ')).join(', ')}`,
  );
  if (ONLY !== undefined) return;
  for (const kind of ['before commit', 'before ACK', 'power', 'unplug', 'kill', 'silence'])
    assert.ok((met.get(kind) ?? 0) > RUNS / 50, `${kind} was met ${met.get(kind) ?? 0} times`);
});
