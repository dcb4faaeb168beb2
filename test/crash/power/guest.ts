/**
 * In the guest: mounts the disk, runs `banca host` with its data there, and does at its display
 * what is asked from outside over the virtio port. An answer that has gone out there cannot be
 * taken back by a power cut.
 */
import { type ChildProcess, execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from '../../../wire/commands.ts';
import type { TableView } from '../../../wire/view.ts';
import type { Answer, TestDisplay } from '../../support/display.ts';
import { serveCalls } from '../../usb/calls.ts';
import { startBanca } from '../../usb/guest/banca.ts';
import { openDeviceFile } from '../../usb/players/device-file.ts';

const DISK = '/disk';
const DATA = join(DISK, 'data');
const PROFILE = '/tmp/terminal.json';

export class Guest {
  #host: ChildProcess | null = null;
  #display: TestDisplay | null = null;

  /** Replays the file system's journal after a cut. */
  mount(): void {
    mkdirSync(DISK);
    execFileSync('mount', ['-t', 'ext4', '/dev/vda', DISK], { stdio: 'inherit' });
  }

  /** The ledger's files as they lie on the disk: name -> base64. None before the first start. */
  ledger(): Record<string, string> {
    const names = ['ledger.db', 'ledger.db-wal'].filter((name) => existsSync(join(DATA, name)));
    return Object.fromEntries(names.map((name) => [name, readFileSync(join(DATA, name), 'base64')]));
  }

  async start(terminalFile: string): Promise<void> {
    writeFileSync(PROFILE, terminalFile);
    const { host, display } = await startBanca(DATA, PROFILE);
    this.#host = host;
    this.#display = display;
  }

  async stop(): Promise<void> {
    const host = this.#host;
    if (host === null || host.exitCode !== null) return;
    const gone = new Promise((resolve) => host.once('exit', resolve));
    host.kill('SIGTERM');
    await gone;
  }

  /** Null when the host went away before it answered. */
  async command(command: Command, id: string): Promise<Answer | null> {
    return (await this.#display?.command(command, id)) ?? null;
  }

  /**
   * The first view beyond entry `seq`, or after a second the one that there is; null when the host
   * is gone.
   */
  async view(seq: number): Promise<TableView | null> {
    const display = this.#display;
    if (display === null || display.gone) return null;
    return (await display.until((view) => view.seq > seq, 1_000)) ?? (display.gone ? null : display.view);
  }
}

const [port] = globSync('/dev/vport*');
if (port === undefined) throw new Error('no virtio port');
const { input, output } = openDeviceFile(port, null);
serveCalls({ guest: new Guest() }, input, output);
output.write('ready\n');
