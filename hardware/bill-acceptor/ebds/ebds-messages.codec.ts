/**
 * EBDS messages beyond the poll: what a host asks, what a unit answers, and how a note is written
 * in them.
 */
import { CURRENCIES, minorOfUnits } from '../../../engine/core/money.ts';
import type { Note, UnitNote } from '../../ports.ts';
import { EMPTY_PARSER, fromAscii, toAscii, toHex } from '../../transport/bytes.ts';
import {
  type Decoded,
  decodePoll,
  decodeStatus,
  encodeFrame,
  encodePoll,
  encodeStatus,
  type Frame,
  type Poll,
  parse,
  STATUS_BYTES,
  type Status,
  type Toggle,
  TYPE,
} from './ebds.codec.ts';

/** Subtypes of the extended messages, CTL 7x. */
export const EXTENDED = {
  barcode: 0x01,
  note: 0x02,
  inhibits: 0x03,
  escrowTimeout: 0x04,
  valueTable: 0x06,
  noteRetrieved: 0x0b,
} as const;

/** Subtypes of the auxiliary commands, CTL 6x; the answers do not repeat them. */
export const AUXILIARY = {
  softwareCrc: 0x00,
  serial: 0x05, // [r]
  bootPart: 0x06,
  applicationPart: 0x07,
  variantName: 0x08,
  variantPart: 0x09,
  capabilities: 0x0d,
  reset: 0x7f,
} as const;

/**
 * Pyramid's telemetry, CTL 6x with the command first; command and answer differ from the auxiliary
 * ones.
 */
export const TELEMETRY = { ping: 0x00, serial: 0x01 } as const;

/**
 * Bytes of a set of inhibits: 8 of a Cashflow SC (50 notes), 10 as another host sends them to it,
 * 19 of an SC Advance (128 notes).
 */
export const INHIBIT_BYTES = [8, 10, 19] as const;
export const MOST_NOTES = 128;

export type HostMessage =
  | { readonly type: 'poll'; readonly poll: Poll }
  | { readonly type: 'query-note'; readonly poll: Poll; readonly index: number }
  /** Bit 0 of byte 0 = note 1 may be taken, seven notes a byte. */
  | { readonly type: 'set-inhibits'; readonly poll: Poll; readonly enabled: Uint8Array }
  /** Seconds 1..127, 0 = the unit waits for ever. */
  | {
      readonly type: 'set-escrow-timeout';
      readonly poll: Poll;
      readonly notesS: number;
      readonly barcodesS: number;
    }
  | { readonly type: 'query-value-table'; readonly poll: Poll }
  | { readonly type: 'note-retrieved'; readonly poll: Poll; readonly on: boolean }
  | { readonly type: 'auxiliary'; readonly command: number }
  | { readonly type: 'soft-reset' }
  | { readonly type: 'telemetry'; readonly command: number };

export function encodeHost(message: HostMessage, toggle: Toggle): Uint8Array {
  const extended = (poll: Poll, subtype: number, ...data: number[]): Uint8Array =>
    encodeFrame(TYPE.extended, toggle, [subtype, ...encodePoll(poll), ...data]);
  switch (message.type) {
    case 'poll':
      return encodeFrame(TYPE.command, toggle, encodePoll(message.poll));
    case 'query-note':
      return extended(message.poll, EXTENDED.note, message.index);
    case 'set-inhibits':
      return extended(message.poll, EXTENDED.inhibits, ...message.enabled);
    case 'set-escrow-timeout':
      return extended(message.poll, EXTENDED.escrowTimeout, message.notesS, message.barcodesS);
    case 'query-value-table':
      return extended(message.poll, EXTENDED.valueTable);
    case 'note-retrieved':
      return extended(message.poll, EXTENDED.noteRetrieved, message.on ? 1 : 0);
    case 'auxiliary':
      return encodeFrame(TYPE.auxiliary, toggle, [0, 0, message.command]);
    case 'soft-reset':
      return encodeFrame(TYPE.auxiliary, toggle, [0x7f, 0x7f, AUXILIARY.reset]);
    case 'telemetry':
      return encodeFrame(TYPE.auxiliary, toggle, [message.command]);
  }
}

