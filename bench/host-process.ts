import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { startNodeChild } from '../electron/node-child.ts';
import { ROOT } from '../test/shell/paths.ts';

export interface HostProcess {
  readonly pid: number;
  /** Fresh address of a display of this role, usable once. */
  mint(role: string): Promise<string>;
  stop(): Promise<void>;
}

/**
 * The real host with its simulated devices in the same process, unless `more` arguments say
 * otherwise; no window, no centre.
 */
export async function startHostProcess(
  data: string,
  profile: string,
  more: readonly string[] = [],
): Promise<HostProcess> {
  const minted = new Map<string, (url: string) => void>();
  const log: string[] = [];
  const child = await startNodeChild({
    name: 'host',
    script: join(ROOT, 'host', 'main.ts'),
    args: ['--data', data, '--profile', profile, '--supervised', ...more],
    firstLine: { sessionKey: randomBytes(32).toString('base64url') },
    signal: new AbortController().signal,
    mayCache: true,
    onMessage: (message) => {
      if (typeof message['role'] === 'string') minted.get(message['role'])?.(String(message['url']));
    },
    log: (line) => log.push(line),
  }).catch((error: Error) => {
    throw new Error(`${error.message}\n${log.join('\n')}`);
  });
  return {
    pid: child.pid,
    mint: (role) =>
      new Promise((resolve) => {
        minted.set(role, resolve);
        child.tell({ mint: role });
      }),
    stop: () => child.stop(),
  };
}
