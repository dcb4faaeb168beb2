import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { emptyMeters, metersOf } from '../../engine/accounting/meter-fold.ts';
import { minor } from '../../engine/core/money.ts';
import { everyAuthorisation } from '../../engine/games/every-authorisation.ts';
import type { TableProfile } from '../../engine/table/profile.ts';
import { countEntry, Meters, seqAt } from '../../host/pages/meters.ts';
import { parseMessage } from '../../host/server/messages.ts';
import { Terminal, type TimelessInput } from '../../host/table/terminal.ts';
import { type Ledger, loadOrCreateKey, type NewEntry, openLedger } from '../../ledger/store/ledger.store.ts';
import type { MeterPage } from '../../wire/pages.ts';
import { TestTerminal } from './test-terminal.ts';

const DEALER = { id: 'D-01', name: 'Ana', role: 'dealer' } as const;
const CASHIER = { id: 'A-01', name: 'Rui', role: 'attendant' } as const;
const { profile: DEMO } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../host/profiles/demo.json'), 'utf8'),
) as { profile: TableProfile };

/** Ledger and terminal of one folder, without devices and displays. */
class SetUp {
  readonly dir = mkdtempSync(join(tmpdir(), 'banca-meters-'));
  readonly log: string[] = [];
  atMs = 1_000;
  ledger!: Ledger;
  terminal!: Terminal;
  #notes = 0;

  constructor(t: TestContext) {
    t.after(() => {
      this.terminal.close();
      this.ledger.close();
      rmSync(this.dir, { recursive: true, force: true });
    });
    this.open();
    this.must({
      type: 'configure',
      profile: { ...DEMO, authorisations: everyAuthorisation(DEMO.rulebook) },
      person: null,
    });
    this.terminal.start('boot', 'test');
  }

  open(): void {
    this.ledger = openLedger(join(this.dir, 'ledger.db'), {
      terminalId: DEMO.terminalId,
      key: loadOrCreateKey(this.dir),
      createIfMissing: true,
    });
    this.terminal = new Terminal({
      ledger: this.ledger,
      now: () => this.atMs,
      log: (line) => this.log.push(line),
    });
  }

  try(input: TimelessInput): ReturnType<Terminal['submit']> {
    this.atMs += 1_000;
    return this.terminal.submit(input);
  }

  must(input: TimelessInput): void {
    const outcome = this.try(input);
    assert.equal(outcome.status, 'done', JSON.stringify(outcome));
  }

  note(seat: number, valueMinor: number): ReturnType<Terminal['submit']> {
    this.#notes += 1;
    const { currency } = this.terminal.state.profile!;
    const heard = { type: 'hear-acceptor', acceptor: seat, note: { currency, valueMinor } } as const;
    const held = this.try({ ...heard, word: 'escrow', noteId: `n${this.#notes}` });
    return held.status === 'done' ? this.try({ ...heard, word: 'credited' }) : held;
  }

  /** Betting is open; the main bets of these seats lie. */
  bets(bets: Readonly<Record<number, number>>): void {
    this.must({ type: 'sign-in-dealer', person: DEALER });
    this.must({ type: 'load-shoe', shoeId: 's', decks: this.terminal.state.rules!.decks });
    this.must({ type: 'cut-shoe', seat: null, person: DEALER });
    this.must({ type: 'place-end-card', cardsBehind: 60 });
    while (this.terminal.state.phase === 'shoe') assert.equal(this.card(1).status, 'done');
    this.must({ type: 'open-betting', roundId: this.terminal.nextRoundId() });
    for (const [seat, value] of Object.entries(bets))
      this.must({
        type: 'place-bet',
        roundId: this.terminal.state.round!.id,
        seat: Number(seat),
        by: Number(seat),
        bet: 'main',
        amountMinor: minor(value),
        onTop: true,
        touchedAtMs: this.atMs,
      });
  }

  card(card: number): ReturnType<Terminal['submit']> {
    return this.try({ type: 'draw-card', drawNo: null, card: card as never, confidence: 255, faceUp: false });
  }

  /** Stores what no terminal would, with the power off. */
  plant(entry: NewEntry): void {
    this.atMs += 1_000;
    this.ledger.append(this.atMs, null, [entry]);
    this.terminal.close();
    this.ledger.close();
    this.open();
    this.terminal.start('boot again', 'test');
  }
}

const page = async (
  meters: Meters,
  o: Partial<Parameters<Meters['page']>[0]> = {},
  nowMs = 9_999_999,
): Promise<MeterPage> => meters.page({ asOfMs: null, fromMs: null, by: null, ...o }, nowMs);
const value = ({ meters }: MeterPage, code: string): number | undefined =>
  meters.find((meter) => meter.code === code)?.value;

