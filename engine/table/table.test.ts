/** What is refused before any rule is asked, and what a decision copies. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEALER, profileWith, SUPERVISOR, TECHNICIAN, TestTable } from '../../test/support/table-kit.ts';
import { decide, initialState } from '../engine.ts';
import type { Input } from './inputs.ts';
import { copyOf } from './table.ts';

const refusal = (input: Input): string | null => {
  const decision = decide(initialState(), input);
  return decision.ok ? null : `${decision.code} ${decision.detail ?? ''}`.trimEnd();
};

test('a table without a profile hears its devices and its people, and plays nothing', () => {
  const none = 'not-due the table has no profile';
  const atMs = 1_000;
  assert.equal(refusal({ type: 'load-shoe', atMs, shoeId: 's', decks: 6 }), none);
  assert.equal(refusal({ type: 'open-betting', atMs, roundId: 'r1' }), none);
  assert.equal(refusal({ type: 'request-cash-out', atMs, seat: 1, requestId: 'c1' }), none);
  assert.equal(refusal({ type: 'void-round', atMs, reason: 'supervisor', person: SUPERVISOR }), none);
  assert.equal(refusal({ type: 'enter-service', atMs, person: TECHNICIAN }), null);
  assert.equal(refusal({ type: 'start-terminal', atMs, bootId: 'b', softwareId: 's' }), null);
  assert.equal(refusal({ type: 'configure', atMs, profile: profileWith(), person: null }), null);
});

test('a time that is no whole number is refused, whatever is asked', () => {
  for (const atMs of [0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53]) {
    assert.equal(refusal({ type: 'sign-in-dealer', atMs, person: DEALER }), 'malformed atMs');
  }
});

test('what is only replaced and never changed is shared by the copies of a state, all else is copied', () => {
  const { state } = TestTable.ready();
  const copy = copyOf(state);
  assert.deepEqual(copy, state);
  for (const member of ['profile', 'rules', 'choice', 'results', 'tallies'] as const)
    assert.equal(copy[member], state[member], member);
  assert.notEqual(copy.seats, state.seats);
  assert.notEqual(copy.seats[0], state.seats[0]);
  assert.notEqual(copy.shoe.counts, state.shoe.counts);
});
