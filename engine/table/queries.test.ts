/** What dealer and players are shown that they may do, and what they are not. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { play } from '../../test/support/spoken-round.ts';
import { DEALER, SUPERVISOR, TECHNICIAN, TestTable } from '../../test/support/table-kit.ts';
import {
  behindChoices,
  bettingChoices,
  dealerOptions,
  initialState,
  nextStep,
  seatChoices,
} from '../engine.ts';

const PORTUGAL = { rulebook: 'portugal-blackjack' } as const;
const BACCARAT = { rulebook: 'macau-baccarat' } as const;
const options = ({ state }: TestTable): string =>
  dealerOptions(state)
    .map(({ option }) => option)
    .join(' ');
const step = ({ state }: TestTable): string => {
  const { step: name, cites } = nextStep(state);
  return [name, ...cites].join(' ');
};

test('the options of the dealer are those that are lawful now, and no others', () => {
  const table = TestTable.ready();
  assert.equal(options(table), 'end-card-out new-shoe sign-out');
  table.draw('5C');
  assert.equal(options(table), 'set-card-aside end-card-out sign-out');
  table.must({ type: 'set-card-aside', person: DEALER });
  table.bets({ 1: 1_000, 2: 1_000 });
  assert.equal(options(table), 'card-face-up end-card-out void-round');
  assert.equal(table.tryDraw('TS', null, 20), null);
  assert.equal(options(table), 'confirm-card end-card-out void-round');
  table.must({ type: 'confirm-card', drawNo: null, card: 9 as never, person: DEALER });
  table.must({ type: 'draw-card', drawNo: null, card: null, confidence: 0 });
  assert.equal(table.state.hold?.code, 'card-gap');
  assert.equal(options(table), 'confirm-card end-card-out void-round');
  table.must({ type: 'confirm-card', drawNo: null, card: 8 as never, person: DEALER });
  table.draw('9H 7D 6D');
  assert.match(options(table), /^doubt-card take-back-card assign-card end-card-out void-round$/);
  table.must({ type: 'enter-service', person: TECHNICIAN });
  assert.equal(options(table), '');
  table.must({ type: 'exit-service' });
  table.must({ type: 'void-round', reason: 'misdeal', person: DEALER });
  assert.equal(options(table), 'end-card-out raise-complaint');
  table.close();
  assert.equal(options(table), 'end-card-out raise-complaint new-shoe sign-out');
  table.must({ type: 'sign-out-dealer' });
  assert.equal(options(table), 'end-card-out');
  assert.deepEqual(dealerOptions(initialState()), []);
});

test('a shuffler has no white card; what is left is taken out under its own article, and fed cards can wait', () => {
  const cites = (table: TestTable, option: string): readonly string[] | undefined =>
    dealerOptions(table.state).find((each) => each.option === option)?.cites;
  const shoe = TestTable.ready({}, PORTUGAL);
  const shuffler = TestTable.ready({ cardSource: 'autoShuffler' }, PORTUGAL);
  assert.deepEqual(
    [shoe, shuffler].map((table) => cites(table, 'lay-out-cards')),
    [['r.12'], ['r.55']],
  );
  assert.deepEqual(
    [shoe, shuffler].map((table) => cites(table, 'end-card-out') !== undefined),
    [true, false],
  );
  assert.equal(cites(shuffler, 'open-betting'), undefined, 'nothing is to be fed');
  shuffler.bets({ 1: 1_000 });
  assert.equal(cites(shuffler, 'open-betting'), undefined);
  shuffler.draw('TS 7H 9D TC');
  shuffler.wait();
  shuffler.act(1, 'stand');
  shuffler.close();
  assert.deepEqual(cites(shuffler, 'open-betting'), ['r.59']);
});

test('who may cut is asked while the shoe is cut, and only where it goes in turn', () => {
  const uncut = (changes: object): TestTable => {
    const table = TestTable.ready({}, changes);
    table.must({ type: 'load-shoe', shoeId: 's2', decks: table.state.rules!.decks });
    assert.equal(table.state.shoe.stage, 'cut');
    return table;
  };
  assert.match(options(uncut(PORTUGAL)), /\brefuse-cut\b/);
  assert.doesNotMatch(options(uncut({})), /\brefuse-cut\b/);
  assert.doesNotMatch(options(TestTable.ready({}, PORTUGAL)), /\brefuse-cut\b/);
});

test('r.17 the second card of the bank is replaced where the rules have it so', () => {
  const table = TestTable.ready({}, PORTUGAL);
  table.bets({ 1: 1_000 });
  table.draw('TS 9H 7D');
  const before = options(table);
  table.draw('6C');
  assert.deepEqual(
    [before, options(table)].map((each) => each.includes('replace-bank-second')),
    [false, true],
  );
});

test('the next step of a table that stands still, with its article', () => {
  const steps: Record<string, string> = {};
  steps['no profile'] = nextStep(initialState()).step;
  const idle = TestTable.ready();
  idle.must({ type: 'enter-service', person: TECHNICIAN });
  steps['service'] = step(idle);
  idle.must({ type: 'exit-service' });
  idle.draw('5C');
  steps['a card nobody was due'] = step(idle);
  idle.must({ type: 'sign-out-dealer' });
  steps['no dealer'] = step(idle);

  const fault = (device: string, stops?: 'table') => {
    const table = play('TS 9H 7D wait', {});
    table.must({ type: 'report-fault', device, fault: 'x', place: '', ...(stops ? { stops } : {}) });
    steps[device] = step(table);
    table.must({ type: 'clear-fault', device, fault: 'x' });
    steps[`${device} again`] = step(table);
  };
  fault('shoe');
  fault('display', 'table');
  fault('books');

  const bank = play('TS 9H 7D wait 1:stand TC', {});
  bank.draw('5C');
  steps['a card the bank must not draw'] = step(bank);

  assert.deepEqual(steps, {
    'no profile': 'call-supervisor',
    service: 'in-service',
    'a card nobody was due': 'resolve-card art.5.1.1',
    'no dealer': 'sign-in',
    shoe: 'call-supervisor art.5.1.2',
    'shoe again': 'confirm-layout art.5.1.2',
    display: 'call-supervisor art.5.1.2',
    'display again': 'confirm-layout art.5.1.2',
    books: 'call-supervisor',
    'books again': 'confirm-layout',
    'a card the bank must not draw': 'resolve-card art.6.1',
  });
});

test('the last round of a shoe is closed by the article of its end; a bet that is owed keeps the betting open', () => {
  const closing = (isLast: boolean): string => {
    const table = TestTable.ready();
    table.open();
    if (isLast) table.must({ type: 'end-card-out' });
    table.bet(1, 1_000);
    table.must({ type: 'close-betting' });
    table.must({ type: 'void-round', reason: 'misdeal', person: DEALER });
    table.wait();
    return step(table);
  };
  assert.deepEqual([closing(false), closing(true)], ['close-round art.5.1', 'close-round art.2.2.1']);

  const table = TestTable.ready({ sideBets: ['streak2'] });
  table.open();
  table.bet(1, 1_000);
  table.bet(1, 100, 1, 'streak2');
  assert.equal('owedBySeat' in nextStep(table.state), false);
  table.must({ type: 'close-betting' });
  table.draw('TS 9H 9D');
  table.wait();
  table.act(1, 'stand');
  table.draw('8C');
  table.close();
  table.open();
  assert.equal('owedBySeat' in nextStep(table.state), false, 'nobody has laid anything');
  table.bet(2, 1_000);
  const owed = nextStep(table.state);
  assert.ok(owed.step === 'close-betting' && 'owedBySeat' in owed && owed.owedBySeat === 1);
});

test('a player is asked in a round that is not over, and not while the table is in service', () => {
  const table = TestTable.ready();
  const asked = (): boolean => seatChoices(table.state, 1).length > 0;
  assert.equal(asked(), false, 'no round');
  table.open();
  table.bet(1, 1_000);
  assert.equal(asked(), false, 'no cards');
  table.must({ type: 'close-betting' });
  table.draw('AS AH KD');
  assert.equal(asked(), true);
  table.must({ type: 'enter-service', person: TECHNICIAN });
  assert.equal(asked(), false);
  table.must({ type: 'exit-service' });
  assert.equal(asked(), true);
  table.must({ type: 'void-round', reason: 'misdeal', person: DEALER });
  assert.equal(asked(), false, 'the round is over');
});

test('bets are shown while they may be laid: in the betting, at a seat that there is, out of service; a hold refuses them', () => {
  const table = TestTable.ready({ betsBehind: 'nearest', maxBettorsPerSeat: 2 }, {}, 0);
  table.insert(1, 100_000);
  const shown = (seat = 1): number[] => [
    bettingChoices(table.state, seat).length,
    behindChoices(table.state, seat).length,
  ];
  assert.deepEqual(shown(), [0, 0], 'no round');
  table.open();
  assert.deepEqual(
    [shown(), shown(0), shown(8)],
    [
      [9, 6],
      [0, 0],
      [0, 0],
    ],
  );
  table.bet(1, 1_000);
  table.must({ type: 'enter-service', person: TECHNICIAN });
  assert.deepEqual(shown(), [0, 0]);
  table.must({ type: 'exit-service' });
  table.must({ type: 'report-fault', device: 'display', fault: 'lost', place: '', stops: 'table' });
  assert.ok(bettingChoices(table.state, 1).every(({ allowed, code }) => !allowed && code === 'held'));
  assert.ok(
    behindChoices(table.state, 1).every(({ bets, refused }) => bets.length === 0 && refused?.code === 'held'),
  );
  table.must({ type: 'clear-fault', device: 'display', fault: 'lost' });
  table.must({ type: 'confirm-layout', person: SUPERVISOR });
  assert.deepEqual(shown(), [9, 6]);
  table.must({ type: 'close-betting' });
  assert.deepEqual(shown(), [0, 0], 'jogo feito');
  const baccarat = TestTable.ready({}, BACCARAT);
  baccarat.open();
  assert.deepEqual(behindChoices(baccarat.state, 1), [], 'its seats have no hands');
});

test('a bet is offered for which the credit is just enough, and not one unit less', () => {
  const offered = (least: number): [boolean, string | null] => {
    const table = TestTable.ready({ min: least, max: 50_000, step: 100 }, {}, 10_000);
    table.open();
    const main = bettingChoices(table.state, 1).find(
      ({ act, bet }) => act === 'place-bet' && bet === 'main',
    )!;
    return [main.allowed, main.code];
  };
  assert.deepEqual(
    [offered(10_000), offered(10_100)],
    [
      [true, null],
      [false, 'no-credit'],
    ],
  );
});
