/**
 * Gaming days in the database: entries are counted as they come, each once; boxes wait for the
 * count room; a day that is whole and counted is closed and signed.
 */
import { isDeepStrictEqual } from 'node:util';
import type { LedgerKey } from '../../ledger/chain/key.ts';
import type { Db, Queryable } from '../db.store.ts';
import { hashOf } from '../ingest.store.ts';
import { ENTRIES_OF_TABLES, HEARD_AT, HEARD_FROM } from '../operator.store.ts';
import { CLOCK_LIMIT_MS } from '../report.store.ts';
import { type Bounds, type Calendar, type Day, type DayRules, dayAfter } from './calendar.ts';
import {
  type Closing,
  type ClosingSpan,
  closingHash,
  NO_CLOSING,
  type SignedClosing,
  signClosing,
} from './closing.codec.ts';
import {
  DAY_BODIES,
  type DayEntry,
  DayFold,
  type DealtRound,
  newBooks,
  noFigures,
  type RemovedBox,
  removedBox,
  type Sums,
  type TableBooks,
} from './day-fold.ts';
import { PARTS, type Part, type Seconds } from './round-seconds.ts';

/** Tables, and entries of each, that are read in one go. */
const TABLES_AT_ONCE = 32;
const ENTRIES_AT_ONCE = 500;
/** Days of which entries may come late into one day. */
const LATE_DAYS_MOST = 60;
const HOUR_MS = 3_600_000;

/** What a closing says of the ledger, and of the day as it was when that began. */
export type DayPart = Pick<
  Closing,
  keyof Bounds | 'name' | 'currency' | 'before' | 'after' | 'inBoxes' | 'toSeq'
> & {
  readonly spans: readonly ClosingSpan[];
};

/** The day that is being counted; the last of `spans` is its own. */
interface OpenDay extends Bounds {
  readonly before: DayPart['before'];
  readonly spans: ClosingSpan[];
}
interface LedgerState {
  readonly books: TableBooks;
  open: OpenDay | null;
}

const list = (kinds: readonly string[]): string => `('${kinds.join("', '")}')`;
const clone = <T>(value: T): T => structuredClone(value);
const standingOf = ({ accounts, meters }: TableBooks): DayPart['before'] => clone({ accounts, meters });

const openDay = (bounds: Bounds, books: TableBooks, fromSeq: number): OpenDay => ({
  ...bounds,
  before: standingOf(books),
  spans: [{ day: bounds.day, fromSeq, toSeq: fromSeq - 1, figures: noFigures() }],
});

function partOf({ day, startMs, endMs, before, spans }: OpenDay, books: TableBooks): DayPart {
  const { name, currency, boxes } = books;
  const toSeq = spans.at(-1)!.toSeq;
  const of = { day, startMs, endMs, name, currency };
  return clone({ ...of, before, spans, after: standingOf(books), inBoxes: boxes, toSeq });
}

// ---- counting ----

interface EntryRow extends Omit<DayEntry, 'body'> {
  readonly terminal: string;
  readonly bytes: string | null;
  readonly receivedMs: number;
}

interface Behind {
  readonly terminal: string;
  readonly seq: number;
  readonly head: number;
  readonly state: LedgerState;
}

interface Counted {
  readonly terminal: string;
  readonly seq: number;
  readonly state: LedgerState;
  readonly days: readonly DayPart[];
  readonly boxes: readonly (RemovedBox & { readonly day: Day })[];
  readonly rounds: readonly DealtRound[];
}

const lastOf = ({ seq, head }: Behind): number => Math.min(head, seq + ENTRIES_AT_ONCE);

/**
 * Counts on in the ledgers of tables that have sent something, those with most first. Of several
 * instances each takes other tables. Returns whether there was anything; then there may be more.
 */
