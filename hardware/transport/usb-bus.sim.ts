import type { DeviceClock } from '../ports.ts';
import {
  type UsbBus,
  type UsbDevice,
  type UsbEndpoint,
  UsbFailure,
  type UsbHandle,
  type UsbInterface,
  type UsbProblem,
  type UsbSetup,
} from './usb-bus.ts';

/**
 * What a simulated device is; `kernelDriver` is bound to all its interfaces when it is plugged in.
 */
export interface SimUsbUnit {
  readonly vendorId: number;
  readonly productId: number;
  readonly port: string;
  readonly serial?: string;
  readonly interfaces: readonly UsbInterface[];
  readonly kernelDriver?: string;
  /** Answers a control request that reads; absent = stalls. */
  readonly controlIn?: (setup: UsbSetup) => Uint8Array | null;
  /** Sees what goes out, and may say something. */
  readonly onOut?: (bytes: Uint8Array, say: (packet: Uint8Array) => void) => void;
}

interface Reader {
  readonly length: number;
  readonly done: (result: Uint8Array | UsbFailure | null) => void;
}

const fail = (problem: UsbProblem, text: string): Promise<never> =>
  Promise.reject(new UsbFailure(problem, text));

const setupBytes = ({ type, recipient, request, value, index }: UsbSetup, into: 0 | 0x80): string => {
  const kind =
    { standard: 0, class: 0x20, vendor: 0x40 }[type] | { device: 0, interface: 1 }[recipient] | into;
  const [high, low] = [(word: number) => word >> 8, (word: number) => word & 0xff];
  return [kind, request, low(value), high(value), low(index), high(index)]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join(' ');
};

const hex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(' ');

/**
 * A device that behaves as the `usb` package over a kernel does: one transfer an endpoint,
 * interfaces that have a holder, a read that is cancelled by its time-out alone, everything dead
 * after an unplug. `log` keeps what the host did.
 */
export class SimUsbDevice implements UsbDevice, UsbHandle {
  readonly vendorId: number;
  readonly productId: number;
  readonly port: string;
  readonly id: string;
  readonly node: string;
  /**
   * Set-up packets without wLength and their data, in hex; claims, OUT packets and the rest in
   * words.
   */
  readonly log: string[] = [];
  /** Whom the interface belongs to. */
  readonly holders = new Map<number, string>();
  readonly #unit: SimUsbUnit;
  readonly #clock: DeviceClock;
  readonly #readers = new Map<number, Reader>();
  readonly #packets: Uint8Array[] = [];
  #halted: 'in' | 'out' | null = null;
  #haltsLeft = 0;
  #writesHang = false;
  #plugged = true;
  #opened = false;
  #refusal: UsbFailure | null = null;

  constructor(unit: SimUsbUnit, address: number, clock: DeviceClock) {
    this.#unit = unit;
    this.#clock = clock;
    this.vendorId = unit.vendorId;
    this.productId = unit.productId;
    this.port = unit.port;
    this.id = `${unit.port}#${address}`;
    this.node = `/dev/bus/usb/001/${String(address).padStart(3, '0')}`;
    if (unit.kernelDriver !== undefined)
      for (const { number } of unit.interfaces) this.holders.set(number, unit.kernelDriver);
  }

  // ---- the device's side ----

  /** Queues one IN packet. */
  say(packet: Uint8Array): void {
    this.#packets.push(packet);
    this.#serve();
  }

  /** Halts an endpoint, again after each of the first `times - 1` clearings. */
  halt(direction: 'in' | 'out', times = 1): void {
    this.#halted = direction;
    this.#haltsLeft = times;
    this.#serve();
  }

  /** From now on an OUT packet is never taken. */
  hangWrites(): void {
    this.#writesHang = true;
  }

  /** Who has an interface. */
  hold(interfaceNumber: number, holder: string): void {
    this.holders.set(interfaceNumber, holder);
  }

  refuse(problem: UsbProblem, text: string): void {
    this.#refusal = new UsbFailure(problem, text);
  }

  pull(): void {
    this.#plugged = false;
    this.holders.clear();
    this.#serve();
  }

  /** True while a transport has it open. */
  get inUse(): boolean {
    return this.#opened;
  }

  // ---- UsbDevice ----

  serial = (): string | null => this.#unit.serial ?? null;
  manufacturer = (): string | null => 'Simulated';
  product = (): string | null => 'Device';

