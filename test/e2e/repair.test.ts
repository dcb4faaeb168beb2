/**
 * `npm run -s banca -- repair …`, as a technician types it: what it mends, what it refuses, and
 * with which exit code.
 */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { verifyLedger } from '../../ledger/chain/verifier.store.ts';
import { append, flip, follow, open, type Place, placeIn } from '../kits/ledger-copy.ts';
import { banca } from '../support/built.ts';

const root = mkdtempSync(join(tmpdir(), 'banca-repair-'));
after(() => rmSync(root, { recursive: true, force: true }));

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

interface Repaired {
  readonly ok: boolean;
  readonly repaired: { readonly fromSeq: number; readonly evidence: string } | null;
  readonly copyMadeAnew: boolean;
}
function repaired(...args: readonly string[]): Repaired {
  const { status, stdout, stderr } = banca(['repair', ...args, '--json']);
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout) as Repaired;
}
/** Nothing on stdout, and one sentence on stderr. */
function refused(code: number, args: readonly string[], sentence: RegExp): void {
  const { status, stdout, stderr } = banca(['repair', ...args]);
  assert.deepEqual([status, stdout], [code, ''], stderr);
  assert.match(stderr, sentence);
  assert.equal(stderr.trimEnd().split('\n').length, 1, stderr);
}

test('banca repair: each file from the other, exit 0 where both hold afterwards', () => {
  const { path, copy } = terminal();
  const whole = repaired(path);
  assert.deepEqual([whole.ok, whole.copyMadeAnew], [true, false]);
  spoil(path);
  const mended = repaired(path, '--copy', copy);
  assert.deepEqual([mended.repaired?.fromSeq, mended.repaired?.evidence], [9, `${path}.damaged-1`]);
  spoil(copy);
  const text = banca(['repair', path, '--copy', join(copy, '..')]);
  assert.match(
    text.stdout,
    /^ledger {2}.* holds\ncopy {4}.* was rebuilt from the ledger\nBoth hold, up to entry \d+/,
  );
  assert.equal(verifyLedger(copy).headHash, verifyLedger(path).headHash);
  rmSync(join(copy, '..'), { recursive: true });
  assert.equal(repaired(path).copyMadeAnew, true);
  assert.equal(existsSync(`${path}-wal`), false, 'a closed ledger is the file alone');
});

test('banca repair: both damaged is exit 1, what cannot be tried is exit 2, and nothing is changed', () => {
  const { path, copy, dir } = terminal();
  for (const file of [path, copy]) spoil(file);
  const before = [path, copy].map((file) => readFileSync(file));
  refused(1, [path], /^banca repair: ledger .* is damaged at entry 9: .*; its copy .* does not mend it: /);
  assert.deepEqual(
    [path, copy].map((file) => readFileSync(file)),
    before,
  );
  refused(2, [path, '--copy', join(dir, 'no', 'folder')], /there is no such folder/);
  refused(
    2,
    [join(dir, 'copy', 'other.db'), '--copy', join(dir, 'copy', 'none.db')],
    /there is neither a ledger .* nor a copy/,
  );
  rmSync(join(dir, 'ledger-key.pem'));
  refused(2, [path], /there is no key/);
  assert.equal(existsSync(join(dir, 'ledger-key.pem')), false);
});
