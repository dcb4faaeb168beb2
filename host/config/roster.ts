/**
 * The terminal file and its people in the ledger: said at a start that finds others than the start
 * before.
 */
import { hash } from 'node:crypto';
import type { LedgerKey, LedgerReader } from '../../ledger/store/ledger.store.ts';
import type { HostEvent } from '../../wire/host-events.ts';
import { idAfter, lastOf } from '../program/life.ts';
import type { Terminal } from '../table/terminal.ts';
import type { PersonRecord } from './people.ts';
import type { TerminalFile } from './terminal-file.ts';

type PeopleChanged = Extract<HostEvent, { type: 'people-changed' }>;
type Listed = PeopleChanged['people'][number];
type Change = PeopleChanged['changes'][number];

/**
 * Another one when the person's PIN is, and worth nothing to whoever reads it: only the terminal's
 * private key can make it, out of a hash that no ledger holds.
 */
const markOf = (key: LedgerKey, { id, pinHash }: PersonRecord): string =>
  hash('sha256', key.sign(Buffer.from(`banca people\n${id}\n${pinHash}`)));

const listed = (key: LedgerKey, record: PersonRecord): Listed => {
  const { id, name, role } = record;
  return { person: { id, name, role }, staffNo: record.number, mark: markOf(key, record) };
};

function changesOf(before: readonly Listed[], now: readonly Listed[]): PeopleChanged['changes'] {
  const were = new Map(before.map((each) => [each.person.id, each]));
  const changes: Change[] = [];
  for (const { person, staffNo, mark } of now) {
    const before = were.get(person.id);
    were.delete(person.id);
    const isSame = before?.person.name === person.name && before.person.role === person.role;
    const was = before === undefined || isSame ? null : before.person;
    const change = { person, was, newStaffNo: before?.staffNo !== staffNo, newPin: before?.mark !== mark };
    if (before === undefined) changes.push({ what: 'added', ...change });
    else if (!isSame || change.newStaffNo || change.newPin) changes.push({ what: 'changed', ...change });
  }
  for (const { person } of were.values())
    changes.push({ what: 'removed', person, was: null, newStaffNo: false, newPin: false });
  return changes;
}

const rosterIn = (ledger: LedgerReader): readonly Listed[] =>
  (lastOf(ledger, 'people')?.entry.body as PeopleChanged | undefined)?.people ?? [];

/** Those whose PIN is another one than at the start before. */
export function newPinsOf(
  ledger: LedgerReader,
  people: readonly PersonRecord[],
  key: LedgerKey,
): PersonRecord[] {
  const known = new Set(rosterIn(ledger).map(({ mark }) => mark));
  return people.filter((person) => !known.has(markOf(key, person)));
}

/** Nothing is stored where nothing has changed. */
export function recordTerminalFile(terminal: Terminal, { sha256 }: Pick<TerminalFile, 'sha256'>): void {
  const file = lastOf(terminal.ledger, 'terminal-file');
  const was = (file?.entry.body as { readonly sha256: string } | undefined)?.sha256 ?? null;
  if (sha256 !== undefined && sha256 !== was)
    terminal.record({ type: 'terminal-file-changed', sha256, was }, idAfter(file, 'terminal-file'));
}

/** Those who serve from now on, where they are others than before. */
export function recordPeople(terminal: Terminal, people: readonly PersonRecord[], key: LedgerKey): void {
  const roster = lastOf(terminal.ledger, 'people');
  const now = people.map((person) => listed(key, person));
  const changes = changesOf(rosterIn(terminal.ledger), now);
  if (changes.length > 0)
    terminal.record({ type: 'people-changed', changes, people: now }, idAfter(roster, 'people'));
}
