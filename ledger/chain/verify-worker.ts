/**
 * The verifier in a thread of its own: a long chain takes seconds, and the table must not wait for
 * it.
 */
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { type OnTask, type VerifyReport, verifyLedger } from './verifier.store.ts';

type Told = { readonly report: VerifyReport } | { readonly taken: number; readonly total: number };

/** `verifyLedger` without blocking this thread; rejects as it throws, and when `signal` ends it. */
export function verifyInBackground(
  path: string,
  onTask: OnTask = () => {},
  signal?: AbortSignal,
): Promise<VerifyReport> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: { verifyLedgerAt: path } });
    worker.on('message', (told: Told) => {
      if ('report' in told) resolve(told.report);
      else onTask(told.taken, told.total);
    });
    signal?.addEventListener('abort', () => {
      reject(new Error('the check was stopped'));
      void worker.terminate();
    });
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`the verifier ended with code ${code} and no report`)));
  });
}

const task = workerData as { readonly verifyLedgerAt?: string } | null;
if (!isMainThread && task?.verifyLedgerAt !== undefined) {
  const tell = (told: Told): void => parentPort!.postMessage(told);
  tell({ report: verifyLedger(task.verifyLedgerAt, undefined, (taken, total) => tell({ taken, total })) });
}
