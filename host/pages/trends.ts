/**
 * What a person would rather see than read: rounds, faults and banknotes by the hour, counted from
 * the same entries as the meters, so that the page answers at once however long the ledger is.
 */
import type { TableEvent } from '../../engine/table/events.ts';
import type { Entry, Ledger } from '../../ledger/store/ledger.store.ts';
import type { HostEvent } from '../../wire/host-events.ts';
import type { NoteOutcome, TrendPage } from '../../wire/pages.ts';
import { codesOf, kindsThat } from './event-codes.ts';
import type { Latencies } from './latencies.ts';

const HOUR_MS = 3_600_000;
/** A month of hours; what is older is in the ledger and in the meters. */
const HOURS_KEPT = 31 * 24;

const FAULT_KINDS: ReadonlySet<string> = new Set(kindsThat(null, 'F'));

type Counts = Map<string, number>;
interface Hour {
  readonly atMs: number;
  rounds: number;
  /** By code. */
  readonly faults: Counts;
  /** By acceptor, currency, value and outcome. */
  readonly notes: Counts;
}

const bump = (counts: Counts, key: string): void => void counts.set(key, (counts.get(key) ?? 0) + 1);

export class Trends {
  readonly #hours: Hour[] = [];
  /** Notes on their way. */
  readonly #notes = new Map<string, { readonly currency: string; readonly valueMinor: number }>();

  take(entry: Entry): void {
    const { kind, atMs } = entry;
    if (kind === 'round-settled') this.#at(atMs).rounds += 1;
    else if (kind.startsWith('note-')) this.#note(entry);
    if (!FAULT_KINDS.has(kind)) return;
    for (const { code, class: cls } of codesOf(entry))
      if (cls === 'F' && !code.endsWith('C')) bump(this.#at(atMs).faults, code);
  }

  /** The last so many hours up to now. */
  page(hours: number, nowMs: number): Pick<TrendPage, 'fromMs' | 'rounds' | 'faults' | 'notes'> {
    const fromMs = (Math.floor(nowMs / HOUR_MS) - hours + 1) * HOUR_MS;
    const shown = this.#hours.filter(({ atMs }) => atMs >= fromMs);
    const notes: Counts = new Map();
    for (const hour of shown)
      for (const [key, count] of hour.notes) notes.set(key, (notes.get(key) ?? 0) + count);
    return {
      fromMs,
      rounds: shown.map(({ atMs, rounds }) => ({ atMs, count: rounds })),
      faults: shown.flatMap(({ atMs, faults }) =>
        [...faults].map(([code, count]) => ({
          atMs,
          code: code as TrendPage['faults'][number]['code'],
          count,
        })),
      ),
      notes: [...notes].map(([key, count]) => {
        const [acceptor, currency, value, outcome] = key.split(' ') as [string, string, string, NoteOutcome];
        return {
          acceptor: Number(acceptor),
          currency: currency === '' ? null : (currency as TrendPage['notes'][number]['currency']),
          valueMinor: value === '' ? null : Number(value),
          outcome,
          count,
        };
      }),
    };
  }

  #note(entry: Entry): void {
    const event = { type: entry.kind, ...(entry.body as object) } as TableEvent | HostEvent;
    const settled = (acceptor: number, noteId: string | null, outcome: NoteOutcome): void => {
      const note = noteId === null ? undefined : this.#notes.get(noteId);
      if (noteId !== null) this.#notes.delete(noteId);
      bump(
        this.#at(entry.atMs).notes,
        `${acceptor} ${note?.currency ?? ''} ${note?.valueMinor ?? ''} ${outcome}`,
      );
    };
    switch (event.type) {
      case 'note-escrowed':
        this.#notes.set(event.noteId, event);
        break;
      case 'note-refused':
        this.#notes.set(event.noteId, event);
        settled(event.acceptor, event.noteId, 'refused');
        break;
      case 'note-rejected-by-device':
        settled(event.acceptor, null, 'rejected');
        break;
      case 'note-credited':
        settled(event.acceptor, event.noteId, 'credited');
        break;
      case 'note-returned':
        settled(event.acceptor, event.noteId, 'returned');
        break;
      case 'note-held':
        settled(event.acceptor, event.noteId, 'held');
        break;
      default:
    }
  }

  /** Times never fall in a ledger. */
  #at(atMs: number): Hour {
    const at = Math.floor(atMs / HOUR_MS) * HOUR_MS;
    let hour = this.#hours.at(-1);
    if (hour?.atMs !== at) {
      hour = { atMs: at, rounds: 0, faults: new Map(), notes: new Map() };
      this.#hours.push(hour);
      if (this.#hours.length > HOURS_KEPT) this.#hours.shift();
    }
    return hour;
  }
}

export const trendPage = (
  o: {
    readonly ledger: Pick<Ledger, 'head'>;
    readonly meters: { readonly countedSeq: number };
    readonly trends: Trends;
    readonly latencies: Latencies;
  },
  hours: number,
  nowMs: number,
): TrendPage => ({
  countedSeq: o.meters.countedSeq,
  headSeq: o.ledger.head().seq,
  nowMs,
  ...o.trends.page(hours, nowMs),
  latencies: o.latencies.page(),
});
