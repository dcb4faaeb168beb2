import { z } from 'zod';
import { faultOf, type PrinterModel, rowOf } from '../model.ts';
import { EscposPrinter } from './escpos.driver.ts';
import { initialPrinter, stepPrinter } from './escpos.machine.ts';
import { ESCPOS_FAULTS } from './escpos-faults.ts';

const options = z.strictObject({
  /** Which table of characters of the printer is Windows-1252; absent = 16, as Epson counts. */
  codePage: z.int().min(0).max(255).exactOptional(),
});

const job = z.strictObject({ number: z.int().min(1), bytes: z.instanceof(Uint8Array) });

export const escpos: PrinterModel = rowOf('receipt-printer', {
  title: 'ESC/POS receipt printer',
  page: 'docs/protocols/esc-pos.md',
  line: { baud: 38400, dataBits: 8, parity: 'none', stopBits: 1 },
  usb: [
    {
      vendorId: 0x04b8,
      productId: 0x0202,
      carrier: 'printer',
      note: 'Epson receipt printer (UB-U05, TM-T70, TM-T88)',
    },
  ],
  secrets: [],
  example: {},
  options,
  commands: z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('print'), job }),
    z.strictObject({ type: z.literal('recover') }),
  ]),
  step: stepPrinter,
  initial: initialPrinter,
  create: (id, open, clock, given) => new EscposPrinter(id, open, clock, given),
  simulator: async ({ clock, seed }) => {
    const { EscposSim, readAs } = await import('./escpos.sim.ts');
    const sim = new EscposSim({ clock, seed });
    return {
      sim,
      faults: ESCPOS_FAULTS,
      fault: (name) => sim.fault(faultOf('escpos', ESCPOS_FAULTS, name)),
      look: () => ({
        state: sim.state(),
        pieces: sim.pieces().length,
        paper: (sim.pieces().at(-1) ?? []).map(readAs),
        hanging: sim.hanging().map(readAs),
      }),
    };
  },
});
