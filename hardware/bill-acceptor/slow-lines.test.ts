import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Pace, slowLinesTo } from '../../test/kits/slow-line.ts';
import { linesTo, Till } from '../../test/kits/till.ts';
import { fullOr } from '../../test/support/long.ts';
import { MODELS } from '../models.ts';
import type { AcceptorEvent } from '../ports.ts';
import { HandClock } from '../transport/clock.ts';

const PACES: Readonly<Record<string, Pace>> = {
  'one byte at a time': { byteMs: 1 },
  '12 ms a byte': { byteMs: 12 },
  'stalls of 200 to 300 ms': { byteMs: 1, stallPerMille: 30 },
  '12 ms a byte and stalls': { byteMs: 12, stallPerMille: 15 },
  'bytes merged every 50 ms': { byteMs: 1, mergeMs: 50 },
  'bytes merged every 120 ms': { byteMs: 2, mergeMs: 120 },
  'wrong parity for ten seconds': { byteMs: 1, spoiltUntilMs: 10_000 },
  'wrong parity on a slow line': { byteMs: 12, spoiltUntilMs: 10_000 },
};

const NOTES = [10_000, 50_000, 10_000, 100_000, 10_000, 2000];

type Acceptor = Extract<(typeof MODELS)[keyof typeof MODELS], { kind: 'bill-acceptor' }>;

/** All that the unit has said of itself, each once. */
const identitiesIn = (events: readonly AcceptorEvent[]): readonly string[] => [
  ...new Set(events.flatMap((event) => (event.type === 'identity' ? JSON.stringify(event) : []))),
];

async function identityOnCleanLine(model: Acceptor): Promise<string | undefined> {
  const clock = new HandClock();
  const unit = await model.simulator({ clock, seed: 1 });
  const till = new Till(clock, linesTo(unit.sim, clock), (id, open, at) =>
    model.create(id, open, at, model.example),
  );
  till.start();
  await clock.turnUntil('who it is', () => identitiesIn(till.events).length > 0, 90_000);
  till.kill();
  return identitiesIn(till.events)[0];
}

for (const [name, model] of Object.entries(MODELS)) {
  if (model.kind !== 'bill-acceptor') continue;
  for (const [what, pace] of Object.entries(PACES))
    test(`${name}, ${what}: it comes up, and every note is credited once`, async () => {
      for (const seed of [1, 2, 3, 4, 5].slice(0, fullOr(5, 1))) {
        const clock = new HandClock();
        const unit = await model.simulator({ clock, seed });
        const till = new Till(clock, slowLinesTo(unit.sim, clock, { ...pace, seed }), (id, open, at) =>
          model.create(id, open, at, model.example),
        );
        till.start();
        await clock.turnUntil(`${what}, seed ${seed}: up`, () => till.state() === 'idle', 90_000);
        let stacked = 0;
        for (const valueMinor of NOTES) {
          await clock.turnUntil('mouth open', () => unit.insert(valueMinor, unit.currency).taken, 60_000);
          await clock.turnUntil(`${valueMinor} settled`, () => settled(till.events) > stacked, 60_000);
          stacked = settled(till.events);
          await clock.turnUntil('idle again', () => till.state() === 'idle', 60_000);
        }
        // Another one takes nothing before two persons have accepted it.
        const said = await identityOnCleanLine(model);
        assert.deepEqual(identitiesIn(till.events), [said], `seed ${seed}: who it is`);
        const box = unit.emptyBox();
        assert.equal(box.length, NOTES.length, `seed ${seed}: ${box.length} in the box`);
        const { credits, creditedMinor, disputedMinor, orphans } = till.disk;
        const inBox = box.reduce((sum, note) => sum + note.valueMinor, 0);
        assert.deepEqual(
          [credits, creditedMinor, disputedMinor, orphans],
          [NOTES.length, inBox, 0, 0],
          `seed ${seed}`,
        );
        till.kill();
      }
    });
}

for (const [name, model] of Object.entries(MODELS)) {
  if (model.kind !== 'bill-acceptor') continue;
  test(`${name}: whenever nothing may be taken any more, the unit is shut within 50 ms`, async () => {
    // Wherever the order falls between two polls.
    for (let wait = 0; wait < 220; wait += 19) {
      const clock = new HandClock();
      const unit = await model.simulator({ clock, seed: 1 });
      const till = new Till(clock, linesTo(unit.sim, clock), (id, open, at) =>
        model.create(id, open, at, model.example),
      );
      const driver = till.start();
      await clock.turnUntil('up', () => till.state() === 'idle', 90_000);
      await clock.turn(1_000 + wait);
      driver.allow([]);
      await clock.turn(50);
      const takes = (): boolean => unit.insert(10_000, unit.currency).taken;
      assert.equal(takes(), false, `${wait} ms after a whole second`);
      driver.allow(till.allowedMinor);
      await clock.turn(1_000);
      assert.equal(takes(), true, 'and open again');
      till.kill();
    }
  });
}

const settled = (events: readonly AcceptorEvent[]): number =>
  events.filter(({ type }, i) => type === 'credit' && events[i - 1]?.type !== 'credit').length +
  events.filter(({ type }) => type === 'returned').length;
