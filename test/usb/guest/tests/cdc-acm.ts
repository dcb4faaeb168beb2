/** Linux's own CDC-ACM gadget, with an ID-003 acceptor at its inside. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { until } from '../../../support/until.ts';
import { noteGoesWell, noteThroughUnplug, openTill, whileStacking } from '../notes.ts';
import { Gadget, inside, kernelDriverOf, LINE_8E1, untilBound, untilFile, usb } from '../rig.ts';

const SERIAL = 'GADGET-ACM';
const AT_DEVICE = '/dev/ttyGS0';
const gadget = new Gadget(0, [0x1209, 0x0001], SERIAL, { 'acm.0': {} });
const open = usb(`1209:0001/${SERIAL}`, LINE_8E1);

async function plug(): Promise<void> {
  gadget.plug();
  await untilFile(AT_DEVICE);
  await inside.files.plug('acm', AT_DEVICE);
  await untilBound(SERIAL);
}

describe('CDC-ACM gadget', () => {
  before(plug);

  test('a note is credited once, and the kernel has its device back afterwards', async () => {
    const till = await openTill(open);
    assert.equal(kernelDriverOf(SERIAL), 'usbfs');
    await noteGoesWell(till, inside.acm, 10_000);
    till.kill();
    await until('the kernel has it back', () => kernelDriverOf(SERIAL) === 'cdc_acm');
  });

  test('unplugged between STACK and credit, plugged in again', async (t) => {
    const till = await openTill(open);
    t.after(() => till.kill());
    await noteThroughUnplug(till, inside.acm, 50_000, whileStacking, {
      pull: () => gadget.unplug(),
      putIn: plug,
    });
  });
});
