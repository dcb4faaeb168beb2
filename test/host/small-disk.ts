/**
 * Tests on a file system of 64 MiB that is this process's own; started by storage.test.ts with its
 * place as TMPDIR.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { Terminal } from '../../host/table/terminal.ts';
import { OwnFaults } from '../../host/watches/own-faults.ts';
import { readyDisk, StorageWatch, Syncs } from '../../host/watches/storage-watch.ts';
import { verifyLedger } from '../../ledger/chain/verifier.store.ts';
import { isDiskRefusal, loadOrCreateKey, openLedger } from '../../ledger/store/ledger.store.ts';
import { assertBuilt, BUILT_HOST } from '../support/built.ts';
import { TestDisplay } from '../support/display.ts';
import { profileWith } from './test-terminal.ts';

const MIB = 2 ** 20;
const DISK = tmpdir();
const DEALER = { id: 'D-01', name: 'Lei', role: 'dealer' } as const;

const folder = (t: TestContext): string => {
  const dir = mkdtempSync(join(DISK, 'small-'));
  t.after(() => {
    rmSync(ballast, { force: true });
    rmSync(dir, { recursive: true, force: true });
  });
  return dir;
};

const ballast = join(DISK, 'ballast');
/** Other files grow until so much of the disk is left. */
function leaveFree(bytes: number): void {
  rmSync(ballast, { force: true });
  const { bavail, bsize } = statfsSync(DISK);
  try {
    writeFileSync(ballast, Buffer.alloc(Math.max(0, bavail * bsize - bytes)));
  } catch (error) {
    // The last page of a full disk.
    if ((error as { code?: string }).code !== 'ENOSPC') throw error;
  }
}

const TERMINAL = { terminalId: profileWith().terminalId, createIfMissing: true };

function tableOn(dir: string) {
  const ledgerPath = join(dir, 'ledger.db');
  const ledger = openLedger(ledgerPath, { ...TERMINAL, key: loadOrCreateKey(dir) });
  const syncs = new Syncs();
  const terminal = new Terminal({ ledger: syncs.ofLedger(ledger), now: Date.now, log: () => {} });
  terminal.submit({ type: 'configure', profile: profileWith(), person: null });
  terminal.submit({ type: 'sign-in-dealer', person: DEALER });
  const own = new OwnFaults(terminal);
  const watch = new StorageWatch({
    own,
    syncs,
    ledgerPath,
    copyPath: null,
    settings: { budgetMiB: 32, slowSyncMs: 1_000 },
  });
  return { ledger, terminal, watch, syncs, faults: () => own.faults().map(({ fault }) => fault) };
}

test('906: 80, 90 and 95 % of the budget, there and back', async (t) => {
  const { ledger, terminal, watch, faults } = tableOn(folder(t));
  const opening = () => terminal.submit({ type: 'open-betting', roundId: 'r1' });
  await watch.look();
  assert.deepEqual(faults(), []);
  for (const [freeMiB, expected] of [
    [6, ['storage-low']],
    [3, ['storage-low', 'storage-short']],
    [1, ['storage-low', 'storage-short', 'storage-full']],
    [3, ['storage-low', 'storage-short']],
    [20, []],
  ] as const) {
    leaveFree(freeMiB * MIB);
    await watch.look();
    assert.deepEqual(faults(), expected, `${freeMiB} MiB free`);
    const isFull = freeMiB === 1;
    const outcome = opening();
    assert.equal(outcome.status === 'rejected' ? outcome.code : '', isFull ? 'held' : 'not-due');
  }
  await watch.stop();
  ledger.close();
});

