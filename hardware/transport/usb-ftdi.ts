import type { SerialLine } from '../ports.ts';
import type { UsbInterface } from './usb-bus.ts';
import { bulkPair, NOTHING, PARITY_CODE, sendStream, stopCode, type UsbCarrier } from './usb-carrier.ts';

// Requests of the FT232R, as Linux's ftdi_sio and libftdi send them.
const RESET = 0;
const MODEM_CONTROL = 1;
const SET_FLOW_CONTROL = 2;
const SET_BAUD_RATE = 3;
const SET_DATA = 4;
const SET_LATENCY_TIMER = 9;

const WHOLE_CHIP = 0;
const PURGE_RX = 1;
const PURGE_TX = 2;
const DTR_AND_RTS_ON = 0x0303;

/**
 * How long the chip gathers bytes before it sends a packet that is not full, and how often it sends
 * one without any, which costs about 0.1 ms of CPU time each. 16 ms, the chip's default, would be 4
 * % of a core for eight adapters at which nothing happens. A reply is whole at most this much later
 * than on the wire; drivers wait 100 ms and more.
 */
const LATENCY_MS = 32;

const STATUS_BYTES = 2;
/** Second status byte: overrun, parity, framing. */
const LINE_ERRORS = 0x02 | 0x04 | 0x08;

const EIGHTHS = [0, 3, 2, 4, 1, 5, 6, 7] as const;

/**
 * wValue and wIndex for a baud rate: 3 MHz over whole and eighths; null for a rate the chip cannot
 * make.
 */
export function ftdiDivisor(baud: number): { value: number; index: number } | null {
  const eighths = Math.round(24_000_000 / baud);
  const whole = eighths >> 3;
  // 0 and 1 stand for 3 and 2 MBaud.
  if (whole < 2 || whole > 0x3fff) return null;
  const code = EIGHTHS[(eighths & 7) as 0]!;
  return { value: whole | ((code & 3) << 14), index: code >> 2 };
}

/**
 * An FT232R. Null for a device without its bulk pair; throws a RangeError for a line it cannot
 * make.
 */
export function ftdi(interfaces: readonly UsbInterface[], line: SerialLine): UsbCarrier | null {
  const port = interfaces.find((one) => bulkPair(one) !== null);
  const pair = port === undefined ? null : bulkPair(port);
  if (port === undefined || pair === null) return null;
  const divisor = ftdiDivisor(line.baud);
  if (divisor === null) throw new RangeError(`an FT232R cannot make ${line.baud} baud`);
  let lineErrors = 0;
  return {
    interfaces: [port.number],
    ...pair,
    async setUp(handle) {
      const set = (request: number, value: number, index = 0): Promise<void> =>
        handle.controlOut({ type: 'vendor', recipient: 'device', request, value, index }, NOTHING);
      await set(RESET, WHOLE_CHIP);
      await set(RESET, PURGE_RX);
      await set(RESET, PURGE_TX);
      await set(SET_BAUD_RATE, divisor.value, divisor.index);
      await set(SET_DATA, line.dataBits | (PARITY_CODE[line.parity] << 8) | (stopCode(line) << 11));
      await set(SET_FLOW_CONTROL, 0);
      await set(MODEM_CONTROL, DTR_AND_RTS_ON);
      await set(SET_LATENCY_TIMER, LATENCY_MS);
    },
    payload(packet) {
      if (((packet[1] ?? 0) & LINE_ERRORS) !== 0) lineErrors++;
      return packet.subarray(STATUS_BYTES);
    },
    lineErrors: () => lineErrors,
    send: (handle, bytes) => sendStream(handle, pair.out, bytes),
  };
}
