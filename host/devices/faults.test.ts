import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Person, PersonRole } from '../../engine/table/inputs.ts';
import { FAILURE_CODE, REJECT_REASON } from '../../hardware/bill-acceptor/id003/id003.codec.ts';
import { createId003 } from '../../hardware/bill-acceptor/id003/id003.driver.ts';
import { Id003Sim, type Id003SimOptions } from '../../hardware/bill-acceptor/id003/id003.sim.ts';
import type { CardShoe, ShoeEvent } from '../../hardware/ports.ts';
import { HandClock } from '../../hardware/transport/clock.ts';
import { loadOrCreateKey, openLedger } from '../../ledger/store/ledger.store.ts';
import { linesTo } from '../../test/kits/till.ts';
import { FAULTS, type FaultId, personsFor } from '../../wire/faults.ts';
import { readTerminalFile } from '../config/terminal-file.ts';
import { Terminal } from '../table/terminal.ts';
import { stopsNotes } from '../watches/faults.ts';
import { LIMITS } from '../watches/limits.ts';
import { Devices } from './devices.ts';

const { profile } = readTerminalFile(new URL('../profiles/demo.json', import.meta.url).pathname);
const IDLE = 0x11;
const INHIBITED = 0x1a;
const NOTE = 50_000;

const person = (role: PersonRole): Person => ({ id: `P-${role}`, name: role, role });

/** Real driver, terminal and ledger around a simulated unit; the shoe says what the test says. */
class SetUp {
  readonly clock = new HandClock();
  readonly dir = mkdtempSync(join(tmpdir(), 'banca-faults-'));
  sim: Id003Sim;
  terminal!: Terminal;
  devices!: Devices;
  say: (event: ShoeEvent) => void = () => {};
  #close: () => Promise<void> = async () => {};

  constructor(t: TestContext, sim: Partial<Id003SimOptions> = {}) {
    this.sim = new Id003Sim({ clock: this.clock, ...sim });
    t.after(async () => {
      await this.#close();
      rmSync(this.dir, { recursive: true, force: true });
    });
  }

  async start(nearFullNotes = LIMITS.nearFullNotes): Promise<this> {
    const { clock } = this;
    const ledger = openLedger(join(this.dir, 'ledger.db'), {
      terminalId: profile.terminalId,
      key: loadOrCreateKey(this.dir),
      createIfMissing: true,
    });
    const terminal = new Terminal({ ledger, now: () => 1_760_000_000_000 + clock.now(), log: () => {} });
    terminal.submit({ type: 'configure', profile, person: null });
    terminal.start(`boot-${ledger.head().seq}`, 'test');
    const shoe: CardShoe = {
      id: 'shoe',
      model: 'none',
      capabilities: { ack: true, replay: true, auth: false, targets: false, loading: true },
      simulated: false,
      start: (listener) => {
        this.say = listener;
      },
      stop: async () => {},
      acknowledge: () => {},
      lock: () => {},
      rereads: false,
      readAgain: () => {},
      frames: () => [],
      forget: () => {},
    };
    const acceptor = createId003('acceptor-1', linesTo(this.sim, clock), clock);
    const devices = new Devices({
      terminal,
      acceptors: new Map([[1, acceptor]]),
      shoe,
      log: () => {},
      clock,
      simulatorsAllowed: true,
      limits: { ...LIMITS, nearFullNotes },
    });
    this.terminal = terminal;
    this.devices = devices;
    devices.start(() => {});
    this.say({ type: 'link', link: 'up' });
    this.#close = async () => {
      await devices.stop();
      terminal.close();
      ledger.close();
    };
    await clock.turn(3000);
    return this;
  }

  /** Another unit on the same line after a restart of the host. */
  async restart(sim: Partial<Id003SimOptions>): Promise<void> {
    await this.#close();
    this.sim = new Id003Sim({ clock: this.clock, ...sim });
    await this.start();
  }

  faults(): string[] {
    return this.terminal.state.faults.map(({ fault }) => fault);
  }

  entries(kind: string): Record<string, unknown>[] {
    const { ledger } = this.terminal;
    return ledger
      .newest({ beforeSeq: null, limit: 10_000, kind })
      .map(({ body }) => body as Record<string, unknown>);
  }

  async until(what: string, holds: () => boolean): Promise<void> {
    await this.clock.turnUntil(`${what} (${this.faults().join(', ')})`, holds, 120_000);
  }

  async insert(): Promise<void> {
    await this.until('idle', () => this.sim.status() === IDLE);
    assert.deepEqual(this.sim.insert(NOTE, 'MOP'), { taken: true });
  }

  /** A note goes in, is stacked and credited: all is well again. */
  async takesNotes(): Promise<void> {
    const before = this.terminal.state.seats[0]!.creditMinor;
    await this.insert();
    await this.until('credit', () => this.terminal.state.seats[0]!.creditMinor === before + NOTE);
    await this.until('rest', () => this.sim.status() === IDLE);
  }

  async beyond(): Promise<void> {
    await this.insert();
    await this.until('beyond return', () => this.sim.inPath()?.beyond === true);
  }
}

