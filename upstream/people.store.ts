/**
 * People of the centre and what they prove themselves with. Of links and sessions the database has
 * hashes alone.
 */
import { hash, randomBytes } from 'node:crypto';
import type { Queryable } from './db.store.ts';
import { FLOOR_CHANNEL } from './floor.store.ts';
import { IN_TIME, LINK_HOURS } from './retention.store.ts';
import { ROLES, type Role } from './rights.ts';

export const newToken = (): string => randomBytes(32).toString('base64url');
const hashOf = (token: string): string => hash('sha256', token, 'hex');

/** More of one person end the oldest. */
const SESSIONS_OF_ONE = 16;

export interface PersonRow {
  readonly id: number;
  readonly name: string;
  readonly role: Role;
}
const PERSON = 'p.person_id::int AS id, p.name, p.role';

/** One that a newer program has written may have a role that this one does not know. */
const known = (row: PersonRow | undefined): PersonRow | null =>
  row !== undefined && ROLES.includes(row.role) ? row : null;

export async function addPerson(q: Queryable, name: string, role: Role): Promise<number> {
  const [row] = await q.query<{ id: number }>(
    'INSERT INTO people (name, role) VALUES ($1, $2) RETURNING person_id::int AS id',
    [name, role],
  );
  return row!.id;
}

/** What a provider says of somebody. */
export interface Claimed {
  readonly issuer: string;
  readonly subject: string;
  readonly name: string;
  readonly role: Role;
}

/** The person a provider has named, as it names them now; null for one who was ended here. */
export async function claimedPerson(
  q: Queryable,
  { issuer, subject, name, role }: Claimed,
): Promise<{ readonly person: PersonRow; readonly roleBefore: string | null } | null> {
  const [before] = await q.query<{ role: string; ended: boolean }>(
    'SELECT role, ended_at IS NOT NULL AS ended FROM people WHERE issuer = $1 AND subject = $2 FOR UPDATE',
    [issuer, subject],
  );
  if (before?.ended === true) return null;
  const [row] = await q.query<{ id: number }>(
    `INSERT INTO people (name, role, issuer, subject) VALUES ($1, $2, $3, $4)
     ON CONFLICT (issuer, subject) DO UPDATE SET name = excluded.name, role = excluded.role
     RETURNING person_id::int AS id`,
    [name, role, issuer, subject],
  );
  return { person: { id: row!.id, name, role }, roleBefore: before?.role ?? null };
}

export interface PersonLine extends PersonRow {
  /** The provider that vouches for them; null for passkeys. */
  readonly issuer: string | null;
  readonly addedMs: number;
  readonly endedMs: number | null;
  readonly passkeys: number;
  readonly sessions: number;
  readonly seenMs: number | null;
}

const MS = (column: string): string => `(extract(epoch FROM ${column}) * 1000)::float8`;

/** All people, or one; those who are still there first. */
export async function personLines(
  q: Queryable,
  person: number | null = null,
): Promise<readonly PersonLine[]> {
  return await q.query<PersonLine>(
    `SELECT ${PERSON}, p.issuer, ${MS('p.added_at')} AS "addedMs", ${MS('p.ended_at')} AS "endedMs",
       (SELECT count(*) FROM passkeys k WHERE k.person_id = p.person_id AND k.ended_at IS NULL)::int AS passkeys,
       (SELECT count(*) FROM sessions s WHERE s.person_id = p.person_id AND ${IN_TIME})::int AS sessions,
       (SELECT ${MS('max(a.at)')} FROM audit a WHERE a.person_id = p.person_id AND a.act = 'log-in') AS "seenMs"
     FROM people p WHERE $1::bigint IS NULL OR p.person_id = $1
     ORDER BY p.ended_at IS NOT NULL, p.name, p.person_id LIMIT 500`,
    [person],
  );
}

/** Whether anybody can log in at all. */
export async function isAnybodyThere(q: Queryable): Promise<boolean> {
  const rows = await q.query('SELECT 1 FROM people WHERE ended_at IS NULL LIMIT 1');
  return rows.length > 0;
}

export async function changeRole(q: Queryable, person: number, role: Role): Promise<void> {
  await q.query('UPDATE people SET role = $2 WHERE person_id = $1', [person, role]);
  await tellLooking(q);
}

/** Whoever looks at the floor, at any instance, is asked again at once who they are. */
const tellLooking = (q: Queryable): Promise<unknown> =>
  q.query('SELECT pg_notify($1, $2)', [FLOOR_CHANNEL, '']);

