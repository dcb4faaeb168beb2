/** The picture of the table that the host shows to every display after each commit. */
import type { Card } from '../engine/core/cards.ts';
import type { Currency, Minor } from '../engine/core/money.ts';
import type { RejectCode } from '../engine/core/result.ts';
import type { Coup } from '../engine/games/baccarat/roads.ts';
import type { Comfort } from '../engine/table/comfort.ts';
import type { Assignable } from '../engine/table/error-desk.ts';
import type { EventOf } from '../engine/table/events.ts';
import type { Act, Language, OwnLimitKind, OwnLimits, PersonRole } from '../engine/table/inputs.ts';
import type { DealerSide, RulebookId, TableDisplay } from '../engine/table/profile.ts';
import type { SettlementLine } from '../engine/table/settlement.ts';
import type { LastCards, Phase } from '../engine/table/state.ts';
import type {
  BehindChoice,
  BettingChoice,
  Choice,
  DealerOption,
  DealerStep,
  Hold,
  Remedy,
} from '../engine/table/steps.ts';
import type { Tally } from '../engine/table/tallies.ts';
import type { HandedOver } from './display.ts';

export interface TableView {
  /** New at every start of the host process. */
  readonly bootId: string;
  /** Ledger position this view stands on. */
  readonly seq: number;
  /** The host's clock when the view was made; deadlines are in the same clock. */
  readonly nowMs: number;
  readonly demo: { readonly autoDealer: boolean; readonly autoPlayers: boolean } | null;
  /** Simulated devices may serve this table: nothing on it is money, and every display says so. */
  readonly simulation: boolean;
  readonly table: {
    readonly name: string;
    readonly terminalId: string;
    readonly rulebook: RulebookId;
    readonly currency: Currency;
    readonly minMinor: Minor;
    readonly maxMinor: Minor;
    readonly stepMinor: Minor;
    readonly chipsMinor: readonly Minor[];
    readonly notesMinor: readonly Minor[];
    readonly acceptors: 'per-seat' | 'shared';
    readonly options: Readonly<Record<string, unknown>>;
    /** Where the dealer stands (r.2); absent = far, across from the players. */
    readonly dealerSide?: DealerSide;
    /** How the house wants it drawn; absent = as by default. */
    readonly display?: TableDisplay;
  };
  /**
   * What has started, for whoever stands before a table that nobody deals at; absent while somebody
   * does, or before it is known. `table`: SHA-256 of the profile (`tableHashOf`).
   */
  readonly program?: { readonly version: string; readonly id: string; readonly table: string };
  readonly phase: Phase;
  readonly round: {
    readonly id: string;
    readonly no: number;
    readonly last: boolean;
    /** Shown without bets. */
    readonly demo: boolean;
  } | null;
  readonly hold: Hold | null;
  readonly deadline: {
    readonly kind: 'betting' | 'offers' | 'decision' | 'results';
    readonly atMs: number;
    readonly totalMs: number;
    readonly seat: number | null;
    readonly hand: number | null;
  } | null;
  readonly dealer: {
    readonly name: string;
    readonly step: DealerStep;
    readonly options: readonly DealerOption[];
    /** Lawful ways out of the present hold; empty = nothing is held, or the desk cannot end it. */
    readonly remedies: readonly Remedy[];
    /** Cards that may be given to whom they were due. */
    readonly assignables: readonly Assignable[];
    /** The house leaves errors of the deal to a supervisor. */
    readonly errorsBySupervisor?: true;
    readonly supervisedShoe?: true;
  };
  readonly shoe: {
    /** The shoe cannot tell that it was loaded: the dealer does, with `load-shoe`. */
    readonly handLoaded?: true;
    readonly loaded: boolean;
    readonly decks: number;
    readonly drawn: number;
    readonly remaining: number;
    readonly discarded: number;
    readonly burned: number;
    readonly lastRound: boolean;
  };
  readonly bank: {
    /** null lies face down; points, soft and blackjack are those of the others. */
    readonly cards: readonly (Card | null)[];
    readonly points: number | null;
    readonly soft: boolean;
    readonly blackjack: boolean;
    readonly busted: boolean;
  };
  /** Baccarat's Player side, `bank` being the Banker side; null in games without one. */
  readonly playerSide: { readonly cards: readonly Card[]; readonly points: number | null } | null;
  /** Baccarat: the finished rounds of this shoe, for its roads; null in other games. */
  readonly coups: readonly Coup[] | null;
  /**
   * The newest rounds in short, oldest first, of a game that keeps them; absent = none has been
   * played.
   */
  readonly tallies?: readonly Tally[];
  /**
   * The progressive jackpot: what its meter shows and the price of a chip. Null where the table has
   * none.
   */
  readonly jackpot: { readonly meterMinor: Minor; readonly stakeMinor: Minor } | null;
  readonly seats: readonly SeatView[];
  /** With a shared acceptor: the seat the next note is for. */
  readonly noteSeat: number | null;
  /** Every note whose fate or owner is not known, oldest first; each is closed by an attendant. */
  readonly heldNotes: readonly {
    readonly caseNo: number;
    /** Null: a shared acceptor took it while no seat was chosen. */
    readonly seat: number | null;
    readonly acceptor: number;
    /** Null: the device did not say what it was. */
    readonly valueMinor: Minor | null;
    /** The device said that it lies in the cash box; else it may be anywhere. */
    readonly inBox: boolean;
    readonly sinceMs: number;
    /** Two persons must close it. */
    readonly twoPersons: boolean;
  }[];
  /** Everything that waits to be paid by hand, oldest first. */
  readonly handPays: readonly {
    readonly seat: number;
    readonly requestId: string;
    /** Number of its receipt; null where an earlier version took the request. */
    readonly payNo: number | null;
    /** `win`: too large for the machine; the player cannot take it back. */
    readonly kind: 'cash-out' | 'win';
    readonly amountMinor: Minor;
    readonly sinceMs: number;
    readonly twoPersons: boolean;
  }[];
  /** Cash boxes are exchanged by announcement; absent = a box that is taken out is a fault. */
  readonly drop?: { readonly name: string; readonly sinceMs: number };
  /** Open ones, oldest first; each is closed by a supervisor. */
  readonly complaints: readonly {
    readonly complaintNo: number;
    readonly seat: number;
    readonly roundNo: number;
    readonly from: 'player' | 'dealer';
    readonly sinceMs: number;
    /** What has been put right for it so far. */
    readonly adjustedMinor: Minor;
  }[];
  /**
   * The round that may be complained about; `untilMs` null = until its cards are fed into the
   * shuffler (r.61).
   */
  readonly complaintWindow: {
    readonly roundNo: number;
    readonly untilMs: number | null;
    readonly cites: readonly string[];
  } | null;
  /** Where players find help, and how they have themselves excluded; absent = nothing is said. */
  readonly help?: HelpTexts;
  /** What whoever comes takes over; absent in a picture of the past. */
  readonly handover?: Handover;
  readonly pinPad: {
    /**
     * Who can be touched instead of typing a staff number (`person`); empty where they are too many
     * to show.
     */
    readonly people: readonly { readonly person: string; readonly name: string; readonly role: PersonRole }[];
    readonly leastDigits: number;
    /** Why nobody is let in; absent = nothing is in the way. */
    readonly closed?: 'roster-ended' | 'roster-missing';
    /** The reader of staff cards, and whose card lies on it; absent = there is none. */
    readonly card?: {
      readonly state: 'no-reader' | 'empty' | 'reading' | 'read' | 'unreadable' | 'unknown';
      readonly person: string | null;
    };
  };
  readonly service: {
    readonly name: string;
    readonly role: PersonRole;
    readonly sinceMs: number;
    /** Nobody has touched it for long: it ends then, by the host's clock. Absent = that is far. */
    readonly leavesAtMs?: number;
  } | null;
  /** The round of the past that the big table plays now; absent = it shows the present. */
  readonly recall?: {
    readonly roundId: string;
    readonly no: number;
    readonly openedAtMs: number;
    /** Of the profile it was played by, in hex. */
    readonly profileSha256: string;
  };
  /** Displays of their own that are there; absent = everything is on the big table. */
  readonly handedOver?: HandedOver;
  /**
   * Faults of the ledger's files that stand, and the link where it has been down for too long; see
   * docs/events.md.
   */
  readonly ledgerFaults: readonly string[];
  readonly link: {
    /** fork: the centre holds another history under this terminal's name. */
    readonly state: 'up' | 'down' | 'off' | 'fork';
    readonly headSeq: number;
    readonly ackedSeq: number;
    /** Time of the newest entry that is provably at the centre. */
    readonly ackedUpToMs: number | null;
    /** Since when there is no link, null while there is one. */
    readonly downSinceMs: number | null;
  };
  /** What the casino's centre has ordered; absent = nothing that concerns a display. */
  readonly centre?: {
    /** Why no further round begins, in the words of whoever ordered it; null = one may. */
    readonly lock: string | null;
    /** Why the table rests after the round in play; absent = it does not. */
    readonly maintenance?: string;
    /** Plain text, to be shown as such. */
    readonly message: Readonly<Record<Language, string>> | null;
  };
  /** How soft and how loud its displays may be, by order of the centre; absent = as chosen. */
  readonly sound?: { readonly least: 0 | 1 | 2; readonly most: 0 | 1 | 2 };
  readonly devices: readonly DeviceView[];
  /**
   * Sentences can be spoken. `keys`: by the number of a seat the raised keys it has, as
   * `KeyboardEvent.code`. Absent = there is no synthesiser.
   */
  readonly speech?: { readonly keys: Readonly<Record<string, readonly string[]>> };
}