export async function countOn(db: Db, calendar: Calendar): Promise<boolean> {
  await db.query(
    `INSERT INTO day_ledgers (terminal_id, state) SELECT terminal_id, $1::json FROM terminals
     WHERE terminal_id NOT IN (SELECT terminal_id FROM day_ledgers) ON CONFLICT DO NOTHING`,
    [JSON.stringify({ books: newBooks(), open: null } satisfies LedgerState)],
  );
  const isBehind = await db.query(
    `SELECT 1 FROM day_ledgers d JOIN terminals t USING (terminal_id)
     WHERE d.seq < t.head_seq LIMIT 1`,
  );
  if (isBehind.length === 0) return false;
  return await db.transaction(async (q) => {
    const behind = await q.query<Behind>(
      `SELECT d.terminal_id AS terminal, d.seq::float8 AS seq, t.head_seq::float8 AS head, d.state
       FROM day_ledgers d JOIN terminals t USING (terminal_id)
       WHERE d.seq < t.head_seq
       ORDER BY t.head_seq - d.seq DESC LIMIT ${TABLES_AT_ONCE} FOR UPDATE OF d SKIP LOCKED`,
    );
    if (behind.length === 0) return false;
    const entries = await q.query<EntryRow>(
      `SELECT e.terminal_id AS terminal, e.seq::float8 AS seq, e.at_ms::float8 AS "atMs", e.kind, e.postings,
         (extract(epoch FROM e.received_at) * 1000)::float8 AS "receivedMs",
         CASE WHEN e.kind IN ${list(DAY_BODIES)} THEN e.bytes END AS bytes
       FROM ${ENTRIES_OF_TABLES}`,
      [behind.map(({ terminal }) => terminal), behind.map(({ seq }) => seq), behind.map(lastOf)],
    );
    const byTable = Map.groupBy(entries, ({ terminal }) => terminal);
    const counted = behind.map((each) => countTable(each, byTable.get(each.terminal) ?? [], calendar));
    for (const each of counted) await write(q, each);
    await addRounds(q, counted);
    return true;
  });
}

/**
 * The time that says of which day an entry is: the table's own, unless its clock is known to be
 * ahead.
 */
const timeOf = ({ atMs, receivedMs }: EntryRow): number =>
  atMs > receivedMs + CLOCK_LIMIT_MS ? receivedMs : atMs;

/** The stretch that an entry is counted in. A day that a later one follows goes to `over`. */
function stretchOf(
  state: LedgerState,
  { calendar, day, seq }: { readonly calendar: Calendar; readonly day: Day; readonly seq: number },
  over: DayPart[],
): ClosingSpan {
  const { open, books } = state;
  if (open === null || day > open.day) {
    if (open !== null) over.push(partOf(open, books));
    state.open = openDay(calendar.boundsOf(day), books, seq);
    return state.open.spans[0]!;
  }
  const own = open.spans.at(-1)!;
  // Once its own entries have come, a clock that was put back makes no other day.
  const isLate = day < open.day && own.figures.entries === 0 && open.spans.length <= LATE_DAYS_MOST;
  if (!isLate) return own;
  let late = open.spans.at(-2);
  if (late?.day !== day) {
    late = { day, fromSeq: seq, toSeq: seq, figures: noFigures() };
    open.spans.splice(-1, 0, late);
  }
  own.fromSeq = seq + 1;
  own.toSeq = seq;
  return late;
}

function countTable(behind: Behind, entries: readonly EntryRow[], calendar: Calendar): Counted {
  const { terminal, state } = behind;
  const { books } = state;
  const days: DayPart[] = [];
  const boxes: (RemovedBox & { day: Day })[] = [];
  const rounds: DealtRound[] = [];
  let fold: DayFold | null = null;
  for (const entry of entries) {
    const span = stretchOf(state, { calendar, day: calendar.dayOf(timeOf(entry)), seq: entry.seq }, days);
    const { day, startMs, spans } = state.open!;
    if (fold?.figures !== span.figures)
      fold = new DayFold(books, span.figures, span === spans.at(-1) ? startMs : 0);
    const body = entry.bytes === null ? null : (JSON.parse(entry.bytes) as { body: unknown }).body;
    const { box, round } = fold.take({ ...entry, body });
    span.toSeq = entry.seq;
    if (box !== null) boxes.push({ ...box, day });
    if (round !== null) rounds.push(round);
  }
  return { terminal, seq: lastOf(behind), state, days, boxes, rounds };
}

