/**
 * KSP-1, the frames of our own card shoe; docs/protocols/ksp-1.md describes them for somebody who
 * builds one. Its first byte is 53; see frame64.codec.ts.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { fromAscii, toAscii } from '../../transport/bytes.ts';
import { type Decoded, type Frame, frame64, payload, viewOf } from '../../transport/frame64.codec.ts';

export { type Decoded, FRAME_LENGTH, type Frame, PAYLOAD_LIMIT } from '../../transport/frame64.codec.ts';
export const { packFrame, unpackFrame, parse } = frame64(0x53, 'KSP-1');

export const TYPE = {
  // shoe to host, not numbered
  hello: 0x01,
  proof: 0x03,
  heartbeat: 0x04,
  readAgain: 0x05,
  // shoe to host, numbered and journalled
  card: 0x10,
  cutCard: 0x11,
  cover: 0x20,
  jam: 0x21,
  misread: 0x22,
  doubleFeed: 0x23,
  empty: 0x24,
  reverse: 0x25,
  loaded: 0x26,
  // host to shoe
  ack: 0x81,
  resume: 0x82,
  challenge: 0x83,
  lock: 0x84,
  time: 0x85,
  identify: 0x86,
  reread: 0x87,
} as const;

export const FLAG_REPLAY = 1;
export const FLAG_SERVICE = 2;

/** State bits of HELLO and HEARTBEAT. */
export const STATE = {
  coverOpen: 1,
  jammed: 2,
  locked: 4,
  empty: 8,
  service: 16,
  resumed: 32,
  /** It can read the card that left it last once more. */
  rereads: 64,
} as const;

/** Suit on the wire 1..4 = D C S H -> 0..3 = S H D C of the port; 0 = not read. */
export const suitFromWire = (suit: number): number | null => [null, 2, 3, 0, 1][suit] ?? null;
export const suitToWire = (suit: number): number => [3, 4, 1, 2][suit] ?? 0;

interface Read {
  /** 1..13 = A..K, 0 = not read */
  readonly rank: number;
  /** 1..4 = D C S H, 0 = not read */
  readonly suit: number;
}

export type FaultKind = 'jam' | 'misread' | 'doubleFeed' | 'reverse';

/** A frame's meaning. Numbered ones take their number from the frame. */
export type Message =
  | {
      readonly type: 'hello';
      readonly serial: string;
      readonly firmware: string;
      readonly lastSeq: number;
      readonly ackedSeq: number;
      readonly oldestSeq: number;
      readonly boot: number;
      readonly state: number;
    }
  | { readonly type: 'proof'; readonly mac: Uint8Array }
  | { readonly type: 'heartbeat'; readonly lastSeq: number; readonly boot: number; readonly state: number }
  /** The card of event `seq`, read once more for the question `no` of the host. */
  | ({
      readonly type: 'readAgain';
      readonly seq: number;
      readonly no: number;
      readonly confidence: number;
    } & Read)
  | ({ readonly type: 'card'; readonly confidence: number; readonly code: Uint8Array | null } & Read)
  | { readonly type: 'cutCard' }
  /** 0 closed, 1 open, 2 the key was turned */
  | { readonly type: 'cover'; readonly position: number }
  | ({ readonly type: FaultKind; readonly sensor: number } & Read)
  | { readonly type: 'empty'; readonly cardsSinceLoading: number }
  | { readonly type: 'loaded'; readonly shoeId: string; readonly decks: number; readonly firstSeq: number }
  | { readonly type: 'ack' | 'resume'; readonly seq: number }
  | { readonly type: 'challenge'; readonly nonce: Uint8Array }
  | { readonly type: 'lock'; readonly on: boolean }
  | { readonly type: 'time'; readonly epochMs: number }
  | { readonly type: 'identify' }
  | { readonly type: 'reread'; readonly seq: number; readonly no: number };

const isNumbered = (type: number): boolean => type >= 0x10 && type < 0x80;

/** The messages that are events: numbered, journalled, acknowledged. */
export type EventMessage = Extract<
  Message,
  { type: 'card' | 'cutCard' | 'cover' | 'empty' | 'loaded' | FaultKind }
>;
export const isEvent = (message: Message): message is EventMessage => isNumbered(TYPE[message.type]);

// ---- payloads ----

const NONE = new Uint8Array(0);

