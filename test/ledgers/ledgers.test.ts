/**
 * Ledgers that earlier versions have written: they open, verify, replay and recall as they did
 * then.
 */
import assert from 'node:assert/strict';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { type Look, lookAt } from './look.ts';

const kept = globSync('*/*.json', { cwd: import.meta.dirname }).sort();

test('there are ledgers of earlier versions', () => assert.ok(kept.length >= 8, `${kept.length} ledgers`));

for (const file of kept) {
  const name = file.replace('.json', '');
  test(`the ledger ${name} says what it said when it was written`, async (t) => {
    const dir = mkdtempSync(join(tmpdir(), 'banca-old-'));
    t.after(() => rmSync(dir, { recursive: true }));
    const source = (end: string): string => join(import.meta.dirname, `${name}${end}`);
    writeFileSync(join(dir, 'ledger.db'), gunzipSync(readFileSync(source('.db.gz'))), { mode: 0o600 });
    writeFileSync(join(dir, 'ledger-key.pem'), readFileSync(source('.pem')), { mode: 0o600 });
    const look = JSON.parse(readFileSync(source('.json'), 'utf8')) as Look;
    assert.deepEqual(await lookAt(dir, look.terminal), look);
  });
}
