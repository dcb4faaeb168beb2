import { z } from 'zod';
import { faultOf, type PowerModel, rowOf } from '../model.ts';
import { UPS_NAME } from './nut.codec.ts';
import { type NutOptions, NutSupply } from './nut.driver.ts';
import { initialNut, stepNut } from './nut.machine.ts';
import { UPS_FAULTS } from './nut-faults.ts';

const options = z.strictObject({
  /** The name of its section in ups.conf. */
  ups: z.string().regex(UPS_NAME, 'the name of a section of ups.conf'),
});

export const nut: PowerModel = rowOf('power-supply', {
  title: 'UPS behind Network UPS Tools',
  page: 'docs/protocols/nut.md',
  line: null,
  usb: [],
  secrets: [],
  example: { ups: 'ups' },
  options,
  commands: z.never(),
  step: stepNut,
  initial: ({ ups }: NutOptions) => initialNut(ups),
  create: (id, open, clock, given) => new NutSupply(id, open, clock, given),
  simulator: async ({ clock, seed }) => {
    const { NutSim } = await import('./nut.sim.ts');
    const sim = new NutSim({ clock, seed });
    return {
      sim,
      faults: UPS_FAULTS,
      fault: (name) => sim.fault(faultOf('nut', UPS_FAULTS, name)),
      look: () => sim.sight(),
    };
  },
});
