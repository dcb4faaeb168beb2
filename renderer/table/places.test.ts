import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VIEWS } from '../../test/fixtures/views.ts';
import { formOf } from './form.ts';
import type { Point } from './geometry.ts';
import { layTable } from './layout.ts';
import { placeAt, touchPlaces } from './places.ts';

function holds(outline: readonly Point[], x: number, y: number): boolean {
  let inside = false;
  for (const [i, a] of outline.entries()) {
    const b = outline.at(i - 1)!;
    if (a.y > y !== b.y > y && x < ((b.x - a.x) * (y - a.y)) / (b.y - a.y) + a.x) inside = !inside;
  }
  return inside;
}

test('MO20 4.5: no point of the cloth is heard outside of the outline of its place, and within it only there', () => {
  for (const view of [
    'turn',
    '2004-betting',
    '2009-betting',
    'pt-betting',
    'baccarat-betting',
    'war-betting',
  ] as const) {
    const [width, height] = [1920, 1080];
    const table = layTable(width, height, formOf(VIEWS[view]), VIEWS[view].seats.length);
    const places = touchPlaces(table);
    const near = (x: number, y: number): string[] =>
      places.filter(({ outline }) => holds(outline, x, y)).map(({ seat, bet }) => `${seat} ${bet}`);
    let heard = 0;
    for (let x = 0.5; x < width; x += 17.3) {
      for (let y = 0.5; y < height; y += 17.3) {
        const place = placeAt(table, x, y);
        const around = near(x, y);
        if (place === null) {
          // within a pixel of an outline either may be said
          const sure = around.filter((each) =>
            [-1, 1].every((by) => near(x + by, y).includes(each) && near(x, y + by).includes(each)),
          );
          assert.deepEqual(sure, [], `${view} at ${x},${y}`);
        } else {
          heard++;
          assert.ok(around.includes(`${place.seat} ${place.bet}`), `${view} at ${x},${y}: ${around.join()}`);
        }
      }
    }
    assert.ok(heard > 100, `${view}: ${heard}`);
  }
});