export interface HelpTexts {
  readonly line: Readonly<Record<Language, string>>;
  readonly exclusion: Readonly<Record<Language, string>>;
}

/** What stands open at the table, as it is handed over with a shift. */
export interface Handover {
  readonly handPays: number;
  readonly pendingMinor: Minor;
  readonly heldNotes: number;
  readonly calls: readonly number[];
  readonly complaints: number;
  /** Damaged cards of which the inspection has not been told (r.51). */
  readonly unreported: number;
  readonly faults: readonly string[];
  /** On all seats. */
  readonly creditMinor: Minor;
}

export interface DeviceView {
  readonly id: string;
  readonly kind: 'bill-acceptor' | 'card-shoe' | 'receipt-printer' | 'cabinet-board' | 'power-supply';
  readonly model: string;
  readonly simulated: boolean;
  readonly state: string;
  readonly fault: string | null;
  /** What the players of this device see of it. */
  readonly player: 'no-notes' | 'note-stuck' | 'one-note' | 'staff' | null;
  /** An acceptor that has taken a note and waits to be opened again. */
  readonly shutAfterNote?: true;
  /** Of an acceptor whose cash box is exchanged in the drop that stands. */
  readonly box?: 'due' | 'out' | 'exchanged';
}

export interface SeatView {
  readonly seat: number;
  readonly language: Language;
  /**
   * Nobody sits here: no credit, no bet of theirs anywhere, no request; others may have bet on this
   * seat.
   */
  readonly free: boolean;
  readonly creditMinor: Minor;
  readonly heldMinor: Minor;
  readonly callsAttendant: boolean;
  /** Absent = as everybody's. */
  readonly comfort?: Comfort;
  /** Absent = nobody has taken the seat. */
  readonly session?: SessionView;
  /** All bets on this seat, whoever laid them, nearest to the bank first. */
  readonly bets: readonly BetView[];
  /**
   * Whose chips lie in the box: the seat's own, else those nearest to the bank; null = no main bet.
   */
  readonly front: number | null;
  /** Who decides for the hands of this seat (art. 20.1, r.16); null = no hands. */
  readonly decider: number | null;
  /**
   * Streak bets that lie untouchable on this seat (art. 13.5); `button` as on the layout, 1 = no
   * win yet.
   */
  readonly streak: {
    readonly button: number;
    readonly open: readonly {
      readonly by: number;
      readonly number: number;
      readonly amountMinor: Minor;
    }[];
  } | null;
  /** Insurance laid on this seat. */
  readonly insurance: readonly { readonly by: number; readonly amountMinor: Minor }[];
  readonly hands: readonly HandView[];
  /** Hand whose turn it is, null while it is not this seat's turn. */
  readonly turnHand: number | null;
  /** Decisions of the bettor of this seat, also on other seats, the most urgent seat first. */
  readonly choices: readonly Choice[];
  /** What may be noted for their next hand, whose turn has not come; absent = nothing. */
  readonly ahead?: readonly Choice[];
  /** What they have noted; `dropped`: why it was not said when the turn came. */
  readonly intent?: {
    readonly act: Act;
    readonly dropped?: { readonly code: RejectCode; readonly cites: readonly string[] };
  };
  readonly betting: readonly BettingChoice[];
  /** The other seats, and what the bettor of this one may lay on them. */
  readonly behind: readonly BehindChoice[];
  /** Settled lines of this seat, whoever had the bet. */
  readonly lines: readonly SettlementLine[];
  /** What the bettor of this seat has won and lost, on whatever seats. */
  readonly result: SeatResult | null;
  /** The bettor's last round, until their next bet or until they have gone; absent = none. */
  readonly last?: LastResultView;
  readonly note: {
    readonly state: 'checking' | 'stacking' | 'credited' | 'returned' | 'held';
    readonly valueMinor: Minor;
    readonly caseNo: number | null;
    /** Of one that came back. */
    readonly why?: EventOf<'note-refused'>['why'] | 'not-taken';
  } | null;
  /**
   * The largest note that its credit and the player's own limit leave room for; null = none. Absent
   * in a picture of the past, into which nobody puts any.
   */
  readonly largestNoteMinor?: Minor | null;
  readonly cashOut: {
    readonly requestId: string;
    readonly amountMinor: Minor;
    readonly sinceMs: number;
    readonly twoPersons: boolean;
  } | null;
}

