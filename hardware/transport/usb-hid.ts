import type { UsbInterface } from './usb-bus.ts';
import { UsbFailure } from './usb-bus.ts';
import { type UsbCarrier, WRITE_WITHIN_MS } from './usb-carrier.ts';

// HID 1.11: 7.1.1 Get_Descriptor, 7.2.2 Set_Report.
const GET_DESCRIPTOR = 6;
const REPORT_DESCRIPTOR = 0x2200;
const SET_REPORT = 9;
const OUTPUT_REPORT = 0x0200;
const DESCRIPTOR_LIMIT = 4096;

export interface HidReports {
  /** Report ids come first in every report. */
  readonly numbered: boolean;
  /**
   * Whole bytes of each report by its id (0 where they are not numbered), the id's own byte
   * included.
   */
  readonly input: ReadonlyMap<number, number>;
  readonly output: ReadonlyMap<number, number>;
}

/**
 * Sizes of the reports out of a report descriptor (HID 1.11, 6.2.2). Throws a UsbFailure for a
 * descriptor cut short.
 */
export function hidReports(descriptor: Uint8Array): HidReports {
  const bits = { input: new Map<number, number>(), output: new Map<number, number>() };
  type Globals = { sizeBits: number; count: number; id: number };
  let globals: Globals = { sizeBits: 0, count: 0, id: 0 };
  const stack: Globals[] = [];
  let numbered = false;
  for (let at = 0; at < descriptor.length; ) {
    const prefix = descriptor[at]!;
    const long = prefix === 0xfe;
    const length = long ? (descriptor[at + 1] ?? 0) : [0, 1, 2, 4][prefix & 3]!;
    const head = long ? 3 : 1;
    if (at + head + length > descriptor.length)
      throw new UsbFailure('other', `report descriptor cut short at byte ${at}`);
    let value = 0;
    for (let i = length - 1; i >= 0; i--) value = value * 256 + descriptor[at + head + i]!;
    at += head + length;
    if (long) continue;
    const item = prefix & 0xfc;
    if (item === 0x74) globals = { ...globals, sizeBits: value };
    else if (item === 0x94) globals = { ...globals, count: value };
    else if (item === 0x84) {
      globals = { ...globals, id: value };
      numbered = true;
    } else if (item === 0xa4) stack.push(globals);
    else if (item === 0xb4) globals = stack.pop() ?? globals;
    else if (item === 0x80 || item === 0x90) {
      const reports = item === 0x80 ? bits.input : bits.output;
      reports.set(globals.id, (reports.get(globals.id) ?? 0) + globals.sizeBits * globals.count);
    }
  }
  const bytes = (reports: Map<number, number>): Map<number, number> =>
    new Map([...reports].map(([id, count]) => [id, Math.ceil(count / 8) + (numbered ? 1 : 0)]));
  return { numbered, input: bytes(bits.input), output: bytes(bits.output) };
}

/**
 * A HID device as packets: each write is one output report (its id first where reports are
 * numbered), filled up with zeros; each IN packet is one input report. Null for a device without a
 * HID interface that can be read.
 */
export function hid(interfaces: readonly UsbInterface[]): UsbCarrier | null {
  const own = interfaces.find(({ classCode }) => classCode === 3);
  const find = (direction: 'in' | 'out') =>
    own?.endpoints.find((endpoint) => endpoint.type === 'interrupt' && endpoint.direction === direction);
  const [hidIn, hidOut] = [find('in'), find('out')];
  if (own === undefined || hidIn === undefined) return null;
  let reports: HidReports = { numbered: false, input: new Map(), output: new Map() };
  return {
    interfaces: [own.number],
    in: hidIn,
    out: hidOut ?? null,
    async setUp(handle) {
      const descriptor = await handle.controlIn(
        {
          type: 'standard',
          recipient: 'interface',
          request: GET_DESCRIPTOR,
          value: REPORT_DESCRIPTOR,
          index: own.number,
        },
        DESCRIPTOR_LIMIT,
      );
      reports = hidReports(descriptor);
      for (const [id, length] of reports.input)
        if (length > hidIn.packetSize)
          throw new UsbFailure(
            'other',
            `input report ${id} has ${length} bytes, more than one packet of ${hidIn.packetSize}`,
          );
    },
    // Linux's own HID gadget ends every full report with an empty packet: payload() leaves it
    // empty, and nobody sees it.
    payload: (packet) => packet,
    lineErrors: () => 0,
    async send(handle, bytes) {
      const id = reports.numbered ? (bytes[0] ?? 0) : 0;
      const length = reports.output.get(id);
      if (length === undefined) throw new RangeError(`the device has no output report ${id}`);
      if (bytes.length > length)
        throw new RangeError(`${bytes.length} bytes do not fit output report ${id} of ${length} bytes`);
      const report = new Uint8Array(length);
      report.set(bytes);
      if (hidOut !== undefined) await handle.write(hidOut.number, report, WRITE_WITHIN_MS);
      else
        await handle.controlOut(
          {
            type: 'class',
            recipient: 'interface',
            request: SET_REPORT,
            value: OUTPUT_REPORT | id,
            index: own.number,
          },
          report,
        );
    },
  };
}
