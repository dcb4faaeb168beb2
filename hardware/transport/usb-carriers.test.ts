import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  ACM,
  after,
  CP210X,
  closed,
  endpoint,
  FTDI,
  HID,
  LINE_7E1,
  LINE_8E1,
  LINE_8N2,
  PRINTER,
  table,
} from '../../test/kits/usb.ts';
import { fromHex } from './bytes.ts';
import { UsbFailure, type UsbInterface } from './usb-bus.ts';
import { ftdiDivisor } from './usb-ftdi.ts';
import { hidReports } from './usb-hid.ts';

test('CDC-ACM: both interfaces, line coding 9600 8E1, DTR and RTS; everything given back', async () => {
  const { bus, clock, transport } = table();
  const device = bus.plug(ACM);
  const line = await transport('09ab:0001').opened();
  assert.deepEqual(device.log, [
    'open',
    'detach 0',
    'claim 0',
    'claim 1',
    '21 20 00 00 00 00 | 80 25 00 00 00 02 08',
    '21 22 03 00 00 00',
  ]);
  await closed(line, clock);
  assert.deepEqual(after(device.log, '21 22 03 00 00 00'), ['release 0', 'release 1', 'attach 0', 'close']);
  assert.deepEqual([...device.holders.values()], ['cdc_acm', 'cdc_acm']);
});

test('CDC-ACM without a line leaves the coding of the device', async () => {
  const { bus, transport } = table();
  const device = bus.plug(ACM);
  await transport('09ab:0001', { line: null }).opened();
  assert.deepEqual(after(device.log, 'claim 1'), ['21 22 03 00 00 00']);
});

test('FTDI: reset, purges, divisor, data, flow, modem lines, latency', async () => {
  const { bus, transport } = table();
  const device = bus.plug(FTDI);
  await transport('0403:6001').opened();
  assert.deepEqual(device.log, [
    'open',
    'detach 0',
    'claim 0',
    '40 00 00 00 00 00',
    '40 00 01 00 00 00',
    '40 00 02 00 00 00',
    '40 03 38 41 00 00',
    '40 04 08 02 00 00',
    '40 02 00 00 00 00',
    '40 01 03 03 00 00',
    '40 09 20 00 00 00',
  ]);
});

test('FTDI: 7E1, 8N2 and divisors', async () => {
  for (const [line, data] of [
    [LINE_7E1, '40 04 07 02 00 00'],
    [LINE_8N2, '40 04 08 10 00 00'],
    [{ ...LINE_8E1, parity: 'odd' }, '40 04 08 01 00 00'],
  ] as const) {
    const { bus, transport } = table();
    const device = bus.plug(FTDI);
    await transport('0403:6001', { line }).opened();
    assert.ok(device.log.includes(data), data);
  }
  const at = (baud: number) => ftdiDivisor(baud);
  assert.deepEqual([4800, 9600, 19_200, 38_400, 115_200].map(at), [
    { value: 0x0271, index: 0 },
    { value: 0x4138, index: 0 },
    { value: 0x809c, index: 0 },
    { value: 0xc04e, index: 0 },
    { value: 0x001a, index: 0 },
  ]);
  assert.deepEqual([at(100), at(3_000_000)], [null, null]);
  // Every rate it takes is made to within one part in sixteen of an eighth of a divisor.
  const eighthOf = [0, 4, 2, 1, 3, 5, 6, 7];
  fc.assert(
    fc.property(fc.integer({ min: 184, max: 1_400_000 }), (baud) => {
      const { value, index } = at(baud)!;
      const eighths = (value & 0x3fff) * 8 + eighthOf[(value >> 14) | (index << 2)]!;
      assert.ok(Math.abs(eighths - 24_000_000 / baud) <= 0.5);
    }),
  );
});

test('CP210x: enable, baud, line control, purge, modem lines', async () => {
  const { bus, transport } = table();
  const device = bus.plug(CP210X);
  await transport('0bed:1100', { line: LINE_7E1 }).opened();
  assert.deepEqual(after(device.log, 'claim 0'), [
    '41 00 01 00 00 00',
    '41 1e 00 00 00 00 | 80 25 00 00',
    '41 03 20 07 00 00',
    '41 12 0f 00 00 00',
    '41 07 03 03 00 00',
  ]);
});

