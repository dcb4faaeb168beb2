/**
 * JCM ID-003, the bytes. Frame: FC | LEN | CMD | DATA.. | CRC low | CRC high; LEN counts the whole
 * frame, the CRC is CRC-16/KERMIT over FC..last data byte. Line 9600 8E1, half duplex, the host is
 * master.
 *
 * Sources of the tables: [p] agree in several independent public drivers; [i] one integrator's
 * code; [n] an integrator's public notes of what a unit did; [r] recalled from integrators' notes.
 * All are to be checked against JCM's own document before a unit is certified with it.
 */

import crc16kermit from 'crc/calculators/crc16kermit';
import { minorOfUnits } from '../../../engine/core/money.ts';
import type { AcceptorState, Note, UnitNote } from '../../ports.ts';
import { EMPTY_PARSER, joinBytes, type Parsed, type ParserState, toHex } from '../../transport/bytes.ts';

export const SYNC = 0xfc;
const OVERHEAD = 5;

/** Host to device. 40..43 and 11 mean other things in the other direction. */
export const COMMAND = {
  statusRequest: 0x11, // [p]
  reset: 0x40, // [p]
  stack1: 0x41, // [p] VEND VALID as the note passes the point of no return [r]
  stack2: 0x42, // [p] VEND VALID once the note lies in the box [r]
  returnNote: 0x43, // [p]
  hold: 0x44, // [p]
  wait: 0x45, // [r]
  ack: 0x50, // [p] answers VEND VALID; the device sends no reply to it
  readEnable: 0x80, // [p]
  readSecurity: 0x81, // [p]
  readMode: 0x82, // [p]
  readInhibit: 0x83, // [p]
  readDirection: 0x84, // [p]
  readOptions: 0x85, // [p]
  readBarcodeFunction: 0x86, // [r]
  readBarcodeInhibit: 0x87, // [r]
  version: 0x88, // [p]
  bootVersion: 0x89, // [r]
  currencies: 0x8a, // [p]
  enable: 0xc0, // [p] two bytes, bit set = denomination disabled
  security: 0xc1, // [p] two bytes
  mode: 0xc2, // [p] 0 = polled
  inhibit: 0xc3, // [p] 1 = accept nothing
  direction: 0xc4, // [p]
  options: 0xc5, // [p] two bytes
  barcodeFunction: 0xc6, // [p] two bytes: symbology, digits [r]
  barcodeInhibit: 0xc7, // [p] one byte, see REFUSE_COUPONS
} as const;

/**
 * Data of C7 that refuses coupons and leaves the notes alone. One integrator's header, written from
 * JCM's document, has bit 0 for the notes and bit 1 for coupons, and three more hosts leave both
 * clear; nobody sets bit 0 to refuse coupons.
 */
export const REFUSE_COUPONS = 0x02;

export const REPLY_ACK = 0x50;
export const REPLY_INVALID = 0x4b;

/** First byte of an escrow that is no banknote: the digits of a coupon's barcode follow it [r]. */
export const BARCODE = 0x6f;

interface StatusRow {
  readonly state: AcceptorState;
  readonly name: string;
  /** Length of the data that follows, bytes: least and most. */
  readonly data: readonly [number, number];
}

