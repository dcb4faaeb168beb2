import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RandomTable } from '../../test/support/random-table.ts';
import { say } from '../../test/support/spoken-round.ts';
import { ATTENDANT, profileWith, SUPERVISOR, TECHNICIAN, TestTable } from '../../test/support/table-kit.ts';
import { parseCard } from '../core/cards.ts';
import type { TableEvent } from '../table/events.ts';
import type { RulebookId } from '../table/profile.ts';
import { brokenEquations } from './meter-equations.ts';
import {
  copyOf,
  count,
  EARLIER,
  emptyMeters,
  type MeterFold,
  metersOf,
  meterValue,
  SHIFTS_KEPT,
  SLICES,
  since,
  slicedMeters,
} from './meter-fold.ts';
import { countEvent } from './meters.ts';
import { type Posting, postingsOf } from './postings.ts';

const nonZero = (fold: MeterFold): Record<string, number> =>
  Object.fromEntries(
    metersOf(fold)
      .filter(({ value }) => value !== 0)
      .map(({ code, value }) => [code, value]),
  );
const partsOf = (fold: MeterFold, slice: (typeof SLICES)[number], code: string): Record<string, number> => {
  const { keys, meters } = slicedMeters(fold, slice);
  const parts = meters.find((meter) => meter.code === code)?.parts ?? [];
  return Object.fromEntries(keys.map((key, at) => [key, parts[at]!]).filter(([, value]) => value !== 0));
};

/** Two players, three rounds and a cancelled one; every figure below was reckoned by hand. */
function shortSession(): TestTable {
  const table = TestTable.ready({ sideBets: ['anyPair'] }, {}, 0);
  table.insert(1, 100_000);
  table.insert(2, 50_000);
  table.insert(2, 10_000);
  // 1: seat 1 doubles eleven to 21 against 19 and wins twice 100; seat 2 has 20 and wins 200; its
  // pair bet loses.
  table.open();
  table.bet(1, 10_000);
  table.bet(2, 20_000);
  table.bet(2, 1_000, 2, 'anyPair');
  table.must({ type: 'close-betting' });
  table.draw('6S TS 9H 5H KH');
  table.wait();
  table.act(1, 'double');
  table.draw('TC');
  table.act(2, 'stand');
  table.draw('TD');
  table.close();
  // 2: equal totals, seat 1 gets its 100 back; seat 2 surrenders half of 200.
  table.bets({ 1: 10_000, 2: 20_000 });
  table.draw('TS TH 9H 9S 6D');
  table.act(2, 'surrender');
  table.wait();
  table.act(1, 'stand');
  table.draw('TD');
  table.close();
  // A round whose bets were final is cancelled.
  table.bets({ 1: 10_000 });
  table.draw('TS');
  table.must({ type: 'void-round', reason: 'supervisor', person: SUPERVISOR });
  table.close();
  // Seat 1 is paid all it has; seat 2 has bets of 30 on the table.
  table.must({ type: 'request-cash-out', seat: 1, requestId: 'q1' });
  table.must({ type: 'confirm-hand-pay', seat: 1, requestId: 'q1', person: ATTENDANT, second: null });
  table.open();
  table.bet(2, 3_000);
  return table;
}

