import { z } from 'zod';
import { type CabinetModel, faultOf, rowOf } from '../../model.ts';
import { MOST_SIREN_MS, PATTERNS } from './kcb1.codec.ts';
import { Kcb1Board } from './kcb1.driver.ts';
import { initialKcb1, stepKcb1 } from './kcb1.machine.ts';
import { CABINET_FAULTS } from './kcb1-faults.ts';

const pattern = z.enum(PATTERNS);

export const kcb1: CabinetModel = rowOf('cabinet-board', {
  title: 'KCB-1 cabinet board',
  page: 'docs/protocols/kcb-1.md',
  line: null,
  usb: [
    {
      vendorId: 0x1209,
      productId: 0x0003,
      carrier: 'hid',
      note: 'KCB-1 cabinet board under the test id of pid.codes',
    },
  ],
  secrets: [],
  example: {},
  options: z.strictObject({}),
  commands: z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('lamp'), upper: pattern, lower: pattern }),
    z.strictObject({ type: z.literal('siren'), ms: z.int().min(0).max(MOST_SIREN_MS) }),
  ]),
  step: stepKcb1,
  initial: initialKcb1,
  create: (id, open, clock) => new Kcb1Board(id, open, clock),
  simulator: async ({ clock, seed }) => {
    const { Kcb1Sim } = await import('./kcb1.sim.ts');
    const sim = new Kcb1Sim({ clock, seed });
    return {
      sim,
      faults: CABINET_FAULTS,
      fault: (name) => sim.fault(faultOf('kcb1', CABINET_FAULTS, name)),
      look: () => sim.sight(),
    };
  },
});