test('meters as of every past second, of every period and divided, are what a fold from the first entry says', async (t) => {
  const setUp = new SetUp(t);
  const meters = new Meters(setUp.ledger);
  setUp.terminal.onCommit(({ entries }) => meters.take(entries));
  setUp.note(1, 50_000);
  setUp.note(2, 100_000);
  setUp.bets({ 1: 10_000, 2: 20_000 });
  assert.deepEqual(await meters.audit(), []);
  const entries = setUp.ledger.read(1, 10_000);
  const foldUpTo = (atMs: number) => {
    const fold = emptyMeters();
    for (const entry of entries) if (entry.atMs <= atMs) countEntry(fold, entry);
    return metersOf(fold).map((row) => [row.code, row.value]);
  };
  const outside = new Set(['queue_depth', 'last_proven_seq']);
  for (let atMs = 500; atMs <= setUp.atMs + 500; atMs += 500) {
    const shown = await page(meters, { asOfMs: atMs });
    assert.deepEqual(
      shown.meters.filter(({ code }) => !outside.has(code)).map((row) => [row.code, row.value]),
      foldUpTo(atMs),
      String(atMs),
    );
    assert.equal(shown.asOf.seq, entries.findLast((entry) => entry.atMs <= atMs)?.seq ?? 0);
    assert.equal(value(shown, 'queue_depth'), shown.asOf.seq);
  }
  const middle = entries.find(({ kind }) => kind === 'note-credited')!.atMs;
  const period = await page(meters, { fromMs: middle });
  assert.deepEqual(
    ['bills_in', 'credit_now', 'power_resets'].map((code) => value(period, code)),
    [100_000, 120_000, 0],
  );
  assert.deepEqual([period.from?.atMs, period.problems], [middle, []]);
  const seats = await page(meters, { by: 'seat' });
  assert.deepEqual(seats.keys, ['1', '2', '']);
  assert.deepEqual(seats.meters.find(({ code }) => code === 'bets_laid')?.parts, [10_000, 20_000, 0]);
});

test('the moment of a time is the newest entry that is not younger', (t) => {
  const setUp = new SetUp(t);
  for (let i = 0; i < 20; i++) setUp.must({ type: 'call-attendant', seat: 1, on: i % 2 === 0 });
  const head = setUp.ledger.head().seq;
  const all = setUp.ledger.read(1, head);
  for (let atMs = 0; atMs < setUp.atMs + 2_000; atMs += 250)
    assert.equal(seqAt(setUp.ledger, head, atMs), all.findLast((entry) => entry.atMs <= atMs)?.seq ?? 0);
});

test('a question about meters is checked at the boundary', () => {
  const asked = (query: object) => parseMessage(JSON.stringify({ t: 'query', id: 'question-1', query }));
  const good = { query: 'meters', asOfMs: 5, fromMs: 4, by: 'seat' };
  assert.ok(asked(good).ok);
  for (const wrong of [
    { asOfMs: -1 },
    { asOfMs: 1.5 },
    { fromMs: 6 },
    { by: 'table' },
    { from: 1 },
    { by: undefined },
  ])
    assert.equal(asked({ ...good, ...wrong }).ok, false, JSON.stringify(wrong));
});

// ---- a state in memory that is not what it was ----

const CORRUPTED: readonly (readonly [
  equation: RegExp,
  what: string,
  run: (setUp: SetUp) => ReturnType<Terminal['submit']>,
])[] = [
  [
    /equation 3, bills_in = sum of its parts by seat: 50000 is not 0/,
    'one seat more than the table has',
    (setUp) => {
      const { seats } = setUp.terminal.state;
      const seat = seats.length + 1;
      seats.push({ ...seats[0]!, seat });
      return setUp.note(seat, 50_000);
    },
  ],
  [
    /equation 5, bills in = notes by value and number: 50000 is not 0/,
    'a currency no table has',
    (setUp) => {
      const heard = { type: 'hear-acceptor', acceptor: 1 } as const;
      const note = { currency: 'MOP', valueMinor: 50_000 };
      setUp.must({ ...heard, word: 'escrow', noteId: 'x', note });
      Object.assign(setUp.terminal.state.notes[0]!, { currency: 'USD' });
      return setUp.try({ ...heard, word: 'credited' });
    },
  ],
  [
    /equation 6, coin in = sum of bets: 20000 is not 10000/,
    'a bet of no kind',
    (setUp) => {
      setUp.note(1, 100_000);
      setUp.note(2, 100_000);
      setUp.bets({ 1: 10_000, 2: 10_000 });
      Object.assign(setUp.terminal.state.round!.bets[1]!, { bet: 'dragon' });
      setUp.must({ type: 'close-betting' });
      return setUp.card(9);
    },
  ],
  [
    /equation 7, handpaid_total never falls: it fell by 5000/,
    'a hand-pay of less than nothing',
    (setUp) => {
      setUp.note(1, 50_000);
      setUp.must({ type: 'request-cash-out', seat: 1, requestId: 'q' });
      Object.assign(setUp.terminal.state.seats[0]!.cashOut!, { amountMinor: -5_000 });
      return setUp.try({ type: 'confirm-hand-pay', seat: 1, requestId: 'q', person: CASHIER, second: null });
    },
  ],
];

