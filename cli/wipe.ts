/**
 * `banca wipe --data DIR [--profile FILE] [--copy DIR] [--witness DIR]`: ends the ledger of a
 * terminal, by the PINs of a supervisor and a technician on stdin. The data folder goes on existing
 * under another name; the next start begins a new ledger with a new key. Exit 0 done, 1 refused
 * with nothing changed, 2 cannot run.
 */
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import type { Person } from '../engine/table/inputs.ts';
import { lastWiped, WIPED, wipedMark } from '../host/program/wiped.ts';
import { toHex } from '../ledger/chain/entry.codec.ts';
import { disputedHead } from '../ledger/copy/restore.store.ts';
import { syncToDisk } from '../ledger/store/key.store.ts';
import { lockPath } from '../ledger/store/open.store.ts';
import { takeLock } from '../ledger/store/sqlite.store.ts';
import { CannotRun, readArguments, required } from './command.ts';
import { readTerminal, STILL_OPTIONS, type StillTerminal, stillTerminal, twoPersons } from './two-persons.ts';

export async function wipe(argv: string[]): Promise<number> {
  const { values } = readArguments(argv, STILL_OPTIONS);
  const begun = begunIn(values.data);
  if (begun !== null) {
    await twoPersons(readTerminal(values.profile).people);
    finish(begun.said.witness);
    console.log(
      `${values.data} is kept as ${begun.folder}, up to entry ${begun.said.seq}. The next start begins a new ledger.`,
    );
    return 0;
  }
  const terminal = stillTerminal(values);
  const { dataDir, ledgerPath } = terminal;
  const lock = takeLock(lockPath(ledgerPath));
  if (lock === null) throw new CannotRun(`ledger ${ledgerPath} is in use: stop the terminal first`);
  try {
    const persons = await twoPersons(terminal.file.people);
    const { seq, kept } = putAside(terminal, persons);
    console.log(`${dataDir} is kept as ${kept}, up to entry ${seq}. The next start begins a new ledger.`);
    return 0;
  } finally {
    lock.close();
  }
}

/** Killed at any step the terminal is as before, or locked until it is wiped once more. */
function putAside(
  { dataDir, ledgerPath, copyPath, terminalId, key, witness }: StillTerminal,
  persons: readonly Person[],
): { readonly seq: number; readonly kept: string } {
  const { seq, hash } = disputedHead(ledgerPath);
  const atMs = Date.now();
  const mark = wipedMark(atMs);
  const kept = dataDir + mark;
  const said = {
    terminal: terminalId,
    keyId: key.keyId,
    seq,
    hash: toHex(hash),
    persons: [...persons],
    atMs,
    witness: witness.path,
  };
  const note = join(dataDir, WIPED);
  writeFileSync(note, `${JSON.stringify(said)}\n`);
  syncToDisk(note);
  // On a disk of its own it would be continued with the new key, which nobody can.
  if (!copyPath.startsWith(dataDir + sep)) {
    for (const suffix of ['-wal', '-shm', ''])
      if (existsSync(copyPath + suffix)) renameSync(copyPath + suffix, copyPath + mark + suffix);
    rmSync(lockPath(copyPath), { force: true });
  }
  renameSync(dataDir, kept);
  syncToDisk(dirname(dataDir));
  finish(witness.path);
  return { seq, kept };
}

/** Last: cut short before this, the terminal is locked and not begun again unseen. */
function finish(witness: string): void {
  rmSync(witness, { force: true });
  if (existsSync(dirname(witness))) syncToDisk(dirname(witness));
}

/** A data folder that was put aside by a process which was killed then; null = there is none. */
function begunIn(data: string | undefined): ReturnType<typeof lastWiped> {
  const dataDir = resolve(required('--data DIR', data));
  if (existsSync(dataDir)) return null;
  const found = lastWiped(dataDir);
  return found !== null && existsSync(found.said.witness) ? found : null;
}
