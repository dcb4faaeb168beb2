import { z } from 'zod';
import { faultOf, type SimulatedAcceptor, type SimulatorOptions } from '../../model.ts';
import { acceptorModel, currencies, currency } from '../acceptor.model.ts';
import { createEbds, createPyramid } from './ebds.driver.ts';
import { stepEbds } from './ebds.machine.ts';
import { hostWords } from './ebds-messages.codec.ts';
import { EBDS_LINE, ebdsProfile, pyramidProfile } from './ebds-profile.ts';
import { initialEbds } from './ebds-state.machine.ts';

const ebdsOptions = z.strictObject({
  currencies: currencies.exactOptional(),
  /** Seconds after which the unit gives a note in escrow back by itself. */
  escrowTimeoutS: z.int().min(1).max(127).exactOptional(),
});

const pyramidOptions = z.strictObject({
  /**
   * Note of value index 1 to 7, in this order; null for an index that the unit's note software does
   * not use.
   */
  notes: z
    .array(
      z
        .strictObject({
          currency: currency,
          valueMinor: z.int().positive(),
        })
        .nullable(),
    )
    .min(1)
    .max(7),
});

async function ebdsSimulator(model: 'ebds' | 'pyramid', o: SimulatorOptions): Promise<SimulatedAcceptor> {
  const [{ EbdsSim }, { EBDS_FAULTS }] = await Promise.all([
    import('./ebds.sim.ts'),
    import('./ebds-faults.ts'),
  ]);
  const { clock, seed, currencies: notes } = o;
  const sim = new EbdsSim({ clock, seed, model, ...(notes === undefined ? {} : { currencies: notes }) });
  return {
    sim,
    currency: notes?.[0] ?? (model === 'pyramid' ? 'HKD' : 'MOP'),
    insert: (valueMinor, currency) => sim.insert(valueMinor, currency),
    emptyBox: () => sim.emptyBox(),
    faults: EBDS_FAULTS,
    fault: (name) => sim.fault(faultOf(model, EBDS_FAULTS, name)),
    look: () => ({
      state: sim.state(),
      path: sim.inPath()?.note ?? null,
      owesCredit: sim.owesCredit(),
      cashBox: sim.cashBox().length,
      givenBack: sim.givenBack().length,
    }),
  };
}

export const ebds = acceptorModel({
  title: 'MEI/CPI EBDS acceptor (Cashflow SC, SC Advance)',
  page: 'docs/protocols/ebds.md',
  line: EBDS_LINE,
  usb: [
    { vendorId: 0x0bed, productId: 0x1100, carrier: 'cp210x', note: 'MEI/CPI Cashflow SC' },
    { vendorId: 0x0bed, productId: 0x1101, carrier: 'cp210x', note: 'MEI/CPI Series 2000' },
  ],
  example: {},
  words: hostWords,
  options: ebdsOptions,
  step: stepEbds,
  initial: (options) => initialEbds(ebdsProfile(options), null),
  create: createEbds,
  simulator: (o) => ebdsSimulator('ebds', o),
});

export const pyramid = acceptorModel({
  title: 'Pyramid RS-232 acceptor (Apex, Curve)',
  page: 'docs/protocols/ebds.md',
  line: EBDS_LINE,
  usb: [],
  example: {
    notes: [1000, 2000, 5000, 10_000, 50_000, 100_000].map((valueMinor) => ({ currency: 'HKD', valueMinor })),
  },
  words: hostWords,
  options: pyramidOptions,
  step: stepEbds,
  initial: (options) => initialEbds(pyramidProfile(options), null),
  create: createPyramid,
  simulator: (o) => ebdsSimulator('pyramid', o),
});
