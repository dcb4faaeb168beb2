import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { describe, it } from 'node:test';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { type Card, parseCard } from '../../core/cards.ts';
import { shuffledShoe } from '../../core/shoe.ts';
import { thirdCardDue } from './drawing.ts';
import {
  type Cell,
  type Colour,
  type Coup,
  coupOf,
  type DerivedRoad,
  hasBankerPair,
  hasPlayerPair,
  outlivedCoups,
  ROAD_ROWS,
  roadsOf,
  winnerOf,
} from './roads.ts';

const SHOES = 100_000;
const SEED = Number(process.env['BANCA_SEED'] ?? randomInt(1, 1_000_000));

/** Coups of P, B and T. */
const coups = (text: string): Coup[] => [...text].map((letter) => 'TPB'.indexOf(letter));
const colours = (marks: readonly { readonly colour: Colour }[]): string =>
  marks.map(({ colour }) => (colour === 'red' ? 'r' : 'b')).join('');

describe('roads of baccarat', () => {
  it('a coup keeps its winner and its pairs', () => {
    const [ace, otherAce, five, six] = [0, 13, 4, 5] as Card[];
    assert.deepEqual(roadsOf([coupOf([ace!, otherAce!], [five!, six!])]).big, [
      { column: 0, row: 0, side: 'player', ties: 0, playerPair: true, bankerPair: false },
    ]);
    assert.deepEqual(roadsOf([coupOf([five!, six!], [otherAce!, ace!])]).big, [
      { column: 0, row: 0, side: 'banker', ties: 0, playerPair: false, bankerPair: true },
    ]);
  });

  it('a coup keeps each winner with each pair beside it, a tie too', () => {
    const [king, queen, nine, eight, four, otherFour] = ['KS', 'QS', '9H', '8H', '4D', '4C'].map(
      (name) => parseCard(name)!,
    ) as [Card, Card, Card, Card, Card, Card];
    const pair = [four, otherFour];
    const noPair = [king, eight];
    const told = (playerSide: readonly Card[], bank: readonly Card[]): unknown[] => {
      const coup = coupOf(playerSide, bank);
      return [winnerOf(coup), hasPlayerPair(coup), hasBankerPair(coup)];
    };
    assert.deepEqual(told(pair, pair), [null, true, true]);
    assert.deepEqual(told(noPair, pair), [null, false, true]);
    assert.deepEqual(told(pair, noPair), [null, true, false]);
    assert.deepEqual(told(noPair, noPair), [null, false, false]);
    assert.deepEqual(told([king, nine], pair), ['player', false, true]);
    assert.deepEqual(told(pair, [king, nine]), ['banker', true, false]);
    assert.deepEqual(told([king, queen], noPair), ['banker', false, false]);
  });

  it('bead road: every coup, ties too, six to a column', () => {
    const { bead, count } = roadsOf(coups('BPTBBPP'));
    assert.deepEqual(
      bead.map(({ column, row }) => [column, row]),
      [
        [0, 0],
        [0, 1],
        [0, 2],
        [0, 3],
        [0, 4],
        [0, 5],
        [1, 0],
      ],
    );
    assert.deepEqual(count, { banker: 3, player: 3, tie: 1 });
    assert.deepEqual(roadsOf(coups('BTB')).count, { banker: 2, player: 0, tie: 1 });
  });

  it('big road: a tie marks the last win, ties at the head of a shoe the first', () => {
    const { big } = roadsOf(coups('TTBTBPT'));
    assert.deepEqual(
      big.map(({ column, row, side, ties }) => [column, row, side, ties]),
      [
        [0, 0, 'banker', 3],
        [0, 1, 'banker', 0],
        [1, 0, 'player', 1],
      ],
    );
    assert.deepEqual(
      roadsOf(coups('TT')).big.map(({ side, ties }) => [side, ties]),
      [[null, 2]],
    );
  });

  it('big road: a long run bends at the floor, the next one above its tail', () => {
    const { big } = roadsOf(coups('BBBBBBBBPPPPPPP'));
    assert.deepEqual(
      big.map(({ column, row }) => `${column}${row}`).join(' '),
      '00 01 02 03 04 05 15 25 10 11 12 13 14 24 34',
    );
  });

  it('derived roads begin below the second column of what they look back on, or at the next', () => {
    const { derived, ask } = roadsOf(coups('BBPPBPP'));
    // big eye: (2,2) looks at (1,2): red; (3,1) compares columns 1 and 2: red; (4,1) columns 2 and
    // 3: blue; (4,2): blue
    assert.equal(colours(derived.bigEye), 'rrbb');
    assert.equal(colours(derived.small), 'br');
    assert.equal(colours(derived.cockroach), 'r');
    assert.deepEqual(ask.banker, { bigEye: 'blue', small: 'red', cockroach: 'red' });
    assert.equal(roadsOf([]).ask.player.bigEye, null);
  });

  it(`derived roads, their asking, and all places equal another implementation on 100,000 random shoes (seed ${SEED})`, () => {
    const shoes = randomShoes();
    let marks = 0;
    for (let n = 1; n <= SHOES; n += 1) marks += compare(shoes.next().value, `shoe ${n} of seed ${SEED}`);
    assert.ok(marks > SHOES * 100);
  });

  it('so they do at every beginning of a shoe, and where runs bend in the way of each other up to the top row', () => {
    let begun: Coup[][] = [[]];
    for (let length = 1; length <= 8; length += 1) {
      begun = begun.flatMap((shoe) => [PLAYER, BANKER].map((winner) => [...shoe, winner]));
      for (const shoe of begun) compare(shoe, 'a beginning');
    }
    for (let length = 5; length <= 14; length += 1) {
      const runs = Array.from({ length: 10 }, (_, run) =>
        Array<Coup>(length).fill(run % 2 ? BANKER : PLAYER),
      );
      compare(runs.flat(), `runs of ${length}`);
    }
  });
});

