/**
 * The audit: who has looked at personal data, ordered something or changed who may, when and from
 * where. Rows are added and never changed; the database itself refuses it.
 */
import type { Queryable } from './db.store.ts';

/** Whose act it is, as they were at that moment. */
export interface Who {
  /** Null for a program. */
  readonly person: number | null;
  readonly name: string;
  readonly role: string;
  /** The address that the request came from. */
  readonly from: string;
}

export const ACTS = [
  'log-in',
  'log-in-refused',
  'log-out',
  'look',
  'refused',
  'order',
  'order-refused',
  'count',
  'count-refused',
  'day-closed',
  'closing-refused',
  'person-added',
  'role-changed',
  'link-made',
  'passkey-made',
  'passkey-cloned',
  'person-ended',
  'session-ended',
] as const;
export type Act = (typeof ACTS)[number];

/** A path or a name may be as long as a request; a line of the audit is read by people. */
const ABOUT_CHARACTERS = 300;

export async function note(q: Queryable, who: Who, act: Act, about = ''): Promise<void> {
  await q.query(
    'INSERT INTO audit (person_id, who, role, act, about, from_where) VALUES ($1, $2, $3, $4, $5, $6)',
    [who.person, who.name, who.role, act, about.slice(0, ABOUT_CHARACTERS), who.from],
  );
}

const REFUSED_MOST = 10;

/**
 * Whether this person's log-in was refused so often of late that the next one waits. Only who has
 * the passkey, or a copy of it, can be refused in a person's name.
 */
export async function isRefusedOften(q: Queryable, person: number): Promise<boolean> {
  const [row] = await q.query<{ times: number }>(
    `SELECT count(*)::int AS times FROM audit WHERE person_id = $1 AND act = 'log-in-refused'
       AND at > now() - interval '15 minutes'`,
    [person],
  );
  return row!.times >= REFUSED_MOST;
}

export interface AuditLine {
  readonly no: number;
  readonly atMs: number;
  readonly person: number | null;
  readonly who: string;
  readonly role: string;
  readonly act: string;
  readonly about: string;
  readonly from: string;
}
export const AUDIT_LINES = 100;

/** Newest first, those before `before`; of one person or of all. */
export async function auditLines(
  q: Queryable,
  before: number | null,
  person: number | null,
): Promise<readonly AuditLine[]> {
  return await q.query<AuditLine>(
    `SELECT no::float8 AS no, (extract(epoch FROM at) * 1000)::float8 AS "atMs", person_id::int AS person,
       who, role, act, about, from_where AS "from" FROM audit
     WHERE ($1::bigint IS NULL OR no < $1) AND ($2::bigint IS NULL OR person_id = $2)
     ORDER BY no DESC LIMIT ${AUDIT_LINES}`,
    [before, person],
  );
}
