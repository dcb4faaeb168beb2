/** A second thread that takes part in checking a long ledger. */
import {
  isMainThread,
  MessageChannel,
  type MessagePort,
  receiveMessageOnPort,
  Worker,
  workerData,
} from 'node:worker_threads';
import { openInPlace } from '../store/sqlite.store.ts';
import { type Board, REPORTED, type Result, type Whole, work } from './verify-tasks.store.ts';

interface Help {
  readonly helpVerify: {
    readonly file: string;
    readonly whole: Whole;
    readonly board: Board;
    readonly port: MessagePort;
  };
}

type Report = { readonly results: Result[] } | { readonly error: string };

/**
 * All tasks of the board, shared with one more thread, which reads the same file through its own
 * connection. This thread waits for it: who must not wait calls `verifyInBackground`.
 */
export function workTogether(file: string, whole: Whole, board: Board, own: () => Result[]): Result[] {
  const { port1, port2 } = new MessageChannel();
  const helper = new Worker(new URL(import.meta.url), {
    workerData: { helpVerify: { file, whole, board, port: port2 } } satisfies Help,
    transferList: [port2],
  });
  helper.unref();
  const results = own();
  Atomics.wait(board, REPORTED, 0);
  const report = receiveMessageOnPort(port1)!.message as Report;
  port1.close();
  if ('error' in report) throw new Error(`the second thread of the verifier failed: ${report.error}`);
  return [...results, ...report.results];
}

const help = workerData as Partial<Help> | null;
if (!isMainThread && help?.helpVerify !== undefined) {
  const { file, whole, board, port } = help.helpVerify;
  let report: Report;
  try {
    const db = openInPlace(file);
    try {
      db.pragma('trusted_schema = OFF');
      db.exec('BEGIN');
      report = { results: work(db, whole, board) };
    } finally {
      db.close();
    }
  } catch (error) {
    report = { error: (error as Error).message };
  }
  port.postMessage(report);
  Atomics.store(board, REPORTED, 1);
  Atomics.notify(board, REPORTED);
}
