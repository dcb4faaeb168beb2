/**
 * Calls of methods in another process, as JSON lines: hands and eyes of the tests on devices that
 * are not in their process, because what a device does there must go on while the driver here waits
 * for it.
 */
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

interface Call {
  readonly id: number;
  readonly object: string;
  readonly method: string;
  readonly args: readonly unknown[];
}

interface Answer {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: string;
}

type Method = (...args: never[]) => unknown;

/** The methods of T, each answered later. What goes over is plain data. */
export type Remote<T> = {
  readonly [K in keyof T as T[K] extends Method ? K : never]: T[K] extends (...args: infer A) => infer R
    ? (...args: A) => Promise<Awaited<R>>
    : never;
};

/** Answers calls on `objects` until the input ends. */
export function serveCalls(
  objects: Readonly<Record<string, object>>,
  input: Readable,
  output: Writable,
): void {
  const answer = async ({ id, object, method, args }: Call): Promise<Answer> => {
    try {
      const target = objects[object] as Record<string, Method> | undefined;
      if (target === undefined) throw new Error(`no object '${object}'`);
      return { id, result: await target[method]?.(...(args as never[])) };
    } catch (error) {
      return { id, error: (error as Error).message };
    }
  };
  createInterface({ input }).on('line', (line) => {
    // Nobody has said anything that is no call, except a line that was cut off when the other side
    // ended.
    if (!line.startsWith('{') || !line.endsWith('}')) return;
    void answer(JSON.parse(line) as Call).then((answered) => output.write(`${JSON.stringify(answered)}\n`));
  });
}

export class Calls {
  readonly #output: Writable;
  readonly #open = new Map<number, (answer: Answer) => void>();
  #ids = 0;

  constructor(input: Readable, output: Writable) {
    this.#output = output;
    createInterface({ input }).on('line', (line) => {
      const answer = JSON.parse(line) as Answer;
      this.#open.get(answer.id)?.(answer);
      this.#open.delete(answer.id);
    });
  }

  /** A call rejects with the other side's error. */
  on<T extends object>(object: string): Remote<T> {
    const call =
      (method: string) =>
      (...args: unknown[]): Promise<unknown> => {
        this.#ids += 1;
        const id = this.#ids;
        return new Promise((resolve, reject) => {
          this.#open.set(id, ({ result, error }) =>
            error === undefined ? resolve(result) : reject(new Error(`${object}.${method}: ${error}`)),
          );
          this.#output.write(`${JSON.stringify({ id, object, method, args } satisfies Call)}\n`);
        });
      };
    return new Proxy({}, { get: (_, method) => call(String(method)) }) as Remote<T>;
  }
}
