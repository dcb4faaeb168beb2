/**
 * `node test/verifier/flips.ts [--entries N] [--shard I/N] [--seed S] [--only WORDS]`: every byte
 * of a played ledger with one bit flipped, in turn; prints at once each that was not found, outside
 * of unused space, and at the end how many were found. The seed chooses the bits; `--only` takes
 * the bytes whose place (as `entries leaf: type of column 0`, or `unused`) fits this regular
 * expression. Exit 1 when a flip was not found outside of the places that docs/ledger-format.md
 * names.
 *
 * A whole check for each of a million flips takes a day. So each flip is first put to those checks
 * of the verifier that read its page, over the rows that stand there: what they find, the whole
 * check finds, since it runs the same function over more rows. Only where they find nothing is the
 * whole check run. One connection stays open in rollback mode: SQLite drops its pages when the
 * change counter in the header has changed, which is written with every flip. Pages of the schema
 * are read at opening and get a connection of their own each time. Unused space no check reads: of
 * it every 1021st byte is flipped, and put to the whole check.
 */
import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import Database from 'better-sqlite3';
import {
  checkAcks,
  checkCheckpoints,
  checkIdentity,
  checkIndexes,
  checkKeys,
  checkSchema,
  checkSnapshots,
  type Found,
} from '../../ledger/chain/checks.store.ts';
import { checkBalances, checkClosings, checkCommands } from '../../ledger/chain/closings.store.ts';
import { checkEntries } from '../../ledger/chain/entry-checks.store.ts';
import { argumentsOf } from '../../ledger/chain/program-arguments.ts';
import { type VerifyReport, verifyLedger, verifyOpen } from '../../ledger/chain/verifier.store.ts';
import { makePlayedLedger, TERMINAL } from './played-ledger.ts';
import { type Page, pagesOf } from './sqlite-pages.ts';

const HEADER_CHANGE_COUNTER = 24;
const HEADER_VERSIONS = 18;
/** Bytes of unused space between two that are checked in full. */
const UNUSED_STEP = 1021;
/** Places that say nothing, each named in docs/ledger-format.md, section 6. */
const SAYS_NOTHING = [
  /: byte (18|2[4-7]|4[0-689]|5[01]|5[6-9]|7[2-9]|8\d|9[0-9]) of the file's header$/,
  /^(identity|entries|checkpoints|snapshots|acks|round_runs|closings) leaf: type of column 0$/,
  /^\w+ internal: rowid$/,
  /^sqlite_schema leaf: rowid$/,
  /^acks leaf: (type of )?column 2$/,
];

const { values } = argumentsOf({
  options: {
    entries: { type: 'string', default: '1900' },
    shard: { type: 'string', default: '1/1' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
  },
});
const only = new RegExp(values.only);
const [part = 1, parts = 1] = values.shard.split('/').map(Number);
const dir = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'banca-flips-'));
process.on('exit', () => rmSync(dir, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130));

makePlayedLedger(dir, Number(values.entries));
const original = join(dir, 'ledger.db');
const good = readFileSync(original);
const pages = pagesOf(original);
/** What is flipped and read in place; rollback mode, see above. */
const live = join(dir, 'live.db');
writeFileSync(live, good);
const fd = openSync(live, 'r+');
writeSync(fd, Buffer.from([1, 1]), 0, 2, HEADER_VERSIONS);
const db = new Database(live, { readonly: true });
const keys = checkKeys(db, () => {});
const head = db.prepare<[], number>('SELECT max(seq) FROM entries').pluck().get()!;
const checkpoints = db.prepare<[], number>('SELECT max(no) FROM checkpoints').pluck().get()!;
const notes = db.prepare<[], number>('SELECT count(*) FROM note_credits').pluck().get()!;
const TABLES = [
  'identity', 'keys', 'entries', 'commands', 'note_credits', 'checkpoints', 'snapshots', 'round_runs', 'closings',
] as const; // biome-ignore format: a list
/**
 * Everything the ledger says; the time of an acknowledgement is the one column nothing vouches for.
 */
const contents = (of: Database.Database): string => {
  const hash = createHash('sha256');
  for (const sql of [
    'SELECT * FROM sqlite_schema',
    'SELECT seq, hash FROM acks',
    ...TABLES.map((table) => `SELECT * FROM ${table}`),
  ])
    hash.update(JSON.stringify(of.prepare(sql).all()));
  return hash.digest('hex');
};
const goodContents = contents(db);

/** Pages of the schema are read from a file of their own. */
const fresh = join(dir, 'fresh.db');
function dropLog(): void {
  for (const suffix of ['-wal', '-shm']) rmSync(fresh + suffix, { force: true });
}
function freshContents(): string {
  const opened = new Database(fresh, { readonly: true });
  try {
    return contents(opened);
  } finally {
    opened.close();
    dropLog();
  }
}

