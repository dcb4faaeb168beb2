/**
 * The telegrams of Angel's shoe ANGEL EYE II-EX; docs/protocols/angel-eye.md has their sources and
 * what is not known. Shoe: ENQ | seq '0'..'9' | code | payload, bit 7 set | ETX | BCC, two hex
 * digits, over seq..ETX; each sent three times. Host: STX | OP | type 2 | data 2 | ETX | BCC, over
 * STX..ETX; answered by ACK, or by NAK and a code.
 */
import { joinBytes, type ParserState } from '../../transport/bytes.ts';

const STX = 0x02;
const ETX = 0x03;
const ENQ = 0x05;
const ACK = 0x06;
const NAK = 0x15;

/** A telegram of the shoe is sent this often, with the same seq. */
export const COPIES = 3;
/** Longer than every known telegram (M: 12 bytes), so that garbage is given up soon. */
const LONGEST = 24;

/** Letter on the wire -> whose card it is; every one of them has left the shoe. */
const CARD_CODES = { D: 'game', d: 'outside', R: 'again' } as const;
export type CardKind = (typeof CARD_CODES)[keyof typeof CARD_CODES];

/** Bits 4-6 of a card's first byte in D and R. */
export const TARGET = { player: 0, bank: 1, burn: 2, firstForBurnCount: 4, burnCount: 5 } as const;
/** The same bits in d: why it is outside a game. */
export const OUTSIDE = { locked: 0, error: 1, setting: 2 } as const;
/** Bits 4-6 of a result. */
export const WINNER = { player: 1, tie: 2, bank: 4, forced: 7 } as const;
export type Winner = keyof typeof WINNER;

export const ERRORS: Readonly<Record<number, string>> = {
  1: 'cannot read',
  2: 'overdraw',
  3: 'button misuse',
  4: 'reverse at the exit',
  5: 'reverse midway',
  6: 'card code',
  7: 'draw time-out',
};
export const ERROR = { cannotRead: 1, reverseAtExit: 4, reverseMidway: 5 } as const;

export type AngelMessage =
  | { readonly type: 'start' | 'standby' | 'cutCard' }
  | {
      readonly type: 'card';
      readonly kind: CardKind;
      /** 0..7, see TARGET and OUTSIDE */
      readonly target: number;
      /** 0..15; which card of that target, or the error for a card drawn in error mode */
      readonly index: number;
      /** As on the wire: 1..4 = D C S H, anything else = not read; see faceOf */
      readonly suit: number;
      /** As on the wire: 1..13 = A..K, anything else = not read */
      readonly rank: number;
    }
  | {
      readonly type: 'result';
      readonly winner: Winner;
      readonly playerPair: boolean;
      readonly bankPair: boolean;
    }
  | { readonly type: 'error'; readonly inErrorMode: boolean; readonly code: number }
  | { readonly type: 'errorCleared'; readonly code: number }
  | { readonly type: 'lock'; readonly locked: boolean }
  /** Address 2 characters, value 4. */
  | { readonly type: 'setting'; readonly address: string; readonly value: string };

export type Decoded<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: string };

/**
 * Suit 0..3 = S H D C and rank 0..12 = A..K of the port; null where the shoe has not read one of
 * the two.
 */
export function faceOf(suit: number, rank: number): { readonly suit: number; readonly rank: number } | null {
  const known = [null, 2, 3, 0, 1][suit] ?? null;
  return known === null || rank < 1 || rank > 13 ? null : { suit: known, rank: rank - 1 };
}
/** Suit 0..3 = S H D C -> on the wire. */
export const suitToWire = (suit: number): number => [3, 4, 1, 2][suit] ?? 0;

const ascii = (text: string): number[] => Array.from(text, (letter) => letter.charCodeAt(0));
const bcc = (bytes: Iterable<number>): number[] => {
  let sum = 0;
  for (const byte of bytes) sum ^= byte;
  return ascii(sum.toString(16).toUpperCase().padStart(2, '0'));
};

// ---- what a telegram says ----