/** Device to host: what a status request is answered with, and the port's word for it. */
export const STATUS: Readonly<Record<number, StatusRow>> = {
  17: { state: 'idle', name: 'IDLE', data: [0, 0] }, // [p]
  18: { state: 'accepting', name: 'ACCEPTING', data: [0, 0] }, // [p]
  19: { state: 'escrow', name: 'ESCROW', data: [1, 64] }, // [p] escrow code, or a barcode
  20: { state: 'stacking', name: 'STACKING', data: [0, 0] }, // [p]
  // Recyclers say behind it where the note went [r]: whatever follows, it is the credit signal.
  21: { state: 'credited', name: 'VEND VALID', data: [0, 250] }, // [p]
  22: { state: 'stacked', name: 'STACKED', data: [0, 0] }, // [p]
  23: { state: 'rejecting', name: 'REJECTING', data: [1, 1] }, // [p] reason
  24: { state: 'returning', name: 'RETURNING', data: [0, 0] }, // [p]
  25: { state: 'escrow', name: 'HOLDING', data: [0, 0] }, // [p]
  26: { state: 'disabled', name: 'DISABLE', data: [0, 0] }, // [p]
  27: { state: 'initializing', name: 'INITIALIZE', data: [0, 0] }, // [p]
  64: { state: 'initializing', name: 'POWER UP', data: [0, 0] }, // [p]
  65: { state: 'power-up-bill-in-acceptor', name: 'POWER UP WITH BILL IN ACCEPTOR', data: [0, 0] }, // [p]
  66: { state: 'power-up-bill-in-stacker', name: 'POWER UP WITH BILL IN STACKER', data: [0, 0] }, // [p]
  67: { state: 'full', name: 'STACKER FULL', data: [0, 0] }, // [p]
  68: { state: 'cassette-removed', name: 'STACKER OPEN', data: [0, 0] }, // [p]
  69: { state: 'jammed', name: 'JAM IN ACCEPTOR', data: [0, 0] }, // [p]
  70: { state: 'jammed', name: 'JAM IN STACKER', data: [0, 0] }, // [p]
  71: { state: 'paused', name: 'PAUSE', data: [0, 0] }, // [p]
  72: { state: 'cheated', name: 'CHEATED', data: [0, 0] }, // [p]
  73: { state: 'failed', name: 'FAILURE', data: [1, 1] }, // [p] failure code
  74: { state: 'failed', name: 'COMMUNICATION ERROR', data: [0, 0] }, // [p]
};

/** The same codes by name. */
export const CODE = {
  idle: 0x11,
  accepting: 0x12,
  escrow: 0x13,
  stacking: 0x14,
  vendValid: 0x15,
  stacked: 0x16,
  rejecting: 0x17,
  returning: 0x18,
  holding: 0x19,
  disable: 0x1a,
  initialize: 0x1b,
  powerUp: 0x40,
  powerUpBillInAcceptor: 0x41,
  powerUpBillInStacker: 0x42,
  stackerFull: 0x43,
  stackerOpen: 0x44,
  jamInAcceptor: 0x45,
  jamInStacker: 0x46,
  pause: 0x47,
  cheated: 0x48,
  failure: 0x49,
  communicationError: 0x4a,
} as const;

/** Where one state of the port stands for several codes: which of them it is. */
const DETAIL: Readonly<Record<number, string>> = {
  [CODE.jamInAcceptor]: 'path',
  [CODE.jamInStacker]: 'stacker',
  [CODE.communicationError]: 'communication-error',
};

/** Why a note was refused before or instead of escrow. [p] but for those marked. */
export const REJECT_REASON: Readonly<Record<number, string>> = {
  113: 'insertion',
  114: 'magnetic',
  115: 'bill-remaining',
  116: 'compensation',
  117: 'conveying',
  118: 'denomination',
  119: 'photo-pattern',
  120: 'photo-level',
  121: 'inhibited',
  122: 'reserved',
  123: 'operation',
  124: 'bill-remaining-in-stacker',
  125: 'length',
  126: 'photo-pattern-2',
  127: 'true-bill',
  152: 'several-notes', // [i]
  155: 'coupon-upside-down', // [i]
};
export const REJECT_DENOMINATION = 0x76;
export const REJECT_INHIBITED = 0x79;
/**
 * Some units give a note that nobody decided about back with the reason 79 and not with RETURNING
 * [r]: no gate of ours.
 */
export const ESCROW_TIME_OUT = 'escrow-time-out';
export const STACK_MOTOR = 0xa2;

