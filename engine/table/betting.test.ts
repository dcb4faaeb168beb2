import assert from 'node:assert/strict';
import { test } from 'node:test';
import { amount, DEALER, profileWith, SUPERVISOR, TestTable } from '../../test/support/table-kit.ts';
import { type Card, cardName } from '../core/cards.ts';
import { bettingChoices } from '../engine.ts';

const tryChange = (
  table: TestTable,
  type: 'undo-bet' | 'clear-bets' | 'repeat-bets' | 'double-bets',
  seat = 1,
) => table.try({ type, roundId: table.roundId, seat, touchedAtMs: table.atMs });

const bets = (table: TestTable): string[] =>
  (table.state.round?.bets ?? []).map((bet) => `${bet.seat}<${bet.by} ${bet.amountMinor}`);

/** limits · amounts laid one after the other on seat 1 · the answer to each */
const LIMITS: readonly (readonly [string, readonly number[], readonly (string | null)[]])[] = [
  ['the first placement must reach the minimum', [100, 1_000], ['out-of-range', null]],
  ['a later placement may be smaller', [1_000, 100], [null, null]],
  ['the sum may not pass the maximum', [50_000, 50_100, 50_000], [null, 'out-of-range', null]],
  ['an amount off the step is refused', [1_050, 1_000], ['step', null]],
  ['what is no amount is refused', [0, -1_000, 1_000.5], ['malformed', 'malformed', 'malformed']],
  ['the credit must cover it', [60_000, 60_000], [null, 'out-of-range']],
];
for (const [title, amounts, told] of LIMITS) {
  test(`limits: ${title}`, () => {
    const table = TestTable.ready({ min: 1_000, max: 100_000, step: 100 });
    table.open();
    assert.deepEqual(
      amounts.map((value) => table.tryBet(1, value)?.code ?? null),
      told,
    );
  });
}

test('credit: a bet is debited at once, refused when not covered, and credited back on undo', () => {
  const table = TestTable.ready();
  table.open();
  table.bet(1, 60_000);
  assert.equal(table.credit(1), 40_000);
  assert.equal(table.tryBet(1, 60_000)?.code, 'no-credit');
  assert.equal(tryChange(table, 'undo-bet'), null);
  assert.equal(table.credit(1), 100_000);
  assert.equal(tryChange(table, 'undo-bet')?.code, 'nothing-to-do');
});

test('undo takes back the last touch, clear all of them, double lays again what lies', () => {
  const table = TestTable.ready();
  table.open();
  table.bet(1, 1_000);
  table.bet(2, 2_000, 1);
  assert.equal(tryChange(table, 'double-bets'), null);
  assert.deepEqual(bets(table), ['1<1 2000', '2<1 4000']);
  assert.equal(tryChange(table, 'undo-bet'), null);
  assert.deepEqual(bets(table), ['1<1 1000', '2<1 2000']);
  assert.equal(tryChange(table, 'undo-bet'), null);
  assert.deepEqual(bets(table), ['1<1 1000']);
  assert.equal(tryChange(table, 'clear-bets'), null);
  assert.deepEqual(bets(table), []);
  assert.equal(table.credit(1), 100_000);
});

test('repeat lays the bets of the last round again, or says why not', () => {
  const table = TestTable.ready();
  table.open();
  assert.equal(tryChange(table, 'repeat-bets')?.code, 'nothing-to-do');
  table.bet(1, 50_000);
  table.bet(2, 10_000, 1);
  table.must({ type: 'close-betting' });
  table.draw('TS TD 9H 9D 9C');
  table.wait();
  table.act(1, 'stand');
  table.act(2, 'stand', { by: 1 });
  table.draw('TC');
  table.close();
  table.open();
  assert.equal(tryChange(table, 'repeat-bets'), null);
  assert.deepEqual(bets(table), ['1<1 50000', '2<1 10000']);
  assert.equal(tryChange(table, 'repeat-bets')?.code, 'not-allowed');
  assert.equal(tryChange(table, 'double-bets')?.code, 'no-credit');
});

test('everybody repeats their own bets alone, also those of a round that was voided after its first card', () => {
  const table = TestTable.ready();
  table.open();
  table.bet(1, 1_000);
  table.bet(2, 2_000);
  table.must({ type: 'close-betting' });
  table.draw('TS');
  table.must({ type: 'void-round', reason: 'misdeal', person: SUPERVISOR });
  table.close();
  table.open();
  assert.equal(tryChange(table, 'repeat-bets', 2), null);
  assert.deepEqual(bets(table), ['2<2 2000']);
  assert.equal(tryChange(table, 'repeat-bets'), null);
  assert.deepEqual(bets(table), ['2<2 2000', '1<1 1000']);
});

