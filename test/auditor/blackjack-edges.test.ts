/**
 * What no conformance vector says: cases worked by hand from the articles, so that the auditor does
 * not rest on the engine.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { BlackjackAuditor } from '../../reader/blackjack.ts';
import { PORTUGAL } from '../../reader/blackjack-options.ts';

const FILE = new URL('../data/vectors/vectors-macau-blackjack.json', import.meta.url);
const { defaults } = JSON.parse(readFileSync(FILE, 'utf8')) as { defaults: Record<string, object> };

type Edition = 2004 | 2009;
const macau = (edition: Edition, options: object = {}): BlackjackAuditor =>
  new BlackjackAuditor(`macau-blackjack-${edition}`, {
    ...defaults[`macau-blackjack-${edition}`],
    ...options,
  });
const portugal = (options: object = {}): BlackjackAuditor =>
  new BlackjackAuditor('portugal-blackjack', { ...PORTUGAL, ...options });

/** Bets as `1 main 100, 1<2 main 50`: seat, bettor where it is another, bet, amount. */
function deal(table: BlackjackAuditor, bets: string, cards: string): void {
  table.openRound();
  for (const text of bets.split(', ')) {
    const [place = '', bet = '', amount] = text.split(' ');
    const [seat, by = seat] = place.split('<').map(Number);
    const refused = table.bet({ seat: seat!, by: by!, bet, amount: Number(amount) });
    assert.deepEqual(refused, [], text);
  }
  assert.equal(table.closeBets(), null);
  draw(table, cards);
}

function draw(table: BlackjackAuditor, cards: string): void {
  for (const card of cards.split(' ')) table.card(card);
}

/** Acts as `1.0 hit, 1.0<2 insure 50`. */
function act(table: BlackjackAuditor, acts: string): void {
  for (const text of acts.split(', ')) {
    const [, seat, hand, by, what = '', amount] =
      /^(\d)\.(\d)(?:<(\d))? (\w+)(?: (\d+))?$/.exec(text) ?? assert.fail(text);
    const wish = { seat: Number(seat), hand: Number(hand), do: what };
    const refused = table.act({
      ...wish,
      ...(by ? { by: Number(by) } : {}),
      ...(amount ? { amount: Number(amount) } : {}),
    });
    assert.deepEqual(refused, [], text);
  }
}

const lines = (table: BlackjackAuditor): string[] =>
  (table.lines() ?? [])
    .map(({ seat, by, bet, hand, net }) => {
      const place = `${seat}${by === seat ? '' : `<${by}`}`;
      return `${place} ${bet}${hand === null ? '' : hand} ${net === 0 ? 0 : net}`;
    })
    .sort();

test('art. 13.1.2 with a new bet on each split hand: the first pair, then one bet lost and one won', () => {
  const table = macau(2009, { anyPairResplit: 'newBet' });
  deal(table, '1 main 100, 1 anyPair 10', '8S 9H 8D');
  act(table, '1.0 playOn, 1.0 split');
  assert.deepEqual(table.due(), { to: 'offers', seats: [1] });
  act(table, '1.0 betPair 20');
  draw(table, 'TC');
  act(table, '1.0 stand, 1.1 betPair 30');
  draw(table, '8C');
  act(table, '1.1 stand');
  draw(table, 'TD');
  // 8+10 and 8+8 against 19; 11 to 1 on 10 and on 30, 20 lost.
  assert.deepEqual(lines(table), [
    '1 anyPair -20',
    '1 anyPair 110',
    '1 anyPair 330',
    '1 main0 -100',
    '1 main1 -100',
  ]);
});

