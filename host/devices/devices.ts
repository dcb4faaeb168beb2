import { isOffByCentre } from '../../engine/table/centre.ts';
import { boxOf } from '../../engine/table/drop.ts';
import type { Person } from '../../engine/table/inputs.ts';
import { isShutAfterNote } from '../../engine/table/notes.ts';
import type { Fault, TableState } from '../../engine/table/state.ts';
import { inWords } from '../../hardware/frame-words.ts';
import type {
  BillAcceptor,
  CabinetBoard,
  CardShoe,
  DeviceClock,
  DeviceIdentity,
  FrameRecord,
  PowerSupply,
  ReceiptPrinter,
} from '../../hardware/ports.ts';
import { isSimulatedIdentity } from '../../hardware/simulators.ts';
import { systemClock } from '../../hardware/transport/clock.ts';
import { faultRow } from '../../wire/faults.ts';
import type { CardTrial, DeviceFault, FrameRow, NoteTablePage } from '../../wire/pages.ts';
import type { DeviceView } from '../../wire/view.ts';
import type { Outcome, Terminal } from '../table/terminal.ts';
import { describeFault, personsAt, stopsAllNotes } from '../watches/faults.ts';
import { LIMITS, type Limits } from '../watches/limits.ts';
import { AcceptorDesk } from './acceptor.ts';
import { CabinetDesk, clearCabinetFaults } from './cabinet.ts';
import { repeated } from './note-traces.ts';
import { clearPowerFaults, PowerDesk } from './power.ts';
import { clearPrinterFaults, PrinterDesk } from './printer.ts';
import { isShoeSecret } from './recordings.ts';
import { ShoeDesk } from './shoe.ts';

/** A device that has not answered this long after the start is not there. */
const ABSENT_AFTER_MS = 10_000;

const KINDS = { printer: 'receipt-printer', cabinet: 'cabinet-board', ups: 'power-supply' } as const;

/** Neither a fault nor the seat's own affair: notes are simply not taken here now. */
const isShutToPlayers = (state: TableState, acceptor: number): boolean =>
  isOffByCentre(state, acceptor) || isShutAfterNote(state, acceptor) || boxOf(state, acceptor) === 'out';

function boxView(state: TableState, acceptor: number): Pick<DeviceView, 'box'> {
  const box = boxOf(state, acceptor);
  return box === null ? {} : { box };
}

/** All devices of the table, each behind its desk. */
export class Devices {
  readonly #terminal: Terminal;
  readonly #acceptors: ReadonlyMap<number, BillAcceptor>;
  readonly #shoe: CardShoe;
  readonly #shoeDesk: ShoeDesk;
  readonly #desks: ReadonlyMap<number, AcceptorDesk>;
  /** Null: this terminal has none. */
  readonly printer: PrinterDesk | null;
  readonly cabinet: CabinetDesk | null;
  readonly power: PowerDesk | null;
  readonly #clock: DeviceClock;
  #cancelAbsence: () => void = () => {};
  /** Why each acceptor takes no note, null = it does; as it was recorded last in this life. */
  readonly #gates = new Map<number, string | null>();
  #areGatesDue = false;
  #isStopped = false;

