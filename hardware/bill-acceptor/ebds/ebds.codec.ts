/**
 * MEI/CPI EBDS, the bytes of a frame, of the poll and of the status. Frame: 02 | LEN | CTL | data..
 * | 03 | CHK; LEN counts the whole frame, CHK is the XOR of LEN..last data byte. CTL: bit 0 toggle,
 * bits 1-3 device type (0 = acceptor), bits 4-6 message type. Line 9600 7E1: no byte above 7F
 * exists. Pyramid RS-232 speaks the same frames.
 *
 * Sources: decapod-atm/ebds and PyramidTechnologies/PTI.Rs232Validator (both MIT), unless marked
 * [r]: recalled, to be checked against the maker's document; docs/protocols/ebds.md lists those.
 */
import { EMPTY_PARSER, joinBytes, type Parsed, type ParserState } from '../../transport/bytes.ts';

export const STX = 0x02;
export const ETX = 0x03;
const OVERHEAD = 5;
/** LEN is a byte of seven bits. */
const LONGEST = 127;

export const TYPE = { command: 1, reply: 2, calibrate: 4, flash: 5, auxiliary: 6, extended: 7 } as const;

export type Toggle = 0 | 1;

export interface Frame {
  readonly type: number;
  readonly toggle: Toggle;
  readonly data: Uint8Array;
}

export type Decoded<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: string };

const xor = (bytes: Uint8Array): number => bytes.reduce((sum, byte) => sum ^ byte, 0);

/** Frame bytes; throws on what a line of seven bits cannot carry. */
export function encodeFrame(type: number, toggle: Toggle, data: ArrayLike<number>): Uint8Array {
  const length = OVERHEAD + data.length;
  if (length > LONGEST) throw new RangeError(`${data.length} bytes do not fit an EBDS frame`);
  const frame = new Uint8Array(length);
  frame.set([STX, length, (type << 4) | toggle]);
  frame.set(data, 3);
  const wide = frame.findIndex((byte) => byte > 0x7f);
  if (wide >= 0)
    throw new RangeError(`byte ${wide} of an EBDS frame is ${frame[wide]}, more than seven bits`);
  frame[length - 2] = ETX;
  frame[length - 1] = xor(frame.subarray(1, -2));
  return frame;
}

/** Bytes kept until they make a whole frame; never more than one frame. */
/**
 * Takes bytes as they come, in any pieces. After garbage it looks for the next STX whose frame
 * holds.
 */
export function parse(state: ParserState, chunk: Uint8Array): Parsed<Frame> {
  let bytes = state.kept.length === 0 ? chunk : joinBytes(state.kept, chunk);
  const frames: Parsed<Frame>['frames'][number][] = [];
  let bad = 0;
  for (;;) {
    const start = bytes.indexOf(STX);
    if (start < 0) return { state: EMPTY_PARSER, frames, bad };
    bytes = bytes.subarray(start);
    const length = bytes[1];
    if (length === undefined || (bytes.length < length && length <= LONGEST && length >= OVERHEAD))
      return { state: { kept: Uint8Array.from(bytes) }, frames, bad };
    const frame = length < OVERHEAD || length > LONGEST ? null : frameOf(bytes.subarray(0, length));
    if (frame === null) {
      bad++;
      bytes = bytes.subarray(1);
    } else {
      frames.push({ frame, bytes: Uint8Array.from(bytes.subarray(0, length)) });
      bytes = bytes.subarray(length);
    }
  }
}

function frameOf(whole: Uint8Array): Frame | null {
  const length = whole.length;
  if (whole[length - 2] !== ETX || whole[length - 1] !== xor(whole.subarray(1, -2))) return null;
  // A device type other than 0 is a machine of another kind on this line.
  if ((whole[2]! & 0x0e) !== 0 || whole.some((byte) => byte > 0x7f)) return null;
  return {
    type: whole[2]! >> 4,
    toggle: (whole[2]! & 1) as Toggle,
    data: Uint8Array.from(whole.subarray(3, -2)),
  };
}

// ---- the poll ----

/**
 * What a note in the path meets at power-up; B holds it at escrow, and stacks and reports it
 * beyond.
 */
export type PowerUpPolicy = 'A' | 'B' | 'C';
const POLICIES: readonly PowerUpPolicy[] = ['A', 'B', 'C'];

/** The three bytes that every poll and every extended command carries. */
export interface Poll {
  /**
   * Bits 0..6 = value index 1..7 may be taken; with extended notes any bit = the unit is enabled.
   */
  readonly notes: number;
  /** 0 one way, 1 two ways, 2 or 3 four ways. */
  readonly orientation: number;
  readonly escrow: boolean;
  /** What to do with the note in escrow. */
  readonly move: 'stack' | 'return' | null;
  /**
   * A note that can be neither credited nor returned stays in the path instead of being stacked.
   */
  readonly noPush: boolean;
  readonly barcodes: boolean;
  readonly powerUp: PowerUpPolicy;
  readonly extendedNotes: boolean;
  readonly extendedCoupons: boolean;
}

