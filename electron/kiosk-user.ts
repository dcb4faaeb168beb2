import { execFileSync } from 'node:child_process';
import {
  accessSync,
  chmodSync,
  constants,
  copyFileSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Place } from './place.ts';

/** Account the window runs as. `switchUser` = the supervisor is root and must change to it. */
export interface KioskUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
  readonly switchUser: boolean;
}

export const KIOSK_ACCOUNT = 'banca-kiosk';
/** A GPU and sound belong to these groups on Debian. */
const DEVICE_GROUPS = ['video', 'render', 'audio'];

export function account(name: string): KioskUser | null {
  for (const line of readFileSync('/etc/passwd', 'utf8').split('\n')) {
    const fields = line.split(':');
    if (fields[0] === name) return { name, uid: Number(fields[2]), gid: Number(fields[3]), switchUser: true };
  }
  return null;
}

/**
 * The account for the window: our own when not root, else the system user `banca-kiosk` (made when
 * it is missing), else `nobody`. A browser that runs as root would have no sandbox.
 */
export function kioskUser(log: (line: string) => void): KioskUser {
  const uid = process.getuid!();
  if (uid !== 0) return { name: String(uid), uid, gid: process.getgid!(), switchUser: false };
  const known = account(KIOSK_ACCOUNT);
  if (known) return known;
  try {
    if (process.env['BANCA_NO_SETUP'] === '1') throw new Error('BANCA_NO_SETUP=1 forbids it');
    const groups = readFileSync('/etc/group', 'utf8')
      .split('\n')
      .map((line) => line.split(':')[0]!);
    const wanted = DEVICE_GROUPS.filter((group) => groups.includes(group));
    execFileSync(
      'useradd',
      [
        '--system',
        '--user-group',
        '--no-create-home',
        '--home-dir',
        '/nonexistent',
        '--shell',
        '/usr/sbin/nologin',
      ]
        .concat(wanted.length > 0 ? ['--groups', wanted.join(',')] : [])
        .concat(KIOSK_ACCOUNT),
      { stdio: ['ignore', 'ignore', 'pipe'] },
    );
    log(`system user ${KIOSK_ACCOUNT} made: the window runs as it, not as root`);
  } catch (error) {
    log(
      `system user ${KIOSK_ACCOUNT} could not be made, the window runs as nobody: ${(error as Error).message}`,
    );
  }
  const made = account(KIOSK_ACCOUNT) ?? account('nobody');
  if (!made) throw new Error('no unprivileged account for the window: neither banca-kiosk nor nobody exists');
  return made;
}

/** Command line that runs `command` as the kiosk user, with its groups (the GPU's among them). */
export function asUser(user: KioskUser, command: string, args: readonly string[]): [string, string[]] {
  return user.switchUser
    ? ['setpriv', [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--init-groups', '--', command, ...args]]
    : [command, [...args]];
}

/**
 * True when the kiosk user may read (and run) `path`: every folder above it must let it through.
 */
export function reachable(path: string, user: KioskUser): boolean {
  if (!user.switchUser) {
    try {
      accessSync(path, constants.R_OK);
      return true;
    } catch {
      return false;
    }
  }
  const allows = (at: string, bits: number): boolean => {
    const stat = statSync(at, { throwIfNoEntry: false });
    if (!stat) return false;
    const shift = stat.uid === user.uid ? 6 : stat.gid === user.gid ? 3 : 0;
    return ((stat.mode >> shift) & bits) === bits;
  };
  const full = resolve(path);
  if (!allows(full, 4)) return false;
  for (let at = dirname(full); ; at = dirname(at)) {
    if (!allows(at, 1)) return false;
    if (at === dirname(at)) return true;
  }
}

/**
 * Makes the window's folder again, our own and closed: what is written there before it is handed
 * over is followed to no link.
 */
export function makeHome(path: string): void {
  rmSync(path, { recursive: true, force: true });
  mkdirSync(path, { mode: 0o700 });
}

/** Gives all of it to the kiosk user, the folder itself last. */
export function handOver(home: string, { uid, gid, switchUser }: KioskUser): void {
  if (!switchUser) return;
  for (const name of readdirSync(home, { recursive: true, encoding: 'utf8' }))
    lchownSync(join(home, name), uid, gid);
  lchownSync(home, uid, gid);
}

/**
 * Environment of the window: the display and nothing of ours. The X cookie is copied into `home`,
 * because root's own file cannot be read by the kiosk user.
 */
export function windowEnvironment(
  home: string,
  from: NodeJS.ProcessEnv,
  { screen }: Place = {},
): Record<string, string> {
  const env: Record<string, string> = {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    HOME: home,
    XDG_CONFIG_HOME: home,
    XDG_CACHE_HOME: home,
    LANG: 'C.UTF-8',
  };
  for (const name of ['DISPLAY', 'WAYLAND_DISPLAY', 'XDG_RUNTIME_DIR', 'XDG_SESSION_TYPE'])
    if (from[name]) env[name] = from[name];
  if (screen !== undefined) {
    env['DISPLAY'] = screen;
    delete env['WAYLAND_DISPLAY'];
  }
  const cookie = from['XAUTHORITY'] ?? join(homedir(), '.Xauthority');
  if (env['DISPLAY'] && statSync(cookie, { throwIfNoEntry: false })?.isFile()) {
    const copy = join(home, 'Xauthority');
    copyFileSync(cookie, copy);
    chmodSync(copy, 0o600);
    env['XAUTHORITY'] = copy;
  }
  return env;
}
