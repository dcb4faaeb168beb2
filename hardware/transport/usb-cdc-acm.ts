import type { SerialLine } from '../ports.ts';
import type { UsbInterface } from './usb-bus.ts';
import { bulkPair, NOTHING, PARITY_CODE, sendStream, stopCode, type UsbCarrier } from './usb-carrier.ts';

/** USB CDC, PSTN subclass 1.2, section 6.3. */
const SET_LINE_CODING = 0x20;
const SET_CONTROL_LINE_STATE = 0x22;
const DTR_AND_RTS = 3;

/**
 * A CDC-ACM device; `line` null leaves the device's own line coding. Null for a device without the
 * two interfaces.
 */
export function cdcAcm(interfaces: readonly UsbInterface[], line: SerialLine | null): UsbCarrier | null {
  const control = interfaces.find(({ classCode }) => classCode === 2);
  const data = interfaces.find((one) => one.classCode === 10 && bulkPair(one) !== null);
  const pair = data === undefined ? null : bulkPair(data);
  if (control === undefined || data === undefined || pair === null) return null;
  return {
    interfaces: [control.number, data.number],
    ...pair,
    async setUp(handle) {
      const to = { type: 'class', recipient: 'interface', index: control.number } as const;
      if (line !== null) {
        const coding = new Uint8Array(7);
        new DataView(coding.buffer).setUint32(0, line.baud, true);
        coding.set([stopCode(line), PARITY_CODE[line.parity], line.dataBits], 4);
        await handle.controlOut({ ...to, request: SET_LINE_CODING, value: 0 }, coding);
      }
      await handle.controlOut({ ...to, request: SET_CONTROL_LINE_STATE, value: DTR_AND_RTS }, NOTHING);
    },
    payload: (packet) => packet,
    lineErrors: () => 0,
    send: (handle, bytes) => sendStream(handle, pair.out, bytes),
  };
}
