import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { minor } from '../../engine/core/money.ts';
import { bank, cards, hand, makeView, player } from '../../test/fixtures/view-kit.ts';
import { VIEWS } from '../../test/fixtures/views.ts';
import { formOf } from './form.ts';
import { layTable } from './layout.ts';
import { matchCards, pictureOf } from './picture.ts';
import type { CardPiece, Picture } from './pieces.ts';
import { totalText } from './signs.ts';

const picture = (view: Parameters<typeof pictureOf>[0]): Picture =>
  pictureOf(view, layTable(1920, 1080, formOf(view)));
const stacks = (shown: Picture): Record<string, number> =>
  Object.fromEntries(shown.stacks.map((stack) => [stack.key, stack.amountMinor / 100]));

test('totals: soft hands show both values while they may draw, a natural shows BJ', () => {
  assert.equal(totalText(18, true, false, true), '8/18');
  assert.equal(totalText(18, true, false, false), '18');
  assert.equal(totalText(21, true, false, true), '21');
  assert.equal(totalText(21, true, true, true), 'BJ');
  assert.equal(totalText(11, true, false, true), '1/11');
});

test('twenty-one on a split hand is no blackjack (art. 10.6)', () => {
  const shown = picture(VIEWS['split-many']);
  assert.equal(shown.badges.find((badge) => badge.key === '6/1')?.text, '21');
});

test('every state: one piece per card and place, all amounts of money positive, one ring per seat', () => {
  for (const [name, view] of Object.entries(VIEWS)) {
    const shown = picture(view);
    const held =
      view.bank.cards.length +
      (view.playerSide?.cards.length ?? 0) +
      view.seats.reduce((n, seat) => n + seat.hands.reduce((m, h) => m + h.cards.length, 0), 0);
    assert.equal(shown.cards.length, held, name);
    assert.equal(new Set(shown.cards.map((card) => card.slot)).size, held, name);
    assert.equal(new Set(shown.stacks.map((stack) => stack.key)).size, shown.stacks.length, name);
    for (const stack of shown.stacks) assert.ok(stack.amountMinor > 0 || stack.label?.tone === 'lost', name);
    assert.equal(new Set(shown.rings.map((ring) => ring.seat)).size, shown.rings.length, name);
  }
});

test('settled: what is lost has left, what is won lies beside the stake, a push stays', () => {
  assert.deepEqual(stacks(picture(VIEWS.settled)), {
    '1/0': 300,
    '1/0/won': 300,
    '2/0': 1500,
    '2/0/won': 2250,
    // a doubled and won hand of a split, and its lost neighbour of which only the word is left
    '3/0': 2400,
    '3/1': 0,
    '5/0': 100,
    '7/0': 25,
  });
});

test('side bets lie on their spots and pay there; what is lost has left them', () => {
  assert.deepEqual(stacks(picture(VIEWS['2004-settled'])), {
    '1/0': 300,
    '1/0/won': 300,
    '1/bet/anyPair': 600,
    '3/bet/sevens': 5100,
    '6/0': 6000,
    '6/bet/over13': 2000,
  });
  assert.deepEqual(stacks(picture(VIEWS['baccarat-settled'])), {
    '2/bet/banker': 3042,
    '6/bet/banker': 17_082,
  });
});

test('streak bets stay on their spots from round to round, with the button at the next number (art. 13.5.2.iii)', () => {
  const shown = picture(VIEWS['2009-betting']);
  assert.equal(stacks(shown)['2/bet/streak2'], 100);
  assert.equal(stacks(shown)['2/bet/streak4'], 50);
  assert.deepEqual(
    shown.buttons.map(({ seat, number }) => [seat, number]),
    [1, 2, 3, 4, 5, 6, 7].map((seat) => [seat, seat === 2 ? 2 : null]),
  );
  const table = layTable(1920, 1080, formOf(VIEWS['2009-betting']));
  assert.deepEqual(shown.buttons[6]!.at, table.streakRack!.places[6], 'one a seat waits (art. 1.5)');
});

test('a spot prints its name until chips lie on it, in the language of its seat', () => {
  const shown = picture(VIEWS['2004-betting']);
  const of = (seat: number, bet: string): (typeof shown.spots)[number] | undefined =>
    shown.spots.find((spot) => spot.seat === seat && spot.bet === bet);
  assert.equal(of(1, 'anyPair')?.printed, false);
  assert.equal(of(1, 'sevens')?.printed, true);
  assert.equal(of(3, 'sevens')?.language, 'pt');
});

