/**
 * `banca wipe --data DIR [--profile FILE] [--witness DIR]`: ends the ledger of a terminal, by the PINs of a supervisor and a technician
 * on stdin. The data folder goes on existing under another name; the next start begins a new ledger with a new key. Exit 0 done,
 * 1 refused with nothing changed, 2 cannot run.
 */
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { toHex } from '../ledger/chain/entry.codec.ts';
import { disputedHead } from '../ledger/copy/restore.store.ts';
import { KEY_FILE, loadOrCreateKey, syncToDisk } from '../ledger/store/key.store.ts';
import { lockPath } from '../ledger/store/open.store.ts';
import { takeLock } from '../ledger/store/sqlite.store.ts';
import { Witness } from '../ledger/store/witness.store.ts';
import { CannotRun, readArguments, required } from './command.ts';
import { DEMO_PROFILE, readTerminal, twoPersons, WITNESS } from './two-persons.ts';

export async function wipe(argv: string[]): Promise<number> {
  const { values } = readArguments(argv, {
    data: { type: 'string' },
    profile: { type: 'string', default: DEMO_PROFILE },
    witness: { type: 'string', default: WITNESS },
  });
  const data = resolve(required('--data DIR', values.data));
  const file = readTerminal(values.profile);
  const { terminalId } = file.profile;
  if (!existsSync(join(data, KEY_FILE)))
    throw new CannotRun(`${data} is no data folder: there is no ${KEY_FILE}`);
  const { keyId } = loadOrCreateKey(data);
  const path = join(data, 'ledger.db');
  const lock = takeLock(lockPath(path));
  if (lock === null) throw new CannotRun(`ledger ${path} is in use: stop the terminal first`);
  try {
    const witness = new Witness({
      folder: values.witness,
      terminalId,
      keyId,
      isOnlyOne: file.devices !== undefined,
    });
    const persons = await twoPersons(file.people);
    const head = disputedHead(path);
    const atMs = Date.now();
    const kept = `${data}.wiped-${new Date(atMs).toISOString().replaceAll(/[:.]/g, '-')}`;
    const said = { terminal: terminalId, keyId, seq: head.seq, hash: toHex(head.hash), persons, atMs };
    writeFileSync(join(data, 'wiped.json'), `${JSON.stringify(said)}\n`);
    syncToDisk(join(data, 'wiped.json'));
    renameSync(data, kept);
    syncToDisk(dirname(data));
    // Last: cut short before this, the terminal is locked and not begun anew unseen.
    rmSync(witness.path, { force: true });
    syncToDisk(values.witness);
    console.log(`${data} is kept as ${kept}, up to entry ${head.seq}. The next start begins a new ledger.`);
    return 0;
  } finally {
    lock.close();
  }
}
