import type { ByteTransport } from '../../hardware/ports.ts';

/**
 * The line of a device whose host started this process: its bytes come on stdin and go out on
 * stdout.
 */
export function stdioTransport(onEnd: () => void): ByteTransport {
  const { stdin, stdout } = process;
  return {
    name: 'stdio',
    open: ({ onBytes, onClose }) => {
      stdin.on('data', (chunk: Buffer) => onBytes(Uint8Array.from(chunk)));
      const ended = (): void => {
        onClose('the host has closed the line');
        onEnd();
      };
      stdin.once('end', ended);
      stdin.once('error', ended);
      return Promise.resolve();
    },
    write: (bytes) =>
      new Promise((resolve, reject) => {
        stdout.write(bytes, (error) => (error ? reject(error) : resolve()));
      }),
    close: () => {
      stdin.destroy();
      onEnd();
      return Promise.resolve();
    },
  };
}
