import { z } from 'zod';
import { faultOf } from '../../model.ts';
import { acceptorModel, currencies, currency } from '../acceptor.model.ts';
import { hostWords } from './cctalk.codec.ts';
import { createCctalk } from './cctalk.driver.ts';
import { stepCctalk } from './cctalk.machine.ts';
import { initialCctalk } from './cctalk-state.machine.ts';

const options = z
  .strictObject({
    address: z.int().min(2).max(255).exactOptional(),
    checksum: z.enum(['simple', 'crc16']).exactOptional(),
    code: z
      .string()
      .regex(/^[0-9]{6}$/, 'six digits')
      .exactOptional(),
    /** Two letters of the unit's bill ids -> ISO 4217. */
    countries: z.record(z.string().regex(/^[A-Z]{2}$/, 'two letters'), currency).exactOptional(),
    currencies: currencies.exactOptional(),
  })
  .refine(({ code, checksum }) => code === undefined || checksum !== 'simple', {
    path: ['code'],
    error: 'encrypted frames have the checksum crc16',
  });

export const cctalk = acceptorModel({
  title: 'ccTalk bill validator',
  page: 'docs/protocols/cctalk.md',
  line: { baud: 9600, dataBits: 8, parity: 'none', stopBits: 1 },
  usb: [],
  secrets: ['code'],
  example: {},
  words: hostWords,
  options,
  step: stepCctalk,
  initial: (given) => initialCctalk(given),
  create: createCctalk,
  simulator: async ({ clock, seed, currencies: notes }) => {
    const [{ CctalkSim }, { CCTALK_FAULTS }] = await Promise.all([
      import('./cctalk.sim.ts'),
      import('./cctalk-faults.ts'),
    ]);
    const sim = new CctalkSim({ clock, seed, ...(notes === undefined ? {} : { currencies: notes }) });
    return {
      sim,
      currency: notes?.[0] ?? 'MOP',
      insert: (valueMinor, of) => sim.insert(valueMinor, of),
      emptyBox: () => sim.emptyBox(),
      faults: CCTALK_FAULTS,
      fault: (name) => sim.fault(faultOf('cctalk', CCTALK_FAULTS, name)),
      look: () => ({
        state: sim.state(),
        path: sim.inPath()?.note ?? null,
        counter: sim.counter(),
        cashBox: sim.cashBox().length,
        givenBack: sim.givenBack().length,
      }),
    };
  },
});
