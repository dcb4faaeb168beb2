/**
 * Innovative Technology SSP, the bytes. Packet: 7F | SEQ and slave id | LEN | DATA.. | CRC low |
 * CRC high; SEQ is bit 7, every 7F behind the first byte is doubled, the CRC (0x8005, from FFFF,
 * high bit first) is over SEQ..last data byte before that. Line 9600 8N2, the host is master.
 *
 * Sources of the tables are named in docs/protocols/ssp.md.
 */
import type { UnitNote } from '../../ports.ts';
import { EMPTY_PARSER, joinBytes, type Parsed, type ParserState, toHex } from '../../transport/bytes.ts';

export const STX = 0x7f;
export const MOST_DATA = 255;

export const COMMAND = {
  reset: 0x01,
  inhibits: 0x02, // bit set = channel may be taken
  setup: 0x05,
  protocolVersion: 0x06,
  poll: 0x07, // a note in escrow that has been told is stacked by it
  reject: 0x08,
  disable: 0x09,
  enable: 0x0a,
  serial: 0x0c,
  unitData: 0x0d, // this and the next two our driver does not ask: setup says all of it
  channelValues: 0x0e,
  channelSecurity: 0x0f,
  sync: 0x11, // the next packet has SEQ 0
  lastReject: 0x17,
  hold: 0x18,
  firmware: 0x20,
  setGenerator: 0x4a,
  setModulus: 0x4b,
  keyExchange: 0x4c,
  pollWithAck: 0x56,
  eventAck: 0x57,
} as const;

export const REPLY = {
  ok: 0xf0,
  unknown: 0xf2,
  wrongParameters: 0xf3,
  outOfRange: 0xf4,
  cannot: 0xf5,
  softwareError: 0xf6,
  fail: 0xf8,
  keyNotSet: 0xfa,
} as const;

export const EVENT = {
  channelsDisabled: 0xb5,
  initialising: 0xb6, // of POLL WITH ACK alone
  stacking: 0xcc,
  ticketStacked: 0xd1,
  pathOpen: 0xe0,
  clearedFromFront: 0xe1,
  clearedIntoCashBox: 0xe2,
  cashBoxRemoved: 0xe3,
  cashBoxReplaced: 0xe4,
  ticket: 0xe5,
  fraud: 0xe6,
  full: 0xe7,
  disabled: 0xe8,
  unsafeJam: 0xe9,
  safeJam: 0xea,
  stacked: 0xeb,
  rejected: 0xec,
  rejecting: 0xed,
  credit: 0xee,
  read: 0xef, // channel 0 = being read, n = in escrow
  slaveReset: 0xf1,
} as const;

const WITH_CHANNEL: readonly number[] = [
  EVENT.clearedFromFront,
  EVENT.clearedIntoCashBox,
  EVENT.fraud,
  EVENT.credit,
  EVENT.read,
];
const EVENTS: readonly number[] = Object.values(EVENT);

/** Unit type of SETUP REQUEST: others give notes out, and have events of unknown length. */
export const NOTE_VALIDATOR = 0;

/** Answer to LAST REJECT, by the reasons of the house where they mean the same. */
export const REJECT_REASON: Readonly<Record<number, string>> = {
  1: 'length',
  2: 'validation',
  3: 'validation',
  4: 'validation',
  5: 'validation',
  6: 'inhibited-in-dataset',
  7: 'several-notes',
  9: 'denomination',
  10: 'conveying',
  11: 'length',
  12: 'inhibited',
  13: 'transport',
  14: 'string',
  15: 'true-bill',
  16: 'no-note-seen',
  17: 'validation',
  18: 'validation',
  19: 'escrow-time-out',
  20: 'validation',
  21: 'conveying',
  22: 'validation',
  23: 'validation',
  24: 'operation',
  25: 'width',
  26: 'length',
  28: 'several-notes',
  29: 'not-stackable',
  31: 'not-accepted', // a card
};
export const REJECTED_BY_HOST = 8;