async function write(q: Queryable, { terminal, seq, state, days, boxes }: Counted): Promise<void> {
  await saveState(q, terminal, state, seq);
  for (const part of days) await savePart(q, terminal, part);
  for (const { day, ...box } of boxes)
    await q.query(
      'INSERT INTO cash_boxes (terminal_id, removed_seq, day, box) VALUES ($1, $2, $3::text::date, $4::json)',
      [terminal, box.removedSeq, day, JSON.stringify(box)],
    );
}

const saveState = (q: Queryable, terminal: string, state: LedgerState, seq: number): Promise<unknown> =>
  q.query('UPDATE day_ledgers SET seq = $2, state = $3::json WHERE terminal_id = $1', [
    terminal,
    seq,
    JSON.stringify(state),
  ]);
const savePart = (q: Queryable, terminal: string, part: DayPart): Promise<unknown> =>
  q.query('INSERT INTO table_days (terminal_id, day, part) VALUES ($1, $2::text::date, $3::json)', [
    terminal,
    part.day,
    JSON.stringify(part),
  ]);

async function addRounds(q: Queryable, counted: readonly Counted[]): Promise<void> {
  const rounds = counted.flatMap(({ terminal, rounds: closed }) =>
    closed.map((round) => ({ ...round, terminal, hour: Math.floor(round.closedMs / HOUR_MS) })),
  );
  if (rounds.length === 0) return;
  const of = (part: Part): number[] => rounds.map(({ ms }) => ms[part]);
  await q.query(
    `INSERT INTO round_seconds (terminal_id, hour, dealer, name, game, rounds,
       players_ms, dealer_ms, shoe_ms, screen_ms, settlement_ms, stopped_ms)
     SELECT t, hour, dealer, max(name), game, count(*)::integer, sum(p), sum(d), sum(s), sum(c), sum(e), sum(x)
     FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::bigint[],
       $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[]) AS n (t, hour, dealer, name, game, p, d, s, c, e, x)
     GROUP BY t, hour, dealer, game
     ON CONFLICT (terminal_id, hour, dealer, game) DO UPDATE SET name = excluded.name,
       rounds = round_seconds.rounds + excluded.rounds, players_ms = round_seconds.players_ms + excluded.players_ms,
       dealer_ms = round_seconds.dealer_ms + excluded.dealer_ms, shoe_ms = round_seconds.shoe_ms + excluded.shoe_ms,
       screen_ms = round_seconds.screen_ms + excluded.screen_ms,
       settlement_ms = round_seconds.settlement_ms + excluded.settlement_ms,
       stopped_ms = round_seconds.stopped_ms + excluded.stopped_ms`,
    [
      rounds.map(({ terminal }) => terminal),
      rounds.map(({ hour }) => hour),
      rounds.map(({ dealer }) => dealer),
      rounds.map(({ name }) => name),
      rounds.map(({ game }) => game),
      ...PARTS.map(of),
    ],
  );
}

// ---- counts of the count room ----

export interface BoxCount {
  readonly no: number;
  readonly notes: Sums;
  readonly by: string;
  readonly person: number;
  readonly atMs: number;
  readonly reason: string;
}

export interface BoxLine extends RemovedBox {
  readonly terminal: string;
  readonly day: Day;
  /** The newest one; null before there is one. */
  readonly count: BoxCount | null;
}

