/**
 * Whole devices of our own over USB/IP, so that a device can do what gadgets and adapters cannot be
 * told to do.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createEbds } from '../../../../hardware/bill-acceptor/ebds/ebds.driver.ts';
import { createId003 } from '../../../../hardware/bill-acceptor/id003/id003.driver.ts';
import { createSsp } from '../../../../hardware/bill-acceptor/ssp/ssp.driver.ts';
import type {
  AcceptorEvent,
  BillAcceptor,
  DeviceClock,
  OpenTransport,
  SerialLine,
} from '../../../../hardware/ports.ts';
import { fromHex } from '../../../../hardware/transport/bytes.ts';
import { usbTransport } from '../../../../hardware/transport/usb.transport.ts';
import { parseUsbSelector } from '../../../../hardware/transport/usb-selector.ts';
import { until } from '../../../support/until.ts';
import { openDeviceFile } from '../../players/device-file.ts';
import { noCardIsLost } from '../cards.ts';
import {
  type FarAcceptor,
  noteGoesWell,
  noteThroughDeath,
  noteThroughUnplug,
  openTill,
  remembering,
  whileStacking,
} from '../notes.ts';
import {
  inside,
  kernelDriverOf,
  kernelTtyOf,
  LINE_7E1,
  LINE_8E1,
  LINE_8N2,
  untilBound,
  usb,
} from '../rig.ts';

interface FarDevice {
  plug(): Promise<void>;
  unplug(): Promise<void>;
  stall(direction: 'in' | 'out'): Promise<void>;
  breakOffIn(afterBytes: number): Promise<void>;
  breakOffOut(): Promise<void>;
}

interface Carried {
  readonly name: string;
  readonly serial: string;
  readonly selector: string;
  readonly kernelDriver: string;
  readonly device: FarDevice & { serialLine(): Promise<unknown> };
  readonly sim: FarAcceptor;
  readonly create: (id: string, open: OpenTransport, clock: DeviceClock) => BillAcceptor;
  readonly line: SerialLine;
  /** A status request or poll of the protocol. */
  readonly asks: Uint8Array;
}

const CARRIERS: readonly Carried[] = [
  {
    name: 'ID-003 on CDC-ACM',
    serial: 'IP-ACM',
    selector: '1209:0001/IP-ACM',
    kernelDriver: 'cdc_acm',
    device: inside.acmDevice,
    sim: inside.ipAcm,
    create: createId003,
    line: LINE_8E1,
    asks: fromHex('fc 05 11 27 56'),
  },
  {
    name: 'ID-003 on FT232R, with its packets of status alone',
    serial: 'IP-FTDI',
    selector: '0403:6001/IP-FTDI',
    kernelDriver: 'ftdi_sio',
    device: inside.ftdiDevice,
    sim: inside.ipFtdi,
    create: createId003,
    line: LINE_8E1,
    asks: fromHex('fc 05 11 27 56'),
  },
  {
    name: 'EBDS on CP210x',
    serial: 'IP-CP210X',
    selector: '0bed:1100/IP-CP210X',
    kernelDriver: 'cp210x',
    device: inside.cp210xDevice,
    sim: inside.ipCp210x,
    create: remembering(createEbds),
    line: LINE_7E1,
    asks: fromHex('02 08 10 7f 00 00 03 67'),
  },
  {
    name: 'SSP on FT232R, encrypted',
    serial: 'IP-SSP',
    selector: '0403:6001/IP-SSP',
    kernelDriver: 'ftdi_sio',
    device: inside.sspDevice,
    sim: inside.ipSsp,
    create: createSsp,
    line: LINE_8N2,
    asks: fromHex('7f 80 01 11 65 82'),
  },
];

const linkLost = (event: AcceptorEvent): boolean => event.type === 'link' && event.link === 'down';

for (const { name, serial, selector, kernelDriver, device, sim, create, line, asks } of CARRIERS)
  describe(`USB/IP: ${name}`, () => {
    const open = usb(selector, line);

    async function plug(): Promise<void> {
      await device.plug();
      await untilBound(serial);
    }

    before(plug);
    after(() => device.unplug());

    test('the driver of Linux itself gets an answer through the simulated chip', async () => {
      assert.equal(kernelDriverOf(serial), kernelDriver);
      const tty = await until('its terminal', () => kernelTtyOf(serial));
      const file = openDeviceFile(tty, ['19200', 'cs7', 'parenb', '-parodd']);
      try {
        const answer = new Promise<Buffer>((resolve) => file.input.once('data', resolve));
        file.output.write(asks);
        assert.equal((await answer)[0], asks[0]);
        assert.deepEqual(await device.serialLine(), { ...LINE_7E1, baud: 19_200 });
      } finally {
        await file.close();
      }
    });

    test('the line is set up as asked; a note is credited once', async (t) => {
      const till = await openTill(open, create);
      t.after(() => till.kill());
      assert.deepEqual(await device.serialLine(), line);
      await noteGoesWell(till, sim, 10_000);
    });

    test('stalled endpoints are freed and the note goes on', async (t) => {
      const till = await openTill(open, create);
      t.after(() => till.kill());
      await device.stall('in');
      await device.stall('out');
      await noteGoesWell(till, sim, 5_000);
      assert.equal(till.events.filter(linkLost).length, 0);
    });

    test('the host is killed between STACK and credit', async (t) => {
      const till = await openTill(open, create);
      t.after(() => till.kill());
      await noteThroughDeath(till, sim, 2_000, whileStacking);
    });

    test('the plug is pulled in the middle of a reply, between STACK and credit', async (t) => {
      const till = await openTill(open, create);
      t.after(() => till.kill());
      await noteThroughUnplug(till, sim, 50_000, whileStacking, {
        pull: () => device.breakOffIn(3),
        putIn: plug,
      });
    });

    test('the plug is pulled in the middle of a command, between STACK and credit', async (t) => {
      const till = await openTill(open, create);
      t.after(() => till.kill());
      await noteThroughUnplug(till, sim, 50_000, whileStacking, {
        pull: () => device.breakOffOut(),
        putIn: plug,
      });
    });
  });

describe('USB/IP: FT232R', () => {
  before(() => inside.ftdiDevice.plug());
  after(() => inside.ftdiDevice.unplug());

  test('packets of status alone are counted and are no bytes', async () => {
    const parsed = parseUsbSelector('0403:6001/IP-FTDI');
    assert.ok(parsed.ok);
    await untilBound('IP-FTDI');
    const line = usbTransport(parsed.selector, { line: LINE_8E1 })();
    let bytes = 0;
    await line.open({ onBytes: (part) => (bytes += part.length), onClose: () => {} });
    await until('ten packets', () => line.counts().emptyPackets >= 10);
    await line.close();
    assert.equal(bytes, 0);
  });
});

describe('USB/IP: HID', () => {
  async function plug(): Promise<void> {
    await inside.hidDevice.plug();
    await untilBound('IP-SHOE');
  }

  before(plug);
  after(() => inside.hidDevice.unplug());

  test('no card is lost or doubled: host lost before an acknowledgement, plug pulled in the middle of a report', async () => {
    await noCardIsLost(usb('1209:0002/IP-SHOE', null), inside.ipHid, {
      pull: () => inside.hidDevice.breakOffIn(20),
      putIn: plug,
    });
  });
});