export type Seq = 0 | 1;
export interface Frame {
  readonly seq: Seq;
  readonly address: number;
  readonly data: Uint8Array;
}

export type Decoded<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: string };

export function crcOf(bytes: Uint8Array): number {
  let crc = 0xffff;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = (crc & 0x8000) === 0 ? crc << 1 : (crc << 1) ^ 0x8005;
    crc &= 0xffff;
  }
  return crc;
}

/** Packet bytes; throws on data or an address that a packet cannot hold. */
export function encode({ seq, address, data }: Frame): Uint8Array {
  if (data.length === 0 || data.length > MOST_DATA)
    throw new RangeError(`${data.length} bytes do not fit an SSP packet`);
  if (address < 0 || address > 0x7d) throw new RangeError(`no SSP address ${address}`);
  const inner = new Uint8Array(data.length + 4);
  inner.set([(seq << 7) | address, data.length]);
  inner.set(data, 2);
  const crc = crcOf(inner.subarray(0, -2));
  inner.set([crc & 0xff, crc >>> 8], inner.length - 2);
  const packet = [STX];
  for (const byte of inner) packet.push(...(byte === STX ? [STX, STX] : [byte]));
  return Uint8Array.from(packet);
}

/**
 * Takes bytes as they come, in any pieces. A 7F alone begins a packet, wherever it stands; after
 * garbage it looks for the next one whose length and CRC hold.
 */
export function parse(state: ParserState, chunk: Uint8Array): Parsed<Frame> {
  let bytes = state.kept.length === 0 ? chunk : joinBytes(state.kept, chunk);
  const frames: Parsed<Frame>['frames'][number][] = [];
  let bad = 0;
  for (;;) {
    const start = bytes.indexOf(STX);
    if (start < 0) return { state: EMPTY_PARSER, frames, bad };
    bytes = bytes.subarray(start);
    const read = readPacket(bytes);
    if (read === 'more') return { state: { kept: Uint8Array.from(bytes) }, frames, bad };
    if (typeof read === 'number') {
      // 7F 7F at the start is no packet of address 7F: the second one begins it.
      if (read > 1) bad++;
      bytes = bytes.subarray(read);
    } else {
      frames.push({ frame: read.frame, bytes: Uint8Array.from(bytes.subarray(0, read.length)) });
      bytes = bytes.subarray(read.length);
    }
  }
}

/** A packet and its length on the line; a number = none, go on so far behind its start. */
function readPacket(bytes: Uint8Array): { readonly frame: Frame; readonly length: number } | number | 'more' {
  const inner: number[] = [];
  for (let at = 1; ; at++) {
    const byte = bytes[at];
    if (byte === undefined) return 'more';
    if (byte === STX) {
      if (at === 1) return 1;
      const next = bytes[at + 1];
      if (next === undefined) return 'more';
      if (next !== STX) return at;
      at++;
    }
    inner.push(byte);
    const length = inner[1];
    if (length === 0) return at + 1;
    if (length === undefined || inner.length < length + 4) continue;
    const whole = Uint8Array.from(inner);
    const said = whole[length + 2]! | (whole[length + 3]! << 8);
    if (crcOf(whole.subarray(0, -2)) !== said) return 2;
    const first = whole[0]!;
    const seq: Seq = first >= 0x80 ? 1 : 0;
    return { frame: { seq, address: first & 0x7f, data: whole.slice(2, -2) }, length: at + 1 };
  }
}

export interface PollEvent {
  readonly code: number;
  /** Null where the event has none. */
  readonly channel: number | null;
}

/**
 * Data behind the F0 of a poll's answer. A byte that is no event and no channel is stepped over.
 */
export function decodeEvents(data: Uint8Array): Decoded<readonly PollEvent[]> {
  const events: PollEvent[] = [];
  for (let at = 0; at < data.length; at++) {
    const code = data[at]!;
    if (!EVENTS.includes(code)) continue;
    if (!WITH_CHANNEL.includes(code)) {
      events.push({ code, channel: null });
      continue;
    }
    at++;
    const channel = data[at];
    if (channel === undefined) return { ok: false, error: `event ${code.toString(16)} without a channel` };
    events.push({ code, channel });
  }
  return { ok: true, value: events };
}

