import { isDeepStrictEqual } from 'node:util';
import { recordOf } from '../../engine/engine.ts';
import type { Person } from '../../engine/table/inputs.ts';
import type { BillAcceptor, DeviceIdentity, UnitNote } from '../../hardware/ports.ts';
import { isSimulatedIdentity } from '../../hardware/simulators.ts';
import type { ConfirmedNote, HostEvent } from '../../wire/host-events.ts';
import type { NoteTablePage, TriedNote } from '../../wire/pages.ts';
import type { Outcome, Terminal } from '../table/terminal.ts';

type Confirmation = Omit<Extract<HostEvent, { type: 'notes-confirmed' }>, 'type'>;

/** What a technician does with the notes in hand, until it is signed. */
interface Trial {
  /** What they say they feed; null = nothing now, and the mouth is shut. */
  readonly inHandMinor: number | null;
  readonly last: TriedNote | null;
  readonly notes: ReadonlyMap<string, ConfirmedNote>;
}

/**
 * Which rows of a unit's own table of notes count, and for what. No default guesses money: on a
 * real unit none counts before a technician has fed the note, has seen what the unit says of it,
 * and has signed. It is about the unit's software and its table, so that a spare unit of the same
 * software needs no second one. A simulator's table is confirmed by the demonstration itself.
 */
export class NoteTable {
  readonly #terminal: Terminal;
  readonly #acceptor: BillAcceptor;
  readonly #number: number;
  readonly #simulatorsAllowed: boolean;
  #unit: Pick<Confirmation, 'unit' | 'table'> | null = null;
  /** The newest of this place, as it stands in the ledger. */
  #confirmed: { readonly no: number; readonly body: Confirmation } | null;
  #trial: Trial | null = null;

  constructor(o: {
    readonly terminal: Terminal;
    readonly acceptor: BillAcceptor;
    readonly number: number;
    readonly simulatorsAllowed: boolean;
  }) {
    this.#terminal = o.terminal;
    this.#acceptor = o.acceptor;
    this.#number = o.number;
    this.#simulatorsAllowed = o.simulatorsAllowed;
    this.#confirmed = this.#find();
  }

