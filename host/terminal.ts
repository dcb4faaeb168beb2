import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { postingsOf } from '../engine/accounting/postings.ts';
import { booksAgree } from '../engine/accounting/self-audit.ts';
import type { RejectCode } from '../engine/core/result.ts';
import { TOUCH_GRACE_MS } from '../engine/table/draft.ts';
import type { TableEvent } from '../engine/table/events.ts';
import type { Input } from '../engine/table/inputs.ts';
import type { TableState } from '../engine/table/state.ts';
import { initialState } from '../engine/table/state.ts';
import type { Effect } from '../engine/table/table.ts';
import { decide, evolve } from '../engine/table/table.ts';
import type { Entry, Ledger, LedgerReader, NewEntry } from '../ledger/store/ledger.store.ts';
import type { HostEvent } from './host-events.ts';
import { isHostEvent } from './host-events.ts';

type WithoutTime<T> = T extends unknown ? Omit<T, 'atMs'> : never;
export type TimelessInput = WithoutTime<Input>;

export type Outcome =
  | { readonly status: 'done' | 'exists'; readonly seq: number }
  | {
      readonly status: 'rejected';
      readonly code: RejectCode;
      readonly cites: readonly string[];
      readonly detail: string | null;
    };

export interface Commit {
  readonly entries: readonly Entry[];
  readonly effects: readonly Effect[];
}

export interface TerminalOptions {
  readonly ledger: Ledger;
  readonly now: () => number;
  readonly log: (line: string) => void;
}

/** SHA-256 of the canonical state: equal for the live table and for its replay. */
export const stateHash = (state: TableState): Buffer =>
  createHash('sha256')
    .update(canonicalize(state) ?? '')
    .digest();

/** The engine's event of a stored entry; null for entries of the host itself. */
export const eventOf = (entry: Pick<Entry, 'kind' | 'body'>): TableEvent | null =>
  isHostEvent(entry.kind) ? null : ({ type: entry.kind, ...(entry.body as object) } as TableEvent);

/** State of the table after entry `atSeq`: the newest snapshot that is not younger, and what came after it. */
export function restoreState(ledger: LedgerReader, atSeq: number): TableState {
  const snapshot = ledger.latestSnapshot(atSeq);
  let state = snapshot ? (JSON.parse(snapshot.state) as TableState) : initialState();
  for (let from = (snapshot?.seq ?? 0) + 1; from <= atSeq; ) {
    const entries = ledger.read(from, Math.min(1000, atSeq - from + 1));
    for (const entry of entries) {
      const event = eventOf(entry);
      if (event) state = evolve(state, event);
    }
    from += entries.length;
  }
  return state;
}

/** The engine's own sums against the folded accounts; empty = the books agree. */
export function bookDifferences(state: TableState, ledger: Ledger): string[] {
  const prefix = `${state.profile?.currency ?? ''}/`;
  const accounts = new Map<string, number>();
  for (const [name, balance] of ledger.balances())
    if (name.startsWith(prefix)) accounts.set(name.slice(prefix.length), balance);
  return booksAgree(state, accounts);
}

const SNAPSHOT_EVERY = 2_000;

/**
 * The one road of every input: decide, one durable transaction, evolve, then effects and displays.
 * Everything here is synchronous, so inputs are served strictly one after the other; two touches at the same moment
 * are simply two inputs. Nothing is shown or commanded before it is on disk.
 */
export class Terminal {
  readonly ledger: Ledger;
  readonly #now: () => number;
  readonly #log: (line: string) => void;
  readonly #listeners: ((commit: Commit) => void)[] = [];
  #state: TableState;
  #lastAtMs = 0;
  #snapshotSeq: number;
  #locked: string | null = null;
  #deadline: { atMs: number; timer: NodeJS.Timeout } | null = null;

  constructor(options: TerminalOptions) {
    this.ledger = options.ledger;
    this.#now = options.now;
    this.#log = options.log;
    this.#state = restoreState(options.ledger, options.ledger.head().seq);
    this.#snapshotSeq = options.ledger.latestSnapshot()?.seq ?? 0;
    this.#lastAtMs = options.ledger.read(options.ledger.head().seq, 1)[0]?.atMs ?? 0;
    this.#checkBooks();
  }

  get state(): TableState {
    return this.#state;
  }

  /** Why nothing more is taken; the books do not agree or the disk refused a write. Only a restart clears it. */
  get locked(): string | null {
    return this.#locked;
  }

  onCommit(listener: (commit: Commit) => void): void {
    this.#listeners.push(listener);
  }

