/**
 * What is printed on the cloth: lettering along arcs, the band in the middle, and the places of the
 * bank's cards.
 */
import { FELT_LANGUAGES } from '../../engine/rules/home.ts';
import { type FeltText, feltText } from '../texts/i18n.ts';
import { COLOUR, font, goldText, gradient, type Ink, lotus, roundRect, sheet } from './brush.ts';
import type { Form } from './form.ts';
import { type Arc, arcY, type Box } from './geometry.ts';
import type { TableLayout } from './table-layout.ts';

/** A letter on an arc: its middle, and the angle it leans by. */
interface Lettered {
  readonly letter: string;
  readonly width: number;
  readonly turn: number;
  readonly x: number;
  readonly y: number;
}

/**
 * The letters of a text along an arc, its middle at `x`. Kerning does not matter at this spacing.
 */
function alongArc(ink: Ink, text: string, arc: Arc, x: number, spacing: number): Lettered[] {
  const letters = [...text];
  const widths = letters.map((letter) => ink.measureText(letter).width + spacing);
  const total = widths.reduce((sum, w) => sum + w, 0) - spacing;
  // circle below its centre: angle 0 points straight down
  let angle = Math.asin((x - arc.centre.x) / arc.radius) - total / 2 / arc.radius;
  return letters.map((letter, i) => {
    const width = widths[i]! - spacing;
    const mid = angle + width / 2 / arc.radius;
    angle += widths[i]! / arc.radius;
    return {
      letter,
      width,
      turn: -mid,
      x: arc.centre.x + Math.sin(mid) * arc.radius,
      y: arc.centre.y + Math.cos(mid) * arc.radius,
    };
  });
}

/** Draws each letter upright to the arc. */
function arcText(
  ink: Ink,
  text: string,
  arc: Arc,
  x: number,
  size: number,
  spacing: number,
  alpha: number,
): void {
  for (const { letter, width, turn, x: at, y } of alongArc(ink, text, arc, x, spacing)) {
    ink.save();
    ink.translate(at, y);
    ink.rotate(turn);
    goldText(ink, letter, -width / 2, 0, size, alpha);
    ink.restore();
  }
}

const widthOf = (ink: Ink, text: string, spacing: number): number =>
  [...text].reduce((sum, letter) => sum + ink.measureText(letter).width + spacing, 0) - spacing;

export function strokeArc(ink: Ink, arc: Arc, x0: number, x1: number): void {
  const angle = (x: number): number => Math.PI / 2 - Math.asin((x - arc.centre.x) / arc.radius);
  ink.beginPath();
  ink.arc(arc.centre.x, arc.centre.y, arc.radius, angle(x1), angle(x0));
}

/** In every language of the cloth, the leading one first. */
const printed = ({ home }: Form, text: (t: FeltText) => string): string[] =>
  FELT_LANGUAGES[home].map((language) => text(feltText(language)));

/** The same as one line. */
export const printedLine = (form: Form, text: (t: FeltText) => string): string =>
  printed(form, text).join(' · ');

/**
 * Lettering of the cloth that is shown or left out as a whole: where something lies over a part of
 * it, nothing of it is drawn.
 */
export interface Lettering {
  readonly box: Box;
  paint(ink: Ink): void;
}

/** Words side by side along an arc, the middle of the table between them, a lotus between two. */
function arcRow(
  ink: Ink,
  words: readonly string[],
  {
    arc,
    x,
    gap,
    size,
    spacing,
    alpha,
    flower,
  }: {
    readonly arc: Arc;
    readonly x: number;
    readonly gap: number;
    readonly size: number;
    readonly spacing: number;
    readonly alpha: number;
    readonly flower: { readonly size: number; readonly down: number; readonly ink: string | CanvasGradient };
  },
): Lettering {
  ink.font = font(700, size);
  const widths = words.map((word) => widthOf(ink, word, spacing));
  const half = (widths.reduce((sum, width) => sum + width, 0) + gap * (words.length - 1)) / 2;
  const top = Math.min(arcY(arc, x - half), arcY(arc, x + half)) - size * 0.7;
  return {
    box: {
      x: x - half - spacing,
      y: top,
      width: 2 * (half + spacing),
      height: arcY(arc, x) + size * 0.7 - top,
    },
    paint: (into) => {
      into.font = font(700, size);
      let left = x - half;
      for (const [i, word] of words.entries()) {
        if (i > 0) {
          into.fillStyle = flower.ink;
          lotus(into, left - gap / 2, arcY(arc, left - gap / 2) + flower.down, flower.size);
        }
        arcText(into, word, arc, left + widths[i]! / 2, size, spacing, alpha);
        left += widths[i]! + gap;
      }
    },
  };
}

/** The name of the game, or what a blackjack pays. */
function titleOf(ink: Ink, table: TableLayout): Lettering {
  const { unit: u, lettering, form } = table;
  return arcRow(
    ink,
    printed(form, (t) => t(`title.${form.game}`)),
    {
      arc: lettering,
      x: table.width / 2,
      gap: 74 * u,
      size: (form.game === 'blackjack' ? 42 : 46) * u,
      spacing: 5.5 * u,
      alpha: 0.96,
      flower: {
        size: 46 * u,
        down: 9 * u,
        ink: gradient(ink, [0, -60, 0, 10], [0, '#FBE9BE'], [1, '#B98737']),
      },
    },
  );
}

