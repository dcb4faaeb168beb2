/**
 * Ledgers as earlier versions of the format were written, for the tests of what reads them and
 * brings them on.
 */
import Database from 'better-sqlite3';
import { chainHash, encodeEntry, GENESIS_HASH } from '../../ledger/chain/entry.codec.ts';
import { APPLICATION_ID, MIGRATIONS } from '../../ledger/schema/migrations.ts';
import type { LedgerKey } from '../../ledger/store/ledger.store.ts';

/**
 * Makes the file: entries of `table-1`, each of a command of its own, that move their number from
 * `a` to `b`; rounds of four with three between.
 */
export function makeEarlierLedger(
  path: string,
  version: 1 | 2 | 3,
  { keyId, publicKey }: LedgerKey,
  entries: number,
): void {
  const db = new Database(path);
  db.pragma('journal_mode = WAL');
  for (const step of MIGRATIONS.slice(0, version)) db.exec(step);
  db.pragma(`application_id = ${APPLICATION_ID}`);
  db.pragma(`user_version = ${version}`);
  db.prepare('INSERT INTO identity VALUES (1, ?)').run('table-1');
  db.prepare('INSERT INTO keys VALUES (?, ?)').run(keyId, publicKey);
  const entry = db.prepare('INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?)');
  const posting = version < 3 ? db.prepare('INSERT INTO postings VALUES (?, ?, ?, ?, ?)') : null;
  const command = db.prepare('INSERT INTO commands VALUES (?, ?, ?)');
  const roundRun = version >= 2 ? db.prepare('INSERT INTO round_runs VALUES (?, ?)') : null;
  let hash = GENESIS_HASH;
  const add = (seq: number): void => {
    const roundId = seq % 7 < 4 ? `r${Math.floor(seq / 7)}` : null;
    const commandId = `c${seq}`;
    const postings = [
      { account: 'a', currency: 'MOP', amountMinor: -seq },
      { account: 'b', currency: 'MOP', amountMinor: seq },
    ];
    const fields = { seq, atMs: seq, kind: 'moved', roundId, commandId, noteId: null, body: {}, postings };
    const bytes = encodeEntry('table-1', fields);
    hash = chainHash(hash, bytes);
    entry.run(seq, seq, fields.kind, roundId, commandId, bytes, hash);
    for (const [i, p] of postings.entries()) posting?.run(seq, i + 1, p.account, p.currency, p.amountMinor);
    command.run(commandId, seq, seq);
    if (roundId !== null && (seq === 1 || seq % 7 === 0)) roundRun?.run(seq, roundId);
  };
  db.transaction(() => {
    for (let seq = 1; seq <= entries; seq++) add(seq);
  })();
  db.close();
}
