/** What the regulations say of material, cards and bets before a decision is asked for. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Options, say } from '../../../test/support/spoken-round.ts';
import { DEALER, SUPERVISOR, TestTable } from '../../../test/support/table-kit.ts';
import { validateOptions } from '../../books.ts';
import { nextStep } from '../../engine.ts';
import { pointsOf } from './hand.ts';

type Id = 'macau-blackjack-2004' | 'macau-blackjack-2009' | 'portugal-blackjack';
const MACAU = ['macau-blackjack-2004', 'macau-blackjack-2009'] as const;
const PORTUGAL = 'portugal-blackjack';

const ready = (rulebook: Id, options: Options = {}): TestTable => TestTable.ready(options, { rulebook });
/** Option and article of every problem, in order. */
const problems = (id: Id, options: Options): string[] => {
  const checked = validateOptions(id, options);
  return checked.ok ? [] : checked.problems.map(({ option, article }) => `${option} ${article}`);
};
/** Steps the dealer is asked for while a shoe is made ready, up to the first burn. */
function steps(rulebook: Id, options: Options): string[] {
  const table = ready(rulebook, options);
  const shoe = new TestTable();
  shoe.must({ type: 'configure', profile: table.state.profile!, person: null });
  shoe.must({ type: 'sign-in-dealer', person: DEALER });
  shoe.shoe();
  return [...new Set(shoe.events.map(({ type }) => type).filter((type) => /shoe|card|packet/.test(type)))];
}

describe('Macau, both regulations', () => {
  for (const id of MACAU) {
    const year = id.slice(-4);

    test(`art. 1.2, art. 2.2.3 of ${year}: one pack or more, exactly one in the metal box`, () => {
      assert.deepEqual(problems(id, { decks: 0 }), ['decks art.1.2']);
      assert.deepEqual(problems(id, { cardSource: 'box', decks: 2, dealing: 'faceDown' }), [
        'decks art.2.2.3',
      ]);
      assert.deepEqual(problems(id, { cardSource: 'box', decks: 1, dealing: 'faceDown' }), []);
      assert.deepEqual(problems(id, { decks: 8 }), []);
    });

    test(`arts. 1.3, 1.4 of ${year}: box, shoe or shuffler-dealer, nothing else`, () => {
      assert.deepEqual(problems(id, { cardSource: 'hand' }), ['cardSource art.1.3']);
      for (const cardSource of ['shoe', 'autoShuffler', 'continuousShuffler'])
        assert.deepEqual(problems(id, { cardSource }), []);
    });

    test(`arts. 2.1.1, 2.1.2 of ${year}: a shoe is cut and gets its white card, a shuffler neither`, () => {
      const byHand = steps(id, {});
      assert.ok(byHand.includes('shoe-cut') && byHand.includes('end-card-placed'), byHand.join(' '));
      const byMachine = steps(id, { cardSource: 'autoShuffler' });
      assert.ok(
        !byMachine.includes('shoe-cut') && !byMachine.includes('end-card-placed'),
        byMachine.join(' '),
      );
    });

    test(`arts. 3.2, 3.3 of ${year}: a player bets on several seats, up to the limit of the house`, () => {
      const table = ready(id, { seatsPerPlayer: 2 });
      table.open();
      table.bet(1, 1_000);
      table.bet(2, 1_000, 1);
      assert.deepEqual(table.tryBet(3, 1_000, 1)?.cites, ['art.3.2']);
      table.bet(3, 1_000);
    });

    test(`arts. 4.1.1, 4.1.2 of ${year}: one card is burnt at the start, or one per pack`, () => {
      assert.equal(ready(id, { burnAtStart: 'one', decks: 8 }).state.shoe.burned, 1);
      assert.equal(ready(id, { burnAtStart: 'perDeck', decks: 8 }).state.shoe.burned, 8);
      assert.deepEqual(problems(id, { burnAtStart: 'none' }), ['burnAtStart art.4.1']);
    });

    test(`art. 5.2.2.2 of ${year}: the bank's second card comes after the last decision`, () => {
      const table = ready(id);
      table.bets({ 1: 1_000, 2: 1_000 });
      say(table, 'TS 9H 7D TC 8S wait');
      const due = (): unknown[] => {
        const step = nextStep(table.state);
        return [step.step, 'cites' in step ? step.cites : []];
      };
      assert.equal(due()[0], 'await-decision');
      say(table, '1:stand');
      assert.equal(due()[0], 'await-decision');
      say(table, '2:stand');
      assert.deepEqual(due(), ['draw-for-bank', ['art.5.2.2.2']]);
      say(table, 'KC');
      assert.equal(table.state.phase, 'settled');
    });

    test(`art. 6.5 of ${year}: after two cards each the bank announces the totals and waits for the players`, () => {
      const table = ready(id);
      table.bets({ 1: 1_000, 3: 1_000 });
      say(table, 'TS 9C 9H 7D 5S');
      assert.deepEqual(nextStep(table.state), { step: 'await-offers', seats: [1, 3], cites: ['art.6.5'] });
    });

    test(`arts. 13.2, 13.3 of ${year}: a side bet the house does not offer is refused with its own article`, () => {
      const table = ready(id, { sideBets: [] });
      table.open();
      table.bet(1, 1_000);
      assert.deepEqual(table.tryBet(1, 100, 1, 'sevens')?.cites, ['art.13.2']);
      assert.deepEqual(table.tryBet(1, 100, 1, 'under13')?.cites, ['art.13.3']);
    });

    test(`art. 16.4 of ${year}: split eights draw as many cards as they like, split aces one`, () => {
      const table = ready(id);
      table.bets({ 1: 1_000 });
      say(table, '8S 9H 8D wait 1:split 2C 1.0:hit 2D 1.0:hit 3C 1.0:hit 2H 1.0:stand');
      assert.equal(table.state.round?.seats[0]?.hands[0]?.cards.length, 5);
    });

    test(`art. 20.1.1 of ${year}: the seated player decides for every bet of their seat`, () => {
      const table = ready(id, { betsBehind: 'seated' });
      table.open();
      table.bet(1, 1_000, 2);
      table.bet(1, 1_000);
      table.must({ type: 'close-betting' });
      say(table, 'TS 9H 7D wait');
      assert.equal(table.tryAct(1, 'hit', { by: 2 })?.code, 'not-decider');
      table.act(1, 'stand');
    });
  }
});

