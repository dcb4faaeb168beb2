/**
 * Commands on their way to the terminals. They are signed by people who hold the key
 * (`upstream/command.ts`).
 */
import {
  type CentreCommand,
  type CommandRefusal,
  checkCommand,
  type SentCommand,
  type SignedCommand,
  wrongBeside,
} from '../ledger/chain/command.codec.ts';
import type { Db, Queryable } from './db.store.ts';

/** Handed over with one answer at most; the rest follows with the next. */
const AT_ONCE = 16;

/**
 * Commands whose number the terminal has not yet ledgered, oldest first; up to the first one with a
 * list of exclusions, and that one only with `lists`: two are more than one answer may hold.
 */
export async function pendingCommands(
  q: Queryable,
  terminal: string,
  { lists }: { readonly lists: boolean },
): Promise<SentCommand[]> {
  const rows = await q.query<SignedCommand & { readonly type: string; readonly beside: string | null }>(
    `SELECT type, bytes, encode(signature, 'hex') AS signature,
       CASE WHEN $2 OR type <> 'exclusions' THEN roster END AS beside FROM commands WHERE terminal_id = $1
       AND no > coalesce((SELECT max(no) FROM command_outcomes WHERE terminal_id = $1), 0)
     ORDER BY no LIMIT ${AT_ONCE}`,
    [terminal, lists],
  );
  const last = rows.findIndex(({ type }) => type === 'exclusions');
  return (last === -1 ? rows : rows.slice(0, lists ? last + 1 : last)).map(({ type, beside, ...signed }) =>
    beside === null ? signed : { ...signed, [type]: beside },
  );
}

/**
 * Number of a terminal's next command: one more than any that is stored or that the terminal says
 * it has used, so a database put back from a backup uses none twice. Null for a terminal that is
 * not enrolled.
 */
export async function nextCommandNo(
  q: Queryable,
  terminal: string,
  lock: '' | 'FOR UPDATE' = '',
): Promise<number | null> {
  const [known] = await q.query(`SELECT 1 FROM terminals WHERE terminal_id = $1 ${lock}`, [terminal]);
  if (known === undefined) return null;
  const [row] = await q.query<{ no: number }>(
    `SELECT 1 + greatest(
       coalesce((SELECT max(no) FROM commands WHERE terminal_id = $1), 0),
       coalesce((SELECT max(no) FROM command_outcomes WHERE terminal_id = $1), 0))::float8 AS no`,
    [terminal],
  );
  return row!.no;
}

export type IssueAnswer =
  | { readonly outcome: 'issued'; readonly no: number }
  | { readonly outcome: 'not-enrolled' }
  | {
      readonly outcome: 'refused';
      readonly code: CommandRefusal;
      readonly detail: string;
      readonly next: number;
    };

/**
 * Stores a command that the terminal would take; by the same check as the terminal's. `noted` is
 * done with it or not at all.
 */
export async function issueCommand(
  db: Db,
  publicKey: Uint8Array,
  terminal: string,
  { bytes, signature, ...beside }: SentCommand,
  noted: (q: Queryable, command: CentreCommand) => Promise<void>,
): Promise<IssueAnswer> {
  const signed = { bytes, signature };
  return await db.transaction(async (q) => {
    const next = await nextCommandNo(q, terminal, 'FOR UPDATE');
    if (next === null) return { outcome: 'not-enrolled' };
    const checked = checkCommand(signed, { publicKey, terminal, lastNo: next - 1, nowMs: Date.now() });
    if (!checked.ok) return { outcome: 'refused', code: checked.code, detail: checked.detail, next };
    const { order } = checked.command;
    const wrong = wrongBeside(order, beside);
    if (wrong !== null) return { outcome: 'refused', code: 'malformed', detail: wrong, next };
    // The column `roster` has whatever travels beside, a list of exclusions as well.
    await q.query(
      `INSERT INTO commands (terminal_id, no, type, bytes, signature, roster)
       VALUES ($1, $2, $3, $4, decode($5, 'hex'), $6)`,
      [terminal, next, order.type, bytes, signature, beside.roster ?? beside.exclusions ?? null],
    );
    await noted(q, checked.command);
    return { outcome: 'issued', no: next };
  });
}
