/**
 * `banca restore` and `banca wipe` killed before each of their steps on the disk: what is found
 * then is locked or whole, the same command finishes it, a word is used once, and the books hold.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { stillTerminal } from '../../cli/two-persons.ts';
import type { TerminalFile } from '../../host/config/terminal-file.ts';
import { findLedger } from '../../host/program/found-ledger.ts';
import { startsIn } from '../../host/program/life.ts';
import { verifyLedger } from '../../ledger/chain/verifier.store.ts';
import {
  checkWord,
  finishRestore,
  type RestoreOptions,
  restoreLedger,
} from '../../ledger/copy/restore.store.ts';
import { openLedgerReader } from '../../ledger/store/ledger.store.ts';
import { readCentreAddress } from '../../ledger/sync/centre-address.ts';
import { ROOT } from '../shell/paths.ts';
import {
  assertLocked,
  BOTH,
  endOf,
  indebted,
  keep,
  owedLife,
  type Place,
  paidLife,
  pay,
  place,
  putBack,
  start,
  untilAtCentre,
} from './images.ts';
import { folderOf } from './kit.ts';

/** Ends its process before the step on the disk with the number in KILL_AT. */
const HOOK = `
  import fs from 'node:fs';
  import { syncBuiltinESMExports } from 'node:module';
  let left = Number(process.env.KILL_AT);
  for (const name of ['renameSync', 'linkSync', 'rmSync', 'unlinkSync', 'writeFileSync']) {
    const step = fs[name];
    fs[name] = (...args) => {
      if (name !== 'rmSync' || fs.existsSync(args[0])) left -= 1;
      if (left === 0) process.kill(process.pid, 'SIGKILL');
      return step(...args);
    };
  }
  syncBuiltinESMExports();`;

/** Runs `banca` until it is killed before its step `at`; whether it was. */
function killed(folder: string, at: number, args: readonly string[]): boolean {
  const hook = join(folder, 'hook.mjs');
  writeFileSync(hook, HOOK);
  const { signal, status, stderr } = spawnSync(
    process.execPath,
    ['--import', pathToFileURL(hook).href, join(ROOT, 'cli/banca.ts'), ...args],
    { encoding: 'utf8', input: BOTH, env: { ...process.env, KILL_AT: String(at) } },
  );
  assert.ok(signal === 'SIGKILL' || status === 0, `step ${at}: ${stderr}`);
  return signal === 'SIGKILL';
}

/** Everything of a terminal that an image holds. */
function takeOver(p: Place, from: string): void {
  for (const name of ['data', 'witness'] as const) {
    rmSync(p[name], { recursive: true, force: true });
    cpSync(join(from, name), p[name], { recursive: true });
  }
}

function image(p: Place, name: string): string {
  const to = join(p.images, name);
  rmSync(to, { recursive: true, force: true });
  mkdirSync(to);
  for (const part of ['data', 'witness'] as const)
    cpSync(p[part], join(to, part), { recursive: true, filter: (path) => !path.includes('/rack') });
  return to;
}

