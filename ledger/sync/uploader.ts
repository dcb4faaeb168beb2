/**
 * Takes the ledger's entries to the centre: in order, in signed batches, again and again until the
 * centre says that it has them. What is sent twice is stored once there, so a lost answer costs
 * nothing.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { ExponentialBackoff, type IBackoff } from 'cockatiel';
import { z } from 'zod';
import { BATCH_LIMIT, BATCH_TYPE, cutLines, signLines } from '../chain/batch.codec.ts';
import { type JsonBounds, parseBounded } from '../chain/bounded-json.ts';
import { COMMAND_CHARACTERS, type SentCommand } from '../chain/command.codec.ts';
import { equalBytes, toHex } from '../chain/entry.codec.ts';
import { EXCLUSION_CHARACTERS } from '../chain/exclusions.codec.ts';
import { makeReport, type Report } from '../chain/report.codec.ts';
import { ROSTER_CHARACTERS } from '../chain/roster.codec.ts';
import type { Ledger, LedgerKey } from '../store/ledger.store.ts';
import { readCentreAddress } from './centre-address.ts';
import { ANSWER_BYTES, type CentreRequest, pinnedFetch, plainFetch } from './centre-fetch.ts';

export interface UploadStatus {
  /**
   * `fork`: the centre holds another history under this terminal's name; only people can resolve
   * that.
   */
  readonly state: 'up' | 'down' | 'off' | 'fork';
  /** Newest entry the centre has proved to have, 0 for none. */
  readonly ackedSeq: number;
  /** Terminal's time of that entry, ms since 1970 UTC. */
  readonly ackedUpToMs: number | null;
  readonly lastError: string | null;
  /** Since when the link is down, and when it is tried again; our clock, null while it is not. */
  readonly downSinceMs: number | null;
  readonly retryAtMs: number | null;
  /**
   * Our clock minus the centre's at the last answer, ms in whole seconds; good to half the time the
   * answer took.
   */
  readonly clockOffMs?: number | null;
  /**
   * With `fork`: the entry that the centre has and this ledger has not; `hash` empty where it did
   * not say which.
   */
  readonly proved?: { readonly seq: number; readonly hash: string };
}

export const NO_LINK: UploadStatus = {
  state: 'off',
  ackedSeq: 0,
  ackedUpToMs: null,
  lastError: null,
  downSinceMs: null,
  retryAtMs: null,
};

/** What of a ledger goes to the centre. */
export type UploadedLedger = Pick<
  Ledger,
  'terminalId' | 'head' | 'hashAt' | 'read' | 'readLines' | 'acknowledged' | 'acknowledge'
>;

export interface UploaderOptions {
  /** Address of the centre with its keys, as `readCentreAddress` takes it. */
  readonly url: string;
  readonly key: LedgerKey;
  readonly onStatus: (status: UploadStatus) => void;
  /**
   * Commands that came with an answer, unchecked, and again until the ledger's entries about them
   * are at the centre.
   */
  readonly onCommands?: (commands: readonly SentCommand[]) => void;
  /**
   * This ledger may not be gone on with, for the entry named here: nothing of it is sent, the
   * centre hears it again and again.
   */
  readonly disputes?: Report['disputes'];
  readonly fetch?: typeof fetch;
  /** Time written beside an acknowledgement, ms since 1970 UTC. */
  readonly nowMs?: () => number;
  readonly batchLimit?: number;
  /** Waits after failures grow from `firstMs` to `mostMs`, with jitter. */
  readonly backoff?: { readonly firstMs: number; readonly mostMs: number };
}

export interface Uploader {
  start(): void;
  /** New entries are there. */
  wake(): void;
  status(): UploadStatus;
  /**
   * Our clock minus the centre's, measured anew as soon as the centre answers; a table that plays
   * without a pause asks for it at no other time.
   */
  measureClock(): Promise<number>;
  /**
   * Ends after the request under way; resolves when nothing runs any more. What is not at the
   * centre yet is sent before, for `withinMs` at most, unless the link is down: the next life may
   * never be, or have another disk.
   */
  stop(withinMs?: number): Promise<void>;
}

/**
 * With nothing to send the centre is asked for its position this often, and answers within this:
 * either side knows within three seconds that the other is gone, and an order is at the units
 * within one (SAS 7.5).
 */
const HEARTBEAT_MS = 600;
const REPORT_WITHIN_MS = 2_000;
/** A dispute lasts until people end it. */
const TELL_AGAIN_MS = 15_000;
/**
 * Entries of one round come in bursts; each batch costs the terminal a durable write for its
 * acknowledgement.
 */
