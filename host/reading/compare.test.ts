import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TableEvent } from '../../engine/table/events.ts';
import type { TableState } from '../../engine/table/state.ts';
import { differencesOf } from './compare.ts';

const BET = { seat: 1, by: 1, bet: 'anyPair' };
const STATE = { round: { bets: [{ ...BET, amountMinor: 100 }] } } as unknown as TableState;

/** What a first pair and a later one have brought, and the money that came back with each. */
function differing(...lines: readonly { readonly stakeMinor: number; readonly returnedMinor: number }[]) {
  const settled = lines.map((line) => ({ ...BET, hand: null, outcome: 'win', ...line }));
  const events = [{ type: 'round-settled', lines: settled }] as unknown as TableEvent[];
  const read = { ...BET, hand: null, outcome: 'won', net: 2_200 } as const;
  const reply = { id: 1, lines: [read], after: { streaks: null, jackpot: null } };
  const state = { ...STATE, jackpots: [] } as unknown as TableState;
  return differencesOf(events, state, 'settled', reply)?.differing ?? null;
}

test('what comes back is measured on the money that lay there, and on no line’s own word for it', () => {
  const first = { stakeMinor: 100, returnedMinor: 1_200 };
  assert.equal(differing(first, { stakeMinor: 0, returnedMinor: 1_100 }), null);
  assert.deepEqual(
    differing(first, { stakeMinor: 100, returnedMinor: 1_200 }),
    ['1 1 anyPair null'],
    'a line that gives the stake back a second time calls it its own',
  );
});