test('a short session, meter by meter', () => {
  const { meters } = shortSession();
  assert.deepEqual(nonZero(meters), {
    // 100 + 200 + 10, raised by 100; 100 + 200; 100.
    coin_in: 81_000,
    // 400 + 400; 100 + 100.
    coin_out: 100_000,
    mach_paid_win: 80_000,
    push_returned: 10_000,
    won_total: 100_000,
    voided_bets: 10_000,
    cashouts: 1,
    cashout_amount: 120_000,
    att_paid_cancelled: 120_000,
    cancelled_total: 120_000,
    handpaid_total: 120_000,
    // Seat 2: 600 - 210 + 400 - 200 + 100 - 30.
    credit_now: 66_000,
    bets_laid: 3_000,
    drop_total: 160_000,
    bills_to_drop: 160_000,
    bills_in: 160_000,
    bill_in_MOP_100: 1,
    bill_in_MOP_500: 1,
    bill_in_MOP_1000: 1,
    stacker_count: 3,
    stacker_value: 160_000,
    rounds_dealt: 2,
    games_since_power: 2,
    games_since_door: 2,
    seat_games: 4,
    games_won: 2,
    games_lost: 1,
    games_push: 1,
    rounds_voided: 1,
    bet_any_pair: 1_000,
    bet_double: 10_000,
    bet_main: 70_000,
    pay_main: 100_000,
    surrender_kept: 10_000,
    cards_dealt: 14,
    cards_burned: 1,
    shoes_loaded: 1,
    config_changes: 1,
  });
  assert.deepEqual(partsOf(meters, 'seat', 'coin_in'), { 1: 40_000, 2: 41_000 });
  assert.deepEqual(partsOf(meters, 'seat', 'credit_now'), { 2: 66_000 });
  assert.deepEqual(partsOf(meters, 'bet', 'coin_in'), { any_pair: 1_000, double: 10_000, main: 70_000 });
  assert.deepEqual(partsOf(meters, 'denomination', 'bills_in'), {
    MOP_100: 10_000,
    MOP_500: 50_000,
    MOP_1000: 100_000,
  });
  assert.deepEqual(partsOf(meters, 'game', 'coin_in'), { 'macau-blackjack-2009': 81_000 });
  assert.deepEqual(partsOf(meters, 'dealer', 'coin_in'), { d1: 81_000 });
});

/** Bets of seat 1 as 'kind: amount', the cards, and what the table pays. */
function round(table: TestTable, bets: Readonly<Record<string, number>>, script: string): TestTable {
  table.open();
  for (const [bet, value] of Object.entries(bets)) table.bet(1, value, 1, bet);
  table.must({ type: 'close-betting' });
  say(table, script);
  return table;
}

test('a card that nobody read is named, one that was read wrong is put right, and one that was read right is neither', () => {
  const table = TestTable.ready();
  table.bets({ 1: 1_000, 2: 1_000 });
  const manual = (): number[] =>
    ['card_manual', 'card_corrected'].map((code) => meterValue(table.meters, code));
  const confirm = (name: string): void => {
    table.must({ type: 'confirm-card', drawNo: null, card: parseCard(name)!, person: SUPERVISOR });
  };
  assert.equal(table.tryDraw('TS', null, 10), null);
  confirm('TS');
  assert.deepEqual(manual(), [0, 0]);
  assert.equal(table.tryDraw('9H', null, 10), null);
  confirm('9D');
  assert.deepEqual(manual(), [0, 1]);
  table.must({ type: 'draw-card', drawNo: null, card: null, confidence: 0 });
  confirm('5D');
  assert.deepEqual(manual(), [1, 1]);
});

test('art. 10.3 even money is a kind of its own: it is no win of the main bet', () => {
  const { meters } = round(TestTable.ready(), { main: 1_000 }, 'AS TH KD 1:evenMoney 9C');
  assert.deepEqual(partsOf(meters, 'bet', 'won_total'), { even_money: 2_000 });
  assert.deepEqual([meterValue(meters, 'pay_even_money'), meterValue(meters, 'pay_main')], [2_000, 0]);
});

test('art. 15 a special prize is counted, and what it comes to; a win like any other is not', () => {
  const { meters } = round(TestTable.ready(), { main: 1_000 }, '6S 9H 7S wait 1:hit 8S TD');
  assert.equal(meterValue(meters, 'special_prizes'), 3_000);
  assert.equal(meterValue(meters, 'special_prizes_count'), 1);
});

test('r.50 what a chip of the jackpot is paid is progressive, and no coin out', () => {
  const pays = [{ combination: 'A3', share: '1' }];
  const jackpot = { stake: 100, increment: '1/2', cards: 4, pays };
  const table = TestTable.ready({ jackpot }, { rulebook: 'portugal-blackjack', currency: 'EUR' });
  const { meters, lines } = round(table, { main: 1_000, jackpot: 100 }, 'AS 9H AD TC wait 1:hit AC 1:stand');
  assert.deepEqual(lines, ['1.0 main lose -1000 r.23', '1 jackpot jackpot 999950 r.43 r.50']);
  const paid = ['mach_paid_progressive', 'coin_out', 'won_total'].map((code) => meterValue(meters, code));
  assert.deepEqual(paid, [1_000_050, 0, 0]);
});

