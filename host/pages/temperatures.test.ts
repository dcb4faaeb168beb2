import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { temperatures } from './temperatures.ts';

test('temperatures: every sensor by its name, in its order; one that cannot be read is left out', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'banca-thermal-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const zone = (no: number, files: Readonly<Record<string, string>>): void => {
    const path = join(folder, `thermal_zone${no}`);
    mkdirSync(path);
    for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text);
  };
  zone(10, { type: 'x86_pkg_temp\n', temp: '61500\n' });
  zone(2, { type: 'acpitz\n', temp: '-1000\n' });
  zone(3, { type: 'iwlwifi_1\n' });
  zone(4, { type: 'broken\n', temp: 'N/A\n' });
  mkdirSync(join(folder, 'cooling_device0'));
  assert.deepEqual(temperatures(folder), [
    { name: 'acpitz (2)', milliC: -1_000 },
    { name: 'x86_pkg_temp (10)', milliC: 61_500 },
  ]);
  assert.deepEqual(temperatures(join(folder, 'none')), []);
});
