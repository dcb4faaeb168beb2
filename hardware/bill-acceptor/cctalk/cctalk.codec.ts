/**
 * ccTalk, the bytes. Frame: destination | LEN | source | header | DATA.. | checksum; LEN counts the
 * data alone. Simple checksum: all bytes add up to 0, modulo 256. With CRC-16 (XMODEM, over
 * destination, LEN, header and data) its low byte stands in the place of the source and its high
 * byte at the end. One line for both directions: the host hears its own bytes. Line 9600 8N1.
 *
 * Sources of the tables: [s] the public specification; [p] several independent public programs
 * agree; [i] one integrator's code. docs/protocols/cctalk.md says which.
 */

import crc16xmodem from 'crc/calculators/crc16xmodem';
import { minorOfUnits } from '../../../engine/core/money.ts';
import type { AcceptorState, UnitNote } from '../../ports.ts';
import { EMPTY_PARSER, joinBytes, type Parsed, type ParserState, toHex } from '../../transport/bytes.ts';
import { type Code, scramble, unscramble } from './cctalk-cipher.codec.ts';

const OVERHEAD = 5;
/** Longest data of a frame that is waited for: no answer that is asked for here has as much. */
const MOST_DATA = 64;
/** The host's own address [p]. */
export const HOST = 1;

/** What is asked of the unit. [s] all of them. */
export const HEADER = {
  simplePoll: 254,
  manufacturer: 246,
  equipmentCategory: 245,
  productCode: 244,
  serialNumber: 242,
  softwareRevision: 241,
  selfCheck: 232,
  modifyInhibits: 231,
  requestInhibits: 230,
  modifyMasterInhibit: 228,
  requestMasterInhibit: 227,
  readBillEvents: 159,
  billId: 157,
  countryScaling: 156,
  billPosition: 155,
  routeBill: 154,
  modifyOperatingMode: 153,
  requestOperatingMode: 152,
  currencyRevision: 145,
  reset: 1,
} as const;

export const REPLY = 0;
export const NAK = 5;
export const BUSY = 6;

/** Data of route bill, and its answers other than an empty one. [s] */
export const ROUTE = { return: 0, stack: 1, extend: 255 } as const;
export const ESCROW_EMPTY = 254;
export const NOT_ROUTED = 255;

/** Data of the operating mode: stacker and escrow. [s] */
export const STACKER_AND_ESCROW = 3;

/** Bill types that the two bytes of the inhibits can name. */
export const TYPES = 16;

/** How frames of this line are written. */
export interface Wire {
  /** Of the unit. */
  readonly address: number;
  readonly checksum: 'simple' | 'crc16';
  /** Six digits; null = in the clear. Only with the CRC. */
  readonly code: Code | null;
}

export interface Frame {
  readonly to: number;
  /** Null where the CRC stands in its place. */
  readonly from: number | null;
  readonly header: number;
  readonly data: Uint8Array;
}

export type Decoded<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: string };

/** Frame bytes; throws on data longer than the length byte can say. */
export function encode(
  wire: Wire,
  to: number,
  header: number,
  data: ArrayLike<number> = [],
  from = to === HOST ? wire.address : HOST,
): Uint8Array {
  if (data.length > 252) throw new RangeError(`${data.length} bytes do not fit a ccTalk frame`);
  const frame = new Uint8Array(OVERHEAD + data.length);
  frame.set([to, data.length, from, header]);
  frame.set(data, 4);
  const end = frame.length - 1;
  if (wire.checksum === 'simple') frame[end] = -sumOf(frame.subarray(0, -1));
  else {
    const crc = crcOf(frame);
    frame[2] = crc & 0xff;
    frame[end] = crc >>> 8;
    if (wire.code !== null) frame.set(scramble(wire.code, frame.subarray(2)), 2);
  }
  return frame;
}

const sumOf = (bytes: Uint8Array): number => bytes.reduce((sum, byte) => (sum + byte) & 0xff, 0);
const crcOf = (frame: Uint8Array): number =>
  crc16xmodem(joinBytes(frame.subarray(0, 2), frame.subarray(3, -1)));

function frameOf(wire: Wire, whole: Uint8Array): Frame | null {
  const plain = Uint8Array.from(whole);
  if (wire.code !== null) plain.set(unscramble(wire.code, plain.subarray(2)), 2);
  const holds =
    wire.checksum === 'simple'
      ? sumOf(plain) === 0
      : crcOf(plain) === (plain[2]! | (plain[plain.length - 1]! << 8));
  const from = wire.checksum === 'simple' ? plain[2]! : null;
  return holds ? { to: plain[0]!, from, header: plain[3]!, data: plain.slice(4, -1) } : null;
}

/**
 * Takes bytes as they come, in any pieces. No byte marks a start: after garbage it looks for the
 * next place where an address of this line, a length and a checksum hold.
 */