export interface LastResultView {
  readonly roundId: string;
  readonly no: number;
  readonly stakeMinor: Minor;
  readonly netMinor: Minor;
  /** Absent in a round of an older program. */
  readonly cards?: LastCards;
}

/** Of whoever sits there since they took the seat; out of the ledger, and nobody's name. */
export interface SessionView {
  readonly sinceMs: number;
  readonly inMinor: Minor;
  readonly outMinor: Minor;
  /** Won (+) or lost (-); stakes on the table are still theirs. */
  readonly resultMinor: Minor;
  readonly limits: OwnLimits;
  /** They lay nothing more before they have confirmed it. */
  readonly reached: OwnLimitKind | null;
  /** False once one has been reached: then they can only be lowered. */
  readonly mayRaise: boolean;
  /** Those that can only be lowered now, see `standingLimits`; absent = none besides. */
  readonly standing?: readonly (keyof OwnLimits)[];
  /** Rounds settled, and the most that was lost in one; absent in a session of an older program. */
  readonly rounds?: number;
  readonly largestLossMinor?: Minor;
  /** Of the break they are taking. */
  readonly breakUntilMs?: number;
  /** It has lasted for as long as staff are to be told. */
  readonly long?: true;
}

export interface BetView {
  readonly by: number;
  readonly bet: string;
  readonly amountMinor: Minor;
}

export interface HandView {
  /** null lies face down, and is not for this display: then neither are the points. */
  readonly cards: readonly (Card | null)[];
  /** Of the bettor in front. */
  readonly stakeMinor: Minor;
  /** Of the others, nearest to the bank first; whoever has nothing on this hand is left out. */
  readonly behind: readonly { readonly by: number; readonly stakeMinor: Minor }[];
  readonly points: number | null;
  readonly soft: boolean;
  /** They lie face down on the table: only the panel of the seat itself shows them. */
  readonly faceDown: boolean;
  readonly doubled: boolean;
  readonly fromSplit: boolean;
  readonly status: 'open' | 'stood' | 'busted' | 'blackjack' | 'surrendered' | 'paid' | 'done';
  /** After settlement, of the bettor in front; the lines are the seat's. */
  readonly netMinor: Minor | null;
}

export interface SeatResult {
  readonly netMinor: Minor;
  readonly lines: readonly SettlementLine[];
}