test('art. 7.4.1 of the challenge: the half that is lost is kept, as that of a surrender', () => {
  const table = TestTable.ready({}, { rulebook: 'macau-casino-war' });
  const { meters } = round(table, { main: 10_000 }, '9S 9H 1:surrenderWar');
  assert.equal(meterValue(meters, 'surrender_kept'), 5_000);
});

test('art. 18.2 half a win of the Banker with six is counted, and what it comes to; with seven it is not', () => {
  const table = TestTable.ready({ commission: 'none-banker-six-half' }, { rulebook: 'macau-baccarat' });
  const counted = (): number[] =>
    ['banker6_half', 'banker6_half_amount'].map((code) => meterValue(table.meters, code));
  round(table, { banker: 1_000 }, 'QS KH 6D 7C');
  assert.deepEqual(counted(), [0, 0]);
  table.close();
  round(table, { banker: 1_000 }, 'QS KH KD 6C 2S');
  assert.deepEqual(counted(), [1, 500]);
});

test('art. 13.5.2.vi whoever has left a series has played no game of the round in which it is given up', () => {
  const table = TestTable.ready({ sideBets: ['streak2', 'streak3'], streakAbandon: 'forfeit' });
  table.winWithStreak();
  const games = (): Record<string, number> => partsOf(table.meters, 'seat', 'seat_games');
  assert.deepEqual(games(), { 1: 1 });
  table.open();
  table.bet(2, 1_000);
  table.must({ type: 'forfeit-streak', seat: 1, by: 1, person: SUPERVISOR });
  table.must({ type: 'close-betting' });
  say(table, 'TS 9H 9D wait 2:stand 8C');
  assert.ok(table.lines.includes('1 streak2 forfeit -100 art.13.5.2.vi'));
  assert.deepEqual(games(), { 1: 1, 2: 1 });
});

test('a win too large for the machine: not in coin out, paid by hand, and the credit equation holds throughout', () => {
  const table = TestTable.ready({}, { handPaidWinMinor: 15_000 as never }, 100_000);
  table.bets({ 1: 20_000 });
  table.draw('TS 9H TD');
  table.wait();
  table.act(1, 'stand');
  table.draw('8S');
  const wins = table.state.seats[0]!.wins!;
  assert.equal(wins.length, 1);
  const value = (code: string): number => meterValue(table.meters, code);
  assert.deepEqual(
    ['won_total', 'coin_out', 'att_paid_jackpot', 'handpaid_total', 'wins_pending', 'handpays_pending'].map(
      value,
    ),
    [40_000, 20_000, 20_000, 0, 20_000, 1],
  );
  const { requestId } = wins[0]!;
  table.must({ type: 'confirm-hand-pay', seat: 1, requestId, person: ATTENDANT, second: null });
  assert.deepEqual(
    [
      'att_paid_jackpot',
      'handpaid_total',
      'wins_pending',
      'handpays_pending',
      'cancelled_total',
      'cashouts',
    ].map(value),
    [20_000, 20_000, 0, 0, 0, 0],
  );
});

// ---- equations, broken on purpose ----

interface Planted {
  readonly event: TableEvent;
  readonly postings: readonly Posting[];
}
const booked = (event: TableEvent): Planted => ({ event, postings: postingsOf(event) });
const NOTE: TableEvent & { type: 'note-credited' } = {
  type: 'note-credited',
  atMs: 5,
  noteId: 'n9',
  acceptor: 1,
  seat: 1,
  currency: 'MOP',
  valueMinor: 50_000 as never,
};
const ofNote = (changes: Partial<typeof NOTE>): Planted => booked({ ...NOTE, ...changes });
const PAID = {
  type: 'hand-paid',
  atMs: 5,
  seat: 1,
  requestId: 'q',
  currency: 'MOP',
  person: ATTENDANT,
  second: null,
} as const;
const BET = { seat: 1, by: 1, bet: 'main', amountMinor: 5_000 as never };