describe('57/2009 alone', () => {
  const id = 'macau-blackjack-2009';

  test('arts. 5.2.3.5, 5.2.3.6: face-down cards and cards turned by the player go with the third procedure', () => {
    const hole = { dealing: 'holeCard', maxHands: 5 };
    for (const playerCardsDown of ['both', 'one'])
      assert.deepEqual(problems(id, { ...hole, playerCardsDown }), []);
    assert.deepEqual(problems(id, { ...hole, playerCardsDown: 'both', playerTurnsCards: true }), []);
    assert.deepEqual(problems(id, { ...hole, playerCardsDown: 'all' }), ['playerCardsDown art.5.2.3.5']);
    assert.deepEqual(problems(id, { ...hole, playerTurnsCards: 'yes' }), ['playerTurnsCards art.5.2.3.6']);
    assert.deepEqual(problems(id, { playerCardsDown: 'both' }), ['playerCardsDown art.5.2.3.5']);
  });

  test('arts. 13.5.1.ii, 13.5.1.iii, 13.5.1.iv: three, four and five rounds may be bet on, each refused by its own item', () => {
    const off = ready(id, { sideBets: [] });
    off.open();
    off.bet(1, 1_000);
    for (const [bet, article] of [
      ['streak3', 'art.13.5.1.ii'],
      ['streak4', 'art.13.5.1.iii'],
      ['streak5', 'art.13.5.1.iv'],
    ] as const)
      assert.deepEqual(off.tryBet(1, 100, 1, bet)?.cites, [article]);
    const on = ready(id, { sideBets: ['streak3', 'streak4', 'streak5'] });
    on.open();
    on.bet(1, 1_000);
    for (const bet of ['streak3', 'streak4', 'streak5']) on.bet(1, 100, 1, bet);
  });
});

describe('Portugal', () => {
  test('r.2, r.3, r.4: six or seven seats, four or six packs, a shoe or an approved machine', () => {
    assert.deepEqual(problems(PORTUGAL, { seats: 8 }), ['seats r.2']);
    assert.deepEqual(problems(PORTUGAL, { decks: 8 }), ['decks r.3']);
    assert.deepEqual(problems(PORTUGAL, { cardSource: 'box' }), ['cardSource r.4']);
    assert.deepEqual(problems(PORTUGAL, { seats: 6, decks: 4, cardSource: 'autoShuffler' }), []);
  });

  test('r.1.a: only the two cards first dealt make a blackjack, paid at once (r.21); r.6.b, r.6.c: figures ten, the rest their pips', () => {
    const table = ready(PORTUGAL);
    table.bets({ 1: 1_000, 2: 1_000 });
    say(table, 'AS 5H 9D KC 6D 7C');
    assert.deepEqual(
      table.state.round?.seats.map(({ hands }) => [hands[0]!.status, pointsOf(hands[0]!)]),
      [
        ['paid', 21],
        ['open', 11],
      ],
    );
    say(table, 'wait 2:hit KH');
    assert.deepEqual(
      table.state.round?.seats[1]?.hands.map((hand) => [pointsOf(hand), hand.status === 'blackjack']),
      [[21, false]],
    );
  });

  test('r.39, r.41: the jackpot is an additional bet, offered or not; its marking is automatic or manual', () => {
    const terms = { stake: 100, increment: '1/2', pays: [{ combination: 'A4s', share: '1' }] };
    const off = ready(PORTUGAL);
    off.open();
    off.bet(1, 1_000);
    assert.deepEqual([off.tryBet(1, 100, 1, 'jackpot')?.code], ['off']);
    const on = ready(PORTUGAL, { jackpot: terms });
    on.open();
    on.bet(1, 1_000);
    on.bet(2, 1_000);
    on.bet(1, 100, 1, 'jackpot');
    on.must({ type: 'close-betting' });
    assert.deepEqual(problems(PORTUGAL, { jackpot: { ...terms, marking: 'manual' } }), []);
    assert.deepEqual(problems(PORTUGAL, { jackpot: { ...terms, marking: 'none' } }), [
      'jackpot.marking r.41',
    ]);
  });

  test('r.12, r.55: a shuffler is emptied before a supervisor; after it everything starts again', () => {
    const table = ready(PORTUGAL, { cardSource: 'autoShuffler' });
    assert.equal(table.try({ type: 'lay-out-cards', person: DEALER })?.code, 'person');
    table.must({ type: 'lay-out-cards', person: SUPERVISOR });
    assert.equal(table.state.shoe.stage, 'none');
  });

  test('r.7, r.53: the cards are shown before the first shoe, and before they go into a shuffler', () => {
    for (const cardSource of ['shoe', 'autoShuffler']) {
      const table = new TestTable();
      const { profile } = ready(PORTUGAL, { cardSource }).state;
      table.must({ type: 'configure', profile: profile!, person: null });
      table.must({ type: 'sign-in-dealer', person: DEALER });
      assert.equal(nextStep(table.state).step, 'check-decks');
      assert.deepEqual(table.try({ type: 'load-shoe', shoeId: 'shoe-1', decks: 6 })?.cites, ['r.7']);
    }
  });
});
