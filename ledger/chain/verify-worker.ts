/** The verifier in a thread of its own: a long chain takes seconds, and the table must not wait for it. */
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { type VerifyReport, verifyLedger } from './verifier.store.ts';

/** `verifyLedger(path)` without blocking this thread; rejects as it throws. */
export function verifyInBackground(path: string): Promise<VerifyReport> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: { verifyLedgerAt: path } });
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`the verifier ended with code ${code} and no report`)));
  });
}

const task = workerData as { readonly verifyLedgerAt?: string } | null;
if (!isMainThread && task?.verifyLedgerAt !== undefined) {
  parentPort!.postMessage(verifyLedger(task.verifyLedgerAt));
}
