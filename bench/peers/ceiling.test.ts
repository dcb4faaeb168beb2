/**
 * The bench's ceiling must play the games it is named after: its returns are the exact ones within
 * four standard errors.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { type CeilingGame, ceiling } from './ceiling.ts';

const FILE = new URL('../../test/data/reference/reference-figures.json', import.meta.url);
const FIGURES = JSON.parse(readFileSync(FILE, 'utf8')) as { id: string; value: string }[];
const SEED = 20_051_123;

/** The same words at every run: xorshift of 32 bits. */
function seeded(): (words: Uint32Array) => void {
  let state = SEED;
  return (words) => {
    for (let i = 0; i < words.length; i++) {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      words[i] = state;
    }
  };
}

const ROUNDS = 4_000_000;

/** @param deviation of one round, a little above the true one */
function assertReturns(game: CeilingGame, exact: number, deviation: number): void {
  const mean = ceiling(game, seeded())(ROUNDS) / ROUNDS;
  const off = (mean - exact) / (deviation / Math.sqrt(ROUNDS));
  assert.ok(Math.abs(off) < 4, `${mean} is ${off} standard errors from ${exact}`);
}

test('the ceiling of blackjack returns what its fixed strategy returns', () => {
  // Enumerated over the first round of a full shoe of six decks, this strategy and these rules.
  assertReturns('blackjack', -0.00406466351905, 1.16);
});

test('the ceiling of war returns what the challenge at every tie returns', () => {
  const figure = FIGURES.find(({ id }) => id === 'war-6d-ev-war') ?? assert.fail('no figure of war');
  assertReturns('casino-war', Number(figure.value), 1.06);
});

test('the ceiling of baccarat returns what the Banker returns with eight decks', () => {
  // The published numbers of orderings of six cards in which each side wins.
  const counts = { banker: 2_292_252_566_437_888, player: 2_230_518_282_592_256, tie: 475_627_426_473_216 };
  const orderings = counts.banker + counts.player + counts.tie;
  assertReturns('baccarat', (0.95 * counts.banker - counts.player) / orderings, 0.93);
});
