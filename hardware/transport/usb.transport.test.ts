import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ACM, after, closed, FTDI, HID, LINE_8E1, table } from '../../test/kits/usb.ts';
import type { SerialLine } from '../ports.ts';
import { fromHex } from './bytes.ts';
import type { SimUsbDevice, SimUsbUnit } from './usb-bus.sim.ts';
import { UsbFailure } from './usb-bus.ts';
import type { UsbCarrierName } from './usb-carrier.ts';

// ---- bytes ----

test('a stream goes out in short transfers and in order, and is the sender’s no more once written', async () => {
  const { bus, transport } = table();
  const device = bus.plug(FTDI);
  const at = await transport('0403:6001').opened();
  const long = Uint8Array.from({ length: 300 }, (_, i) => i & 0xff);
  const [first, second] = [at.write(long), at.write(fromHex('aa'))];
  long.fill(0);
  await Promise.all([first, second]);
  const out = device.log.filter((entry) => entry.startsWith('out ')).map((entry) => fromHex(entry.slice(4)));
  assert.deepEqual(
    out.map(({ length }) => length),
    [256, 44, 1],
  );
  assert.deepEqual([out[0]![255], out[1]![0], out[2]![0]], [255, 0, 0xaa]);
});

test('an idle device: reads time out for ever and nothing happens', async () => {
  const { bus, clock, transport } = table();
  const device = bus.plug(ACM);
  const at = transport('09ab:0001');
  await at.opened();
  await clock.turn(60_000);
  device.say(fromHex('01'));
  await new Promise(setImmediate);
  assert.deepEqual(at.seen, ['01']);
});

test('a stalled endpoint is cleared and goes on; one that stalls for ever is given up', async () => {
  const { bus, transport } = table();
  const device = bus.plug(ACM);
  const at = transport('09ab:0001');
  await at.opened();
  device.halt('in', 3);
  await new Promise(setImmediate);
  device.say(fromHex('02'));
  await new Promise(setImmediate);
  assert.deepEqual(at.seen, ['02']);
  device.halt('out');
  await at.write(fromHex('03'));
  assert.equal(device.log.at(-1), 'out 03');
  assert.equal(at.counts().stalls, 4);
  device.halt('in', 1000);
  await new Promise(setImmediate);
  assert.match(at.seen.at(-1)!, /^usb:09ab:0001: the device refuses what was asked of it/);
  assert.ok(!device.inUse);
});

test('a write that is never taken ends in time, and so does the transport', async () => {
  const { bus, clock, transport } = table();
  const device = bus.plug(ACM);
  const at = transport('09ab:0001');
  await at.opened();
  device.hangWrites();
  const refused = assert.rejects(at.write(fromHex('01')), /does not answer in time/);
  await clock.turn(2000);
  await refused;
  assert.deepEqual(at.seen, ['usb:09ab:0001: the device does not answer in time']);
  await clock.turn(1000);
  await at.close();
  assert.ok(!device.inUse);
});

// ---- plug and unplug ----

test('unplugged with a read pending: one reason, and writes are refused; plugged in again it is reopened', async () => {
  const { bus, clock, transport } = table();
  const device = bus.plug(FTDI);
  const at = transport('0403:6001');
  await at.opened();
  bus.unplug(device);
  await new Promise(setImmediate);
  assert.deepEqual(at.seen, ['usb:0403:6001: unplugged, or the connection broke off']);
  await assert.rejects(at.write(fromHex('01')), /usb:0403:6001: closed/);
  await at.close();
  await assert.rejects(transport('0403:6001').opened(), /absent: no such device is plugged in/);
  const again = bus.plug(FTDI);
  const fresh = transport('0403:6001');
  await fresh.opened();
  again.say(fromHex('01 60 07'));
  await new Promise(setImmediate);
  assert.deepEqual(fresh.seen, ['07']);
  await closed(fresh, clock);
});

test('unplugged in a write: the write and the transport end with the same reason', async () => {
  const { bus, transport } = table();
  const device = bus.plug(ACM);
  const at = transport('09ab:0001');
  await at.opened();
  const written = at.write(fromHex('01'));
  bus.unplug(device);
  await assert.rejects(written, /unplugged/);
  await new Promise(setImmediate);
  assert.deepEqual(at.seen, ['usb:09ab:0001: unplugged, or the connection broke off']);
});

