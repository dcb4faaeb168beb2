/**
 * Carrying a ledger from one file into another. Only bytes, hashes and signatures are read from the
 * source; every other row is rebuilt from them, so that what is damaged there is either noticed
 * here or never looked at.
 */
import { hash as digest } from 'node:crypto';
import { type Checkpoint, checkpointBytes } from '../chain/checkpoint.codec.ts';
import { terminalOf } from '../chain/checks.store.ts';
import { addPostings, balancesHash, balancesText, CLOSING, newestClosing } from '../chain/closings.store.ts';
import { chainHash, decodeEntry, type EntryFields, equalBytes, GENESIS_HASH } from '../chain/entry.codec.ts';
import { keyIdOf, verifySignature } from '../chain/key.ts';
import { SNAPSHOTS_KEPT } from '../schema/migrations.ts';
import type { Sqlite } from '../store/sqlite.store.ts';

/**
 * What stands in the source is not what follows on the target's newest entry. Nothing of it was
 * stored.
 */
export class SourceDamaged extends Error {
  /** The entry it is about. */
  readonly seq: number;
  constructor(seq: number, what: string) {
    super(`entry ${seq}: ${what}`);
    this.name = 'SourceDamaged';
    this.seq = seq;
  }
}

/** A damaged row can hold anything in any column, whatever the schema says of its types. */
export const isReadable = (c: Checkpoint): boolean =>
  [c.no, c.seq, c.atMs].every(Number.isSafeInteger) &&
  [c.reason, c.keyId].every((text) => typeof text === 'string') &&
  [c.entryHash, c.signature, ...(c.stateHash === null ? [] : [c.stateHash])].every(
    (bytes) => bytes instanceof Uint8Array,
  );

export interface Carrier {
  /** Newest entry of the target. */
  head(): { readonly seq: number; readonly hash: Uint8Array };
  /**
   * Carries about `most` entries that the target lacks, always whole transactions of the source, in
   * ONE durable transaction. Returns how many were stored, 0 when the target has all. Throws
   * SourceDamaged, or SQLite's error of either file; the target is then as before.
   */
  entries(most: number): number;
  /**
   * Checkpoints, snapshots and acknowledgements up to the target's newest entry, in the same
   * manner.
   */
  marks(): number;
}

interface EntryRow {
  readonly seq: number;
  readonly bytes: string;
  readonly hash: Uint8Array;
}
type Made = EntryRow & { readonly fields: EntryFields };

/**
 * Stored together, as far as the entries tell: entries without a command differ by their
 * time.
 */
const together = (a: EntryFields, b: EntryFields): boolean =>
  a.commandId === b.commandId && (a.commandId !== null || a.atMs === b.atMs);

/**
 * From a file open for reading into a ledger open for writing, which begins with the same entries
 * or is empty.
 */
