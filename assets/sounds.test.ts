import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { EFFECTS, SPOKEN } from '../renderer/sound/keys.ts';

const folder = join(import.meta.dirname, 'sound');

test('every sound has its clip in each voice, and every clip is Opus', () => {
  const keys = [
    ...Object.keys(SPOKEN).flatMap((key) => [`yue/${key}`, `pt/${key}`]),
    ...Object.keys(EFFECTS).map((key) => `effect/${key}`),
  ];
  for (const key of keys) {
    const file = join(folder, `${key}.opus`);
    assert.ok(existsSync(file), `no ${file}`);
    const bytes = readFileSync(file);
    assert.equal(bytes.toString('latin1', 0, 4), 'OggS', key);
    assert.ok(bytes.includes('OpusHead'), key);
  }
});
