/**
 * The data folder of a terminal copied, played on, paid, and put back: what was paid must not be payable again, whether a centre
 * can be asked or not; and a terminal that is merely unlucky is not locked.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { RackClient } from '../../hardware/rack/rack-client.ts';
import type { Command } from '../../host/api.ts';
import { verifyLedger } from '../../ledger/chain/verifier.store.ts';
import { loggedInWith } from '../centre/operators.ts';
import { ROOT } from '../shell/paths.ts';
import type { TestDisplay } from '../support/display.ts';
import { freePort } from '../support/free-port.ts';
import { type Attacked, attack, folderOf } from './kit.ts';

const OWED = 50_000;
const ATTENDANT = { credential: { person: '2', pin: '2222' } };

/** A terminal with its witness, and the folder that copies of its data are kept in. */
interface Place {
  readonly data: string;
  readonly witness: string;
  readonly images: string;
  readonly args: readonly string[];
}

function place(t: TestContext, more: readonly string[] = []): Place {
  const folder = folderOf(t);
  const [data, witness, images] = ['data', 'witness', 'images'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  mkdirSync(images);
  return { data, witness, images, args: ['--witness', witness, ...more] };
}

const start = (t: TestContext, { data, args }: Place): Promise<Attacked> => attack(t, { data, args });

const keep = ({ data, images }: Place, name: string): void =>
  cpSync(data, join(images, name), {
    recursive: true,
    filter: (path) => !path.startsWith(join(data, 'rack')),
  });

function putBack({ data, images }: Place, name: string): void {
  rmSync(data, { recursive: true, force: true });
  cpSync(join(images, name), data, { recursive: true });
}

async function done(display: TestDisplay, command: Command): Promise<void> {
  const answer = await display.command(command);
  assert.equal(answer?.status, 'done', `${command.type}: ${JSON.stringify(answer)}`);
}

/** A note is inserted at seat 1, and its credit waits to be paid by hand. */
async function owe(terminal: Attacked): Promise<void> {
  const table = await terminal.display('table');
  const hands = await terminal.display('operator');
  const credit = (): number => table.view.seats[0]!.creditMinor;
  for (let i = 0; i < 120 && credit() === 0; i += 1) {
    await hands.command({ type: 'sim-insert-note', acceptor: 1, valueMinor: OWED });
    await table.until(() => credit() > 0, 1_000);
  }
  assert.equal(credit(), OWED);
  await done(table, { type: 'request-cash-out', seat: 1 });
  hands.close();
  table.close();
}

async function pay(terminal: Attacked): Promise<void> {
  const table = await terminal.display('table');
  const [waiting] = (await table.until(({ handPays }) => handPays.length > 0))!.handPays;
  assert.equal(waiting?.amountMinor, OWED);
  await done(table, { type: 'confirm-hand-pay', seat: 1, requestId: waiting.requestId, ...ATTENDANT });
  table.close();
}

/** Nothing is paid, taken or bet, and every display says why. */
async function assertLocked(terminal: Attacked, fault: string): Promise<void> {
  const table = await terminal.display('table');
  const { view } = table;
  assert.deepEqual([view.hold?.code, view.hold?.detail], ['machine-fault', fault]);
  assert.equal(view.dealer.step.step, 'call-supervisor');
  const requestId = view.handPays[0]?.requestId ?? 'cash-out-1';
  const tried: Command[] = [
    { type: 'confirm-hand-pay', seat: 1, requestId, ...ATTENDANT },
    { type: 'cancel-cash-out', seat: 1, requestId },
    { type: 'request-cash-out', seat: 1 },
    { type: 'sign-in-dealer', credential: { person: '1', pin: '1111' } },
    { type: 'open-betting' },
    { type: 'place-bet', roundId: 'r', seat: 1, bet: 'main', amountMinor: 10_000, touchedAtMs: Date.now() },
    {
      type: 'adjust-credit',
      seat: 1,
      amountMinor: OWED,
      reason: 'note-wrong',
      ...ATTENDANT,
      secondCredential: { person: '3', pin: '3333' },
    },
    { type: 'sim-insert-note', acceptor: 1, valueMinor: OWED },
  ];
  for (const command of tried) {
    const answer = await table.command(command);
    assert.ok(
      answer?.status === 'rejected' && answer.code === 'held',
      `${command.type}: ${JSON.stringify(answer)}`,
    );
    assert.match(answer.detail ?? '', new RegExp(`^${fault}: `));
  }
  for (const role of ['seat:1', 'dealer', 'service']) {
    const display = await terminal.display(role);
    assert.equal(display.view.hold?.detail, fault, role);
    display.close();
  }
  table.close();
  // A note at the bench itself, whose acceptors nobody has opened.
  const rack = await RackClient.connect(join(terminal.data, 'rack'));
  const answer = await rack.do({ do: 'insert-note', acceptor: 1, valueMinor: OWED, currency: 'MOP' });
  assert.equal(answer.ok && 'taken' in answer && answer.taken, false, JSON.stringify(answer));
  rack.close();
}

const headOf = ({ data }: Place): string => verifyLedger(join(data, 'ledger.db')).headHash;

/** The terminal has a hand-pay waiting, an image of that is kept, and it is paid. */
async function paidAfterImage(t: TestContext, p: Place): Promise<void> {
  const one = await start(t, p);
  await owe(one);
  await one.terminal.stop();
  keep(p, 'old');
  const two = await start(t, p);
  await pay(two);
  await two.terminal.stop();
}

test('an older image of the data folder pays nothing, without any centre and over every restart', async (t) => {
  // As it ships: the centre of the demonstration lies in the data folder and is put back with it.
  const p = place(t);
  await paidAfterImage(t, p);
  keep(p, 'newest');
  putBack(p, 'old');
  const head = headOf(p);
  const three = await start(t, p);
  await assertLocked(three, 'ledger-old');
  assert.match(three.log(), /MONEY IS LOCKED: entry \d+ is missing, it was on this disk/);
  await three.terminal.stop();
  const four = await start(t, p);
  await assertLocked(four, 'ledger-old');
  await four.terminal.stop();
  assert.equal(headOf(p), head, 'nothing was written into the old ledger');
  // The copy alone is the newest, or the ledger is: what was paid is known, nothing is lost, and nothing is locked.
  putBack(p, 'newest');
  cpSync(join(p.images, 'old', 'ledger.db'), join(p.data, 'ledger.db'));
  const five = await start(t, p);
  const table = await five.display('table');
  assert.deepEqual([table.view.hold, table.view.handPays], [null, []]);
});

test('an image taken from under the running terminal is older than the hand-pay in that same life', async (t) => {
  const p = place(t);
  const one = await start(t, p);
  await owe(one);
  keep(p, 'live');
  await pay(one);
  const over = one.terminal.ended;
  process.kill(one.terminal.pid, 'SIGKILL');
  await over;
  await gone(one.terminal.pidOf('host'));
  putBack(p, 'live');
  const two = await start(t, p);
  await assertLocked(two, 'ledger-old');
});

test('a ledger that is gone is not begun anew', async (t) => {
  const p = place(t);
  await paidAfterImage(t, p);
  keep(p, 'newest');
  // One file alone is made again from the other, with what was paid in it.
  for (const name of readdirSync(p.data)) if (name.startsWith('ledger.db')) rmSync(join(p.data, name));
  const three = await start(t, p);
  const table = await three.display('table');
  assert.deepEqual(table.view.handPays, []);
  assert.ok(table.view.ledgerFaults.includes('ledger-repaired'));
  await three.terminal.stop();
  for (const [what, witness] of [
    ['the witness knows it', true],
    ['the key alone shows it', false],
  ] as const) {
    putBack(p, 'newest');
    rmSync(join(p.data, 'copy'), { recursive: true });
    for (const name of readdirSync(p.data)) if (name.startsWith('ledger.db')) rmSync(join(p.data, name));
    if (!witness) rmSync(p.witness, { recursive: true });
    const four = await start(t, p);
    await assertLocked(four, 'ledger-gone');
    await four.terminal.stop();
    assert.deepEqual(
      readdirSync(p.data).filter((name) => name.startsWith('ledger.db')),
      [],
      what,
    );
  }
});

test('where the witness was put back too the centre sees it, and the restart after that is locked without the centre', async (t) => {
  const folder = folderOf(t);
  const centre = await startCentre(t, folder);
  const p = place(t, ['--profile', centre.profile]);
  const one = await start(t, p);
  centre.enrol(one);
  await owe(one);
  await one.terminal.stop();
  keep(p, 'old');
  cpSync(p.witness, join(p.images, 'witness'), { recursive: true });
  const two = await start(t, p);
  await pay(two);
  const table = await two.display('table');
  assert.ok(await table.until(({ link, seq }) => link.ackedSeq === seq, 60_000), 'the centre has it');
  await two.terminal.stop();
  putBack(p, 'old');
  rmSync(p.witness, { recursive: true });
  cpSync(join(p.images, 'witness'), p.witness, { recursive: true });
  const three = await start(t, p);
  // Its first life ends with the first answer of the centre.
  await three.terminal.event(
    'a second life',
    (m) => (m['host'] as { ready?: unknown })?.ready === true,
    1 + firstReady(three),
  );
  await assertLocked(three, 'ledger-old');
  await centre.text(/older copy of its disk/);
  await three.terminal.stop();
  await centre.stop();
  const four = await start(t, p);
  await assertLocked(four, 'ledger-old');
});

test('kills at any moment, a lost copy and a lost witness lock nothing', async (t) => {
  const p = place(t);
  let terminal = await start(t, p);
  await owe(terminal);
  for (let i = 0; i < 6; i += 1) {
    const host = terminal.terminal.pidOf('host');
    const from = terminal.terminal.events.length;
    process.kill(host, 'SIGKILL');
    await terminal.terminal.event(
      'a new host',
      (m) => (m['host'] as { ready?: unknown })?.ready === true,
      from,
    );
    // Into the middle of its start, or of its play.
    await sleep(i * 40);
  }
  const table = await terminal.display('table');
  assert.equal(table.view.hold, null);
  await pay(terminal);
  await terminal.terminal.stop();
  rmSync(join(p.data, 'copy'), { recursive: true });
  terminal = await start(t, p);
  assert.equal((await terminal.display('table')).view.hold, null);
  await terminal.terminal.stop();
  rmSync(p.witness, { recursive: true });
  terminal = await start(t, p);
  assert.equal((await terminal.display('table')).view.hold, null);
  assert.doesNotMatch(terminal.log(), /MONEY IS LOCKED/);
});

test('a centre that was put back from a backup locks nothing', async (t) => {
  const folder = folderOf(t);
  const centre = await startCentre(t, folder);
  const p = place(t, ['--profile', centre.profile]);
  const one = await start(t, p);
  centre.enrol(one);
  await level(one);
  await centre.backup();
  await owe(one);
  await level(one);
  await centre.restore();
  await centre.text(/put back from a backup|were missing before a batch/);
  const table = await one.display('table');
  assert.ok(await table.until(({ link, seq }) => link.state === 'up' && link.ackedSeq === seq, 60_000));
  await pay(one);
  assert.doesNotMatch(one.log(), /MONEY IS LOCKED/);
});

async function level(terminal: Attacked): Promise<void> {
  const table = await terminal.display('table');
  assert.ok(
    await table.until(({ link, seq }) => seq > 0 && link.ackedSeq === seq, 60_000),
    'the centre has it',
  );
  table.close();
}

const firstReady = ({ terminal }: Attacked): number =>
  terminal.events.findIndex(({ message }) => (message['host'] as { ready?: unknown })?.ready === true);

async function gone(pid: number): Promise<void> {
  for (let i = 0; i < 600; i += 1) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await sleep(100);
  }
  assert.fail(`process ${pid} does not end`);
}

