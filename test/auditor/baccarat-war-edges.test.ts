/**
 * The auditors' models weighed by all orders of the cards of six decks: the edges must be the
 * published fractions.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { baccaratFigures } from '../../cli/figures/baccarat.ts';
import { KNOWN_BETS } from '../../engine/books.ts';
import type { AuditedBet, Auditor } from '../../reader/auditor.ts';
import { baccarat } from '../../reader/baccarat.ts';
import { casinoWar } from '../../reader/casino-war.ts';

const FILE = new URL('../data/reference/reference-figures.json', import.meta.url);
const FIGURES = [
  ...(JSON.parse(readFileSync(FILE, 'utf8')) as { id: string; exact: string }[]),
  // Published nowhere: held against the figures room, which counts in another way.
  ...baccaratFigures(6).filter(({ id }) => /lucky7/i.test(id)),
];
const DECKS = 6;
const CARDS = 52 * DECKS;

/** The exact value of a figure times `times`. */
function assertFigure(id: string, sum: bigint, times: bigint): void {
  const figure = FIGURES.find((each) => each.id === id) ?? assert.fail(`no figure ${id}`);
  const [over, under] = figure.exact!.split('/').map(BigInt) as [bigint, bigint];
  assert.equal(sum * under, over * times, `${id}: ${Number(sum) / Number(times)} is not ${figure.exact}`);
}

/**
 * Plays every sequence of these kinds of cards and adds up what each bet returns, weighed by the
 * number of orderings of `cardCount` cards that begin so.
 */
function enumerate(
  start: () => Auditor,
  kinds: readonly { readonly card: string; readonly count: number }[],
  cardCount: number,
): { nets: Map<string, bigint>; orderings: bigint } {
  const left = kinds.map(({ count }) => count);
  const nets = new Map<string, bigint>();
  const drawn: string[] = [];
  let orderings = 0n;
  const visit = (weight: bigint): void => {
    const model = start();
    for (const card of drawn) model.card(card);
    const lines = model.lines();
    if (lines) {
      let ways = weight;
      for (let dealt = drawn.length; dealt < cardCount; dealt++) ways *= BigInt(CARDS - dealt);
      orderings += ways;
      for (const { bet, net } of lines) nets.set(bet, (nets.get(bet) ?? 0n) + ways * BigInt(net));
      return;
    }
    for (const [kind, { card }] of kinds.entries()) {
      const count = left[kind]!;
      if (count === 0) continue;
      left[kind] = count - 1;
      drawn.push(card);
      visit(weight * BigInt(count));
      drawn.pop();
      left[kind] = count;
    }
  };
  visit(1n);
  return { nets, orderings };
}

const lay = (model: Auditor, bets: readonly Omit<AuditedBet, 'seat' | 'by'>[]): Auditor => {
  model.openRound();
  for (const bet of bets) assert.deepEqual(model.bet({ seat: 1, by: 1, ...bet }), []);
  assert.equal(model.closeBets(), null);
  return model;
};

const UNIT = 1_000;
const byPoints = ['A', ...'23456789']
  .map((rank) => ({ card: `${rank}S`, count: 4 * DECKS }))
  .concat({ card: 'KS', count: 16 * DECKS });
const byRank = [...'A23456789TJQK'].map((rank) => ({ card: `${rank}S`, count: 4 * DECKS }));

test('arts. 13.6, 18, tie: the edges of Bacará over all orders of the cards', () => {
  const kinds = ['player', 'banker', 'tie', ...KNOWN_BETS.map(({ id }) => id)];
  const bets = kinds.map((bet) => ({ bet, amount: UNIT }));
  const options = { authorisedBets: KNOWN_BETS };
  const { nets, orderings } = enumerate(() => lay(baccarat.model(options, 7), bets), byPoints, 6);
  const unit = BigInt(UNIT) * orderings;
  assertFigure('baccarat-6d-banker-he-5pct', -nets.get('banker')!, unit);
  assertFigure('baccarat-6d-player-he', -nets.get('player')!, unit);
  assertFigure('baccarat-6d-tie-he-8to1', -nets.get('tie')!, unit);
  for (const { id } of KNOWN_BETS) assertFigure(`baccarat-6d-${id}-he`, -nets.get(id)!, unit);
});

