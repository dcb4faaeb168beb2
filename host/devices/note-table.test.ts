/**
 * The table of notes of a unit that nobody here wrote: what it takes until, and after, a technician
 * has fed each note, compared and signed.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Person, PersonRole } from '../../engine/table/inputs.ts';
import { createId003 } from '../../hardware/bill-acceptor/id003/id003.driver.ts';
import { Id003Sim } from '../../hardware/bill-acceptor/id003/id003.sim.ts';
import type { Id003Options } from '../../hardware/bill-acceptor/id003/id003-options.ts';
import { HandClock } from '../../hardware/transport/clock.ts';
import { loadOrCreateKey, openLedger } from '../../ledger/store/ledger.store.ts';
import { realUnit } from '../../test/kits/real-unit.ts';
import { SILENT_SHOE } from '../../test/kits/silent-shoe.ts';
import { linesTo } from '../../test/kits/till.ts';
import { readTerminalFile } from '../config/terminal-file.ts';
import { Terminal } from '../table/terminal.ts';
import { Devices } from './devices.ts';

const { profile } = readTerminalFile(new URL('../profiles/demo.json', import.meta.url).pathname);
const IDLE = 0x11;
const DISABLED = 0x1a;
const ESCROW = 0x13;
const A100 = 10_000;
const A500 = 50_000;

const person = (role: PersonRole): Person => ({ id: `P-${role}`, name: role, role });

interface Fitted {
  /** Null: it says that it is a simulator. */
  readonly version?: string | null;
  readonly simulatorsAllowed?: boolean;
  readonly currencies?: readonly string[];
  readonly options?: Id003Options;
  /** The unit of the life before. */
  readonly keepsUnit?: boolean;
}

/** Real driver, terminal and ledger; each life of the host may find another unit. */
class Place {
  readonly clock = new HandClock();
  readonly dir = mkdtempSync(join(tmpdir(), 'banca-note-table-'));
  sim!: Id003Sim;
  terminal!: Terminal;
  devices!: Devices;
  #close: () => Promise<void> = async () => {};
  #signed = 0;

  constructor(t: TestContext) {
    t.after(async () => {
      await this.#close();
      rmSync(this.dir, { recursive: true, force: true });
    });
  }

  async life(fitted: Fitted = {}) {
    const { version = 'UBA V9.9', simulatorsAllowed = false, options, currencies, keepsUnit } = fitted;
    await this.#close();
    const { clock } = this;
    const ledger = openLedger(join(this.dir, 'ledger.db'), {
      terminalId: profile.terminalId,
      key: loadOrCreateKey(this.dir),
      createIfMissing: true,
    });
    const terminal = new Terminal({ ledger, now: () => 1_760_000_000_000 + clock.now(), log: () => {} });
    terminal.submit({ type: 'configure', profile, person: null });
    terminal.start(`boot-${ledger.head().seq}`, 'test');
    if (keepsUnit !== true) this.sim = new Id003Sim({ clock, currencies: currencies ?? ['MOP', 'HKD'] });
    const open = version === null ? linesTo(this.sim, clock) : realUnit(this.sim, clock, { version });
    const devices = new Devices({
      terminal,
      acceptors: new Map([[1, createId003('acceptor-1', open, clock, options)]]),
      shoe: SILENT_SHOE,
      log: () => {},
      clock,
      simulatorsAllowed,
    });
    devices.start(() => {});
    this.terminal = terminal;
    this.devices = devices;
    this.#close = async () => {
      await devices.stop();
      terminal.close();
      ledger.close();
    };
    await clock.turn(4000);
    return this;
  }

  /** Of the acceptor. */
  faults = (): string[] => this.devices.faults('acceptor-1').map(({ fault }) => fault);

  service(on: boolean): void {
    const outcome = this.terminal.submit(
      on ? { type: 'enter-service', person: person('technician') } : { type: 'exit-service' },
    );
    assert.equal(outcome.status, 'done', JSON.stringify(outcome));
  }

  /** Touches `touched` on the page and feeds that note; what the page then says. */
  async feeds(touched: number, valueMinor: number, currency = 'MOP') {
    const outcome = this.devices.tryNote('acceptor-1', touched);
    assert.equal(outcome.status, 'done', JSON.stringify(outcome));
    await this.clock.turnUntil('open', () => this.sim.status() === IDLE, 20_000);
    assert.deepEqual(this.sim.insert(valueMinor, currency), { taken: true });
    const back = this.sim.givenBack().length;
    await this.clock.turnUntil('given back', () => this.sim.givenBack().length === back + 1, 20_000);
    await this.clock.turnUntil('at rest', () => this.sim.status() === IDLE, 20_000);
    return this.page()?.trial?.last ?? null;
  }

  page = () => this.devices.notes('acceptor-1');

  sign() {
    const by = [person('technician')];
    this.#signed += 1;
    return this.devices.release('acceptor-1', 'notes-unconfirmed', by, `sign-${this.#signed}`);
  }

  confirmations() {
    return this.terminal.ledger
      .newest({ beforeSeq: null, limit: 100, kind: 'notes-confirmed' })
      .map(({ body }) => body as { persons: Person[]; notes: { said: string }[] });
  }

  credit = (): number => this.terminal.state.seats[0]!.creditMinor;

  async takes(valueMinor: number): Promise<void> {
    const before = this.credit();
    await this.clock.turnUntil('open', () => this.sim.insert(valueMinor, 'MOP').taken, 20_000);
    await this.clock.turnUntil('credited', () => this.credit() === before + valueMinor, 20_000);
    await this.clock.turnUntil('at rest', () => this.sim.status() === IDLE, 20_000);
  }
}

