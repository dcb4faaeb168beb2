/**
 * The four kinds of USB device that a table's devices hang on, each with a line to a simulator at
 * its inside.
 */
import type { ByteTransport, SerialLine } from '../../../hardware/ports.ts';
import { cut, type Identity, NONE, type Setup, VirtualDevice } from './virtual-device.ts';

type OnPlug = (line: ByteTransport) => void;

/** Endpoint descriptors of the data pair, USB 2.0 section 9.6.6. */
const BULK_PAIR = [7, 5, 0x81, 2, 64, 0, 0, 7, 5, 0x02, 2, 64, 0, 0];
const INTERRUPT_PAIR = [7, 5, 0x81, 3, 64, 0, 4, 7, 5, 0x02, 3, 64, 0, 4];
const VENDOR_INTERFACE = [9, 4, 0, 0, 2, 255, 255, 255, 0, ...BULK_PAIR];

const PARITY = ['none', 'odd', 'even'] as const;
const lineOf = (baud: number, dataBits: number, parity: number, stop: number): SerialLine | null => {
  const name = PARITY[parity];
  return (dataBits === 7 || dataBits === 8) && (stop === 0 || stop === 2) && name !== undefined
    ? { baud, dataBits, parity: name, stopBits: stop === 2 ? 2 : 1 }
    : null;
};

/** USB CDC, PSTN subclass 1.2. */
export class CdcAcmDevice extends VirtualDevice {
  #coding: Buffer = Buffer.from([0x80, 0x25, 0, 0, 0, 0, 8]);

  constructor(identity: Identity, onPlug: OnPlug) {
    const control = [9, 4, 0, 0, 1, 2, 2, 1, 0];
    const functional = [5, 0x24, 0, 0x10, 1, 5, 0x24, 1, 0, 1, 4, 0x24, 2, 2, 5, 0x24, 6, 0, 1];
    const notification = [7, 5, 0x83, 3, 16, 0, 32];
    const data = [9, 4, 1, 0, 2, 10, 0, 0, 0, ...BULK_PAIR];
    super(identity, 2, 2, [...control, ...functional, ...notification, ...data], onPlug);
  }

  protected override control({ type, request }: Setup, data: Buffer): Buffer | null {
    if (type === 0x21 && request === 0x20) this.#coding = data;
    else if (type === 0xa1 && request === 0x21) return this.#coding;
    else if (type !== 0x21 || request !== 0x22) return null;
    return NONE;
  }

  protected override packetsOf(bytes: Uint8Array): Buffer[] {
    return cut(bytes, 64);
  }

  serialLine(): SerialLine | null {
    const coding = this.#coding;
    return lineOf(coding.readUInt32LE(0), coding[6] ?? 0, coding[5] ?? 0, coding[4] ?? 0);
  }
}

/**
 * FTDI FT232R: two status bytes before the data of every packet, and alone in one whenever its
 * latency timer runs out.
 */
export class FtdiDevice extends VirtualDevice {
  readonly #registers = new Map<number, number>();
  #timer: NodeJS.Timeout | undefined;
  #status = Buffer.from([0x01, 0x60]);

  constructor(identity: Identity, onPlug: OnPlug) {
    super(identity, 0, 1, VENDOR_INTERFACE, onPlug);
  }

