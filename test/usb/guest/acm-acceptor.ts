/** Linux's own CDC-ACM gadget, with an acceptor at its inside. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { until } from '../../support/until.ts';
import { AcmGadget } from './acm-gadget.ts';
import {
  type Create,
  noteGoesWell,
  noteThroughDeath,
  noteThroughUnplug,
  openTill,
  whileStacking,
} from './notes.ts';
import { inside, kernelDriverOf, usb } from './rig.ts';

/** The tests of an acceptor there; `player` plays it. */
export function acceptorOnAcm(
  name: string,
  player: 'acm' | 'cctalk',
  create: Create,
  line: Parameters<typeof usb>[1],
): void {
  describe(`CDC-ACM gadget: ${name}`, () => {
    const gadget = new AcmGadget(0, `GADGET-${player.toUpperCase()}`, player);
    const open = usb(gadget.selector, line);

    before(() => gadget.plug());
    after(() => gadget.remove());

    test('a note is credited once, and the kernel has its device back afterwards', async () => {
      const till = await openTill(open, create);
      assert.equal(kernelDriverOf(gadget.serial), 'usbfs');
      await noteGoesWell(till, inside[player], 10_000);
      till.kill();
      await until('the kernel has it back', () => kernelDriverOf(gadget.serial) === 'cdc_acm');
    });

    test('the host is killed between STACK and credit', async (t) => {
      const till = await openTill(open, create);
      t.after(() => till.kill());
      await noteThroughDeath(till, inside[player], 2_000, whileStacking);
    });

    test('unplugged between STACK and credit, plugged in again', async (t) => {
      const till = await openTill(open, create);
      t.after(() => till.kill());
      await noteThroughUnplug(till, inside[player], 50_000, whileStacking, {
        pull: () => gadget.unplug(),
        putIn: () => gadget.plug(),
      });
    });
  });
}