const BOX = `b.terminal_id AS terminal, b.day::text AS day, b.box,
  (SELECT json_build_object('no', c.no, 'notes', c.notes, 'by', c.who, 'person', c.person_id, 'reason', c.reason,
     'atMs', floor(extract(epoch FROM c.at) * 1000)::bigint)
   FROM box_counts c WHERE c.terminal_id = b.terminal_id AND c.removed_seq = b.removed_seq
   ORDER BY c.no DESC LIMIT 1) AS count`;

type BoxRow = Pick<BoxLine, 'terminal' | 'day' | 'count'> & { readonly box: RemovedBox };
const boxOf = ({ box, ...row }: BoxRow): BoxLine => ({ ...box, ...row });

/** Boxes of a day, of all tables or one. */
export const boxesOf = async (q: Queryable, day: Day, terminal: string | null = null): Promise<BoxLine[]> =>
  (
    await q.query<BoxRow>(
      `SELECT ${BOX} FROM cash_boxes b WHERE b.day = $1::text::date AND ($2::text IS NULL OR b.terminal_id = $2)
       ORDER BY b.terminal_id, b.removed_seq`,
      [day, terminal],
    )
  ).map(boxOf);

export async function boxAt(q: Queryable, terminal: string, removedSeq: number): Promise<BoxLine | null> {
  const [row] = await q.query<BoxRow>(
    `SELECT ${BOX} FROM cash_boxes b WHERE b.terminal_id = $1 AND b.removed_seq = $2`,
    [terminal, removedSeq],
  );
  return row === undefined ? null : boxOf(row);
}

export type CountAnswer =
  | 'counted'
  | 'exists'
  | 'no-box'
  | 'closed'
  | 'already'
  | 'same-person'
  | 'no-reason';

/**
 * A count of a box, before its day is closed. The same form sent again changes nothing; another
 * count takes another person and a reason.
 */
export async function addCount(
  q: Queryable,
  terminal: string,
  removedSeq: number,
  count: Omit<BoxCount, 'atMs'>,
): Promise<CountAnswer> {
  // A closing is made under the same lock.
  await q.query('SELECT 1 FROM day_ledgers WHERE terminal_id = $1 FOR UPDATE', [terminal]);
  const box = await boxAt(q, terminal, removedSeq);
  if (box === null) return 'no-box';
  const { no, notes, by, person, reason } = count;
  const last = box.count;
  if (last !== null && last.no === no && last.person === person && isDeepStrictEqual(last.notes, notes))
    return 'exists';
  if ((await closingRow(q, terminal, box.day)) !== null) return 'closed';
  if (no !== (last?.no ?? 0) + 1) return 'already';
  if (last !== null && last.person === person) return 'same-person';
  if (last !== null && reason === '') return 'no-reason';
  await q.query(
    `INSERT INTO box_counts (terminal_id, removed_seq, no, notes, person_id, who, reason)
     VALUES ($1, $2, $3, $4::json, $5, $6, $7)`,
    [terminal, removedSeq, no, JSON.stringify(notes), person, by, reason],
  );
  return 'counted';
}

// ---- closings ----

const CLOSING = `bytes, encode(signature, 'hex') AS signature, encode(public_key, 'hex') AS key,
  day::text AS day, no::float8 AS no`;
export interface ClosingRow extends SignedClosing {
  readonly day: Day;
  readonly no: number;
}

/** Of the day, or the newest one. */
async function closingRow(q: Queryable, terminal: string, day: Day | null): Promise<ClosingRow | null> {
  const [row] = await q.query<ClosingRow>(
    `SELECT ${CLOSING} FROM day_closings WHERE terminal_id = $1 AND ($2::text::date IS NULL OR day = $2::text::date)
     ORDER BY no DESC LIMIT 1`,
    [terminal, day],
  );
  return row ?? null;
}