/** The checks that read a page, over the rows that stand on it. */
function checkPage(page: Page, offset: number, found: Found): void {
  const { table } = page;
  const seq = page.seqAt(offset % page.size);
  const [firstSeq, lastSeq] = seq === null ? [page.firstSeq, page.lastSeq] : [seq, seq];
  switch (table) {
    case 'entries':
      if (firstSeq === null) checkEntries(db, TERMINAL, 1, head, found);
      else checkEntries(db, TERMINAL, firstSeq, Math.min(head, lastSeq! + 1), found);
      return;
    case 'round_runs':
      checkEntries(db, TERMINAL, 1, head, found);
      return;
    case 'commands':
      return checkCommands(db, true, found);
    case 'checkpoints':
      checkCheckpoints(db, TERMINAL, keys, Number.MIN_SAFE_INTEGER, checkpoints, found);
      return;
    case 'snapshots':
      checkSnapshots(db, TERMINAL, keys, false, found);
      return;
    case 'closings':
      checkClosings(db, false, found);
      checkBalances(db, true, found);
      return;
    case 'acks':
      checkAcks(db, found);
      return;
    case 'identity':
      return checkIdentity(db, found);
    case 'keys':
      checkKeys(db, found);
      return;
    default:
      checkIndexes(db, found);
  }
}

interface Outcome {
  readonly found: boolean;
  /** At an entry of the page, else at a part of the ledger or a page of the file. */
  readonly at: 'entry' | 'part' | null;
}

function flip(page: Page, offset: number): Outcome {
  let outcome: Outcome = { found: false, at: null };
  const found: Found = ({ seq }) => {
    const here =
      seq !== null && (page.firstSeq === null || (seq >= page.firstSeq && seq <= page.lastSeq! + 1));
    if (!outcome.found || here) outcome = { found: true, at: here ? 'entry' : 'part' };
    // More would say nothing more.
    if (here || page.firstSeq === null) throw new Error('found');
  };
  const wholeCheck = ({ problems }: VerifyReport): void => {
    try {
      problems.forEach(found);
    } catch {}
  };
  if (page.table === 'sqlite_schema') {
    const flipped = Buffer.from(good);
    flipped[offset] = readFlipped(offset);
    writeFileSync(fresh, flipped);
    const isHeader = offset < 100;
    try {
      if (isHeader) throw new Error('the header is read at opening');
      const opened = new Database(fresh, { readonly: true });
      try {
        checkSchema(opened, found);
      } finally {
        opened.close();
        dropLog();
      }
    } catch {
      // What it throws is not yet a finding: the verifier has to say it.
    }
    if (!outcome.found) wholeCheck(verifyLedger(fresh));
    return outcome;
  }
  try {
    checkPage(page, offset, found);
  } catch {
    // What cannot be read is a finding too.
    if (!outcome.found) outcome = { found: true, at: 'part' };
  }
  if (!outcome.found) wholeCheck(verifyOpen(db));
  return outcome;
}

let counter = 1;
const word = Buffer.alloc(4);
function write(offset: number, byte: number): void {
  writeSync(fd, Buffer.from([byte]), 0, 1, offset);
  word.writeUInt32BE(counter++);
  writeSync(fd, word, 0, 4, HEADER_CHANGE_COUNTER);
}

const draw = createHash('sha256').update(values.seed).digest();
const readFlipped = (offset: number): number => good[offset]! ^ (1 << ((draw[offset % 32]! + offset) % 8));

const count = { flips: 0, atEntry: 0, atPart: 0, unusedNotFound: 0, unusedLeftOut: 0 };
/** Not found outside of unused space, by place. */
const silent = new Map<string, number>();
let bad = 0;
const from = Math.floor(((part - 1) * good.length) / parts);
const to = Math.floor((part * good.length) / parts);
for (let offset = from; offset < to; offset++) {
  const page = pages[Math.floor(offset / pages[0]!.size)]!;
  const isUnused = page.isUnused(offset % page.size);
  const place = isUnused ? 'unused' : `${page.table} ${page.type}: ${page.placeOf(offset % page.size)}`;
  if (!only.test(place)) continue;
  if (isUnused && offset % UNUSED_STEP !== 0) {
    count.unusedLeftOut++;
    continue;
  }
  if (offset >= 100) write(offset, readFlipped(offset));
  const { found, at } = flip(page, offset);
  count.flips++;
  if (at === 'entry') count.atEntry++;
  else if (at === 'part') count.atPart++;
  else if (isUnused) count.unusedNotFound++;
  const readsTheSame = (): boolean =>
    (page.table === 'sqlite_schema' ? freshContents() : contents(db)) === goodContents;
  if (!found && !isUnused) {
    let same = false;
    try {
      same = readsTheSame();
    } catch {}
    const name = same ? place : `READS DIFFERENTLY: ${place}`;
    if (!same || !SAYS_NOTHING.some((nothing) => nothing.test(place))) bad++;
    const [was, is] = [good[offset]!, readFlipped(offset)].map((byte) => byte.toString(16).padStart(2, '0'));
    process.stdout.write(
      `not found: byte ${offset} (page ${Math.floor(offset / page.size) + 1}, ${offset % page.size}), ${was} to ${is}: ${name}\n`,
    );
    silent.set(name, (silent.get(name) ?? 0) + 1);
  } else if (!found && !readsTheSame()) {
    bad++;
    silent.set(`READS DIFFERENTLY: unused ${page.table} at byte ${offset}`, 1);
  }
  if (offset >= 100) write(offset, good[offset]!);
  // Signals are heard between flips only.
  if (count.flips % 1_000 === 0) await nextTurn();
  if (count.flips % 10_000 === 0) process.stderr.write(`${offset} of ${to}: ${JSON.stringify(count)}\n`);
}
closeSync(fd);
db.close();
process.stdout.write(
  `${JSON.stringify({ seed: values.seed, bytes: good.length, from, to, entries: head, notes, ...count, silent: Object.fromEntries(silent), bad }, null, 1)}\n`,
);
process.exitCode = bad === 0 ? 0 : 1;
