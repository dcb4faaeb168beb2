/**
 * The ports of the house: what a host sees of a bill acceptor, a card shoe, a receipt printer, a
 * cabinet board and a UPS, whatever the model. Every model maps to these; the host cannot tell
 * which one it has.
 */
import type { MachineInput, MachineState } from './transport/machine.ts';

export type LinkState = 'up' | 'down';

/** Normalised states of a bill acceptor; every protocol maps to these. */
export type AcceptorState =
  | 'offline'
  | 'initializing'
  | 'disabled'
  | 'idle'
  | 'accepting'
  | 'escrow'
  | 'stacking'
  | 'credited'
  | 'stacked'
  | 'returning'
  | 'rejecting'
  | 'jammed'
  | 'full'
  | 'cassette-removed'
  | 'paused'
  | 'cheated'
  | 'failed'
  | 'power-up-bill-in-acceptor'
  | 'power-up-bill-in-stacker';

export interface Note {
  readonly currency: string;
  readonly valueMinor: number;
}

/** A row of a unit's own table of notes. */
export interface UnitNote {
  /** The row as the unit writes it; no other row of the table reads the same. */
  readonly said: string;
  /** Null where it is not in whole minor units of a currency that is known here. */
  readonly valueMinor: number | null;
  /** ISO 4217, where the unit or the options of its driver name it. */
  readonly currency: string | null;
}

export type AcceptorEvent =
  | { readonly type: 'link'; readonly link: LinkState }
  /**
   * What the unit does now. `detail` of `jammed`: `path` or `stacker`, where the model can tell; of
   * `failed`: what failed. A note's own event comes before the state that follows it: `credit`
   * before `stacked`, `returned` before `idle`.
   */
  | { readonly type: 'state'; readonly state: AcceptorState; readonly detail: string | null }
  /**
   * `table`: the unit's own table of notes, `notes` what of it has a value and a currency by
   * itself; absent where the model does not say it.
   */
  | {
      readonly type: 'identity';
      readonly identity: DeviceIdentity;
      readonly notes?: readonly Note[];
      readonly table?: readonly UnitNote[];
    }
  /**
   * A note is held; it stays until stack() or return(). `note` is null for a value that is not in
   * the device's table. Comes once more for the same note after a link loss: the note is not
   * stacked, and the host decides again.
   */
  | { readonly type: 'escrowed'; readonly note: Note | null }
  /**
   * While every note is let in to be tried: what the unit says of this one, which the driver gives
   * back by itself; null = the unit has no row for it.
   */
  | { readonly type: 'tried'; readonly note: UnitNote | null }
  /**
   * The device's credit signal. It is repeated until acknowledgeCredit(): commit first, then
   * acknowledge. `note` is null where the driver did not see the escrow, as after a restart of the
   * host between STACK and credit.
   */
  | { readonly type: 'credit'; readonly note: Note | null }
  /**
   * The credit signal has come again though it was acknowledged; the driver has acknowledged it
   * again.
   */
  | { readonly type: 'credit-repeated' }
  /**
   * The unit says a note lies in the box and never gave the credit signal for it: nothing is
   * credited.
   */
  | { readonly type: 'sequence-error'; readonly detail: string }
  | { readonly type: 'returned' }
  | { readonly type: 'rejected'; readonly reason: string }
  /**
   * The path is free after a stack command with neither credit nor return: what became of the note
   * is unknown. Said once, too, when a driver that has just been started finds the path free: a
   * host that has an open note now knows as much.
   */
  | { readonly type: 'settled-unknown' };

export interface DeviceIdentity {
  readonly model: string;
  readonly serial: string;
  readonly firmware: string;
}

/** One raw frame as it went over the wire, for the technician's page and for replay. */
export interface FrameRecord {
  readonly atMs: number;
  readonly direction: 'in' | 'out';
  readonly hex: string;
}

