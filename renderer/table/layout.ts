/**
 * Where everything lies on the table, in CSS pixels. Pure: the same numbers serve the drawing, the animation and the
 * tests that nothing overlaps. Drawn on a board of 1920 x 1080: lengths scale by the shorter side (`unit`), anchors
 * spread with the viewport, so that any shape from 4:3 to 21:9 keeps its order.
 */

export interface Point {
  readonly x: number;
  readonly y: number;
}
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}
/** A piece that lies on the felt: its centre, turn in radians and size relative to the card of the table. */
export interface Placement extends Point {
  readonly turn: number;
  readonly scale: number;
}
/** A part of a circle that sags towards the players; y grows downwards. */
export interface Arc {
  readonly centre: Point;
  readonly radius: number;
}
export interface SeatLayout {
  readonly seat: number;
  /** Centre of the betting box. */
  readonly x: number;
  readonly y: number;
  /** Centre of the insurance spot on the band. */
  readonly insurance: Point;
  /** Everything of this seat stays inside; neighbours touch but do not overlap. */
  readonly zone: Box;
  /** Middle of the panel below, where chips come from and go to. */
  readonly panel: Point;
  /** Centre of the result ribbon. */
  readonly ribbon: Point;
}
export interface TableLayout {
  readonly width: number;
  readonly height: number;
  /** CSS pixels per pixel of the 1920 x 1080 board. */
  readonly unit: number;
  readonly card: { readonly width: number; readonly height: number };
  readonly boxRadius: number;
  readonly felt: {
    readonly left: number;
    readonly right: number;
    readonly top: number;
    readonly corner: number;
    readonly rim: number;
    readonly edge: Arc;
  };
  /** Top of the seat panels, which the page lays over the lowest part. */
  readonly panelTop: number;
  /** Where the page lays the dealer's strip. */
  readonly strip: Box;
  readonly bank: { readonly centre: Point; readonly place: Box; readonly label: Point };
  readonly shoe: Box & { readonly mouth: Placement };
  readonly tray: Box & { readonly top: Placement };
  readonly limits: Box;
  readonly round: Box;
  readonly lettering: Arc;
  readonly band: { readonly inner: Arc; readonly middle: Arc; readonly outer: Arc; readonly half: number };
  readonly banner: Box;
  readonly seats: readonly SeatLayout[];
}

const PANEL_SHARE = 0.255;

/** The circle through (cx, low) that has risen to `high` at `dx` to either side. */
function sag(cx: number, low: number, dx: number, high: number): Arc {
  const rise = low - high;
  const radius = (dx * dx + rise * rise) / (2 * rise);
  return { centre: { x: cx, y: low - radius }, radius };
}

/** Height of an arc above `x`. */
export function arcY(arc: Arc, x: number): number {
  const dx = x - arc.centre.x;
  return arc.centre.y + Math.sqrt(Math.max(0, arc.radius * arc.radius - dx * dx));
}

const boxAround = (x: number, y: number, width: number, height: number): Box => ({
  x: x - width / 2,
  y: y - height / 2,
  width,
  height,
});

/** Lays the table for a viewport of `width` x `height` CSS pixels and `seatCount` seats. */
export function layTable(width: number, height: number, seatCount = 7): TableLayout {
  const unit = Math.min(width / 1920, height / 1080);
  const cx = width / 2;
  const v = height / 1080;
  const u = (n: number): number => n * unit;
  const panelTop = height * (1 - PANEL_SHARE);
  const column = width / seatCount;
  const reach = ((seatCount - 1) / 2) * column * 0.955;
  const seatX = (seat: number): number => cx + ((seat - 1) / (seatCount - 1) - 0.5) * 2 * reach;

  const card = { width: u(104), height: u(145.6) };
  const boxRadius = u(50);
  const boxes = sag(cx, 700 * v, reach, 592 * v);
  const middle = sag(cx, 402 * v, reach, 304 * v);
  const half = u(27);
  const pitch = (2 * reach) / (seatCount - 1);
  const seats = Array.from({ length: seatCount }, (_, i): SeatLayout => {
    const seat = i + 1;
    const x = seatX(seat);
    const y = arcY(boxes, x);
    const bandY = arcY(middle, x);
    const top = bandY + half + u(4);
    const ribbonY = y + boxRadius + u(34);
    return {
      seat,
      x,
      y,
      insurance: { x, y: bandY },
      zone: { x: x - pitch / 2, y: top, width: pitch, height: ribbonY + u(19) - top },
      panel: { x: column * (i + 0.5), y: panelTop + u(70) },
      ribbon: { x, y: ribbonY },
    };
  });

  const shoe = boxAround(width - u(216), 156 * v, u(232), u(132));
  const tray = boxAround(u(216), 156 * v, u(184), u(132));
  return {
    width,
    height,
    unit,
    card,
    boxRadius,
    felt: {
      left: u(43),
      right: width - u(43),
      top: 46 * v,
      corner: u(54),
      rim: u(34),
      edge: sag(cx, 770 * v, reach, 664 * v),
    },
    panelTop,
    strip: { x: cx - u(344), y: 0, width: u(688), height: 106 * v },
    bank: {
      centre: { x: cx, y: 190 * v },
      place: boxAround(cx, 190 * v, u(232), u(164)),
      label: { x: cx, y: 287 * v },
    },
    shoe: {
      ...shoe,
      mouth: { x: shoe.x + u(54), y: shoe.y + shoe.height / 2 + u(1), turn: -0.05, scale: 0.62 },
    },
    tray: { ...tray, top: { x: tray.x + tray.width / 2, y: tray.y + tray.height / 2, turn: 0, scale: 0.62 } },
    limits: boxAround(cx - u(470), 156 * v, u(212), u(84)),
    round: boxAround(cx + u(470), 156 * v, u(212), u(84)),
    lettering: sag(cx, 336 * v, reach, 236 * v),
    band: {
      middle,
      inner: { centre: middle.centre, radius: middle.radius - half },
      outer: { centre: middle.centre, radius: middle.radius + half },
      half,
    },
    banner: boxAround(cx, 328 * v, u(780), u(58)),
    seats,
  };
}