function dataOf(message: AngelMessage): number[] {
  const say = (code: string, ...payload: number[]): number[] => [
    ...ascii(code),
    ...payload.map((bits) => 0x80 | bits),
  ];
  switch (message.type) {
    case 'start':
      return say('S');
    case 'standby':
      return say('P');
    case 'cutCard':
      return say('C');
    case 'card': {
      const { kind, target, index, suit, rank } = message;
      const code = kind === 'game' ? 'D' : kind === 'outside' ? 'd' : 'R';
      return say(code, (target << 4) | index, (suit << 4) | rank);
    }
    case 'result':
      return say(
        'G',
        (WINNER[message.winner] << 4) | (message.playerPair ? 1 : 0) | (message.bankPair ? 2 : 0),
      );
    case 'error':
      return say('E', (message.inErrorMode ? 0x40 : 0) | message.code);
    case 'errorCleared':
      return say('e', message.code);
    case 'lock':
      return say('L', message.locked ? 1 : 0);
    case 'setting':
      return say('M', ...ascii(message.address.padEnd(2) + message.value.padEnd(4)));
  }
}

/** One copy of a telegram; `seq` is 0..9. */
export function encode(seq: number, message: AngelMessage): Uint8Array {
  if (!Number.isInteger(seq) || seq < 0 || seq > 9)
    throw new RangeError(`seq ${seq} of an Angel Eye telegram`);
  const body = [0x30 + seq, ...dataOf(message), ETX];
  return Uint8Array.from([ENQ, ...body, ...bcc(body)]);
}

const LENGTHS: Readonly<Record<string, number>> = {
  S: 0,
  P: 0,
  C: 0,
  D: 2,
  d: 2,
  R: 2,
  G: 1,
  E: 1,
  e: 1,
  L: 1,
  M: 6,
};

/**
 * What the data between seq and ETX says; an unknown code, a wrong length or a value out of range
 * is an error that names it.
 */
export function decode(data: Uint8Array): Decoded<AngelMessage> {
  const [first, ...payload] = data;
  const code = String.fromCharCode(first ?? 0x3f);
  const wrong = (what: string): Decoded<AngelMessage> => ({ ok: false, error: `${code}: ${what}` });
  const good = (value: AngelMessage): Decoded<AngelMessage> => ({ ok: true, value });
  if (first === undefined) return { ok: false, error: 'no code' };
  const length = Object.hasOwn(LENGTHS, code) ? LENGTHS[code] : undefined;
  if (length === undefined) return { ok: false, error: `no code ${first.toString(16).padStart(2, '0')}` };
  if (payload.length !== length) return wrong(`${payload.length} payload bytes instead of ${length}`);
  // The setting is text, and one source reads it without bit 7.
  if (code !== 'M' && payload.some((byte) => byte < 0x80)) return wrong('bit 7 of the payload is not set');
  const [a, b] = [(payload[0] ?? 0) & 0x7f, (payload[1] ?? 0) & 0x7f];
  switch (code) {
    case 'S':
      return good({ type: 'start' });
    case 'P':
      return good({ type: 'standby' });
    case 'C':
      return good({ type: 'cutCard' });
    case 'G': {
      const winner = (Object.keys(WINNER) as Winner[]).find((name) => WINNER[name] === a >> 4);
      return winner === undefined
        ? wrong(`result ${a >> 4}`)
        : good({ type: 'result', winner, playerPair: (a & 1) !== 0, bankPair: (a & 2) !== 0 });
    }
    case 'E':
      return good({ type: 'error', inErrorMode: (a & 0x40) !== 0, code: a & 0x3f });
    case 'e':
      return good({ type: 'errorCleared', code: a });
    case 'L':
      return good({ type: 'lock', locked: (a & 1) !== 0 });
    case 'M': {
      const text = String.fromCharCode(...payload.map((byte) => byte & 0x7f));
      return good({ type: 'setting', address: text.slice(0, 2), value: text.slice(2) });
    }
    default: {
      const kind = CARD_CODES[code as keyof typeof CARD_CODES];
      return good({ type: 'card', kind, target: a >> 4, index: a & 0x0f, suit: b >> 4, rank: b & 0x0f });
    }
  }
}

// ---- telegrams on the line ----

export interface Telegram {
  /** 0..9 */
  readonly seq: number;
  /** Code and payload, for decode. */
  readonly data: Uint8Array;
  /** As it stood on the line. */
  readonly bytes: Uint8Array;
}

export type Reply = { readonly type: 'ack' } | { readonly type: 'nak'; readonly code: number };

export interface Parsed {
  readonly state: ParserState;
  readonly telegrams: readonly Telegram[];
  /** Answers to commands of the host. */
  readonly replies: readonly Reply[];
  /** Stretches of bytes that were neither. */
  readonly bad: number;
}

