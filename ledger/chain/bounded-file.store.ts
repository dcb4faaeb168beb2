import { closeSync, openSync, readSync } from 'node:fs';
import { FILE_BOUNDS, type JsonBounds, parseBounded } from './bounded-json.ts';

/**
 * A file, at most `bytes` of it: more, and endless ones such as `/dev/zero`, are refused. Throws
 * what the disk says, or RangeError.
 */
export function readBoundedBytes(path: string, bytes: number): Buffer {
  const file = openSync(path, 'r');
  try {
    const parts: Buffer[] = [];
    let size = 0;
    for (;;) {
      const part = Buffer.allocUnsafe(65_536);
      const read = readSync(file, part, 0, part.length, null);
      if (read === 0) return Buffer.concat(parts);
      size += read;
      if (size > bytes) throw new RangeError(`longer than ${bytes} bytes`);
      parts.push(part.subarray(0, read));
    }
  } finally {
    closeSync(file);
  }
}

/** Its text. */
export const readBounded = (path: string, bytes: number): string => readBoundedBytes(path, bytes).toString();

/**
 * The value of a file of JSON. Throws what the disk says, or SyntaxError as `parseBounded`, or
 * RangeError.
 */
export const readJsonFile = (path: string, bounds: JsonBounds = FILE_BOUNDS): unknown =>
  parseBounded(readBounded(path, bounds.characters), bounds);
