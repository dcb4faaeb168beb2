import { readlink } from 'node:fs/promises';
import { basename } from 'node:path';

/**
 * What stands in the way:
 * - `no-bus` the machine has no USB; `denied` the system does not let this account open the device;
 * - `busy` somebody else has claimed it; `gone` it was unplugged, or broke off;
 * - `stall` the endpoint refuses; `timeout` no answer in time; `other` as the text says.
 */
export type UsbProblem = 'no-bus' | 'denied' | 'busy' | 'gone' | 'stall' | 'timeout' | 'other';

export class UsbFailure extends Error {
  readonly problem: UsbProblem;

  constructor(problem: UsbProblem, text: string) {
    super(text);
    this.problem = problem;
  }
}

export interface UsbEndpoint {
  readonly number: number;
  readonly direction: 'in' | 'out';
  readonly type: 'bulk' | 'interrupt' | 'isochronous' | 'control';
  /** Largest packet, bytes. */
  readonly packetSize: number;
}

export interface UsbInterface {
  readonly number: number;
  /** USB-IF class code: 2 and 10 CDC, 3 HID, 255 the vendor's own. */
  readonly classCode: number;
  readonly endpoints: readonly UsbEndpoint[];
}

/** bmRequestType in two words, bRequest, wValue and wIndex of a control request. */
export interface UsbSetup {
  readonly type: 'standard' | 'class' | 'vendor';
  readonly recipient: 'device' | 'interface';
  readonly request: number;
  readonly value: number;
  readonly index: number;
}

/** An open device. Every method that fails rejects with a UsbFailure. */
export interface UsbHandle {
  /** Interfaces of the active configuration, first alternate setting. */
  interfaces(): readonly UsbInterface[];
  /**
   * Who has the interface now, as the kernel calls it (`cdc_acm`, `usbfs` = some program); null =
   * nobody.
   */
  holder(interfaceNumber: number): Promise<string | null>;
  /**
   * Takes the interface away from whoever holds it, another program included: ask holder() first.
   */
  detach(interfaceNumber: number): Promise<void>;
  /** Gives a free interface back to the kernel's driver. */
  attach(interfaceNumber: number): Promise<void>;
  claim(interfaceNumber: number): Promise<void>;
  release(interfaceNumber: number): Promise<void>;
  controlOut(setup: UsbSetup, data: Uint8Array): Promise<void>;
  controlIn(setup: UsbSetup, length: number): Promise<Uint8Array>;
  /** One IN transfer; null when nothing came in time. One at a time for each endpoint. */
  read(endpoint: number, length: number, withinMs: number): Promise<Uint8Array | null>;
  write(endpoint: number, bytes: Uint8Array, withinMs: number): Promise<void>;
  clearHalt(direction: 'in' | 'out', endpoint: number): Promise<void>;
  close(): Promise<void>;
}

/** One device as it is plugged in now; the same unit plugged in again is another UsbDevice. */
export interface UsbDevice {
  /** Another one at every plug. */
  readonly id: string;
  readonly vendorId: number;
  readonly productId: number;
  /** Bus and ports, as in `1-2.3`. */
  readonly port: string;
  /** The device node whose permissions count. */
  readonly node: string;
  /** Texts are null where the device does not give them up. */
  serial(): string | null;
  manufacturer(): string | null;
  product(): string | null;
  open(): Promise<UsbHandle>;
}

export interface UsbBus {
  /** What is plugged in now; rejects with a UsbFailure. */
  list(): Promise<readonly UsbDevice[]>;
}

// ---- the `usb` package (3.1.0, nusb) ----

type PackageSetup = {
  requestType: UsbSetup['type'];
  recipient: UsbSetup['recipient'];
  request: number;
  value: number;
  index: number;
};

/**
 * What we use of the package. Its own types lack the third parameter of the transfers, which has
 * been there since 3.0.
 */
