import { z } from 'zod';
import { AcceptorDriver } from '../../../hardware/bill-acceptor/acceptor.driver.ts';
import { acceptorModel, currency } from '../../../hardware/bill-acceptor/acceptor.model.ts';
import { initialTin, stepTin } from './tin.machine.ts';

const FAULTS: readonly string[] = ['power-off', 'power-on'];

export const tin = acceptorModel({
  title: 'Tin acceptor (made up)',
  page: 'test/devices/tin/tin.md',
  line: { baud: 19_200, dataBits: 8, parity: 'none', stopBits: 1 },
  usb: [],
  example: { currency: 'MOP' },
  options: z.strictObject({ currency }),
  step: stepTin,
  initial: (options) => initialTin(options.currency),
  create: (id, open, clock, options) =>
    new AcceptorDriver(id, 'Tin', stepTin, initialTin(options.currency), open, clock),
  simulator: async ({ clock, currencies }) => {
    const { TinSim } = await import('./tin.sim.ts');
    const [own = 'MOP'] = currencies ?? [];
    const sim = new TinSim(clock, own);
    return {
      sim,
      currency: own,
      insert: (valueMinor, of) => sim.insert(valueMinor, of),
      emptyBox: () => sim.emptyBox(),
      faults: FAULTS,
      fault: (name) => (name === 'power-on' ? sim.powerOn() : sim.powerOff()),
      look: () => sim.look(),
    };
  },
});
