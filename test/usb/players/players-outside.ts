/**
 * The devices outside the guest: simulators at the far ends of QEMU's FTDI adapters, told what to
 * do over a virtio port.
 */
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Id003Sim } from '../../../hardware/bill-acceptor/id003/id003.sim.ts';
import { systemClock as clock } from '../../../hardware/transport/clock.ts';
import { type DeviceServer, serveDevice } from '../../../hardware/transport/socket.transport.ts';
import { serveCalls } from '../calls.ts';

/** An adapter is plugged in while somebody listens at its socket; QEMU looks once a second. */
class Adapter {
  readonly #path: string;
  readonly #sim: Id003Sim;
  #server: DeviceServer | null = null;

  constructor(path: string, sim: Id003Sim) {
    this.#path = path;
    this.#sim = sim;
  }

  async plug(): Promise<void> {
    this.#server ??= await serveDevice(this.#path, (line) => this.#sim.plug(line));
  }

  async unplug(): Promise<void> {
    await this.#server?.close();
    this.#server = null;
  }
}

/** Names of the adapters; in capitals they are the serial numbers that the guest sees. */
export const ADAPTERS = ['bv-one', 'bv-two'] as const;

export interface Outside {
  readonly one: Id003Sim;
  readonly two: Id003Sim;
  readonly adapterOne: Adapter;
  readonly adapterTwo: Adapter;
}

/** Serves them at sockets in `dir`; the adapters are plugged in. Resolves with what ends it. */
export async function openPlayers(dir: string, port: string): Promise<() => Promise<void>> {
  const [one, two] = [new Id003Sim({ clock }), new Id003Sim({ clock })];
  const [adapterOne, adapterTwo] = [
    new Adapter(join(dir, ADAPTERS[0]), one),
    new Adapter(join(dir, ADAPTERS[1]), two),
  ];
  const objects: Outside = { one, two, adapterOne, adapterTwo };
  await adapterOne.plug();
  await adapterTwo.plug();
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    serveCalls({ ...objects }, socket, socket);
  });
  await new Promise<void>((resolve) => server.listen(join(dir, port), resolve));
  return async () => {
    await adapterOne.unplug();
    await adapterTwo.unplug();
    server.close();
  };
}