interface Scenario {
  readonly strike: (b: SetUp) => Promise<void>;
  /** What takes the cause away; persons, where the row names some, end the fault afterwards. */
  readonly heal: (b: SetUp) => void | Promise<void>;
}

/** How each fault of an acceptor is provoked at the simulator. */
const SCENARIOS: Readonly<Record<string, Scenario>> = {
  'acceptor-offline': {
    strike: async (b) => {
      b.sim.silenceMs = 30_000;
      b.sim.fault('silence');
    },
    heal: () => {},
  },
  'acceptor-jammed': {
    strike: async (b) => {
      await b.insert();
      b.sim.fault('jam');
    },
    heal: (b) => b.sim.fault('clear-jam'),
  },
  'stacker-jammed': {
    strike: async (b) => {
      await b.beyond();
      b.sim.fault('jam');
    },
    heal: async (b) => {
      b.sim.fault('clear-jam');
      await b.until('the case', () => b.terminal.state.heldNotes.length === 1);
      resolve(b, false);
    },
  },
  'cash-box-full': { strike: async (b) => b.sim.fault('full'), heal: (b) => void b.sim.emptyBox() },
  'cash-box-removed': {
    strike: async (b) => b.sim.fault('cassette-out'),
    heal: (b) => b.sim.fault('cassette-in'),
  },
  'acceptor-paused': {
    strike: async (b) => {
      await b.insert();
      b.sim.fault('pause');
    },
    heal: async (b) => {
      b.sim.fault('go-on');
      await b.until('credit', () => b.terminal.state.notes.length === 0);
    },
  },
  'acceptor-cheated': {
    strike: async (b) => {
      await b.insert();
      await b.until('escrow', () => b.sim.status() === 0x13);
      b.sim.fault('cheat');
    },
    heal: async (b) => {
      await b.until('the case, if STACK had left', () => b.terminal.state.notes.length === 0);
      if (b.terminal.state.heldNotes.length > 0) resolve(b, false);
    },
  },
  'acceptor-rejects': {
    strike: async (b) => {
      for (let i = 0; i < LIMITS.mostRejects; i++) {
        b.sim.fault('reject', 0x72);
        await b.insert();
        await b.until('back', () => b.sim.givenBack().length === i + 1);
      }
    },
    heal: () => {},
  },
  'acceptor-failed': { strike: async (b) => b.sim.fault('failure'), heal: (b) => b.sim.fault('repair') },
  'acceptor-sequence': {
    strike: async (b) => {
      b.sim.fault('stacked-first');
      await b.insert();
    },
    heal: async (b) => {
      await b.until('the case', () => b.terminal.state.heldNotes.length === 1);
      assert.equal(b.terminal.state.seats[0]?.creditMinor, 0, 'nothing is credited');
      resolve(b, true);
    },
  },
  'note-in-doubt': {
    strike: async (b) => {
      await b.beyond();
      b.sim.fault('forget-credit');
      b.sim.powerOff();
      b.sim.powerOn();
    },
    heal: (b) => resolve(b, true),
  },
};

function resolve(b: SetUp, credit: boolean): void {
  const [held] = b.terminal.state.heldNotes;
  const outcome = b.terminal.submit({
    type: 'resolve-held-note',
    caseNo: held?.caseNo ?? 0,
    outcome: credit ? 'credited' : 'returned',
    reason: 'seen-in-box',
    words: '',
    person: person('attendant'),
    second: person('supervisor'),
  });
  assert.equal(outcome.status, 'done', JSON.stringify(outcome));
}

