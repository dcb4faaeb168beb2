/** An acceptor in Linux's own CDC-ACM gadget. */
import { Gadget, inside, untilBound, untilFile } from './rig.ts';

export class AcmGadget {
  readonly serial: string;
  /** What stands behind `usb:`. */
  readonly selector: string;
  readonly #sim: 'acm' | 'cctalk';
  readonly #gadget: Gadget;
  readonly #function: string;

  constructor(controller: number, serial: string, sim: 'acm' | 'cctalk') {
    this.serial = serial;
    this.selector = `1209:0001/${serial}`;
    this.#sim = sim;
    this.#function = `acm.${serial}`;
    this.#gadget = new Gadget(controller, [0x1209, 0x0001], serial, { [this.#function]: {} });
  }

  async plug(): Promise<void> {
    this.#gadget.plug();
    const file = `/dev/ttyGS${this.#gadget.read(this.#function, 'port_num')}`;
    await untilFile(file);
    // Udev authorizes while the kernel still looks for a configuration, which it then sets twice:
    // the second time hangs up a terminal that is open, and the device would be dumb.
    await untilBound(this.serial);
    await inside.files.plug(this.#sim, file);
  }

  async unplug(): Promise<void> {
    this.#gadget.unplug();
    // One of its two ends does not notice, and the kernel keeps a terminal that somebody has open.
    await inside.files.unplug(this.#sim);
  }

  /** Leaves the controller to another gadget. */
  async remove(): Promise<void> {
    await this.unplug();
    this.#gadget.remove();
  }
}