export function carrierBetween(from: Sqlite, to: Sqlite): Carrier {
  const terminal = terminalOf(to) ?? '';
  const source = {
    keys: from.prepare<[], { id: string; key: Uint8Array }>(
      'SELECT key_id AS id, public_key AS key FROM keys',
    ),
    entries: from.prepare<[number], EntryRow>(
      'SELECT seq, bytes, hash FROM entries WHERE seq > ? ORDER BY seq',
    ),
    checkpoints: from.prepare<[number], Checkpoint>(
      `SELECT no, seq, entry_hash AS entryHash, state_hash AS stateHash, reason, at_ms AS atMs, key_id AS keyId, signature
       FROM checkpoints WHERE no > ? ORDER BY no LIMIT 1000`,
    ),
    snapshots: from.prepare<[number], { seq: number; state: string; stateHash: Uint8Array; no: number }>(
      'SELECT seq, state, state_hash AS stateHash, checkpoint_no AS no FROM snapshots WHERE seq > ? ORDER BY seq',
    ),
    /**
     * Whether there is anything for `marks`: most commits bring none, and a transaction is a sync
     * of the disk.
     */
    anyMark: from
      .prepare<[Record<'checkpoint' | 'snapshot' | 'ack' | 'upTo', number>], 0 | 1>(
        `SELECT EXISTS (SELECT 1 FROM checkpoints WHERE no = @checkpoint + 1 AND seq <= @upTo)
         OR EXISTS (SELECT 1 FROM snapshots WHERE seq > @snapshot AND seq <= @upTo)
         OR EXISTS (SELECT 1 FROM acks WHERE seq > @ack AND seq <= @upTo)`,
      )
      .pluck(),
    acks: from.prepare<[number], { seq: number; hash: Uint8Array; atMs: number }>(
      'SELECT seq, hash, at_ms AS atMs FROM acks WHERE seq > ? ORDER BY seq LIMIT 1000',
    ),
  };
  const target = {
    key: to.prepare('INSERT INTO keys VALUES (?, ?)'),
    publicKey: to.prepare<[string], Uint8Array>('SELECT public_key FROM keys WHERE key_id = ?').pluck(),
    entry: to.prepare('INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?)'),
    command: to.prepare('INSERT INTO commands VALUES (?, ?, ?)'),
    roundRun: to.prepare('INSERT INTO round_runs VALUES (?, ?)'),
    roundId: to.prepare<[], string | null>('SELECT round_id FROM entries ORDER BY seq DESC LIMIT 1').pluck(),
    closing: to.prepare('INSERT INTO closings VALUES (?, ?, ?)'),
    note: to.prepare('INSERT INTO note_credits VALUES (?, ?)'),
    checkpoint: to.prepare('INSERT INTO checkpoints VALUES (?, ?, ?, ?, ?, ?, ?, ?)'),
    snapshot: to.prepare('INSERT INTO snapshots VALUES (?, ?, ?, ?)'),
    prune: to.prepare(
      'DELETE FROM snapshots WHERE seq < (SELECT seq FROM snapshots ORDER BY seq DESC LIMIT 1 OFFSET ?)',
    ),
    ack: to.prepare('INSERT INTO acks VALUES (?, ?, ?)'),
    head: to.prepare<[], { seq: number; hash: Uint8Array }>(
      'SELECT seq, hash FROM entries ORDER BY seq DESC LIMIT 1',
    ),
    hashAt: to.prepare<[number], Uint8Array>('SELECT hash FROM entries WHERE seq = ?').pluck(),
    stateHash: to
      .prepare<[number], Uint8Array | null>('SELECT state_hash FROM checkpoints WHERE no = ?')
      .pluck(),
    newest: to.prepare<[], { checkpoint: number; snapshot: number; ack: number }>(
      `SELECT coalesce((SELECT max(no) FROM checkpoints), 0) AS checkpoint,
       coalesce((SELECT max(seq) FROM snapshots), -1) AS snapshot,
       coalesce((SELECT max(seq) FROM acks), 0) AS ack`,
    ),
  };
  const headNow = (): { seq: number; hash: Uint8Array } =>
    target.head.get() ?? { seq: 0, hash: GENESIS_HASH };
  const hashAt = (seq: number): Uint8Array | null =>
    seq === 0 ? GENESIS_HASH : (target.hashAt.get(seq) ?? null);

  /**
   * The next entries of the source, checked, whole transactions only. One statement sees one state
   * of the source.
   */
  const read = (most: number): Made[] => {
    const made: Made[] = [];
    let previous = headNow();
    for (const row of source.entries.iterate(previous.seq)) {
      const seq = previous.seq + 1;
      if (row.seq !== seq) throw new SourceDamaged(seq, `is missing, the next one is ${row.seq}`);
      if (typeof row.bytes !== 'string' || !(row.hash instanceof Uint8Array))
        throw new SourceDamaged(seq, 'bytes or hash cannot be read');
      if (!equalBytes(chainHash(previous.hash, row.bytes), row.hash))
        throw new SourceDamaged(seq, 'hash does not fit');
      const decoded = decodeEntry(row.bytes);
      if (!decoded.ok) throw new SourceDamaged(seq, decoded.what);
      const { fields } = decoded;
      if (fields.seq !== seq || decoded.terminal !== terminal)
        throw new SourceDamaged(seq, `is entry ${fields.seq} of terminal ${decoded.terminal}`);
      const last = made.at(-1);
      if (last !== undefined && made.length >= most && !together(last.fields, fields)) break;
      previous = { seq, hash: row.hash };
      made.push({ ...row, fields });
    }
    return made;
  };

  const store = (entries: readonly Made[]): void => {
    /** The command whose entries are being stored, and its first one. */
    let open = { id: '', first: 0 };
    let round = target.roundId.get() ?? null;
    for (const [i, { seq, bytes, hash, fields }] of entries.entries()) {
      target.entry.run(seq, fields.atMs, fields.kind, fields.roundId, fields.commandId, bytes, hash);
      if (fields.roundId !== null && fields.roundId !== round) target.roundRun.run(seq, fields.roundId);
      round = fields.roundId;
      if (fields.noteId !== null) target.note.run(fields.noteId, seq);
      if (fields.commandId === null) continue;
      if (open.id !== fields.commandId) open = { id: fields.commandId, first: seq };
      if (entries[i + 1]?.fields.commandId !== fields.commandId) target.command.run(open.id, open.first, seq);
    }
  };

  const storeKeys = (): void => {
    for (const { id, key } of source.keys.all())
      if (key instanceof Uint8Array && keyIdOf(key) === id && target.publicKey.get(id) === undefined)
        target.key.run(id, key);
  };

  /**
   * The balances as the target's own postings have them; false when the checkpoint signs others.
   */
  const storeClosing = ({ seq, no, stateHash }: Checkpoint): boolean => {
    const before = newestClosing(to);
    addPostings(to, before.balances, before.seq, seq);
    const text = balancesText(before.balances);
    if (stateHash === null || !equalBytes(balancesHash(text), stateHash)) return false;
    target.closing.run(seq, text, no);
    return true;
  };

  const storeCheckpoints = (after: number, upTo: number): number => {
    let stored = 0;
    for (const c of source.checkpoints.all(after)) {
      if (c.seq > upTo) break;
      const wrong = (what: string): never => {
        throw new SourceDamaged(c.seq, `checkpoint ${c.no} ${what}`);
      };
      if (!isReadable(c)) wrong('cannot be read');
      if (c.no !== after + stored + 1) wrong(`follows ${after + stored}`);
      const own = hashAt(c.seq);
      if (own === null || !equalBytes(own, c.entryHash)) wrong('has another hash than its entry');
      const key = target.publicKey.get(c.keyId);
      if (key === undefined || !verifySignature(key, checkpointBytes(terminal, c), c.signature))
        wrong('has a bad signature');
      target.checkpoint.run(c.no, c.seq, c.entryHash, c.stateHash, c.reason, c.atMs, c.keyId, c.signature);
      if (c.reason === CLOSING && !storeClosing(c)) wrong('signs other balances');
      stored += 1;
    }
    return stored;
  };

  /** A state can always be computed from the entries: one that does not hold is left out. */
  const storeSnapshots = (after: number, upTo: number): number => {
    let stored = 0;
    for (const { seq, state, stateHash, no } of source.snapshots.iterate(after)) {
      if (seq > upTo) break;
      const signed = target.stateHash.get(no) ?? null;
      const holds =
        typeof state === 'string' &&
        stateHash instanceof Uint8Array &&
        equalBytes(digest('sha256', state, 'buffer'), stateHash) &&
        signed !== null &&
        equalBytes(signed, stateHash);
      if (!holds) continue;
      target.snapshot.run(seq, state, stateHash, no);
      stored += 1;
    }
    if (stored > 0) target.prune.run(SNAPSHOTS_KEPT - 1);
    return stored;
  };

  const storeAcks = (after: number, upTo: number): number => {
    let stored = 0;
    for (const { seq, hash, atMs } of source.acks.all(after)) {
      if (seq > upTo) break;
      const own = hashAt(seq);
      if (own === null || !(hash instanceof Uint8Array) || !equalBytes(own, hash))
        throw new SourceDamaged(seq, 'the centre acknowledged another one');
      target.ack.run(seq, hash, atMs);
      stored += 1;
    }
    return stored;
  };

  return {
    head: headNow,
    entries(most) {
      const entries = read(most);
      if (entries.length === 0) return 0;
      to.transaction(() => {
        storeKeys();
        store(entries);
      }).immediate();
      return entries.length;
    },
    marks() {
      const { checkpoint, snapshot, ack } = target.newest.get()!;
      const upTo = headNow().seq;
      if (!source.anyMark.get({ checkpoint, snapshot, ack, upTo })) return 0;
      return to
        .transaction(() => {
          storeKeys();
          return storeCheckpoints(checkpoint, upTo) + storeSnapshots(snapshot, upTo) + storeAcks(ack, upTo);
        })
        .immediate();
    },
  };
}
