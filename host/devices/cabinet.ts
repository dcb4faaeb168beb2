import type { Person } from '../../engine/table/inputs.ts';
import type {
  CabinetBoard,
  CabinetCondition,
  CabinetDoor,
  CabinetEvent,
  CabinetStatus,
  DeviceIdentity,
  FrameRecord,
} from '../../hardware/ports.ts';
import { type FaultId, personsFor } from '../../wire/faults.ts';
import type { HostEvent } from '../../wire/host-events.ts';
import { idAfter, lastOf } from '../program/life.ts';
import type { Outcome, Terminal } from '../table/terminal.ts';
import { stopsOf } from '../watches/faults.ts';
import { lampOf } from './lamp.ts';

const ID = 'cabinet';
/** NZ04 §1.18.3 (i): the alarm of a door is heard for at least ten seconds. */
const ALARM_MS = 10_000;
const TEST_MS = 2_000;
const MODULUS = 0x1_0000;
const DOORS: readonly CabinetDoor[] = ['main', 'drop', 'logic', 'acceptor', 'cabinet'];

interface DoorRow {
  readonly open: FaultId;
  /** Opened without power; null = it acts as if it were opened now. */
  readonly off: FaultId | null;
  readonly isAlarmed: boolean;
}
const ROWS: Readonly<Record<CabinetDoor, DoorRow>> = {
  main: { open: 'main-door-open', off: 'main-door-opened-off', isAlarmed: true },
  drop: { open: 'drop-door-open', off: 'drop-door-opened-off', isAlarmed: true },
  logic: { open: 'logic-door-open', off: 'logic-door-opened-off', isAlarmed: true },
  acceptor: { open: 'acceptor-door-open', off: 'acceptor-door-opened-off', isAlarmed: false },
  cabinet: { open: 'cabinet-door-open', off: null, isAlarmed: false },
};

type Counted = Extract<HostEvent, { type: 'doors-counted' }>;
type Counts = Counted['opened'];

/** Faults of a cabinet board that this terminal has no more. */
export function clearCabinetFaults(terminal: Terminal): void {
  for (const { device, fault } of terminal.state.faults)
    if (device === ID) terminal.submit({ type: 'clear-fault', device, fault });
}

/** Openings since `before`; the board counts on from 65 535 at 0. */
const since = (now: Counts, before: Counts): Counts =>
  Object.fromEntries(
    DOORS.map((door) => [door, (now[door] - before[door] + MODULUS) % MODULUS] as const),
  ) as unknown as Counts;

/**
 * Between the cabinet board and the ledger. What the board has counted is held against what the
 * ledger has of it, so that a door is reported once, whether the terminal saw it open, was away, or
 * had no power; the lamp shows what the table needs.
 */
export class CabinetDesk {
  readonly id = ID;
  readonly #terminal: Terminal;
  readonly #board: CabinetBoard;
  #link: 'up' | 'down' = 'down';
  #identity: DeviceIdentity | null = null;
  #status: CabinetStatus | null = null;
  #isKeyTurned = false;
  /** As this life has counted it last. */
  #counted: Pick<Counted, 'serial' | 'totals'> | null = null;
  #changed: () => void = () => {};
  #isStopped = false;
  #lamp = '';
  #cancelTest: (() => void) | null = null;

  constructor(terminal: Terminal, board: CabinetBoard) {
    this.#terminal = terminal;
    this.#board = board;
  }

  get model(): string {
    return this.#board.model;
  }
  get simulated(): boolean {
    return this.#board.simulated;
  }
  get identity(): DeviceIdentity | null {
    return this.#identity;
  }
  /** Null: the board does not say. */
  get status(): CabinetStatus | null {
    return this.#link === 'up' ? this.#status : null;
  }
  get state(): CabinetCondition {
    if (this.status === null) return 'offline';
    return this.status.open.length > 0 ? 'door-open' : 'idle';
  }
  frames(): readonly FrameRecord[] {
    return this.#board.frames();
  }

