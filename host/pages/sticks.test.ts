import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { isWithoutStick, mountsIn, openStick } from './sticks.ts';

test('mount points are read byte by byte, each escape once', () => {
  const line = (id: number, path: string): string =>
    `${id} 27 8:1 / ${path} rw,relatime shared:1 - vfat /dev/sda1 rw\n`;
  const table = [
    line(40, '/media/a\\040b\\011c\\012d\\134e'),
    line(41, '/media/\\134040'),
    line(42, '/media/#\\\\x'),
  ].join('');
  const read = mountsIn(
    Buffer.concat([Buffer.from(`${table}43 27 8:1 / /media/`), Buffer.from([0xe9, 0x20, 0x72, 0x77])]),
  );
  assert.deepEqual(
    read.map(({ id, path }) => [id, path.toString('latin1')]),
    [
      [40, '/media/a b\tc\nd\\e'],
      [41, '/media/\\040'],
      [42, '/media/#\\\\x'],
      [43, '/media/\xe9'],
    ],
  );
});

test('a folder on which nothing is mounted is no stick, and no place for one is made', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'banca-sticks-'));
  t.after(() => rmSync(folder, { recursive: true }));
  assert.equal(openStick(folder, folder), 'covered');
  assert.equal(openStick(join(folder, 'gone'), folder), 'closed');
  assert.equal(isWithoutStick(folder), false);
  assert.equal(isWithoutStick('/media/nowhere/export'), true);
  assert.deepEqual(readdirSync(folder), []);
});
