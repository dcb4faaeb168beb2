import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { RANKS, SUITS } from '../engine/core/cards.ts';
import { houseFace, SETS, sourceHash } from './atlas.ts';

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

  test(`the atlases of ${width} px are made of the faces that lie beside them, one for every set`, () => {
    assert.equal(sheet.source, sourceHash(), 'run: node assets/atlas.ts');
    for (const set of SETS)
      assert.ok(existsSync(join(import.meta.dirname, `generated/cards-${set}-${width}.webp`)), set);
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

const INKS = { S: '#16171C', H: '#BF1420', D: '#1450B4', C: '#0B7036' } as const;

test('in four colours every rank and suit has the ink of its suit, in two no other than red and black', () => {
  for (const rank of RANKS) {
    for (const suit of SUITS) {
      const name = rank + suit;
      const svg = readFileSync(join(import.meta.dirname, `cards/faces/${name}.svg`), 'utf8');
      for (const set of SETS) {
        const face = houseFace(svg, name, set);
        const red = 'HD'.includes(suit);
        const ink = set.startsWith('4') ? INKS[suit as keyof typeof INKS] : red ? INKS.H : INKS.S;
        for (const id of [`S${suit}${rank}`, `V${suit}${rank}`]) {
          const symbol = face.match(new RegExp(`<symbol id="${id}".*?</symbol>`, 's'))?.[0];
          assert.ok(symbol?.includes(`"${ink}"`), `${name} ${set} ${id}: ${symbol}`);
        }
      }
    }
  }
});
