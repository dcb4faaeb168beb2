/**
 * `banca display --profile FILE --role ROLE --key KEY … [--listen ADDRESS]`: enrols machines of
 * displays in a terminal file, a key for each role. The file is written anew, whole, and only if
 * the terminal would take it.
 */
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { ProfileError, readTerminalFile } from '../host/config/terminal-file.ts';
import { FILE_BOUNDS, parseBounded } from '../ledger/chain/bounded-json.ts';
import { CannotRun, readArguments, required } from './command.ts';

const ROLES = /^(?:dealer|spectator|seat:([1-9]|1[0-2]))$/;

interface Enrolled {
  displays?: { seats?: Record<string, unknown>; [role: string]: unknown };
}

export function display(argv: string[]): number {
  const { values } = readArguments(argv, {
    profile: { type: 'string' },
    role: { type: 'string', multiple: true },
    key: { type: 'string', multiple: true },
    listen: { type: 'string' },
  });
  const path = required('--profile FILE', values.profile);
  const { role: roles = [], key: keys = [] } = values;
  required('--role ROLE', roles[0]);
  if (roles.length !== keys.length)
    throw new CannotRun(`${roles.length} times --role, and ${keys.length} times --key`);
  // What is wrong already is named before anything is added, but that displays are missing.
  sentenceOf(() => {
    try {
      readTerminalFile(path);
    } catch (error) {
      if (!(error instanceof ProfileError)) throw error;
      if (error.problems.some(({ place }) => place !== 'displays.seats')) throw error;
    }
  });
  const file = parseBounded(readFileSync(path, 'utf8'), FILE_BOUNDS) as Enrolled;
  const displays = file.displays ?? {};
  file.displays = displays;
  for (const [i, role] of roles.entries()) {
    if (!ROLES.test(role)) throw new CannotRun(`--role ${role}: dealer, spectator or seat:N`);
    const seat = ROLES.exec(role)?.[1];
    const key = keys[i]!;
    if (seat === undefined) displays[role] = { key };
    else displays.seats = { ...displays.seats, [seat]: { key } };
  }
  if (values.listen !== undefined) displays['listen'] = values.listen;
  const made = `${path}.${process.pid}`;
  writeFileSync(made, `${JSON.stringify(file, null, 2)}\n`, {
    mode: statSync(path).mode & 0o777,
    flag: 'wx',
    flush: true,
  });
  try {
    sentenceOf(() => readTerminalFile(made));
    renameSync(made, path);
  } finally {
    rmSync(made, { force: true });
  }
  for (const [i, role] of roles.entries())
    console.log(`${role} is the machine with the key ${keys[i]} from the next start of the terminal on`);
  return 0;
}

function sentenceOf(read: () => unknown): void {
  try {
    read();
  } catch (error) {
    throw new CannotRun((error as Error).message);
  }
}
