import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { drill } from '../../../test/kits/ssp-drill.ts';
import { fullOr } from '../../../test/support/long.ts';

/**
 * 120 in the ordinary run. BANCA_DRILL_SEED=n repeats one; `node test/devices/drills.ts ssp` runs a
 * night of them.
 */
const RUNS = Number(process.env['BANCA_DRILLS'] ?? fullOr(120, 30));
const FROM = Number(process.env['BANCA_DRILL_FROM'] ?? 1);
const ONLY = process.env['BANCA_DRILL_SEED'];

test(`whatever happens, what is credited lies in the cash box (${ONLY ?? RUNS} seeded runs)`, async (t) => {
  if (ONLY !== undefined) {
    await drill(Number(ONLY));
    return;
  }
  const met = new Map<string, number>();
  let credited = 0;
  let disputed = 0;
  let short = 0;
  let exact = 0;
  for (let seed = FROM; seed < FROM + RUNS; seed++) {
    const result = await drill(seed);
    await setImmediate(); // a run lives on microtasks alone; without this no time limit of the test runner would ever act
    credited += result.credited;
    if (result.disputed > 0) disputed++;
    if (result.short > 0) short++;
    if (result.isExact) exact++;
    for (const kind of result.kinds) met.set(kind, (met.get(kind) ?? 0) + 1);
  }
  t.diagnostic(
    `seeds ${FROM}..${FROM + RUNS - 1}: ${credited} credited, ${disputed} with a dispute, ${short} short of a credit and disputed, ${exact} of a unit that must never be short`,
  );
  assert.ok(credited > 0);
  // A drill that strikes nothing proves nothing: each kind was met, and disputes occurred and
  // stayed the exception.
  if (RUNS >= 120) {
    const kinds = ['kill', 'unplug', 'power', 'jam', 'cheat', 'cassette', 'reject', 'open path'];
    const units = ['plain', 'encrypted', 'keeps', 'loses', 'frozen', 'grows', 'tells once', 'needs a key'];
    for (const kind of [...kinds, ...units])
      assert.ok((met.get(kind) ?? 0) > 5, `${kind} was met ${met.get(kind) ?? 0} times`);
    for (const place of ['before asked', 'before STACK', 'before credit', 'before ACK'])
      assert.ok((met.get(`dies ${place}`) ?? 0) > 5, `dies ${place}: ${met.get(`dies ${place}`) ?? 0}`);
    assert.ok(disputed > 0 && disputed < RUNS / 2, `${disputed} runs with a disputed note`);
  }
});
