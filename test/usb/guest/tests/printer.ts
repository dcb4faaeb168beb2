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

  interface Desk {
    readonly printer: EscposPrinter;
    readonly told: readonly string[];
    print(number: number, lines: number): void;
    heard(what: string): Promise<unknown>;
  }

  async function desk(): Promise<Desk> {
    const told: string[] = [];
    const printer = new EscposPrinter('printer', open, clock);
    printer.start((event: PrinterEvent) => {
      if (event.type === 'link') told.push(event.link);
      else if (event.type === 'status')
        told.push(
          [
            `paper ${event.status.paper}`,
            ...(event.status.coverOpen ? ['cover open'] : []),
            ...(event.status.cutterError ? ['cutter'] : []),
          ].join(', '),
        );
      else if ('number' in event) told.push(`${event.type} ${event.number}`);
    });
    const heard = (what: string) => until(what, () => told.includes(what));
    await heard('up');
    return { printer, told, heard, print: (number, lines) => printer.print(slip(number, lines)) };
  }
  const isWhole = (number: number): string => `first ${number} … last ${number}`;

  test('a slip comes out whole; without paper and with the cover open it waits', async (t) => {
    const { printer, told, print, heard } = await desk();
    t.after(() => printer.stop());
    assert.equal(kernelDriverOf(SERIAL), 'usbfs');
    print(1, 5);
    await heard('printed 1');
    assert.deepEqual(pieces(), [isWhole(1)]);
    for (const [number, fault, said, mend] of [
      [2, 'out', 'paper out', 'load-paper'],
      [3, 'cover-open', 'paper there, cover open', 'cover-close'],
    ] as const) {
      print(number, 60);
      await heard(`begun ${number}`);
      sim.fault(fault);
      await heard(said);
      assert.ok(!told.includes(`printed ${number}`));
      sim.fault(mend);
      await heard(`printed ${number}`);
      assert.equal(pieces().at(-1), isWhole(number));
    }
    assert.equal(pieces().length, 3);
  });

  test('a cutter that jams in mid-print, power that fails, a plug that is pulled: none is believed', async (t) => {
    const { printer, told, print, heard } = await desk();
    t.after(() => printer.stop());
    print(4, 40);
    await heard('begun 4');
    sim.fault('cutter');
    await heard('paper there, cutter');
    await heard('cut-off 4');
    sim.fault('mend');
    printer.recover();

    // A printer without power is gone from the bus, and has forgotten what it had.
    for (const [number, next, end] of [
      [5, 6, () => sim.powerOff()],
      [7, 8, () => {}],
    ] as const) {
      print(number, 100);
      print(next, 5);
      await heard(`begun ${number}`);
      end();
      gadget.unplug();
      await heard(`cut-off ${number}`);
      sim.powerOn();
      await plug();
      await heard(`printed ${next}`);
      assert.equal(pieces().at(-1), isWhole(next));
    }
    for (const number of [4, 5, 7]) assert.ok(!told.includes(`printed ${number}`), told.join(', '));
  });

  test('a host that dies in mid-print: the next one begins on paper of its own, and the kernel gets its printer back', async () => {
    const first = await desk();
    first.print(9, 100);
    await first.heard('begun 9');
    await first.printer.stop();
    const next = await desk();
    next.print(10, 5);
    await next.heard('printed 10');
    assert.equal(pieces().at(-1), isWhole(10));
    await next.printer.stop();
    // The driver may have come before the kernel's own did; then there is nothing to give back.
    await until('nobody has it', () => kernelDriverOf(SERIAL) !== 'usbfs');
    await untilBound(SERIAL);
    assert.equal(kernelDriverOf(SERIAL), 'usblp');
  });
});