test('906: a disk that fills up at once loses nothing, and gives the reserve for the round on the table', async (t) => {
  const dir = folder(t);
  const { ledger, terminal, watch } = tableOn(dir);
  await watch.look();
  assert.equal(statSync(join(dir, 'reserve')).blocks * 512, 16 * MIB, 'real blocks');
  await watch.stop();
  leaveFree(0);
  let stored = 0;
  const call = (on: boolean) => terminal.submit({ type: 'call-attendant', seat: 1, on });
  assert.throws(
    () => {
      for (;;) {
        call(stored % 2 === 0);
        stored += 1;
      }
    },
    (error) => isDiskRefusal(error),
  );
  assert.throws(() => call(true), 'nothing more is answered by this process');
  ledger.close();

  assert.equal(readyDisk(dir), null, 'the reserve is given up');
  const next = tableOn(dir);
  const calls = next.ledger.newest({ beforeSeq: null, limit: 10_000, kind: 'attendant-called' });
  assert.equal(calls.length, stored, 'all that was answered');
  await next.watch.look();
  assert.ok(next.faults().includes('storage-full'), 'without the reserve no round begins');
  for (let i = 0; i < 500; i += 1) next.terminal.submit({ type: 'call-attendant', seat: 2, on: i % 2 === 0 });
  await next.watch.stop();
  next.ledger.close();
  assert.equal(verifyLedger(join(dir, 'ledger.db')).problem, '');
});

test('906: three slow syncs of ten are a fault until ten are quick again', async (t) => {
  const { ledger, watch, syncs, faults } = tableOn(folder(t));
  for (let i = 0; i < 3; i += 1) syncs.took(2_000);
  await watch.look();
  assert.deepEqual(faults(), ['storage-slow']);
  for (let i = 0; i < 10; i += 1) syncs.took(3);
  await watch.look();
  assert.deepEqual(faults(), []);
  await watch.stop();
  ledger.close();
});

interface Running {
  readonly child: ChildProcess;
  readonly display: TestDisplay;
}

async function startMain(dir: string): Promise<Running> {
  assertBuilt();
  const child = spawn(process.execPath, [BUILT_HOST, '--data', dir], { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  child.stderr.on('data', (text) => {
    said += String(text);
  });
  const line = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve);
    child.once('exit', (code) => reject(new Error(`exit ${code}: ${said}`)));
  });
  return { child, display: await TestDisplay.connect((JSON.parse(line) as { url: string }).url) };
}

async function killed({ child, display }: Running): Promise<void> {
  const over = once(child, 'exit');
  child.kill('SIGKILL');
  await over;
  display.close();
}

for (const [what, fail, mend] of [
  [
    'full',
    (dir: string) => {
      rmSync(join(dir, 'reserve'), { force: true });
      leaveFree(0);
    },
    () => rmSync(ballast),
  ],
  [
    'read-only',
    () => assert.equal(spawnSync('mount', ['-o', 'remount,ro', DISK]).status, 0),
    () => assert.equal(spawnSync('mount', ['-o', 'remount,rw', DISK]).status, 0),
  ],
] as const)
  test(`906: a host that starts on a disk that is ${what} says so on every display, and goes on when it is not`, async (t) => {
    const dir = join(folder(t), 'data');
    mkdirSync(dir);
    const before = await startMain(dir);
    const answer = await before.display.command({
      type: 'sign-in-dealer',
      credential: { person: '1', pin: '1111' },
    });
    assert.equal(answer?.status, 'done');
    await killed(before);
    fail(dir);
    const still = await startMain(dir);
    const { hold, ledgerFaults, dealer, seq } = still.display.view;
    assert.deepEqual(
      [hold?.code, hold?.detail, dealer.step.step],
      ['machine-fault', 'storage-refuses', 'call-supervisor'],
    );
    assert.ok(ledgerFaults.includes('storage-refuses'));
    assert.ok(answer?.status === 'done' && seq >= answer.seq, 'the table as it stood');
    const refused = await still.display.command({ type: 'sign-out-dealer' });
    assert.ok(refused?.status === 'rejected' && refused.code === 'held');
    assert.equal(still.child.exitCode, null, 'no loop of restarts');
    const over = once(still.child, 'exit');
    mend();
    assert.deepEqual(await over, [1, null], 'so that the supervisor starts it again');
    const after = await startMain(dir);
    assert.deepEqual([after.display.view.hold, after.display.view.dealer.name], [null, 'Lei Ka Man']);
    await killed(after);
    assert.equal(verifyLedger(join(dir, 'ledger.db')).problem, '');
  });
