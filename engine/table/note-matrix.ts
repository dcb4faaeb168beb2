/**
 * What is done about a banknote, for every state its record can be in and everything an acceptor of
 * any model can say, at any moment and after any restart of either side. One row a pair; notes.ts
 * does what the row says and nothing else.
 *
 * The record on disk says `stack-requested` from before STACK leaves until the note is credited,
 * returned or held; `credited` from the credit until the unit has gone on (before that it may
 * repeat its signal); `held` while a case of this acceptor says that nobody knows where its note
 * is; else `none`. Escrow alone has no record: what is not asked for comes back.
 */
export type NoteRecord = 'none' | 'stack-requested' | 'credited' | 'held';

/**
 * What an acceptor says, in the words of its port: how it is now, `returned` and `settled-unknown`
 * of a note, and `no-word` where a requested note has been open for LAST_WORD_WITHIN_MS.
 */
export type AcceptorWord =
  | 'offline'
  | 'initializing'
  | 'disabled'
  | 'idle'
  | 'accepting'
  | 'escrow'
  | 'stacking'
  | 'credited'
  | 'stacked'
  | 'returning'
  | 'returned'
  | 'rejecting'
  | 'settled-unknown'
  | 'jammed'
  | 'full'
  | 'cassette-removed'
  | 'paused'
  | 'cheated'
  | 'failed'
  | 'power-up-bill-in-acceptor'
  | 'power-up-bill-in-stacker'
  | 'no-word';

/** `-other`: the note that is named is not that of the record. */
export type NoteWord = AcceptorWord | 'escrow-other' | 'credited-other';

export type NoteDecision =
  | 'nothing'
  /** The unit has not said its last word about this note. */
  | 'wait'
  /** A new note in escrow: the table decides whether it is stacked or given back. */
  | 'decide'
  /** The request stands: STACK once more. */
  | 'stack-again'
  | 'credit'
  /** Known: acknowledged, recorded, nothing credited. */
  | 'acknowledge'
  /** The note becomes a case with a number. */
  | 'hold'
  | 'hold-and-decide'
  /** A signal without a note of ours becomes a case, and is acknowledged. */
  | 'hold-orphan'
  /** The note of a case lies in the box; acknowledged, nothing credited. */
  | 'find'
  | 'close-returned'
  | 'close'
  | 'close-and-decide';

/**
 * A requested note that is neither credited nor returned after this long is held; a unit stacks
 * within seconds.
 */
export const LAST_WORD_WITHIN_MS = 60_000;

type Row = readonly [record: NoteRecord, word: NoteWord, decision: NoteDecision, reason: string];

