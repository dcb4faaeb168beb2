/** What two files of one ledger are worth when one of them is damaged: real files, real damage. */
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import {
  append,
  cutPower,
  flip,
  follow,
  mend,
  open,
  type Place,
  placeIn,
  sizeOf,
} from '../../test/kits/ledger-copy.ts';
import { verifyLedger } from '../chain/verifier.store.ts';
import { LedgerDamaged, LedgerUnusable, openLedgerReader } from '../store/ledger.store.ts';
import { askForWholeCheck, markCopyBehind } from './mend.store.ts';

const root = mkdtempSync(join(tmpdir(), 'banca-copy-'));
after(() => rmSync(root, { recursive: true, force: true }));

let count = 0;
const newDir = (): string => join(root, `p${++count}`);

/** A closed ledger whose copy has all but the newest `behind` commands of it. */
function terminal(commands = 60, behind = 0): Place {
  const place = placeIn(newDir());
  const ledger = open(place);
  append(ledger, commands - behind);
  follow(place);
  append(ledger, behind);
  ledger.close();
  return place;
}

/** One terminal that nobody touches, and cuts of it to damage. */
const whole = terminal();
const cut = (from = whole): Place => cutPower(from, newDir());

const bytesOf = (path: string): string[] => {
  const reader = openLedgerReader(path);
  try {
    return reader.readBytes(1, 1_000_000).map(({ bytes }) => String(bytes));
  } finally {
    reader.close();
  }
};
const original = bytesOf(whole.path);

const rmBoth = (...paths: string[]): void => {
  for (const path of paths) rmSync(path);
};

/** Changes a digit in the bytes of an early entry, also where an old page still has it. */
function hit(path: string, n = 19): void {
  const bytes = readFileSync(path);
  const text = `"n":${n},`;
  assert.ok(bytes.includes(text));
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) flip(path, at + 4, 1);
}

/**
 * The ledger holds, has every entry of `before` once and in its place, and after them at most its
 * own repair.
 */
function assertWhole(place: Place, before: readonly string[], repaired: boolean): void {
  assert.deepEqual(verifyLedger(place.path).problems, []);
  const now = bytesOf(place.path);
  const other = before.findIndex((bytes, i) => bytes !== now[i]);
  assert.equal(other, -1, `entry ${other + 1} is another one`);
  const kinds = now.slice(before.length).map((bytes) => (JSON.parse(bytes) as { kind: string }).kind);
  assert.deepEqual(kinds, repaired ? ['ledger-repaired'] : []);
  // And it is a ledger to go on with.
  const ledger = open(place);
  append(ledger, 3);
  ledger.close();
  follow(place);
  assert.equal(verifyLedger(place.copy).headHash, verifyLedger(place.path).headHash);
}

describe('the copy', () => {
  it('is a ledger of the same format with the same entries, marks and balances', () => {
    const [ledger, copy] = [whole.path, whole.copy].map((path) => verifyLedger(path));
    assert.deepEqual(copy, ledger);
    assert.ok(ledger!.ok && ledger!.snapshots === 6 && ledger!.checkpoints === 6);
    assert.ok(ledger!.acknowledgedSeq > 0);
  });

  it('follows a ledger in use, whole transactions at a time, and never writes to it', () => {
    const place = placeIn(newDir());
    const ledger = open(place);
    for (let i = 0; i < 20; i++) {
      append(ledger, 7);
      follow(place);
      assert.equal(verifyLedger(place.copy).headSeq, ledger.head().seq);
    }
    ledger.close();
    assert.equal(existsSync(`${place.path}-wal`), false, 'a closed ledger is the file alone');
    assert.deepEqual(verifyLedger(place.copy), verifyLedger(place.path));
  });

  it('takes nothing that does not follow on what it has', () => {
    const place = cut(terminal(60, 5));
    const before = verifyLedger(place.copy);
    hit(place.path, before.headSeq + 1);
    assert.throws(() => follow(place), /^SourceDamaged: entry \d+: hash does not fit/);
    assert.ok(verifyLedger(place.copy).ok);
    assert.equal(verifyLedger(place.copy).headSeq, before.headSeq);
  });

  it('damaged or gone, it is rebuilt from the ledger and the old file is kept', () => {
    const place = cut();
    truncateSync(place.copy, sizeOf(place.copy) - 4_096);
    assert.throws(
      () => follow(place),
      (error: Error) => error instanceof LedgerDamaged && error.path === place.copy,
    );
    writeFileSync(place.copy, 'no database');
    const { copy, repaired } = mend(place);
    assert.equal(repaired, null);
    assert.equal(copy.state, 'rebuild');
    follow(place, true);
    assert.deepEqual(verifyLedger(place.copy), verifyLedger(place.path));
    assert.ok(existsSync(`${place.copy}.damaged-1`));
    rmSync(place.copy);
    assert.deepEqual(mend(place).copy, { state: 'rebuild', why: 'the file is gone' });
    follow(place);
    assert.deepEqual(verifyLedger(place.copy), verifyLedger(place.path));
  });

  it('of another terminal it is left alone', () => {
    const place = cut();
    const other = placeIn(newDir());
    open(other).close();
    copyFileSync(other.path, place.copy);
    const { copy } = mend(place);
    assert.equal(copy.state, 'foreign');
    assert.match(JSON.stringify(copy), /it is a ledger of terminal table-1 with keys [0-9a-f]{32}/);
  });
});

