/** How a round goes on, where there is a second seat, a bettor behind or another split hand. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Options, play, say } from '../../../test/support/spoken-round.ts';
import { DEALER, TestTable } from '../../../test/support/table-kit.ts';
import type { EventOf, EventType } from '../../table/events.ts';
import type { TableProfile } from '../../table/profile.ts';

const PORTUGAL = { rulebook: 'portugal-blackjack', currency: 'EUR' } as const;

/** Bets `seat<by amount kind`, the main bet where no kind is named; then the words of `play`. */
function deal(
  bets: string,
  script: string,
  options: Options = {},
  changes: Partial<TableProfile> = {},
  seated = [1, 2, 3, 4, 5, 6, 7],
): TestTable {
  const table = TestTable.ready(options, changes, 0);
  for (const seat of seated) table.insert(seat, 100_000);
  table.open();
  for (const text of bets.split(', ')) {
    const [, seat, by, value, kind] = /^(\d)(?:<(\d))? (\d+)(?: (\w+))?$/.exec(text)!;
    table.bet(Number(seat), Number(value), Number(by ?? seat), kind ?? 'main');
  }
  table.must({ type: 'close-betting' });
  say(table, script);
  return table;
}

const eventsOf = <T extends EventType>({ events }: TestTable, type: T): EventOf<T>[] =>
  events.filter((event): event is EventOf<T> => event.type === type);

/** `seat<by` of who is asked. */
const pending = ({ state }: TestTable): string[] =>
  (state.round?.offers?.pending ?? []).map(({ seat, by }) => (seat === by ? `${seat}` : `${seat}<${by}`));

// ---- who decides ----

test('art. 20.1.3 the highest bet is the highest main bet: a side bet beside it decides nothing', () => {
  const options = { betsBehind: 'highest', sideBets: ['anyPair'] };
  const table = deal('1 2000, 1<2 1000, 1<2 9000 anyPair', 'TS', options);
  assert.equal(table.state.round?.seats[0]?.decider, 1);
});

test('r.16 on a seat that nobody sits at the highest bet decides, of two as high that of the lower seat', () => {
  for (const [bets, decider] of [
    ['3<2 2000, 3<1 1000', 2],
    ['3<1 1000, 3<2 2000', 2],
    ['3<2 1000, 3<1 1000', 1],
    ['3<1 1000, 3<2 1000', 1],
  ] as const) {
    const table = deal(bets, 'TS', {}, PORTUGAL, [1, 2]);
    assert.equal(table.state.round?.seats[0]?.decider, decider, bets);
  }
});

// ---- what is offered ----

test('art. 18.1 the decider alone is asked to give up, r.21 and nothing is paid where there is no blackjack', () => {
  assert.deepEqual(pending(deal('1 1000, 1<2 1000', 'TS 9H 6D')), ['1']);
  assert.equal(play('TS 9H 6D', { surrender: false }).state.phase, 'turns');
  const table = play('TS 9H 9D 8C', {}, { 1: 1_000 }, PORTUGAL);
  assert.deepEqual(eventsOf(table, 'blackjacks-paid'), []);
});

test('art. 6.5 who has not answered in time is put down as having passed, one by one', () => {
  const table = play('TS TD AH 9D 8C 1:insure=500 wait', {}, { 1: 1_000, 2: 1_000 });
  assert.deepEqual(
    eventsOf(table, 'offer-passed').map(({ seat, by, byDefault }) => [seat, by, byDefault]),
    [[2, 2, true]],
  );
});

test('arts. 5.1.2, 12.1 after cards are exchanged nobody is asked again who has answered on insurance', () => {
  const table = play('TS TD 8S AH 9D 8C 7C', {}, { 1: 1_000, 2: 1_000, 3: 1_000 });
  say(table, '1:insure=500 2:declineInsurance');
  assert.deepEqual(pending(table), ['3']);
  table.must({ type: 'assign-card', fromSeat: 1, toSeat: 2, person: DEALER });
  assert.deepEqual(pending(table), ['3']);
});

test('r.15 after cards are exchanged even money is asked of the holder alone', () => {
  const table = deal('1 1000, 1<2 1000, 3 1000, 4 1000', 'AS TD 8S AH KD 8C 7C 9C', {}, PORTUGAL);
  say(table, '1<2:declineInsurance');
  assert.deepEqual(pending(table), ['1', '3', '4']);
  table.must({ type: 'assign-card', fromSeat: 3, toSeat: 4, person: DEALER });
  assert.deepEqual(pending(table), ['1', '3', '4']);
});

test('r.28 whoever has money on the hand that is split is asked, on the second seat as on the first', () => {
  const table = deal('1 1000, 2 1000, 2<3 1000', 'TS 8S 9H TD 8D KC wait 1:stand 2:split', {}, PORTUGAL);
  assert.deepEqual(pending(table), ['2<3']);
});

test('r.30 whoever did not follow the split has nothing on the second hand, and is not asked about its double', () => {
  const table = deal('1 1000, 1<2 1000', '5S 9H 5D KC wait 1:split 1<2:playOn', {}, PORTUGAL);
  say(table, '6C 1:double');
  assert.deepEqual(pending(table), ['1<2'], 'on the first hand they have their bet');
  say(table, '1<2:playOn 2C 6H 1.1:double');
  assert.deepEqual(pending(table), []);
  assert.equal(table.state.phase, 'turns');
});

