/**
 * `banca repair DB [--copy PATH] [--json]`: ledger and copy of a terminal that stands still, each
 * mended from the other as a start would do it. Exit 0 both hold, 1 they cannot be mended and are
 * as before, 2 cannot run.
 */
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { verifyLedger } from '../ledger/chain/verifier.store.ts';
import { openCopy } from '../ledger/copy/follow.store.ts';
import { askForWholeCheck, copyIn, mendLedger } from '../ledger/copy/mend.store.ts';
import { KEY_FILE, loadOrCreateKey } from '../ledger/store/key.store.ts';
import { openLedger } from '../ledger/store/ledger.store.ts';
import { CannotRun, readArguments } from './command.ts';
import { refuseFolder } from './read-ledger.ts';

export function repair(argv: string[]): number {
  const { values, positionals } = readArguments(
    argv,
    { copy: { type: 'string' }, json: { type: 'boolean', default: false } },
    ['DB'],
  );
  const path = positionals[0]!;
  refuseFolder(path);
  const folder = dirname(path);
  const given = values.copy ?? join(folder, 'copy');
  // Only the folder beside the ledger is made here: one that lies on a second disk is there when
  // the disk is.
  if (values.copy === undefined && existsSync(path)) mkdirSync(given, { recursive: true });
  const copyPath = statSync(given, { throwIfNoEntry: false })?.isDirectory() ? copyIn(given) : given;
  if (!existsSync(dirname(copyPath))) throw new CannotRun(`--copy ${given}: there is no such folder`);
  if (!existsSync(path) && !existsSync(copyPath))
    throw new CannotRun(`there is neither a ledger ${path} nor a copy ${copyPath}`);
  // A new key would be of no use to an old ledger, and hide that the old one is gone.
  if (!existsSync(join(folder, KEY_FILE)))
    throw new CannotRun(`there is no key ${join(folder, KEY_FILE)}: without it no ledger can be continued`);
  const key = loadOrCreateKey(folder);
  const terminalId = terminalIn([path, copyPath]);
  if (terminalId === null) throw new CannotRun(`neither ${path} nor ${copyPath} says whose ledger it is`);
  if (existsSync(path)) askForWholeCheck(path);
  const { repaired, copy } = mendLedger(path, copyPath, { terminalId, key, now: Date.now });
  if (copy.state === 'foreign') throw new CannotRun(`${copyPath}: ${copy.why}`);
  const isNew = copy.state === 'rebuild' || !verifyLedger(copyPath).ok;
  const target = openCopy(path, copyPath, { terminalId, key, again: isNew });
  try {
    while (target.step());
  } finally {
    target.close();
  }
  // The last one to have it open for writing leaves one file.
  openLedger(path, { terminalId, key, createIfMissing: false }).close();
  const [ledger, second] = [verifyLedger(path), verifyLedger(copyPath)];
  const ok = ledger.ok && second.ok && ledger.headHash === second.headHash;
  const { headSeq, headHash } = ledger;
  if (values.json) {
    console.log(JSON.stringify({ ok, repaired, copyMadeAnew: isNew, headSeq, headHash }));
    return ok ? 0 : 1;
  }
  if (repaired === null) console.log(`ledger  ${path} holds`);
  else {
    const { why, fromSeq, toSeq, isComplete, evidence } = repaired;
    console.log(`ledger  ${path} was repaired from its copy, entries ${fromSeq} to ${toSeq}: ${why}`);
    console.log(`        the damaged file is kept as ${evidence ?? '(there was none)'}`);
    if (!isComplete) console.log('        nobody can tell whether the copy had its newest entries');
  }
  console.log(`copy    ${copyPath} ${isNew ? 'was rebuilt from the ledger' : 'holds'}`);
  console.log(
    ok
      ? `Both hold, up to entry ${headSeq} with hash ${headHash}.`
      : `They do not hold: ${ledger.problem} ${second.problem}`,
  );
  return ok ? 0 : 1;
}

/**
 * Whose ledger the files say they are, one that holds before one that does not; null where none can
 * be read.
 */
function terminalIn(paths: readonly string[]): string | null {
  const reports = paths.filter((path) => existsSync(path)).map((path) => verifyLedger(path));
  return (
    (reports.find(({ ok }) => ok) ?? reports.find(({ terminal }) => terminal !== null))?.terminal ?? null
  );
}
