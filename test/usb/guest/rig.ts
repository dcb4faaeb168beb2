/** What the tests in the guest share: the two benches of devices, waiting, and gadgets. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { OpenTransport, SerialLine } from '../../../hardware/ports.ts';
import { usbTransport } from '../../../hardware/transport/usb.transport.ts';
import type { UsbCarrierName } from '../../../hardware/transport/usb-carrier.ts';
import { parseUsbSelector } from '../../../hardware/transport/usb-selector.ts';
import type { Inside } from '../bench/bench-inside.ts';
import type { Outside } from '../bench/bench-outside.ts';
import { openDeviceFile } from '../bench/device-file.ts';
import { Calls, type Remote } from '../calls.ts';

type Bench<T> = { readonly [K in keyof T]: Remote<T[K]> };

const bench = <T extends object>(calls: Calls): Bench<T> =>
  new Proxy({}, { get: (_, name) => calls.on(String(name)) }) as Bench<T>;

function openInside(): Bench<Inside> {
  const child = spawn(process.execPath, ['/rig/bench-inside.js'], { stdio: ['pipe', 'pipe', 'inherit'] });
  return bench<Inside>(new Calls(child.stdout, child.stdin));
}

function openOutside(): Bench<Outside> {
  const [port] = globSync('/dev/vport*');
  assert.ok(port, 'a virtio port');
  const { input, output } = openDeviceFile(port, null);
  return bench<Outside>(new Calls(input, output));
}

export const inside = openInside();
export const outside = openOutside();

/** Long, because a step of a guest without hardware help takes long on a machine that is busy with others. */
const LIMIT_MS = 60_000;

/** The first answer of `look` that is not null, undefined or false. */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
  limitMs = LIMIT_MS,
): Promise<NonNullable<T>> {
  for (const end = performance.now() + limitMs; performance.now() < end; await sleep(20)) {
    const found = await look();
    if (found !== null && found !== undefined && found !== false) return found;
  }
  assert.fail(`never: ${what}`);
}

/** 8 data bits, even parity, as JCM's units come. */
export const LINE_8E1: SerialLine = { baud: 9600, dataBits: 8, parity: 'even', stopBits: 1 };

/** MEI/CPI's units. */
export const LINE_7E1: SerialLine = { ...LINE_8E1, dataBits: 7 };

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

  constructor(
    controller: number,
    productId: number,
    serial: string,
    fn: string,
    attributes: Readonly<Record<string, string | Uint8Array>> = {},
  ) {
    this.#dir = join(GADGETS, serial);
    this.#controller = `dummy_udc.${controller}`;
    const put = (path: string, value: string | Uint8Array): void =>
      writeFileSync(join(this.#dir, path), value);
    mkdirSync(this.#dir);
    put('idVendor', '0x1209');
    put('idProduct', `0x${productId.toString(16)}`);
    for (const folder of ['strings/0x409', 'configs/c.1', `functions/${fn}`])
      mkdirSync(join(this.#dir, folder), { recursive: true });
    put('strings/0x409/manufacturer', 'Banca USB rig');
    put('strings/0x409/product', serial);
    put('strings/0x409/serialnumber', serial);
    for (const [name, value] of Object.entries(attributes)) put(`functions/${fn}/${name}`, value);
    symlinkSync(join(this.#dir, 'functions', fn), join(this.#dir, 'configs/c.1', fn));
  }

  /** Minor number of the function's character device: 1 in /dev/hidg1. */
  minorOf(fn: string): number {
    return Number(readFileSync(join(this.#dir, 'functions', fn, 'dev'), 'utf8').split(':')[1]);
  }

  plug(): void {
    writeFileSync(join(this.#dir, 'UDC'), this.#controller);
  }

  unplug(): void {
    writeFileSync(join(this.#dir, 'UDC'), '\n');
  }
}

export const untilFile = (path: string): Promise<unknown> => until(path, () => existsSync(path));

const withSerial = (serial: string): string | undefined =>
  readdirSync(BUS).find((port) => {
    try {
      return readFileSync(join(BUS, port, 'serial'), 'utf8').trim() === serial;
    } catch {
      // It has none, or was unplugged in this moment.
      return false;
    }
  });

/** Who holds the first interface of the device with this serial number: a kernel driver, `usbfs` = a program; null: nobody. */
export function kernelDriverOf(serial: string): string | null {
  try {
    return basename(readlinkSync(join(BUS, `${withSerial(serial)}:1.0`, 'driver')));
  } catch {
    return null;
  }
}

/** After a plug: a program that waits for the device may take it from the kernel's driver before we look. */
export const untilBound = (serial: string): Promise<unknown> =>
  until('the kernel has the device', () => kernelDriverOf(serial));

/** Whether the kernel may bind the first interface of the device with this serial number; null where there is none. */
export function isAuthorized(serial: string): boolean | null {
  try {
    return readFileSync(join(BUS, `${withSerial(serial)}:1.0`, 'authorized'), 'utf8').trim() === '1';
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
