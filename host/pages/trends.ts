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
import { temperatures } from './temperatures.ts';

const HOUR_MS = 3_600_000;
/** A month of hours; what is older is in the ledger and in the meters. */
const HOURS_KEPT = 31 * 24;

const FAULT_KINDS: ReadonlySet<string> = new Set(kindsThat(null, 'F'));

type Counts = Map<string, number>;
/** Decisions, and what the table has waited for them. */
interface Waits {
  count: number;
  ms: number;
}
const NO_WAITS = { count: 0, ms: 0 } as const;

/** A player says in their turn what they want; what a deadline says for them is no decision. */
const DECISIONS: ReadonlySet<string> = new Set([
  'hand-stood',
  'hit-called',
  'hand-doubled',
  'hand-split',
  'hand-surrendered',
]);

interface Hour {
  readonly atMs: number;
  rounds: number;
  /** Said in their turn, and noted ahead of it. */
  readonly asked: Waits;
  readonly noted: Waits;
  /** By seat, those it had a bet in. */
  readonly seats: Counts;
  /** By code. */
  readonly faults: Counts;
  /** By acceptor, currency, value and outcome. */
  readonly notes: Counts;
}

const bump = (counts: Counts, key: string): void => void counts.set(key, (counts.get(key) ?? 0) + 1);

/** Newest ends of each fault that figures are made of. */
const ENDS_KEPT = 200;

export class Trends {
  readonly #hours: Hour[] = [];
  /** When those that stand began: device and fault. */
  readonly #standing = new Map<string, number>();
  readonly #ends = new Map<string, { readonly atMs: number; readonly stoodMs: number }[]>();
  /** Notes on their way. */
  readonly #notes = new Map<string, { readonly currency: string; readonly valueMinor: number }>();

  /** Since when the player whose turn it is may decide; null = nobody may. */
  #askedMs: number | null = null;
  /** The newest decision, and how long it took. */
  #decided: { readonly atMs: number; readonly waitedMs: number } | null = null;

  take(entry: Entry): void {
    const { kind, atMs } = entry;
    this.#wait(entry);
    if (kind === 'round-settled') this.#round(entry);
    else if (kind === 'fault-reported' || kind === 'fault-cleared') this.#fault(entry);
    else if (kind.startsWith('note-')) this.#note(entry);
    if (!FAULT_KINDS.has(kind)) return;
    for (const { code, class: cls } of codesOf(entry))
      if (cls === 'F' && !code.endsWith('C')) bump(this.#at(atMs).faults, code);
  }

  /** The last so many hours up to now. */
  page(
    hours: number,
    nowMs: number,
  ): Pick<TrendPage, 'fromMs' | 'rounds' | 'seats' | 'faults' | 'stood' | 'notes' | 'decisions'> {
    const fromMs = (Math.floor(nowMs / HOUR_MS) - hours + 1) * HOUR_MS;
    const shown = this.#hours.filter(({ atMs }) => atMs >= fromMs);
    const notes: Counts = new Map();
    for (const hour of shown)
      for (const [key, count] of hour.notes) notes.set(key, (notes.get(key) ?? 0) + count);
    return {
      fromMs,
      decisions: decisionsOf(shown),
      rounds: shown.map(({ atMs, rounds }) => ({ atMs, count: rounds })),
      seats: seatsIn(shown),
      stood: this.#stood(fromMs),
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

  #wait({ kind, atMs, body }: Entry): void {
    // In one transaction with the decision it was, behind what followed from that.
    if (kind === 'intent-taken' && this.#decided?.atMs === atMs) {
      const { asked, noted } = this.#at(atMs);
      const { waitedMs } = this.#decided;
      asked.count -= 1;
      asked.ms -= waitedMs;
      noted.count += 1;
      noted.ms += waitedMs;
      this.#decided = null;
    }
    if (DECISIONS.has(kind)) {
      if (this.#askedMs !== null && (body as { byDefault?: boolean }).byDefault !== true) {
        this.#decided = { atMs, waitedMs: atMs - this.#askedMs };
        const { asked } = this.#at(atMs);
        asked.count += 1;
        asked.ms += this.#decided.waitedMs;
      }
      this.#askedMs = null;
    } else if (kind === 'turn-moved')
      this.#askedMs = (body as { deadline: unknown }).deadline === null ? null : atMs;
    // With the card that was called the same hand decides again.
    else if (kind === 'card-dealt') this.#askedMs = atMs;
    else if (kind === 'bank-turn-began' || kind === 'table-held') this.#askedMs = null;
  }

  #round({ atMs, body }: Entry): void {
    const hour = this.#at(atMs);
    hour.rounds += 1;
    const { lines = [] } = body as { readonly lines?: readonly { readonly by: number }[] };
    for (const by of new Set(lines.map((line) => line.by))) bump(hour.seats, String(by));
  }

  #fault({ kind, atMs, body }: Entry): void {
    const { device, fault } = body as { readonly device: string; readonly fault: string };
    const key = `${device} ${fault}`;
    const sinceMs = this.#standing.get(key);
    if (kind === 'fault-reported') this.#standing.set(key, sinceMs ?? atMs);
    else if (sinceMs !== undefined) {
      this.#standing.delete(key);
      const ends = this.#ends.get(fault) ?? [];
      this.#ends.set(fault, ends);
      ends.push({ atMs, stoodMs: atMs - sinceMs });
      if (ends.length > ENDS_KEPT) ends.shift();
    }
  }

  /** How long what has ended since then had stood. */
  #stood(fromMs: number): TrendPage['stood'] {
    return [...this.#ends].flatMap(([fault, ends]) => {
      const of = ends.flatMap(({ atMs, stoodMs }) => (atMs < fromMs ? [] : [stoodMs])).sort((a, b) => a - b);
      return of.length === 0
        ? []
        : [{ fault, count: of.length, medianMs: of[Math.floor(of.length / 2)]!, mostMs: of.at(-1)! }];
    });
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
      hour = {
        atMs: at,
        rounds: 0,
        seats: new Map(),
        asked: { ...NO_WAITS },
        noted: { ...NO_WAITS },
        faults: new Map(),
        notes: new Map(),
      };
      this.#hours.push(hour);
      if (this.#hours.length > HOURS_KEPT) this.#hours.shift();
    }
    return hour;
  }
}

/** What noting ahead has saved: as if each of those had taken as long as one that was asked for. */
function decisionsOf(hours: readonly Hour[]): TrendPage['decisions'] {
  const sum = (of: (hour: Hour) => Waits): Waits =>
    hours.map(of).reduce((all, { count, ms }) => ({ count: all.count + count, ms: all.ms + ms }), NO_WAITS);
  const asked = sum((hour) => hour.asked);
  const noted = sum((hour) => hour.noted);
  const meanMs = asked.count === 0 ? null : asked.ms / asked.count;
  return { asked, noted, savedMs: meanMs === null ? null : Math.round(noted.count * meanMs - noted.ms) };
}

/** How many rounds each seat has played, and in how many hours with a round of its own. */
function seatsIn(hours: readonly Hour[]): TrendPage['seats'] {
  const seats = new Map<number, { seat: number; rounds: number; hours: number }>();
  for (const hour of hours)
    for (const [key, count] of hour.seats) {
      const { rounds = 0, hours: played = 0 } = seats.get(Number(key)) ?? {};
      seats.set(Number(key), { seat: Number(key), rounds: rounds + count, hours: played + 1 });
    }
  return [...seats.values()].sort((a, b) => a.seat - b.seat);
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
  temperatures: temperatures(),
});
