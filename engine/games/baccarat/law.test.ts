import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEALER, profileWith, SUPERVISOR, TestTable } from '../../../test/support/table-kit.ts';
import { meterValue } from '../../accounting/meter-fold.ts';
import { validateOptions } from '../../books.ts';
import { parseCard } from '../../core/cards.ts';
import { bettingChoices, complaintWindow, dealerOptions, nextStep, seatChoices } from '../../engine.ts';
import { dueCard } from '../../table/due.ts';
import type { OptionValue } from '../../table/profile.ts';
import { BACCARAT } from './baccarat.ts';

const RULEBOOK = { rulebook: 'macau-baccarat' } as const;
const ready = (options: Readonly<Record<string, OptionValue>> = {}): TestTable =>
  TestTable.ready(options, RULEBOOK);

/** A table whose shoe is loaded and cut, its start burn still to come. */
function uncut(options: Readonly<Record<string, OptionValue>>): TestTable {
  const table = new TestTable();
  table.must({ type: 'configure', profile: profileWith(options, RULEBOOK), person: null });
  table.must({ type: 'sign-in-dealer', person: DEALER });
  table.must({ type: 'load-shoe', shoeId: 's', decks: table.state.rules!.decks });
  table.must({ type: 'cut-shoe', seat: null });
  table.must({ type: 'place-end-card', cardsBehind: 12 });
  return table;
}

/** Lays bets of seat 1 as 'kind: amount', deals the cards and leaves the result on the table. */
function round(table: TestTable, bets: Readonly<Record<string, number>>, cards: string): string[] {
  table.open();
  for (const [bet, value] of Object.entries(bets)) table.bet(1, value, 1, bet);
  table.must({ type: 'close-betting' });
  table.draw(cards);
  return table.lines;
}

test('art. 7.1: Player, Banker, Player, Banker; the dealer sees which', () => {
  const table = ready();
  table.open();
  table.bet(2, 1_000, 2, 'player');
  table.must({ type: 'close-betting' });
  const steps: string[] = [];
  for (const card of ['5S', '4H', 'KD', '9C']) {
    steps.push(nextStep(table.state).step);
    table.draw(card);
  }
  assert.deepEqual(steps, ['draw-for-player-side', 'draw-for-bank', 'draw-for-player-side', 'draw-for-bank']);
  // 5 against 3: the Player draws, and with this 7 the Banker does.
  assert.deepEqual(nextStep(table.state), { step: 'draw-for-player-side', cites: ['drawing'] });
  table.draw('7H');
  assert.deepEqual(nextStep(table.state), { step: 'draw-for-bank', cites: ['drawing'] });
  table.draw('2H');
  assert.deepEqual(table.lines, ['2 player lose -1000 art.6']);
  assert.equal(table.bank, '4H 9C 2H');
});

test('art. 18.1: five percent of what the Banker wins, never of a bet lost or returned', () => {
  const table = ready();
  assert.deepEqual(round(table, { banker: 10_000, player: 1_000 }, 'QS KH 6D 7C'), [
    '1 banker win 9500 art.18.1',
    '1 player lose -1000 art.6',
  ]);
  assert.equal(meterValue(table.meters, 'commission'), 500);
  table.close();
  assert.deepEqual(round(table, { banker: 10_000 }, 'QS KH 8D 7C'), ['1 banker lose -10000 art.6']);
  table.close();
  assert.deepEqual(round(table, { banker: 10_000, player: 2_000, tie: 1_000 }, 'QS KH 7D 7C'), [
    '1 banker push 0 tie',
    '1 player push 0 tie',
    '1 tie win 8000 art.13.1.3',
  ]);
  assert.equal(meterValue(table.meters, 'commission'), 500);
});

test('art. 18.1: a fraction of the commission goes the way the house has chosen', () => {
  const bets = { banker: 10_050 };
  const options = { step: 1, min: 1 };
  assert.deepEqual(round(ready(options), bets, 'QS KH 6D 7C'), ['1 banker win 9548 art.18.1']);
  assert.deepEqual(round(ready({ ...options, commissionRounding: 'up' }), bets, 'QS KH 6D 7C'), [
    '1 banker win 9547 art.18.1',
  ]);
});

