/**
 * One life of the host of a drill, and what befalls its machine: the hands of a scenario are here.
 */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { PersonRole } from '../../engine/table/inputs.ts';
import type { TableProfile } from '../../engine/table/profile.ts';
import type { ByteTransport, DeviceClock, OpenTransport } from '../../hardware/ports.ts';
import { copyIn } from '../../ledger/copy/mend.store.ts';
import { type Ledger, loadOrCreateKey, openLedger } from '../../ledger/store/ledger.store.ts';
import { type Dispute, Witness } from '../../ledger/store/witness.store.ts';
import type { Credential } from '../../wire/fields.ts';
import { hashPin } from '../config/people.ts';
import type { TerminalFile } from '../config/terminal-file.ts';
import { type Host, startHost } from '../host.ts';
import type { HostOptions } from '../options.ts';
import { type Found, findLedger } from '../program/found-ledger.ts';
import { Sessions } from '../server/sessions.ts';
import type { Rack } from '../simulation/rack.ts';
import { LIMITS, type Limits } from '../watches/limits.ts';
import { sizeOf } from '../watches/storage-watch.ts';

/** They exist in the copy alone. */
export const CREDENTIALS: Readonly<Record<PersonRole, Credential>> = {
  dealer: { person: '1', pin: '1001' },
  attendant: { person: '2', pin: '2002' },
  supervisor: { person: '3', pin: '3003' },
  technician: { person: '4', pin: '4004' },
  auditor: { person: '5', pin: '5005' },
  manufacturer: { person: '6', pin: '6006' },
};
/** Log2 of scrypt's N: nobody tries to guess these. */
const COST = 12;
/** Nobody watches, so the demonstration need not look calm. */
const PACE = 0.2;
export const SOFTWARE = 'drill';

/** Why a drill cannot go on. */
export class DrillStopped extends Error {
  override readonly name = 'DrillStopped';
}

export const peopleOfDrill = (): Promise<TerminalFile['people']> =>
  Promise.all(
    Object.entries(CREDENTIALS).map(async ([role, { person, pin }]) => ({
      id: `DRILL-${role}`,
      name: `Drill ${role}`,
      number: person,
      role: role as PersonRole,
      pinHash: await hashPin(pin, COST),
    })),
  );

/** Pulls the plugs of lines, and puts them back. */
class Plugs {
  readonly #out = new Set<string>();
  readonly #lines = new Map<string, () => void>();

  pull(device: string): void {
    this.#out.add(device);
    this.#lines.get(device)?.();
  }

  putBack(device: string): void {
    this.#out.delete(device);
  }

  of(device: string, open: OpenTransport): OpenTransport {
    const plugged = (): ByteTransport => {
      const line = open();
      return {
        name: line.name,
        open: async (handlers) => {
          if (this.#out.has(device)) throw new Error('not plugged in');
          await line.open(handlers);
          this.#lines.set(device, () => {
            void line.close();
            handlers.onClose('unplugged');
          });
        },
        write: (bytes) => line.write(bytes),
        close: () => line.close(),
      };
    };
    return Object.assign(plugged, { simulated: true as const });
  }
}

/** What befalls the machine. */
export class Fate {
  readonly plugs = new Plugs();
  /** Added to the wall clock. */
  clockOffMs = 0;
  /** Of what ledger and copy may come to. */
  usedPart = 0.5;
  isDiskSlow = false;
  /** An account says another amount than it holds. */
  areBooksWrong = false;
  softwareId = SOFTWARE;
  /** Kills the second reader as often as it is started again. */
  readerKills: NodeJS.Timeout | undefined;
  /** The program has asked to be ended, or would have ended, and why. */
  ended: string | null = null;
}

/** Where the terminal of a drill differs from the real one, because its fault needs it. */
export interface Settings {
  /** What has to wait for a time or a number waits for less. */
  readonly limits?: Partial<Limits>;
  readonly profile?: Partial<TableProfile>;
  readonly displays?: TerminalFile['displays'];
  /** It has a list of exclusions. */
  readonly isExcluding?: true;
  readonly reader?: NonNullable<HostOptions['reader']>['whenAbsent'];
  /** A second file of the ledger, and a witness. */
  readonly isKept?: true;
}

export interface Life {
  readonly dir: string;
  readonly no: number;
  readonly file: TerminalFile;
  readonly rack: Rack;
  readonly fate: Fate;
  readonly settings: Settings;
  readonly clock: DeviceClock;
}