export const FAILURE_CODE: Readonly<Record<number, string>> = {
  162: 'stack-motor', // [p]
  165: 'transport-motor-speed', // [p]
  166: 'transport-motor', // [p]
  167: 'aligning-motor', // [i]
  168: 'solenoid', // [r]
  169: 'pb-unit', // [r]
  171: 'cash-box-not-ready', // [p]
  172: 'optical-sensor', // [i]
  173: 'magnetic-sensor', // [i]
  175: 'validator-head-removed', // [p]
  176: 'boot-rom', // [p]
  177: 'external-rom', // [p]
  178: 'rom', // [p]
  179: 'external-rom-writing', // [p]
};

/**
 * Country code of the currency table -> ISO 4217, of our simulator alone: by a public table of
 * JCM's, 72 is CAD and 77 is CRC. What a real unit's codes mean says the data sheet of its note
 * software (option `countries` of the driver), or a technician with the note in hand.
 */
export const COUNTRIES: Readonly<Record<number, string>> = { 72: 'HKD', 77: 'MOP', 224: 'EUR' };

export interface Frame {
  readonly command: number;
  readonly data: Uint8Array;
}

export type Decoded<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: string };

const NO_DATA = new Uint8Array(0);

/** Frame bytes; throws on data longer than the length byte can say. */
export function encode(command: number, data: ArrayLike<number> = NO_DATA): Uint8Array {
  if (data.length > 255 - OVERHEAD) throw new RangeError(`${data.length} bytes do not fit an ID-003 frame`);
  const frame = new Uint8Array(OVERHEAD + data.length);
  frame.set([SYNC, frame.length, command]);
  frame.set(data, 3);
  const crc = crc16kermit(frame.subarray(0, -2));
  frame.set([crc & 0xff, crc >>> 8], frame.length - 2);
  return frame;
}

/**
 * Takes bytes as they come, in any pieces. After garbage it looks for the next SYNC whose length
 * and checksum hold.
 */
export function parse(state: ParserState, chunk: Uint8Array): Parsed<Frame> {
  let bytes = state.kept.length === 0 ? chunk : joinBytes(state.kept, chunk);
  const frames: Parsed<Frame>['frames'][number][] = [];
  let bad = 0;
  for (;;) {
    const start = bytes.indexOf(SYNC);
    if (start < 0) return { state: EMPTY_PARSER, frames, bad };
    bytes = bytes.subarray(start);
    const length = bytes[1];
    if (length !== undefined && length < OVERHEAD) {
      bad++;
      bytes = bytes.subarray(1);
    } else if (length === undefined || bytes.length < length) {
      return { state: { kept: Uint8Array.from(bytes) }, frames, bad };
    } else {
      const whole = bytes.subarray(0, length);
      if (crc16kermit(whole.subarray(0, -2)) === (whole[length - 2]! | (whole[length - 1]! << 8))) {
        frames.push({
          frame: { command: whole[2]!, data: Uint8Array.from(whole.subarray(3, -2)) },
          bytes: Uint8Array.from(whole),
        });
        bytes = bytes.subarray(length);
      } else {
        bad++;
        bytes = bytes.subarray(1);
      }
    }
  }
}

export interface Denomination {
  readonly code: number;
  readonly country: number;
  readonly base: number;
  readonly exponent: number;
}

/** Reply to 8A: four bytes a denomination; a base of 0 marks an unused code. */
export function decodeCurrencies(data: Uint8Array): Decoded<readonly Denomination[]> {
  if (data.length === 0 || data.length % 4 !== 0)
    return { ok: false, error: `currency table of ${data.length} bytes, not a multiple of 4` };
  const table: Denomination[] = [];
  for (let i = 0; i < data.length; i += 4) {
    const [code, country, base, exponent] = [data[i]!, data[i + 1]!, data[i + 2]!, data[i + 3]!];
    if (base === 0) continue;
    if (code < 0x61 || code > 0x70)
      return { ok: false, error: `escrow code ${code.toString(16)} at byte ${i}` };
    if (exponent > 9) return { ok: false, error: `exponent ${exponent} at byte ${i + 3}` };
    if (table.some((row) => row.code === code))
      return { ok: false, error: `escrow code ${code.toString(16)} twice, second at byte ${i}` };
    table.push({ code, country, base, exponent });
  }
  return { ok: true, value: table };
}