const PLANTED: readonly (readonly [equation: RegExp, what: string, planted: Planted])[] = [
  [
    /^equation 1, seat 1, credit .*: 40000 is not 50000$/,
    'a note of 500 for which the accounts gave 400',
    {
      event: NOTE,
      postings: postingsOf(NOTE).map((each) =>
        each.account === 'seat-credit:1' ? { ...each, amountMinor: -40_000 as never } : each,
      ),
    },
  ],
  [
    /^equation 2, postings of note-credited = 0: they sum to 50000$/,
    'half a posting',
    { event: NOTE, postings: postingsOf(NOTE).slice(0, 1) },
  ],
  [
    /^equation 3, bills_in = sum of its parts by seat: 50000 is not 0$/,
    'a seat this table does not have',
    ofNote({ seat: 9 }),
  ],
  [
    /^equation 4, drop = bills to drop: 0 is not 50000$/,
    'a note that is in no cash box',
    {
      event: NOTE,
      postings: postingsOf(NOTE).map((each, at) => (at === 0 ? { ...each, account: 'bank' } : each)),
    },
  ],
  [
    /^equation 5, bills in = notes by value and number: 50000 is not 0$/,
    'a note of a currency no table has',
    ofNote({ currency: 'USD' as never }),
  ],
  [
    /^equation 6, coin in = sum of bets: 5000 is not 0$/,
    'a wager on what is no bet',
    booked({ type: 'deal-began', atMs: 5, bets: [{ ...BET, bet: 'dragon' }], seats: [] }),
  ],
  [
    /^equation 6, won \+ progressive = sum of pays: 10000 is not 0$/,
    'a win of what is no bet',
    booked({
      type: 'round-settled',
      atMs: 5,
      currency: 'MOP',
      deadline: null as never,
      lines: [
        {
          ...BET,
          bet: 'dragon',
          hand: null,
          outcome: 'win',
          stakeMinor: 5_000 as never,
          odds: [1, 1],
          returnedMinor: 10_000 as never,
          netMinor: 5_000 as never,
          cites: ['r.1'],
        },
      ],
    }),
  ],
  [
    /^equation 1, no seat, credit .*: 50000 is not 0$/,
    'credit of no seat',
    {
      event: NOTE,
      postings: postingsOf(NOTE).map((each) =>
        each.account === 'seat-credit:1' ? { ...each, account: 'seat-credit:0' } : each,
      ),
    },
  ],
  [
    /^equation 7, handpaid_total never falls: it fell by 5000$/,
    'a hand-pay of less than nothing',
    booked({ ...PAID, amountMinor: -5_000 as never }),
  ],
];

for (const [equation, what, { event, postings }] of PLANTED)
  test(`equation ${String(equation)[11]} does not hold: ${what}`, () => {
    const { meters } = shortSession();
    for (const fold of [copyOf(meters), emptyMeters(meters.context)]) {
      assert.deepEqual(brokenEquations(fold), []);
      countEvent(fold, event, postings);
      const broken = brokenEquations(fold);
      const isWhole = fold.touched.length > 30;
      // Over the whole session the amounts are others, the equation is the same.
      assert.ok(
        broken.some((each) =>
          isWhole ? each.startsWith(String(equation).slice(2, 12)) : equation.test(each),
        ),
        broken.join('\n'),
      );
    }
  });

test('a note that no mint makes is said to break the equations, and ends no check', () => {
  for (const valueMinor of [Number.MAX_SAFE_INTEGER, -1]) {
    const { meters } = shortSession();
    const event = { ...NOTE, valueMinor: valueMinor as never };
    for (const _ of [1, 2]) countEvent(meters, event, postingsOf(event));
    assert.ok(brokenEquations(meters).length > 0, String(valueMinor));
  }
});

// ---- slices, periods ----

const BOOKS: readonly RulebookId[] = [
  'macau-blackjack-2004',
  'macau-blackjack-2009',
  'portugal-blackjack',
  'macau-baccarat',
  'macau-casino-war',
];

