/**
 * What electron/deploy/71-banca-lockdown.rules keep out, whatever a device calls itself, and what
 * they let in.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { renameSync, writeFileSync } from 'node:fs';
import { describe, type TestContext, test } from 'node:test';
import { packageUsbBus } from '../../../../hardware/transport/usb-bus.ts';
import type { Terminal } from '../../../../host/table/terminal.ts';
import { UsbWatch } from '../../../../host/watches/usb-watch.ts';
import { until } from '../../../support/until.ts';
import {
  authorized,
  Gadget,
  inputOf,
  inside,
  kernelDriverOf,
  offersOf,
  probe,
  readAttribute,
  udevadm,
  untilAuthorized,
  withSerial,
} from '../rig.ts';

const CONTROLLER = 3;
const RULES = '/etc/udev/rules.d/71-banca-lockdown.rules';

/** Modifiers and six keys, as every keyboard has them. */
const KEYBOARD_REPORTS = Buffer.from(
  '05010906a101050719e029e71500250175019508810295017508810195067508150025650507190029658100c0',
  'hex',
);
/** A touch screen: one finger, tip and place. */
const TOUCH_REPORTS = Buffer.from(
  '050d0904a1010922a102094215002501750195018102750795018103050126ff7f751095010930810209318102c0c0',
  'hex',
);
const hid = (protocol: 0 | 1, report: Uint8Array, length: number) => ({
  protocol: String(protocol),
  subclass: String(protocol),
  report_length: String(length),
  report_desc: report,
});
const keyboard = hid(0, KEYBOARD_REPORTS, 8);

const STICK = '/tmp/stick.img';
writeFileSync(STICK, Buffer.alloc(1 << 20));

/** A gadget of this test alone; its serial number is its name. */
function gadgetOf(
  t: TestContext,
  ...made: [ids: readonly [number, number], serial: string, functions: Functions]
): Gadget {
  const gadget = new Gadget(CONTROLLER, ...made);
  t.after(async () => {
    gadget.remove();
    // The next one comes to the same port.
    await gone(made[1]);
  });
  return gadget;
}
type Functions = ConstructorParameters<typeof Gadget>[3];

const strangeKeyboard = (t: TestContext, serial: string): Gadget =>
  gadgetOf(t, [0x1209, 0x0102], serial, { 'hid.none': keyboard });

const STRANGE: readonly (readonly [what: string, functions: Functions, offer: RegExp])[] = [
  ['a keyboard that says it is one', { 'hid.boot': hid(1, KEYBOARD_REPORTS, 8) }, /input/],
  ['a keyboard of protocol 0', { 'hid.none': keyboard }, /input/],
  ['an Ethernet card, CDC-ECM', { 'ecm.0': {} }, /net/],
  ['an Ethernet card, CDC-NCM', { 'ncm.0': {} }, /net/],
  ['an Ethernet card, RNDIS', { 'rndis.0': {} }, /net/],
  ['a stick', { 'mass_storage.0': { 'lun.0/ro': '1', 'lun.0/file': STICK } }, /block/],
];

/** Everything that the rules do to the bus, undone as on a machine without them; or done again. */
async function open(isOpen: boolean): Promise<void> {
  // A worker of udev that is busy keeps the rules as they were, and would shut what is plugged in.
  await udevadm('settle');
  renameSync(...((isOpen ? [RULES, `${RULES}.away`] : [`${RULES}.away`, RULES]) as [string, string]));
  await udevadm('control', '--reload');
  const bus = withSerial(`dummy_hcd.${CONTROLLER}`);
  assert.ok(bus, 'the bus of the gadgets');
  const path = `/sys/bus/usb/devices/${bus}`;
  if (isOpen)
    for (const name of ['authorized_default', 'interface_authorized_default'])
      writeFileSync(`${path}/${name}`, '1');
  else {
    // The rules themselves shut it again. A worker of udev that still had the rules as they were
    // may take the first trigger.
    await until('the rules have shut the bus', async () => {
      await udevadm('trigger', '--action=add', path);
      await udevadm('settle');
      return readAttribute(`dummy_hcd.${CONTROLLER}`, 'authorized_default') === '0';
    });
  }
}

const gone = (serial: string): Promise<unknown> =>
  until(`${serial} is gone`, () => authorized(serial) === null);

describe('a device that is not on the list', () => {
  for (const [i, [what, functions, offer]] of STRANGE.entries())
    test(`${what}: nothing stands behind the plug`, async (t) => {
      const serial = `STRANGE-${i}`;
      const gadget = gadgetOf(t, [0x1209, 0x0101 + i], serial, functions);
      // First without the rules: it is what it says.
      await open(true);
      try {
        gadget.plug();
        await until('it works without the rules', () => offersOf(serial).some((each) => offer.test(each)));
      } finally {
        gadget.unplug();
        await gone(serial);
        await open(false);
      }
      gadget.plug();
      await until('it is there', () => authorized(serial));
      await udevadm('settle');
      assert.deepEqual(authorized(serial), { device: false, interfaces: [] });
      assert.deepEqual(offersOf(serial), []);
    });

  test('it is reported all the same, once', async (t) => {
    const gadget = strangeKeyboard(t, 'TOLD');
    const told: { readonly id: string; readonly product: string | null }[] = [];
    const terminal = { record: (event: (typeof told)[number]) => void told.push(event) };
    const watch = new UsbWatch(terminal as unknown as Terminal, [], packageUsbBus());
    await watch.look();
    told.length = 0;
    gadget.plug();
    await until('it is there', () => authorized('TOLD'));
    await watch.look();
    await watch.look();
    assert.deepEqual(
      told.map(({ id, product }) => [id, product]),
      [['1209:0102', 'TOLD']],
    );
  });

  test('a whole device over USB/IP that says it is a keyboard', async (t) => {
    t.after(() => inside.keyboard.unplug());
    await inside.keyboard.plug();
    await until('it is there', () => authorized('IP-KEYBOARD'));
    await udevadm('settle');
    assert.deepEqual(authorized('IP-KEYBOARD'), { device: false, interfaces: [] });
    assert.deepEqual(offersOf('IP-KEYBOARD'), []);
  });
});

