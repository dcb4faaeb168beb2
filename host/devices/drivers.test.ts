import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { driverMemory } from './drivers.ts';

test('a driver remembers over the death of the host, and nothing over a start of the machine', (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'banca-drivers-'));
  t.after(() => rmSync(dir, { recursive: true }));
  const said: string[] = [];
  const memory = (boot: string, folder = join(dir, 'drivers')) =>
    driverMemory(folder, 'acceptor-1', boot, (line) => said.push(line));
  const first = memory('boot-1');
  assert.equal(first.load(), null);
  first.save('0');
  first.save('1');
  assert.equal(memory('boot-1').load(), '1');
  assert.equal(memory('boot-2').load(), null, 'a toggle of before the power cut is none');
  assert.deepEqual(said, []);
  writeFileSync(join(dir, 'file'), '');
  const nowhere = memory('boot-1', join(dir, 'file'));
  nowhere.save('1');
  nowhere.save('0');
  assert.equal(said.length, 1, 'said once');
  assert.match(said[0]!, /^acceptor-1: its driver cannot write what it has to remember: E/);
});
