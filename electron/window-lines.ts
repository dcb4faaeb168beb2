import type { Readable, Writable } from 'node:stream';
import { parseObject, readLines } from './json-lines.ts';
import type { Shell, ShellEvents } from './shell.ts';

/** A picture of a large display as text, several times over. */
export const LINE_LIMIT = 64 * 1024 * 1024;

/** A window behind a pair of pipes or a socket, in JSON lines. */
export interface WindowLines extends Pick<Shell, 'open' | 'shot'> {
  renew(why: string): void;
}

/**
 * Speaks to the program at the other end, which has the window: Electron's main process, or
 * `window.ts` of another account.
 */
export function windowLines(
  out: Writable,
  into: Readable,
  ended: Promise<string>,
  events: ShellEvents,
): WindowLines {
  out.on('error', () => {});
  const tell = (message: unknown): void => {
    if (out.writable) out.write(`${JSON.stringify(message)}\n`);
  };
  const shots: { resolve(png: Buffer): void; reject(error: Error): void }[] = [];
  void ended.then((why) => {
    for (const waiting of shots.splice(0)) waiting.reject(new Error(`the window ended: ${why}`));
  });
  const onLine = (line: string): void => {
    const message = parseObject(line);
    if (!message) return;
    if (typeof message['log'] === 'string') events.log(message['log'].slice(0, 300));
    if (message['page'] === 'loads') events.onPageLoads();
    if (message['page'] === 'needs-ticket') events.onTicketNeeded();
    if (typeof message['shot'] === 'string') shots.shift()?.resolve(Buffer.from(message['shot'], 'base64'));
    if (message['shot'] === null) shots.shift()?.reject(new Error('the window could not be drawn'));
  };
  readLines(into, onLine, LINE_LIMIT);
  return {
    open: (url) => tell({ open: url }),
    renew: (why) => tell({ renew: why }),
    shot: () =>
      new Promise((resolve, reject) => {
        shots.push({ resolve, reject });
        tell({ shot: true });
      }),
  };
}
