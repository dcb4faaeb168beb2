/**
 * A whole USB device in this process, plugged into this machine's kernel through vhci_hcd:
 * descriptors, control requests and one pair of data endpoints, and what may befall it. The wire is
 * USB/IP (Documentation/usb/usbip_protocol.rst of Linux), without its part for finding devices over
 * a network: this process hands the kernel a connected socket.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection, createServer, type Socket } from 'node:net';
import type { ByteTransport } from '../../../hardware/ports.ts';

const SUBMIT = 1;
const UNLINK = 2;
const SUBMITTED = 3;
const UNLINKED = 4;
const HEADER = 48;
/** Statuses are negated error numbers of Linux. */
const EPIPE = -32;
const ECONNRESET = -104;
const FULL_SPEED = 2;
const VHCI = '/sys/devices/platform/vhci_hcd.0';

export const NONE = Buffer.alloc(0);
/** Endpoint number of the data that the host reads, and of what it writes. */
export const DATA_IN = 1;
export const DATA_OUT = 2;

export interface Setup {
  /** bmRequestType: direction, type and recipient in one byte. */
  readonly type: number;
  readonly request: number;
  readonly value: number;
  readonly index: number;
  readonly length: number;
}

interface Submitted {
  readonly seq: number;
  readonly isIn: boolean;
  readonly endpoint: number;
  readonly length: number;
}

export interface Identity {
  readonly vendorId: number;
  readonly productId: number;
  readonly product: string;
  readonly serial: string;
  /** bcdDevice: by it the kernel's driver tells an FT232R from its forerunners. */
  readonly release: number;
}

type Handlers = Parameters<ByteTransport['open']>[0];

/** Device descriptor, USB 2.0 section 9.6.1. */
function deviceDescriptor({ vendorId, productId, release }: Identity, classCode: number): Buffer {
  const bytes = Buffer.from([18, 1, 0, 2, classCode, 0, 0, 64, 0, 0, 0, 0, 0, 0, 1, 2, 3, 1]);
  bytes.writeUInt16LE(vendorId, 8);
  bytes.writeUInt16LE(productId, 10);
  bytes.writeUInt16LE(release, 12);
  return bytes;
}

/** Configuration descriptor, section 9.6.3, over the descriptors of interfaces and endpoints. */
function configurationDescriptor(interfaceCount: number, rest: readonly number[]): Buffer {
  const bytes = Buffer.from([9, 2, 0, 0, interfaceCount, 1, 0, 0x80, 50, ...rest]);
  bytes.writeUInt16LE(bytes.length, 2);
  return bytes;
}

export abstract class VirtualDevice {
  readonly #device: Buffer;
  readonly #configuration: Buffer;
  readonly #strings: readonly string[];
  readonly #onPlug: (line: ByteTransport) => void;
  #socket: Socket | null = null;
  #received = NONE;
  #waiting: Submitted[] = [];
  #packets: Buffer[] = [];
  readonly #halted = new Set<number>();
  #breaksOff: { readonly direction: 'in'; readonly after: number } | { readonly direction: 'out' } | null =
    null;
  #handlers: Handlers | null = null;

  /** `onPlug` gets a fresh line to the device's inside at every plug. */
  constructor(
    identity: Identity,
    classCode: number,
    interfaceCount: number,
    interfaces: readonly number[],
    onPlug: (line: ByteTransport) => void,
  ) {
    this.#device = deviceDescriptor(identity, classCode);
    this.#configuration = configurationDescriptor(interfaceCount, interfaces);
    this.#strings = ['Banca USB rig', identity.product, identity.serial];
    this.#onPlug = onPlug;
  }

  // ---- what a model says ----

  /**
   * Answers a class or vendor request with the data stage, empty where there is none; null =
   * stalled.
   */
  protected abstract control(setup: Setup, data: Buffer): Buffer | null;
  /** Bytes of the device's inside as packets for the host. */
  protected abstract packetsOf(bytes: Uint8Array): Buffer[];
  protected onPlugged(): void {}
  protected onUnplugged(): void {}

  // ---- what a model does ----

  protected push(packets: readonly Buffer[]): void {
    this.#packets.push(...packets);
    this.#drain();
  }

