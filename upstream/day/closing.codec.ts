/**
 * The closing of one table's gaming day: what its ledger says, what the count room has found, and
 * who has closed it; signed with the centre's key for closings, and chained to the one before.
 */

import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { z } from 'zod';
import { timesSaid } from '../../engine/core/money.ts';
import { parseBounded } from '../../ledger/chain/bounded-json.ts';
import { TERMINAL_ID } from '../../ledger/chain/entry.codec.ts';
import { type LedgerKey, verifySignature } from '../../ledger/chain/key.ts';
import { isDay } from './calendar.ts';
import type { Notes, Sums } from './day-fold.ts';

const int = z.int().min(Number.MIN_SAFE_INTEGER).max(Number.MAX_SAFE_INTEGER);
const seq = z.int().min(0);
const Day = z.string().refine(isDay, 'is no date');
const Hash = z.string().regex(/^[0-9a-f]{64}$/);
const Totals = z.record(z.string(), int);
const Contents = z.strictObject({ known: Totals, unknown: int });
const Play = z.strictObject({
  ...{ dealer: z.string(), name: z.string(), game: z.string(), currency: z.string() },
  ...{ openMs: int, rounds: int, hands: int, corrected: int, stakedMinor: int, wonMinor: int },
});
const Figures = z.strictObject({
  entries: int,
  accounts: Totals,
  meters: Totals,
  notes: z.record(z.string(), Contents),
  play: z.array(Play),
});
/** A stretch of the ledger; `toSeq` before `fromSeq` for none. */
const Span = z.strictObject({ day: Day, fromSeq: seq, toSeq: seq, figures: Figures });
const Standing = z.strictObject({ accounts: Totals, meters: Totals });
const Counted = z.strictObject({
  /** The number of this count of the box. */
  no: z.int().min(1),
  notes: Totals,
  by: z.string(),
  atMs: int,
  /** Why it was counted again; empty for the first count. */
  reason: z.string(),
});
const Box = z.strictObject({
  acceptor: z.int().min(1),
  currency: z.string(),
  removedSeq: seq,
  removedAtMs: int,
  notes: Contents,
  counted: Counted,
});

const Closing = z.strictObject({
  v: z.literal(1),
  terminal: z.string().regex(TERMINAL_ID),
  no: z.int().min(1),
  day: Day,
  timeZone: z.string(),
  dayBegins: z.string(),
  startMs: int,
  endMs: int,
  /** SHA-256 of the closing before, 64 zeros for the first. */
  prevHash: Hash,
  name: z.string(),
  currency: z.string(),
  /** The newest entry that is in it, and its hash in the terminal's own chain. */
  toSeq: seq,
  toHash: Hash,
  before: Standing,
  /**
   * Entries of earlier days that came after those were closed, a stretch for each; the last one is
   * of this day.
   */
  spans: z.array(Span).min(1),
  after: Standing,
  /** What lies in the boxes that were not taken out, by acceptor. */
  inBoxes: z.record(z.string(), Contents),
  /** Boxes that were taken out. */
  boxes: z.array(Box),
  /**
   * Closed though entries from here on may be missing, since the terminal was lost: why, in the
   * words of who closed it. What comes all the same is a correction of a later day.
   */
  without: z.strictObject({ fromSeq: seq, reason: z.string().min(1) }).exactOptional(),
  closedBy: z.string(),
  closedAtMs: int,
});

export type Closing = z.infer<typeof Closing>;
export type ClosingSpan = Closing['spans'][number];
export type ClosedBox = Closing['boxes'][number];

export interface SignedClosing {
  /** RFC 8785. */
  readonly bytes: string;
  /** Hex. */
  readonly signature: string;
  /** The public key, hex. */
  readonly key: string;
}

/** A day as pages and statements show it, closed or not; a box that is not counted has no count. */
export interface Sheet extends Pick<Closing, 'terminal' | 'name' | 'currency' | 'spans' | 'without'> {
  readonly boxes: readonly (Omit<ClosedBox, 'counted'> & { readonly counted: ClosedBox['counted'] | null })[];
}

export const NO_CLOSING = '0'.repeat(64);
/** A table of many dealers, with many boxes and many days that came late. */
export const CLOSING_BOUNDS = { characters: 2 ** 24, depth: 8 };

const signedBytes = (bytes: string): Uint8Array => Buffer.from(`banca-day-v1\n${bytes}`);
export const closingHash = (bytes: string): string => createHash('sha256').update(bytes).digest('hex');

export function signClosing(closing: Omit<Closing, 'v'>, key: LedgerKey): SignedClosing {
  const bytes = canonicalize(Closing.parse({ v: 1, ...closing }))!;
  return {
    bytes,
    signature: Buffer.from(key.sign(signedBytes(bytes))).toString('hex'),
    key: Buffer.from(key.publicKey).toString('hex'),
  };
}

