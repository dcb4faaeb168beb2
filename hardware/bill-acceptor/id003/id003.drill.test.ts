import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { linesTo, Till, totalMinor } from '../../../test/kits/till.ts';
import { fullOr } from '../../../test/support/long.ts';
import { HandClock } from '../../transport/clock.ts';
import { CLEAN_LINE, seededChance } from '../../transport/faults.ts';
import { CODE } from './id003.codec.ts';
import { Id003Sim } from './id003.sim.ts';

/**
 * 400 in a whole run, half of them in `npm test`; BANCA_DRILLS=100000 for all.
 * BANCA_DRILL_FROM=n begins there, BANCA_DRILL_SEED=n repeats one run.
 */
const RUNS = Number(process.env['BANCA_DRILLS'] ?? fullOr(400, 100));
const FROM = Number(process.env['BANCA_DRILL_FROM'] ?? 1);
const ONLY = process.env['BANCA_DRILL_SEED'];

const NOTES = [1000, 2000, 5000, 10_000, 50_000, 100_000];

/**
 * Eight seconds in which everything that can go wrong goes wrong at some rate, then peace; answers
 * what was seen.
 */
async function drill(
  seed: number,
): Promise<{ credited: number; disputed: number; kinds: ReadonlySet<string> }> {
  const chance = seededChance(seed);
  const clock = new HandClock();
  const sim = new Id003Sim({ clock, seed });
  const till = new Till(clock, linesTo(sim, clock));
  const kinds = new Set<string>();
  let lying = false;
  let frozenUntilMs: number | null = null;
  till.wants = () => (chance.happens(850) ? 'stack' : 'return');
  till.start();
  await clock.turn(2000);
  sim.line = {
    dropPerMille: chance.below(40),
    flipPerMille: chance.below(40),
    losePerMille: chance.below(60),
  };
  sim.silencePerMille = chance.below(10);
  sim.silenceMs = 100 + chance.below(5000);
  till.diesAt = (place) => {
    const dies = chance.happens(80);
    if (dies) kinds.add(`dies ${place}`);
    return dies;
  };
  const struck = (kind: string): void => {
    kinds.add(kind);
  };
  let offUntilMs: number | null = null;
  let deadUntilMs: number | null = null;
  for (const untilMs = clock.now() + 8000; clock.now() < untilMs; ) {
    await clock.turn(20 + chance.below(180));
    if (offUntilMs !== null && clock.now() >= offUntilMs) {
      sim.powerOn();
      offUntilMs = null;
    }
    if (!till.alive) {
      deadUntilMs ??= clock.now() + chance.below(4000);
      if (clock.now() >= deadUntilMs) {
        till.start();
        deadUntilMs = null;
      }
    }
    if (frozenUntilMs !== null && clock.now() >= frozenUntilMs) {
      sim.fault('go-on');
      frozenUntilMs = null;
    }
    sim.insert(NOTES[chance.below(NOTES.length)]!, 'MOP');
    if (chance.happens(15)) {
      struck('kill');
      till.kill();
    }
    if (chance.happens(15) && offUntilMs === null) {
      struck('power');
      sim.powerOff();
      offUntilMs = clock.now() + chance.below(4000);
    }
    if (offUntilMs !== null) continue;
    if (chance.happens(4)) {
      struck('jam');
      sim.fault('jam');
    }
    if (chance.happens(4)) {
      struck('cheat');
      sim.fault('cheat');
    }
    if (chance.happens(4)) {
      struck('cassette');
      sim.fault('cassette-out');
      sim.fault('cassette-in');
    }
    if (chance.happens(3)) {
      struck('failure');
      sim.fault('failure');
    }
    if (chance.happens(8) && frozenUntilMs === null) {
      const fault = chance.happens(500) ? 'stall' : 'pause';
      struck(fault);
      sim.fault(fault);
      frozenUntilMs = clock.now() + chance.below(5000);
    }
    if (chance.happens(8)) {
      struck('reject');
      sim.fault('reject', 0x71 + chance.below(15));
    }
    if (chance.happens(20)) {
      struck('repeated frame');
      sim.fault('repeat-frame');
    }
    if (chance.happens(8)) {
      struck('repeated credit');
      sim.fault('repeat-credit');
    }
    if (chance.happens(3)) {
      struck('communication error');
      sim.fault('communication-error');
    }
    if (chance.happens(2)) {
      struck('swallowed');
      sim.fault('swallow');
    }
    if (chance.happens(2)) {
      struck('stacked first');
      lying = true;
      sim.fault('stacked-first');
    }
    if (chance.happens(3)) {
      struck('forgotten credit');
      lying = true;
      sim.fault('forget-credit');
    }
  }
  // Peace: everything is mended, and what was open must close by itself.
  sim.line = CLEAN_LINE;
  sim.silencePerMille = 0;
  till.diesAt = () => false;
  till.wants = () => 'return';
  sim.powerOn();
  if (kinds.has('jam')) sim.fault('clear-jam');
  sim.fault('repair');
  sim.fault('go-on');
  if (!till.alive) till.start();
  const atRest = (): boolean =>
    sim.status() === CODE.idle &&
    sim.inPath() === null &&
    !sim.owesCredit() &&
    till.disk.open === null &&
    till.state() === 'idle';
  // Bounded device time: what was open closes within a minute and a half.
  await clock.turnUntil(`seed ${seed}: rest`, atRest, 90_000);

  const { creditedMinor, credits, disputedMinor, orphans } = till.disk;
  const stackedMinor = totalMinor(sim.cashBox());
  const odd = kinds.has('swallowed');
  if (!odd && !kinds.has('repeated credit')) assert.equal(orphans, 0, `seed ${seed}: a credit for no note`);
  if (odd) {
    // A unit that stacks without being told gives its credit signal for a note nobody asked for: a
    // case, no credit. Only where the host was away can it pass for the note that the host had
    // asked for.
    assert.ok(credits <= sim.cashBox().length, `seed ${seed}: ${credits} credits`);
    const away = [...kinds].some((kind) => kind === 'kill' || kind.startsWith('dies'));
    if (!lying && !away && creditedMinor !== stackedMinor)
      assert.ok(
        disputedMinor + orphans > 0,
        `seed ${seed}: ${stackedMinor} stacked, ${creditedMinor} credited`,
      );
  } else if (lying) {
    // The unit itself kept a credit back. Where the host was away as well and the next note has the
    // same value, no message tells the two apart (the unit's counters would); what must hold is
    // that nothing is credited that is not in the box.
    assert.ok(creditedMinor <= stackedMinor, `seed ${seed}: credited ${creditedMinor} of ${stackedMinor}`);
  } else assert.equal(creditedMinor, stackedMinor, `seed ${seed}: credited is not what lies in the box`);
  till.kill();
  return { credited: creditedMinor, disputed: disputedMinor, kinds };
}