export const CLOSINGS_PAGE = 50;
/** In their order, those after `after`. */
export const closingsOf = (q: Queryable, terminal: string, after: number): Promise<ClosingRow[]> =>
  q.query<ClosingRow>(
    `SELECT ${CLOSING} FROM day_closings WHERE terminal_id = $1 AND no > $2 ORDER BY no LIMIT ${CLOSINGS_PAGE}`,
    [terminal, after],
  );

/** Of a day, of all tables or one. */
export const closingsOfDay = (q: Queryable, day: Day, terminal: string | null): Promise<ClosingRow[]> =>
  q.query<ClosingRow>(
    `SELECT ${CLOSING} FROM day_closings WHERE day = $1::text::date AND ($2::text IS NULL OR terminal_id = $2)
     ORDER BY terminal_id`,
    [day, terminal],
  );

export type Refused =
  /** It ends then. */
  | { readonly outcome: 'not-over'; readonly endMs: number }
  /** `toSeq`: up to where the table has said it has some; null = it has not been heard since. */
  | { readonly outcome: 'missing'; readonly fromSeq: number; readonly toSeq: number | null }
  | { readonly outcome: 'uncounted'; readonly boxes: readonly BoxLine[] }
  /** That day comes first. */
  | { readonly outcome: 'day-before'; readonly day: Day }
  | { readonly outcome: 'nothing' };
export type Closed =
  | { readonly outcome: 'closed'; readonly no: number }
  | { readonly outcome: 'exists'; readonly no: number }
  | Refused;

/** A table, as far as a day of it is concerned. */
export interface TableOn {
  readonly terminal: string;
  /** The newest entry that is counted, and that is here. */
  readonly seq: number;
  readonly head: number;
  readonly reportedSeq: number | null;
  readonly reportedMs: number | null;
  /** When anything was heard last; null before the first report and entry. */
  readonly heardMs: number | null;
  /** The day that is being counted; null before the first entry. */
  readonly openDay: Day | null;
  readonly isOff: boolean;
  readonly lastDay: Day | null;
  /** What is counted so far, or finally; null where there is nothing of that day. */
  readonly part: DayPart | null;
  readonly closing: ClosingRow | null;
}

/** Every table on a day, or one. */
export async function tablesOn(q: Queryable, day: Day, terminal: string | null = null): Promise<TableOn[]> {
  const rows = await q.query<
    Omit<TableOn, 'closing'> &
      ClosingRow & { readonly state: LedgerState | null; readonly bytes: string | null }
  >(
    `SELECT t.terminal_id AS terminal, coalesce(d.seq, 0)::float8 AS seq, t.head_seq::float8 AS head,
       r.head_seq::float8 AS "reportedSeq", (extract(epoch FROM r.received_at) * 1000)::float8 AS "reportedMs",
       (extract(epoch FROM ${HEARD_AT}) * 1000)::float8 AS "heardMs",
       d.state -> 'open' ->> 'day' AS "openDay",
       coalesce((d.state -> 'books' -> 'clock' ->> 'isOff')::boolean, false) AS "isOff",
       (SELECT max(l.day)::text FROM day_closings l WHERE l.terminal_id = t.terminal_id) AS "lastDay",
       p.part, CASE WHEN d.state -> 'open' ->> 'day' = $1::text THEN d.state END AS state,
       c.bytes, encode(c.signature, 'hex') AS signature, encode(c.public_key, 'hex') AS key,
       c.day::text AS day, c.no::float8 AS no
     FROM terminals t ${HEARD_FROM} LEFT JOIN day_ledgers d ON d.terminal_id = t.terminal_id
       LEFT JOIN table_days p ON p.terminal_id = t.terminal_id AND p.day = $1::text::date
       LEFT JOIN day_closings c ON c.terminal_id = t.terminal_id AND c.day = $1::text::date
     WHERE $2::text IS NULL OR t.terminal_id = $2 ORDER BY t.terminal_id`,
    [day, terminal],
  );
  return rows.map(({ bytes, signature, key, day: closedDay, no, state, ...row }) => ({
    ...row,
    part: row.part ?? (state?.open?.day === day ? partOf(state.open, state.books) : null),
    closing: bytes === null ? null : { bytes, signature, key, day: closedDay, no },
  }));
}

