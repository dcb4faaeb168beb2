/** Everything the ledger refuses or finds broken. A caller tells them apart by class. */

/** This command is in the ledger already; answer `exists`. */
export class DuplicateCommand extends Error {
  readonly firstSeq: number;
  readonly lastSeq: number;
  constructor(id: string, firstSeq: number, lastSeq: number) {
    super(`command ${id} is in the ledger already, entries ${firstSeq} to ${lastSeq}`);
    this.name = 'DuplicateCommand';
    this.firstSeq = firstSeq;
    this.lastSeq = lastSeq;
  }
}

/** This banknote has been credited by an earlier entry. */
export class DuplicateNote extends Error {
  readonly seq: number;
  constructor(noteId: string, seq: number) {
    super(`note ${noteId} has been credited already by entry ${seq}`);
    this.name = 'DuplicateNote';
    this.seq = seq;
  }
}

/** The postings of an entry do not sum to zero: a bug in the caller, nothing was stored. */
export class UnbalancedEntry extends Error {
  constructor(kind: string, currency: string, sumMinor: number) {
    super(`postings of a ${kind} entry sum to ${sumMinor} ${currency} minor units, not to zero`);
    this.name = 'UnbalancedEntry';
  }
}

/** The file is not the ledger it should be, and stays as it is. */
export class LedgerDamaged extends Error {
  readonly path: string;
  /** What is wrong, without file and entry. */
  readonly what: string;
  /** First entry that is wrong, null when the damage is not in an entry. */
  readonly firstBadSeq: number | null;
  constructor(path: string, firstBadSeq: number | null, what: string) {
    super(
      `ledger ${path} is damaged${firstBadSeq === null ? '' : ` at entry ${firstBadSeq}`}: ${what}. ` +
        'It was left as it is; keep the file and call the technician.',
    );
    this.name = 'LedgerDamaged';
    this.path = path;
    this.what = what;
    this.firstBadSeq = firstBadSeq;
  }
}

/**
 * The ledger and its copy have different histories: which is the true one people and the centre
 * have to say.
 */
export class LedgerForked extends LedgerDamaged {
  /** The copy's entry where they part. */
  readonly other: { readonly seq: number; readonly hash: string };
  constructor(path: string, other: LedgerForked['other'], what: string) {
    super(path, other.seq, what);
    this.name = 'LedgerForked';
    this.other = other;
  }
}

/**
 * The ledger cannot be used as asked: missing, held by another process, of another terminal, not
 * durable.
 */
export class LedgerUnusable extends Error {
  override readonly name: string = 'LedgerUnusable';
}

/**
 * It is another terminal's, or was begun with another key: people have to say which file is the
 * wrong one.
 */
export class LedgerOfAnother extends LedgerUnusable {
  override readonly name = 'LedgerOfAnother';
}