// ---- cards of a hand ----

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
/** A card on the table turns about its middle; its bounding box grows by this much of its size at five degrees. */
const FAN_TURN = [-2.5, 3, -1.5, 2.5, -1, 2] as const;

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

/** Width of the index in the corner of a card, in widths of the card. */
const INDEX_SHARE = 0.215;

function laySingle(table: TableLayout, seat: SeatLayout, cardCount: number, doubled: boolean): HandPlacement {
  const u = table.unit;
  const upright = doubled ? cardCount - 1 : cardCount;
  // many cards grow smaller, so that every index stays whole beside the next card
  const room = (upright <= 3 ? 168 : 174) * u;
  const width = Math.min(table.card.width, room / (1 + INDEX_SHARE * (upright - 1)));
  const scale = width / table.card.width;
  const height = table.card.height * scale;
  const step = upright > 1 ? Math.min(46 * u, (room - width) / (upright - 1)) : 0;
  const fan = width + step * Math.max(0, upright - 1);
  const badgeWidth = 66 * u;
  const gap = 6 * u;
  // over the box, moved aside only as far as the badge needs
  const left = Math.min(seat.x - fan / 2, seat.zone.x + seat.zone.width - badgeWidth - gap - fan);
  const y = seat.y - table.boxRadius - 12 * u - height / 2;
  const cards: Placement[] = [];
  for (let i = 0; i < upright; i++) {
    // a close fan lies straighter, or its indices would cover each other
    const turn = upright === 1 ? -2 : FAN_TURN[i % FAN_TURN.length]! * (upright > 3 ? 0.3 : 1);
    cards.push({ x: left + width / 2 + i * step, y: y - (i % 2) * 3 * u, turn: turn * DEGREE, scale });
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

/** Split hands stand side by side, each a column whose cards slide down, so that every index stays visible. */
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
  const scale = Math.min(0.76, (slot - 3.5 * u) / table.card.width);
  const height = table.card.height * scale;
  // two hands have room to lean to the side as well
  const spare = Math.max(0, slot - 3.5 * u - table.card.width * scale);
  const lean = upright > 1 ? Math.min(17 * u, spare / (upright - 1)) : 0;
  const x = seat.x + (hand - (hands - 1) / 2) * slot;
  const bottom = seat.y - table.boxRadius - 10 * u;
  const top = seat.zone.y + 30 * u;
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
    badge: { x, y: bottom - column - 15 * u, from: 'middle' },
    stake: { x, y: seat.y },
    stakeScale: Math.min(0.82, (slot - 6 * u) / (58 * u)),
    stakeRoom: slot - 3 * u,
    centre: { x, y: bottom - column / 2 },
  };
}

/** The bank's cards, side by side; they close up when they grow many. */
export function layBank(table: TableLayout, cardCount: number): HandPlacement {
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

/** Bounding box of a card as it lies. */
export function cardBox(table: TableLayout, card: Placement): Box {
  const w = table.card.width * card.scale;
  const h = table.card.height * card.scale;
  const cos = Math.abs(Math.cos(card.turn));
  const sin = Math.abs(Math.sin(card.turn));
  return boxAround(card.x, card.y, w * cos + h * sin, w * sin + h * cos);
}

/** Width of the badge with a total, in CSS pixels: 'single' beside the cards, 'split' above a column. */
export function badgeSize(
  table: TableLayout,
  hands: number,
  text: string,
): { width: number; height: number; font: number } {
  const u = table.unit;
  const wide = text.length > 2;
  if (hands <= 1) return { width: (wide ? 66 : 54) * u, height: 38 * u, font: (wide ? 21 : 25) * u };
  const slot = (table.seats[0]!.zone.width - 6 * u) / hands;
  return {
    width: Math.min((wide ? 58 : 44) * u, slot - 3 * u),
    height: 27 * u,
    font: (wide ? (slot < 48 * u ? 13 : 16) : 18) * u,
  };
}

/** Centre of a badge of `width` beside or above the cards of `hand`. */
export const badgeCentre = (hand: HandPlacement, width: number): Point => ({
  x: hand.badge.from === 'left' ? hand.badge.x + width / 2 : hand.badge.x,
  y: hand.badge.y,
});
