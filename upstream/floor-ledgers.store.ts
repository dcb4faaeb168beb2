/** Reads on in the ledgers: what tables are now, their alarms and their rounds. */
import type { Db, Queryable } from './db.store.ts';
import { AT, bounded, FLOOR_CHANNEL, SLOT_MS } from './floor.store.ts';
import {
  type AlarmChange,
  type AlarmFacts,
  type AlarmKind,
  FLOOR_KINDS,
  FLOOR_KINDS_BY_NAME,
  fold,
  NOTHING_KNOWN,
  type TableNow,
} from './floor-table.ts';
import { ENTRIES_OF_TABLES } from './operator.store.ts';
import { CLOCK_LIMIT_MS } from './report.store.ts';
import { KEPT_SLOTS } from './retention.store.ts';

/** Tables, and entries of each, that are read in one go. */
const TABLES_AT_ONCE = 32;
const ENTRIES_AT_ONCE = 500;
/** A table that calls without end fills nobody's page. */
const OPEN_MOST = 64;

const list = (kinds: readonly string[]): string => `('${kinds.join("', '")}')`;

interface Behind {
  readonly terminal: string;
  readonly seq: number;
  readonly head: number;
  readonly alarmNo: number;
  readonly state: TableNow;
  readonly clockOffMs: number | null;
}

/**
 * The last entry that is read now. What has been stored since `head` was looked at is for the next
 * time: read twice, it would count twice.
 */
const lastOf = ({ seq, head }: Behind): number => Math.min(head, seq + ENTRIES_AT_ONCE);

interface EntryRow {
  readonly terminal: string;
  readonly seq: number;
  readonly atMs: number;
  readonly kind: string;
  readonly bytes: string | null;
}

/** An alarm that is new, or was open and is no more. */
interface Moved {
  readonly terminal: string;
  no: number;
  readonly kind: AlarmKind;
  readonly about: string;
  readonly facts: AlarmFacts;
  readonly sinceMs: number;
  readonly openedSeq: number | null;
  readonly isNew: boolean;
  cured: boolean;
  curedSeq: number | null;
}

/**
 * Reads on in the ledgers of tables that have sent something, those with least first: a table in
 * play waits for none that was away for days. Of several instances each takes other tables. Returns
 * whether there was anything; then there may be more.
 */
export async function catchUp(db: Db, nowMs: number): Promise<boolean> {
  await db.query(
    `INSERT INTO floor_tables (terminal_id, state) SELECT terminal_id, $1::json FROM terminals
     WHERE terminal_id NOT IN (SELECT terminal_id FROM floor_tables) ON CONFLICT DO NOTHING`,
    [JSON.stringify(NOTHING_KNOWN)],
  );
  const isBehind = await db.query(
    'SELECT 1 FROM floor_tables f JOIN terminals t USING (terminal_id) WHERE f.seq < t.head_seq LIMIT 1',
  );
  if (isBehind.length === 0) return false;
  return await db.transaction(async (q) => {
    const behind = await q.query<Behind>(
      `SELECT f.terminal_id AS terminal, f.seq::float8 AS seq, t.head_seq::float8 AS head,
         f.alarm_no::float8 AS "alarmNo", f.state, r.clock_off_ms::float8 AS "clockOffMs"
       FROM floor_tables f JOIN terminals t USING (terminal_id) LEFT JOIN reports r USING (terminal_id)
       WHERE f.seq < t.head_seq ORDER BY t.head_seq - f.seq, f.terminal_id LIMIT ${TABLES_AT_ONCE} FOR UPDATE OF f SKIP LOCKED`,
    );
    if (behind.length === 0) return false;
    const entries = await q.query<EntryRow>(
      `SELECT e.terminal_id AS terminal, e.seq::float8 AS seq, e.at_ms::float8 AS "atMs", e.kind,
         CASE WHEN e.kind IN ${list(FLOOR_KINDS_BY_NAME)} THEN NULL ELSE e.bytes END AS bytes
       FROM ${ENTRIES_OF_TABLES} WHERE e.kind IN ${list(FLOOR_KINDS)}`,
      [behind.map(({ terminal }) => terminal), behind.map(({ seq }) => seq), behind.map(lastOf)],
    );
    const open = await openOf(
      q,
      behind.map(({ terminal }) => terminal),
    );
    const tables = behind.map((table) => foldTable(table, entries, open));
    await q.query(
      `UPDATE floor_tables AS f SET seq = n.seq, alarm_no = n.no, state = n.state::json
       FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[]) AS n (terminal_id, seq, no, state)
       WHERE f.terminal_id = n.terminal_id`,
      [
        behind.map(({ terminal }) => terminal),
        behind.map(lastOf),
        tables.map(({ alarmNo }) => alarmNo),
        tables.map(({ state }) => JSON.stringify(state)),
      ],
    );
    await write(
      q,
      tables.flatMap(({ moved }) => moved),
    );
    await addRounds(
      q,
      tables.flatMap(({ rounds }) => rounds),
      nowMs,
    );
    await q.query('SELECT pg_notify($1, $2)', [FLOOR_CHANNEL, '']);
    return true;
  });
}

interface OpenRow {
  readonly terminal: string;
  readonly no: number;
  readonly kind: AlarmKind;
  readonly about: string;
}