  start(changed: () => void): void {
    this.#changed = changed;
    this.#board.start((event) => {
      if (!this.#isStopped) this.#on(event);
    });
    this.committed();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancelTest?.();
    await this.#board.stop();
  }

  reportAbsence(): void {
    if (this.#link === 'down') this.#set('cabinet-offline', true);
  }

  /** Something was stored: the lamp may have to show another thing. */
  committed(): void {
    if (this.#isStopped || this.#cancelTest !== null) return;
    const { upper, lower } = lampOf(this.#terminal.state, this.#terminal.locked !== null);
    const lamp = `${upper} ${lower}`;
    if (lamp === this.#lamp) return;
    this.#lamp = lamp;
    this.#board.lamp(upper, lower);
  }

  /** Both lights, or the siren, for two seconds; moves no meter. */
  test(part: 'lamp' | 'siren', person: Person): Outcome {
    if (this.status === null)
      return { status: 'rejected', code: 'nothing-to-do', cites: [], detail: 'the board does not answer' };
    const outcome = this.#terminal.record({ type: 'device-tested', device: ID, part, person });
    if (part === 'siren') this.#board.siren(TEST_MS);
    else {
      this.#cancelTest?.();
      this.#board.lamp('steady', 'steady');
      const timer = setTimeout(() => {
        this.#cancelTest = null;
        this.#lamp = '';
        this.committed();
      }, TEST_MS);
      this.#cancelTest = () => {
        clearTimeout(timer);
        this.#cancelTest = null;
      };
    }
    return outcome;
  }

  isCauseGone(fault: string): boolean {
    const door = DOORS.find((each) => ROWS[each].open === fault);
    return door === undefined || (this.status !== null && !this.status.open.includes(door));
  }

  /** The persons it needs have looked at it; their roles are checked by the caller. */
  release(fault: string, persons: readonly Person[], commandId: string): Outcome {
    if (!this.isCauseGone(fault))
      return { status: 'rejected', code: 'held', cites: [], detail: 'the cause is still there' };
    return this.#terminal.submit({ type: 'clear-fault', device: ID, fault, persons }, commandId);
  }

  #stands(fault: FaultId): boolean {
    return this.#terminal.state.faults.some((each) => each.device === ID && each.fault === fault);
  }

  #set(fault: FaultId, isThere: boolean, place = 'cabinet'): void {
    if (isThere === this.#stands(fault)) return;
    if (isThere)
      this.#terminal.submit({ type: 'report-fault', device: ID, fault, place, ...stopsOf(fault, []) });
    else if (personsFor(fault).length === 0)
      this.#terminal.submit({ type: 'clear-fault', device: ID, fault });
  }

  #on(event: CabinetEvent): void {
    if (event.type === 'identity') this.#identity = event.identity;
    else if (event.type === 'link') {
      this.#link = event.link;
      this.#set('cabinet-offline', event.link === 'down');
    } else this.#hear(event.status);
    this.#changed();
  }

  #hear(status: CabinetStatus): void {
    this.#status = status;
    const { opened, openedOff } = this.#count(status);
    for (const door of DOORS) {
      const row = ROWS[door];
      const isOpen = status.open.includes(door);
      const wasOpened = opened[door] > 0 || (row.off === null && openedOff[door] > 0);
      // Before it is closed again here: an opening that nobody saw is reported whole.
      if (isOpen || wasOpened) this.#set(row.open, true, `${door} door`);
      if (row.off !== null && openedOff[door] > 0) this.#set(row.off, true, `${door} door`);
      if (row.isAlarmed && (opened[door] > 0 || openedOff[door] > 0)) this.#board.siren(ALARM_MS);
      this.#set(row.open, isOpen, `${door} door`);
    }
    this.#set('cabinet-battery-low', status.batteryLow);
    if (status.key === this.#isKeyTurned) return;
    this.#isKeyTurned = status.key;
    this.#terminal.record({ type: 'service-key', turned: status.key });
  }

  /** What was opened since the ledger heard of it last; written down before anything follows. */
  #count({ serial, opened, openedOff, offSeconds }: CabinetStatus): Pick<Counted, 'opened' | 'openedOff'> {
    const last = lastOf(this.#terminal.ledger, 'doors');
    const before = this.#counted ?? (last && (last.entry.body as Counted));
    const known = before?.serial === serial ? before.totals : null;
    const totals = { opened, openedOff };
    // A board that nobody knows: what it has counted elsewhere is none of this terminal's.
    const news = known
      ? { opened: since(opened, known.opened), openedOff: since(openedOff, known.openedOff) }
      : { opened: since(opened, opened), openedOff: since(openedOff, openedOff) };
    // Where books that do not agree keep the entry out, the next life finds the difference again.
    this.#counted = { serial, totals };
    if (known === null || DOORS.some((door) => news.opened[door] > 0 || news.openedOff[door] > 0))
      this.#terminal.record(
        { type: 'doors-counted', serial, ...news, offSeconds, totals },
        idAfter(last, 'doors'),
      );
    if (before && known === null) this.#set('cabinet-changed', true, `cabinet board ${serial}`);
    return news;
  }
}
