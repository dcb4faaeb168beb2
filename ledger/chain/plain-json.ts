/**
 * A reader of the plain part of RFC 8785, over UTF-8 bytes and without making anything of them:
 * objects with names in order, lists, texts of printable ASCII without escapes (of all characters
 * above, too, in what is known to be UTF-8; not names), integers of at most 15 digits, true, false,
 * null. What it takes is canonical; what it does not take may be canonical all the same. It needs a
 * twentieth of the time of parsing and writing again.
 */
export class PlainJson {
  bytes: Uint8Array = new Uint8Array();
  /** Whether the bytes are known to be UTF-8. */
  isUtf8 = false;
  /** Where it goes on reading. */
  at = 0;
  /** Of the last text, without its quotes. */
  textFrom = 0;
  textTo = 0;
  /** The last number. */
  integer = 0;

  literal(wanted: Uint8Array): boolean {
    const { bytes, at } = this;
    for (let i = 0; i < wanted.length; i++) if (bytes[at + i] !== wanted[i]) return false;
    this.at = at + wanted.length;
    return true;
  }

  /** Sets `integer`. */
  number(): boolean {
    const { bytes } = this;
    let { at } = this;
    const isNegative = bytes[at] === MINUS;
    if (isNegative) at++;
    const from = at;
    let value = 0;
    for (let digit = bytes[at]! - ZERO; digit >= 0 && digit <= 9; digit = bytes[++at]! - ZERO)
      value = value * 10 + digit;
    const digits = at - from;
    if (digits === 0 || digits > MOST_DIGITS) return false;
    if (bytes[from] === ZERO && (digits > 1 || isNegative)) return false;
    const next = bytes[at];
    // The library decides on a fraction or an exponent.
    if (next === DOT || next === SMALL_E || next === CAPITAL_E) return false;
    this.at = at;
    this.integer = isNegative ? -value : value;
    return true;
  }

  /** Sets `textFrom` and `textTo`. */
  text(): boolean {
    return this.#text(this.isUtf8 ? 0xff : TILDE);
  }

  #text(greatest: number): boolean {
    const { bytes } = this;
    let { at } = this;
    if (bytes[at] !== QUOTE) return false;
    this.textFrom = ++at;
    for (let byte = bytes[at]!; byte !== QUOTE; byte = bytes[++at]!)
      if (!(byte >= SPACE && byte <= greatest) || byte === BACKSLASH) return false;
    this.textTo = at;
    this.at = at + 1;
    return true;
  }

  value(depth = 0): boolean {
    switch (this.bytes[this.at]) {
      case QUOTE:
        return this.text();
      case OPEN_OBJECT:
        return depth < DEEPEST && this.#object(depth);
      case OPEN_LIST:
        return depth < DEEPEST && this.#list(depth);
      case SMALL_T:
        return this.literal(TRUE);
      case SMALL_F:
        return this.literal(FALSE);
      case SMALL_N:
        return this.literal(NULL);
      default:
        return this.number();
    }
  }

  #list(depth: number): boolean {
    const { bytes } = this;
    if (bytes[++this.at] !== CLOSE_LIST)
      for (;;) {
        if (!this.value(depth + 1)) return false;
        if (bytes[this.at] !== COMMA) break;
        this.at++;
      }
    return bytes[this.at++] === CLOSE_LIST;
  }

  #object(depth: number): boolean {
    const { bytes } = this;
    let beforeFrom = 0;
    let beforeTo = 0;
    if (bytes[++this.at] !== CLOSE_OBJECT)
      for (;;) {
        if (!this.#text(TILDE)) return false;
        const { textFrom, textTo } = this;
        if (beforeTo > 0 && !this.#follows(beforeFrom, beforeTo)) return false;
        beforeFrom = textFrom;
        beforeTo = textTo;
        if (bytes[this.at++] !== COLON || !this.value(depth + 1)) return false;
        if (bytes[this.at] !== COMMA) break;
        this.at++;
      }
    return bytes[this.at++] === CLOSE_OBJECT;
  }

  /** Whether the last text stands behind another, which ASCII orders as UTF-16 does. */
  #follows(from: number, to: number): boolean {
    const { bytes, textFrom, textTo } = this;
    for (let i = 0; i < textTo - textFrom; i++) {
      if (i === to - from) return true;
      const order = bytes[textFrom + i]! - bytes[from + i]!;
      if (order !== 0) return order > 0;
    }
    return false;
  }
}

/** Deeper than any event. */
const DEEPEST = 32;
/** Of every safe integer that JSON writes without an exponent some have 16. */
const MOST_DIGITS = 15;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
const TILDE = 0x7e;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const MINUS = 0x2d;
const ZERO = 0x30;
const DOT = 0x2e;
const SMALL_E = 0x65;
const CAPITAL_E = 0x45;
const SMALL_T = 0x74;
const SMALL_F = 0x66;
const SMALL_N = 0x6e;
export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const TRUE = utf8('true');
const FALSE = utf8('false');
const NULL = utf8('null');
