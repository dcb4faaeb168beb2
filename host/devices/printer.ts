import type { Person } from '../../engine/table/inputs.ts';
import type {
  DeviceClock,
  FrameRecord,
  PrinterCondition,
  PrinterEvent,
  PrinterStatus,
  PrintItem,
  ReceiptPrinter,
} from '../../hardware/ports.ts';
import type { FaultId } from '../../wire/faults.ts';
import type { SlipKind } from '../../wire/fields.ts';
import type { HostEvent } from '../../wire/host-events.ts';
import type { Terminal } from '../table/terminal.ts';

const ID = 'printer';
const PLACE = 'receipt printer';
const LOOKED_BACK = 10_000;

type PrinterFault = Extract<FaultId, `printer-${string}`>;

/** What a status says of each fault; that somebody answers ends the first. */
const faultsIn = (status: PrinterStatus): Readonly<Record<PrinterFault, boolean>> => ({
  'printer-offline': false,
  'printer-paper-out': status.paper === 'out',
  'printer-paper-low': status.paper === 'near-end',
  'printer-cover-open': status.coverOpen,
  'printer-cutter': status.cutterError,
  'printer-failed': status.failed,
});

/** What is to be put on paper. */
export interface Slip {
  readonly slip: SlipKind;
  /** The entry it is about, or round and seat; with its kind the name of the slip. */
  readonly of: string;
  /** Who has asked for it; null = nobody had to, or the player. */
  readonly person: Person | null;
  items(isCopy: boolean): readonly PrintItem[];
}

/** Of the first one of its name; a later one has none. */
const commandId = (slip: SlipKind, of: string): string => `slip:${slip}:${of}`;

/** Faults of a printer that this terminal has no more. */
export function clearPrinterFaults(terminal: Terminal): void {
  for (const { device, fault } of terminal.state.faults)
    if (device === ID) terminal.submit({ type: 'clear-fault', device, fault });
}

/**
 * Between the printer and the ledger, which knows of every slip whether it has come out whole.
 * Nothing waits for paper: money has been settled before a slip is asked for.
 */
export class PrinterDesk {
  readonly id = ID;
  readonly #terminal: Terminal;
  readonly #printer: ReceiptPrinter;
  readonly #log: (line: string) => void;
  /** By the number of the document: those that have not ended. */
  readonly #open = new Map<number, Slip & { readonly isCopy: boolean }>();
  #number = 0;
  #link: 'up' | 'down' = 'down';
  #status: PrinterStatus | null = null;
  #isStopped = false;
  #changed: () => void = () => {};

  constructor(o: {
    terminal: Terminal;
    printer: ReceiptPrinter;
    clock: DeviceClock;
    log: (line: string) => void;
  }) {
    this.#terminal = o.terminal;
    this.#printer = o.printer;
    this.#log = o.log;
  }

  get model(): string {
    return this.#printer.model;
  }
  get simulated(): boolean {
    return this.#printer.simulated;
  }

  get state(): PrinterCondition {
    if (this.#link === 'down' || this.#status === null) return 'offline';
    const { paper, coverOpen, cutterError, failed, pausing, online } = this.#status;
    if (coverOpen) return 'cover-open';
    if (paper === 'out') return 'paper-out';
    if (cutterError) return 'jammed';
    if (failed) return 'failed';
    return pausing || !online ? 'paused' : 'idle';
  }

  frames(): readonly FrameRecord[] {
    return this.#printer.frames();
  }

  start(changed: () => void): void {
    this.#changed = changed;
    this.#endOfBefore();
    this.#printer.start((event) => {
      if (!this.#isStopped) this.#on(event);
    });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#printer.stop();
  }

  reportAbsence(): void {
    if (this.#link === 'down') this.#set('printer-offline', true);
  }

  /** Whether something of it may be on paper, or is about to be. */
  wasSent(slip: SlipKind, of: string): boolean {
    return this.isWaiting(slip, of) || this.#terminal.ledger.findCommand(commandId(slip, of)) !== null;
  }

  isWaiting(slip: SlipKind, of: string): boolean {
    return [...this.#open.values()].some((open) => open.slip === slip && open.of === of);
  }

  print(slip: Slip): void {
    const isCopy = this.wasSent(slip.slip, slip.of);
    // Whoever asks for it has looked at the printer.
    if (slip.person !== null && (this.#status?.cutterError || this.#status?.failed)) this.#printer.recover();
    // Grows over every restart, since each slip is an entry of its own.
    this.#number = Math.max(this.#number, this.#terminal.ledger.head().seq) + 1;
    const number = this.#number;
    const items = slip.items(isCopy);
    this.#open.set(number, { ...slip, isCopy });
    try {
      this.#printer.print({ number, items });
    } catch (error) {
      // It has not come to the printer.
      if (error instanceof RangeError) this.#open.delete(number);
      throw error;
    }
    this.#changed();
  }

  /** A slip that was under way when the life before ended: nobody has heard of its end. */
  #endOfBefore(): void {
    const { ledger } = this.#terminal;
    // It was under way at the end; the ledger has no index of kinds to look further for it.
    const [last] = ledger.newest({
      beforeSeq: null,
      downToSeq: Math.max(1, ledger.head().seq - LOOKED_BACK),
      limit: 1,
      kind: null,
      kinds: ['slip-sent', 'slip-ended'],
    });
    if (last?.kind !== 'slip-sent') return;
    const { slip, of, number } = last.body as Extract<HostEvent, { type: 'slip-sent' }>;
    this.#terminal.record({ type: 'slip-ended', slip, of, number, printed: false, why: 'restart' });
  }

  #set(fault: PrinterFault, stands: boolean): void {
    const known = this.#terminal.state.faults.some((each) => each.device === ID && each.fault === fault);
    if (stands && !known) this.#terminal.submit({ type: 'report-fault', device: ID, fault, place: PLACE });
    else if (!stands && known) this.#terminal.submit({ type: 'clear-fault', device: ID, fault });
  }

  #on(event: PrinterEvent): void {
    switch (event.type) {
      case 'link':
        this.#link = event.link;
        this.#set('printer-offline', event.link === 'down');
        return this.#changed();
      case 'status': {
        const { status } = event;
        const wasOpen = this.#status?.coverOpen === true;
        this.#status = status;
        for (const [fault, stands] of Object.entries(faultsIn(status)))
          this.#set(fault as PrinterFault, stands);
        // A person has been at it.
        if (wasOpen && !status.coverOpen && (status.cutterError || status.failed)) this.#printer.recover();
        return this.#changed();
      }
      case 'begun':
        return this.#begin(event.number);
      case 'printed':
        return this.#end(event.number, null);
      case 'cut-off':
        return this.#end(event.number, event.why);
      case 'refused':
        return this.#end(event.number, 'full');
    }
  }

  #begin(number: number): void {
    const open = this.#open.get(number);
    if (open === undefined) return;
    const { slip, of, isCopy, person } = open;
    this.#terminal.record(
      { type: 'slip-sent', slip, of, number, copy: isCopy, person },
      isCopy ? null : commandId(slip, of),
    );
  }

  #end(number: number, why: Extract<HostEvent, { type: 'slip-ended' }>['why']): void {
    const open = this.#open.get(number);
    if (open === undefined) return;
    this.#open.delete(number);
    const { slip, of } = open;
    if (why !== null) this.#log(`printer: ${slip} ${of} was not printed: ${why}`);
    this.#terminal.record({ type: 'slip-ended', slip, of, number, printed: why === null, why });
    this.#changed();
  }
}
