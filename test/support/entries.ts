import { join } from 'node:path';
import { type Entry, openLedgerReader } from '../../ledger/store/ledger.store.ts';

/**
 * What stands in the ledger of the terminal with this data folder, all or of one kind; the terminal
 * may be running.
 */
export function entriesOf(data: string, kind: string | null = null): Entry[] {
  const reader = openLedgerReader(join(data, 'ledger.db'));
  try {
    const all = reader.read(1, Number.MAX_SAFE_INTEGER);
    return kind === null ? all : all.filter((entry) => entry.kind === kind);
  } finally {
    reader.close();
  }
}
