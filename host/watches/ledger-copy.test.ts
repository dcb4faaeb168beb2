/** The copy beside a running terminal: real files, a real thread, real full and missing disks. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import type { Person } from '../../engine/table/inputs.ts';
import { verifyLedger } from '../../ledger/chain/verifier.store.ts';
import { copyIn, mendLedger } from '../../ledger/copy/mend.store.ts';
import { type Ledger, loadOrCreateKey, openLedger } from '../../ledger/store/ledger.store.ts';
import { openForWriting } from '../../ledger/store/sqlite.store.ts';
import { flip } from '../../test/kits/ledger-copy.ts';
import { until } from '../../test/support/until.ts';
import { Terminal } from '../table/terminal.ts';
import { LedgerCopy } from './ledger-copy.ts';
import { Verification } from './verification.ts';

const root = mkdtempSync(join(tmpdir(), 'banca-host-copy-'));
after(() => rmSync(root, { recursive: true, force: true }));

const TECHNICIAN: Person = { id: 'T-01', name: 'João Silva', role: 'technician' };
let count = 0;

class SetUp {
  readonly dir: string;
  readonly path: string;
  readonly copyPath: string;
  readonly log: string[] = [];
  readonly ended: string[] = [];
  terminal!: Terminal;
  copy!: LedgerCopy;
  #ledger: Ledger | null = null;

  constructor(folder?: string) {
    this.dir = join(root, `t${++count}`);
    mkdirSync(join(this.dir, 'copy'), { recursive: true });
    this.path = join(this.dir, 'ledger.db');
    this.copyPath = copyIn(folder ?? join(this.dir, 'copy'));
  }

  start(): void {
    const key = loadOrCreateKey(this.dir);
    const terminalId = 'T-1';
    const { copy } = mendLedger(this.path, this.copyPath, { terminalId, key, now: Date.now });
    const ledger = openLedger(this.path, { terminalId, key, createIfMissing: true });
    this.#ledger = ledger;
    const log = (line: string): void => void this.log.push(line);
    this.terminal = new Terminal({ ledger, now: Date.now, log });
    this.terminal.start('boot', 'test');
    this.copy = new LedgerCopy({
      verification: new Verification({ ledger: this.path, copy: this.copyPath }, Date.now),
      terminal: this.terminal,
      ledgerPath: this.path,
      copyPath: this.copyPath,
      key,
      found: copy,
      log,
      end: (why) => void this.ended.push(why),
    });
    this.copy.start(() => {});
  }

  async stop(): Promise<void> {
    if (this.#ledger === null) return;
    await this.copy.stop();
    this.terminal.close();
    this.#ledger.close();
    this.#ledger = null;
  }

  play(entries: number): void {
    for (let i = 0; i < entries; i++) this.terminal.record({ type: 'simulation-used', command: `${i}` });
  }

  faults(): string[] {
    return this.terminal.state.faults.map(({ device, fault }) => `${device} ${fault}`);
  }

  kinds(): string[] {
    return this.terminal.ledger.read(1, 100_000).map(({ kind }) => kind);
  }

  async until(what: string, holds: () => boolean): Promise<void> {
    await until(what, holds, {
      said: () => `${JSON.stringify(this.copy.page())} ${this.log.join('\n')}`,
    });
  }

  isLevel = (): boolean => {
    const { state, behind } = this.copy.page();
    return state === 'following' && behind === 0;
  };
}

const setUp = (t: TestContext, folder?: string): SetUp => {
  const b = new SetUp(folder);
  t.after(() => b.stop());
  return b;
};

test('OKS 4: the copy follows every commit, and both files are level and whole after an orderly stop', async (t) => {
  const b = setUp(t);
  b.start();
  await b.until('the new copy is level', b.isLevel);
  b.play(500);
  await b.until('level again', b.isLevel);
  b.play(50);
  await b.stop();
  assert.deepEqual(verifyLedger(b.path).problems, []);
  assert.equal(verifyLedger(b.copyPath).headHash, verifyLedger(b.path).headHash);
  assert.deepEqual(b.faults(), []);
  for (const path of [b.path, b.copyPath]) assert.equal(existsSync(`${path}-wal`), false);
});

test('a copy that is deleted or damaged while it is played is rebuilt, said aloud, and confirmed by a technician', async (t) => {
  const b = setUp(t);
  b.start();
  await b.until('level', b.isLevel);
  rmSync(b.copyPath);
  b.play(3);
  await b.until('rebuilt', () => existsSync(b.copyPath) && b.isLevel());
  assert.deepEqual(b.faults(), ['ledger-copy ledger-repaired']);
  assert.ok(b.kinds().includes('ledger-repaired'));
  assert.ok(b.log.some((line) => line.includes('rebuilt from the ledger')));
  const [fault] = b.copy.page().faults;
  assert.deepEqual(
    [fault!.code, fault!.level, fault!.canBeEnded, fault!.persons],
    [902, 'N', true, [['technician']]],
  );
  const released = b.copy.release('ledger-copy', 'ledger-repaired', [TECHNICIAN], 'end-1');
  assert.equal(released.status, 'done');
  assert.deepEqual(b.faults(), []);
  // What the follower never reads again is found by the check of all.
  const size = statSync(b.copyPath).size;
  await b.stop();
  for (let at = 100; at < size; at += 1_500) flip(b.copyPath, at);
  b.start();
  await b.until('rebuilt', () => b.faults().length === 1 && b.isLevel());
  await b.stop();
  assert.deepEqual(verifyLedger(b.copyPath).problems, []);
});

test('the disk of the copy is not there: a fault, play goes on, and it catches up when it is', async (t) => {
  const folder = join(root, 'second-disk');
  const b = setUp(t, folder);
  b.start();
  await b.until('failing', () => b.copy.page().state === 'failing');
  assert.deepEqual(b.faults(), ['ledger-copy ledger-copy-failed']);
  b.play(10);
  assert.equal(existsSync(folder), false, 'no folder is made where a disk should be');
  assert.ok(existsSync(`${b.path}-copy-behind`));
  mkdirSync(folder);
  await b.until('level', b.isLevel);
  assert.deepEqual(b.faults(), []);
  assert.equal(existsSync(`${b.path}-copy-behind`), false);
});

test('the disk of the copy is full, then read only: a fault each time, play goes on', async (t) => {
  const folder = join(root, 'small-disk');
  mkdirSync(folder);
  const mount = (...args: string[]): string =>
    spawnSync('mount', [...args, folder], { encoding: 'utf8' }).stderr;
  const why = mount('-t', 'tmpfs', '-o', 'size=600k', 'tmpfs');
  if (why !== '') return t.skip(`no disk can be mounted here: ${why.trim()}`);
  const b = setUp(t, folder);
  try {
    b.start();
    await b.until('level', b.isLevel);
    writeFileSync(join(folder, 'photos'), '');
    truncateSync(join(folder, 'photos'));
    spawnSync('dd', ['if=/dev/zero', `of=${join(folder, 'photos')}`, 'bs=4k']);
    const before = b.terminal.ledger.head().seq;
    b.play(400);
    await b.until('full', () => b.copy.page().state === 'failing');
    assert.match(b.copy.page().why ?? '', /full|no space/i);
    assert.deepEqual(b.faults(), ['ledger-copy ledger-copy-failed']);
    assert.ok(b.terminal.ledger.head().seq > before + 400);
    rmSync(join(folder, 'photos'));
    mount('-o', 'remount,size=4m');
    await b.until('level', b.isLevel);
    assert.deepEqual(b.faults(), []);
    await b.stop();
    mount('-o', 'remount,ro');
    b.start();
    await b.until('failing', () => b.copy.page().state === 'failing');
    b.play(5);
    assert.deepEqual(b.faults(), ['ledger-copy ledger-copy-failed']);
    mount('-o', 'remount,rw');
    await b.until('level', b.isLevel);
    await b.stop();
    assert.deepEqual(verifyLedger(b.copyPath).problems, []);
  } finally {
    await b.stop();
    spawnSync('umount', ['-l', folder]);
  }
});

test('damage of the ledger that the check of a running terminal finds is mended by the next start', async (t) => {
  const b = setUp(t);
  b.start();
  b.play(300);
  await b.until('level', b.isLevel);
  await b.stop();
  b.start();
  await b.until('level', b.isLevel);
  // In the middle of the file, where nothing is read at play.
  flip(b.path, Math.floor(statSync(b.path).size / 8192) * 4096 + 2_000);
  await b.copy.checkAll();
  assert.deepEqual(b.faults(), ['ledger ledger-damaged']);
  assert.equal(b.ended.length, 1, 'no round is on the table: the process ends at once');
  await b.stop();
  b.start();
  assert.deepEqual(b.faults(), ['ledger ledger-repaired']);
  assert.deepEqual(verifyLedger(b.path).problems, []);
  assert.ok(existsSync(`${b.path}.damaged-1`));
  await b.stop();
  // Told once, also when the start after it is the next one.
  b.start();
  assert.equal(b.kinds().filter((kind) => kind === 'fault-reported').length, 2);
  assert.equal(b.copy.release('ledger', 'ledger-repaired', [TECHNICIAN], 'end-2').status, 'done');
  await b.stop();
  b.start();
  assert.deepEqual(b.faults(), []);
});

test('a copy that falls behind is a fault until it is level', async (t) => {
  const b = setUp(t);
  b.start();
  await b.until('level', b.isLevel);
  const other = openForWriting(b.copyPath, { create: false });
  other.exec('BEGIN IMMEDIATE');
  b.play(2_100);
  await b.until('a fault', () => b.faults().length === 1);
  assert.match(b.copy.page().why ?? '', /\d+ entries behind|locked/);
  other.exec('ROLLBACK');
  other.close();
  await b.until('no fault', () => b.isLevel() && b.faults().length === 0);
});