/** The unit's side: a frame of the host, or why it is none. */
export function decodeHost({ type, data }: Frame): Decoded<HostMessage> {
  if (type === TYPE.auxiliary) return decodeAuxiliary(data);
  if (type !== TYPE.command && type !== TYPE.extended)
    return { ok: false, error: `message type ${type} is not a host's` };
  const poll = decodePoll(type === TYPE.extended ? data.subarray(1, 4) : data);
  if (!poll.ok) return poll;
  if (type === TYPE.command) return { ok: true, value: { type: 'poll', poll: poll.value } };
  const extra = data.subarray(4);
  const carried = { poll: poll.value };
  switch (data[0]) {
    case EXTENDED.note:
      if (extra.length !== 1) break;
      return { ok: true, value: { type: 'query-note', ...carried, index: extra[0]! } };
    case EXTENDED.inhibits:
      if (!INHIBIT_BYTES.some((bytes) => bytes === extra.length)) break;
      return { ok: true, value: { type: 'set-inhibits', ...carried, enabled: Uint8Array.from(extra) } };
    case EXTENDED.escrowTimeout:
      if (extra.length !== 2) break;
      return {
        ok: true,
        value: { type: 'set-escrow-timeout', ...carried, notesS: extra[0]!, barcodesS: extra[1]! },
      };
    case EXTENDED.valueTable:
      if (extra.length !== 0) break;
      return { ok: true, value: { type: 'query-value-table', ...carried } };
    case EXTENDED.noteRetrieved:
      if (extra.length !== 1 || extra[0]! > 1) break;
      return { ok: true, value: { type: 'note-retrieved', ...carried, on: extra[0] === 1 } };
    default:
      return { ok: false, error: `no extended command ${data[0]}` };
  }
  return { ok: false, error: `extended command ${data[0]} with ${extra.length} data bytes` };
}

function decodeAuxiliary(data: Uint8Array): Decoded<HostMessage> {
  if (data.length === 1) return { ok: true, value: { type: 'telemetry', command: data[0]! } };
  const [a, b, command] = [data[0], data[1], data[2]];
  if (data.length !== 3 || command === undefined)
    return { ok: false, error: `auxiliary command of ${data.length} bytes` };
  if (a === 0x7f && b === 0x7f && command === AUXILIARY.reset)
    return { ok: true, value: { type: 'soft-reset' } };
  if (a !== 0 || b !== 0) return { ok: false, error: `auxiliary command with ${a}, ${b} before it` };
  return { ok: true, value: { type: 'auxiliary', command } };
}

/** A note as the unit writes it: base x 10^exponent whole units of the currency. */
export interface NoteSpec {
  /** ISO 4217. */
  readonly currency: string;
  /** 0..999. */
  readonly base: number;
  /** -99..99. */
  readonly exponent: number;
  /** 0..3: right or left edge first, face up or down. */
  readonly orientation: number;
  /** Letters of the variant card: type, series, compatibility, version. */
  readonly letters: string;
  /**
   * 0 not classified, 1 unidentified, 2 suspected counterfeit, 3 suspected worthless, 4 genuine.
   */
  readonly classification: number;
}

export interface ValueRow {
  /** 1..7, as in the status. */
  readonly index: number;
  readonly currency: string;
  readonly base: number;
  readonly exponent: number;
}

export type UnitMessage =
  | { readonly type: 'status'; readonly status: Status }
  /** Index 0: the note in escrow or stacked; else a row of the table. `spec` null = blank. */
  | { readonly type: 'note'; readonly status: Status; readonly index: number; readonly spec: NoteSpec | null }
  | { readonly type: 'value-table'; readonly status: Status; readonly rows: readonly ValueRow[] }
  | { readonly type: 'barcode'; readonly status: Status; readonly text: string }
  /** An answer without data to an extended command, or a message the host has not asked for. */
  | {
      readonly type: 'extended';
      readonly status: Status;
      readonly subtype: number;
      readonly data: Uint8Array;
    }
  /** Its meaning follows from what was asked. */
  | { readonly type: 'auxiliary'; readonly data: Uint8Array };

const NOTE_BYTES = 18;
const ROW_BYTES = 10;
const VALUE_ROWS = 7;
const BARCODE_BYTES = 28;

