/**
 * A whole terminal in this process: the real host over its real ledger and drivers, simulated
 * devices at the other end of their lines, displays that speak the wire. What a test must not wait
 * for (movements of the acceptors, long windows) is made short; what it checks is not.
 */
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setImmediate as immediate } from 'node:timers/promises';
import { parseCard } from '../../engine/core/cards.ts';
import { minor } from '../../engine/core/money.ts';
import { shuffledShoe } from '../../engine/core/shoe.ts';
import { nextStep } from '../../engine/engine.ts';
import { everyAuthorisation } from '../../engine/games/every-authorisation.ts';
import type { Act, PersonRole } from '../../engine/table/inputs.ts';
import type { TableProfile } from '../../engine/table/profile.ts';
import type { DeviceClock, OpenTransport } from '../../hardware/ports.ts';
import { DeviceRack, rackTransports } from '../../hardware/rack/rack.sim.ts';
import type { RackCommand } from '../../hardware/rack/rack-commands.ts';
import { systemClock } from '../../hardware/transport/clock.ts';
import { hashPin } from '../../host/config/people.ts';
import type { ReadyTable } from '../../host/config/ready-tables.ts';
import type { TerminalFile } from '../../host/config/terminal-file.ts';
import type { Host } from '../../host/host.ts';
import { startHost } from '../../host/host.ts';
import type { HostOptions } from '../../host/options.ts';
import { Sessions } from '../../host/server/sessions.ts';
import type { Rack } from '../../host/simulation/rack.ts';
import { OpenedCards } from '../../host/table/sealed-cards.ts';
import { restoreState, stateHash } from '../../host/table/terminal.ts';
import { verifyLedger } from '../../ledger/chain/verifier.store.ts';
import type { Entry, Ledger } from '../../ledger/store/ledger.store.ts';
import { loadOrCreateKey, openLedger, openLedgerReader } from '../../ledger/store/ledger.store.ts';
import type { Command } from '../../wire/commands.ts';
import type { DisplayRole } from '../../wire/display.ts';
import type { Credential } from '../../wire/fields.ts';
import type { TableView } from '../../wire/view.ts';
import { type Answer, TestDisplay } from '../support/display.ts';
import { until } from '../support/until.ts';

export const CREDENTIAL = {
  dealer: { person: '1', pin: '1111' },
  attendant: { person: '2', pin: '2222' },
  supervisor: { person: '3', pin: '3333' },
  technician: { person: '4', pin: '4444' },
  auditor: { person: '5', pin: '5555' },
  dealer2: { person: '11', pin: '1112' },
  attendant2: { person: '12', pin: '2223' },
  nobody: { person: '99', pin: '9876' },
} as const satisfies Readonly<Record<string, Credential>>;

/** As cheap as those of the demonstration: a test waits for nobody's search. */
const COST = 12;

const person = async (id: string, name: string, role: PersonRole, { person, pin }: Credential) => ({
  id,
  name,
  number: person,
  role,
  pinHash: await hashPin(pin, COST),
});

export const people = Promise.all([
  person('D-01', 'Lei Ka Man', 'dealer', CREDENTIAL.dealer),
  person('D-02', 'Ho Sin Ieng', 'dealer', CREDENTIAL.dealer2),
  person('A-01', 'Chan Wai', 'attendant', CREDENTIAL.attendant),
  person('A-02', 'Fong Mei', 'attendant', CREDENTIAL.attendant2),
  person('S-01', 'Maria Nunes', 'supervisor', CREDENTIAL.supervisor),
  person('T-01', 'João Silva', 'technician', CREDENTIAL.technician),
  person('U-01', 'Ana Rocha', 'auditor', CREDENTIAL.auditor),
]);

const amounts = (...values: number[]) => values.map(minor);