test('art. 10.7 offered in 2004: of two doubled split hands each loses its first bet, a busted one both', () => {
  const table = macau(2004, { doubledVsDealerBlackjack: 'offer' });
  deal(table, '1 main 100', '8S KH 8D');
  act(table, '1.0 playOn, 1.0 split');
  draw(table, '3C');
  act(table, '1.0 double');
  draw(table, 'TC 5C');
  act(table, '1.1 double');
  draw(table, 'TH AC');
  assert.deepEqual(table.due(), { to: 'offers', seats: [1] });
  act(table, '1.0 loseOriginalOnly');
  assert.deepEqual(lines(table), ['1 main0 -100', '1 main1 -200']);
});

test('art. 16.6 with a bet behind that does not follow: each bettor loses one first bet', () => {
  const table = macau(2009, { behindFollows: false });
  deal(table, '1 main 200, 1<2 main 100', '8S KH 8D');
  act(table, '1.0 playOn, 1.0 split');
  draw(table, 'TC');
  act(table, '1.0 stand');
  draw(table, '9C');
  act(table, '1.1 stand');
  draw(table, 'AC');
  assert.deepEqual(lines(table), ['1 main0 -200', '1 main1 0', '1<2 main0 -100']);
});

test('art. 19, 16.6: the five-card half closes the first hand, the one loss falls on the second', () => {
  const table = macau(2009);
  deal(table, '1 main 100', '2S KH 2D');
  act(table, '1.0 playOn, 1.0 split');
  draw(table, '3C');
  for (const card of ['4C', '5C', '6C']) {
    act(table, '1.0 hit');
    draw(table, card);
  }
  act(table, '1.0 fiveCardHalf');
  draw(table, '9C');
  act(table, '1.1 stand');
  draw(table, 'AC');
  assert.deepEqual(lines(table), ['1 main0 50', '1 main1 -100']);
});

test('art. 13.5.2.vi with `forfeit`: only the numbers of the bettor who left are lost, the series goes on', () => {
  const table = macau(2009, { sideBets: ['streak2', 'streak3'], streakAbandon: 'forfeit' });
  deal(table, '1 main 100, 1 streak3 10, 1<2 main 100, 1<2 streak2 20', 'TS 9H 9D');
  act(table, '1.0 playOn, 1.0 stand');
  draw(table, '8C');
  assert.equal(table.after().streak?.['1'], 2);
  deal(table, '1 main 100', 'TS 9H 9D');
  act(table, '1.0 playOn, 1.0 stand');
  draw(table, '8C');
  assert.deepEqual(lines(table), ['1 main0 100', '1<2 streak2 -20']);
  assert.equal(table.after().streak?.['1'], 3);
});

test('art. 5.1.2: a cancelled round gives everything back and leaves the streak where it was', () => {
  const table = macau(2009, { sideBets: ['streak2', 'anyPair'] });
  deal(table, '1 main 100, 1 streak2 10', 'TS 9H 9D');
  act(table, '1.0 playOn, 1.0 stand');
  draw(table, '8C');
  deal(table, '1 main 100, 1 anyPair 10', 'TS AH 9D');
  act(table, '1.0 insure 50');
  assert.deepEqual(table.deed({ do: 'voidRound' }), []);
  assert.deepEqual(lines(table), ['1 anyPair 0', '1 insurance 0', '1 main 0']);
  assert.equal(table.after().streak?.['1'], 2);
  assert.deepEqual(table.deed({ do: 'voidRound' }), ['round-over']);
});

test('art. 15 closing the hand: the prize stands and the bet goes back, whatever the bank has', () => {
  const table = macau(2009, { specialPrizeMode: 'closesHand' });
  deal(table, '1 main 100', '6S AH 7S');
  act(table, '1.0 playOn, 1.0 hit');
  draw(table, '8S KC');
  assert.deepEqual(lines(table), ['1 main0 0', '1 specialPrize0 300']);
});

test('art. 16.5: a pair that was played on ends splitting on the seat', () => {
  const table = macau(2009);
  deal(table, '1 main 100', '8S 9H 8D');
  act(table, '1.0 playOn, 1.0 split');
  draw(table, '8C');
  act(table, '1.0 stand');
  draw(table, '8H');
  assert.deepEqual(table.act({ seat: 1, hand: 1, do: 'split' }), ['not-allowed', 'not-allowed']);
});

