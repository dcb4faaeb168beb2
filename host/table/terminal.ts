import { createHash } from 'node:crypto';
import { brokenEquations } from '../../engine/accounting/meter-equations.ts';
import { emptyMeters, type MeterContext } from '../../engine/accounting/meter-fold.ts';
import { countEvent } from '../../engine/accounting/meters.ts';
import { postingsOf } from '../../engine/accounting/postings.ts';
import { booksAgree } from '../../engine/accounting/self-audit.ts';
import { authorisedNames } from '../../engine/books.ts';
import type { RejectCode } from '../../engine/core/result.ts';
import type { Effect } from '../../engine/engine.ts';
import { advance, evolve, hiddenAt, hidesCards, initialState, knownState } from '../../engine/engine.ts';
import { TOUCH_GRACE_MS } from '../../engine/table/draft.ts';
import type { TableEvent } from '../../engine/table/events.ts';
import type { Input } from '../../engine/table/inputs.ts';
import type { TableState } from '../../engine/table/state.ts';
import { canonicalText } from '../../ledger/chain/canonical.ts';
import type { Entry, Ledger, LedgerReader, NewEntry } from '../../ledger/store/ledger.store.ts';
import type { HostEvent } from '../../wire/host-events.ts';
import { isHostEvent } from '../../wire/host-events.ts';
import { openedAt } from './round-facts.ts';
import { type Mac, OpenedCards, Sealer, standIn } from './sealed-cards.ts';
import { openingOf, RoundBook, type SecondReader, type Unagreed } from './to-read.ts';

type WithoutTime<T> = T extends unknown ? Omit<T, 'atMs'> : never;
export type TimelessInput = WithoutTime<Input>;

export type Outcome =
  /** `effects`: what whoever asked has to do now, in this order; absent = nothing. */
  | { readonly status: 'done' | 'exists'; readonly seq: number; readonly effects?: readonly Effect[] }
  | {
      readonly status: 'rejected';
      readonly code: RejectCode;
      readonly cites: readonly string[];
      readonly detail: string | null;
      /** Of a touch after its deadline: by how much. */
      readonly lateMs?: number;
    };

export interface Commit {
  readonly entries: readonly Entry[];
}

export interface TerminalOptions {
  readonly ledger: Ledger;
  readonly now: () => number;
  readonly log: (line: string) => void;
  /** Reads every payment of a round before it is stored; null or absent = nobody does. */
  readonly reader?: SecondReader | null;
}

/** With hidden cards: what versions before the seals have signed. */
export const wholeHash = (state: unknown): Buffer =>
  createHash('sha256').update(canonicalText(state)!).digest();

/**
 * SHA-256 of the canonical state, the same for the live table and its replay; without hidden cards,
 * for there are only 52 to try.
 */
export const stateHash = (state: TableState): Buffer => wholeHash(knownState(state));

/** Keeps the state at the head: where recovery starts and what an auditor can hold against us. */
export function seal(ledger: Ledger, state: TableState): void {
  const text = canonicalText(state)!;
  ledger.saveSnapshot(text, createHash('sha256').update(text).digest());
}

/** The engine's event of a stored entry; null for entries of the host itself. */
export const eventOf = (entry: Pick<Entry, 'kind' | 'body'>): TableEvent | null =>
  isHostEvent(entry.kind) ? null : ({ type: entry.kind, ...standIn(entry) } as TableEvent);

/** `roundId`: of the round on the table before the event. */
export function entryOf(event: TableEvent, roundId: string | null): NewEntry {
  const { type, ...body } = event;
  const own = 'roundId' in body && typeof body.roundId === 'string' ? body.roundId : null;
  return {
    kind: type,
    roundId: own ?? roundId,
    body,
    postings: postingsOf(event),
    ...(type === 'note-credited' ? { noteId: event.noteId } : {}),
  };
}

/** Readable, never used twice on one terminal, and found again by its number. */
export const roundIdOf = (terminalId: string, roundNo: number): string =>
  `${terminalId}-${String(roundNo).padStart(6, '0')}`;

/** Entries that may have been stored together; what no command caused differs by its time. */
export const sameTransaction = (a: Entry, b: Entry | null): boolean =>
  b !== null && a.commandId === b.commandId && (a.commandId !== null || a.atMs === b.atMs);

