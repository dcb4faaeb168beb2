/** What only two persons together may do to a terminal that stands still. */
import { fileURLToPath } from 'node:url';
import type { Person, PersonRole } from '../engine/table/inputs.ts';
import { People, type PersonRecord } from '../host/people.ts';
import { readTerminalFile, type TerminalFile } from '../host/profile.ts';
import { CannotRun, DoesNotHold } from './command.ts';
import { linesOfStdin } from './person.ts';

export const DEMO_PROFILE = fileURLToPath(new URL('../host/profiles/demo.json', import.meta.url));
/** Where an installed terminal keeps its witness: electron/deploy/session.sh. */
export const WITNESS = '/var/lib/banca-witness';

const WHO: readonly PersonRole[] = ['supervisor', 'technician'];

/** Throws CannotRun for a file that is none. */
export function readTerminal(path: string): TerminalFile {
  try {
    return readTerminalFile(path);
  } catch (error) {
    throw new CannotRun((error as Error).message);
  }
}

/** A supervisor and a technician, each by number and PIN, four lines of stdin in that order. Throws DoesNotHold. */
export async function twoPersons(records: readonly PersonRecord[]): Promise<readonly Person[]> {
  const people = new People(records, { monotonic: () => performance.now() });
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
