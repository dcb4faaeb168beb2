/** The places of a table: what a layout says, whoever lays it. */
import type { Form } from './form.ts';
import type { Arc, Box, Placement, Point } from './geometry.ts';

/** A part of a band between two arcs with one centre, from one upright line to another. */
export interface Cell {
  readonly inner: Arc;
  readonly outer: Arc;
  /** x of both lines. */
  readonly from: number;
  readonly to: number;
}
/** A line of text printed on the cloth: its middle, its turn and the most it may be wide. */
export interface Print extends Point {
  readonly turn: number;
  readonly size: number;
  readonly room: number;
}
/** A place for one kind of bet beside the main one. */
export interface Spot extends Point {
  readonly bet: string;
  /**
   * slot: the lit opening for the chip of a jackpot; field: a turned rectangle; cell: a part of a
   * band.
   */
  readonly kind: 'slot' | 'field' | 'cell';
  /** Half of its height. */
  readonly radius: number;
  readonly width: number;
  readonly turn: number;
  readonly cell: Cell | null;
  /**
   * Size of the chips that lie on it, and how far above its middle: their figure stands clear of
   * the label.
   */
  readonly chips: number;
  readonly lift: number;
  /** Chips cover its print. */
  readonly covered: boolean;
  readonly name: Print;
  /** null: no room for it; the odds stand in the panel. */
  readonly odds: Print | null;
  /** Where the large sign of a side of baccarat is painted; null: it has none. */
  readonly sign: Print | null;
  /** Middle of the label with the amount, and the most it may be wide. */
  readonly label: Point;
  readonly labelRoom: number;
  /** The same for what it wins. */
  readonly wonRoom: number;
}
export interface SeatLayout {
  readonly seat: number;
  /** Centre of the betting box; in baccarat of the medallion with the number. */
  readonly x: number;
  readonly y: number;
  /** Centre of the insurance spot on the band. */
  readonly insurance: Point;
  readonly spots: readonly Spot[];
  /** Everything of this seat stays inside; neighbours touch but do not overlap. */
  readonly zone: Box;
  /** Middle of the panel below, where chips come from and go to. */
  readonly panel: Point;
  /** Centre of the result ribbon. */
  readonly ribbon: Point;
}
export interface TableLayout {
  readonly form: Form;
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
  /**
   * Baccarat: the Player side, left of the bank's, which is the Banker side; the size of their
   * cards.
   */
  readonly player: { readonly centre: Point; readonly place: Box; readonly label: Point } | null;
  readonly handScale: number;
  /** The bank's chips: what it pays comes from here, and what it wins goes here. */
  readonly float: Box;
  /** Baccarat: the sign that says which side has won. */
  readonly verdict: Point | null;
  /** At the dealer's left, its mouth towards the middle; the tray at the dealer's right. */
  readonly shoe: Box & { readonly mouth: Placement };
  /** `endCard`: where the card that ends the shoe lies, beside the tray. */
  readonly tray: Box & { readonly top: Placement; readonly endCard: Point };
  readonly limits: Box;
  readonly round: Box;
  readonly lettering: Arc;
  readonly band: { readonly inner: Arc; readonly middle: Arc; readonly outer: Arc; readonly half: number };
  readonly banner: Box;
  /** The lit meter of a progressive jackpot. */
  readonly meter: Box | null;
  /** art. 1.5: where the streak's buttons wait, one a seat; null where no streak is offered. */
  readonly streakRack: { readonly box: Box; readonly places: readonly Point[] } | null;
  /**
   * A deck laid out on an empty table: along an arc, to an angle on either side, with a line of
   * welcome beside it.
   */
  readonly spread: {
    readonly arc: Arc;
    readonly half: number;
    readonly scale: number;
    readonly welcome: Point;
  };
  readonly seats: readonly SeatLayout[];
}

/** Height of a seat's result, px of 1080 lines. */
export const RIBBON = 28;

/** What every table has, whatever is played on it. */
export interface Ground {
  readonly form: Form;
  readonly width: number;
  readonly height: number;
  readonly unit: number;
  /** Pixels per pixel of the board's height: anchors spread with the viewport. */
  readonly v: number;
  readonly cx: number;
  readonly panelTop: number;
  readonly edge: Arc;
  /**
   * Where the arcs of the cloth are measured, from the middle to either side; the room of one seat.
   */
  readonly reach: number;
  readonly pitch: number;
  /** By number of the seat; `fromMiddle`: its column counted from the middle of the picture. */
  readonly columns: readonly {
    readonly seat: number;
    readonly fromMiddle: number;
    readonly x: number;
    /** Middle of the seat's result. */
    readonly ribbonY: number;
    readonly panel: Point;
  }[];
}

/** What the games lay themselves. */
export type GameLayout = Pick<
  TableLayout,
  | 'boxRadius'
  | 'bank'
  | 'player'
  | 'handScale'
  | 'float'
  | 'verdict'
  | 'limits'
  | 'round'
  | 'lettering'
  | 'band'
  | 'banner'
  | 'meter'
  | 'streakRack'
  | 'spread'
  | 'seats'
>;
