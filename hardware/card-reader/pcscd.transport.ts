/**
 * Card readers through Debian's pcscd, in the messages that its own library sends over its Unix
 * socket (`winscard_msg.h`, protocol 4). No code of another language runs in this process, and
 * a daemon that hangs or ends is an error of one call.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { endianness } from 'node:os';

const PCSCD_SOCKET = '/run/pcscd/pcscd.comm';

/** How long a daemon or a card may take for one answer. */
const ANSWER_MS = 5_000;
const VERSION = [4, 4] as const;

const COMMAND = {
  establish: 0x01,
  connect: 0x04,
  disconnect: 0x06,
  transmit: 0x09,
  version: 0x11,
  readers: 0x12,
} as const;

const SCOPE_SYSTEM = 2;
/** Other programs may speak to the card, too: nothing is written on it. */
const SHARE_SHARED = 2;
/** T=0 or T=1, whichever the card speaks. */
const PROTOCOLS = 3;
const LEAVE_CARD = 0;
const CARD_PRESENT = 0x04;

const NAME_BYTES = 128;
const MOST_READERS = 16;
/** Name, events, state, sharing, 33 bytes of ATR and 3 of padding, its length, protocol. */
const READER_BYTES = NAME_BYTES + 12 + 36 + 8;
const PCI_BYTES = 16;
const ANSWER_BYTES = 264;

export interface ReaderState {
  readonly name: string;
  /** Another number whenever a card comes or goes. */
  readonly events: number;
  readonly hasCard: boolean;
}

/** A card in a reader. Throws PcscError where card, reader or daemon has gone. */
export interface OpenCard {
  transmit(apdu: Uint8Array): Promise<Buffer>;
  close(): Promise<void>;
}

export class PcscError extends Error {
  override readonly name = 'PcscError';
}

export class Pcscd {
  readonly #socket: Socket;
  #context = 0;
  #unread = Buffer.alloc(0);
  #heard: (() => void) | null = null;
  #gone: string | null = null;
  /** Calls come one after the other. */
  #last: Promise<unknown> = Promise.resolve();

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (data) => {
      this.#unread = Buffer.concat([this.#unread, data]);
      this.#heard?.();
    });
    const gone = (why: string): void => {
      this.#gone ??= why;
      this.#heard?.();
    };
    socket.on('error', (error) => gone(error.message));
    socket.on('close', () => gone('pcscd has gone'));
  }

  /** Throws PcscError: no daemon is there, or none that speaks so. */
  static async open(path = PCSCD_SOCKET): Promise<Pcscd> {
    if (endianness() !== 'LE') throw new PcscError('pcscd is spoken to on little-endian machines only');
    const socket = connect(path);
    try {
      await once(socket, 'connect');
    } catch (error) {
      throw new PcscError((error as Error).message);
    }
    const pcscd = new Pcscd(socket);
    try {
      const said = await pcscd.#ask('version', [...VERSION, 0]);
      if (said.readInt32LE(0) !== VERSION[0]) throw new PcscError(`pcscd speaks ${said.readInt32LE(0)}`);
      const context = await pcscd.#ask('establish', [SCOPE_SYSTEM, 0, 0]);
      pcscd.#context = context.readUInt32LE(4);
      return pcscd;
    } catch (error) {
      pcscd.close();
      throw error;
    }
  }

  close(): void {
    this.#socket.destroy();
  }

  async readers(): Promise<ReaderState[]> {
    const all = await this.#one(async () => {
      this.#send('readers', Buffer.alloc(0));
      return this.#read(MOST_READERS * READER_BYTES);
    });
    return Array.from({ length: MOST_READERS }, (_, i) => {
      const each = all.subarray(i * READER_BYTES, (i + 1) * READER_BYTES);
      return {
        name: nameIn(each.subarray(0, NAME_BYTES)),
        events: each.readUInt32LE(NAME_BYTES),
        hasCard: (each.readUInt32LE(NAME_BYTES + 4) & CARD_PRESENT) !== 0,
      };
    }).filter(({ name }) => name !== '');
  }

  async card(reader: string): Promise<OpenCard> {
    const asked = Buffer.alloc(4 + NAME_BYTES + 20);
    asked.writeUInt32LE(this.#context, 0);
    asked.write(reader, 4, NAME_BYTES - 1);
    asked.writeUInt32LE(SHARE_SHARED, 4 + NAME_BYTES);
    asked.writeUInt32LE(PROTOCOLS, 8 + NAME_BYTES);
    const said = await this.#ask('connect', asked);
    const card = said.readInt32LE(12 + NAME_BYTES);
    const protocol = said.readUInt32LE(16 + NAME_BYTES);
    return {
      transmit: (apdu) =>
        this.#one(async () => {
          const head = words([card, protocol, PCI_BYTES, apdu.length, protocol, PCI_BYTES, ANSWER_BYTES, 0]);
          this.#send('transmit', head, apdu);
          const back = await this.#read(head.length);
          check('transmit', back);
          return this.#read(back.readUInt32LE(24));
        }),
      close: async () => {
        await this.#ask('disconnect', [card, LEAVE_CARD, 0]);
      },
    };
  }

  /** Asks, and reads as many bytes back; the last four are the result. */
  #ask(command: keyof typeof COMMAND, asked: readonly number[] | Buffer): Promise<Buffer> {
    const body = Buffer.isBuffer(asked) ? asked : words(asked);
    return this.#one(async () => {
      this.#send(command, body);
      const back = await this.#read(body.length);
      check(command, back);
      return back;
    });
  }

  #one<T>(work: () => Promise<T>): Promise<T> {
    const next = this.#last.then(work);
    this.#last = next.catch(() => undefined);
    return next;
  }

  #send(command: keyof typeof COMMAND, body: Buffer, data: Uint8Array = Buffer.alloc(0)): void {
    if (this.#gone !== null) throw new PcscError(this.#gone);
    this.#socket.write(Buffer.concat([words([body.length, COMMAND[command]]), body, data]));
  }

  async #read(bytes: number): Promise<Buffer> {
    if (bytes > MOST_READERS * READER_BYTES) throw new PcscError(`an answer of ${bytes} bytes`);
    const late = setTimeout(() => this.#socket.destroy(new Error('pcscd does not answer')), ANSWER_MS);
    try {
      while (this.#unread.length < bytes) {
        if (this.#gone !== null) throw new PcscError(this.#gone);
        const { promise, resolve } = Promise.withResolvers<void>();
        this.#heard = resolve;
        await promise;
      }
    } finally {
      clearTimeout(late);
    }
    const read = this.#unread.subarray(0, bytes);
    this.#unread = this.#unread.subarray(bytes);
    return read;
  }
}

const nameIn = (bytes: Buffer): string => bytes.subarray(0, Math.max(0, bytes.indexOf(0))).toString();

function words(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [i, value] of values.entries()) bytes.writeInt32LE(value | 0, 4 * i);
  return bytes;
}

function check(command: string, answer: Buffer): void {
  const result = answer.readUInt32LE(answer.length - 4);
  if (result !== 0) throw new PcscError(`${command}: 0x${result.toString(16)}`);
}