test('a transport opened while the one before it lets go waits for it', async () => {
  const { bus, clock, transport } = table();
  const device = bus.plug(ACM);
  const first = await transport('09ab:0001').opened();
  void first.close();
  const second = transport('09ab:0001');
  const opened = second.opened();
  await new Promise(setImmediate);
  assert.ok(device.inUse);
  assert.equal(device.log.filter((entry) => entry === 'open').length, 1);
  await clock.turn(1000);
  await opened;
  assert.deepEqual(after(device.log, 'close'), [
    'open',
    'detach 0',
    'claim 0',
    'claim 1',
    '21 20 00 00 00 00 | 80 25 00 00 00 02 08',
    '21 22 03 00 00 00',
  ]);
});

test('closed while it is being opened: the opening fails and the device is free', async () => {
  const { bus, transport } = table();
  const device = bus.plug(ACM);
  for (let turns = 0; turns < 12; turns++) {
    const at = transport('09ab:0001');
    const opened = assert.rejects(at.opened(), /closed while it was being opened/);
    for (let i = 0; i < turns; i++) await Promise.resolve();
    await at.close();
    await opened;
    assert.ok(!device.inUse);
    assert.deepEqual([...device.holders.values()], ['cdc_acm', 'cdc_acm']);
    assert.deepEqual(at.seen, []);
  }
});

test('a transport is opened once, and closed as often as one likes', async () => {
  const { bus, clock, transport } = table();
  bus.plug(ACM);
  const at = transport('09ab:0001');
  await assert.rejects(at.write(fromHex('01')), /closed/);
  await at.opened();
  await assert.rejects(at.open({ onBytes: () => {}, onClose: () => {} }), /already open/);
  await closed(at, clock);
  await at.close();
  assert.deepEqual(at.seen, []);
});

// ---- what stands in the way ----

test('two identical adapters: told apart by serial number or port, else both are named', async () => {
  const { bus, clock, transport } = table();
  const devices: SimUsbDevice[] = [
    bus.plug({ ...FTDI, port: '1-1.2', serial: 'A1' }),
    bus.plug({ ...FTDI, port: '1-1.3', serial: 'B2' }),
  ];
  await assert.rejects(transport('0403:6001').opened(), {
    message: 'usb:0403:6001: fits 2 devices, name one of them: 0403:6001/A1@1-1.2, 0403:6001/B2@1-1.3',
  });
  for (const [selector, used] of [
    ['0403:6001/B2', 1],
    ['0403:6001@1-1.2', 0],
    ['0403:6001/A1@1-1.2', 0],
  ] as const) {
    const at = await transport(selector).opened();
    assert.deepEqual(
      devices.map(({ inUse }) => inUse),
      [used === 0, used === 1],
    );
    await closed(at, clock);
  }
  await assert.rejects(transport('0403:6001/B2@1-1.2').opened(), {
    message:
      'usb:0403:6001/B2@1-1.2: absent: plugged in with the same ids: 0403:6001/A1@1-1.2, 0403:6001/B2@1-1.3',
  });
});

test('two adapters without serial numbers are named by their ports', async () => {
  const { bus, transport } = table();
  for (const port of ['1-1', '1-2']) {
    const { serial: _none, ...bare } = FTDI;
    bus.plug({ ...bare, port });
  }
  await assert.rejects(transport('0403:6001').opened(), /0403:6001@1-1, 0403:6001@1-2$/);
});

test('no permission: the sentence names the node and the rule', async () => {
  const { bus, transport } = table();
  bus.plug(FTDI).refuse('denied', 'open error: permission denied (errno 13)');
  await assert.rejects(transport('0403:6001').opened(), {
    message:
      'usb:0403:6001: no permission to open /dev/bus/usb/001/001: install electron/deploy/70-banca-usb.rules as /etc/udev/rules.d/70-banca-usb.rules, see that the account is in the group named there, and plug the device in again',
  });
});

test('another program has it: said so, and nothing is taken away from it', async () => {
  const { bus, transport } = table();
  const device = bus.plug(ACM);
  device.hold(1, 'usbfs');
  await assert.rejects(
    transport('09ab:0001').opened(),
    /in use by another program or by another device of the profile/,
  );
  assert.deepEqual([device.holders.get(0), device.holders.get(1), device.inUse], ['cdc_acm', 'usbfs', false]);
});

test('two devices of one profile on the same adapter: the second is reported', async () => {
  const { bus, transport } = table();
  const device = bus.plug(FTDI);
  const first = transport('0403:6001');
  await first.opened();
  await assert.rejects(
    transport('0403:6001/FTBILL').opened(),
    /in use by another program or by another device/,
  );
  device.say(fromHex('01 60 01'));
  await new Promise(setImmediate);
  assert.deepEqual(first.seen, ['01']);
});