test('a restore that is killed before any of its steps leaves a locked or a whole ledger, and is finished by the same word', async (t) => {
  const { folder, centre, p } = await indebted(t);
  const old = image(p, 'begun');
  await paidLife(t, p);
  await untilAtCentre(t, p, centre);
  const newest = image(p, 'newest');
  const paid = verifyLedger(join(p.data, 'ledger.db')).balances['MOP/hand-pay'];
  // Another history: its end is in the WAL, and copy and witness know the first one.
  takeOver(p, old);
  await centre.stop();
  const alone = await start(t, p);
  await pay(alone);
  await alone.terminal.cutPower();
  cpSync(join(newest, 'witness'), p.witness, { recursive: true });
  rmSync(join(p.data, 'copy'), { recursive: true });
  cpSync(join(newest, 'data', 'copy'), join(p.data, 'copy'), { recursive: true });
  assert.ok(existsSync(join(p.data, 'ledger.db-wal')));
  await centre.run();
  const word = join(folder, 'word');
  centre.word('BJ-DEMO-01', endOf(p), word);
  const forked = image(p, 'forked');
  const { centre: address } = JSON.parse(readFileSync(centre.profile, 'utf8')) as TerminalFile;

  const still = () => stillTerminal({ data: p.data, witness: p.witness, profile: centre.profile });
  const options = (): RestoreOptions => ({
    ...still(),
    path: join(p.data, 'ledger.db'),
    commandKey: readCentreAddress(address!).commandKey!,
    named: (ledger) => startsIn(ledger).witness,
    counter: null,
    wordPath: word,
    now: Date.now,
  });
  const words = (): number => {
    const reader = openLedgerReader(join(p.data, 'ledger.db'));
    const { length } = reader.newest({ beforeSeq: null, limit: 10, kind: 'ledger-restored' });
    reader.close();
    return length;
  };
  /** As a start does; whether it may go on. */
  const looked = (): boolean => {
    const { witness, ...at } = still();
    const found = findLedger({ ...at, witness, log: () => {} });
    if (found.dispute !== null) return false;
    witness.saw(found.ledger.head(), { wordAtMs: startsIn(found.ledger).wordAtMs });
    found.ledger.close();
    return true;
  };
  const finished = (what: string): void => {
    const o = options();
    finishRestore(o);
    try {
      checkWord(o);
      restoreLedger(o, []);
    } catch (error) {
      assert.match((error as Error).message, /was taken here before/, what);
    }
    const { ok, balances } = verifyLedger(o.path);
    assert.deepEqual([ok, balances['MOP/hand-pay'], words()], [true, paid, 1], what);
    assert.ok(looked(), what);
    // The word again, for the very image that it was made for.
    rmSync(p.data, { recursive: true });
    cpSync(join(forked, 'data'), p.data, { recursive: true });
    assert.throws(() => checkWord(options()), /was taken here before/, what);
  };

  const args = [
    'restore',
    '--data',
    p.data,
    '--witness',
    p.witness,
    '--profile',
    centre.profile,
    '--word',
    word,
  ];
  let steps = 0;
  while (killed(folder, steps + 1, args)) {
    steps += 1;
    const cut = image(p, 'cut');
    const what = `killed before step ${steps}`;
    if (looked()) assert.equal(words(), 1, `${what}, started: whole`);
    finished(`${what}, started, and again`);
    takeOver(p, cut);
    finished(`${what}, and again`);
    takeOver(p, forked);
  }
  assert.ok(steps >= 8, `${steps} steps`);
  t.diagnostic(`${steps} steps`);
  const back = await start(t, p);
  assert.deepEqual((await back.display('table')).view.handPays, []);
});

test('a wipe that is killed before any of its steps is finished by the next, and no ledger is lost', async (t) => {
  const p = place(t);
  await owedLife(t, p);
  keep(p, 'whole');
  const whole = image(p, 'before');
  const end = endOf(p);
  const args = ['wipe', '--data', p.data, '--witness', p.witness];
  const kept = (): string[] =>
    readdirSync(join(p.data, '..')).filter((name) => name.startsWith('data.wiped-'));
  let steps = 0;
  for (; killed(folderOf(t), steps + 1, args); steps += 1) {
    assert.equal(killed(folderOf(t), 0, args), false);
    assert.ok(!existsSync(p.data), `killed before step ${steps + 1}`);
    assert.deepEqual(readdirSync(p.witness), []);
    const names = kept();
    assert.equal(names.length, 1);
    assert.equal(endOf({ ...p, data: join(p.data, '..', names[0]!) }), end);
    rmSync(join(p.data, '..', names[0]!), { recursive: true });
    takeOver(p, whole);
  }
  assert.ok(steps >= 3, `${steps} steps`);
  putBack(p, 'whole');
  rmSync(p.witness, { recursive: true });
  const locked = await start(t, p);
  await assertLocked(locked, 'witness-gone');
});
