/** What the host's side of SSP knows. */
import { PATIENCE_MS } from '../../transport/patience.ts';
import { type AcceptorLine, NEW_ACCEPTOR_LINE } from '../acceptor.machine.ts';
import type { PollEvent, Seq, Setup } from './ssp.codec.ts';
import type { Held, NoteState } from './ssp-note.machine.ts';

export interface SspOptions {
  /** Slave id of the unit; default 0, as makers deliver a note validator. */
  readonly address?: number;
  /** Only notes of these currencies may be taken; default: every currency of the unit's table. */
  readonly currencies?: readonly string[];
  /** Default `where-known`: encrypted where the unit takes part in the key exchange. */
  readonly encryption?: 'off' | 'where-known' | 'required';
  /** Fixed half of the key, 16 hex digits; default the maker's. */
  readonly fixedKey?: string;
}

export interface SspState extends AcceptorLine, Omit<NoteState, 'held' | 'pastOpen'> {
  readonly held: Held | null;
  readonly address: number;
  readonly currencies: readonly string[] | null;
  /** Of the packet under way, or of the next. */
  readonly seq: Seq;
  readonly awaiting: {
    readonly command: number;
    readonly data: readonly number[];
    readonly bytes: Uint8Array;
    readonly askedAtMs: number;
    readonly sentAtMs: number;
    readonly tries: number;
  } | null;
  /** The last packet that was answered: said again, it is answered in the same way. */
  readonly last: Uint8Array | null;
  readonly patienceMs: number;
  readonly heardAtMs: number;
  readonly saidAtMs: number;
  readonly synced: boolean;
  /** Whether a note lies in escrow that this line has not told: no poll before that is known. */
  readonly start: 'unknown' | 'note' | 'free';
  /** Place in the list of protocol versions; -1 = agreed. */
  readonly versionAt: number;
  readonly setup: Setup | null;
  /** The table before the last reset, until it is read again. */
  readonly former: Setup | null;
  /** Answers to the questions that a unit may leave open; '' = it does not say. */
  readonly texts: Readonly<Record<number, string>>;
  readonly identified: boolean;
  /** Register of the inhibits that the unit has taken. */
  readonly inhibits: string | null;
  readonly gate: 'open' | 'shut' | null;
  /** Null = not tried yet. */
  readonly withAck: boolean | null;
  /** Lines in a row that were lost because nobody answered their first POLL WITH ACK. */
  readonly ackSilences: number;
  /** Events of a poll behind a credit that the host has not committed yet. */
  readonly queue: readonly PollEvent[];
  readonly ackDue: boolean;
  readonly asksReject: boolean;
  readonly wasReset: boolean;
  /** Since when it does nothing for want of a key; null = it has said nothing of the kind. */
  readonly keylessSinceMs: number | null;
  /** Since when it is jammed, and since when shut though it was opened; null = it is not. */
  readonly jammedSinceMs: number | null;
  readonly shutSinceMs: number | null;
  /** Until then a unit that has said that its box is full counts as full. */
  readonly fullUntilMs: number;
  readonly openedAtMs: number;
  readonly resetAtMs: number;
  readonly holdAtMs: number;
}

/** Throws RangeError on an address that no packet can say. */
export function initialSsp({ address = 0, currencies }: SspOptions = {}): SspState {
  if (!Number.isInteger(address) || address < 0 || address > 0x7d)
    throw new RangeError(`ssp: address is ${address}, not 0 to 125`);
  return {
    ...NEW_ACCEPTOR_LINE,
    address,
    currencies: currencies ?? null,
    seq: 1,
    awaiting: null,
    last: null,
    patienceMs: PATIENCE_MS,
    heardAtMs: 0,
    saidAtMs: Number.NEGATIVE_INFINITY,
    synced: false,
    start: 'unknown',
    versionAt: 0,
    setup: null,
    former: null,
    texts: {},
    identified: false,
    inhibits: null,
    gate: null,
    withAck: null,
    ackSilences: 0,
    queue: [],
    ackDue: false,
    asksReject: false,
    wasReset: false,
    keylessSinceMs: null,
    jammedSinceMs: null,
    shutSinceMs: null,
    fullUntilMs: Number.NEGATIVE_INFINITY,
    openedAtMs: 0,
    resetAtMs: Number.NEGATIVE_INFINITY,
    holdAtMs: Number.NEGATIVE_INFINITY,
    wasCredited: false,
    settleAtMs: Number.POSITIVE_INFINITY,
  };
}
