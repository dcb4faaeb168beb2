/**
 * What the dealer's edge says in a round, and what the panels show: whose turn it is, on which of
 * their seats, and while the table is held.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Options, play, say } from '../../../test/support/spoken-round.ts';
import { SUPERVISOR, TestTable } from '../../../test/support/table-kit.ts';
import { nextStep, seatChoices } from '../../engine.ts';
import type { TableProfile } from '../../table/profile.ts';

const PORTUGAL = { rulebook: 'portugal-blackjack', currency: 'EUR' } as const;

/** `seat.hand act` of what a panel shows, the closed ones with their code. */
const shown = ({ state }: TestTable, by: number): string[] =>
  seatChoices(state, by).map(
    ({ seat, hand, act, code }) => `${seat}.${hand} ${act}${code === null ? '' : `: ${code}`}`,
  );

/** The articles of an act that is open in a panel. */
const citesOf = ({ state }: TestTable, by: number, act: string): string | undefined =>
  seatChoices(state, by)
    .find((choice) => choice.act === act && choice.allowed)
    ?.cites.join(' ');

const told = ({ state }: TestTable): string => {
  const step = nextStep(state);
  return [step.step, ...('faceDown' in step ? ['down'] : []), ...step.cites].join(' ');
};

/** Main bets `seat<by amount` in their order; then the words of `play`. */
function deal(
  bets: string,
  script: string,
  options: Options = {},
  changes: Partial<TableProfile> = {},
): TestTable {
  const table = TestTable.ready(options, changes);
  table.open();
  for (const text of bets.split(', ')) {
    const [, seat, by, value] = /^(\d)(?:<(\d))? (\d+)$/.exec(text)!;
    table.bet(Number(seat), Number(value), Number(by ?? seat));
  }
  table.must({ type: 'close-betting' });
  say(table, script);
  return table;
}

/** A power cut: the table is held until the layout is confirmed. */
const cut = (table: TestTable): void => {
  table.must({ type: 'start-terminal', bootId: 'b2', softwareId: 's2' });
};
const confirm = (table: TestTable): void => {
  table.must({ type: 'confirm-layout', person: SUPERVISOR });
};

// ---- the dealer's next step ----

/** procedure · options · what it says of each of the first cards, a hit, and the bank's next two */
const PROCEDURES: readonly (readonly [string, Options, Partial<TableProfile>, string, readonly string[]])[] =
  [
    [
      'art. 5.2.1.1 out of a shoe, face down',
      { dealing: 'faceDown' },
      {},
      'TS 2H 4D',
      [
        'draw-for-seat art.5.2.1.1',
        'draw-for-bank art.5.2.1.1',
        'draw-for-seat art.5.2.1.1',
        'draw-for-seat art.6.4',
        'draw-for-bank art.5.2.1.1',
        'draw-for-bank art.6.1',
      ],
    ],
    [
      'art. 5.2.1.2 out of the box',
      { dealing: 'faceDown', cardSource: 'box', decks: 1 },
      {},
      'TS 2H 4D 3S',
      [
        'draw-for-seat art.5.2.1.2',
        'draw-for-bank art.5.2.1.2',
        'draw-for-seat art.5.2.1.2',
        'draw-for-bank down art.5.2.1.2',
        'draw-for-seat art.6.4',
        'draw-for-bank art.6.1',
        'draw-for-bank art.6.1',
      ],
    ],
    [
      'art. 5.2.2 face up',
      {},
      {},
      'TS 2H 4D',
      [
        'draw-for-seat art.5.2.2.1',
        'draw-for-bank art.5.2.2.1',
        'draw-for-seat art.5.2.2.1',
        'draw-for-seat art.6.4',
        'draw-for-bank art.5.2.2.2',
        'draw-for-bank art.6.1',
      ],
    ],
    [
      'art. 5.2.3 hole card',
      { dealing: 'holeCard' },
      {},
      'TS 2H 4D 3S',
      [
        'draw-for-seat art.5.2.3.1',
        'draw-for-bank art.5.2.3.1',
        'draw-for-seat art.5.2.3.1',
        'draw-for-bank down art.5.2.3.2',
        'draw-for-seat art.6.4',
        'draw-for-bank art.6.1',
        'draw-for-bank art.6.1',
      ],
    ],
    [
      'r.17, r.18, r.19 in Portugal',
      {},
      PORTUGAL,
      'TS 2H 4D 3S',
      [
        'draw-for-seat r.17',
        'draw-for-bank r.17',
        'draw-for-seat r.17',
        'draw-for-bank down r.17',
        'draw-for-seat r.18',
        'draw-for-bank r.19',
        'draw-for-bank r.19',
      ],
    ],
  ];

