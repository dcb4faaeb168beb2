import assert from 'node:assert/strict';
import { test } from 'node:test';
import { amount, TestTable } from '../../../test/support/table-kit.ts';
import { bettingChoices } from '../../engine.ts';
import { betRange, bets } from './bets.ts';

const SIDE_BETS = ['anyPair', 'sevens', 'over13', 'under13', 'perfectPair', 'streak2', 'streak3'];

function open(options: Parameters<typeof TestTable.ready>[0] = {}): TestTable {
  const table = TestTable.ready({ sideBets: SIDE_BETS, ...options });
  table.open();
  return table;
}

/** `seat<by bet amount` -> the answer. */
function told(table: TestTable, text: string): string | null {
  const [, seat, by, bet, value] = /^(\d)(?:<(\d))? (\w+) (\d+)$/.exec(text)!;
  return table.tryBet(Number(seat), Number(value), Number(by ?? seat), bet)?.code ?? null;
}

/** article · bets one after the other with the answer to each */
const RULES: readonly (readonly [
  string,
  readonly (readonly [string, string | null])[],
  Parameters<typeof open>[0]?,
])[] = [
  [
    'art. 13 a side bet lies beside a main bet of the same bettor',
    [
      ['1 sevens 100', 'no-main'],
      ['1 main 1000', null],
      ['1 sevens 100', null],
    ],
  ],
  [
    'art. 13 on the same seat',
    [
      ['1 main 1000', null],
      ['2 main 1000', null],
      ['2<1 sevens 100', 'no-main'],
    ],
  ],
  [
    'art. 13.1 any pair on the hand of any player that has one',
    [
      ['2 main 1000', null],
      ['2<1 anyPair 100', 'no-main'],
      ['1 main 1000', null],
      ['2<1 anyPair 100', null],
      ['3<1 anyPair 100', 'no-main'],
    ],
  ],
  [
    'art. 13 one kind per bettor and seat',
    [
      ['1 main 1000', null],
      ['1 anyPair 100', null],
      ['1 sevens 100', 'one-kind'],
      ['1 streak2 100', 'one-kind'],
    ],
  ],
  [
    'art. 13.3, 13.5.2.iv over and under, and streak numbers, are one kind',
    [
      ['1 main 1000', null],
      ['1 over13 100', null],
      ['1 under13 100', null],
      ['2 main 1000', null],
      ['2 streak2 100', null],
      ['2 streak3 100', null],
    ],
  ],
  [
    'art. 13 several kinds where that is authorised',
    [
      ['1 main 1000', null],
      ['1 anyPair 100', null],
      ['1 sevens 100', null],
    ],
    { sideBetsAtOnce: 'any' },
  ],
  [
    'a bet that the house does not offer is off',
    [
      ['1 main 1000', null],
      ['1 perfectPair 100', 'off'],
    ],
    { sideBets: ['anyPair'] },
  ],
  [
    'side bets have limits of their own, and no step',
    [
      ['1 main 1000', null],
      ['1 anyPair 49', 'out-of-range'],
      ['1 anyPair 51', null],
      ['1 anyPair 450', 'out-of-range'],
      ['1 anyPair 449', null],
    ],
    { sideBetMin: 50, sideBetMax: 500 },
  ],
  [
    'without them up to the maximum of the table',
    [
      ['1 main 1000', null],
      ['1 anyPair 2001', 'out-of-range'],
      ['1 anyPair 2000', null],
    ],
    { max: 2_000 },
  ],
];
for (const [title, bets, options] of RULES) {
  test(title, () => {
    const table = open(options);
    assert.deepEqual(
      bets.map(([text]) => told(table, text)),
      bets.map(([, code]) => code),
    );
  });
}

test('a second bet of the same name is no bet beside it: only a chip on top of it is taken', () => {
  const table = open();
  const bet = { type: 'place-bet', roundId: table.roundId, seat: 1, by: 1, touchedAtMs: table.atMs } as const;
  for (const [kind, value] of [
    ['main', 1_000],
    ['anyPair', 100],
  ] as const) {
    const laid = { ...bet, bet: kind, amountMinor: amount(value) };
    table.must(laid);
    assert.equal(table.try(laid)?.code, 'not-allowed');
    table.must({ ...laid, onTop: true });
  }
  assert.deepEqual(
    table.state.round?.bets.map(({ amountMinor }) => amountMinor),
    [2_000, 200],
  );
});

test('the panel shows every kind of bet open or closed, with the most that can be laid or the reason and its article', () => {
  const table = open({ sideBetMax: 5_000 });
  const shown = (): Record<string, string> =>
    Object.fromEntries(
      bettingChoices(table.state, 1)
        .filter(({ act }) => act === 'place-bet')
        .map(({ bet, allowed, code, cites, amountMinor }) => [
          bet,
          allowed ? `${amountMinor}` : `${code} ${cites.join(' ')}`,
        ]),
    );
  assert.equal(shown()['main'], '100000');
  assert.equal(shown()['anyPair'], 'no-main art.13');
  table.bet(1, 1_000);
  table.bet(1, 101, 1, 'over13');
  assert.deepEqual(shown(), {
    main: '98898',
    anyPair: 'one-kind art.13',
    sevens: 'one-kind art.13',
    over13: '4899',
    under13: '5000',
    perfectPair: 'one-kind art.13',
    streak2: 'one-kind art.13',
    streak3: 'one-kind art.13',
  });
});