const bytesOf = ({ code, country, base, exponent }: Denomination): number[] => [
  code,
  country,
  base,
  exponent,
];

export const encodeCurrencies = (table: readonly Denomination[]): Uint8Array =>
  Uint8Array.from(table.flatMap(bytesOf));

/** base x 10^exponent whole units, two decimals as in MOP, HKD and EUR. */
const valueMinorOf = ({ base, exponent }: Denomination): number => minorOfUnits(base, exponent);

/** Null for a country that is not in `countries`. */
export function noteOf(row: Denomination, countries: Readonly<Record<number, string>>): Note | null {
  const currency = countries[row.country];
  return currency === undefined ? null : { currency, valueMinor: valueMinorOf(row) };
}

/** The row with its four bytes: a row of other bytes is another one. */
export const unitNoteOf = (row: Denomination, countries: Readonly<Record<number, string>>): UnitNote => ({
  said: toHex(bytesOf(row)),
  valueMinor: valueMinorOf(row),
  currency: countries[row.country] ?? null,
});

/**
 * Bits of C0 that disable every code outside `allowed`: bit n of the first byte is code 61+n, of
 * the second 69+n.
 */
export function disableMask(allowed: readonly number[]): readonly [number, number] {
  let bits = 0xffff;
  for (const code of allowed) bits &= ~(1 << (code - 0x61));
  return [bits & 0xff, (bits >>> 8) & 0xff];
}

/** What an escrow status says: a code of the currency table, or the digits of a coupon. */
export type Escrow = { readonly code: number } | { readonly barcode: string };

/** Data of an ESCROW status; throws on none, which decodeStatus has refused already. */
export function decodeEscrow(data: Uint8Array): Escrow {
  const code = data[0];
  if (code === undefined) throw new RangeError('an escrow without data');
  return data.length === 1 ? { code } : { barcode: String.fromCharCode(...data.subarray(1)) };
}

/** 'inhibit 01': what the host says with these bytes; null = no frame. */
export function hostWords(bytes: Uint8Array): string | null {
  const frame = parse(EMPTY_PARSER, bytes).frames[0]?.frame;
  if (frame === undefined) return null;
  const name = Object.entries(COMMAND).find(([, code]) => code === frame.command)?.[0];
  const words = name?.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return [words ?? `command ${frame.command.toString(16)}`, toHex(frame.data)].join(' ').trim();
}

/**
 * Status reply with its data checked against the table; anything else is an error, never a guess.
 * `detail`: see AcceptorEvent.
 */
export function decodeStatus(
  frame: Frame,
): Decoded<{ readonly row: StatusRow; readonly detail: string | null }> {
  const row = STATUS[frame.command];
  if (row === undefined) return { ok: false, error: `no status ${frame.command.toString(16)}` };
  if (frame.data.length < row.data[0] || frame.data.length > row.data[1])
    return { ok: false, error: `${row.name} with ${frame.data.length} data bytes` };
  const code = frame.data[0] ?? 0;
  const hex = code.toString(16);
  if (frame.command === CODE.escrow && frame.data.length > 1 && code !== BARCODE)
    return { ok: false, error: `ESCROW ${hex} with ${frame.data.length} data bytes` };
  if (frame.command === CODE.rejecting)
    return { ok: true, value: { row, detail: REJECT_REASON[code] ?? `reason ${hex}` } };
  if (frame.command === CODE.failure)
    return { ok: true, value: { row, detail: FAILURE_CODE[code] ?? `failure ${hex}` } };
  return { ok: true, value: { row, detail: DETAIL[frame.command] ?? null } };
}