export function encodeUnit(message: UnitMessage, toggle: Toggle): Uint8Array {
  const extended = (status: Status, subtype: number, data: ArrayLike<number>): Uint8Array =>
    encodeFrame(TYPE.extended, toggle, [subtype, ...encodeStatus(status), ...Array.from(data)]);
  switch (message.type) {
    case 'status':
      return encodeFrame(TYPE.reply, toggle, encodeStatus(message.status));
    case 'note':
      return extended(message.status, EXTENDED.note, encodeNote(message.index, message.spec));
    case 'value-table':
      return extended(message.status, EXTENDED.valueTable, encodeRows(message.rows));
    case 'barcode':
      return extended(message.status, EXTENDED.barcode, toAscii(message.text, BARCODE_BYTES));
    case 'extended':
      return extended(message.status, message.subtype, message.data);
    case 'auxiliary':
      return encodeFrame(TYPE.auxiliary, toggle, message.data);
  }
}

/** The host's side: a frame of the unit, or why it is none. */
export function decodeUnit({ type, data }: Frame): Decoded<UnitMessage> {
  if (type === TYPE.auxiliary) return { ok: true, value: { type: 'auxiliary', data } };
  if (type !== TYPE.reply && type !== TYPE.extended)
    return { ok: false, error: `message type ${type} is not a unit's` };
  const extended = type === TYPE.extended;
  const status = decodeStatus(extended ? data.subarray(1, 1 + STATUS_BYTES) : data);
  if (!status.ok) return status;
  if (!extended) return { ok: true, value: { type: 'status', status: status.value } };
  const subtype = data[0]!;
  const extra = data.subarray(1 + STATUS_BYTES);
  if (subtype === EXTENDED.note && extra.length > 0) {
    const note = decodeNote(extra);
    return note.ok ? { ok: true, value: { type: 'note', status: status.value, ...note.value } } : note;
  }
  if (subtype === EXTENDED.valueTable && extra.length > 0) {
    const rows = decodeRows(extra);
    return rows.ok
      ? { ok: true, value: { type: 'value-table', status: status.value, rows: rows.value } }
      : rows;
  }
  if (subtype === EXTENDED.barcode)
    return { ok: true, value: { type: 'barcode', status: status.value, text: printable(extra) } };
  return {
    ok: true,
    value: { type: 'extended', status: status.value, subtype, data: Uint8Array.from(extra) },
  };
}

/** Zero-padded text of an answer; what cannot be printed is left out. */
export const printable = (bytes: Uint8Array): string =>
  fromAscii(bytes)
    .replaceAll(/[^\x20-\x7e]/g, '')
    .trim();

/** Answer to AUXILIARY.softwareCrc: four bits a byte, high first. Null where it is not one. */
export function decodeSoftwareCrc(data: Uint8Array): string | null {
  if (data.length !== 6 || data.subarray(0, 4).some((byte) => byte > 0x0f)) return null;
  return Array.from(data.subarray(0, 4), (nibble) => nibble.toString(16)).join('');
}

// ---- notes ----

function encodeValue(currency: string, base: number, exponent: number): readonly number[] {
  const power = Math.abs(exponent).toString().padStart(2, '0');
  const text = `${currency}${base.toString().padStart(3, '0')}${exponent < 0 ? '-' : '+'}${power}`;
  return [...toAscii(text, ROW_BYTES - 1)];
}

type Value = Pick<NoteSpec, 'currency' | 'base' | 'exponent'>;

function decodeValue(bytes: Uint8Array): Decoded<Value | null> {
  if (bytes.every((byte) => byte === 0)) return { ok: true, value: null };
  const text = String.fromCharCode(...bytes);
  const found = /^([A-Z]{3})(\d{3})([+-])(\d{2})$/.exec(text);
  if (found === null) return { ok: false, error: `no note value: ${JSON.stringify(text)}` };
  const [, currency, base, sign, power] = found;
  const exponent = sign === '-' ? 0 - Number(power) : Number(power);
  return { ok: true, value: { currency: currency!, base: Number(base), exponent } };
}

function encodeNote(index: number, spec: NoteSpec | null): Uint8Array {
  const bytes = new Uint8Array(NOTE_BYTES);
  bytes[0] = index;
  if (spec === null) return bytes;
  bytes.set(encodeValue(spec.currency, spec.base, spec.exponent), 1);
  bytes[10] = spec.orientation;
  bytes.set(toAscii(spec.letters, 4), 11);
  bytes[15] = spec.classification;
  return bytes;
}