/** A person who is no longer let in; their lines of the audit stay. */
export async function endPerson(q: Queryable, person: number): Promise<void> {
  await q.query('UPDATE people SET ended_at = now() WHERE person_id = $1 AND ended_at IS NULL', [person]);
  await endProofs(q, person);
}

/** Passkeys, links and sessions of a person end: what was lost may be in other hands. */
export async function endProofs(q: Queryable, person: number): Promise<void> {
  await q.query('UPDATE passkeys SET ended_at = now() WHERE person_id = $1 AND ended_at IS NULL', [person]);
  await q.query('DELETE FROM enrolment_links WHERE person_id = $1', [person]);
  await q.query('DELETE FROM sessions WHERE person_id = $1', [person]);
  await tellLooking(q);
}

/** The token of a new link; an earlier one of the same person is good no more. */
export async function makeLink(q: Queryable, person: number): Promise<string> {
  const token = newToken();
  await q.query('DELETE FROM enrolment_links WHERE person_id = $1', [person]);
  await q.query(
    `INSERT INTO enrolment_links (token_hash, person_id, ends_at)
     VALUES (decode($1, 'hex'), $2, now() + interval '${LINK_HOURS} hours')`,
    [hashOf(token), person],
  );
  return token;
}

/** Whose link this is; null for one that is used, over, or none. */
export async function personOfLink(q: Queryable, token: string): Promise<PersonRow | null> {
  const [row] = await q.query<PersonRow>(
    `SELECT ${PERSON} FROM enrolment_links l JOIN people p USING (person_id)
     WHERE l.token_hash = decode($1, 'hex') AND l.ends_at > now() AND p.ended_at IS NULL`,
    [hashOf(token)],
  );
  return known(row);
}

/** Uses the link up: of two at the same time one is null. */
export async function spendLink(q: Queryable, token: string): Promise<number | null> {
  const [row] = await q.query<{ id: number }>(
    `DELETE FROM enrolment_links l USING people p WHERE l.token_hash = decode($1, 'hex') AND l.ends_at > now()
       AND p.person_id = l.person_id AND p.ended_at IS NULL RETURNING l.person_id::int AS id`,
    [hashOf(token)],
  );
  return row?.id ?? null;
}

export interface Passkey {
  readonly credential: string;
  /** COSE, as the authenticator gave it. */
  readonly publicKey: Uint8Array<ArrayBuffer>;
  readonly counter: number;
}

/** False where another person, or this one, has it already. */
export async function addPasskey(q: Queryable, person: number, passkey: Passkey): Promise<boolean> {
  const rows = await q.query(
    `INSERT INTO passkeys (credential_id, person_id, public_key, counter)
     VALUES ($1, $2, decode($3, 'hex'), $4) ON CONFLICT DO NOTHING RETURNING 1`,
    [passkey.credential, person, Buffer.from(passkey.publicKey).toString('hex'), passkey.counter],
  );
  return rows.length > 0;
}

export async function passkeyOf(
  q: Queryable,
  credential: string,
): Promise<{ readonly person: PersonRow; readonly publicKey: Uint8Array<ArrayBuffer> } | null> {
  const [row] = await q.query<PersonRow & { key: string }>(
    `SELECT ${PERSON}, encode(k.public_key, 'hex') AS key FROM passkeys k JOIN people p USING (person_id)
     WHERE k.credential_id = $1 AND k.ended_at IS NULL AND p.ended_at IS NULL`,
    [credential],
  );
  const person = known(row);
  return person === null
    ? null
    : {
        person: { id: person.id, name: person.name, role: person.role },
        publicKey: new Uint8Array(Buffer.from(row!.key, 'hex')),
      };
}

export async function passkeysOf(
  q: Queryable,
  person: number,
): Promise<
  readonly { readonly credential: string; readonly madeMs: number; readonly usedMs: number | null }[]
> {
  return await q.query(
    `SELECT credential_id AS credential, ${MS('made_at')} AS "madeMs", ${MS('used_at')} AS "usedMs"
     FROM passkeys WHERE person_id = $1 AND ended_at IS NULL ORDER BY made_at`,
    [person],
  );
}

/**
 * Notes a use with what the authenticator has counted. False where it has counted no further: two
 * of them share one key. Authenticators that do not count say 0 for ever.
 */
