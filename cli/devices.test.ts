import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MODELS } from '../hardware/models.ts';
import { claimOf, type UsbListing, type UsbSight } from '../hardware/transport/usb-devices.ts';
import { devices } from './devices.ts';

async function seen(argv: string[], listing?: UsbListing): Promise<{ code: number; out: string }> {
  const lines: string[] = [];
  const { log } = console;
  console.log = (line: string) => void lines.push(line);
  try {
    return {
      code: await (listing === undefined ? devices(argv) : devices(argv, async () => listing)),
      out: lines.join('\n'),
    };
  } finally {
    console.log = log;
  }
}

test('devices lists the simulated models, and USB or the reason why not', async () => {
  const { code, out } = await seen([]);
  assert.ok(code === 0 || code === 1);
  assert.match(out, /id003 +bill-acceptor/);
  assert.match(out, /ksp1 +card-shoe/);
});

test('devices --json is one object', async () => {
  const { out } = await seen(['--json']);
  const parsed = JSON.parse(out) as {
    usb: { bus: boolean; error: string | null; devices: unknown[] };
    simulated: { model: string }[];
  };
  assert.equal(typeof parsed.usb.bus, 'boolean');
  assert.ok(
    parsed.usb.bus || parsed.usb.error === 'There is no USB bus in this machine.',
    parsed.usb.error ?? '',
  );
  assert.deepEqual(
    parsed.simulated.map(({ model }) => model),
    Object.keys(MODELS),
  );
});

const sight = (over: Partial<UsbSight>): UsbSight => ({
  id: '0403:6001',
  vendorId: 0x0403,
  productId: 0x6001,
  port: '1-1.2',
  manufacturer: 'FTDI',
  product: 'FT232R',
  serial: 'A1',
  claim: claimOf(0x0403, 0x6001),
  problem: null,
  ...over,
});

test('devices: each line begins with the name for the profile; what stands in the way is below it', async () => {
  const { code, out } = await seen([], {
    ok: true,
    devices: [
      sight({}),
      sight({ serial: null, port: '1-1.3', problem: 'No permission.' }),
      sight({ id: '0bed:1100', claim: claimOf(0x0bed, 0x1100), product: null, serial: null, port: '2-1' }),
      sight({ id: '046d:c077', claim: null, manufacturer: null, product: null, serial: null, port: '2-2' }),
    ],
  });
  assert.equal(code, 0);
  assert.deepEqual(out.split('\n').slice(0, 5), [
    '0403:6001/A1@1-1.2  FTDI FT232R: adapter over ftdi (FT232R adapter: the profile names its serial number or port and the model that hangs on it)',
    '0403:6001@1-1.3  FTDI FT232R: adapter over ftdi (FT232R adapter: the profile names its serial number or port and the model that hangs on it)',
    '  No permission.',
    '0bed:1100@2-1  FTDI: driver ebds over cp210x (MEI/CPI Cashflow SC)',
    '046d:c077@2-2  (no name): not one of ours',
  ]);
});

test('devices: no bus is no failure, a bus that cannot be read is one', async () => {
  const listing = (problem: 'no-bus' | 'other', error: string): UsbListing => ({ ok: false, problem, error });
  assert.deepEqual(
    [(await seen([], listing('no-bus', 'None.'))).code, (await seen([], listing('other', 'Broken.'))).code],
    [0, 1],
  );
  assert.match((await seen([], listing('other', 'Broken.'))).out, /^Broken\.\n/);
});

test('devices refuses what it does not know', async () => {
  const { error } = console;
  console.error = () => {};
  try {
    assert.equal((await seen(['--nonsense'])).code, 2);
  } finally {
    console.error = error;
  }
});