export const NOTE_MATRIX: readonly Row[] = [
  ['none', 'offline', 'nothing', 'no note is open'],
  ['none', 'initializing', 'nothing', 'no note is open'],
  ['none', 'disabled', 'nothing', 'no note is open'],
  ['none', 'idle', 'nothing', 'no note is open'],
  ['none', 'accepting', 'nothing', 'the note has no record before it is in escrow'],
  ['none', 'escrow', 'decide', 'a new note: the table says whether it may be taken'],
  ['none', 'escrow-other', 'decide', 'a new note: the table says whether it may be taken'],
  [
    'none',
    'stacking',
    'nothing',
    'nobody here has told it to stack; its credit signal, if one comes, is a case',
  ],
  ['none', 'credited', 'hold-orphan', 'a credit signal for a note nobody asked for is never credited'],
  ['none', 'credited-other', 'hold-orphan', 'a credit signal for a note nobody asked for is never credited'],
  ['none', 'stacked', 'nothing', 'the end of a note whose record is closed'],
  ['none', 'returning', 'nothing', 'no note is open: it was refused before it had a record'],
  ['none', 'returned', 'nothing', 'no note is open: it was refused before it had a record'],
  ['none', 'rejecting', 'nothing', 'the note has no record before it is in escrow'],
  ['none', 'settled-unknown', 'nothing', 'no note is open'],
  ['none', 'jammed', 'nothing', 'a note in the path was never asked for'],
  ['none', 'full', 'nothing', 'no note is open'],
  ['none', 'cassette-removed', 'nothing', 'no note is open'],
  ['none', 'paused', 'nothing', 'no note is open'],
  ['none', 'cheated', 'nothing', 'a note in the path was never asked for'],
  ['none', 'failed', 'nothing', 'a note in the path was never asked for'],
  [
    'none',
    'power-up-bill-in-acceptor',
    'nothing',
    'it comes back, or its credit signal follows and is a case',
  ],
  [
    'none',
    'power-up-bill-in-stacker',
    'nothing',
    'its credit signal follows and is a case, or it was credited long ago',
  ],
  ['none', 'no-word', 'nothing', 'no note is open'],
  ['stack-requested', 'offline', 'wait', 'the link is lost, not the note: the unit may go on stacking'],
  ['stack-requested', 'initializing', 'wait', 'after power-up the credit signal comes before it is at rest'],
  ['stack-requested', 'disabled', 'hold', 'at rest without a credit signal: nobody knows where the note is'],
  ['stack-requested', 'idle', 'hold', 'at rest without a credit signal: nobody knows where the note is'],
  [
    'stack-requested',
    'accepting',
    'hold',
    'another note is on its way: this one will not be told of any more',
  ],
  [
    'stack-requested',
    'escrow',
    'stack-again',
    'it still waits in escrow: STACK never arrived, or we were gone before it left',
  ],
  [
    'stack-requested',
    'escrow-other',
    'hold-and-decide',
    'another note waits in escrow: what the unit tells next is about that one',
  ],
  ['stack-requested', 'stacking', 'wait', 'it is on its way into the box: the credit signal follows'],
  [
    'stack-requested',
    'credited',
    'credit',
    'the signal for the note that was asked for: credited once, then acknowledged',
  ],
  [
    'stack-requested',
    'credited-other',
    'hold-orphan',
    'the signal names another value than the one asked for',
  ],
  [
    'stack-requested',
    'stacked',
    'hold',
    'out of order: it lies in the box, they say, and no credit signal came',
  ],
  ['stack-requested', 'returning', 'wait', 'it is on its way back; it is closed once it is out'],
  ['stack-requested', 'returned', 'close-returned', 'it came out of the front'],
  ['stack-requested', 'rejecting', 'wait', 'it is on its way back; it is closed once it is out'],
  ['stack-requested', 'settled-unknown', 'hold', 'the path is free without a credit signal or a return'],
  ['stack-requested', 'jammed', 'wait', 'it is stuck: once the path is free the unit says more, or nothing'],
  ['stack-requested', 'full', 'wait', 'the box is full; the note may still be in the path'],
  ['stack-requested', 'cassette-removed', 'wait', 'the box is out; the note may still be in the path'],
  ['stack-requested', 'paused', 'wait', 'it goes on when the other note is taken away'],
  ['stack-requested', 'cheated', 'wait', 'it was pulled; at rest without a credit signal it is held'],
  ['stack-requested', 'failed', 'wait', 'the note may be anywhere until the unit works again'],
  [
    'stack-requested',
    'power-up-bill-in-acceptor',
    'wait',
    'not yet credited: it comes back, or it is stacked and the signal follows',
  ],
  [
    'stack-requested',
    'power-up-bill-in-stacker',
    'wait',
    'past the point of return: the signal follows, or the unit has forgotten it',
  ],
  [
    'stack-requested',
    'no-word',
    'hold',
    'no last word for too long: what is not known is held, not left open',
  ],
  ['credited', 'offline', 'wait', 'whether our acknowledgement arrived is not known'],
  ['credited', 'initializing', 'wait', 'a signal that was not acknowledged comes again after power-up'],
  ['credited', 'disabled', 'close', 'at rest: the unit has taken our acknowledgement'],
  ['credited', 'idle', 'close', 'at rest: the unit has taken our acknowledgement'],
  ['credited', 'accepting', 'close', 'another note: the unit has taken our acknowledgement'],
  [
    'credited',
    'escrow',
    'close-and-decide',
    'another note, even of the same value: the unit has taken our acknowledgement',
  ],
  ['credited', 'escrow-other', 'close-and-decide', 'another note: the unit has taken our acknowledgement'],
  ['credited', 'stacking', 'close', 'another note nobody asked for: its signal is no repetition'],
  [
    'credited',
    'credited',
    'acknowledge',
    'the same signal again: our acknowledgement was lost, the credit is on disk',
  ],
  [
    'credited',
    'credited-other',
    'hold-orphan',
    'the signal names another value than the one credited: another note',
  ],
  ['credited', 'stacked', 'close', 'the unit has taken our acknowledgement'],
  ['credited', 'returning', 'close', 'another note: the credited one is past the point of return'],
  ['credited', 'returned', 'close', 'another note: the credited one is past the point of return'],
  ['credited', 'rejecting', 'close', 'another note: the credited one is past the point of return'],
  ['credited', 'settled-unknown', 'close', 'the path is free: the unit has taken our acknowledgement'],
  ['credited', 'jammed', 'wait', 'whether our acknowledgement arrived is not known'],
  ['credited', 'full', 'wait', 'whether our acknowledgement arrived is not known'],
  ['credited', 'cassette-removed', 'wait', 'whether our acknowledgement arrived is not known'],
  ['credited', 'paused', 'wait', 'whether our acknowledgement arrived is not known'],
  ['credited', 'cheated', 'wait', 'never taken back by itself: the alarm is raised, the credit stays'],
  ['credited', 'failed', 'wait', 'whether our acknowledgement arrived is not known'],
  ['credited', 'power-up-bill-in-acceptor', 'close', 'a note before the point of return is another one'],
  [
    'credited',
    'power-up-bill-in-stacker',
    'wait',
    'it may be the credited note: its signal comes again and is acknowledged',
  ],
  ['credited', 'no-word', 'nothing', 'only a note that waits for its credit can wait too long'],
  ['held', 'offline', 'nothing', 'the case stays until a person closes it'],
  ['held', 'initializing', 'nothing', 'the case stays until a person closes it'],
  ['held', 'disabled', 'nothing', 'the case stays until a person closes it'],
  ['held', 'idle', 'nothing', 'the case stays until a person closes it'],
  ['held', 'accepting', 'nothing', 'the case stays until a person closes it'],
  ['held', 'escrow', 'decide', 'a note in escrow is decided again; the case stays'],
  ['held', 'escrow-other', 'decide', 'a note in escrow is decided again; the case stays'],
  ['held', 'stacking', 'nothing', 'the case stays until a person closes it'],
  ['held', 'credited', 'find', 'the signal is late: the note of the case lies in the box; a person decides'],
  [
    'held',
    'credited-other',
    'hold-orphan',
    'the signal names another value than the case: a case of its own',
  ],
  ['held', 'stacked', 'nothing', 'the case stays until a person closes it'],
  ['held', 'returning', 'nothing', 'the case stays until a person closes it'],
  ['held', 'returned', 'nothing', 'the case stays until a person closes it'],
  ['held', 'rejecting', 'nothing', 'the case stays until a person closes it'],
  ['held', 'settled-unknown', 'nothing', 'the case stays until a person closes it'],
  ['held', 'jammed', 'nothing', 'the case stays until a person closes it'],
  ['held', 'full', 'nothing', 'the case stays until a person closes it'],
  ['held', 'cassette-removed', 'nothing', 'the case stays until a person closes it'],
  ['held', 'paused', 'nothing', 'the case stays until a person closes it'],
  ['held', 'cheated', 'nothing', 'the case stays until a person closes it'],
  ['held', 'failed', 'nothing', 'the case stays until a person closes it'],
  ['held', 'power-up-bill-in-acceptor', 'nothing', 'the case stays until a person closes it'],
  ['held', 'power-up-bill-in-stacker', 'nothing', 'the case stays until a person closes it'],
  ['held', 'no-word', 'nothing', 'only a note that waits for its credit can wait too long'],
];

const DECISIONS: ReadonlyMap<string, NoteDecision> = new Map(
  NOTE_MATRIX.map(([record, word, decision]) => [`${record} ${word}`, decision]),
);

export function decideNote(record: NoteRecord, word: NoteWord): NoteDecision {
  const decision = DECISIONS.get(`${record} ${word}`);
  if (decision === undefined) throw new Error(`no row for ${record}, ${word}`);
  return decision;
}
