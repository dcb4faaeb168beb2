/** Linux's own HID gadget, with a KSP-1 shoe at its inside. */
import { describe, test } from 'node:test';
import { noCardIsLost } from '../cards.ts';
import { inside, usb } from '../rig.ts';
import { ShoeGadget } from '../shoe-gadget.ts';

describe('HID gadget', () => {
  test('no card is lost or doubled: host lost before an acknowledgement, plug pulled between two cards', async () => {
    const gadget = new ShoeGadget(1, 'GADGET-SHOE', 'hid');
    await gadget.plug();
    await noCardIsLost(usb('1209:0002/GADGET-SHOE', null), inside.hid, {
      pull: () => gadget.unplug(),
      putIn: () => gadget.plug(),
    });
  });
});
