/**
 * A host in a process of its own whose disk fails at the word of its parent. Started by
 * books.test.ts.
 */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { startHost } from '../../host/host.ts';
import { Sessions } from '../../host/server/sessions.ts';
import { rackInProcess } from '../../host/simulation/rack.ts';
import { loadOrCreateKey, openLedger } from '../../ledger/store/ledger.store.ts';
import { people, profileWith } from './test-terminal.ts';

const [dir] = process.argv.slice(2) as [string];
let broken = false;
const { timing, ...rest } = profileWith();
const profile = { ...rest, timing: { ...timing, bettingMs: 1_500 } };
const key = loadOrCreateKey(dir);
const ledgerPath = join(dir, 'ledger.db');
const ledger = openLedger(ledgerPath, {
  terminalId: profile.terminalId,
  key,
  createIfMissing: true,
  hooks: {
    beforeCommit: () => {
      if (broken) throw new Error('EIO: disk I/O error');
    },
  },
});
const host = await startHost({
  ledger,
  ledgerPath,
  key,
  file: { profile, people: await people },
  tables: [],
  rack: rackInProcess({ acceptors: profile.seatCount }),
  now: Date.now,
  rendererRoot: dir,
  sessions: new Sessions(randomBytes(32), Date.now),
  port: 0,
  allowedUids: [process.getuid?.() ?? 0],
  upstreamUrl: null,
  software: { version: '0.0.0-test', id: 'test' },
  pace: 1,
  report: () => {},
  log: () => {},
});
process.on('message', () => {
  broken = true;
  process.send?.({ broken });
});
process.on('disconnect', () => process.exit(0));
process.send?.({ url: host.ticketUrl('table', 600_000).url });
