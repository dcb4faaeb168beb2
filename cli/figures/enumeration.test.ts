/**
 * The figures against the reference file, and against a second way that has no cleverness: every
 * ordering of cards is dealt and played from the text of the rules.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { baccaratFigures } from './baccarat.ts';
import { blackjackSideBetFigures } from './blackjack-side-bets.ts';
import { casinoWarFigures } from './casino-war.ts';
import type { Figure } from './figure.ts';
import { decimalText, fractionText, ratio, readRational } from './rational.ts';

const reference = JSON.parse(
  readFileSync(new URL('../../test/data/reference/reference-figures.json', import.meta.url), 'utf8'),
) as (Figure & { readonly decks: number })[];
const GAMES = { baccarat: baccaratFigures, war: casinoWarFigures, bjside: blackjackSideBetFigures };

const byId = (figures: readonly Figure[]) => new Map(figures.map((figure) => [figure.id, figure]));

describe('figures of the reference', () => {
  for (const [game, figuresOf] of Object.entries(GAMES))
    it(`${game}: equal to every digit and fraction`, () => {
      const wanted = reference.filter(({ id }) => id.startsWith(`${game}-`));
      assert.ok(wanted.length >= 10 && wanted.every(({ decks }) => decks === 6));
      const got = byId(figuresOf(6));
      for (const { id, value, exact } of wanted)
        assert.deepEqual(got.get(id), exact === undefined ? { id, value } : { id, value, exact });
    });
});

describe('figures of any deck count', () => {
  for (const [game, figuresOf] of Object.entries(GAMES))
    it(`${game}: the same quantities, fractions reduced, decimals of the fraction`, () => {
      const names = (decks: number) => figuresOf(decks).map(({ id }) => id.replace(`-${decks}d-`, '-Nd-'));
      for (const decks of [1, 2, 5, 12]) {
        assert.deepEqual(names(decks), names(6));
        for (const { id, value, exact } of figuresOf(decks)) {
          if (exact === undefined) continue;
          const read = readRational(exact.replace('-', ''))!.value;
          const signed = exact.startsWith('-') ? ratio(-read.num, read.den) : read;
          assert.equal(fractionText(signed), exact, id);
          assert.equal(decimalText(signed, 15), value, id);
        }
      }
    });
});

/** Compares counted chances with figures: `[good, all]` by the name after the deck count. */
function assertChances(
  figures: readonly Figure[],
  counted: Readonly<Record<string, readonly [number, number]>>,
): void {
  const exact = new Map(figures.map((figure) => [figure.id.replace(/^[a-z]+-\d+d-/, ''), figure.exact]));
  for (const [name, [good, all]] of Object.entries(counted))
    assert.equal(exact.get(name), fractionText(ratio(good, all)), name);
}

/**
 * Baccarat as the table is read out: third card of the Player first, then the Banker by what the
 * Player drew.
 */
function playBaccarat(cards: readonly number[]) {
  let player = (cards[0]! + cards[2]!) % 10;
  let banker = (cards[1]! + cards[3]!) % 10;
  let used = 4;
  let bankerCards = 2;
  const natural = player > 7 || banker > 7;
  if (!natural) {
    let third = -1;
    if (player < 6) {
      third = cards[used++]!;
      player = (player + third) % 10;
    }
    let draws = banker < 6;
    if (third >= 0) {
      if (banker === 3) draws = third !== 8;
      if (banker === 4) draws = third > 1 && third < 8;
      if (banker === 5) draws = third > 3 && third < 8;
      if (banker === 6) draws = third === 6 || third === 7;
    }
    if (draws) {
      banker = (banker + cards[used++]!) % 10;
      bankerCards = 3;
    }
  }
  return { player, banker, used, bankerCards, natural };
}