  constructor(o: {
    terminal: Terminal;
    acceptors: ReadonlyMap<number, BillAcceptor>;
    shoe: CardShoe;
    printer?: ReceiptPrinter | null;
    cabinet?: CabinetBoard | null;
    ups?: PowerSupply | null;
    /** The power is about to end, and the program is to end before it; absent = it stands still. */
    powerEnds?: (why: string) => void;
    log: (line: string) => void;
    clock?: DeviceClock;
    /** Default: they are refused. */
    simulatorsAllowed?: boolean;
    limits?: Limits;
    /** From the shoe's word of a card until it is on the disk. */
    cardTook?: (ms: number) => void;
  }) {
    this.#terminal = o.terminal;
    this.#acceptors = o.acceptors;
    this.#shoe = o.shoe;
    this.#clock = o.clock ?? systemClock;
    this.#shoeDesk = new ShoeDesk({ ...o, clock: this.#clock });
    const { terminal, limits = LIMITS, simulatorsAllowed = false } = o;
    const { printer = null, cabinet = null, ups = null, powerEnds = () => {} } = o;
    this.printer =
      printer === null ? null : new PrinterDesk({ terminal, printer, clock: this.#clock, log: o.log });
    this.cabinet = cabinet === null ? null : new CabinetDesk(terminal, cabinet);
    this.power = ups === null ? null : new PowerDesk(terminal, ups, powerEnds);
    this.#desks = new Map(
      [...o.acceptors].map(([number, acceptor]) => [
        number,
        new AcceptorDesk({ terminal, number, acceptor, clock: this.#clock, simulatorsAllowed, limits }),
      ]),
    );
  }

  /**
   * `changed` is called when a device shows something new that is no ledger entry (a state, an
   * identity).
   */
  start(changed: () => void): void {
    this.#terminal.onCommit(() => {
      if (this.#isStopped) return;
      for (const desk of this.#desks.values()) desk.committed();
      this.#shoeDesk.committed();
      this.cabinet?.committed();
      this.#watchGates();
    });
    for (const desk of this.#desks.values()) desk.start(changed);
    this.#shoeDesk.start(changed);
    if (this.printer === null) clearPrinterFaults(this.#terminal);
    this.printer?.start(changed);
    if (this.cabinet === null) clearCabinetFaults(this.#terminal);
    this.cabinet?.start(changed);
    if (this.power === null) clearPowerFaults(this.#terminal);
    this.power?.start(changed);
    for (const desk of this.#desks.values()) desk.committed();
    this.#watchGates();
    this.#cancelAbsence = this.#clock.after(ABSENT_AFTER_MS, () => {
      this.#shoeDesk.reportAbsence();
      for (const beside of this.#besides()) beside.reportAbsence();
      for (const desk of this.#desks.values()) desk.reportAbsence();
    });
  }

  async stop(): Promise<void> {
    this.#cancelAbsence();
    this.#isStopped = true;
    await Promise.all([...this.#desks.values()].map((desk) => desk.stop()));
    this.#shoeDesk.stop();
    await this.#shoe.stop();
    await Promise.all(this.#besides().map((beside) => beside.stop()));
  }

  /**
   * One entry for all acceptors that one commit has shut or opened; after its listeners, being a
   * commit of its own.
   */
  #watchGates(): void {
    if (this.#areGatesDue) return;
    this.#areGatesDue = true;
    queueMicrotask(() => {
      this.#areGatesDue = false;
      if (this.#isStopped) return;
      const changed = [...this.#desks]
        .map(([acceptor, desk]) => ({ acceptor, shut: desk.whyShut() }))
        .filter(({ acceptor, shut }) => !this.#gates.has(acceptor) || this.#gates.get(acceptor) !== shut);
      if (changed.length === 0) return;
      for (const { acceptor, shut } of changed) this.#gates.set(acceptor, shut);
      this.#terminal.record({ type: 'acceptors-gated', gates: changed });
    });
  }

  views(): DeviceView[] {
    const acceptors = [...this.#acceptors].map(
      ([number, acceptor]): DeviceView => ({
        id: acceptor.id,
        kind: 'bill-acceptor',
        model: acceptor.model,
        simulated: this.#isSimulated(acceptor),
        state: acceptor.state(),
        fault: this.#standing(acceptor.id)[0]?.fault ?? null,
        player:
          [...this.#standing(acceptor.id), ...this.#stopping()].flatMap(
            ({ fault }) => faultRow(fault)?.player ?? [],
          )[0] ?? (isShutToPlayers(this.#terminal.state, number) ? 'no-notes' : null),
        ...(isShutAfterNote(this.#terminal.state, number) ? { shutAfterNote: true as const } : {}),
        ...boxView(this.#terminal.state, number),
      }),
    );
    return [
      ...acceptors,
      {
        id: this.#shoe.id,
        kind: 'card-shoe',
        model: this.#shoe.model,
        simulated: this.#isSimulated(this.#shoe),
        state: this.#shoeDesk.link === 'up' ? 'idle' : 'offline',
        fault: this.#standing(this.#shoe.id)[0]?.fault ?? null,
        player: null,
      },
      ...this.#besides().map(
        (beside): DeviceView => ({
          id: beside.id,
          kind: KINDS[beside.id],
          model: beside.model,
          simulated: beside.simulated,
          state: beside.state,
          fault: this.#standing(beside.id)[0]?.fault ?? null,
          player: null,
        }),
      ),
    ];
  }

  /** What a terminal may have or not, and what this one has of it. */
  #besides(): readonly (PrinterDesk | CabinetDesk | PowerDesk)[] {
    return [this.printer, this.cabinet, this.power].filter((desk) => desk !== null);
  }

  #isSimulated({ id, simulated }: BillAcceptor | CardShoe): boolean {
    const identity = this.identity(id);
    return simulated || (identity !== null && isSimulatedIdentity(identity));
  }

  identity(id: string): DeviceIdentity | null {
    if (id === this.#shoe.id) return this.#shoeDesk.identity;
    const beside = [this.cabinet, this.power].find((desk) => desk?.id === id);
    return beside?.identity ?? this.#desk(id)?.identity ?? null;
  }

  /** What more an acceptor says of its state; null = nothing. */
  detail(id: string): string | null {
    return this.#desk(id)?.detail ?? null;
  }

  /** A unit's own table of notes; null = it has told none, or is no acceptor. */
  notes(id: string): NoteTablePage | null {
    return this.#desk(id)?.notes.page() ?? null;
  }

  /** See NoteTable.try. */
  tryNote(id: string, inHandMinor: number | null): Outcome {
    const desk = this.#desk(id);
    return (
      desk?.tryNote(inHandMinor) ?? {
        status: 'rejected',
        code: 'malformed',
        cites: [],
        detail: `${id} is no acceptor of this table`,
      }
    );
  }

  /** See CardShoe. */
  get rereads(): boolean {
    return this.#shoe.rereads;
  }

  /** See ShoeDesk. */
  readAgain(person: Person): Outcome {
    return this.#shoeDesk.readAgain(person);
  }

  /** See ShoeDesk.tryCards. */
  tryCards(on: boolean): Outcome {
    return this.#shoeDesk.tryCards(on);
  }

  /** Of a shoe; null = it is none. */
  cardTrial(id: string): CardTrial | null {
    return id === this.#shoe.id ? this.#shoeDesk.trial : null;
  }

  /** See CabinetDesk.test. */
  testDevice(part: 'lamp' | 'siren', person: Person): Outcome {
    return (
      this.cabinet?.test(part, person) ?? {
        status: 'rejected',
        code: 'off',
        cites: [],
        detail: 'this terminal has no cabinet board',
      }
    );
  }

  /** The shoe cannot tell that it was loaded. */
  get handLoaded(): boolean {
    return !this.#shoe.capabilities.loading;
  }

  /** See ShoeDesk.load. */
  loadShoe(commandId: string): Outcome {
    return this.#shoeDesk.load(commandId);
  }

  /**
   * Last frames of a device, times as wall clock: the drivers count from the start of the process.
   * None of the shoe while they would tell a card that nobody may know.
   */
  frames(id: string): readonly FrameRow[] {
    if (id === this.#shoe.id && isShoeSecret(this.#terminal.state)) return [];
    const start = performance.timeOrigin;
    const frames = (this.#device(id)?.frames() ?? []).map((frame) => ({
      ...frame,
      atMs: Math.round(start + frame.atMs),
    }));
    return this.inWords(id, repeated(frames));
  }

  /** Frames of a device with what they say. */
  inWords<F extends FrameRecord>(id: string, frames: readonly F[]): (F & Pick<FrameRow, 'says'>)[] {
    return inWords(this.#device(id)?.model ?? '', frames);
  }

  #device(id: string): BillAcceptor | CardShoe | PrinterDesk | CabinetDesk | PowerDesk | undefined {
    const all = [this.#shoe, ...this.#acceptors.values(), ...this.#besides()];
    return all.find((candidate) => candidate.id === id);
  }

  /** Notes in the cash box of an acceptor since it was last taken out; null = it is no acceptor. */
  boxNotes(id: string): number | null {
    for (const [number, acceptor] of this.#acceptors)
      if (acceptor.id === id) return this.#terminal.state.boxNotes[number - 1] ?? 0;
    return null;
  }

  /**
   * As they stand in the books: a fault that began in an earlier life of this process may end in
   * this one.
   */
  #standing(device: string): Fault[] {
    return this.#terminal.state.faults.filter((known) => known.device === device);
  }

  #stopping(): Fault[] {
    return this.#terminal.state.faults.filter(stopsAllNotes);
  }

  /** What is wrong with a device, and who may end it now. */
  faults(device: string): DeviceFault[] {
    return this.#standing(device).map((fault) =>
      describeFault(this.#terminal.state, fault, this.#judge(device)?.isCauseGone(fault.fault) === true),
    );
  }

  /** Ends a fault that needs persons; the caller has checked who they are. */
  release(device: string, fault: string, persons: readonly Person[], commandId: string): Outcome {
    const desk = this.#judge(device);
    const stands = this.#standing(device).some((known) => known.fault === fault);
    if (desk === null || !stands || personsAt(this.#terminal.state, fault).length === 0)
      return { status: 'rejected', code: 'nothing-to-do', cites: [], detail: `${device} ${fault}` };
    return desk.release(fault, persons, commandId);
  }

  /** Whoever knows the causes of its faults. */
  #judge(device: string): AcceptorDesk | CabinetDesk | ShoeDesk | null {
    if (device === this.#shoe.id) return this.#shoeDesk;
    return device === this.cabinet?.id ? this.cabinet : this.#desk(device);
  }

  #desk(device: string): AcceptorDesk | null {
    for (const [number, { id }] of this.#acceptors) if (id === device) return this.#desks.get(number) ?? null;
    return null;
  }
}
