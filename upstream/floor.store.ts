/** The floor in the database: tables as they are now, alarms and who has seen them, rounds. */
import type { Db, Queryable } from './db.store.ts';
import type { AlarmFacts, AlarmKind, TableNow } from './floor-table.ts';
import { HEARD_AT, HEARD_FROM } from './operator.store.ts';

/** Told to every instance when somebody who looks would see something else. */
export const FLOOR_CHANNEL = 'banca_floor';

export const SLOT_MS = 300_000;
const DAY_SLOTS = 86_400_000 / SLOT_MS;
const MS = (column: string): string => `(extract(epoch FROM ${column}) * 1000)::float8`;
export const AT = (parameter: string): string => `to_timestamp(${parameter} / 1000)`;

/** Times that PostgreSQL can hold, whatever a table's clock says. */
export const bounded = (ms: number): number => Math.min(Math.max(ms, 0), 4_000_000_000_000);

export interface FloorLine {
  readonly terminal: string;
  readonly state: TableNow;
  readonly headSeq: number;
  /** Entries it has said it has and that are not here; null before its first report. */
  readonly lag: number | null;
  /** Since its last report or new entry, null before the first. */
  readonly silentMs: number | null;
  readonly clockOffMs: number | null;
  readonly isLocked: boolean;
}

export const floorLines = (q: Queryable): Promise<FloorLine[]> =>
  q.query<FloorLine>(
    `SELECT t.terminal_id AS terminal, f.state, t.head_seq::float8 AS "headSeq",
       greatest(r.head_seq - t.head_seq, 0)::float8 AS lag,
       (extract(epoch FROM now() - ${HEARD_AT}) * 1000)::float8 AS "silentMs",
       r.clock_off_ms::float8 AS "clockOffMs", coalesce(r.locked, false) AS "isLocked"
     FROM terminals t ${HEARD_FROM} JOIN floor_tables f ON f.terminal_id = t.terminal_id
     ORDER BY t.terminal_id`,
  );

export interface AlarmLine {
  readonly terminal: string;
  readonly no: number;
  readonly kind: AlarmKind;
  readonly about: string;
  readonly facts: AlarmFacts;
  readonly sinceMs: number;
  readonly seenMs: number | null;
  readonly seenBy: string | null;
  readonly curedMs: number | null;
}

const ALARM = `terminal_id AS terminal, no::float8 AS no, kind, about, facts, ${MS('since')} AS "sinceMs",
  ${MS('seen_at')} AS "seenMs", seen_by AS "seenBy", ${MS('cured_at')} AS "curedMs"`;
const ALARMS_SHOWN = 500;

/** Those that stand, the oldest first. */
export const openAlarms = (q: Queryable): Promise<AlarmLine[]> =>
  q.query<AlarmLine>(
    `SELECT ${ALARM} FROM floor_alarms WHERE cured_at IS NULL ORDER BY since, terminal_id, no LIMIT ${ALARMS_SHOWN}`,
  );

/** An open alarm, as far as telling it from others goes. */
export type Standing = Pick<AlarmLine, 'terminal' | 'no' | 'kind' | 'about'>;

/** All open alarms of these kinds, with no limit: one that was left out would never be cured. */
export const standingAlarms = (q: Queryable, kinds: readonly AlarmKind[]): Promise<Standing[]> =>
  q.query<Standing>(
    `SELECT terminal_id AS terminal, no::float8 AS no, kind, about FROM floor_alarms
     WHERE cured_at IS NULL AND kind = ANY ($1::text[]) ORDER BY terminal_id, no`,
    [kinds],
  );

export const TRAIL_PAGE = 200;

/** All there were, the newest first; what was opened before the time, of one table or of all. */
export const alarmTrail = (
  q: Queryable,
  o: { readonly beforeMs: number | null; readonly terminal: string | null },
): Promise<(AlarmLine & { readonly openedMs: number })[]> =>
  q.query(
    `SELECT ${ALARM}, ${MS('opened_at')} AS "openedMs" FROM floor_alarms
     WHERE ($1::float8 IS NULL OR opened_at < ${AT('$1::float8')}) AND ($2::text IS NULL OR terminal_id = $2)
     ORDER BY opened_at DESC, terminal_id, no LIMIT ${TRAIL_PAGE}`,
    [o.beforeMs, o.terminal],
  );

export interface Wanted {
  readonly terminal: string;
  readonly kind: AlarmKind;
  readonly about: string;
  readonly facts: AlarmFacts;
  readonly sinceMs: number;
}