  /** Time never runs backwards in the ledger, whatever the clock of the machine does. */
  now(): number {
    return Math.max(this.#now(), this.#lastAtMs);
  }

  /** Id of the round that would open next: readable, and never used twice on one terminal. */
  nextRoundId(): string {
    return `${this.#state.profile?.terminalId ?? 'terminal'}-${String(this.#state.roundNo + 1).padStart(6, '0')}`;
  }

  submit(input: TimelessInput, commandId: string | null = null): Outcome {
    const known = commandId === null ? null : this.ledger.findCommand(commandId);
    if (known) return { status: 'exists', seq: known.lastSeq };
    if (this.#locked !== null) return this.#refuse('held', this.#locked);
    const decision = decide(this.#state, { ...input, atMs: this.now() } as Input);
    if (!decision.ok)
      return {
        status: 'rejected',
        code: decision.code,
        cites: decision.cites,
        detail: decision.detail ?? null,
      };
    const entries = decision.events.map((event): NewEntry => {
      const { type, ...body } = event;
      const roundId = 'roundId' in body && typeof body.roundId === 'string' ? body.roundId : null;
      return {
        kind: type,
        roundId: roundId ?? this.#state.round?.id ?? null,
        body,
        postings: postingsOf(event),
        ...(type === 'note-credited' ? { noteId: event.noteId } : {}),
      };
    });
    return this.#commit(commandId, entries, decision.events, decision.effects);
  }

  /** Stores something that happened to the host and not to the table. */
  record(event: HostEvent, commandId: string | null = null): Outcome {
    const known = commandId === null ? null : this.ledger.findCommand(commandId);
    if (known) return { status: 'exists', seq: known.lastSeq };
    if (this.#locked !== null) return this.#refuse('held', this.#locked);
    const { type, ...body } = event;
    return this.#commit(
      commandId,
      [{ kind: type, roundId: this.#state.round?.id ?? null, body, postings: [] }],
      [],
      [],
    );
  }

  close(): void {
    if (this.#deadline) clearTimeout(this.#deadline.timer);
    this.#deadline = null;
  }

  /** Arms the timer of the state's deadline; called once the devices run, then after every commit. */
  watchDeadline(): void {
    const { deadline } = this.#state;
    // A touch just before the deadline may still be on its way; the engine judges it by its own time stamp.
    const graceMs = deadline?.kind === 'decision' || deadline?.kind === 'offers' ? TOUCH_GRACE_MS : 0;
    const atMs = deadline === null ? null : deadline.atMs + graceMs;
    if (atMs === (this.#deadline?.atMs ?? null)) return;
    if (this.#deadline) clearTimeout(this.#deadline.timer);
    this.#deadline =
      atMs === null
        ? null
        : {
            atMs,
            timer: setTimeout(
              () => {
                this.#deadline = null;
                this.submit({ type: 'reach-deadline' });
                this.watchDeadline();
              },
              Math.max(0, atMs - this.now()),
            ),
          };
  }

  #commit(
    commandId: string | null,
    newEntries: readonly NewEntry[],
    events: readonly TableEvent[],
    effects: readonly Effect[],
  ): Outcome {
    if (newEntries.length === 0) return { status: 'done', seq: this.ledger.head().seq };
    const atMs = this.now();
    // A ledger that refuses a write throws on: this process ends, and its successor learns from the file what is stored.
    const entries = this.ledger.append(atMs, commandId, newEntries);
    this.#lastAtMs = atMs;
    for (const event of events) this.#state = evolve(this.#state, event);
    this.#checkBooks();
    const ended = events.some((event) => event.type === 'round-closed');
    if (ended || this.ledger.head().seq - this.#snapshotSeq >= SNAPSHOT_EVERY) this.#seal();
    for (const listener of this.#listeners) listener({ entries, effects });
    this.watchDeadline();
    return { status: 'done', seq: this.ledger.head().seq };
  }

  /** Snapshot with its signed checkpoint: where recovery starts and what an auditor can hold against us. */
  #seal(): void {
    this.ledger.saveSnapshot(canonicalize(this.#state) ?? '', stateHash(this.#state));
    this.#snapshotSeq = this.ledger.head().seq;
  }

  #checkBooks(): void {
    const differences = bookDifferences(this.#state, this.ledger);
    if (differences.length > 0) this.#lock(`the books do not agree: ${differences.join('; ')}`);
  }

  #lock(why: string): void {
    this.#locked = why;
    this.#log(`LOCKED: ${why}`);
  }

  #refuse(code: RejectCode, detail: string): Outcome {
    return { status: 'rejected', code, cites: [], detail };
  }
}