export const profileWith = (changes: Partial<TableProfile> = {}): TableProfile => ({
  terminalId: 'T-HOST-1',
  tableName: 'Test',
  rulebook: 'macau-blackjack-2009',
  options: { burnAtStart: 'one', min: 5_000, max: 500_000, step: 1_000 },
  authorisations: everyAuthorisation(changes.rulebook ?? 'macau-blackjack-2009'),
  currency: 'MOP',
  chipsMinor: amounts(5_000, 10_000, 50_000),
  seatCount: 6,
  acceptors: 'per-seat',
  notesMinor: amounts(10_000, 50_000, 100_000),
  maxCreditMinor: minor(250_000),
  twoPersonHandPayMinor: minor(120_000),
  timing: {
    bettingMs: 60_000,
    offersMs: 60_000,
    decisionMs: 60_000,
    minConfidence: 200,
    minResultMs: 0,
  },
  ...changes,
});

/**
 * How many times faster than a real unit the simulated acceptors move; the drivers keep their own
 * pace.
 */
const HURRY = 8;
export const hurried: DeviceClock = {
  now: () => performance.now() * HURRY,
  after: (ms, run) => {
    const timer = setTimeout(run, ms / HURRY);
    return () => clearTimeout(timer);
  },
};

export const newRack = (acceptors = 6, clock = hurried): DeviceRack =>
  new DeviceRack({ acceptors, clock, boardClock: systemClock });

export interface TestTerminalOptions {
  readonly profile?: Partial<TableProfile>;
  readonly rack?: DeviceRack;
  /** What the terminal can be switched to. */
  readonly tables?: readonly ReadyTable[];
  /** Address of a centre. */
  readonly upstream?: string;
  /** Pace of the demonstration, 1 = calm. */
  readonly pace?: number;
  /** Between the host and an acceptor. */
  readonly wire?: (open: OpenTransport) => OpenTransport;
  /** The built page that displays get; without it there is none. */
  readonly rendererRoot?: string;
  /** Between the host and its ledger. */
  readonly ledger?: (ledger: Ledger) => Ledger;
  /** Who reads every payment a second time; absent = nobody. */
  readonly reader?: HostOptions['reader'];
  /** Of the daemon of the card readers. */
  readonly pcscdSocket?: string | undefined;
  /** What of the terminal file differs. */
  readonly file?: Partial<TerminalFile>;
}

const STEPS_WITHOUT_ARTICLE = new Set([
  'sign-in',
  'in-service',
  'locked-by-centre',
  'call-supervisor',
  'read-results',
  'confirm-layout',
  'witness-loading',
]);

/** The clock is looked at so often, and a longer time between two looks counts as the second. */
const LOOKS_EVERY_MS = 100;
const MOST_AT_ONCE_MS = 500;
/** A test that has put its own clock in this place says what passes. */
const machineNow = Date.now;

/** What the devices and the watch over the seats may say at any moment, whatever a display does. */
const OF_DEVICES: ReadonlySet<string> = new Set([
  'unit-accepted',
  'notes-confirmed',
  'note-closed',
  'note-rejected-by-device',
  'acceptors-gated',
  'doors-counted',
  'slip-sent',
  'slip-ended',
  // A machine that is too slow for a device misses its answers.
  'fault-reported',
  'fault-cleared',
  'session-began',
  'session-ended',
]);

export class TestTerminal {
  dir = mkdtempSync(join(tmpdir(), 'banca-host-'));
  software: HostOptions['software'] = { version: '0.0.0', id: 'ab'.repeat(32) };
  /** Until the machine is started again. */
  machineBootId = 'boot-1';
  readonly #left: string[] = [];
  /** Of the next life, another one. */
  rack: DeviceRack;
  readonly log: string[] = [];
  /** What the supervisor hears. */
  readonly reports: object[] = [];
  /** Added to the wall clock of the host. */
  offsetMs = 0;
  /** How far somebody has put the wall clock forward, part of `offsetMs`. */
  clockJumpMs = 0;
  /** Where the clock of the host stands still, while it does. */
  stoppedAtMs: number | null = null;
  host!: Host;
  /** The big table. */
  table!: TestDisplay;
  /** Of the next life. */
  reader: HostOptions['reader'];
  /** Address of the centre of the next life; null = none. */
  upstream: string | null;
  readonly #o: TestTerminalOptions;
  readonly #sessionKey = randomBytes(32);
  #lookedAtMs = Date.now();
  #leftOutMs = 0;
  #displays: TestDisplay[] = [];
  #open = false;