test('art. 13.1 any pair goes back with the main bet on whose hand it lay', () => {
  const table = open();
  table.bet(1, 1_000);
  table.bet(2, 1_000);
  table.bet(2, 100, 1, 'anyPair');
  table.bet(2, 100, 2, 'sevens');
  table.must({ type: 'clear-bets', roundId: table.roundId, seat: 2, touchedAtMs: table.atMs });
  assert.deepEqual(
    table.state.round?.bets.map(({ seat, by, bet }) => `${seat}<${by} ${bet}`),
    ['1<1 main'],
  );
  assert.equal(table.credit(1), 99_000);
  assert.equal(table.credit(2), 100_000);
});

test('double lays the side bets again too, as one touch', () => {
  const table = open();
  const touch = { roundId: table.roundId, seat: 1, touchedAtMs: table.atMs };
  table.bet(1, 1_000);
  table.bet(1, 100, 1, 'anyPair');
  table.must({ type: 'double-bets', ...touch });
  assert.deepEqual(
    table.state.round?.bets.map(({ amountMinor }) => amountMinor),
    [2_000, 200],
  );
  table.must({ type: 'undo-bet', ...touch });
  assert.deepEqual(
    table.state.round?.bets.map(({ amountMinor }) => amountMinor),
    [1_000, 100],
  );
});

test('arts. 3.2, 20.1.2 bettors are counted by their main bets, each once, and three where the nearest decide', () => {
  const two = TestTable.ready({ maxBettorsPerSeat: 2, sideBetsAtOnce: 'any' });
  two.open();
  two.bet(1, 1_000);
  for (const bet of ['anyPair', 'sevens']) two.bet(1, 100, 1, bet);
  two.bet(1, 1_000, 2);
  assert.equal(two.tryBet(1, 1_000, 3)?.code, 'limit');
  const bettors = (betsBehind: string): (string | undefined)[] => {
    const t = TestTable.ready({ betsBehind });
    t.open();
    return [1, 2, 3, 4].map((by) => t.tryBet(1, 1_000, by)?.code);
  };
  assert.deepEqual(bettors('highest'), [undefined, undefined, undefined, undefined]);
  assert.deepEqual(bettors('nearest'), [undefined, undefined, undefined, 'limit']);
});

test('art. 13 one kind is one kind of a bettor on a seat; r.14 names the step, Macau’s articles do not', () => {
  const t = TestTable.ready({ sideBetsAtOnce: 'oneKind', step: 500, min: 1_000 });
  t.open();
  t.bet(1, 1_000);
  t.bet(2, 1_000, 1);
  t.bet(1, 100, 1, 'sevens');
  assert.equal(t.tryBet(1, 100, 1, 'anyPair')?.code, 'one-kind');
  assert.equal(t.tryBet(2, 100, 1, 'anyPair'), null);
  assert.deepEqual(t.tryBet(3, 1_001)?.cites, []);
  const portugal = TestTable.ready({}, { rulebook: 'portugal-blackjack' });
  portugal.open();
  assert.deepEqual(portugal.tryBet(3, 1_001)?.cites, ['r.14']);
});

test('r.15, r.16 the maximum is of all bets on a seat, and of main bets alone; Macau has one for each bettor', () => {
  const pays = [{ combination: 'A2', share: '1' }];
  const jackpot = { stake: 1_000, increment: '1/2', cards: 2, pays };
  const t = TestTable.ready({ jackpot, max: 3_000 }, { rulebook: 'portugal-blackjack' });
  t.open();
  t.bet(1, 1_000);
  t.bet(1, 1_000, 1, 'jackpot');
  t.bet(2, 3_000);
  t.bet(1, 1_000, 2);
  assert.equal(t.tryBet(1, 2_000)?.code, 'limit');
  t.bet(1, 1_000);
  const macau = TestTable.ready({ max: 3_000 });
  macau.open();
  macau.bet(1, 3_000);
  macau.bet(1, 3_000, 2);
});

test('what one more placement may add: of a bet that lies, of a chip, of a side bet', () => {
  const t = TestTable.ready({ sideBetMin: 200, sideBetMax: 900, min: 1_000, step: 500, max: 5_000 });
  t.open();
  const range = (table: TestTable, bet: string): number[] => {
    const { least, most, step } = betRange(table.state, table.state.round!.bets, { seat: 1, by: 1, bet });
    return [least, most, step];
  };
  assert.deepEqual(range(t, 'main'), [1_000, 5_000, 500]);
  t.bet(1, 1_000);
  assert.deepEqual(range(t, 'main'), [500, 4_000, 500]);
  assert.deepEqual(range(t, 'anyPair'), [200, 900, 1]);
  t.bet(1, 200, 1, 'anyPair');
  assert.deepEqual(range(t, 'anyPair'), [1, 700, 1]);
  const pays = [{ combination: 'A2', share: '1' }];
  const jackpot = { stake: 100, increment: '1/2', cards: 2, pays };
  const chips = TestTable.ready({ jackpot }, { rulebook: 'portugal-blackjack' });
  chips.open();
  chips.bet(1, 1_000);
  assert.deepEqual(bets(chips.state), ['main', 'jackpot']);
  assert.deepEqual(range(chips, 'jackpot'), [100, 100, 100]);
  chips.bet(1, 100, 1, 'jackpot');
  assert.deepEqual(range(chips, 'jackpot'), [100, 0, 100]);
  assert.equal(chips.tryBet(1, 100, 1, 'anyPair')?.code, 'off');
  const plain = TestTable.ready({}, { rulebook: 'portugal-blackjack' });
  plain.open();
  assert.deepEqual(bets(plain.state), ['main']);
});