/** A terminal that has said nothing for so long after its day may be given up as lost. */
const LOST_MS = 3_600_000;

/** Whether a person may close a day of it without what is missing; what is here must be counted. */
export const mayBeLost = ({ seq, head, heardMs }: TableOn, { endMs }: Bounds, nowMs: number): boolean =>
  seq === head && nowMs >= Math.max(heardMs ?? 0, endMs) + LOST_MS;

/**
 * What stands in the way of closing a day of a table; null for nothing.
 * @param boxes those that were taken out of it on the day
 * @param isLost a person says that the terminal is
 */
export function refusalOf(
  table: TableOn,
  boxes: readonly BoxLine[],
  bounds: Bounds,
  nowMs: number,
  isLost = false,
): Refused | null {
  const { openDay, lastDay, part } = table;
  // The hour of closing may have been another one when the day began.
  const { day, endMs } = part ?? bounds;
  const expected = lastDay === null ? day : dayAfter(lastDay);
  if (openDay === null || day < expected) return { outcome: 'nothing' };
  if (day > expected) return { outcome: 'day-before', day: expected };
  // A table's clock may be behind by so much.
  const quietMs = endMs + CLOCK_LIMIT_MS;
  if (nowMs < quietMs) return { outcome: 'not-over', endMs: quietMs };
  if (openDay > day && part === null && lastDay === null) return { outcome: 'nothing' };
  const missing = missingOf(table, day, quietMs);
  if (missing !== null && !(isLost && mayBeLost(table, { ...bounds, endMs }, nowMs))) return missing;
  const uncounted = boxes.filter(({ count }) => count === null);
  return uncounted.length === 0 ? null : { outcome: 'uncounted', boxes: uncounted };
}

/**
 * Whether entries of the day may still come: none, where a later day has begun, where the table has
 * said after the day that there is nothing more, or has ended in order.
 */
function missingOf(table: TableOn, day: Day, quietMs: number): Refused | null {
  const { seq, head, openDay, isOff, reportedSeq, reportedMs } = table;
  if (openDay! > day) return null;
  if (seq < head) return { outcome: 'missing', fromSeq: seq + 1, toSeq: head };
  if (reportedSeq !== null && reportedSeq > head)
    return { outcome: 'missing', fromSeq: head + 1, toSeq: reportedSeq };
  const isHeard = reportedMs !== null && reportedMs >= quietMs;
  return isHeard || isOff ? null : { outcome: 'missing', fromSeq: head + 1, toSeq: null };
}

export interface ClosingRules extends DayRules {
  readonly calendar: Calendar;
  readonly key: LedgerKey;
}

export interface ClosingAsked {
  readonly terminal: string;
  readonly day: Day;
  readonly by: string;
  readonly nowMs: number;
  /** Why the day is closed though the terminal is lost; null: it is not. */
  readonly lost: string | null;
}