test('what a round has brought stays until the bettor lays again, whatever others do', () => {
  const table = TestTable.ready();
  table.open();
  table.bet(1, 50_000);
  table.bet(2, 10_000, 1);
  table.bet(2, 20_000);
  table.must({ type: 'close-betting' });
  table.draw('TS TD 9H 9D 9C');
  table.wait();
  table.act(1, 'stand');
  table.act(2, 'stand');
  table.draw('TC');
  assert.equal(table.state.results, undefined, 'the round itself lies on the table');
  table.close();
  const kept = (): unknown[] =>
    Object.entries(table.state.results ?? {}).map(([by, { no, lines }]) => [
      by,
      no,
      lines.map(({ netMinor }) => netMinor),
    ]);
  const first = ['1', 1, [0, 0]];
  assert.deepEqual(kept(), [first, ['2', 1, [0]]]);
  const cards = (by: number): unknown => {
    const { bank, hands } = table.state.results![by]!.cards!;
    const names = (shown: readonly (Card | null)[]): string =>
      shown.map((card) => (card === null ? '?' : cardName(card))).join(' ');
    return [names(bank), ...hands.map((hand) => `${hand.seat}: ${names(hand.cards)}`)];
  };
  assert.deepEqual(cards(1), ['9H TC', '1: TS 9D', '2: TD 9C'], 'of both seats they had bet on');
  assert.deepEqual(cards(2), ['9H TC', '2: TD 9C']);
  table.open();
  table.bet(2, 10_000);
  assert.deepEqual(kept(), [first], 'who lays goes on, who does not keeps it');
  table.must({ type: 'close-betting' });
  table.draw('TS TH');
  assert.deepEqual(kept(), [first], 'cards of others take nothing away');
  table.checkReplay();
});

test('nobody sees what somebody else has won: with the session the result goes', () => {
  const table = TestTable.ready();
  table.must({ type: 'begin-session', seat: 1 });
  table.bets({ 1: 100_000, 2: 1_000 });
  table.draw('TS TD KH 9D 9C');
  table.wait();
  table.act(1, 'stand');
  table.act(2, 'stand');
  table.draw('TC');
  table.close();
  assert.deepEqual(Object.keys(table.state.results ?? {}), ['1', '2']);
  table.must({ type: 'end-session', seat: 1 });
  assert.deepEqual(Object.keys(table.state.results ?? {}), ['2']);
  table.checkReplay();
});

test('time: a touch before the deadline counts 250 ms after it, a later touch or a later hand-in does not', () => {
  const cases: readonly (readonly [number, number, lateMs: number | null])[] = [
    [0, 0, null],
    [-1, 250, null],
    [0, 251, 251],
    [1, 1, 1],
    [320, 500, 320],
    [5_000, 0, null], // a touch from the future is taken as made now
    [5_000, 40, 40],
  ];
  for (const [touched, handled, lateMs] of cases) {
    const table = TestTable.ready();
    table.open();
    const deadline = table.state.deadline!.atMs;
    const refused = table.try({
      type: 'place-bet',
      roundId: table.roundId,
      seat: 1,
      by: 1,
      bet: 'main',
      amountMinor: amount(1_000),
      touchedAtMs: deadline + touched,
      atMs: deadline + handled,
    });
    const told = `touched ${touched}, handled ${handled}`;
    assert.equal(refused?.code ?? null, lateMs === null ? null : 'too-late', told);
    assert.equal(refused?.lateMs ?? null, lateMs, told);
  }
});

test('time: a touch from before the closing word still counts until the first card is out', () => {
  const lay = (drawn: boolean): string | null => {
    const table = TestTable.ready();
    table.open();
    table.bet(1, 1_000);
    const touchedAtMs = table.atMs;
    table.must({ type: 'close-betting' });
    if (drawn) table.draw('TS');
    const refused = table.try({
      type: 'place-bet',
      roundId: table.roundId,
      seat: 2,
      by: 2,
      bet: 'main',
      amountMinor: amount(1_000),
      touchedAtMs,
    });
    return refused?.code ?? null;
  };
  assert.equal(lay(false), null);
  assert.equal(lay(true), 'too-late');
});

