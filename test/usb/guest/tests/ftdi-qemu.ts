/** QEMU's FT232 adapters, two alike, with ID-003 acceptors outside of the guest. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { listUsb } from '../../../../hardware/transport/usb-devices.ts';
import { until } from '../../../support/until.ts';
import { noteGoesWell, noteThroughUnplug, openTill, whileStacking } from '../notes.ts';
import { kernelDriverOf, LINE_8E1, outside, untilBound, usb } from '../rig.ts';

async function portOf(serial: string): Promise<string> {
  return until(serial, async () => {
    const listing = await listUsb();
    assert.ok(listing.ok, JSON.stringify(listing));
    return listing.devices.find((device) => device.serial === serial)?.port;
  });
}

describe('FT232 adapters of QEMU', () => {
  test('two alike differ by serial number and by port', async (t) => {
    const port = await portOf('BV-TWO');
    for (const serial of ['BV-ONE', 'BV-TWO']) {
      await untilBound(serial);
      assert.equal(kernelDriverOf(serial), 'ftdi_sio');
    }
    await assert.rejects(usb('0403:6001', LINE_8E1)().open({ onBytes() {}, onClose() {} }), /fits 2 devices/);
    const [one, two] = await Promise.all([
      openTill(usb('0403:6001/BV-ONE', LINE_8E1)),
      openTill(usb(`0403:6001@${port}`, LINE_8E1)),
    ]);
    t.after(() => [one, two].map((till) => till.kill()));
    await noteGoesWell(one, outside.one, 10_000);
    await noteGoesWell(two, outside.two, 50_000);
  });

  test('unplugged between STACK and credit, plugged in again', async (t) => {
    const till = await openTill(usb('0403:6001/BV-ONE', LINE_8E1));
    t.after(() => till.kill());
    await noteThroughUnplug(till, outside.one, 100_000, whileStacking, {
      pull: () => outside.adapterOne.unplug(),
      putIn: () => outside.adapterOne.plug(),
    });
  });
});
