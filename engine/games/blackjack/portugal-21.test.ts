/**
 * Portugal's Blackjack/21 where the conformance vectors do not look: options, the jackpot's books,
 * people and orders.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { amount, DEALER, profileWith, SUPERVISOR, TestTable } from '../../../test/support/table-kit.ts';
import { validateOptions } from '../../books.ts';
import { parseCard } from '../../core/cards.ts';
import { decide, nextStep, seatChoices } from '../../engine.ts';
import type { OptionValue } from '../../table/profile.ts';
import { BLACKJACK } from './blackjack.ts';

type Options = Readonly<Record<string, OptionValue>>;

const JACKPOT = {
  stake: 100,
  increment: '1/3',
  cards: 4,
  pays: [
    { combination: 'A4s', share: '1' },
    { combination: 'A3', share: '2/5' },
    { combination: 'A2', odds: 10 },
  ],
};

const table = (options: Options = {}): TestTable =>
  TestTable.ready(options, { rulebook: 'portugal-blackjack', currency: 'EUR' });

const problems = (options: Options): string[] => {
  const checked = validateOptions('portugal-blackjack', options);
  return checked.ok ? [] : checked.problems.map(({ option, article }) => `${option} ${article}`);
};

// ---- options ----

test('r.14, r.37, r.44 what the rules bind together is refused by name and rule', () => {
  assert.deepEqual(problems({}), []);
  assert.deepEqual(problems({ min: 2_000, max: 60_000 }), [], 'the step follows the minimum');
  assert.deepEqual(problems({ step: 500 }), ['step r.14']);
  assert.deepEqual(problems({ max: 31_000 }), ['max r.37']);
  assert.deepEqual(problems({ min: 999 }), ['min r.14'], 'an odd minimum would leave halves');
  assert.deepEqual(problems({ decks: 5, dealing: 'faceUp', insuranceMin: '1/2' }), [
    'decks r.3',
    'dealing r.17',
    'insuranceMin r.33',
  ]);
  assert.deepEqual(problems({ cutBehind: 60 }), ['cutBehind ']);
});

test('r.38-r.44 the jackpot is checked inside, each place by its whole name', () => {
  const jackpot = (changes: object): string[] =>
    problems({ jackpot: { ...JACKPOT, ...changes } as OptionValue });
  assert.deepEqual(jackpot({}), []);
  assert.deepEqual(jackpot({ seed: 999_999 }), ['jackpot.seed r.44']);
  assert.deepEqual(jackpot({ stake: 0, cards: 5, colour: 'red' }), [
    'jackpot.colour ',
    'jackpot.stake r.40',
    'jackpot.cards r.42',
  ]);
  assert.deepEqual(jackpot({ increment: undefined }), ['jackpot.increment r.40']);
  assert.deepEqual(jackpot({ increment: '3/2' }), ['jackpot.increment r.40']);
  assert.deepEqual(jackpot({ pays: [{ combination: 'A5', share: '1' }] }), [
    'jackpot.pays.0.combination r.43',
  ]);
  assert.deepEqual(jackpot({ pays: [{ combination: 'A4', share: '1', odds: 3 }] }), ['jackpot.pays r.43']);
  assert.deepEqual(jackpot({ pays: [{ combination: 'A4', odds: 3 }] }), ['jackpot.pays r.50.a']);
  assert.deepEqual(jackpot({ cards: 3 }), ['jackpot.pays r.42']);
  assert.deepEqual(jackpot({ pays: 'all' }), ['jackpot.pays r.43']);
  assert.deepEqual(problems({ jackpot: 'yes' }), ['jackpot r.38']);
});

// ---- play ----

test('r.18 who does not answer is given cards until twelve, then stands', () => {
  const t = table();
  t.bets({ 1: 1_000 });
  t.draw('2S TH 3D 9C');
  t.wait();
  t.wait();
  t.draw('4S');
  t.wait();
  t.draw('3C');
  t.wait();
  assert.deepEqual(t.lines, ['1.0 main lose -1000 r.23']);
  assert.deepEqual(
    t.events.flatMap((event) => (event.type === 'hit-called' ? [event.byDefault] : [])),
    [true, true],
  );
});

test('r.18 a card nobody asked for and nobody saw goes to who asks next', () => {
  const t = table();
  t.bets({ 1: 1_000, 2: 1_000 });
  t.draw('TS TD TH 7C 6S 9H');
  t.wait();
  t.act(1, 'stand');
  t.draw('4D');
  assert.equal(t.state.hold?.code, 'unexpected-card');
  t.must({ type: 'draw-wrong', shown: false });
  t.act(2, 'hit');
  assert.equal(t.state.round?.seats[1]?.hands[0]?.cards.length, 3, 'no other card is drawn for them');
  t.act(2, 'stand');
  assert.deepEqual(t.lines, ['1.0 main lose -1000 r.23', '2.0 main win 1000 r.23']);
});

test("r.18 a misdrawn card that is still to be confirmed is annulled, or is the bank's as nobody asks", () => {
  for (const [shown, rest, bank] of [
    [true, '5D', 'TH 6C 5D'],
    [false, null, 'TH 6C 3H'],
  ] as const) {
    const t = table();
    t.bets({ 1: 1_000 });
    t.draw('TS TH 8D 6C');
    t.wait();
    t.act(1, 'stand');
    assert.equal(t.tryDraw('2H', null, 10), null);
    assert.equal(t.state.hold?.code, 'doubtful-card');
    t.must({ type: 'draw-wrong', shown });
    assert.equal(t.state.hold?.code, shown ? undefined : 'doubtful-card', 'its face counts now');
    if (rest) t.draw(rest);
    else t.must({ type: 'confirm-card', drawNo: null, card: parseCard('3H')!, person: DEALER });
    assert.equal(t.bank, bank);
  }
});

test('r.18 a card that is kept goes to the discard where the round is cancelled', () => {
  const t = table();
  t.bets({ 1: 1_000, 2: 1_000 });
  t.draw('TS TD TH 7C 6S 9H');
  t.wait();
  t.act(1, 'stand');
  t.draw('4D');
  t.must({ type: 'draw-wrong', shown: false });
  t.must({ type: 'void-round', reason: 'supervisor', person: SUPERVISOR });
  assert.deepEqual(t.state.shoe.waiting, []);
  assert.equal(t.credit(1), 100_000);
});

test("r.17 the bank's second card is replaced only before anybody has another card", () => {
  const t = table();
  t.bets({ 1: 1_000 });
  t.draw('TS 7H 5D TC');
  t.must({ type: 'replace-bank-second', person: DEALER });
  t.draw('!8C');
  assert.equal(t.state.phase, 'dealing', 'r.17: once more it came face up');
  t.draw('9C');
  t.wait();
  t.act(1, 'hit');
  t.draw('5H');
  assert.equal(t.try({ type: 'replace-bank-second', person: DEALER })?.code, 'too-late');
  t.act(1, 'stand');
  t.draw('2C');
  assert.equal(t.bank, '7H 9C 2C');
  t.checkReplay();
});

test("r.21 a blackjack the bank cannot match is collected at once, and stays won whatever the bank's card", () => {
  const t = table();
  t.bets({ 1: 1_000, 2: 1_000 });
  t.draw('AS TS 9H KD 7D 8C');
  assert.equal(t.state.round?.seats[0]?.hands[0]?.status, 'paid');
  t.wait();
  t.act(2, 'stand');
  assert.deepEqual(t.lines, ['2.0 main push 0 r.24', '1.0 main blackjack 1500 r.21'].sort());
});

test('r.15, r.28 bettors behind follow a split by their own word, on the second hand; r.30 a double', () => {
  const t = table();
  t.open();
  t.bet(1, 2_000);
  t.bet(1, 1_000, 2);
  t.bet(1, 3_000, 3);
  t.must({ type: 'close-betting' });
  t.draw('8S TH 8D 7C');
  t.wait();
  t.act(1, 'split');
  assert.deepEqual(t.state.round?.offers?.pending, [
    { seat: 1, by: 2 },
    { seat: 1, by: 3 },
  ]);
  assert.equal(t.tryAct(1, 'followDouble', { by: 2 })?.code, 'not-allowed');
  t.act(1, 'followSplit', { by: 2 });
  assert.equal(t.tryAct(1, 'followSplit', { by: 2 })?.code, 'not-allowed', 'answered');
  t.act(1, 'playOn', { by: 3 });
  t.draw('3S');
  t.act(1, 'double');
  t.act(1, 'followDouble', { by: 3 });
  t.wait();
  t.draw('9S');
  assert.equal(t.tryAct(1, 'followDouble', { by: 2 })?.code, 'too-late');
  t.draw('TD');
  t.act(1, 'stand', { hand: 1 });
  assert.deepEqual(t.lines, [
    '1.0 main win 4000 r.23',
    '1.1 main win 2000 r.23',
    '1<2.0 main win 1000 r.23',
    '1<2.1 main win 1000 r.23',
    '1<3.0 main win 6000 r.23',
  ]);
});

test('r.26 each half of a split takes a card: with one card nothing else can be said', () => {
  const t = table();
  t.bets({ 1: 1_000 });
  t.draw('8S TH 8D 7C');
  t.wait();
  t.act(1, 'split');
  const refused = (hand: number): string[] =>
    (['stand', 'hit', 'double', 'split', 'surrender'] as const).map(
      (act) => `${act} ${t.tryAct(1, act, { hand })?.code}`,
    );
  const first = ['stand not-due', 'hit not-due', 'double not-due', 'split not-due', 'surrender too-late'];
  assert.deepEqual(refused(0), first);
  assert.deepEqual(
    seatChoices(t.state, 1).filter(({ allowed }) => allowed),
    [],
  );
  t.draw('5S');
  t.act(1, 'hit');
  t.draw('4D');
  t.act(1, 'stand');
  assert.equal(nextStep(t.state).step, 'draw-for-seat');
  assert.deepEqual(refused(1), first, 'the second half as well');
  t.draw('TC');
  t.act(1, 'stand', { hand: 1 });
  assert.deepEqual(t.lines, ['1.0 main push 0 r.24', '1.1 main win 1000 r.23']);
});

test('r.15, r.34 even money of the holder binds the bets behind; their insurance stays free', () => {
  const t = table();
  t.open();
  t.bet(1, 2_000);
  t.bet(1, 1_000, 2);
  t.must({ type: 'close-betting' });
  t.draw('AS AH KD QC');
  assert.equal(t.tryAct(1, 'evenMoney', { by: 2 })?.code, 'not-decider');
  t.act(1, 'evenMoney');
  assert.equal(t.tryAct(1, 'insure', { amount: 1_000 })?.code, 'not-allowed');
  t.act(1, 'insure', { by: 2, amount: 1 });
  assert.deepEqual(t.lines, [
    '1.0 main even-money 2000 r.34',
    '1<2.0 main even-money 1000 r.34',
    '1<2 insurance win 2 r.33',
  ]);
});

test('r.15, r.17, r.34 whoever is bound by even money is asked about insurance again once the second card is replaced', () => {
  const t = table();
  t.open();
  t.bet(1, 2_000);
  t.bet(1, 1_000, 2);
  t.must({ type: 'close-betting' });
  t.draw('AS AH KD QC');
  t.act(1, 'evenMoney');
  t.must({ type: 'replace-bank-second', person: SUPERVISOR });
  t.draw('KC');
  assert.deepEqual(t.state.round?.offers?.pending, [{ seat: 1, by: 2 }]);
  t.act(1, 'insure', { by: 2, amount: 500 });
  assert.deepEqual(t.lines, [
    '1.0 main even-money 2000 r.34',
    '1<2.0 main even-money 1000 r.34',
    '1<2 insurance win 1000 r.33',
  ]);
});

test('r.15 a bet behind goes back with the bet of the holder', () => {
  const t = table();
  t.open();
  assert.equal(t.tryBet(1, 1_000, 2)?.code, 'no-seat-holder-bet');
  t.bet(1, 20_000);
  t.bet(1, 10_000, 2);
  assert.equal(t.tryBet(1, 1_000, 3)?.code, 'limit');
  t.must({ type: 'clear-bets', roundId: t.roundId, seat: 1, touchedAtMs: t.atMs });
  assert.deepEqual(t.state.round?.bets, []);
  assert.equal(t.credit(2), 100_000);
});

test('r.16 on a vacant seat the highest bet decides, of equal ones that of the lowest seat', () => {
  const t = TestTable.ready({}, { rulebook: 'portugal-blackjack' }, 0);
  for (const seat of [2, 3, 5]) t.insert(seat, 50_000);
  t.open();
  t.bet(4, 1_000, 2);
  t.bet(4, 2_000, 5);
  t.bet(4, 2_000, 3);
  t.must({ type: 'close-betting' });
  t.draw('TS 7H 9D TC');
  assert.equal(t.state.round?.seats[0]?.decider, 3);
});

test('r.32 the locked ace is one for every reader of the hand', () => {
  const t = table();
  t.bets({ 1: 1_000 });
  t.draw('AS 6H 8D TC');
  t.wait();
  const double = seatChoices(t.state, 1).find(({ act }) => act === 'double');
  assert.deepEqual(double && [double.allowed, double.cites], [true, ['r.29']]);
  t.act(1, 'double');
  t.draw('2H 2D');
  const hand = t.state.round!.seats[0]!.hands[0]!;
  assert.deepEqual(BLACKJACK.readHand(hand.cards, hand), {
    points: 11,
    soft: false,
    blackjack: false,
    busted: false,
  });
  assert.deepEqual(t.lines, ['1.0 main lose -2000 r.23 r.32']);
});

// ---- the jackpot ----

const meterOf = (t: TestTable): number | undefined => t.state.jackpots[0]?.meterMinor;

function chips(t: TestTable, ...seats: number[]): void {
  t.open();
  for (const seat of seats) {
    t.bet(seat, 1_000);
    t.bet(seat, 100, seat, 'jackpot');
  }
  t.must({ type: 'close-betting' });
}

/** One seat with a chip plays a losing hand without a combination. */
function loseChip(t: TestTable): void {
  chips(t, 1);
  t.draw('TS TH 7D 9C');
  t.wait();
  t.act(1, 'stand');
  t.close();
}

