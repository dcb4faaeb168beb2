/**
 * What is printed on the cloth: lettering along arcs, the band in the middle, and the places of the
 * bank's cards.
 */
import { FELT_LANGUAGES } from '../../engine/rules/home.ts';
import { type FeltText, feltText } from '../texts/i18n.ts';
import { COLOUR, font, goldText, gradient, type Ink, lotus, roundRect } from './brush.ts';
import type { Form } from './form.ts';
import { type Arc, arcY } from './geometry.ts';
import type { TableLayout } from './table-layout.ts';

/**
 * Draws each letter upright to the arc; returns the angle the text takes. Kerning does not matter
 * at this spacing.
 */
function arcText(
  ink: Ink,
  text: string,
  arc: Arc,
  x: number,
  size: number,
  spacing: number,
  alpha: number,
): number {
  const letters = [...text];
  const widths = letters.map((letter) => ink.measureText(letter).width + spacing);
  const total = widths.reduce((sum, w) => sum + w, 0) - spacing;
  // circle below its centre: angle 0 points straight down
  let angle = Math.asin((x - arc.centre.x) / arc.radius) - total / 2 / arc.radius;
  for (const [i, letter] of letters.entries()) {
    const w = widths[i]! - spacing;
    const mid = angle + w / 2 / arc.radius;
    ink.save();
    ink.translate(arc.centre.x + Math.sin(mid) * arc.radius, arc.centre.y + Math.cos(mid) * arc.radius);
    ink.rotate(-mid);
    goldText(ink, letter, -w / 2, 0, size, alpha);
    ink.restore();
    angle += widths[i]! / arc.radius;
  }
  return total / arc.radius;
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
 * Words side by side along an arc, the middle of the table between them; the parts of the arc that
 * they leave free, from the left.
 */
function arcRow(
  ink: Ink,
  {
    arc,
    x,
    gap,
    size,
    spacing,
    alpha,
  }: {
    readonly arc: Arc;
    readonly x: number;
    readonly gap: number;
    readonly size: number;
    readonly spacing: number;
    readonly alpha: number;
  },
  words: readonly string[],
): { readonly half: number; readonly gaps: readonly number[] } {
  const widths = words.map((word) => widthOf(ink, word, spacing));
  const half = (widths.reduce((sum, width) => sum + width, 0) + gap * (words.length - 1)) / 2;
  const gaps: number[] = [];
  let left = x - half;
  for (const [i, word] of words.entries()) {
    if (i > 0) gaps.push(left - gap / 2);
    arcText(ink, word, arc, left + widths[i]! / 2, size, spacing, alpha);
    left += widths[i]! + gap;
  }
  return { half, gaps };
}

/** The name of the game, or what a blackjack pays; a lotus stands between two languages. */
export function paintLettering(ink: Ink, table: TableLayout): void {
  const { unit: u, lettering } = table;
  const { game } = table.form;
  const size = (game === 'blackjack' ? 42 : 46) * u;
  const spacing = 5.5 * u;
  ink.textBaseline = 'middle';
  ink.textAlign = 'left';
  ink.font = font(700, size);
  const cx = table.width / 2;
  const row = arcRow(
    ink,
    { arc: lettering, x: cx, gap: 74 * u, size, spacing, alpha: 0.96 },
    printed(table.form, (t) => t(`title.${game}`)),
  );
  ink.fillStyle = gradient(ink, [0, -60, 0, 10], [0, '#FBE9BE'], [1, '#B98737']);
  for (const flower of row.gaps) lotus(ink, flower, arcY(lettering, flower) + 9 * u, 46 * u);
  // a line that thins out on either side, ending in a small lotus
  for (const side of [-1, 1]) {
    const from = cx + side * (row.half + 26 * u);
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

/** Bacará: what the sides and a tie pay, below the name of the game. */
export function paintTerms(ink: Ink, table: TableLayout): void {
  const { unit: u, band, form } = table;
  const key = `terms.${form.commission ?? 'five-percent'}` as const;
  ink.textBaseline = 'middle';
  ink.textAlign = 'left';
  const size = 23 * u;
  ink.font = font(700, size);
  const { gaps } = arcRow(
    ink,
    { arc: band.middle, x: table.width / 2, gap: 64 * u, size, spacing: 2.5 * u, alpha: 0.9 },
    printed(form, (t) => t(key)),
  );
  ink.fillStyle = 'rgba(217, 179, 108, .8)';
  for (const middle of gaps) lotus(ink, middle, arcY(band.middle, middle) + 6 * u, 26 * u);
}

/** The band in the middle: insurance with a place at every seat, or in war what a tie pays. */
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

  const key = `band.${form.game === 'casino-war' ? 'tie' : 'insurance'}` as const;
  if (form.game === 'casino-war' && form.spots.length === 0) return;
  const texts = printed(form, (t) => t(key));
  ink.textBaseline = 'middle';
  ink.textAlign = 'left';
  // read from the left, whichever seat is there
  const across = table.seats.map(({ insurance }) => insurance).sort((a, b) => a.x - b.x);
  for (let i = 0; i + 1 < across.length; i++) {
    const [a, b] = [across[i]!, across[i + 1]!];
    const room = b.x - a.x - 2 * band.half - 10 * u;
    const text = texts[i % texts.length]!;
    let size = (i % 2 === 0 ? 21 : 18) * u;
    let spacing = (i % 2 === 0 ? 5 : 2) * u;
    ink.font = font(600, size);
    const wide = widthOf(ink, text, spacing);
    if (wide > room) {
      size *= room / wide;
      spacing *= room / wide;
      ink.font = font(600, size);
    }
    arcText(ink, text, band.middle, (a.x + b.x) / 2, size, spacing, 0.95);
  }
  ink.textAlign = 'center';
  if (form.game === 'casino-war') {
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

/** Two places for cards around `centre`, and the name of whose they are. */
function paintHand(
  ink: Ink,
  table: TableLayout,
  hand: TableLayout['bank'],
  name: string,
  size: number,
): void {
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
  ink.textAlign = 'center';
  ink.textBaseline = 'middle';
  ink.font = font(700, size * u);
  ink.letterSpacing = `${3 * u}px`;
  goldText(ink, name, hand.label.x, hand.label.y, size * u, 0.95);
  ink.letterSpacing = '0px';
}

/** The bank's place; in baccarat those of both sides. */
export function paintBank(ink: Ink, table: TableLayout): void {
  const both = (key: 'bank' | 'banker' | 'player'): string => printedLine(table.form, (t) => t(key));
  if (table.player === null) return paintHand(ink, table, table.bank, both('bank'), 20);
  paintHand(ink, table, table.player, both('player'), 24);
  paintHand(ink, table, table.bank, both('banker'), 24);
}
