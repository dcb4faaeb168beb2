/**
 * KCB-1, the frames of our own cabinet board; docs/protocols/kcb-1.md describes them for somebody
 * who builds one. Its first byte is 43; see frame64.codec.ts. Nothing in it is numbered: the board
 * says how the cabinet is, and how often each door was opened in its life.
 */
import type { CabinetDoor, LampPattern } from '../../ports.ts';
import { fromAscii, toAscii } from '../../transport/bytes.ts';
import { type Decoded, type Frame, frame64, payload, viewOf } from '../../transport/frame64.codec.ts';

export { FRAME_LENGTH, type Frame } from '../../transport/frame64.codec.ts';
export const { packFrame, unpackFrame, parse } = frame64(0x43, 'KCB-1');

export const TYPE = {
  // board to host
  hello: 0x01,
  status: 0x04,
  // host to board
  identify: 0x81,
  lamp: 0x82,
  siren: 0x83,
} as const;

/** In the order of their bits and of their counters. */
export const DOORS: readonly CabinetDoor[] = ['main', 'drop', 'logic', 'acceptor', 'cabinet'];
/** In the order of their numbers on the wire. */
export const PATTERNS: readonly LampPattern[] = ['off', 'steady', 'slow', 'fast'];
const FLAG = { key: 1, batteryLow: 2 } as const;
/** Counters of doors go on at 0 after this. */
export const MOST_OPENINGS = 0xffff;
export const MOST_SIREN_MS = 600_000;

export type DoorCounts = Readonly<Record<CabinetDoor, number>>;

export type Message =
  | { readonly type: 'hello'; readonly serial: string; readonly firmware: string; readonly boot: number }
  | {
      readonly type: 'status';
      readonly boot: number;
      readonly open: readonly CabinetDoor[];
      readonly key: boolean;
      readonly batteryLow: boolean;
      readonly upper: LampPattern;
      readonly lower: LampPattern;
      /** The siren sounds for so long still; 0 = it is silent. */
      readonly sirenMs: number;
      /** Of the board's life, with power and without. */
      readonly opened: DoorCounts;
      readonly openedOff: DoorCounts;
      /** How long it was without power the last time. */
      readonly offSeconds: number;
      readonly batteryMillivolts: number;
    }
  | { readonly type: 'identify' }
  | { readonly type: 'lamp'; readonly upper: LampPattern; readonly lower: LampPattern }
  /** For at least so long from now; 0 = be silent. */
  | { readonly type: 'siren'; readonly ms: number };

export type Status = Extract<Message, { type: 'status' }>;

const OPENED_AT = 12;
const OFF_AT = OPENED_AT + 2 * DOORS.length;
const STATUS_LENGTH = OFF_AT + 2 * DOORS.length + 6;

function payloadOf(message: Message): Uint8Array {
  switch (message.type) {
    case 'hello':
      return payload(32, (view, bytes) => {
        bytes.set(toAscii(message.serial, 16), 0);
        bytes.set(toAscii(message.firmware, 12), 16);
        view.setUint32(28, message.boot, true);
      });
    case 'status':
      return payload(STATUS_LENGTH, (view, bytes) => {
        view.setUint32(0, message.boot, true);
        bytes[4] = message.open.reduce((bits, door) => bits | (1 << DOORS.indexOf(door)), 0);
        bytes[5] = (message.key ? FLAG.key : 0) | (message.batteryLow ? FLAG.batteryLow : 0);
        bytes[6] = PATTERNS.indexOf(message.upper);
        bytes[7] = PATTERNS.indexOf(message.lower);
        view.setUint32(8, message.sirenMs, true);
        for (const [i, door] of DOORS.entries()) {
          view.setUint16(OPENED_AT + 2 * i, message.opened[door], true);
          view.setUint16(OFF_AT + 2 * i, message.openedOff[door], true);
        }
        view.setUint32(STATUS_LENGTH - 6, message.offSeconds, true);
        view.setUint16(STATUS_LENGTH - 2, message.batteryMillivolts, true);
      });
    case 'identify':
      return new Uint8Array(0);
    case 'lamp':
      return Uint8Array.of(PATTERNS.indexOf(message.upper), PATTERNS.indexOf(message.lower));
    case 'siren':
      return payload(4, (view) => view.setUint32(0, message.ms, true));
  }
}

