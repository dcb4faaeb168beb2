import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Pace, slowLinesTo } from '../../test/kits/slow-line.ts';
import type { ShoeEvent } from '../ports.ts';
import { HandClock } from '../transport/clock.ts';
import { angelEye } from './angel-eye/angel-eye.model.ts';

const CARDS = [0, 13, 26, 39, 12, 51, 7, 33];
// KSP-1 is HID: its packets come whole or not at all.
const PACES: Readonly<Record<string, Pace>> = {
  '12 ms a byte': { byteMs: 12 },
  'stalls of 200 to 300 ms': { byteMs: 2, stallPerMille: 30 },
  'bytes merged every 120 ms': { byteMs: 2, mergeMs: 120 },
  'wrong parity for ten seconds': { byteMs: 2, spoiltUntilMs: 10_000 },
};

for (const [what, pace] of Object.entries(PACES))
  test(`angel-eye, ${what}: each card is reported once, in its order`, async () => {
    for (const seed of [1, 2, 3, 4, 5]) {
      const clock = new HandClock();
      const unit = await angelEye.simulator({ clock, seed });
      const events: ShoeEvent[] = [];
      const open = slowLinesTo(unit.sim, clock, { ...pace, seed });
      const shoe = angelEye.create('shoe', open, clock, angelEye.example);
      shoe.start(
        (event) => {
          events.push(event);
          if ('seq' in event && event.seq !== null) shoe.acknowledge(event.seq);
        },
        () => 0,
      );
      // The shoe speaks only when a card comes: what was wrong with its line is mended by then.
      await clock.turn(Math.max(3000, pace.spoiltUntilMs ?? 0));
      unit.load(CARDS, 1);
      for (const _ of CARDS) {
        unit.draw();
        await clock.turn(4000);
      }
      const told = events.flatMap((event) => (event.type === 'card' ? [event.suit! * 13 + event.rank!] : []));
      assert.deepEqual(told, CARDS, `seed ${seed}`);
      await shoe.stop();
    }
  });
