/**
 * The roads of baccarat: the history of a shoe as players in Macau read it. Pure; from the coups of
 * the shoe alone, so that it is the same after a restart.
 */
import type { Card } from '../../core/cards.ts';
import { isPair, pointsOf } from './drawing.ts';

export type Side = 'banker' | 'player';

/**
 * A finished round as a small number, because a view and every snapshot hold up to some hundred of
 * them: winner (0 tie, 1 Player, 2 Banker) + 3 for a Player pair + 6 for a Banker pair.
 */
export type Coup = number;

export function coupOf(playerSide: readonly Card[], bank: readonly Card[]): Coup {
  const difference = pointsOf(playerSide) - pointsOf(bank);
  const winner = difference === 0 ? 0 : difference > 0 ? 1 : 2;
  return winner + (isPair(playerSide) ? 3 : 0) + (isPair(bank) ? 6 : 0);
}

/** Null: a tie. */
export const winnerOf = (coup: Coup): Side | null =>
  coup % 3 === 0 ? null : coup % 3 === 1 ? 'player' : 'banker';
export const hasPlayerPair = (coup: Coup): boolean => Math.floor(coup / 3) % 2 === 1;
export const hasBankerPair = (coup: Coup): boolean => coup >= 6;

/** Every road is drawn on six rows. */
export const ROAD_ROWS = 6;

/** art. 1: twelve packs; no round takes fewer than four cards. */
const LONGEST_SHOE = (12 * 52) / 4;

/**
 * How many of the oldest coups go, once there are as many as two of the longest shoes have: only a
 * shuffler, whose cards never end, comes there. What is left is more than the boards show, and
 * whole columns of the bead road go, so that no mark moves to another row.
 */
export function outlivedCoups(count: number): number {
  if (count < 2 * LONGEST_SHOE) return 0;
  const most = count - LONGEST_SHOE;
  return most - (most % ROAD_ROWS);
}

/** Where a mark is drawn, both from 0. */
export interface Cell {
  readonly column: number;
  readonly row: number;
}

export interface BigRoadMark extends Cell {
  /** Null only where the shoe begins with ties and nothing has been won yet. */
  readonly side: Side | null;
  /** Ties since this mark. */
  readonly ties: number;
  readonly playerPair: boolean;
  readonly bankerPair: boolean;
}

/** red: the big road repeats itself · blue: it does not. */
export type Colour = 'red' | 'blue';

export interface ColourMark extends Cell {
  readonly colour: Colour;
}

/** bigEye looks one column back, small two, cockroach three. */
export type DerivedRoad = 'bigEye' | 'small' | 'cockroach';
const LOOKS_BACK: Readonly<Record<DerivedRoad, number>> = { bigEye: 1, small: 2, cockroach: 3 };

export interface Roads {
  /** One mark a coup, ties among them, filled downwards column by column. */
  readonly bead: readonly (Cell & { readonly coup: Coup })[];
  readonly big: readonly BigRoadMark[];
  readonly derived: Readonly<Record<DerivedRoad, readonly ColourMark[]>>;
  /**
   * Asking the road: what each derived road would get if this side won next; null = it has not
   * begun then.
   */
  readonly ask: Readonly<Record<Side, Readonly<Record<DerivedRoad, Colour | null>>>>;
  readonly count: { readonly banker: number; readonly player: number; readonly tie: number };
}

export function roadsOf(coups: readonly Coup[]): Roads {
  const winners = coups.map(winnerOf).filter((side): side is Side => side !== null);
  const runs = runsOf(winners);
  const banker = winners.filter((side) => side === 'banker').length;
  return {
    bead: coups.map((coup, i) => ({ column: Math.floor(i / ROAD_ROWS), row: i % ROAD_ROWS, coup })),
    big: bigRoad(coups),
    derived: forEachRoad((back) =>
      placed(derivedColours(runs, back), (colour, column, row) => ({ column, row, colour })),
    ),
    ask: {
      banker: forEachRoad((back) => nextColour(runs, winners.at(-1) === 'banker', back)),
      player: forEachRoad((back) => nextColour(runs, winners.at(-1) === 'player', back)),
    },
    count: { banker, player: winners.length - banker, tie: coups.length - winners.length },
  };
}