/** Bacará: what the sides and a tie pay, below the name of the game. */
function termsOf(ink: Ink, { unit: u, band, form, width }: TableLayout): Lettering {
  const key = `terms.${form.commission ?? 'five-percent'}` as const;
  return arcRow(
    ink,
    printed(form, (t) => t(key)),
    {
      arc: band.middle,
      x: width / 2,
      gap: 64 * u,
      size: 23 * u,
      spacing: 2.5 * u,
      alpha: 0.9,
      flower: { size: 26 * u, down: 6 * u, ink: 'rgba(217, 179, 108, .8)' },
    },
  );
}

/** Left and right of the place for insurance of a seat: its name, and what it pays. */
function bandOf(ink: Ink, { unit: u, band, seats, form, felt }: TableLayout): Lettering[] {
  if (form.game === 'casino-war' && form.spots.length === 0) return [];
  const key = form.game === 'casino-war' ? 'tie' : 'insurance';
  const names = printed(form, (t) => t(`band.${key}`));
  const prices = printed(form, (t) => t(`pays.${key}`));
  const size = 22 * u;
  const spacing = 1.5 * u;
  const clear = (key === 'tie' ? 20 : 27) * u;
  ink.font = font(600, size);
  // read from the left, whichever seat is there
  const across = seats.map(({ insurance }) => insurance).sort((a, b) => a.x - b.x);
  return across.flatMap(({ x }, i): Lettering[] => {
    // one language alone would stand beside itself
    if (names.length === 1 && i % 2 === 0 && across.length > 1) return [];
    const sides = [names[i % names.length]!, prices[i % prices.length]!].map((text, side) => {
      const wide = widthOf(ink, text, spacing);
      return { text, wide, x: x + (side === 0 ? -1 : 1) * (clear + wide / 2) };
    });
    const left = sides[0]!.x - sides[0]!.wide / 2;
    const right = sides[1]!.x + sides[1]!.wide / 2;
    if (left < felt.left + 14 * u || right > felt.right - 14 * u) return [];
    const ys = [left, right, x].map((at) => arcY(band.middle, at));
    const top = Math.min(...ys) - size * 0.7;
    return [
      {
        box: { x: left, y: top, width: right - left, height: Math.max(...ys) + size * 0.7 - top },
        paint: (into) => {
          into.font = font(600, size);
          for (const side of sides) arcText(into, side.text, band.middle, side.x, size, spacing, 0.95);
        },
      },
    ];
  });
}

/** Whose cards lie at a place of the dealer's edge. */
function namesOf(ink: Ink, table: TableLayout): Lettering[] {
  const { unit: u, bank, player, form } = table;
  const size = (player === null ? 22 : 24) * u;
  const hands = [
    { hand: bank, key: player === null ? 'bank' : 'banker' } as const,
    ...(player === null ? [] : [{ hand: player, key: 'player' } as const]),
  ];
  return hands.map(({ hand: { label }, key }) => {
    const name = printedLine(form, (t) => t(key));
    ink.font = font(700, size);
    const wide = widthOf(ink, name, 3 * u);
    return {
      box: { x: label.x - wide / 2, y: label.y - size * 0.7, width: wide, height: size * 1.4 },
      paint: (into) => {
        into.font = font(700, size);
        into.letterSpacing = `${3 * u}px`;
        goldText(into, name, label.x - wide / 2, label.y, size, 0.95);
        into.letterSpacing = '0px';
      },
    };
  });
}

/** Bacará: the sign of each side, in its cell of every seat. */
const signsOf = ({ seats }: TableLayout): Lettering[] =>
  seats.flatMap(({ spots }) =>
    spots.flatMap(({ bet, sign }): Lettering[] => {
      if (sign === null || (bet !== 'player' && bet !== 'banker')) return [];
      const { x, y, turn, size } = sign;
      return [
        {
          box: { x: x - size * 0.62, y: y - size * 0.7, width: size * 1.24, height: size * 1.4 },
          paint: (into) => {
            into.font = font(700, size);
            into.save();
            into.translate(x, y);
            into.rotate(turn);
            goldText(into, feltText('zh-Hant')(bet), -size / 2, 0, size, 0.95);
            into.restore();
          },
        },
      ];
    }),
  );

/** All of it, in groups in which no box reaches into another one; `ink` measures. */
const letteringOf = (ink: Ink, table: TableLayout): readonly (readonly Lettering[])[] => [
  [titleOf(ink, table), ...namesOf(ink, table), ...signsOf(table)],
  table.form.game === 'baccarat' ? [termsOf(ink, table)] : bandOf(ink, table),
];