export const encodePoll = (poll: Poll): readonly [number, number, number] => [
  poll.notes & 0x7f,
  ((poll.orientation & 3) << 2) |
    (poll.escrow ? 0x10 : 0) |
    (poll.move === 'stack' ? 0x20 : 0) |
    (poll.move === 'return' ? 0x40 : 0),
  (poll.noPush ? 0x01 : 0) |
    (poll.barcodes ? 0x02 : 0) |
    (POLICIES.indexOf(poll.powerUp) << 2) |
    (poll.extendedNotes ? 0x10 : 0) |
    (poll.extendedCoupons ? 0x20 : 0),
];

export function decodePoll(data: Uint8Array): Decoded<Poll> {
  if (data.length !== 3) return { ok: false, error: `poll of ${data.length} bytes, not 3` };
  const [notes, mode, config] = [data[0]!, data[1]!, data[2]!];
  if ((mode & 0x60) === 0x60) return { ok: false, error: 'stack and return at once' };
  const powerUp = POLICIES[(config >> 2) & 3];
  if (powerUp === undefined) return { ok: false, error: 'power-up policy 3 at byte 2' };
  return {
    ok: true,
    value: {
      notes: notes & 0x7f,
      orientation: (mode >> 2) & 3,
      escrow: (mode & 0x10) !== 0,
      move: (mode & 0x20) !== 0 ? 'stack' : (mode & 0x40) !== 0 ? 'return' : null,
      noPush: (config & 0x01) !== 0,
      barcodes: (config & 0x02) !== 0,
      powerUp,
      extendedNotes: (config & 0x10) !== 0,
      extendedCoupons: (config & 0x20) !== 0,
    },
  };
}

// ---- the status ----

/** Bits of the six status bytes by name: [byte, mask]. */
export const STATUS_BITS = {
  idling: [0, 0x01],
  accepting: [0, 0x02],
  escrowed: [0, 0x04],
  stacking: [0, 0x08],
  stacked: [0, 0x10],
  returning: [0, 0x20],
  returned: [0, 0x40],
  cheated: [1, 0x01],
  rejected: [1, 0x02],
  jammed: [1, 0x04],
  full: [1, 0x08],
  cassette: [1, 0x10],
  paused: [1, 0x20],
  calibration: [1, 0x40],
  poweringUp: [2, 0x01],
  invalidCommand: [2, 0x02],
  failure: [2, 0x04],
  transportOpen: [2, 0x40],
  stalled: [3, 0x01],
  flashDownload: [3, 0x02],
  preStack: [3, 0x04],
  rawBarcode: [3, 0x08],
  capabilities: [3, 0x10],
  disabled: [3, 0x20],
} as const;
type StatusBit = keyof typeof STATUS_BITS;

export type Status = Readonly<Record<StatusBit, boolean>> & {
  /**
   * Value index 1..7 of a note in escrow or stacked; 0 = unknown, and always so with extended
   * notes.
   */
  readonly value: number;
  /** Letter of the product: 54 = SC 83/85 and SC Advance 83/85, 55 = SC 66 and SC Advance 66. */
  readonly model: number;
  readonly revision: number;
};

export const STATUS_BYTES = 6;

const BIT_NAMES = Object.keys(STATUS_BITS) as StatusBit[];

export function encodeStatus(status: Status): Uint8Array {
  const bytes = Uint8Array.of(0, 0, (status.value & 7) << 3, 0, status.model & 0x7f, status.revision & 0x7f);
  for (const name of BIT_NAMES) {
    const [at, mask] = STATUS_BITS[name];
    if (status[name]) bytes[at] = bytes[at]! | mask;
  }
  return bytes;
}

/** Six status bytes; an error where they contradict themselves, never a guess. */
export function decodeStatus(bytes: Uint8Array): Decoded<Status> {
  if (bytes.length !== STATUS_BYTES)
    return { ok: false, error: `status of ${bytes.length} bytes, not ${STATUS_BYTES}` };
  const bits = Object.fromEntries(
    BIT_NAMES.map((name) => [name, (bytes[STATUS_BITS[name][0]]! & STATUS_BITS[name][1]) !== 0]),
  ) as Record<StatusBit, boolean>;
  if (Number(bits.stacked) + Number(bits.returned) + Number(bits.rejected) > 1)
    return { ok: false, error: 'stacked, returned and rejected exclude each other' };
  const places = ['idling', 'accepting', 'escrowed', 'stacking', 'returning'] as const;
  if (places.filter((name) => bits[name]).length > 1)
    return { ok: false, error: 'more than one place for one note' };
  return {
    ok: true,
    value: { ...bits, value: (bytes[2]! >> 3) & 7, model: bytes[4]!, revision: bytes[5]! },
  };
}
