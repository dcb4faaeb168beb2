/**
 * The host's side of an ESC/POS printer as a pure step. One document is under way at a time. It is
 * printed when the printer has answered the question at its end, and cut off when anything may have
 * kept the rest of it from the paper; nothing in between is believed.
 */
import type { PrinterEvent, PrinterStatus } from '../ports.ts';
import {
  CLOSED_LINE,
  type Draft as DraftOf,
  type Line,
  type Out as OutOf,
  setLink,
  stepOf,
} from '../transport/protocol.ts';
import {
  ask,
  CLEAR,
  encodeItem,
  FILL,
  isOf,
  type PrinterWord,
  parse,
  RECOVER,
  STATUS_BACK,
  type StatusKind,
  statusOfAnswers,
} from './escpos.codec.ts';

const ASK_EVERY_MS = 1000;
/** So many rounds of questions without a word, and nobody is there. */
const MOST_UNANSWERED = 3;
/** Of a ready printer, after its last word about anything else: no paper takes so long. */
const DONE_WITHIN_MS = 15_000;
/** At 9600 baud. */
const FILLED_WITHIN_MS = 10_000;
const MOST_WAITING = 100;

/** A document as it goes out. */
export interface EncodedJob {
  readonly number: number;
  readonly bytes: Uint8Array;
}

export type PrinterCommand =
  | { readonly type: 'print'; readonly job: EncodedJob }
  /** A person says that the error has been mended. */
  | { readonly type: 'recover' };

export interface PrinterState extends Line {
  readonly waiting: readonly EncodedJob[];
  /** The number of the document under way; null = none. */
  readonly underWay: number | null;
  /** Since when a printer that could print has not said that it has. */
  readonly readySinceMs: number;
  readonly status: PrinterStatus | null;
  /** It has not said yet that its buffers are empty; until then it is sent nothing else. */
  readonly isClearing: boolean;
  /** Somebody has said something since the line was opened. */
  readonly isHeard: boolean;
  /** It has answered nothing of the kind: its buffers may hold half a picture. */
  readonly isUnclear: boolean;
  /** The question that has no answer yet; null = all have. */
  readonly asking: StatusKind | null;
  /** What has been answered of the four questions of this round, and of the round before. */
  readonly answers: readonly number[];
  readonly before: string | null;
  /** Something of a document that was cut off may hang out of the printer. */
  readonly isDirty: boolean;
  readonly askAtMs: number;
  readonly unanswered: number;
}

export const initialPrinter = (): PrinterState => ({
  ...CLOSED_LINE,
  waiting: [],
  underWay: null,
  readySinceMs: 0,
  status: null,
  isClearing: false,
  isHeard: false,
  isUnclear: false,
  asking: null,
  answers: [],
  before: null,
  isDirty: true,
  askAtMs: 0,
  unanswered: 0,
});

type Draft = DraftOf<PrinterState>;
type Out = OutOf<PrinterEvent>;

const isReady = ({ paper, coverOpen, cutterError, failed, pausing, online }: PrinterStatus): boolean =>
  online && paper !== 'out' && !coverOpen && !cutterError && !failed && !pausing;

const tell = (out: Out, event: PrinterEvent): void => void out.push({ type: 'event', event });
const write = (out: Out, bytes: Uint8Array): void => void out.push({ type: 'write', bytes });

export const stepPrinter = stepOf<PrinterState, PrinterEvent, PrinterCommand, PrinterWord>({
  parse,
  obey: (s, out, command) => {
    if (command.type === 'recover') {
      if (s.transport === 'open') write(out, RECOVER);
    } else if (s.waiting.length >= MOST_WAITING) tell(out, { type: 'refused', number: command.job.number });
    else s.waiting = [...s.waiting, command.job];
  },
  opened: (s, _out, nowMs) => {
    s.unanswered = 0;
    s.askAtMs = nowMs;
    s.isClearing = true;
    s.isHeard = false;
  },
  hear,
  speak,
  forget: (s) => {
    s.status = null;
    s.asking = null;
    s.answers = [];
    s.before = null;
    s.isDirty = true;
  },
  lost: (s, out) => cutOff(s, out, 'line'),
});

function cutOff(s: Draft, out: Out, why: Extract<PrinterEvent, { type: 'cut-off' }>['why']): void {
  if (s.underWay === null) return;
  tell(out, { type: 'cut-off', number: s.underWay, why });
  s.underWay = null;
  s.isDirty = true;
}

