/** 'fc 05 11' -> bytes; throws on anything but pairs of hex digits. */
export function fromHex(text: string): Uint8Array {
  const digits = text.replaceAll(/\s+/g, '');
  if (digits.length % 2 !== 0 || /[^0-9a-fA-F]/.test(digits)) throw new Error(`not hex bytes: '${text}'`);
  return Uint8Array.from({ length: digits.length / 2 }, (_, i) =>
    Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16),
  );
}

const DIGITS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Bytes -> 'fc 05 11'. */
export function toHex(bytes: ArrayLike<number>): string {
  let text = '';
  for (let i = 0; i < bytes.length; i++) text += i === 0 ? DIGITS[bytes[i]!] : ` ${DIGITS[bytes[i]!]}`;
  return text;
}

export function joinBytes(first: Uint8Array, second: Uint8Array): Uint8Array {
  const joined = new Uint8Array(first.length + second.length);
  joined.set(first);
  joined.set(second, first.length);
  return joined;
}

/** Zero-padded ASCII field -> text without the padding. */
export const fromAscii = (bytes: Uint8Array): string =>
  String.fromCharCode(...bytes.subarray(0, bytes.indexOf(0) < 0 ? bytes.length : bytes.indexOf(0)));

/**
 * Text -> ASCII bytes; throws on a character outside printable ASCII or when longer than `length`.
 */
export function toAscii(text: string, length: number): Uint8Array {
  if (text.length > length || /[^\x20-\x7e]/.test(text))
    throw new RangeError(`'${text}' is not printable ASCII of at most ${length} characters`);
  const bytes = new Uint8Array(length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

/** Of a parser: bytes that are kept until the rest of their frame comes. */
export interface ParserState {
  readonly kept: Uint8Array;
}
export const EMPTY_PARSER: ParserState = { kept: new Uint8Array(0) };

export interface Parsed<Frame> {
  readonly state: ParserState;
  readonly frames: readonly { readonly frame: Frame; readonly bytes: Uint8Array }[];
  /** Stretches of bytes, or starts of a frame, that were none. */
  readonly bad: number;
}