test('the last bet taken back in time, though handled after the closing word, leaves no round to deal', () => {
  const table = TestTable.ready();
  table.open();
  table.bet(1, 1_000);
  const touch = { roundId: table.roundId, touchedAtMs: table.atMs };
  table.must({ type: 'close-betting' });
  table.must({ type: 'clear-bets', seat: 1, ...touch });
  assert.equal(table.state.phase, 'idle');
  assert.equal(table.credit(1), 100_000);
  table.draw('TS');
  assert.equal(table.state.hold?.code, 'unexpected-card');
  table.checkReplay();
});

test('the dealer gives the whole time for bets once more while betting is open, and never after', () => {
  const table = TestTable.ready();
  assert.equal(table.try({ type: 'extend-betting' })?.code, 'not-due');
  table.open();
  table.bet(1, 1_000);
  const { atMs: first, totalMs } = table.state.deadline!;
  table.atMs = first - 2;
  table.must({ type: 'extend-betting' });
  assert.equal(table.state.deadline!.atMs, first - 1 + totalMs);
  table.bet(2, 1_000);
  table.wait();
  assert.equal(table.state.phase, 'dealing');
  assert.ok(table.atMs >= first - 1 + totalMs, 'the first deadline has closed nothing');
  assert.equal(table.try({ type: 'extend-betting' })?.code, 'not-due');
  table.checkReplay();
});

test('opening, renewing and closing the bets name the dealer; the end of the time names nobody', () => {
  const table = TestTable.ready();
  table.open();
  table.bet(1, 1_000);
  table.must({ type: 'extend-betting' });
  table.must({ type: 'sign-in-dealer', person: SUPERVISOR });
  table.must({ type: 'close-betting' });
  const said = (): unknown[] =>
    table.events.flatMap((event) =>
      event.type === 'betting-opened' ||
      event.type === 'betting-time-renewed' ||
      event.type === 'betting-closed'
        ? [[event.type, event.person?.id ?? null]]
        : [],
    );
  assert.deepEqual(said(), [
    ['betting-opened', DEALER.id],
    ['betting-time-renewed', DEALER.id],
    ['betting-closed', SUPERVISOR.id],
  ]);
  const left = TestTable.ready();
  left.open();
  left.bet(1, 1_000);
  left.wait();
  assert.ok(left.events.every((event) => event.type !== 'betting-closed' || event.person === undefined));
  table.checkReplay();
});

test('the deadline closes the betting where a bet lies and else leaves the table idle', () => {
  const table = TestTable.ready();
  table.open();
  table.wait();
  assert.equal(table.state.phase, 'idle');
  table.open();
  table.bet(1, 1_000);
  assert.equal(table.try({ type: 'reach-deadline' })?.code, 'not-due');
  table.wait();
  assert.equal(table.state.phase, 'dealing');
});

test('a bet of another round, seat or kind is refused by name', () => {
  const table = TestTable.ready();
  table.open();
  const bet = { type: 'place-bet', seat: 1, by: 1, bet: 'main', amountMinor: amount(1_000) } as const;
  const touch = { roundId: table.roundId, touchedAtMs: table.atMs };
  assert.equal(table.try({ ...bet, ...touch, roundId: 'other' })?.code, 'unknown-round');
  for (const seat of [0, 8, 1.5]) {
    assert.equal(table.try({ ...bet, ...touch, seat })?.code, 'unknown-seat', `on ${seat}`);
    assert.equal(table.try({ ...bet, ...touch, by: seat })?.code, 'unknown-seat', `by ${seat}`);
    assert.equal(tryChange(table, 'clear-bets', seat)?.code, 'unknown-seat');
  }
  assert.equal(table.try({ ...bet, ...touch, bet: 'roulette' })?.code, 'off');
});

test('art. 3.2 seats per player and art. 20.1.2 bettors per seat are limited as authorised', () => {
  const table = TestTable.ready({ seatsPerPlayer: 2, betsBehind: 'nearest' });
  table.open();
  table.bet(1, 1_000);
  table.bet(2, 1_000, 1);
  assert.deepEqual(table.tryBet(3, 1_000, 1)?.cites, ['art.3.2']);
  table.bet(1, 1_000, 3);
  table.bet(1, 1_000, 4);
  assert.deepEqual(table.tryBet(1, 1_000, 5)?.cites, ['art.20.1.2']);
});

