/** A host in this process whose devices are what its terminal file says. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { TerminalFile } from '../../host/config/terminal-file.ts';
import { type Host, startHost } from '../../host/host.ts';
import { Sessions } from '../../host/server/sessions.ts';
import { loadOrCreateKey, openLedger } from '../../ledger/store/ledger.store.ts';

/** With its ledger in `dir`, without a page and without a centre. */
export function startAt(
  dir: string,
  file: TerminalFile,
  log: (line: string) => void = () => {},
): Promise<Host> {
  const key = loadOrCreateKey(dir);
  const ledgerPath = join(dir, 'ledger.db');
  return startHost({
    ledger: openLedger(ledgerPath, { terminalId: file.profile.terminalId, key, createIfMissing: true }),
    ledgerPath,
    key,
    file,
    tables: [],
    rack: null,
    now: Date.now,
    rendererRoot: dir,
    sessions: new Sessions(randomBytes(32), Date.now),
    port: 0,
    allowedUids: [process.getuid?.() ?? 0],
    upstreamUrl: null,
    software: { version: '0.0.0-test', id: 'test' },
    pace: 1,
    report: () => {},
    log,
  });
}