const forEachRoad = <T>(make: (back: number) => T): Record<DerivedRoad, T> => ({
  bigEye: make(LOOKS_BACK.bigEye),
  small: make(LOOKS_BACK.small),
  cockroach: make(LOOKS_BACK.cockroach),
});

/**
 * Lengths of the columns of the big road before they bend: how often the same side won in a row.
 */
function runsOf(winners: readonly Side[]): number[] {
  const runs: number[] = [];
  winners.forEach((side, i) => {
    if (side === winners[i - 1]) runs[runs.length - 1]! += 1;
    else runs.push(1);
  });
  return runs;
}

/**
 * Of one mark of the big road on a derived road. At the head of a column it compares the two
 * columns before it, `back` apart: red where they are of one length. Any other mark looks `back`
 * columns to the left: red where that column reaches the mark's row or ended before the row above
 * it, blue where it ended just above. Null where there is nothing yet to look back on.
 */
function colourAt(runs: readonly number[], column: number, row: number, back: number): Colour | null {
  if (column < back || (column === back && row === 0)) return null;
  const differs = row === 0 ? runs[column - 1] !== runs[column - 1 - back] : runs[column - back] === row;
  return differs ? 'blue' : 'red';
}

function derivedColours(runs: readonly number[], back: number): Colour[] {
  const colours: Colour[] = [];
  for (let column = back; column < runs.length; column += 1)
    for (let row = column === back ? 1 : 0; row < runs[column]!; row += 1)
      colours.push(colourAt(runs, column, row, back)!);
  return colours;
}

/** What the next mark would be, if it went on in the column of the last one, or began another. */
const nextColour = (runs: readonly number[], goesOn: boolean, back: number): Colour | null =>
  goesOn ? colourAt(runs, runs.length - 1, runs.at(-1)!, back) : colourAt(runs, runs.length, 0, back);

/**
 * Marks on six rows: a run goes down its column and bends to the right at the floor or where an
 * older run lies in its way; the next run begins in the column right of where this one began.
 */
function placed<T, M>(
  values: readonly T[],
  markOf: (value: T, column: number, row: number, index: number) => M,
): M[] {
  // No run begins further right than there are marks, and none bends by more than its length.
  const taken = new Uint8Array((2 * values.length + 1) * ROAD_ROWS);
  let start = -1;
  let column = -1;
  let row = 0;
  return values.map((value, i) => {
    if (value === values[i - 1]) {
      const below = row + 1;
      const bends = below >= ROAD_ROWS || taken[column * ROAD_ROWS + below] === 1 || column > start;
      if (bends) column += 1;
      else row = below;
    } else {
      start += 1;
      while (taken[start * ROAD_ROWS] === 1) start += 1;
      column = start;
      row = 0;
    }
    taken[column * ROAD_ROWS + row] = 1;
    return markOf(value, column, row, i);
  });
}

function bigRoad(coups: readonly Coup[]): BigRoadMark[] {
  const marks: { side: Side | null; ties: number; playerPair: boolean; bankerPair: boolean }[] = [];
  for (const coup of coups) {
    const side = winnerOf(coup);
    const last = marks.at(-1);
    if (side !== null) {
      const [playerPair, bankerPair] = [hasPlayerPair(coup), hasBankerPair(coup)];
      // Ties at the head of a shoe belong to the first mark.
      if (last?.side === null) marks[0] = { side, ties: last.ties, playerPair, bankerPair };
      else marks.push({ side, ties: 0, playerPair, bankerPair });
    } else if (last) last.ties += 1;
    else marks.push({ side: null, ties: 1, playerPair: false, bankerPair: false });
  }
  return placed(
    marks.map(({ side }) => side),
    (side, column, row, i) => {
      const { ties, playerPair, bankerPair } = marks[i]!;
      return { column, row, side, ties, playerPair, bankerPair };
    },
  );
}
