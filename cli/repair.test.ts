import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { verifyLedger } from '../ledger/chain/verifier.store.ts';
import { append, flip, follow, open, type Place, placeIn } from '../ledger/copy/test-kit.ts';
import { cannotRun, here, json, root } from './test-kit.ts';

let count = 0;
function terminal(): Place {
  const place = placeIn(join(root, `repair-${++count}`));
  const ledger = open(place);
  append(ledger, 20);
  ledger.close();
  follow(place);
  return place;
}
/** Changes a digit of entry 9, also where an old page still has it. */
function spoil(path: string): void {
  const bytes = readFileSync(path);
  for (let at = bytes.indexOf('"n":9,'); at >= 0; at = bytes.indexOf('"n":9,', at + 1)) flip(path, at + 4, 1);
}

test('banca repair: each file from the other, exit 0 where both hold afterwards', async () => {
  const { path, copy } = terminal();
  assert.deepEqual(
    [(await json('repair', path))['ok'], (await json('repair', path))['copyMadeAnew']],
    [true, false],
  );
  spoil(path);
  const { status, repaired } = await json('repair', path, '--copy', copy);
  assert.equal(status, 0);
  assert.equal((repaired as { fromSeq: number }).fromSeq, 9);
  assert.equal((repaired as { evidence: string }).evidence, `${path}.damaged-1`);
  spoil(copy);
  const text = await here(['repair', path, '--copy', join(copy, '..')]);
  assert.match(
    text.stdout,
    /^ledger {2}.* holds\ncopy {4}.* was made anew from the ledger\nBoth hold, up to entry \d+/,
  );
  assert.equal(verifyLedger(copy).headHash, verifyLedger(path).headHash);
  rmSync(join(copy, '..'), { recursive: true });
  assert.equal((await json('repair', path))['copyMadeAnew'], true);
  assert.equal(existsSync(`${path}-wal`), false, 'a closed ledger is the file alone');
});

test('banca repair: both damaged is exit 1, what cannot be tried is exit 2, and nothing is changed', async () => {
  const { path, copy, dir } = terminal();
  for (const file of [path, copy]) spoil(file);
  const before = [path, copy].map((file) => readFileSync(file));
  const { status, stderr } = await here(['repair', path]);
  assert.equal(status, 1);
  assert.match(stderr, /^banca repair: ledger .* is damaged at entry 9: .*; its copy .* does not mend it: /);
  assert.deepEqual(
    [path, copy].map((file) => readFileSync(file)),
    before,
  );
  await cannotRun(['repair', path, '--copy', join(dir, 'no', 'folder')], /there is no such folder/);
  await cannotRun(
    ['repair', join(dir, 'copy', 'other.db'), '--copy', join(dir, 'copy', 'none.db')],
    /there is neither a ledger .* nor a copy/,
  );
  rmSync(join(dir, 'ledger-key.pem'));
  await cannotRun(['repair', path], /there is no key/);
  assert.equal(existsSync(join(dir, 'ledger-key.pem')), false);
});
