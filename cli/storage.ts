/**
 * `banca storage DB [--profile FILE] [--json]`: what a ledger takes on the disk, how it grows, and
 * how long its budget lasts. The copy counts where it lies on the same disk. Exit 0, 2 cannot run.
 */
import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readTerminalFile } from '../host/config/terminal-file.ts';
import { growthOf } from '../host/pages/storage-page.ts';
import { defaultStorage, sizeOf } from '../host/watches/storage-watch.ts';
import { openLedgerReader } from '../ledger/store/ledger.store.ts';
import { readArguments } from './command.ts';
import { refuseFolder } from './read-ledger.ts';

const MIB = 2 ** 20;

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
    const used = { usedBytes, budgetBytes };
    const growth = growthOf(reader, used, Date.now());
    const found = { ledgerBytes, copyBytes, ...used, ...growth };
    if (values.json) console.log(JSON.stringify(found));
    else
      console.log(
        `ledger ${mib(ledgerBytes)}, copy ${mib(copyBytes)}${isOneDisk ? ' on the same disk' : ' on another disk'}; ` +
          `${mib(usedBytes)} of a budget of ${mib(budgetBytes)}\n` +
          `${growth.entries} entries, ${growth.rounds} rounds, ${growth.bytesPerRound ?? '-'} bytes a round; ` +
          `${mib(growth.perDayBytes)} a day over ${growth.days.toFixed(1)} days, ` +
          `${mib(growth.weekPerDayBytes)} a day in the last week: the budget lasts ${growth.daysLeft} days more`,
      );
    return 0;
  } finally {
    reader.close();
  }
}

const mib = (bytes: number): string => `${(bytes / MIB).toFixed(1)} MiB`;