test('art. 18.2: no commission, half the bet where the Banker wins with six, of two cards or three', () => {
  const commission = 'none-banker-six-half';
  const table = ready({ commission, step: 1, min: 1 });
  assert.deepEqual(round(table, { banker: 1_001 }, 'QS KH KD 6C 2S'), ['1 banker banker-six 501 art.18.2']);
  table.close();
  assert.deepEqual(round(table, { banker: 1_000 }, 'QS KH KD 2C 5S 4H'), [
    '1 banker banker-six 500 art.18.2',
  ]);
  table.close();
  assert.deepEqual(round(table, { banker: 1_000 }, 'QS KH 4D 5C JS'), ['1 banker win 1000 art.18.2']);
  table.close();
  assert.deepEqual(round(table, { banker: 1_000 }, 'QS KH 7D 6C'), ['1 banker lose -1000 art.6']);
  table.close();
  assert.deepEqual(round(table, { banker: 1_000 }, 'QS KH 6D 6C'), ['1 banker push 0 tie']);
  assert.equal(meterValue(table.meters, 'commission'), 0);
  const down = ready({ commission, step: 1, min: 1, halfRounding: 'down' });
  assert.deepEqual(round(down, { banker: 1_001 }, 'QS KH KD 6C 2S'), ['1 banker banker-six 500 art.18.2']);
});

test('pairs, tie and Lucky 6 need no other bet and are decided whatever side wins', () => {
  const table = ready({ lucky6: true });
  assert.deepEqual(round(table, { playerPair: 1_000, bankerPair: 1_000, lucky6: 1_000 }, '2S KH 2D 6C KC'), [
    '1 playerPair win 11000 art.13.1.4.1',
    '1 bankerPair lose -1000 art.13.1.4.1',
    '1 lucky6 win 12000 art.17.5',
  ]);
  table.close();
  assert.deepEqual(round(table, { lucky6: 1_000, tie: 1_000 }, 'QS KH KD 2C 5S 4H'), [
    '1 lucky6 win 20000 art.17.5',
    '1 tie lose -1000 art.13.1.3',
  ]);
  table.close();
  assert.deepEqual(round(table, { lucky6: 1_000 }, 'QS KH 6D 6C'), ['1 lucky6 lose -1000 art.17.5']);
});

test('bets that the table does not take are refused with their article', () => {
  const table = ready({ pairs: false });
  table.open();
  assert.deepEqual(table.tryBet(1, 1_000, 1, 'playerPair'), {
    ok: false,
    code: 'off',
    cites: ['art.13.1.4.1'],
  });
  assert.deepEqual(table.tryBet(1, 1_000, 1, 'lucky6'), { ok: false, code: 'off', cites: ['art.13.1.4.3'] });
  assert.equal(table.tryBet(1, 1_000, 1, 'main')?.code, 'off');
  const onAnother = { ok: false, code: 'not-own-seat', cites: ['art.13'] };
  assert.deepEqual(table.tryBet(1, 1_000, 2, 'banker'), onAnother);
  assert.equal(table.tryBet(1, 1_050, 1, 'banker')?.code, 'step');
  assert.equal(table.tryBet(1, 500, 1, 'banker')?.code, 'out-of-range');
  const kinds = bettingChoices(table.state, 1).flatMap(({ act, bet }) => (act === 'place-bet' ? [bet] : []));
  assert.deepEqual(kinds, ['player', 'banker', 'tie']);
});

test('the house may limit every bet but those on the sides, never below the least bet', () => {
  const table = ready({ sideBetMax: 5_000, max: 20_000, lucky6: true });
  table.open();
  for (const bet of ['player', 'banker']) table.bet(1, 20_000, 1, bet);
  for (const bet of ['tie', 'playerPair', 'bankerPair', 'lucky6']) {
    assert.equal(table.tryBet(1, 6_000, 1, bet)?.code, 'out-of-range', bet);
    table.bet(1, 5_000, 1, bet);
    assert.equal(table.tryBet(1, 1_000, 1, bet)?.code, 'out-of-range', bet);
  }
  const checked = validateOptions('macau-baccarat', { sideBetMax: 900, min: 1_000 });
  assert.deepEqual(checked.ok ? [] : checked.problems.map(({ option }) => option), ['sideBetMax']);
});

