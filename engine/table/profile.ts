import type { Currency, Minor } from '../core/money.ts';

/** The names of the regulations; each game adds its own by `declare module`. */
export interface RulebookIds {}
export type RulebookId = keyof RulebookIds;

export type OptionValue =
  | boolean
  | number
  | string
  | null
  | readonly OptionValue[]
  | { readonly [field: string]: OptionValue };

/**
 * What the regulator has granted: without it a choice that needs prior authorisation cannot be
 * switched on.
 */
export interface Authorisation {
  /**
   * Options of the rulebook it covers, each with the value that was granted. A list of names, as
   * records were once written, covers them at any value.
   */
  readonly options: readonly string[] | Readonly<Record<string, OptionValue>>;
  /** Who granted it. */
  readonly by: string;
  readonly reference: string;
  /** Days as `2026-11-21`, in the place of the casino. */
  readonly requestedOn: string;
  readonly effectiveOn: string;
  /** The last day it covers; absent = it has no end. */
  readonly untilOn?: string;
  /** The first day it does not cover any more, for it was revoked. */
  readonly revokedOn?: string;
  /** Nobody was asked: it belongs to a demonstration. */
  readonly demonstration?: true;
}

/**
 * How the house wants its table drawn and heard. The cloth is one picture for all seats, and so are
 * the faces on it.
 */
export interface TableDisplay {
  /**
   * Colours of the suits; four: spades black, hearts red, diamonds blue, clubs green. Default 2.
   */
  readonly suitColours?: 2 | 4;
  /** large: rank and suit fill the card. Default standard. */
  readonly cardIndex?: 'standard' | 'large';
  /**
   * Baccarat: a side's later cards are peeled open slowly on the cloth; the game does not wait.
   * Default false.
   */
  readonly slowReveal?: boolean;
  /** Strip and dialogs as a dealer across from the players reads them. Default: as they do. */
  readonly dealerEdge?: 'upright' | 'turned';
  /** What the Chinese of announcements and of spoken help is said in. Default Cantonese. */
  readonly chineseVoice?: ChineseVoice;
}

export type ChineseVoice = 'cantonese' | 'mandarin';

/**
 * Where the dealer stands for those who look at the picture: across from the players, at its upper
 * edge, or on their side.
 */
export type DealerSide = 'far' | 'near';

/**
 * What the house lets a seat put in by notes; the largest single note is that of `notesMinor`.
 * Nobody is known by name, so a span counts at the seat, whoever sits there.
 */
export interface NoteLimits {
  /**
   * All seats together within one round; more is a fault. Absent = as much as their credits may be.
   */
  readonly roundMinor?: Minor;
  /** From the first money of a session to its end. */
  readonly sessionMinor?: Minor;
  /** Within `ms` from the first note on; then it begins afresh with the next one. */
  readonly span?: { readonly ms: number; readonly mostMinor: Minor };
}

/** Acceptors have the numbers from 1 to this. */
export const acceptorCount = ({
  acceptors,
  seatCount,
}: Pick<TableProfile, 'acceptors' | 'seatCount'>): number => (acceptors === 'shared' ? 1 : seatCount);

/**
 * Everything that makes this terminal this table. It is an entry of the ledger whenever it changes.
 */
export interface TableProfile {
  readonly terminalId: string;
  readonly tableName: string;
  readonly rulebook: RulebookId;
  /**
   * Only what differs from the rulebook's defaults; validated against the rulebook's option table.
   */
  readonly options: Readonly<Record<string, OptionValue>>;
  /** Absent = none. */
  readonly authorisations?: readonly Authorisation[];
  readonly currency: Currency;
  /** Chips offered on the seat panels, ascending. */
  readonly chipsMinor: readonly Minor[];
  readonly seatCount: number;
  /** One acceptor per seat (acceptor n = seat n) or a single shared one, number 1. */
  readonly acceptors: 'per-seat' | 'shared';
  /** Which way the seats go, from the dealer's left (r.2), in the picture. Default far. */
  readonly dealerSide?: DealerSide;
  /** Notes that may be taken, in minor units of `currency`. */
  readonly notesMinor: readonly Minor[];
  /** A note that would lift a seat's credit above this is returned. */
  readonly maxCreditMinor: Minor;
  /** Hand-pays above this need a second person. */
  readonly twoPersonHandPayMinor: Minor;
  /**
   * A bettor's net win of a round above this is paid by hand; absent = the machine pays every win.
   */
  readonly handPaidWinMinor?: Minor;
  /**
   * How long after a round's end it may be complained about where no article says so; absent = five
   * minutes, 0 = never.
   */
  readonly complaintWindowMs?: number;
  /** Staff hear of a session that lasts so long; absent or 0 = of none. */
  readonly longSessionMs?: number;
  /** What a seat takes in notes; absent = as much as its credit may be. */
  readonly noteLimits?: NoteLimits;
  /**
   * An acceptor that has taken a note takes none until the centre, or an attendant, opens it again;
   * absent = it stays open.
   */
  readonly shutAfterNote?: true;
  /** How long rounds are played without the casino's centre; absent = without end. */
  readonly offlineMs?: number;
  /** Cards are counted at the end of a shoe, before the next one; absent = they are not. */
  readonly countCards?: true;
  /**
   * A supervisor sees every shoe loaded and laid out, and the end of its jams, also where no
   * article asks for one (r.51, r.54, r.55 do); absent = only where one does.
   */
  readonly supervisedShoe?: true;
  /**
   * A card with which money is paid is confirmed by the dealer first, however sure the shoe is of
   * it; absent = only one that the shoe could not read surely is.
   */
  readonly payingCardConfirmed?: true;
  /** Only a supervisor may correct errors of the deal; absent = the dealer may. */
  readonly errorsBySupervisor?: true;
  /** How the table is drawn; nothing of it touches the game. Absent = every default. */
  readonly display?: TableDisplay;
  readonly timing: {
    readonly bettingMs: number;
    readonly offersMs: number;
    readonly decisionMs: number;
    /**
     * A card read with less confidence than this (0..255) is confirmed by the dealer before it
     * counts.
     */
    readonly minConfidence: number;
    readonly minResultMs: number;
    /** From the opening of a round to its end at least; absent = as short as it is played. */
    readonly minRoundMs?: number;
  };
}
