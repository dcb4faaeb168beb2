import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromHex, toHex } from './bytes.ts';
import { HandClock } from './clock.ts';
import { SimUsbBus } from './usb-bus.sim.ts';
import {
  LISTING_MS,
  type PackageDevice,
  packageUsbBus,
  sharedUsbBus,
  systemUsbBus,
  UsbFailure,
  usbFailureOf,
} from './usb-bus.ts';

test('the texts of usb 3.1.0 as problems', () => {
  for (const [text, problem] of [
    ['getDevices error: /sys/bus/usb/devices/ not found (errno 2)', 'no-bus'],
    ['transferIn error: Cancelled', 'timeout'],
    ['controlTransferOut error: transfer was cancelled', 'timeout'],
    ['open error: permission denied (errno 13)', 'denied'],
    ['claimInterface error: interface is busy (errno 16)', 'busy'],
    ['transferIn error: Stall', 'stall'],
    ['controlTransferIn error: endpoint stalled', 'stall'],
    ['transferIn error: Disconnected', 'gone'],
    ['transferIn error: Fault', 'gone'],
    ['controlTransferOut error: device disconnected', 'gone'],
    ['claimInterface error: device disconnected (errno 19)', 'gone'],
    ['open error: device not found (errno 2)', 'gone'],
    ['transferIn error: endpoint not found', 'other'],
    ['detachKernelDriver error: no kernel driver attached (errno 61)', 'other'],
  ] as const) {
    const failure = usbFailureOf(new Error(text));
    assert.deepEqual([failure.problem, failure.message], [problem, text]);
  }
});

function packageDevice(over: Partial<PackageDevice> & { calls?: unknown[][] } = {}): PackageDevice {
  const { calls = [], ...rest } = over;
  const called =
    <T>(name: string, answer: T) =>
    (...args: unknown[]): Promise<T> => {
      calls.push([name, ...args.map((arg) => (arg instanceof Uint8Array ? toHex(arg) : arg))]);
      return Promise.resolve(answer);
    };
  return {
    vendorId: 0x0403,
    productId: 0x6001,
    bus: '001',
    address: 7,
    ports: [2, 3],
    manufacturerName: 'FTDI',
    productName: 'FT232R',
    serialNumber: 'A1',
    configuration: {
      configurationValue: 1,
      interfaces: [
        {
          interfaceNumber: 0,
          alternate: {
            interfaceClass: 255,
            endpoints: [{ endpointNumber: 1, direction: 'in', type: 'bulk', packetSize: 64 }],
          },
        },
      ],
    },
    open: called('open', undefined),
    close: called('close', undefined),
    claimInterface: called('claim', undefined),
    releaseInterface: called('release', undefined),
    detachKernelDriver: called('detach', undefined),
    attachKernelDriver: called('attach', undefined),
    controlTransferIn: called('controlIn', { data: new DataView(fromHex('01 02').buffer as ArrayBuffer) }),
    controlTransferOut: called('controlOut', {}),
    transferIn: called('in', { data: new DataView(fromHex('09 08 07').buffer as ArrayBuffer, 1, 2) }),
    transferOut: called('out', { bytesWritten: 2 }),
    clearHalt: called('clear', undefined),
    ...rest,
  };
}

const busOf = (...devices: PackageDevice[]) =>
  packageUsbBus(async () => ({ usb: { getDevices: async () => devices } }));

test('the package: a device as the kernel names it, transfers with their time-outs', async () => {
  const calls: unknown[][] = [];
  const [device] = await busOf(packageDevice({ calls })).list();
  assert.ok(device);
  assert.deepEqual(
    [device.id, device.port, device.node, device.serial(), device.manufacturer(), device.product()],
    ['1-2.3#7', '1-2.3', '/dev/bus/usb/001/007', 'A1', 'FTDI', 'FT232R'],
  );
  const handle = await device.open();
  assert.deepEqual(handle.interfaces(), [
    {
      number: 0,
      classCode: 255,
      endpoints: [{ number: 1, direction: 'in', type: 'bulk', packetSize: 64 }],
    },
  ]);
  await assert.rejects(device.open(), (error) => error instanceof UsbFailure && error.problem === 'busy');
  const setup = { type: 'class', recipient: 'interface', request: 0x22, value: 3, index: 0 } as const;
  const packageSetup = {
    requestType: 'class',
    recipient: 'interface',
    request: 0x22,
    value: 3,
    index: 0,
  };
  // Without data the package throws a TypeError.
  await handle.controlOut(setup, new Uint8Array(0));
  assert.equal(toHex(await handle.controlIn(setup, 2)), '01 02');
  assert.equal(toHex((await handle.read(1, 64, 500))!), '08 07');
  await handle.write(2, fromHex('aa bb'), 700);
  await handle.clearHalt('in', 1);
  await handle.detach(0);
  await handle.claim(0);
  await handle.release(0);
  await handle.attach(0);
  await handle.close();
  assert.deepEqual(calls, [
    ['open'],
    ['controlOut', packageSetup, '', 1000],
    ['controlIn', packageSetup, 2, 1000],
    ['in', 1, 64, 500],
    ['out', 2, 'aa bb', 700],
    ['clear', 'in', 1],
    ['detach', 0],
    ['claim', 0],
    ['release', 0],
    ['attach', 0],
    ['close'],
  ]);
  await (await device.open()).close();
});

