import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fitTouch } from './touch-fit.ts';

type Point = readonly [number, number];
const TARGETS: readonly Point[] = [
  [0.1, 0.1],
  [0.9, 0.1],
  [0.9, 0.9],
  [0.1, 0.9],
];
const of = (feel: (point: Point) => Point) => TARGETS.map((target) => ({ target, felt: feel(target) }));

test('H8: what four touches tell puts every point of the glass where it was touched', () => {
  const glasses: Readonly<Record<string, (point: Point) => Point>> = {
    'as it should be': (point) => point,
    'shifted and too small': ([x, y]) => [0.05 + 0.9 * x, 0.02 + 0.95 * y],
    'turned by half': ([x, y]) => [1 - x, 1 - y],
    'on its side': ([x, y]) => [y, 1 - x],
    mirrored: ([x, y]) => [1 - x, y],
    askew: ([x, y]) => [x + 0.03 * y, y - 0.02 * x],
  };
  for (const [name, feel] of Object.entries(glasses)) {
    const matrix = fitTouch(of(feel));
    assert.ok(matrix !== null, name);
    for (const point of [...TARGETS, [0.5, 0.5], [0, 1]] as Point[]) {
      const [x, y] = feel(point);
      const put = [0, 3].map((at) => (matrix[at]! * x + matrix[at + 1]! * y + matrix[at + 2]!) / 1_000_000);
      for (const axis of [0, 1])
        assert.ok(Math.abs(put[axis]! - point[axis]!) < 1e-5, `${name}: ${put.join()}`);
    }
  }
});

test('H8: a hand that trembles is evened out, a finger that slipped is not taken, nor one place four times', () => {
  const trembling = fitTouch(of(([x, y]) => [x + (x > 0.5 === y > 0.5 ? 0.004 : -0.004), y]));
  assert.ok(trembling !== null && Math.abs(trembling[0]! - 1_000_000) < 20_000);
  const slipped = of((point) => point).map((each, i) =>
    i === 2 ? { ...each, felt: [0.6, 0.8] as Point } : each,
  );
  assert.equal(fitTouch(slipped), null);
  assert.equal(fitTouch(of(() => [0.4, 0.4])), null);
  assert.equal(fitTouch(of(([x, y]) => [x * 0.3, y * 0.3])), null, 'no glass is felt on a tenth of itself');
});
