import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { plainLine } from '../../ledger/chain/plain-line.ts';
import type { Stick, StickTrouble } from '../../wire/pages.ts';

/** Where Linux mounts what people plug in. */
const PLUGGED_IN = /^\/(?:media|run\/media)\//;
const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW, W_OK } = constants;
/** `f_type` of vfat and exfat, which give every file the same owner and know no links. */
const WITHOUT_LINKS: readonly number[] = [0x4d44, 0x2011bab0];

interface Mount {
  /** Of the kernel; no other mount has it while this one is in use. */
  readonly id: number;
  readonly path: Buffer;
}

/**
 * The text of /proc/self/mountinfo, byte by byte. In a path a space, tab, end of line or backslash
 * stands as a backslash and three octal digits.
 */
export const mountsIn = (table: Buffer): Mount[] =>
  table
    .toString('latin1')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [id, , , , path] = line.split(' ');
      const bytes = path!.replaceAll(/\\([0-7]{3})/g, (_, octal: string) =>
        String.fromCharCode(Number.parseInt(octal, 8)),
      );
      return { id: Number(id), path: Buffer.from(bytes, 'latin1') };
    });

const mounts = (): Mount[] => mountsIn(readFileSync('/proc/self/mountinfo'));

/** An open folder by a name that leads there whatever is mounted at its path meanwhile. */
export const throughOpen = (fd: number): string => `/proc/self/fd/${fd}`;

const mountOf = (fd: number): number =>
  Number(/^mnt_id:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1'))?.[1]);

/**
 * Opens the root of the stick that is mounted at `path`. What is written through the descriptor
 * lands on this very stick or fails.
 * @param own a folder on the disk that is no stick
 */
export function openStick(path: string, own: string): number | Exclude<StickTrouble, 'name'> {
  const here = mounts().filter((mount) => mount.path.equals(Buffer.from(path)));
  if (here.length > 1) return 'covered';
  let fd: number;
  try {
    fd = openSync(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  } catch {
    return 'closed';
  }
  const trouble = troubleOf(fd, here[0]?.id, own);
  if (trouble === null) return fd;
  closeSync(fd);
  return trouble;
}

function troubleOf(fd: number, id: number | undefined, own: string): Exclude<StickTrouble, 'name'> | null {
  if (mountOf(fd) !== id) return 'covered';
  if (fstatSync(fd).dev === statSync(own).dev) return 'own-disk';
  try {
    accessSync(throughOpen(fd), W_OK);
    return null;
  } catch {
    return 'closed';
  }
}

/** The stick of `fd` is still what lies at `path`. */
export function isStillAt(fd: number, path: string, own: string): boolean {
  const now = openStick(path, own);
  if (typeof now !== 'number') return false;
  const isSame = mountOf(now) === mountOf(fd);
  closeSync(now);
  return isSame;
}

const OTHERS_WRITE = 0o022;

/** Nobody else can lay anything into this folder that leads elsewhere. */
export function isOnlyOurs(folder: string): boolean {
  const { uid, mode } = statSync(folder);
  return (
    (uid === process.getuid!() && (mode & OTHERS_WRITE) === 0) ||
    WITHOUT_LINKS.includes(statfsSync(folder).type)
  );
}

/** A new folder of this account in the open folder `parent`, open. */
export function openNewFolder(parent: number, name: string): number {
  const path = `${throughOpen(parent)}/${name}`;
  mkdirSync(path, { mode: 0o700 });
  const fd = openSync(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  if (isOnlyOurs(throughOpen(fd))) return fd;
  closeSync(fd);
  throw new Error(`${path} belongs to another account as soon as it is made`);
}

/** What is plugged in, by path. `own`: a folder on the disk that is no stick. */
export function sticks(own: string): Stick[] {
  const paths = new Map(mounts().map(({ path }) => [path.toString('latin1'), path]));
  return [...paths.values()]
    .filter((path) => PLUGGED_IN.test(path.toString('latin1')))
    .map((bytes) => lookAt(bytes, own))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

function lookAt(bytes: Buffer, own: string): Stick {
  const text = bytes.toString();
  const path = plainLine(text);
  if (path !== text || !Buffer.from(text).equals(bytes)) return { path, freeBytes: 0, trouble: 'name' };
  const fd = openStick(path, own);
  if (typeof fd !== 'number') return { path, freeBytes: 0, trouble: fd };
  try {
    const { bavail, bsize } = statfsSync(throughOpen(fd));
    return { path, freeBytes: bavail * bsize, trouble: null };
  } catch {
    return { path, freeBytes: 0, trouble: 'closed' };
  } finally {
    closeSync(fd);
  }
}

/**
 * `path` lies where sticks are mounted, but on no stick: it was pulled out, or the name is another
 * one.
 */
export function isWithoutStick(path: string): boolean {
  const whole = resolve(path);
  if (!PLUGGED_IN.test(whole)) return false;
  let at = whole;
  while (!existsSync(at)) at = dirname(at);
  const fd = openSync(at, O_RDONLY | O_DIRECTORY);
  try {
    const id = mountOf(fd);
    return !mounts().some((mount) => mount.id === id && PLUGGED_IN.test(mount.path.toString('latin1')));
  } finally {
    closeSync(fd);
  }
}