const KINDS = [
  'kill',
  'power',
  'jam',
  'cheat',
  'cassette',
  'failure',
  'forgotten credit',
  'stall',
  'pause',
  'reject',
  'repeated frame',
  'repeated credit',
  'communication error',
  'swallowed',
  'stacked first',
];

test(`whatever happens, what is credited lies in the cash box (${ONLY ?? RUNS} seeded runs)`, async () => {
  if (ONLY !== undefined) {
    await drill(Number(ONLY));
    return;
  }
  const met = new Map<string, number>();
  let credited = 0;
  let disputed = 0;
  for (let seed = FROM; seed < FROM + RUNS; seed++) {
    const result = await drill(seed);
    await setImmediate(); // a run lives on microtasks alone; without this no time limit of the test runner would ever act
    credited += result.credited;
    if (result.disputed > 0) disputed++;
    for (const kind of result.kinds) met.set(kind, (met.get(kind) ?? 0) + 1);
  }
  assert.ok(credited > 0);
  // A drill that strikes nothing proves nothing: each kind was met, and disputes occurred and
  // stayed the exception.
  if (RUNS >= 1000) {
    for (const kind of KINDS)
      assert.ok((met.get(kind) ?? 0) > 10, `${kind} was met ${met.get(kind) ?? 0} times`);
    for (const place of ['before asked', 'before STACK', 'before credit', 'before ACK'])
      assert.ok((met.get(`dies ${place}`) ?? 0) > 10, `dies ${place}: ${met.get(`dies ${place}`) ?? 0}`);
    assert.ok(disputed > 0 && disputed < RUNS / 2, `${disputed} runs with a disputed note`);
  }
});
