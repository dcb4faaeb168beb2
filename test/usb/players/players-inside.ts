/**
 * The devices inside the guest, as a process of their own: simulators on gadgets' files and in
 * devices made of USB/IP.
 */
import { CctalkSim } from '../../../hardware/bill-acceptor/cctalk/cctalk.sim.ts';
import { EbdsSim } from '../../../hardware/bill-acceptor/ebds/ebds.sim.ts';
import { Id003Sim } from '../../../hardware/bill-acceptor/id003/id003.sim.ts';
import { SspSim } from '../../../hardware/bill-acceptor/ssp/ssp.sim.ts';
import type { ByteTransport } from '../../../hardware/ports.ts';
import { Ksp1Sim } from '../../../hardware/shoe/ksp1/ksp1.sim.ts';
import { systemClock as clock } from '../../../hardware/transport/clock.ts';
import { serveCalls } from '../calls.ts';
import { CdcAcmDevice, Cp210xDevice, FtdiDevice, HidDevice, SHOE_REPORTS } from '../usbip/devices.ts';
import { fileTransport } from './device-file.ts';

const sims = {
  acm: new Id003Sim({ clock }),
  cctalk: new CctalkSim({ clock }),
  hid: new Ksp1Sim({ clock, serial: 'GADGET-SHOE' }),
  table: new Ksp1Sim({ clock, serial: 'TABLE-SHOE' }),
  ipAcm: new Id003Sim({ clock }),
  ipFtdi: new Id003Sim({ clock }),
  ipSsp: new SspSim({ clock }),
  ipCp210x: new EbdsSim({ clock }),
  ipHid: new Ksp1Sim({ clock, serial: 'USBIP-SHOE' }),
};

const identity = (
  vendorId: number,
  productId: number,
  serial: string,
  product: string,
  release = 0x0100,
) => ({
  vendorId,
  productId,
  serial,
  product,
  release,
});

const devices = {
  acmDevice: new CdcAcmDevice(identity(0x1209, 0x0001, 'IP-ACM', 'Acceptor'), (line) =>
    sims.ipAcm.plug(line),
  ),
  ftdiDevice: new FtdiDevice(identity(0x0403, 0x6001, 'IP-FTDI', 'FT232R', 0x0600), (line) =>
    sims.ipFtdi.plug(line),
  ),
  sspDevice: new FtdiDevice(identity(0x0403, 0x6001, 'IP-SSP', 'FT232R', 0x0600), (line) =>
    sims.ipSsp.plug(line),
  ),
  cp210xDevice: new Cp210xDevice(identity(0x0bed, 0x1100, 'IP-CP210X', 'CASHFLOW SC'), (line) =>
    sims.ipCp210x.plug(line),
  ),
  hidDevice: new HidDevice(identity(0x1209, 0x0002, 'IP-SHOE', 'Shoe'), 0, SHOE_REPORTS, (line) =>
    sims.ipHid.plug(line),
  ),
  keyboard: new HidDevice(identity(0x1209, 0x0105, 'IP-KEYBOARD', 'Keyboard'), 1, SHOE_REPORTS, () => {}),
};

type OnFile = 'acm' | 'cctalk' | 'hid' | 'table';

/** The plugs of simulators, in the files of their gadgets. */
class Files {
  readonly #lines = new Map<OnFile, ByteTransport>();

  plug(name: OnFile, path: string): void {
    const line = fileTransport(path, path.startsWith('/dev/tty') ? [] : null);
    this.#lines.set(name, line);
    sims[name].plug(line);
  }

  /** A file does not end by itself when its gadget is unplugged, or not whole. */
  async unplug(name: OnFile): Promise<void> {
    await this.#lines.get(name)?.close();
  }
}

const files = new Files();

export type Inside = typeof sims & typeof devices & { readonly files: typeof files };

serveCalls({ ...sims, ...devices, files }, process.stdin, process.stdout);
process.stdin.on('end', () => process.exit(0));
