/** What the table asks of black jack beside decisions: shoe, desk of errors, view. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { play, say } from '../../../test/support/spoken-round.ts';
import { DEALER, TestTable } from '../../../test/support/table-kit.ts';
import { parseCard } from '../../core/cards.ts';
import { remedies } from '../../table/error-desk.ts';
import type { TableProfile } from '../../table/profile.ts';
import type { TableState } from '../../table/state.ts';
import { BLACKJACK } from './blackjack.ts';
import { BLACKJACK_ROWS } from './events.ts';

const PT: Partial<TableProfile> = { rulebook: 'portugal-blackjack', currency: 'EUR' };
const JACKPOT = {
  jackpot: {
    ...{ stake: 100, increment: '1/2', cards: 4 },
    pays: [
      { combination: 'A3', share: '1' },
      { combination: 'K2', share: '2/5' },
    ],
  },
};
const TWO = { 1: 1_000, 2: 1_000 };

test('arts. 2.1.1, 2.2.1: one deck, and the box, have no second white card; a round of them needs cards for every seat', () => {
  for (const [options, endCard, reserve] of [
    [{}, { least: 60, most: 311 }, 60],
    [{ decks: 2 }, { least: 60, most: 103 }, 60],
    [{ decks: 1 }, null, 18],
    [{ decks: 1, cardSource: 'box', dealing: 'faceDown' }, null, 18],
    [{ cardSource: 'autoShuffler' }, null, 18],
  ] as const) {
    const { state } = TestTable.ready(options);
    assert.deepEqual(BLACKJACK.shoe(state).endCard, endCard, JSON.stringify(options));
    assert.equal(BLACKJACK.reserve(state), reserve, JSON.stringify(options));
  }
});

test('r.17: a card face up is valid in Portugal, but for the second one of the bank; art. 5.1.1: in Macau none is', () => {
  const exposed = (table: TestTable): number =>
    table.events.filter((event) => event.type === 'card-burned' && event.why === 'exposed').length;
  const portugal = play('!TS !9H !8D', {}, { 1: 1_000 }, PT);
  assert.equal(exposed(portugal), 0);
  portugal.draw('!5C');
  assert.equal(exposed(portugal), 1);
  assert.equal(exposed(play('!TS', {})), 1);
  // The first card of all is one that is burnt.
  for (const exposedFirstCardValid of [true, false]) {
    const table = TestTable.ready({ exposedFirstCardValid, burnAtStart: 'perDeck' });
    assert.equal(exposed(table), 0);
    table.must({ type: 'load-shoe', shoeId: 's2', decks: 6 });
    table.must({ type: 'cut-shoe', seat: null, person: DEALER });
    table.must({ type: 'place-end-card', cardsBehind: 60 });
    table.draw('!5C');
    assert.deepEqual([exposed(table), table.state.shoe.startBurned], exposedFirstCardValid ? [0, 1] : [1, 0]);
  }
});

test('art. 5.1: where the bank has both cards after the players, each pass goes from the left and all lie open', () => {
  const table = play('2S 3S 4S 5S 6S', { dealerCardPass: 2 }, TWO);
  assert.deepEqual(
    table.state.round?.seats.map(({ hands }) => hands[0]!.cards.length),
    [2, 2],
  );
  assert.equal(table.bank, '6S');
  assert.equal(table.state.round?.bankHoleDown, false);
  assert.ok(!table.events.some((event) => 'faceDown' in event && event.faceDown));
});

test('art. 6.2: a hand lies face down until it has to be shown, and is shown with all others at the end', () => {
  const table = play(
    'TS 9S 6C 6H TH 6D 8D 5C 7C wait',
    { dealing: 'faceDown' },
    { 1: 1_000, 2: 1_000, 3: 1_000, 4: 1_000 },
  );
  const up = (): unknown[] =>
    table.state.round!.seats.map(({ hands }) =>
      BLACKJACK.cardsUp!(table.state, table.state.round!, hands[0]!),
    );
  assert.deepEqual(up(), [0, 0, 0, 0]);
  say(table, '1:hit 5D 2:stand 3:double 9C');
  assert.deepEqual(
    table.state.round!.seats.map(({ hands }) => hands[0]!.status),
    ['done', 'stood', 'done', 'open'],
  );
  assert.deepEqual(up(), [0, 0, 3, 0], 'one with 21, one that stood, a double, one in its turn');
  say(table, '4:stand TC');
  assert.deepEqual(up(), [3, 2, 3, 2]);
});

test('arts. 15, 18: a hand that has won its prize is shown, one that is given up is not', () => {
  const table = play('6C TS TH 7C 6D', { dealing: 'faceDown', surrenderWindow: 'beforeOwnCard' }, TWO);
  say(table, '1:hit 8C 2:surrender');
  const [prize, given] = table.state.round!.seats.map(({ hands }) => hands[0]!);
  const lies = (hand: typeof prize, lines: null | []): boolean =>
    BLACKJACK.liesFaceDown!(table.state, { ...table.state.round!, lines }, hand!);
  assert.ok(prize?.prize);
  assert.deepEqual([given?.status, lies(prize, null), lies(given, null)], ['surrendered', false, true]);
  assert.equal(lies(given, []), false, 'once the bets are settled');
});

test('r.17: the second card of the bank is replaced while it lies face down and nobody has played', () => {
  const replace = (table: TestTable): string =>
    table.try({ type: 'replace-bank-second', person: DEALER })?.code ?? 'ok';
  assert.equal(replace(TestTable.ready({}, PT)), 'not-allowed');
  assert.equal(replace(play('TS 9H 8D', {})), 'off');
  assert.equal(replace(play('TS 9H 8D', {}, { 1: 1_000 }, PT)), 'not-allowed');
  assert.equal(replace(play('8S 9H 8D 5C wait 1:split', {}, { 1: 1_000 }, PT)), 'too-late');
  // All have lost: it is not turned, and the round is over.
  const over = play('TS 9H 8D 5C wait 1:hit KC', {}, { 1: 1_000 }, PT);
  assert.deepEqual([over.state.phase, over.state.round?.bankHoleDown], ['settled', true]);
  assert.equal(replace(over), 'not-allowed');
  assert.equal(replace(play('TS 9H 8D 5C', {}, { 1: 1_000 }, PT)), 'ok');
});

test('r.18, r.19, art. 6.1: a card that nobody has asked for is kept, void or set aside, by what is being played', () => {
  const wrong = (table: TestTable): string => {
    const card = parseCard('2C')!;
    return [true, false].map((shown) => BLACKJACK.wrongCard(table.state, card, shown)).join(' ');
  };
  const asked = play('TS AH 8D 5C', {}, { 1: 1_000 }, PT);
  assert.deepEqual([asked.state.phase, wrong(asked)], ['offers', ' ']);
  say(asked, 'wait');
  assert.deepEqual([asked.state.phase, wrong(asked)], ['turns', 'void kept']);
  say(asked, '1:hit KC');
  assert.deepEqual([asked.state.phase, wrong(asked)], ['settled', 'void void']);
  // In the bank's turn a card in doubt is the one it has drawn.
  const bank = play('TS 9H 8D wait 1:stand 2C', {});
  bank.tryDraw('3C', null, 10);
  assert.equal(bank.state.hold?.code, 'doubtful-card');
  assert.deepEqual(
    remedies(bank.state).map(({ remedy }) => remedy),
    ['confirm-read-card', 'name-card', 'void-round'],
  );
});

test('art. 5.1.2: the first card of the bank is doubted like any other; who has taken even money keeps their cards', () => {
  const table = play('TS 9H', {});
  table.must({ type: 'doubt-card', person: DEALER });
  assert.equal(table.bank, '');
  const even = play('AS TH AH KD 5D 1:evenMoney', {}, TWO);
  const swap = { type: 'assign-card', fromSeat: 1, toSeat: 2, person: DEALER } as const;
  assert.equal(even.try(swap)?.code, 'too-late');
  assert.equal(play('AS TH AH KD 5D', {}, TWO).try(swap), null);
});

test('art. 12.1: who has bets on two seats answers for each of them; first cards put right ask anew, in nobody’s turn', () => {
  const table = TestTable.ready();
  table.open();
  for (const seat of [1, 2]) table.bet(seat, 1_000, 1);
  table.must({ type: 'close-betting' });
  table.draw('TS TH AH 8D 5D');
  table.act(2, 'declineInsurance', { by: 1 });
  assert.deepEqual(table.state.round?.offers?.pending, [{ seat: 1, by: 1 }]);

  const turns = play('TS TH 9H 8D 5D wait', {}, TWO);
  assert.equal(turns.state.round?.turn?.seat, 1);
  turns.must({ type: 'assign-card', fromSeat: 1, toSeat: 2, person: DEALER });
  assert.deepEqual([turns.state.phase, turns.state.round?.turn], ['offers', null]);
});

/** Seat 1 has a chip on the jackpot, seat 2 has none. */
function chip(script: string): TestTable {
  const table = TestTable.ready(JACKPOT, PT);
  table.open();
  for (const seat of [1, 2]) table.bet(seat, 1_000);
  table.bet(1, 100, 1, 'jackpot');
  table.must({ type: 'close-betting' });
  say(table, script);
  return table;
}
const counted = (table: TestTable): unknown[] => table.state.round!.seats.map((seat) => seat.counted?.length);

