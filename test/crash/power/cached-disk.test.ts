import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { seededChance } from '../../../hardware/transport/faults.ts';
import { CachedDisk, type DiskKind, LIE, SECTOR } from './cached-disk.ts';

const sector = (value: number): Buffer => Buffer.alloc(SECTOR, value);

function withDisk(kind: DiskKind, work: (disk: CachedDisk, bytes: () => Buffer) => void): void {
  const dir = mkdtempSync(join(tmpdir(), 'banca-cached-disk-'));
  const path = join(dir, 'disk.img');
  writeFileSync(path, Buffer.alloc(8 * SECTOR));
  const disk = new CachedDisk(path, kind);
  try {
    work(disk, () => readFileSync(path));
  } finally {
    disk.close();
    rmSync(dir, { recursive: true, force: true });
  }
}

test('a cut takes nothing that was flushed or written through, and of the rest leaves old or new', () => {
  const seen = { lost: 0, kept: 0, torn: 0 };
  for (let seed = 0; seed < 200; seed += 1)
    withDisk('honest', (disk, bytes) => {
      disk.write(0, sector(1), false);
      disk.flush();
      disk.write(SECTOR, sector(1), false);
      disk.write(SECTOR, sector(2), true);
      for (const value of [3, 4])
        disk.write(2 * SECTOR, Buffer.concat([sector(value), sector(value)]), false);
      assert.deepEqual(disk.read(2 * SECTOR, SECTOR), sector(4), 'the cache is read');
      const { unflushed, lost, torn } = disk.cutPower(seededChance(seed));
      assert.deepEqual([disk.isOn, unflushed], [false, 4], `seed ${seed}`);
      const left = bytes();
      assert.deepEqual(left.subarray(0, 2 * SECTOR), Buffer.concat([sector(1), sector(2)]), `seed ${seed}`);
      assert.ok(left.subarray(2 * SECTOR, 4 * SECTOR).every((byte) => [0, 3, 4].includes(byte)));
      seen.lost += lost;
      seen.kept += unflushed - lost;
      seen.torn += torn;
    });
  assert.ok(seen.lost > 100 && seen.kept > 100 && seen.torn > 0, JSON.stringify(seen));
});

test('a disk that lies about flushing loses what it said was safe', () => {
  withDisk('lying', (disk, bytes) => {
    for (let i = 0; i < LIE + 2; i += 1) {
      disk.write(Math.min(i, 2) * SECTOR, sector(1), true);
      disk.flush();
    }
    assert.equal(disk.cutPower(seededChance(1)).lost, LIE);
    assert.equal(bytes().indexOf(0), 2 * SECTOR, 'the end is lost, in order');
  });
});
