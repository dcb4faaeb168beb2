/** What Bacará says of its material, its shoe and its permissions. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEALER, profileWith, TestTable } from '../../../test/support/table-kit.ts';
import { validateOptions } from '../../books.ts';
import { nextStep } from '../../engine.ts';
import type { OptionValue } from '../../table/profile.ts';

type Options = Readonly<Record<string, OptionValue>>;
const rulebook = 'macau-baccarat';
const problems = (options: Options): string[] => {
  const checked = validateOptions(rulebook, options);
  return checked.ok ? [] : checked.problems.map(({ option, article }) => `${option} ${article}`);
};

test('art. 1: six to twelve packs, one or two layouts, seven seats or more, shoe or shuffler-dealer', () => {
  assert.deepEqual(problems({ decks: 5, seats: 6, layouts: 3, cardSource: 'box' }), [
    'decks art.1',
    'seats art.1',
    'layouts art.1',
    'cardSource art.1',
  ]);
  assert.deepEqual(problems({ decks: 12, layouts: 2, cardSource: 'autoShuffler' }), []);
  assert.deepEqual(
    [12, 13].map((seats) => problems({ seats })),
    [[], ['seats art.1']],
  );
});

test('art. 1: with eight to twelve seats every one of them bets, is paid and leaves with its money', () => {
  for (let seats = 8; seats <= 12; seats++) {
    const table = TestTable.ready({}, { rulebook, seatCount: seats });
    const all = table.state.seats.map(({ seat }) => seat);
    assert.equal(all.length, seats);
    const before = table.state.seats.map(({ creditMinor }) => creditMinor);
    table.open();
    for (const seat of all) table.bet(seat, 1_000 * seat, seat, seat % 2 === 0 ? 'player' : 'banker');
    assert.equal(table.tryBet(seats + 1, 1_000, seats + 1, 'player')?.code, 'unknown-seat');
    table.must({ type: 'close-betting' });
    // Nine against eight.
    table.draw('9S 8D TH TC');
    table.close();
    const won = table.state.seats.map(({ creditMinor }, i) => creditMinor - before[i]!);
    assert.deepEqual(
      won,
      all.map((seat) => (seat % 2 === 0 ? 1_000 : -1_000) * seat),
    );
  }
});

test('art. 3.2: the house may change the shoe after any round', () => {
  const table = TestTable.ready({}, { rulebook });
  table.open();
  table.bet(1, 10_000, 1, 'player');
  table.must({ type: 'close-betting' });
  table.draw('9S 8D TH TC');
  table.close();
  assert.equal(nextStep(table.state).step, 'open-betting');
  table.shoe();
  assert.equal(table.state.shoe.drawn, table.state.shoe.burned);
});

test('art. 13: only the bets the house has, each with the article of the list', () => {
  const table = TestTable.ready({ pairs: false }, { rulebook });
  table.open();
  assert.deepEqual(table.tryBet(1, 1_000, 1, 'playerPair')?.code, 'off');
  assert.deepEqual(table.tryBet(1, 1_000, 1, 'main')?.code, 'off');
  for (const bet of ['player', 'banker', 'tie']) table.bet(1, 1_000, 1, bet);
});

test('art. 19: another choice of arts. 2, 3, 7 and 18 needs its record, one of art. 1 does not', () => {
  const table = new TestTable();
  const configure = (options: Options) =>
    table.try({
      type: 'configure',
      profile: profileWith(options, { rulebook, authorisations: [] }),
      person: DEALER,
    });
  for (const options of [
    { burn: 'firstCardFace' },
    { demoRounds: 1 },
    { lastRound: 'oneMore' },
    { cardSource: 'autoShuffler' },
    { commission: 'none-banker-six-half' },
  ]) {
    const refused = configure(options as unknown as Options);
    assert.deepEqual([refused?.code, refused?.cites], ['off', ['art.19']], JSON.stringify(options));
  }
  assert.equal(configure({ decks: 6 }), null);
});
