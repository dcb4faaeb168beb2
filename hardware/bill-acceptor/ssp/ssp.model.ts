import { z } from 'zod';
import { faultOf } from '../../model.ts';
import { acceptorModel, currencies } from '../acceptor.model.ts';
import { hostWords } from './ssp.codec.ts';
import { createSsp } from './ssp.driver.ts';
import { stepSsp } from './ssp.machine.ts';
import { initialSsp } from './ssp-state.machine.ts';

const options = z.strictObject({
  address: z.int().min(0).max(0x7d).exactOptional(),
  currencies: currencies.exactOptional(),
  encryption: z.enum(['off', 'where-known', 'required']).exactOptional(),
  /** Fixed half of the key of this unit. */
  fixedKey: z
    .string()
    .regex(/^[0-9a-fA-F]{16}$/, '16 hex digits')
    .exactOptional(),
});

export const ssp = acceptorModel({
  title: 'Innovative Technology SSP acceptor (NV9 USB, NV10 USB, NV200, BV20, BV50, BV100)',
  page: 'docs/protocols/ssp.md',
  line: { baud: 9600, dataBits: 8, parity: 'none', stopBits: 2 },
  usb: [{ vendorId: 0x191c, productId: 0x4104, carrier: 'cdc-acm', note: 'Innovative Technology, SSP' }],
  secrets: ['fixedKey'],
  example: {},
  words: hostWords,
  options,
  step: stepSsp,
  initial: initialSsp,
  create: (id, open, clock, given) => createSsp(id, open, clock, given),
  simulator: async ({ clock, seed, currencies: notes }) => {
    const [{ SspSim }, { SSP_FAULTS }] = await Promise.all([
      import('./ssp.sim.ts'),
      import('./ssp-faults.ts'),
    ]);
    const sim = new SspSim({ clock, seed, ...(notes === undefined ? {} : { currencies: notes }) });
    return {
      sim,
      currency: notes?.[0] ?? 'MOP',
      insert: (valueMinor, currency) => sim.insert(valueMinor, currency),
      emptyBox: () => sim.emptyBox(),
      faults: SSP_FAULTS,
      fault: (name, code) => sim.fault(faultOf('ssp', SSP_FAULTS, name), code),
      look: () => ({
        state: sim.state(),
        path: sim.inPath()?.note ?? null,
        owesCredit: sim.owesCredit(),
        cashBox: sim.cashBox().length,
        givenBack: sim.givenBack().length,
      }),
    };
  },
});