const LINGER_MS = 100;
/** Our clock may be off by this much before the centre hears of it at once. */
const CLOCK_LIMIT_MS = 60_000;
/** A batch of a long absence is megabytes on a slow line, and so is a list that comes along. */
const BATCH_WITHIN_MS = 20_000;

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const seq = z.int().nonnegative();
const commands = z
  .array(
    z.object({
      bytes: z.string().max(COMMAND_CHARACTERS),
      signature: z.string().max(128),
      roster: z.string().max(ROSTER_CHARACTERS).exactOptional(),
      exclusions: z.string().max(EXCLUSION_CHARACTERS).exactOptional(),
    }),
  )
  .max(64)
  .default([]);
const Position = z.object({ seq, hash, nowMs: z.int(), commands });
const Ack = z.object({ ackSeq: seq, ackHash: hash, commands });
const Refusal = z.object({
  code: z.string(),
  message: z.string().optional(),
  haveSeq: seq.optional(),
  haveHash: hash.optional(),
  seq: seq.optional(),
});

class Fork extends Error {
  readonly proved: NonNullable<UploadStatus['proved']>;
  /**
   * What the centre said it has and this ledger has not; null when the centre knows of the fork
   * itself.
   */
  readonly disputes: Report['disputes'];
  constructor(message: string, proved: Fork['proved'], disputes: Report['disputes'] = null) {
    super(message);
    this.proved = proved;
    this.disputes = disputes;
  }
}