test('baccarat shows both sides with their points, and marks the one that has won', () => {
  const shown = picture(VIEWS['baccarat-settled']);
  assert.deepEqual(
    shown.badges.map(({ key, text, tone }) => [key, text, tone]),
    [
      ['0/0', '8', 'won'],
      ['0/1', '5', 'total'],
      ['0/verdict', '莊贏 · Ganha o banqueiro', 'blackjack'],
    ],
  );
  assert.deepEqual(
    shown.cards.map((card) => card.slot),
    ['0/1/0', '0/1/1', '0/1/2', '0/0/0', '0/0/1', '0/0/2'],
  );
});

test('war reads the rank of the last card; a half loss leaves the card open (art. 7.4.1)', () => {
  const shown = picture(VIEWS['war-settled']);
  assert.deepEqual(Object.fromEntries(shown.badges.map(({ key, text }) => [key, text])), {
    '0/0': '10',
    '1/0': '8',
    '2/0': 'K',
    '3/0': 'Q',
    '5/0': '8',
    '7/0': '2',
  });
  assert.ok(shown.cards.every((card) => card.faceUp));
});

test('cards that lie face down show neither face nor total (art. 5.2.1)', () => {
  const shown = picture(VIEWS['2004-play']);
  assert.ok(shown.cards.filter((card) => card.owner === 1).every((card) => !card.faceUp));
  assert.deepEqual(
    shown.badges.map((badge) => badge.key),
    ['0/0', '2/0'],
  );
});

test('a bust loses at once (art. 7.2), before the round is settled', () => {
  const shown = picture(VIEWS.busted);
  assert.equal(stacks(shown)['1/0'], undefined);
  assert.equal(
    shown.cards.every((card) => card.dim === [1, 3].includes(card.owner)),
    true,
  );
  assert.deepEqual(
    shown.ribbons.map((ribbon) => [ribbon.seat, ribbon.word]),
    [
      [1, '超過 21 點'],
      [3, 'Rebentou'],
    ],
  );
});

test('insurance stands on the band; when it wins, with its prize (art. 12.2)', () => {
  assert.equal(stacks(picture(VIEWS.offers))['3/insurance'], 300);
  assert.equal(stacks(picture(VIEWS['bank-blackjack']))['1/insurance'], 450);
});

test('the special prize is shown while the hand plays on (art. 15)', () => {
  const shown = picture(VIEWS['special-prize']);
  assert.equal(stacks(shown)['3/0/won'], 1800);
  assert.equal(shown.ribbons[0]?.amount, '+1\u00a0800');
});

test('the result speaks the language of its seat, the banner both of the felt', () => {
  const words = picture(VIEWS.settled).ribbons.map((ribbon) => ribbon.word);
  assert.deepEqual(words, ['贏', 'Black Jack', '', 'Push', '超過 21 點', 'Desistência']);
  const banner = picture(VIEWS['hold-recovery']).banner;
  assert.equal(banner?.tone, 'hold');
  assert.equal(banner.titles.length, 2);
  assert.match(banner.titles[0]!, /暫停/);
  assert.match(banner.titles[1]!, /suspensa/);
});

test('a hold stops rings and turn', () => {
  const shown = picture({ ...VIEWS.turn, hold: VIEWS['hold-recovery'].hold });
  assert.deepEqual(shown.rings, []);
  assert.equal(shown.turn, null);
});

test('a surrendered hand lies face down and has no total', () => {
  const shown = picture(VIEWS.surrendered);
  assert.ok(shown.cards.filter((card) => card.owner === 3).every((card) => !card.faceUp));
  assert.equal(
    shown.badges.some((badge) => badge.owner === 3),
    false,
  );
});

test("the bank's unknown card has a place and no face", () => {
  const held = bank('KH');
  const shown = picture(makeView({ phase: 'turns', bank: { ...held, cards: [...held.cards, null] } }));
  assert.deepEqual(
    shown.cards.map((card) => [card.slot, card.faceUp]),
    [
      ['0/0/0', true],
      ['0/0/1', false],
    ],
  );
});

// ---- which card is which ----

const one = (text: string): Picture =>
  picture(makeView({ phase: 'turns', seats: [player(3, 100, 100, { hands: [hand(text, 100)] })] }));

test('a split moves the second card to the new hand and deals the others', () => {
  const after = picture(
    makeView({
      phase: 'turns',
      seats: [player(3, 100, 100, { hands: [hand('8C TD', 100), hand('8D', 100)] })],
    }),
  );
  assert.deepEqual(Object.fromEntries(matchCards(one('8C 8D').cards, after.cards)), {
    '3/0/0': '3/0/0',
    '3/1/0': '3/0/1',
  });
});

