import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { recordOf } from '../../engine/engine.ts';
import type { AcceptorWord, NoteRecord } from '../../engine/table/note-matrix.ts';
import { createId003 } from '../../hardware/bill-acceptor/id003/id003.driver.ts';
import { Id003Sim } from '../../hardware/bill-acceptor/id003/id003.sim.ts';
import { NEW_ID003 } from '../../hardware/bill-acceptor/id003/id003-memory.ts';
import type { AcceptorEvent, AcceptorState, BillAcceptor, Note } from '../../hardware/ports.ts';
import { HandClock } from '../../hardware/transport/clock.ts';
import { type Ledger, loadOrCreateKey, openLedger } from '../../ledger/store/ledger.store.ts';
import { SILENT_SHOE } from '../../test/kits/silent-shoe.ts';
import { linesTo, totalMinor } from '../../test/kits/till.ts';
import { readTerminalFile } from '../config/terminal-file.ts';
import { Terminal } from '../table/terminal.ts';
import { Devices } from './devices.ts';

const { profile } = readTerminalFile(new URL('../profiles/demo.json', import.meta.url).pathname);
const A: Note = { currency: 'MOP', valueMinor: 50_000 };
const RECORDS: readonly NoteRecord[] = ['none', 'stack-requested', 'credited', 'held'];

function folder(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'banca-notes-'));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

const open = (dir: string, name: string): Ledger =>
  openLedger(join(dir, name), {
    terminalId: profile.terminalId,
    key: loadOrCreateKey(dir),
    createIfMissing: true,
  });

// ---- what the unit says at (re)connection: real driver, simulator, terminal and ledger ----

/** A life of the host over a ledger file, and every cell of the matrix that it came through. */
class Life {
  readonly cells: string[] = [];
  readonly terminal: Terminal;
  readonly ledger: Ledger;
  readonly #devices: Devices;

  constructor(
    clock: HandClock,
    dir: string,
    name: string,
    sim: Id003Sim,
    diesAt: AcceptorEvent['type'] | null,
  ) {
    const ledger = open(dir, name);
    const terminal = new Terminal({ ledger, now: () => 1_760_000_000_000 + clock.now(), log: () => {} });
    terminal.submit({ type: 'configure', profile, person: null });
    terminal.start(`boot-${ledger.head().seq}`, 'test');
    const driver = createId003('acceptor-1', linesTo(sim, clock), clock);
    const heard = (event: AcceptorEvent): void => {
      const word: AcceptorWord | null =
        event.type === 'escrowed'
          ? 'escrow'
          : event.type === 'credit'
            ? 'credited'
            : event.type === 'state' && event.state !== 'escrow' && event.state !== 'credited'
              ? event.state
              : event.type === 'returned' || event.type === 'settled-unknown'
                ? event.type
                : null;
      if (word !== null) this.cells.push(`${this.record} ${word}`);
    };
    // The unit hears nothing from the moment the host dies.
    let dead = false;
    const acceptor: BillAcceptor = Object.assign(Object.create(driver) as BillAcceptor, {
      id: driver.id,
      model: driver.model,
      simulated: driver.simulated,
      start: (listener: (event: AcceptorEvent) => void) =>
        driver.start((event) => {
          if (dead) return;
          heard(event);
          dead = event.type === diesAt;
          listener(event);
        }),
      stop: () => driver.stop(),
      allow: (notes: readonly number[]) => driver.allow(notes),
      tryNotes: () => driver.tryNotes(),
      confirm: (notes: Readonly<Record<string, Note>>) => driver.confirm(notes),
      stack: () => dead || driver.stack(),
      returnNote: () => dead || driver.returnNote(),
      hold: () => driver.hold(),
      acknowledgeCredit: () => dead || driver.acknowledgeCredit(),
      state: () => driver.state(),
      frames: () => driver.frames(),
    });
    this.ledger = ledger;
    this.terminal = terminal;
    this.#devices = new Devices({
      terminal,
      acceptors: new Map([[1, acceptor]]),
      shoe: SILENT_SHOE,
      log: () => {},
      clock,
      simulatorsAllowed: true,
    });
    this.#devices.start(() => {});
  }

  get record(): NoteRecord {
    return recordOf(this.terminal.state, 1);
  }

  async end(): Promise<void> {
    await this.#devices.stop();
    this.terminal.close();
    this.ledger.close();
  }
}

/** A ledger file in each state of the record, made by a host that died there. */
async function makeRecord(dir: string, record: NoteRecord): Promise<void> {
  const clock = new HandClock();
  const sim = new Id003Sim({ clock });
  const diesAt = { none: null, 'stack-requested': 'escrowed', credited: 'credit', held: null } as const;
  const life = new Life(clock, dir, `${record}.db`, sim, diesAt[record]);
  await clock.turnUntil('idle', () => sim.status() === 0x11);
  if (record !== 'none') {
    sim.insert(A.valueMinor, A.currency);
    if (record === 'held') {
      await clock.turnUntil('beyond return', () => sim.inPath()?.beyond === true);
      sim.fault('forget-credit');
      sim.powerOff();
      await clock.turn(500);
      sim.powerOn();
    }
    await clock.turnUntil(record, () => life.record === record);
  }
  assert.equal(life.record, record);
  await life.end();
}

