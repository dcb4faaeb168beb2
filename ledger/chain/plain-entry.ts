/**
 * The plain part of what an entry can be (plain-json.ts), read from its bytes: no note, and nothing
 * that takes more to tell.
 */
import { ENTRY_VERSION, type Posting } from './entry.codec.ts';
import { PlainJson, utf8 } from './plain-json.ts';

export const AT_MS = utf8('{"atMs":');
export const BODY = utf8(',"body":');
export const COMMAND = utf8(',"commandId":');
export const KIND = utf8(',"kind":');
export const NOTE = utf8(',"noteId":null,"postings":[');
export const ROUND = utf8('],"roundId":');
export const SEQ = utf8(',"seq":');
export const ACCOUNT = utf8('{"account":');
export const AMOUNT = utf8(',"amountMinor":');
export const CURRENCY = utf8(',"currency":');
export const NULL = utf8('null');
export const END_OF_POSTING = utf8('}');
export const COMMA = 0x2c;
export const CLOSE_LIST = 0x5d;

/** How an entry of a terminal ends, after its number. */
export const entryEnd = (terminal: string): Uint8Array =>
  utf8(`,"terminal":${JSON.stringify(terminal)},"v":${ENTRY_VERSION}}`);

export interface PlainEntry {
  readonly seq: number;
  readonly atMs: number;
  readonly kind: string;
  readonly roundId: string | null;
  readonly commandId: string | null;
  readonly postings: readonly Posting[];
  /** Their text. */
  readonly postingsJson: Uint8Array;
}

export class PlainEntryReader {
  readonly #json = new PlainJson();
  readonly #end: Uint8Array;
  #bytes: Buffer = Buffer.alloc(0);

  constructor(terminal: string) {
    this.#end = entryEnd(terminal);
    this.#json.isUtf8 = true;
  }

  /** Null: `decodeEntry` has to look at it. `bytes` are UTF-8. */
  read(bytes: Uint8Array): PlainEntry | null {
    const json = this.#json;
    this.#bytes = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    json.bytes = this.#bytes;
    json.at = 0;
    if (!json.literal(AT_MS) || !json.number()) return null;
    const atMs = json.integer;
    if (!json.literal(BODY) || !json.value() || !json.literal(COMMAND)) return null;
    const commandId = this.#textOrNull();
    if (commandId === undefined || !json.literal(KIND)) return null;
    const kind = this.#text();
    if (kind === undefined || !json.literal(NOTE)) return null;
    const postingsFrom = json.at - 1;
    const postings = this.#postings();
    if (postings === null || !json.literal(ROUND)) return null;
    const postingsTo = json.at - ROUND.length + 1;
    const roundId = this.#textOrNull();
    if (roundId === undefined || !json.literal(SEQ) || !json.number()) return null;
    const seq = json.integer;
    if (!json.literal(this.#end) || json.at !== bytes.length) return null;
    const postingsJson = this.#bytes.subarray(postingsFrom, postingsTo);
    return { seq, atMs, kind, roundId, commandId, postings, postingsJson };
  }

  #text(): string | undefined {
    const json = this.#json;
    if (!json.text() || json.textTo === json.textFrom) return undefined;
    return this.#bytes.toString('utf8', json.textFrom, json.textTo);
  }

  #textOrNull(): string | null | undefined {
    return this.#json.literal(NULL) ? null : this.#text();
  }

  #postings(): Posting[] | null {
    const json = this.#json;
    const postings: Posting[] = [];
    while (json.bytes[json.at] !== CLOSE_LIST) {
      if (postings.length > 0 && json.bytes[json.at++] !== COMMA) return null;
      if (!json.literal(ACCOUNT)) return null;
      const account = this.#text();
      if (account === undefined || !json.literal(AMOUNT) || !json.number()) return null;
      const amountMinor = json.integer;
      if (!json.literal(CURRENCY)) return null;
      const currency = this.#text();
      if (currency === undefined || !json.literal(END_OF_POSTING)) return null;
      postings.push({ account, currency, amountMinor });
    }
    return postings;
  }
}