export interface BillAcceptor {
  readonly id: string;
  readonly model: string;
  /** Its transport leads to a simulator; see hardware/simulators.ts. */
  readonly simulated: boolean;
  start(listener: (event: AcceptorEvent) => void): void;
  stop(): Promise<void>;
  /**
   * Notes that may be taken, minor units; empty = inhibit. Kept over link loss and re-sent by the
   * driver.
   */
  allow(notesMinor: readonly number[]): void;
  /** All notes of the unit's table come in to be tried, and go back; until allow() is called. */
  tryNotes(): void;
  /**
   * From now on only these rows of the unit's table count, by what the unit says, and are worth
   * this. Without it the unit's own words count.
   */
  confirm(notes: Readonly<Record<string, Note>>): void;
  stack(): void;
  returnNote(): void;
  /** Keeps a note in escrow past the device's own time-out, until stack() or returnNote(). */
  hold(): void;
  /** After COMMIT only: tells the device that its credit signal was taken. */
  acknowledgeCredit(): void;
  state(): AcceptorState;
  frames(): readonly FrameRecord[];
}

export type ShoeFault =
  | 'jam'
  | 'misread'
  | 'double-feed'
  | 'reverse'
  | 'cover-open'
  | 'gap'
  | 'restarted'
  | 'crc'
  /** The shoe reports an error of its own that has no name here; its detail says which. */
  | 'error'
  /** The shoe could not prove that it holds the pairing key: none of its cards is taken. */
  | 'not-authentic';

export type ShoeEvent =
  | { readonly type: 'link'; readonly link: LinkState }
  | {
      readonly type: 'identity';
      readonly identity: DeviceIdentity;
      readonly lastSeq: number;
      readonly boot: number;
    }
  | {
      readonly type: 'card';
      readonly seq: number;
      /**
       * suit 0..3 = S H D C, rank 0..12 = A..K, as in the engine's cards; null where the shoe could
       * not read it
       */
      readonly suit: number | null;
      readonly rank: number | null;
      readonly confidence: number;
      readonly replay: boolean;
    }
  /** What the shoe has read of the card of event `of` when it was asked again; null = nothing. */
  | {
      readonly type: 'read-again';
      readonly of: number;
      readonly suit: number | null;
      readonly rank: number | null;
      readonly confidence: number;
    }
  | { readonly type: 'cut-card'; readonly seq: number; readonly replay: boolean }
  | { readonly type: 'empty'; readonly seq: number; readonly cardsSinceLoading: number }
  | { readonly type: 'loaded'; readonly seq: number; readonly shoeId: string; readonly decks: number }
  | { readonly type: 'cover'; readonly seq: number; readonly open: boolean }
  /**
   * How the shoe is now, said once it runs, after every change and after events, and never before
   * an event that is on its way: what of an event is over (the cover is closed again, the jam is
   * cleared), and what no event has told.
   */
  | {
      readonly type: 'status';
      readonly empty: boolean;
      readonly jammed: boolean;
      readonly coverOpen: boolean;
    }
  | {
      readonly type: 'fault';
      readonly seq: number | null;
      readonly fault: ShoeFault;
      readonly detail: string | null;
    };

export interface ShoeCapabilities {
  /** It keeps an event until it is acknowledged. */
  readonly ack: boolean;
  /**
   * It tells again what nobody has stored. Without this whatever happens while the line is down is
   * lost.
   */
  readonly replay: boolean;
  /** It can prove that it is the shoe it says it is. */
  readonly auth: boolean;
  /** It says whose card it is in a game that it plays along; the host makes no use of it. */
  readonly targets: boolean;
  /** It tells that cards were loaded. */
  readonly loading: boolean;
}

