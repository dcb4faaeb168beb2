/**
 * Despacho 56/2004 against 57/2009: every difference of the two texts that changes money, cards or
 * options.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Options, play } from '../../../test/support/spoken-round.ts';
import { profileWith, TestTable } from '../../../test/support/table-kit.ts';
import { rulebookOf, validateOptions } from '../../books.ts';
import type { OptionValue, RulebookId } from '../../table/profile.ts';
import { MACAU_56_2004 } from './macau-56-2004.ts';
import { MACAU_57_2009 } from './macau-57-2009.ts';

const lines = (rulebook: RulebookId, script: string, options: Options = {}): string[] =>
  play(script, options, { 1: 1_000 }, { rulebook }).lines;
const both = (script: string, options: Options = {}): [string[], string[]] => [
  lines('macau-blackjack-2004', script, options),
  lines('macau-blackjack-2009', script, options),
];

test('art. 6.1 ace and six: the bank stands in 2004 and draws in 2009', () => {
  assert.deepEqual(lines('macau-blackjack-2004', 'TS 6H 8D wait 1:stand AC'), ['1.0 main win 1000 art.9']);
  assert.deepEqual(lines('macau-blackjack-2009', 'TS 6H 8D wait 1:stand AC 4C'), [
    '1.0 main lose -1000 art.9',
  ]);
});

test('bank blackjack against a split seat: all stakes in 2004, the original one in 2009 (art. 16.6)', () => {
  assert.deepEqual(both('8S KH 8D wait 1:split TC 1:stand 9C 1.1:stand AC'), [
    ['1.0 main lose -1000 art.12.2', '1.1 main lose -1000 art.12.2'],
    ['1.0 main original-only -1000 art.16.6', '1.1 main returned 0 art.16.6'],
  ]);
});

test('bank blackjack against a double: all in 2004, the original bet in 2009 (art. 17.3)', () => {
  assert.deepEqual(both('5S KH 6D wait 1:double TC AC'), [
    ['1.0 main lose -2000 art.10.6'],
    ['1.0 main original-only -1000 art.17.3'],
  ]);
  assert.deepEqual(both('5S KH 5D wait 1:double TC AC'), [
    ['1.0 main lose -2000 art.12.2'],
    ['1.0 main original-only -1000 art.17.3'],
  ]);
});

test('art. 10.7 in 2004 the bank may offer the original bet only, whatever the double was', () => {
  const offer = { doubledVsDealerBlackjack: 'offer' };
  for (const doubleOn of [['anyTwo', 'afterSplit'], ['eleven']]) {
    assert.deepEqual(
      lines('macau-blackjack-2004', '5S KH 6D wait 1:double 9C AC 1:loseOriginalOnly', {
        ...offer,
        doubleOn,
      }),
      ['1.0 main original-only -1000 art.10.7'],
    );
  }
  assert.deepEqual(lines('macau-blackjack-2004', '5S KH 6D wait 1:double 9C AC wait', offer), [
    '1.0 main lose -2000 art.12.2',
  ]);
});

test('art. 7.2 a busted double is lost in 2004 and nothing is offered on it; in 2009 the original only', () => {
  assert.deepEqual(
    lines('macau-blackjack-2004', '6S KH 6D wait 1:double TC AC', { doubledVsDealerBlackjack: 'offer' }),
    ['1.0 main bust -2000 art.7.2'],
  );
  assert.deepEqual(lines('macau-blackjack-2009', '6S KH 6D wait 1:double TC AC'), [
    '1.0 main original-only -1000 art.17.3',
  ]);
});

test('art. 11 has bare items in 2004', () => {
  assert.deepEqual(both('AS KH QD wait AC'), [['1.0 main push 0 art.11.1'], ['1.0 main push 0 art.11.1.1']]);
  assert.deepEqual(both('TS 9H 9D wait 1:stand TC'), [
    ['1.0 main push 0 art.11.2'],
    ['1.0 main push 0 art.11.1.2'],
  ]);
});

test('art. 17 of 2004: either any two cards and split hands, or eleven only', () => {
  const legal = (doubleOn: string[]): boolean => validateOptions('macau-blackjack-2004', { doubleOn }).ok;
  assert.deepEqual(
    [['anyTwo', 'afterSplit'], ['eleven'], ['anyTwo'], ['afterSplit'], ['anyTwo', 'eleven']].map(legal),
    [true, true, false, false, false],
  );
  const table = play(
    '5S 9H 5D wait',
    { doubleOn: ['eleven'] },
    { 1: 1_000 },
    { rulebook: 'macau-blackjack-2004' },
  );
  const refused = table.tryAct(1, 'double');
  assert.deepEqual([refused?.code, refused?.cites], ['off', ['art.17']]);
});

test('what 2004 does not have is refused with the article of the choice', () => {
  const told = (options: Readonly<Record<string, OptionValue>>): string => {
    const checked = validateOptions('macau-blackjack-2004', options);
    return checked.ok
      ? 'legal'
      : checked.problems.map(({ option, article }) => `${option} ${article}`).join();
  };
  for (const [options, text] of [
    [{ dealing: 'holeCard' }, 'dealing art.5.2'],
    [{ dealerHitsSoft17: true }, 'dealerHitsSoft17 art.6.1'],
    [{ soft17: 'any' }, 'soft17 '],
    [{ sideBets: ['perfectPair'] }, 'sideBets art.13'],
    [{ sideBets: ['streak2'] }, 'sideBets art.13'],
    [{ specialPrize: false }, 'specialPrize art.15'],
    [{ surrender: false }, 'surrender art.18'],
    [{ splitVsDealerBlackjack: 'originalOnly' }, 'splitVsDealerBlackjack art.12.2'],
    [{ tableMaxTotal: 5_000 }, 'tableMaxTotal '],
    [{ playerCardsDown: 'both' }, 'playerCardsDown '],
    [{ maxHands: 8, resplitAces: false, betsBehind: 'highest' }, 'legal'],
  ] as const) {
    assert.equal(told(options), text);
  }
});

test('art. 21 of 2004 is read as 57/2009 has it, without a waiver; 2009 names the article for each', () => {
  assert.ok(MACAU_56_2004.options.every(({ waivable }) => !waivable));
  const asked = (rulebook: typeof MACAU_56_2004, article: string): string[] =>
    rulebook.options.filter(({ authorisation }) => authorisation === article).map(({ id }) => id);
  const in2004 = new Set(MACAU_56_2004.options.map(({ id }) => id));
  assert.deepEqual(
    asked(MACAU_56_2004, 'art.21').filter((id) => id !== 'doubledVsDealerBlackjack'),
    asked(MACAU_57_2009, 'art.21.1').filter((id) => in2004.has(id)),
  );
  assert.equal(MACAU_56_2004.noticeDays?.['art.21'], 3);
  const waivable = MACAU_57_2009.options.filter((spec) => spec.waivable);
  assert.deepEqual(
    waivable.map(({ id, authorisation }) => `${id} ${authorisation}`),
    ['specialPrize art.21.2', 'surrender art.21.2'],
  );
});

test('every default is legal and every option of both regulations stands once', () => {
  for (const id of ['macau-blackjack-2004', 'macau-blackjack-2009'] as const) {
    assert.ok(validateOptions(id, {}).ok);
    const ids = rulebookOf(id)!.options.map((spec) => spec.id);
    assert.equal(new Set(ids).size, ids.length);
  }
});

test('arts. 2.2.4, 5.2 continuous shuffler and automatic shuffler play alike', () => {
  const played = ['autoShuffler', 'continuousShuffler'].map((cardSource) => {
    const table = new TestTable();
    const profile = profileWith({ cardSource }, { rulebook: 'macau-blackjack-2004' });
    table.must({ type: 'configure', profile, person: null });
    table.must({ type: 'sign-in-dealer', person: { id: 'd1', name: 'Ana', role: 'dealer' } });
    table.insert(1, 100_000);
    table.shoe();
    const loaded = table.state.shoe.stage;
    table.bets({ 1: 1_000 });
    table.draw('TS 9H 9D');
    table.wait();
    table.act(1, 'stand');
    table.draw('8C');
    const settled = table.lines;
    table.close();
    return JSON.stringify([loaded, settled, table.state.shoe.drawn, table.state.phase]);
  });
  assert.equal(played[0], played[1]);
  assert.match(played[0]!, /,0,"idle"\]$/, 'the cards are back in the shuffler');
});