function decodeNote(bytes: Uint8Array): Decoded<{ index: number; spec: NoteSpec | null }> {
  if (bytes.length !== NOTE_BYTES)
    return { ok: false, error: `note of ${bytes.length} bytes, not ${NOTE_BYTES}` };
  const index = bytes[0]!;
  const value = decodeValue(bytes.subarray(1, ROW_BYTES));
  if (!value.ok) return value;
  if (value.value === null) return { ok: true, value: { index, spec: null } };
  const [orientation, classification] = [bytes[10]!, bytes[15]!];
  if (orientation > 3) return { ok: false, error: `note orientation ${orientation}` };
  if (classification > 4) return { ok: false, error: `note classification ${classification}` };
  const letters = printable(bytes.subarray(11, 15));
  return { ok: true, value: { index, spec: { ...value.value, orientation, letters, classification } } };
}

function encodeRows(rows: readonly ValueRow[]): Uint8Array {
  const bytes = new Uint8Array(VALUE_ROWS * ROW_BYTES);
  for (let i = 0; i < VALUE_ROWS; i++) bytes[i * ROW_BYTES] = i + 1;
  for (const { index, currency, base, exponent } of rows)
    bytes.set(encodeValue(currency, base, exponent), (index - 1) * ROW_BYTES + 1);
  return bytes;
}

function decodeRows(bytes: Uint8Array): Decoded<readonly ValueRow[]> {
  if (bytes.length !== VALUE_ROWS * ROW_BYTES)
    return { ok: false, error: `value table of ${bytes.length} bytes, not ${VALUE_ROWS * ROW_BYTES}` };
  const rows: ValueRow[] = [];
  for (let i = 0; i < VALUE_ROWS; i++) {
    const row = bytes.subarray(i * ROW_BYTES, (i + 1) * ROW_BYTES);
    if (row[0] !== i + 1) return { ok: false, error: `value index ${row[0]} in row ${i + 1}` };
    const value = decodeValue(row.subarray(1));
    if (!value.ok) return value;
    if (value.value !== null) rows.push({ index: i + 1, ...value.value });
  }
  return { ok: true, value: rows };
}

/** The currencies a table plays in; a note of any other has no value here. */
const KNOWN: ReadonlySet<string> = new Set(CURRENCIES);

/**
 * What a note is worth; null for an unknown currency and for a value that is not whole minor units.
 */
export function noteOf({ currency, base, exponent }: Value): Note | null {
  if (!KNOWN.has(currency)) return null;
  const valueMinor = minorOfUnits(base, exponent);
  return Number.isSafeInteger(valueMinor) && valueMinor > 0 ? { currency, valueMinor } : null;
}

/** A row in the unit's own words, `index` where it is the index that names a note. */
export function unitNoteOf(value: Value, index: number | null = null): UnitNote {
  const { currency, base, exponent } = value;
  const words = String.fromCharCode(...encodeValue(currency, base, exponent));
  return {
    said: index === null ? words : `${index} ${words}`,
    valueMinor: noteOf(value)?.valueMinor ?? null,
    currency,
  };
}

/** 'poll, notes 7f, stack': what the host says with these bytes; null = no frame. */
export function hostWords(bytes: Uint8Array): string | null {
  const frame = parse(EMPTY_PARSER, bytes).frames[0]?.frame;
  const message = frame && decodeHost(frame);
  if (frame === undefined || message?.ok !== true) return null;
  const { type, poll, ...rest } = { poll: null, ...message.value };
  const members = Object.entries<unknown>(rest).map(
    ([name, value]) => `${name} ${value instanceof Uint8Array ? toHex(value) : String(value)}`,
  );
  const said = poll === null ? [] : [`notes ${poll.notes.toString(16).padStart(2, '0')}`, poll.move ?? []];
  return [type, ...members, ...said.flat(), `toggle ${frame.toggle}`].join(', ');
}

/**
 * Inhibit bytes in which these rows of the table, 1-based, may be taken; INHIBIT_BYTES tells the
 * lengths there are.
 */
export function inhibitBytes(enabled: readonly number[], length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  for (const index of enabled) {
    const at = Math.floor((index - 1) / 7);
    if (at >= length) throw new RangeError(`note ${index} does not fit ${length} inhibit bytes`);
    bytes[at] = bytes[at]! | (1 << ((index - 1) % 7));
  }
  return bytes;
}