export const ledgerIn = (dir: string): string => join(dir, 'ledger.db');
export const copyFolderIn = (dir: string): string => join(dir, 'copy');
export const witnessFolderIn = (dir: string): string => join(dir, 'witness');
export const exclusionsIn = (dir: string): string => join(dir, 'exclusions.json');

export const witnessIn = (dir: string, terminalId: string): Witness =>
  new Witness({
    ...{ folder: witnessFolderIn(dir), data: dir, terminalId },
    ...{ keyId: loadOrCreateKey(dir).keyId, isOnlyOne: false },
  });

/** As the start of the real terminal finds its ledger. */
function findIn(dir: string, terminalId: string, witness: Witness): Found {
  return findLedger({
    ...{ dataDir: dir, ledgerPath: ledgerIn(dir), copyPath: copyIn(copyFolderIn(dir)), terminalId },
    ...{ key: loadOrCreateKey(dir), witness, counter: null, log },
  });
}

/** Why a start would stand still; null = it would not. */
export function disputeFound(dir: string, terminalId: string): Dispute | null {
  const found = findIn(dir, terminalId, witnessIn(dir, terminalId));
  if (found.dispute === null) found.ledger.close();
  return found.dispute;
}

export const log = (line: string): void => void process.stderr.write(`[drill] ${line}\n`);

function openIn({ dir, file, settings }: Life): Pick<HostOptions, 'ledger' | 'copy' | 'witness'> {
  const { terminalId } = file.profile;
  if (settings.isKept !== true) {
    const key = loadOrCreateKey(dir);
    return { ledger: openLedger(ledgerIn(dir), { terminalId, key, createIfMissing: false }) };
  }
  const witness = witnessIn(dir, terminalId);
  const found = findIn(dir, terminalId, witness);
  if (found.dispute !== null) throw new DrillStopped(found.dispute.why);
  const { ledger, copy } = found;
  return { ledger, copy: { path: copyIn(copyFolderIn(dir)), found: copy }, witness };
}

/** The same ledger, whose books are wrong while fate has it so. */
const bookedBy = (ledger: Ledger, fate: Fate, currency: string): Ledger => ({
  ...ledger,
  balances: () => {
    const balances = ledger.balances();
    const account = `${currency}/seat-credit:1`;
    return fate.areBooksWrong
      ? new Map([...balances, [account, (balances.get(account) ?? 0) - 1]])
      : balances;
  },
});

function fileOf({ dir, file, settings }: Life): TerminalFile {
  const { limits, profile, displays, isExcluding } = settings;
  return {
    ...file,
    approvedSoftware: [SOFTWARE],
    limits: { ...LIMITS, ...limits },
    profile: { ...file.profile, ...profile },
    ...(displays && { displays }),
    ...(isExcluding && { exclusions: exclusionsIn(dir) }),
  };
}

export function startLife(life: Life): Promise<Host> {
  const { dir, no, rack, fate, settings } = life;
  const { transports } = rack;
  const { plugs } = fate;
  const ledgerPath = ledgerIn(dir);
  const opened = openIn(life);
  const file = fileOf(life);
  return startHost({
    ...opened,
    ledger: bookedBy(opened.ledger, fate, file.profile.currency),
    ledgerPath,
    key: loadOrCreateKey(dir),
    file,
    tables: [],
    rack: {
      ...rack,
      transports: {
        acceptor: (number) => plugs.of(`acceptor-${number}`, transports.acceptor(number)),
        shoe: plugs.of('shoe', transports.shoe),
        printer: plugs.of('printer', transports.printer),
        cabinet: plugs.of('cabinet', transports.cabinet),
        ups: plugs.of('ups', transports.ups),
      },
    },
    deviceClock: life.clock,
    now: () => Date.now() + fate.clockOffMs,
    rendererRoot: dir,
    sessions: new Sessions(randomBytes(32), Date.now),
    port: 0,
    allowedUids: [],
    upstreamUrl: null,
    software: { version: 'drill', id: fate.softwareId },
    storage: {
      lookEveryMs: 500,
      get slowSyncMs() {
        return fate.isDiskSlow ? 0 : 10_000;
      },
      // A budget that the ledger fills is a disk that is full.
      get budgetMiB() {
        const bytes = sizeOf(ledgerPath) + (opened.copy ? sizeOf(opened.copy.path) : 0);
        return bytes / fate.usedPart / 2 ** 20;
      },
    },
    ...(settings.reader && { reader: { whenAbsent: settings.reader } }),
    machineBootId: `drill-${no}`,
    pace: PACE,
    report: (line) => {
      if ('shutdown' in line) fate.ended = String(line.shutdown);
    },
    endDamaged: (why) => {
      fate.ended = why;
    },
    log,
  });
}
