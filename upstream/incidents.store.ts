/** What did not fit, kept for the people who have to find out why. */
import type { CheckedEntry } from '../ledger/chain/batch.codec.ts';
import { toHex } from '../ledger/chain/entry.codec.ts';
import type { Queryable } from './db.store.ts';

const textOf = ({ bytes }: CheckedEntry): string => Buffer.from(bytes).toString();

export const INCIDENT_KINDS = [
  'gap',
  'older-copy',
  'centre-restored',
  'clock',
  'bad-signature',
  'locked',
] as const;
export type IncidentKind = (typeof INCIDENT_KINDS)[number];

/** One line for each kind and entry, however often it happens. `seq` 0: it is about no entry. */
export async function noteIncident(
  q: Queryable,
  terminal: string,
  kind: IncidentKind,
  seq: number,
  detail: string,
): Promise<void> {
  await q.query(
    `INSERT INTO incidents (terminal_id, kind, seq, detail) VALUES ($1, $2, $3, $4)
     ON CONFLICT (terminal_id, kind, seq)
     DO UPDATE SET times = incidents.times + 1, last_seen_at = now(), detail = excluded.detail`,
    [terminal, kind, seq, detail],
  );
}

/**
 * Two histories under one name part at `seq`. What was offered is kept beside what is stored:
 * neither merged with it nor put over it.
 */
export async function noteFork(
  q: Queryable,
  terminal: string,
  { seq, storedHash, offeredHash }: { seq: number; storedHash: string; offeredHash: string },
  offered: readonly CheckedEntry[],
): Promise<void> {
  await q.query(
    `INSERT INTO forks (terminal_id, seq, stored_hash, offered_hash, offered_bytes)
     VALUES ($1, $2, decode($3, 'hex'), decode($4, 'hex'), $5)
     ON CONFLICT (terminal_id, seq, offered_hash) DO UPDATE SET times = forks.times + 1, last_seen_at = now(),
       offered_bytes = coalesce(forks.offered_bytes, excluded.offered_bytes)`,
    [terminal, seq, storedHash, offeredHash, offered[0]?.seq === seq ? textOf(offered[0]) : null],
  );
  if (offered.length === 0) return;
  await q.query(
    `INSERT INTO fork_entries (terminal_id, seq, hash, bytes)
     SELECT $1, seq, decode(hash, 'hex'), bytes FROM unnest($2::bigint[], $3::text[], $4::text[]) AS new (seq, hash, bytes)
     ON CONFLICT DO NOTHING`,
    [terminal, offered.map((e) => e.seq), offered.map((e) => toHex(e.hash)), offered.map(textOf)],
  );
}