for (const rulebook of BOOKS)
  test(`${rulebook}: parts sum to the table, and periods to the life, over random play`, () => {
    for (const seed of [1, 2]) {
      const table = new RandomTable(seed, rulebook, {}, seed === 1);
      const marks: { readonly fold: MeterFold; readonly values: Record<string, number> }[] = [];
      for (let i = 0; i < 400; i++) {
        // The table checks the equations of every input, of what it changed and of all there is.
        table.decide(table.next());
        if (i % 100 === 50) marks.push({ fold: copyOf(table.meters), values: nonZero(table.meters) });
      }
      for (const slice of SLICES) {
        const { meters } = slicedMeters(table.meters, slice);
        for (const { code, value, parts } of meters)
          assert.equal(
            parts.reduce((sum, part) => sum + part, 0),
            value,
            `${code} by ${slice}`,
          );
      }
      for (const { fold, values } of marks) {
        assert.deepEqual(nonZero(fold), values, 'a copy does not move');
        const period = since(table.meters, fold);
        assert.deepEqual(nonZero(fold), values, 'nor does reading a period');
        assert.deepEqual(
          brokenEquations(period).filter((each) => each.startsWith('equation 3')),
          [],
        );
        for (const { code, value, span } of metersOf(period))
          assert.equal(
            value,
            meterValue(table.meters, code) - (span === 'life' ? meterValue(fold, code) : 0),
            code,
          );
      }
    }
  });

test('of more shifts than are kept the oldest become one, in a period too', () => {
  const fold = emptyMeters();
  const shift = (no: number): void => {
    const person = { id: `d${no % 3}`, name: '', role: 'dealer' } as const;
    countEvent(
      fold,
      { type: 'table-configured', atMs: no, profile: profileWith(), rules: {} as never, person: null },
      [],
    );
    countEvent(fold, { type: 'dealer-signed-in', atMs: no, person }, []);
    countEvent(fold, { type: 'attendant-called', atMs: no, seat: 1, on: true }, []);
    countEvent(fold, { type: 'dealer-signed-out', atMs: no, person }, []);
  };
  for (let no = 1; no <= 10; no++) shift(no);
  const early = copyOf(fold);
  // So many that the one for all before has become the first of those that are left.
  const last = 2 * SHIFTS_KEPT + 20;
  const before = last - SHIFTS_KEPT + 1;
  for (let no = 11; no <= last; no++) shift(no);
  assert.deepEqual(brokenEquations(fold), []);
  // Those that are kept, of which one is all before, and what falls to no shift.
  assert.equal(fold.slices.shift.size, SHIFTS_KEPT + 1);
  const calls = partsOf(fold, 'shift', 'attendant_calls');
  assert.equal(calls[EARLIER], before);
  assert.equal(calls[String(last)], 1);
  assert.deepEqual(partsOf(fold, 'shift', 'config_changes'), { '': last }, 'no shift is kept apart');
  assert.equal(partsOf(early, 'shift', 'attendant_calls')['1'], 1, 'an earlier state has its own');
  const period = partsOf(since(fold, early), 'shift', 'attendant_calls');
  assert.equal(period[EARLIER], before - 10);
  assert.equal(partsOf(fold, 'shift', 'attendant_calls')[EARLIER], before);
});

// ---- facts of the cabinet ----

const at = { atMs: 5 } as const;
const AUDITOR = { id: 'u1', name: 'Lou', role: 'auditor' } as const;
const FACTS: readonly (readonly [what: string, fact: Parameters<typeof countEvent>[1], counted: object])[] = [
  ['an auditor', { ...at, type: 'service-entered', person: AUDITOR }, { audit_entries: 1 }],
  ['a technician', { ...at, type: 'service-entered', person: TECHNICIAN }, { service_entries: 1 }],
  ['a self-test that holds', { type: 'self-test-run', failed: ['rng'] }, { self_audit_runs: 1 }],
  [
    'books that do not agree at a self-test',
    { type: 'self-test-run', failed: ['rng', 'books'] },
    { self_audit_runs: 1, self_audit_fail: 1 },
  ],
  [
    'the centre heard again',
    { type: 'fault-cleared', fault: 'link-down', device: 'centre', forMs: 2_999 } as never,
    { link_down_seconds: 2 },
  ],
  [
    'another fault that has ended',
    { type: 'fault-cleared', fault: 'printer', device: 'printer', forMs: 2_999 } as never,
    {},
  ],
  ['an attendant who has come', { ...at, type: 'attendant-called', seat: 1, on: false }, {}],
  ['a start after a power loss', { type: 'program-started', after: 'power-loss' }, { power_losses: 1 }],
  ['a start after a crash', { type: 'program-started', after: 'crash' }, { process_restarts: 1 }],
  ['a start after an orderly end', { type: 'program-started', after: 'stop' }, {}],
];

