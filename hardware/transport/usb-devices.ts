/** One device as the bus shows it; texts are null where the device does not give them up. */
export interface UsbSight {
  readonly vendorId: number;
  readonly productId: number;
  readonly manufacturer: string | null;
  readonly product: string | null;
  readonly serial: string | null;
  readonly claim: UsbClaim | null;
}

export interface UsbClaim {
  /** Our driver; null = the device is known and there is no driver for it. */
  readonly driver: 'id003' | 'ksp1' | null;
  readonly transport: 'ftdi' | 'cp210x' | 'cdc-acm' | 'hid' | null;
  readonly note: string;
}

type Row = UsbClaim & { readonly vendorId: number; readonly productId: number | null };

/** Sources: usb.ids and Linux's driver tables. A bare adapter says nothing of what hangs on it: the profile names its serial. */
const KNOWN: readonly Row[] = [
  {
    vendorId: 0x09ab,
    productId: null,
    driver: 'id003',
    transport: 'cdc-acm',
    note: 'JCM; product ids are not public, the unit must be set to ID-003',
  },
  {
    vendorId: 0x1209,
    productId: 0x0002,
    driver: 'ksp1',
    transport: 'hid',
    note: 'KSP-1 shoe under the test id of pid.codes',
  },
  {
    vendorId: 0x0403,
    productId: 0x6001,
    driver: 'id003',
    transport: 'ftdi',
    note: 'FT232R adapter: only when the profile names its serial number',
  },
  {
    vendorId: 0x10c4,
    productId: 0xea60,
    driver: 'id003',
    transport: 'cp210x',
    note: 'CP210x adapter: only when the profile names its serial number',
  },
  {
    vendorId: 0x0bed,
    productId: 0x1100,
    driver: null,
    transport: 'cp210x',
    note: 'MEI/CPI Cashflow SC: speaks EBDS, no driver yet',
  },
  {
    vendorId: 0x0bed,
    productId: 0x1101,
    driver: null,
    transport: 'cp210x',
    note: 'MEI/CPI Series 2000: speaks EBDS, no driver yet',
  },
  {
    vendorId: 0x191c,
    productId: 0x4104,
    driver: null,
    transport: 'cdc-acm',
    note: 'Innovative Technology: speaks SSP, no driver yet',
  },
  {
    vendorId: 0x067b,
    productId: 0x2303,
    driver: null,
    transport: null,
    note: 'Prolific adapter: not supported',
  },
  {
    vendorId: 0x1a86,
    productId: 0x7523,
    driver: null,
    transport: null,
    note: 'CH340 adapter: not supported',
  },
];

/** Which driver would take a device with these ids; null for a device that is none of ours. */
export function claimOf(vendorId: number, productId: number): UsbClaim | null {
  const row = KNOWN.find(
    (known) => known.vendorId === vendorId && (known.productId === null || known.productId === productId),
  );
  return row === undefined ? null : { driver: row.driver, transport: row.transport, note: row.note };
}

export type UsbListing =
  | { readonly ok: true; readonly devices: readonly UsbSight[] }
  | { readonly ok: false; readonly error: string };

// A string getter may open the device, and throws when it is gone or not ours to open.
function textOf(read: () => string | null | undefined): string | null {
  try {
    return read() ?? null;
  } catch {
    return null;
  }
}

/** Lists the bus through the `usb` package, which is loaded here and not before: a terminal without USB never needs it. */
export async function listUsb(): Promise<UsbListing> {
  try {
    const { usb } = await import('usb');
    const devices = await usb.getDevices();
    return {
      ok: true,
      devices: devices.map((device) => ({
        vendorId: device.vendorId,
        productId: device.productId,
        manufacturer: textOf(() => device.manufacturerName),
        product: textOf(() => device.productName),
        serial: textOf(() => device.serialNumber),
        claim: claimOf(device.vendorId, device.productId),
      })),
    };
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return {
      ok: false,
      error: text.includes('/sys/bus/usb') ? 'There is no USB bus in this machine.' : `USB: ${text}`,
    };
  }
}
