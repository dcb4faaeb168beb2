import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { MeterFold } from '../engine/accounting/meter-fold.ts';
import { evolve } from '../engine/engine.ts';
import type { TableState } from '../engine/table/state.ts';
import { countEntry } from '../host/pages/meters.ts';
import { eventOf } from '../host/table/terminal.ts';
import type { Entry } from '../ledger/chain/entry.codec.ts';
import { type VerifyReport, verifyLedger } from '../ledger/chain/verifier.store.ts';
import { type LedgerReader, openLedgerReader } from '../ledger/store/ledger.store.ts';
import { DoesNotHold } from './command.ts';

const PAGE = 1000;

/** Throws an Error with a sentence for who names the folder of a ledger instead of its file. */
export function refuseFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory())
    throw new Error(`${path} is a folder; name the ledger in it, as in ${join(path, 'ledger.db')}`);
}

/** Entries from the first to `toSeq`, ascending. */
export function* entriesOf(reader: LedgerReader, toSeq = Number.MAX_SAFE_INTEGER): Generator<Entry> {
  for (let from = 1; from <= toSeq; ) {
    const page = reader.read(from, Math.min(PAGE, toSeq - from + 1));
    yield* page;
    const last = page.at(-1);
    if (!last) return;
    from = last.seq + 1;
  }
}

/** Each entry with the one that follows it, null after the last. */
export function* withNext(entries: Iterable<Entry>): Generator<{ entry: Entry; next: Entry | null }> {
  let entry: Entry | null = null;
  for (const next of entries) {
    if (entry) yield { entry, next };
    entry = next;
  }
  if (entry) yield { entry, next: null };
}

/** A stored entry that the engine cannot play: it is not what this software writes. */
export class Unplayable extends DoesNotHold {
  readonly seq: number;
  constructor({ seq, kind }: Entry, cause: unknown) {
    super(
      `entry ${seq} (${kind}) cannot be played: ${cause instanceof Error ? cause.message : String(cause)}`,
    );
    this.name = 'Unplayable';
    this.seq = seq;
  }
}

/**
 * The stored event through the engine, in place, with the cards that are open. Throws Unplayable.
 */
export function play(
  state: TableState,
  entry: Entry,
  cards: { in(entry: Entry): Entry },
  meters?: MeterFold,
): void {
  try {
    if (meters) countEntry(meters, entry);
    const event = eventOf(cards.in(entry));
    if (event) evolve(state, event);
  } catch (error) {
    throw new Unplayable(entry, error);
  }
}

/**
 * Lets `work` read a ledger file after the verifier has seen all of it. What stands in a ledger
 * that does not hold is still shown, with the warning on stderr and exit 1: an auditor wants to see
 * it and must not take it for the truth.
 * @param work prints its result; false = something in it does not hold
 * @returns the exit code, 0 or 1. Throws LedgerUnusable when there is no such file.
 */
export async function readLedger(
  command: string,
  path: string,
  work: (reader: LedgerReader, report: VerifyReport) => boolean | Promise<boolean>,
): Promise<number> {
  refuseFolder(path);
  const report = verifyLedger(path);
  if (!report.ok) console.error(`banca ${command}: ${path} does not hold: ${report.problem}`);
  try {
    const reader = openLedgerReader(path);
    try {
      return (await work(reader, report)) && report.ok ? 0 : 1;
    } finally {
      reader.close();
    }
  } catch (error) {
    if (report.ok) throw error;
    console.error(`banca ${command}: what stands there cannot be used: ${(error as Error).message}`);
    return 1;
  }
}
