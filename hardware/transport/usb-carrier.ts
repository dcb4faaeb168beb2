import type { SerialLine } from '../ports.ts';
import type { UsbEndpoint, UsbHandle, UsbInterface } from './usb-bus.ts';

export const USB_CARRIERS = ['cdc-acm', 'ftdi', 'cp210x', 'hid', 'printer'] as const;
export type UsbCarrierName = (typeof USB_CARRIERS)[number];

/** How bytes ride on one kind of USB device, after its interfaces have been claimed. */
export interface UsbCarrier {
  /** To claim, in this order. */
  readonly interfaces: readonly number[];
  readonly in: UsbEndpoint;
  readonly out: UsbEndpoint | null;
  setUp(handle: UsbHandle): Promise<void>;
  /** The device's bytes out of one IN packet; empty where there were none. */
  payload(packet: Uint8Array): Uint8Array;
  /** Parity, framing and overrun errors seen so far. */
  lineErrors(): number;
  /** Throws a RangeError for bytes that do not fit; rejects with a UsbFailure. */
  send(handle: UsbHandle, bytes: Uint8Array): Promise<void>;
}

export const NOTHING = new Uint8Array(0);

/** A write that takes longer has met a device that takes nothing more, milliseconds. */
export const WRITE_WITHIN_MS = 2000;

/** Bytes one OUT transfer carries at most: under half a second at 9600 baud. */
const CHUNK = 256;

export const PARITY_CODE = { none: 0, odd: 1, even: 2 } as const satisfies Record<
  SerialLine['parity'],
  number
>;

/** 1 stop bit = 0, 2 stop bits = 2; 1 would be one and a half. CDC, FTDI and CP210x agree on it. */
export const stopCode = (line: SerialLine): number => (line.stopBits === 2 ? 2 : 0);

/** The bulk pair of an interface, if it has one. */
export function bulkPair(of: UsbInterface): { in: UsbEndpoint; out: UsbEndpoint } | null {
  const find = (direction: 'in' | 'out'): UsbEndpoint | undefined =>
    of.endpoints.find((endpoint) => endpoint.type === 'bulk' && endpoint.direction === direction);
  const [bulkIn, bulkOut] = [find('in'), find('out')];
  return bulkIn !== undefined && bulkOut !== undefined ? { in: bulkIn, out: bulkOut } : null;
}

/** Sends a stream of bytes; one transfer at a time, each of them bounded. */
export async function sendStream(handle: UsbHandle, out: UsbEndpoint, bytes: Uint8Array): Promise<void> {
  for (let from = 0; from < bytes.length; from += CHUNK)
    await handle.write(out.number, bytes.subarray(from, from + CHUNK), WRITE_WITHIN_MS);
}
