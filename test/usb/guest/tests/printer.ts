/** Linux's own printer gadget, with an ESC/POS printer at its inside. */
import assert from 'node:assert/strict';
import { closeSync, constants, openSync, readSync, writeSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import type { ByteTransport, PrinterEvent } from '../../../../hardware/ports.ts';
import { EscposPrinter } from '../../../../hardware/printer/escpos.driver.ts';
import { EscposSim, readAs } from '../../../../hardware/printer/escpos.sim.ts';
import { systemClock as clock } from '../../../../hardware/transport/clock.ts';
import { until } from '../../../support/until.ts';
import { Gadget, kernelDriverOf, untilBound, untilFile, usb } from '../rig.ts';

const SERIAL = 'GADGET-PRINTER';
const AT_DEVICE = '/dev/g_printer0';
const LOOK_MS = 5;
const gadget = new Gadget(3, [0x04b8, 0x0202], SERIAL, {
  'printer.0': { pnp_string: 'MFG:Banca;MDL:Rig;CLS:PRINTER;', q_len: '10' },
});
const open = usb(`04b8:0202/${SERIAL}`, null);
/** Slow enough to pull its plug in the middle of a slip. */
const sim = new EscposSim({ clock, bytesAtOnce: 40 });

/**
 * The gadget's file. Whoever waits in a read of it keeps every write out, so nobody waits: it is
 * looked at.
 */
function gadgetFile(): ByteTransport {
  let fd = -1;
  let looking: NodeJS.Timeout | undefined;
  const end = (): void => {
    clearInterval(looking);
    if (fd >= 0) closeSync(fd);
    fd = -1;
  };
  return {
    name: AT_DEVICE,
    open: async ({ onBytes, onClose }) => {
      fd = openSync(AT_DEVICE, constants.O_RDWR | constants.O_NONBLOCK);
      const bytes = new Uint8Array(8192);
      looking = setInterval(() => {
        try {
          const length = readSync(fd, bytes);
          if (length > 0) onBytes(bytes.slice(0, length));
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return;
          end();
          onClose(String(error));
        }
      }, LOOK_MS);
    },
    write: async (bytes) => void writeSync(fd, bytes),
    close: async () => end(),
  };
}

async function plug(): Promise<void> {
  gadget.plug();
  await untilFile(AT_DEVICE);
  await untilBound(SERIAL);
  sim.plug(gadgetFile());
}

const text = (words: string) => ({ type: 'line', text: words }) as const;
const slip = (number: number, lines: number) => ({
  number,
  items: [
    text(`first ${number}`),
    ...Array.from({ length: lines }, () => text('x'.repeat(40))),
    text(`last ${number}`),
    { type: 'cut' } as const,
  ],
});
/** First and last line of each piece that was cut off. */
const pieces = (): string[] =>
  sim
    .pieces()
    .map((piece) => [piece.at(0), piece.at(-1)].map((item) => (item ? readAs(item) : '')).join(' … '));

describe('printer gadget', () => {
  before(plug);
  // Its controller is another test's, too.
  after(() => gadget.remove());

  test('a slip comes out whole, without paper it waits, with the plug pulled it is not believed', async () => {
    const told: string[] = [];
    const printer = new EscposPrinter('printer', open, clock);
    printer.start((event: PrinterEvent) => {
      if (event.type === 'link') told.push(event.link);
      else if (event.type === 'status') told.push(`paper ${event.status.paper}`);
      else if ('number' in event) told.push(`${event.type} ${event.number}`);
    });
    await until('up', () => told.includes('up'));
    assert.equal(kernelDriverOf(SERIAL), 'usbfs');
    printer.print(slip(1, 5));
    await until('printed', () => told.includes('printed 1'));
    assert.deepEqual(pieces(), ['first 1 … last 1']);

    printer.print(slip(2, 60));
    await until('begun', () => told.includes('begun 2'));
    sim.fault('out');
    await until('no paper', () => told.includes('paper out'));
    assert.ok(!told.includes('printed 2'));
    sim.fault('load-paper');
    await until('printed', () => told.includes('printed 2'));
    assert.deepEqual(pieces(), ['first 1 … last 1', 'first 2 … last 2']);

    printer.print(slip(3, 100));
    printer.print(slip(4, 5));
    await until('begun', () => told.includes('begun 3'));
    gadget.unplug();
    await until('lost', () => told.includes('cut-off 3'));
    await plug();
    await until('printed', () => told.includes('printed 4'));
    assert.equal(pieces().at(-1), 'first 4 … last 4');
    assert.ok(!told.includes('printed 3'), told.join(', '));

    await printer.stop();
    // The driver may have come before the kernel's own did; then there is nothing to give back.
    await until('nobody has it', () => kernelDriverOf(SERIAL) !== 'usbfs');
    await untilBound(SERIAL);
    assert.equal(kernelDriverOf(SERIAL), 'usblp');
  });
});