test('no USB bus in the machine', async () => {
  const { bus, transport } = table();
  bus.failure = new UsbFailure('no-bus', 'getDevices error: /sys/bus/usb/devices/ not found (errno 2)');
  await assert.rejects(transport('0403:6001').opened(), {
    message: 'usb:0403:6001: there is no USB bus in this machine',
  });
});

test('carrier: by ids, by interface classes, by name; what does not fit has a sentence', async () => {
  const unknown = { vendorId: 0x1111, productId: 0x2222 };
  const opened = async (unit: SimUsbUnit, o: { carrier?: UsbCarrierName; line?: SerialLine | null } = {}) => {
    const { bus, transport } = table();
    const device = bus.plug({ ...unit, ...unknown });
    await transport('1111:2222', o).opened();
    return device.log;
  };
  assert.ok((await opened(ACM)).includes('21 22 03 00 00 00'));
  assert.ok((await opened(HID)).includes('81 06 00 22 00 00'));
  assert.ok((await opened(FTDI, { carrier: 'cp210x' })).includes('41 00 01 00 00 00'));
  await assert.rejects(opened(FTDI), /neither its ids nor its interfaces tell the carrier: name it$/);
  await assert.rejects(
    opened(FTDI, { carrier: 'ftdi', line: null }),
    /carrier ftdi needs baud, data bits, parity and stop bits$/,
  );
  await assert.rejects(
    opened(FTDI, { carrier: 'ftdi', line: { ...LINE_8E1, baud: 50 } }),
    /an FT232R cannot make 50 baud$/,
  );
  for (const carrier of ['cdc-acm', 'hid'] as const)
    await assert.rejects(opened(FTDI, { carrier }), /the device has no interfaces for carrier/);
  await assert.rejects(opened(HID, { carrier: 'ftdi' }), /the device has no interfaces for carrier ftdi$/);
});

test('a set-up request that the device refuses: a sentence, and the device is free', async () => {
  const { bus, transport } = table();
  const device = bus.plug({ ...HID, controlIn: () => null });
  await assert.rejects(transport('1209:0002').opened(), /the device refuses what was asked of it/);
  assert.deepEqual([device.inUse, device.holders.get(0)], [false, 'usbhid']);
});

test('whatever happens in whatever order: bytes in order, one reason at most, the device free at the end', async () => {
  const action = fc.oneof(
    fc.record({ do: fc.constant('say' as const), byte: fc.integer({ min: 0, max: 255 }) }),
    fc.record({
      do: fc.constantFrom('halt-in', 'halt-out', 'hang', 'pull', 'write', 'turn', 'yield', 'close'),
    }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 30 }), async (actions) => {
      const { bus, clock, transport } = table();
      const device = bus.plug(ACM);
      const said: number[] = [];
      const heard: number[] = [];
      const reasons: string[] = [];
      const failed: string[] = [];
      const at = transport('09ab:0001');
      const writes: Promise<void>[] = [];
      let pulled = false;
      await at.open({
        onBytes: (bytes) => void heard.push(...bytes),
        onClose: (reason) => void reasons.push(reason),
      });
      for (const act of actions)
        if ('byte' in act) {
          said.push(act.byte);
          device.say(Uint8Array.of(act.byte));
        } else if (act.do === 'halt-in') device.halt('in', 2);
        else if (act.do === 'halt-out') device.halt('out');
        else if (act.do === 'hang') device.hangWrites();
        else if (act.do === 'pull') {
          bus.unplug(device);
          pulled = true;
        } else if (act.do === 'write')
          writes.push(at.write(Uint8Array.of(1)).catch((error: Error) => void failed.push(error.message)));
        else if (act.do === 'turn') await clock.turn(700);
        else if (act.do === 'yield') await new Promise(setImmediate);
        else void at.close();
      const closing = at.close();
      for (let i = 0; i < 60; i++) {
        await clock.turn(1000);
        await new Promise(setImmediate);
      }
      await Promise.all([closing, ...writes]);
      assert.deepEqual(heard, said.slice(0, heard.length));
      assert.ok(reasons.length <= 1);
      for (const message of [...reasons, ...failed]) assert.match(message, /^usb:09ab:0001: /);
      assert.ok(!device.inUse);
      assert.deepEqual([...device.holders.values()], pulled ? [] : ['cdc_acm', 'cdc_acm']);
    }),
    { numRuns: Number(process.env['USB_RUNS'] ?? 100) },
  );
});
