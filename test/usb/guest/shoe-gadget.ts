/** A KSP-1 shoe in Linux's own HID gadget. */
import { SHOE_REPORTS } from '../usbip/devices.ts';
import { Gadget, inside, untilBound, untilFile } from './rig.ts';

export class ShoeGadget {
  readonly serial: string;
  readonly #sim: 'hid' | 'table';
  readonly #gadget: Gadget;
  readonly #function: string;

  constructor(controller: number, serial: string, sim: 'hid' | 'table') {
    this.serial = serial;
    this.#sim = sim;
    this.#function = `hid.${sim}`;
    this.#gadget = new Gadget(controller, [0x1209, 0x0002], serial, {
      [this.#function]: { protocol: '0', subclass: '0', report_length: '64', report_desc: SHOE_REPORTS },
    });
  }

  async plug(): Promise<void> {
    this.#gadget.plug();
    const file = `/dev/hidg${this.#gadget.minorOf(this.#function)}`;
    await untilFile(file);
    // Until the host has configured the gadget, its file takes no report.
    await untilBound(this.serial);
    await inside.files.plug(this.#sim, file);
  }

  async unplug(): Promise<void> {
    this.#gadget.unplug();
    // The file does not end by itself.
    await inside.files.unplug(this.#sim);
  }
}
