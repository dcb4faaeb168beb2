/**
 * Terminals of `sync.ts` on a thread of their own, as real ones are machines of their own: a
 * ledger's commit waits for its disk.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { type Ledger, type LedgerKey, loadOrCreateKey, openLedger } from '../ledger/store/ledger.store.ts';
import { createUploader } from '../ledger/sync/uploader.ts';

export interface Sender {
  readonly dir: string;
  readonly terminalId: string;
  readonly url: string;
}

const terminals = (workerData as readonly Sender[]).map(({ dir, terminalId, url }) => {
  const key = loadOrCreateKey(dir);
  return { ledger: openLedger(`${dir}/ledger.db`, { terminalId, key, createIfMissing: false }), key, url };
});

async function sendAll(ledger: Ledger, key: LedgerKey, url: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const uploader = createUploader(ledger, {
    url,
    key,
    onStatus: ({ state, ackedSeq, lastError }) => {
      if (state === 'fork' || state === 'down') reject(new Error(lastError ?? state));
      if (ackedSeq === ledger.head().seq) resolve();
    },
  });
  uploader.start();
  try {
    await promise;
  } finally {
    await uploader.stop();
    ledger.close();
  }
}

parentPort!.once('message', () => {
  void Promise.all(terminals.map(({ ledger, key, url }) => sendAll(ledger, key, url))).then(() =>
    parentPort!.postMessage('sent'),
  );
});
parentPort!.postMessage('open');
