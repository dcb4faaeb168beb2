import { createHash } from 'node:crypto';
import { systemUsbBus, type UsbBus, type UsbDevice } from '../../hardware/transport/usb-bus.ts';
import { claimOf } from '../../hardware/transport/usb-devices.ts';
import { isNamedBy, type UsbSelector, usbIds } from '../../hardware/transport/usb-selector.ts';
import type { Terminal } from '../table/terminal.ts';

const LOOK_EVERY_MS = 5_000;

/**
 * USB devices that no driver here speaks to, and the terminal file does not name. What hangs there
 * at a start is reported once in the life of a ledger, as the equipment of this machine; what is
 * plugged in later is reported every time. It is never opened.
 */
export class UsbWatch {
  readonly #terminal: Terminal;
  readonly #named: readonly UsbSelector[];
  readonly #bus: UsbBus;
  #seen: ReadonlySet<string> | null = null;
  #timer: NodeJS.Timeout | null = null;
  #isStopped = false;

  constructor(terminal: Terminal, named: readonly UsbSelector[], bus: UsbBus = systemUsbBus) {
    this.#terminal = terminal;
    this.#named = named;
    this.#bus = bus;
  }

  start(): void {
    const next = (): void => {
      if (this.#isStopped) return;
      this.#timer = setTimeout(() => void this.look().then(next), LOOK_EVERY_MS);
    };
    void this.look().then(next);
  }

  /** An answer of the bus that is still to come is not waited for, and no longer told. */
  stop(): void {
    this.#isStopped = true;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }

  async look(): Promise<void> {
    let devices: readonly UsbDevice[];
    try {
      devices = await this.#bus.list();
    } catch {
      // Without a bus nothing hangs on it; what keeps our own devices from being opened, their
      // lines say.
      return;
    }
    if (this.#isStopped) return;
    const unknown = devices.filter(
      (device) =>
        !claimOf(device.vendorId, device.productId)?.driver &&
        !this.#named.some((selector) => isNamedBy(selector, device)),
    );
    const before = this.#seen;
    const seen = new Set<string>();
    for (const device of unknown) {
      const { port } = device;
      const id = usbIds(device.vendorId, device.productId);
      const serial = device.serial();
      const name = `${id} ${serial ?? ''} ${port}`;
      seen.add(name);
      if (before?.has(name)) continue;
      const once =
        before === null ? `usb:${createHash('sha256').update(name).digest('hex').slice(0, 24)}` : null;
      this.#terminal.record({ type: 'usb-unknown', id, port, product: device.product(), serial }, once);
    }
    this.#seen = seen;
  }
}