test('art. 2.1: as many cards are burnt as decks, as the first one shows, or as fixed', () => {
  const burns = (options: Readonly<Record<string, OptionValue>>, first: string): number => {
    const table = uncut(options);
    table.draw(first);
    for (const card of '2C 3C 4C 5C 6C 7C 8C 9C TC JC QC'.split(' ')) {
      if (table.state.phase === 'shoe') table.draw(card);
    }
    assert.equal(table.state.phase, 'idle');
    return table.state.shoe.burned;
  };
  assert.equal(burns({}, 'AS'), 8);
  assert.equal(burns({ decks: 6 }, 'AS'), 6);
  assert.equal(burns({ burn: 'fixed:4' }, 'AS'), 4);
  const burn = 'firstCardFace';
  assert.deepEqual(
    ['AS', '3S', '9S', 'TS', 'JS', 'KS'].map((first) => burns({ burn }, first)),
    [1, 3, 9, 10, 10, 10],
  );
  assert.deepEqual(
    ['AS', 'KS'].map((first) => burns({ burn, burnFirstCardCounts: false }, first)),
    [2, 11],
  );
});

test('art. 2.1: the step counts the burnt cards by the face of the first one', () => {
  const table = uncut({ burn: 'firstCardFace' });
  const cites = ['art.2.1'];
  assert.deepEqual(nextStep(table.state), { step: 'burn', done: 0, count: 1, cites });
  table.draw('3H');
  assert.deepEqual(nextStep(table.state), { step: 'burn', done: 1, count: 3, cites });
  table.draw('KH KD');
  assert.equal(table.state.phase, 'idle');
  table.checkReplay();
});

test('art. 2.1: about the last twelve cards lie behind the white card, never fewer', () => {
  const table = new TestTable();
  table.must({ type: 'configure', profile: profileWith({}, RULEBOOK), person: null });
  table.must({ type: 'sign-in-dealer', person: DEALER });
  table.must({ type: 'load-shoe', shoeId: 's', decks: 8 });
  table.must({ type: 'cut-shoe', seat: 3 });
  assert.deepEqual(nextStep(table.state), {
    step: 'place-end-card',
    minBehind: 12,
    maxBehind: 20,
    cites: ['art.2.1'],
  });
  assert.equal(table.try({ type: 'place-end-card', cardsBehind: 11 })?.code, 'out-of-range');
  assert.equal(table.try({ type: 'place-end-card', cardsBehind: 60 })?.code, 'out-of-range');
});

test('art. 3.1: the round in which the white card comes out is the last, or one more is played', () => {
  const current = ready();
  current.must({ type: 'end-card-out' });
  round(current, { player: 1_000 }, '5S 4H 4D 4C');
  assert.equal(current.state.round?.last, true);
  current.close();
  assert.equal(current.state.phase, 'shoe');

  const more = ready({ lastRound: 'oneMore' });
  more.open();
  more.bet(1, 1_000, 1, 'player');
  more.must({ type: 'close-betting' });
  more.draw('5S 4H');
  more.must({ type: 'end-card-out' });
  more.draw('4D 4C');
  assert.equal(more.state.round?.last, false);
  more.close();
  // A window without bets is no round: the one more is still to come.
  more.open();
  more.must({ type: 'close-betting' });
  assert.equal(more.state.phase, 'idle');
  round(more, { player: 1_000 }, '5S 4H 4D 4C');
  assert.equal(more.state.round?.last, true);
  more.close();
  assert.equal(more.state.phase, 'shoe');
});

test('art. 2.2: demonstration rounds only at the start of a shoe, no more than the options have, and no bets', () => {
  const table = ready({ demoRounds: 2 });
  const demo = { type: 'demo-round', roundId: 'd' } as const;
  const isOffered = (): boolean => dealerOptions(table.state).some(({ option }) => option === 'demo-round');
  assert.ok(isOffered());
  const before = table.credit(1);
  for (let i = 0; i < 2; i++) {
    table.must(demo);
    assert.equal(table.tryBet(1, 1_000, 1, 'player')?.code, 'not-allowed');
    table.draw('QS KH 2D AC 3S 4H');
    assert.deepEqual(table.lines, []);
    assert.equal(complaintWindow(table.state), null, 'nobody has played');
    table.close();
  }
  assert.equal(table.try(demo)?.code, 'limit');
  assert.ok(!isOffered());
  assert.equal(table.credit(1), before);
  round(table, { player: 1_000 }, '5S 4H 4D 4C');
  table.close();
  assert.equal(meterValue(table.meters, 'demo_rounds'), 2);
  table.must({ type: 'load-shoe', shoeId: 'next', decks: 8 });
  table.must({ type: 'cut-shoe', seat: null });
  table.must({ type: 'place-end-card', cardsBehind: 12 });
  table.draw('2C 2C 2C 2C 2C 2C 2C 2C');
  round(table, { player: 1_000 }, '5S 4H 4D 4C');
  table.close();
  assert.equal(table.try(demo)?.code, 'too-late');
  assert.deepEqual(ready().try(demo), { ok: false, code: 'off', cites: ['art.2.2'] });
});

