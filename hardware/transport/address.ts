import { isIPv4 } from 'node:net';
import type { OpenTransport, SerialLine } from '../ports.ts';
import { NETWORK_STALL_MS, serialServerTransport, tcpTransport, unixTransport } from './socket.transport.ts';
import { usbTransport } from './usb.transport.ts';
import type { UsbCarrierName } from './usb-carrier.ts';
import { parseUsbSelector, type UsbSelector } from './usb-selector.ts';

/**
 * Where a device hangs: `usb:SELECTOR` (see usb-selector.ts), `unix:PATH` or `tcp:PORT` of this
 * machine, or `tcp:HOST:PORT` of a serial server (`tcp:HOST` = its port 4001).
 */
export type DeviceAddress =
  | { readonly kind: 'usb'; readonly selector: UsbSelector }
  | { readonly kind: 'unix'; readonly path: string }
  | { readonly kind: 'tcp'; readonly port: number }
  | { readonly kind: 'serial-server'; readonly host: string; readonly port: number };

/** Of the first line of a serial server, as NPort and its like are delivered. */
const SERIAL_SERVER_PORT = 4001;

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
  if (kind === 'tcp' && /[^\d]/.test(rest)) return serialServer(text, rest);
  if (kind === 'tcp') {
    const port = Number(rest);
    return /^\d{1,5}$/.test(rest) && port <= 65_535
      ? { ok: true, address: { kind, port } }
      : { ok: false, error: `'${text}': tcp: needs a port of this machine, 0 to 65535` };
  }
  return { ok: false, error: `'${text}': expected usb:SELECTOR, unix:PATH, tcp:PORT or tcp:HOST:PORT` };
}

function serialServer(text: string, rest: string): ParsedAddress {
  const [host = '', port = String(SERIAL_SERVER_PORT), ...more] = rest.split(':');
  const wrong = (why: string): ParsedAddress => ({ ok: false, error: `'${text}': tcp: ${why}` });
  if (more.length > 0 || !/^[1-9]\d{0,4}$/.test(port) || Number(port) > 65_535)
    return wrong('needs a port of this machine, 0 to 65535, or HOST:PORT with a port from 1 to 65535');
  // A name would be answered by whoever answers names in that network.
  if (!isIPv4(host)) return wrong(`'${host}' is no IPv4 address, and names are not looked up`);
  const first = Number(host.split('.')[0]);
  if (first === 0 || first >= 224) return wrong(`${host} is no address of one device`);
  return first === 127
    ? { ok: true, address: { kind: 'tcp', port: Number(port) } }
    : { ok: true, address: { kind: 'serial-server', host, port: Number(port) } };
}

/** The same text for each way to write one place. */
export function placeOf(text: string): string {
  const parsed = parseAddress(text);
  if (!parsed.ok) return text;
  const { address } = parsed;
  if (address.kind === 'serial-server') return `tcp:${address.host}:${address.port}`;
  return address.kind === 'tcp' ? `tcp:${address.port}` : text;
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
    case 'serial-server':
      return Object.assign(() => serialServerTransport(address.host, address.port), {
        stallMs: NETWORK_STALL_MS,
      });
  }
}