test('r.42: the first cards of a chip are counted, up to four, and follow them where they are put right', () => {
  const table = chip('2S TS 9H 3S 9S 5C');
  const before = table.state.round!.seats.map(({ hands }) => hands[0]!.cards);
  table.must({ type: 'assign-card', fromSeat: 1, toSeat: 2, person: DEALER });
  assert.deepEqual(
    table.state.round!.seats.map((seat) => seat.counted),
    [before[1], null],
  );
  const long = chip('2S TS 9H 3S 9S 5C wait 1:hit 2H 1:hit 2D 1:hit 3D');
  assert.deepEqual(counted(long), [4, undefined]);
  long.must({ type: 'doubt-card', person: DEALER });
  assert.deepEqual(counted(long), [4, undefined], 'the fifth was none of them');
  long.must({ type: 'confirm-card', drawNo: null, card: parseCard('4D')!, person: DEALER });
  assert.deepEqual(counted(long), [4, undefined]);
});

test('r.48: a meter is of its currency; what it loses is paid by it, what it gains comes from the bank', () => {
  const { apply, postings, codes } = BLACKJACK_ROWS['jackpot-moved'];
  const moved = (why: 'started' | 'paid' | 'collected', currency: 'EUR' | 'MOP', amountMinor: number) =>
    ({
      ...{ type: 'jackpot-moved', atMs: 0, why, currency, amountMinor },
      ...{ meterMinor: 1_000_000 + amountMinor, rest: [0, 1] },
    }) as never;
  const state = { jackpots: [] } as unknown as TableState;
  const seen = (): string[] =>
    state.jackpots.map(
      ({ currency, meterMinor, before }) => `${currency} ${meterMinor} ${before?.meterMinor}`,
    );
  apply(state, moved('started', 'EUR', 0));
  apply(state, moved('started', 'MOP', 1));
  assert.deepEqual(seen(), ['EUR 1000000 undefined', 'MOP 1000001 undefined']);
  apply(state, moved('collected', 'MOP', 2));
  assert.deepEqual(seen(), ['EUR 1000000 undefined', 'MOP 1000002 1000001']);
  apply(state, moved('paid', 'MOP', -3));
  assert.deepEqual(seen(), ['EUR 1000000 undefined', 'MOP 999997 undefined']);
  const booked = (event: never): string[] =>
    postings(event).map(({ account, amountMinor }) => `${account} ${amountMinor}`);
  // Who gives stands first.
  assert.deepEqual(booked(moved('paid', 'EUR', -3)), ['jackpot 3', 'bank -3']);
  assert.deepEqual(booked(moved('collected', 'EUR', 3)), ['bank 3', 'jackpot -3']);
  const told = (event: never): string[] => codes.filter(({ when }) => when(event)).map(({ if: why }) => why);
  assert.deepEqual(told(moved('paid', 'EUR', -3)), ['it was won']);
  assert.deepEqual(told(moved('collected', 'EUR', 3)), ['its meter moved']);
  const owed = (currency: string): unknown =>
    BLACKJACK.owes!({ jackpots: state.jackpots, profile: { currency } } as unknown as TableState);
  assert.deepEqual([owed('EUR'), owed('HKD')], [[['jackpot', 1_000_000]], [['jackpot', 0]]]);
});

