import { dirname } from 'node:path';
import type { UsbSelector } from '../../hardware/transport/usb-selector.ts';
import type { DisplayRole } from '../../wire/display.ts';
import type { lastLife } from '../program/life.ts';
import type { Software, SoftwareIdentity } from '../program/software.ts';
import { BOOKS, type Terminal } from '../table/terminal.ts';
import { ClockWatch } from './clock-watch.ts';
import { LIMITS, type Limits } from './limits.ts';
import { LinkWatch } from './link-watch.ts';
import { LostDisplays } from './lost-displays.ts';
import { MeterWatch } from './meter-watch.ts';
import { OwnFaults } from './own-faults.ts';
import { checkSoftware } from './program-check.ts';
import { UsbWatch } from './usb-watch.ts';

/** At least once a day, whatever else is looked at (GLI-11's day). */
const CODE_EVERY_MS = 24 * 3_600_000;

/** A window that is restarted so often within so long shows nobody a table they can play at. */
const MOST_RESTARTS = 3;
const RESTARTS_WITHIN_MS = 600_000;

export interface WatchesOptions {
  readonly terminal: Terminal;
  /** What the terminal file says of it. */
  readonly file: {
    readonly limits?: Limits;
    readonly approvedSoftware?: readonly string[];
    readonly softwareKey?: readonly string[];
  };
  /** Those the terminal file names. */
  readonly displays?: readonly DisplayRole[];
  /** USB devices that it names. */
  readonly usb?: readonly UsbSelector[];
  readonly ledgerPath: string;
  readonly life: ReturnType<typeof lastLife>;
  readonly now: () => number;
  readonly monotonic?: () => number;
  readonly software: Software | Promise<Software>;
  readonly softwareNow?: () => Promise<SoftwareIdentity>;
  /**
   * Why the software is not what `softwareKey` of the terminal file wants; null or absent: it is,
   * or nothing is wanted.
   */
  readonly releaseProblem?: string | null;
  readonly log: (line: string) => void;
}

/**
 * Everything that is looked at beside the devices: books, program, clock, displays, link, bus,
 * processes.
 */
export class Watches {
  readonly own: OwnFaults;
  readonly displays: LostDisplays;
  readonly link: LinkWatch;
  readonly #o: WatchesOptions;
  readonly clock: ClockWatch;
  readonly #usb: UsbWatch;
  readonly #meters: MeterWatch;
  readonly #monotonic: () => number;
  #codeTimer: NodeJS.Timeout | null = null;
  #restartsAtMs: number[] = [];
  #isStopped = false;
  /** Null: the terminal file approves anything. */
  #isApproved: boolean | null = null;

  constructor(o: WatchesOptions) {
    const { terminal } = o;
    const limits = o.file.limits ?? LIMITS;
    this.#o = o;
    this.#monotonic = o.monotonic ?? (() => performance.now());
    this.own = new OwnFaults(terminal);
    if (terminal.locked === null) this.own.set(BOOKS.device, BOOKS.fault, false);
    this.own.set('window', 'window-restarts', false);
    if (o.software instanceof Promise)
      void o.software.then((software) => {
        if (!this.#isStopped) this.#take(software);
      });
    else this.#take(o.software);
    this.clock = new ClockWatch(
      { terminal, own: this.own, wall: o.now, monotonic: this.#monotonic, limits },
      o.life.lastEntryMs,
    );
    this.displays = new LostDisplays(this.own, limits.displayLostMs, o.displays);
    this.link = new LinkWatch({
      own: this.own,
      lostAfterMs: limits.linkLostMs,
      downSinceMs: () => terminal.state.faults.find(({ fault }) => fault === 'link-down')?.sinceMs ?? null,
      now: () => terminal.now(),
      mostMs: () => terminal.state.profile?.offlineMs ?? null,
    });
    this.#usb = new UsbWatch(terminal, o.usb ?? []);
    this.#meters = new MeterWatch(terminal, this.own);
  }

  start(o: { readonly isLinked: boolean; readonly isOnUsb: boolean }): void {
    this.clock.start();
    this.displays.start();
    this.#meters.start();
    if (o.isLinked) this.link.start();
    if (o.isOnUsb) this.#usb.start();
    this.#codeTimer = setInterval(() => void this.checkCode(), CODE_EVERY_MS);
  }

  /** Nothing more is written into the ledger, but that this life has ended. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  stop(): void {
    this.#isStopped = true;
    this.clock.stop();
    this.displays.stop();
    this.link.stop();
    this.#usb.stop();
    if (this.#codeTimer) clearInterval(this.#codeTimer);
  }

  #take(software: Software): void {
    const { terminal, file, ledgerPath, log, releaseProblem } = this.#o;
    const { approvedSoftware, softwareKey } = file;
    if (approvedSoftware ?? softwareKey)
      this.#isApproved = approvedSoftware?.includes(software.id) !== false && !releaseProblem;
    if (releaseProblem) log(`the software is not the signed one: ${releaseProblem}`);
    const folder = dirname(ledgerPath);
    checkSoftware(terminal, this.own, { software, approved: this.#isApproved, folder, log });
  }

  /** The files of the program again; what differs from its start is a fault from now on. */
  async checkCode(): Promise<boolean> {
    const { software, softwareNow, log } = this.#o;
    const { id } = await software;
    const now = await softwareNow?.().catch((error: Error) => {
      log(`the files of the program cannot be read: ${error.message}`);
      return { id: 'unreadable' };
    });
    if (this.#isStopped) return true;
    const isSame = now === undefined || now.id === id;
    if (!isSame) this.own.set('program', 'code-not-authentic', true, { place: `program ${now.id}` });
    return isSame && this.#isApproved !== false;
  }

  processRestarted(process: string, why: string): void {
    this.#o.terminal.record({ type: 'process-restarted', process, why });
    if (process !== 'window') return;
    const nowMs = this.#monotonic();
    this.#restartsAtMs = [...this.#restartsAtMs.filter((at) => nowMs - at < RESTARTS_WITHIN_MS), nowMs];
    if (this.#restartsAtMs.length < MOST_RESTARTS) return;
    this.#restartsAtMs = [];
    this.own.set('window', 'window-restarts', true);
    // Whether it stays up now, a person decides.
    this.own.set('window', 'window-restarts', false);
  }
}