/** A centre of the casino, outside of the terminal, and a terminal file that names it. */
async function startCentre(t: TestContext, folder: string) {
  const port = await freePort();
  const data = join(folder, 'centre');
  const enrolled = join(folder, 'enrolled');
  mkdirSync(enrolled);
  const profile = join(folder, 'terminal.json');
  const demo = JSON.parse(readFileSync(join(ROOT, 'host/profiles/demo.json'), 'utf8')) as object;
  writeFileSync(profile, JSON.stringify({ ...demo, centre: `http://127.0.0.1:${port}` }));
  let child: ReturnType<typeof spawn> | null = null;
  const run = async (): Promise<void> => {
    const args = [
      join(ROOT, 'upstream/main.ts'),
      `--data=${data}`,
      `--port=${port}`,
      `--enrol-dir=${enrolled}`,
    ];
    child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(createInterface({ input: child.stdout! }), 'line');
  };
  const stop = async (): Promise<void> => {
    const ended = child === null || child.exitCode !== null ? null : once(child, 'exit');
    child?.kill('SIGTERM');
    await ended;
  };
  const forks = async (): Promise<string> => {
    const headers = loggedInWith(join(data, 'operator-password'));
    return await (await fetch(`http://127.0.0.1:${port}/forks`, { headers })).text();
  };
  await run();
  t.after(stop);
  const kept = join(folder, 'backup');
  return {
    profile,
    stop,
    /** The terminal's key, as an operator brings it. */
    enrol: (terminal: Attacked): void => {
      const ready = terminal.terminal.events.find(
        ({ message }) => (message['host'] as { ready?: unknown })?.ready,
      )!;
      const { terminal: name, publicKey } = ready.message['host'] as { terminal: string; publicKey: string };
      writeFileSync(join(enrolled, `${name}.pub`), publicKey);
    },
    backup: async (): Promise<void> => {
      await stop();
      cpSync(data, kept, { recursive: true });
      await run();
    },
    restore: async (): Promise<void> => {
      await stop();
      rmSync(data, { recursive: true });
      cpSync(kept, data, { recursive: true });
      await run();
    },
    /** What the operators' page of forks says, once it says it. */
    text: async (wanted: RegExp): Promise<string> => {
      for (let i = 0; i < 240; i += 1) {
        const page = await forks();
        if (wanted.test(page)) return page;
        await sleep(250);
      }
      const page = await forks();
      return assert.fail(`the centre never said ${wanted}:\n${page}`);
    },
  };
}