test('what is shown of a hand, of a table and of a seat', () => {
  const read = (cards: string): unknown => {
    const hand = cards.split(' ').flatMap((card) => parseCard(card) ?? []);
    const { points, soft, blackjack, busted } = BLACKJACK.readHand(hand);
    return [points, soft, blackjack, busted];
  };
  assert.deepEqual(['', 'AS 6H', 'AS KH', 'TS 6H 5D', 'TS 6H 6D'].map(read), [
    [null, false, false, false],
    [17, true, false, false],
    [21, true, true, false],
    [21, false, false, false],
    [22, false, false, true],
  ]);
  const view = (table: TestTable): unknown => BLACKJACK.view!(table.state);
  assert.deepEqual(view(TestTable.ready({}, { rulebook: 'macau-baccarat' })), { jackpot: null });
  assert.deepEqual(view(TestTable.ready()), { jackpot: null });
  assert.deepEqual(view(new TestTable()), { jackpot: null }, 'a table without a profile');
  assert.deepEqual(view(TestTable.ready(JACKPOT, PT)), {
    jackpot: { meterMinor: 1_000_000, stakeMinor: 100 },
  });
  const table = TestTable.ready({ sideBets: ['streak2'] });
  table.winWithStreak();
  assert.deepEqual(BLACKJACK.viewSeat!(table.state, 1), {
    streak: { button: 2, open: [{ by: 1, number: 2, amountMinor: 100 }] },
    insurance: [],
  });
  const insured = play('TS TH AH 8D 5D 2:insure=500', {}, TWO);
  assert.deepEqual(BLACKJACK.viewSeat!(insured.state, 2), {
    streak: null,
    insurance: [{ by: 2, amountMinor: 500 }],
  });
  assert.deepEqual(BLACKJACK.viewSeat!(insured.state, 1), { streak: null, insurance: [] });
});