for (const [id, { strike, heal }] of Object.entries(SCENARIOS))
  test(`${FAULTS[id as FaultId].code} ${id}: told, shut where it must be, ended by whom it must be`, async (t) => {
    const b = await new SetUp(t).start();
    await strike(b);
    await b.until(id, () => b.faults().includes(id));
    assert.deepEqual(
      b
        .entries('fault-reported')
        .filter(({ fault }) => fault === id)
        .map(({ device, place }) => [device, place]),
      [['acceptor-1', 'acceptor 1']],
    );
    const [told] = b.devices.faults('acceptor-1').filter(({ fault }) => fault === id);
    assert.deepEqual([told?.code, told?.level], [FAULTS[id as FaultId].code, FAULTS[id as FaultId].level]);
    if (stopsNotes(id)) {
      const [last] = b.entries('acceptors-gated');
      const gates = (last?.['gates'] ?? []) as { shut: string | null }[];
      assert.ok(gates[0]?.shut, 'its gate is shut, and the ledger says so');
    }
    const persons = personsFor(id);
    const release = (by: readonly Person[]) =>
      b.devices.release('acceptor-1', id, by, `end-${id}-${by.length}`);
    if (persons.length > 0 && told?.canBeEnded === false)
      assert.equal(release([person('attendant')]).status, 'rejected', 'its cause is still there');

    await heal(b);
    if (persons.length === 0) await b.until('cleared by itself', () => !b.faults().includes(id));
    else {
      await b.until(
        'its cause is gone',
        () => b.devices.faults('acceptor-1').find(({ fault }) => fault === id)?.canBeEnded === true,
      );
      await b.clock.turn(20_000);
      assert.ok(b.faults().includes(id), 'it waits for its persons');
      if (stopsNotes(id)) assert.equal(b.sim.status(), INHIBITED, 'and no note is taken');
      const by = persons.map(([role]) => person(role!));
      assert.equal(release(by).status, 'done');
      assert.deepEqual(b.entries('fault-cleared')[0]?.['persons'], by);
      assert.equal(release(by).status, 'rejected', 'once');
    }
    await b.until('no fault', () => b.faults().length === 0);
    await b.takesNotes();
    assert.equal(b.faults().length, 0);
  });

test('307 cash-box-near-full: a notice, notes go on; the box taken out ends it', async (t) => {
  const b = await new SetUp(t).start(3);
  await b.takesNotes();
  await b.takesNotes();
  assert.deepEqual(b.faults(), []);
  await b.takesNotes();
  await b.until('near full', () => b.faults().includes('cash-box-near-full'));
  await b.takesNotes();
  b.sim.fault('cassette-out');
  await b.until('removed', () => b.faults().includes('cash-box-removed'));
  assert.equal(b.sim.emptyBox().length, 4);
  await b.until('no fault', () => b.faults().length === 0);
  assert.deepEqual(
    b
      .entries('fault-cleared')
      .map(({ fault }) => fault)
      .toSorted(),
    ['cash-box-near-full', 'cash-box-removed'],
  );
  assert.deepEqual(b.terminal.state.boxNotes, [0]);
});

test('320 acceptor-changed: another table of notes or firmware takes nothing until two persons have accepted it', async (t) => {
  const b = await new SetUp(t).start();
  await b.takesNotes();
  assert.deepEqual(
    b.entries('unit-accepted').map(({ persons }) => persons),
    [[]],
    'the first unit is taken as it is',
  );
  for (const other of [{ firmware: 'ID003-2.0' }, { firmware: 'ID003-2.0', currencies: ['MOP'] }]) {
    await b.restart(other);
    assert.deepEqual(b.faults(), ['acceptor-changed']);
    assert.equal(b.sim.status(), INHIBITED);
    await b.restart(other);
    assert.deepEqual(b.faults(), ['acceptor-changed'], 'a restart does not end it');
    const by = [person('technician'), person('supervisor')];
    assert.equal(
      b.devices.release('acceptor-1', 'acceptor-changed', by, `accept-${JSON.stringify(other).length}`)
        .status,
      'done',
    );
    assert.deepEqual(b.entries('unit-accepted')[0]?.['persons'], by);
    await b.takesNotes();
    await b.restart(other);
    assert.deepEqual(b.faults(), [], 'accepted is accepted');
    await b.takesNotes();
  }
  assert.equal(b.entries('unit-accepted').length, 3);
});

test('315: refusals further apart than five minutes, and those of our own gate, are no sign of anything', async (t) => {
  const b = await new SetUp(t).start();
  for (let i = 0; i < LIMITS.mostRejects + 2; i++) {
    b.sim.fault('reject', 0x72);
    await b.insert();
    await b.clock.turn(LIMITS.rejectsWithinMs / (LIMITS.mostRejects - 2));
  }
  for (let i = 0; i < LIMITS.mostRejects; i++) {
    b.sim.fault('reject', 0x79);
    await b.insert();
    await b.clock.turn(3000);
  }
  assert.deepEqual(b.faults(), []);
});

