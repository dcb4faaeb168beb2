/**
 * Every banknote that was ever offered, newest first, with the entries of the ledger that are about
 * it.
 */
import type { TableEvent } from '../../engine/table/events.ts';
import type { Entry, Ledger } from '../../ledger/store/ledger.store.ts';
import type { HostEvent } from '../../wire/host-events.ts';
import type { NoteOutcome, NotePage } from '../../wire/pages.ts';
import type { Asked } from '../../wire/queries.ts';
import { breathe } from './recall.ts';

/** What the story of a note begins with; a held note only where it was never in escrow. */
export const NOTE_HEADS = ['note-escrowed', 'note-refused', 'note-rejected-by-device', 'note-held'] as const;
const LATER = [
  'note-stack-requested',
  'note-credited',
  'note-closed',
  'note-returned',
  'note-held',
  'held-note-found',
  'held-note-resolved',
] as const;

type Told<K extends string> = Extract<TableEvent | HostEvent, { type: K }>;
type Head = Told<(typeof NOTE_HEADS)[number]>;
type Later = Told<(typeof LATER)[number]>;

const eventOf = <T>({ kind, body }: Entry): T => ({ type: kind, ...(body as object) }) as T;

/**
 * Entries that SQLite passes over at a time, a few milliseconds; so many for one answer, and then
 * the next page's.
 */
const STRIDE = 10_000;
const MOST_PASSED = 1_000_000;
const HEADS_AT_ONCE = 100;
/** A note is settled within seconds; a case that a person closes later has its own place. */
const STORY = 2_000;

/** @param isOpen whether this note is still on its way */
export async function notePage(
  ledger: Ledger,
  isOpen: (noteId: string) => boolean,
  o: Omit<Asked['notes'], 'query'>,
): Promise<NotePage> {
  const notes: NotePage['notes'][number][] = [];
  let beforeSeq = Math.min(o.beforeSeq ?? Infinity, ledger.head().seq + 1);
  for (
    const leastSeq = beforeSeq - MOST_PASSED;
    beforeSeq > Math.max(1, leastSeq) && notes.length < o.limit;
  ) {
    const downToSeq = Math.max(1, beforeSeq - STRIDE);
    const heads = ledger.newest({
      beforeSeq,
      downToSeq,
      limit: HEADS_AT_ONCE,
      kind: null,
      kinds: NOTE_HEADS,
    });
    beforeSeq = heads.length < HEADS_AT_ONCE ? downToSeq : heads.at(-1)!.seq;
    for (const entry of heads) {
      const head = eventOf<Head>(entry);
      if (head.type === 'note-held' && head.noteId !== null) continue;
      if (o.acceptor != null && head.acceptor !== o.acceptor) continue;
      const note = storyOf(ledger, entry, head, isOpen);
      if (o.outcome != null && note.outcome !== o.outcome) continue;
      notes.push(note);
      if (notes.length < o.limit) continue;
      beforeSeq = entry.seq;
      break;
    }
    await breathe();
  }
  return { notes, olderSeq: beforeSeq > 1 ? beforeSeq : null };
}

function storyOf(
  ledger: Ledger,
  entry: Entry,
  head: Head,
  isOpen: (noteId: string) => boolean,
): NotePage['notes'][number] {
  const { seq, atMs, kind } = entry;
  const noteId = 'noteId' in head ? head.noteId : null;
  let caseNo = head.type === 'note-held' ? head.caseNo : null;
  let outcome: NoteOutcome =
    head.type === 'note-refused'
      ? 'refused'
      : head.type === 'note-rejected-by-device'
        ? 'rejected'
        : head.type === 'note-held'
          ? 'held'
          : 'open';
  let why = 'why' in head ? head.why : 'reason' in head ? head.reason : null;
  const steps = [{ seq, atMs, kind }];
  if (head.type === 'note-escrowed' || head.type === 'note-held') {
    const after = ledger.newest({
      beforeSeq: seq + STORY,
      downToSeq: seq + 1,
      limit: STORY,
      kind: null,
      kinds: LATER,
    });
    for (const each of after.reverse()) {
      const later = eventOf<Later>(each);
      const isMine =
        'noteId' in later && noteId !== null
          ? later.noteId === noteId
          : 'caseNo' in later && later.caseNo === caseNo;
      if (!isMine) continue;
      steps.push({ seq: each.seq, atMs: each.atMs, kind: each.kind });
      if (later.type === 'note-credited') outcome = 'credited';
      else if (later.type === 'note-returned') outcome = 'returned';
      else if (later.type === 'note-held') ({ caseNo, why, outcome } = { ...later, outcome: 'held' });
    }
    if (outcome === 'open' && noteId !== null && !isOpen(noteId)) outcome = 'unknown';
  }
  return {
    seq,
    atMs,
    noteId,
    acceptor: head.acceptor,
    seat: 'seat' in head ? head.seat : null,
    currency: 'currency' in head ? head.currency : null,
    valueMinor: 'valueMinor' in head ? head.valueMinor : null,
    outcome,
    why,
    caseNo,
    steps,
  };
}