const [PLAYER, BANKER] = [1, 2];
const BACK = [
  ['bigEye', 1],
  ['small', 2],
  ['cockroach', 3],
] as const satisfies [DerivedRoad, number][];

/** All roads of a shoe, and what they are asked: how many marks the derived ones have. */
function compare(shoe: readonly Coup[], name: string): number {
  const roads = roadsOf(shoe);
  const wins: number[] = [];
  for (const coup of shoe) if (coup % 3 > 0) wins.push(coup % 3);
  let marks = 0;
  let same = sameCells(roads.big, places(wins.length > 0 ? wins : shoe.slice(0, 1)));
  for (const [road, back] of BACK) {
    const expected = byTheBook(wins, back);
    const found = roads.derived[road];
    same &&= sameCells(found, places(expected.marks), expected.marks);
    same &&= roads.ask.banker[road] === expected.ask.banker;
    same &&= roads.ask.player[road] === expected.ask.player;
    marks += expected.marks.length;
  }
  if (!same) assert.fail(`${name}: ${shoe.join(' ')}`);
  return marks;
}

/** As many, in the same cells, and of these colours where they have some. */
function sameCells(
  found: readonly (Cell & { readonly colour?: Colour })[],
  cells: readonly number[],
  colours: readonly Colour[] | null = null,
): boolean {
  if (found.length !== cells.length) return false;
  for (let i = 0; i < cells.length; i += 1) {
    const { column, row, colour } = found[i]!;
    if (column * ROAD_ROWS + row !== cells[i] || (colours !== null && colour !== colours[i])) return false;
  }
  return true;
}

/**
 * The rule as casinos print it. The last icon is on row m of column n, from 1. m >= 2: compare with
 * column n-k of p icons: none there = no icon, m <= p red, m = p+1 blue, m > p+1 red. m = 1: as if
 * the other side had won, and the answer turned. `ask`: what it would say to each side's next win.
 */
function byTheBook(wins: readonly number[], k: number) {
  const columns: number[] = [];
  const marks: Colour[] = [];
  const rule = (m: number, n: number): Colour | null => {
    const p = columns[n - k - 1];
    return p === undefined ? null : m === p + 1 ? 'blue' : 'red';
  };
  const turned = { blue: 'red', red: 'blue' } as const;
  /** Of one more win, on the same side as the last one or not. */
  const say = (same: boolean): Colour | null => {
    if (columns.length === 0) return null;
    const answer = rule(columns.at(-1)! + 1, columns.length);
    return same || answer === null ? answer : turned[answer];
  };
  for (let i = 0; i < wins.length; i += 1) {
    const same = wins[i] === wins[i - 1];
    const mark = say(same);
    if (mark !== null) marks.push(mark);
    if (same) columns.push(columns.pop()! + 1);
    else columns.push(1);
  }
  return { marks, ask: { banker: say(wins.at(-1) === BANKER), player: say(wins.at(-1) === PLAYER) } };
}

