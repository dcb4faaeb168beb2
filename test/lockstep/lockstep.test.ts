import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Asked } from '../../cli/simulate/setup.ts';
import { lockstep } from './lockstep.ts';

const TABLES: readonly (Partial<Asked> & Pick<Asked, 'rulebook'>)[] = [
  { rulebook: 'macau-blackjack-2004', options: { dealerPlaysOut: 'ifNeeded' }, seats: 2 },
  { rulebook: 'macau-blackjack-2009', options: { sideBets: ['sevens', 'streak2'] } },
  // The burnt card moves the one that lies face down.
  { rulebook: 'macau-blackjack-2009', options: { dealing: 'holeCard', maxHands: 5, burnEachRound: 'one' } },
  // Every round ends its shoe.
  { rulebook: 'macau-blackjack-2009', options: { cardSource: 'box', decks: 1, dealing: 'faceDown' } },
  { rulebook: 'portugal-blackjack', seats: 3 },
  { rulebook: 'macau-baccarat' },
  { rulebook: 'macau-casino-war', seats: 4, options: { warBurn: 'once', cutFromEnd: 20 } },
];

describe('out of memory, live and by the auditor', () => {
  for (const table of TABLES)
    it(`the same lines: ${JSON.stringify(table)}`, () => {
      const asked: Asked = { options: null, strategy: null, seats: 1, shoe: 'cut', ...table };
      const { asked: live, lines } = lockstep(asked, 300, 11);
      assert.ok(lines >= 300 && live < 300);
    });

  it('challenges of two seats in the round in which the white card comes', () => {
    const options = { cutFromEnd: 20 };
    lockstep({ rulebook: 'macau-casino-war', options, strategy: null, seats: 3, shoe: 'cut' }, 500, 6);
  });

  it('another way to settle is a difference', () => {
    const asked: Asked = { rulebook: 'macau-baccarat', options: null, strategy: null, seats: 1, shoe: 'cut' };
    assert.throws(() => lockstep(asked, 200, 11, { commission: 'none-banker-six-half' }), /lines/);
  });
});
