/** What electron/deploy/*.rules allow, and what they do not. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { renameSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import type { UsbListing } from '../../../../hardware/transport/usb-devices.ts';
import { until } from '../../../support/until.ts';
import { authorized, inside, udevadm, untilAuthorized } from '../rig.ts';

const SERIAL = 'IP-SHOE';
const RULE = '/etc/udev/rules.d/70-banca-usb.rules';
const UID = '1000';
const PLUGDEV = '46';
const DENIED = /^No permission to open \/dev\/bus\/usb\/\d+\/\d+: .*udev\/rules\.d/;

const run = promisify(execFile);

/**
 * Why an account without privileges, in these groups alone, cannot open the shoe; null = it can.
 */
async function problemOf(...groups: string[]): Promise<string | null> {
  const { stdout } = await run(process.execPath, ['/rig/as-user.js', UID, ...groups]);
  const listing = JSON.parse(stdout) as UsbListing;
  assert.ok(listing.ok, stdout);
  const sight = listing.devices.find((device) => device.serial === SERIAL);
  assert.ok(sight, stdout);
  return sight.problem;
}

async function plug(): Promise<void> {
  await inside.hidDevice.plug();
  await untilAuthorized(SERIAL);
}

/** Unplugged, and plugged in again under the rules as they lie there now. */
async function replug(): Promise<void> {
  await inside.hidDevice.unplug();
  await until('the shoe is gone', () => authorized(SERIAL) === null);
  await udevadm('control', '--reload');
  await inside.hidDevice.plug();
  await until('the shoe is there', () => authorized(SERIAL));
  await udevadm('settle');
}

describe('an account without privileges', () => {
  before(plug);
  after(() => inside.hidDevice.unplug());

  test('opens a device that the rule names, when it is in the group of the rule', async () => {
    await until('udev has seen it', async () => (await problemOf(PLUGDEV)) === null);
  });

  test('does not when it is not, and the sentence says what to do', async () => {
    assert.match((await problemOf()) ?? '', DENIED);
  });

  test('does not without the rule, nor does anybody else', async () => {
    renameSync(RULE, `${RULE}.away`);
    try {
      await replug();
      assert.match((await problemOf(PLUGDEV)) ?? '', DENIED);
      assert.deepEqual(authorized(SERIAL), { device: false, interfaces: [] });
    } finally {
      renameSync(`${RULE}.away`, RULE);
    }
    await replug();
    assert.equal(await problemOf(PLUGDEV), null);
  });
});
