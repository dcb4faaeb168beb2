/**
 * Black jack against the reference, and against a round played card by card through every order of
 * a small shoe.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { blackjackFigures, blackjackRound } from './blackjack.ts';
import type { Law } from './blackjack-law.ts';
import type { Quantity } from './blackjack-up.ts';
import { type Against, readStrategies, type Strategy } from './strategy-file.ts';

const read = (name: string): string =>
  readFileSync(new URL(`../../test/data/reference/${name}`, import.meta.url), 'utf8');
const strategies = readStrategies(read('reference-strategies.json'));
const named = (id: string): Strategy => strategies.find((strategy) => strategy.id === id)!;
const reference = JSON.parse(read('reference-figures.json')) as {
  readonly id: string;
  readonly value: string;
}[];

/**
 * Those that between them have every rule: resplit aces, five hands, twelve hands, five cards,
 * peek, soft 17, no split.
 */
const SHOWN = [
  'macau-wizard-rsa',
  'macau-wizard-standard',
  'macau2009-nohole-h17-obo-5card',
  'macau2009-hole-h17A6-peek-5card',
  'portugal',
  'streak-nosplit-s17-enhc',
];

describe('black jack of the reference', () => {
  for (const id of SHOWN)
    it(`${id}: equal to every digit`, () => {
      const got = blackjackFigures(named(id), 6);
      const wanted = reference.filter((figure) => figure.id.startsWith(`bj-${id}-6d-`));
      assert.deepEqual(
        [...got].sort((a, b) => (a.id < b.id ? -1 : 1)),
        wanted.map(({ id, value }) => ({ id, value })).sort((a, b) => (a.id < b.id ? -1 : 1)),
      );
    });

  it('holds at other deck counts', () => {
    // Published beside the reference: the same strategies at eight decks, and at four for Portugal.
    const ev = (id: string, decks: number) => blackjackFigures(named(id), decks)[0];
    assert.deepEqual(ev('us-s17-das', 8), { id: 'bj-us-s17-das-8d-ev', value: '-0.00432682101536' });
    assert.deepEqual(ev('portugal', 4), { id: 'bj-portugal-4d-ev', value: '-0.00257258310130' });
  });
});

/** Ranks of a shoe small enough to play every order of it; each rule below still comes up in it. */
const SMALL: readonly (readonly [rank: number, count: number])[] = [
  [1, 4],
  [3, 3],
  [6, 2],
  [8, 4],
  [10, 5],
];
const shoeOf = (ranks: typeof SMALL): number[] =>
  ranks.reduce((shoe, [rank, count]) => shoe.with(rank, count), Array<number>(11).fill(0));
const small = shoeOf(SMALL);

const digits = (length: number, ...ones: readonly number[]): string =>
  Array.from({ length }, (_, at) => (ones.includes(at) ? '1' : '0')).join('');
const upTo = (total: number) => digits(22, ...Array.from({ length: total + 1 }, (_, n) => n));
const hit = { hard: upTo(11), soft: upTo(14) };
const against: Against = {
  hit: { '2': hit, '3': hit, '4': hit, '5': hit, '6+': hit },
  double: { hard: digits(22, 9, 11), soft: digits(22, 14) },
  surrender: { hard: digits(22, 16, 18), soft: digits(22) },
  takeHalfAtFiveCards: { hard: upTo(17), soft: upTo(20) },
  split: digits(11, 1, 3, 8),
  surrenderPair: digits(11, 6, 10),
};
const strategyOf = (rules: Partial<Strategy['rules']>): Strategy => ({
  id: 'small',
  rules: {
    ...{ decks: 1, h17: 'stand on soft 17', hole: 'ENHC:', das: 1, maxHands: 3, resplitAces: 1, noSplit: 0 },
    ...rules,
  },
  strategy: Object.fromEntries([...'A23456789T'].map((up) => [up, against])) as Strategy['strategy'],
});

const sum = (cards: readonly number[]) => {
  const hard = cards.reduce((a, b) => a + b, 0);
  const soft = cards.includes(1) && hard < 12;
  return { total: soft ? hard + 10 : hard, kind: soft ? 'soft' : 'hard' } as const;
};
const yes = (table: Against['double'], cards: readonly number[]): boolean => {
  const { total, kind } = sum(cards);
  return table[kind][total] === '1';
};

interface Hand {
  readonly cards: readonly number[];
  readonly stake: number;
  readonly half: boolean;
}

