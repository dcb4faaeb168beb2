/**
 * `banca restore --data DIR [--profile FILE] [--upstream URL] [--copy DIR] [--witness DIR] [--word FILE]`: brings back a terminal whose
 * ledger is in dispute, by the signed word of the centre and the PINs of a supervisor and a technician on stdin. Without a word it
 * says what the centre must be told. Exit 0 brought back, or nothing in dispute; 1 in dispute, or the word does not hold and nothing
 * is changed; 2 cannot run.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { toHex } from '../ledger/chain/entry.codec.ts';
import { copyIn } from '../ledger/copy/mend.store.ts';
import { checkWord, disputedHead, type RestoreOptions, restoreLedger } from '../ledger/copy/restore.store.ts';
import { KEY_FILE, loadOrCreateKey } from '../ledger/store/key.store.ts';
import { openLedgerReader } from '../ledger/store/ledger.store.ts';
import { Witness } from '../ledger/store/witness.store.ts';
import { readCentreAddress } from '../ledger/sync/centre-address.ts';
import { CannotRun, DoesNotHold, readArguments, required } from './command.ts';
import { DEMO_PROFILE, readTerminal, twoPersons, WITNESS } from './two-persons.ts';

export async function restore(argv: string[]): Promise<number> {
  const { values } = readArguments(argv, {
    data: { type: 'string' },
    profile: { type: 'string', default: DEMO_PROFILE },
    upstream: { type: 'string' },
    copy: { type: 'string' },
    witness: { type: 'string', default: WITNESS },
    word: { type: 'string' },
  });
  const data = required('--data DIR', values.data);
  const file = readTerminal(values.profile);
  const { terminalId } = file.profile;
  if (!existsSync(join(data, KEY_FILE)))
    throw new CannotRun(`there is no key ${join(data, KEY_FILE)}: bring it from the safe`);
  const key = loadOrCreateKey(data);
  const path = join(data, 'ledger.db');
  const isOnlyOne = file.devices !== undefined;
  const witness = new Witness({ folder: values.witness, terminalId, keyId: key.keyId, isOnlyOne });
  if (witness.otherKey !== null)
    throw new CannotRun(
      `the ledger was begun with key ${witness.otherKey}, here is ${key.keyId}: bring that one from the safe`,
    );
  const head = disputedHead(path);
  const tell = `${head.seq}:${toHex(head.hash)}`;
  if (values.word === undefined) {
    const dispute = disputeOf(witness, path);
    console.log(`terminal  ${terminalId}\nledger    ${tell}`);
    console.log(dispute === null ? 'The witness has nothing against it.' : `In dispute: ${dispute}`);
    return dispute === null ? 0 : 1;
  }
  const address = values.upstream ?? file.centre;
  const commandKey = address === undefined ? null : readCentreAddress(address).commandKey;
  if (commandKey === null)
    throw new CannotRun(
      'the key for commands of the centre is not known: `&command-key=` in `centre` or --upstream',
    );
  const o: RestoreOptions = {
    path,
    copyPath: copyIn(values.copy ?? file.ledgerCopy ?? join(data, 'copy')),
    terminalId,
    key,
    commandKey,
    witness,
    wordPath: values.word,
    now: Date.now,
  };
  try {
    checkWord(o);
    const persons = await twoPersons(file.people);
    const done = restoreLedger(o, persons);
    console.log("ledger    goes on after the centre's newest entry");
    if (done !== null) {
      console.log(
        `          common up to entry ${done.commonSeq}; the one in dispute is kept as ${done.evidence ?? '(there was none)'}`,
      );
      if (done.droppedEntries > 0)
        console.log(
          `          ${done.droppedEntries} entries are in that file alone, to be settled by people (minor units):`,
        );
      for (const sum of done.droppedSums) console.log(`          ${sum}`);
    }
    console.log('The terminal may be started.');
    return 0;
  } catch (error) {
    if (error instanceof Error && error.constructor === Error) throw new DoesNotHold(error.message);
    throw error;
  }
}

function disputeOf(witness: Witness, path: string): string | null {
  if (!existsSync(path)) return witness.dispute(null)?.why ?? 'there is a key and no ledger';
  const reader = openLedgerReader(path);
  try {
    return witness.dispute({ hashAt: reader.hashAt, head: () => disputedHead(path) })?.why ?? null;
  } finally {
    reader.close();
  }
}
