/**
 * A ledger that may not be gone on with: an older image of the data folder, a fork, or one that is
 * gone. The table stands still and shows why; the centre hears of it for as long as it lasts, and
 * what it says is looked for. It is over when the ledger has what it lacked: by `banca restore`,
 * which needs two persons and the centre's word.
 */
import { GENESIS_HASH, toHex } from '../../ledger/chain/entry.codec.ts';
import type { LedgerKey } from '../../ledger/store/ledger.store.ts';
import { openLedgerReader } from '../../ledger/store/ledger.store.ts';
import type { Dispute } from '../../ledger/store/witness.store.ts';
import { createUploader, type UploadedLedger } from '../../ledger/sync/uploader.ts';
import { headOf } from '../program/found-ledger.ts';
import { type StoppedHost, type StoppedOptions, startStopped } from './stopped.ts';

const FAULT = {
  older: 'ledger-old',
  fork: 'link-fork',
  gone: 'ledger-gone',
  unwitnessed: 'witness-gone',
} as const;

export interface DisputedOptions extends Omit<StoppedOptions, 'fault' | 'why'> {
  readonly dispute: Dispute;
  readonly terminalId: string;
  readonly key: LedgerKey;
  readonly upstreamUrl: string | null;
}

export async function startDisputed(o: DisputedOptions): Promise<StoppedHost> {
  const { dispute, log, upstreamUrl } = o;
  log(`MONEY IS LOCKED: ${dispute.why}`);
  const host = await startStopped({ ...o, fault: FAULT[dispute.kind], why: dispute.why });
  const ledger = reading(o);
  // Where no entry is disputed the centre hears of the newest one, and so that this terminal stands
  // still.
  const must = dispute.must ?? { seq: Math.max(1, ledger.head().seq) };
  const own = ledger.hashAt(must.seq);
  const uploader =
    upstreamUrl === null
      ? null
      : createUploader(ledger, {
          url: upstreamUrl,
          key: o.key,
          disputes: { seq: must.seq, ownHash: own && toHex(own) },
          onStatus: () => {},
        });
  uploader?.start();
  return {
    ...host,
    stop: async () => {
      await uploader?.stop();
      ledger.close();
      await host.stop();
    },
  };
}

/** Nothing is stored in a ledger in dispute. */
function reading({ dispute, ledgerPath, terminalId }: DisputedOptions): UploadedLedger & { close(): void } {
  const acknowledge = (): void => {};
  if (dispute.kind !== 'gone') {
    const reader = openLedgerReader(ledgerPath);
    const head = headOf(reader);
    return { ...reader, head: () => head, acknowledge };
  }
  return {
    terminalId,
    head: () => ({ seq: 0, hash: GENESIS_HASH }),
    hashAt: (seq) => (seq === 0 ? GENESIS_HASH : null),
    read: () => [],
    readLines: () => Buffer.alloc(0),
    acknowledged: () => null,
    acknowledge,
    close: () => {},
  };
}
