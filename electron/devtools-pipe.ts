import type { Readable, Writable } from 'node:stream';
import { parseObject } from './json-lines.ts';

type Params = Readonly<Record<string, unknown>>;

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Params;
  readonly sessionId?: string;
  readonly result?: Params;
  readonly error?: { readonly message: string };
}

/** Of one message: a picture of the largest window is far shorter. */
const LONGEST = 2 ** 26;

/** DevTools protocol over the two pipes of --remote-debugging-pipe: JSON ended by a zero byte. */
export class DevtoolsPipe {
  readonly #out: Writable;
  readonly #pending = new Map<number, { resolve(result: Params): void; reject(error: Error): void }>();
  #lastId = 0;

  constructor(out: Writable, into: Readable, onEvent: (method: string, params: Params) => void) {
    this.#out = out;
    out.on('error', () => {});
    into.on('error', () => {});
    into.on('close', () => {
      for (const waiting of this.#pending.values()) waiting.reject(new Error('the browser is gone'));
      this.#pending.clear();
    });
    let parts: Buffer[] = [];
    let size = 0;
    into.on('data', (chunk: Buffer) => {
      let from = 0;
      for (let end = chunk.indexOf(0); end >= 0; end = chunk.indexOf(0, from)) {
        parts.push(chunk.subarray(from, end));
        from = end + 1;
        const message = parseObject(Buffer.concat(parts).toString('utf8')) as Message | null;
        parts = [];
        size = 0;
        // Whoever has taken the browser over may write what they like here: it is as if the browser
        // had gone.
        if (message === null) {
          into.destroy();
          return;
        }
        if (message.id === undefined) onEvent(message.method ?? '', message.params ?? {});
        else this.#answer(message.id, message);
      }
      parts.push(chunk.subarray(from));
      size += chunk.length - from;
      if (size > LONGEST) into.destroy();
    });
  }

  /** Rejects when the browser refuses or is gone. */
  send(method: string, params: Params = {}, sessionId?: string): Promise<Params> {
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#out.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    });
  }

  #answer(id: number, message: Message): void {
    const waiting = this.#pending.get(id);
    this.#pending.delete(id);
    if (message.error) waiting?.reject(new Error(message.error.message));
    else waiting?.resolve(message.result ?? {});
  }
}
