/**
 * The identity of the software from a thread of its own: no touch of a player waits for 150 MB of
 * files.
 */
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { type SoftwareIdentity, softwareIdentity } from './software.ts';

interface Task {
  /** The root of the program. */
  readonly softwareOf: string;
}

/** `softwareIdentity` as it is now. Rejects with why files cannot be read. */
export const readSoftware = (root: string): Promise<SoftwareIdentity> =>
  new Promise((resolve, reject) => {
    const task: Task = { softwareOf: root };
    const worker = new Worker(new URL(import.meta.url), { workerData: task });
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('the thread that reads the program has ended')));
  });

const task = isMainThread ? null : (workerData as Partial<Task> | null);
if (task?.softwareOf !== undefined) parentPort!.postMessage(softwareIdentity(task.softwareOf));
