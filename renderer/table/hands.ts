/**
 * Where cards lie: hands of the seats, the bank's row, and the two sides of baccarat. Pure, in CSS
 * pixels.
 */
import { type Box, boxAround, type Placement, type Point } from './geometry.ts';
import type { SeatLayout, TableLayout } from './table-layout.ts';

export interface HandPlacement {
  readonly cards: readonly Placement[];
  /** The badge with the total: where its left end stands, or its middle over a split hand. */
  readonly badge: Point & { readonly from: 'left' | 'middle' };
  /** Where the stake of the hand stands. */
  readonly stake: Point;
  readonly stakeScale: number;
  /** The most a label under the stake may be wide. */
  readonly stakeRoom: number;
  /** The middle of the cards, for the glow of the hand that plays. */
  readonly centre: Point;
}

const DEGREE = Math.PI / 180;
/** Two or three cards lie as a hand lays them, in degrees. */
const FAN_TURN = [-2.5, 3, -1.5] as const;
/**
 * A fan of more: degrees between two cards and from the first to the last, and how far below its
 * middle it is held, in heights.
 */
const FAN_APART = 3.2;
const FAN_MOST = 12;
const FAN_GRIP = 1.5;

/** Cards of one seat's hand number `hand` of `hands`. A doubled hand's last card lies across. */
export function layHand(
  table: TableLayout,
  seat: number,
  hand: number,
  hands: number,
  cardCount: number,
  doubled: boolean,
): HandPlacement {
  const place = table.seats[seat - 1];
  if (place === undefined) throw new RangeError(`no seat ${seat} at a table of ${table.seats.length}`);
  return hands <= 1
    ? laySingle(table, place, cardCount, doubled)
    : laySplit(table, place, hand, hands, cardCount, doubled);
}

/** Width and height of the index in the corner of a card, in widths and heights of the card. */
const INDEX = { standard: { share: 0.215, down: 0.2 }, large: { share: 0.34, down: 0.34 } } as const;
const indexOf = ({ form }: TableLayout): (typeof INDEX)['standard' | 'large'] =>
  form.faces.endsWith('large') ? INDEX.large : INDEX.standard;

function laySingle(table: TableLayout, seat: SeatLayout, cardCount: number, doubled: boolean): HandPlacement {
  const u = table.unit;
  const upright = doubled ? cardCount - 1 : cardCount;
  // many cards grow smaller, so that every index stays whole beside the next card
  const room = (upright <= 3 ? 168 : 174) * u;
  // a turned card needs a little more than its height
  const high = seat.y - table.boxRadius - 22 * u - seat.zone.y;
  const width = Math.min(
    table.card.width,
    room / (1 + indexOf(table).share * (upright - 1)),
    (table.card.width * high) / table.card.height,
  );
  const scale = width / table.card.width;
  const height = table.card.height * scale;
  // from four on they are held like a fan; what its ends take at the foot the indices gain at the
  // head
  const spread = upright > 3 ? Math.min(FAN_MOST, FAN_APART * (upright - 1)) * DEGREE : 0;
  const end = width * Math.cos(spread / 2) + height * Math.sin(spread / 2);
  const step = upright > 1 ? Math.min(46 * u, (room - end) / (upright - 1)) : 0;
  const fan = end + step * Math.max(0, upright - 1);
  const badgeWidth = 70 * u;
  const gap = 6 * u;
  // over the box, moved aside only as far as the badge needs
  const left = Math.min(seat.x - fan / 2, seat.zone.x + seat.zone.width - badgeWidth - gap - fan);
  const y = seat.y - table.boxRadius - 12 * u - height / 2;
  const cards: Placement[] = [];
  for (let i = 0; i < upright; i++) {
    const x = left + end / 2 + i * step;
    if (spread === 0) {
      const turn = upright === 1 ? -2 : FAN_TURN[i % FAN_TURN.length]!;
      cards.push({ x, y: y - (i % 2) * 3 * u, turn: turn * DEGREE, scale });
    } else {
      const turn = (i / (upright - 1) - 0.5) * spread;
      cards.push({ x, y: y - 3 * u + FAN_GRIP * height * (1 - Math.cos(turn)), turn, scale });
    }
  }
  if (doubled) cards.push({ x: left + fan / 2, y: y + 20 * u, turn: 91.5 * DEGREE, scale });
  const right = Math.max(left + fan, doubled ? left + fan / 2 + height / 2 : 0);
  return {
    cards,
    badge: { x: right + gap, y: y - height / 2 + 24 * u, from: 'left' },
    stake: { x: seat.x, y: seat.y },
    stakeScale: 1,
    stakeRoom: 96 * u,
    centre: { x: left + fan / 2, y },
  };
}

/**
 * Split hands stand side by side, each a column whose cards slide down, so that every index stays
 * visible.
 */