  protected override control({ type, request, value }: Setup): Buffer | null {
    if (type === 0x40) {
      this.#registers.set(request, value);
      if (request === 9) this.#run(value);
      return NONE;
    }
    if (type !== 0xc0) return null;
    // Modem status, latency timer, EEPROM word.
    if (request === 5) return this.#status;
    if (request === 10) return Buffer.from([this.#registers.get(9) ?? 16]);
    return request === 0x90 ? Buffer.alloc(2) : null;
  }

  protected override packetsOf(bytes: Uint8Array): Buffer[] {
    return cut(bytes, 62).map((part) => Buffer.concat([this.#status, part]));
  }

  protected override onPlugged(): void {
    this.#run(16);
  }

  protected override onUnplugged(): void {
    clearInterval(this.#timer);
  }

  #run(latencyMs: number): void {
    clearInterval(this.#timer);
    this.#timer = setInterval(() => {
      if (this.isAwaited()) this.push([this.#status]);
    }, latencyMs);
  }

  serialLine(): SerialLine | null {
    const data = this.#registers.get(4) ?? 0;
    // The divisor's whole part of 3 MHz; 9600 baud has half of one on top.
    const divisor = this.#registers.get(3) ?? 0;
    const eighths = [0, 4, 2, 1][divisor >> 14] ?? 0;
    const baud = Math.round(24_000_000 / ((divisor & 0x3fff) * 8 + eighths));
    return lineOf(baud, data & 0xff, (data >> 8) & 7, (data >> 11) & 3);
  }
}

/**
 * Silicon Labs CP210x (AN571), as inside MEI/CPI's acceptors. Deaf until it is enabled, as the chip
 * is.
 */
export class Cp210xDevice extends VirtualDevice {
  #enabled = false;
  #baud = 0;
  #lineControl = 0;

  constructor(identity: Identity, onPlug: OnPlug) {
    super(identity, 0, 1, VENDOR_INTERFACE, onPlug);
  }

  protected override control({ type, request, value, length }: Setup, data: Buffer): Buffer | null {
    if (type === 0x41) return this.#set(request, value, data);
    // Part number: a CP2102.
    if (type === 0xc0 && request === 0xff && value === 0x370b) return Buffer.from([2]);
    if (type !== 0xc1) return null;
    const reply = Buffer.alloc(4);
    if (request === 0x1d) reply.writeUInt32LE(this.#baud);
    else if (request === 0x04) reply.writeUInt16LE(this.#lineControl);
    // Modem status; flow control, comm status, properties.
    else if (request === 0x08) reply[0] = 0x33;
    else if (![0x14, 0x10, 0x0f].includes(request)) return null;
    return Buffer.concat([reply, Buffer.alloc(64)]).subarray(0, length);
  }

  #set(request: number, value: number, data: Buffer): Buffer | null {
    if (request === 0x00) this.#enabled = value === 1;
    else if (request === 0x03) this.#lineControl = value;
    else if (request === 0x1e) this.#baud = data.readUInt32LE(0);
    // Break, modem lines, purge, flow control, special characters.
    else if (![0x05, 0x07, 0x12, 0x13, 0x19].includes(request)) return null;
    return NONE;
  }

  protected override packetsOf(bytes: Uint8Array): Buffer[] {
    return this.#enabled ? cut(bytes, 64) : [];
  }

  protected override toInside(bytes: Buffer): void {
    if (this.#enabled) super.toInside(bytes);
  }

  protected override onUnplugged(): void {
    this.#enabled = false;
  }

  serialLine(): SerialLine | null {
    const control = this.#lineControl;
    return lineOf(this.#baud, control >> 8, (control >> 4) & 15, control & 15);
  }
}

/** A HID device with reports of 64 bytes on interrupt endpoints. */
export class HidDevice extends VirtualDevice {
  readonly #reportDescriptor: Buffer;

  /** `protocol`: 1 says that it is a keyboard, 0 says nothing. */
  constructor(identity: Identity, protocol: 0 | 1, reportDescriptor: Uint8Array, onPlug: OnPlug) {
    const { length } = reportDescriptor;
    const own = [
      9,
      4,
      0,
      0,
      2,
      3,
      protocol,
      protocol,
      0,
      9,
      0x21,
      0x11,
      1,
      0,
      1,
      0x22,
      length & 0xff,
      length >> 8,
    ];
    super(identity, 0, 1, [...own, ...INTERRUPT_PAIR], onPlug);
    this.#reportDescriptor = Buffer.from(reportDescriptor);
  }

  protected override control({ type, request, value }: Setup): Buffer | null {
    if (type === 0x81 && request === 6 && value >> 8 === 0x22) return this.#reportDescriptor;
    // SET_IDLE
    return type === 0x21 && request === 0x0a ? NONE : null;
  }

  protected override packetsOf(bytes: Uint8Array): Buffer[] {
    return cut(bytes, 64);
  }
}

/**
 * Vendor page 0xff53, one input and one output report of 64 bytes without a number: a KSP-1 shoe.
 */
export const SHOE_REPORTS = Uint8Array.from([
  ...[0x06, 0x53, 0xff, 0x09, 0x01, 0xa1, 0x01, 0x15, 0x00, 0x26, 0xff, 0x00, 0x75, 0x08],
  ...[0x95, 0x40, 0x09, 0x02, 0x81, 0x02, 0x95, 0x40, 0x09, 0x03, 0x91, 0x02, 0xc0],
]);
