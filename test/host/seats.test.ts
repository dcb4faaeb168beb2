/**
 * What happens at a seat without a touch: its session, its player's own limits, what they have
 * noted ahead.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minor } from '../../engine/core/money.ts';
import { PLAIN_COMFORT } from '../../engine/table/comfort.ts';
import { codesOf } from '../../host/pages/event-codes.ts';
import type { TrendPage } from '../../wire/pages.ts';
import { CREDENTIAL, TestTerminal } from './test-terminal.ts';

test('K2, K3: a session from the first banknote to the payment; its limit is said and gates the bets, over a restart too', async (t) => {
  const kit = await TestTerminal.open(t);
  await kit.fund(1, 100_000);
  await kit.until('a session', () => kit.seat(1).session !== undefined);
  await kit.do({ type: 'set-comfort', seat: 1, comfort: { ...PLAIN_COMFORT, text: 'large' } });
  await kit.do({ type: 'set-own-limits', seat: 1, timeMs: null, lossMinor: minor(10_000) });
  await kit.ready('TS 9H 8D TC');
  await kit.deal({ 1: 10_000 });
  kit.passDeadline();
  await kit.do(kit.act(1, 'stand'));
  await kit.draw();
  kit.passDeadline();
  await kit.until('the limit is reached', () => kit.seat(1).session?.reached === 'loss');
  assert.equal(kit.last<{ resultMinor: number }>('own-limit-reached').resultMinor, -10_000);
  assert.deepEqual(kit.view.tallies, [[19, 0, 0, 1]], 'the last rounds');
  await kit.die();
  assert.deepEqual(kit.view.tallies, [[19, 0, 0, 1]]);
  assert.equal(kit.seat(1).session?.reached, 'loss');
  assert.equal(kit.seat(1).comfort?.text, 'large');
  if (kit.view.hold) await kit.do({ type: 'confirm-layout' });
  await kit.do({ type: 'close-round' });
  await kit.do({ type: 'open-betting' });
  await kit.refused(kit.bet(1, 10_000), 'own-limit');
  await kit.refused({ type: 'set-own-limits', seat: 1, timeMs: null, lossMinor: null }, 'limit-stands');
  await kit.do({ type: 'confirm-own-limit', seat: 1 });
  await kit.do(kit.bet(1, 10_000));
  await kit.do({ type: 'clear-bets', roundId: kit.roundId, seat: 1, touchedAtMs: kit.now() });
  await kit.do({ type: 'request-cash-out', seat: 1 });
  const { requestId } = kit.seat(1).cashOut!;
  await kit.do({ type: 'confirm-hand-pay', seat: 1, requestId, credential: CREDENTIAL.attendant });
  await kit.until('the session is over', () => kit.seat(1).session === undefined);
  const { inMinor, outMinor } = kit.last<{ inMinor: number; outMinor: number }>('session-ended');
  assert.deepEqual([inMinor, outMinor], [100_000, 90_000]);
  assert.equal(kit.seat(1).comfort, undefined);
});

test('955, K8: a long session is reported once, to the staff and to the centre, and lays nothing on the player', async (t) => {
  const kit = await TestTerminal.open(t, { profile: { longSessionMs: 3 * 3_600_000 } });
  await kit.fund(1, 100_000);
  await kit.until('a session', () => kit.seat(1).session !== undefined);
  kit.offsetMs += 3 * 3_600_000;
  for (const on of [true, false]) await kit.do({ type: 'call-attendant', seat: 2, on });
  await kit.until('it is reported', () => kit.seat(1).session?.long === true);
  const [told, ...more] = kit.entries('session-long');
  assert.deepEqual(more, []);
  assert.deepEqual(codesOf(told!), [{ code: '955', class: 'N' }]);
  assert.ok((told!.body as { forMs: number }).forMs >= 3 * 3_600_000);
  await kit.ready('TS 9H 8D TC');
  await kit.deal({ 1: 10_000 });
});

test('B12: what a player has noted is said in their turn by the host, in the order of the law', async (t) => {
  const kit = await TestTerminal.open(t);
  await Promise.all([kit.fund(1, 100_000), kit.fund(2, 100_000)]);
  await kit.ready('9S 5H 6C 7S 6D TD');
  await kit.deal({ 1: 10_000, 2: 10_000 });
  while (kit.view.phase === 'offers') kit.passDeadline();
  assert.deepEqual([kit.seat(1).turnHand, kit.seat(2).turnHand], [0, null]);
  assert.ok(kit.seat(2).ahead?.some(({ act, allowed }) => act === 'double' && allowed));
  assert.equal(kit.seat(1).ahead, undefined);
  const seat2 = await kit.display('seat:2');
  const note = {
    type: 'note-intent',
    roundId: kit.roundId,
    seat: 2,
    hand: 0,
    act: 'double',
    touchedAtMs: kit.now(),
  } as const;
  await kit.do(note, seat2);
  assert.equal(kit.seat(2).intent?.act, 'double');
  const seq = kit.headSeq;
  await kit.do(kit.act(1, 'stand'));
  await kit.until('it is said', () => kit.entries('intent-taken', seq).length === 1);
  const kinds = kit.kindsSince(seq);
  assert.ok(kinds.indexOf('hand-stood') < kinds.indexOf('hand-doubled'), kinds.join(' '));
  assert.equal(kit.seat(2).intent, undefined);
  // What it has saved is counted.
  await kit.do({ type: 'enter-service', credential: CREDENTIAL.technician });
  let trends: TrendPage;
  do trends = await kit.table.query({ query: 'trends', hours: 1 });
  while (trends.countedSeq < trends.headSeq);
  assert.deepEqual([trends.decisions.asked.count, trends.decisions.noted.count], [1, 1]);
});

test('D8: the house’s span of notes ends by itself, also over a restart, and shuts the unit meanwhile', async (t) => {
  const span = { ms: 3_600_000, mostMinor: minor(100_000) };
  const kit = await TestTerminal.open(t, { profile: { noteLimits: { span } } });
  await kit.fund(1, 100_000);
  assert.equal(kit.seat(1).largestNoteMinor, null);
  assert.equal(kit.seat(2).largestNoteMinor, 100_000);
  kit.offsetMs += 3_500_000;
  await kit.restart();
  assert.equal(kit.seat(1).largestNoteMinor, null, 'not yet');
  kit.offsetMs += 100_000;
  await kit.do({ type: 'call-attendant', seat: 5, on: true });
  await kit.until('the span is over', () => kit.seat(1).largestNoteMinor === 100_000);
  assert.equal(kit.last<{ inMinor: number }>('note-span-ended').inMinor, 100_000);
});