/**
 * How a unit comes to say this word when the host connects; `with` = the notes in its box before.
 */
async function unitThatSays(
  word: AcceptorState,
  clock: HandClock,
  cashBox: readonly Note[],
): Promise<Id003Sim> {
  const memory = { ...NEW_ID003, cashBox: [...cashBox] };
  const powered = (changes: object): Id003Sim => new Id003Sim({ clock, memory: { ...memory, ...changes } });
  if (word === 'initializing' || word === 'offline') return powered({});
  if (word === 'power-up-bill-in-acceptor') return powered({ path: { note: A, beyond: false } });
  if (word === 'power-up-bill-in-stacker') return powered({ path: { note: A, beyond: true } });
  const sim = powered({});
  // Another host before this one has brought it there.
  const before = createId003('before', linesTo(sim, clock), clock);
  before.allow([A.valueMinor]);
  before.start((event) => {
    if (event.type !== 'escrowed' || word === 'escrow') return;
    if (word === 'returning') before.returnNote();
    else before.stack();
  });
  const until = (status: number): Promise<void> =>
    clock.turnUntil(`status ${status.toString(16)}`, () => sim.status() === status);
  await until(0x11);
  if (word === 'disabled') {
    before.allow([]);
    await until(0x1a);
  } else if (word === 'cassette-removed') sim.fault('cassette-out');
  else if (word !== 'idle') {
    sim.insert(A.valueMinor, A.currency);
    await until({ escrow: 0x13, returning: 0x18, credited: 0x15 }[word as 'escrow'] ?? 0x14);
    if (word === 'jammed') sim.fault('jam');
    if (word === 'failed') sim.fault('failure');
  }
  await before.stop();
  return sim;
}

const SAID: readonly AcceptorState[] = [
  'idle',
  'disabled',
  'escrow',
  'stacking',
  'credited',
  'returning',
  'initializing',
  'power-up-bill-in-acceptor',
  'power-up-bill-in-stacker',
  'jammed',
  'failed',
  'cassette-removed',
  'offline',
];

/** In these words the note is the one the record is about. */
const ABOUT_OURS: Readonly<Record<NoteRecord, readonly AcceptorState[]>> = {
  none: [],
  'stack-requested': SAID.filter(
    (word) => !['idle', 'disabled', 'cassette-removed', 'offline', 'initializing'].includes(word),
  ),
  credited: ['credited', 'power-up-bill-in-stacker'],
  held: ['credited', 'power-up-bill-in-stacker', 'stacking', 'jammed', 'failed'],
};

/**
 * A driver that finds the path free says so before the state: these rows are met by the word
 * before.
 */
const MET_BEFORE: ReadonlySet<string> = new Set(['idle', 'disabled']);

for (const record of RECORDS)
  test(`at reconnection, with the record ${record}: whatever the unit says, what is credited lies in the box, and the rest has a case`, async (t) => {
    const dir = folder(t);
    await makeRecord(dir, record);
    for (const word of SAID) {
      const name = `${record}, ${word}`;
      copyFileSync(join(dir, `${record}.db`), join(dir, 'cell.db'));
      const clock = new HandClock();
      const isOurs = ABOUT_OURS[record].includes(word);
      const sim = await unitThatSays(word, clock, record === 'none' || isOurs ? [] : [A]);
      const life = new Life(clock, dir, 'cell.db', sim, null);
      if (word === 'offline') {
        await clock.turnUntil(`${name}: link`, () => life.cells.length > 0);
        sim.silenceMs = 20_000;
        sim.fault('silence');
        await clock.turnUntil(`${name}: silence`, () => life.cells.some((cell) => cell.endsWith(' offline')));
      } else await clock.turn(1000);
      sim.fault('clear-jam');
      sim.fault('repair');
      if (word === 'cassette-removed') sim.fault('cassette-in');
      await clock.turnUntil(
        `${name}: rest`,
        () => [0x11, 0x1a].includes(sim.status() ?? 0) && !sim.owesCredit(),
        120_000,
      );
      await clock.turn(2000);
      const isOpen = record === 'stack-requested' || record === 'credited';
      const met = isOpen && MET_BEFORE.has(word) ? 'settled-unknown' : word;
      assert.ok(life.cells.includes(`${record} ${met}`), `${name} was met: ${life.cells.join(', ')}`);

      const { ledger, terminal } = life;
      const bodies = ledger.newest({ beforeSeq: null, limit: 1000, kind: 'note-credited' });
      const creditedMinor = terminal.state.seats[0]?.creditMinor ?? 0;
      const box = sim.cashBox();
      assert.equal(recordOf(terminal.state, 1) === 'stack-requested', false, `${name}: nothing stays open`);
      assert.equal(creditedMinor, bodies.length * A.valueMinor, `${name}: credit is what the entries say`);
      assert.ok(
        creditedMinor <= totalMinor(box),
        `${name}: ${creditedMinor} credited, ${totalMinor(box)} in the box`,
      );
      const cases = terminal.state.heldNotes;
      assert.ok(
        box.length <= bodies.length + cases.length,
        `${name}: ${box.length} in the box, ${bodies.length} credited, ${cases.length} cases`,
      );
      if (cases.length === 0) assert.equal(creditedMinor, totalMinor(box), `${name}: to the last pataca`);
      assert.equal(sim.inPath(), null, name);
      await life.end();
    }
  });