test('r.48 a third of each chip goes to the meter to the last part of a cent', () => {
  const t = table({ jackpot: JACKPOT });
  assert.equal(meterOf(t), 1_000_000, 'r.44: 10,000 stakes where no other start is given');
  loseChip(t);
  loseChip(t);
  assert.equal(meterOf(t), 1_000_066);
  loseChip(t);
  assert.equal(meterOf(t), 1_000_100);
  assert.equal(t.balances.get('jackpot'), -1_000_100, 'the account of the meter says the same');
  t.checkReplay();
});

test('r.50.a from the smallest up; what the meter cannot cover is not paid', () => {
  const t = table({ jackpot: JACKPOT });
  chips(t, 1, 2, 3);
  t.draw('AS AH AC TH AD AC AD 8C');
  t.wait();
  for (const seat of [1, 2, 3]) {
    t.act(seat, 'hit');
    t.draw('AH');
    t.act(seat, 'stand');
  }
  // Each has three aces: two fifths of 1,000,100 for the first two, the rest for the third.
  assert.deepEqual(
    t.lines.filter((line) => line.includes('jackpot')),
    [
      '1 jackpot jackpot 399940 r.43 r.50',
      '2 jackpot jackpot 399940 r.43 r.50',
      '3 jackpot jackpot 199920 r.43 r.50',
    ],
  );
  assert.equal(meterOf(t), 0);
});