// ---- the turns ----

test('art. 6.3 the time of the second split hand begins with its second card', () => {
  const table = play('8S 6H 8D wait 1:split TC');
  assert.equal(table.state.deadline?.kind, 'decision');
  say(table, '1:stand');
  assert.deepEqual(table.state.round?.turn, { seat: 1, hand: 1 });
  const none: unknown = table.state.deadline;
  assert.equal(none, null);
  table.draw('TD');
  assert.equal(table.state.deadline?.hand, 1);
});

test('art. 16.3 a pair of aces on a split hand stays open as long as there may be one hand more', () => {
  const options: Options = { resplitAces: true, maxHands: 4 };
  const table = play('AS 6H AD wait 1:split AC 1:split AH', options);
  assert.deepEqual(table.state.round?.turn, { seat: 1, hand: 0 }, 'three hands');
  say(table, '1:split AS');
  assert.deepEqual(table.state.round?.turn, { seat: 1, hand: 1 }, 'four hands: the first is closed');
  assert.equal(table.state.round?.seats[0]?.hands[0]?.status, 'done');
});

test('arts. 6.4.1, 19.2 five cards with 21 are closed against an ace, and where half is not paid', () => {
  const hits = 'wait 1:hit 3C 1:hit 4C 1:hit 7D';
  const aceUp = play(`5S AH 2D ${hits}`);
  const inPortugal = play(`5S TH 2D 6C ${hits}`, {}, { 1: 1_000 }, PORTUGAL);
  for (const table of [aceUp, inPortugal])
    assert.equal(table.state.round?.seats[0]?.hands[0]?.status, 'done');
});

// ---- cards exchanged after a double ----

/** Six and seven of spades get a king and are bust, two and three get the eight of spades. */
const doubled = (options: Options): TestTable =>
  play('6S 2D 9H 7S 3D wait 1:double KC 2:double 8S', options, { 1: 1_000, 2: 1_000 });

test('arts. 5.1.2, 15 a doubled hand is judged by the card it gets instead: 21 is no bust, the prize is won', () => {
  for (const specialPrize of [true, false]) {
    const table = doubled({ specialPrize });
    const before = table.events.length;
    table.must({ type: 'assign-card', fromSeat: 1, toSeat: 2, place: 2, person: DEALER });
    const since = table.events.slice(before).map(({ type }) => type);
    assert.deepEqual(
      since.filter((type) => type === 'hand-closed'),
      ['hand-closed'],
      'the other hand is what it was',
    );
    assert.deepEqual(
      table.state.round?.seats.map(({ hands }) => hands[0]?.status),
      ['done', 'done'],
    );
    assert.equal(since.includes('special-prize-won'), specialPrize);
  }
});

test('arts. 5.1.2, 15 no prize is won by a card that makes none', () => {
  const table = play('6S 2D 9H 7C 3D wait 1:double KC 2:double 8S', {}, { 1: 1_000, 2: 1_000 });
  table.must({ type: 'assign-card', fromSeat: 1, toSeat: 2, place: 2, person: DEALER });
  assert.deepEqual(eventsOf(table, 'special-prize-won'), []);
});

test('art. 5.1.2 where nothing was offered, an exchange of first cards closes no offer', () => {
  const table = play('TS TD 9H 6D 8C', { surrender: false }, { 1: 1_000, 2: 1_000 });
  table.must({ type: 'assign-card', fromSeat: 1, toSeat: 2, person: DEALER });
  assert.equal(eventsOf(table, 'cards-swapped').length, 1);
  assert.deepEqual(eventsOf(table, 'offers-closed'), []);
  assert.equal(table.state.phase, 'turns');
});

// ---- the bank ----

test('arts. 4.2, 7.2 where the bank takes no card none is burnt before it', () => {
  const options = { burnEachRound: 'oneAndBeforeDealerSecond', dealerPlaysOut: 'ifNeeded' } as const;
  const due = (script: string): number[] =>
    eventsOf(play(script, options), 'bank-turn-began').map(({ burnDue }) => burnDue);
  assert.deepEqual(due('TS 9H 6D wait 1:hit KC'), [0]);
  assert.deepEqual(due('TS 9H 9D wait 1:stand'), [1]);
});

test('art. 5.2.2.2 a second card that is dealt face up is not turned', () => {
  const table = play('TS 9H 9D wait 1:stand 8C');
  assert.deepEqual(eventsOf(table, 'hole-card-turned'), []);
});

test('art. 6.1 in Macau a wrong card that was not seen is not thrown away when the round is settled', () => {
  const table = play('5S KH 6D wait 1:double TC AC', {
    doubleOn: ['eleven'],
    elevenVsDealerBlackjack: 'offer',
    wrongDealerCard: 'validIfUnseen',
  });
  assert.equal(table.tryDraw('2H'), null);
  table.must({ type: 'draw-wrong', shown: false });
  say(table, '1:loseOriginalOnly');
  assert.equal(table.state.phase, 'settled');
  assert.deepEqual(
    table.state.shoe.waiting.map(({ why }) => why),
    ['kept'],
  );
});