function payloadOf(message: Message): Uint8Array {
  switch (message.type) {
    case 'hello':
      return payload(45, (view, bytes) => {
        bytes.set(toAscii(message.serial, 16), 0);
        bytes.set(toAscii(message.firmware, 12), 16);
        view.setUint32(28, message.lastSeq, true);
        view.setUint32(32, message.ackedSeq, true);
        view.setUint32(36, message.oldestSeq, true);
        view.setUint32(40, message.boot, true);
        bytes[44] = message.state;
      });
    case 'proof':
      return message.mac;
    case 'heartbeat':
      return payload(9, (view, bytes) => {
        view.setUint32(0, message.lastSeq, true);
        view.setUint32(4, message.boot, true);
        bytes[8] = message.state;
      });
    case 'readAgain':
      return payload(8, (view, bytes) => {
        view.setUint32(0, message.seq, true);
        bytes.set([message.no, message.rank, message.suit, message.confidence], 4);
      });
    case 'reread':
      return payload(5, (view, bytes) => {
        view.setUint32(0, message.seq, true);
        bytes[4] = message.no;
      });
    case 'card':
      return Uint8Array.from([message.rank, message.suit, message.confidence, ...(message.code ?? NONE)]);
    case 'cutCard':
    case 'identify':
      return NONE;
    case 'cover':
      return Uint8Array.of(message.position);
    case 'jam':
    case 'misread':
    case 'doubleFeed':
    case 'reverse':
      return Uint8Array.of(message.sensor, message.rank, message.suit);
    case 'empty':
      return payload(2, (view) => view.setUint16(0, message.cardsSinceLoading, true));
    case 'loaded':
      return payload(21, (view, bytes) => {
        bytes.set(toAscii(message.shoeId, 16), 0);
        bytes[16] = message.decks;
        view.setUint32(17, message.firstSeq, true);
      });
    case 'ack':
    case 'resume':
      return payload(4, (view) => view.setUint32(0, message.seq, true));
    case 'challenge':
      return message.nonce;
    case 'lock':
      return Uint8Array.of(message.on ? 1 : 0);
    case 'time':
      return payload(8, (view) => view.setBigUint64(0, BigInt(message.epochMs), true));
  }
}

/** A whole frame; `seq` is the event's number, 0 for what has none (PROOF: see proofOf). */
export const encode = (message: Message, seq = 0, deviceMs = 0, flags = 0): Uint8Array =>
  packFrame({ type: TYPE[message.type], flags, seq, deviceMs, payload: payloadOf(message) });

interface Shape {
  readonly name: Message['type'];
  readonly lengths: readonly number[];
  readonly read: (view: DataView, bytes: Uint8Array) => Message | string;
}

const read = (rank: number, suit: number): Read | string =>
  rank > 13 ? `rank ${rank}` : suit > 4 ? `suit ${suit}` : { rank, suit };

const faultShape = (name: FaultKind): Shape => ({
  name,
  lengths: [3],
  read: (_view, bytes) => {
    const card = read(bytes[1]!, bytes[2]!);
    return typeof card === 'string' ? card : { type: name, sensor: bytes[0]!, ...card };
  },
});