describe('every ordering', () => {
  for (const decks of [1, 2])
    it(`of six baccarat cards, ${decks} decks`, () => {
      const counted: Record<string, number> = {};
      const add = (name: string, ways: number) => {
        counted[name] = (counted[name] ?? 0) + ways;
      };
      const left = Array.from({ length: 10 }, (_, points) => (points === 0 ? 16 : 4) * decks);
      const cards = [0, 0, 0, 0, 0, 0];
      const deal = (place: number, ways: number): void => {
        if (place === 6) {
          const { player, banker, used, bankerCards, natural } = playBaccarat(cards);
          const winner = player > banker ? 'player' : player < banker ? 'banker' : 'tie';
          add('all', ways);
          add(winner === 'tie' ? 'tie' : `${winner}-win`, ways);
          add(`${{ player: 'pwin', banker: 'bwin', tie: 'tie' }[winner]}-${Math.max(player, banker)}`, ways);
          add(`cards${used}`, ways);
          if (natural) add('natural', ways);
          if (winner === 'player' && player === 7) {
            const playerCards = used - bankerCards;
            add('lucky7', ways * (playerCards === 2 ? 7 : 16));
            const prize =
              ({ '33': 101, '32': 41, '22': 31 } as Readonly<Record<string, number>>)[
                `${playerCards}${bankerCards}`
              ] ?? 0;
            add('superLucky7', banker === 6 ? ways * prize : 0);
          }
          if (winner === 'banker' && banker === 6) {
            add('banker-win-6', ways);
            add(`banker-win-6-${bankerCards}c`, ways);
          }
          add('used', ways * used);
          return;
        }
        for (let points = 0; points < 10; points++) {
          const here = left[points]!;
          if (here === 0) continue;
          left[points] = here - 1;
          cards[place] = points;
          deal(place + 1, ways * here);
          left[points] = here;
        }
      };
      deal(0, 1);
      const all = counted['all']!;
      const figures = baccaratFigures(decks);
      const [banker, player, tie, six] = ['banker-win', 'player-win', 'tie', 'banker-win-6'].map(
        (name) => counted[name]!,
      ) as [number, number, number, number];
      assertChances(figures, {
        ...Object.fromEntries(
          Object.entries(counted)
            .filter(([name]) => !['all', 'used', 'lucky7', 'superLucky7'].includes(name))
            .map(([name, ways]) => [name, [ways, all]]),
        ),
        'mean-cards': [counted['used']!, all],
        'lucky7-he': [all - counted['lucky7']!, all],
        'superLucky7-he': [all - counted['superLucky7']!, all],
        'banker-he-5pct': [20 * player - 19 * banker, 20 * all],
        'banker-he-nocomm-b6half': [2 * player - 2 * (banker - six) - six, 2 * all],
        'player-he': [banker - player, all],
        'tie-he-8to1': [all - 9 * tie, all],
        'tie-he-9to1': [all - 10 * tie, all],
        'lucky6-he-12-20': [all - 13 * counted['banker-win-6-2c']! - 21 * counted['banker-win-6-3c']!, all],
      });
      assert.equal(
        byId(figures).get(`baccarat-${decks}d-combos`)?.value,
        `${banker}/${player}/${tie}/${all}`,
      );
    });

  for (const decks of [1, 2])
    it(`of the cards of a challenge, ${decks} decks`, () => {
      const shoe = Array.from({ length: 52 * decks }, (_, card) => card % 13);
      const n = { all: 0, win: 0, tie: 0, warAll: 0, warWin: 0, warTie: 0 };
      let [net2, net2NoBonus, net2Literal] = [0, 0, 0];
      shoe.forEach((player, i) => {
        shoe.forEach((bank, j) => {
          if (j === i) return;
          n.all++;
          if (player > bank) n.win++;
          if (player !== bank) return;
          n.tie++;
          shoe.forEach((second, k) => {
            if (k === i || k === j) return;
            shoe.forEach((bankSecond, l) => {
              if (l === i || l === j || l === k) return;
              n.warAll++;
              if (second > bankSecond) n.warWin++;
              if (second === bankSecond) n.warTie++;
              net2 += second > bankSecond ? 1 : second < bankSecond ? -2 : 2;
              net2NoBonus += second >= bankSecond ? 1 : -2;
              net2Literal += second > bankSecond ? 3 : second < bankSecond ? -2 : 4;
            });
          });
        });
      });
      const after = (52 * decks - 2) * (52 * decks - 3);
      const first = n.win - (n.all - n.win - n.tie);
      assertChances(casinoWarFigures(decks), {
        win: [n.win, n.all],
        tie: [n.tie, n.all],
        'war-win': [n.warWin, n.warAll],
        'war-tie': [n.warTie, n.warAll],
        'ev-war': [first * after + net2, n.all * after],
        'ev-war-nobonus': [first * after + net2NoBonus, n.all * after],
        'ev-war-literal-pot3': [first * after + net2Literal, n.all * after],
        'ev-surrender': [2 * first - n.tie, 2 * n.all],
        'element-of-risk-bet': [n.all + n.tie, n.all],
        'tie-he-10to1': [n.all - 11 * n.tie, n.all],
      });
    });

  for (const decks of [1, 2])
    it(`of three cards for the side bets, ${decks} decks`, () => {
      const shoe = Array.from({ length: 52 * decks }, (_, card) => ({
        name: 'A23456789TJQK'[card % 13]!,
        suit: 'SHDC'[Math.floor(card / 13) % 4]!,
      }));
      const n: Record<string, number> = {};
      const add = (name: string, ways: number) => {
        n[name] = (n[name] ?? 0) + ways;
      };
      const pips = (name: string, ace: number): number =>
        name === 'A' ? ace : 'TJQK'.includes(name) ? 10 : Number(name);
      const colour = (suit: string) => ('SC'.includes(suit) ? 'black' : 'red');
      let all = 0;
      for (const a of shoe)
        for (const b of shoe)
          for (const c of shoe) {
            if (a === b || a === c || b === c) continue;
            all++;
            const pair = a.name === b.name;
            const kind =
              a.suit === b.suit ? 'perfect' : colour(a.suit) === colour(b.suit) ? 'colour' : 'mixed';
            if (pair) add(`pp-${kind}`, 1);
            if (pair) add('anypair', 1);
            add('pp-he', pair ? -{ perfect: 25, colour: 12, mixed: 5 }[kind] : 1);
            add('anypair-he', pair ? -11 : 1);
            const low = pips(a.name, 1) + pips(b.name, 1);
            const high = pips(a.name, 11) + pips(b.name, 11);
            for (const [ace, forOver, forUnder] of [
              ['ace1', low, low],
              ['ace11', high, high],
              ['best', high, low],
            ] as const) {
              if (forOver > 13) add(`over13-p-${ace}`, 1);
              if (forUnder < 13) add(`under13-p-${ace}`, 1);
              add(`over13-he-${ace}`, forOver > 13 ? -1 : 1);
              add(`under13-he-${ace}`, forUnder < 13 ? -1 : 1);
            }
            const names = [a, b, c]
              .map(({ name }) => name)
              .sort()
              .join('');
            const suits = new Set([a.suit, b.suit, c.suit]).size;
            const sevens = pair && a.name === '7';
            const two = sevens ? (a.suit === b.suit ? 150 : 50) : null;
            if (two !== null) add(two === 150 ? 'sevens-2-suited' : 'sevens-2-offsuit', 1);
            add('sevens-he-nosplit', two === null ? 1 : -two);
            const three = names === '777';
            if (three) add('sevens-3-any', 1);
            if (three) add('777-3cards', 1);
            if (three && suits === 1) add('sevens-3-suited', 1);
            if (three && suits === 3) add('sevens-3-alldifferent', 1);
            const loose = three ? (suits === 1 ? 5000 : 500) : two;
            const strict = three ? { 1: 5000, 2: 150, 3: 500 }[suits]! : two;
            add('sevens-he-split-3mixed500', loose === null ? 1 : -loose);
            add('sevens-he-split-strict', strict === null ? 1 : -strict);
            if (names === '678') add('678-any-3cards', 1);
            if (names === '678' && suits === 1) add('678-suited-3cards', 1);
            if (high === 21) add('natural', 1);
            // Insurance: the dealer's ace is the first of the three, their second card the next
            // one.
            if (a.name === 'A') {
              add('insured', 1);
              add('insurance-net', pips(b.name, 1) === 10 ? -2 : 1);
            }
          }
      const { insured, 'insurance-net': net, ...rest } = n;
      const figures = blackjackSideBetFigures(decks);
      assertChances(figures, {
        ...Object.fromEntries(Object.entries(rest).map(([name, ways]) => [name, [ways, all]])),
        'insurance-he': [net!, insured!],
      });
      // Nothing was compared less than there is; what so few decks cannot have is nothing
      // (a pair of one suit in one deck, three sevens of one suit in one or two).
      const missing = figures
        .filter(({ id }) => !(id.replace(/^bjside-\d+d-/, '') in rest) && !/insurance/.test(id))
        .map(({ exact }) => exact);
      assert.deepEqual(missing, decks === 1 ? ['0/1', '0/1', '0/1'] : ['0/1']);
    });

  for (const decks of [1, 2])
    it(`of the dealer's second card beside a player's natural, ${decks} decks`, () => {
      const shoe = Array.from({ length: 52 * decks }, (_, card) => Math.min((card % 13) + 1, 10));
      let [all, net] = [0, 0];
      shoe.forEach((a, i) => {
        shoe.forEach((b, j) => {
          if (i === j || a !== 1 || b !== 10) return;
          shoe.forEach((up, k) => {
            if (k === i || k === j || up !== 1) return;
            shoe.forEach((second, l) => {
              if (l === i || l === j || l === k) return;
              all++;
              net += second === 10 ? -2 : 1;
            });
          });
        });
      });
      assertChances(blackjackSideBetFigures(decks), { 'insurance-he-bj': [net, all] });
    });
});