test('the panel is shown what may be done with the bets, and how much', () => {
  const table = TestTable.ready({ max: 70_000, step: 1_000, sideBets: [] });
  table.open();
  const shown = (): string[] =>
    bettingChoices(table.state, 1).map(
      ({ act, allowed, code, amountMinor }) => `${act} ${allowed ? 'yes' : code} ${amountMinor}`,
    );
  assert.deepEqual(shown(), [
    'place-bet yes 70000',
    'undo-bet nothing-to-do null',
    'clear-bets nothing-to-do null',
    'repeat-bets nothing-to-do 0',
    'double-bets nothing-to-do 0',
  ]);
  table.bet(1, 60_000);
  assert.deepEqual(shown().slice(0, 2), ['place-bet yes 10000', 'undo-bet yes null']);
  assert.equal(shown().at(-1), 'double-bets out-of-range 60000');
});

test('a profile is checked against its rulebook, each problem with its article', () => {
  const told = (options: Parameters<typeof profileWith>[0], changes = {}): string => {
    const refused = new TestTable().try({
      type: 'configure',
      profile: profileWith(options, changes),
      person: null,
    });
    return `${refused?.code} ${refused?.cites.join(' ')} ${refused?.detail}`;
  };
  assert.equal(told({ burnAtStart: 'none' }), 'off art.4.1 burnAtStart: "none" is not "perDeck", "one"');
  assert.equal(told({ fiveCards: false }), 'off art.19 fiveCards: false is not true');
  assert.equal(told({ insuranceMin: '1/3' }), 'off art.12.1 insuranceMin: "1/3" is not a fraction 1/2..1');
  assert.equal(told({ cardSource: 'box' }).slice(0, 18), 'off art.2.2.3 art.');
  assert.equal(
    told({ cardSource: 'box', decks: 1 }),
    'off art.5.2.2.1 dealing: the second procedure has no metal box',
  );
  assert.equal(
    told({ dealing: 'holeCard', burnEachRound: 'oneAndBeforeDealerSecond' }).slice(0, 12),
    'off art.4.2 ',
  );
  assert.equal(
    told({ tableMaxTotal: 5_000 }),
    'off art.5.2.3.8 tableMaxTotal: belongs to the third procedure',
  );
  assert.equal(
    told({ dealing: 'holeCard', maxHands: 4 }),
    'off art.5.2.3.7 maxHands: five in the third procedure',
  );
  assert.equal(
    told({ dealing: 'holeCard' }, { rulebook: 'macau-blackjack-2004' }).slice(0, 12),
    'off art.5.2 ',
  );
  assert.equal(told({ colour: 'red' }), 'off  colour: unknown option of macau-blackjack-2009');
  assert.equal(told({ maxHands: 3 }), 'off art.16.1 maxHands: 3 is not an integer 4..20');
  assert.equal(
    told({ betsBehind: 'nearest', maxBettorsPerSeat: 4 }),
    'off art.20.1.2 maxBettorsPerSeat: at most three where the nearest bet decides',
  );
  assert.equal(told({}, { seatCount: 5 }), 'off art.1.1 seats: 5 is not an integer 6..12');
  assert.equal(told({}, { rulebook: 'poker' }), 'off  rulebook: unsupported: poker');
  assert.equal(told({}, { notesMinor: [] }), 'malformed  notesMinor: not a rising list of amounts');
});

test('a profile changes only on an empty table without money; the one in force changes nothing', () => {
  const table = TestTable.ready();
  const sortedKeys = Object.fromEntries(Object.entries(profileWith()).toSorted()) as ReturnType<
    typeof profileWith
  >;
  for (const profile of [profileWith(), sortedKeys]) {
    assert.deepEqual(table.must({ type: 'configure', profile, person: null }).events, []);
  }
  const refused = table.try({ type: 'configure', profile: profileWith({ decks: 8 }), person: null });
  assert.equal(refused?.code, 'not-allowed');
});

