import { spawn } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseObject, readLines } from './json-lines.ts';
import { asUser, makeHome, windowEnvironment } from './kiosk-user.ts';
import { endOf } from './node-child.ts';
import { hasGpu, killGroup, RENEW_LIMIT_MS, type Shell, type ShellOptions } from './shell.ts';

const END_LIMIT_MS = 3_000;

/**
 * Electron as the window. `bundle` is the built main process; it is copied to where the kiosk user may read it, so that the
 * checkout itself need not be open to that user.
 */
export function startElectron(binary: string, bundle: string, options: ShellOptions): Shell {
  const { user, home, events } = options;
  const profile = join(home, 'profile');
  const program = join(home, 'app');
  rmSync(home, { recursive: true, force: true });
  for (const folder of [home, profile]) makeHome(folder, user);
  mkdirSync(program);
  copyFileSync(bundle, join(program, 'main.cjs'));
  chmodSync(join(program, 'main.cjs'), 0o644);
  writeFileSync(join(program, 'package.json'), JSON.stringify({ name: 'banca', main: 'main.cjs' }), {
    mode: 0o644,
  });
  const env = windowEnvironment(home, user, process.env);
  const args = [program, `--user-data-dir=${profile}`];
  if (options.mode === 'windowed')
    args.push('--windowed', `--window-size=${options.size.width},${options.size.height}`);
  // Without a GPU the canvas renderer is faster than WebGL in software.
  if (!hasGpu()) args.push('--disable-gpu', '--disable-software-rasterizer');
  if (!env['DISPLAY'] && env['WAYLAND_DISPLAY']) args.push('--ozone-platform=wayland');
  if (options.debugPort !== null)
    args.push(`--remote-debugging-port=${options.debugPort}`, '--remote-allow-origins=http://127.0.0.1');
  const child = spawn(...asUser(user, binary, args), {
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
    cwd: home,
    env,
  });
  child.stdin.on('error', () => {});
  const tell = (message: unknown): void => {
    if (child.stdin.writable) child.stdin.write(`${JSON.stringify(message)}\n`);
  };
  const shots: { resolve(png: Buffer): void; reject(error: Error): void }[] = [];
  let renewing: NodeJS.Timeout | undefined;
  const ended = endOf(child);
  void ended.then((why) => {
    clearTimeout(renewing);
    for (const waiting of shots.splice(0)) waiting.reject(new Error(`electron ended: ${why}`));
  });
  readLines(child.stderr, (line) => {
    if (/FATAL|sandbox|[Cc]annot open display|^\S*Error: /.test(line))
      events.log(`electron: ${line.slice(0, 300)}`);
  });
  readLines(child.stdout, (line) => {
    const message = parseObject(line);
    if (!message) return;
    if (typeof message['log'] === 'string') events.log(`electron: ${message['log']}`);
    if (message['page'] === 'loads') {
      clearTimeout(renewing);
      events.onPageLoads();
    }
    if (message['page'] === 'needs-ticket') events.onTicketNeeded();
    if (typeof message['electron'] === 'string') events.log(`electron: version ${message['electron']}`);
    if (typeof message['shot'] === 'string') shots.shift()?.resolve(Buffer.from(message['shot'], 'base64'));
    if (message['shot'] === null) shots.shift()?.reject(new Error('the window could not be drawn'));
  });
  tell({ open: options.url });
  return {
    pid: child.pid!,
    ended,
    open: (url) => tell({ open: url }),
    renewPage(why) {
      tell({ renew: why });
      clearTimeout(renewing);
      renewing = setTimeout(() => killGroup(child, 'SIGKILL'), RENEW_LIMIT_MS);
    },
    kill: () => killGroup(child, 'SIGKILL'),
    shot: () =>
      new Promise((resolve, reject) => {
        shots.push({ resolve, reject });
        tell({ shot: true });
      }),
    async stop() {
      child.stdin.end();
      const timer = setTimeout(() => killGroup(child, 'SIGKILL'), END_LIMIT_MS);
      await ended;
      clearTimeout(timer);
      rmSync(home, { recursive: true, force: true });
    },
  };
}