test('art. 18.2: the edge of Banker without commission, half for a win with six', () => {
  const start = (): Auditor =>
    lay(baccarat.model({ commission: 'none-banker-six-half' }, 7), [{ bet: 'banker', amount: UNIT }]);
  const { nets, orderings } = enumerate(start, byPoints, 6);
  assertFigure('baccarat-6d-banker-he-nocomm-b6half', -nets.get('banker')!, BigInt(UNIT) * orderings);
});

test('pairs: the edge of eleven to one', () => {
  // The bet on a pair is decided by four cards; a round that would go on is called void only after
  // them.
  const start = (): Auditor => {
    const model = lay(baccarat.model({}, 7), [{ bet: 'playerPair', amount: UNIT }]);
    const lines = model.lines.bind(model);
    model.lines = () => {
      if (lines()) return lines();
      if (model.bank().length < 2) return null;
      while (model.due().to !== 'over') model.card('2S');
      return lines();
    };
    return model;
  };
  const { nets, orderings } = enumerate(start, byRank, 4);
  assertFigure('baccarat-6d-pair-he-11to1', -nets.get('playerPair')!, BigInt(UNIT) * orderings);
});

/**
 * A round of war in which a tie is answered with `choice` and the burnt cards are left in the pack:
 * their faces are unknown.
 */
const war = (
  choice: 'goToWar' | 'surrenderWar',
  bets: readonly { bet: string; amount: number }[],
): Auditor => {
  const model = lay(casinoWar.model({}, 7), bets);
  const take = model.card.bind(model);
  model.card = (card) => {
    take(card);
    if (model.due().to === 'decision') assert.deepEqual(model.act({ seat: 1, hand: 0, do: choice }), []);
    while (model.due().to === 'burn') take('2S');
  };
  return model;
};

test('art. 7: the edges of war over all orders of the cards', () => {
  const main = [{ bet: 'main', amount: UNIT }];
  const fought = enumerate(() => war('goToWar', main), byRank, 4);
  assertFigure('war-6d-ev-war', fought.nets.get('main')!, BigInt(UNIT) * fought.orderings);
  const given = enumerate(() => war('surrenderWar', main), byRank, 2);
  assertFigure('war-6d-ev-surrender', given.nets.get('main')!, BigInt(UNIT) * given.orderings);
  const tied = enumerate(() => war('goToWar', [...main, { bet: 'tie', amount: UNIT }]), byRank, 2);
  assertFigure('war-6d-tie-he-10to1', -tied.nets.get('tie')!, BigInt(UNIT) * tied.orderings);
});

/** What one bet of `amount` gives when the shoe yields these cards. */
function netOf(model: Auditor, bet: string, amount: number, cards: readonly string[]): number {
  lay(model, [{ bet, amount }]);
  for (const card of cards) model.card(card);
  while (model.due().to === 'decision')
    assert.deepEqual(model.act({ seat: 1, hand: 0, do: 'surrenderWar' }), []);
  return model.lines()![0]!.net;
}

test('art. 4: ace, king, queen, jack, ten to two in falling order', () => {
  const falling = [...'AKQJT98765432'];
  for (const [mine, player] of falling.entries())
    for (const [theirs, croupier] of falling.entries()) {
      const net = netOf(casinoWar.model({}, 7), 'main', UNIT, [`${player}S`, `${croupier}H`]);
      assert.equal(
        net,
        mine < theirs ? UNIT : mine > theirs ? -UNIT : -UNIT / 2,
        `${player} against ${croupier}`,
      );
    }
});

test('rounding: commission down, half a prize up, half a loss down', () => {
  const odd = { min: 1, step: 1 };
  const bankerSix = ['QS', 'KH', 'KD', '6C', '2S'];
  const half = { ...odd, commission: 'none-banker-six-half' };
  assert.equal(netOf(baccarat.model(odd, 7), 'banker', 30, bankerSix), 29); // 30 less 1.5
  assert.equal(netOf(baccarat.model({ ...odd, commissionRounding: 'up' }, 7), 'banker', 30, bankerSix), 28);
  assert.equal(netOf(baccarat.model(half, 7), 'banker', 31, bankerSix), 16); // 15.5
  assert.equal(netOf(baccarat.model({ ...half, halfRounding: 'down' }, 7), 'banker', 31, bankerSix), 15);
  assert.equal(netOf(casinoWar.model(odd, 7), 'main', 31, ['9S', '9H']), -15); // 15.5
});