  open(): Promise<UsbHandle> {
    if (!this.#plugged) return fail('gone', 'open error: device not found (errno 2)');
    if (this.#refusal !== null) return Promise.reject(this.#refusal);
    if (this.#opened) return fail('busy', 'already open in this process');
    this.#opened = true;
    this.log.push('open');
    return Promise.resolve(this);
  }

  // ---- UsbHandle ----

  interfaces = (): readonly UsbInterface[] => this.#unit.interfaces;

  holder(interfaceNumber: number): Promise<string | null> {
    return Promise.resolve(this.holders.get(interfaceNumber) ?? null);
  }

  detach(interfaceNumber: number): Promise<void> {
    const driver = this.holders.get(interfaceNumber);
    if (driver === undefined) return fail('other', 'no kernel driver attached (errno 61)');
    this.log.push(`detach ${interfaceNumber}`);
    // A kernel driver of two interfaces leaves both.
    for (const [number, holder] of this.holders) if (holder === driver) this.holders.delete(number);
    return Promise.resolve();
  }

  attach(interfaceNumber: number): Promise<void> {
    if (!this.#plugged) return fail('gone', 'device disconnected (errno 19)');
    if (this.holders.size > 0) return fail('busy', 'kernel driver already attached (errno 16)');
    this.log.push(`attach ${interfaceNumber}`);
    for (const { number } of this.#unit.interfaces)
      this.holders.set(number, this.#unit.kernelDriver ?? 'none');
    return Promise.resolve();
  }

  claim(interfaceNumber: number): Promise<void> {
    if (this.holders.has(interfaceNumber)) return fail('busy', 'interface is busy (errno 16)');
    this.log.push(`claim ${interfaceNumber}`);
    this.holders.set(interfaceNumber, 'usbfs');
    return Promise.resolve();
  }

  release(interfaceNumber: number): Promise<void> {
    if (!this.#plugged) return fail('gone', 'device disconnected (errno 19)');
    if (this.#readers.size > 0) return fail('other', 'released with a read pending: it stays claimed');
    this.log.push(`release ${interfaceNumber}`);
    this.holders.delete(interfaceNumber);
    return Promise.resolve();
  }

  controlOut(setup: UsbSetup, data: Uint8Array): Promise<void> {
    if (!this.#plugged) return fail('gone', 'device disconnected');
    this.log.push([setupBytes(setup, 0), hex(data)].filter(Boolean).join(' | '));
    return Promise.resolve();
  }

  controlIn(setup: UsbSetup, length: number): Promise<Uint8Array> {
    this.log.push(setupBytes(setup, 0x80));
    const answer = this.#unit.controlIn?.(setup) ?? null;
    return answer === null ? fail('stall', 'endpoint stalled') : Promise.resolve(answer.subarray(0, length));
  }

  read(endpoint: number, length: number, withinMs: number): Promise<Uint8Array | null> {
    const of = this.#endpoint('in', endpoint);
    if (of === null || this.#readers.has(endpoint))
      return fail('other', 'transferIn error: endpoint not found');
    if (length !== of.packetSize) return fail('other', `a read of ${length} bytes loses packets`);
    return new Promise((resolve, reject) => {
      const cancel = this.#clock.after(withinMs, () => this.#readers.get(endpoint)?.done(null));
      this.#readers.set(endpoint, {
        length,
        done: (result) => {
          cancel();
          this.#readers.delete(endpoint);
          if (result instanceof UsbFailure) reject(result);
          else resolve(result);
        },
      });
      this.#serve();
    });
  }

  write(endpoint: number, bytes: Uint8Array, withinMs: number): Promise<void> {
    if (!this.#plugged) return fail('gone', 'transferOut error: Disconnected');
    if (this.#endpoint('out', endpoint) === null)
      return fail('other', 'transferOut error: endpoint not found');
    if (this.#halted === 'out') return fail('stall', 'transferOut error: Stall');
    if (this.#writesHang)
      return new Promise((_, reject) => {
        this.#clock.after(withinMs, () => reject(new UsbFailure('timeout', 'transferOut error: Cancelled')));
      });
    const taken = Uint8Array.from(bytes);
    this.log.push(`out ${hex(taken)}`);
    this.#unit.onOut?.(taken, (packet) => this.say(packet));
    return Promise.resolve();
  }

  clearHalt(direction: 'in' | 'out', endpoint: number): Promise<void> {
    if (this.#endpoint(direction, endpoint) === null)
      return fail('other', 'clearHalt error: endpoint not found');
    this.log.push(`clear ${direction}`);
    if (--this.#haltsLeft <= 0) this.#halted = null;
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.#opened = false;
    this.log.push('close');
    return Promise.resolve();
  }

  #endpoint(direction: 'in' | 'out', number: number): UsbEndpoint | null {
    for (const one of this.#unit.interfaces)
      if (this.holders.get(one.number) === 'usbfs' || !this.#plugged)
        for (const endpoint of one.endpoints)
          if (endpoint.direction === direction && endpoint.number === number) return endpoint;
    return null;
  }

  #serve(): void {
    for (const reader of this.#readers.values()) {
      if (!this.#plugged) reader.done(new UsbFailure('gone', 'transferIn error: Fault'));
      else if (this.#halted === 'in') reader.done(new UsbFailure('stall', 'transferIn error: Stall'));
      else {
        const packet = this.#packets.shift();
        if (packet !== undefined) reader.done(packet);
      }
    }
  }
}

/** A bus in memory. */
export class SimUsbBus implements UsbBus {
  /** How often it was listed. */
  listings = 0;
  /** Set: the machine has no USB, or another failure of the listing. */
  failure: UsbFailure | null = null;
  readonly #clock: DeviceClock;
  readonly #devices = new Set<SimUsbDevice>();
  #address = 1;

  constructor(clock: DeviceClock) {
    this.#clock = clock;
  }

  plug(unit: SimUsbUnit): SimUsbDevice {
    const device = new SimUsbDevice(unit, this.#address++, this.#clock);
    this.#devices.add(device);
    return device;
  }

  unplug(device: SimUsbDevice): void {
    this.#devices.delete(device);
    device.pull();
  }

  list(): Promise<readonly UsbDevice[]> {
    this.listings++;
    return this.failure === null ? Promise.resolve([...this.#devices]) : Promise.reject(this.failure);
  }
}