test('a misdealt card goes over to the seat it was due to (art. 5.1.2)', () => {
  const seats = (a: string, b: string): Picture =>
    picture(
      makeView({
        phase: 'dealing',
        seats: [
          player(1, 100, 100, { hands: [hand(a, 100)] }),
          player(2, 100, 100, { hands: [hand(b, 100)] }),
        ],
      }),
    );
  assert.deepEqual(Object.fromEntries(matchCards(seats('9S', '4D').cards, seats('4D', '9S').cards)), {
    '1/0/0': '2/0/0',
    '2/0/0': '1/0/0',
  });
});

test('a hidden card is turned over where it lies', () => {
  const hidden = picture(makeView({ bank: { ...bank('KH'), cards: [...cards('KH'), null] } }));
  const open = picture(makeView({ bank: bank('KH 9D') }));
  assert.equal(matchCards(hidden.cards, open.cards).get('0/0/1'), '0/0/1');
});

test('no card is used twice and a known card never turns into another', () => {
  const piece = fc.record({ owner: fc.nat(2), card: fc.nat(4) });
  const lay = (list: { owner: number; card: number }[]): CardPiece[] =>
    list.map(({ owner, card }, i) => ({
      slot: `${owner}/0/${i}`,
      owner,
      card: card as CardPiece['card'],
      faceUp: true,
      dim: false,
      place: { x: 0, y: 0, turn: 0, scale: 1 },
    }));
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), fc.array(piece, { maxLength: 8 }), (a, b) => {
      const before = lay(a);
      const after = lay(b);
      const matched = matchCards(before, after);
      assert.equal(new Set(matched.values()).size, matched.size);
      for (const [now, old] of matched) {
        assert.equal(after.find((c) => c.slot === now)?.card, before.find((c) => c.slot === old)?.card);
      }
    }),
  );
});

test('slow reveal: the second and third card of a side are peeled by the seat with the largest bet on it', () => {
  const peelers = (view: Parameters<typeof pictureOf>[0]): Record<string, number> =>
    Object.fromEntries(
      picture(view).cards.flatMap(({ slot, peeledBy }) => (peeledBy === undefined ? [] : [[slot, peeledBy]])),
    );
  const { squeeze } = VIEWS;
  assert.deepEqual(peelers(squeeze), { '0/0/1': 6, '0/0/2': 6, '0/1/1': 4, '0/1/2': 4 });
  assert.deepEqual(peelers(VIEWS['baccarat-play']), {}, 'a house that has not asked for it');
  const onTie = squeeze.seats.map((seat) => ({
    ...seat,
    bets: seat.bets.filter(({ bet }) => bet === 'tie'),
  }));
  assert.deepEqual(peelers({ ...squeeze, seats: onTie }), {}, 'the dealer turns what nobody has bet on');
  const machine = { ...squeeze.table, options: { ...squeeze.table.options, cardSource: 'autoShuffler' } };
  assert.deepEqual(peelers({ ...squeeze, table: machine }), {}, 'art. 7.2: dealt face up');
});

test('a bet that wins ten times its stake makes a big win of its seat, unless the round has lost on the whole', () => {
  const shown = picture(VIEWS['2004-settled']);
  const lit = shown.ribbons.filter((ribbon) => ribbon.light !== null).map(({ seat }) => seat);
  assert.deepEqual(lit, [1, 3]);
  assert.equal(shown.ribbons.find(({ seat }) => seat === 1)?.tone, 'natural');
  assert.deepEqual(
    picture(VIEWS.settled).ribbons.filter((ribbon) => ribbon.light !== null),
    [],
  );
  const view = VIEWS['2004-settled'];
  const dear = view.seats.map((seat) =>
    seat.seat === 1
      ? {
          ...seat,
          lines: seat.lines.map((each, i) => (i === 0 ? { ...each, netMinor: minor(-99_999_900) } : each)),
        }
      : seat,
  );
  const lost = picture({ ...view, seats: dear }).ribbons.find(({ seat }) => seat === 1);
  assert.equal(lost?.light, null);
  assert.equal(lost?.tone, 'lost');
});

test('the deck is laid out only while nobody sits here and the table is open', () => {
  const laid = Object.entries(VIEWS).filter(([, view]) => picture(view).attract);
  assert.deepEqual(
    laid.map(([name]) => name),
    ['idle-empty'],
  );
});
