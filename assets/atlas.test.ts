import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { RANKS, SUITS } from '../engine/core/cards.ts';
import { sourceHash } from './atlas.ts';

interface Sheet {
  source: string;
  width: number;
  height: number;
  frames: Record<string, { x: number; y: number; w: number; h: number }>;
}

for (const width of [120, 240]) {
  const sheet = JSON.parse(
    readFileSync(join(import.meta.dirname, `generated/cards-${width}.json`), 'utf8'),
  ) as Sheet;

  test(`the atlas of ${width} px is made of the faces that lie beside it`, () => {
    assert.equal(sheet.source, sourceHash(), 'run: node assets/atlas.ts');
  });

  test(`the atlas of ${width} px holds 52 faces and the back, inside the sheet and apart from each other`, () => {
    const wanted = [...RANKS].flatMap((rank) => [...SUITS].map((suit) => rank + suit)).concat('back');
    assert.deepEqual(Object.keys(sheet.frames).sort(), wanted.sort());
    const frames = Object.values(sheet.frames);
    for (const [i, a] of frames.entries()) {
      assert.ok(a.x >= 0 && a.y >= 0 && a.x + a.w <= sheet.width && a.y + a.h <= sheet.height);
      for (const b of frames.slice(i + 1)) {
        assert.ok(a.x + a.w < b.x || b.x + b.w < a.x || a.y + a.h < b.y || b.y + b.h < a.y);
      }
    }
  });
}