test('arts. 2.3, 7.2: with the automatic shuffler nothing is cut or burnt, and the cards go back after the round', () => {
  const table = ready({ cardSource: 'autoShuffler', faceUpDeal: true });
  assert.equal(table.state.phase, 'idle');
  assert.equal(table.state.shoe.burned, 0);
  round(table, { player: 1_000 }, '5S 4H 4D 4C');
  assert.equal(table.state.shoe.drawn, 4);
  assert.equal(table.try({ type: 'end-card-out' })?.code, 'off');
  table.close();
  assert.equal(table.state.phase, 'idle');
  assert.equal(table.state.shoe.drawn, 0);
  const checked = validateOptions('macau-baccarat', { faceUpDeal: true });
  assert.deepEqual(checked.ok ? [] : checked.problems.map(({ option, article }) => [option, article]), [
    ['faceUpDeal', 'art.7.2'],
  ]);
});

test('art. 4: a card that leaves the shoe face up is valid', () => {
  assert.deepEqual(round(ready(), { player: 1_000 }, '!5S !4H 4D 4C'), ['1 player win 1000 art.6']);
});

test('a cancelled round gives every bet back, also one that is not yet dealt', () => {
  for (const cards of ['', 'QS KH 6D']) {
    const table = ready({ lucky6: true });
    table.open();
    for (const bet of ['player', 'banker', 'tie', 'playerPair', 'lucky6']) table.bet(1, 2_000, 1, bet);
    table.must({ type: 'close-betting' });
    if (cards !== '') table.draw(cards);
    table.must({ type: 'void-round', reason: 'misdeal', person: SUPERVISOR });
    assert.equal(table.credit(1), 100_000);
    assert.equal(table.lines.length, 5);
  }
});

test('nobody decides anything, and no card of a seat can be swapped', () => {
  const table = ready();
  table.open();
  table.bet(1, 1_000, 1, 'player');
  table.must({ type: 'close-betting' });
  table.draw('5S');
  assert.deepEqual(seatChoices(table.state, 1), []);
  assert.equal(table.tryAct(1, 'hit')?.code, 'not-allowed');
  const swap = { type: 'assign-card', fromSeat: 1, toSeat: 2, person: DEALER } as const;
  assert.equal(table.try(swap)?.code, 'not-allowed');
});

test('a sixth card of a finished round is set aside', () => {
  const table = ready();
  round(table, { player: 1_000 }, '5S 4H 4D 4C');
  table.draw('2H');
  assert.equal(table.state.hold?.code, 'unexpected-card');
  assert.equal(table.try({ type: 'draw-wrong', shown: true })?.code, 'not-allowed');
  table.must({ type: 'set-card-aside', person: DEALER });
  assert.equal(table.state.hold, null);
});

test('art. 7.1: the order of the deal is cited until both have two cards, and no card is due before or after the round', () => {
  const table = ready();
  table.open();
  table.bet(1, 1_000, 1, 'player');
  assert.equal(dueCard(table.state), null, 'while bets are open');
  table.must({ type: 'close-betting' });
  assert.deepEqual(nextStep(table.state), { step: 'draw-for-player-side', cites: ['art.7.1'] });
  table.draw('5S');
  assert.deepEqual(nextStep(table.state), { step: 'draw-for-bank', cites: ['art.7.1'] });
  table.must({ type: 'void-round', reason: 'misdeal', person: SUPERVISOR });
  assert.equal(dueCard(table.state), null, 'once it is void');
  const { round } = table.state;
  assert.deepEqual(
    round!.lines!.map(({ cites }) => cites),
    [[]],
  );
});

test('nobody decides anything: a decision is refused by the drawing table, and one of another round is unknown', () => {
  const table = ready();
  table.open();
  table.bet(1, 1_000, 1, 'player');
  table.must({ type: 'close-betting' });
  table.draw('5S');
  const decision = {
    type: 'decide',
    seat: 1,
    by: 1,
    hand: 0,
    act: 'stand',
    touchedAtMs: table.atMs,
  } as const;
  const refused = table.try({ ...decision, roundId: table.roundId });
  assert.deepEqual([refused?.code, refused?.cites], ['not-allowed', ['drawing']]);
  assert.equal(table.try({ ...decision, roundId: 'r0' })?.code, 'unknown-round');
});