for (const [what, fact, counted] of FACTS)
  test(`counted: ${what}`, () => {
    const fold = emptyMeters({ ...emptyMeters().context, seatCount: 7 });
    countEvent(fold, fact, []);
    assert.deepEqual(nonZero(fold), counted);
  });

test('a door that was opened, with power or without, begins the games since a door anew; none does not', () => {
  const none = { main: 0, drop: 0, logic: 0, acceptor: 0, cabinet: 0 };
  for (const [on, off, games] of [
    [0, 0, 4],
    [1, 0, 0],
    [0, 1, 0],
  ] as const) {
    const fold = emptyMeters();
    count(fold, 'games_since_door', 4);
    countEvent(
      fold,
      { type: 'doors-counted', opened: { ...none, logic: on }, openedOff: { ...none, logic: off } },
      [],
    );
    assert.equal(meterValue(fold, 'games_since_door'), games, `${on} ${off}`);
  }
});

test('a note that was never seen has a meter of its own; a word that is no meter has none', () => {
  // Each time another one: a code that has been asked for is known.
  fresh += 1;
  const fold = emptyMeters({ ...emptyMeters().context, seatCount: 7 });
  const note = { ...NOTE, valueMinor: (90_000_000 + fresh) as never };
  countEvent(fold, note, postingsOf(note));
  assert.equal(meterValue(fold, `bill_in_MOP_${900_000 + fresh / 100}`), 1);
  assert.deepEqual(brokenEquations(fold), []);
  assert.throws(() => meterValue(fold, `bottles_${fresh}`), RangeError);
});
let fresh = 0;

test('what is in no entry stands among the meters where somebody says it', () => {
  const codes = (known: Record<string, number>): string[] =>
    metersOf(since(emptyMeters(), emptyMeters()), known)
      .filter(({ value }) => value !== 0)
      .map(({ code, value }) => `${code} ${value}`);
  assert.deepEqual(codes({}), []);
  assert.deepEqual(codes({ queue_depth: 3 }), ['queue_depth 3']);
});

test('what falls to no seat stands last, whichever came first', () => {
  const facts = [
    { ...at, type: 'attendant-called', seat: 2, on: true },
    { ...at, type: 'attendant-called', seat: 1, on: true },
    { type: 'recall-displayed' },
  ] as const;
  for (const order of [facts, facts.toReversed()]) {
    const fold = emptyMeters({ ...emptyMeters().context, seatCount: 7 });
    for (const fact of order) countEvent(fold, fact as never, []);
    assert.deepEqual(slicedMeters(fold, 'seat').keys, ['1', '2', '']);
  }
});

test('nothing is booked where nothing moves: a push leaves the bank alone', () => {
  const { events } = shortSession();
  const settled = events.filter(({ type }) => type === 'round-settled').at(-1)!;
  const push = {
    ...settled,
    lines: (settled as never as { lines: object[] }).lines.slice(0, 1),
  } as TableEvent;
  assert.deepEqual(
    postingsOf(push).map(({ account }) => account),
    ['stake:1', 'seat-credit:1'],
  );
  const held = { type: 'note-held', ...at, caseNo: 1, noteId: null, acceptor: 1, seat: 1, currency: 'MOP' };
  assert.deepEqual(postingsOf({ ...held, valueMinor: null, why: 'unknown', inBox: true } as never), []);
  const seed = { type: 'jackpot-moved', ...at, why: 'started', currency: 'MOP', amountMinor: 0 };
  assert.deepEqual(postingsOf(seed as never), [], 'a jackpot that starts with nothing');
});
