import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseUsbSelector, usbSelectorText } from './usb-selector.ts';

const parsed = (text: string) => {
  const result = parseUsbSelector(text);
  return result.ok ? result.selector : result.error;
};

test('a USB device is named by ids, serial number and port', () => {
  assert.deepEqual(parsed('0403:6001'), { vendorId: 0x0403, productId: 0x6001 });
  assert.deepEqual(parsed('0BED:1100'), { vendorId: 0x0bed, productId: 0x1100 });
  assert.deepEqual(parsed('0403:6001/A50285BI'), {
    vendorId: 0x0403,
    productId: 0x6001,
    serial: 'A50285BI',
  });
  assert.deepEqual(parsed('0403:6001@1-2.3'), { vendorId: 0x0403, productId: 0x6001, port: '1-2.3' });
  assert.deepEqual(parsed('10c4:ea60/0001/2@12-4.1.14'), {
    vendorId: 0x10c4,
    productId: 0xea60,
    serial: '0001/2',
    port: '12-4.1.14',
  });
});

test('each bad form has its sentence', () => {
  const ids = 'vendor and product id must be four hexadecimal digits each, as in 0403:6001.';
  for (const [text, why] of [
    ['', ids],
    ['403:6001', ids],
    ['0403', ids],
    ['0403:6001 ', ids],
    ['0403:600g', ids],
    ['/A1', ids],
    ['usb:0403:6001', ids],
    ['0403:6001/', "the serial number after '/' is missing."],
    ['0403:6001/@1-2', "the serial number after '/' is missing."],
    ['0403:6001/a\tb', 'the serial number has a control character in it.'],
    [`0403:6001/${'x'.repeat(127)}`, 'a serial number has at most 126 characters, this one has 127.'],
    ['0403:6001@', "the port path after '@' is missing."],
    ['0403:6001@1', "port path '1' must be a bus and its ports, as in 1-2.3."],
    ['0403:6001@1-2.', "port path '1-2.' must be a bus and its ports, as in 1-2.3."],
    ['0403:6001@0-2', "port path '0-2' must be a bus and its ports, as in 1-2.3."],
    ['0403:6001@1-02', "port path '1-02' must be a bus and its ports, as in 1-2.3."],
    ['0403:6001/A@B@1-2', "port path 'B@1-2' must be a bus and its ports, as in 1-2.3."],
  ] as const)
    assert.equal(parsed(text), `USB device '${text}': ${why}`);
});

test('text and selector are the same thing, and no text throws', () => {
  const id = fc.integer({ min: 0, max: 0xffff });
  const port = fc
    .array(fc.integer({ min: 1, max: 255 }), { minLength: 1, maxLength: 7 })
    .chain((ports) => fc.integer({ min: 1, max: 255 }).map((bus) => `${bus}-${ports.join('.')}`));
  const serial = fc
    .string({ minLength: 1, maxLength: 40, unit: 'grapheme-ascii' })
    .filter((text) => !text.includes('@'));
  fc.assert(
    fc.property(
      fc.record({ vendorId: id, productId: id, serial, port }, { requiredKeys: ['vendorId', 'productId'] }),
      (selector) => assert.deepEqual(parsed(usbSelectorText(selector)), { ...selector }),
    ),
  );
  fc.assert(fc.property(fc.string(), (text) => typeof parseUsbSelector(text).ok === 'boolean'));
});