type Attempt = { readonly length: number; readonly telegram: Telegram } | 'incomplete' | 'damaged';

/** Tries to read a telegram at the beginning of `bytes`, which is an ENQ. */
function readTelegram(bytes: Uint8Array): Attempt {
  const etx = bytes.indexOf(ETX, 1);
  const next = bytes.indexOf(ENQ, 1);
  // No byte of a telegram is an ENQ: another one means that the end of this one is lost.
  if (next > 0 && (etx < 0 || next < etx + 3)) return 'damaged';
  if (etx < 0 ? bytes.length >= LONGEST : etx + 3 > LONGEST) return 'damaged';
  if (etx < 0 || bytes.length < etx + 3) return 'incomplete';
  const body = bytes.subarray(1, etx + 1);
  const seq = body[0]! - 0x30;
  const [high, low] = bcc(body);
  if (bytes[etx + 1] !== high || bytes[etx + 2] !== low || seq < 0 || seq > 9) return 'damaged';
  const whole = Uint8Array.from(bytes.subarray(0, etx + 3));
  return { length: etx + 3, telegram: { seq, data: whole.subarray(2, etx), bytes: whole } };
}

/** Takes bytes in any pieces; after garbage it goes on at the next ENQ. */
export function parse(state: ParserState, chunk: Uint8Array): Parsed {
  let bytes = state.kept.length === 0 ? chunk : joinBytes(state.kept, chunk);
  const telegrams: Telegram[] = [];
  const replies: Reply[] = [];
  let bad = 0;
  let lost = false;
  while (bytes.length > 0) {
    const [first, second] = bytes;
    let taken = 1;
    if (first === ENQ) {
      const attempt = readTelegram(bytes);
      if (attempt === 'incomplete') break;
      if (attempt !== 'damaged') {
        telegrams.push(attempt.telegram);
        bytes = bytes.subarray(attempt.length);
        lost = false;
        continue;
      }
    } else if (first === ACK && !lost) {
      replies.push({ type: 'ack' });
      bytes = bytes.subarray(1);
      continue;
    } else if (first === NAK && !lost) {
      if (second === undefined) break;
      replies.push({ type: 'nak', code: second });
      bytes = bytes.subarray(2);
      continue;
    } else {
      const enq = bytes.indexOf(ENQ);
      taken = enq < 0 ? bytes.length : enq;
    }
    if (!lost) bad++;
    lost = true;
    bytes = bytes.subarray(taken);
  }
  return { state: { kept: Uint8Array.from(bytes) }, telegrams, replies, bad };
}

// ---- commands of the host ----

/** LK 02 locks and 01 unlocks, EC nn clears error nn, GP 00 asks how far the game is. */
export interface Command {
  readonly type: 'LK' | 'EC' | 'GP';
  /** 0..99 */
  readonly data: number;
}

export function encodeCommand({ type, data }: Command): Uint8Array {
  if (!Number.isInteger(data) || data < 0 || data > 99) throw new RangeError(`data ${data} of ${type}`);
  const body = [STX, ...ascii(`OP${type}${String(data).padStart(2, '0')}`), ETX];
  return Uint8Array.from([...body, ...bcc(body)]);
}

export const COMMAND_LENGTH = 10;
/** Codes of NAK. */
export const NAK_CODE = { bcc: 0x02, format: 0x11, command: 0x13, type: 0x14 } as const;
export const ackBytes = (): Uint8Array => Uint8Array.of(ACK);
export const nakBytes = (code: number): Uint8Array => Uint8Array.of(NAK, code);

/** A command of ten bytes, or the code of the NAK that the shoe gives for it. */
export function decodeCommand(bytes: Uint8Array): Command | number {
  if (bytes.length !== COMMAND_LENGTH || bytes[0] !== STX || bytes[7] !== ETX) return NAK_CODE.format;
  const [high, low] = bcc(bytes.subarray(0, 8));
  if (bytes[8] !== high || bytes[9] !== low) return NAK_CODE.bcc;
  const text = String.fromCharCode(...bytes.subarray(1, 7));
  const [, operation, type, data] = /^(..)(..)(\d\d)$/.exec(text) ?? [];
  if (operation !== 'OP') return operation === undefined ? NAK_CODE.format : NAK_CODE.command;
  if (type !== 'LK' && type !== 'EC' && type !== 'GP') return NAK_CODE.type;
  return { type, data: Number(data) };
}
