/**
 * What a terminal says about itself, and what follows from it: how far it is behind, and what
 * cannot both be true.
 */
import { verifySignature } from '../ledger/chain/key.ts';
import { type Report, reportBytes } from '../ledger/chain/report.codec.ts';
import type { Db } from './db.store.ts';
import type { Enrolment } from './enrolment.store.ts';
import { noteFork, noteIncident } from './incidents.store.ts';
import { hashOf, type Position, position } from './ingest.store.ts';

/** A terminal's clock may be off by this much before it is named. */
export const CLOCK_LIMIT_MS = 60_000;

export type ReportAnswer =
  | { readonly outcome: 'noted'; readonly head: Position }
  | { readonly outcome: 'not-enrolled' }
  | { readonly outcome: 'bad-signature' };

/**
 * Notes a report and answers with our position. A report may arrive late or twice; what it proves
 * stays true: an acknowledgement is given after COMMIT, so an acknowledged entry that is not here
 * has been here; and a terminal that disputes a position has been told that position.
 */
export async function takeReport(db: Db, enrolment: Enrolment, report: Report): Promise<ReportAnswer> {
  const { terminal, headSeq, headHash, ackedSeq, ackedHash, clockOffMs, disputes } = report;
  const publicKey = await enrolment.publicKeyOf(terminal);
  if (publicKey === null) return { outcome: 'not-enrolled' };
  if (!verifySignature(publicKey, reportBytes(report), Buffer.from(report.signature, 'hex'))) {
    await noteIncident(db, terminal, 'bad-signature', 0, 'a report');
    return { outcome: 'bad-signature' };
  }
  return await db.transaction(async (q) => {
    const head = await position(q, terminal);
    if (head === null) {
      enrolment.forget(terminal);
      return { outcome: 'not-enrolled' };
    }
    await q.query(
      `INSERT INTO reports (terminal_id, received_at, head_seq, acked_seq, clock_off_ms, head_hash, locked)
       VALUES ($1, now(), $2, $3, $4, $5, $6)
       ON CONFLICT (terminal_id) DO UPDATE SET received_at = now(), head_seq = excluded.head_seq,
         acked_seq = excluded.acked_seq, clock_off_ms = excluded.clock_off_ms, head_hash = excluded.head_hash,
         locked = excluded.locked`,
      [terminal, headSeq, ackedSeq, clockOffMs, headHash, disputes !== null],
    );
    if (ackedSeq > head.seq) {
      const detail = `entry ${ackedSeq} was acknowledged, the database ended at ${head.seq}: it was put back from a backup`;
      await noteIncident(q, terminal, 'centre-restored', ackedSeq, detail);
    } else {
      const stored = await hashOf(q, terminal, ackedSeq);
      if (stored !== ackedHash)
        await noteFork(q, terminal, { seq: ackedSeq, storedHash: stored, offeredHash: ackedHash }, []);
    }
    if (disputes !== null) {
      const detail = `the terminal has locked its money: it disputes entry ${disputes.seq}, its ledger ends with ${headSeq}:${headHash}`;
      await noteIncident(q, terminal, 'locked', headSeq, detail);
    }
    if (disputes !== null && disputes.seq <= head.seq) {
      const { seq, ownHash } = disputes;
      if (ownHash === null) {
        const detail = `entry ${seq} is stored, the terminal's ledger ended at ${headSeq}: an older copy of its disk`;
        await noteIncident(q, terminal, 'older-copy', headSeq, detail);
      }
      // An older copy may be no more than that, or have gone on by itself since.
      const both = ownHash === null ? { seq: headSeq, hash: headHash } : { seq, hash: ownHash };
      const stored = await hashOf(q, terminal, both.seq);
      if (stored !== both.hash)
        await noteFork(q, terminal, { seq: both.seq, storedHash: stored, offeredHash: both.hash }, []);
    }
    if (clockOffMs !== null && Math.abs(clockOffMs) > CLOCK_LIMIT_MS) {
      const detail = `the terminal's clock was ${Math.abs(clockOffMs)} ms ${clockOffMs > 0 ? 'ahead' : 'behind'}`;
      await noteIncident(q, terminal, 'clock', 0, detail);
    }
    return { outcome: 'noted', head };
  });
}
