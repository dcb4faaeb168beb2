/**
 * The disk as a network block device: the fixed newstyle handshake and simple replies, as much of
 * NBD's protocol (github.com/NetworkBlockDevice/nbd, doc/proto.md) as QEMU's client speaks with a
 * server that has no more.
 */
import { createServer, type Server, type Socket } from 'node:net';
import { type CachedDisk, SECTOR } from './cached-disk.ts';

const INIT_MAGIC = Buffer.from('NBDMAGICIHAVEOPT');
const OPTION_REPLY_MAGIC = 0x3e889045565a9n;
const REQUEST_MAGIC = 0x25609513;
const REPLY_MAGIC = 0x67446698;
/** Fixed newstyle, no zeroes after the old export option. */
const HANDSHAKE_FLAGS = 0b11;
/** HAS_FLAGS, SEND_FLUSH, SEND_FUA: there is a write cache. */
const EXPORT_FLAGS = 0b1101;
const OPTION = { abort: 2, info: 6, go: 7 };
const REPLY = { ack: 1, info: 3, unsupported: 0x8000_0001 };
const INFO = { export: 0, blockSize: 3 };
const COMMAND = { read: 0, write: 1, disconnect: 2, flush: 3 };
const FUA = 1;
const EINVAL = 22;
const LARGEST = 32 * 1024 * 1024;

/** Serves `disk`, of so many bytes, at a socket. */
export function serveNbd(path: string, disk: CachedDisk, sizeBytes: number): Promise<Server> {
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    void serve(socket, disk, sizeBytes).catch((error: Error) => socket.destroy(error));
  });
  return new Promise((resolve) => server.listen(path, () => resolve(server)));
}

/** Takes exactly so many bytes; null when the client is gone. */
function takerOf(socket: Socket): (length: number) => Promise<Buffer | null> {
  const chunks = socket[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let held: Buffer = Buffer.alloc(0);
  return async (length) => {
    const parts = [held];
    for (let have = held.length; have < length; ) {
      const { done, value } = await chunks.next();
      if (done) return null;
      parts.push(value);
      have += value.length;
    }
    const all = Buffer.concat(parts);
    held = all.subarray(length);
    return all.subarray(0, length);
  };
}

async function serve(socket: Socket, disk: CachedDisk, sizeBytes: number): Promise<void> {
  const take = takerOf(socket);
  if (!(await shakeHands(socket, take, sizeBytes))) {
    socket.end();
    return;
  }
  for (;;) {
    const head = await take(28);
    if (head === null) return;
    if (head.readUInt32BE(0) !== REQUEST_MAGIC) throw new Error('NBD: no request');
    const [flags, command] = [head.readUInt16BE(4), head.readUInt16BE(6)];
    const cookie = head.subarray(8, 16);
    const [offset, length] = [Number(head.readBigUInt64BE(16)), head.readUInt32BE(24)];
    const data = command === COMMAND.write ? await take(length) : null;
    // The machine that asks is dead, whatever its socket still holds.
    if (!disk.isOn || command === COMMAND.disconnect) {
      socket.destroy();
      return;
    }
    const isWhole =
      offset % SECTOR === 0 && length % SECTOR === 0 && offset + length <= sizeBytes && length <= LARGEST;
    let error = 0;
    let read: Buffer = Buffer.alloc(0);
    if (command === COMMAND.flush) disk.flush();
    else if (!isWhole) error = EINVAL;
    else if (command === COMMAND.read) read = disk.read(offset, length);
    else if (data !== null) disk.write(offset, data, (flags & FUA) !== 0);
    else error = EINVAL;
    // A cut may fall on a write: it is in the cache and never answered.
    if (!disk.isOn) {
      socket.destroy();
      return;
    }
    const reply = Buffer.alloc(16);
    reply.writeUInt32BE(REPLY_MAGIC, 0);
    reply.writeUInt32BE(error, 4);
    cookie.copy(reply, 8);
    socket.write(Buffer.concat([reply, read]));
  }
}

/** True when the client goes on to read and write. */
async function shakeHands(
  socket: Socket,
  take: (length: number) => Promise<Buffer | null>,
  sizeBytes: number,
): Promise<boolean> {
  const flags = Buffer.alloc(2);
  flags.writeUInt16BE(HANDSHAKE_FLAGS);
  socket.write(Buffer.concat([INIT_MAGIC, flags]));
  if ((await take(4)) === null) return false;
  for (;;) {
    const head = await take(16);
    if (head === null) return false;
    const option = head.readUInt32BE(8);
    if ((await take(head.readUInt32BE(12))) === null) return false;
    const reply = (type: number, data: Buffer = Buffer.alloc(0)): void => {
      const bytes = Buffer.alloc(20);
      bytes.writeBigUInt64BE(OPTION_REPLY_MAGIC, 0);
      bytes.writeUInt32BE(option, 8);
      bytes.writeUInt32BE(type, 12);
      bytes.writeUInt32BE(data.length, 16);
      socket.write(Buffer.concat([bytes, data]));
    };
    if (option === OPTION.info || option === OPTION.go) {
      const size = Buffer.alloc(12);
      size.writeUInt16BE(INFO.export, 0);
      size.writeBigUInt64BE(BigInt(sizeBytes), 2);
      size.writeUInt16BE(EXPORT_FLAGS, 10);
      reply(REPLY.info, size);
      const blocks = Buffer.alloc(14);
      blocks.writeUInt16BE(INFO.blockSize, 0);
      for (const [at, bytes] of [SECTOR, 4096, LARGEST].entries()) blocks.writeUInt32BE(bytes, 2 + at * 4);
      reply(REPLY.info, blocks);
      reply(REPLY.ack);
      if (option === OPTION.go) return true;
    } else if (option === OPTION.abort) {
      reply(REPLY.ack);
      return false;
    } else {
      reply(REPLY.unsupported);
    }
  }
}
