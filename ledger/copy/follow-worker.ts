/** The copy's own thread: its disk may be slow or gone, and no touch of a player waits for it. */
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import type { LedgerKey } from '../chain/key.ts';
import { LedgerDamaged } from '../store/errors.ts';
import { SourceDamaged } from './carry.store.ts';
import { type Copy, openCopy } from './follow.store.ts';
import { isDamage } from './rebuild.store.ts';

export type CopyStatus =
  /** Being opened, or rebuilt. */
  | { readonly state: 'starting' }
  | { readonly state: 'following' }
  /** Tried again by itself. */
  | { readonly state: 'failing'; readonly why: string }
  /** Somebody else has to decide: that file is not what it should be. The follower has ended. */
  | { readonly state: 'damaged'; readonly file: 'ledger' | 'copy'; readonly why: string };

export interface Follower {
  /** There is something new. Costs a microsecond and waits for nothing. */
  wake(): void;
  /** Newest entry of the copy, 0 before it is open. */
  copiedSeq(): number;
  /** Brings the copy level, unless that fails, and closes it. The ledger must still be open. */
  stop(): Promise<void>;
}

interface Task {
  readonly follow: string;
  readonly copyPath: string;
  readonly terminalId: string;
  readonly key: Pick<LedgerKey, 'keyId' | 'publicKey'>;
  readonly again: boolean;
  readonly shared: SharedArrayBuffer;
}

const [WAKE, STOP] = [0, 1];
const BYTES = 16;
const control = (shared: SharedArrayBuffer): Int32Array => new Int32Array(shared, 0, 2);
const position = (shared: SharedArrayBuffer): Float64Array => new Float64Array(shared, 8, 1);

/** Commits within this time become one sync of the copy's disk, which may be the ledger's. */
const GATHER_MS = 20;
/**
 * What comes without a commit (acknowledgements, signatures) waits this long; so does a copy that
 * was deleted.
 */
const IDLE_MS = 1_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

/** Keeps the copy at `copyPath` level with the ledger `path`, which this process has open. */
export function followLedger(
  path: string,
  copyPath: string,
  o: Pick<Task, 'terminalId' | 'again'> & {
    readonly key: LedgerKey;
    readonly onStatus: (status: CopyStatus) => void;
  },
): Follower {
  const shared = new SharedArrayBuffer(BYTES);
  const { keyId, publicKey } = o.key;
  const task: Task = {
    follow: path,
    copyPath,
    terminalId: o.terminalId,
    key: { keyId, publicKey },
    again: o.again,
    shared,
  };
  const worker = new Worker(new URL(import.meta.url), { workerData: task });
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  worker.on('message', o.onStatus);
  worker.once('error', (error) =>
    o.onStatus({ state: 'failing', why: `its thread has ended: ${error.message}` }),
  );
  // The terminal ends when all else has ended, whatever the copy does.
  worker.unref();
  const flags = control(shared);
  return {
    wake: () => {
      Atomics.add(flags, WAKE!, 1);
      Atomics.notify(flags, WAKE!);
    },
    copiedSeq: () => position(shared)[0]!,
    stop: () => {
      worker.ref();
      Atomics.store(flags, STOP!, 1);
      for (const each of [WAKE!, STOP!]) {
        if (each === WAKE) Atomics.add(flags, each, 1);
        Atomics.notify(flags, each);
      }
      return ended;
    },
  };
}

function follow(task: Task, say: (status: CopyStatus) => void): void {
  const { follow: path, copyPath, terminalId, key } = task;
  const flags = control(task.shared);
  const copied = position(task.shared);
  let { again } = task;
  let copy: Copy | null = null;
  let pauseMs = FIRST_PAUSE_MS;
  let damages = 0;
  for (;;) {
    const seen = Atomics.load(flags, WAKE!);
    const isStopping = Atomics.load(flags, STOP!) === 1;
    try {
      if (copy === null) {
        copy = openCopy(path, copyPath, { terminalId, key, again });
        again = false;
        copied[0] = copy.seq();
      }
      while (copy.step()) copied[0] = copy.seq();
      if (!copy.isInPlace()) throw new LedgerDamaged(copyPath, null, 'the file is gone');
      say({ state: 'following' });
      pauseMs = FIRST_PAUSE_MS;
      damages = 0;
      if (isStopping) break;
      Atomics.wait(flags, WAKE!, seen, IDLE_MS);
      Atomics.wait(flags, STOP!, 0, GATHER_MS);
    } catch (error) {
      close(copy);
      copy = null;
      const why = (error as Error).message;
      // SQLite does not say which of the two files it means: opening the copy again tells whether
      // it is that one.
      damages += isDamage(error) ? 1 : 0;
      const file =
        error instanceof LedgerDamaged
          ? error.path === copyPath
            ? 'copy'
            : 'ledger'
          : error instanceof SourceDamaged || damages > 1
            ? 'ledger'
            : null;
      if (file !== null) return say({ state: 'damaged', file, why });
      say({ state: 'failing', why });
      if (isStopping) break;
      Atomics.wait(flags, STOP!, 0, pauseMs);
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    }
  }
  close(copy);
}

/** A disk that fails when the file is closed has been told of already. */
function close(copy: Copy | null): void {
  try {
    copy?.close();
  } catch {}
}

const task = workerData as Partial<Task> | null;
if (!isMainThread && task?.follow !== undefined) {
  let said = '';
  follow(task as Task, (status) => {
    const text = JSON.stringify(status);
    if (text !== said) parentPort!.postMessage(status);
    said = text;
  });
}
