/**
 * What the centre keeps for a time only, how long, and what takes it away.
 * docs/operations/centre-operations.md has it beside what is kept for good, and why.
 */
import type { Queryable } from './db.store.ts';
import { SLOT_MS } from './floor.store.ts';

/** A link for a passkey is good for this long, once. */
export const LINK_HOURS = 24;
/** A session that nobody uses ends, and one that is used ends all the same. */
const IDLE_MINUTES = 30;
const SESSION_HOURS = 12;
/** Of `sessions s`: it is not over. */
export const IN_TIME = `s.seen_at > now() - interval '${IDLE_MINUTES} minutes'
  AND s.opened_at > now() - interval '${SESSION_HOURS} hours'`;
/** Rounds in each five minutes: last week's same day is compared with. */
const PACE_DAYS = 8;
export const KEPT_SLOTS = (PACE_DAYS * 86_400_000) / SLOT_MS;

/** Where the time of rounds went, by dealer: a year and a month. */
const SECONDS_HOURS = 400 * 24;
const HOUR_MS = 3_600_000;

/** Every five minutes, by whichever instance is first. */
export async function forget(q: Queryable, nowMs: number): Promise<void> {
  await q.query('DELETE FROM floor_paces WHERE slot < $1', [Math.floor(nowMs / SLOT_MS) - KEPT_SLOTS]);
  await q.query('DELETE FROM round_seconds WHERE hour < $1', [Math.floor(nowMs / HOUR_MS) - SECONDS_HOURS]);
  await q.query(`DELETE FROM sessions s WHERE NOT (${IN_TIME})`);
  await q.query('DELETE FROM enrolment_links WHERE ends_at < now()');
  await q.query('DELETE FROM spent_challenges WHERE ends_at < now()');
}