test('304: each of the reasons of a refusal, and 309: each failure, has its name', async (t) => {
  const b = await new SetUp(t).start();
  for (const code of Object.keys(REJECT_REASON).map(Number)) {
    b.sim.fault('reject', code);
    await b.insert();
    await b.clock.turn(3000);
    if (b.faults().includes('acceptor-rejects'))
      b.devices.release('acceptor-1', 'acceptor-rejects', [person('attendant')], `end-${code}`);
  }
  assert.deepEqual(
    b
      .entries('note-rejected-by-device')
      .map(({ reason }) => reason)
      .toReversed(),
    Object.values(REJECT_REASON),
  );
  for (const code of Object.keys(FAILURE_CODE).map(Number)) {
    b.sim.fault('failure', code);
    await b.until('failed', () => b.faults().includes('acceptor-failed'));
    b.sim.fault('repair');
    await b.until('may be ended', () => b.devices.faults('acceptor-1')[0]?.canBeEnded === true);
    b.devices.release('acceptor-1', 'acceptor-failed', [person('technician')], `fail-${code}`);
  }
  assert.equal(
    b.entries('fault-reported').filter(({ fault }) => fault === 'acceptor-failed').length,
    Object.keys(FAILURE_CODE).length,
  );
});

test('a credit signal that comes again, and a coupon: recorded, nothing credited', async (t) => {
  const b = await new SetUp(t, { unknownCommands: [0xc7] }).start();
  b.sim.fault('repeat-credit');
  await b.takesNotes();
  await b.clock.turn(2000);
  assert.equal(b.entries('note-credit-repeated').length, 1);
  assert.equal(b.entries('note-credited').length, 1);
  await b.until('idle', () => b.sim.status() === IDLE);
  assert.deepEqual(b.sim.insertCoupon('012345678901234567'), { taken: true });
  await b.until('given back', () => b.entries('note-rejected-by-device').length === 1);
  assert.deepEqual(
    b.entries('note-rejected-by-device').map(({ reason }) => reason),
    ['barcode'],
  );
  await b.takesNotes();
  assert.deepEqual(b.faults(), []);
  assert.deepEqual(b.terminal.state.heldNotes, []);
});

test('311 with a note that never gets its last word: held after a minute, and found when the unit is back', async (t) => {
  const b = await new SetUp(t).start();
  await b.insert();
  await b.until('stacking', () => b.sim.status() === 0x14);
  b.sim.fault('stall');
  await b.until('the case', () => b.terminal.state.heldNotes.length === 1);
  assert.equal(b.terminal.state.heldNotes[0]?.why, 'no-word');
  b.sim.fault('go-on');
  await b.until('it lies in the box', () => b.terminal.state.heldNotes[0]?.inBox === true);
  assert.equal(b.terminal.state.seats[0]?.creditMinor, 0);
  resolve(b, true);
  assert.equal(b.terminal.state.seats[0]?.creditMinor, NOTE);
  await b.until('no fault', () => b.faults().length === 0);
  await b.takesNotes();
});

test('410 shoe-no-feed: a card is due and none comes; the next one ends it', async (t) => {
  const b = await new SetUp(t).start();
  const { terminal } = b;
  const must = (input: Parameters<Terminal['submit']>[0]): void => {
    const outcome = terminal.submit(input);
    assert.equal(outcome.status, 'done', JSON.stringify([input, outcome]));
  };
  must({ type: 'sign-in-dealer', person: person('dealer') });
  b.say({ type: 'identity', identity: { model: 'x', serial: 'S-1', firmware: '1' }, lastSeq: 0, boot: 1 });
  b.say({ type: 'loaded', seq: 1, shoeId: 'shoe-1', decks: 6 });
  must({ type: 'cut-shoe', seat: null });
  must({ type: 'place-end-card', cardsBehind: 60 });
  await b.clock.turn(LIMITS.noFeedMs - 1000);
  assert.deepEqual(b.faults(), [], 'the card that is to be burnt may take its time');
  await b.clock.turn(2000);
  assert.deepEqual(b.faults(), ['shoe-no-feed']);
  assert.equal(b.devices.faults('shoe')[0]?.code, 410);
  b.say({ type: 'card', seq: 2, suit: 0, rank: 5, confidence: 255, replay: false });
  assert.deepEqual(b.faults(), []);
  assert.equal(terminal.state.shoe.drawn, 1, 'the card is taken');
});

test('docs/events.md has a row for every fault, with its level and who ends it', () => {
  const document = readFileSync(new URL('../../docs/events.md', import.meta.url), 'utf8');
  for (const [id, row] of Object.entries(FAULTS)) {
    const ends =
      typeof row.ends === 'string' ? row.ends : row.ends.map((roles) => roles.join(' or ')).join(' + ');
    assert.ok(
      document.includes(`| \`${id}\` | ${row.code} | ${row.level} | ${ends} |`),
      `${id} | ${row.code} | ${row.level} | ${ends}`,
    );
  }
});