const SHAPES: Readonly<Record<number, Shape>> = {
  [TYPE.hello]: {
    name: 'hello',
    lengths: [45],
    read: (view, bytes) => ({
      type: 'hello',
      serial: fromAscii(bytes.subarray(0, 16)),
      firmware: fromAscii(bytes.subarray(16, 28)),
      lastSeq: view.getUint32(28, true),
      ackedSeq: view.getUint32(32, true),
      oldestSeq: view.getUint32(36, true),
      boot: view.getUint32(40, true),
      state: bytes[44]!,
    }),
  },
  [TYPE.proof]: { name: 'proof', lengths: [32], read: (_view, bytes) => ({ type: 'proof', mac: bytes }) },
  [TYPE.heartbeat]: {
    name: 'heartbeat',
    lengths: [9],
    read: (view, bytes) => ({
      type: 'heartbeat',
      lastSeq: view.getUint32(0, true),
      boot: view.getUint32(4, true),
      state: bytes[8]!,
    }),
  },
  [TYPE.readAgain]: {
    name: 'readAgain',
    lengths: [8],
    read: (view, bytes) => {
      const card = read(bytes[5]!, bytes[6]!);
      const of = { seq: view.getUint32(0, true), no: bytes[4]!, confidence: bytes[7]! };
      return typeof card === 'string' ? card : { type: 'readAgain', ...of, ...card };
    },
  },
  [TYPE.card]: {
    name: 'card',
    lengths: [3, 7],
    read: (_view, bytes) => {
      const card = read(bytes[0]!, bytes[1]!);
      const code = bytes.length === 7 ? bytes.slice(3) : null;
      return typeof card === 'string' ? card : { type: 'card', confidence: bytes[2]!, code, ...card };
    },
  },
  [TYPE.cutCard]: { name: 'cutCard', lengths: [0], read: () => ({ type: 'cutCard' }) },
  [TYPE.cover]: {
    name: 'cover',
    lengths: [1],
    read: (_view, bytes) =>
      bytes[0]! > 2 ? `cover position ${bytes[0]}` : { type: 'cover', position: bytes[0]! },
  },
  [TYPE.jam]: faultShape('jam'),
  [TYPE.misread]: faultShape('misread'),
  [TYPE.doubleFeed]: faultShape('doubleFeed'),
  [TYPE.reverse]: faultShape('reverse'),
  [TYPE.empty]: {
    name: 'empty',
    lengths: [2],
    read: (view) => ({ type: 'empty', cardsSinceLoading: view.getUint16(0, true) }),
  },
  [TYPE.loaded]: {
    name: 'loaded',
    lengths: [21],
    read: (view, bytes) => ({
      type: 'loaded',
      shoeId: fromAscii(bytes.subarray(0, 16)),
      decks: bytes[16]!,
      firstSeq: view.getUint32(17, true),
    }),
  },
  [TYPE.ack]: {
    name: 'ack',
    lengths: [4],
    read: (view) => ({ type: 'ack', seq: view.getUint32(0, true) }),
  },
  [TYPE.resume]: {
    name: 'resume',
    lengths: [4],
    read: (view) => ({ type: 'resume', seq: view.getUint32(0, true) }),
  },
  [TYPE.challenge]: {
    name: 'challenge',
    lengths: [16],
    read: (_view, bytes) => ({ type: 'challenge', nonce: bytes }),
  },
  [TYPE.lock]: {
    name: 'lock',
    lengths: [1],
    read: (_view, bytes) => (bytes[0]! > 1 ? `lock ${bytes[0]}` : { type: 'lock', on: bytes[0] === 1 }),
  },
  [TYPE.time]: {
    name: 'time',
    lengths: [8],
    read: (view) => {
      const epochMs = Number(view.getBigUint64(0, true));
      return Number.isSafeInteger(epochMs) ? { type: 'time', epochMs } : `time ${epochMs}`;
    },
  },
  [TYPE.identify]: { name: 'identify', lengths: [0], read: () => ({ type: 'identify' }) },
  [TYPE.reread]: {
    name: 'reread',
    lengths: [5],
    read: (view, bytes) => ({ type: 'reread', seq: view.getUint32(0, true), no: bytes[4]! }),
  },
};

/**
 * What a frame says; an unknown type, a wrong length or a value out of range is an error that names
 * it.
 */
export function decode(frame: Frame): Decoded<Message> {
  const shape = SHAPES[frame.type];
  if (shape === undefined) return { ok: false, error: `no message type ${frame.type.toString(16)}` };
  if (!shape.lengths.includes(frame.payload.length))
    return { ok: false, error: `${shape.name} with ${frame.payload.length} payload bytes` };
  if (isNumbered(frame.type) && frame.seq === 0)
    return { ok: false, error: `${shape.name} without a number` };
  const message = shape.read(viewOf(frame.payload), frame.payload);
  return typeof message === 'string'
    ? { ok: false, error: `${shape.name}: ${message}` }
    : { ok: true, value: message };
}

// ---- proof of the pairing key ----

/**
 * HMAC-SHA-256(pairing key, nonce 16 | serial 16 zero-padded | boot u32le | last seq u32le); the
 * last seq is in PROOF's header.
 */
export function proofOf(
  key: Uint8Array,
  nonce: Uint8Array,
  serial: string,
  boot: number,
  lastSeq: number,
): Uint8Array {
  const numbers = payload(8, (view) => {
    view.setUint32(0, boot, true);
    view.setUint32(4, lastSeq, true);
  });
  const mac = createHmac('sha256', key).update(nonce).update(toAscii(serial, 16)).update(numbers).digest();
  return Uint8Array.from(mac);
}

export const sameProof = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && timingSafeEqual(a, b);
