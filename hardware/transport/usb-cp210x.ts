import type { SerialLine } from '../ports.ts';
import type { UsbInterface } from './usb-bus.ts';
import { bulkPair, NOTHING, PARITY_CODE, sendStream, stopCode, type UsbCarrier } from './usb-carrier.ts';

// Silicon Labs AN571, section 5.
const IFC_ENABLE = 0x00;
const SET_LINE_CTL = 0x03;
const SET_MHS = 0x07;
const PURGE = 0x12;
const SET_BAUDRATE = 0x1e;

const ALL_QUEUES = 0x000f;
const DTR_AND_RTS_ON = 0x0303;

/** A CP210x, which MEI/CPI's USB acceptors are as well. Null for a device without its bulk pair. */
export function cp210x(interfaces: readonly UsbInterface[], line: SerialLine): UsbCarrier | null {
  const port = interfaces.find((one) => bulkPair(one) !== null);
  const pair = port === undefined ? null : bulkPair(port);
  if (port === undefined || pair === null) return null;
  return {
    interfaces: [port.number],
    ...pair,
    async setUp(handle) {
      const set = (request: number, value: number, data = NOTHING): Promise<void> =>
        handle.controlOut(
          { type: 'vendor', recipient: 'interface', request, value, index: port.number },
          data,
        );
      const baud = new Uint8Array(4);
      new DataView(baud.buffer).setUint32(0, line.baud, true);
      await set(IFC_ENABLE, 1);
      await set(SET_BAUDRATE, 0, baud);
      await set(SET_LINE_CTL, (line.dataBits << 8) | (PARITY_CODE[line.parity] << 4) | stopCode(line));
      await set(PURGE, ALL_QUEUES);
      await set(SET_MHS, DTR_AND_RTS_ON);
    },
    payload: (packet) => packet,
    lineErrors: () => 0,
    send: (handle, bytes) => sendStream(handle, pair.out, bytes),
  };
}