export interface PackageDevice {
  readonly vendorId: number;
  readonly productId: number;
  readonly bus: string;
  readonly address: number;
  readonly ports: readonly number[];
  readonly manufacturerName: string | null;
  readonly productName: string | null;
  readonly serialNumber: string | null;
  readonly configuration: {
    readonly configurationValue: number;
    readonly interfaces: readonly {
      readonly interfaceNumber: number;
      readonly alternate: {
        readonly interfaceClass: number;
        readonly endpoints: readonly {
          readonly endpointNumber: number;
          readonly direction: 'in' | 'out';
          readonly type: UsbEndpoint['type'];
          readonly packetSize: number;
        }[];
      };
    }[];
  };
  open(): Promise<void>;
  close(): Promise<void>;
  claimInterface(interfaceNumber: number): Promise<void>;
  releaseInterface(interfaceNumber: number): Promise<void>;
  detachKernelDriver(interfaceNumber: number): Promise<void>;
  attachKernelDriver(interfaceNumber: number): Promise<void>;
  controlTransferIn(
    setup: PackageSetup,
    length: number,
    timeoutMs: number,
  ): Promise<{ readonly data?: DataView | undefined }>;
  controlTransferOut(setup: PackageSetup, data: Uint8Array, timeoutMs: number): Promise<unknown>;
  transferIn(
    endpoint: number,
    length: number,
    timeoutMs: number,
  ): Promise<{ readonly data?: DataView | undefined }>;
  transferOut(
    endpoint: number,
    data: Uint8Array,
    timeoutMs: number,
  ): Promise<{ readonly bytesWritten: number }>;
  clearHalt(direction: 'in' | 'out', endpoint: number): Promise<void>;
}

export interface UsbPackage {
  readonly usb: { getDevices(): Promise<readonly PackageDevice[]> };
}

// Loaded when it is first asked for: a terminal without USB never needs it.
const loadPackage = async (): Promise<UsbPackage> => (await import('usb')) as unknown as UsbPackage;

const CONTROL_WITHIN_MS = 1000;

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

// The package gives every error the same code, GenericFailure: only its text says which it is.
const PROBLEMS: readonly (readonly [RegExp, UsbProblem])[] = [
  [/\/sys\/bus\/usb\/devices\/ not found/, 'no-bus'],
  [/Cancelled|transfer was cancelled/, 'timeout'],
  [/permission denied|\(errno 13\)/, 'denied'],
  [/is busy|\(errno 16\)/, 'busy'],
  [/stall/i, 'stall'],
  // A virtual host controller ends a read of a pulled device with Fault, a real one with
  // Disconnected.
  [/Disconnected|disconnected|Fault|hardware fault|device not found|\(errno (?:19|108)\)/, 'gone'],
];

/** The package's error as one of ours. */
export function usbFailureOf(error: unknown): UsbFailure {
  if (error instanceof UsbFailure) return error;
  const text = textOf(error);
  return new UsbFailure(PROBLEMS.find(([pattern]) => pattern.test(text))?.[1] ?? 'other', text);
}

async function failing<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw usbFailureOf(error);
  }
}

const bytesOf = (data: DataView | undefined): Uint8Array =>
  data === undefined
    ? new Uint8Array(0)
    : new Uint8Array(data.buffer as ArrayBuffer, data.byteOffset, data.byteLength);

class PackageHandle implements UsbHandle {
  readonly #device: PackageDevice;
  readonly #port: string;
  readonly #onClosed: () => void;
  #configuration: PackageDevice['configuration'] | null = null;

  constructor(device: PackageDevice, port: string, onClosed: () => void) {
    this.#device = device;
    this.#port = port;
    this.#onClosed = onClosed;
  }

