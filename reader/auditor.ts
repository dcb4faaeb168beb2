/**
 * What an auditor of a rulebook is: a second model of the law, written from the articles alone. It
 * shares no code with `engine/`; nothing of this folder may be imported by the engine or import it.
 * Cards are texts as in the conformance vectors (`AS`, `TD`), money is integers in minor units,
 * seats and bettors count from 1, hands from 0.
 */

export interface AuditedBet {
  readonly seat: number;
  /** The bettor, named by the seat at which they sit. */
  readonly by: number;
  readonly bet: string;
  readonly amount: number;
}

/** A bet that may not lie as it does. */
export interface Unlawful {
  readonly bet: AuditedBet;
  readonly reasons: Refusals;
}

/** Somebody with open streak bets on this seat has gone. */
export interface Leaver {
  readonly seat: number;
  readonly by: number;
}

export interface AuditedAct {
  readonly seat: number;
  readonly hand: number;
  /** Who asks; absent = whoever the articles let decide. */
  readonly by?: number;
  /** Name as in the vectors (`hit`, `goToWar`, …), or `playOn`: no offer taken. */
  readonly do: string;
  readonly amount?: number;
  /** Of a double or a split: whose money covers the raise; absent = everybody's. */
  readonly raised?: readonly number[];
}

/**
 * What the dealer or a supervisor does outside the ordinary course; names as in the vectors
 * (`voidRound`, `drawWrong`, …).
 */
export interface AuditedDeed {
  readonly do: string;
  readonly shown?: boolean;
  readonly from?: number;
  readonly to?: number;
  readonly card?: string | number;
  readonly seat?: number;
  readonly hand?: number;
  /** Which of the first cards; absent = all of them. */
  readonly place?: number;
}

/** One settled bet; `net` = money back minus all money staked on it. */
export interface AuditedLine {
  readonly seat: number;
  readonly by: number;
  readonly bet: string;
  /** null for bets that do not lie on one hand. */
  readonly hand: number | null;
  readonly net: number;
}

/**
 * What the procedure waits for. `player` is baccarat's Player side; `over` = settled, or no round.
 */
export type Due =
  | { readonly to: 'bets' | 'burn' | 'bank' | 'player' | 'over' }
  | { readonly to: 'seat' | 'decision'; readonly seat: number; readonly hand: number }
  | { readonly to: 'offers'; readonly seats: readonly number[] };

/**
 * Reasons of a refusal, the first to be given first; empty = accepted and done. Where two articles
 * refuse at once no article says which is given.
 */
export type Refusals = readonly string[];
export const ACCEPTED: Refusals = [];

/**
 * State that outlives a round, as in `expect.after` of the vectors; only what the rulebook knows.
 */
export interface Aftermath {
  /** Streak button of each seat, key = seat. */
  readonly streak?: Readonly<Record<string, number>>;
  readonly jackpot?: number | null;
  readonly shoeEnded?: boolean;
  /** The card that left the shoe and lies there as the next to be dealt. */
  readonly next?: string | null;
  /** r.8: seat of the player who cut the pack, `supervisor`, or null where nobody cuts. */
  readonly cutBy?: number | 'supervisor' | null;
  /** r.9: the warning card, in cards from the end. */
  readonly warningFromEnd?: number | null;
}

/**
 * How a pack is made ready (r.8): who is seated, who leaves the cut to the next, whether the game
 * restarts.
 */
export interface Opening {
  readonly seated?: readonly number[];
  readonly refuse?: readonly number[];
  readonly restart?: boolean;
}

export interface Auditor {
  /**
   * The pack is ready again (shuffled, cut, loaded): burns and the end of the shoe start afresh.
   */
  newShoe(opening?: Opening): void;
  /**
   * @param seated seats that are taken, where the rulebook asks; absent = the seat of everybody who
   * bets
   */
  openRound(seated?: readonly number[]): void;
  bet(bet: AuditedBet): Refusals;
  /**
   * Takes these bets as they lie; in what order they were laid nobody knows.
   * @param left bettors of a series who have left the table (art. 13.5.2.vi)
   * @returns the first that no article lets lie beside the others, null = all may
   */
  lay(bets: readonly AuditedBet[], left: readonly Leaver[]): Unlawful | null;
  /**
   * More or fewer chips on a bet that lies: `amount` is all of it, 0 = taken back whole. Absent =
   * bets are laid whole.
   */
  change?(bet: AuditedBet): Refusals;
  /**
   * The dealer's word that nothing more goes; refused where the articles demand a bet that is
   * missing.
   */
  closeBets(): { readonly seat: number; readonly code: string } | null;
  due(): Due;
  /** The next card out of the shoe; `faceUp` = it lay face up in the source. */
  card(card: string, faceUp?: boolean): void;
  /** Second white card, cut card, warning card: seen. */
  endCard(): void;
  act(act: AuditedAct): Refusals;
  deed(deed: AuditedDeed): Refusals;
  /** All lines of the round; null while it is not settled. */
  lines(): readonly AuditedLine[] | null;
  /** What articles have paid before the round is over; absent = none does. */
  paidAtOnce?(): readonly AuditedLine[];
  bank(): readonly string[];
  /** Baccarat's Player side. */
  player?(): readonly string[];
  /** Cards per seat and hand. */
  hands(): Readonly<Record<string, readonly (readonly string[])[]>>;
  /** Cards taken out in this round and, for its first round, at the start of the shoe. */
  burned(): readonly string[];
  after(): Aftermath;
}

/** One rulebook's auditor, as the random play uses it. */
export interface AuditedRulebook {
  readonly rulebook: string;
  /**
   * @param options complete options (defaults filled in) @param seats number of seats of the table
   */
  model(options: Readonly<Record<string, unknown>>, seats: number): Auditor;
  /** Names to draw bets and acts from, lawful at this rulebook or not. */
  readonly bets: readonly string[];
  readonly acts: readonly string[];
}
