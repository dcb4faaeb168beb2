/** What happens at a seat without a touch: its session, its player's own limits, what they have noted ahead. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minor } from '../../engine/core/money.ts';
import { PLAIN_COMFORT } from '../../engine/table/comfort.ts';
import { CREDENTIAL, House } from './house.ts';

test('K2, K3: a session from the first banknote to the payment; its limit is said and gates the bets, over a restart too', async (t) => {
  const house = await House.open(t);
  await house.fund(1, 100_000);
  await house.until('a session', () => house.seat(1).session !== undefined);
  await house.do({ type: 'set-comfort', seat: 1, comfort: { ...PLAIN_COMFORT, text: 'large' } });
  await house.do({ type: 'set-own-limits', seat: 1, timeMs: null, lossMinor: minor(10_000) });
  await house.ready('TS 9H 8D TC');
  await house.deal({ 1: 10_000 });
  house.passDeadline();
  await house.do(house.act(1, 'stand'));
  await house.draw();
  house.passDeadline();
  await house.until('the limit is reached', () => house.seat(1).session?.reached === 'loss');
  assert.equal(house.last<{ resultMinor: number }>('own-limit-reached').resultMinor, -10_000);
  await house.die();
  assert.equal(house.seat(1).session?.reached, 'loss');
  assert.equal(house.seat(1).comfort?.text, 'large');
  if (house.view.hold) await house.do({ type: 'confirm-layout' });
  await house.do({ type: 'close-round' });
  await house.do({ type: 'open-betting' });
  await house.refused(house.bet(1, 10_000), 'own-limit');
  await house.refused({ type: 'set-own-limits', seat: 1, timeMs: null, lossMinor: null }, 'limit-stands');
  await house.do({ type: 'confirm-own-limit', seat: 1 });
  await house.do(house.bet(1, 10_000));
  await house.do({ type: 'clear-bets', roundId: house.roundId, seat: 1, touchedAtMs: house.now() });
  await house.do({ type: 'request-cash-out', seat: 1 });
  const { requestId } = house.seat(1).cashOut!;
  await house.do({ type: 'confirm-hand-pay', seat: 1, requestId, credential: CREDENTIAL.attendant });
  await house.until('the session is over', () => house.seat(1).session === undefined);
  const { inMinor, outMinor } = house.last<{ inMinor: number; outMinor: number }>('session-ended');
  assert.deepEqual([inMinor, outMinor], [100_000, 90_000]);
  assert.equal(house.seat(1).comfort, undefined);
});

test('B12: what a player has noted is said in their turn by the host, in the order of the law', async (t) => {
  const house = await House.open(t);
  await Promise.all([house.fund(1, 100_000), house.fund(2, 100_000)]);
  await house.ready('9S 5H 6C 7S 6D TD');
  await house.deal({ 1: 10_000, 2: 10_000 });
  while (house.view.phase === 'offers') house.passDeadline();
  assert.deepEqual([house.seat(1).turnHand, house.seat(2).turnHand], [0, null]);
  assert.ok(house.seat(2).ahead?.some(({ act, allowed }) => act === 'double' && allowed));
  assert.equal(house.seat(1).ahead, undefined);
  const seat2 = await house.display('seat:2');
  const note = {
    type: 'note-intent',
    roundId: house.roundId,
    seat: 2,
    hand: 0,
    act: 'double',
    touchedAtMs: house.now(),
  } as const;
  await house.do(note, seat2);
  assert.equal(house.seat(2).intent?.act, 'double');
  const seq = house.headSeq;
  await house.do(house.act(1, 'stand'));
  await house.until('it is said', () => house.entries('intent-taken', seq).length === 1);
  const kinds = house.kindsSince(seq);
  assert.ok(kinds.indexOf('hand-stood') < kinds.indexOf('hand-doubled'), kinds.join(' '));
  assert.equal(house.seat(2).intent, undefined);
});
