/**
 * Images of data folders, kept and put back, and a casino's centre outside of them: for attacks
 * with an older disk.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';
import { verifyLedger } from '../../ledger/chain/verifier.store.ts';
import type { Command } from '../../wire/commands.ts';
import { type Operator, operatorAt, peoplePasswordBeside } from '../centre/operators.ts';
import { ROOT } from '../shell/paths.ts';
import { banca as npmBanca } from '../support/built.ts';
import type { TestDisplay } from '../support/display.ts';
import { freePort } from '../support/free-port.ts';
import { newDatabase } from '../support/new-database.ts';
import { until } from '../support/until.ts';
import { type Attacked, attack, folderOf, handsAt, rackOf } from './kit.ts';

export const OWED = 50_000;
export const ATTENDANT = { credential: { person: '2', pin: '2222' } };

/** A terminal with its witness, and the folder that copies of its data are kept in. */
export interface Place {
  readonly data: string;
  readonly witness: string;
  readonly images: string;
  readonly args: readonly string[];
}

export function place(t: TestContext, more: readonly string[] = []): Place {
  const folder = folderOf(t);
  const [data, witness, images] = ['data', 'witness', 'images'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  mkdirSync(images);
  return { data, witness, images, args: ['--witness', witness, ...more] };
}

export const start = (t: TestContext, { data, args }: Place): Promise<Attacked> => attack(t, { data, args });

export const keep = ({ data, images }: Place, name: string): void =>
  cpSync(data, join(images, name), {
    recursive: true,
    filter: (path) => !path.startsWith(join(data, 'rack')),
  });

/**
 * An image of the running terminal's disk at one moment, as a storage snapshot takes it. A copy
 * file by file would tear the ledger from its log, and be locked as a fork.
 */
export async function keepLive(p: Place, name: string, { terminal }: Attacked): Promise<void> {
  await terminal.pause();
  keep(p, name);
  terminal.resume();
}

export function putBack({ data, images }: Place, name: string): void {
  rmSync(data, { recursive: true, force: true });
  cpSync(join(images, name), data, { recursive: true });
}

export async function done(display: TestDisplay, command: Command): Promise<void> {
  const answer = await display.command(command);
  assert.equal(answer?.status, 'done', `${command.type}: ${JSON.stringify(answer)}`);
}

/**
 * A note is inserted at seat 1, and its credit waits to be paid by hand. No second note follows one
 * that was taken: on a slow machine both would be credited.
 */
export async function owe(terminal: Attacked): Promise<void> {
  const table = await terminal.display('table');
  const rack = await rackOf(terminal.data);
  await handsAt(rack, { do: 'insert-note', acceptor: 1, valueMinor: OWED, currency: 'MOP' });
  rack.close();
  assert.ok(await table.until(({ seats }) => seats[0]!.creditMinor > 0, 60_000), 'the credit');
  assert.equal(table.view.seats[0]!.creditMinor, OWED);
  await done(table, { type: 'request-cash-out', seat: 1 });
  table.close();
}

export async function pay(terminal: Attacked): Promise<void> {
  const table = await terminal.display('table');
  const [waiting] = (await table.until(({ handPays }) => handPays.length > 0))!.handPays;
  assert.equal(waiting?.amountMinor, OWED);
  await done(table, { type: 'confirm-hand-pay', seat: 1, requestId: waiting.requestId, ...ATTENDANT });
  table.close();
}

/** Nothing is paid, taken or bet, and every display says why. */
export async function assertLocked(terminal: Attacked, fault: string): Promise<void> {
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
  // A note at the rack itself, whose acceptors nobody has opened.
  const rack = await rackOf(terminal.data);
  const answer = await rack.do({ do: 'insert-note', acceptor: 1, valueMinor: OWED, currency: 'MOP' });
  assert.equal(answer.ok && 'taken' in answer && answer.taken, false, JSON.stringify(answer));
  rack.close();
}

/** Staff number and PIN of a supervisor and of a technician, as `banca` reads them. */
export const BOTH = '3\n3333\n4\n4444\n';

export function banca(p: Place, command: string, profile: string, more: readonly string[], stdin = BOTH) {
  const args = [command, '--data', p.data, '--witness', p.witness, '--profile', profile, ...more];
  const { status, stdout, stderr } = npmBanca(args, stdin);
  return { status, said: stdout + stderr };
}

export function endOf({ data }: Place): string {
  const { headSeq, headHash } = verifyLedger(join(data, 'ledger.db'));
  return `${headSeq}:${headHash}`;
}

export const headOf = ({ data }: Place): string => verifyLedger(join(data, 'ledger.db')).headHash;

/** A life of the terminal that ends in order, with a hand-pay waiting. */
export async function owedLife(t: TestContext, p: Place, begun?: (life: Attacked) => void): Promise<void> {
  const life = await start(t, p);
  begun?.(life);
  await owe(life);
  await life.terminal.stop();
}

/** A life of the terminal that ends in order, with the hand-pay paid. */
export async function paidLife(t: TestContext, p: Place): Promise<void> {
  const life = await start(t, p);
  await pay(life);
  await life.terminal.stop();
}

/** The terminal has a hand-pay waiting, an image of that is kept, and it is paid. */
export async function paidAfterImage(t: TestContext, p: Place): Promise<void> {
  await owedLife(t, p);
  keep(p, 'old');
  await paidLife(t, p);
}

/**
 * A centre outside of the terminal that knows its key, and the terminal, stopped with a hand-pay
 * waiting.
 */
export async function indebted(t: TestContext) {
  const folder = folderOf(t);
  const centre = await startCentre(t, folder);
  const p = place(t, ['--profile', centre.profile]);
  await owedLife(t, p, centre.enrol);
  return { folder, centre, p };
}

export async function level(terminal: Attacked): Promise<void> {
  const table = await terminal.display('table');
  assert.ok(
    await table.until(({ link, seq }) => seq > 0 && link.ackedSeq === seq, 60_000),
    'the centre has it',
  );
  table.close();
}

/**
 * Ends with everything of the stopped terminal at the centre. An orderly end waits two seconds for
 * it: on a busy machine the entry about the end comes with the next life.
 */
export async function untilAtCentre(
  t: TestContext,
  p: Place,
  centre: Awaited<ReturnType<typeof startCentre>>,
): Promise<void> {
  const { terminal } = verifyLedger(join(p.data, 'ledger.db'));
  for (let life = 0; life < 10; life += 1) {
    if ((await centre.head(terminal!)) === endOf(p)) return;
    const next = await start(t, p);
    await level(next);
    await next.terminal.stop();
  }
  assert.fail('the centre never has the end of the ledger');
}

export const firstReady = ({ terminal }: Attacked): number =>
  terminal.events.findIndex(({ message }) => (message['host'] as { ready?: unknown })?.ready === true);

/** A centre of the casino, outside of the terminal, and a terminal file that names it. */
export async function startCentre(t: TestContext, folder: string) {
  const port = await freePort();
  const key = join(folder, 'command-key.pem');
  const made = JSON.parse(
    execFileSync(process.execPath, [join(ROOT, 'upstream/command.ts'), '--key', key, '--make-key'], {
      encoding: 'utf8',
    }),
  ) as { commandKey: string };
  const data = join(folder, 'centre');
  const enrolled = join(folder, 'enrolled');
  mkdirSync(enrolled);
  const profile = join(folder, 'terminal.json');
  const demo = JSON.parse(readFileSync(join(ROOT, 'host/profiles/demo.json'), 'utf8')) as object;
  writeFileSync(
    profile,
    JSON.stringify({ ...demo, centre: `http://127.0.0.1:${port}#command-key=${made.commandKey}` }),
  );
  let child: ReturnType<typeof spawn> | null = null;
  await newDatabase(join(data, 'postgres'));
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
  let auditor: Operator | null = null;
  const page = async (path: string): Promise<string> => {
    const password = peoplePasswordBeside(join(data, 'operator-password'));
    auditor ??= await operatorAt(`http://127.0.0.1:${port}`, password, 'auditor');
    return (await auditor.ask(path)).text;
  };
  const forks = (): Promise<string> => page('/forks');
  await run();
  t.after(stop);
  const kept = join(folder, 'backup');
  return {
    profile,
    stop,
    run,
    /** A page of the operators. */
    page,
    /** The newest entry there, SEQ:HASH. */
    head: async (terminal: string): Promise<string> => {
      const { seq, hash } = JSON.parse(await page(`/v1/terminals/${terminal}`)) as {
        seq: number;
        hash: string;
      };
      return `${seq}:${hash}`;
    },
    /** The word for the ledger that ends with `disputed`, into a file. */
    word: (terminal: string, disputed: string, out: string, ...more: string[]): void => {
      const args = [
        '--key',
        key,
        '--centre',
        `http://127.0.0.1:${port}`,
        '--terminal',
        terminal,
        '--issuer',
        'M. Lei',
      ];
      args.push('--password', join(data, 'operator-password'), '--disputed', disputed, '--out', out);
      execFileSync(process.execPath, [join(ROOT, 'upstream/word.ts'), ...args, ...more]);
    },
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
      let said = '';
      await until(
        `the centre says ${wanted}`,
        async () => {
          said = await forks();
          return wanted.test(said);
        },
        { everyMs: 100, said: () => said },
      );
      return said;
    },
  };
}
