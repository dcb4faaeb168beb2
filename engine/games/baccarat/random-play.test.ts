import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { playRandomly, RandomTable, Reached } from '../../../test/support/random-table.ts';
import { KNOWN_BETS } from '../../books.ts';
import type { OptionValue } from '../../table/profile.ts';

const someOptions = fc.record(
  {
    decks: fc.constantFrom(6, 8, 12),
    cutFromEnd: fc.constantFrom(12, 14, 20),
    burn: fc.constantFrom('perDeck', 'firstCardFace', 'fixed:1', 'fixed:8'),
    burnFirstCardCounts: fc.boolean(),
    demoRounds: fc.constantFrom(0, 1, 3),
    lastRound: fc.constantFrom('current', 'oneMore'),
    commission: fc.constantFrom('five-percent', 'none-banker-six-half'),
    commissionRounding: fc.constantFrom('down', 'up'),
    halfRounding: fc.constantFrom('down', 'up'),
    pairs: fc.boolean(),
    lucky6: fc.boolean(),
    authorisedBets: fc.constantFrom([], KNOWN_BETS as unknown as OptionValue),
    sideBetMax: fc.constantFrom(null, 5_000),
    min: fc.constant(1_000),
    max: fc.constant(100_000),
    step: fc.constantFrom(1, 20, 500),
  },
  { requiredKeys: [] },
);
const SHUFFLER = { cardSource: 'autoShuffler', faceUpDeal: true } as const;

const reached = new Reached();

test('money, books, meters and replay hold at every state of random baccarat, lawful and not', () => {
  fc.assert(
    fc.property(fc.integer(), fc.nat(), someOptions, fc.boolean(), (seed, pick, options, shared) => {
      const chosen = { ...options, ...(pick % 3 === 0 ? SHUFFLER : {}) } as Record<string, OptionValue>;
      const table = new RandomTable(seed, 'macau-baccarat', chosen, shared);
      playRandomly(table, 700);
      reached.add(table);
    }),
    { numRuns: 40, seed: 55_2004 },
  );
});

test('the random baccarat above reached what it is meant to reach', () => {
  assert.ok(reached.rounds > 300, `${reached.rounds} rounds`);
  assert.ok(reached.voided > 10, `${reached.voided} voided`);
  const missing = reached.missing(
    [
      'burned-start',
      'burned-set-aside',
      'start-burn-counted',
      'demo-round-opened',
      'player-side-card-dealt',
      'bank-card-dealt',
      'bet-withdrawn',
      'card-confirmed',
    ],
    [
      'player win',
      'player lose',
      'player push',
      'banker win',
      'banker lose',
      'banker push',
      'banker banker-six',
      'tie win',
      'tie lose',
      'playerPair win',
      'bankerPair win',
      'lucky7 win',
      'lucky7 lose',
      'superLucky7 lose',
      'lucky6 win',
      'lucky6 lose',
    ],
  );
  assert.deepEqual(missing, []);
});