test('323: no default guesses money: a real unit takes nothing before its table is confirmed', async (t) => {
  const b = await new Place(t).life();
  assert.deepEqual(b.faults(), ['notes-unconfirmed']);
  assert.equal(b.sim.status(), DISABLED);
  assert.deepEqual(b.sim.insert(A100, 'MOP'), { taken: false, why: 'inhibited' });
  assert.equal(b.page()?.persons, null);
  assert.deepEqual(b.page()?.rows[3], {
    said: '64 4d 01 02',
    valueMinor: A100,
    currency: null,
    counts: null,
  });
  const refused = (valueMinor: number | null): string => {
    const outcome = b.devices.tryNote('acceptor-1', valueMinor);
    return outcome.status === 'rejected' ? outcome.code : outcome.status;
  };
  assert.equal(refused(A100), 'service', 'in service mode alone');
  b.service(true);
  assert.equal(refused(12_345), 'malformed', 'a note of the table in force');
  assert.equal(b.sign().status, 'rejected', 'nothing was tried yet');

  const agrees = await b.feeds(A100, A100);
  assert.equal(agrees?.says, 'agrees');
  assert.equal(agrees?.row?.said, '64 4d 01 02');
  assert.equal((await b.feeds(A500, A100))?.says, 'other-value');
  assert.equal(b.page()?.rows[3]?.counts, null, 'what was contradicted counts no more');
  assert.equal(b.sign().status, 'rejected');
  assert.equal((await b.feeds(A100, A100))?.says, 'agrees');
  assert.equal((await b.feeds(A500, A500))?.says, 'agrees');
  assert.equal(b.credit(), 0);
  assert.deepEqual(b.sim.cashBox(), []);
  assert.equal(b.devices.tryNote('acceptor-1', null).status, 'done');
  await b.clock.turn(1000);
  assert.equal(b.sim.status(), DISABLED, 'the mouth is shut again');

  assert.equal(b.sign().status, 'done');
  assert.deepEqual(b.faults(), []);
  const [signed] = b.confirmations();
  assert.deepEqual(signed?.persons, [person('technician')]);
  assert.deepEqual(signed?.notes, [
    { said: '64 4d 01 02', currency: 'MOP', valueMinor: A100 },
    { said: '65 4d 05 02', currency: 'MOP', valueMinor: A500 },
  ]);
  assert.equal(b.confirmations().length, 1);
  b.service(false);
  await b.takes(A100);
  await b.takes(A500);
  // 1000 was not tried, and HKD 100 is a row of its own: they come back.
  for (const [value, currency] of [
    [100_000, 'MOP'],
    [A100, 'HKD'],
  ] as const) {
    const back = b.sim.givenBack().length;
    assert.deepEqual(b.sim.insert(value, currency), { taken: true });
    await b.clock.turnUntil('given back', () => b.sim.givenBack().length === back + 1, 20_000);
    await b.clock.turnUntil('at rest', () => b.sim.status() === IDLE, 20_000);
  }
  assert.equal(b.credit(), A100 + A500);

  // Over a restart, and on a spare unit of the same software.
  await b.life();
  assert.deepEqual(b.faults(), []);
  await b.takes(A100);
});

