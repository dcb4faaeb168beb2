/**
 * What has come since the books were closed, and closing them: the commands of all entries up to
 * one are entered in their table, and the balances there are written down and signed. The commit of
 * a touch so has one page less, in a random place, and opening a ledger does not read all of it.
 */
import {
  addPostings,
  type Balances,
  balancesHash,
  balancesText,
  newestClosing,
} from '../chain/closings.store.ts';
import { insertInto, type Sqlite } from './sqlite.store.ts';

/** A few rounds of seven seats; their rows take two milliseconds to enter. */
const MOST_COMMANDS = 1_000;
const MOST_ENTRIES = 4_000;

export interface Range {
  readonly firstSeq: number;
  readonly lastSeq: number;
}

export class OpenBooks {
  readonly balances: Balances;
  /** Those that are not entered. */
  readonly commands = new Map<string, Range>();
  #closedSeq: number;
  readonly #insertCommands: (values: unknown[]) => void;
  readonly #insertClosing;

  constructor(db: Sqlite) {
    const { seq, balances } = newestClosing(db);
    this.#closedSeq = seq;
    this.balances = balances;
    addPostings(db, balances, seq, Number.MAX_SAFE_INTEGER);
    // A file that comes from the first version has entered the commands of entries after the (not
    // yet made) first closing.
    const open = db.prepare<[number], Range & { id: string }>(
      `SELECT command_id AS id, min(seq) AS firstSeq, max(seq) AS lastSeq FROM entries
       WHERE seq > ? AND command_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM commands WHERE id = command_id)
       GROUP BY command_id ORDER BY firstSeq`,
    );
    for (const { id, firstSeq, lastSeq } of open.all(seq)) this.commands.set(id, { firstSeq, lastSeq });
    this.#insertCommands = insertInto(db, 'commands', 3);
    this.#insertClosing = db.prepare<[number, string, number]>('INSERT INTO closings VALUES (?, ?, ?)');
  }

  /** Whether the books should be closed before more comes. */
  isDue(headSeq: number): boolean {
    return this.commands.size >= MOST_COMMANDS || headSeq - this.#closedSeq >= MOST_ENTRIES;
  }

  isOpen(headSeq: number): boolean {
    return headSeq > this.#closedSeq;
  }

  /**
   * Inside a transaction, with everything up to the entry `seq`; call `closed` once that
   * transaction is on the disk.
   * @param sign makes the checkpoint of the entry over the hash of the balances and returns its
   * number
   */
  close(seq: number, sign: (balancesHash: Uint8Array) => number): void {
    const text = balancesText(this.balances);
    this.#insertClosing.run(seq, text, sign(balancesHash(text)));
    // In the order of the index: neighbours share a page.
    const ids = [...this.commands.keys()].sort();
    this.#insertCommands(
      ids.flatMap((id) => {
        const { firstSeq, lastSeq } = this.commands.get(id)!;
        return [id, firstSeq, lastSeq];
      }),
    );
  }

  closed(seq: number): void {
    this.#closedSeq = seq;
    this.commands.clear();
  }
}
