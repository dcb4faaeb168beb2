/** Boots the guest and relays its console. */
import { spawn } from 'node:child_process';
import { realpathSync, writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Parts } from './debian.ts';
import { guestImage } from './image.ts';

const here = import.meta.dirname;
const REPO = join(here, '../..');

export interface Machine {
  readonly parts: Parts;
  /** Folder that the guest has as /rig. */
  readonly programs: string;
  /** Sockets and the image go here. */
  readonly dir: string;
  /**
   * Names of sockets in `dir`, each the far end of an FTDI adapter: QEMU plugs it in while somebody
   * listens there.
   */
  readonly adapters: readonly string[];
  /** Name of the socket in `dir` that the guest finds as its first virtio port. */
  readonly port: string;
  /** Rules of udev and options of modules. */
  readonly settings: readonly string[];
  /**
   * Name of a socket in `dir` at which an NBD server offers /dev/vda: a disk with a write cache,
   * for the guest to flush.
   */
  readonly disk?: string;
  /** Run in the guest by this Node, from the checkout at /repo. */
  readonly args: readonly string[];
  readonly limitMs: number;
  /** Cuts the power: QEMU ends at once and flushes nothing. */
  readonly powerCut?: AbortSignal;
}

const MOST_BOOTS = 3;

/**
 * Resolves with the exit status of the guest's command; rejects when the guest did not come to one
 * in time. A kernel that hangs is booted again.
 */
export async function runMachine(machine: Machine): Promise<number> {
  for (let boots = 1; ; boots += 1) {
    const status = await boot(machine);
    if (status !== 'hung') return status;
    if (boots === MOST_BOOTS) throw new Error(`the kernel of the guest hung ${boots} times`);
    console.log('the kernel of the guest hung, and is booted again');
  }
}

function boot(machine: Machine): Promise<number | 'hung'> {
  const { parts, dir, adapters, disk, powerCut } = machine;
  const image = join(dir, 'image.cpio');
  writeFileSync(
    image,
    guestImage(machine.parts, machine.programs, join(here, 'guest/init.sh'), machine.settings),
  );
  const shares = { usr: '/usr', repo: realpathSync(REPO), node: dirname(realpathSync(process.execPath)) };
  const kernelParameters = [
    'console=ttyS0 quiet loglevel=1 panic=-1 mitigations=off nokaslr no_timer_check cryptomgr.notests=1',
    `rig.run=${['/node/node', ...machine.args].join(',')}`,
  ];
  const socket = (name: string): string => `socket,id=${name},path=${join(dir, name)},reconnect=1`;
  const options: readonly (readonly string[])[] = [
    // Emulated, never KVM: what a CI machine offers under that name does not always boot a guest.
    ['-accel', 'tcg,thread=multi'],
    ['-machine', 'q35'],
    ['-cpu', 'qemu64'],
    // Of two emulated processors one now and then spun for ever; one costs a tenth less as well.
    ['-smp', '1'],
    ['-m', '1024'],
    ['-nodefaults'],
    ['-no-user-config'],
    ['-no-reboot'],
    ['-display', 'none'],
    ['-serial', 'stdio'],
    ['-device', 'isa-debug-exit,iobase=0xf4,iosize=0x04'],
    ['-device', 'virtio-rng-pci'],
    ['-device', 'virtio-serial-pci'],
    ['-chardev', socket(machine.port)],
    ['-device', `virtserialport,chardev=${machine.port}`],
    ['-device', 'qemu-xhci,id=xhci'],
    ...adapters.flatMap((name) => [
      ['-chardev', socket(name)],
      ['-device', `usb-serial,bus=xhci.0,chardev=${name},serial=${name.toUpperCase()}`],
    ]),
    ...(disk === undefined
      ? []
      : [
          [
            '-blockdev',
            `driver=nbd,node-name=disk,server.type=unix,server.path=${join(dir, disk)},cache.direct=on`,
          ],
          ['-device', 'virtio-blk-pci,drive=disk,write-cache=on'],
        ]),
    ...Object.entries(shares).map(([tag, path]) => [
      '-virtfs',
      // A comma inside a value is written twice.
      `local,path=${path.replaceAll(',', ',,')},mount_tag=${tag},security_model=none,readonly=on,id=${tag}`,
    ]),
    ['-kernel', join(parts.unpacked, 'vmlinuz')],
    ['-initrd', image],
    ['-append', kernelParameters.join(' ')],
  ];
  const vm = spawn(parts.qemu, options.flat(), { stdio: ['ignore', 'pipe', 'pipe'] });
  // The guest has times to keep that a busy machine must not stretch; only root may say so.
  if (process.getuid?.() === 0) setPriority(vm.pid!, constants.priority.PRIORITY_HIGH);
  // QEMU does not notice that we are gone.
  const kill = (): void => void vm.kill('SIGKILL');
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.once(signal, kill);
  powerCut?.addEventListener('abort', kill);
  createInterface({ input: vm.stderr }).on('line', (line) => {
    // Said of every adapter that is unplugged.
    if (!line.includes('Unable to connect character device')) console.error(line);
  });
  let hangs = false;
  createInterface({ input: vm.stdout }).on('line', (line) => {
    if (line.includes('soft lockup')) {
      hangs = true;
      kill();
    }
    console.log(line);
  });
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      vm.kill('SIGKILL');
      reject(new Error(`the guest was not done after ${machine.limitMs / 1000} s`));
    }, machine.limitMs);
    vm.once('error', reject);
    vm.once('close', (code, signal) => {
      clearTimeout(timer);
      for (const name of signals) process.off(name, kill);
      // isa-debug-exit: (status << 1) | 1; an even status is QEMU's own.
      if (hangs) resolve('hung');
      else if (code !== null && code % 2 === 1) resolve(code >> 1);
      else reject(new Error(`QEMU ended with ${signal ?? `status ${code}`}`));
    });
  });
}
