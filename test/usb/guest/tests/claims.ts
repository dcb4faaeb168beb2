/** One device and two programs that want it. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { fromHex } from '../../../../hardware/transport/bytes.ts';
import { usbTransport } from '../../../../hardware/transport/usb.transport.ts';
import { packageUsbBus } from '../../../../hardware/transport/usb-bus.ts';
import { parseUsbSelector } from '../../../../hardware/transport/usb-selector.ts';
import { until } from '../../../support/until.ts';
import { inside, kernelDriverOf, LINE_8E1, untilBound } from '../rig.ts';

const SERIAL = 'IP-ACM';
const STATUS_REQUEST = fromHex('fc 05 11 27 56');

/** A transport on a bus of its own: to the kernel it is another program. */
function program() {
  const parsed = parseUsbSelector(`1209:0001/${SERIAL}`);
  assert.ok(parsed.ok);
  const line = usbTransport(parsed.selector, { line: LINE_8E1, bus: packageUsbBus() })();
  const heard: number[] = [];
  const reasons: string[] = [];
  return {
    line,
    reasons,
    open: () =>
      line.open({
        onBytes: (bytes) => void heard.push(...bytes),
        onClose: (reason) => void reasons.push(reason),
      }),
    /** Twenty questions, each with one whole answer. */
    async answers(): Promise<void> {
      for (let i = 0; i < 20; i++) {
        heard.length = 0;
        await line.write(STATUS_REQUEST);
        await until(
          `a whole answer to question ${i + 1}; ${reasons.join()}`,
          () => heard.length > 1 && heard.length >= heard[1]!,
        );
        assert.deepEqual([heard[0], heard.length], [STATUS_REQUEST[0], heard[1]]);
      }
    },
  };
}

describe('claims', () => {
  before(async () => {
    await inside.acmDevice.plug();
    await untilBound(SERIAL);
    assert.equal(kernelDriverOf(SERIAL), 'cdc_acm');
  });
  after(() => inside.acmDevice.unplug());

  test('what one program has, another is refused, and the first goes on', async (t) => {
    const [first, second] = [program(), program()];
    t.after(() => first.line.close());
    await first.open();
    await first.answers();
    await assert.rejects(second.open(), /in use by another program/);
    await first.answers();
    assert.deepEqual(first.reasons, []);
    await first.line.close();
    await until('the kernel has it back', () => kernelDriverOf(SERIAL) === 'cdc_acm');
    const third = program();
    await third.open();
    await third.answers();
    await third.line.close();
  });

  test('closed and opened again at once, on one bus: the second waits for the first', async () => {
    const bus = packageUsbBus();
    const parsed = parseUsbSelector(`1209:0001/${SERIAL}`);
    assert.ok(parsed.ok);
    const open = usbTransport(parsed.selector, { line: LINE_8E1, bus });
    for (let i = 0; i < 3; i++) {
      const line = open();
      await line.open({ onBytes: () => {}, onClose: () => {} });
      void line.close();
    }
    const last = open();
    await last.open({ onBytes: () => {}, onClose: () => {} });
    await last.close();
    await until('the kernel has it back', () => kernelDriverOf(SERIAL) === 'cdc_acm');
  });
});
