import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { linear, Motion } from './motion.ts';

test('a movement starts at the last tick, waits its delay and ends at exactly one', () => {
  const motion = new Motion();
  const seen: number[] = [];
  let ended = 0;
  motion.tick(1000);
  motion.start('card', {
    delayMs: 100,
    durationMs: 200,
    ease: linear,
    step: (p) => seen.push(p),
    done: () => ended++,
  });
  motion.tick(1050);
  assert.deepEqual(seen, []);
  motion.tick(1200);
  assert.deepEqual(seen, [0.5]);
  motion.tick(5000);
  assert.deepEqual(seen, [0.5, 1]);
  assert.equal(ended, 1);
  assert.equal(motion.moving, false);
});

test('a new movement of the same name takes over and the old one never ends', () => {
  const motion = new Motion();
  const log: string[] = [];
  motion.start('chip', { durationMs: 100, done: () => log.push('old') });
  motion.tick(50);
  motion.start('chip', { durationMs: 100, done: () => log.push('new') });
  motion.tick(120);
  assert.deepEqual(log, []);
  motion.tick(150);
  assert.deepEqual(log, ['new']);
});

test('an end may start the next movement under its own name', () => {
  const motion = new Motion();
  const log: string[] = [];
  motion.start('flip', {
    durationMs: 10,
    done: () => motion.start('flip', { durationMs: 10, done: () => log.push('second') }),
  });
  motion.tick(10);
  assert.equal(motion.moving, true);
  motion.tick(20);
  assert.deepEqual(log, ['second']);
});

test('whatever the ticks, every movement ends once with progress one as its last step', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ delayMs: fc.nat(500), durationMs: fc.nat(500) }), { maxLength: 12 }),
      fc.array(fc.nat(120), { maxLength: 30 }),
      (movements, gaps) => {
        const motion = new Motion();
        const last = new Map<number, number>();
        const ends = new Map<number, number>();
        for (const [i, movement] of movements.entries()) {
          motion.start(`m${i}`, {
            ...movement,
            step: (p) => last.set(i, p),
            done: () => ends.set(i, (ends.get(i) ?? 0) + 1),
          });
        }
        let now = 0;
        for (const gap of gaps) {
          now += gap;
          motion.tick(now);
        }
        motion.tick(now + 2000);
        for (const i of movements.keys()) {
          assert.equal(last.get(i), 1);
          assert.equal(ends.get(i), 1);
        }
        assert.equal(motion.moving, false);
      },
    ),
  );
});

test('a movement that another one stops in the same tick makes no further step', () => {
  const motion = new Motion();
  const steps: string[] = [];
  motion.start('way', { durationMs: 10, done: () => motion.stop('flip') });
  motion.start('flip', { durationMs: 20, step: () => steps.push('flip') });
  motion.tick(100);
  assert.deepEqual(steps, []);
  assert.equal(motion.moving, false);
});