export interface CardShoe {
  readonly id: string;
  readonly model: string;
  readonly capabilities: ShoeCapabilities;
  /** Its transport leads to a simulator; see hardware/simulators.ts. */
  readonly simulated: boolean;
  /**
   * `lastSeqOf(serial)`: the last numbered event of that very shoe that is on disk (0 for a shoe
   * never seen); asked once the shoe has said who it is, and the shoe replays what came after it.
   */
  start(listener: (event: ShoeEvent) => void, lastSeqOf: (serial: string) => number): void;
  stop(): Promise<void>;
  /** After COMMIT only: the shoe keeps event n until it is acknowledged and sends n+1 only then. */
  acknowledge(seq: number): void;
  /**
   * Blocks or frees the mouth of the shoe, where the model can; kept over link loss and sent again
   * by the driver.
   */
  lock(on: boolean): void;
  /** Whether the shoe that is there now can read the card that left it last once more. */
  readonly rereads: boolean;
  /** Asks it to; what comes of it is the event `read-again`, once. */
  readAgain(seq: number): void;
  frames(): readonly FrameRecord[];
  /**
   * Neither `frames` nor a tape tells what was heard up to now, the event that is being told among
   * it.
   */
  forget(): void;
}

/** A picture of one bit a dot: rows from the top, eight dots a byte, the highest bit leftmost. */
export interface Raster {
  readonly widthDots: number;
  readonly rows: readonly Uint8Array[];
}

export type PrintItem =
  | {
      readonly type: 'line';
      readonly text: string;
      readonly align?: 'left' | 'centre' | 'right';
      readonly bold?: boolean;
      readonly large?: boolean;
    }
  | { readonly type: 'picture'; readonly raster: Raster; readonly align?: 'left' | 'centre' | 'right' }
  | { readonly type: 'qr'; readonly text: string; readonly dots: number }
  | { readonly type: 'feed'; readonly lines: number }
  | { readonly type: 'cut' };

export interface PrintJob {
  /** Given once; a copy is a document of its own. */
  readonly number: number;
  readonly items: readonly PrintItem[];
}

export interface PrinterStatus {
  readonly paper: 'there' | 'near-end' | 'out';
  readonly coverOpen: boolean;
  readonly cutterError: boolean;
  /** One that only a person at the printer, or its maker, can mend. */
  readonly failed: boolean;
  /** Too hot: over by itself. */
  readonly pausing: boolean;
  readonly online: boolean;
}

/** What a printer does now, in words that a person reads. */
export type PrinterCondition =
  | 'offline'
  | 'idle'
  | 'paused'
  | 'paper-out'
  | 'cover-open'
  | 'jammed'
  | 'failed';

export type PrinterEvent =
  | { readonly type: 'link'; readonly link: LinkState }
  | { readonly type: 'status'; readonly status: PrinterStatus }
  /** The first byte of it goes out now. */
  | { readonly type: 'begun'; readonly number: number }
  | { readonly type: 'printed'; readonly number: number }
  /** How much of it is on paper nobody knows. */
  | { readonly type: 'cut-off'; readonly number: number; readonly why: 'line' | 'silent' | 'error' }
  /** Too many wait already; nothing of it is printed. */
  | { readonly type: 'refused'; readonly number: number };

export interface ReceiptPrinter {
  readonly id: string;
  readonly model: string;
  /** Its transport leads to a simulator; see hardware/simulators.ts. */
  readonly simulated: boolean;
  start(listener: (event: PrinterEvent) => void): void;
  stop(): Promise<void>;
  /**
   * It waits until the printer can print; one after the other. Throws a RangeError for what no
   * printer of this model can print.
   */
  print(job: PrintJob): void;
  /** A person says that the error has been mended. */
  recover(): void;
  frames(): readonly FrameRecord[];
}

export type CabinetDoor = 'main' | 'drop' | 'logic' | 'acceptor' | 'cabinet';

/** Of one of the two lights of the tower lamp. */
export type LampPattern = 'off' | 'steady' | 'slow' | 'fast';