type Counted = Exclude<Quantity, 'splitPlayed' | 'splitEv' | 'splitPrize' | 'laterPairs' | 'slack'>;

/** One round after the other, every card drawn when the dealer would draw it. */
function playEveryRound(
  { rules, strategy }: Strategy,
  law: Law | null = null,
  ranks: typeof SMALL = SMALL,
): Record<Counted, number> & {
  results: Map<number, number>;
} {
  const result = {
    ev: 0,
    split: 0,
    surr: 0,
    double: 0,
    hands: 0,
    p678: 0,
    p777: 0,
    win: 0,
    lose: 0,
    push: 0,
    prize: 0,
    results: new Map<number, number>(),
  };
  const { against, hit } = { against: strategy.T, hit: strategy.T.hit['2'] };
  const left = shoeOf(ranks);
  let size = left.reduce((a, b) => a + b);
  const draw = (p: number, then: (card: number, p: number) => void): void => {
    assert.ok(size > 0, 'the shoe is long enough');
    for (const [rank] of ranks) {
      const count = left[rank]!;
      if (count === 0) continue;
      const chance = (p * count) / size;
      left[rank] = count - 1;
      size--;
      then(rank, chance);
      size++;
      left[rank] = count;
    }
  };

  const addResult = (net: number, p: number): void => {
    result.results.set(net, (result.results.get(net) ?? 0) + p);
  };
  const settle = (hands: readonly Hand[], dealer: readonly number[], p: number): void => {
    const bank = sum(dealer).total;
    const natural = dealer.length === 2 && bank === 21;
    let net = 0;
    let isLost = false;
    let worth = 0;
    hands.forEach(({ cards, stake, half }, index) => {
      const mine = sum(cards).total;
      const won = law?.prize && cards.length === 3 && cards.every((card) => card === 7) ? 1 : 0;
      if (won > 0) worth += 3 * (law!.prize!.base === 'stake' ? stake : 1);
      if (won > 0 && law!.prize!.closesHand) return;
      if (half) net += 0.5;
      else if (law && natural && mine > 21 && law.bustsLost) net -= stake;
      else if (law && natural && hands.length > 1 && law.splitLoses === 'originalOfFirstLeft') {
        net -= isLost ? 0 : 1;
        isLost = true;
      } else if (law && natural && hands.length === 1) net -= law.doubledLoses === 'original' ? 1 : stake;
      else if (law && natural) net -= law.doubledSplitLoses === 'original' ? 1 : stake;
      else if (natural && rules.hole === 'OBO:') net -= index === 0 ? 1 : 0;
      else if (natural || mine > 21) net -= stake;
      else if (bank > 21 || mine > bank) net += stake;
      else if (mine < bank) net -= stake;
    });
    result.ev += p * net;
    result.prize += p * worth;
    if (hands.length === 1) addResult(net + worth, p);
    result.hands += p * (hands.length - 1);
    if (hands.length === 1 && hands[0]!.stake === 2) result.double += p;
    if (rules.noSplit === 1) result[net > 0 ? 'win' : net < 0 ? 'lose' : 'push'] += p;
  };
  const dealerPlays = (hands: readonly Hand[], dealer: readonly number[], p: number): void => {
    const { total, kind } = sum(dealer);
    const again =
      rules.h17 === 'hit every soft 17' || (rules.h17 !== 'stand on soft 17' && dealer.length === 2);
    if (total < 17 || (total === 17 && kind === 'soft' && again))
      draw(p, (card, q) => dealerPlays(hands, [...dealer, card], q));
    else settle(hands, dealer, p);
  };
  /** Plays the hands from left to right; a hand of one card gets its second first. */
  const playHand = (hands: readonly Hand[], at: number, dealer: readonly number[], p: number): void => {
    const hand = hands[at];
    if (!hand) return dealerPlays(hands, dealer, p);
    const { cards } = hand;
    const wasSplit = hands.length > 1;
    const become = (next: Hand) => hands.with(at, next);
    if (cards.length === 1)
      return draw(p, (card, q) => playHand(become({ ...hand, cards: [...cards, card] }), at, dealer, q));
    const [first, second] = cards;
    const maxHands = first === 1 && rules.resplitAces === 0 ? 2 : rules.maxHands;
    if (
      cards.length === 2 &&
      first === second &&
      rules.noSplit === 0 &&
      against.split[first!] === '1' &&
      hands.length < maxHands
    ) {
      if (!wasSplit) result.split += p;
      const one: Hand = { cards: [first!], stake: 1, half: false };
      return playHand(hands.toSpliced(at, 1, one, one), at, dealer, p);
    }
    if (wasSplit && first === 1) return playHand(hands, at + 1, dealer, p);
    if (cards.length === 2 && (!wasSplit || rules.das === 1) && yes(against.double, cards))
      return draw(p, (card, q) =>
        playHand(become({ ...hand, cards: [...cards, card], stake: 2 }), at + 1, dealer, q),
      );
    if (cards.length === 5 && sum(cards).total < 22 && yes(against.takeHalfAtFiveCards, cards))
      return playHand(become({ ...hand, half: true }), at + 1, dealer, p);
    if (sum(cards).total < 22 && yes(hit, cards))
      return draw(p, (card, q) => playHand(become({ ...hand, cards: [...cards, card] }), at, dealer, q));
    playHand(hands, at + 1, dealer, p);
  };

  const end = (p: number, net: number): void => {
    result.ev += p * net;
    addResult(net, p);
    if (rules.noSplit === 1) result[net > 0 ? 'win' : net < 0 ? 'lose' : 'push'] += p;
  };
  const decide = (cards: readonly [number, number], dealer: readonly number[], p: number): void => {
    const mine = sum(cards).total;
    if (mine === 21 && dealer.length === 2) return end(p, sum(dealer).total === 21 ? 0 : 1.5);
    if (mine === 21) return draw(p, (card, q) => end(q, sum([...dealer, card]).total === 21 ? 0 : 1.5));
    const surrenders =
      cards[0] === cards[1] ? against.surrenderPair[cards[0]] === '1' : yes(against.surrender, cards);
    if (surrenders) result.surr += p;
    if (dealer.length === 2 && sum(dealer).total === 21) {
      // The reference counts what the player would have done although the dealer's natural came
      // first.
      if (!surrenders && cards[0] === cards[1] && rules.noSplit === 0 && against.split[cards[0]] === '1') {
        result.split += p;
        playHandsOnly(cards, p);
        addResult(-1, p);
        result.ev -= p;
        return;
      }
      if (!surrenders && yes(against.double, cards)) result.double += p;
      return end(p, -1);
    }
    if (surrenders) return end(p, -0.5);
    playHand([{ cards, stake: 1, half: false }], 0, dealer, p);
  };
  /** Only how many hands a split would have become. */
  const playHandsOnly = (cards: readonly [number, number], p: number, pending = 2, hands = 2): void => {
    const maxHands = cards[0] === 1 && rules.resplitAces === 0 ? 2 : rules.maxHands;
    if (pending === 0 || hands === maxHands) {
      result.hands += p * (hands - 1);
      return;
    }
    draw(p, (card, q) => {
      const more = card === cards[0] ? 1 : 0;
      playHandsOnly(cards, q, pending + (more ? 1 : -1), hands + more);
    });
  };

  draw(1, (a, p1) =>
    draw(p1, (up, p2) =>
      draw(p2, (b, p3) => {
        if (rules.hole === 'PEEK:') draw(p3, (hole, p4) => decide([a, b], [up, hole], p4));
        else decide([a, b], [up], p3);
      }),
    ),
  );
  return { ...result, hands: 1 + result.hands };
}

