import { z } from 'zod';
import { faultOf, rowOf, type ShoeModel } from '../../model.ts';
import { ANGEL_EYE_LINE, createAngelEye } from './angel-eye.driver.ts';
import { initialAngelEye, stepAngelEye } from './angel-eye.machine.ts';

const options = z.strictObject({
  /** The shoe does not say who it is: the name on its type plate. */
  serial: z.string().regex(/^[ -~]{1,16}$/, 'printable ASCII, at most 16 characters'),
  /** Whether it may be sent commands. */
  commands: z.boolean().exactOptional(),
});

export const angelEye: ShoeModel = rowOf('card-shoe', {
  title: 'Angel Eye II-EX reading shoe',
  page: 'docs/protocols/angel-eye.md',
  line: ANGEL_EYE_LINE,
  usb: [],
  secrets: [],
  example: { serial: 'AE-1' },
  options,
  commands: z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('stored'), seq: z.int().min(0) }),
    z.strictObject({ type: z.literal('lock'), on: z.boolean() }),
  ]),
  step: stepAngelEye,
  initial: initialAngelEye,
  create: createAngelEye,
  simulator: async ({ clock, seed }) => {
    const { ANGEL_EYE_FAULTS, AngelEyeSim } = await import('./angel-eye.sim.ts');
    const sim = new AngelEyeSim({ clock, seed });
    return {
      sim,
      load: (cards) => sim.load(cards),
      placeCutCard: (fromEnd) => sim.placeCutCard(fromEnd),
      draw: () => sim.draw(),
      faults: ANGEL_EYE_FAULTS,
      fault: (name) => sim.fault(faultOf('angel-eye', ANGEL_EYE_FAULTS, name)),
      look: () => ({
        remaining: sim.remaining(),
        drawn: sim.drawn().length,
        locked: sim.isLocked(),
        error: sim.inError(),
      }),
    };
  },
});
