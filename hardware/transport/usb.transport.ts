import type { ByteTransport, SerialLine } from '../ports.ts';
import {
  systemUsbBus,
  type UsbBus,
  type UsbDevice,
  UsbFailure,
  type UsbHandle,
  usbFailureOf,
} from './usb-bus.ts';
import type { UsbCarrier, UsbCarrierName } from './usb-carrier.ts';
import { cdcAcm } from './usb-cdc-acm.ts';
import { cp210x } from './usb-cp210x.ts';
import { claimOf, usbSentence } from './usb-devices.ts';
import { ftdi } from './usb-ftdi.ts';
import { hid } from './usb-hid.ts';
import { usbPrinter } from './usb-printer.ts';
import { isNamedBy, type UsbSelector, usbSelectorText } from './usb-selector.ts';

/**
 * A read cannot be called back, so close() waits this long at most until the device is free again,
 * milliseconds.
 */
const READ_WITHIN_MS = 1000;

/** Stalls in a row, with nothing read between them, before the device is given up. */
const STALL_LIMIT = 5;

export interface UsbOptions {
  /** Left out: as the device's ids say, else as its interface classes say. */
  readonly carrier?: UsbCarrierName;
  /** FTDI and CP210x need one; CDC-ACM may go without; HID has none. */
  readonly line: SerialLine | null;
  readonly bus?: UsbBus;
}

/** What a USB transport has seen since it was opened. */
export interface UsbCounts {
  readonly packets: number;
  /**
   * Packets without a byte of the device's: an FTDI's status alone, the empty packet after a full
   * HID report.
   */
  readonly emptyPackets: number;
  readonly stalls: number;
  readonly lineErrors: number;
}

export interface UsbTransport extends ByteTransport {
  counts(): UsbCounts;
}

type Handlers = Parameters<ByteTransport['open']>[0];

/** Devices that a transport of this process is still letting go of, by bus and device. */
const closing = new WeakMap<UsbBus, Map<string, Promise<void>>>();

class Usb implements UsbTransport {
  readonly name: string;
  readonly #selector: UsbSelector;
  readonly #options: UsbOptions;
  readonly #bus: UsbBus;
  #used = false;
  #ending = false;
  #device: UsbDevice | null = null;
  #handle: UsbHandle | null = null;
  #carrier: UsbCarrier | null = null;
  readonly #claimed: number[] = [];
  readonly #detached: number[] = [];
  #handlers: Handlers | null = null;
  #opening: Promise<void> = Promise.resolve();
  #reading: Promise<void> = Promise.resolve();
  #writing: Promise<void> = Promise.resolve();
  #closed: Promise<void> | null = null;
  #packets = 0;
  #emptyPackets = 0;
  #stalls = 0;

  constructor(selector: UsbSelector, options: UsbOptions) {
    this.#selector = selector;
    this.#options = options;
    this.#bus = options.bus ?? systemUsbBus;
    this.name = `usb:${usbSelectorText(selector)}`;
  }

  counts(): UsbCounts {
    return {
      packets: this.#packets,
      emptyPackets: this.#emptyPackets,
      stalls: this.#stalls,
      lineErrors: this.#carrier?.lineErrors() ?? 0,
    };
  }

