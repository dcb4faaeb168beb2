import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { drill } from '../../test/kits/escpos-drill.ts';
import { fullOr } from '../../test/support/long.ts';

/**
 * BANCA_DRILL_SEED=n repeats one run; `node test/devices/drills.ts escpos` runs a night of them.
 */
const RUNS = Number(process.env['BANCA_DRILLS'] ?? fullOr(60, 30));
const FROM = Number(process.env['BANCA_DRILL_FROM'] ?? 1);
const ONLY = process.env['BANCA_DRILL_SEED'];

test(`what is printed in the books is whole on paper, once, and what was cut off is never believed (${RUNS} seeded runs)`, async (t) => {
  const met = new Map<string, number>();
  let [printed, cutOff, wholeAfterAll, uncut] = [0, 0, 0, 0];
  const seeds = ONLY === undefined ? Array.from({ length: RUNS }, (_, i) => FROM + i) : [Number(ONLY)];
  for (const seed of seeds) {
    const seen = await drill(seed);
    for (const kind of seen.kinds) met.set(kind, (met.get(kind) ?? 0) + 1);
    printed += seen.printed;
    cutOff += seen.cutOff;
    wholeAfterAll += seen.wholeAfterAll;
    uncut += seen.uncut;
    await setImmediate();
  }
  t.diagnostic(
    `seeds ${FROM}..${FROM + RUNS - 1}: ${printed} documents printed, ${cutOff} cut off, ${wholeAfterAll} of these whole on paper after all, ${uncut} printed ones on one piece with another; ` +
      `met: ${[...met].map((kind) => kind.join(' ')).join(', ')}`,
  );
  if (ONLY === undefined)
    assert.ok(printed > RUNS && cutOff > RUNS / 2, `${printed} printed, ${cutOff} cut off`);
});