export function parse(wire: Wire, state: ParserState, chunk: Uint8Array): Parsed<Frame> {
  let bytes = joinBytes(state.kept, chunk);
  const frames: Parsed<Frame>['frames'][number][] = [];
  let bad = 0;
  for (let inGarbage = false; ; ) {
    const [to, length] = bytes;
    if (to === undefined) return { state: EMPTY_PARSER, frames, bad };
    const canStart = (to === HOST || to === wire.address) && (length === undefined || length <= MOST_DATA);
    if (canStart && (length === undefined || bytes.length < OVERHEAD + length))
      return { state: { kept: Uint8Array.from(bytes) }, frames, bad };
    const whole = canStart ? Uint8Array.from(bytes.subarray(0, OVERHEAD + length!)) : null;
    const frame = whole && frameOf(wire, whole);
    if (frame && whole) {
      frames.push({ frame, bytes: whole });
      bytes = bytes.subarray(whole.length);
      inGarbage = false;
    } else {
      if (!inGarbage) bad++;
      inGarbage = true;
      bytes = bytes.subarray(1);
    }
  }
}

// ---- events ----

/** One pair of the event buffer, as it counts here. */
export type BillEvent =
  | { readonly type: 'credit' | 'escrow'; readonly bill: number }
  | { readonly type: 'rejected'; readonly reason: string }
  | { readonly type: 'returned' | 'barcode' | 'stacked-unknown' | 'nothing' }
  | { readonly type: 'state'; readonly state: AcceptorState; readonly detail: string | null }
  /** A pair that no source names. */
  | { readonly type: 'unknown'; readonly pair: readonly [number, number] };

/** Result B where result A is 0. [p] */
const STATUS: Readonly<Record<number, BillEvent>> = {
  0: { type: 'nothing' }, // master inhibit active
  1: { type: 'returned' },
  2: { type: 'rejected', reason: 'validation' },
  3: { type: 'rejected', reason: 'transport' },
  4: { type: 'rejected', reason: 'inhibited' }, // on the serial line
  5: { type: 'rejected', reason: 'inhibited-by-switches' },
  6: { type: 'state', state: 'jammed', detail: 'path' }, // unsafe: the note can be had from outside
  7: { type: 'state', state: 'jammed', detail: 'stacker' },
  8: { type: 'state', state: 'cheated', detail: 'pulled-back' },
  9: { type: 'state', state: 'cheated', detail: 'tampering' },
  10: { type: 'nothing' }, // stacker OK: the self-check says whether it is
  11: { type: 'state', state: 'cassette-removed', detail: null },
  12: { type: 'nothing' }, // stacker inserted
  13: { type: 'state', state: 'failed', detail: 'stacker-faulty' },
  14: { type: 'state', state: 'full', detail: null },
  15: { type: 'state', state: 'jammed', detail: 'stacker' },
  16: { type: 'state', state: 'jammed', detail: 'path' }, // safe
  17: { type: 'state', state: 'cheated', detail: 'optical-fraud' },
  18: { type: 'state', state: 'cheated', detail: 'string-fraud' },
  19: { type: 'state', state: 'failed', detail: 'anti-string' },
  20: { type: 'barcode' },
  21: { type: 'stacked-unknown' },
};

/** Why a note was refused, by name. */
export const REJECT_REASON: readonly string[] = Object.values(STATUS).flatMap((event) =>
  event.type === 'rejected' ? [event.reason] : [],
);
export const STATUS_CODES: readonly number[] = Object.keys(STATUS).map(Number);

export function eventOf(a: number, b: number): BillEvent {
  if (a === 0) return STATUS[b] ?? { type: 'unknown', pair: [a, b] };
  if (b === 0) return { type: 'credit', bill: a };
  return b === 1 ? { type: 'escrow', bill: a } : { type: 'unknown', pair: [a, b] };
}

/** Pairs in the answer to 159. [s] */
export const PAIRS = 5;

export interface EventBuffer {
  /** 0 = nothing has happened since the unit started; then 1 to 255, and 1 again. */
  readonly counter: number;
  /** The newest first. */
  readonly pairs: readonly (readonly [a: number, b: number])[];
}

export function decodeEvents(data: Uint8Array): Decoded<EventBuffer> {
  if (data.length !== 1 + 2 * PAIRS)
    return { ok: false, error: `events of ${data.length} bytes, not ${1 + 2 * PAIRS}` };
  const pairs = Array.from({ length: PAIRS }, (_, at) => [data[1 + 2 * at]!, data[2 + 2 * at]!] as const);
  return { ok: true, value: { counter: data[0]!, pairs } };
}

export const encodeEvents = ({ counter, pairs }: EventBuffer): Uint8Array =>
  Uint8Array.of(counter, ...Array.from({ length: PAIRS }, (_, at) => pairs[at] ?? [0, 0]).flat());

