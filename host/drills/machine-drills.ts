/** What goes wrong with the machine itself: displays, disk, books, clock, program, centre. */
import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { minor, timesOf } from '../../engine/core/money.ts';
import { NO_LINK } from '../../ledger/sync/uploader.ts';
import type { DisplayRole } from '../../wire/display.ts';
import type { DrillsOf } from '../../wire/drills.ts';
import { makeExclusions } from '../config/exclusions.ts';
import {
  copyFolderIn,
  DrillStopped,
  exclusionsIn,
  ledgerIn,
  SOFTWARE,
  witnessFolderIn,
} from './drill-life.ts';
import type { Scenario } from './drill-scenario.ts';
import type { DrillTable } from './drill-table.ts';
import type { StillDrillId } from './still-drills.ts';

/** Sooner than a terminal misses them. */
const LOST_MS = 1_000;
/** On the list of exclusions of a drill, where nobody else is. */
const EXCLUDED = 'DRILL-1';

const lost = (role: DisplayRole): Scenario => ({
  settings: {
    limits: { displayLostMs: LOST_MS },
    // A sign is missed where the terminal file names it.
    ...(role === 'spectator' && { displays: { spectator: {} } }),
  },
  strike: ({ host: { watches } }) => {
    watches.displays.there('table');
    watches.displays.there(role);
    watches.displays.gone(role);
  },
  heal: ({ host: { watches } }) => watches.displays.there(role),
});

const used = (part: number): Scenario => ({
  strike: ({ fate }) => {
    fate.usedPart = part;
  },
  heal: ({ fate }) => {
    fate.usedPart = 0.5;
  },
});

/** The folder is gone, as its disk is, and comes back. */
const folderGone = (folder: string): void => renameSync(folder, `${folder}-gone`);
const folderBack = (folder: string): void => {
  rmSync(folder, { recursive: true, force: true });
  renameSync(`${folder}-gone`, folder);
};

/** What the link hears, without a centre that would say it. */
const linkIs = ({ host }: DrillTable, state: 'up' | 'down'): void =>
  host.watches.link.is({ ...NO_LINK, state, lastError: state === 'down' ? 'connect ECONNREFUSED' : null });

const readerKilled = (whenAbsent: 'hold' | 'go-on'): Scenario => ({
  settings: { reader: whenAbsent },
  strike: async (t) => {
    await t.until('the second reader', () => t.host.reader?.isThere === true);
    t.fate.readerKills = setInterval(() => {
      const pid = t.host.reader?.pid;
      if (pid) process.kill(pid, 'SIGKILL');
    }, 20);
  },
  heal: ({ fate }) => clearInterval(fate.readerKills),
});

/** The table of its first entries is not what was signed. */
function spoil(path: string): void {
  const mark = '"kind":"table-configured"';
  const bytes = readFileSync(path);
  const file = openSync(path, 'r+');
  // A page that was divided has left the same bytes where nobody reads them.
  for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, at + 1))
    writeSync(file, mark.toUpperCase(), at);
  closeSync(file);
}

export const MACHINE_DRILLS: Readonly<
  Record<Exclude<DrillsOf<'displays' | 'storage' | 'ledger' | 'system'>, StillDrillId>, Scenario>
