/**
 * Closings of a table held against a ledger of it: signature, chain, and every figure folded from
 * the entries once more. Pure; where the entries come from is its caller's matter.
 */
import { isDeepStrictEqual } from 'node:util';
import { dayAfter } from './calendar.ts';
import { type Closing, closingHash, NO_CLOSING, readClosing, type SignedClosing } from './closing.codec.ts';
import { type DayEntry, DayFold, newBooks, noFigures, type RemovedBox, removedBox } from './day-fold.ts';

export interface HashedEntry extends DayEntry {
  /** Hex. */
  readonly hash: string;
}

export interface Finding {
  /** Null for what is about none of them. */
  readonly day: string | null;
  readonly what: string;
}

const shown = (value: unknown): string => JSON.stringify(value) ?? 'nothing';

/** The first places where two values differ, as paths; `given` is the closing's. */
function differing(path: string, given: unknown, found: unknown, into: string[]): void {
  if (isDeepStrictEqual(given, found)) return;
  const isBoth = [given, found].every((each) => typeof each === 'object' && each !== null);
  if (!isBoth) {
    into.push(`${path} is ${shown(given)}, by the ledger ${shown(found)}`);
    return;
  }
  const [a, b] = [given as Record<string, unknown>, found as Record<string, unknown>];
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)]))
    differing(`${path}.${key}`, a[key], b[key], into);
}

/**
 * What does not hold of these closings, in their order from the first on.
 * @param trusted public key in hex; null takes the one that each names
 * @param terminal whose entries these are
 */
export async function recompute(
  signed: readonly SignedClosing[],
  o: {
    readonly terminal: string;
    readonly trusted: string | null;
    readonly entries: AsyncIterable<HashedEntry> | Iterable<HashedEntry>;
  },
): Promise<{ readonly closings: readonly Closing[]; readonly findings: readonly Finding[] }> {
  const findings: Finding[] = [];
  const closings: Closing[] = [];
  let before: { readonly closing: Closing; readonly hash: string } | null = null;
  for (const [at, each] of signed.entries()) {
    const closing = ((): Closing | null => {
      try {
        return readClosing(each);
      } catch (error) {
        findings.push({ day: null, what: `closing ${at + 1}: ${(error as Error).message}` });
        return null;
      }
    })();
    // Nothing after it is linked to anything.
    if (closing === null) break;
    const say = (what: string): void => void findings.push({ day: closing.day, what });
    if (o.trusted !== null && each.key !== o.trusted) say('it is signed with another key than was named');
    if (closing.terminal !== o.terminal)
      say(`it is of table ${closing.terminal}, the ledger of ${o.terminal}`);
    if (closing.no !== at + 1) say(`its number is ${closing.no}, its place ${at + 1}`);
    if (closing.prevHash !== (before?.hash ?? NO_CLOSING)) say('it does not follow on the closing before');
    if (before !== null && closing.day !== dayAfter(before.closing.day))
      say(`it follows on ${before.closing.day}: a day is missing`);
    closings.push(closing);
    before = { closing, hash: closingHash(each.bytes) };
  }
  await compare(closings, o.entries, findings);
  return { closings, findings };
}

async function compare(
  closings: readonly Closing[],
  entries: AsyncIterable<HashedEntry> | Iterable<HashedEntry>,
  findings: Finding[],
): Promise<void> {
  const fold = new DayFold(newBooks(), noFigures(), 0);
  const each = Symbol.asyncIterator in entries ? entries[Symbol.asyncIterator]() : entries[Symbol.iterator]();
  let last = { seq: 0, hash: NO_CLOSING };
  const removed: RemovedBox[] = [];
  const readTo = async (seq: number): Promise<void> => {
    while (last.seq < seq) {
      const { value, done } = await each.next();
      if (done) return;
      const { box } = fold.take(value);
      if (box !== null) removed.push(box);
      last = value;
    }
  };
  const standing = () => ({
    accounts: { ...fold.books.accounts },
    meters: { ...fold.books.meters },
  });
  for (const closing of closings) {
    const { day, spans } = closing;
    const say = (what: string): void => void findings.push({ day, what });
    await readTo(spans[0]!.fromSeq - 1);
    removed.length = 0;
    const differ = (path: string, given: unknown, found: unknown): void => {
      const places: string[] = [];
      differing(path, given, found, places);
      for (const place of places) say(place);
    };
    differ('before', closing.before, standing());
    let from = spans[0]!.fromSeq;
    for (const [at, span] of spans.entries()) {
      if (span.fromSeq !== from || span.toSeq < span.fromSeq - 1)
        say(`spans.${at} is of ${span.fromSeq} to ${span.toSeq}, expected from ${from}`);
      fold.begin(at === spans.length - 1 ? closing.startMs : 0);
      await readTo(span.toSeq);
      differ(`spans.${at}.figures`, span.figures, fold.figures);
      from = span.toSeq + 1;
    }
    if (closing.toSeq !== from - 1) say(`it says to entry ${closing.toSeq}, its parts end with ${from - 1}`);
    if (last.seq < closing.toSeq)
      say(`the ledger ends with entry ${last.seq}, the closing is up to ${closing.toSeq}`);
    else if (last.hash !== closing.toHash)
      say(`entry ${last.seq} of the ledger is another one than was closed`);
    differ('after', closing.after, standing());
    differ('inBoxes', closing.inBoxes, fold.books.boxes);
    differ('boxes', closing.boxes.map(removedBox), removed);
    differ('currency', closing.currency, fold.books.currency);
    differ('name', closing.name, fold.books.name);
  }
}
