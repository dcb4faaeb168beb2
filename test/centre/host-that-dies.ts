/**
 * The real host on its ledger and a centre, which ends by SIGKILL at its first commit of one kind,
 * just before it or just after.
 */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { readTerminalFile } from '../../host/config/terminal-file.ts';
import { startHost } from '../../host/host.ts';
import { Sessions } from '../../host/server/sessions.ts';
import { rackOverSockets } from '../../host/simulation/rack.ts';
import { loadOrCreateKey, openLedger } from '../../ledger/store/ledger.store.ts';

const [dir, upstreamUrl, when, kind] = process.argv.slice(2) as [string, string, string?, string?];
const file = readTerminalFile(join(dir, 'terminal.json'));
const key = loadOrCreateKey(dir);
const ledgerPath = join(dir, 'ledger.db');
let kinds: readonly string[] = [];
const dieIf = (now: string): void => {
  if (now === when && kinds.includes(kind!)) process.kill(process.pid, 'SIGKILL');
};
const real = openLedger(ledgerPath, {
  terminalId: file.profile.terminalId,
  key,
  createIfMissing: true,
  hooks: { beforeCommit: () => dieIf('before'), afterCommit: () => dieIf('after') },
});
await startHost({
  ledger: {
    ...real,
    append: (atMs, commandId, entries) => {
      kinds = entries.map((entry) => entry.kind);
      return real.append(atMs, commandId, entries);
    },
  },
  ledgerPath,
  key,
  file,
  rosterDir: join(dir, 'rosters'),
  tables: [],
  // Nobody plays: its devices are not there.
  rack: rackOverSockets(dir),
  now: Date.now,
  rendererRoot: dir,
  sessions: new Sessions(randomBytes(32), Date.now),
  port: 0,
  allowedUids: [process.getuid?.() ?? 0],
  upstreamUrl,
  software: { version: 'test', id: 'test' },
  pace: 1,
  report: () => {},
  log: () => {},
});
process.on('disconnect', () => process.exit(0));
process.send?.('up');
