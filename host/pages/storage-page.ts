/** How a ledger grows, and the page of service mode that shows what is kept where. */
import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { toHex } from '../../ledger/chain/entry.codec.ts';
import type { Ledger, LedgerReader } from '../../ledger/store/ledger.store.ts';
import type { CopyPage, Growth, StoragePage, StorageReport } from '../../wire/pages.ts';
import { STORAGE_LIMITS, sizeOf } from '../watches/storage-watch.ts';
import type { Verification } from '../watches/verification.ts';
import { lastArchive } from './archived.ts';
import { seqAt } from './meters.ts';

const DAY_MS = 24 * 3_600_000;
const WEEK_MS = 7 * DAY_MS;
/** What is younger than an hour says nothing of a day. */
const LEAST_DAYS = 1 / 24;

/**
 * @param used bytes of ledger and copy as far as they share the budget, and the budget; `nowMs`
 * ends the week
 */
export function growthOf(
  ledger: LedgerReader,
  used: { readonly usedBytes: number; readonly budgetBytes: number },
  nowMs: number,
): Growth {
  const { usedBytes, budgetBytes } = used;
  const last = ledger.newest({ beforeSeq: null, limit: 1, kind: null })[0];
  const entries = last?.seq ?? 0;
  const firstAtMs = ledger.read(1, 1)[0]?.atMs ?? nowMs;
  const closed = ledger.newest({ beforeSeq: null, limit: 1, kind: 'round-closed' })[0]?.roundId ?? null;
  const rounds = closed === null ? 0 : Number(/-(\d+)$/.exec(closed)?.[1] ?? 0);
  const days = Math.max(LEAST_DAYS, ((last?.atMs ?? firstAtMs) - firstAtMs) / DAY_MS);
  const perDayBytes = Math.round(usedBytes / days);
  const weekDays = Math.min(7, Math.max(LEAST_DAYS, (nowMs - firstAtMs) / DAY_MS));
  const inWeek = entries - seqAt(ledger, entries, nowMs - WEEK_MS);
  const weekPerDayBytes = entries === 0 ? 0 : Math.round((usedBytes / entries) * (inWeek / weekDays));
  const most = Math.max(1, perDayBytes, weekPerDayBytes);
  return {
    entries,
    rounds,
    bytesPerRound: rounds === 0 ? null : Math.round(usedBytes / rounds),
    days,
    perDayBytes,
    weekPerDayBytes,
    daysLeft: Math.floor(Math.max(0, budgetBytes - usedBytes) / most),
  };
}

interface StoragePageOptions {
  readonly ledger: Ledger;
  readonly ledgerPath: string;
  /** Its page is null until the disk was looked at first; null: nobody looks. */
  readonly storage: { page(): StoragePage | null } | null;
  readonly copy: { page(): CopyPage; readonly nextCheckAtMs: number | null } | null;
  readonly verification: Pick<Verification, 'page'>;
}

export function storagePage(o: StoragePageOptions, nowMs: number): StorageReport {
  const { ledger, ledgerPath } = o;
  const disk = o.storage?.page() ?? null;
  const copy = o.copy?.page() ?? null;
  const archived = lastArchive(ledgerPath);
  return {
    disk,
    limits: STORAGE_LIMITS,
    ledger: { path: ledgerPath, bytes: sizeOf(ledgerPath) },
    copy: copy && {
      ...copy,
      bytes: sizeOf(copy.path),
      isOnSameDisk: deviceOf(copy.path) === deviceOf(ledgerPath),
    },
    growth: disk && growthOf(ledger, disk, nowMs),
    archive:
      archived === null
        ? null
        : {
            folder: archived.folder,
            lastSeq: archived.lastSeq,
            lastAtMs: archived.lastAtMs,
            madeAtMs: archived.madeAtMs,
            entriesSince: Math.max(0, ledger.head().seq - archived.lastSeq),
            isOurs: toHex(ledger.hashAt(archived.lastSeq) ?? new Uint8Array()) === archived.lastHash,
          },
    ...o.verification.page(),
    nextCheckAtMs: o.copy?.nextCheckAtMs ?? null,
  };
}

/** The disk a file lies on, or would. */
function deviceOf(path: string): number | null {
  const stat =
    statSync(path, { throwIfNoEntry: false }) ?? statSync(dirname(path), { throwIfNoEntry: false });
  return stat?.dev ?? null;
}