  /** The host reads and there is nothing for it. */
  protected isAwaited(): boolean {
    return this.#waiting.some(({ endpoint }) => endpoint === DATA_IN) && this.#packets.length === 0;
  }

  protected toInside(bytes: Buffer): void {
    this.#handlers?.onBytes(Uint8Array.from(bytes));
  }

  // ---- hands ----

  async plug(): Promise<void> {
    // The host may know that the plug is out before this end has heard that it is.
    if (this.#socket?.destroyed || this.#socket?.writableEnded) await once(this.#socket, 'close');
    if (this.#socket !== null) throw new Error('plugged in already');
    const path = `/tmp/usbip-${randomUUID()}`;
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(path, resolve));
    const accepted = new Promise<Socket>((resolve) => server.once('connection', resolve));
    const kernels = createConnection(path);
    const socket = await accepted;
    await new Promise<void>((resolve) => (kernels.connecting ? kernels.once('connect', resolve) : resolve()));
    server.close();
    rmSync(path, { force: true });
    kernels.pause();
    this.#socket = socket;
    this.#received = NONE;
    this.#waiting = [];
    this.#packets = [];
    this.#halted.clear();
    this.#breaksOff = null;
    socket.on('data', (bytes: Buffer) => this.#take(bytes));
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      this.#socket = null;
      this.onUnplugged();
      const handlers = this.#handlers;
      this.#handlers = null;
      handlers?.onClose('unplugged');
    });
    const status = readFileSync(`${VHCI}/status`, 'utf8').split('\n');
    // hub, port, state (4 = free), …
    const free = status
      .map((row) => row.trim().split(/\s+/))
      .find(([hub, , state]) => hub === 'hs' && state === '004');
    if (free === undefined) throw new Error(`no free port: ${status.join(' | ')}`);
    const { fd } = (kernels as unknown as { _handle: { fd: number } })._handle;
    writeFileSync(`${VHCI}/attach`, `${Number(free[1])} ${fd} 65538 ${FULL_SPEED}`);
    // The kernel has taken a reference of its own to the socket; this closes our descriptor only.
    kernels.destroy();
    this.onPlugged();
    this.#onPlug({
      name: this.#strings[2] ?? '',
      open: async (handlers) => {
        this.#handlers = handlers;
      },
      write: async (bytes) => this.push(this.packetsOf(bytes)),
      close: async () => {
        this.#handlers = null;
      },
    });
  }

  unplug(): void {
    this.#socket?.destroy();
  }

  /** The next read of the host is refused, and those after it until it clears the halt. */
  stall(direction: 'in' | 'out'): void {
    this.#halted.add(direction === 'in' ? 0x80 | DATA_IN : DATA_OUT);
    this.#drain();
  }

  /**
   * The plug is pulled in the middle of the next IN transfer with data, when so many of its bytes
   * have gone over.
   */
  breakOffIn(afterBytes: number): void {
    this.#breaksOff = { direction: 'in', after: afterBytes };
  }

  /** The plug is pulled in the middle of the next OUT transfer: nothing of it arrives inside. */
  breakOffOut(): void {
    this.#breaksOff = { direction: 'out' };
  }

  // ---- the wire ----

  #take(bytes: Buffer): void {
    this.#received = Buffer.concat([this.#received, bytes]);
    while (this.#received.length >= HEADER) {
      const header = this.#received;
      const command = header.readUInt32BE(0);
      const seq = header.readUInt32BE(4);
      if (command === UNLINK) {
        this.#received = header.subarray(HEADER);
        this.#unlink(seq, header.readUInt32BE(20));
        continue;
      }
      if (command !== SUBMIT) throw new Error(`USB/IP command ${command}`);
      const isIn = header.readUInt32BE(12) === 1;
      const length = header.readUInt32BE(24);
      const end = HEADER + (isIn ? 0 : length);
      if (header.length < end) return;
      this.#received = header.subarray(end);
      const submitted = { seq, isIn, endpoint: header.readUInt32BE(16), length };
      this.#submit(submitted, header.subarray(40, 48), Buffer.from(header.subarray(HEADER, end)));
    }
  }

  #submit(submitted: Submitted, setupBytes: Buffer, data: Buffer): void {
    if (submitted.endpoint === 0) {
      const setup = {
        type: setupBytes.readUInt8(0),
        request: setupBytes.readUInt8(1),
        value: setupBytes.readUInt16LE(2),
        index: setupBytes.readUInt16LE(4),
        length: setupBytes.readUInt16LE(6),
      };
      const reply = (setup.type & 0x60) === 0 ? this.#standard(setup) : this.control(setup, data);
      if (reply === null) this.#reply(submitted, EPIPE);
      else
        this.#reply(submitted, 0, submitted.isIn ? reply.subarray(0, submitted.length) : NONE, data.length);
    } else if (submitted.isIn) {
      this.#waiting.push(submitted);
      this.#drain();
    } else if (this.#breaksOff?.direction === 'out') this.unplug();
    else if (this.#halted.has(submitted.endpoint)) this.#reply(submitted, EPIPE);
    else {
      this.#reply(submitted, 0, NONE, data.length);
      this.toInside(data);
    }
  }

  #unlink(seq: number, victim: number): void {
    const found = this.#waiting.some((waiting) => waiting.seq === victim);
    this.#waiting = this.#waiting.filter((waiting) => waiting.seq !== victim);
    const header = Buffer.alloc(HEADER);
    header.writeUInt32BE(UNLINKED, 0);
    header.writeUInt32BE(seq, 4);
    header.writeInt32BE(found ? ECONNRESET : 0, 20);
    this.#socket?.write(header);
  }

  #drain(): void {
    const reads = (): Submitted | undefined => this.#waiting.find(({ endpoint }) => endpoint === DATA_IN);
    for (let read = reads(); read !== undefined; read = reads()) {
      const halted = this.#halted.has(0x80 | DATA_IN);
      const packet = halted ? undefined : this.#packets.shift();
      if (!halted && packet === undefined) return;
      const { seq } = read;
      this.#waiting = this.#waiting.filter((waiting) => waiting.seq !== seq);
      if (packet === undefined) this.#reply(read, EPIPE);
      else if (this.#breaksOff?.direction === 'in') {
        this.#reply(read, 0, packet.subarray(0, this.#breaksOff.after));
        this.#socket?.end();
        return;
      } else this.#reply(read, 0, packet);
    }
  }

  #reply({ seq, isIn }: Submitted, status: number, data: Buffer = NONE, taken = 0): void {
    const header = Buffer.alloc(HEADER);
    header.writeUInt32BE(SUBMITTED, 0);
    header.writeUInt32BE(seq, 4);
    header.writeInt32BE(status, 20);
    header.writeUInt32BE(isIn ? data.length : taken, 24);
    // Number of packets: not isochronous.
    header.writeUInt32BE(0xffff_ffff, 32);
    this.#socket?.write(isIn ? Buffer.concat([header, data]) : header);
  }

  /** The requests that every device answers, USB 2.0 section 9.4. */
  #standard({ type, request, value, index }: Setup): Buffer | null {
    const isIn = type >= 0x80;
    if (request === 6 && type === 0x80) return this.#descriptor(value >> 8, value & 0xff);
    // GET_DESCRIPTOR to an interface is a class's affair.
    if (request === 6) return this.control({ type, request, value, index, length: 0 }, NONE);
    if (request === 0 && isIn) return Buffer.alloc(2);
    if (request === 8 && isIn) return Buffer.from([1]);
    // CLEAR_FEATURE of an endpoint: its halt.
    if (request === 1 && type === 2) this.#halted.delete(index & 0xff);
    return isIn ? null : NONE;
  }

  #descriptor(kind: number, number: number): Buffer | null {
    if (kind === 1) return this.#device;
    if (kind === 2) return number === 0 ? this.#configuration : null;
    if (kind !== 3) return null;
    if (number === 0) return Buffer.from([4, 3, 0x09, 0x04]);
    const text = this.#strings[number - 1];
    if (text === undefined) return null;
    const utf16 = Buffer.from(text, 'utf16le');
    return Buffer.concat([Buffer.from([utf16.length + 2, 3]), utf16]);
  }
}

/** Bytes in packets of at most `size`. */
export function cut(bytes: Uint8Array, size: number): Buffer[] {
  const packets: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) packets.push(Buffer.from(bytes.subarray(at, at + size)));
  return packets;
}
