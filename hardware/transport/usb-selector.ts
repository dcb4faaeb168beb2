import type { UsbDevice } from './usb-bus.ts';

/**
 * Names one USB device: its ids, and where several are alike its serial number or the port it hangs
 * on.
 */
export interface UsbSelector {
  readonly vendorId: number;
  readonly productId: number;
  readonly serial?: string;
  /**
   * Bus and ports as the kernel writes them, `1-2.3` = bus 1, port 2 of the machine, port 3 of the
   * hub there.
   */
  readonly port?: string;
}

export type UsbSelectorResult =
  | { readonly ok: true; readonly selector: UsbSelector }
  | { readonly ok: false; readonly error: string };

/** Longest text a USB string descriptor holds: (255 - 2) bytes of UTF-16. */
const SERIAL_LIMIT = 126;

/**
 * Reads `0403:6001`, `0403:6001/SERIAL`, `0403:6001@1-2.3` or `0403:6001/SERIAL@1-2.3`; the error
 * is one sentence. A serial number with an @ in it cannot be written: such a device is named by its
 * port.
 */
export function parseUsbSelector(text: string): UsbSelectorResult {
  const bad = (why: string): UsbSelectorResult => ({ ok: false, error: `USB device '${text}': ${why}` });
  const at = text.indexOf('@');
  const [named, port] = at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
  const slash = named.indexOf('/');
  const [ids, serial] = slash < 0 ? [named, undefined] : [named.slice(0, slash), named.slice(slash + 1)];
  const match = /^([0-9a-f]{4}):([0-9a-f]{4})$/i.exec(ids);
  if (match === null)
    return bad('vendor and product id must be four hexadecimal digits each, as in 0403:6001.');
  if (serial === '') return bad("the serial number after '/' is missing.");
  if (serial !== undefined && serial.length > SERIAL_LIMIT)
    return bad(`a serial number has at most ${SERIAL_LIMIT} characters, this one has ${serial.length}.`);
  if (serial !== undefined && /\p{Cc}/u.test(serial))
    return bad('the serial number has a control character in it.');
  if (port === '') return bad("the port path after '@' is missing.");
  if (port !== undefined && !/^[1-9]\d{0,2}-[1-9]\d{0,2}(\.[1-9]\d{0,2}){0,6}$/.test(port))
    return bad(`port path '${port}' must be a bus and its ports, as in 1-2.3.`);
  return {
    ok: true,
    selector: {
      vendorId: Number.parseInt(match[1]!, 16),
      productId: Number.parseInt(match[2]!, 16),
      ...(serial === undefined ? {} : { serial }),
      ...(port === undefined ? {} : { port }),
    },
  };
}

/** Whether this is the device, or one of those, that the selector names. */
export const isNamedBy = (
  { vendorId, productId, serial, port }: UsbSelector,
  device: Pick<UsbDevice, 'vendorId' | 'productId' | 'port' | 'serial'>,
): boolean =>
  device.vendorId === vendorId &&
  device.productId === productId &&
  (port === undefined || device.port === port) &&
  (serial === undefined || device.serial() === serial);

/** `0403:6001` from two ids. */
export const usbIds = (vendorId: number, productId: number): string =>
  [vendorId, productId].map((id) => id.toString(16).padStart(4, '0')).join(':');

/** The text that parseUsbSelector reads. */
export function usbSelectorText({ vendorId, productId, serial, port }: UsbSelector): string {
  return `${usbIds(vendorId, productId)}${serial === undefined ? '' : `/${serial}`}${port === undefined ? '' : `@${port}`}`;
}