const openOf = (q: Queryable, terminals: readonly string[]): Promise<OpenRow[]> =>
  q.query<OpenRow>(
    `SELECT terminal_id AS terminal, no::float8 AS no, kind, about FROM floor_alarms
     WHERE cured_at IS NULL AND terminal_id = ANY ($1::text[])`,
    [terminals],
  );

function foldTable(
  { terminal, alarmNo: lastNo, state, clockOffMs }: Behind,
  entries: readonly EntryRow[],
  open: readonly OpenRow[],
): {
  readonly alarmNo: number;
  readonly state: TableNow;
  readonly moved: readonly Moved[];
  readonly rounds: readonly { readonly terminal: string; readonly slot: number }[];
} {
  let now = state;
  let alarmNo = lastNo;
  const moved: Moved[] = open
    .filter((each) => each.terminal === terminal)
    .map((each) => ({
      ...each,
      facts: {},
      sinceMs: 0,
      openedSeq: null,
      isNew: false,
      cured: false,
      curedSeq: null,
    }));
  const rounds: { terminal: string; slot: number }[] = [];
  const apply = (change: AlarmChange, { seq, atMs }: EntryRow): void => {
    if ('cure' in change) {
      for (const alarm of moved) {
        if (alarm.cured || alarm.kind !== change.cure) continue;
        if (change.about !== null && change.about !== alarm.about) continue;
        alarm.cured = true;
        alarm.curedSeq = seq;
      }
      return;
    }
    const standing = moved.filter(({ cured }) => !cured);
    const { open: kind, about, facts } = change;
    if (standing.some((alarm) => alarm.kind === kind && alarm.about === about)) return;
    if (standing.length >= OPEN_MOST) return;
    alarmNo += 1;
    // By the centre's clock, whatever the table's own says.
    const isOff = clockOffMs !== null && Math.abs(clockOffMs) > CLOCK_LIMIT_MS;
    const sinceMs = isOff ? atMs - clockOffMs : atMs;
    moved.push({
      ...{ terminal, no: alarmNo, kind, about, facts, sinceMs, openedSeq: seq },
      ...{ isNew: true, cured: false, curedSeq: null },
    });
  };
  for (const entry of entries) {
    if (entry.terminal !== terminal) continue;
    const { kind, atMs, bytes } = entry;
    const body = bytes === null ? null : (JSON.parse(bytes) as { body: unknown }).body;
    const folded = fold(now, { kind, atMs, body });
    now = folded.now;
    for (const change of folded.alarms) apply(change, entry);
    if (folded.isRound) rounds.push({ terminal, slot: Math.floor(atMs / SLOT_MS) });
  }
  return { alarmNo, state: now, moved: moved.filter(({ isNew, cured }) => isNew || cured), rounds };
}

async function write(q: Queryable, moved: readonly Moved[]): Promise<void> {
  const made = moved.filter(({ isNew }) => isNew);
  if (made.length > 0)
    await q.query(
      `INSERT INTO floor_alarms (terminal_id, no, kind, about, facts, since, opened_seq, cured_at, cured_seq)
       SELECT t, no, kind, about, facts::json, ${AT('since')}, seq, CASE WHEN cured THEN now() END, cured_seq
       FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::float8[], $7::bigint[],
         $8::boolean[], $9::bigint[]) AS n (t, no, kind, about, facts, since, seq, cured, cured_seq)`,
      [
        made.map(({ terminal }) => terminal),
        made.map(({ no }) => no),
        made.map(({ kind }) => kind),
        made.map(({ about }) => about),
        made.map(({ facts }) => JSON.stringify(facts)),
        made.map(({ sinceMs }) => bounded(sinceMs)),
        made.map(({ openedSeq }) => openedSeq),
        made.map(({ cured }) => cured),
        made.map(({ curedSeq }) => curedSeq),
      ],
    );
  const cured = moved.filter(({ isNew }) => !isNew);
  if (cured.length > 0)
    await q.query(
      `UPDATE floor_alarms AS a SET cured_at = now(), cured_seq = n.seq
       FROM unnest($1::text[], $2::bigint[], $3::bigint[]) AS n (t, no, seq)
       WHERE a.terminal_id = n.t AND a.no = n.no AND a.cured_at IS NULL`,
      [
        cured.map(({ terminal }) => terminal),
        cured.map(({ no }) => no),
        cured.map(({ curedSeq }) => curedSeq),
      ],
    );
}

async function addRounds(
  q: Queryable,
  rounds: readonly { readonly terminal: string; readonly slot: number }[],
  nowMs: number,
): Promise<void> {
  const nowSlot = Math.floor(nowMs / SLOT_MS);
  const kept = rounds.filter(({ slot }) => slot > nowSlot - KEPT_SLOTS && slot <= nowSlot + 1);
  if (kept.length === 0) return;
  await q.query(
    `INSERT INTO floor_paces (terminal_id, slot, rounds)
     SELECT t, slot, count(*)::integer FROM unnest($1::text[], $2::bigint[]) AS n (t, slot) GROUP BY t, slot
     ON CONFLICT (terminal_id, slot) DO UPDATE SET rounds = floor_paces.rounds + excluded.rounds`,
    [kept.map(({ terminal }) => terminal), kept.map(({ slot }) => slot)],
  );
}