export async function passkeyUsed(q: Queryable, credential: string, counter: number): Promise<boolean> {
  const rows = await q.query(
    `UPDATE passkeys SET counter = $2, used_at = now()
     WHERE credential_id = $1 AND ended_at IS NULL AND (counter < $2 OR (counter = 0 AND $2 = 0)) RETURNING 1`,
    [credential, counter],
  );
  return rows.length > 0;
}

export async function endPasskey(q: Queryable, credential: string): Promise<void> {
  await q.query('UPDATE passkeys SET ended_at = now() WHERE credential_id = $1', [credential]);
}

/** True once for each challenge. */
export async function spendChallenge(q: Queryable, challenge: string, endMs: number): Promise<boolean> {
  const rows = await q.query(
    `INSERT INTO spent_challenges (challenge, ends_at) VALUES ($1, to_timestamp($2::float8 / 1000))
     ON CONFLICT DO NOTHING RETURNING 1`,
    [challenge, endMs],
  );
  return rows.length > 0;
}

/** Made by whichever instance asks first. */
export async function loginSecret(q: Queryable): Promise<Buffer> {
  await q.query("INSERT INTO login_secret (secret) VALUES (decode($1, 'hex')) ON CONFLICT DO NOTHING", [
    randomBytes(32).toString('hex'),
  ]);
  const [row] = await q.query<{ secret: string }>("SELECT encode(secret, 'hex') AS secret FROM login_secret");
  return Buffer.from(row!.secret, 'hex');
}

/** The token of a new session. */
export async function openSession(q: Queryable, person: number, from: string): Promise<string> {
  const token = newToken();
  await q.query(
    `DELETE FROM sessions WHERE token_hash IN (SELECT token_hash FROM sessions WHERE person_id = $1
       ORDER BY seen_at DESC OFFSET ${SESSIONS_OF_ONE - 1})`,
    [person],
  );
  await q.query(
    "INSERT INTO sessions (token_hash, person_id, from_where) VALUES (decode($1, 'hex'), $2, $3)",
    [hashOf(token), person, from],
  );
  return token;
}

/** Whose session this is, by its name; null for one that is over. Counts as a use. */
export async function personOfSession(q: Queryable, session: string): Promise<PersonRow | null> {
  const [row] = await q.query<PersonRow & { stale: boolean }>(
    `SELECT ${PERSON}, s.seen_at < now() - interval '1 minute' AS stale
     FROM sessions s JOIN people p USING (person_id)
     WHERE s.token_hash = decode($1, 'hex') AND p.ended_at IS NULL AND ${IN_TIME}`,
    [session],
  );
  const person = known(row);
  if (person === null) return null;
  if (row!.stale)
    await q.query("UPDATE sessions SET seen_at = now() WHERE token_hash = decode($1, 'hex')", [session]);
  return { id: person.id, name: person.name, role: person.role };
}

/** The role of whose session each is; none of one that is over. Counts as no use. */
export async function rolesOf(q: Queryable, sessions: readonly string[]): Promise<ReadonlyMap<string, Role>> {
  const rows = await q.query<{ session: string; role: Role }>(
    `SELECT encode(s.token_hash, 'hex') AS session, p.role FROM sessions s JOIN people p USING (person_id)
     WHERE encode(s.token_hash, 'hex') = ANY ($1::text[]) AND p.ended_at IS NULL AND ${IN_TIME}`,
    [sessions],
  );
  return new Map(rows.flatMap(({ session, role }) => (ROLES.includes(role) ? [[session, role]] : [])));
}

/** How a session is called in the database and on pages; nobody gets in with it. */
export const sessionName = hashOf;

export async function sessionsOf(
  q: Queryable,
  person: number,
): Promise<
  readonly {
    readonly session: string;
    readonly openedMs: number;
    readonly seenMs: number;
    readonly from: string;
  }[]
> {
  return await q.query(
    `SELECT encode(token_hash, 'hex') AS session, ${MS('opened_at')} AS "openedMs", ${MS('seen_at')} AS "seenMs",
       from_where AS "from" FROM sessions s WHERE person_id = $1 AND ${IN_TIME} ORDER BY opened_at DESC`,
    [person],
  );
}

/** Only one's own; false where there is none of that name. */
export async function endSession(q: Queryable, person: number, session: string): Promise<boolean> {
  const rows = await q.query(
    "DELETE FROM sessions WHERE token_hash = decode($1, 'hex') AND person_id = $2 RETURNING 1",
    [session, person],
  );
  await tellLooking(q);
  return rows.length > 0;
}