/** Closes a table's day once, however many ask at the same time; says why where it does not. */
export async function closeDay(
  q: Queryable,
  { calendar, key, timeZone, dayBegins }: ClosingRules,
  { terminal, day, by, nowMs, lost }: ClosingAsked,
): Promise<Closed> {
  // One closing or count of a table at a time, whichever instance has it.
  const [locked] = await q.query<{ state: LedgerState }>(
    'SELECT state FROM day_ledgers WHERE terminal_id = $1 FOR UPDATE',
    [terminal],
  );
  const [table] = await tablesOn(q, day, terminal);
  if (locked === undefined || table === undefined) return { outcome: 'nothing' };
  if (table.closing !== null) return { outcome: 'exists', no: table.closing.no };
  const bounds = calendar.boundsOf(day);
  const boxes = await boxesOf(q, day, terminal);
  const refused = refusalOf(table, boxes, bounds, nowMs, lost !== null);
  if (refused !== null) return refused;
  const isWithout = lost !== null && refusalOf(table, boxes, bounds, nowMs) !== null;
  const last = await closingRow(q, terminal, null);
  const part = await partOfDay(q, calendar, locked.state, table, { day, last });
  const no = (last?.no ?? 0) + 1;
  const signed = signClosing(
    {
      ...{ terminal, no, timeZone, dayBegins },
      prevHash: last === null ? NO_CLOSING : closingHash(last.bytes),
      ...part,
      spans: [...part.spans],
      toHash: await hashOf(q, terminal, part.toSeq),
      boxes: boxes.map((box) => {
        const { no: count, notes, by: who, atMs, reason } = box.count!;
        return { ...removedBox(box), counted: { no: count, notes, by: who, atMs, reason } };
      }),
      ...(isWithout ? { without: { fromSeq: table.head + 1, reason: lost } } : {}),
      closedBy: by,
      closedAtMs: nowMs,
    },
    key,
  );
  await q.query(
    `INSERT INTO day_closings (terminal_id, no, day, bytes, signature, public_key, hash)
     VALUES ($1, $2, $3::text::date, $4, decode($5, 'hex'), decode($6, 'hex'), decode($7, 'hex'))`,
    [terminal, no, day, signed.bytes, signed.signature, signed.key, closingHash(signed.bytes)],
  );
  return { outcome: 'closed', no };
}

/** What was counted of the day, from now on finally. */
async function partOfDay(
  q: Queryable,
  calendar: Calendar,
  state: LedgerState,
  { terminal, seq, part }: TableOn,
  { day, last }: { readonly day: Day; readonly last: ClosingRow | null },
): Promise<DayPart> {
  const open = state.open!;
  if (open.day > day) return part ?? idleAfter(JSON.parse(last!.bytes) as Closing, calendar.boundsOf(day));
  const counted = partOf(open, state.books);
  await savePart(q, terminal, counted);
  state.open = openDay(calendar.boundsOf(dayAfter(day)), state.books, counted.toSeq + 1);
  await saveState(q, terminal, state, seq);
  return open.day === day
    ? counted
    : partOf(openDay(calendar.boundsOf(day), state.books, counted.toSeq + 1), state.books);
}

/** A day on which the table wrote nothing. */
function idleAfter({ name, currency, after, inBoxes, toSeq }: Closing, bounds: Bounds): DayPart {
  const spans = [{ day: bounds.day, fromSeq: toSeq + 1, toSeq, figures: noFigures() }];
  return { ...bounds, name, currency, before: after, spans, after, inBoxes, toSeq };
}

// ---- where the seconds go ----

export interface SecondsLine {
  readonly hour: number;
  readonly terminal: string;
  readonly dealer: string;
  readonly name: string;
  readonly game: string;
  readonly rounds: number;
  readonly ms: Seconds;
}

/** Where the time of rounds went in the whole hours of a stretch, of all tables or one. */
export const secondsOf = async (
  q: Queryable,
  { startMs, endMs }: Omit<Bounds, 'day'>,
  terminal: string | null,
): Promise<SecondsLine[]> =>
  await q.query<SecondsLine>(
    `SELECT hour::float8 AS hour, terminal_id AS terminal, dealer, name, game, rounds,
       json_build_object(${PARTS.map((part) => `'${part}', ${part}_ms`).join(', ')}) AS ms
     FROM round_seconds WHERE hour >= $1 AND hour < $2 AND ($3::text IS NULL OR terminal_id = $3)
     ORDER BY hour, terminal_id, dealer, game`,
    [Math.floor(startMs / HOUR_MS), Math.floor(endMs / HOUR_MS), terminal],
  );