describe('a device under ids of the list', () => {
  test('an acceptor with a keyboard in it: the acceptor may be used, the keyboard not', async (t) => {
    const serial = 'FORGED-ACCEPTOR';
    const gadget = gadgetOf(t, [0x09ab, 0x0001], serial, { 'acm.1': {}, 'hid.forged': keyboard });
    gadget.plug();
    await until('its serial line may be used', () => authorized(serial)?.interfaces[1]);
    await udevadm('settle');
    assert.deepEqual(authorized(serial), { device: true, interfaces: [true, true, false] });
    probe(serial);
    assert.deepEqual(
      offersOf(serial).filter((each) => !/tty/.test(each)),
      [],
    );
  });

  test('an acceptor that is a network card', async (t) => {
    const serial = 'FORGED-CARD';
    const gadget = gadgetOf(t, [0x09ab, 0x0002], serial, { 'rndis.forged': {}, 'ecm.forged': {} });
    gadget.plug();
    await until('it is there', () => (authorized(serial)?.interfaces.length ?? 0) > 0);
    await udevadm('settle');
    probe(serial);
    assert.equal(authorized(serial)?.interfaces[0], false);
    assert.deepEqual(offersOf(serial), []);
  });

  test('a shoe that is a keyboard: the kernel does not listen to it, and where it does nobody hears it', async (t) => {
    const serial = 'FORGED-SHOE';
    const gadget = gadgetOf(t, [0x1209, 0x0002], serial, { 'hid.shoe': keyboard });
    gadget.plug();
    await untilAuthorized(serial);
    await udevadm('settle');
    assert.equal(kernelDriverOf(serial), null);
    assert.deepEqual(offersOf(serial), []);
    // As a module would that is loaded after the rules.
    probe(serial);
    const input = await until('an input', () => inputOf(serial));
    await until('it is silent', () => readAttribute(serial, `${input}/inhibited`) === '1');
  });

  test('a touch display works', async (t) => {
    const serial = 'TOUCH';
    const gadget = new Gadget(CONTROLLER, [0x1209, 0x0004], serial, {
      'hid.touch': hid(0, TOUCH_REPORTS, 5),
    });
    t.after(() => gadget.unplug());
    gadget.plug();
    const input = await until('an input', () => inputOf(serial));
    await udevadm('settle');
    assert.equal(kernelDriverOf(serial), 'usbhid');
    assert.equal(readAttribute(serial, `${input}/inhibited`), '0');
  });
});

describe('what was plugged in before udev runs', () => {
  /** Plugs it in while no udev runs, and starts udev as a machine does. */
  async function coldStart(gadget: Gadget, meanwhile: () => Promise<unknown>): Promise<void> {
    await udevadm('control', '--exit');
    try {
      gadget.plug();
      await meanwhile();
    } finally {
      await startUdev();
    }
  }

  async function startUdev(): Promise<void> {
    const udevd = ['--argv0', 'systemd-udevd', '/bin/udevadm', '--daemon'];
    const env = { LD_LIBRARY_PATH: '/lib/udev-libs' };
    const started = spawn('/lib64/ld-linux-x86-64.so.2', udevd, { env, stdio: 'ignore' });
    await new Promise((resolve) => started.once('exit', resolve));
    await udevadm('trigger', '--action=add', '--subsystem-match=usb', '--subsystem-match=input');
    await udevadm('settle');
  }

  test('a keyboard waits for the rules, and they leave it where it is', async (t) => {
    const isShut = (): void =>
      assert.deepEqual(authorized('COLD-KEYBOARD'), { device: false, interfaces: [] });
    await coldStart(strangeKeyboard(t, 'COLD-KEYBOARD'), async () => {
      await until('it is there', () => authorized('COLD-KEYBOARD'));
      isShut();
    });
    isShut();
  });

  test('an acceptor waits for the rules, and they let it in', async (t) => {
    const acceptor = gadgetOf(t, [0x09ab, 0x0003], 'COLD-ACCEPTOR', { 'acm.2': {} });
    await coldStart(acceptor, () => until('it is there', () => authorized('COLD-ACCEPTOR')));
    await untilAuthorized('COLD-ACCEPTOR');
  });

  test('a keyboard that the kernel let in before is thrown out', async (t) => {
    await open(true);
    await coldStart(strangeKeyboard(t, 'EARLY-KEYBOARD'), () =>
      until('it types', () => inputOf('EARLY-KEYBOARD')).finally(() => renameSync(`${RULES}.away`, RULES)),
    );
    assert.deepEqual(authorized('EARLY-KEYBOARD'), { device: false, interfaces: [] });
    assert.deepEqual(offersOf('EARLY-KEYBOARD'), []);
  });
});
