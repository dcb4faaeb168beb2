/**
 * The real host with one difference: its parent may tell it to die by SIGKILL at the next commit, just before or just after
 * it. Started by crash.ts with an IPC channel.
 */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { startHost } from '../../host/host.ts';
import { readTerminalFile } from '../../host/profile.ts';
import { rackOverSockets } from '../../host/rack.ts';
import { Sessions } from '../../host/sessions.ts';
import type { Ledger } from '../../ledger/store/ledger.store.ts';
import { loadOrCreateKey, openLedger } from '../../ledger/store/ledger.store.ts';
import type { Arm, FromHost } from './arm.ts';

const [dataDir, rackDir, profile, firstArm] = process.argv.slice(2) as [string, string, string, string];
let arm: Arm | null = JSON.parse(firstArm) as Arm | null;
let kinds: readonly string[] = [];

const tell = (message: FromHost): void => {
  process.send?.(message);
};

function dieIf(when: Arm['when']): void {
  if (arm?.when === when && kinds.some((kind) => !arm?.spare.includes(kind)))
    process.kill(process.pid, 'SIGKILL');
}

const file = readTerminalFile(profile);
const key = loadOrCreateKey(dataDir);
const ledgerPath = join(dataDir, 'ledger.db');
const real = openLedger(ledgerPath, {
  terminalId: file.profile.terminalId,
  key,
  createIfMissing: true,
  hooks: { beforeCommit: () => dieIf('before'), afterCommit: () => dieIf('after') },
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
process.on('message', (message) => {
  arm = message as Arm | null;
  tell({ armed: true });
});
process.on('disconnect', () => process.exit(0));
tell({ url: host.ticketUrl('table', 60_000).url });
