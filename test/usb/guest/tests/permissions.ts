/** What electron/deploy/*.rules let an account without privileges do. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import type { UsbListing, UsbSight } from '../../../../hardware/transport/usb-devices.ts';
import { inside, kernelDriverOf, until } from '../rig.ts';

const UID = '1000';
const PLUGDEV = '46';

/** As the account sees it, with only these groups. */
async function sightOf(serial: string, ...groups: string[]): Promise<UsbSight> {
  const { stdout } = await promisify(execFile)(process.execPath, ['/rig/as-user.js', UID, ...groups]);
  const listing = JSON.parse(stdout) as UsbListing;
  assert.ok(listing.ok, stdout);
  const sight = listing.devices.find((device) => device.serial === serial);
  assert.ok(sight, stdout);
  return sight;
}

describe('permissions of an account without privileges', () => {
  before(async () => {
    await inside.hidDevice.plug();
    await until('the shoe is there', () => kernelDriverOf('IP-SHOE') === 'usbhid');
  });
  after(() => inside.hidDevice.unplug());

  test('a device named in the udev rule opens for the group named there', async () => {
    await until('udev has seen it', async () => (await sightOf('IP-SHOE', PLUGDEV)).problem === null);
  });

  test('outside of that group it does not, and the sentence says what to do', async () => {
    const { problem } = await sightOf('IP-SHOE');
    assert.match(problem ?? '', /^No permission to open \/dev\/bus\/usb\/\d+\/\d+: .*udev\/rules\.d/);
  });
});
