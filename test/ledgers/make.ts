/**
 * Plays the demonstration on every ready table and keeps its ledger with what it says today: `node
 * test/ledgers/make.ts VERSION` writes `test/ledgers/VERSION/`. Made once for a version; a later
 * version must read it as it was.
 */
import { spawn } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { gzipSync } from 'node:zlib';
import { argumentsOf } from '../../ledger/chain/program-arguments.ts';
import { ROOT } from '../shell/paths.ts';
import { lookAt } from './look.ts';

const ROUNDS = 12;
const [version, only] = argumentsOf({ allowPositionals: true }).positionals;
if (!version) throw new Error('usage: node test/ledgers/make.ts VERSION');
const target = join(import.meta.dirname, version);
mkdirSync(target, { recursive: true });

for (const file of readdirSync(join(ROOT, 'host/profiles/tables'))) {
  if (only && !file.startsWith(only)) continue;
  const table = file.replace('.json', '');
  const dir = mkdtempSync(join(tmpdir(), 'banca-ledger-'));
  const host = spawn(
    process.execPath,
    [
      join(ROOT, 'host/main.ts'),
      '--data',
      dir,
      '--witness',
      join(dir, 'witness'),
      '--table',
      table,
      '--demo',
      '--pace',
      '0.02',
      '--report-rounds',
    ],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  );
  let rounds = 0;
  let terminal = '';
  for await (const line of createInterface({ input: host.stdout })) {
    const said = JSON.parse(line) as { ready?: boolean; terminal?: string; round?: unknown };
    if (said.ready) terminal = said.terminal!;
    if (said.round && ++rounds === ROUNDS) host.kill('SIGTERM');
  }
  const look = await lookAt(dir, terminal);
  writeFileSync(join(target, `${table}.db.gz`), gzipSync(readFileSync(join(dir, 'ledger.db')), { level: 9 }));
  copyFileSync(join(dir, 'ledger-key.pem'), join(target, `${table}.pem`));
  writeFileSync(join(target, `${table}.json`), `${JSON.stringify(look, null, 2)}\n`);
  rmSync(dir, { recursive: true });
  console.log(`${table}: ${look.entries} entries, ${Object.keys(look.rounds).length} rounds`);
}
