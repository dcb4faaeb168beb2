import type { Entry, Ledger } from '../../ledger/store/ledger.store.ts';
import type { EventPage } from '../../wire/pages.ts';
import type { Asked } from '../../wire/queries.ts';
import { OpenedCards } from '../table/sealed-cards.ts';
import { type Coded, codesOf, kindsThat } from './event-codes.ts';
import { bodyShown, breathe } from './recall.ts';

/** Entries that SQLite passes over at a time: 0.2 s for each million, so a few milliseconds. */
const STRIDE = 10_000;
/** Entries read and looked at one by one at a time. */
const PAGE = 250;
/**
 * So many are looked at for one answer; what is further back is the next page's, which may be
 * empty.
 */
const MOST_READ = 25_000;

/**
 * First entry that is not before `atMs`, the one after the newest when all are; times never fall in
 * a ledger.
 */
export function firstSeqFrom(ledger: Ledger, atMs: number): number {
  let from = 1;
  let to = ledger.head().seq + 1;
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    if (ledger.read(middle, 1)[0]!.atMs < atMs) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Whom an entry is about: the seat, or the bettor of a seat. */
function isOfSeat(body: unknown, seat: number): boolean {
  if (typeof body !== 'object' || body === null) return false;
  const { seat: at, by, fromSeat, toSeat, lines } = body as Record<string, unknown>;
  if ([at, by, fromSeat, toSeat].includes(seat)) return true;
  return Array.isArray(lines) && lines.some((line) => isOfSeat(line, seat));
}

/** Somebody's name stands in it, by their id or as they are called. */
function namesPerson(body: unknown, said: string): boolean {
  if (typeof body !== 'object' || body === null) return false;
  if (Array.isArray(body)) return body.some((each) => namesPerson(each, said));
  const { id, name, role } = body as Record<string, unknown>;
  if (
    typeof role === 'string' &&
    [id, name].some((of) => typeof of === 'string' && of.toLowerCase() === said)
  )
    return true;
  return Object.values(body).some((each) => namesPerson(each, said));
}

export type EventsAsked = Omit<Asked['events'], 'query'>;

const matches = ({ body }: Entry, codes: readonly Coded[], o: EventsAsked): boolean =>
  (o.code == null || codes.some(({ code }) => code === o.code)) &&
  (o.class == null || codes.some((coded) => coded.class === o.class)) &&
  (o.seat == null || isOfSeat(body, o.seat)) &&
  (o.person == null || namesPerson(body, o.person.toLowerCase()));

/**
 * Newest entries first that match all that is asked for; `hiddenIn`: see `hiddenRound`. Between any
 * two reads whoever touches the table is served.
 */
export async function eventPage(ledger: Ledger, hiddenIn: string | null, o: EventsAsked): Promise<EventPage> {
  const span = o.roundId == null ? { firstSeq: 1, lastSeq: Infinity } : ledger.roundSpan(o.roundId);
  if (span === null) return { events: [], olderSeq: null };
  const oldest = Math.max(span.firstSeq, o.fromMs == null ? 1 : firstSeqFrom(ledger, o.fromMs));
  const end = o.toMs == null ? Infinity : firstSeqFrom(ledger, o.toMs);
  let beforeSeq = Math.min(o.beforeSeq ?? Infinity, ledger.head().seq + 1, span.lastSeq + 1, end);
  const ofKind = o.kind === null ? null : [o.kind];
  const kinds =
    ofKind ?? (o.code == null && o.class == null ? null : kindsThat(o.code ?? null, o.class ?? null));
  if (kinds?.length === 0) return { events: [], olderSeq: null };
  const events: EventPage['events'][number][] = [];
  let readCount = 0;
  const cards = new OpenedCards(ledger);
  while (beforeSeq > oldest && events.length < o.limit && readCount < MOST_READ) {
    const downToSeq = Math.max(oldest, beforeSeq - STRIDE);
    const page = ledger.newest({ beforeSeq, downToSeq, limit: PAGE, kind: null, kinds });
    beforeSeq = page.length < PAGE ? downToSeq : page.at(-1)!.seq;
    readCount += page.length;
    for (const entry of page) {
      const codes = codesOf(entry);
      // A round may stand in between entries of another one, or of none.
      if (!matches(entry, codes, o) || (o.roundId != null && entry.roundId !== o.roundId)) continue;
      const { seq, atMs, kind, roundId } = entry;
      events.push({ seq, atMs, kind, roundId, codes, body: bodyShown(cards.in(entry), hiddenIn) });
      if (events.length < o.limit) continue;
      beforeSeq = seq;
      break;
    }
    await breathe();
  }
  return { events, olderSeq: beforeSeq > oldest ? beforeSeq : null };
}
