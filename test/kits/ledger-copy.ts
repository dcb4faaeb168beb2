/** A terminal's folder with a ledger and its copy, for the tests that damage them. */

import { hash as digest } from 'node:crypto';
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { openCopy } from '../../ledger/copy/follow.store.ts';
import { copyIn, mendLedger } from '../../ledger/copy/mend.store.ts';
import { type Ledger, loadOrCreateKey, type NewEntry, openLedger } from '../../ledger/store/ledger.store.ts';

export const TERMINAL = 'table-1';

export interface Place {
  readonly dir: string;
  readonly path: string;
  readonly copy: string;
}

export function placeIn(dir: string): Place {
  mkdirSync(join(dir, 'copy'), { recursive: true });
  return { dir, path: join(dir, 'ledger.db'), copy: copyIn(join(dir, 'copy')) };
}

const optionsOf = ({ dir }: Place) => ({ terminalId: TERMINAL, key: loadOrCreateKey(dir) });

export const open = (place: Place): Ledger =>
  openLedger(place.path, { ...optionsOf(place), createIfMissing: true });
export const mend = (place: Place) =>
  mendLedger(place.path, place.copy, { ...optionsOf(place), now: () => 0 });

/** Brings the copy level. */
export function follow(place: Place, again = false): void {
  const copy = openCopy(place.path, place.copy, { ...optionsOf(place), again });
  try {
    while (copy.step());
  } finally {
    copy.close();
  }
}

/**
 * Commands of one to three entries with money, notes, and things that no command caused; every
 * tenth one sealed and acknowledged.
 */
export function append(ledger: Ledger, commands: number): void {
  for (let i = 0; i < commands; i++) {
    const n = ledger.head().seq + 1;
    const entries = Array.from({ length: 1 + (n % 3) }, (_, k): NewEntry => {
      const amountMinor = 100 * n + k;
      return {
        kind: 'moved',
        roundId: n % 5 === 0 ? `r${n}` : null,
        body: { n, k, text: '莊 "閒"'.repeat(k * 20) },
        postings: [
          { account: `seat:${n % 7}`, currency: 'MOP', amountMinor: -amountMinor },
          { account: 'table', currency: 'MOP', amountMinor },
        ],
        ...(k === 0 && n % 4 === 0 ? { noteId: `note-${n}` } : {}),
      };
    });
    ledger.append(1_000 + n, n % 6 === 0 ? null : `c${n}`, entries);
    if (i % 10 !== 9) continue;
    const state = JSON.stringify({ head: ledger.head().seq, filler: 'x'.repeat(500) });
    ledger.saveSnapshot(state, digest('sha256', state, 'buffer'));
    ledger.acknowledge(ledger.head().seq, ledger.head().hash, 5_000);
  }
}

/** Changes bits of the byte at `offset` of a file. */
export function flip(path: string, offset: number, bits = 0x55): void {
  const fd = openSync(path, 'r+');
  const byte = Buffer.alloc(1);
  readSync(fd, byte, 0, 1, offset);
  byte[0]! ^= bits;
  writeSync(fd, byte, 0, 1, offset);
  closeSync(fd);
}

/** The files of a ledger, also of one in use, as a power cut would leave them. */
export function cutPower(from: Place, to: string): Place {
  const place = placeIn(to);
  copyFileSync(join(from.dir, 'ledger-key.pem'), join(to, 'ledger-key.pem'));
  for (const name of [
    'ledger.db',
    'ledger.db-wal',
    'ledger.db-lock',
    'copy/ledger.db',
    'copy/ledger.db-wal',
    'copy/ledger.db-lock',
  ])
    if (existsSync(join(from.dir, name))) copyFileSync(join(from.dir, name), join(to, name));
  return place;
}

export const sizeOf = (path: string): number => statSync(path).size;
