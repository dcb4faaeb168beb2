/** Debian's upsd with its driver dummy-ups, whose UPS is a file of the test. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { TestContext } from 'node:test';

/** What lies in the path of Debian asks the machine’s own settings whether it may run. */
const FOLDERS = ['/lib/nut', '/usr/lib/nut', ...(process.env['PATH'] ?? '').split(delimiter)];
const find = (program: string): string | undefined =>
  FOLDERS.map((folder) => join(folder, program)).find((path) => existsSync(path));
const UPSD = find('upsd');
const DUMMY = find('dummy-ups');

/** Why no test can have one here; false = it can. */
export const NO_NUT =
  UPSD !== undefined && DUMMY !== undefined
    ? false
    : 'upsd is not installed (apt-get install nut-server nut-client)';

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return (address as { port: number }).port;
};

export class DummyUps {
  readonly port: number;
  readonly #folder: string;
  readonly #children: ChildProcess[] = [];

  private constructor(folder: string, port: number) {
    this.#folder = folder;
    this.port = port;
  }

  static async start(t: Pick<TestContext, 'after'>): Promise<DummyUps> {
    const folder = mkdtempSync(join(tmpdir(), 'banca-nut-'));
    const ups = new DummyUps(folder, await freePort());
    t.after(async () => {
      await ups.stop();
      rmSync(folder, { recursive: true, force: true });
    });
    chmodSync(folder, 0o700);
    ups.says('OL', 100);
    writeFileSync(
      join(folder, 'ups.conf'),
      `[ups]\n  driver = dummy-ups\n  port = ${join(folder, 'ups.dev')}\n  desc = test\n`,
    );
    writeFileSync(join(folder, 'upsd.conf'), `LISTEN 127.0.0.1 ${ups.port}\nMAXAGE 5\n`);
    writeFileSync(join(folder, 'upsd.users'), '');
    chmodSync(join(folder, 'upsd.conf'), 0o600);
    chmodSync(join(folder, 'upsd.users'), 0o600);
    ups.#run(DUMMY!, '-a', 'ups', '-i', '1', '-D');
    ups.#run(UPSD!, '-D');
    return ups;
  }

  /** What its driver says from the next look at its file on, a second later. */
  says(status: string, charge: number): void {
    const lines = [
      `ups.status: ${status}`,
      `battery.charge: ${charge}`,
      'battery.runtime: 600',
      'device.mfr: Test',
      'device.model: Dummy',
    ];
    writeFileSync(join(this.#folder, 'ups.dev'), `${lines.join('\n')}\n`);
  }

  async stop(): Promise<void> {
    for (const child of this.#children.splice(0)) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    }
  }

  #run(program: string, ...args: readonly string[]): void {
    const user = process.getuid?.() === 0 ? ['-u', 'root'] : [];
    const env = {
      ...process.env,
      NUT_CONFPATH: this.#folder,
      NUT_STATEPATH: this.#folder,
      NUT_ALTPIDPATH: this.#folder,
      NUT_PIDPATH: this.#folder,
    };
    this.#children.push(spawn(program, [...args, ...user], { env, stdio: 'ignore' }));
  }
}
