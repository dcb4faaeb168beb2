import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { playVectors } from './vectors.ts';

const SIDE_BETS = /^(anyPair|sevens|over13|under13|perfectPair|streak\d|jackpot)$/;
interface Vector {
  readonly id: string;
  readonly rulebook: string;
  readonly options: { readonly dealing?: string; readonly sideBets?: unknown };
  readonly rounds: readonly {
    readonly bets: readonly { readonly bet: string; amount: number }[];
    readonly expect: { readonly outcomes?: { net: number }[] };
  }[];
}
const text = readFileSync(
  new URL('../test/data/vectors/vectors-macau-blackjack.json', import.meta.url),
  'utf8',
);
const file = JSON.parse(text) as { readonly format: string; readonly vectors: Vector[] };
const inScope = file.vectors.filter(
  (vector) =>
    vector.rulebook === 'macau-blackjack-2009' &&
    (vector.options.dealing ?? 'faceUp') === 'faceUp' &&
    vector.rounds.every((round) => !round.bets.some(({ bet }) => SIDE_BETS.test(bet))),
);

test('every vector of 57/2009 with faces up and without side bets passes through the live engine', () => {
  assert.equal(inScope.length, 115);
  const report = playVectors(JSON.stringify({ ...file, vectors: inScope }));
  assert.deepEqual(report, { passed: 115, failed: 0, unsupported: 0, failures: [] });
});

test('what the engine does not play it says itself, and counts it neither as passed nor as failed', () => {
  const report = playVectors(text);
  assert.deepEqual(report.failures, []);
  assert.equal(report.passed + report.unsupported, file.vectors.length);
  assert.ok(report.unsupported > 0);
});

test('a wrong expectation is a failure that names vector, expectation and result', () => {
  for (const vector of inScope) {
    const wrong = structuredClone(vector);
    const line = wrong.rounds[0]?.expect.outcomes?.[0];
    if (!line) continue;
    line.net += 1;
    const report = playVectors(JSON.stringify({ ...file, vectors: [wrong] }));
    assert.equal(report.failed, 1, vector.id);
    assert.equal(report.failures[0]?.id, vector.id);
  }
});

test('a file of another format is refused with its format', () => {
  assert.throws(() => playVectors('{"format":"other","vectors":[]}'), /format is "other"/);
});
