/**
 * `banca storage DB [--profile FILE] [--json]`: what a ledger takes on the disk, how it grows, and how long its budget lasts. The
 * copy counts where it lies on the same disk. Exit 0, 2 cannot run.
 */
import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readTerminalFile } from '../host/profile.ts';
import { defaultStorage, sizeOf } from '../host/storage.ts';
import { openLedgerReader } from '../ledger/store/ledger.store.ts';
import { readArguments } from './command.ts';
import { refuseFolder } from './read-ledger.ts';

const MIB = 2 ** 20;
const DAY_MS = 24 * 3_600_000;

export function storage(argv: string[]): number {
  const { values, positionals } = readArguments(
    argv,
    { profile: { type: 'string' }, json: { type: 'boolean', default: false } },
    ['DB'],
  );
  const path = positionals[0]!;
  refuseFolder(path);
  const file = values.profile === undefined ? null : readTerminalFile(values.profile);
  const ledgerBytes = sizeOf(path);
  const copyBytes = sizeOf(join(file?.ledgerCopy ?? join(dirname(path), 'copy'), 'ledger.db'));
  const isOneDisk = file?.ledgerCopy === undefined || statSync(file.ledgerCopy).dev === statSync(path).dev;
  const usedBytes = ledgerBytes + (isOneDisk ? copyBytes : 0);
  const budgetBytes = (file?.storage ?? defaultStorage(dirname(path))).budgetMiB * MIB;
  const reader = openLedgerReader(path);
  try {
    const last = reader.newest({ beforeSeq: null, limit: 1, kind: null })[0];
    const firstAtMs = reader.read(1, 1)[0]?.atMs ?? 0;
    const rounds = reader.newest({ beforeSeq: null, limit: 1, kind: 'round-closed' })[0]?.roundId ?? null;
    const roundCount = rounds === null ? 0 : Number(/-(\d+)$/.exec(rounds)?.[1] ?? 0);
    const days = Math.max(1 / 24, ((last?.atMs ?? firstAtMs) - firstAtMs) / DAY_MS);
    const perDayBytes = Math.round(usedBytes / days);
    const found = {
      ledgerBytes,
      copyBytes,
      usedBytes,
      budgetBytes,
      entries: last?.seq ?? 0,
      rounds: roundCount,
      bytesPerRound: roundCount === 0 ? null : Math.round(usedBytes / roundCount),
      days,
      perDayBytes,
      daysLeft: Math.floor(Math.max(0, budgetBytes - usedBytes) / perDayBytes),
    };
    if (values.json) console.log(JSON.stringify(found));
    else
      console.log(
        `ledger ${mib(ledgerBytes)}, copy ${mib(copyBytes)}${isOneDisk ? ' on the same disk' : ' on another disk'}; ` +
          `${mib(usedBytes)} of a budget of ${mib(budgetBytes)}\n` +
          `${found.entries} entries, ${roundCount} rounds, ${found.bytesPerRound ?? '-'} bytes a round; ` +
          `${mib(perDayBytes)} a day over ${days.toFixed(1)} days: the budget lasts ${found.daysLeft} days more`,
      );
    return 0;
  } finally {
    reader.close();
  }
}

const mib = (bytes: number): string => `${(bytes / MIB).toFixed(1)} MiB`;
