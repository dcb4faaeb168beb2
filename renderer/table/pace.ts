/** How fast things move, in milliseconds, and how a change of the picture is to be shown. */
import type { Placement, Point } from './geometry.ts';
import type { TableLayout } from './table-layout.ts';

export const CARD_MS = 320;
export const FLIP_MS = 180;
/** A dealt card begins to turn over while it is still on its way. */
export const FLIP_AT_MS = 170;
/** A card of baccarat that is peeled open. */
export const PEEL_MS = 1600;
export const DEAL_APART_MS = 120;
export const CHIP_MS = 240;
/** The streak's button goes farther than a chip. */
export const BUTTON_MS = 480;
export const MONEY_APART_MS = 120;
export const RIBBON_MS = 200;
/** The light of a big win. */
export const LIGHT_MS = 1400;
export const MOVE_MS = 220;
export const FADE_MS = 200;

export interface Change {
  readonly animate: boolean;
  /** Replace every travel by a fade. */
  readonly fade: boolean;
  /**
   * What is left of every time of what belongs to this seat, 0 = it lies at once; of the bank's, 1.
   */
  readonly hurry: (seat: number) => number;
  /** Chips of this seat that leave the table go back to its panel, else to the bank. */
  readonly toPanel: (seat: number) => boolean;
}

/** By what the player of a seat has chosen; the table is shared and waits for nobody. */
export const HURRY = { full: 1, fast: 0.4, none: 0 } as const;

/** A point on a shallow curve from `a` to `b`; positive `bow` bends to the left of the way. */
export function along(a: Point, b: Point, t: number, bow: number): Point {
  const mx = (a.x + b.x) / 2 - (b.y - a.y) * bow;
  const my = (a.y + b.y) / 2 + (b.x - a.x) * bow;
  const k = 1 - t;
  return { x: k * k * a.x + 2 * k * t * mx + t * t * b.x, y: k * k * a.y + 2 * k * t * my + t * t * b.y };
}

/**
 * How a card bends on its way: up, over the cloth, but no further than keeps it from passing behind
 * the dealer's strip. `bow` as in `along`, without a sign.
 */
export function bowOf(
  { strip, card, unit }: TableLayout,
  from: Placement,
  to: Placement,
  bow: number,
): number {
  const up = from.x > to.x ? bow : -bow;
  const isClear = (bent: number): boolean =>
    STEPS.every((p) => {
      const { x, y } = along(from, to, p, bent);
      // Lifted on the way, as `CardWidget` shows it.
      const lift = Math.sin(Math.PI * p);
      const scale = mix(from.scale, to.scale, p) * (1 + 0.07 * lift);
      const beside = Math.abs(x - strip.x - strip.width / 2) > (strip.width + card.width * scale) / 2;
      return beside || y - 10 * lift * unit - (card.height * scale) / 2 > strip.y + strip.height;
    });
  return [1, 0.5, 0, -0.5].map((part) => part * up).find(isClear) ?? -up;
}
const STEPS = Array.from({ length: 51 }, (_, i) => i / 50);

export const mix = (a: number, b: number, t: number): number => a + (b - a) * t;