test('323: other software, or another table, is confirmed anew; what was tried and not signed counts for nothing', async (t) => {
  const b = await new Place(t).life();
  b.service(true);
  await b.feeds(A100, A100);
  b.service(false);
  assert.equal(b.page()?.trial, null);
  await b.clock.turn(1000);
  assert.equal(b.sim.status(), DISABLED);
  assert.deepEqual([b.confirmations().length, b.faults()], [0, ['notes-unconfirmed']]);
  b.service(true);
  assert.equal(b.sign().status, 'rejected');
  await b.feeds(A100, A100);
  assert.equal(b.sign().status, 'done');
  b.service(false);
  for (const other of [{ version: 'UBA V10.0' }, { currencies: ['HKD', 'MOP'] }]) {
    await b.life(other);
    assert.ok(b.faults().includes('notes-unconfirmed'), JSON.stringify(other));
    assert.deepEqual(b.sim.insert(A100, 'MOP'), { taken: false, why: 'inhibited' });
  }
});

test('323: a confirmed table is tried again: no note meanwhile, and the old rows stand until they are contradicted', async (t) => {
  const b = await new Place(t).life();
  b.service(true);
  await b.feeds(A100, A100);
  assert.equal(b.sign().status, 'done');
  assert.equal((await b.feeds(A500, A500))?.says, 'agrees');
  assert.deepEqual(b.faults(), ['notes-unconfirmed']);
  assert.equal(b.sign().status, 'done');
  assert.deepEqual(
    b.confirmations()[0]?.notes.map(({ said }) => said),
    ['64 4d 01 02', '65 4d 05 02'],
  );
  // Begun and left: the technician's word ends it, the last signature stands.
  await b.feeds(A100, A500);
  b.service(false);
  b.service(true);
  assert.deepEqual(b.faults(), ['notes-unconfirmed']);
  assert.equal(b.sign().status, 'done');
  assert.equal(b.confirmations().length, 2);
  b.service(false);
  await b.takes(A100);
});

test('323: a unit, or options, that name another currency than the table’s cannot be confirmed', async (t) => {
  const b = await new Place(t).life({ options: { countries: { 77: 'CRC' } } });
  b.service(true);
  const last = await b.feeds(A100, A100);
  assert.deepEqual([last?.says, last?.row?.currency], ['other-currency', 'CRC']);
  assert.equal(b.sign().status, 'rejected');
});

test('a note under way keeps its record over a restart of the host: the confirmed row counts at once', async (t) => {
  const b = await new Place(t).life();
  b.service(true);
  await b.feeds(A100, A100);
  b.sign();
  b.service(false);
  await b.takes(A100);
  const { sim } = b;
  // What is said to the unit from the commit on does not reach it.
  b.terminal.onCommit(({ entries }) => {
    if (entries.some(({ kind }) => kind === 'note-stack-requested')) sim.fault('silence');
  });
  await b.clock.turnUntil('open', () => sim.insert(A100, 'MOP').taken, 20_000);
  await b.clock.turnUntil('asked for', () => b.terminal.state.notes.length === 1, 20_000);
  assert.equal(sim.status(), ESCROW, 'STACK has not reached it');
  await b.life({ keepsUnit: true });
  await b.clock.turnUntil('credited', () => b.credit() === 2 * A100, 20_000);
  assert.deepEqual(b.terminal.state.heldNotes, []);
  assert.equal(sim.cashBox().length, 2);
});

test('the demonstration confirms its simulators by itself, and for itself alone', async (t) => {
  const b = await new Place(t).life({ version: null, simulatorsAllowed: true });
  assert.deepEqual(b.faults(), []);
  assert.deepEqual(b.confirmations()[0]?.persons, []);
  await b.takes(A100);
  await b.life({ version: null, simulatorsAllowed: true });
  assert.equal(b.confirmations().length, 1);
  await b.takes(A100);
  // A real unit whose table reads the same, on the ledger of that demonstration.
  await b.life();
  assert.ok(b.faults().includes('notes-unconfirmed'));
  assert.deepEqual(b.sim.insert(A100, 'MOP'), { taken: false, why: 'inhibited' });
});