/** What follows from reports and from the time: opened and cured like what follows from entries. */
export async function moveAlarms(
  db: Db,
  wanted: readonly Wanted[],
  over: readonly Standing[],
): Promise<void> {
  if (wanted.length === 0 && over.length === 0) return;
  await db.transaction(async (q) => {
    if (wanted.length > 0) {
      const tables = wanted.map(({ terminal }) => terminal);
      // The rows of the tables are locked first: two instances may have noticed the same.
      await q.query(
        'SELECT 1 FROM floor_tables WHERE terminal_id = ANY ($1::text[]) ORDER BY terminal_id FOR UPDATE',
        [tables],
      );
      await q.query(
        `WITH fresh AS (
           SELECT w.*, f.alarm_no + row_number() OVER (PARTITION BY w.t ORDER BY w.n) AS no
           FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::float8[])
             WITH ORDINALITY AS w (t, kind, about, facts, since, n) JOIN floor_tables f ON f.terminal_id = w.t
           WHERE NOT EXISTS (SELECT 1 FROM floor_alarms a WHERE a.terminal_id = w.t AND a.kind = w.kind
             AND a.about = w.about AND a.cured_at IS NULL)
         ), made AS (
           INSERT INTO floor_alarms (terminal_id, no, kind, about, facts, since)
           SELECT t, no, kind, about, facts::json, ${AT('since')} FROM fresh
         )
         UPDATE floor_tables AS f SET alarm_no = l.no
         FROM (SELECT t, max(no) AS no FROM fresh GROUP BY t) AS l WHERE f.terminal_id = l.t`,
        [
          tables,
          wanted.map(({ kind }) => kind),
          wanted.map(({ about }) => about),
          wanted.map(({ facts }) => JSON.stringify(facts)),
          wanted.map(({ sinceMs }) => bounded(sinceMs)),
        ],
      );
    }
    if (over.length > 0)
      await q.query(
        `UPDATE floor_alarms AS a SET cured_at = now() FROM unnest($1::text[], $2::bigint[]) AS n (t, no)
         WHERE a.terminal_id = n.t AND a.no = n.no AND a.cured_at IS NULL`,
        [over.map(({ terminal }) => terminal), over.map(({ no }) => no)],
      );
    await q.query('SELECT pg_notify($1, $2)', [FLOOR_CHANNEL, '']);
  });
}

/**
 * A person has seen an alarm; whoever was first stays. Null where there is none of this number, or
 * it is cured and nobody had seen it.
 */
export async function seeAlarm(
  db: Db,
  { terminal, no, by }: { readonly terminal: string; readonly no: number; readonly by: string },
): Promise<{ readonly seenBy: string; readonly seenMs: number } | null> {
  const at = [terminal, no];
  const seen = await db.query(
    `UPDATE floor_alarms SET seen_at = now(), seen_by = $3
     WHERE terminal_id = $1 AND no = $2 AND seen_at IS NULL AND cured_at IS NULL RETURNING 1`,
    [...at, by],
  );
  if (seen.length > 0) await db.query('SELECT pg_notify($1, $2)', [FLOOR_CHANNEL, '']);
  const [row] = await db.query<{ seenBy: string; seenMs: number }>(
    `SELECT seen_by AS "seenBy", ${MS('seen_at')} AS "seenMs" FROM floor_alarms
     WHERE terminal_id = $1 AND no = $2 AND seen_at IS NOT NULL`,
    at,
  );
  return row ?? null;
}

export interface SlotLine {
  readonly terminal: string;
  readonly slot: number;
  readonly rounds: number;
}

/** Rounds of each table in these slots, the last one excluded. */
export const slotsOf = (q: Queryable, from: number, before: number): Promise<SlotLine[]> =>
  q.query<SlotLine>(
    `SELECT terminal_id AS terminal, slot::float8 AS slot, rounds FROM floor_paces WHERE slot >= $1 AND slot < $2`,
    [from, before],
  );

/** Rounds of the whole floor in the hour before this slot, a week ago; null where none is known. */
export async function roundsOfWeekAgo(q: Queryable, slot: number): Promise<number | null> {
  const to = slot - 7 * DAY_SLOTS;
  const [row] = await q.query<{ rounds: number | null }>(
    'SELECT sum(rounds)::float8 AS rounds FROM floor_paces WHERE slot >= $1 AND slot < $2',
    [to - 3_600_000 / SLOT_MS, to],
  );
  return row?.rounds ?? null;
}
