import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cardName } from '../../engine/core/cards.ts';
import {
  bank,
  cards,
  deadline,
  hand,
  line,
  makeView,
  midShoe,
  player,
  result,
  round,
} from '../../test/fixtures/view-kit.ts';
import { VIEWS } from '../../test/fixtures/views.ts';
import type { TableView } from '../../wire/view.ts';
import { countdown, heardAt, openedCards, type Sound, soundsOf } from './announce.ts';
import { COUNTED_SECONDS, MOST_POINTS, MOST_SEATS, SPOKEN, VOICES } from './keys.ts';

const heard = (before: TableView, after: Partial<TableView>): string[] =>
  soundsOf(before, { ...before, ...after }).map(words);
const words = (sound: Sound): string =>
  sound.kind === 'voice'
    ? sound.clips.join(' ')
    : `(${sound.effect}${sound.seat === null ? '' : ` ${sound.seat}`})`;

const betting = makeView({
  phase: 'betting',
  round: round(),
  shoe: midShoe(),
  deadline: deadline('betting', 9_000, 20_000),
});
const HANDS = {
  17: hand('TS 7H', 100),
  19: hand('TS 7H 2C', 100),
  busted: hand('TS 7H KC', 100, { status: 'busted' }),
  blackjack: hand('AS KD', 100, { status: 'blackjack' }),
};
const seated = (...held: (keyof typeof HANDS | null)[]): TableView['seats'] =>
  held.map((each, i) =>
    player(i + 1, 1000, each === null ? null : 100, { hands: each === null ? [] : [HANDS[each]] }),
  );

test('r.48 the window closes with «jogo feito, nada mais», and opens with a word', () => {
  assert.deepEqual(heard(makeView(), { phase: 'betting', round: round() }), ['bets-open']);
  assert.deepEqual(heard(betting, { phase: 'dealing' }), ['bets-closed']);
});

test('before the bets close the whole table hears so, with the seconds, once a window, and each of its last seconds ticks', () => {
  const window = deadline('betting', 9_000, 20_000);
  let warnedOfMs: number | null = null;
  const at = (left: number | null, of: TableView['deadline'] = window): string[] => {
    const sounds = countdown(of, left, warnedOfMs);
    if (sounds.some(({ kind }) => kind === 'voice')) warnedOfMs = of!.atMs;
    return sounds.map(words);
  };
  assert.deepEqual([at(9), at(6)], [[], []]);
  assert.deepEqual(at(5), ['last-bets seconds-5', '(tick)']);
  assert.deepEqual([at(4), at(1), at(0), at(null, null)], [['(tick)'], ['(tick)'], [], []]);
  const extended = { ...window, atMs: window.atMs + 20_000 };
  assert.deepEqual(
    [at(20, extended), at(3, extended)],
    [[], ['last-bets seconds-3', '(tick)']],
    'however late',
  );
  const decision = deadline('decision', 9_000, 20_000, 2);
  assert.deepEqual(
    [at(5, decision), at(4, decision)],
    [['seat-2 seconds-5', '(tick 2)'], ['(tick 2)']],
    'whose decision it is hears it of their own time',
  );
  const told = countdown(decision, 5, null)[0];
  assert.equal(told?.seat, 2, 'in their language');
  assert.deepEqual(at(5, deadline('offers', 9_000, 20_000)), ['(tick)'], 'offers are of several');
});

test('art. 6.5 after the first cards the totals are announced from the left, art. 7.1 the bank its own', () => {
  const dealing = { ...betting, phase: 'dealing' as const, seats: seated(17, null, 'blackjack') };
  assert.deepEqual(heard(dealing, { phase: 'turns' }), ['seat-1 points-17', 'seat-3 blackjack']);
  const turns = { ...dealing, phase: 'turns' as const };
  assert.deepEqual(heard(turns, { seats: seated(19, null, 'blackjack') }), ['seat-1 points-19', '(card)']);
  assert.deepEqual(heard(turns, { seats: seated('busted', null, 'blackjack') }), ['seat-1 busted', '(card)']);
  const alone = { ...turns, bank: bank('9S') };
  assert.deepEqual(heard(alone, { phase: 'bank', bank: bank('9S 8S') }), ['bank points-17', '(card)']);
});

test('the first card of the bank is announced, and in casino war, which has no totals, every card', () => {
  const dealing = { ...betting, phase: 'dealing' as const };
  assert.deepEqual(heard({ ...dealing, bank: bank('') }, { bank: bank('KS') }), ['bank card-13', '(card)']);
  const war = { ...VIEWS['war-betting'], phase: 'dealing' as const, bank: bank('') };
  const at = (seat: number, held: string): TableView['seats'] =>
    war.seats.map((each) => (each.seat === seat ? { ...each, hands: [hand(held, 100)] } : each));
  assert.deepEqual(heard(war, { seats: at(3, 'AS') }), ['seat-3 card-1', '(card)']);
  assert.deepEqual(heard({ ...war, seats: at(3, 'AS') }, { seats: at(3, 'AS 7H') }), [
    'seat-3 card-7',
    '(card)',
  ]);
  assert.deepEqual(heard(war, { bank: bank('9S') }), ['bank card-9', '(card)']);
  assert.deepEqual(heard({ ...war, bank: bank('9S') }, { bank: bank('9S JH') }), ['bank card-11', '(card)']);
});

test('a card that lies face down is not announced', () => {
  const turns = { ...betting, phase: 'turns' as const, bank: bank('9S') };
  assert.deepEqual(heard(turns, { bank: { ...bank('9S'), cards: [...cards('9S'), null] } }), ['(card)']);
});

