import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readJsonFile } from '../../ledger/chain/bounded-file.store.ts';
import { idAfter, lastOf } from '../program/life.ts';
import { idOf, type Software } from '../program/software.ts';
import type { Terminal } from '../table/terminal.ts';
import type { OwnFaults } from './own-faults.ts';

/** More changed files than this are only counted. */
const MOST_NAMED = 40;

/**
 * Files that are not as before, each with what has become of it; null = what they were is not
 * known.
 */
function changedFiles(
  before: Readonly<Record<string, string>> | null,
  now: Readonly<Record<string, string>>,
): { readonly count: number; readonly files: readonly string[] } | null {
  if (before === null) return null;
  const files = [...new Set([...Object.keys(before), ...Object.keys(now)])].sort().flatMap((path) => {
    if (before[path] === now[path]) return [];
    return [`${path} ${before[path] === undefined ? 'new' : now[path] === undefined ? 'gone' : 'changed'}`];
  });
  return { count: files.length, files: files.slice(0, MOST_NAMED) };
}

/**
 * The program of this life against the one of the life before, file by file, and whether the
 * terminal file approves it. The list of files lies beside the ledger; it is believed where its
 * hash is the id that the ledger has.
 */
export function checkSoftware(
  terminal: Terminal,
  own: OwnFaults,
  o: {
    readonly software: Software;
    /** Null: the terminal file approves anything. */
    readonly approved: boolean | null;
    readonly folder: string;
    readonly log: (line: string) => void;
  },
): void {
  const { version, id, files = {} } = o.software;
  const path = join(o.folder, 'software-files.json');
  const last = lastOf(terminal.ledger, 'code');
  const was = last && (last.entry.body as { readonly version: string; readonly id: string });
  const isChanged = was !== null && was.id !== id;
  terminal.record(
    {
      type: 'code-checked',
      version,
      id,
      was: was && { version: was.version, id: was.id },
      changes: isChanged ? changedFiles(readList(path, was.id), files) : null,
      approved: o.approved,
    },
    idAfter(last, 'code'),
  );
  own.set('program', 'code-not-authentic', o.approved === false, { place: `program ${id}` });
  if (was !== null && !isChanged) return;
  try {
    writeFileSync(path, JSON.stringify(files));
  } catch (error) {
    o.log(`the list of program files is not kept: ${(error as Error).message}`);
  }
}

function readList(path: string, id: string): Readonly<Record<string, string>> | null {
  try {
    const list = readJsonFile(path) as Record<string, string>;
    return idOf(list) === id ? list : null;
  } catch {
    return null;
  }
}
