import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { BlackjackAuditor } from '../../reader/blackjack.ts';
import { fullOr } from '../support/long.ts';
import { playRandomly } from './random-play.ts';
import { rulebooks } from './rulebooks.ts';

/**
 * The million of the drills: `BANCA_DRILLS=1000000`, or `node test/auditor/run.ts --rounds
 * 1000000`.
 */
const ROUNDS = Number(process.env['BANCA_DRILLS'] ?? fullOr(3_000, 800));
const SEED = Number(process.env['BANCA_DRILL_SEED'] ?? randomInt(2 ** 31));

for (const audited of rulebooks) {
  test(`${audited.rulebook}: ${ROUNDS} random rounds, engine and auditor agree (seed ${SEED})`, () => {
    const report = playRandomly(audited, ROUNDS, SEED);
    console.log(`${audited.rulebook}: seed ${SEED}, ${report.lines} lines, ${report.refusals} refusals`);
    assert.deepEqual(report.disagreements, [], `seed ${SEED}`);
    assert.equal(report.rounds, ROUNDS);
    assert.ok(report.lines > ROUNDS && report.refusals > ROUNDS, JSON.stringify(report.reached));
  });
}

test('an auditor who reads one article otherwise is noticed', () => {
  const rulebook = 'macau-blackjack-2009';
  const misreadings: Record<string, unknown>[] = [
    { dealerHitsSoft17: false, soft17: 'aceSix' },
    { doubledVsDealerBlackjack: 'loseAll' },
    { splitVsDealerBlackjack: 'loseAll' },
    { specialPrize: false },
    { insuranceMax: '1/2' },
    { resplitAces: false },
    { fiveCards: false },
    { doubleOn: ['anyTwo'] },
  ];
  for (const misread of misreadings) {
    const audited = {
      rulebook,
      model: (options: object) => new BlackjackAuditor(rulebook, { ...options, ...misread }),
      bets: ['main'],
      acts: rulebooks.find((one) => one.rulebook === rulebook)?.acts ?? [],
    };
    const { disagreements } = playRandomly(audited, 2_000, 57, 1);
    assert.ok(disagreements.length > 0, JSON.stringify(misread));
  }
});