describe('the ledger', () => {
  const flips = Number(process.env['BANCA_FLIPS'] ?? 24);
  it(`a byte flipped anywhere, ${flips} times: the start mends it, nothing acknowledged is missing or doubled`, (t) => {
    let mended = 0;
    for (let i = 0; i < flips; i++) {
      // Every second time the copy lags: the rest comes out of the damaged file.
      const place = cut(i % 2 === 0 ? whole : lagging);
      const before = i % 2 === 0 ? original : originalOfLagging;
      const offset = randomInt(sizeOf(place.path));
      const bits = 1 + randomInt(255);
      flip(place.path, offset, bits);
      const at = `byte ${offset} ^ ${bits} of ${i % 2 === 0 ? 'a level' : 'a lagging'} terminal`;
      try {
        const { repaired } = mend(place);
        mended += repaired === null ? 0 : 1;
        const isComplete = repaired?.isComplete ?? true;
        // Nobody can read the ledger: the copy has what it has, and that is said.
        assertWhole(place, isComplete ? before : before.slice(0, repaired!.toSeq), repaired !== null);
        assert.ok(isComplete || repaired!.toSeq >= verifyLedger(lagging.copy).headSeq);
      } catch (error) {
        // What stood in the ledger alone cannot be had from anywhere: it says so and nothing is
        // lost.
        if (i % 2 === 1 && error instanceof LedgerDamaged) continue;
        throw new Error(`${at}: ${(error as Error).message}`, { cause: error });
      }
      rmSync(place.dir, { recursive: true });
    }
    t.diagnostic(`${mended} of ${flips} flips had to be mended`);
    assert.ok(mended > flips / 10);
  });

  const lagging = terminal(60, 5);
  const originalOfLagging = bytesOf(lagging.path);

  it('keeps the damaged file beside it, and says in the ledger what was mended', () => {
    const place = cut();
    hit(place.path);
    const damaged = readFileSync(place.path);
    const seq = verifyLedger(place.path).firstBadSeq;
    const { repaired } = mend(place);
    assert.equal(repaired!.fromSeq, seq);
    assert.equal(repaired!.toSeq, original.length);
    assert.equal(repaired!.evidence, `${place.path}.damaged-1`);
    assert.deepEqual(readFileSync(`${place.path}.damaged-1`), damaged);
    const reader = openLedgerReader(place.path);
    const [entry] = reader.newest({ beforeSeq: null, limit: 1, kind: null });
    assert.deepEqual(entry!.body, repaired);
    assert.equal(reader.checkpoints().at(-1)!.reason, 'repair');
    assert.equal(reader.checkpoints().at(-1)!.seq, entry!.seq);
    reader.close();
    assertWhole(place, original, true);
  });

  it('with its newest part only in the -wal is mended with that part, and the -wal is kept', () => {
    const live = placeIn(newDir());
    const ledger = open(live);
    append(ledger, 40);
    follow(live);
    append(ledger, 4);
    const place = cut(live);
    const before = bytesOf(live.path);
    ledger.close();
    assert.ok(sizeOf(`${place.path}-wal`) > 0);
    flip(place.path, 20, 0x7f);
    const wal = readFileSync(`${place.path}-wal`);
    // The header of the file says nothing any more; its -wal holds the newest header too, or the
    // start must refuse.
    const { repaired } = mend(place);
    if (repaired !== null) assert.deepEqual(readFileSync(`${place.path}.damaged-1-wal`), wal);
    assertWhole(place, before, repaired !== null);
  });

  for (const [name, harm] of [
    ['its last page torn', (p: Place) => truncateSync(p.path, sizeOf(p.path) - 1_000)],
    ['its last page lost', (p: Place) => truncateSync(p.path, sizeOf(p.path) - 4_096)],
    ['empty', (p: Place) => truncateSync(p.path, 0)],
    ['gone', (p: Place) => rmSync(p.path)],
    ['gone with its lock', (p: Place) => rmBoth(p.path, `${p.path}-lock`)],
    ['no database', (p: Place) => writeFileSync(p.path, 'a letter to the technician')],
  ] as const)
    it(`${name}, it is rebuilt from the copy`, () => {
      const place = cut();
      harm(place);
      assert.notEqual(mend(place).repaired, null);
      assertWhole(place, original, true);
    });

  it('an old file put back is completed from the copy', () => {
    const place = cut();
    const old = cut();
    const ledger = open(place);
    append(ledger, 20);
    ledger.close();
    follow(place);
    const before = bytesOf(place.path);
    copyFileSync(old.path, place.path);
    const { repaired } = mend(place);
    assert.equal(repaired!.fromSeq, original.length + 1);
    assert.equal(repaired!.toSeq, before.length);
    assertWhole(place, before, true);
  });

  it('different entries under one number are never merged: both hashes are named, both files stay', () => {
    const place = cut();
    const other = cut();
    for (const [each, n] of [
      [place, 3],
      [other, 2],
    ] as const) {
      const ledger = open(each);
      if (n === 2) ledger.append(9_999, 'x', [{ kind: 'other', roundId: null, body: {}, postings: [] }]);
      append(ledger, n);
      ledger.close();
    }
    copyFileSync(other.path, place.copy);
    const before = [place.path, place.copy].map((path) => verifyLedger(path).headHash);
    assert.throws(
      () => mend(place),
      (error: Error) =>
        error instanceof LedgerDamaged &&
        error.firstBadSeq === original.length + 1 &&
        /another entry there, hash ([0-9a-f]{64}); here it is (?!\1)[0-9a-f]{64}: a fork/.test(error.message),
    );
    assert.deepEqual(
      [place.path, place.copy].map((path) => verifyLedger(path).headHash),
      before,
    );
    // Nor when one of them is damaged as well.
    hit(place.path);
    assert.throws(() => mend(place), /a fork, nothing is merged/);
  });

  it('both damaged: refused, and both stay as they are', () => {
    const place = cut();
    for (const path of [place.path, place.copy]) hit(path);
    const before = [place.path, place.copy].map((path) => readFileSync(path));
    assert.throws(
      () => mend(place),
      (error: Error) =>
        error instanceof LedgerDamaged &&
        /hash is not SHA-256.*does not mend it.*hash is not SHA-256/.test(error.message),
    );
    assert.deepEqual(
      [place.path, place.copy].map((path) => readFileSync(path)),
      before,
    );
    assert.equal(existsSync(`${place.path}.repair`), false);
  });

  it('what the copy lacks and the ledger proves to have had is not given up', () => {
    const place = cut(terminal(60, 9));
    // The first entry that the copy lacks is damaged, the ones after it are whole.
    const n = verifyLedger(place.copy).headSeq + 1;
    hit(place.path, n);
    assert.throws(() => mend(place), /does not mend it: entry \d+ of .* cannot be reached/);
  });

  it('that nobody can read is not mended from a copy that was known to be behind', () => {
    const place = cut();
    markCopyBehind(place.path, true);
    truncateSync(place.path, 0);
    assert.throws(() => mend(place), /known to be behind/);
    markCopyBehind(place.path, false);
    assert.notEqual(mend(place).repaired, null);
  });

  it('too large for a check of all at every start, it is checked in full when told so', () => {
    const place = placeIn(newDir());
    const ledger = open(place);
    append(ledger, 40);
    const notes = (count: number, length: number) =>
      Array.from({ length: count }, () => ({
        kind: 'noted',
        roundId: null,
        body: 'x'.repeat(length),
        postings: [],
      }));
    ledger.append(9_000, null, notes(17, 2 ** 20));
    ledger.append(9_001, null, notes(1_100, 1));
    ledger.close();
    follow(place);
    const before = bytesOf(place.path);
    hit(place.path);
    assert.equal(mend(place).repaired, null, 'the newest part holds');
    askForWholeCheck(place.path);
    assert.notEqual(mend(place).repaired, null);
    assert.equal(existsSync(`${place.path}-check`), false);
    assertWhole(place, before, true);
  });

  it('in use by another process it is let alone', () => {
    const place = cut();
    const ledger = open(place);
    assert.throws(() => mend(place), LedgerUnusable);
    ledger.close();
  });
});
