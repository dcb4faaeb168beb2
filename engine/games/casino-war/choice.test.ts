/** Art. 7.4: who may choose, until when, and what the choice leaves in place. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEALER, TestTable } from '../../../test/support/table-kit.ts';
import type { Rejection } from '../../core/result.ts';
import { nextStep, seatChoices } from '../../engine.ts';
import type { OptionValue } from '../../table/profile.ts';

/** Seats 1 and 2 have bet 10,000 each. */
function betting(options: Readonly<Record<string, OptionValue>> = {}, credit = 100_000): TestTable {
  const table = TestTable.ready(options, { rulebook: 'macau-casino-war' }, credit);
  table.bets({ 1: 10_000, 2: 10_000 });
  return table;
}

/** Both tie. */
function tied(options: Readonly<Record<string, OptionValue>> = {}, credit = 100_000): TestTable {
  const table = betting(options, credit);
  table.draw('9S 9D 9H');
  return table;
}

const said = (refused: Rejection | null): string =>
  refused ? [refused.code, ...refused.cites, refused.detail ?? ''].join(' ').trim() : 'ok';
const doubt = (table: TestTable): string => said(table.try({ type: 'doubt-card', person: DEALER }));

test('art. 7.4: a choice before the cards, of a higher card or of another round is refused with its reason', () => {
  const table = betting();
  table.draw('9S');
  assert.equal(said(table.tryAct(1, 'goToWar')), 'not-due art.5.2 cards first');
  table.draw('KD 9H');
  assert.equal(said(table.tryAct(2, 'goToWar')), 'not-allowed art.7.4 the cards differ');
  const choice = {
    type: 'decide',
    seat: 1,
    by: 1,
    hand: 0,
    act: 'goToWar',
    touchedAtMs: table.atMs,
  } as const;
  assert.equal(said(table.try({ ...choice, roundId: 'r0' })), 'unknown-round');
  const { atMs } = table.state.deadline!;
  table.atMs = atMs;
  const touch = (touchedAtMs: number): string => said(table.tryAct(1, 'goToWar', { touchedAtMs }));
  assert.equal(touch(atMs + 1), 'too-late art.7.4 late by 1 ms');
  assert.equal(touch(atMs), 'ok');
});

test('art. 7.4: who has chosen does not choose again, while others do or once the challenge is dealt', () => {
  const table = tied();
  table.act(1, 'goToWar');
  const again = 'not-allowed art.7.4 already chosen';
  assert.equal(said(table.tryAct(1, 'surrenderWar')), again);
  table.act(2, 'surrenderWar');
  assert.equal(said(table.tryAct(2, 'goToWar')), again);
  table.draw('2C 3D 4S KD');
  assert.equal(said(table.tryAct(1, 'surrenderWar')), again);
});

test('art. 7.5: the challenge takes exactly as much again; a credit of just that is enough', () => {
  const table = tied({}, 10_000);
  table.insert(1, 10_000);
  const [challenge] = seatChoices(table.state, 1);
  assert.deepEqual([challenge?.allowed, challenge?.amountMinor], [true, 10_000]);
  table.act(1, 'goToWar');
  assert.equal(table.credit(1), 0);
});

test('arts. 3, 7.5: a card set aside before the choice is none of the three that are burnt', () => {
  const table = tied();
  table.draw('5C');
  assert.equal(said(table.tryAct(1, 'goToWar')), 'held');
  assert.deepEqual(
    seatChoices(table.state, 1).map(({ code }) => code),
    ['held', 'held'],
  );
  table.must({ type: 'set-card-aside', person: DEALER });
  table.act(1, 'surrenderWar');
  table.act(2, 'goToWar');
  assert.deepEqual(nextStep(table.state), { step: 'burn', done: 0, count: 3, cites: ['art.7.5'] });
  table.draw('2C 3D 4S KD');
  assert.deepEqual(table.state.round?.seats[1]?.hands[0]?.cards.length, 2);
});

test('art. 6: a card is doubted until somebody has chosen on it, and again while no burn follows the last of the challenge', () => {
  const tooLate = 'too-late art.6 something has followed from this card';
  const half = tied();
  half.act(1, 'surrenderWar');
  assert.equal(doubt(half), tooLate);
  half.act(2, 'goToWar');
  assert.equal(doubt(half), tooLate);
  half.draw('2C');
  assert.equal(doubt(half), tooLate);
  // Three burns serve both cards.
  const once = tied({ warBurn: 'once' });
  for (const seat of [1, 2]) once.act(seat, 'goToWar');
  once.draw('2C 3D 4S KD QD');
  assert.equal(doubt(once), 'ok');
});
