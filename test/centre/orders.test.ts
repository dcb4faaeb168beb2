/**
 * Orders of a real centre by the operator's road, to a real terminal: seen, obeyed, on the ledger,
 * once.
 */
import assert from 'node:assert/strict';
import { execFile, fork, spawn } from 'node:child_process';
import { createHash, createPrivateKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import canonicalize from 'canonicalize';
import { z } from 'zod';
import { CODE } from '../../hardware/bill-acceptor/id003/id003.codec.ts';
import type { DeviceClock } from '../../hardware/ports.ts';
import { makeExclusions } from '../../host/config/exclusions.ts';
import { codesOf } from '../../host/pages/event-codes.ts';
import { LIMITS } from '../../host/watches/limits.ts';
import { type CentreOrder, signCommand } from '../../ledger/chain/command.codec.ts';
import { keyFromPrivate } from '../../ledger/chain/key.ts';
import { verifyLedger } from '../../ledger/chain/verifier.store.ts';
import { loadOrCreateKey, openLedgerReader } from '../../ledger/store/ledger.store.ts';
import { openPostgres } from '../../upstream/db.store.ts';
import type { Credential } from '../../wire/fields.ts';
import type { CommandAnswer } from '../../wire/host-events.ts';
import type { LinkPage, PeoplePage, TablesPage } from '../../wire/pages.ts';
import type { TableView } from '../../wire/view.ts';
import {
  CREDENTIAL,
  hurried,
  newRack,
  people,
  profileWith,
  TestTerminal,
  type TestTerminalOptions,
} from '../host/test-terminal.ts';
import { type Operator, operatorAt, peoplePasswordBeside } from './operators.ts';
import { type PostgresServer, startPostgres } from './postgres.ts';

const root = mkdtempSync(join(tmpdir(), 'banca-orders-'));
const enrolDir = join(root, 'enrol');
mkdirSync(enrolDir);
const keyFile = join(root, 'command-key.pem');
const run = promisify(execFile);
const path = (relative: string): string => join(import.meta.dirname, relative);

let server: PostgresServer | null = null;
let centre: ReturnType<typeof spawn>;
/** The centre's address, and the same with the key of those who may give orders. */
let url: string;
let upstream: string;

/** `upstream/command.ts`, as an operator runs it. */
async function operator(...args: string[]): Promise<Record<string, unknown>> {
  const { stdout } = await run(process.execPath, [
    path('../../upstream/command.ts'),
    '--key',
    keyFile,
    ...args,
  ]);
  return JSON.parse(stdout) as Record<string, unknown>;
}

const handIn = (terminal: string, ...order: string[]): Promise<Record<string, unknown>> =>
  operator(
    '--centre',
    url,
    '--password',
    join(root, 'centre', 'operator-password'),
    '--terminal',
    terminal,
    '--issuer',
    'M. Lei',
    ...order,
  );
const order = (terminal: string, what: CentreOrder, ...more: string[]): Promise<Record<string, unknown>> =>
  handIn(terminal, '--order', JSON.stringify(what), ...more);

before(async () => {
  const { commandKey } = (await operator('--make-key')) as { commandKey: string };
  const given = await startPostgres();
  if (!('skip' in given)) server = given;
  centre = spawn(
    process.execPath,
    [
      ...[path('../../upstream/main.ts'), '--data', join(root, 'centre'), '--enrol-dir', enrolDir],
      ...['--command-key', commandKey, '--supervised'],
    ],
    { stdio: ['pipe', 'pipe', 'inherit'], env: { ...process.env, DATABASE_URL: server?.url ?? '' } },
  );
  const [line] = (await once(createInterface({ input: centre.stdout! }), 'line')) as [string];
  ({ url } = JSON.parse(line) as { url: string });
  upstream = `${url}#command-key=${commandKey}`;
});
after(async () => {
  centre.stdin!.end();
  await once(centre, 'exit');
  await server?.stop();
  rmSync(root, { recursive: true, force: true });
});

const enrol = (terminal: string, dir: string): void =>
  writeFileSync(join(enrolDir, `${terminal}.pub`), loadOrCreateKey(dir).publicPem);

async function open(
  t: TestContext,
  terminalId: string,
  { rack = newRack(), file = {} }: Pick<TestTerminalOptions, 'rack' | 'file'> = {},
): Promise<TestTerminal> {
  const kit = await TestTerminal.open(t, { upstream, profile: { terminalId }, rack, file });
  enrol(terminalId, kit.dir);
  await kit.until('the link is up', () => kit.view.link.state === 'up');
  return kit;
}

/**
 * Gives the order, and lets the terminal speak with its centre until what follows from it is there.
 */
async function obeyed(kit: TestTerminal, what: CentreOrder, holds: () => boolean): Promise<void> {
  const { no } = await order(kit.view.table.terminalId, what);
  await arrived(kit, no);
  await kit.until(JSON.stringify(what), holds);
}

interface Answered {
  readonly no: number;
  readonly order: string;
  readonly outcome: string;
  readonly detail: string | null;
  readonly answer: CommandAnswer | null;
}

/** Gives the order; what the terminal says came of it, once that is at the centre. */
async function answered(kit: TestTerminal, what: CentreOrder): Promise<Answered> {
  return await answerTo(kit, (await order(kit.view.table.terminalId, what))['no']);
}

async function answerTo(kit: TestTerminal, no: unknown): Promise<Answered> {
  const { ledger } = kit.host.terminal;
  const at = () => ledger.findCommand(`centre-answer:${no as number}`);
  await kit.until(`the answer to ${no as number}`, () => at() !== null);
  const { firstSeq } = at()!;
  await kit.until('it is at the centre', () => kit.view.link.ackedSeq >= firstSeq);
  return ledger.read(firstSeq, 1)[0]!.body as Answered;
}

/** What the centre's page of a terminal says of its commands. */
async function commandsOf(terminal: string): Promise<string> {
  const password = peoplePasswordBeside(join(root, 'centre', 'operator-password'));
  reader ??= await operatorAt(url, password, 'floor');
  return (await reader.ask(`/terminals/${terminal}`)).text;
}
let reader: Operator | null = null;

async function arrived(kit: TestTerminal, no: unknown): Promise<void> {
  const { ledger } = kit.host.terminal;
  while (ledger.findCommand(`centre:${no as number}`) === null) await speak(kit);
}

/** Something happens at the terminal, and it tells its centre. */
async function speak(kit: TestTerminal): Promise<void> {
  if (kit.view.service) kit.host.terminal.record({ type: 'simulation-used', command: 'sim-auto' });
  else await kit.do({ type: 'call-attendant', seat: 6, on: !kit.seat(6).callsAttendant });
  await kit.until('everything is at the centre', () => kit.view.link.ackedSeq === kit.headSeq);
}

test('a call stands among the alarms of the centre within two seconds, and does no more when it is called off', async (t) => {
  const kit = await open(t, 'T-CALL');
  const password = peoplePasswordBeside(join(root, 'centre', 'operator-password'));
  const floor = await operatorAt(url, password, 'floor');
  const alarms = async (state: 'open' | 'closed'): Promise<boolean> => {
    const { text } = await floor.ask('/terminals/T-CALL');
    const row = /<td>606 \w<\/td>.*?<\/tr>/s.exec(text)?.[0] ?? '';
    return row.includes(state) && row.includes('&quot;seat&quot;:4');
  };
  for (const [on, state] of [
    [true, 'open'],
    [false, 'closed'],
  ] as const) {
    await kit.do({ type: 'call-attendant', seat: 4, on });
    const calledAtMs = performance.now();
    while (!(await alarms(state))) {
      assert.ok(performance.now() - calledAtMs < 2_000, `${state} after two seconds`);
      await sleep(20);
    }
  }
});

const LOCK: CentreOrder = { type: 'lock', reason: 'caixa <b>&</b> contagem' };

test('a locked table plays its round to the end, opens none, pays out, and stays locked over a restart', async (t) => {
  const kit = await open(t, 'T-LOCK');
  await kit.fund(1, 10_000);
  await kit.ready('TS 9H TD 8C');
  await kit.do({ type: 'open-betting' });
  await obeyed(kit, LOCK, () => kit.view.centre?.lock === 'caixa <b>&</b> contagem');
  await kit.do({
    type: 'place-bet',
    roundId: kit.roundId,
    seat: 1,
    bet: 'main',
    amountMinor: 10_000,
    touchedAtMs: kit.now(),
  });
  await kit.do({ type: 'close-betting' });
  await kit.draw(3);
  while (kit.step !== 'draw-for-bank') kit.passDeadline();
  await kit.draw();
  kit.passDeadline();
  await kit.do({ type: 'close-round' });
  assert.equal(kit.step, 'locked-by-centre');
  await kit.refused({ type: 'open-betting' }, 'centre-lock');
  await kit.restart();
  assert.equal(kit.view.centre?.lock, 'caixa <b>&</b> contagem', 'nothing but the ledger is needed for it');
  await kit.until('the link is up', () => kit.view.link.state === 'up');
  await kit.do({ type: 'request-cash-out', seat: 1 });
  const { requestId } = kit.seat(1).cashOut!;
  await kit.do({ type: 'confirm-hand-pay', seat: 1, requestId, credential: CREDENTIAL.attendant });
  assert.equal(kit.entries('centre-locked').length, 1);
  await obeyed(kit, { type: 'unlock' }, () => kit.view.centre === undefined);
  assert.deepEqual(
    kit.entries('centre-command').map(({ body }) => (body as { outcome: string }).outcome),
    ['taken', 'taken'],
  );
  assert.notEqual(kit.step, 'locked-by-centre');
  await kit.do({ type: 'open-betting' });
});

/** Status bytes of an ID-003 unit. */
const [IDLE, INHIBITED] = [0x11, 0x1a];
/** So long a simulated unit draws a note in. */
const ACCEPTING_MS = 500;

/**
 * The clock of the units; while it is held they stand in whatever state they are in, however long
 * until the host asks.
 */
class HeldClock implements DeviceClock {
  readonly after = hurried.after;
  #heldAtMs: number | null = null;
  #behindMs = 0;

  now(): number {
    return this.#heldAtMs ?? hurried.now() - this.#behindMs;
  }
  hold(): void {
    this.#heldAtMs = this.now();
  }
  pass(ms: number): void {
    this.#heldAtMs = this.now() + ms;
  }
  goOn(): void {
    this.#behindMs = hurried.now() - this.now();
    this.#heldAtMs = null;
  }
}

test('acceptors take what the centre lets them take, and say nothing false about it', async (t) => {
  const clock = new HeldClock();
  const kit = await open(t, 'T-NOTES', { rack: newRack(6, clock) });
  await kit.acceptorReady(1);
  await obeyed(kit, { type: 'denominations', acceptor: null, valuesMinor: [10_000] }, () =>
    kit.view.table.notesMinor.every((value) => value === 10_000),
  );
  await kit.fund(1, 10_000);
  await kit.acceptorReady(1);
  // The unit gives the note back in 37 ms, and the host looks ten times a second.
  clock.hold();
  await kit.hands({ do: 'insert-note', acceptor: 1, valueMinor: 50_000, currency: 'MOP' });
  clock.pass(ACCEPTING_MS);
  assert.equal(kit.rack.acceptor(1).status(), CODE.rejecting);
  await kit.until('it comes back', () => kit.entries('note-rejected-by-device').length === 1);
  clock.goOn();
  assert.equal(kit.seat(1).creditMinor, 10_000);
  const player = () => kit.view.devices.find(({ id }) => id === 'acceptor-2')?.player;
  await obeyed(kit, { type: 'acceptor-off', acceptor: 2 }, () => player() === 'no-notes');
  await kit.until('the gate is shut', () => kit.rack.acceptor(2).status() !== 0x11);
  await kit.restart();
  await kit.until(
    'the gate is shut again',
    () => player() === 'no-notes' && kit.rack.acceptor(2).status() !== 0x11,
  );
  await kit.until('the link is up', () => kit.view.link.state === 'up');
  await obeyed(kit, { type: 'acceptor-on', acceptor: 2 }, () => player() === null);
  await kit.fund(2, 10_000);
});

test('a message stands on the displays as plain text until its time is over', async (t) => {
  const kit = await open(t, 'T-WORDS');
  const text = { 'zh-Hant': '<b>稍候</b>', pt: 'Aguarde', en: 'Please wait' };
  const untilMs = kit.now() + 60_000;
  await obeyed(kit, { type: 'message', text, untilMs }, () => kit.view.centre?.message?.en === 'Please wait');
  assert.deepEqual(kit.view.centre, { lock: null, message: text });
  kit.offsetMs += 61_000;
  assert.equal(kit.view.centre, undefined);
});

test('a table of the centre is refused with its article, or waits for its person and the lawful moment', async (t) => {
  const kit = await open(t, 'T-TABLE');
  const tables = (): Promise<TablesPage> => kit.table.query({ query: 'tables' });
  const authorisations = z.json().parse(profileWith().authorisations);
  const game = { tableName: 'Evening', rulebook: 'macau-blackjack-2009', authorisations };
  const options = { min: 10_000, max: 500_000, step: 1_000 };
  await obeyed(
    kit,
    { type: 'config', name: 'unlawful', profile: { ...game, options: { ...options, decks: 13 } } },
    () => kit.entries('centre-table-refused').length === 1,
  );
  const { no, name, problems } = kit.last<{ no: number; name: string; problems: string[] }>(
    'centre-table-refused',
  );
  assert.deepEqual([no, name], [1, 'unlawful']);
  assert.match(problems.join(), /decks \(art\.1\.2\): 13 is not/);
  await obeyed(
    kit,
    { type: 'config', name: 'machine', profile: { ...game, options, terminalId: 'T-OTHER' } },
    () => kit.entries('centre-table-refused').length === 2,
  );
  const { profile } = kit.host.terminal.state;
  await obeyed(kit, { type: 'config', name: 'evening', profile: { ...game, options } }, () => true);
  assert.deepEqual(kit.host.terminal.state.profile, profile, 'nothing changes by itself');
  await kit.fund(1, 10_000);
  await kit.do({ type: 'enter-service', credential: CREDENTIAL.technician });
  const offered = (await tables()).tables.find((table) => table.name === 'centre');
  assert.deepEqual(
    [offered?.profile?.tableName, offered?.inForce, offered?.problems],
    ['Evening', false, []],
  );
  const change = { type: 'switch-table', table: 'centre', credential: CREDENTIAL.supervisor } as const;
  await kit.refused(change, 'not-allowed');
  await kit.do({ type: 'exit-service' });
  await kit.do({ type: 'request-cash-out', seat: 1 });
  const { requestId } = kit.seat(1).cashOut!;
  await kit.do({ type: 'confirm-hand-pay', seat: 1, requestId, credential: CREDENTIAL.attendant });
  await kit.do({ type: 'enter-service', credential: CREDENTIAL.technician });
  await kit.refused({ ...change, credential: CREDENTIAL.attendant }, 'person');
  await kit.do(change);
  const configured = kit.last<{ person: { id: string }; changes: unknown }>('table-configured');
  assert.equal(configured.person.id, 'S-01');
  assert.deepEqual(configured.changes, [
    { place: 'options.burnAtStart', from: 'one', to: null },
    { place: 'options.min', from: 5_000, to: 10_000 },
    { place: 'tableName', from: 'Test', to: 'Evening' },
  ]);
  await kit.restart();
  assert.equal(kit.view.table.name, 'Evening', 'a restart keeps it');
});

test('a roster of the centre: whoever is not on it is refused and shown out, with the network gone as well, and it ends', async (t) => {
  const kit = await open(t, 'T-STAFF');
  const HOUR_MS = 3_600_000;
  const listed = await people;
  const roster = async (list: readonly object[]): Promise<void> => {
    const path = join(root, 'roster.json');
    writeFileSync(path, JSON.stringify(list));
    const until = new Date(kit.now() + HOUR_MS).toISOString();
    await arrived(kit, (await handIn('T-STAFF', '--roster', path, '--until', until))['no']);
  };
  const signIn = (credential: Credential) => ({ type: 'sign-in-dealer', credential }) as const;
  const enter = (credential: Credential) => ({ type: 'enter-service', credential }) as const;
  const without = (...ids: string[]) => listed.filter(({ id }) => !ids.includes(id));

  await kit.ready('TS 9H TD 8C');
  await kit.fund(1, 10_000);
  await kit.deal({ 1: 10_000 });
  await kit.do(enter(CREDENTIAL.technician));
  const late = { ...listed[0]!, id: 'D-03', name: 'Wong Sio Mui', number: '31' };
  await roster([...without('D-01', 'T-01'), late]);
  await kit.until('the technician of the lost card is shown out', () => kit.view.service === null);
  await kit.refused(enter(CREDENTIAL.technician), 'person');
  assert.equal(kit.host.terminal.state.dealer?.id, 'D-01', 'a round that lies is played to its end');
  await kit.do({ type: 'void-round', reason: 'supervisor', credential: CREDENTIAL.supervisor });
  kit.passDeadline();
  await kit.do({ type: 'close-round' });
  await kit.until('the dealer is shown out', () => kit.host.terminal.state.dealer === null);
  await kit.refused(signIn(CREDENTIAL.dealer), 'person');
  await kit.do(signIn({ person: '31', pin: CREDENTIAL.dealer.pin }));

  const { changes } = kit.last<{ changes: { what: string; person: { id: string } }[] }>('people-changed');
  assert.deepEqual(changes.map(({ what, person }) => `${what} ${person.id}`).sort(), [
    'added D-03',
    'removed D-01',
    'removed T-01',
  ]);
  assert.equal(kit.entries('centre-command').length, 1, 'ledgered once');
  assert.doesNotMatch(readFileSync(kit.ledgerPath, 'latin1'), /scrypt\$/, 'and no hash of a PIN with it');

  // The network is gone, and the terminal starts again: the list lies beside the ledger.
  kit.upstream = null;
  await kit.restart();
  await kit.refused(enter(CREDENTIAL.technician), 'person');
  await kit.do(enter(CREDENTIAL.auditor));
  const page: PeoplePage = await kit.table.query({ query: 'people' });
  assert.deepEqual([page.roster?.no, page.people.length, page.closed], [1, listed.length - 1, null]);
  await kit.do({ type: 'exit-service' });
  kit.offsetMs += HOUR_MS + 1;
  assert.equal(kit.view.pinPad.closed, 'roster-ended');
  await kit.refused(enter(CREDENTIAL.auditor), 'person');

  kit.upstream = upstream;
  await kit.restart();
  await kit.until('the link is up', () => kit.view.link.state === 'up');
  await roster(without('T-01'));
  await kit.until('the new list', () => kit.view.pinPad.closed === undefined);
  await kit.do(enter(CREDENTIAL.auditor));
  await kit.do({ type: 'exit-service' });
  const folder = join(kit.dir, 'rosters');
  assert.equal(readdirSync(folder).length, 1, 'the one before is gone');
  rmSync(folder, { recursive: true });
  await kit.restart();
  assert.equal(kit.view.pinPad.closed, 'roster-missing', 'the people of the terminal file are not back');
  await kit.refused(enter(CREDENTIAL.technician), 'person');
});

test('maintenance: no round and no note follow, what waits is paid, and a technician or the centre ends it', async (t) => {
  const kit = await open(t, 'T-REST');
  const maintenance: CentreOrder = { type: 'maintenance', reason: 'filtro <i>novo</i>' };
  await kit.fund(1, 10_000);
  await kit.ready('TS 9H TD 8C');
  const { outcome } = await answered(kit, maintenance);
  assert.equal(outcome, 'done');
  const isShut = () => kit.view.devices.find(({ id }) => id === 'acceptor-1')?.player === 'no-notes';
  for (const life of ['this one', 'the next one']) {
    assert.equal(kit.view.centre?.maintenance, 'filtro <i>novo</i>', life);
    await kit.until('the gate is shut', isShut);
    await kit.refused({ type: 'open-betting' }, 'centre-lock');
    if (life === 'this one') await kit.restart();
  }
  await kit.until('the link is up', () => kit.view.link.state === 'up');
  await kit.do({ type: 'request-cash-out', seat: 1 });
  const { payNo } = kit.host.terminal.state.seats[0]!.cashOut!;
  const lei = { id: 'C-01', name: 'Lei Sok I', role: 'supervisor' } as const;
  const here = await answered(kit, {
    type: 'hand-pay-reset',
    payNo: payNo!,
    paid: { person: lei, second: null },
  });
  assert.match(`${here.outcome} ${here.detail}`, /^refused .*does not let the centre pay/);
  const { requestId } = kit.seat(1).cashOut!;
  await kit.do({ type: 'confirm-hand-pay', seat: 1, requestId, credential: CREDENTIAL.attendant });

  const end = { type: 'end-maintenance' } as const;
  await kit.do({ type: 'enter-service', credential: CREDENTIAL.auditor });
  await kit.refused(end, 'person');
  await kit.do({ type: 'exit-service' });
  await kit.do({ type: 'enter-service', credential: CREDENTIAL.technician });
  const link: LinkPage = await kit.table.query({ query: 'link' });
  assert.deepEqual(link.maintenance, { no: 1, reason: 'filtro <i>novo</i>' });
  await kit.do(end);
  await kit.refused(end, 'nothing-to-do');
  await kit.do({ type: 'exit-service' });
  assert.equal(kit.last<{ person: { id: string } }>('maintenance-ended').person.id, 'T-01');
  await kit.restart();
  assert.equal(kit.view.centre, undefined, 'the order that was ended does not come back');
  await kit.until('the link is up', () => kit.view.link.state === 'up');
  await answered(kit, maintenance);
  assert.equal((kit.view as TableView).centre?.maintenance, 'filtro <i>novo</i>', 'another one does');
  await answered(kit, { type: 'maintenance-end' });
  assert.equal(kit.view.centre, undefined);
  assert.equal(kit.last<{ person: null }>('maintenance-ended').person, null);
  assert.notEqual(kit.step, 'locked-by-centre');
});

test('what the centre asks is answered on the ledger and on its page: who it is, whether all is as it should be, its clock', async (t) => {
  const kit = await open(t, 'T-ASKED');
  const { no } = await order('T-ASKED', { type: 'identify' });
  const sentAtMs = performance.now();
  const who = (await answerTo(kit, no)).answer;
  t.diagnostic(`the answer was at the centre after ${Math.round(performance.now() - sentAtMs)} ms`);
  assert.ok(who?.what === 'identity');
  const { profile, bootId } = kit.host.terminal.state;
  const { id: softwareId } = await kit.software;
  const sum = (value: unknown) => createHash('sha256').update(canonicalize(value)!).digest('hex');
  assert.deepEqual([who.terminalId, who.bootId, who.softwareId], ['T-ASKED', bootId, softwareId]);
  assert.deepEqual(who.game, {
    tableName: 'Test',
    rulebook: 'macau-blackjack-2009',
    profileSha256: sum(profile),
    optionsSha256: sum(profile!.options),
  });
  assert.deepEqual(
    who.devices.map(({ device }) => device),
    kit.view.devices.map(({ id }) => id),
  );
  const unit = who.devices.find(({ device }) => device === 'acceptor-1')!.unit;
  assert.ok(unit.model !== '' && unit.firmware !== '', JSON.stringify(unit));

  const checked = await answered(kit, { type: 'verify' });
  assert.ok(checked.answer?.what === 'integrity' && checked.answer.passed, JSON.stringify(checked));
  assert.ok(checked.answer.headSeq > 0 && checked.answer.softwareId === softwareId);
  const commands = await commandsOf('T-ASKED');
  assert.ok(commands.includes(who.bootId) && commands.includes('&quot;passed&quot;:true'), commands);

  const faults = () => kit.host.terminal.state.faults.map(({ fault }) => fault);
  const right = (await answered(kit, { type: 'clock' })).answer;
  assert.ok(right?.what === 'clock' && right.offMs === 0 && faults().length === 0, JSON.stringify(right));
  kit.offsetMs += 10_000;
  const wrong = (await answered(kit, { type: 'clock' })).answer;
  assert.ok(wrong?.what === 'clock' && wrong.offMs === 10_000, JSON.stringify(wrong));
  assert.deepEqual(faults(), ['clock-off']);
  await kit.restart();
  assert.ok(faults().includes('clock-off'), 'it stands until the clock is right');
  kit.offsetMs -= 10_000;
  await kit.until('the clock is right', () => !faults().includes('clock-off'));
});

test('the level of the sound is in force on every display and over a restart', async (t) => {
  const kit = await open(t, 'T-SOUND');
  await assert.rejects(order('T-SOUND', { type: 'sound', least: 2, most: 1 }), /more than the most/);
  assert.equal(kit.view.sound, undefined);
  await answered(kit, { type: 'sound', least: 1, most: 1 });
  await kit.restart();
  assert.deepEqual(kit.view.sound, { least: 1, most: 1 });
});

test('a hand-pay that waits goes back to the credit, or was paid at the centre where the house lets it; killed in between, once', async (t) => {
  const kit = await open(t, 'T-PAY', { file: { centreMayPay: true } });
  const payNo = (): number => kit.host.terminal.state.seats[0]!.cashOut!.payNo!;
  const person = { id: 'C-01', name: 'Lei Sok I', role: 'supervisor' } as const;
  const second = { id: 'C-02', name: 'Rui Sá', role: 'attendant' } as const;
  const reset = (paid: Extract<CentreOrder, { type: 'hand-pay-reset' }>['paid'], no = payNo()) =>
    ({ type: 'hand-pay-reset', payNo: no, paid }) as const;
  await kit.fund(1, 100_000);
  await kit.fund(1, 50_000);
  await kit.do({ type: 'request-cash-out', seat: 1 });
  const alone = await answered(kit, reset({ person, second: null }));
  assert.match(alone.detail!, /^person: a second person must confirm/);
  const twice = await answered(kit, reset({ person, second: person }));
  assert.match(twice.detail!, /two different persons/);
  assert.equal((await answered(kit, reset(null))).outcome, 'done');
  assert.deepEqual([kit.seat(1).creditMinor, kit.balance('hand-pay')], [150_000, 0]);
  assert.deepEqual(kit.last<{ byOrder: unknown }>('cash-out-cancelled').byOrder, { no: 3, issuer: 'M. Lei' });

  await kit.do({ type: 'request-cash-out', seat: 1 });
  const paid = payNo();
  assert.equal((await answered(kit, reset({ person, second }))).outcome, 'done');
  assert.deepEqual([kit.seat(1).creditMinor, kit.balance('hand-pay')], [0, -150_000]);
  assert.deepEqual(kit.last<{ person: unknown }>('hand-paid').person, person);
  const again = await answered(kit, reset({ person, second }, paid));
  assert.match(again.detail!, /^nothing-to-do: no hand-pay with number 2 waits/);
  assert.match(await commandsOf('T-PAY'), /refused: nothing-to-do/);

  await kit.fund(1, 10_000);
  await kit.do({ type: 'request-cash-out', seat: 1 });
  const last = reset(null);
  await kit.stop();
  const { profile } = kit.host.terminal.state;
  writeFileSync(join(kit.dir, 'terminal.json'), JSON.stringify({ profile, people: await people }));
  const { no } = await order('T-PAY', last);
  const lives = livesIn(kit.dir);
  const cancelled = lives.count('cash-out-cancelled');
  for (const [when, kind] of [
    ['after', 'cash-out-cancelled'],
    ['before', 'centre-command-answered'],
  ] as const)
    assert.equal(await lives.live(null, when, kind), 'SIGKILL', `${when} ${kind}`);
  await kit.start();
  const { outcome } = await answerTo(kit, no);
  assert.deepEqual([outcome, kit.entries('cash-out-cancelled').length], ['done', cancelled + 1]);
  assert.equal(kit.seat(1).creditMinor, 10_000);
});

test('a list of exclusions of the centre takes the place of the file, works with the network gone, and a torn one answers nobody', async (t) => {
  const file = join(root, 'exclusions.json');
  const own = join(root, 'own-exclusions.json');
  writeFileSync(own, JSON.stringify(await makeExclusions(['OWN 1'])));
  const kit = await open(t, 'T-LIST', { file: { exclusions: own } });
  const check = async (document: string): Promise<string> => {
    const { attendant: credential } = CREDENTIAL;
    const answer = await kit.send({ type: 'check-exclusion', document, seat: null, credential });
    return answer.status === 'rejected' ? answer.code : answer.status;
  };
  const send = async (...documents: string[]): Promise<string> => {
    writeFileSync(file, JSON.stringify(await makeExclusions(documents)));
    const { no } = await handIn('T-LIST', '--exclusions', file);
    return (await answerTo(kit, no)).outcome;
  };
  assert.deepEqual([await check('OWN1'), await check('M1')], ['excluded', 'done']);
  // Longer than what other orders bring along: three megabytes.
  const long = await makeExclusions(['L-1']);
  const hashes = [...long.hashes, ...Array.from({ length: 45_000 }, () => randomBytes(32).toString('hex'))];
  writeFileSync(file, JSON.stringify({ ...long, hashes }));
  const { no: longNo } = await handIn('T-LIST', '--exclusions', file);
  assert.equal((await answerTo(kit, longNo)).outcome, 'done');
  assert.deepEqual([await check('OWN1'), await check('L1')], ['done', 'excluded']);
  assert.equal(await send('M-1', 'P-2'), 'done');
  assert.deepEqual([await check('OWN1'), await check('M1')], ['done', 'excluded']);
  kit.upstream = null;
  await kit.restart();
  assert.deepEqual([await check('OWN1'), await check('p 2')], ['done', 'excluded']);
  kit.upstream = upstream;
  await kit.restart();
  await kit.until('the link is up', () => kit.view.link.state === 'up');
  await send('P-2');
  assert.deepEqual([await check('M1'), await check('P2')], ['done', 'excluded']);
  const folder = join(kit.dir, 'exclusions');
  const [name, ...others] = readdirSync(folder);
  assert.deepEqual(others, [], 'the one before is gone');
  const text = readFileSync(join(folder, name!), 'utf8');
  writeFileSync(join(folder, name!), text.slice(0, -2));
  assert.equal(await check('P2'), 'off', 'half a list is none');
  assert.equal(await send('P-2'), 'done');
  assert.equal(await check('P2'), 'excluded');
  assert.doesNotMatch(readFileSync(kit.ledgerPath, 'latin1'), /banca-exclusions/, 'no hash is in the ledger');
});

test('what is forged, old, or for another terminal changes nothing and is on the ledger with its reason', async (t) => {
  if (server === null) return t.skip('the embedded database is open in the centre alone');
  const kit = await open(t, 'T-FORGED');
  await obeyed(kit, { type: 'unlock' }, () => true);
  const db = await openPostgres(server.url);
  t.after(() => db.close());
  const issuer = keyFromPrivate(createPrivateKey(readFileSync(keyFile)));
  const stranger = keyFromPrivate(generateKeyPairSync('ed25519').privateKey);
  const locking = { issuedAtMs: 0, notAfterMs: null, issuer: 'X', order: LOCK } as const;
  const bad = [
    signCommand({ ...locking, terminal: 'T-FORGED', no: 2 }, stranger),
    signCommand({ ...locking, terminal: 'T-OTHER', no: 2 }, issuer),
    signCommand({ ...locking, terminal: 'T-FORGED', no: 1 }, issuer),
  ];
  // Whoever has taken over the service may put what they like into its tables.
  for (const [i, { bytes, signature }] of bad.entries())
    await db.query(
      "INSERT INTO commands (terminal_id, no, type, bytes, signature) VALUES ('T-FORGED', $1, 'lock', $2, decode($3, 'hex'))",
      [2 + i, bytes, signature],
    );
  await speak(kit);
  await kit.until('all are refused', () => kit.entries('centre-command-refused').length === 3);
  assert.deepEqual(
    kit.entries('centre-command-refused').map(({ body }) => (body as { code: string }).code),
    ['forged', 'other-terminal', 'old'],
  );
  assert.equal(kit.view.centre, undefined);
  await kit.do({ type: 'enter-service', credential: CREDENTIAL.technician });
  const link: LinkPage = await kit.table.query({ query: 'link' });
  assert.deepEqual([link.takesCommands, link.lastCommand?.no, link.ownHash], [true, 1, link.lastAckHash]);
});

/** Lives of a host in a process of its own, and what its ledger has after them. */
function livesIn(dir: string) {
  const read = <T>(what: (reader: ReturnType<typeof openLedgerReader>) => T): T => {
    const reader = openLedgerReader(join(dir, 'ledger.db'));
    try {
      return what(reader);
    } finally {
      reader.close();
    }
  };
  const count = (kind: string): number =>
    read((reader) => reader.newest({ beforeSeq: null, limit: 1_000, kind }).length);
  /** The centre knows a terminal from its first call on. */
  const hasCalled = (): boolean => read((reader) => reader.acknowledged() !== null);
  /**
   * A life of the host: it dies as it was told, or is ended once `seen` is on its ledger. Its
   * signal.
   */
  const live = async (seen: string | null, ...death: readonly string[]): Promise<string | null> => {
    const child = fork(path('host-that-dies.ts'), [dir, upstream, ...death]);
    const exit = once(child, 'exit') as Promise<[number | null, string | null]>;
    await Promise.race([once(child, 'message'), exit]);
    while (seen !== null && (count(seen) === 0 || !hasCalled())) await sleep(50);
    if (seen !== null) child.disconnect();
    return (await exit)[1];
  };
  return { count, live };
}

test('killed before and after it has taken an order, before and after it has obeyed: carried out once', async () => {
  const dir = join(root, 'killed');
  mkdirSync(dir);
  const profile = profileWith({ terminalId: 'T-KILLED' });
  writeFileSync(join(dir, 'terminal.json'), JSON.stringify({ profile, people: await people }));
  enrol('T-KILLED', dir);
  const { count, live: life } = livesIn(dir);
  await life('terminal-started');
  await order('T-KILLED', LOCK);
  for (const [when, kind, taken, locked] of [
    ['before', 'centre-command', 0, 0],
    ['after', 'centre-command', 1, 0],
    ['before', 'centre-locked', 1, 0],
    ['after', 'centre-locked', 1, 1],
  ] as const) {
    assert.equal(await life(null, when, kind), 'SIGKILL');
    assert.deepEqual([count('centre-command'), count('centre-locked')], [taken, locked], `${when} ${kind}`);
  }
  await life('centre-locked');
  assert.deepEqual([count('centre-command'), count('centre-locked')], [1, 1]);
  assert.equal(verifyLedger(join(dir, 'ledger.db')).problem, '');
});

test('701: a centre that does not take this terminal is a fault with its reason, and its end says how long it was', async (t) => {
  const kit = await TestTerminal.open(t, {
    upstream,
    profile: { terminalId: 'T-UNKNOWN' },
    file: { limits: { ...LIMITS, linkLostMs: 1_000 } },
  });
  const faults = () => kit.host.terminal.state.faults;
  await kit.until('the fault', () => faults().some(({ fault }) => fault === 'link-down'));
  assert.match(faults()[0]?.place ?? '', /unknown|enrol/i);
  enrol('T-UNKNOWN', kit.dir);
  await kit.until('its end', () => faults().length === 0);
  const cleared = kit.entries('fault-cleared').at(-1)!;
  assert.deepEqual(codesOf(cleared), [{ code: '701C', class: 'N' }]);
  assert.ok((cleared.body as { forMs: number }).forMs > 0);
  await kit.until('both are at the centre', () => kit.view.link.ackedSeq >= cleared.seq);
});

test('D2: what may come in is changed by the link alone, without a word of the table, down to the unit', async (t) => {
  const kit = await open(t, 'T-LIVE');
  await kit.acceptorReady(1);
  await kit.until('everything is at the centre', () => kit.view.link.ackedSeq === kit.headSeq);
  const seq = kit.headSeq;
  const taken = (valueMinor: number): boolean =>
    kit.rack.acceptor(1).insert(valueMinor, 'MOP').taken && kit.rack.acceptor(1).inPath() !== null;
  await order('T-LIVE', { type: 'denominations', acceptor: 1, valuesMinor: [10_000] });
  await kit.until('the order is on the ledger', () => kit.entries('notes-limited', seq).length === 1);
  assert.deepEqual(
    kit.entries(null, seq).flatMap(({ kind }) => (kind.startsWith('centre-command') ? [kind] : [])),
    ['centre-command', 'centre-command-answered'],
  );
  await kit.until('the unit gives 500 back', () => {
    if (kit.rack.acceptor(1).status() === IDLE) taken(50_000);
    return kit.rack.acceptor(1).givenBack().length > 0;
  });
  await kit.fund(1, 10_000);
  await order('T-LIVE', { type: 'denominations', acceptor: 1, valuesMinor: [] });
  await kit.until('the unit is shut', () => kit.rack.acceptor(1).status() === INHIBITED);
  await order('T-LIVE', { type: 'denominations', acceptor: 1, valuesMinor: [50_000] });
  await kit.fund(1, 50_000);
});

test('D2: an acceptor that has shut after its note is opened by each order to switch it on, once', async (t) => {
  const kit = await TestTerminal.open(t, {
    upstream,
    profile: { terminalId: 'T-ONE-BY-ONE', shutAfterNote: true },
  });
  enrol('T-ONE-BY-ONE', kit.dir);
  const isShut = () => kit.until('shut', () => kit.rack.acceptor(1).status() === INHIBITED);
  await kit.until('the link is up', () => kit.view.link.state === 'up');
  await kit.fund(1, 50_000);
  await isShut();
  for (const acceptor of [1, null]) {
    assert.equal((await answered(kit, { type: 'acceptor-on', acceptor })).outcome, 'done');
    await kit.fund(1, 10_000);
    await isShut();
    // The order is obeyed, and not again with the next life.
    await kit.restart();
    await isShut();
    await kit.until('the link is up', () => kit.view.link.state === 'up');
  }
  assert.deepEqual(
    kit.entries('acceptor-opened').map(({ body }) => (body as { byOrder: unknown }).byOrder),
    [1, 2].map((no) => ({ no, issuer: 'M. Lei' })),
  );
});