for (const [name, options, changes, cards, steps] of PROCEDURES) {
  test(`${name}: each card is named with the article it is dealt by`, () => {
    const table = TestTable.ready(options, changes);
    table.bets({ 1: 1_000 });
    const said: string[] = [];
    const draw = (card: string): void => {
      said.push(told(table));
      table.draw(card);
    };
    cards.split(' ').forEach(draw);
    while (table.state.phase === 'offers') table.wait();
    table.act(1, 'hit');
    draw('2C');
    table.act(1, 'stand');
    draw('3C');
    draw('4C');
    assert.deepEqual(said, steps);
  });
}

test('art. 6.3 the turn of the second seat is named as its own, whoever decides on the first', () => {
  const table = play('TS TD 9H 8S 8C wait 1:stand', {}, { 1: 1_000, 2: 1_000 });
  assert.deepEqual(nextStep(table.state), {
    step: 'await-decision',
    seat: 2,
    hand: 0,
    cites: ['art.6.3'],
  });
});

// ---- what a panel shows in a turn ----

test('art. 6.3 a card that was asked for comes first: until then nothing is to be decided', () => {
  const table = play('5S TD 9H 4D 8C wait 1:hit', {}, { 1: 1_000, 2: 1_000 });
  assert.deepEqual([shown(table, 1), shown(table, 2)], [[], []]);
  cut(table);
  assert.deepEqual([shown(table, 1), shown(table, 2)], [[], []]);
  confirm(table);
  table.draw('2C');
  assert.equal(shown(table, 1)[0], '1.0 hit');
});

test('arts. 12.1, 10.3 in its turn a hand may still be insured, one that waits may not; even money stays open', () => {
  const table = play('TS AS 9D AH 6D KD 3C wait', {}, { 1: 1_000, 2: 1_000, 3: 1_000 });
  const turn = ['hit', 'stand', 'double', 'split: not-allowed', 'surrender: not-allowed'];
  const closed = 'fiveCardHalf: not-allowed';
  assert.deepEqual(
    shown(table, 1),
    [...turn, closed, 'insure'].map((act) => `1.0 ${act}`),
  );
  assert.deepEqual(shown(table, 2), ['2.0 evenMoney']);
  assert.deepEqual(shown(table, 3), []);
  assert.deepEqual(shown(table, 4), [], 'no bet anywhere');
  say(table, '1:hit 2C');
  assert.ok(!shown(table, 1).some((act) => act.includes('insure')), 'too late after an additional card');
});

test('art. 6.3 a held panel keeps what the hand may say in its turn, all of it closed', () => {
  const turn = ['hit', 'stand', 'double', 'split', 'surrender', 'fiveCardHalf'];
  const held = (...acts: string[]): string[] => acts.map((act) => `1.0 ${act}: held`);
  /** bank's card · script · what may be said beside the acts of the turn */
  const cases = [
    ['an ace', 'TS AH 6D wait', {}, ['evenMoney', 'insure']],
    ['a ten', 'TS TH 6D wait', {}, ['evenMoney']],
    ['a nine', 'TS 9H 6D wait', {}, []],
    ['an ace after the look', 'TS AH 6D 3S wait', { dealing: 'holeCard' }, []],
  ] as const;
  for (const [bank, script, options, offers] of cases) {
    const table = play(script, options);
    cut(table);
    assert.deepEqual(shown(table, 1), held(...turn, ...offers), bank);
    assert.deepEqual(shown(table, 2), [], 'no bet anywhere');
    assert.ok(seatChoices(table.state, 1).every(({ allowed }) => !allowed));
    confirm(table);
    assert.equal(shown(table, 1)[0], '1.0 hit', bank);
  }
  const dealing = play('TS AH');
  cut(dealing);
  assert.deepEqual(shown(dealing, 1), [], 'nothing is asked while first cards are dealt');
});