  private constructor(options: TestTerminalOptions) {
    this.#o = options;
    this.rack = options.rack ?? newRack();
    this.reader = options.reader;
    this.upstream = options.upstream ?? null;
  }

  /** Ends with the test: the file must then verify and its replay be the live state. */
  static async open(t: Pick<TestContext, 'after'>, options: TestTerminalOptions = {}): Promise<TestTerminal> {
    const kit = new TestTerminal(options);
    const looks = setInterval(() => kit.now(), LOOKS_EVERY_MS).unref();
    t.after(async () => {
      clearInterval(looks);
      try {
        await kit.stop();
        kit.checkFile();
      } finally {
        for (const dir of [kit.dir, ...kit.#left]) rmSync(dir, { recursive: true, force: true });
      }
    });
    await kit.start();
    return kit;
  }

  get ledgerPath(): string {
    return join(this.dir, 'ledger.db');
  }

  /**
   * What passes while the machine stands still or is much too busy counts little: no deadline is
   * over before anybody could act.
   */
  now(): number {
    const nowMs = Date.now();
    if (Date.now === machineNow) this.#leftOutMs += Math.max(0, nowMs - this.#lookedAtMs - MOST_AT_ONCE_MS);
    this.#lookedAtMs = nowMs;
    return this.stoppedAtMs ?? nowMs - this.#leftOutMs + this.offsetMs;
  }

  /** The clock goes on from where it was stopped. */
  goOn(): void {
    const atMs = this.now();
    this.stoppedAtMs = null;
    this.offsetMs += atMs - this.now();
  }

  async start(changes: Partial<TableProfile> = {}): Promise<void> {
    const profile = profileWith({ ...this.#o.profile, ...changes });
    const file: TerminalFile = { profile, people: await people, ...this.#o.file };
    const key = loadOrCreateKey(this.dir);
    const ledger = openLedger(this.ledgerPath, {
      terminalId: profile.terminalId,
      key,
      createIfMissing: true,
    });
    const { wire } = this.#o;
    const lines = rackTransports(this.rack);
    const rack: Rack = {
      transports:
        wire === undefined ? lines : { ...lines, acceptor: (number) => wire(lines.acceptor(number)) },
      do: (command) => this.hands(command),
      sight: async () => this.rack.sight(),
    };
    this.host = await startHost({
      ledger: this.#o.ledger?.(ledger) ?? ledger,
      ledgerPath: this.ledgerPath,
      key,
      file,
      rosterDir: join(this.dir, 'rosters'),
      ...(this.#o.pcscdSocket === undefined ? {} : { pcscdSocket: this.#o.pcscdSocket }),
      tables: this.#o.tables ?? [],
      rack,
      now: () => this.now(),
      // A clock that a test moves is time that passes.
      monotonic: () => this.now() - this.clockJumpMs,
      rendererRoot: this.#o.rendererRoot ?? this.dir,
      sessions: new Sessions(this.#sessionKey, Date.now),
      port: 0,
      allowedUids: [process.getuid?.() ?? 0],
      upstreamUrl: this.upstream,
      software: this.software,
      machineBootId: this.machineBootId,
      ...(this.reader === undefined ? {} : { reader: this.reader }),
      pace: this.#o.pace ?? 1,
      report: (line) => this.reports.push(line),
      log: (line) => this.log.push(line),
    });
    this.#open = true;
    this.host.terminal.onCommit(() => this.#checkStep());
    this.table = await this.display('table');
  }

  async stop(): Promise<void> {
    if (!this.#open) return;
    this.#open = false;
    for (const display of this.#displays) display.close();
    this.#displays = [];
    await this.host.stop();
  }

  /**
   * The process ends at this moment, as its disk shows it: a copy of the data folder is what the
   * next life finds.
   * @param machineBootId another one than before where the machine has lost its power
   */
  async die(machineBootId = this.machineBootId): Promise<void> {
    const left = this.dir;
    const dir = mkdtempSync(join(tmpdir(), 'banca-host-'));
    cpSync(left, dir, { recursive: true });
    await this.stop();
    this.#left.push(left);
    this.dir = dir;
    this.machineBootId = machineBootId;
    await this.start();
  }

  async restart(changes: Partial<TableProfile> = {}): Promise<void> {
    await this.stop();
    await this.start(changes);
  }

  checkFile(): void {
    const report = verifyLedger(this.ledgerPath);
    assert.equal(report.problem, '');
    const reader = openLedgerReader(this.ledgerPath);
    try {
      const replayed = stateHash(restoreState(reader, report.headSeq)).toString('hex');
      assert.equal(replayed, stateHash(this.host.terminal.state).toString('hex'), 'replay is the live state');
    } finally {
      reader.close();
    }
    const bytes = readFileSync(this.ledgerPath, 'latin1');
    assert.doesNotMatch(bytes, /"pin"/, 'no PIN is written anywhere');
  }

  async display(role: DisplayRole): Promise<TestDisplay> {
    const display = await TestDisplay.connect(this.host.ticketUrl(role, 600_000).url);
    this.#displays.push(display);
    return display;
  }

  /**
   * At every commit the dealer has exactly one next step, with the article it rests on where there
   * is one.
   */
  #checkStep(): void {
    const { step, cites } = nextStep(this.host.terminal.state);
    assert.equal(typeof step, 'string');
    assert.ok(
      cites.length > 0 || STEPS_WITHOUT_ARTICLE.has(step) || this.host.terminal.state.hold,
      `${step} names its article`,
    );
  }

  // ---- looking ----

  get view(): TableView {
    return this.host.view();
  }

  seat(number: number): TableView['seats'][number] {
    const seat = this.view.seats[number - 1];
    assert.ok(seat);
    return seat;
  }

  get step(): string {
    return this.view.dealer.step.step;
  }

  get headSeq(): number {
    return this.host.terminal.ledger.head().seq;
  }

  /**
   * State and ledger in one text: equal as long as nothing has happened but what a unit says of
   * itself.
   */
  get fingerprint(): string {
    const { ledger, state } = this.host.terminal;
    for (const { seq, kind } of ledger.read(this.#counted.seq + 1, Number.MAX_SAFE_INTEGER)) {
      this.#counted.seq = seq;
      if (!OF_DEVICES.has(kind)) this.#counted.entries += 1;
    }
    return `${this.#counted.entries} ${stateHash(state).toString('hex')}`;
  }
  /** Up to this entry, for the next look. */
  readonly #counted = { seq: 0, entries: 0 };

  /** With every card that is open. */
  entries(kind: string | null = null, afterSeq = 0): Entry[] {
    const { ledger } = this.host.terminal;
    const all = ledger.read(afterSeq + 1, Number.MAX_SAFE_INTEGER).map(new OpenedCards(ledger).in);
    return kind === null ? all : all.filter((entry) => entry.kind === kind);
  }

  last<T = Record<string, unknown>>(kind: string): T & { readonly cites?: readonly string[] } {
    const entry = this.entries(kind).at(-1);
    assert.ok(entry, `an entry ${kind}`);
    return entry.body as T & { readonly cites?: readonly string[] };
  }

  kindsSince(seq: number): string[] {
    const beside = [
      'acceptors-gated',
      'doors-counted',
      'session-began',
      'session-ended',
      'slip-sent',
      'slip-ended',
    ];
    return this.entries(null, seq).flatMap(({ kind }) => (beside.includes(kind) ? [] : [kind]));
  }

  /** Minor units, debit positive. */
  balance(account: string): number {
    return this.host.terminal.ledger.balances().get(`MOP/${account}`) ?? 0;
  }

  postings(kind: string): Record<string, number> {
    const entry = this.entries(kind).at(-1);
    assert.ok(entry, `an entry ${kind}`);
    return Object.fromEntries(entry.postings.map(({ account, amountMinor }) => [account, amountMinor]));
  }

  async until(what: string, holds: () => boolean): Promise<void> {
    await until(what, holds, { everyMs: 5, said: () => this.log.join(' | ') });
  }

  /** Runs once the intent to stack a note is on disk: that moment is too short to poll for. */
  whenStacking<T>(run: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.host.terminal.onCommit(({ entries }) => {
        if (entries.some(({ kind }) => kind === 'note-stack-requested')) run().then(resolve, reject);
      });
    });
  }

  /** A note that lies in the box of a unit that has forgotten to say so. */
  async loseNote(acceptor: number, valueMinor: number): Promise<void> {
    const unit = this.rack.acceptor(acceptor);
    const device = `acceptor-${acceptor}`;
    const cases = this.view.heldNotes.length;
    await this.insert(acceptor, valueMinor);
    const isBeyondReturn = (): boolean => unit.inPath()?.beyond === true || unit.owesCredit();
    // In every turn of the loop: on a busy machine a look every few ms can come too late.
    for (const end = performance.now() + 60_000; !isBeyondReturn() && performance.now() < end; )
      await immediate();
    await Promise.all([
      this.hands({ do: 'fault', device, fault: 'forget-credit' }),
      this.hands({ do: 'power-cycle', device, offMs: 100 }),
    ]);
    await this.until('the case', () => this.view.heldNotes.length === cases + 1);
  }

  // ---- touching ----

  async send(command: Command, display = this.table, id: string = randomUUID()): Promise<Answer> {
    const answer = await display.command(command, id);
    assert.ok(answer, `an answer to ${command.type}`);
    return answer;
  }

  async do(command: Command, display = this.table): Promise<void> {
    const answer = await this.send(command, display);
    assert.equal(answer.status, 'done', `${JSON.stringify(command)}: ${JSON.stringify(answer)}`);
  }

  /**
   * The command is refused with this code, and the table is as it was; only a refused PIN leaves
   * its trace.
   */
  async refused(command: Command, code: string, display = this.table): Promise<readonly string[]> {
    const before = this.fingerprint;
    const seq = this.headSeq;
    const answer = await this.send(command, display);
    assert.ok(answer.status === 'rejected', `${JSON.stringify(command)}: ${JSON.stringify(answer)}`);
    assert.equal(answer.code, code, JSON.stringify(answer));
    const all = this.kindsSince(seq);
    const since = all.filter((kind) => !OF_DEVICES.has(kind));
    if (all.length === 0) assert.equal(this.fingerprint, before);
    else if (since.length > 0) {
      // Who was refused, or would have ended what still stood, is on record.
      const trace = code === 'held' ? 'fault-end-refused' : 'access-refused';
      assert.deepEqual(since, [trace], JSON.stringify(command));
    }
    return answer.cites;
  }

  /** Puts the clock on the running deadline, and lets it pass. */
  passDeadline(): void {
    const { deadline } = this.host.terminal.state;
    assert.ok(deadline, 'a deadline runs');
    const aheadMs = Math.max(0, deadline.atMs - this.now());
    if (this.stoppedAtMs === null) this.offsetMs += aheadMs;
    else this.stoppedAtMs += aheadMs;
    const outcome = this.host.terminal.submit({ type: 'reach-deadline' });
    assert.equal(outcome.status, 'done', JSON.stringify(outcome));
  }

  async hands(command: RackCommand): Promise<void> {
    const answer = await this.rack.do(command);
    assert.ok(answer.ok, JSON.stringify(answer));
    if ('taken' in answer) assert.ok(answer.taken, `${JSON.stringify(command)}: ${answer.why}`);
    if ('drawn' in answer) assert.ok(answer.drawn, `${JSON.stringify(command)}: ${answer.why}`);
  }

  /** Until the acceptor stands ready with its gate open. */
  async acceptorReady(acceptor: number): Promise<void> {
    await this.until(`acceptor ${acceptor} is open`, () => this.rack.acceptor(acceptor).status() === 0x11);
  }

  async insert(acceptor: number, valueMinor: number, currency = 'MOP'): Promise<void> {
    await this.acceptorReady(acceptor);
    await this.hands({ do: 'insert-note', acceptor, valueMinor, currency });
  }

  /** The note lies on the credit of the seat and the acceptor waits for the next one. */
  async fund(seat: number, ...notes: number[]): Promise<void> {
    for (const value of notes) {
      const credit = this.seat(seat).creditMinor;
      const seq = this.headSeq;
      await this.insert(seat, value);
      await until(`credit of seat ${seat}`, () => this.seat(seat).creditMinor === credit + value, {
        everyMs: 5,
        said: () =>
          `acceptor in state ${this.rack.acceptor(seat).status()?.toString(16)}; ${this.kindsSince(seq).join(' ')}; ${this.log.join(' | ')}`,
      });
      await this.until('the acceptor has its answer', () =>
        this.host.terminal.state.creditedNotes.some((note) => note.acceptor === seat && note.closed),
      );
    }
  }

  /** Six packs: the named cards first, as in 'AS TD', then the rest in a known order. */
  async loadShoe(cards: string): Promise<void> {
    const rest = shuffledShoe(6, 1);
    const first = cards.split(' ').map((text) => {
      const card = parseCard(text);
      assert.ok(card !== null, text);
      rest.splice(rest.indexOf(card), 1);
      return card;
    });
    await this.hands({ do: 'load-shoe', cards: [...first, ...rest] });
    await this.shoeRead();
  }

  /** The shoe keeps an event until it is on disk here. */
  async shoeRead(): Promise<void> {
    await this.until('the shoe is read', () => {
      const { ackedSeq, lastSeq } = this.rack.sight().shoe;
      return ackedSeq === lastSeq;
    });
  }

  async draw(count = 1): Promise<void> {
    for (let i = 0; i < count; i += 1) {
      await this.hands({ do: 'draw-card' });
      await this.shoeRead();
    }
  }

  /**
   * Dealer signed in, shoe made ready, first card burnt; `cards` are those of the round that
   * follows.
   */
  async ready(cards: string): Promise<void> {
    await this.until('the shoe is there', () =>
      this.view.devices.some(({ id, state }) => id === 'shoe' && state !== 'offline'),
    );
    if (this.step === 'sign-in') await this.do({ type: 'sign-in-dealer', credential: CREDENTIAL.dealer });
    await this.loadShoe(`2C ${cards}`);
    await this.do({ type: 'cut-shoe', seat: null });
    await this.do({ type: 'place-end-card', cardsBehind: 60 });
    await this.draw();
    assert.equal(this.step, 'open-betting');
  }

  get roundId(): string {
    return this.view.round?.id ?? 'none';
  }

  bet(seat: number, amountMinor: number, touchedAtMs = this.now()): Extract<Command, { type: 'place-bet' }> {
    return { type: 'place-bet', roundId: this.roundId, seat, bet: 'main', amountMinor, touchedAtMs };
  }

  act(seat: number, act: Act, hand = 0): Extract<Command, { type: 'decide' }> {
    return { type: 'decide', roundId: this.roundId, seat, hand, act, touchedAtMs: this.now() };
  }

  /** Opens, lays the bets, closes: the first card is due. */
  async lay(bets: Readonly<Record<number, number>>): Promise<void> {
    await this.do({ type: 'open-betting' });
    for (const [seat, value] of Object.entries(bets)) await this.do(this.bet(Number(seat), value));
    await this.do({ type: 'close-betting' });
  }

  /** And deals the first cards. */
  async deal(bets: Readonly<Record<number, number>>): Promise<void> {
    await this.lay(bets);
    while (this.view.phase === 'dealing' && !this.view.hold) await this.draw();
  }
}
