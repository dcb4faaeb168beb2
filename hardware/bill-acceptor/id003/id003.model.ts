import { z } from 'zod';
import { faultOf } from '../../model.ts';
import { acceptorModel, currencies, currency } from '../acceptor.model.ts';
import { hostWords } from './id003.codec.ts';
import { createId003 } from './id003.driver.ts';
import { stepId003 } from './id003.machine.ts';
import { initialId003 } from './id003-state.machine.ts';

const options = z.strictObject({
  /** Country code of the unit's currency table -> ISO 4217. */
  countries: z.record(z.string().regex(/^\d{1,3}$/, 'a country code, 0 to 255'), currency).exactOptional(),
  currencies: currencies.exactOptional(),
  refusedWays: z.int().min(0).max(0x0f).exactOptional(),
  highSecurity: z.int().min(0).max(0xffff).exactOptional(),
  optionalFunctions: z.int().min(0).max(0xffff).exactOptional(),
});

export const id003 = acceptorModel({
  title: 'JCM ID-003 acceptor (UBA, iVIZION, Vega, TBV, DBV)',
  page: 'docs/protocols/id-003.md',
  line: { baud: 9600, dataBits: 8, parity: 'even', stopBits: 1 },
  usb: [
    {
      vendorId: 0x09ab,
      productId: null,
      carrier: 'cdc-acm',
      note: 'JCM; product ids are not public, the unit must be set to ID-003',
    },
  ],
  example: {},
  words: hostWords,
  options,
  step: stepId003,
  initial: initialId003,
  create: createId003,
  simulator: async ({ clock, seed, currencies: notes }) => {
    const [{ ID003_FAULTS, Id003Sim }, { STATUS }] = await Promise.all([
      import('./id003.sim.ts'),
      import('./id003.codec.ts'),
    ]);
    const sim = new Id003Sim({ clock, seed, ...(notes === undefined ? {} : { currencies: notes }) });
    return {
      sim,
      currency: notes?.[0] ?? 'MOP',
      insert: (valueMinor, currency) => sim.insert(valueMinor, currency),
      emptyBox: () => sim.emptyBox(),
      faults: ID003_FAULTS,
      fault: (name, code) => sim.fault(faultOf('id003', ID003_FAULTS, name), code),
      look: () => ({
        state: STATUS[sim.status() ?? -1]?.state ?? null,
        path: sim.inPath()?.note ?? null,
        owesCredit: sim.owesCredit(),
        cashBox: sim.cashBox().length,
        givenBack: sim.givenBack().length,
      }),
    };
  },
});