test('r.49, r.50.b the highest combination restarts the meter; two of them share it', () => {
  const t = table({ jackpot: JACKPOT, resplitAces: false });
  chips(t, 2, 5);
  t.draw('AS AH TH AS AH 9C');
  t.wait();
  for (const [seat, ace] of [
    [2, 'AS'],
    [5, 'AH'],
  ] as const) {
    t.act(seat, 'hit');
    t.draw(ace);
    t.act(seat, 'hit');
    t.draw(ace);
    t.act(seat, 'stand');
  }
  // 1,000,066 in two equal parts, the chips kept.
  assert.deepEqual(
    t.lines.filter((line) => line.includes('jackpot')),
    ['2 jackpot jackpot 499933 r.43 r.50', '5 jackpot jackpot 499933 r.43 r.50'],
  );
  assert.equal(meterOf(t), 1_000_000);
  assert.equal(t.state.phase, 'settled', 'r.49: the cards lie until the round is closed');
});

test('a cancelled round gives chips and meter back; power, shoes and profiles do not touch the meter', () => {
  const t = table({ jackpot: JACKPOT });
  loseChip(t);
  chips(t, 1, 2);
  t.draw('AS');
  assert.equal(meterOf(t), 1_000_100);
  t.must({ type: 'void-round', reason: 'supervisor', person: SUPERVISOR });
  assert.equal(meterOf(t), 1_000_033);
  assert.equal(t.credit(2), 100_000);
  t.close();
  t.must({ type: 'start-terminal', bootId: 'b2', softwareId: 's' });
  t.shoe();
  assert.equal(meterOf(t), 1_000_033);
  for (const { seat } of t.state.seats) {
    t.must({ type: 'request-cash-out', seat, requestId: `c${seat}` });
    t.must({ type: 'confirm-hand-pay', seat, requestId: `c${seat}`, person: SUPERVISOR, second: null });
  }
  const rulebook = 'portugal-blackjack';
  t.must({ type: 'configure', profile: profileWith({}, { rulebook, currency: 'EUR' }), person: null });
  assert.equal(meterOf(t), 1_000_033, 'parked while the table has no jackpot');
  const again = profileWith({ jackpot: JACKPOT }, { rulebook, currency: 'EUR' });
  t.must({ type: 'configure', profile: again, person: null });
  assert.equal(meterOf(t), 1_000_033);
  // Another currency has a meter of its own.
  const patacas = profileWith({ jackpot: JACKPOT }, { rulebook, currency: 'MOP' });
  const decision = decide(t.state, { type: 'configure', profile: patacas, person: null, atMs: t.atMs });
  assert.deepEqual(
    decision.ok && decision.events.flatMap((event) => (event.type === 'jackpot-moved' ? [event] : [])),
    [
      {
        type: 'jackpot-moved',
        atMs: t.atMs,
        why: 'started',
        currency: 'MOP',
        amountMinor: 1_000_000,
        meterMinor: 1_000_000,
        rest: [0, 1],
      },
    ],
  );
});

test('r.47 doubling the bets leaves the chip as it is', () => {
  const t = table({ jackpot: JACKPOT });
  t.open();
  t.bet(1, 1_000);
  t.bet(1, 100, 1, 'jackpot');
  assert.equal(t.tryBet(1, 100, 1, 'jackpot')?.code, 'one-chip');
  t.must({ type: 'double-bets', roundId: t.roundId, seat: 1, touchedAtMs: t.atMs });
  assert.deepEqual(
    t.state.round?.bets.map(({ bet, amountMinor }) => `${bet} ${amountMinor}`),
    ['main 2000', 'jackpot 100'],
  );
  assert.equal(t.credit(1), amount(97_900));
});

test("r.17 the bank's second card is not replaced once somebody has decided on their hand", () => {
  for (const decision of ['hit', 'stand'] as const) {
    const t = table();
    t.bets({ 1: 1_000, 2: 1_000 });
    t.draw('TS 9S 7H 5D 8D TC');
    t.wait();
    t.act(1, decision);
    assert.equal(t.try({ type: 'replace-bank-second', person: DEALER })?.code, 'too-late', decision);
  }
});