> = {
  'display-lost': lost('table'),
  'seat-display-lost': lost('seat:1'),
  'dealer-display-lost': lost('dealer'),
  'sign-display-lost': lost('spectator'),
  'window-restarts': {
    strike: ({ host }) => {
      for (let i = 0; i < 3; i += 1) host.processRestarted('window', 'drill');
    },
  },
  'excluded-person': {
    settings: { isExcluding: true },
    strike: async (t) => {
      writeFileSync(exclusionsIn(t.dir), JSON.stringify(await makeExclusions([EXCLUDED])));
      await t.fund(1);
      await t.askIfExcluded(EXCLUDED, 1);
    },
    heal: (t) => t.payOut(1),
  },

  'storage-low': used(0.85),
  'storage-short': used(0.92),
  'storage-full': used(0.99),
  'storage-slow': {
    strike: ({ fate }) => {
      fate.isDiskSlow = true;
    },
    heal: ({ fate }) => {
      fate.isDiskSlow = false;
    },
  },
  'ledger-copy-failed': {
    settings: { isKept: true },
    strike: async (t) => {
      await t.stop();
      folderGone(copyFolderIn(t.dir));
      await t.start();
    },
    heal: ({ dir }) => folderBack(copyFolderIn(dir)),
  },
  'witness-failed': {
    settings: { isKept: true },
    strike: async (t) => {
      const folder = witnessFolderIn(t.dir);
      folderGone(folder);
      writeFileSync(folder, '');
      await t.enterService();
      await t.do({ type: 'exit-service' });
    },
    heal: ({ dir }) => folderBack(witnessFolderIn(dir)),
  },

  'ledger-repaired': {
    settings: { isKept: true },
    strike: async (t) => {
      await t.until('the copy', () => t.host.copy?.page().behind === 0);
      rmSync(t.host.copy!.page().path);
      await t.enterService();
      await t.do({ type: 'exit-service' });
    },
  },
  'ledger-damaged': {
    settings: { isKept: true },
    isBetweenRounds: true,
    strike: async (t) => {
      // All of it stands in the file itself then, and nothing beside it.
      await t.restart();
      await t.until('the copy', () => t.host.copy?.page().behind === 0);
      spoil(ledgerIn(t.dir));
      await t.host.copy!.checkAll();
    },
    reaction: 'restarts',
    heal: async (t) => {
      await t.restart();
      if (!existsSync(`${ledgerIn(t.dir)}.damaged-1`)) throw new DrillStopped('the ledger was not repaired');
    },
  },
  'books-differ': {
    // The next input finds it, before it is taken.
    strike: ({ fate, host }) => {
      fate.areBooksWrong = true;
      host.terminal.submit({ type: 'call-attendant', seat: 1, on: true });
    },
    heal: async (t) => {
      t.fate.areBooksWrong = false;
      await t.restart();
    },
  },

  'link-down': {
    settings: { limits: { linkLostMs: LOST_MS } },
    strike: (t) => linkIs(t, 'down'),
    heal: (t) => linkIs(t, 'up'),
  },
  'link-overdue': {
    strike: async (t) => {
      await t.emptyTable();
      await t.restart({ limits: { linkLostMs: LOST_MS }, profile: { offlineMs: LOST_MS } });
      linkIs(t, 'down');
    },
    heal: (t) => linkIs(t, 'up'),
  },
  'clock-behind': {
    strike: ({ fate }) => {
      fate.clockOffMs -= 20_000;
    },
    heal: ({ fate }) => {
      fate.clockOffMs += 20_000;
    },
  },
  // As the centre has measured it when it asked.
  'clock-off': {
    strike: ({ host }) => host.watches.clock.compare(5_000, true),
    heal: ({ host }) => host.watches.clock.compare(0, true),
  },
  'meter-jump': {
    strike: async (t) => {
      await t.emptyTable();
      const roundMinor = minor(t.view.table.notesMinor[0] ?? 0);
      await t.restart({ profile: { noteLimits: { ...t.file.profile.noteLimits, roundMinor } } });
      await t.beReady();
      if (t.view.phase !== 'betting') await t.do({ type: 'open-betting' });
      await t.fund(timesOf(roundMinor, 2));
      await t.do({ type: 'close-betting' });
    },
  },
  'code-not-authentic': {
    isBetweenRounds: true,
    strike: async (t) => {
      t.fate.softwareId = 'another program';
      await t.restart();
    },
    heal: async (t) => {
      t.fate.softwareId = SOFTWARE;
      await t.restart();
    },
  },
  'reader-gone': readerKilled('hold'),
  'reader-missed': readerKilled('go-on'),
};
