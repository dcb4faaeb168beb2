import assert from 'node:assert/strict';
import { test } from 'node:test';
import { roundLines, signedAmount } from './report.ts';

test('amounts have code, sign, grouping and both decimals', () => {
  assert.equal(signedAmount(123_450, 'MOP'), '+MOP 1 234.50');
  assert.equal(signedAmount(-5, 'HKD'), '-HKD 0.05');
  assert.equal(signedAmount(0, 'MOP'), 'MOP 0.00');
});

test('a round is a bank line, a line per seat and a ledger line', () => {
  const lines = roundLines({
    no: 7,
    currency: 'MOP',
    bank: ['K♠', '7♦'],
    seats: [
      {
        seat: 3,
        cards: [
          ['8♠', '10♥'],
          ['8♦', '2♣', '9♣'],
        ],
        decisions: ['split', 'stand', 'hit', 'stand'],
        lines: [
          { bet: 'main', outcome: 'win', netMinor: 10_000, cites: ['art. 17.1'] },
          { bet: 'main', outcome: 'win', netMinor: 10_000, cites: ['art. 12.5', 'art. 17.1'] },
        ],
      },
      { seat: 5, cards: [['10♠', '6♥']], decisions: [], lines: [] },
    ],
    headSeq: 120,
    ackedSeq: 118,
  });
  assert.deepEqual(lines, [
    'round 7  bank K♠ 7♦',
    '  seat 3: 8♠ 10♥ | 8♦ 2♣ 9♣ (split, stand, hit, stand)  main win +MOP 100.00 [art. 17.1]; main win +MOP 100.00 [art. 12.5, art. 17.1]',
    '  seat 5: 10♠ 6♥',
    '  ledger at 120, centre has 118 (2 to send)',
  ]);
});