/** The counter after one more event. */
export const counterAfter = (counter: number): number => (counter === 255 ? 1 : counter + 1);

/** How many events came since `before`, in one life of the unit; 0 is left out after 255. */
export const eventsSince = (before: number, counter: number): number =>
  counter >= before ? counter - before : counter + 255 - before;

// ---- notes ----

export interface BillRow {
  readonly bill: number;
  /** As the unit writes it: country, four digits of value, issue. */
  readonly id: string;
}

/** Answer to 157; null = the unit has no note of this type. */
export function decodeBillId(data: Uint8Array): Decoded<string | null> {
  const id = String.fromCharCode(...data);
  if (data.length === 0 || /^[\0 .]*$/.test(id) || /^\W*0000\W*$/.test(id)) return { ok: true, value: null };
  return /^[A-Z]{2}[0-9]{4}[A-Z0-9]$/.test(id)
    ? { ok: true, value: id }
    : { ok: false, error: `bill id ${toHex(data)} is not country, value and issue` };
}

export interface Scaling {
  readonly factor: number;
  readonly decimals: number;
}

/** Answer to 156: factor, low byte first, and decimal places; all 0 = the unit has not got it. */
export function decodeScaling(data: Uint8Array): Decoded<Scaling | null> {
  if (data.length !== 3) return { ok: false, error: `scaling of ${data.length} bytes, not 3` };
  const [factor, decimals] = [data[0]! | (data[1]! << 8), data[2]!];
  if (decimals > 6) return { ok: false, error: `${decimals} decimal places` };
  if (factor === 0) return decimals === 0 ? { ok: true, value: null } : { ok: false, error: 'a factor of 0' };
  return { ok: true, value: { factor, decimals } };
}

/**
 * The row with its type, id and scaling: any other is another row. The value is digits x factor, of
 * which the last `decimals` digits are behind the point; null where that is no whole minor unit.
 */
export function unitNoteOf(
  { bill, id }: BillRow,
  scaling: Scaling | null,
  countries: Readonly<Record<string, string>>,
): UnitNote {
  const country = id.slice(0, 2);
  const minor =
    scaling === null ? 0 : minorOfUnits(Number(id.slice(2, 6)) * scaling.factor, -scaling.decimals);
  return {
    said: `${bill} ${id} ${scaling === null ? '-' : `${scaling.factor} ${scaling.decimals}`}`,
    valueMinor: Number.isSafeInteger(minor) && minor > 0 ? minor : null,
    currency: Object.hasOwn(countries, country) ? countries[country]! : null,
  };
}

/** Bits of the inhibits: set = this type may come in; bit 0 of the first byte is type 1. */
export function inhibitMask(allowed: readonly number[]): readonly [number, number] {
  const bits = allowed.reduce((mask, bill) => mask | (1 << (bill - 1)), 0);
  return [bits & 0xff, (bits >>> 8) & 0xff];
}

// ---- self-check ----

/** Answer to 232 by name; what is not named here is given by its number. [s] */
export const FAULT: Readonly<Record<number, readonly [AcceptorState, string | null]>> = {
  30: ['failed', 'rom'],
  33: ['failed', 'supply-voltage'],
  36: ['failed', 'bill-sensor'],
  37: ['failed', 'transport-motor'],
  38: ['failed', 'stacker-faulty'],
  39: ['jammed', 'path'],
  40: ['failed', 'ram'],
  41: ['failed', 'anti-string'],
  44: ['cassette-removed', null],
  45: ['full', null],
  49: ['failed', 'optical-sensor'],
  51: ['failed', 'door-open'],
  54: ['failed', 'firmware'],
  55: ['failed', 'initialisation'],
};

/** Null = no fault. */
export function faultOfCheck(
  code: number,
): { readonly state: AcceptorState; readonly detail: string | null } | null {
  if (code === 0) return null;
  const [state, detail] = FAULT[code] ?? ['failed', `fault ${code}`];
  return { state, detail };
}

// ---- words ----

const WIRES: readonly Omit<Wire, 'address'>[] = [
  { checksum: 'simple', code: null },
  { checksum: 'crc16', code: null },
];

/** 'route bill 01': what the host says with these bytes; null = no frame, or an encrypted one. */
export function hostWords(bytes: Uint8Array): string | null {
  for (const wire of WIRES) {
    const frame = parse({ ...wire, address: bytes[0] ?? HOST }, EMPTY_PARSER, bytes).frames[0]?.frame;
    if (frame === undefined) continue;
    const name = Object.entries(HEADER).find(([, code]) => code === frame.header)?.[0];
    const words = name?.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
    return [words ?? `header ${frame.header}`, toHex(frame.data)].join(' ').trim();
  }
  return null;
}
