import { spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { archiveOf, PACKAGE } from './app-archive.ts';
import { readLines } from './json-lines.ts';
import { asUser, handOver, makeHome, windowEnvironment } from './kiosk-user.ts';
import { endOf } from './node-child.ts';
import { areaOf } from './place.ts';
import { hasGpu, killGroup, type Pane, RENEW_LIMIT_MS, type ShellOptions } from './shell.ts';
import { windowLines } from './window-lines.ts';

const END_LIMIT_MS = 3_000;

/**
 * Electron as the window. `bundle` is the built main process, which a sealed Electron has in its
 * own archive. Else it is copied to where the kiosk user may read it, so that the checkout itself
 * need not be open to that user.
 */
export function startElectron(binary: string, bundle: string, options: ShellOptions): Pane {
  const { user, home, events } = options;
  const profile = join(home, 'profile');
  const program = join(home, 'app');
  const isSealed = existsSync(archiveOf(binary));
  makeHome(home);
  mkdirSync(profile);
  if (!isSealed) {
    mkdirSync(program);
    copyFileSync(bundle, join(program, 'main.cjs'));
    writeFileSync(join(program, 'package.json'), PACKAGE);
  }
  const env = windowEnvironment(home, process.env, options.place);
  handOver(home, user);
  const args = [...(isSealed ? [] : [program]), `--user-data-dir=${profile}`];
  const area = areaOf(options.place);
  if (options.mode === 'windowed') args.push('--windowed');
  if (area !== null || options.mode === 'windowed') {
    const { width, height } = area ?? options.size;
    args.push(`--window-size=${width},${height}`);
  }
  if (area !== null) args.push(`--window-position=${area.x},${area.y}`);
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
  let renewing: NodeJS.Timeout | undefined;
  const ended = endOf(child);
  void ended.then(() => clearTimeout(renewing));
  const log = (line: string): void => events.log(`electron: ${line}`);
  readLines(child.stderr, (line) => {
    if (/FATAL|sandbox|[Cc]annot open display|^\S*Error: /.test(line)) log(line.slice(0, 300));
  });
  const lines = windowLines(child.stdin, child.stdout, ended, {
    ...events,
    log,
    onPageLoads: () => {
      clearTimeout(renewing);
      events.onPageLoads();
    },
  });
  return {
    pid: child.pid!,
    ended,
    open: lines.open,
    renewPage(why) {
      lines.renew(why);
      clearTimeout(renewing);
      renewing = setTimeout(() => killGroup(child, 'SIGKILL'), RENEW_LIMIT_MS);
    },
    kill: () => killGroup(child, 'SIGKILL'),
    shot: lines.shot,
    async stop() {
      child.stdin.end();
      const timer = setTimeout(() => killGroup(child, 'SIGKILL'), END_LIMIT_MS);
      await ended;
      clearTimeout(timer);
      rmSync(home, { recursive: true, force: true });
    },
  };
}
