/**
 * A whole copy of a ledger that may be in use: page by page through SQLite, which gives way to its
 * writer.
 */
import type { LedgerKey } from '../chain/key.ts';
import { openForReading, openForWriting } from '../store/sqlite.store.ts';

/** Pages at a time; between them other work of this process goes on. */
const PAGES = 500;

/**
 * Copies the ledger `path` into a new file `to`, as it stands at the end of the copying.
 * @param onPart share of the work that is done, 0..1
 */
export async function backupLedger(
  path: string,
  to: string,
  onPart: (part: number) => void = () => {},
): Promise<void> {
  const { db, close } = openForReading(path);
  try {
    await db.backup(to, {
      progress: ({ totalPages, remainingPages }) => {
        onPart(totalPages === 0 ? 0 : 1 - remainingPages / totalPages);
        return PAGES;
      },
    });
  } finally {
    close();
  }
}

/**
 * Lets a copy be continued with another key than the terminal's, whose signatures nobody takes for
 * the terminal's.
 */
export function adoptKey(path: string, { keyId, publicKey }: Pick<LedgerKey, 'keyId' | 'publicKey'>): void {
  const db = openForWriting(path, { create: false });
  try {
    db.prepare('INSERT INTO keys VALUES (?, ?)').run(keyId, publicKey);
  } finally {
    db.close();
  }
}