test('what is repeated must be covered and lawful as a whole, to the last minor unit, or nothing of it is laid', () => {
  const table = TestTable.ready({ max: 50_000 });
  table.open();
  table.bet(1, 50_000);
  table.bet(2, 40_000, 1);
  table.must({ type: 'close-betting' });
  table.draw('TS TD 9H 8D 8C');
  table.wait();
  table.act(1, 'stand');
  table.act(2, 'stand', { by: 1 });
  table.draw('TC');
  table.close();
  table.open();
  assert.equal(table.credit(1), 10_000, 'both are lost');
  assert.equal(tryChange(table, 'repeat-bets')?.code, 'no-credit');
  table.insert(1, 50_000);
  assert.equal(tryChange(table, 'repeat-bets')?.code, 'no-credit', 'each would be covered, both are not');
  assert.deepEqual(bets(table), []);
  table.insert(1, 10_000);
  table.insert(1, 10_000);
  table.insert(1, 10_000);
  assert.equal(tryChange(table, 'repeat-bets'), null);
  assert.deepEqual([bets(table), table.credit(1)], [['1<1 50000', '2<1 40000'], 0]);

  const twice = TestTable.ready({ max: 50_000 });
  twice.open();
  twice.bet(1, 10_000);
  twice.bet(2, 30_000, 1);
  twice.bet(3, 20_000);
  assert.equal(tryChange(twice, 'double-bets')?.code, 'out-of-range', 'the second one');
  assert.deepEqual(bets(twice), ['1<1 10000', '2<1 30000', '3<3 20000']);
  assert.equal(tryChange(twice, 'double-bets', 3), null);
  assert.deepEqual(bets(twice), ['1<1 10000', '2<1 30000', '3<3 40000'], 'nobody else’s');
});

test('while the table is held no touch on a bet counts', () => {
  const table = TestTable.ready();
  table.open();
  table.bet(1, 10_000);
  table.draw('TS');
  assert.equal(table.state.hold?.code, 'unexpected-card');
  assert.equal(table.tryBet(1, 10_000)?.code, 'held');
  assert.equal(tryChange(table, 'clear-bets')?.code, 'held');
});

test('r.15 a bet behind goes back with the bet it rests on, whatever its amount, and nothing else of its bettor', () => {
  const table = TestTable.ready({ min: 2_000, max: 50_000 }, { rulebook: 'portugal-blackjack' });
  table.open();
  table.bet(1, 10_000);
  table.bet(2, 20_000);
  table.bet(1, 40_000, 2);
  table.bet(3, 10_000);
  assert.equal(tryChange(table, 'clear-bets', 1), null);
  assert.deepEqual(bets(table), ['2<2 20000', '3<3 10000']);
  assert.equal(table.credit(2), 80_000);
});

test('a touch in time that is handled late takes back its own bets, and those of others are dealt to', () => {
  const table = TestTable.ready();
  table.open();
  table.bet(1, 1_000);
  table.bet(2, 1_000);
  const touch = { roundId: table.roundId, touchedAtMs: table.atMs };
  table.must({ type: 'close-betting' });
  table.must({ type: 'clear-bets', seat: 1, ...touch });
  assert.equal(table.state.phase, 'dealing');
  table.draw('TS');
  assert.deepEqual(
    table.state.round!.seats.map(({ seat }) => seat),
    [2],
  );
});

test('a touch in time on a round that was void meanwhile is too late', () => {
  const table = TestTable.ready();
  table.open();
  table.bet(1, 1_000);
  const touch = { roundId: table.roundId, touchedAtMs: table.atMs };
  table.must({ type: 'close-betting' });
  table.must({ type: 'void-round', reason: 'supervisor', person: SUPERVISOR });
  const bet = { type: 'place-bet', seat: 1, by: 1, bet: 'main', amountMinor: amount(1_000) } as const;
  assert.equal(table.try({ ...bet, ...touch, onTop: true })?.code, 'too-late');
});

test('no bet is laid or changed without a round, nor in one that is only shown', () => {
  const table = TestTable.ready({ demoRounds: 1 }, { rulebook: 'macau-baccarat' });
  for (const type of ['undo-bet', 'clear-bets', 'repeat-bets', 'double-bets'] as const)
    assert.equal(tryChange(table, type)?.code, 'unknown-round');
  table.must({ type: 'demo-round', roundId: 'd' });
  assert.equal(table.tryBet(1, 1_000, 1, 'player')?.detail, 'a round without bets');
});

test('r.47 a second chip is refused as one too many, whether or not it was meant to lie on the first', () => {
  const jackpot = { stake: 100, increment: '1/2', pays: [{ combination: 'A4s', share: '1' }] };
  const table = TestTable.ready({ jackpot }, { rulebook: 'portugal-blackjack' });
  table.open();
  table.bet(1, 1_000);
  table.bet(1, 100, 1, 'jackpot');
  const place = { type: 'place-bet', roundId: table.roundId, seat: 1, by: 1, bet: 'jackpot' } as const;
  for (const onTop of [true, false])
    assert.equal(
      table.try({ ...place, amountMinor: amount(100), onTop, touchedAtMs: table.atMs })?.code,
      'one-chip',
    );
  const main = { ...place, bet: 'main', amountMinor: amount(1_000), touchedAtMs: table.atMs };
  assert.equal(table.try(main)?.detail, 'this bet lies already');
});
