/**
 * The real host with one difference: its parent may tell it to die, or its disk to fail, at the
 * next commit. Started by session.ts with an IPC channel, and a pipe on which it says where the
 * table stands.
 */
import { randomBytes } from 'node:crypto';
import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { readTerminalFile } from '../../host/config/terminal-file.ts';
import { startHost } from '../../host/host.ts';
import { Sessions } from '../../host/server/sessions.ts';
import { rackOverSockets } from '../../host/simulation/rack.ts';
import type { Ledger } from '../../ledger/store/ledger.store.ts';
import { loadOrCreateKey, openLedger } from '../../ledger/store/ledger.store.ts';
import type { Arm, Death, FromHost, Standing } from './arm.ts';
import { isDiskTrouble, MOODS } from './arm.ts';
import { setDisk } from './disk.ts';
import { type State, statesIn, statesOf } from './states.ts';

const [dataDir, rackDir, profile, firstArm] = process.argv.slice(2) as [string, string, string, string];
const PIPE = 4;
let arm: Arm | null = JSON.parse(firstArm) as Arm | null;
let kinds: readonly string[] = [];
let states: readonly State[] = ['starting'];

const tell = (message: FromHost): void => {
  process.send?.(message);
};
const stand = (standing: Standing): void => {
  writeSync(PIPE, `${JSON.stringify(standing)}\n`);
};
const isDue = (): boolean => arm !== null && kinds.some((kind) => !arm?.spare.includes(kind));
const standing = (): Standing => ({ states: [...new Set([...states, ...statesIn(kinds)])] });

function dieIf(death: Death): void {
  if (arm?.death !== death || !isDue()) return;
  stand({ ...standing(), now: death });
  process.kill(process.pid, 'SIGKILL');
}

/** The disk gets its mood in the middle of the transaction, before its first write. */
function failIf(): void {
  if (arm === null || !isDue()) return;
  const { death, syncs } = arm;
  const control = process.env['BANCA_DISK_CONTROL'];
  if (control === undefined) return;
  const mood =
    death === 'in sync'
      ? { dieAtSync: syncs ?? 1 }
      : isDiskTrouble(death) || death === 'slow disk'
        ? MOODS[death]
        : null;
  if (mood === null) return;
  stand({ ...standing(), now: death });
  setDisk(control, mood);
  arm = null;
}

const file = readTerminalFile(profile);
const key = loadOrCreateKey(dataDir);
const ledgerPath = join(dataDir, 'ledger.db');
const real = openLedger(ledgerPath, {
  terminalId: file.profile.terminalId,
  key,
  createIfMissing: true,
  hooks: {
    beforeCommit: () => {
      dieIf('before commit');
      dieIf('in start');
      failIf();
    },
    afterCommit: () => dieIf('after commit'),
  },
});
const ledger: Ledger = {
  ...real,
  append: (atMs, commandId, entries) => {
    kinds = entries.map((entry) => entry.kind);
    return real.append(atMs, commandId, entries);
  },
};

const host = await startHost({
  ledger,
  ledgerPath,
  key,
  file,
  tables: [],
  rack: rackOverSockets(rackDir),
  now: Date.now,
  rendererRoot: dataDir,
  sessions: new Sessions(randomBytes(32), Date.now),
  port: 0,
  allowedUids: [process.getuid?.() ?? 0],
  upstreamUrl: null,
  software: { version: 'test', id: 'test' },
  pace: 1,
  report: () => {},
  log: (line) => process.stderr.write(`${line}\n`),
});
const look = (): void => {
  kinds = [];
  states = statesOf(host.terminal.state);
  stand({ states });
};
look();
host.terminal.onCommit(look);
process.on('message', (message) => {
  arm = message as Arm | null;
  tell({ armed: true });
});
process.on('disconnect', () => process.exit(0));
tell({ url: host.ticketUrl('table', 600_000).url });