/**
 * State of the table after entry `atSeq`: the newest snapshot that is not younger, and what came
 * after it. Yields after every `page` entries, for whoever must not keep the others waiting. Hidden
 * cards are in it only with the terminal's `mac`.
 */
export function* restoring(
  ledger: LedgerReader,
  atSeq: number,
  page: number,
  mac: Mac | null = null,
): Generator<undefined, TableState> {
  const cards = new OpenedCards(ledger, mac);
  const snapshot = ledger.latestSnapshot(atSeq);
  // A snapshot of an earlier version lacks what has come to the state since.
  let state = initialState();
  if (snapshot) {
    const stored = JSON.parse(snapshot.state) as TableState;
    state = { ...state, ...stored, shoe: { ...state.shoe, ...stored.shoe } };
  }
  for (let from = (snapshot?.seq ?? 0) + 1; from <= atSeq; ) {
    const entries = ledger.read(from, Math.min(page, atSeq - from + 1));
    for (const entry of entries) {
      const event = eventOf(cards.in(entry));
      if (event) state = evolve(state, event);
    }
    from += entries.length;
    yield;
  }
  return state;
}

export function restoreState(ledger: LedgerReader, atSeq: number, mac: Mac | null = null): TableState {
  const steps = restoring(ledger, atSeq, 1000, mac);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/**
 * The engine's own sums against the folded accounts with these entries on top; empty = the books
 * agree.
 * @param balances account with its currency -> folded postings, minor units, as the ledger gives
 * them
 */
export function bookDifferences(
  state: TableState,
  balances: ReadonlyMap<string, number>,
  entries: readonly NewEntry[] = [],
): string[] {
  const currency = state.profile?.currency ?? '';
  const accounts = new Map<string, number>();
  for (const [name, balance] of balances)
    if (name.startsWith(`${currency}/`)) accounts.set(name.slice(currency.length + 1), balance);
  for (const { postings } of entries)
    for (const posting of postings)
      if (posting.currency === currency)
        accounts.set(posting.account, (accounts.get(posting.account) ?? 0) + posting.amountMinor);
  for (const [account, sum] of accounts)
    if (!Number.isSafeInteger(sum)) return [`${account}: ${sum} is more than can be counted exactly`];
  return booksAgree(state, accounts);
}

const contextOf = ({ profile, rules, dealer }: TableState): MeterContext => ({
  authorised: authorisedNames(rules),
  seatCount: profile?.seatCount ?? 0,
  game: profile?.rulebook ?? '',
  dealer: dealer?.id ?? '',
  shift: '',
});

/** Why nothing more is taken, and since when. */
export interface Lock {
  readonly why: string;
  readonly sinceMs: number;
}

/** The only inputs of a locked terminal: none of them moves money, a card or a bet. */
const WHILE_LOCKED: ReadonlySet<Input['type']> = new Set<Input['type']>([
  'start-terminal',
  'report-fault',
  'clear-fault',
  'enter-service',
  'exit-service',
]);

const isTakenWhileLocked = (input: TimelessInput): boolean =>
  WHILE_LOCKED.has(input.type) || (input.type === 'hear-acceptor' && input.isLocked === true);

export const BOOKS = { device: 'books', fault: 'books-differ' } as const;

const SNAPSHOT_EVERY = 2_000;

/**
 * Besides the end of a round (`snapshot`) and what the ledger signs itself (`closing`, `repair`).
 */
type SigningReason = 'dispute' | 'dealer-in' | 'dealer-out' | 'service' | 'drop' | 'door' | 'stop';

const SIGNED: Readonly<Record<string, SigningReason>> = {
  'complaint-raised': 'dispute',
  'dealer-signed-in': 'dealer-in',
  'dealer-signed-out': 'dealer-out',
  'service-entered': 'service',
  'doors-counted': 'door',
  'box-taken': 'drop',
};

function signatureFor({ kind, body }: Pick<Entry, 'kind' | 'body'>): SigningReason[] {
  if (kind === 'fault-reported' && (body as { fault: string }).fault === 'cash-box-removed') return ['drop'];
  return Object.hasOwn(SIGNED, kind) ? [SIGNED[kind]!] : [];
}

/**
 * The one road of every input: decide, which evolves the state, compare books and meters, one
 * durable transaction, then displays and the effects for whoever asked. Everything here is
 * synchronous, so inputs are served strictly one after the other; two touches at the same moment
 * are simply two inputs, and nobody sees the state before it is on disk. Nothing is shown or
 * commanded before that.
 *
 * Two things end this road. Where the books would not agree after an input, the input is refused
 * with `held` and nothing of it is stored: the state before it is made again from the ledger. The
 * terminal locks: it reports the fault `books` to its ledger, stands held with the code `books`,
 * and takes only service mode and reports that move nothing (NIGC 547.10 a 3: no further input or
 * payout). After a restart that finds the books in agreement a technician and an auditor end the
 * fault, and the dealer confirms the layout; after one that does not the terminal stays locked.
 * Where the ledger refuses a write, nobody knows what is on the disk: `submit` throws, nothing is
 * answered or shown, and the caller lets the process end, so that its successor learns from the
 * file what is stored.
 */
export class Terminal {
  readonly ledger: Ledger;
  readonly #now: () => number;
  readonly #log: (line: string) => void;
  readonly #listeners: ((commit: Commit) => void)[] = [];
  /** What the listeners hear when all inputs of `together` are stored. */
  #untold: Commit[] | null = null;
  readonly #sealer: Sealer;
  readonly #reader: SecondReader | null;
  /** For the reader alone, who begins it anew with every round. */
  readonly #book = new RoundBook();
  #state: TableState;
  #metersOf: MeterContext;
  #lastAtMs = 0;
  #snapshotSeq: number;
  #locked: Lock | null = null;
  /** What was thrown once: the state may be ahead of the ledger, and nothing is served any more. */
  #broken: unknown = null;
  #deadline: { atMs: number; timer: NodeJS.Timeout } | null = null;
  #closed = false;

  constructor(options: TerminalOptions) {
    this.ledger = options.ledger;
    this.#now = options.now;
    this.#log = options.log;
    const { mac, terminalId } = options.ledger;
    this.#state = restoreState(this.ledger, this.ledger.head().seq, mac);
    this.#reader = options.reader ?? null;
    if (this.#reader !== null && this.#state.round !== null) this.#findRound();
    this.#metersOf = contextOf(this.#state);
    this.#snapshotSeq = options.ledger.latestSnapshot()?.seq ?? 0;
    // No snapshot is taken of a hidden card.
    this.#sealer = new Sealer(mac, terminalId, new OpenedCards(this.ledger, mac).unopened(this.#snapshotSeq));
    this.#lastAtMs = options.ledger.read(options.ledger.head().seq, 1)[0]?.atMs ?? 0;
    const differences = bookDifferences(this.#state, options.ledger.balances());
    if (differences.length > 0) this.#lock(differences);
  }

  /**
   * Throws after a write that was refused: what the process has yet to show before it ends would
   * tell of an input that nobody has stored.
   */
  get state(): TableState {
    if (this.#broken !== null) throw this.#broken;
    return this.#state;
  }

  /** Set while the books do not agree. Only a restart clears it. */
  get locked(): Lock | null {
    return this.#locked;
  }

  onCommit(listener: (commit: Commit) => void): void {
    this.#listeners.push(listener);
  }

  /** Time never runs backwards in the ledger, whatever the clock of the machine does. */
  now(): number {
    return Math.max(this.#now(), this.#lastAtMs);
  }

  /** Id of the round that would open next. */
  nextRoundId(): string {
    return roundIdOf(this.ledger.terminalId, this.#state.roundNo + 1);
  }

  /** The first input of a process: it puts the state of the books on record, too. */
  start(bootId: string, softwareId: string): void {
    this.submit({ type: 'start-terminal', bootId, softwareId });
    // The power may have gone between a complaint and the signature under it.
    if (this.#state.complaints.length > 0) this.sign('dispute');
    if (this.#locked !== null) this.#reportBooks(this.#locked.why);
  }

  /**
   * Throws what the ledger throws when it refuses the write; nothing is to be read from the
   * terminal then, see above.
   */
  submit(input: TimelessInput, commandId: string | null = null): Outcome {
    if (this.#broken !== null) throw this.#broken;
    try {
      return this.#take(input, commandId);
    } catch (error) {
      this.#broken = error;
      throw error;
    }
  }

  /**
   * The inputs that `work` submits are one commit: one write to the disk for seven fingers, and
   * nobody hears of the first before the last is stored. None of them may command a device. Throws
   * as `submit` does.
   */
  together(work: () => void): void {
    if (this.#broken !== null) throw this.#broken;
    const untold: Commit[] = [];
    try {
      this.#untold = untold;
      this.ledger.together(() => {
        work();
        // Whoever asked may have kept it for later, in a promise.
        if (this.#broken !== null) throw this.#broken;
      });
    } catch (error) {
      this.#broken = error;
      throw error;
    } finally {
      this.#untold = null;
    }
    for (const commit of untold) this.#tell(commit);
    this.watchDeadline();
  }

  #tell(commit: Commit): void {
    for (const listener of this.#listeners) listener(commit);
  }

  #take(input: TimelessInput, commandId: string | null): Outcome {
    const known = commandId === null ? null : this.ledger.findCommand(commandId);
    if (known) return { status: 'exists', seq: known.lastSeq };
    if (this.#locked !== null && !isTakenWhileLocked(input)) return this.#refuse(this.#locked.why);
    const roundId = this.#state.round?.id ?? null;
    const hid = hidesCards(this.#state);
    if (this.#reader !== null) this.#book.before(this.#state);
    const decision = advance(this.#state, { ...input, atMs: this.now() } as Input);
    if (!decision.ok)
      return {
        status: 'rejected',
        code: decision.code,
        cites: decision.cites,
        detail: decision.detail ?? null,
        ...(decision.lateMs === undefined ? {} : { lateMs: decision.lateMs }),
      };
    const { events, effects } = decision;
    const unagreed = this.#read(events);
    if (unagreed.some(({ holds }) => holds)) return this.#holdMoney(input, commandId, unagreed);
    const entries = events.map((event) => entryOf(event, roundId));
    const changed = emptyMeters(this.#metersOf);
    for (let i = 0; i < events.length; i++) countEvent(changed, events[i]!, entries[i]!.postings);
    const differences =
      this.#locked === null
        ? [...bookDifferences(this.#state, this.ledger.balances(), entries), ...brokenEquations(changed)]
        : [];
    if (differences.length > 0) {
      this.#state = restoreState(this.ledger, this.ledger.head().seq, this.ledger.mac);
      this.#lock(differences);
      this.#reportBooks(differences.join('; '));
      return this.#refuse(differences.join('; '));
    }
    this.#metersOf = changed.context;
    const stored = this.#sealer.seal(entries, this.ledger.head().seq + 1, hid, hiddenAt(this.#state));
    if (this.#reader !== null) this.#book.stored(events);
    const done = this.#commit(commandId, stored);
    for (const { record } of unagreed) if (record !== null) this.record(record);
    return effects.length === 0 ? done : { ...done, effects };
  }

  /** Who reads the payments among these events has another account, or none. */
  #read(events: readonly TableEvent[]): Unagreed[] {
    const reader = this.#reader;
    if (reader === null) return [];
    return this.#book.paymentsIn(events, this.#state).flatMap((money) => reader.read(money) ?? []);
  }

  #findRound(): void {
    const { ledger } = this;
    const { mac } = ledger;
    const opened = openingOf(ledger);
    const cards = new OpenedCards(ledger, mac);
    const entries = ledger.read(opened, ledger.head().seq - opened + 1);
    const events = entries.map((entry) => eventOf(cards.in(entry))).filter((event) => event !== null);
    this.#book.find(openedAt(restoreState(ledger, opened - 1, mac)), events);
  }

  /**
   * Nothing of the input is stored but what the table keeps of it: a card, or a decision. What
   * neither of them is, is decided once more on the table as it is held now.
   */
  #holdMoney(input: TimelessInput, commandId: string | null, unagreed: readonly Unagreed[]): Outcome {
    this.#state = restoreState(this.ledger, this.ledger.head().seq, this.ledger.mac);
    for (const { record } of unagreed) if (record !== null) this.record(record);
    const { why } = unagreed.find(({ holds }) => holds)!;
    if (this.#state.unread) return this.#wait(why);
    const kept = input.type === 'draw-card' || input.type === 'decide' ? input : null;
    const held = this.#take({ type: 'hold-money', why, input: kept }, kept === null ? null : commandId);
    if (kept !== null || held.status === 'rejected') return held;
    return input.type === 'reach-deadline' ? held : this.#take(input, commandId);
  }

  #wait(why: string): Outcome {
    const detail = why === 'differs' ? 'the second reader has another account' : 'the second reader is away';
    return { status: 'rejected', code: 'held', cites: [], detail };
  }

  /** What an audit beside the inputs has found: locks as an input would. */
  reportAudit(differences: readonly string[]): void {
    if (differences.length === 0 || this.#locked !== null) return;
    this.#lock(differences);
    this.#reportBooks(differences.join('; '));
  }

  /** Stores something that happened to the host and not to the table. */
  record(event: HostEvent, commandId: string | null = null): Outcome {
    const known = commandId === null ? null : this.ledger.findCommand(commandId);
    if (known) return { status: 'exists', seq: known.lastSeq };
    // A fact of a device keeps its number for the life that can take it.
    if (this.#locked !== null && commandId !== null) return this.#refuse(this.#locked.why);
    const { type, ...body } = event;
    const roundId = this.#state.round?.id ?? null;
    return this.#commit(commandId, [{ kind: type, roundId, body, postings: [] }]);
  }

  /** No deadline is watched from here on, also after a commit that a device still makes. */
  close(): void {
    this.#closed = true;
    if (this.#deadline) clearTimeout(this.#deadline.timer);
    this.#deadline = null;
  }

  /**
   * Arms the timer of the state's deadline; called once the devices run, then after every commit.
   */
  watchDeadline(): void {
    if (this.#closed) return;
    const { deadline, round } = this.#state;
    // A touch just before the deadline may still be on its way; the engine judges it by its own
    // time stamp. After the betting window it still finds the round there, unless no bet lies: then
    // the round itself would be gone.
    const isAwaited =
      deadline?.kind === 'decision' ||
      deadline?.kind === 'offers' ||
      (deadline?.kind === 'betting' && round?.bets.length === 0);
    const graceMs = isAwaited ? TOUCH_GRACE_MS : 0;
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
                // The time has passed, whatever the wall clock says that was put back meanwhile:
                // early, never late.
                this.#lastAtMs = Math.max(this.#lastAtMs, atMs);
                this.submit({ type: 'reach-deadline' });
                this.watchDeadline();
              },
              Math.max(0, atMs - this.now()),
            ),
          };
  }

  #commit(commandId: string | null, newEntries: readonly NewEntry[]): { status: 'done'; seq: number } {
    if (newEntries.length === 0) return { status: 'done', seq: this.ledger.head().seq };
    const atMs = this.now();
    const entries = this.ledger.append(atMs, commandId, newEntries);
    this.#lastAtMs = atMs;
    const ended = entries.some(({ kind }) => kind === 'round-closed');
    const isDue = ended || this.ledger.head().seq - this.#snapshotSeq >= SNAPSHOT_EVERY;
    // A snapshot is the whole state in clear.
    if (isDue && !hidesCards(this.#state)) this.#seal();
    // Signed before anything else happens: what a complaint is about, who took the table over, what
    // was in the box.
    for (const reason of new Set(entries.flatMap(signatureFor))) this.sign(reason);
    if (this.#untold === null) {
      this.#tell({ entries });
      this.watchDeadline();
    } else this.#untold.push({ entries });
    return { status: 'done', seq: this.ledger.head().seq };
  }

  /**
   * Snapshot with its signed checkpoint: where recovery starts and what an auditor can hold against
   * us.
   */
  #seal(): void {
    seal(this.ledger, this.#state);
    this.#snapshotSeq = this.ledger.head().seq;
  }

  /** Signs the newest entry with the state after it; `reason` as in docs/ledger-format.md. */
  sign(reason: SigningReason): void {
    this.ledger.checkpoint(reason, stateHash(this.#state), this.#lastAtMs);
  }

  #lock(differences: readonly string[]): void {
    this.#locked = { why: differences.join('; '), sinceMs: this.now() };
    this.#log(`LOCKED: the books do not agree: ${this.#locked.why}`);
  }

  #reportBooks(why: string): void {
    this.submit({ type: 'report-fault', ...BOOKS, place: why });
  }

  #refuse(why: string): Outcome {
    return { status: 'rejected', code: 'held', cites: [], detail: `the books do not agree: ${why}` };
  }
}
