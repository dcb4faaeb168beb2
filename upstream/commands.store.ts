/** Commands on their way to the terminals. They are made and signed by people (`upstream/command.ts`), not here. */
import { readCommand, type SignedCommand } from '../ledger/chain/command.codec.ts';
import type { Db, Queryable } from './db.store.ts';

/** Handed over with one answer at most; the rest follows with the next. */
const AT_ONCE = 16;

/** Commands whose number the terminal has not yet ledgered, oldest first. */
export async function pendingCommands(q: Queryable, terminal: string): Promise<SignedCommand[]> {
  return await q.query<SignedCommand>(
    `SELECT bytes, encode(signature, 'hex') AS signature FROM commands WHERE terminal_id = $1
       AND no > coalesce((SELECT max(no) FROM command_outcomes WHERE terminal_id = $1), 0)
     ORDER BY no LIMIT ${AT_ONCE}`,
    [terminal],
  );
}

/**
 * Stores a command under the terminal's next number. `sign` gets that number: one more than any that is stored or that
 * the terminal says it has used, so a database put back from a backup does not use a number twice. Throws for a
 * terminal that is not enrolled.
 */
export async function issueCommand(
  db: Db,
  terminal: string,
  sign: (no: number) => SignedCommand,
): Promise<SignedCommand> {
  return await db.transaction(async (q) => {
    const [known] = await q.query('SELECT 1 FROM terminals WHERE terminal_id = $1 FOR UPDATE', [terminal]);
    if (known === undefined) throw new Error(`terminal ${terminal} is not enrolled`);
    const [row] = await q.query<{ no: number }>(
      `SELECT 1 + greatest(
         coalesce((SELECT max(no) FROM commands WHERE terminal_id = $1), 0),
         coalesce((SELECT max(no) FROM command_outcomes WHERE terminal_id = $1), 0))::float8 AS no`,
      [terminal],
    );
    const signed = sign(row!.no);
    const read = readCommand(signed.bytes);
    if (typeof read === 'string') throw new Error(read);
    await q.query(
      "INSERT INTO commands (terminal_id, no, type, bytes, signature) VALUES ($1, $2, $3, $4, decode($5, 'hex'))",
      [terminal, read.no, read.order.type, signed.bytes, signed.signature],
    );
    return signed;
  });
}
