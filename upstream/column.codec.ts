/**
 * A column of many rows as one parameter: PostgreSQL's binary form of an array
 * (src/backend/utils/adt/arrayfuncs.c, array_recv).
 */
const ELEMENT = { bigint: 20, text: 25, json: 114 } as const;

/**
 * Values of one column; `bigint` takes safe integers, `text` also UTF-8. Written `$n::bigint[]`,
 * `$n::text[]`, `$n::json[]` in a statement.
 */
export class Column {
  readonly type: keyof typeof ELEMENT;
  readonly values: readonly (string | number | Uint8Array | null)[];

  constructor(type: keyof typeof ELEMENT, values: readonly (string | number | Uint8Array | null)[]) {
    this.type = type;
    this.values = values;
  }

  /** For a driver that makes arrays by itself. */
  toTexts(): (string | null)[] {
    return this.values.map((value) =>
      value instanceof Uint8Array ? Buffer.from(value).toString() : value === null ? null : String(value),
    );
  }

  /**
   * Dimensions, whether there is a null, type, length, lower bound; then each value with its length
   * before it.
   */
  toBinary(): Buffer {
    const { type, values } = this;
    let size = HEADER;
    for (const value of values) {
      size += 4;
      if (typeof value === 'number') size += 8;
      else if (value !== null) size += Buffer.byteLength(value);
    }
    const bytes = Buffer.allocUnsafe(size);
    const head = [1, values.includes(null) ? 1 : 0, ELEMENT[type], values.length, 1];
    let at = 0;
    for (const word of head) at = bytes.writeInt32BE(word, at);
    for (const value of values) {
      if (value === null) at = bytes.writeInt32BE(-1, at);
      else if (typeof value === 'number') {
        // Two halves: making a BigInt of each took more than all the rest of a batch's columns.
        const low = value % HALF;
        at = bytes.writeInt32BE(8, at);
        at = bytes.writeInt32BE(Math.floor(value / HALF), at);
        at = bytes.writeUInt32BE(low < 0 ? low + HALF : low, at);
      } else if (typeof value === 'string') {
        const length = bytes.write(value, at + 4);
        at = bytes.writeInt32BE(length, at) + length;
      } else {
        bytes.set(value, at + 4);
        at = bytes.writeInt32BE(value.length, at) + value.length;
      }
    }
    return bytes;
  }
}

const HEADER = 20;
const HALF = 2 ** 32;
