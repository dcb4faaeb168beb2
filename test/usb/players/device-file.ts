/**
 * A character device (a gadget's tty or HID device, a virtio port) as streams. Two `cat` stand
 * between: a read of such a file cannot be called back in this process, and a process in the middle
 * of one can be ended.
 */
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import type { ByteTransport } from '../../../hardware/ports.ts';

export interface DeviceFile {
  readonly input: Readable;
  readonly output: Writable;
  close(): Promise<void>;
}

/** `settings` of a terminal, as `stty` takes them; null for a file that is none. */
export function openDeviceFile(path: string, settings: readonly string[] | null): DeviceFile {
  // Before the first byte: a terminal echoes until somebody turns that off.
  if (settings !== null) spawnSync('stty', ['-F', path, 'raw', '-echo', ...settings], { stdio: 'inherit' });
  const fd = openSync(path, constants.O_RDWR | constants.O_NOCTTY);
  const reader = spawn('cat', [], { stdio: [fd, 'pipe', 'ignore'] });
  const writer = spawn('cat', [], { stdio: ['pipe', fd, 'ignore'] });
  closeSync(fd);
  if (reader.stdout === null || writer.stdin === null) throw new Error('asked for pipes');
  writer.stdin.on('error', () => {});
  const ended = [reader, writer].map((child) => new Promise((resolve) => child.once('exit', resolve)));
  return {
    input: reader.stdout,
    output: writer.stdin,
    close: async () => {
      reader.kill('SIGKILL');
      writer.kill('SIGKILL');
      await Promise.all(ended);
    },
  };
}

/**
 * The line of a simulated device at such a file. Closes when the file ends, as a gadget's does at
 * an unplug.
 */
export function fileTransport(path: string, settings: readonly string[] | null): ByteTransport {
  let file: DeviceFile | null = null;
  return {
    name: path,
    open: async ({ onBytes, onClose }) => {
      file = openDeviceFile(path, settings);
      file.input.on('data', (bytes: Buffer) => onBytes(Uint8Array.from(bytes)));
      file.input.on('close', () => onClose(`${path} has ended`));
    },
    write: async (bytes) => {
      file?.output.write(bytes);
    },
    close: async () => {
      await file?.close();
    },
  };
}