for (const [equation, what, run] of CORRUPTED)
  test(`${what}: nothing of the input is stored, the terminal locks and names equation ${equation.source[9]}`, (t) => {
    const setUp = new SetUp(t);
    const outcome = run(setUp);
    assert.ok(outcome.status === 'rejected' && outcome.code === 'held', JSON.stringify(outcome));
    assert.match(outcome.detail ?? '', equation);
    assert.match(setUp.terminal.locked?.why ?? '', equation);
    const kinds = setUp.ledger.read(1, 1_000).map(({ kind }) => kind);
    assert.deepEqual(kinds.slice(-2), ['fault-reported', 'table-held']);
    const moved = ['note-credited', 'deal-began', 'hand-paid'].filter((kind) =>
      kinds.slice(-3).includes(kind),
    );
    assert.deepEqual(moved, []);
    assert.equal(setUp.terminal.state.hold?.code, 'books');
    assert.equal(setUp.note(1, 10_000).status, 'rejected');
    const fold = emptyMeters();
    for (const entry of setUp.ledger.read(1, 1_000)) countEntry(fold, entry);
    const shown = new Map(metersOf(fold).map((row) => [row.code, row.value]));
    assert.deepEqual([shown.get('self_audit_fail'), shown.get('tilts_901')], [1, 1]);
  });

// ---- a ledger in which an equation does not hold ----

const NOTE = { noteId: 'x', acceptor: 1, seat: 1, currency: 'MOP', valueMinor: 50_000, atMs: 1 };
const move = (debit: string, credit: string, amountMinor: number): NewEntry['postings'] => [
  { account: debit, currency: 'MOP', amountMinor },
  { account: credit, currency: 'MOP', amountMinor: -amountMinor },
];
const ofKind = (kind: string, body: unknown, postings: NewEntry['postings']): NewEntry => ({
  kind,
  roundId: null,
  body,
  postings,
});

const STORED: readonly (readonly [equation: RegExp, entry: NewEntry])[] = [
  [
    /equation 1, seat 1, /,
    ofKind('note-credited', { ...NOTE, seat: 2 }, move('cash-box:1', 'seat-credit:1', 50_000)),
  ],
  [
    /equation 3, .* by seat/,
    ofKind('attendant-called', { atMs: 1, seat: 1, on: true }, move('stake:3', 'seat-credit:11', 5)),
  ],
  [/equation 4, drop = bills to drop/, ofKind('note-credited', NOTE, move('bank', 'seat-credit:1', 50_000))],
  [
    /equation 5, bills in/,
    ofKind('note-credited', { ...NOTE, currency: 'USD' }, move('cash-box:1', 'seat-credit:1', 50_000)),
  ],
  [
    /equation 6, jackpot/,
    ofKind(
      'jackpot-moved',
      { atMs: 1, why: 'collected', currency: 'MOP', amountMinor: 7, meterMinor: 5, rest: [0, 1] },
      move('bank', 'jackpot', 5),
    ),
  ],
  [
    /equation 7, jp_contrib never falls/,
    ofKind(
      'jackpot-moved',
      { atMs: 1, why: 'collected', currency: 'MOP', amountMinor: -5, meterMinor: -5, rest: [0, 1] },
      move('jackpot', 'bank', 5),
    ),
  ],
];

for (const [equation, entry] of STORED)
  test(`a start over a ledger in which ${equation.source} does not hold is locked`, async (t) => {
    const setUp = new SetUp(t);
    setUp.note(1, 10_000);
    setUp.plant(entry);
    const problems = await new Meters(setUp.ledger).audit();
    assert.ok(
      problems.some((problem) => equation.test(problem)),
      problems.join('\n'),
    );
    setUp.terminal.reportAudit(problems);
    assert.ok(setUp.terminal.locked);
    assert.equal(setUp.terminal.state.hold?.code, 'books');
    assert.equal(setUp.note(1, 10_000).status, 'rejected');
  });

test('the terminal whose ledger has a note that is in no cash box locks once it has counted it all', async (t) => {
  const kit = await TestTerminal.open(t);
  await kit.fund(1, 50_000);
  await kit.stop();
  const ledger = openLedger(kit.ledgerPath, {
    terminalId: kit.host.terminal.ledger.terminalId,
    key: loadOrCreateKey(kit.dir),
    createIfMissing: false,
  });
  ledger.append(kit.now(), null, [ofKind('note-credited', NOTE, move('bank', 'seat-credit:1', 50_000))]);
  ledger.close();
  await kit.start();
  await kit.until('the lock', () => kit.view.hold?.code === 'books');
  assert.match(
    kit.host.terminal.locked?.why ?? '',
    /^equation 4, drop = bills to drop: 50000 is not 100000$/,
  );
  await kit.refused(kit.bet(1, 10_000), 'held');
});
