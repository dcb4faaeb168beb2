/**
 * `banca restore --data DIR [--profile FILE] [--upstream URL] [--copy DIR] [--witness DIR] [--word
 * FILE]`: brings back a terminal whose ledger is in dispute, by the signed word of the centre and
 * the PINs of a supervisor and a technician on stdin. Without a word it says what the centre must
 * be told. Exit 0 brought back, or nothing in dispute; 1 in dispute, or the word does not hold and
 * nothing is changed; 2 cannot run.
 */
import { disputeIn } from '../host/program/found-ledger.ts';
import { startsIn } from '../host/program/life.ts';
import { toHex } from '../ledger/chain/entry.codec.ts';
import {
  checkWord,
  disputedHead,
  finishRestore,
  type RestoreOptions,
  restoreLedger,
} from '../ledger/copy/restore.store.ts';
import { readCentreAddress } from '../ledger/sync/centre-address.ts';
import { CannotRun, DoesNotHold, readArguments } from './command.ts';
import { STILL_OPTIONS, type StillTerminal, stillTerminal, twoPersons } from './two-persons.ts';

export async function restore(argv: string[]): Promise<number> {
  const { values } = readArguments(argv, {
    ...STILL_OPTIONS,
    upstream: { type: 'string' },
    word: { type: 'string' },
  });
  const terminal = stillTerminal(values);
  const { file, terminalId, key, witness, ledgerPath, copyPath } = terminal;
  if (witness.otherKey !== null)
    throw new CannotRun(
      `the ledger was begun with key ${witness.otherKey}, here is ${key.keyId}: bring that one from the safe`,
    );
  if (values.word === undefined) {
    const head = disputedHead(ledgerPath);
    const dispute = disputeIn(terminal);
    console.log(
      `terminal  ${terminalId}\nledger    ${head.seq}:${toHex(head.hash)}\nwitness   ${witness.path}`,
    );
    if (witness.head !== null) console.log(`          saw ${witness.head.seq}:${witness.head.hash}`);
    console.log(dispute === null ? 'Nothing is in dispute.' : `In dispute: ${dispute.why}`);
    return dispute === null ? 0 : 1;
  }
  const address = values.upstream ?? file.centre;
  const commandKey = address === undefined ? null : readCentreAddress(address).commandKey;
  if (commandKey === null)
    throw new CannotRun(
      'the key for commands of the centre is not known: `&command-key=` in `centre` or --upstream',
    );
  const o: RestoreOptions = {
    path: ledgerPath,
    copyPath,
    terminalId,
    key,
    commandKey,
    witness,
    named: (ledger) => startsIn(ledger).witness,
    counter: countIn(terminal),
    wordPath: values.word,
    now: Date.now,
  };
  try {
    finishRestore(o);
    checkWord(o);
    // What the two persons decide about.
    console.log(`In dispute: ${disputeIn(terminal)?.why ?? 'nothing'}`);
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

/** The ledger that is brought back goes on from what this machine's TPM has counted. */
function countIn({ counter }: StillTerminal): RestoreOptions['counter'] {
  try {
    const found = counter?.read() ?? 0;
    return found === 0 ? null : { found, willBe: found };
  } catch (error) {
    throw new CannotRun(`${(error as Error).message}: mend it, or take \`tpm\` out of the terminal file`);
  }
}
