/** Parts of a simulation in a thread of their own. */
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { CannotRun, DoesNotHold } from '../command.ts';
import { Lanes, type Played } from './lanes.ts';
import { type Asked, setUp } from './setup.ts';
import type { TallySums } from './tally.ts';

/** The table with this number of those asked for. */
interface Task extends Played {
  readonly simulated: Asked;
  readonly index: number;
}
interface Part {
  readonly part: number;
  readonly rounds: number;
}
type Told =
  | { readonly part: number; readonly sums: readonly TallySums[] }
  | { readonly failed: 'cannot-run' | 'does-not-hold'; readonly message: string };

/** Plays parts one after the other. */
export interface PartPlayer {
  play(part: number, rounds: number): Promise<readonly TallySums[]>;
  end(): void;
}

/** Rejects where a part cannot be played, as the same error that this thread would get. */
export function startThread(simulated: Asked, index: number, played: Played): PartPlayer {
  const task: Task = { simulated, index, ...played };
  const worker = new Worker(new URL(import.meta.url), { workerData: task });
  const waiting = new Map<number, ReturnType<typeof Promise.withResolvers<readonly TallySums[]>>>();
  const fail = (error: unknown): void => {
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  worker.on('message', (told: Told) => {
    if ('sums' in told) {
      waiting.get(told.part)!.resolve(told.sums);
      waiting.delete(told.part);
    } else fail(new (told.failed === 'cannot-run' ? CannotRun : DoesNotHold)(told.message));
  });
  worker.on('error', fail);
  worker.on('exit', (code) => fail(new Error(`a thread of the simulation ended with code ${code}`)));
  return {
    play: (part, rounds) => {
      const asked = Promise.withResolvers<readonly TallySums[]>();
      // Whoever waits for an earlier part hears of the failure there.
      asked.promise.catch(() => {});
      waiting.set(part, asked);
      worker.postMessage({ part, rounds } satisfies Part);
      return asked.promise;
    },
    end: () => void worker.terminate(),
  };
}

const task = isMainThread ? null : (workerData as Partial<Task> | null);
if (task?.simulated !== undefined) {
  const { simulated, index, ...played } = task as Task;
  const tell = (told: Told): void => parentPort!.postMessage(told);
  let lanes: Lanes | null = null;
  parentPort!.on('message', ({ part, rounds }: Part) => {
    try {
      lanes ??= new Lanes(simulated, setUp(simulated)[index]!, played);
      tell({ part, sums: lanes.play(part, rounds) });
    } catch (error) {
      if (error instanceof CannotRun) tell({ failed: 'cannot-run', message: error.message });
      else if (error instanceof DoesNotHold) tell({ failed: 'does-not-hold', message: error.message });
      else throw error;
    }
  });
}