test('art. 20.1 seats on which nothing is more urgent stand in the order of the table', () => {
  const table = deal('3 1000, 3<2 1000, 1 1000, 1<2 1000', 'AS AH AD KH KD');
  say(table, '3<2:playOn 1<2:playOn');
  assert.deepEqual(shown(table, 2), ['1.0 evenMoney', '3.0 evenMoney']);
});

test('arts. 6.4, 12.1 a choice says what it costs, and insurance alone from where to where', () => {
  const table = play('TS AH 6D wait');
  const choices = seatChoices(table.state, 1);
  const [hit, , double] = choices;
  const insure = choices.find(({ act }) => act === 'insure');
  const of = { seat: 1, hand: 0, allowed: true, code: null, minMinor: null, maxMinor: null };
  assert.deepEqual(hit, { ...of, act: 'hit', cites: ['art.6.4'], amountMinor: null });
  assert.deepEqual(double, { ...of, act: 'double', cites: ['art.17.1'], amountMinor: 1_000 });
  assert.deepEqual([insure?.cites, insure?.minMinor, insure?.maxMinor], [['art.12.1'], 500, 1_000]);
});

test('arts. 16.1, 16.3, 16.5, 17.1.2 a split hand is named, and its raises have articles of their own', () => {
  const table = play('8S 6H 8D wait', { resplitAces: true });
  const cites = (): (string | undefined)[] => ['split', 'double'].map((act) => citesOf(table, 1, act));
  assert.deepEqual(cites(), ['art.16.1', 'art.17.1']);
  say(table, '1:split 8C');
  assert.deepEqual(cites(), ['art.16.5', 'art.17.1.2']);
  say(table, '1:stand 3C');
  assert.deepEqual(cites(), [undefined, 'art.17.1.2']);
  assert.equal(shown(table, 1)[0], '1.1 hit');
  const aces = play('AS 6H AD wait 1:split AC', { resplitAces: true });
  assert.equal(citesOf(aces, 1, 'split'), 'art.16.3');
});

test('art. 20.1.3 whoever decides the turn of another seat sees it before what is open on their own', () => {
  const table = deal('1<2 9000, 1 1000, 2 1000', '5S AS AH 8D KD wait', { betsBehind: 'highest' });
  assert.deepEqual(
    shown(table, 2).map((text) => text.split(':')[0]),
    [
      ...['hit', 'stand', 'double', 'split', 'surrender', 'fiveCardHalf', 'insure'].map(
        (act) => `1.0 ${act}`,
      ),
      '2.0 evenMoney',
    ],
  );
  assert.deepEqual(shown(table, 1), []);
});

test('arts. 10.3, 12.1 the seat on which somebody is still asked comes before the one they have answered on', () => {
  const table = deal('1 1000, 1<2 1000, 2 1000', '5S AS AH 8D KD', { surrender: false });
  say(table, '2:declineInsurance 2:playOn');
  assert.deepEqual(shown(table, 2), [
    '1.0 insure',
    '1.0 declineInsurance',
    '1.0 surrender: off',
    '1.0 playOn',
    '2.0 evenMoney',
  ]);
  say(table, '1<2:playOn');
  assert.deepEqual(shown(table, 2), ['2.0 evenMoney'], 'the holder is still asked, they are not');
  assert.equal(shown(table, 1)[0], '1.0 insure');
});
