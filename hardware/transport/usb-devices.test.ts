import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { MODELS } from '../models.ts';
import { HandClock } from './clock.ts';
import { SimUsbBus } from './usb-bus.sim.ts';
import { UsbFailure } from './usb-bus.ts';
import { claimOf, KNOWN_USB, listUsb } from './usb-devices.ts';
import { usbIds } from './usb-selector.ts';

test('known ids name their driver and their carrier', () => {
  const claim = (vendorId: number, productId: number) => {
    const found = claimOf(vendorId, productId);
    return found === null ? null : [found.driver, found.carrier];
  };
  assert.deepEqual(claim(0x09ab, 0x1234), ['id003', 'cdc-acm']);
  assert.deepEqual(claim(0x0bed, 0x1100), ['ebds', 'cp210x']);
  assert.deepEqual(claim(0x0bed, 0x1101), ['ebds', 'cp210x']);
  assert.deepEqual(claim(0x1209, 0x0002), ['ksp1', 'hid']);
  assert.deepEqual(claim(0x0403, 0x6001), ['profile', 'ftdi']);
  assert.deepEqual(claim(0x10c4, 0xea60), ['profile', 'cp210x']);
  assert.deepEqual(claim(0x191c, 0x4104), ['ssp', 'cdc-acm']);
  assert.equal(claim(0x0bed, 0x1102), null);
});

test('a driver that is named is a model of the house', () => {
  for (const { driver } of KNOWN_USB)
    assert.ok(driver === null || driver === 'profile' || Object.hasOwn(MODELS, driver), String(driver));
});

test('the listing: by port, with serial number, claim, and what keeps ours from being opened', async () => {
  const bus = new SimUsbBus(new HandClock());
  const shoe = bus.plug({ vendorId: 0x1209, productId: 2, port: '1-10', serial: 'S1', interfaces: [] });
  bus.plug({ vendorId: 0x0403, productId: 0x6001, port: '1-2', interfaces: [] }).refuse('denied', 'x');
  bus.plug({ vendorId: 0x046d, productId: 0xc077, port: '1-3', interfaces: [] }).refuse('denied', 'x');
  const listing = await listUsb(bus);
  assert.ok(listing.ok);
  assert.deepEqual(
    listing.devices.map(({ id, port, serial, claim, problem }) => [
      id,
      port,
      serial,
      claim?.driver ?? null,
      problem?.slice(0, 47) ?? null,
    ]),
    [
      ['0403:6001', '1-2', null, 'profile', 'No permission to open /dev/bus/usb/001/002: ins'],
      ['046d:c077', '1-3', null, null, null],
      ['1209:0002', '1-10', 'S1', 'ksp1', null],
    ],
  );
  assert.ok(!shoe.inUse);
});

test('a device that this process has open has no problem, and keeps its handle', async () => {
  const bus = new SimUsbBus(new HandClock());
  const shoe = bus.plug({ vendorId: 0x1209, productId: 2, port: '1-1', interfaces: [] });
  await shoe.open();
  const listing = await listUsb(bus);
  assert.ok(listing.ok && shoe.inUse);
  assert.equal(listing.devices[0]?.problem, null);
});

test('no bus is a sentence', async () => {
  const bus = new SimUsbBus(new HandClock());
  bus.failure = new UsbFailure('no-bus', 'getDevices error');
  assert.deepEqual(await listUsb(bus), {
    ok: false,
    problem: 'no-bus',
    error: 'There is no USB bus in this machine.',
  });
});

test('the udev rule opens every device that a driver is for, and no other', () => {
  const rules = readFileSync(
    join(import.meta.dirname, '../../electron/deploy/70-banca-usb.rules'),
    'utf8',
  ).split('\n');
  assert.ok(rules.includes('ENV{BANCA_USB}=="serial|shoe|printer|cabinet", GROUP="plugdev", MODE="0660"'));
  const opened = rules
    .filter((rule) => /ENV\{BANCA_USB\}="(?:serial|shoe|printer|cabinet)"$/.test(rule))
    .map((rule) => {
      const [, vendor, , product] = /ATTR\{idVendor\}=="(\w+)"(, ATTR\{idProduct\}=="(\w+)")?/.exec(rule)!;
      return `${vendor}:${product ?? '*'}`;
    });
  const ours = KNOWN_USB.filter(({ driver }) => driver !== null).map(({ vendorId, productId }) =>
    productId === null ? usbIds(vendorId, 0).replace(/:.*/, ':*') : usbIds(vendorId, productId),
  );
  assert.deepEqual(opened.toSorted(), ours.toSorted());
});
