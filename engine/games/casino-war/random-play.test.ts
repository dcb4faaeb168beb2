import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { playRandomly, RandomTable, Reached } from '../../../test/support/random-table.ts';
import type { OptionValue } from '../../table/profile.ts';

const someOptions = fc.record(
  {
    decks: fc.constantFrom(1, 2, 6),
    cardSource: fc.constantFrom('shoe', 'autoShuffler'),
    cutFromEnd: fc.constantFrom(10, 12, 20),
    tieBet: fc.boolean(),
    sideBetMax: fc.constantFrom(null, 5_000),
    tieBettorMain: fc.constantFrom('push', 'choose'),
    warBurn: fc.constantFrom('perCard', 'once'),
    min: fc.constant(1_000),
    max: fc.constant(100_000),
    step: fc.constantFrom(2, 500, 1_000),
  },
  { requiredKeys: [] },
);

const reached = new Reached();

test('money, books, meters and replay hold at every state of random war, lawful and not', () => {
  fc.assert(
    fc.property(fc.integer(), someOptions, fc.boolean(), (seed, options, shared) => {
      const table = new RandomTable(
        seed,
        'macau-casino-war',
        { ...options } as Record<string, OptionValue>,
        shared,
      );
      playRandomly(table, 900);
      reached.add(table);
    }),
    { numRuns: 50, seed: 74_2005 },
  );
});

test('the random war above reached what it is meant to reach', () => {
  assert.ok(reached.rounds > 500, `${reached.rounds} rounds`);
  assert.ok(reached.voided > 10, `${reached.voided} voided`);
  const missing = reached.missing(
    ['war-declared', 'hand-surrendered', 'burned-war', 'cards-swapped', 'end-card-seen', 'bet-withdrawn'],
    [
      'main win',
      'main lose',
      'main push',
      'main half-loss',
      'main war-win',
      'main war-tie',
      'main war-lose',
      'tie win',
      'tie lose',
    ],
  );
  assert.deepEqual(missing, []);
});
