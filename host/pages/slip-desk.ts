/** What is put on paper, when, and what of it can be asked for again. */
import { rulebookOf } from '../../engine/books.ts';
import type { RejectCode } from '../../engine/core/result.ts';
import type { TableEvent } from '../../engine/table/events.ts';
import type { Person } from '../../engine/table/inputs.ts';
import { commissionMinor } from '../../engine/table/settlement.ts';
import type { Entry, Ledger, LedgerKey } from '../../ledger/store/ledger.store.ts';
import type { SlipKind } from '../../wire/fields.ts';
import type { HostEvent } from '../../wire/host-events.ts';
import type { SlipRow } from '../../wire/pages.ts';
import type { PrinterDesk, Slip } from '../devices/printer.ts';
import {
  DEAL_ERRORS,
  type DealError,
  type Drop,
  dropSlip,
  errorSlip,
  handPaySlip,
  type Place,
  roundSlip,
} from '../devices/slips.ts';
import { crash } from '../program/crash.ts';
import { eventOf, type Outcome, type Terminal } from '../table/terminal.ts';
import { ownRound, roundOfSeat } from './own-rounds.ts';
import { breathe, stateBefore } from './recall.ts';
import type { RecallContext } from './recall-steps.ts';

/** Entries that SQLite passes over at a time, a few milliseconds. */
const STRIDE = 10_000;
/** Between two visits to a cash box, and not more. */
const MOST_PASSED = 1_000_000;
const NOTES_AT_ONCE = 500;
const LISTED = 40;
/** What is older than this at a start is not listed. */
const LISTED_FROM = 200_000;

const rejected = (code: RejectCode, detail: string): Outcome => ({
  status: 'rejected',
  code,
  cites: [],
  detail,
});

const isDealError = (event: TableEvent): event is DealError =>
  (DEAL_ERRORS as readonly string[]).includes(event.type) &&
  // A card that is what the shoe has read is no error.
  (event.type !== 'card-confirmed' || event.read !== event.card);

/** The slip that an entry asks for by itself; null = none. */
function slipOf(entry: Pick<Entry, 'kind' | 'body'>): Exclude<SlipKind, 'round'> | null {
  const event = eventOf(entry);
  if (event === null) return null;
  if (event.type === 'hand-paid') return 'hand-pay';
  if (boxTaken(event) !== null) return 'drop';
  return isDealError(event) ? 'deal-error' : null;
}
const ASKING = ['hand-paid', 'fault-reported', 'box-taken', ...DEAL_ERRORS] as const;

/** The acceptor whose box is out, announced or not; null = it is about no box. */
function boxTaken(event: TableEvent): number | null {
  if (event.type === 'box-taken') return event.acceptor;
  if (event.type !== 'fault-reported' || event.fault !== 'cash-box-removed') return null;
  return Number(/\d+$/.exec(event.device)?.[0]);
}

/** What puts a note into a box, or says that it lies there. */
const NOTES = ['note-credited', 'note-held', 'held-note-found', 'held-note-resolved'] as const;
type OfBox = Extract<TableEvent, { readonly type: (typeof NOTES)[number] }>;
const isOfBox = (event: TableEvent | null): event is OfBox =>
  event !== null && (NOTES as readonly string[]).includes(event.type);

type Ended = Extract<HostEvent, { type: 'slip-ended' }>;
const nameOf = ({ slip, of }: Pick<Slip, 'slip' | 'of'>): string => `${slip} ${of}`;

export interface SlipDeskOptions {
  readonly terminal: Terminal;
  readonly ledger: Ledger;
  readonly key: LedgerKey;
  /** Null: this terminal prints nothing. */
  readonly printer: PrinterDesk | null;
  readonly past: RecallContext;
  readonly log: (line: string) => void;
}

/** Money has been settled before anything is printed; whatever becomes of it changes nothing. */
export class SlipDesk {
  readonly #o: SlipDeskOptions;
  /** What can be asked for again, newest first; those of earlier lives once somebody has asked. */
  #rows: Pick<SlipRow, 'slip' | 'of' | 'atMs'>[] = [];
  #before: Promise<void> | null = null;
  readonly #startSeq: number;
  #isClosed = false;
  /** By name, what has become of it last. */
  readonly #states = new Map<string, 'sent' | 'printed' | 'not-printed'>();

  constructor(options: SlipDeskOptions) {
    this.#o = options;
    this.#startSeq = options.ledger.head().seq;
  }

