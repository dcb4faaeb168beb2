import { MODELS, type ModelName } from '../models.ts';
import { systemUsbBus, type UsbBus, type UsbDevice, type UsbFailure, usbFailureOf } from './usb-bus.ts';
import type { UsbCarrierName } from './usb-carrier.ts';
import { usbIds } from './usb-selector.ts';

/** Which of our drivers a device is for; `carrier` null = we cannot carry bytes to it. */
export interface UsbClaim {
  /**
   * `profile`: a bare adapter, which says nothing of what hangs on it. Null = the device is known
   * and no driver is ours.
   */
  readonly driver: ModelName | 'profile' | null;
  readonly carrier: UsbCarrierName | null;
  readonly note: string;
}

type Row = UsbClaim & { readonly vendorId: number; readonly productId: number | null };

const ON_ADAPTERS = 'the profile names its serial number or port and the model that hangs on it';

/** Sources: usb.ids and Linux's driver tables. */
export const KNOWN_USB: readonly Row[] = [
  ...Object.entries(MODELS).flatMap(([name, { usb }]) =>
    usb.map((ids): Row => ({ ...ids, driver: name as ModelName })),
  ),
  {
    vendorId: 0x0403,
    productId: 0x6001,
    driver: 'profile',
    carrier: 'ftdi',
    note: `FT232R adapter: ${ON_ADAPTERS}`,
  },
  {
    vendorId: 0x10c4,
    productId: 0xea60,
    driver: 'profile',
    carrier: 'cp210x',
    note: `CP210x adapter: ${ON_ADAPTERS}`,
  },
  {
    vendorId: 0x067b,
    productId: 0x2303,
    driver: null,
    carrier: null,
    note: 'Prolific adapter: not supported',
  },
  {
    vendorId: 0x1a86,
    productId: 0x7523,
    driver: null,
    carrier: null,
    note: 'CH340 adapter: not supported',
  },
];

/** Which driver would take a device with these ids; null for a device that is none of ours. */
export function claimOf(vendorId: number, productId: number): UsbClaim | null {
  const row = KNOWN_USB.find(
    (known) => known.vendorId === vendorId && (known.productId === null || known.productId === productId),
  );
  return row === undefined ? null : { driver: row.driver, carrier: row.carrier, note: row.note };
}

/**
 * What a technician can do about a failure, without a full stop; `device` null where none has been
 * found.
 */
export function usbSentence({ problem, message }: UsbFailure, device: UsbDevice | null): string {
  switch (problem) {
    case 'no-bus':
      return 'there is no USB bus in this machine';
    case 'denied':
      return `no permission to open ${device?.node ?? 'it'}: install electron/deploy/70-banca-usb.rules as /etc/udev/rules.d/70-banca-usb.rules, see that the account is in the group named there, and plug the device in again`;
    case 'busy':
      return `in use by another program or by another device of the profile (${message})`;
    case 'gone':
      return 'unplugged, or the connection broke off';
    case 'stall':
      return `the device refuses what was asked of it: is it the right carrier? (${message})`;
    case 'timeout':
      return 'the device does not answer in time';
    case 'other':
      return message;
  }
}

/** One device as the bus shows it; texts are null where the device does not give them up. */
export interface UsbSight {
  readonly id: string;
  readonly vendorId: number;
  readonly productId: number;
  /** Bus and ports, as in `1-2.3`. */
  readonly port: string;
  readonly manufacturer: string | null;
  readonly product: string | null;
  readonly serial: string | null;
  readonly claim: UsbClaim | null;
  /**
   * One sentence on why a device of ours cannot be opened; null where it can, or is none of ours.
   */
  readonly problem: string | null;
}

export type UsbListing =
  | { readonly ok: true; readonly devices: readonly UsbSight[] }
  | { readonly ok: false; readonly problem: UsbFailure['problem']; readonly error: string };

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

// Opening a device node disturbs nobody: nothing is claimed.
async function problemOf(device: UsbDevice): Promise<string | null> {
  try {
    const handle = await device.open();
    await handle.close();
    return null;
  } catch (error) {
    const failure = usbFailureOf(error);
    // Only this very process can have it open in a way that keeps it from opening it again.
    return failure.problem === 'busy' ? null : sentence(usbSentence(failure, device));
  }
}

/** Lists the bus, by its ports, and tries whether our devices can be opened. Never rejects. */
export async function listUsb(bus: UsbBus = systemUsbBus): Promise<UsbListing> {
  let devices: readonly UsbDevice[];
  try {
    devices = await bus.list();
  } catch (error) {
    const failure = usbFailureOf(error);
    return { ok: false, problem: failure.problem, error: sentence(usbSentence(failure, null)) };
  }
  const sights: UsbSight[] = [];
  for (const device of devices.toSorted((a, b) => a.port.localeCompare(b.port, 'en', { numeric: true }))) {
    const { vendorId, productId, port } = device;
    const claim = claimOf(vendorId, productId);
    const ours = claim !== null && claim.driver !== null;
    sights.push({
      id: usbIds(vendorId, productId),
      vendorId,
      productId,
      port,
      manufacturer: device.manufacturer(),
      product: device.product(),
      serial: device.serial(),
      claim,
      problem: ours ? await problemOf(device) : null,
    });
  }
  return { ok: true, devices: sights };
}