/** Run by run: as far down as there is room, the rest to the right; a cell as one number. */
function places(values: readonly unknown[]): number[] {
  const paper: boolean[] = [];
  const found: number[] = [];
  let column = 0;
  for (let i = 0; i < values.length; ) {
    let length = 1;
    while (values[i + length] === values[i] && i + length < values.length) length += 1;
    while (paper[column * ROAD_ROWS]) column += 1;
    let room = 1;
    while (room < Math.min(length, ROAD_ROWS) && !paper[column * ROAD_ROWS + room]) room += 1;
    for (let j = 0; j < length; j += 1) {
      const cell = j < room ? column * ROAD_ROWS + j : (column + 1 + j - room) * ROAD_ROWS + room - 1;
      paper[cell] = true;
      found.push(cell);
    }
    column += 1;
    i += length;
  }
  return found;
}

/**
 * Coups of whole shoes of eight decks by the drawing rule, one shoe after another. The pack is
 * shuffled as it lies, by a generator of few steps: a hundred thousand of them take a second.
 */
function* randomShoes(): Generator<readonly Coup[], never> {
  const pack = Uint8Array.from(shuffledShoe(8, SEED));
  let random = SEED | 1;
  for (;;) {
    for (let last = pack.length - 1; last > 0; last -= 1) {
      random ^= random << 13;
      random ^= random >>> 17;
      random ^= random << 5;
      const other = Math.floor(((random >>> 0) / 2 ** 32) * (last + 1));
      const card = pack[last]!;
      pack[last] = pack[other]!;
      pack[other] = card;
    }
    let dealt = 0;
    const draw = (): Card => pack[dealt++]! as Card;
    const made: Coup[] = [];
    while (dealt < pack.length - 20) {
      const player = [draw(), draw()];
      const bank = [draw(), draw()];
      for (let due = thirdCardDue(player, bank); due !== null; due = thirdCardDue(player, bank))
        (due === 'bank' ? bank : player).push(draw());
      made.push(coupOf(player, bank));
    }
    yield made;
  }
}

describe('the roads of a shuffler', () => {
  /** As a table keeps them. */
  const keep = (kept: readonly Coup[], coup: Coup): Coup[] => [
    ...kept.slice(outlivedCoups(kept.length)),
    coup,
  ];
  /** Marks of the last columns, columns counted from the end. */
  const end = <T extends Cell>(marks: readonly T[], columns: number): T[] => {
    const last = Math.max(...marks.map(({ column }) => column));
    return marks
      .filter(({ column }) => column > last - columns)
      .map((mark) => ({ ...mark, column: last - mark.column }));
  };

  it('lose nothing within the longest shoe there is: twelve packs, four cards a round', () => {
    for (let count = 0; count <= 156; count += 1) assert.equal(outlivedCoups(count), 0);
  });

  it('end after thousands of rounds as they would with all of them, on every board, and ask the same', () => {
    const random = xoroshiro128plus(38);
    let [kept, all]: [Coup[], Coup[]] = [[], []];
    let most = 0;
    for (let i = 0; i < 5_000; i += 1) {
      const drawn = uniformInt(random, 0, 99);
      const coup = drawn < 46 ? 2 : drawn < 91 ? 1 : 0;
      all = [...all, coup];
      kept = keep(kept, coup);
      most = Math.max(most, kept.length);
      if (i % 37 !== 0 || i === 0) continue;
      const [one, other] = [roadsOf(kept), roadsOf(all)];
      assert.deepEqual(end(one.bead, 20), end(other.bead, 20));
      assert.deepEqual(end(one.big, 20), end(other.big, 20));
      assert.deepEqual(one.ask, other.ask);
      for (const road of ['bigEye', 'small', 'cockroach'] as const)
        assert.deepEqual(end(one.derived[road], 20), end(other.derived[road], 20), `${road} after ${i}`);
    }
    assert.ok(most <= 312, `${most}`);
  });

  it('a table that has kept thousands, before there was an end to it, keeps what every other keeps from its next round on', () => {
    const kept = keep(
      Array.from({ length: 5_000 }, (): Coup => 1),
      2,
    );
    assert.ok(kept.length > 156 && kept.length < 170, `${kept.length}`);
  });
});