/** How the cabinet is, as its board says it. */
export interface CabinetStatus {
  /** Of the board; its counters are its own. */
  readonly serial: string;
  readonly open: readonly CabinetDoor[];
  /** The service key is turned. */
  readonly key: boolean;
  readonly batteryLow: boolean;
  readonly batteryMillivolts: number;
  readonly upper: LampPattern;
  readonly lower: LampPattern;
  readonly siren: boolean;
  /** Openings in the life of the board, with power and without; 65 535 is followed by 0. */
  readonly opened: Readonly<Record<CabinetDoor, number>>;
  readonly openedOff: Readonly<Record<CabinetDoor, number>>;
  /** How long it was without power the last time. */
  readonly offSeconds: number;
}

export type CabinetCondition = 'offline' | 'idle' | 'door-open';

export type CabinetEvent =
  | { readonly type: 'link'; readonly link: LinkState }
  | { readonly type: 'identity'; readonly identity: DeviceIdentity }
  /** After every change. */
  | { readonly type: 'status'; readonly status: CabinetStatus };

export interface CabinetBoard {
  readonly id: string;
  readonly model: string;
  /** Its transport leads to a simulator; see hardware/simulators.ts. */
  readonly simulated: boolean;
  start(listener: (event: CabinetEvent) => void): void;
  stop(): Promise<void>;
  /** Kept over link loss and sent again by the driver. */
  lamp(upper: LampPattern, lower: LampPattern): void;
  /** Sounds for at least so long from now; 0 = is silent. */
  siren(ms: number): void;
  frames(): readonly FrameRecord[];
}

export interface PowerStatus {
  readonly onBattery: boolean;
  /** It will not last: what is to be ended is ended now. */
  readonly batteryLow: boolean;
  readonly replaceBattery: boolean;
  /** Per cent; null where it does not say. */
  readonly charge: number | null;
  /** Seconds that it will last. */
  readonly runtime: number | null;
}

export type PowerCondition = 'offline' | 'idle' | 'on-battery' | 'battery-low';

export type PowerEvent =
  | { readonly type: 'link'; readonly link: LinkState }
  | { readonly type: 'identity'; readonly identity: DeviceIdentity }
  /** After every change. */
  | { readonly type: 'power'; readonly status: PowerStatus };

/** The UPS of the terminal. */
export interface PowerSupply {
  readonly id: string;
  readonly model: string;
  /** Its transport leads to a simulator; see hardware/simulators.ts. */
  readonly simulated: boolean;
  start(listener: (event: PowerEvent) => void): void;
  stop(): Promise<void>;
  frames(): readonly FrameRecord[];
}

/** How a serial device wants its line; carriers without one (HID, a socket) have no use for it. */
export interface SerialLine {
  readonly baud: number;
  readonly dataBits: 7 | 8;
  readonly parity: 'none' | 'even' | 'odd';
  readonly stopBits: 1 | 2;
}

/**
 * A stream of bytes or of packets. `write` resolves when the bytes left; errors close the
 * transport.
 */
export interface ByteTransport {
  readonly name: string;
  open(handlers: { onBytes(bytes: Uint8Array): void; onClose(reason: string): void }): Promise<void>;
  write(bytes: Uint8Array): Promise<void>;
  close(): Promise<void>;
}

/**
 * Hears all that a driver's machine is fed and all that it gives to the line, in order; see
 * transport/recording.ts.
 */
export interface Tape {
  /** `state` is what the machine stands in before this input. */
  input(atMs: number, input: MachineInput<unknown>, state: MachineState): void;
  out(atMs: number, bytes: Uint8Array): void;
  /** What it has heard up to now is never told. */
  forget(): void;
}

/**
 * Gives a fresh transport to one device; called again after every loss. Marked when a simulator is
 * at the other end.
 */
export interface OpenTransport {
  (): ByteTransport;
  readonly simulated?: true;
  /**
   * A network may hold bytes back for so long, and they come all the same; absent = it is a line.
   */
  readonly stallMs?: number;
  readonly tape?: Tape;
}

/** Time for drivers: real in the host, turned by hand in tests. */
export interface DeviceClock {
  now(): number;
  after(ms: number, run: () => void): () => void;
}
