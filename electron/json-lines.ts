import type { Readable } from 'node:stream';

/** Longer than anything a process of ours says in one line, but for a window's picture. */
const LONGEST = 2 ** 20;

/**
 * Calls `onLine` for every whole line of a text stream, without its end; of a line that does not
 * end, for its pieces.
 */
export function readLines(stream: Readable, onLine: (line: string) => void, longest = LONGEST): void {
  let rest = '';
  stream.setEncoding('utf8');
  stream.on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onLine(line);
    if (rest.length > longest) {
      onLine(rest);
      rest = '';
    }
  });
}

/** The object a line of JSON holds; null for anything else. */
export function parseObject(line: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
