/** The entries of the ledgers that earlier versions have written. */
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Entry } from '../../ledger/chain/entry.codec.ts';
import { openLedgerReader } from '../../ledger/store/ledger.store.ts';

/** Puts the ledger into `dir` as `ledger.db`. */
export function unpackKept(name: string, dir: string): string {
  const path = join(dir, 'ledger.db');
  const bytes = gunzipSync(readFileSync(join(import.meta.dirname, `${name}.db.gz`)));
  writeFileSync(path, bytes, { mode: 0o600 });
  return path;
}

export function* keptLedgers(): Generator<{ readonly name: string; readonly entries: readonly Entry[] }> {
  for (const file of globSync('*/*.db.gz', { cwd: import.meta.dirname }).toSorted()) {
    const name = file.replace('.db.gz', '');
    const dir = mkdtempSync(join(tmpdir(), 'banca-kept-'));
    try {
      const reader = openLedgerReader(unpackKept(name, dir));
      try {
        yield { name, entries: reader.read(1, 10_000) };
      } finally {
        reader.close();
      }
    } finally {
      rmSync(dir, { recursive: true });
    }
  }
}