/** Throws RangeError for an address that cannot be used. */
export function createUploader(ledger: UploadedLedger, o: UploaderOptions): Uploader {
  const address = readCentreAddress(o.url);
  const link = address.pins === null ? plainFetch() : pinnedFetch(address.pins, ledger.terminalId, o.key);
  const request = o.fetch ?? link.fetch;
  const nowMs = o.nowMs ?? Date.now;
  const base = `${address.base}/v1/terminals/${encodeURIComponent(ledger.terminalId)}`;
  const limit = Math.min(o.batchLimit ?? BATCH_LIMIT, BATCH_LIMIT);
  const waits = new ExponentialBackoff({
    initialDelay: o.backoff?.firstMs ?? 250,
    maxDelay: o.backoff?.mostMs ?? 2_000,
  });

  const stopping = new AbortController();
  let running: Promise<void> | null = null;
  let rouse: (() => void) | null = null;
  let status = NO_LINK;
  let flushed: (() => void) | null = null;
  let clockAsked: ((offMs: number) => void)[] = [];

  const say = (change: Partial<UploadStatus>): void => {
    const next = { ...status, ...change };
    const same = (Object.keys(next) as (keyof UploadStatus)[]).every((k) => next[k] === status[k]);
    status = next;
    if (!same) o.onStatus(status);
    if (!hasToSend()) flushed?.();
  };

  const hasToSend = (): boolean =>
    (status.state === 'up' || status.state === 'off') && status.ackedSeq < ledger.head().seq;

  const flush = async (withinMs: number): Promise<void> => {
    if (running === null || !hasToSend()) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    // The process has nothing else to live for: this timer keeps it until then.
    const timer = setTimeout(resolve, withinMs);
    flushed = resolve;
    rouse?.();
    await promise;
    clearTimeout(timer);
  };

  const post = async (
    path: string,
    type: string,
    body: string | Uint8Array<ArrayBuffer>,
    withinMs: number,
  ): Promise<Response> => {
    // A list that comes along is megabytes: it may take its time as long as something comes.
    const silent = new AbortController();
    const timer = setTimeout(() => silent.abort(new Error(`timeout: nothing for ${withinMs} ms`)), withinMs);
    const said: CentreRequest = {
      method: 'POST',
      headers: { 'content-type': type },
      body,
      onPart: () => timer.refresh(),
      signal: AbortSignal.any([stopping.signal, silent.signal, AbortSignal.timeout(BATCH_WITHIN_MS)]),
    };
    try {
      return await request(base + path, said);
    } finally {
      clearTimeout(timer);
    }
  };

  const timeOf = (at: number): number | null => (at === 0 ? null : (ledger.read(at, 1)[0]?.atMs ?? null));

  /**
   * The centre has `at` with this hash. Believed only when it is our own entry; returns the entry
   * to send next.
   */
  const settle = (at: number, hex: string): number => {
    const own = ledger.hashAt(at);
    if (own === null) {
      throw new Fork(
        `the centre has entry ${at}, this ledger ends at ${ledger.head().seq}: it is an older copy`,
        { seq: at, hash: hex },
        { seq: at, ownHash: null },
      );
    }
    const theirs = Buffer.from(hex, 'hex');
    if (!equalBytes(own, theirs)) {
      throw new Fork(
        `entry ${at} is ${toHex(own)} here and ${hex} at the centre`,
        { seq: at, hash: hex },
        { seq: at, ownHash: toHex(own) },
      );
    }
    if (at > 0) ledger.acknowledge(at, theirs, nowMs());
    say({
      state: 'up',
      lastError: null,
      downSinceMs: null,
      retryAtMs: null,
      ackedSeq: at,
      ackedUpToMs: timeOf(at),
    });
    return at + 1;
  };

  /** Says where we stand; the answer is where the centre stands. */
  const report = async (disputes: Report['disputes']): Promise<Response> => {
    const head = ledger.head();
    const acked = ledger.acknowledged() ?? { seq: 0, hash: ledger.hashAt(0)! };
    const said = {
      terminal: ledger.terminalId,
      headSeq: head.seq,
      headHash: toHex(head.hash),
      ackedSeq: acked.seq,
      ackedHash: toHex(acked.hash),
      clockOffMs: status.clockOffMs ?? null,
      disputes,
    };
    const body = JSON.stringify(makeReport(said, o.key));
    return await post('/reports', 'application/json', body, REPORT_WITHIN_MS);
  };

  const askPosition = async (): Promise<number> => {
    const askedMs = nowMs();
    const answer = await report(null);
    if (answer.status !== 200) throw new Error(await describe(answer));
    const position = Position.parse(await jsonOf(answer));
    const clockOffMs = Math.round(((askedMs + nowMs()) / 2 - position.nowMs) / 1000) * 1000;
    const isNews = clockOffMs !== status.clockOffMs && Math.abs(clockOffMs) > CLOCK_LIMIT_MS;
    say({ clockOffMs });
    // A wrong clock is named at the centre before entries with its times arrive there.
    if (isNews) await report(null);
    const next = settle(position.seq, position.hash);
    for (const tell of clockAsked) tell(clockOffMs);
    clockAsked = [];
    if (position.commands.length > 0) o.onCommands?.(position.commands);
    return next;
  };

  /**
   * A batch may be under way for many seconds. Meanwhile either side still hears of the other as
   * often, so a slow line is not taken for a dead one, nor a dead one for a slow one.
   */
  const heardMeanwhile = async <T>(sent: Promise<T>): Promise<T> => {
    const over = new AbortController();
    const signal = AbortSignal.any([stopping.signal, over.signal]);
    const hear = async (): Promise<void> => {
      for (;;) {
        await sleep(HEARTBEAT_MS, undefined, { signal, ref: false }).catch(() => undefined);
        if (signal.aborted) return;
        const wrong = await report(null).then(refusalOf, reason);
        if (signal.aborted) return;
        if (wrong === null) say({ state: 'up', lastError: null, downSinceMs: null, retryAtMs: null });
        else say({ state: 'down', lastError: wrong, downSinceMs: status.downSinceMs ?? nowMs() });
      }
    };
    hear().catch(() => undefined);
    try {
      return await sent;
    } finally {
      over.abort();
    }
  };

  const hashOf = (at: number): Uint8Array => {
    const own = ledger.hashAt(at);
    if (own === null) throw new RangeError(`there is no entry ${at}`);
    return own;
  };

  const sendFrom = async (from: number): Promise<number> => {
    const lines = ledger.readLines(from, limit);
    const { count, end } = cutLines(lines);
    const head = {
      terminal: ledger.terminalId,
      firstSeq: from,
      count,
      prevHash: toHex(hashOf(from - 1)),
      lastHash: toHex(hashOf(from + count - 1)),
    };
    const batch = signLines(head, lines.subarray(0, end), o.key);
    const answer = await heardMeanwhile(post('/batches', BATCH_TYPE, batch, BATCH_WITHIN_MS));
    if (answer.status === 200) {
      const { ackSeq, ackHash, commands: brought } = Ack.parse(await jsonOf(answer));
      if (ackSeq < from)
        throw new Error(`the centre acknowledged entry ${ackSeq} for a batch from ${from} on`);
      const next = settle(ackSeq, ackHash);
      if (brought.length > 0) o.onCommands?.(brought);
      return next;
    }
    if (answer.status === 409) {
      const refusal = Refusal.parse(await jsonOf(answer));
      if (refusal.code === 'gap' && refusal.haveSeq !== undefined && refusal.haveHash !== undefined) {
        // Anything else would be answered in the same way for ever, without a pause.
        if (refusal.haveSeq >= from - 1)
          throw new Error(`the centre names a gap before ${from} and none is there`);
        // It was put back from a backup: it hears what it had before it gets that again.
        if (refusal.haveSeq < (ledger.acknowledged()?.seq ?? 0)) await refusalOf(await report(null));
        return settle(refusal.haveSeq, refusal.haveHash);
      }
      if (refusal.code === 'fork') {
        throw new Fork(
          `the centre has another entry ${refusal.seq ?? 'somewhere'} under this terminal's name`,
          { seq: refusal.seq ?? from, hash: '' },
        );
      }
      throw new Error(`the centre refused: ${refusal.code} ${refusal.message ?? ''}`);
    }
    throw new Error(await describe(answer));
  };

  const run = async (): Promise<void> => {
    let next: number | null = null;
    let wait: IBackoff<unknown> | null = null;
    const acked = ledger.acknowledged();
    if (acked !== null) say({ ackedSeq: acked.seq, ackedUpToMs: timeOf(acked.seq) });
    if (o.disputes) return await tell(o.disputes);
    while (!stopping.signal.aborted) {
      try {
        const isPosition: boolean = next === null || next > ledger.head().seq || clockAsked.length > 0;
        next = isPosition ? await askPosition() : await sendFrom(next!);
        wait = null;
        if (next > ledger.head().seq) {
          await pause(HEARTBEAT_MS, true);
          if (hasToSend()) await pause(LINGER_MS, false);
        }
      } catch (error) {
        if (stopping.signal.aborted) return;
        if (error instanceof Fork) {
          say({ state: 'fork', lastError: error.message, retryAtMs: null, proved: error.proved });
          await tell(error.disputes);
          return;
        }
        // The position is asked for again: the centre may have stored what it could not answer for.
        next = null;
        wait = wait === null ? waits.next() : wait.next(undefined);
        const atMs = nowMs();
        say({
          state: 'down',
          lastError: reason(error),
          downSinceMs: status.downSinceMs ?? atMs,
          retryAtMs: atMs + wait.duration,
        });
        await pause(wait.duration, false);
      }
    }
  };

  /** A fork that only we can see is named at the centre, for as long as we are here. */
  const tell = async (disputes: Report['disputes']): Promise<void> => {
    if (disputes === null) return;
    for (let wait: IBackoff<unknown> | null = null; !stopping.signal.aborted; ) {
      const answer = await report(disputes).catch(() => null);
      wait = answer?.status === 200 ? null : wait === null ? waits.next() : wait.next(undefined);
      await pause(wait?.duration ?? TELL_AGAIN_MS, false);
    }
  };

  /** Waits, shorter when stopped or, while idle, when there is something to send. */
  const pause = async (ms: number, untilWoken: boolean): Promise<void> => {
    const over = new AbortController();
    if (untilWoken) rouse = () => over.abort();
    await sleep(ms, undefined, { signal: AbortSignal.any([stopping.signal, over.signal]), ref: false }).catch(
      () => undefined,
    );
    rouse = null;
  };

  return {
    start: () => {
      running ??= run();
    },
    wake: () => rouse?.(),
    status: () => status,
    measureClock: () =>
      new Promise((resolve) => {
        clockAsked.push(resolve);
        rouse?.();
      }),
    stop: async (withinMs = 0) => {
      if (withinMs > 0) await flush(withinMs);
      stopping.abort();
      await running;
      link.close();
      if (status.state !== 'fork') say({ state: 'off', retryAtMs: null });
    },
  };
}

const ANSWER: JsonBounds = { characters: ANSWER_BYTES, depth: 6 };
const jsonOf = async (answer: Response): Promise<unknown> => parseBounded(await answer.text(), ANSWER);

/** Null where the answer is no refusal; it is read to its end, so that its connection is free. */
async function refusalOf(answer: Response): Promise<string | null> {
  if (answer.status !== 200) return await describe(answer);
  await answer.text();
  return null;
}

/** One line about an answer that is not the one wanted. */
async function describe(answer: Response): Promise<string> {
  const text = await answer.text();
  return `the centre answered ${answer.status}: ${text.slice(0, 300)}`;
}

const REASON_CHARACTERS = 300;

function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? error.cause : null;
  const text = cause === null ? error.message : `${error.message}: ${cause.message}`;
  return text.slice(0, REASON_CHARACTERS).toWellFormed();
}
