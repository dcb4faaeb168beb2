/** What only two persons together may do, and to what: a terminal that stands still. */
import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Person, PersonRole } from '../engine/table/inputs.ts';
import { People } from '../host/config/people.ts';
import { readTerminalFile } from '../host/config/terminal-file.ts';
import { startsIn } from '../host/program/life.ts';
import { StartCounter } from '../host/program/start-counter.ts';
import type { ListedPerson } from '../ledger/chain/roster.codec.ts';
import { copyIn } from '../ledger/copy/mend.store.ts';
import { defaultWitness } from '../ledger/store/folder.store.ts';
import { KEY_FILE, loadOrCreateKey } from '../ledger/store/key.store.ts';
import { openLedgerReader } from '../ledger/store/ledger.store.ts';
import { folderOf, Witness } from '../ledger/store/witness.store.ts';
import { CannotRun, DoesNotHold, required } from './command.ts';
import { linesOfStdin } from './person.ts';

export const DEMO_PROFILE = fileURLToPath(new URL('../host/profiles/demo.json', import.meta.url));
const WHO: readonly PersonRole[] = ['supervisor', 'technician'];

/** What `restore` and `wipe` are given alike. */
export const STILL_OPTIONS = {
  data: { type: 'string' },
  profile: { type: 'string', default: DEMO_PROFILE },
  copy: { type: 'string' },
  witness: { type: 'string' },
} as const;

export type StillTerminal = ReturnType<typeof stillTerminal>;

/**
 * A terminal that stands still. Its witness is where `--witness` says, else where its ledger names
 * it, else where a start of this account would keep it. Throws CannotRun.
 */
export function stillTerminal(values: {
  readonly data?: string | undefined;
  readonly profile: string;
  readonly copy?: string | undefined;
  readonly witness?: string | undefined;
}) {
  const dataDir = resolve(required('--data DIR', values.data));
  const file = readTerminal(values.profile);
  const { terminalId } = file.profile;
  if (!existsSync(join(dataDir, KEY_FILE)))
    throw new CannotRun(`there is no key ${join(dataDir, KEY_FILE)}: bring it from the safe`);
  const { uid } = statSync(dataDir);
  // What it writes must be the terminal's own, or the next start could not.
  if (uid !== process.getuid!())
    throw new CannotRun(
      `${dataDir} belongs to account ${uid}: run this as that account, as in 'runuser -u banca -- banca …'`,
    );
  const key = loadOrCreateKey(dataDir);
  const ledgerPath = join(dataDir, 'ledger.db');
  const copyPath = copyIn(values.copy ?? file.ledgerCopy ?? join(dataDir, 'copy'));
  const witness = new Witness({
    folder: values.witness ?? placeNamedIn(ledgerPath) ?? placeNamedIn(copyPath) ?? defaultWitness(),
    data: dataDir,
    terminalId,
    keyId: key.keyId,
    isOnlyOne: file.devices !== undefined,
  });
  const counter = file.tpm === undefined ? null : new StartCounter(file.tpm);
  return { file, dataDir, ledgerPath, copyPath, terminalId, key, witness, counter };
}

function placeNamedIn(ledger: string): string | null {
  if (!existsSync(ledger)) return null;
  const reader = openLedgerReader(ledger);
  try {
    const named = startsIn(reader).witness;
    return named && folderOf(named);
  } finally {
    reader.close();
  }
}

/** Throws CannotRun for a file that is none. */
export function readTerminal(path: string): ReturnType<typeof readTerminalFile> {
  try {
    return readTerminalFile(path);
  } catch (error) {
    throw new CannotRun((error as Error).message);
  }
}

/**
 * A supervisor and a technician, each by number and PIN, four lines of stdin in that order. Throws
 * DoesNotHold.
 */
export async function twoPersons(records: readonly ListedPerson[]): Promise<readonly Person[]> {
  const people = new People(() => records, { monotonic: () => performance.now() });
  const given = await linesOfStdin(WHO.flatMap((role) => [`number of the ${role}`, `PIN of the ${role}`]));
  const persons: Person[] = [];
  for (const [index, role] of WHO.entries()) {
    const person = given[2 * index];
    const pin = given[2 * index + 1];
    if (person === undefined || pin === undefined)
      throw new CannotRun(`number and PIN of the ${role} are missing: they are read from stdin, a line each`);
    const answer = await people.identify({
      credential: { person, pin },
      roles: [role],
      pad: 'staff',
      from: 'stdin',
    });
    if (answer === null || 'refused' in answer) throw new DoesNotHold(`that is no ${role} with this PIN`);
    persons.push(answer.person);
  }
  return persons;
}
