import type { DeviceClock } from '../hardware/ports.ts';
import type { CopyState } from '../ledger/copy/mend.store.ts';
import type { Ledger, LedgerKey } from '../ledger/store/ledger.store.ts';
import type { Witness } from '../ledger/store/witness.store.ts';
import type { ReadyTable } from './config/ready-tables.ts';
import type { TerminalFile } from './config/terminal-file.ts';
import type { Software, SoftwareIdentity } from './program/software.ts';
import type { StartCounter } from './program/start-counter.ts';
import type { ReadingOptions } from './reading/second-reader.ts';
import type { DisplayServerOptions } from './server/displays.ts';
import type { Rack } from './simulation/rack.ts';
import type { StorageSettings } from './watches/storage-watch.ts';

/** What a host is started with. */
export interface HostOptions
  extends Pick<
    DisplayServerOptions,
    'rendererRoot' | 'sessions' | 'port' | 'listenFd' | 'allowedUids' | 'network' | 'log'
  > {
  readonly ledger: Ledger;
  readonly ledgerPath: string;
  /** The ledger's second file, and what the start has found of it; absent: there is none. */
  readonly copy?: { readonly path: string; readonly found: CopyState };
  /** Where it is kept what this ledger was seen to have; absent: nowhere. */
  readonly witness?: Witness;
  /** Counts the starts; null or absent: nothing does. */
  readonly counter?: StartCounter | null;
  readonly key: LedgerKey;
  /**
   * Seats, acceptors, people, and the table it is to be unless somebody has chosen another one
   * since.
   */
  readonly file: TerminalFile;
  /** Of the daemon of the card readers; absent: Debian's. */
  readonly pcscdSocket?: string;
  /** Where rosters of the centre lie; absent: the people of the file are the only ones. */
  readonly rosterDir?: string;
  /** What this terminal can be switched to. */
  readonly tables: readonly ReadyTable[];
  /** The simulated devices; null where the terminal file names real ones. */
  readonly rack: Rack | null;
  /** Of the devices and their drivers; absent: the machine's. */
  readonly deviceClock?: DeviceClock;
  /** Wall clock, ms since 1970 UTC. */
  readonly now: () => number;
  readonly upstreamUrl: string | null;
  /**
   * A promise where the terminal file approves any program: it is known a while after the start.
   * Without its files no change of theirs can be named.
   */
  readonly software: Software | Promise<Software>;
  /** The program as its files are at this moment; absent: it is not looked at again. */
  readonly softwareNow?: () => Promise<SoftwareIdentity>;
  /** Every payment of a round is read a second time; absent: none is. */
  readonly reader?: ReadingOptions;
  /** See WatchesOptions. */
  readonly releaseProblem?: string | null;
  /** The supervisor's word on the end of the life before; absent or null = there is none. */
  readonly endedWhy?: string | null;
  /** The ledger was found damaged, between two rounds; absent: the process ends as by a bug. */
  readonly endDamaged?: (why: string) => void;
  /** Absent: nobody looks at the disk. */
  readonly storage?: StorageSettings;
  /** Changes whenever the machine is started; absent: as the kernel has it. */
  readonly machineBootId?: string;
  /** Ms since anything, never going back; absent: that of this process. */
  readonly monotonic?: () => number;
  /** Pace of the demonstration, 1 = calm; it is off until switched on. */
  readonly pace: number;
  /**
   * Lines for the supervisor: displays that come, go or hang, first painted frames, finished
   * rounds.
   */
  readonly report: (line: object) => void;
}