function hear(s: Draft, out: Out, word: PrinterWord, nowMs: number): void {
  s.failures = 0;
  s.unanswered = 0;
  if (!s.isHeard && !s.isClearing) {
    // It has come late, and was not there to hear that it should clear its buffers.
    s.isClearing = true;
    s.asking = null;
    s.askAtMs = nowMs;
  }
  s.isHeard = true;
  switch (word.type) {
    case 'answer':
      return hearAnswer(s, out, word.byte, nowMs);
    case 'status':
      return setStatus(s, out, word.status, nowMs);
    case 'processed':
      if (s.underWay === null || !isOf(word.id, s.underWay)) return;
      tell(out, { type: 'printed', number: s.underWay });
      s.underWay = null;
      s.isDirty = false;
      // All that came before it has been obeyed.
      s.isUnclear = false;
      return;
    case 'cleared':
      // Later than anybody waited for it: a beginning that was sent meanwhile is gone.
      if (!s.isClearing) return cutOff(s, out, 'error');
      s.isClearing = false;
      s.isUnclear = false;
      s.askAtMs = nowMs;
      write(out, STATUS_BACK);
  }
}

/**
 * An answer does not say to which question: one at a time is asked, and an answer to none is no
 * answer. One that came too late for its question may still stand for another, so a round counts
 * when the next one says the same.
 */
function hearAnswer(s: Draft, out: Out, byte: number, nowMs: number): void {
  if (s.asking === null) return;
  s.answers = [...s.answers, byte];
  const [a, b, c, d] = s.answers;
  if (a === undefined || b === undefined || c === undefined || d === undefined) {
    s.asking = (s.asking + 1) as StatusKind;
    return write(out, ask(s.asking));
  }
  const said = s.answers.join(' ');
  const isSure = said === s.before;
  s.before = said;
  s.asking = null;
  if (isSure) setStatus(s, out, statusOfAnswers([a, b, c, d]), nowMs);
}

function setStatus(s: Draft, out: Out, status: PrinterStatus, nowMs: number): void {
  setLink(s, out, 'up');
  const before = s.status;
  s.status = status;
  // The time to print begins when the printer can.
  if (before === null || !isReady(before)) s.readySinceMs = nowMs;
  if (JSON.stringify(before) !== JSON.stringify(status)) tell(out, { type: 'status', status });
  // Paper that is put in goes on with the document; after these its buffer is emptied.
  if (status.cutterError || status.failed) cutOff(s, out, 'error');
}

function speak(s: Draft, out: Out, nowMs: number): boolean {
  if (nowMs >= s.askAtMs) {
    if (s.isClearing && s.unanswered >= MOST_UNANSWERED) {
      // Not every printer knows the command; whether there is one, the next question shows.
      s.isClearing = false;
      s.isUnclear = s.isHeard;
      s.unanswered = 0;
      if (s.isHeard) write(out, STATUS_BACK);
    }
    if (s.unanswered >= MOST_UNANSWERED) return false;
    s.unanswered++;
    if (s.isClearing) {
      s.askAtMs = nowMs + ASK_EVERY_MS;
      // Real-time, so it is heard in the middle of a picture that an earlier life has left half.
      write(out, CLEAR);
    } else {
      s.answers = [];
      s.asking = 1;
      s.askAtMs = nowMs + ASK_EVERY_MS;
      write(out, ask(1));
    }
  }
  const ready = !s.isClearing && s.status !== null && isReady(s.status);
  // It has started again in between, and what it had not printed is gone.
  if (s.underWay !== null && ready && nowMs - s.readySinceMs >= DONE_WITHIN_MS) {
    cutOff(s, out, 'silent');
    s.isClearing = true;
    s.asking = null;
    s.askAtMs = nowMs;
    s.wakeAtMs = nowMs;
    return true;
  }
  const [next, ...others] = s.waiting;
  if (s.underWay === null && ready && next !== undefined) {
    s.waiting = others;
    s.underWay = next.number;
    s.readySinceMs = s.isUnclear ? nowMs + FILLED_WITHIN_MS : nowMs;
    tell(out, { type: 'begun', number: next.number });
    if (s.isUnclear) write(out, FILL);
    if (s.isDirty) write(out, encodeItem({ type: 'cut' }));
    write(out, next.bytes);
  }
  s.wakeAtMs = s.askAtMs;
  return true;
}
