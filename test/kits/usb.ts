/** Devices, a bus in memory and a clock for the tests of the USB transports. */
import type { SerialLine } from '../../hardware/ports.ts';
import { fromHex, toHex } from '../../hardware/transport/bytes.ts';
import { HandClock } from '../../hardware/transport/clock.ts';
import { type UsbTransport, usbTransport } from '../../hardware/transport/usb.transport.ts';
import { SimUsbBus, type SimUsbUnit } from '../../hardware/transport/usb-bus.sim.ts';
import type { UsbEndpoint, UsbInterface } from '../../hardware/transport/usb-bus.ts';
import type { UsbCarrierName } from '../../hardware/transport/usb-carrier.ts';
import { parseUsbSelector } from '../../hardware/transport/usb-selector.ts';

export const LINE_8E1: SerialLine = { baud: 9600, dataBits: 8, parity: 'even', stopBits: 1 };
export const LINE_7E1: SerialLine = { baud: 9600, dataBits: 7, parity: 'even', stopBits: 1 };
export const LINE_8N2: SerialLine = { baud: 4800, dataBits: 8, parity: 'none', stopBits: 2 };

export const endpoint = (
  number: number,
  direction: 'in' | 'out',
  type: UsbEndpoint['type'] = 'bulk',
  packetSize = 64,
): UsbEndpoint => ({ number, direction, type, packetSize });
const bulk = (number: number, classCode: number): UsbInterface => ({
  number,
  classCode,
  endpoints: [endpoint(1, 'in'), endpoint(2, 'out')],
});

export const FTDI: SimUsbUnit = {
  vendorId: 0x0403,
  productId: 0x6001,
  port: '1-1',
  serial: 'FTBILL',
  kernelDriver: 'ftdi_sio',
  interfaces: [bulk(0, 255)],
};
export const CP210X: SimUsbUnit = {
  vendorId: 0x0bed,
  productId: 0x1100,
  port: '1-2',
  serial: 'SC01',
  kernelDriver: 'cp210x',
  interfaces: [bulk(0, 255)],
};
export const ACM: SimUsbUnit = {
  vendorId: 0x09ab,
  productId: 0x0001,
  port: '1-3',
  serial: 'BV0001',
  kernelDriver: 'cdc_acm',
  interfaces: [{ number: 0, classCode: 2, endpoints: [endpoint(3, 'in', 'interrupt', 16)] }, bulk(1, 10)],
};
export const PRINTER: SimUsbUnit = {
  vendorId: 0x04b8,
  productId: 0x0e28,
  port: '1-5',
  serial: 'TM01',
  kernelDriver: 'usblp',
  interfaces: [bulk(0, 7)],
};
/** Vendor page FF53, 64 bytes in and out, no report id. */
const REPORTS = fromHex('06 53 ff 09 01 a1 01 15 00 26 ff 00 75 08 95 40 09 02 81 02 95 40 09 03 91 02 c0');
export const HID: SimUsbUnit = {
  vendorId: 0x1209,
  productId: 0x0002,
  port: '1-4',
  serial: 'SHOE01',
  kernelDriver: 'usbhid',
  interfaces: [
    {
      number: 0,
      classCode: 3,
      endpoints: [endpoint(1, 'in', 'interrupt'), endpoint(2, 'out', 'interrupt')],
    },
  ],
  controlIn: () => REPORTS,
};

const select = (text: string) => {
  const result = parseUsbSelector(text);
  if (!result.ok) throw new Error(result.error);
  return result.selector;
};

export interface Table {
  readonly clock: HandClock;
  readonly bus: SimUsbBus;
  transport(
    selector: string,
    o?: { carrier?: UsbCarrierName; line?: SerialLine | null },
  ): UsbTransport & { seen: string[]; opened(): Promise<UsbTransport> };
}

export function table(): Table {
  const clock = new HandClock();
  const bus = new SimUsbBus(clock);
  return {
    clock,
    bus,
    transport(selector, { carrier, line = LINE_8E1 } = {}) {
      const made = usbTransport(select(selector), {
        line,
        bus,
        ...(carrier === undefined ? {} : { carrier }),
      })();
      const seen: string[] = [];
      return Object.assign(made, {
        seen,
        opened: async () => {
          await made.open({
            onBytes: (bytes) => void seen.push(toHex(bytes)),
            onClose: (reason) => void seen.push(reason),
          });
          return made;
        },
      });
    },
  };
}

/** Closes a transport, giving its pending read the time it needs. */
export async function closed(transport: UsbTransport, clock: HandClock): Promise<void> {
  const closing = transport.close();
  await clock.turn(1000);
  await closing;
}

export const after = (log: readonly string[], what: string): string[] => log.slice(log.lastIndexOf(what) + 1);