  async open(handlers: Handlers): Promise<void> {
    if (this.#used) throw new Error(`${this.name}: already open`);
    this.#used = true;
    const opening = this.#open();
    this.#opening = opening.catch(() => {});
    try {
      await opening;
      if (this.#ending) throw new UsbFailure('other', 'closed while it was being opened');
    } catch (error) {
      const reason = this.#reason(error);
      await this.close();
      throw new Error(reason);
    }
    this.#handlers = handlers;
    this.#reading = this.#read();
  }

  write(bytes: Uint8Array): Promise<void> {
    // A copy: the package takes the bytes on another thread, later.
    const leaving = Uint8Array.from(bytes);
    const written = this.#writing.then(() => this.#write(leaving));
    this.#writing = written.catch(() => {});
    return written;
  }

  close(): Promise<void> {
    this.#ending = true;
    this.#handlers = null;
    this.#closed ??= this.#letGo();
    return this.#closed;
  }

  async #open(): Promise<void> {
    const device = await this.#find();
    if (this.#ending) return;
    this.#device = device;
    // An earlier transport to it may be waiting for its last read.
    await closing.get(this.#bus)?.get(device.id);
    const handle = await device.open();
    this.#handle = handle;
    const carrier = this.#carrierOf(device, handle);
    this.#carrier = carrier;
    await this.#claim(handle, carrier.interfaces);
    await carrier.setUp(handle);
  }

  async #find(): Promise<UsbDevice> {
    const { vendorId, productId } = this.#selector;
    const alike = (await this.#bus.list()).filter(
      (device) => device.vendorId === vendorId && device.productId === productId,
    );
    const found = alike.filter((device) => isNamedBy(this.#selector, device));
    if (found.length === 1) return found[0]!;
    const named = (devices: readonly UsbDevice[]): string => devices.map(nameOf).toSorted().join(', ');
    if (found.length > 1)
      throw new UsbFailure('other', `fits ${found.length} devices, name one of them: ${named(found)}`);
    throw new UsbFailure(
      'other',
      alike.length === 0
        ? 'absent: no such device is plugged in'
        : `absent: plugged in with the same ids: ${named(alike)}`,
    );
  }

  #carrierOf(device: UsbDevice, handle: UsbHandle): UsbCarrier {
    const interfaces = handle.interfaces();
    const has = (code: number): boolean => interfaces.some(({ classCode }) => classCode === code);
    const byClass = has(3) ? 'hid' : has(2) && has(10) ? 'cdc-acm' : has(7) ? 'printer' : null;
    const name = this.#options.carrier ?? claimOf(device.vendorId, device.productId)?.carrier ?? byClass;
    if (name === null)
      throw new UsbFailure('other', 'neither its ids nor its interfaces tell the carrier: name it');
    const { line } = this.#options;
    if (line === null && (name === 'ftdi' || name === 'cp210x'))
      throw new UsbFailure('other', `carrier ${name} needs baud, data bits, parity and stop bits`);
    const carrier =
      name === 'hid'
        ? hid(interfaces)
        : name === 'cdc-acm'
          ? cdcAcm(interfaces, line)
          : name === 'printer'
            ? usbPrinter(interfaces)
            : (name === 'ftdi' ? ftdi : cp210x)(interfaces, line!);
    if (carrier === null) throw new UsbFailure('other', `the device has no interfaces for carrier ${name}`);
    return carrier;
  }

  async #claim(handle: UsbHandle, numbers: readonly number[]): Promise<void> {
    const holders = await Promise.all(numbers.map((number) => handle.holder(number)));
    // detach() would take them away from another program without a word.
    const taken = numbers.find((_, i) => holders[i] === 'usbfs');
    if (taken !== undefined) throw new UsbFailure('busy', `interface ${taken}`);
    for (const number of numbers) {
      // Asked again: a driver of two interfaces leaves both.
      if ((await handle.holder(number)) !== null) {
        await handle.detach(number);
        this.#detached.push(number);
      }
      await handle.claim(number);
      this.#claimed.push(number);
    }
  }

  /**
   * One packet at a time: of a longer read that times out after a full packet, usb 3.1.0 throws the
   * packet away.
   */
  async #read(): Promise<void> {
    const [handle, carrier] = [this.#handle!, this.#carrier!];
    let stallsInARow = 0;
    while (!this.#ending) {
      let packet: Uint8Array | null;
      try {
        packet = await handle.read(carrier.in.number, carrier.in.packetSize, READ_WITHIN_MS);
      } catch (error) {
        const failure = usbFailureOf(error);
        if (failure.problem !== 'stall' || stallsInARow++ >= STALL_LIMIT) return this.#lose(failure);
        this.#stalls++;
        try {
          await handle.clearHalt('in', carrier.in.number);
        } catch (haltError) {
          return this.#lose(haltError);
        }
        continue;
      }
      if (packet === null) continue;
      stallsInARow = 0;
      this.#packets++;
      const bytes = carrier.payload(packet);
      if (bytes.length === 0) this.#emptyPackets++;
      else this.#handlers?.onBytes(bytes);
    }
  }

  async #write(bytes: Uint8Array): Promise<void> {
    const [handle, carrier] = [this.#handle, this.#carrier];
    if (this.#ending || this.#handlers === null || handle === null || carrier === null)
      throw new Error(`${this.name}: closed`);
    try {
      try {
        await carrier.send(handle, bytes);
      } catch (error) {
        if (!(error instanceof UsbFailure) || error.problem !== 'stall' || carrier.out === null) throw error;
        this.#stalls++;
        await handle.clearHalt('out', carrier.out.number);
        await carrier.send(handle, bytes);
      }
    } catch (error) {
      // Bytes that do not fit a report have harmed nothing but their sender.
      if (error instanceof RangeError) throw error;
      const reason = this.#reason(error);
      this.#lose(error);
      throw new Error(reason);
    }
  }

  #lose(error: unknown): void {
    const handlers = this.#handlers;
    if (this.#ending || handlers === null) return;
    const reason = this.#reason(error);
    void this.close();
    handlers.onClose(reason);
  }

  #reason(error: unknown): string {
    const failure =
      error instanceof RangeError ? new UsbFailure('other', error.message) : usbFailureOf(error);
    return `${this.name}: ${usbSentence(failure, this.#device)}`;
  }

  /**
   * Ends what is under way, gives the interfaces back to the kernel and the device to the next one.
   * Never rejects.
   */
  #letGo(): Promise<void> {
    const gone = this.#giveBack();
    const [device, bus] = [this.#device, this.#bus];
    if (device !== null) {
      const devices = closing.get(bus) ?? new Map<string, Promise<void>>();
      closing.set(bus, devices.set(device.id, gone));
      void gone.then(() => {
        if (devices.get(device.id) === gone) devices.delete(device.id);
      });
    }
    return gone;
  }

  async #giveBack(): Promise<void> {
    await this.#opening;
    await this.#reading;
    await this.#writing;
    const handle = this.#handle;
    this.#handle = null;
    if (handle === null) return;
    // Whatever fails here fails because the device is gone.
    const quietly = (work: Promise<void>): Promise<void> => work.catch(() => {});
    for (const number of this.#claimed) await quietly(handle.release(number));
    for (const number of this.#detached) await quietly(handle.attach(number));
    await quietly(handle.close());
  }
}

function nameOf(device: UsbDevice): string {
  const serial = device.serial();
  return usbSelectorText({
    vendorId: device.vendorId,
    productId: device.productId,
    port: device.port,
    ...(serial === null || serial === '' ? {} : { serial }),
  });
}

/**
 * Opens a USB device as a stream of bytes, or of reports for HID; a fresh transport, and the device
 * as it is plugged in then, at every call. What stands in the way is one sentence: in the rejection
 * of open(), or as the reason of onClose().
 */
export function usbTransport(selector: UsbSelector, options: UsbOptions): () => UsbTransport {
  return () => new Usb(selector, options);
}
