import { dirname } from 'node:path';
import { ClockWatch } from './clock-watch.ts';
import { DisplayWatch } from './display-watch.ts';
import { checkSoftware, type lastLife } from './life.ts';
import { LIMITS } from './limits.ts';
import { LinkWatch } from './link-watch.ts';
import { Machine } from './machine.ts';
import type { TerminalFile } from './profile.ts';
import type { SoftwareIdentity } from './software.ts';
import { BOOKS, type Terminal } from './terminal.ts';
import { UsbWatch } from './usb-watch.ts';

/** At least once a day, whatever else is looked at (GLI-11's day). */
const CODE_EVERY_MS = 24 * 3_600_000;

/** A window that is started anew so often within so long shows nobody a table they can play at. */
const MOST_RESTARTS = 3;
const RESTARTS_WITHIN_MS = 600_000;

export interface MachineWatchOptions {
  readonly terminal: Terminal;
  readonly file: TerminalFile;
  readonly ledgerPath: string;
  readonly life: ReturnType<typeof lastLife>;
  readonly now: () => number;
  readonly monotonic?: () => number;
  readonly software: Omit<SoftwareIdentity, 'files'> & Partial<SoftwareIdentity>;
  readonly softwareNow?: () => SoftwareIdentity;
  readonly log: (line: string) => void;
}

/** Everything that is looked at beside the devices: books, program, clock, displays, link, bus, processes. */
export class MachineWatch {
  readonly machine: Machine;
  readonly displays: DisplayWatch;
  readonly link: LinkWatch;
  readonly #o: MachineWatchOptions;
  readonly clock: ClockWatch;
  readonly #usb: UsbWatch;
  readonly #monotonic: () => number;
  #codeTimer: NodeJS.Timeout | null = null;
  #restartsAtMs: number[] = [];

  constructor(o: MachineWatchOptions) {
    const { terminal } = o;
    const limits = o.file.limits ?? LIMITS;
    this.#o = o;
    this.#monotonic = o.monotonic ?? (() => performance.now());
    this.machine = new Machine(terminal);
    if (terminal.locked === null) this.machine.set(BOOKS.device, BOOKS.fault, false);
    this.machine.set('window', 'window-restarts', false);
    checkSoftware(terminal, this.machine, {
      software: o.software,
      approved: o.file.approvedSoftware ?? null,
      folder: dirname(o.ledgerPath),
      log: o.log,
    });
    this.clock = new ClockWatch(
      { terminal, machine: this.machine, wall: o.now, monotonic: this.#monotonic, limits },
      o.life.lastEntryMs,
    );
    this.displays = new DisplayWatch(this.machine, limits.displayLostMs);
    this.link = new LinkWatch(this.machine, limits.linkLostMs);
    this.#usb = new UsbWatch(terminal);
  }

  start(o: { readonly isLinked: boolean; readonly isOnUsb: boolean }): void {
    this.clock.start();
    if (o.isLinked) this.link.start();
    if (o.isOnUsb) this.#usb.start();
    this.#codeTimer = setInterval(() => this.checkCode(), CODE_EVERY_MS);
  }

  stop(): void {
    this.clock.stop();
    this.displays.stop();
    this.link.stop();
    this.#usb.stop();
    if (this.#codeTimer) clearInterval(this.#codeTimer);
  }

  /** The files of the program again; what differs from its start is a fault from now on. */
  checkCode(): boolean {
    const { software, softwareNow, file } = this.#o;
    const now = softwareNow?.() ?? software;
    if (now.id !== software.id)
      this.machine.set('program', 'code-not-authentic', true, { place: `program ${now.id}` });
    return now.id === software.id && file.approvedSoftware?.includes(now.id) !== false;
  }

  processRestarted(process: string, why: string): void {
    this.#o.terminal.record({ type: 'process-restarted', process, why });
    if (process !== 'window') return;
    const nowMs = this.#monotonic();
    this.#restartsAtMs = [...this.#restartsAtMs.filter((at) => nowMs - at < RESTARTS_WITHIN_MS), nowMs];
    if (this.#restartsAtMs.length < MOST_RESTARTS) return;
    this.#restartsAtMs = [];
    this.machine.set('window', 'window-restarts', true);
    // Whether it stays up now, a person decides.
    this.machine.set('window', 'window-restarts', false);
  }
}