function laySplit(
  table: TableLayout,
  seat: SeatLayout,
  hand: number,
  hands: number,
  cardCount: number,
  doubled: boolean,
): HandPlacement {
  const u = table.unit;
  const slot = (seat.zone.width - 6 * u) / hands;
  const upright = doubled ? cardCount - 1 : cardCount;
  const bottom = seat.y - table.boxRadius - 10 * u;
  const top = seat.zone.y + 34 * u;
  // as large as lets every index of the column be read
  const tall = (bottom - top) / (1 + indexOf(table).down * Math.max(0, upright - 1)) / table.card.height;
  const scale = Math.min(0.76, (slot - 3.5 * u) / table.card.width, tall);
  const height = table.card.height * scale;
  // two hands have room to lean to the side as well
  const spare = Math.max(0, slot - 3.5 * u - table.card.width * scale);
  const lean = upright > 1 ? Math.min(17 * u, spare / (upright - 1)) : 0;
  const x = seat.x + (hand - (hands - 1) / 2) * slot;
  const step = upright > 1 ? Math.min(height * 0.33, (bottom - top - height) / (upright - 1)) : 0;
  const column = height + step * Math.max(0, upright - 1);
  const first = bottom - column + height / 2;
  const cards: Placement[] = [];
  for (let i = 0; i < upright; i++) {
    cards.push({ x: x + (i - (upright - 1) / 2) * lean, y: first + i * step, turn: 0, scale });
  }
  if (doubled) {
    const across = Math.min(scale, (slot - 3 * u) / table.card.height);
    cards.push({
      x,
      y: bottom - (table.card.width * across) / 2,
      turn: 90 * DEGREE,
      scale: across,
    });
  }
  return {
    cards,
    badge: { x, y: bottom - column - 17 * u, from: 'middle' },
    stake: { x, y: seat.y },
    stakeScale: Math.min(0.82, (slot - 6 * u) / (58 * u)),
    stakeRoom: slot - 3 * u,
    centre: { x, y: bottom - column / 2 },
  };
}

/**
 * The bank's cards, side by side; they close up when they grow many. In baccarat they are the
 * Banker side's.
 */
export function layBank(table: TableLayout, cardCount: number): HandPlacement {
  if (table.player !== null) return laySide(table, table.bank.centre, 1, cardCount);
  const u = table.unit;
  const { width } = table.card;
  const { centre, place } = table.bank;
  const step = cardCount > 1 ? Math.min(width + 6 * u, (300 * u) / (cardCount - 1)) : 0;
  // two cards fill the printed place; from three on the row grows evenly to both sides
  const slots = Math.max(2, cardCount);
  const fullStep = cardCount > 2 ? step : width + 6 * u;
  const row = width + fullStep * (slots - 1);
  const left = centre.x - row / 2;
  return {
    cards: Array.from({ length: cardCount }, (_, i) => ({
      x: left + width / 2 + i * fullStep,
      y: centre.y,
      turn: (i % 2 === 0 ? -1.2 : 0.8) * DEGREE,
      scale: 1,
    })),
    badge: { x: Math.max(left + row, place.x + place.width) + 14 * u, y: centre.y, from: 'left' },
    stake: centre,
    stakeScale: 1,
    stakeRoom: 96 * u,
    centre,
  };
}

/** Baccarat's Player side; empty where the game has none. */
export function layPlayerSide(table: TableLayout, cardCount: number): HandPlacement {
  if (table.player === null) throw new RangeError('only a baccarat table has a Player side');
  return laySide(table, table.player.centre, -1, cardCount);
}

/**
 * Two cards stand side by side, a third lies across on the outer side; the total stands between the
 * two sides.
 */
function laySide(table: TableLayout, centre: Point, side: 1 | -1, cardCount: number): HandPlacement {
  const u = table.unit;
  const scale = table.handScale;
  const width = table.card.width * scale;
  const step = width + 6 * u;
  const cards = Array.from({ length: cardCount }, (_, i): Placement => {
    if (i < 2)
      return { x: centre.x + (i - 0.5) * step, y: centre.y, turn: (i === 0 ? -0.8 : 0.6) * DEGREE, scale };
    const away = step / 2 + width / 2 + 8 * u + (table.card.height * scale) / 2;
    return { x: centre.x + side * away, y: centre.y + 18 * u, turn: 90 * DEGREE, scale };
  });
  return {
    cards,
    badge: { x: centre.x - side * (step + 40 * u), y: centre.y, from: 'middle' },
    stake: centre,
    stakeScale: 1,
    stakeRoom: 96 * u,
    centre,
  };
}

/** Bounding box of a card as it lies. */
export function cardBox(table: TableLayout, card: Placement): Box {
  const w = table.card.width * card.scale;
  const h = table.card.height * card.scale;
  const cos = Math.abs(Math.cos(card.turn));
  const sin = Math.abs(Math.sin(card.turn));
  return boxAround(card.x, card.y, w * cos + h * sin, w * sin + h * cos);
}

/**
 * Size of the badge with a total: beside the cards of one hand, above each of several, large for a
 * side of baccarat (0).
 */
export function badgeSize(
  table: TableLayout,
  hands: number,
  text: string,
): { width: number; height: number; font: number } {
  const u = table.unit;
  const wide = text.length > 2;
  if (hands === 0) return { width: 58 * u, height: 52 * u, font: 36 * u };
  if (hands <= 1) return { width: (wide ? 70 : 54) * u, height: 38 * u, font: (wide ? 22 : 25) * u };
  const slot = (table.seats[0]!.zone.width - 6 * u) / hands;
  return {
    width: Math.min((wide ? 70 : 46) * u, slot - 3 * u),
    height: 30 * u,
    font: 22 * u,
  };
}

/** Centre of a badge of `width` beside or above the cards of `hand`. */
export const badgeCentre = (hand: HandPlacement, width: number): Point => ({
  x: hand.badge.from === 'left' ? hand.badge.x + width / 2 : hand.badge.x,
  y: hand.badge.y,
});
