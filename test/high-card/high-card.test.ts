// First: what lists decisions and regulations asks for them as it is loaded.
import './handed-in.ts';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { playVectors } from '../../cli/vectors.ts';
import { roundIdOf } from '../../host/table/terminal.ts';
import type { Command } from '../../wire/commands.ts';
import { CREDENTIAL, House } from '../host/house.ts';

const VECTORS = readFileSync(join(import.meta.dirname, 'vectors.json'), 'utf8');

/** A table of high card at the real host, seats 1 and 3 with credit. */
async function highCardHouse(t: Parameters<typeof House.open>[0], rendererRoot?: string): Promise<House> {
  const house = await House.open(t, {
    profile: {
      rulebook: 'high-card-of-the-house' as never,
      options: { min: 5_000, max: 100_000, step: 1_000 },
      authorisations: [],
    },
    ...(rendererRoot === undefined ? {} : { rendererRoot }),
  });
  await Promise.all([house.fund(1, 100_000), house.fund(3, 50_000)]);
  return house;
}

const says = (house: House, seat: number, act: 'raiseCard' | 'keepCard'): Command =>
  ({ ...house.act(seat, 'stand'), act }) as unknown as Command;

/** Seat 1 raises an ace, seat 3 says nothing in time; the bank has a king. */
async function playOne(house: House): Promise<void> {
  await house.until('the shoe is there', () =>
    house.view.devices.some(({ id, state }) => id === 'shoe' && state !== 'offline'),
  );
  if (house.step === 'sign-in') await house.do({ type: 'sign-in-dealer', credential: CREDENTIAL.dealer });
  await house.loadShoe('AS 7H KD');
  assert.equal(house.step, 'open-betting');
  await house.deal({ 1: 10_000, 3: 20_000 });
  assert.equal(house.step, 'await-decision');
  await house.refused(says(house, 3, 'keepCard'), 'not-your-turn');
  await house.do(says(house, 1, 'raiseCard'));
  assert.deepEqual((house.view as unknown as { highCards: number[] }).highCards, [1]);
  house.passDeadline();
  assert.equal(house.step, 'draw-for-bank');
  await house.draw();
  house.passDeadline();
  await house.do({ type: 'close-round' });
}

test('a game that the engine does not know is handed in with one line, and played at the real host', async (t) => {
  const house = await highCardHouse(t);
  await playOne(house);
  // Its own event with its own money, its view, the books, the meters of the table.
  assert.deepEqual(house.postings('high-card-raised'), { 'seat-credit:1': 10_000, 'stake:1': -10_000 });
  assert.deepEqual(
    [house.seat(1).creditMinor, house.seat(3).creditMinor, house.balance('bank')],
    [120_000, 30_000, 0],
  );
  // Its code in the list of events.
  const technician = await house.display('service');
  await house.do({ type: 'enter-service', credential: CREDENTIAL.technician });
  const { events } = await technician.found({
    query: 'events',
    kind: 'high-card-raised',
    code: null,
    class: null,
    fromMs: null,
    toMs: null,
    seat: null,
    beforeSeq: null,
    limit: 10,
  });
  assert.deepEqual(
    events.map(({ codes }) => codes.map(({ code }) => code)),
    [['506']],
  );

  // Recall, out of the ledger, and the same table after a restart.
  await house.do({ type: 'exit-service' });
  const roundId = roundIdOf('T-HOST-1', 1);
  await house.do({ type: 'show-recall', roundId }, await house.display('dealer'));
  const { steps, total } = await house.table.found({ query: 'recall', roundId, fromStep: 0 });
  assert.equal(steps.length, total);
  assert.ok(steps.some(({ done }) => done.some(({ kind }) => kind === 'high-card-raised')));
  await house.restart();
  await playOne(house);
  assert.deepEqual([house.seat(1).creditMinor, house.seat(3).creditMinor], [140_000, 10_000]);
  // `House` verifies the file and replays it at the end.
});

test('its vectors are played by the one that plays all vectors', () => {
  const { passed, failures } = playVectors(VECTORS);
  assert.deepEqual([passed, failures], [2, []]);
});