/** The lettering on canvases of its own, as wide as the table. */
export function paintLettering(
  table: TableLayout,
  resolution: number,
): { readonly canvas: HTMLCanvasElement; readonly boxes: readonly Box[] }[] {
  const measure = sheet(1, 1, resolution).ink;
  return letteringOf(measure, table).map((group) => {
    const { canvas, ink } = sheet(table.width, table.panelTop, resolution);
    ink.textBaseline = 'middle';
    ink.textAlign = 'left';
    for (const each of group) each.paint(ink);
    return { canvas, boxes: group.map(({ box }) => box) };
  });
}

/** On either side of the name of the game: a line that thins out, ending in a small lotus. */
export function paintFlourish(ink: Ink, table: TableLayout): void {
  const { unit: u, lettering } = table;
  const cx = table.width / 2;
  const half = titleOf(ink, table).box.width / 2;
  for (const side of [-1, 1]) {
    const from = cx + side * (half + 22 * u);
    const to = from + side * 150 * u;
    const x0 = Math.min(from, to);
    const x1 = Math.max(from, to);
    ink.strokeStyle = gradient(
      ink,
      [from, 0, to, 0],
      [0, 'rgba(217, 179, 108, .9)'],
      [1, 'rgba(217, 179, 108, 0)'],
    );
    ink.lineWidth = 1.4 * u;
    strokeArc(ink, lettering, x0, x1);
    ink.stroke();
    strokeArc(ink, { centre: lettering.centre, radius: lettering.radius + 6 * u }, x0, x1);
    ink.lineWidth = 0.7 * u;
    ink.stroke();
  }
}

/** The band in the middle with a place for insurance at every seat, or in war with a lotus. */
export function paintBand(ink: Ink, table: TableLayout): void {
  const { unit: u, band, felt, form } = table;
  const x0 = felt.left + 11 * u;
  const x1 = felt.right - 11 * u;
  ink.save();
  ink.beginPath();
  const angle = (arc: Arc, x: number): number => Math.PI / 2 - Math.asin((x - arc.centre.x) / arc.radius);
  ink.arc(
    band.outer.centre.x,
    band.outer.centre.y,
    band.outer.radius,
    angle(band.outer, x0),
    angle(band.outer, x1),
    true,
  );
  ink.arc(
    band.inner.centre.x,
    band.inner.centre.y,
    band.inner.radius,
    angle(band.inner, x1),
    angle(band.inner, x0),
  );
  ink.closePath();
  // the words in it are small: dark enough for 4.5 to 1 under the lamp
  ink.fillStyle = 'rgba(0, 18, 15, .5)';
  ink.fill();
  ink.restore();
  for (const [arc, width, alpha] of [
    [band.inner, 1.5, 0.75],
    [band.outer, 1.5, 0.75],
    [{ centre: band.inner.centre, radius: band.inner.radius - 5 * u }, 0.7, 0.45],
    [{ centre: band.outer.centre, radius: band.outer.radius + 5 * u }, 0.7, 0.45],
  ] as const) {
    ink.globalAlpha = alpha;
    ink.strokeStyle = COLOUR.gold;
    ink.lineWidth = width * u;
    strokeArc(ink, arc, x0, x1);
    ink.stroke();
  }
  ink.globalAlpha = 1;
  if (form.game === 'casino-war') {
    if (form.spots.length === 0) return;
    ink.fillStyle = 'rgba(217, 179, 108, .6)';
    for (const { insurance } of table.seats) lotus(ink, insurance.x, insurance.y + 7 * u, 26 * u);
    return;
  }
  for (const { insurance } of table.seats) {
    ink.beginPath();
    ink.arc(insurance.x, insurance.y, 20 * u, 0, 7);
    ink.fillStyle = 'rgba(0, 18, 15, .35)';
    ink.fill();
    ink.strokeStyle = COLOUR.gold;
    ink.globalAlpha = 0.8;
    ink.lineWidth = 1.3 * u;
    ink.stroke();
    ink.globalAlpha = 1;
    ink.fillStyle = 'rgba(217, 179, 108, .55)';
    lotus(ink, insurance.x, insurance.y + 7 * u, 24 * u);
  }
}

/** Two places for cards around `centre`. */
function paintHand(ink: Ink, table: TableLayout, hand: TableLayout['bank']): void {
  const { unit: u, handScale } = table;
  const card = { width: table.card.width * handScale, height: table.card.height * handScale };
  ink.strokeStyle = COLOUR.gold;
  for (const side of [-1, 1]) {
    const x = hand.centre.x + side * (card.width / 2 + 3 * u);
    roundRect(
      ink,
      x - card.width / 2 - 2 * u,
      hand.centre.y - card.height / 2 - 2 * u,
      card.width + 4 * u,
      card.height + 4 * u,
      9 * u,
    );
    ink.fillStyle = 'rgba(0, 20, 16, .16)';
    ink.fill();
    ink.globalAlpha = 0.55;
    ink.lineWidth = 1.2 * u;
    ink.stroke();
    ink.globalAlpha = 1;
    ink.fillStyle = 'rgba(217, 179, 108, .16)';
    lotus(ink, x, hand.centre.y + 16 * u, 58 * u);
  }
}

/** The bank's place; in baccarat those of both sides. */
export function paintBank(ink: Ink, table: TableLayout): void {
  paintHand(ink, table, table.bank);
  if (table.player !== null) paintHand(ink, table, table.player);
}
