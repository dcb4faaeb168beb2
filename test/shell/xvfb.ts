import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { ROOT } from './paths.ts';

export interface VirtualScreen {
  /** For $DISPLAY, for instance `:7`. */
  readonly display: string;
  stop(): Promise<void>;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 3_000);
  await once(child, 'exit');
  clearTimeout(timer);
}

/**
 * X screens in memory, each with the kiosk's window manager (openbox without any binding). The
 * server picks a free display number itself, so that several tests can run side by side.
 */
export async function startXvfb(
  ...sizes: readonly { readonly width: number; readonly height: number }[]
): Promise<VirtualScreen> {
  const server = spawn(
    'Xvfb',
    [
      '-displayfd',
      '3',
      ...sizes.flatMap(({ width, height }, n) => ['-screen', String(n), `${width}x${height}x24`]),
      '-nolisten',
      'tcp',
      '-s',
      '0',
      '-dpms',
    ],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] },
  );
  const number = await new Promise<string>((resolve, reject) => {
    let text = '';
    (server.stdio[3] as Readable).on('data', (chunk: Buffer) => {
      text += String(chunk);
      if (text.endsWith('\n')) resolve(text.trim());
    });
    server.once('error', reject);
    server.once('exit', (code) => reject(new Error(`Xvfb ended with code ${code}`)));
  });
  const display = `:${number}`;
  const managers = await Promise.all(
    sizes.map(
      (_size, n) =>
        new Promise<ChildProcess>((resolve, reject) => {
          const manager = spawn(
            'openbox',
            ['--sm-disable', '--config-file', join(ROOT, 'electron', 'deploy', 'openbox-rc.xml')],
            { stdio: 'ignore', env: { ...process.env, DISPLAY: `${display}.${n}` } },
          );
          manager.once('spawn', () => resolve(manager));
          manager.once('error', reject);
        }),
    ),
    // without it windows have a size of their own, and everything measured or pictured would be of
    // that size
  ).catch((error: Error) => {
    void end(server);
    throw error;
  });
  return {
    display,
    async stop() {
      await Promise.all(managers.map(end));
      await end(server);
    },
  };
}