test('r.28: the complementary bettor follows the split or stays on the first hand', () => {
  const table = portugal();
  deal(table, '1 main 2000, 1<2 main 1000, 1<3 main 3000', '8S 6H 8D TC');
  act(table, '1.0 playOn, 1.0 split');
  assert.deepEqual(table.due(), { to: 'offers', seats: [1] });
  act(table, '1.0<2 followSplit, 1.0<3 playOn');
  draw(table, 'TH');
  act(table, '1.0 stand');
  draw(table, 'TD');
  act(table, '1.1 stand');
  draw(table, 'AC');
  // The bank has 6+10+A = 17: both hands win.
  assert.deepEqual(lines(table), [
    '1 main0 2000',
    '1 main1 2000',
    '1<2 main0 1000',
    '1<2 main1 1000',
    '1<3 main0 3000',
  ]);
});

test('r.50: shares are measured on the meter at the close of the bets; parts of a unit are kept', () => {
  const pays = [
    { combination: 'A3', share: '1' },
    { combination: 'A2', share: '1/7' },
  ];
  const table = portugal({ jackpot: { stake: 100, seed: 1_000_000, increment: '1/3', cards: 3, pays } });
  deal(table, '1 main 1000, 1 jackpot 100', 'AS 9H AD TC');
  act(table, '1.0 playOn, 1.0 stand');
  // 1 000 000 + 33 1/3: a seventh of 1 000 033 is 142 861 and parts; two thirds of a unit wait
  // after the next chip.
  assert.deepEqual(lines(table), ['1 jackpot 142761', '1 main0 -1000']);
  assert.equal(table.after().jackpot, 857_172);
  deal(table, '1 main 1000, 1 jackpot 100', '9S 9H TD TC');
  act(table, '1.0 playOn, 1.0 stand');
  deal(table, '1 main 1000, 1 jackpot 100', '9S 9H TD TC');
  act(table, '1.0 playOn, 1.0 stand');
  assert.equal(table.after().jackpot, 857_172 + 33 + 34);
});

test('r.18: the card drawn against the wish of a player goes to the next who asks', () => {
  const table = portugal();
  deal(table, '1 main 1000, 2 main 1000', 'TS 5D TH 7C 6S 9H');
  act(table, '1.0 playOn, 2.0 playOn, 1.0 stand');
  assert.deepEqual(table.deed({ do: 'misdrawUnseen', card: 'TD' }), []);
  act(table, '2.0 hit');
  assert.deepEqual(table.hands()['2'], [['5D', '6S', 'TD']]);
  assert.deepEqual(lines(table), ['1 main0 -1000', '2 main0 1000']);
});

test('r.50.a what the meter does not hold is not paid: the smaller prizes are whole, the last is not', () => {
  const pays = [
    { combination: 'A3', share: '1' },
    { combination: 'A2', share: '2/5' },
    { combination: 'K2', odds: 1000 },
  ];
  const table = portugal({ jackpot: { stake: 100, seed: 1_000_000, increment: '1/2', cards: 2, pays } });
  const seats = [1, 2, 3, 4];
  const bets = seats.flatMap((seat) => [`${seat} main 1000`, `${seat} jackpot 100`]).join(', ');
  deal(table, bets, 'AS AH AD KS 9H AC AS AH KD TC');
  act(table, seats.map((seat) => `${seat}.0 playOn`).join(', '));
  act(table, seats.map((seat) => `${seat}.0 stand`).join(', '));
  // Of 1,000,200, with the chips: 100,000, twice two fifths, and what is left.
  assert.deepEqual(
    lines(table).filter((line) => line.includes('jackpot')),
    ['1 jackpot 399980', '2 jackpot 399980', '3 jackpot 99940', '4 jackpot 99900'],
  );
  assert.equal(table.after().jackpot, 0);
});