  /**
   * The rows of the last confirmation count at once, before the unit has said which one it is: a
   * note may be on its way. What a demonstration has confirmed counts in a demonstration alone: the
   * codes of a simulator may mean something else on a real unit.
   */
  start(): void {
    const { notes = [], persons = [] } = this.#confirmed?.body ?? {};
    const counts = persons.length > 0 || this.#simulatorsAllowed ? notes : [];
    this.#acceptor.confirm(
      Object.fromEntries(counts.map(({ said, currency, valueMinor }) => [said, { currency, valueMinor }])),
    );
  }

  identified({ model, firmware, serial }: DeviceIdentity, table: readonly UnitNote[]): void {
    const isSimulated = this.#acceptor.simulated || isSimulatedIdentity({ model, firmware, serial });
    this.#trial = null;
    // What is refused here is no unit to be confirmed.
    this.#unit = isSimulated && !this.#simulatorsAllowed ? null : { unit: { model, firmware }, table };
    if (this.#unit === null || !isSimulated || this.#isConfirmed()) return;
    const notes = table.flatMap(({ said, currency, valueMinor }) =>
      currency === null || valueMinor === null ? [] : [{ said, currency, valueMinor }],
    );
    this.#store(this.#unit, notes, []);
  }

  /** Nobody has confirmed this table, or somebody is about to do it again. */
  get isOpen(): boolean {
    return this.#unit !== null && (this.#trial !== null || !this.#isConfirmed());
  }

  /** Every note comes in now, to be tried. */
  get isTrying(): boolean {
    return this.#trial !== null && this.#trial.inHandMinor !== null;
  }

  get canBeSigned(): boolean {
    return this.#trial === null ? !this.isOpen : this.#trial.notes.size > 0;
  }

  /** `inHandMinor`: the note that is fed next; null = none any more. */
  try(inHandMinor: number | null): Outcome {
    const { state, ledger } = this.#terminal;
    const refuse = (code: 'service' | 'nothing-to-do' | 'malformed' | 'not-allowed', detail: string) =>
      ({ status: 'rejected', code, cites: [], detail }) as const;
    if (!state.service) return refuse('service', 'notes are tried in service mode');
    if (this.#unit === null || this.#unit.table.length === 0)
      return refuse('nothing-to-do', 'the unit has not told its table of notes');
    if (inHandMinor !== null && !state.profile?.notesMinor.some((minor) => minor === inHandMinor))
      return refuse('malformed', `no note of ${inHandMinor} minor units is taken at this table`);
    if (recordOf(state, this.#number) !== 'none')
      return refuse('not-allowed', 'a note of this acceptor is not settled yet');
    const kept = this.#isConfirmed() ? (this.#confirmed?.body.notes ?? []) : [];
    const notes = this.#trial?.notes ?? new Map(kept.map((note) => [note.said, note]));
    this.#trial = { inHandMinor, last: null, notes };
    return { status: 'done', seq: ledger.head().seq };
  }

  /** The unit has read a note that was fed to be tried, and gives it back. */
  tried(row: UnitNote | null): void {
    const trial = this.#trial;
    const currency = this.#terminal.state.profile?.currency;
    if (trial === null || trial.inHandMinor === null || currency === undefined) return;
    const inHandMinor = trial.inHandMinor;
    const person = this.#terminal.state.service?.person;
    if (person !== undefined)
      this.#terminal.record({
        ...{ type: 'device-tested', device: this.#acceptor.id, part: 'note', person },
        ...{ test: 'TEST', said: row?.said ?? null },
      });
    const says = verdictOn(row, inHandMinor, currency);
    const notes = new Map(trial.notes);
    if (row !== null && says === 'agrees')
      notes.set(row.said, { said: row.said, currency, valueMinor: inHandMinor });
    else if (row !== null) notes.delete(row.said);
    this.#trial = { ...trial, last: { inHandMinor, row, says }, notes };
  }

  /** What was tried and not signed counts for nothing. */
  drop(): void {
    this.#trial = null;
  }

  sign(persons: readonly Person[]): void {
    if (this.#unit === null || this.#trial === null) return;
    const notes = [...this.#trial.notes.values()].toSorted((a, b) => a.valueMinor - b.valueMinor);
    this.#trial = null;
    this.#store(this.#unit, notes, persons);
  }

  page(): NoteTablePage | null {
    if (this.#unit === null) return null;
    const { profile } = this.#terminal.state;
    const isConfirmed = this.#isConfirmed();
    const kept = isConfirmed ? (this.#confirmed?.body.notes ?? []) : [];
    const notes = new Map(this.#trial?.notes ?? kept.map((note) => [note.said, note]));
    return {
      rows: this.#unit.table.map((row) => ({ ...row, counts: notes.get(row.said) ?? null })),
      notesMinor: profile?.notesMinor ?? [],
      persons: isConfirmed ? (this.#confirmed?.body.persons ?? null) : null,
      trial: this.#trial && { inHandMinor: this.#trial.inHandMinor, last: this.#trial.last },
    };
  }

  #isConfirmed(): boolean {
    const { unit, table } = this.#confirmed?.body ?? {};
    return isDeepStrictEqual(this.#unit, { unit, table });
  }

  #find(): { no: number; body: Confirmation } | null {
    const { ledger } = this.#terminal;
    const commandId = ledger.lastCommandId(this.#prefix);
    const known = commandId === null ? null : ledger.findCommand(commandId);
    const entry = known && ledger.read(known.lastSeq, 1)[0];
    if (commandId === null || !entry) return null;
    return { no: Number(commandId.slice(this.#prefix.length)), body: entry.body as Confirmation };
  }

  get #prefix(): string {
    return `notes:${this.#acceptor.id}:`;
  }

  #store(
    unit: Pick<Confirmation, 'unit' | 'table'>,
    notes: readonly ConfirmedNote[],
    persons: readonly Person[],
  ): void {
    const no = (this.#confirmed?.no ?? 0) + 1;
    const body: Confirmation = { device: this.#acceptor.id, ...unit, notes, persons };
    const outcome = this.#terminal.record(
      { type: 'notes-confirmed', ...body },
      `${this.#prefix}${String(no).padStart(6, '0')}`,
    );
    if (outcome.status === 'rejected') return;
    this.#confirmed = { no, body };
    this.start();
  }
}

/** Profile, unit and hand must agree. */
function verdictOn(row: UnitNote | null, inHandMinor: number, currency: string): TriedNote['says'] {
  if (row === null || row.valueMinor === null) return 'unknown';
  if (row.currency !== null && row.currency !== currency) return 'other-currency';
  return row.valueMinor === inHandMinor ? 'agrees' : 'other-value';
}
