/**
 * A ledger in dispute rebuilt by the centre's word: its own entries as far as the centre has the
 * same ones, after them the centre's, which this terminal has signed once. What it had instead
 * stays in the file that is kept aside.
 */
import { closeSync, existsSync, openSync, readSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { parseBounded } from '../chain/bounded-json.ts';
import { chainHash, decodeEntry, equalBytes, GENESIS_HASH, toHex } from '../chain/entry.codec.ts';
import type { LedgerKey } from '../chain/key.ts';
import { readWord, type SignedWord, type Word } from '../chain/word.codec.ts';
import { syncToDisk } from '../store/key.store.ts';
import { type LedgerReader, LedgerUnusable, openLedger, openLedgerReader } from '../store/ledger.store.ts';
import { lockPath } from '../store/open.store.ts';
import { openForWriting, type Sqlite, takeLock } from '../store/sqlite.store.ts';
import type { NamedWitness, Witness } from '../store/witness.store.ts';
import { forkOf } from './mend.store.ts';
import { evidenceName, finishRebuild, openSource, rebuild, takePlace } from './rebuild.store.ts';

/** The first line of a word's file; the entries from `firstSeq` on follow, a line each. */
const FirstLine = z.strictObject({
  word: z.strictObject({
    bytes: z.string().max(4_096),
    signature: z.string().regex(/^[0-9a-f]{128}$/),
  }),
  firstSeq: z.int().min(1),
});
/** Longer than any entry. */
const LINE_BYTES = 2 ** 22;

/** The body of the ledger's own entry about it. */
export interface Restored extends SignedWord {
  /** Who was there. */
  readonly persons: readonly { readonly id: string; readonly name: string; readonly role: string }[];
  /** Newest entry that the ledger in dispute and the centre have in common. */
  readonly commonSeq: number;
  /**
   * What the ledger in dispute had after it and the centre has not, 0 for nothing; `evidence` holds
   * it.
   */
  readonly droppedEntries: number;
  /**
   * What people have to settle: for each account the sum of its postings there,
   * `<currency>/<account> <minor units>`.
   */
  readonly droppedSums: readonly string[];
  /** The file that was replaced, null where nothing was. */
  readonly evidence: string | null;
  readonly counter: RestoreOptions['counter'];
}

export interface RestoreOptions {
  readonly path: string;
  readonly copyPath: string;
  readonly terminalId: string;
  readonly key: LedgerKey;
  /** Raw Ed25519 key for commands of the centre. */
  readonly commandKey: Uint8Array;
  readonly witness: Witness;
  /** The witness that the newest start of a ledger names. */
  readonly named: (ledger: LedgerReader) => NamedWitness | null;
  /** What the TPM has counted, which the ledger goes on from; null = nothing counts. */
  readonly counter: { readonly found: number; readonly willBe: number } | null;
  readonly wordPath: string;
  readonly now: () => number;
}

/** Newest entry of a ledger that nobody runs on; 0 and zeros where there is none. */
export function disputedHead(path: string): { readonly seq: number; readonly hash: Uint8Array } {
  if (!existsSync(path)) return { seq: 0, hash: GENESIS_HASH };
  const reader = openLedgerReader(path);
  try {
    return reader.newest({ beforeSeq: null, limit: 1, kind: null })[0] ?? { seq: 0, hash: GENESIS_HASH };
  } finally {
    reader.close();
  }
}

/**
 * The word, if it holds for this terminal and this image of its ledger. Throws Error with a
 * sentence.
 */
export function checkWord(o: RestoreOptions): Word {
  const { word: signed } = firstLine(o.wordPath);
  const word = readWord(signed, o.commandKey);
  if (word.terminal !== o.terminalId)
    throw new Error(`the word is for terminal ${word.terminal}, this is ${o.terminalId}`);
  if (word.issuedAtMs <= o.witness.wordAtMs)
    throw new Error('the word, or a later one, was taken here before: each holds once');
  const own = disputedHead(o.path);
  const isSame = own.seq === word.disputed.seq && toHex(own.hash) === word.disputed.hash;
  if (!isSame && !isTaken(o.path, signed))
    throw new Error(
      `the word is for a ledger that ends with ${word.disputed.seq}:${word.disputed.hash}, this one ends with ${own.seq}:${toHex(own.hash)}`,
    );
  return word;
}

/**
 * Ends what a killed process has begun with a word: only then does the ledger end as it will.
 * Throws LedgerUnusable.
 */
export function finishRestore({ path, terminalId }: Pick<RestoreOptions, 'path' | 'terminalId'>): void {
  const lock = lockOf(path);
  try {
    finishRebuild(path, terminalId);
  } finally {
    lock.close();
  }
}

function lockOf(path: string): Sqlite {
  const lock = takeLock(lockPath(path));
  if (lock === null) throw new LedgerUnusable(`ledger ${path} is in use: stop the terminal first`);
  return lock;
}

/**
 * Makes the ledger again by a word that was checked. Killed at any step it is as before, or
 * finished by the same word. Throws Error with a sentence, with nothing changed.
 */
export function restoreLedger(o: RestoreOptions, persons: Restored['persons']): Restored | null {
  const { path, copyPath, witness, named } = o;
  const lock = lockOf(path);
  try {
    const word = checkWord(o);
    const restored = isTaken(path, firstLine(o.wordPath).word) ? null : replace(o, word, persons);
    // After the ledger: until then it is the copy that shows a fork.
    if (forkOf(path, copyPath, o) !== null) setAside(copyPath);
    const reader = openLedgerReader(path);
    try {
      witness.settled(disputedHead(path), word.issuedAtMs, named(reader));
    } finally {
      reader.close();
    }
    return restored;
  } finally {
    lock.close();
  }
}

function replace(o: RestoreOptions, word: Word, persons: Restored['persons']): Restored {
  const { path, terminalId, key } = o;
  const of = { terminalId, key, createIfMissing: false };
  const signed = firstLine(o.wordPath).word;
  const sourcePath = `${path}.centre`;
  let restored: Restored | null = null;
  const note = (file: string, more: Omit<Restored, keyof SignedWord | 'persons' | 'counter'>): void => {
    const ledger = openLedger(file, of);
    try {
      const atMs = Math.max(o.now(), ledger.read(ledger.head().seq, 1)[0]?.atMs ?? 0);
      restored = { ...signed, persons, ...more, counter: o.counter };
      ledger.append(atMs, null, [{ kind: 'ledger-restored', roundId: null, body: restored, postings: [] }]);
      ledger.checkpoint('repair', null, atMs);
    } finally {
      ledger.close();
    }
  };
  try {
    const { commonSeq, dropped } = gather(o, word, sourcePath);
    const evidence = existsSync(path) ? evidenceName(path) : null;
    const source = openSource(sourcePath);
    try {
      const why = rebuild(path, [source], of, (file) => note(file, { commonSeq, ...dropped, evidence }));
      if (why !== null) throw new Error(`the ledger cannot be made of what the word's file has: ${why}`);
    } finally {
      source.close();
    }
    takePlace(path);
    return restored!;
  } finally {
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(sourcePath + suffix, { force: true });
  }
}

/**
 * A file of the entries up to the centre's newest one, and beside it what this ledger has instead.
 */
function gather(
  { path, key, terminalId, wordPath, witness }: RestoreOptions,
  { centre, disputed, lost }: Word,
  sourcePath: string,
): { commonSeq: number; dropped: Pick<Restored, 'droppedEntries' | 'droppedSums'> } {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(sourcePath + suffix, { force: true });
  const db = openForWriting(sourcePath, { create: true });
  try {
    db.exec(`CREATE TABLE identity (only_one INTEGER, terminal TEXT);
      CREATE TABLE keys (key_id TEXT, public_key BLOB);
      CREATE TABLE entries (seq INTEGER PRIMARY KEY, bytes TEXT, hash BLOB);
      CREATE TABLE checkpoints (no INTEGER PRIMARY KEY, seq, entry_hash, state_hash, reason, at_ms, key_id, signature);
      CREATE TABLE snapshots (seq INTEGER PRIMARY KEY, state, state_hash, checkpoint_no);
      CREATE TABLE acks (seq INTEGER PRIMARY KEY, hash, at_ms);`);
    db.prepare('INSERT INTO keys VALUES (?, ?)').run(key.keyId, key.publicKey);
    const own = existsSync(path);
    if (own) db.prepare('ATTACH ? AS own').run(path);
    const ownHash = own
      ? db.prepare<[number], Uint8Array>('SELECT hash FROM own.entries WHERE seq = ?').pluck()
      : null;
    const hashAt = (seq: number): Uint8Array | null =>
      seq === 0 ? GENESIS_HASH : (ownHash?.get(seq) ?? null);
    const insert = db.prepare('INSERT INTO entries VALUES (?, ?, ?)');
    const { firstSeq } = firstLine(wordPath);
    let hash = hashAt(firstSeq - 1);
    if (hash === null)
      throw new Error(
        `the word's file begins at entry ${firstSeq}, this ledger ends at ${disputed.seq}: ask for one from 1`,
      );
    let seq = firstSeq - 1;
    let commonSeq = seq;
    const seen = witness.head;
    const isSeen = (at: number, own: Uint8Array | null): boolean =>
      at === seen?.seq && own !== null && toHex(own) === seen.hash;
    let hasSeen = seen === null || isSeen(seen.seq, hashAt(seen.seq));
    db.exec('BEGIN');
    for (const line of entryLines(wordPath)) {
      seq += 1;
      const decoded = decodeEntry(line);
      if (!decoded.ok || decoded.terminal !== terminalId || decoded.fields.seq !== seq)
        throw new Error(`line ${seq - firstSeq + 2} of the word's file is not entry ${seq} of ${terminalId}`);
      hash = chainHash(hash, line);
      hasSeen ||= isSeen(seq, hash);
      const mine = commonSeq === seq - 1 ? hashAt(seq) : null;
      if (mine !== null && equalBytes(mine, hash)) commonSeq = seq;
      else insert.run(seq, line, hash);
    }
    if (seq !== centre.seq || toHex(hash) !== centre.hash)
      throw new Error(
        `the entries of the word's file end with ${seq}:${toHex(hash)}, the word is about ${centre.seq}:${centre.hash}`,
      );
    // Money may have been paid in what nobody has any more: it would be payable again.
    if (!hasSeen && (lost?.seq !== seen?.seq || lost?.hash !== seen?.hash))
      throw new Error(
        `this terminal had entry ${seen?.seq}:${seen?.hash}, which neither this ledger nor the centre has: find the folder that has it, or the word must name it as lost`,
      );
    // Its own entries go on after the centre's newest one: nothing is at odds, the centre has not
    // had them yet.
    const keptSeq = commonSeq === centre.seq ? disputed.seq : commonSeq;
    if (own)
      for (const [table, columns] of OWN)
        db.prepare(`INSERT INTO ${table} SELECT ${columns} FROM own.${table} WHERE seq <= ?`).run(keptSeq);
    db.exec('COMMIT');
    if (own) db.exec('DETACH own');
    return { commonSeq, dropped: droppedOf(path, keptSeq) };
  } finally {
    db.close();
  }
}

const OWN: readonly (readonly [table: string, columns: string])[] = [
  ['entries', 'seq, bytes, hash'],
  ['checkpoints', 'no, seq, entry_hash, state_hash, reason, at_ms, key_id, signature'],
  ['snapshots', 'seq, state, state_hash, checkpoint_no'],
  ['acks', 'seq, hash, at_ms'],
];

function droppedOf(path: string, keptSeq: number): Pick<Restored, 'droppedEntries' | 'droppedSums'> {
  const sums: Record<string, number> = {};
  let droppedEntries = 0;
  if (!existsSync(path)) return { droppedEntries, droppedSums: [] };
  const reader = openLedgerReader(path);
  try {
    for (let from = keptSeq + 1; ; ) {
      const page = reader.read(from, 1_000);
      for (const { postings } of page) {
        droppedEntries += 1;
        for (const { account, currency, amountMinor } of postings) {
          const name = `${currency}/${account}`;
          sums[name] = (sums[name] ?? 0) + amountMinor;
        }
      }
      if (page.length === 0) break;
      from = page.at(-1)!.seq + 1;
    }
  } finally {
    reader.close();
  }
  return {
    droppedEntries,
    droppedSums: Object.entries(sums).flatMap(([account, minor]) =>
      minor === 0 ? [] : [`${account} ${minor}`],
    ),
  };
}

/**
 * The ledger ends with the entry about this word: a process that was killed has done all but the
 * last step.
 */
function isTaken(path: string, signed: SignedWord): boolean {
  if (!existsSync(path)) return false;
  const reader = openLedgerReader(path);
  try {
    const [newest] = reader.newest({ beforeSeq: null, limit: 1, kind: null });
    return newest?.kind === 'ledger-restored' && (newest.body as Restored).bytes === signed.bytes;
  } finally {
    reader.close();
  }
}

/** Under a name of its own, with what belongs to it; the place is as if nothing had been there. */
function setAside(path: string): void {
  const name = evidenceName(path);
  // The file last: it is the name that is looked for.
  for (const suffix of ['-wal', '-shm', ''])
    if (existsSync(path + suffix)) renameSync(path + suffix, name + suffix);
  rmSync(lockPath(path), { force: true });
  syncToDisk(dirname(path));
}

function firstLine(path: string): z.infer<typeof FirstLine> {
  const first = linesOf(path).next();
  if (first.done === true) throw new Error(`${path} is empty`);
  const parsed = FirstLine.safeParse(parseBounded(first.value, { characters: LINE_BYTES, depth: 4 }));
  if (!parsed.success) throw new Error(`${path}, line 1: ${parsed.error.issues[0]!.message}`);
  return parsed.data;
}

function* entryLines(path: string): Generator<string> {
  const lines = linesOf(path);
  lines.next();
  yield* lines;
}

/**
 * Line by line: a ledger of years need not fit into memory. Throws RangeError for a line longer
 * than any entry.
 */
function* linesOf(path: string): Generator<string> {
  const file = openSync(path, 'r');
  try {
    let rest = Buffer.alloc(0);
    const part = Buffer.allocUnsafe(2 ** 20);
    for (let size = readSync(file, part); size > 0; size = readSync(file, part)) {
      rest = Buffer.concat([rest, part.subarray(0, size)]);
      for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
        yield rest.subarray(0, end).toString('utf8');
        rest = rest.subarray(end + 1);
      }
      if (rest.length > LINE_BYTES)
        throw new RangeError(`${path}: a line is longer than ${LINE_BYTES} bytes`);
    }
    if (rest.length > 0) yield rest.toString('utf8');
  } finally {
    closeSync(file);
  }
}