export const encodeEvents = (events: readonly PollEvent[]): readonly number[] =>
  events.flatMap(({ code, channel }) => (channel === null ? [code] : [code, channel]));

export interface Channel extends UnitNote {
  readonly channel: number;
}
export interface Setup {
  readonly unitType: number;
  readonly firmware: string;
  readonly protocol: number;
  readonly channels: readonly Channel[];
}

const asText = (bytes: Uint8Array): string =>
  String.fromCharCode(...bytes.filter((byte) => byte >= 0x20 && byte < 0x7f));
const currencyIn = (bytes: Uint8Array): string | null => {
  const text = asText(bytes);
  return /^[A-Z]{3}$/.test(text) ? text : null;
};

/** Data behind the F0 of the answer to SETUP REQUEST, of a note validator. */
export function decodeSetup(data: Uint8Array): Decoded<Setup> {
  const count = data[11];
  if (count === undefined) return { ok: false, error: `setup of ${data.length} bytes` };
  const after = 12 + 2 * count;
  if (data.length < after + 4)
    return { ok: false, error: `setup of ${data.length} bytes, ${count} channels` };
  const three = (at: number): number => data[at]! * 65_536 + data[at + 1]! * 256 + data[at + 2]!;
  const protocol = data[after + 3]!;
  const isWide = protocol >= 6;
  if (isWide && data.length < after + 4 + 7 * count)
    return { ok: false, error: `setup of ${data.length} bytes, ${count} channels in protocol ${protocol}` };
  const [multiplier, real] = [three(8), three(after)];
  const channels = Array.from({ length: count }, (_, i): Channel | null => {
    const names = isWide ? data.subarray(after + 4 + 3 * i, after + 7 + 3 * i) : data.subarray(5, 8);
    const at = after + 4 + 3 * count + 4 * i;
    const four = isWide ? data.subarray(at, at + 4) : data.subarray(12 + i, 13 + i);
    const value = four.reduceRight((sum, byte) => sum * 256 + byte, 0);
    if (value === 0) return null;
    const factor = isWide ? [real] : [multiplier, real];
    const minor = factor.reduce((product, by) => product * by, value);
    const said = toHex(
      Uint8Array.of(i + 1, ...names, ...four, ...data.subarray(8, 11), ...data.subarray(after, after + 3)),
    );
    const isValue = Number.isSafeInteger(minor) && minor > 0;
    return { channel: i + 1, said, valueMinor: isValue ? minor : null, currency: currencyIn(names) };
  });
  return {
    ok: true,
    value: {
      unitType: data[0]!,
      firmware: asText(data.subarray(1, 5)),
      protocol,
      channels: channels.filter((row) => row !== null),
    },
  };
}

/** The register of SET INHIBITS: bit n-1 of the bytes, low byte first, is channel n. */
export function inhibitBytes(allowed: readonly number[], highest: number): readonly number[] {
  const bytes = Array.from({ length: Math.max(2, Math.ceil(highest / 8)) }, () => 0);
  for (const channel of allowed) bytes[(channel - 1) >> 3]! |= 1 << ((channel - 1) & 7);
  return bytes;
}

const nameOf = (codes: Readonly<Record<string, number>>, code: number): string | null =>
  Object.entries(codes)
    .find(([, own]) => own === code)?.[0]
    ?.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`) ?? null;

/** 'inhibits 3f 00': what the host says with these bytes; null = no packet. */
export function hostWords(bytes: Uint8Array): string | null {
  const data = parse(EMPTY_PARSER, bytes).frames[0]?.frame.data;
  if (data === undefined) return null;
  const code = data[0]!;
  return [nameOf(COMMAND, code) ?? `command ${code.toString(16)}`, toHex(data.subarray(1))].join(' ').trim();
}