export const encode = (message: Message, deviceMs = 0): Uint8Array =>
  packFrame({ type: TYPE[message.type], flags: 0, seq: 0, deviceMs, payload: payloadOf(message) });

const countsAt = (view: DataView, at: number): DoorCounts =>
  Object.fromEntries(
    DOORS.map((door, i) => [door, view.getUint16(at + 2 * i, true)] as const),
  ) as unknown as DoorCounts;

interface Shape {
  readonly name: Message['type'];
  readonly length: number;
  readonly read: (view: DataView, bytes: Uint8Array) => Message | string;
}

const SHAPES: Readonly<Record<number, Shape>> = {
  [TYPE.hello]: {
    name: 'hello',
    length: 32,
    read: (view, bytes) => ({
      type: 'hello',
      serial: fromAscii(bytes.subarray(0, 16)),
      firmware: fromAscii(bytes.subarray(16, 28)),
      boot: view.getUint32(28, true),
    }),
  },
  [TYPE.status]: {
    name: 'status',
    length: STATUS_LENGTH,
    read: (view, bytes) => {
      const [upper, lower] = [PATTERNS[bytes[6]!], PATTERNS[bytes[7]!]];
      if (bytes[4]! >> DOORS.length !== 0) return `doors ${bytes[4]}`;
      if (bytes[5]! > (FLAG.key | FLAG.batteryLow)) return `flags ${bytes[5]}`;
      if (upper === undefined || lower === undefined) return `lamp ${bytes[6]} ${bytes[7]}`;
      return {
        type: 'status',
        boot: view.getUint32(0, true),
        open: DOORS.filter((_, i) => ((bytes[4]! >> i) & 1) === 1),
        key: (bytes[5]! & FLAG.key) !== 0,
        batteryLow: (bytes[5]! & FLAG.batteryLow) !== 0,
        upper,
        lower,
        sirenMs: view.getUint32(8, true),
        opened: countsAt(view, OPENED_AT),
        openedOff: countsAt(view, OFF_AT),
        offSeconds: view.getUint32(STATUS_LENGTH - 6, true),
        batteryMillivolts: view.getUint16(STATUS_LENGTH - 2, true),
      };
    },
  },
  [TYPE.identify]: { name: 'identify', length: 0, read: () => ({ type: 'identify' }) },
  [TYPE.lamp]: {
    name: 'lamp',
    length: 2,
    read: (_view, bytes) => {
      const [upper, lower] = [PATTERNS[bytes[0]!], PATTERNS[bytes[1]!]];
      return upper === undefined || lower === undefined
        ? `lamp ${bytes[0]} ${bytes[1]}`
        : { type: 'lamp', upper, lower };
    },
  },
  [TYPE.siren]: {
    name: 'siren',
    length: 4,
    read: (view) => {
      const ms = view.getUint32(0, true);
      return ms > MOST_SIREN_MS ? `${ms} ms` : { type: 'siren', ms };
    },
  },
};

/**
 * What a frame says; an unknown type, a wrong length or a value out of range is an error that names
 * it.
 */
export function decode(frame: Frame): Decoded<Message> {
  const shape = SHAPES[frame.type];
  if (shape === undefined) return { ok: false, error: `no message type ${frame.type.toString(16)}` };
  if (frame.payload.length !== shape.length)
    return { ok: false, error: `${shape.name} with ${frame.payload.length} payload bytes` };
  const message = shape.read(viewOf(frame.payload), frame.payload);
  return typeof message === 'string'
    ? { ok: false, error: `${shape.name}: ${message}` }
    : { ok: true, value: message };
}
