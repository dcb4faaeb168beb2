import { z } from 'zod';
import { faultOf, rowOf, type ShoeModel } from '../../model.ts';
import { fromHex } from '../../transport/bytes.ts';
import { createKsp1, type Ksp1Options } from './ksp1.driver.ts';
import { initialKsp1, stepKsp1 } from './ksp1.machine.ts';
import { SHOE_FAULTS } from './ksp1-faults.ts';

const options = z.strictObject({
  /** Hex digits of the key that the shoe was given in service mode. */
  pairingKey: z
    .string()
    .regex(/^([0-9a-fA-F]{2}){16,64}$/, '32 to 128 hex digits')
    .transform(fromHex)
    .exactOptional(),
});

export const ksp1: ShoeModel = rowOf('card-shoe', {
  title: 'KSP-1 reading shoe',
  page: 'docs/protocols/ksp-1.md',
  line: null,
  usb: [
    {
      vendorId: 0x1209,
      productId: 0x0002,
      carrier: 'hid',
      note: 'KSP-1 shoe under the test id of pid.codes',
    },
  ],
  secrets: ['pairingKey'],
  example: {},
  options,
  commands: z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('stored'), seq: z.int().min(0) }),
    z.strictObject({
      type: z.literal('moment'),
      nonce: z.instanceof(Uint8Array),
      epochMs: z.int(),
      againAfterMs: z.int(),
    }),
    z.strictObject({ type: z.literal('acknowledge'), seq: z.int().min(1) }),
    z.strictObject({ type: z.literal('lock'), on: z.boolean() }),
  ]),
  step: stepKsp1,
  initial: ({ pairingKey }: Ksp1Options) => initialKsp1(pairingKey ?? null),
  create: createKsp1,
  // Asked and answered inside the driver.
  tells: ({ type }) => !type.startsWith('ask-'),
  simulator: async ({ clock, seed }) => {
    const { Ksp1Sim } = await import('./ksp1.sim.ts');
    const sim = new Ksp1Sim({ clock, seed });
    return {
      sim,
      load: (cards, decks) => void sim.load(cards, decks),
      placeCutCard: (fromEnd) => sim.placeCutCard(fromEnd),
      draw: () => sim.draw(),
      faults: SHOE_FAULTS,
      fault: (name) => sim.fault(faultOf('ksp1', SHOE_FAULTS, name)),
      look: () => ({
        remaining: sim.remaining(),
        drawn: sim.drawn().length,
        locked: sim.isLocked(),
        lastSeq: sim.journal().lastSeq,
        ackedSeq: sim.journal().ackedSeq,
      }),
    };
  },
});
