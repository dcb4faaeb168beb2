import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { playVectors } from './vectors.ts';

interface Vector {
  readonly id: string;
  readonly rulebook: string;
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

test('every vector of both Macau regulations of black jack passes through the live engine', () => {
  assert.equal(file.vectors.length, 242);
  const report = playVectors(text);
  assert.deepEqual(report, { passed: 242, failed: 0, unsupported: 0, failures: [] });
});

test('every vector of Portugal, Bacará and Desafio ao Casino passes through the live engine', () => {
  const report = playVectors(
    readFileSync(new URL('../test/data/vectors/vectors-portugal-war-baccarat.json', import.meta.url), 'utf8'),
  );
  assert.deepEqual(report, { passed: 153, failed: 0, unsupported: 0, failures: [] });
});

test('every vector between the articles passes: offers in another order, prizes beside streaks, odd amounts', () => {
  const report = playVectors(
    readFileSync(new URL('../test/data/vectors/vectors-2.json', import.meta.url), 'utf8'),
  );
  assert.deepEqual(report, { passed: 30, failed: 0, unsupported: 0, failures: [] });
});

test('every vector of a bet that the director has authorised passes', () => {
  const report = playVectors(
    readFileSync(new URL('../test/data/vectors/vectors-authorised-bets.json', import.meta.url), 'utf8'),
  );
  assert.deepEqual(report, { passed: 14, failed: 0, unsupported: 0, failures: [] });
});

test('every vector of an error of the deal that is put right passes', () => {
  const report = playVectors(
    readFileSync(new URL('../test/data/vectors/vectors-errors.json', import.meta.url), 'utf8'),
  );
  assert.deepEqual(report, { passed: 15, failed: 0, unsupported: 0, failures: [] });
});

test('a card is assigned by its place in the list to the seat it is due to, and a wrong one is refused', () => {
  const played = (card: number, seat: number, expect: object): unknown =>
    playVectors(
      JSON.stringify({
        format: 'banca-vectors/1',
        vectors: [
          {
            id: 'one',
            rulebook: 'macau-casino-war',
            rounds: [
              {
                bets: [1, 2].map((by) => ({ seat: by, by, bet: 'main', amount: 1_000 })),
                shoe: ['KS', '4D', '9H'],
                acts: [{ dealer: 'assignCard', card, seat }],
                expect,
              },
            ],
          },
        ],
      }),
    ).failures;
  const nets = (first: number, second: number): object => ({
    outcomes: [first, second].map((net, at) => ({ seat: at + 1, by: at + 1, bet: 'main', hand: 0, net })),
  });
  assert.deepEqual(played(0, 1, nets(1_000, -1_000)), [], 'it lies there already');
  assert.deepEqual(played(0, 2, nets(-1_000, 1_000)), []);
  assert.deepEqual(played(1, 1, nets(-1_000, 1_000)), [], 'from the other side');
  const refused = { ...nets(1_000, -1_000), rejects: [{ at: 0, code: 'not-allowed' }] };
  assert.deepEqual(played(0, 3, refused), [], 'seat 3 has no bet');
});

test('what the engine does not play it says itself, and counts it neither as passed nor as failed', () => {
  const vectors = [{ ...file.vectors[0], rulebook: 'no-such-rulebook' }];
  const report = playVectors(JSON.stringify({ ...file, vectors }));
  assert.deepEqual(report, { passed: 0, failed: 0, unsupported: 1, failures: [] });
});

test('a wrong expectation is a failure that names vector, expectation and result', () => {
  for (const vector of file.vectors) {
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
