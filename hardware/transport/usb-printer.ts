import type { UsbInterface } from './usb-bus.ts';
import { bulkPair, sendStream, type UsbCarrier } from './usb-carrier.ts';

/** USB Device Class Definition for Printing Devices 1.1. */
const PRINTER_CLASS = 7;

/**
 * A printer that can answer; null for a device without such an interface. It is not told to reset:
 * what its buffers hold, its own protocol clears.
 */
export function usbPrinter(interfaces: readonly UsbInterface[]): UsbCarrier | null {
  const own = interfaces.find((one) => one.classCode === PRINTER_CLASS && bulkPair(one) !== null);
  const pair = own === undefined ? null : bulkPair(own);
  if (own === undefined || pair === null) return null;
  return {
    interfaces: [own.number],
    ...pair,
    setUp: () => Promise.resolve(),
    payload: (packet) => packet,
    lineErrors: () => 0,
    send: (handle, bytes) => sendStream(handle, pair.out, bytes),
  };
}
