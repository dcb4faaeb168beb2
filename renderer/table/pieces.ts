/**
 * What a picture of the table is made of: cards, stacks of chips, badges and all else that lies on
 * it.
 */
import type { Card } from '../../engine/core/cards.ts';
import type { Language } from '../../engine/table/inputs.ts';
import type { Placement, Point } from './geometry.ts';

/** 0 = the bank. */
export type Owner = number;

export interface CardPiece {
  /** `owner/hand/index`: one place on the table. */
  readonly slot: string;
  readonly owner: Owner;
  /** null: a card nobody may know. */
  readonly card: Card | null;
  readonly faceUp: boolean;
  readonly dim: boolean;
  readonly place: Placement;
  /** The seat that peels it open when it comes; absent = it is turned over like any other. */
  readonly peeledBy?: number;
}
export interface StackPiece {
  readonly key: string;
  /** The seat on which it lies, and the one whose panel its chips come from and go to. */
  readonly owner: number;
  readonly bettor: number;
  /** A stake or insurance comes from the player, winnings from the bank. */
  readonly from: 'player' | 'bank';
  readonly amountMinor: number;
  readonly at: Point;
  readonly scale: number;
  readonly label: {
    /** The first of these that has room hears it; none where none has. */
    readonly texts: readonly string[];
    readonly at: Point;
    readonly tone: LabelTone;
    /** The most it may be wide. */
    readonly room: number;
  } | null;
}
export type LabelTone = 'stake' | 'won' | 'lost';
/**
 * won, player: in baccarat the points of the side that has won, and the colour of the Player side.
 */
export type BadgeTone = 'total' | 'blackjack' | 'busted' | 'turn' | 'won' | 'player';
export interface BadgePiece {
  readonly key: string;
  /** The hand whose cards it adds up: it waits for their arrival. */
  readonly owner: Owner;
  readonly text: string;
  readonly tone: BadgeTone;
  readonly at: Point;
  readonly width: number;
  readonly height: number;
  readonly font: number;
}
export type RibbonTone = 'won' | 'lost' | 'even' | 'natural';
export interface RibbonPiece {
  readonly seat: number;
  readonly at: Point;
  readonly width: number;
  readonly amount: string;
  readonly word: string;
  readonly tone: RibbonTone;
  /** It tells a big win: a light goes up behind this place when it comes. */
  readonly light: Point | null;
}
export interface RingPiece {
  readonly seat: number;
  readonly kind: 'turn' | 'betting' | 'offers';
  readonly atMs: number;
  readonly totalMs: number;
}
/** The print of a spot, in the language of its seat. */
export interface SpotPiece {
  readonly seat: number;
  readonly bet: string;
  readonly language: Language;
  /** No chips hide it. */
  readonly printed: boolean;
  /** The light of a slot with its chip in it. */
  readonly lit: boolean;
}
/**
 * art. 13.5.2.iii: the button of the winning streak, on the number that comes next; null: it waits
 * in its rack.
 */
export interface ButtonPiece {
  readonly seat: number;
  readonly number: number | null;
  readonly at: Point;
}
export interface Banner {
  readonly tone: 'hold' | 'closed';
  /** In the languages of the cloth. */
  readonly titles: readonly string[];
  /** Empty where the title says all. */
  readonly reasons: readonly string[];
}
export interface Picture {
  readonly cards: readonly CardPiece[];
  readonly stacks: readonly StackPiece[];
  readonly badges: readonly BadgePiece[];
  readonly ribbons: readonly RibbonPiece[];
  readonly rings: readonly RingPiece[];
  /** Seats whose box has no chips and shows its number. */
  readonly numbers: readonly number[];
  readonly spots: readonly SpotPiece[];
  readonly buttons: readonly ButtonPiece[];
  /** The box that plays, and the hand in it when there are several. */
  readonly turn: {
    readonly seat: number;
    readonly hand: { readonly centre: Point; readonly width: number; readonly height: number } | null;
  } | null;
  readonly offered: readonly number[];
  /** `endCard`: the card that ends the shoe has come out and lies beside the tray. */
  readonly shoe: { readonly remaining: number; readonly total: number; readonly endCard: boolean };
  readonly discarded: number;
  readonly limits: string;
  readonly currency: string;
  /** What the meter of the progressive jackpot shows. */
  readonly meterMinor: number | null;
  /** `demo`: shown without bets (art. 2.2 of Bacará). */
  readonly round: { readonly no: number; readonly last: boolean; readonly demo: boolean } | null;
  readonly banner: Banner | null;
  /** Nobody sits here and nothing is played: the table shows itself. */
  readonly attract: boolean;
}