describe('every order of a small shoe', () => {
  const cases: readonly Partial<Strategy['rules']>[] = [
    {},
    { hole: 'OBO:', h17: 'hit every soft 17' },
    { hole: 'PEEK:', h17: 'hit only ace+6 in two cards' },
    { maxHands: 2, das: 0 },
    { hole: 'OBO:', resplitAces: 0, maxHands: 4 },
    { hole: 'PEEK:', noSplit: 1 },
    { hole: 'OBO:', noSplit: 1, maxHands: 1 },
  ];
  for (const rules of cases)
    it(JSON.stringify(rules), () => {
      const strategy = strategyOf(rules);
      const got = blackjackRound(strategy, small);
      const wanted = playEveryRound(strategy);
      const compared: Counted[] = ['ev', 'split', 'surr', 'double', 'hands'];
      if (rules.noSplit === 1) compared.push('win', 'lose', 'push');
      for (const name of compared)
        assert.ok(
          Math.abs(got[name] - wanted[name]!) < 1e-12,
          `${name}: ${got[name]} against ${wanted[name]}`,
        );
    });
});

/** Sevens for the prize, and aces and tens for the bank's natural. */
const SEVENS: typeof SMALL = [
  [1, 3],
  [2, 3],
  [7, 4],
  [8, 3],
  [10, 4],
];