test('art. 2.3: with a shuffler nothing is cut, burnt or closed by a white card, whatever else is chosen', () => {
  const options = { cardSource: 'autoShuffler', burn: 'firstCardFace', burnFirstCardCounts: true } as const;
  const table = new TestTable();
  table.must({ type: 'configure', profile: profileWith(options, RULEBOOK), person: null });
  table.must({ type: 'sign-in-dealer', person: DEALER });
  table.must({ type: 'load-shoe', shoeId: 's', decks: table.state.rules!.decks });
  assert.deepEqual([table.state.phase, nextStep(table.state).step], ['idle', 'open-betting']);
  const { endCard, cut, startBurn, burnByFace } = BACCARAT.shoe(table.state);
  assert.deepEqual([endCard, cut, startBurn, burnByFace], [null, 'none', 0, null]);
  const shoe = BACCARAT.shoe(ready({ burn: 'firstCardFace', burnFirstCardCounts: true }).state);
  assert.deepEqual([shoe.cut, shoe.burnByFace], ['anyone', 'included']);
});

test('art. 3.2: so many cards must be left for a round: those behind the white card, a whole round after it or in a shuffler', () => {
  const { state } = ready({ cutFromEnd: 14 });
  assert.equal(BACCARAT.reserve(state), 14);
  state.shoe.ended = true;
  assert.equal(BACCARAT.reserve(state), 6);
  assert.equal(BACCARAT.reserve(ready({ cardSource: 'autoShuffler', cutFromEnd: 14 }).state), 6);
});

test('the roads forget the oldest rounds only in one entry that says so', () => {
  const table = ready({ cardSource: 'autoShuffler' });
  const settled = (): object | undefined => {
    round(table, { player: 1_000 }, '5S 4H KD 9C 7H 2H');
    table.close();
    return table.events.findLast(({ type }) => type === 'round-settled');
  };
  assert.ok(!('coupsGone' in settled()!));
  const coups = Array.from({ length: 312 }, () => 1);
  for (const state of [table.state, table.replayed]) state.shoe.coups = [...coups];
  const last = settled()!;
  assert.equal('coupsGone' in last && last.coupsGone, 156);
  assert.equal(table.state.shoe.coups.length, 157);
});

test('a view of the sides has no points before there are cards, and none at another table', () => {
  const table = ready();
  table.open();
  assert.deepEqual(BACCARAT.view!(table.state).playerSide, { cards: [], points: null });
  assert.deepEqual(BACCARAT.readHand([]).points, null);
  assert.deepEqual(BACCARAT.readHand([parseCard('5S')!]).points, 5);
  table.bet(1, 1_000, 1, 'player');
  table.must({ type: 'close-betting' });
  table.draw('5S');
  assert.equal(BACCARAT.view!(table.state).playerSide?.points, 5);
  assert.deepEqual(BACCARAT.view!(TestTable.ready().state), { playerSide: null, coups: null });
});

test('a bet on top of what lies may be as small as a step; the first one is the least of the table', () => {
  const table = ready({ min: 1_000, step: 100 });
  table.open();
  const least = (): number =>
    BACCARAT.betRange(table.state, table.state.round!.bets, { seat: 1, by: 1, bet: 'player' }).least;
  assert.equal(least(), 1_000);
  table.bet(1, 1_000, 1, 'player');
  assert.equal(least(), 100);
  const refused = ready({ pairs: false });
  refused.open();
  for (const bet of ['playerPair', 'bankerPair'])
    assert.deepEqual(refused.tryBet(1, 1_000, 1, bet)?.cites, ['art.13.1.4.1'], bet);
});

test('art. 7.1: a card that is doubted is taken up from its own side, and named it lies there again', () => {
  const table = ready();
  table.open();
  table.bet(1, 1_000, 1, 'player');
  table.must({ type: 'close-betting' });
  table.draw('5S 4H');
  const sides = (): number[] => [table.state.round!.playerSide.length, table.state.round!.bank.length];
  table.must({ type: 'doubt-card', person: DEALER });
  assert.deepEqual(sides(), [1, 0], 'the bank’s');
  table.must({ type: 'confirm-card', drawNo: null, card: parseCard('3H')!, person: SUPERVISOR });
  assert.equal(table.bank, '3H');
  table.draw('KD');
  table.must({ type: 'doubt-card', person: DEALER });
  assert.deepEqual(sides(), [1, 1], 'the Player’s');
  table.must({ type: 'confirm-card', drawNo: null, card: parseCard('QD')!, person: SUPERVISOR });
  assert.deepEqual(sides(), [2, 1]);
  table.checkReplay();
});
