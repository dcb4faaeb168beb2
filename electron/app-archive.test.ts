import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { appArchive, archiveOf, isOfAnother, PACKAGE } from './app-archive.ts';

test('the archive holds the program and its package where its list says', () => {
  const main = Buffer.from('// für 澳門\n');
  const archive = appArchive(main);
  const begin = 8 + archive.readUInt32LE(4);
  const { files } = JSON.parse(archive.subarray(16, 16 + archive.readUInt32LE(12)).toString()) as {
    files: Record<string, { size: number; offset: string }>;
  };
  const inside = (name: string): string => {
    const { size, offset } = files[name]!;
    return archive.subarray(begin + Number(offset), begin + Number(offset) + size).toString();
  };
  assert.deepEqual([inside('main.cjs'), inside('package.json')], [main.toString(), PACKAGE]);
  assert.equal(begin % 4, 0);
});

test('an Electron without an archive is nobody’s; one with another program’s is not taken for ours', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'banca-archive-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const [binary, main] = [join(folder, 'electron'), join(folder, 'main.cjs')];
  for (const path of [binary, main]) writeFileSync(path, 'x');
  assert.equal(isOfAnother(binary, main), false);
  mkdirSync(join(folder, 'resources'));
  writeFileSync(archiveOf(binary), appArchive(Buffer.from('x')));
  assert.equal(isOfAnother(binary, main), false);
  writeFileSync(main, 'y');
  assert.equal(isOfAnother(binary, main), true);
  rmSync(main);
  assert.equal(isOfAnother(binary, main), true);
});