test("printer class: found by its interface, the kernel's driver sent away, bytes of both sides, no reset", async () => {
  const { bus, clock, transport } = table();
  const device = bus.plug(PRINTER);
  const line = transport('04b8:0e28', { line: null });
  await line.opened();
  assert.deepEqual(device.log, ['open', 'detach 0', 'claim 0']);
  device.say(fromHex('37 22 30 30 34 32 00'));
  await clock.turn(10);
  assert.deepEqual(line.seen, ['37 22 30 30 34 32 00']);
  await line.write(fromHex('10 04 01'));
  assert.deepEqual(after(device.log, 'claim 0').slice(0, 1), ['out 10 04 01']);
  await closed(line, clock);
});

test('HID: report descriptor, whole reports out, one report a packet in, empty packets skipped', async () => {
  const { bus, transport } = table();
  const device = bus.plug(HID);
  const at = transport('1209:0002', { line: null });
  await at.opened();
  assert.deepEqual(after(device.log, 'claim 0'), ['81 06 00 22 00 00']);
  await at.write(fromHex('53 01'));
  assert.equal(device.log.at(-1), `out 53 01${' 00'.repeat(62)}`);
  await assert.rejects(at.write(new Uint8Array(65)), /65 bytes do not fit output report 0 of 64 bytes/);
  device.say(fromHex('01 02'));
  device.say(new Uint8Array(0));
  device.say(fromHex('03'));
  await new Promise(setImmediate);
  assert.deepEqual(at.seen, ['01 02', '03']);
  assert.deepEqual(at.counts(), { packets: 3, emptyPackets: 1, stalls: 0, lineErrors: 0 });
});

test('HID without an OUT endpoint: SET_REPORT, with the report id where there is one', async () => {
  const onlyIn: UsbInterface[] = [{ number: 2, classCode: 3, endpoints: [endpoint(1, 'in', 'interrupt')] }];
  const plain = table();
  const first = plain.bus.plug({ ...HID, interfaces: onlyIn });
  await (await plain.transport('1209:0002').opened()).write(fromHex('aa'));
  assert.equal(first.log.at(-1), `21 09 00 02 02 00 | aa${' 00'.repeat(63)}`);
  const numbered = table();
  const second = numbered.bus.plug({
    ...HID,
    interfaces: onlyIn,
    // Report 3: two bytes in; report 5: three bytes out.
    controlIn: () => fromHex('06 00 ff 09 01 a1 01 85 03 75 08 95 02 09 02 81 02 85 05 95 03 09 03 91 02 c0'),
  });
  const at = await numbered.transport('1209:0002').opened();
  await at.write(fromHex('05 aa'));
  assert.equal(second.log.at(-1), '21 09 05 02 02 00 | 05 aa 00 00');
  await assert.rejects(at.write(fromHex('03 aa')), /the device has no output report 3/);
});

test('HID 6.2.2: sizes of reports, push and pop, long items; a cut descriptor has a sentence', () => {
  const pushed = hidReports(
    fromHex('75 08 95 02 85 01 81 02 a4 75 10 95 01 91 02 b4 91 02 fe 02 99 01 02 81 02'),
  );
  assert.deepEqual([pushed.input.get(1), pushed.output.get(1)], [5, 5]);
  assert.throws(() => hidReports(fromHex('75 08 96 01')), /report descriptor cut short at byte 2/);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      try {
        hidReports(bytes);
      } catch (error) {
        assert.ok(error instanceof UsbFailure);
      }
    }),
  );
});

test('HID: a report longer than a packet is refused', async () => {
  const { bus, transport } = table();
  bus.plug({ ...HID, controlIn: () => fromHex('75 08 96 80 00 81 02') });
  await assert.rejects(
    transport('1209:0002').opened(),
    /^Error: usb:1209:0002: input report 0 has 128 bytes, more than one packet of 64$/,
  );
});

test('FTDI: status bytes are stripped, status-only packets skipped, line errors counted', async () => {
  const { bus, transport } = table();
  const device = bus.plug(FTDI);
  const at = transport('0403:6001');
  await at.opened();
  for (const packet of ['01 60', '01 60 fc 05', '01 60', '01 64 13', '01 6a 61', '01 60 b0 fb', '01'])
    device.say(fromHex(packet));
  await new Promise(setImmediate);
  assert.deepEqual(at.seen, ['fc 05', '13', '61', 'b0 fb']);
  assert.deepEqual(at.counts(), { packets: 7, emptyPackets: 3, stalls: 0, lineErrors: 2 });
});