test('r.11 the last round of the shoe is announced once', () => {
  assert.deepEqual(heard(betting, { shoe: midShoe({ lastRound: true }) }), ['last-round']);
  assert.deepEqual(heard({ ...betting, shoe: midShoe({ lastRound: true }) }, {}), []);
});

test('Bacará: the points of both sides and who has won', () => {
  const settled = VIEWS['baccarat-settled'];
  const sounds = heard({ ...settled, phase: 'dealing' }, { phase: 'settled' });
  assert.deepEqual(sounds, ['player points-5', 'bank points-8', 'bank-wins']);
});

test('C19: every announcement of the articles is said in each voice', () => {
  const said = (before: TableView, after: Partial<TableView>): string[] =>
    heard(before, after)
      .filter((each) => !each.startsWith('('))
      .flatMap((each) => each.split(' '));
  const dealing = { ...betting, phase: 'dealing' as const, seats: seated(17, 'busted', 'blackjack') };
  const alone = { ...dealing, phase: 'turns' as const, bank: bank('9S') };
  const announced: Readonly<Record<string, readonly string[]>> = {
    'r.48': said(betting, { phase: 'dealing' }),
    'r.11': said(betting, { shoe: midShoe({ lastRound: true }) }),
    'art.6.5': said(dealing, { phase: 'turns' }),
    'art.7.1': said(alone, { phase: 'bank', bank: bank('9S 8S') }),
  };
  for (const [article, clips] of Object.entries(announced)) {
    assert.ok(clips.length > 0, article);
    for (const clip of clips)
      for (const voice of VOICES) assert.ok(SPOKEN[clip]?.[voice], `${article} ${clip} ${voice}`);
  }
  // Every total there can be, of every seat.
  for (let points = 0; points <= MOST_POINTS; points += 1) assert.ok(SPOKEN[`points-${points}`]);
  for (let rank = 1; rank <= 13; rank += 1) assert.ok(SPOKEN[`card-${rank}`]);
  for (let left = 1; left <= COUNTED_SECONDS; left += 1) assert.ok(SPOKEN[`seconds-${left}`]);
  for (let seat = 1; seat <= MOST_SEATS; seat += 1) assert.ok(SPOKEN[`seat-${seat}`]);
});

test('no winnings are celebrated where the round lost on the whole', () => {
  const before = { ...betting, phase: 'bank' as const, seats: [player(1, 1000, null)] };
  const settle = (...nets: number[]): string[] =>
    heard(before, {
      phase: 'settled',
      seats: [
        player(1, 1000, null, {
          result: result(nets.map((net) => line(1, net > 0 ? 'win' : 'lose', 100, net, [1, 1], []))),
        }),
      ],
    });
  assert.deepEqual(settle(100, -50), ['(win 1)']);
  assert.deepEqual(settle(100, -100), []);
  assert.deepEqual(settle(50, -100), []);
});

test('every card of the bank that comes to lie open is reported, the second and the later ones too', () => {
  const told = (before: TableView, after: Partial<TableView>): string[] =>
    openedCards(before, { ...before, ...after }).map(({ side, cards: open, points, state }) =>
      [side, ...open.map(cardName), points, state ?? ''].join(' ').trim(),
    );
  const turns = { ...betting, phase: 'turns' as const, bank: bank('9S') };
  const hole = { ...turns, bank: { ...bank('9S'), cards: [...cards('9S'), null] } };
  assert.deepEqual(told(turns, { bank: hole.bank }), [], 'face down');
  assert.deepEqual(told(hole, { bank: bank('9S 3H') }), ['bank 3H 12']);
  assert.deepEqual(told({ ...turns, bank: bank('9S 3H') }, { bank: bank('9S 3H 2C') }), ['bank 2C 14']);
  const last = bank('9S 3H 2C KD', { busted: true });
  assert.deepEqual(told({ ...turns, bank: bank('9S 3H 2C') }, { bank: last }), ['bank KD 24 busted']);
  assert.deepEqual(told({ ...turns, bank: last }, { bank: bank('') }), [], 'cards taken away are no news');
  assert.deepEqual(told({ ...turns, bank: bank('') }, { bank: bank('9S'), bootId: 'another' }), []);
  const settled = VIEWS['baccarat-settled'];
  const dealing = { ...settled, bank: bank(''), playerSide: { cards: [], points: null } };
  assert.deepEqual(
    told(dealing, { bank: settled.bank, playerSide: settled.playerSide }).map((line) => line.split(' ')[0]),
    ['player', 'bank'],
  );
});

test('nothing is heard of another host or in service mode', () => {
  assert.deepEqual(heard(betting, { phase: 'dealing', bootId: 'another' }), []);
  const service = { name: 'x', role: 'technician' as const, sinceMs: 0 };
  assert.deepEqual(heard(betting, { phase: 'dealing', service }), []);
});

test('the centre says how soft and how loud the table may be, and silences no alarm', () => {
  const all = (order: TableView['sound'], effect: Parameters<typeof heardAt>[2] = null) =>
    ([0, 1, 2] as const).map((wanted) => heardAt(wanted, order, effect));
  assert.deepEqual(all(undefined), [0, 1, 2], 'as the players choose');
  assert.deepEqual(all({ least: 1, most: 2 }), [1, 1, 2]);
  assert.deepEqual(all({ least: 0, most: 1 }, 'win'), [0, 1, 1]);
  const silent = { least: 0, most: 0 } as const;
  assert.deepEqual(
    [all(silent), all(silent, 'chip')],
    [
      [0, 0, 0],
      [0, 0, 0],
    ],
  );
  for (const alarm of ['attention', 'call'] as const) {
    assert.deepEqual(all(silent, alarm), [1, 1, 1]);
    assert.deepEqual(all(undefined, alarm), [1, 1, 2], 'nor does a player');
  }
});
