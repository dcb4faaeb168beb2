// First: what lists decisions and regulations asks for them as it is loaded.
import './handed-in.ts';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { playVectors } from '../../cli/vectors.ts';
import { roundIdOf } from '../../host/table/terminal.ts';
import type { Command } from '../../wire/commands.ts';
import { CREDENTIAL, TestTerminal } from '../host/test-terminal.ts';

const VECTORS = readFileSync(join(import.meta.dirname, 'vectors.json'), 'utf8');

/** A table of high card at the real host, seats 1 and 3 with credit. */
async function highCardHouse(
  t: Parameters<typeof TestTerminal.open>[0],
  rendererRoot?: string,
): Promise<TestTerminal> {
  const kit = await TestTerminal.open(t, {
    profile: {
      rulebook: 'high-card-of-the-house' as never,
      options: { min: 5_000, max: 100_000, step: 1_000 },
      authorisations: [],
    },
    ...(rendererRoot === undefined ? {} : { rendererRoot }),
  });
  await Promise.all([kit.fund(1, 100_000), kit.fund(3, 50_000)]);
  return kit;
}

const says = (kit: TestTerminal, seat: number, act: 'raiseCard' | 'keepCard'): Command =>
  ({ ...kit.act(seat, 'stand'), act }) as unknown as Command;

/** Seat 1 raises an ace, seat 3 says nothing in time; the bank has a king. */
async function playOne(kit: TestTerminal): Promise<void> {
  await kit.until('the shoe is there', () =>
    kit.view.devices.some(({ id, state }) => id === 'shoe' && state !== 'offline'),
  );
  if (kit.step === 'sign-in') await kit.do({ type: 'sign-in-dealer', credential: CREDENTIAL.dealer });
  await kit.loadShoe('AS 7H KD');
  assert.equal(kit.step, 'open-betting');
  await kit.deal({ 1: 10_000, 3: 20_000 });
  assert.equal(kit.step, 'await-decision');
  await kit.refused(says(kit, 3, 'keepCard'), 'not-your-turn');
  await kit.do(says(kit, 1, 'raiseCard'));
  assert.deepEqual((kit.view as unknown as { highCards: number[] }).highCards, [1]);
  kit.passDeadline();
  assert.equal(kit.step, 'draw-for-bank');
  await kit.draw();
  kit.passDeadline();
  await kit.do({ type: 'close-round' });
}

test('a game that the engine does not know is handed in with one line, and played at the real host', async (t) => {
  const kit = await highCardHouse(t);
  await playOne(kit);
  // Its own event with its own money, its view, the books, the meters of the table.
  assert.deepEqual(kit.postings('high-card-raised'), { 'seat-credit:1': 10_000, 'stake:1': -10_000 });
  assert.deepEqual(
    [kit.seat(1).creditMinor, kit.seat(3).creditMinor, kit.balance('bank')],
    [120_000, 30_000, 0],
  );
  // Its code in the list of events.
  const technician = await kit.display('service');
  await kit.do({ type: 'enter-service', credential: CREDENTIAL.technician });
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
  await kit.do({ type: 'exit-service' });
  const roundId = roundIdOf('T-HOST-1', 1);
  await kit.do({ type: 'show-recall', roundId }, await kit.display('dealer'));
  const { steps, total } = await kit.table.found({ query: 'recall', roundId, fromStep: 0 });
  assert.equal(steps.length, total);
  assert.ok(steps.some(({ done }) => done.some(({ kind }) => kind === 'high-card-raised')));
  await kit.restart();
  await playOne(kit);
  assert.deepEqual([kit.seat(1).creditMinor, kit.seat(3).creditMinor], [140_000, 10_000]);
  // `House` verifies the file and replays it at the end.
});

test('its vectors are played by the one that plays all vectors', () => {
  const { passed, failures } = playVectors(VECTORS);
  assert.deepEqual([passed, failures], [2, []]);
});