  /** Entries that were stored just now. */
  take(entries: readonly Entry[]): void {
    if (this.#o.printer === null) return;
    for (const entry of entries) {
      this.#note(entry);
      const slip = slipOf(entry);
      // After the commit and its listeners: what the printer does is a commit of its own.
      if (slip !== null) queueMicrotask(() => void this.#print(slip, entry, null).catch(this.#failed));
    }
    this.#forget();
  }

  /** What became of a slip is kept as long as it is listed. */
  #forget(): void {
    this.#rows.splice(LISTED);
    if (this.#states.size <= LISTED) return;
    const listed = new Set(this.#rows.map(nameOf));
    for (const name of this.#states.keys()) if (!listed.has(name)) this.#states.delete(name);
  }

  /** The host stops: what is still being made is printed no more. */
  close(): void {
    this.#isClosed = true;
  }

  /** Paper that cannot be printed stops no table; anything else is as everywhere. */
  readonly #failed = (error: Error): void => {
    if (error instanceof RangeError) this.#o.log(`slip: ${error.message}`);
    else if (!this.#isClosed) crash(error);
  };

  /** A slip that was asked for by somebody of the staff. */
  async again(slip: SlipKind, of: string, person: Person): Promise<Outcome> {
    const { printer, ledger, key, past } = this.#o;
    if (printer === null) return rejected('off', 'this terminal has no printer');
    if (slip === 'round') {
      const [roundId = '', seat] = of.split('/');
      const round = await roundOfSeat(ledger, key, past, Number(seat), roundId);
      if (round?.receipt == null) return rejected('unknown-round', `no receipt of ${of}`);
      return this.#printRound(round, Number(seat), person);
    }
    const seq = Number(of);
    const [entry] = Number.isSafeInteger(seq) && seq > 0 ? ledger.read(seq, 1) : [];
    if (entry === undefined || slipOf(entry) !== slip)
      return rejected('nothing-to-do', `entry ${of} asks for no ${slip}`);
    await this.#print(slip, entry, person);
    return this.#done();
  }

  /** The player's own, once: a copy is the staff's to print. */
  async receipt(seat: number, roundId: string): Promise<Outcome> {
    const { printer, ledger, key, past } = this.#o;
    if (printer === null || printer.state !== 'idle') return rejected('off', 'the printer cannot print now');
    if (printer.wasSent('round', `${roundId}/${seat}`)) return rejected('duplicate', 'printed before');
    const round = await ownRound(ledger, key, past, seat, roundId);
    if (round?.receipt == null) return rejected('unknown-round', `no receipt of ${roundId} for seat ${seat}`);
    // Somebody may have touched twice meanwhile.
    if (printer.wasSent('round', `${roundId}/${seat}`)) return rejected('duplicate', 'printed before');
    return this.#printRound(round, seat, null);
  }

  /** For service mode, newest first. */
  async rows(): Promise<SlipRow[]> {
    this.#before ??= this.#readBefore();
    await this.#before;
    return this.#rows.map((row) => ({
      ...row,
      state: this.#o.printer?.isWaiting(row.slip, row.of)
        ? 'waiting'
        : (this.#states.get(nameOf(row)) ?? (this.#o.printer?.wasSent(row.slip, row.of) ? 'sent' : 'never')),
    }));
  }

  #done(): Outcome {
    return { status: 'done', seq: this.#o.ledger.head().seq };
  }

  #place(): Place {
    const { terminal, ledger, past } = this.#o;
    const { tableName, currency, rulebook } = terminal.state.profile!;
    const home = rulebookOf(rulebook)?.home ?? 'macau';
    return { terminalId: ledger.terminalId, tableName, currency, home, isSimulated: past.simulation };
  }

  #printRound(
    {
      roundId,
      no,
      openedAtMs,
      byHand,
      netMinor,
      lines,
      receipt,
    }: NonNullable<Awaited<ReturnType<typeof ownRound>>>,
    seat: number,
    person: Person | null,
  ): Outcome {
    const place = this.#place();
    const returnedMinor = lines.reduce((sum, line) => sum + line.returnedMinor, 0);
    const stakedMinor = returnedMinor - netMinor;
    const commissionTaken = lines.reduce((sum, line) => sum + commissionMinor(line), 0);
    const amounts = { stakedMinor, netMinor, commissionMinor: commissionTaken };
    this.#o.printer!.print({
      slip: 'round',
      of: `${roundId}/${seat}`,
      person,
      items: (isCopy) =>
        roundSlip(place, { no, seat, openedAtMs, byHand, ...amounts, receipt: receipt! }, isCopy),
    });
    return this.#done();
  }

  async #print(slip: Exclude<SlipKind, 'round'>, entry: Entry, person: Person | null): Promise<void> {
    const items = await this.#itemsOf(entry);
    if (this.#isClosed) return;
    this.#o.printer!.print({ slip, of: String(entry.seq), person, items });
  }

  async #itemsOf(entry: Entry): Promise<Slip['items']> {
    const place = this.#place();
    const event = { ...eventOf(entry)!, atMs: entry.atMs };
    if (event.type === 'hand-paid') return (isCopy) => handPaySlip(place, event, isCopy);
    const acceptor = boxTaken(event);
    if (acceptor !== null) {
      const drop = await this.#dropAt(entry.seq, acceptor, entry.atMs);
      return (isCopy) => dropSlip(place, drop, isCopy);
    }
    if (!isDealError(event)) throw new Error(`entry ${entry.seq} asks for no slip`);
    const { roundNo, dealer } = await stateBefore(this.#o.ledger, entry.seq);
    return (isCopy) => errorSlip(place, event, { roundNo, dealer, isCopy });
  }

  /** What the books have in the box of an acceptor since it was out before. */
  async #dropAt(seq: number, acceptor: number, atMs: number): Promise<Drop> {
    const { ledger } = this.#o;
    const counts = new Map<number, number>();
    const add = (valueMinor: number): void => {
      counts.set(valueMinor, (counts.get(valueMinor) ?? 0) + 1);
    };
    const kinds = [...NOTES, 'fault-reported', 'box-taken'];
    const closed = new Set<number>();
    let held = 0;
    let isWhole = false;
    const least = Math.max(1, seq - MOST_PASSED);
    for (let beforeSeq = seq; beforeSeq > least && !isWhole; ) {
      const downToSeq = Math.max(1, beforeSeq - STRIDE);
      const some = ledger.newest({ beforeSeq, downToSeq, limit: NOTES_AT_ONCE, kind: null, kinds });
      for (const entry of some) {
        const event = eventOf(entry);
        if (event?.type === 'fault-reported' || event?.type === 'box-taken') {
          isWhole = boxTaken(event) === acceptor;
          if (isWhole) break;
        } else if (!isOfBox(event) || event.acceptor !== acceptor) continue;
        else if (event.type === 'note-credited') add(event.valueMinor);
        else if (event.type === 'held-note-resolved') {
          closed.add(event.caseNo);
          // The attendant has found it there; the unit never said so.
          if (event.credited && !event.inBox && event.valueMinor !== null) add(event.valueMinor);
        } else if (event.type === 'note-held' && !event.inBox) continue;
        // Whatever became of the case, the note stayed where it lay.
        else if (closed.has(event.caseNo) && event.valueMinor !== null) add(event.valueMinor);
        else held += 1;
      }
      beforeSeq = some.length < NOTES_AT_ONCE ? downToSeq : some.at(-1)!.seq;
      if (beforeSeq <= 1) isWhole = true;
      await breathe();
    }
    const notes = [...counts]
      .map(([valueMinor, count]) => ({ valueMinor, count }))
      .toSorted((a, b) => b.valueMinor - a.valueMinor);
    return { acceptor, atMs, notes, held, isWhole };
  }

  #note(entry: Entry): void {
    const row = this.#rowOf(entry);
    if (row !== null && !this.#rows.some((known) => nameOf(known) === nameOf(row))) this.#rows.unshift(row);
    this.#hear(entry);
  }

  #rowOf(entry: Entry): Pick<SlipRow, 'slip' | 'of' | 'atMs'> | null {
    const { seq, kind, atMs } = entry;
    const slip = slipOf(entry);
    if (slip !== null) return { slip, of: String(seq), atMs };
    if (kind !== 'slip-sent') return null;
    const sent = entry.body as Extract<HostEvent, { type: 'slip-sent' }>;
    return sent.slip === 'round' ? { slip: 'round', of: sent.of, atMs } : null;
  }

  #hear({ kind, body }: Pick<Entry, 'kind' | 'body'>): void {
    if (kind === 'slip-sent') this.#states.set(nameOf(body as Ended), 'sent');
    if (kind === 'slip-ended')
      this.#states.set(nameOf(body as Ended), (body as Ended).printed ? 'printed' : 'not-printed');
  }

  /** What earlier lives have left, behind what this one has. */
  async #readBefore(): Promise<void> {
    const kinds = [...ASKING, 'slip-sent', 'slip-ended'];
    const told = new Set(this.#states.keys());
    for (
      let beforeSeq = this.#startSeq + 1;
      beforeSeq > Math.max(1, this.#startSeq - LISTED_FROM) && this.#rows.length < LISTED;
    ) {
      const downToSeq = Math.max(1, beforeSeq - STRIDE);
      const limit = NOTES_AT_ONCE;
      const some = this.#o.ledger.newest({ beforeSeq, downToSeq, limit, kind: null, kinds });
      for (const entry of some) {
        const row = this.#rowOf(entry);
        if (row !== null && !this.#rows.some((known) => nameOf(known) === nameOf(row))) this.#rows.push(row);
        // Newest first: the first word on a slip is the last one.
        if (entry.kind !== 'slip-sent' && entry.kind !== 'slip-ended') continue;
        const name = nameOf(entry.body as Ended);
        if (!told.has(name)) this.#hear(entry);
        told.add(name);
      }
      beforeSeq = some.length < limit ? downToSeq : some.at(-1)!.seq;
      await breathe();
    }
    this.#forget();
  }
}
