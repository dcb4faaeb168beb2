import type { OpenTransport, SerialLine } from '../ports.ts';
import { tcpTransport, unixTransport } from './socket.transport.ts';
import { usbTransport } from './usb.transport.ts';
import type { UsbCarrierName } from './usb-carrier.ts';
import { parseUsbSelector, type UsbSelector } from './usb-selector.ts';

/**
 * Where a device hangs: `usb:SELECTOR` (see usb-selector.ts), `unix:PATH` or `tcp:PORT` of this
 * machine.
 */
export type DeviceAddress =
  | { readonly kind: 'usb'; readonly selector: UsbSelector }
  | { readonly kind: 'unix'; readonly path: string }
  | { readonly kind: 'tcp'; readonly port: number };

export type ParsedAddress =
  | { readonly ok: true; readonly address: DeviceAddress }
  | { readonly ok: false; readonly error: string };

/** Reads such a text; what is wrong with it is said in words. */
export function parseAddress(text: string): ParsedAddress {
  const colon = text.indexOf(':');
  const [kind, rest] = [text.slice(0, Math.max(0, colon)), text.slice(colon + 1)];
  if (kind === 'usb') {
    const parsed = parseUsbSelector(rest);
    return parsed.ok ? { ok: true, address: { kind, selector: parsed.selector } } : parsed;
  }
  if (kind === 'unix')
    // Linux gives a socket's path 108 bytes, the last of them 0.
    return rest !== '' && Buffer.byteLength(rest) <= 107
      ? { ok: true, address: { kind, path: rest } }
      : { ok: false, error: `'${text}': unix: needs a path of 1 to 107 bytes` };
  if (kind === 'tcp') {
    const port = Number(rest);
    return /^\d{1,5}$/.test(rest) && port <= 65_535
      ? { ok: true, address: { kind, port } }
      : { ok: false, error: `'${text}': tcp: needs a port of this machine, 0 to 65535` };
  }
  return { ok: false, error: `'${text}': expected usb:SELECTOR, unix:PATH or tcp:PORT` };
}

export interface AddressOptions {
  /** How the serial side of a USB adapter is to be set; a socket has none. */
  readonly line: SerialLine | null;
  /** Left out: as the USB device says itself. */
  readonly carrier?: UsbCarrierName;
}

/** Fresh transports to a device. Nothing is opened yet. */
export function openAddress(address: DeviceAddress, options: AddressOptions): OpenTransport {
  switch (address.kind) {
    case 'usb':
      return usbTransport(address.selector, options);
    case 'unix':
      return () => unixTransport(address.path);
    case 'tcp':
      return () => tcpTransport(address.port);
  }
}