describe("every order of a small shoe under a table's law", () => {
  const table: Law = {
    h17: 'stand on soft 17',
    peeks: false,
    doubledLoses: 'original',
    doubledSplitLoses: 'original',
    splitLoses: 'originalOfFirstLeft',
    bustsLost: false,
    prize: null,
    maxHands: 3,
    resplitsAces: true,
  };
  const bonus = { closesHand: false, base: 'stake' } as const;
  const closing = { closesHand: true, base: 'original' } as const;
  const cases: readonly (readonly [Partial<Law>, typeof SMALL, ...pairs: number[]])[] = [
    [{}, SMALL, 1, 3, 8],
    [{ bustsLost: true, maxHands: 2 }, SMALL, 1, 3, 8],
    [{ bustsLost: true }, SMALL, 1, 3, 8],
    [{ splitLoses: 'all', doubledSplitLoses: 'all', bustsLost: true }, SMALL, 1, 3, 8],
    [{ splitLoses: 'all', doubledLoses: 'all' }, SMALL, 1, 3, 8],
    [{ prize: bonus }, SEVENS, 1, 2],
    [{ prize: closing, bustsLost: true, maxHands: 2 }, SEVENS, 7, 8],
  ];
  for (const [more, ranks, ...pairs] of cases)
    it(JSON.stringify(more), () => {
      const law = { ...table, ...more };
      const all = { hard: upTo(14), soft: upTo(17) };
      // Draws much, so that hands of five cards and busts come up; splits, and doubles fourteen.
      const eager: Against = {
        ...against,
        hit: { '2': all, '3': all, '4': all, '5': all, '6+': all },
        split: digits(11, ...pairs),
        surrender: { hard: digits(22, 18), soft: digits(22) },
        double: { hard: digits(22, 9, 15), soft: digits(22) },
      };
      const strategy: Strategy = {
        ...strategyOf({ hole: 'OBO:', maxHands: law.maxHands }),
        strategy: Object.fromEntries([...'A23456789T'].map((up) => [up, eager])) as Strategy['strategy'],
      };
      const got = blackjackRound(strategy, shoeOf(ranks), law);
      const wanted = playEveryRound(strategy, law, ranks);
      // Three hands that may all be bust are more than are put together: what is left open is said.
      if (law.bustsLost && law.maxHands > 2 && law.splitLoses !== 'all') assert.ok(got.slack > 0);
      else assert.equal(got.slack, 0);
      assert.ok(wanted['ev']! > got.ev - 1e-12 && wanted['ev']! < got.ev + got.slack + 1e-12);
      for (const name of ['prize', 'split', 'hands'] as const)
        assert.ok(
          Math.abs(got[name] - wanted[name]!) < 1e-12,
          `${name}: ${got[name]} against ${wanted[name]}`,
        );
      if (law.prize) assert.ok(got.prize > 1e-4);
      const results = [...wanted.results].sort(([a], [b]) => a - b);
      assert.deepEqual(
        got.results.map(({ net }) => net),
        results.map(([net]) => net),
      );
      for (const [i, { net, chance }] of got.results.entries())
        assert.ok(Math.abs(chance - results[i]![1]) < 1e-12, `${net}: ${chance} against ${results[i]![1]}`);
      const together = got.results.reduce((sum, { chance }) => sum + chance, got.splitPlayed);
      assert.ok(Math.abs(together - 1) < 1e-12, `together ${together}`);
    });
});

describe('a strategy file', () => {
  it('that is wrong is refused with the place', () => {
    const list = JSON.parse(read('reference-strategies.json')) as {
      strategy: Record<string, { split: string }>;
    }[];
    assert.equal(readStrategies(JSON.stringify(list[0])).length, 1);
    list[1]!.strategy['T']!.split = '0120';
    assert.throws(
      () => readStrategies(JSON.stringify(list)),
      /^Error: strategy 1\.strategy\.T\.split: 11 digits/,
    );
    delete list[0]!.strategy['A'];
    assert.throws(() => readStrategies(JSON.stringify(list)), /^Error: strategy 0\.strategy\.A: /);
    assert.throws(() => readStrategies('[]'), /^Error: strategy /);
    assert.throws(() => readStrategies('{'), SyntaxError);
  });
});
