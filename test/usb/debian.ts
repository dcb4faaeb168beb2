/**
 * What the guest is made of, out of Debian's archive by its ordinary client. Nothing is installed:
 * the packages are unpacked, what the guest needs is kept in the cache, the rest (400 MB of kernel
 * modules) is thrown away again.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, delimiter, join } from 'node:path';

export const CACHE = join(import.meta.dirname, '../../node_modules/.cache/banca/usb-rig');

/** The rig cannot run on this machine; the message is the reason. */
export class Unavailable extends Error {}

/**
 * Modules by their place in the start of the guest; what they depend on is found and put in front
 * of them.
 */
const MODULES = {
  base: ['virtio_pci', 'virtio_console', 'virtio_rng', '9pnet_virtio', '9p'],
  // Only the power cuts have a disk; ext4 asks for its checksum by a name that no dependency tells.
  disk: ['virtio_blk', 'crc32c_generic', 'ext4'],
  bus: ['xhci-pci'],
  gadgets: [
    ...['libcomposite', 'dummy_hcd num=4', 'usb_f_acm', 'usb_f_hid'],
    ...['usb_f_ecm', 'usb_f_ncm', 'usb_f_rndis', 'usb_f_mass_storage', 'usb_f_printer'],
  ],
  usbip: ['vhci-hcd'],
  // The kernel's own drivers take the devices first, as they do on a kiosk: ours have to detach
  // them.
  drivers: [
    ...['cdc-acm', 'ftdi_sio', 'cp210x', 'hid-generic', 'usbhid'],
    ...['cdc_ether', 'cdc_ncm', 'rndis_host', 'sd_mod', 'usb-storage', 'usblp'],
  ],
};

export interface Parts {
  readonly qemu: string;
  /**
   * Folder with `vmlinuz`, `busybox`, `modules/*.ko`, `modules/list` (one `insmod` line each) and
   * `udev/`.
   */
  readonly unpacked: string;
}

const onPath = (name: string): string | null =>
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path)) ?? null;

function program(name: string, debian: string): string {
  const path = onPath(name);
  if (path === null) throw new Unavailable(`${name} is not installed (apt-get install ${debian})`);
  return path;
}

function run(cwd: string, command: string, ...args: string[]): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (status === 0) return stdout;
  throw new Unavailable(
    `${command} ${args.join(' ')}: ${error?.message ?? (stderr.trim() || `exit ${status}`)}`,
  );
}

/** Throws Unavailable where the programs are missing or the packages cannot be had. */
export function debianParts(cache: string): Parts {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Unavailable(`the guest runs on Linux x64; this is ${process.platform} ${process.arch}`);
  const qemu = program('qemu-system-x86_64', 'qemu-system-x86');
  const key = createHash('sha256')
    .update(readFileSync(import.meta.filename))
    .digest('hex')
    .slice(0, 12);
  const unpacked = join(cache, `debian-${key}`);
  if (!existsSync(unpacked)) fetchParts(cache, unpacked);
  return { qemu, unpacked };
}

function fetchParts(cache: string, unpacked: string): void {
  for (const name of ['apt-get', 'apt-cache', 'dpkg-deb']) program(name, name);
  console.error('USB rig: fetching kernel, busybox and udev (once, about 75 MB)');
  mkdirSync(cache, { recursive: true });
  const dir = mkdtempSync(join(cache, 'fetch-'));
  try {
    const kernelPackage = (): string | undefined =>
      /Depends: (linux-image-\S+)/.exec(run(dir, 'apt-cache', 'depends', 'linux-image-amd64'))?.[1];
    const fetchAll = (): void => {
      const kernel = kernelPackage();
      if (kernel === undefined) throw new Unavailable('apt-cache knows no linux-image-amd64');
      run(dir, 'apt-get', 'download', '-qq', kernel, 'busybox-static', 'udev', 'libkmod2');
    };
    try {
      fetchAll();
    } catch (error) {
      // Package lists are missing or name a version that the archive has replaced.
      if (!(error instanceof Unavailable)) throw error;
      if (process.getuid?.() === 0) run(dir, 'apt-get', 'update', '-qq');
      else run(dir, 'sudo', '-n', 'apt-get', 'update', '-qq');
      fetchAll();
    }
    for (const file of globSync('*.deb', { cwd: dir }))
      run(dir, 'dpkg-deb', '-x', file, join(dir, file.startsWith('linux-image') ? 'kernel' : 'programs'));

    const kept = join(dir, 'kept');
    mkdirSync(join(kept, 'modules'), { recursive: true });
    const [vmlinuz] = globSync('kernel/boot/vmlinuz-*', { cwd: dir });
    if (vmlinuz === undefined) throw new Unavailable('the kernel package holds no kernel');
    cpSync(join(dir, vmlinuz), join(kept, 'vmlinuz'));
    keepModules(join(dir, 'kernel/lib/modules'), join(kept, 'modules'));
    cpSync(join(dir, 'programs/bin/busybox'), join(kept, 'busybox'));
    mkdirSync(join(kept, 'udev'));
    cpSync(join(dir, 'programs/bin/udevadm'), join(kept, 'udev/udevadm'));
    for (const rules of ['50-udev-default.rules', '60-input-id.rules'])
      cpSync(join(dir, 'programs/lib/udev/rules.d', rules), join(kept, 'udev', rules));
    const [kmod] = globSync('programs/lib/*/libkmod.so.2', { cwd: dir });
    if (kmod !== undefined) cpSync(join(dir, kmod), join(kept, 'udev/libkmod.so.2'), { dereference: true });
    renameSync(kept, unpacked);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
  for (const old of readdirSync(cache))
    if (old.startsWith('debian-') && join(cache, old) !== unpacked)
      rmSync(join(cache, old), { recursive: true, force: true });
}

/** Copies the wanted modules and what they depend on, and writes the order in which they go in. */
function keepModules(from: string, to: string): void {
  const nameOf = (file: string): string => basename(file, '.ko').replaceAll('-', '_');
  const files = new Map(globSync('**/*.ko', { cwd: from }).map((file) => [nameOf(file), join(from, file)]));
  const lines: string[] = [];
  const taken = new Set<string>();
  const take = (wanted: string): void => {
    const [name = '', ...parameters] = wanted.split(' ');
    const key = name.replaceAll('-', '_');
    if (taken.has(key)) return;
    taken.add(key);
    const file = files.get(key);
    // Built into the kernel, then; where it is not, the first test that needs it says so.
    if (file === undefined) return;
    const bytes = readFileSync(file);
    const at = bytes.indexOf('\0depends=');
    const depends =
      at < 0 ? '' : bytes.toString('latin1', at + '\0depends='.length, bytes.indexOf(0, at + 1));
    for (const dependency of depends.split(',').filter(Boolean)) take(dependency);
    writeFileSync(join(to, `${key}.ko`), bytes);
    lines.push([`/lib/modules/${key}.ko`, ...parameters].join(' '));
  };
  for (const wanted of Object.values(MODULES).flat()) take(wanted);
  if (lines.length === 0) throw new Unavailable('the kernel package holds no plain .ko modules');
  writeFileSync(join(to, 'list'), `${lines.join('\n')}\n`);
}
