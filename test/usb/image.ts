/**
 * The guest's first file system, written as a "newc" cpio archive: busybox, modules, udev, the
 * bundled programs.
 */
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Parts } from './debian.ts';

const COMMANDS = 'sh mount insmod mkdir ln cat stty printf dd ip hostname chown';
const FOLDERS = ['proc', 'sys', 'dev', 'tmp', 'run', 'root', 'usr', 'repo', 'node', 'lib'];

const DIRECTORY = 0o040755;
const PROGRAM = 0o100755;
const FILE = 0o100644;
const LINK = 0o120777;
const CHARACTER_DEVICE = 0o020666;

class Archive {
  readonly #chunks: Buffer[] = [];
  readonly #folders = new Set(['.']);
  #inode = 0;

  add(
    name: string,
    mode: number,
    data: Uint8Array = Buffer.alloc(0),
    device: [number, number] = [0, 0],
  ): void {
    this.#folder(dirname(name));
    this.#entry(name, mode, data, device);
  }

  #folder(name: string): void {
    if (this.#folders.has(name)) return;
    this.#folders.add(name);
    this.#folder(dirname(name));
    this.#entry(name, DIRECTORY, Buffer.alloc(0), [0, 0]);
  }

  folder(name: string): void {
    this.#folder(name);
  }

  #entry(name: string, mode: number, data: Uint8Array, device: [number, number]): void {
    const padded = (bytes: Uint8Array, before = 0): Buffer =>
      Buffer.concat([bytes, Buffer.alloc((4 - ((before + bytes.length) % 4)) % 4)]);
    this.#inode += 1;
    const nameBytes = Buffer.from(`${name}\0`);
    // inode, mode, uid, gid, links, mtime, size, device of the file, device it names, length of the
    // name, check
    const fields = [this.#inode, mode, 0, 0, 1, 0, data.length, 0, 0, ...device, nameBytes.length, 0];
    const head = `070701${fields.map((field) => field.toString(16).padStart(8, '0')).join('')}`;
    this.#chunks.push(Buffer.from(head), padded(nameBytes, head.length), padded(data));
  }

  bytes(): Buffer {
    this.#entry('TRAILER!!!', 0, Buffer.alloc(0), [0, 0]);
    return Buffer.concat(this.#chunks);
  }
}

/**
 * `programs`: folder that becomes /rig, beside the packages of the checkout. `settings`: rules of
 * udev and options of modules, installed in the guest as a kiosk has them.
 */
export function guestImage(
  { unpacked }: Parts,
  programs: string,
  init: string,
  settings: readonly string[],
): Buffer {
  const archive = new Archive();
  for (const folder of FOLDERS) archive.folder(folder);
  archive.add('dev/console', CHARACTER_DEVICE, undefined, [5, 1]);
  archive.add('dev/null', CHARACTER_DEVICE, undefined, [1, 3]);
  archive.add('bin/busybox', PROGRAM, readFileSync(join(unpacked, 'busybox')));
  for (const command of COMMANDS.split(' ')) archive.add(`bin/${command}`, LINK, Buffer.from('busybox'));
  archive.add('init', PROGRAM, readFileSync(init));
  archive.add(
    'etc/passwd',
    FILE,
    Buffer.from('root:x:0:0::/root:/bin/sh\nbanca:x:1000:1000::/tmp:/bin/sh\n'),
  );
  archive.add('etc/group', FILE, Buffer.from('root:x:0:\nplugdev:x:46:banca\nbanca:x:1000:\n'));
  const modules = join(unpacked, 'modules');
  for (const file of globSync('*', { cwd: modules }))
    archive.add(`lib/modules/${file}`, FILE, readFileSync(join(modules, file)));
  for (const file of globSync('*', { cwd: join(unpacked, 'udev') })) {
    const place = file.endsWith('.rules')
      ? 'lib/udev/rules.d'
      : file.startsWith('lib')
        ? 'lib/udev-libs'
        : 'bin';
    archive.add(join(place, file), PROGRAM, readFileSync(join(unpacked, 'udev', file)));
  }
  for (const file of globSync('**/*.{js,json}', { cwd: programs }))
    archive.add(join('rig', file), FILE, readFileSync(join(programs, file)));
  // `banca host` looks for the host's source.
  archive.add('rig/host/main.ts', LINK, Buffer.from('main.js'));
  archive.add('rig/node_modules', LINK, Buffer.from('/repo/node_modules'));
  for (const setting of settings) {
    const place = setting.endsWith('.rules') ? 'etc/udev/rules.d' : 'etc/modprobe.d';
    archive.add(join(place, basename(setting)), FILE, readFileSync(setting));
  }
  return archive.bytes();
}
