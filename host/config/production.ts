/**
 * What a terminal that plays for money does not start with. Every such check stands here; each
 * gives one sentence with the file, the place in it and the remedy.
 */
import { existsSync, readdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { BESIDES, whyNoPlaceForMoney } from '../devices/real-devices.ts';
import { isPinOf, isWeakHash, type PersonRecord } from './people.ts';
import { readTables } from './ready-tables.ts';
import type { TerminalFile } from './terminal-file.ts';

export interface Start {
  /** Null = none was named, and the demonstration's would be taken. */
  readonly path: string | null;
  readonly file: TerminalFile;
  readonly demonstration: { readonly path: string; readonly file: TerminalFile };
  /** Where the ledger lives, and where it is kept what it was seen to have; null = there, too. */
  readonly dataDir: string;
  readonly witnessDir: string | null;
  /** Null = the folder `tables` beside the terminal file. */
  readonly tablesDir: string | null;
  /** Options of this start that are for simulated devices, with their dashes. */
  readonly simulating: readonly string[];
}

/**
 * Money is played for under the unit as it ships, and with real devices wherever they are. A file
 * that allows simulators in their place is a demonstration only where the command line says so,
 * too: who can edit the file alone cannot make it one.
 */
export const isProduction = (
  { devices }: TerminalFile,
  asked: { readonly production: boolean; readonly simulatorsAllowed: boolean },
): boolean =>
  asked.production || (devices !== undefined && !(devices.simulatorsAllowed && asked.simulatorsAllowed));

type Check = (start: Start, path: string) => string | null;

const realOf = (path: string): string => (existsSync(path) ? realpathSync(path) : resolve(path));

const isNamed: Check = ({ path }) =>
  path === null
    ? '--profile FILE is missing: a terminal that plays for money needs the terminal file of its own table'
    : null;

const isOurs: Check = ({ file, demonstration }, path) => {
  if (realOf(path) === realOf(demonstration.path))
    return `${path}: this is the demonstration's: write a terminal file for this table, as docs/operations/install.md says`;
  const { terminalId } = file.profile;
  return terminalId === demonstration.file.profile.terminalId
    ? `${path}: profile.terminalId: ${terminalId} is the demonstration's: give this terminal a name of its own`
    : null;
};

/** Of the demonstration's people; they stand in its documents. */
export const PUBLISHED_PINS: readonly string[] = ['1111', '2222', '3333', '4444', '5555'];

const published = (id: string): string =>
  `the PIN of ${id} is published: give this person another one with 'banca person'`;

/**
 * Why one of these people must not serve where money is played for, in one sentence: a published
 * PIN stays one however dearly it is hashed. Takes some seconds for each person.
 */
export async function publishedPin(
  path: string,
  { people }: TerminalFile,
  wanted: readonly PersonRecord[] = people,
): Promise<string | null> {
  // One after the other: each fills 256 MiB.
  for (const record of wanted)
    for (const pin of PUBLISHED_PINS)
      if (await isPinOf(record, pin))
        return `${path}: people.${people.indexOf(record)}.pinHash: ${published(record.id)}`;
  return null;
}

const havePins: Check = ({ file, demonstration }, path) => {
  const known = new Set(demonstration.file.people.map(({ pinHash }) => pinHash));
  for (const [index, { id, pinHash }] of file.people.entries()) {
    const place = `${path}: people.${index}.pinHash`;
    if (known.has(pinHash)) return `${place}: ${published(id)}`;
    if (isWeakHash(pinHash))
      return `${place}: the PIN of ${id} is hashed in a form that is quickly tried out: make the entry again with 'banca person'`;
  }
  return null;
};

const areDevicesReal: Check = ({ file: { devices }, simulating }, path) => {
  if (simulating[0] !== undefined)
    return `${simulating[0]} is for simulated devices, and ${path} is played for money: leave it out`;
  if (devices === undefined)
    return `${path}: devices: missing, so the devices would be simulated: name the real ones, as docs/operations/devices.md says`;
  if (devices.simulatorsAllowed)
    return `${path}: devices.simulatorsAllowed: is for a demonstration: take it out (a demonstration is started with --simulators-allowed)`;
  const places = [
    ...Object.entries(devices.acceptors).map(([number, { at }]) => [`acceptors.${number}`, at] as const),
    ['shoe', devices.shoe.at] as const,
    ...BESIDES.flatMap((device) => {
      const fitted = devices[device];
      return fitted === undefined ? [] : [[device, fitted.at] as const];
    }),
  ];
  for (const [device, at] of places) {
    const why = whyNoPlaceForMoney(device, at);
    if (why !== null) return `${path}: devices.${device}.at: ${why}`;
  }
  return null;
};

const OTHERS_WRITE = 0o022;
const STICKY = 0o1000;

/**
 * A file or folder, the folders above it, and the same behind a link: whoever can change one of
 * them can exchange the file.
 */
function placesOf(path: string): string[] {
  const places = new Set<string>();
  for (const start of [resolve(path), realOf(path)])
    for (let at = start; !places.has(at); at = dirname(at)) places.add(at);
  return [...places].filter((place) => existsSync(place));
}

const modeOf = ({ mode }: Stats): string => (mode & 0o777).toString(8).padStart(3, '0');

/** Who but root and this account can change what lies there. */
function changeableBy(path: string): string | null {
  for (const place of placesOf(path)) {
    const stat = statSync(place);
    if (stat.uid !== 0 && stat.uid !== process.getuid!())
      return `${place}: belongs to the account ${stat.uid}, which could change it: 'chown root ${place}'`;
    if (stat.mode & OTHERS_WRITE && !(stat.isDirectory() && stat.mode & STICKY))
      return `${place}: other accounts may write it (mode ${modeOf(stat)}): 'chmod go-w ${place}'`;
  }
  return null;
}

/** A TPM of software is a file as the ledger is. */
const isTpmReal: Check = ({ file: { tpm } }, path) =>
  tpm === undefined || /^(device|tabrmd):/.test(tpm)
    ? null
    : `${path}: tpm: ${tpm} is a TPM of software: 'device:/dev/tpmrm0' is the machine's`;

const isFileClosed: Check = (_start, path) => {
  const stat = statSync(path);
  // Root's file is read through the group of this account; no other group and nobody else has to
  // know the hashes.
  const forGroup = stat.uid === 0 && stat.gid === process.getgid!() ? 0o040 : 0;
  return stat.mode & 0o077 & ~forGroup & ~OTHERS_WRITE
    ? `${path}: other accounts may read it, and the PINs' hashes stand in it (mode ${modeOf(stat)}): 'chmod 600 ${path}', or root's with mode 640 and the group of the terminal's account`
    : changeableBy(path);
};

const areTablesClosed: Check = ({ tablesDir }, path) => {
  const folder = tablesDir ?? join(dirname(path), 'tables');
  if (!existsSync(folder)) return null;
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
  for (const place of [folder, ...files.map((name) => join(folder, name))]) {
    const problem = changeableBy(place);
    if (problem !== null) return problem;
  }
  return null;
};

const areFoldersClosed: Check = ({ dataDir, witnessDir, file: { ledgerCopy } }) => {
  for (const folder of [dataDir, witnessDir, ledgerCopy]) {
    if (folder === null || folder === undefined) continue;
    const problem = changeableBy(folder);
    if (problem !== null) return problem;
    const stat = statSync(folder, { throwIfNoEntry: false });
    if (stat && (stat.uid !== process.getuid!() || stat.mode & 0o077))
      return `${folder}: must belong to this account (${process.getuid!()}) and be closed to all others (owner ${stat.uid}, mode ${modeOf(stat)}): 'chown' and 'chmod 700' it`;
  }
  return null;
};

/** A result is read before it is cleared (NZ 2004, 1.21.4a); a demonstration may hurry. */
const LEAST_RESULT_MS = 3_000;

const areResultsShown: Check = ({ file: { profile }, tablesDir }, path) => {
  const all = [{ path, profile }, ...readTables(path, profile, tablesDir)];
  const hurried = all.find((table) => (table.profile?.timing.minResultMs ?? Infinity) < LEAST_RESULT_MS);
  return hurried === undefined
    ? null
    : `${hurried.path}: ${hurried.profile === profile ? 'profile.' : ''}timing.minResultMs: a result stays for ${LEAST_RESULT_MS} ms at least where money is played for`;
};

const CHECKS: readonly Check[] = [
  isNamed,
  isOurs,
  isFileClosed,
  havePins,
  areDevicesReal,
  isTpmReal,
  areTablesClosed,
  areResultsShown,
  areFoldersClosed,
];

/**
 * Why this start must not play for money, in one sentence; null = nothing is in its way. Nothing is
 * changed by asking.
 */
export function whyNotForMoney(start: Start): string | null {
  for (const check of CHECKS) {
    const problem = check(start, start.path ?? start.demonstration.path);
    if (problem !== null) return problem;
  }
  return null;
}
