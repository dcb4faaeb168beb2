import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { UsbDevice } from '../../hardware/transport/usb-bus.ts';
import type { HostEvent } from '../../wire/host-events.ts';
import { codesOf } from '../pages/event-codes.ts';
import type { Terminal } from '../table/terminal.ts';
import { UsbWatch } from './usb-watch.ts';

type Hung = Pick<UsbDevice, 'vendorId' | 'productId' | 'port' | 'serial' | 'product'>;
const hung = (vendorId: number, productId: number, port: string): Hung => ({
  vendorId,
  productId,
  port,
  serial: () => null,
  product: () => 'a thing',
});

test('910: what hangs on the bus at a start is reported once, what is plugged in later every time, our own never', async () => {
  const keyboard = hung(0x1234, 0x0001, '1-1');
  const adapter = hung(0x0403, 0x6001, '1-2');
  const stick = hung(0x1234, 0x0002, '1-3');
  let bus: Hung[] = [keyboard, adapter];
  const told: HostEvent[] = [];
  const ids = new Set<string>();
  // The road of every entry: an id that was used is not used again.
  const terminal = {
    record: (event: HostEvent, id: string | null) => {
      if (id !== null && ids.has(id)) return;
      if (id !== null) ids.add(id);
      told.push(event);
    },
  } as unknown as Terminal;
  const watch = (): UsbWatch => new UsbWatch(terminal, [], { list: async () => bus as UsbDevice[] });

  const first = watch();
  await first.look();
  assert.deepEqual(
    told.map((event) => event.type === 'usb-unknown' && [event.id, event.port]),
    [['1234:0001', '1-1']],
  );
  assert.deepEqual(codesOf({ kind: 'usb-unknown', body: told[0] }), [{ code: '910', class: 'W' }]);
  await first.look();
  assert.equal(told.length, 1);
  for (let time = 1; time <= 2; time += 1) {
    bus = [keyboard, adapter, stick];
    await first.look();
    assert.equal(told.length, 1 + time, 'each time it is plugged in');
    bus = [keyboard, adapter];
    await first.look();
  }
  await watch().look();
  assert.equal(told.length, 3, 'the equipment of before is no news to the next start');
});

test('a device that the terminal file names is not unknown; one like it is', async () => {
  const told: HostEvent[] = [];
  const terminal = { record: (event: HostEvent) => told.push(event) } as unknown as Terminal;
  const mine = hung(0x1209, 0x0001, '1-1');
  const other = hung(0x1209, 0x0001, '1-2');
  const named = [{ vendorId: 0x1209, productId: 0x0001, port: '1-1' }];
  await new UsbWatch(terminal, named, { list: async () => [mine, other] as UsbDevice[] }).look();
  assert.deepEqual(
    told.map((event) => event.type === 'usb-unknown' && event.port),
    ['1-2'],
  );
});

test('a machine without a bus has no unknown device', async () => {
  const terminal = { record: () => assert.fail('told') } as unknown as Terminal;
  await new UsbWatch(terminal, [], { list: () => Promise.reject(new Error('no bus')) }).look();
});

test('what the bus answers after the end is not told, and it is not asked again', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const terminal = { record: () => assert.fail('told') } as unknown as Terminal;
  let answer: (devices: readonly UsbDevice[]) => void = () => assert.fail('not asked');
  let asked = 0;
  const watch = new UsbWatch(terminal, [], {
    list: () => {
      asked++;
      return new Promise((resolve) => {
        answer = resolve;
      });
    },
  });
  watch.start();
  watch.stop();
  answer([hung(0x1234, 0x0001, '1-1') as UsbDevice]);
  await new Promise(setImmediate);
  t.mock.timers.tick(60_000);
  assert.equal(asked, 1);
});
