/** What the tests in the guest share: the two benches of devices, waiting, and gadgets. */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import type { OpenTransport, SerialLine } from '../../../hardware/ports.ts';
import { usbTransport } from '../../../hardware/transport/usb.transport.ts';
import type { UsbCarrierName } from '../../../hardware/transport/usb-carrier.ts';
import { parseUsbSelector } from '../../../hardware/transport/usb-selector.ts';
import { until } from '../../support/until.ts';
import { Calls, type Remote } from '../calls.ts';
import { openDeviceFile } from '../players/device-file.ts';
import type { Inside } from '../players/players-inside.ts';
import type { Outside } from '../players/players-outside.ts';

type Players<T> = { readonly [K in keyof T]: Remote<T[K]> };

const players = <T extends object>(calls: Calls): Players<T> =>
  new Proxy({}, { get: (_, name) => calls.on(String(name)) }) as Players<T>;

function openInside(): Players<Inside> {
  const child = spawn(process.execPath, ['/rig/players-inside.js'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  return players<Inside>(new Calls(child.stdout, child.stdin));
}

function openOutside(): Players<Outside> {
  const [port] = globSync('/dev/vport*');
  assert.ok(port, 'a virtio port');
  const { input, output } = openDeviceFile(port, null);
  return players<Outside>(new Calls(input, output));
}

export const inside = openInside();
export const outside = openOutside();

/** 8 data bits, even parity, as JCM's units come. */
export const LINE_8E1: SerialLine = { baud: 9600, dataBits: 8, parity: 'even', stopBits: 1 };

/** MEI/CPI's units. */
export const LINE_7E1: SerialLine = { ...LINE_8E1, dataBits: 7 };

/** A ccTalk unit's. */
export const LINE_8N1: SerialLine = { ...LINE_8E1, parity: 'none' };

/** Innovative Technology's. */
export const LINE_8N2: SerialLine = { ...LINE_8E1, parity: 'none', stopBits: 2 };

/** The project's own transport to `selector`. */
export function usb(selector: string, line: SerialLine | null, carrier?: UsbCarrierName): OpenTransport {
  const parsed = parseUsbSelector(selector);
  assert.ok(parsed.ok, JSON.stringify(parsed));
  return usbTransport(parsed.selector, carrier === undefined ? { line } : { line, carrier });
}

const BUS = '/sys/bus/usb/devices';
const GADGETS = '/sys/kernel/config/usb_gadget';

/** A gadget: the kernel plays the device, on one of its virtual controllers. */
export class Gadget {
  readonly #dir: string;
  readonly #controller: string;

  /** `functions`: each interface of the device, or pair of them, with its attributes. */
  constructor(
    controller: number,
    [vendorId, productId]: readonly [number, number],
    serial: string,
    functions: Readonly<Record<string, Readonly<Record<string, string | Uint8Array>>>>,
  ) {
    this.#dir = join(GADGETS, serial);
    this.#controller = `dummy_udc.${controller}`;
    const put = (path: string, value: string | Uint8Array): void =>
      writeFileSync(join(this.#dir, path), value);
    mkdirSync(this.#dir);
    put('idVendor', `0x${vendorId.toString(16)}`);
    put('idProduct', `0x${productId.toString(16)}`);
    for (const folder of ['strings/0x409', 'configs/c.1'])
      mkdirSync(join(this.#dir, folder), { recursive: true });
    put('strings/0x409/manufacturer', 'Banca USB rig');
    put('strings/0x409/product', serial);
    put('strings/0x409/serialnumber', serial);
    for (const [fn, attributes] of Object.entries(functions)) {
      mkdirSync(join(this.#dir, 'functions', fn), { recursive: true });
      for (const [name, value] of Object.entries(attributes)) put(`functions/${fn}/${name}`, value);
      symlinkSync(join(this.#dir, 'functions', fn), join(this.#dir, 'configs/c.1', fn));
    }
  }

  /** An attribute that the kernel has given the function. */
  read(fn: string, attribute: string): string {
    return readFileSync(join(this.#dir, 'functions', fn, attribute), 'utf8').trim();
  }

  /** Minor number of the function's character device: 1 in /dev/hidg1. */
  minorOf(fn: string): number {
    return Number(this.read(fn, 'dev').split(':')[1]);
  }

  plug(): void {
    writeFileSync(join(this.#dir, 'UDC'), this.#controller);
  }

  unplug(): void {
    writeFileSync(join(this.#dir, 'UDC'), '\n');
  }

  /** Gives its functions back, of which the kernel has four of HID. */
  remove(): void {
    if (readFileSync(join(this.#dir, 'UDC'), 'utf8').trim() !== '') this.unplug();
    for (const fn of readdirSync(join(this.#dir, 'functions'))) {
      unlinkSync(join(this.#dir, 'configs/c.1', fn));
      rmdirSync(join(this.#dir, 'functions', fn));
    }
    for (const folder of ['configs/c.1', 'strings/0x409', '']) rmdirSync(join(this.#dir, folder));
  }
}

/** The guest's udev comes with a library of its own. */
export const udevadm = (...args: string[]): Promise<unknown> =>
  promisify(execFile)('/bin/udevadm', args, { env: { LD_LIBRARY_PATH: '/lib/udev-libs' } });

export const untilFile = (path: string): Promise<unknown> => until(path, () => existsSync(path));

export const withSerial = (serial: string): string | undefined =>
  readdirSync(BUS).find((port) => {
    try {
      return readFileSync(join(BUS, port, 'serial'), 'utf8').trim() === serial;
    } catch {
      // It has none, or was unplugged in this moment.
      return false;
    }
  });

/**
 * Who holds the first interface of the device with this serial number: a kernel driver, `usbfs` = a
 * program; null: nobody.
 */
export function kernelDriverOf(serial: string): string | null {
  try {
    return basename(readlinkSync(join(BUS, `${withSerial(serial)}:1.0`, 'driver')));
  } catch {
    return null;
  }
}

/**
 * Whether the device with this serial number may be used, and each of its interfaces; null where it
 * is not there.
 */
export function authorized(
  serial: string,
): { readonly device: boolean; readonly interfaces: readonly boolean[] } | null {
  const port = withSerial(serial);
  if (port === undefined) return null;
  const isAuthorized = (name: string): boolean =>
    readFileSync(join(BUS, name, 'authorized'), 'utf8').trim() === '1';
  try {
    const interfaces = readdirSync(join(BUS, port)).filter((name) => name.startsWith(`${port}:`));
    return { device: isAuthorized(port), interfaces: interfaces.toSorted().map(isAuthorized) };
  } catch {
    return null;
  }
}

export const untilAuthorized = (serial: string): Promise<unknown> =>
  until(`${serial} may be used`, () => {
    const { interfaces = [] } = authorized(serial) ?? {};
    return interfaces.length > 0 && !interfaces.includes(false);
  });

/**
 * Has the kernel look for drivers of its own, which the rules keep it from for devices that are the
 * terminal's.
 */
export function probe(serial: string): void {
  const port = withSerial(serial);
  for (const name of port === undefined ? [] : readdirSync(join(BUS, port)))
    if (name.startsWith(`${port}:`)) writeFileSync('/sys/bus/usb/drivers_probe', name);
}

/**
 * After a plug: the kernel's driver has the device, as on a machine where its module was loaded
 * later. A program that waits for the device may take it from there before we look.
 */
export async function untilBound(serial: string): Promise<void> {
  await untilAuthorized(serial);
  await until('the kernel has the device', () => {
    if (kernelDriverOf(serial) === null) probe(serial);
    return kernelDriverOf(serial);
  });
}

/**
 * What the kernel offers to programs of the device with this serial number: its inputs, network
 * cards, disks, terminals.
 */
export function offersOf(serial: string): string[] {
  const port = withSerial(serial);
  return port === undefined
    ? []
    : globSync(`**/{input,net,block,tty,hidraw}/*`, { cwd: realpathSync(join(BUS, port)) });
}

/** The input of the kernel on the device with this serial number, as a path below it. */
export const inputOf = (serial: string): string | undefined =>
  offersOf(serial).find((path) => /\/input\d+$/.test(path));

/** An attribute below the device with this serial number; null where it is not there. */
export function readAttribute(serial: string, path: string): string | null {
  try {
    return readFileSync(join(BUS, withSerial(serial) ?? '', path), 'utf8').trim();
  } catch {
    return null;
  }
}

/** The kernel's own terminal on the device with this serial number. */
export function kernelTtyOf(serial: string): string | undefined {
  const own = join(BUS, `${withSerial(serial)}:1.0`);
  const find = (dir: string): string | undefined =>
    existsSync(dir) ? readdirSync(dir).find((name) => /^tty(USB|ACM)/.test(name)) : undefined;
  const name = find(join(own, 'tty')) ?? find(own);
  return name === undefined ? undefined : `/dev/${name}`;
}