/** Throws Error with a sentence when it is no closing, or not signed with the key it names. */
export function readClosing({ bytes, signature, key }: SignedClosing): Closing {
  if (!verifySignature(Buffer.from(key, 'hex'), signedBytes(bytes), Buffer.from(signature, 'hex')))
    throw new Error('the signature does not hold');
  const closing = Closing.parse(parseBounded(bytes, CLOSING_BOUNDS));
  if (canonicalize(closing) !== bytes) throw new Error('it is not in its canonical form (RFC 8785)');
  return closing;
}

// ---- what follows from a closing ----

/** What the money of a day comes to, in one currency. */
export interface Result {
  readonly currency: string;
  /** Notes that went into the boxes. */
  readonly dropMinor: number;
  readonly handPaidMinor: number;
  /** What the house has won; below zero where it has lost. */
  readonly winMinor: number;
  /** Win in hundredths of a percent of the drop; null without a drop. */
  readonly holdBp: number | null;
  /** Of the boxes that were taken out and counted: by the ledger, and as counted. */
  readonly expectedMinor: number;
  readonly countedMinor: number;
  readonly varianceMinor: number;
}

const accountOf = (sums: Sums, currency: string, kind: string): number =>
  Object.entries(sums).reduce(
    (sum, [name, amount]) =>
      name === `${currency}/${kind}` || name.startsWith(`${currency}/${kind}:`) ? sum + amount : sum,
    0,
  );

/** Of `MOP_50000`. */
export const noteOf = (name: string): { readonly currency: string; readonly valueMinor: number } => {
  const [currency = '', value = ''] = name.split('_');
  return { currency, valueMinor: Number(value) };
};

export const sumOfNotes = (notes: Sums, currency: string): number =>
  Object.entries(notes).reduce((sum, [name, count]) => {
    const note = noteOf(name);
    return note.currency === currency && Number.isFinite(note.valueMinor)
      ? sum + timesSaid(note.valueMinor, count)
      : sum;
  }, 0);

/** Half away from nothing; on integers. */
const ratio = (part: number, whole: number, parts: number): number | null => {
  if (whole <= 0) return null;
  const size = (BigInt(Math.abs(part)) * BigInt(parts) * 2n + BigInt(whole)) / (2n * BigInt(whole));
  return part < 0 ? -Number(size) : Number(size);
};

export const holdBp = (winMinor: number, dropMinor: number): number | null =>
  ratio(winMinor, dropMinor, 10_000);

/** To one decimal, in tenths. */
export const perHourTenths = (count: number, ms: number): number | null => ratio(count, ms, 36_000_000);

/** Currencies of a day, the table's own first. */
export function currenciesOf({ currency, spans, boxes }: Sheet): string[] {
  const moved = spans.flatMap(({ figures }) => Object.keys(figures.accounts).map((name) => name.slice(0, 3)));
  const noted = boxes.flatMap(({ notes, counted }) =>
    [...Object.keys(notes.known), ...Object.keys(counted?.notes ?? {})].map((name) => noteOf(name).currency),
  );
  const found = new Set([currency, ...[...moved, ...noted].filter((each) => /^[A-Z]{3}$/.test(each))]);
  return [...found].filter((each) => each !== '');
}

/** `span`: the day's own, unless said. */
export function resultOf(sheet: Sheet, currency: string, span = sheet.spans.at(-1)!): Result {
  const { accounts } = span.figures;
  const isOwn = span === sheet.spans.at(-1);
  const dropMinor = accountOf(accounts, currency, 'cash-box');
  // Debit is positive: what the bank has gained stands on its credit side.
  const winMinor = 0 - accountOf(accounts, currency, 'bank');
  const boxes = isOwn ? sheet.boxes.filter(({ counted }) => counted !== null) : [];
  const expectedMinor = boxes.reduce((sum, { notes }) => sum + sumOfNotes(notes.known, currency), 0);
  const countedMinor = boxes.reduce((sum, { counted }) => sum + sumOfNotes(counted!.notes, currency), 0);
  return {
    currency,
    dropMinor,
    handPaidMinor: 0 - accountOf(accounts, currency, 'hand-pay'),
    winMinor,
    holdBp: holdBp(winMinor, dropMinor),
    expectedMinor,
    countedMinor,
    varianceMinor: countedMinor - expectedMinor,
  };
}

/** Notes that are missing (below zero) or too many in a box, by `CURRENCY_MINOR`. */
export function differences(notes: Notes, counted: Sums): readonly { note: string; count: number }[] {
  const names = [...new Set([...Object.keys(notes.known), ...Object.keys(counted)])];
  return names
    .map((note) => ({ note, count: (counted[note] ?? 0) - (notes.known[note] ?? 0) }))
    .filter(({ count }) => count !== 0)
    .toSorted((a, b) => noteOf(a.note).valueMinor - noteOf(b.note).valueMinor);
}