  // The getter reads every name of an interface from the device, on this thread: once is enough.
  #configurationOnce(): PackageDevice['configuration'] {
    try {
      this.#configuration ??= this.#device.configuration;
      return this.#configuration;
    } catch (error) {
      throw usbFailureOf(error);
    }
  }

  interfaces(): readonly UsbInterface[] {
    return this.#configurationOnce().interfaces.map(({ interfaceNumber, alternate }) => ({
      number: interfaceNumber,
      classCode: alternate.interfaceClass,
      endpoints: alternate.endpoints.map(({ endpointNumber, direction, type, packetSize }) => ({
        number: endpointNumber,
        direction,
        type,
        packetSize,
      })),
    }));
  }

  async holder(interfaceNumber: number): Promise<string | null> {
    const name = `${this.#port}:${this.#configurationOnce().configurationValue}.${interfaceNumber}`;
    try {
      return basename(await readlink(`/sys/bus/usb/devices/${name}/driver`));
    } catch {
      return null;
    }
  }

  detach(interfaceNumber: number): Promise<void> {
    return failing(this.#device.detachKernelDriver(interfaceNumber));
  }
  attach(interfaceNumber: number): Promise<void> {
    return failing(this.#device.attachKernelDriver(interfaceNumber));
  }
  claim(interfaceNumber: number): Promise<void> {
    return failing(this.#device.claimInterface(interfaceNumber));
  }
  release(interfaceNumber: number): Promise<void> {
    return failing(this.#device.releaseInterface(interfaceNumber));
  }

  async controlOut({ type, ...setup }: UsbSetup, data: Uint8Array): Promise<void> {
    await failing(this.#device.controlTransferOut({ requestType: type, ...setup }, data, CONTROL_WITHIN_MS));
  }

  async controlIn({ type, ...setup }: UsbSetup, length: number): Promise<Uint8Array> {
    const request = { requestType: type, ...setup };
    return bytesOf((await failing(this.#device.controlTransferIn(request, length, CONTROL_WITHIN_MS))).data);
  }

  async read(endpoint: number, length: number, withinMs: number): Promise<Uint8Array | null> {
    try {
      return bytesOf((await this.#device.transferIn(endpoint, length, withinMs)).data);
    } catch (error) {
      const failure = usbFailureOf(error);
      if (failure.problem === 'timeout') return null;
      throw failure;
    }
  }

  async write(endpoint: number, bytes: Uint8Array, withinMs: number): Promise<void> {
    const { bytesWritten } = await failing(this.#device.transferOut(endpoint, bytes, withinMs));
    if (bytesWritten !== bytes.length)
      throw new UsbFailure('other', `${bytesWritten} of ${bytes.length} bytes were taken`);
  }

  clearHalt(direction: 'in' | 'out', endpoint: number): Promise<void> {
    return failing(this.#device.clearHalt(direction, endpoint));
  }

  async close(): Promise<void> {
    this.#onClosed();
    await failing(this.#device.close());
  }
}

// A string getter opens the device where the system does not know the string, and throws when that
// fails.
function stringOf(read: () => string | null): string | null {
  try {
    return read();
  } catch {
    return null;
  }
}

const TEXTS = ['serialNumber', 'manufacturerName', 'productName'] as const;
type TextName = (typeof TEXTS)[number];

class BusDevice implements UsbDevice {
  readonly id: string;
  readonly vendorId: number;
  readonly productId: number;
  readonly port: string;
  readonly node: string;
  readonly #device: PackageDevice;
  readonly #texts = new Map<TextName, string | null>();
  #open = false;

  constructor(device: PackageDevice) {
    const bus = Number(device.bus);
    this.#device = device;
    this.vendorId = device.vendorId;
    this.productId = device.productId;
    this.port = `${bus}-${device.ports.join('.')}`;
    this.node = `/dev/bus/usb/${device.bus}/${String(device.address).padStart(3, '0')}`;
    // The kernel counts addresses up with every plug.
    this.id = `${this.port}#${device.address}`;
  }

  serial(): string | null {
    return this.#text('serialNumber');
  }
  manufacturer(): string | null {
    return this.#text('manufacturerName');
  }
  product(): string | null {
    return this.#text('productName');
  }

  #text(name: TextName): string | null {
    const known = this.#texts.get(name);
    if (known !== undefined) return known;
    const text = stringOf(() => this.#device[name]);
    this.#texts.set(name, text);
    return text;
  }

  async open(): Promise<UsbHandle> {
    // Two handles on one object of the package would take each other's interfaces away.
    if (this.#open) throw new UsbFailure('busy', 'already open in this process');
    this.#open = true;
    // Others have this object, too, and in use the package gives no string of it ("cannot be
    // borrowed mutably"): one read in eight, measured.
    for (const name of TEXTS) this.#text(name);
    try {
      await failing(this.#device.open());
    } catch (error) {
      this.#open = false;
      throw error;
    }
    return new PackageHandle(this.#device, this.port, () => {
      this.#open = false;
    });
  }
}

/** The machine's own bus through the `usb` package. */
export function packageUsbBus(load: () => Promise<UsbPackage> = loadPackage): UsbBus {
  return {
    async list() {
      let loaded: UsbPackage;
      try {
        loaded = await load();
      } catch (error) {
        throw new UsbFailure('other', `the usb package cannot be loaded: ${textOf(error).split('\n')[0]}`);
      }
      return (await failing(loaded.usb.getDevices())).map((device) => new BusDevice(device));
    },
  };
}

/** How old a listing may be that is given out again, milliseconds. */
export const LISTING_MS = 1000;

/**
 * One listing for everybody who asks within LISTING_MS, so any number of devices waiting to be
 * plugged in again costs one. Hot-plug events are not used: they need systemd-udevd, come up to 2.7
 * s late, get lost when a plug follows an unplug at once, and listening for them without a USB bus
 * ends Node.
 */
export function sharedUsbBus(bus: UsbBus, nowMs: () => number = () => performance.now()): UsbBus {
  let listing: Promise<readonly UsbDevice[]> | null = null;
  let askedAtMs = 0;
  return {
    list() {
      if (listing === null || nowMs() - askedAtMs >= LISTING_MS) {
        askedAtMs = nowMs();
        listing = bus.list();
      }
      return listing;
    },
  };
}

export const systemUsbBus: UsbBus = sharedUsbBus(packageUsbBus());
