/** What the page lays over the cloth, and what is left out under it. Pure, in CSS pixels. */
import { CHIP_RADIUS } from './art-chips.ts';
import { type Box, boxAround, overlap } from './geometry.ts';
import { cardBox } from './hands.ts';
import type { Picture, StackPiece } from './pieces.ts';
import { RIBBON, type TableLayout } from './table-layout.ts';

export interface Cover extends Box {
  /** The seat whose hands or bets it shows itself, larger; null = it shows none. */
  readonly shows: number | null;
}

/** What is not drawn a second time, half behind the panel that shows it. */
export interface LeftOut {
  /** Seats without cards, totals and what stands in their box. */
  readonly seats: ReadonlySet<number>;
  /** Keys of stacks. */
  readonly stacks: ReadonlySet<string>;
  /** Keys of stacks whose amount something lies over: nobody reads half a figure. */
  readonly labels: ReadonlySet<string>;
  /** Likewise `seat/bet` of what is printed for a bet. */
  readonly prints: ReadonlySet<string>;
  /** Seats whose number in the box something lies over. */
  readonly numbers: ReadonlySet<number>;
  /** Words beside the game that something lies over. */
  readonly signs: ReadonlySet<TableSign>;
}

const SIGNS = ['limits', 'round', 'tray', 'shoe'] as const;
export type TableSign = (typeof SIGNS)[number];
/** Words under tray and shoe, px of 1080 lines: how far down, how wide, how high. */
export const UNDER = 20;
const UNDER_WIDE = 250;
const UNDER_HIGH = 26;

/** Letters of the number in a seat's box. */
export const numberPx = ({ unit, boxRadius }: TableLayout): number => Math.min(38 * unit, boxRadius * 1.25);

/** Chips that stand in the box, and not on a spot beside it or on the band. */
const isInBox = ({ key }: StackPiece): boolean => /^\d+\/\d/.test(key);

/**
 * A hand and its stake are left out together, wherever something that shows them lies over a part;
 * other chips of the seat each by itself.
 */
export function leftOut(picture: Picture, table: TableLayout, covers: readonly Cover[]): LeftOut {
  const seats = new Set<number>();
  const stacks = new Set<string>();
  for (const cover of covers) {
    const { shows } = cover;
    if (shows === null) continue;
    const own = picture.stacks.filter(({ owner }) => owner === shows);
    const cut = own.filter((stack) => overlap(cover, stackBox(stack, table)));
    const cards = picture.cards.filter(({ owner }) => owner === shows);
    if (cut.some(isInBox) || cards.some(({ place }) => overlap(cover, cardBox(table, place)))) {
      seats.add(shows);
      for (const { key } of own.filter(isInBox)) stacks.add(key);
    }
    for (const { key } of cut) stacks.add(key);
  }
  const px = numberPx(table);
  const isCut = (box: Box): boolean => covers.some((cover) => overlap(cover, box));
  const high = RIBBON * table.unit;
  const signBox = (sign: TableSign): Box => {
    const { x, y, width, height } = table[sign];
    if (sign === 'limits' || sign === 'round') return table[sign];
    const u = table.unit;
    return boxAround(x + width / 2, y + height + UNDER * u, UNDER_WIDE * u, UNDER_HIGH * u);
  };
  return {
    seats,
    stacks,
    labels: new Set(
      picture.stacks.flatMap(({ key, label }) =>
        label !== null && isCut(boxAround(label.at.x, label.at.y, 2 * high, high)) ? [key] : [],
      ),
    ),
    prints: new Set(
      table.seats.flatMap(({ seat, spots }) =>
        spots.flatMap(({ bet, name, odds }) =>
          [name, odds].some(
            (print) => print !== null && isCut(boxAround(print.x, print.y, print.room, print.size)),
          )
            ? [`${seat}/${bet}`]
            : [],
        ),
      ),
    ),
    numbers: new Set(
      table.seats.flatMap(({ seat, x, y }) => (isCut(boxAround(x, y, px / 2, px)) ? [seat] : [])),
    ),
    signs: new Set(SIGNS.filter((sign) => isCut(signBox(sign)))),
  };
}

/** The lowest chip of a stack, where it stands, with the label that names it. */
function stackBox({ at, scale, label }: StackPiece, { unit }: TableLayout): Box {
  const size = 2 * CHIP_RADIUS * scale * unit;
  const box = boxAround(at.x, at.y, size, size);
  if (label === null) return box;
  const foot = label.at.y + (RIBBON / 2) * unit;
  return { ...box, height: Math.max(box.height, foot - box.y) };
}