test('the package: a read that times out is null, one that fails is a failure; half a write is one too', async () => {
  const reads = ['Cancelled', 'Disconnected'];
  const [device] = await busOf(
    packageDevice({
      transferIn: () => Promise.reject(new Error(`transferIn error: ${reads.shift()}`)),
      transferOut: () => Promise.resolve({ bytesWritten: 1 }),
    }),
  ).list();
  const handle = await device!.open();
  assert.equal(await handle.read(1, 64, 10), null);
  await assert.rejects(handle.read(1, 64, 10), (error: UsbFailure) => error.problem === 'gone');
  await assert.rejects(handle.write(2, fromHex('01 02'), 10), /1 of 2 bytes were taken/);
});

test('the package: texts and descriptors that cannot be read, an open that fails and may be tried again', async () => {
  let denied = true;
  const gone = (): never => {
    throw new Error('open error: device not found (errno 2)');
  };
  const [device] = await busOf(
    Object.defineProperties(
      packageDevice({
        open: () =>
          denied ? Promise.reject(new Error('open error: permission denied (errno 13)')) : Promise.resolve(),
      }),
      { serialNumber: { get: gone }, configuration: { get: gone } },
    ),
  ).list();
  assert.equal(device!.serial(), null);
  await assert.rejects(device!.open(), (error: UsbFailure) => error.problem === 'denied');
  denied = false;
  const handle = await device!.open();
  assert.throws(() => handle.interfaces(), UsbFailure);
  await assert.rejects(handle.holder(0), (error: UsbFailure) => error.problem === 'gone');
});

test('a package that cannot be loaded is a sentence', async () => {
  await assert.rejects(
    packageUsbBus(() => Promise.reject(new Error('Cannot find native binding.\nmore'))).list(),
    {
      problem: 'other',
      message: 'the usb package cannot be loaded: Cannot find native binding.',
    },
  );
});

test('one listing serves everybody who asks within its time, failures too', async () => {
  const clock = new HandClock();
  const bus = new SimUsbBus(clock);
  const shared = sharedUsbBus(bus, () => clock.now());
  await Promise.all(Array.from({ length: 8 }, () => shared.list()));
  assert.equal(bus.listings, 1);
  bus.failure = new UsbFailure('no-bus', 'none');
  await clock.turn(LISTING_MS - 1);
  assert.deepEqual(await shared.list(), []);
  await clock.turn(1);
  await assert.rejects(shared.list(), /none/);
  await assert.rejects(shared.list(), /none/);
  assert.equal(bus.listings, 2);
});

test('this machine: its devices, or no bus, and nothing else', async () => {
  try {
    assert.ok(Array.isArray(await systemUsbBus.list()));
  } catch (error) {
    assert.ok(error instanceof UsbFailure);
    assert.equal(error.problem, 'no-bus', error.message);
  }
});

test('a device in use says who it is, as the package does not', async () => {
  let inUse = false;
  const text = (said: string): string => {
    if (inUse)
      throw new Error('The same native value cannot be borrowed mutably while another borrow is active');
    return said;
  };
  const open = async (): Promise<void> => {
    inUse = true;
  };
  const device = Object.defineProperties(packageDevice({ open }), {
    serialNumber: { get: () => text('A1') },
    productName: { get: () => text('FT232R') },
    manufacturerName: { get: () => text('FTDI') },
  });
  const bus = packageUsbBus(async () => ({ usb: { getDevices: async () => [device] } }));
  const [found] = await bus.list();
  await found!.open();
  assert.ok(inUse);
  assert.deepEqual([found!.serial(), found!.product(), found!.manufacturer()], ['A1', 'FT232R', 'FTDI']);
});
