import { brokenEquations } from '../../engine/accounting/meter-equations.ts';
import {
  copyOf,
  emptyMeters,
  type MeterFold,
  metersOf,
  since,
  slicedMeters,
} from '../../engine/accounting/meter-fold.ts';
import { countEvent, type HostFact } from '../../engine/accounting/meters.ts';
import type { TableEvent } from '../../engine/table/events.ts';
import type { Entry, LedgerReader } from '../../ledger/store/ledger.store.ts';
import { FAULTS } from '../../wire/faults.ts';
import type { MeterPage } from '../../wire/pages.ts';
import type { Asked } from '../../wire/queries.ts';
import { standIn } from '../table/sealed-cards.ts';
import { codesOf } from './event-codes.ts';
import { breathe, PAGE } from './recall.ts';

type Counted = Pick<Entry, 'kind' | 'atMs' | 'body' | 'postings'>;

const FAULT_CODES: ReadonlySet<number> = new Set(Object.values(FAULTS).map(({ code }) => code));

/** A fault under its code; what begins as class F and no fault of a device tells as well. */
function tiltsOf(entry: Counted): readonly number[] {
  const begun = codesOf(entry).filter(({ code }) => !code.endsWith('C'));
  const codes = (of: typeof begun): number[] => of.map(({ code }) => Number(code));
  if (entry.kind === 'fault-reported') return codes(begun);
  return codes(begun.filter((event) => event.class === 'F')).filter((code) => !FAULT_CODES.has(code));
}

/** Counts an entry of the ledger, of the table or of the host. */
export function countEntry(fold: MeterFold, entry: Counted): void {
  const event = { type: entry.kind, atMs: entry.atMs, ...standIn(entry) } as TableEvent | HostFact;
  countEvent(fold, event, entry.postings, tiltsOf(entry));
}

/** Number of the newest entry that is not younger; times in a ledger never fall. */
export function seqAt(ledger: LedgerReader, headSeq: number, atMs: number): number {
  let [low, high] = [0, headSeq];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (ledger.read(middle, 1)[0]!.atMs <= atMs) low = middle;
    else high = middle - 1;
  }
  return low;
}

/**
 * Meters that are in no entry: what the centre had acknowledged at `atMs` of a ledger that ended
 * with `seq`.
 */
export function linkMeters(
  ledger: LedgerReader,
  seq: number,
  atMs: number,
): Readonly<Record<string, number>> {
  const proven = Math.min(seq, ledger.acknowledged(atMs)?.seq ?? 0);
  return { queue_depth: seq - proven, last_proven_seq: proven };
}

/** So many earlier states are kept at most, so that a past second is near one of them. */
const STATES = 64;

type Past = Asked['meters'];

/**
 * Meters of the whole life of the terminal, as of now and of any past second. They are counted from
 * the first entry on, in pages that give way to the table, and from then on with every commit.
 */
export class Meters {
  readonly #ledger: LedgerReader & { head(): { readonly seq: number } };
  readonly #fold = emptyMeters();
  #upTo = 0;
  #counting: Promise<void> | null = null;
  #states: { readonly seq: number; readonly fold: MeterFold }[] = [];
  #stateEvery = 2_000;
  #closed = false;

  readonly #alsoCount: (entry: Entry) => void;

  /**
   * @param alsoCount hears every entry once, in order: what else is counted needs no reading of its
   * own
   */
  constructor(
    ledger: LedgerReader & { head(): { readonly seq: number } },
    alsoCount: (entry: Entry) => void = () => {},
  ) {
    this.#ledger = ledger;
    this.#alsoCount = alsoCount;
  }

  /** Number of the newest entry that is counted. */
  get countedSeq(): number {
    return this.#upTo;
  }

  /** Entries of a commit; passed over while what came before them is still being counted. */
  take(entries: readonly Entry[]): void {
    if (entries[0]?.seq === this.#upTo + 1) for (const entry of entries) this.#count(entry);
  }

  /** Before the ledger is closed: nothing is read from it any more. */
  close(): void {
    this.#closed = true;
  }

  /** Counts what is not counted yet; the equations that do not hold over all of it. */
  async audit(): Promise<string[]> {
    await this.#catchUp();
    return this.#closed ? [] : brokenEquations(this.#fold);
  }

  async page({ asOfMs, fromMs, by }: Omit<Past, 'query'>, nowMs: number): Promise<MeterPage> {
    await this.#catchUp();
    const atMs = asOfMs ?? nowMs;
    const seq = asOfMs === null ? this.#upTo : seqAt(this.#ledger, this.#upTo, asOfMs);
    let fold = await this.#at(seq);
    const problems = brokenEquations(fold);
    let from: MeterPage['from'] = null;
    if (fromMs !== null) {
      from = { seq: seqAt(this.#ledger, seq, fromMs), atMs: fromMs };
      fold = since(fold, await this.#at(from.seq));
    }
    const { keys, meters } =
      by === null
        ? {
            keys: [],
            meters: metersOf(fold, linkMeters(this.#ledger, seq, atMs)).map((row) => ({ ...row, parts: [] })),
          }
        : slicedMeters(fold, by);
    return { asOf: { seq, atMs }, from, by, keys, meters, problems };
  }

  async #catchUp(): Promise<void> {
    this.#counting ??= this.#read().finally(() => {
      this.#counting = null;
    });
    await this.#counting;
  }

  /** Up to the entry that is the newest when it ends. */
  async #read(): Promise<void> {
    while (!this.#closed && this.#upTo < this.#ledger.head().seq) {
      for (const entry of this.#ledger.read(this.#upTo + 1, PAGE)) this.#count(entry);
      await breathe();
    }
  }

  #count(entry: Entry): void {
    countEntry(this.#fold, entry);
    this.#alsoCount(entry);
    this.#upTo = entry.seq;
    if (entry.seq % this.#stateEvery !== 0) return;
    this.#states.push({ seq: entry.seq, fold: copyOf(this.#fold) });
    if (this.#states.length < STATES) return;
    this.#stateEvery *= 2;
    this.#states = this.#states.filter(({ seq }) => seq % this.#stateEvery === 0);
  }

  /** A copy as of an entry: the nearest state before it, and what came after that. */
  async #at(seq: number): Promise<MeterFold> {
    if (seq === this.#upTo) return copyOf(this.#fold);
    const state = this.#states.findLast((candidate) => candidate.seq <= seq);
    const fold = state ? copyOf(state.fold) : emptyMeters();
    for (let at = state?.seq ?? 0; at < seq && !this.#closed; ) {
      for (const entry of this.#ledger.read(at + 1, Math.min(PAGE, seq - at))) {
        countEntry(fold, entry);
        at = entry.seq;
      }
      await breathe();
    }
    return fold;
  }
}
