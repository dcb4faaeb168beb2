/**
 * The wire between host and displays: the only file of the host a display may import, and only its types.
 * HTTP for the built files, one WebSocket on 127.0.0.1 for everything else, JSON text frames.
 */
import type { Slice } from '../engine/accounting/meter-fold.ts';
import type { Card } from '../engine/core/cards.ts';
import type { Currency, Minor } from '../engine/core/money.ts';
import type { RejectCode } from '../engine/core/result.ts';
import type { Coup } from '../engine/games/baccarat/roads.ts';
import type { Comfort } from '../engine/table/comfort.ts';
import type {
  Act,
  AdjustReason,
  HeldNoteOutcome,
  HeldNoteReason,
  Language,
  OwnLimitKind,
  OwnLimits,
  PersonRole,
  VoidReason,
} from '../engine/table/inputs.ts';
import type { RulebookId, TableDisplay } from '../engine/table/profile.ts';
import type { SettlementLine } from '../engine/table/settlement.ts';
import type { Phase } from '../engine/table/state.ts';
import type {
  BehindChoice,
  BettingChoice,
  Choice,
  DealerOption,
  DealerStep,
  Hold,
} from '../engine/table/steps.ts';
import type { EventQuery, NoteQuery } from './api-pages.ts';
import type { ProfileEdit } from './change-desk.ts';
import type { DrillId } from './drills.ts';

export type { SettlementLine } from '../engine/table/settlement.ts';
export type { ProfileEdit } from './change-desk.ts';

export const PROTOCOL_VERSION = 1;

/** `table` is the kiosk: felt, all seat panels, dealer's edge. `operator` exists only with simulated devices. */
export type DisplayRole = 'table' | `seat:${number}` | 'dealer' | 'service' | 'operator';

// ---- display -> host ----

/** `by`: seat number of the bettor who bets on the hand of `seat` or decides for it; absent = the seat itself. */
export type Command =
  | {
      readonly type: 'place-bet';
      readonly roundId: string;
      readonly seat: number;
      readonly by?: number;
      readonly bet: string;
      readonly amountMinor: number;
      readonly touchedAtMs: number;
    }
  /** Of the bettor of `seat`, on whatever seats his bets lie. */
  | {
      readonly type: 'undo-bet' | 'clear-bets' | 'repeat-bets' | 'double-bets';
      readonly roundId: string;
      readonly seat: number;
      readonly touchedAtMs: number;
    }
  | {
      readonly type: 'decide';
      readonly roundId: string;
      readonly seat: number;
      readonly by?: number;
      readonly hand: number;
      readonly act: Act;
      readonly amountMinor?: number;
      readonly touchedAtMs: number;
    }
  /** For a hand whose turn has not come; `act` null takes it back. */
  | {
      readonly type: 'note-intent';
      readonly roundId: string;
      readonly seat: number;
      readonly by?: number;
      readonly hand: number;
      readonly act: Act | null;
      readonly touchedAtMs: number;
    }
  | { readonly type: 'set-language'; readonly seat: number; readonly language: Language }
  | { readonly type: 'set-comfort'; readonly seat: number; readonly comfort: Comfort }
  | ({ readonly type: 'set-own-limits'; readonly seat: number } & OwnLimits)
  | { readonly type: 'confirm-own-limit'; readonly seat: number }
  | { readonly type: 'call-attendant'; readonly seat: number; readonly on: boolean }
  | { readonly type: 'choose-note-seat'; readonly seat: number | null }
  | { readonly type: 'request-cash-out'; readonly seat: number }
  | { readonly type: 'cancel-cash-out'; readonly seat: number; readonly requestId: string }
  | {
      readonly type: 'confirm-hand-pay';
      readonly seat: number;
      readonly requestId: string;
      readonly pin: string;
      readonly secondPin?: string;
    }
  // dealer
  | { readonly type: 'sign-in-dealer'; readonly pin: string }
  | { readonly type: 'sign-out-dealer' }
  | { readonly type: 'check-decks' }
  /** The packs of the rules are in a shoe that cannot tell it, see TableView.shoe. */
  | { readonly type: 'load-shoe' }
  | { readonly type: 'load-packet'; readonly last: boolean; readonly pin: string }
  /** `pin`: of the supervisor, where he is the one who cuts. */
  | { readonly type: 'cut-shoe'; readonly seat: number | null; readonly pin?: string }
  | { readonly type: 'refuse-cut'; readonly seat: number }
  | { readonly type: 'place-end-card'; readonly cardsBehind: number }
  | { readonly type: 'end-card-out' }
  | { readonly type: 'replace-bank-second' }
  | { readonly type: 'feed-shuffler' }
  /** `from`: the player at the own seat, or the dealer for him (absent). */
  | { readonly type: 'raise-complaint'; readonly seat: number; readonly from?: 'player' }
  | {
      readonly type: 'close-complaint';
      readonly complaintNo: number;
      readonly upheld: boolean;
      readonly pin: string;
    }
  | { readonly type: 'open-shuffler'; readonly solved: boolean; readonly pin: string }
  | { readonly type: 'lay-out-cards'; readonly pin: string }
  | { readonly type: 'replace-cards'; readonly what: 'deck' | 'card'; readonly pin: string }
  | { readonly type: 'open-betting' }
  | { readonly type: 'demo-round' }
  | { readonly type: 'close-betting' }
  /** `by`: the bettor who has left with streak bets open on `seat`; a supervisor's PIN. */
  | { readonly type: 'forfeit-streak'; readonly seat: number; readonly by: number; readonly pin: string }
  | { readonly type: 'close-round' }
  | { readonly type: 'confirm-card'; readonly card: Card; readonly pin?: string }
  | { readonly type: 'set-card-aside' }
  | { readonly type: 'announce-face-up'; readonly faceUp: boolean }
  | { readonly type: 'assign-card'; readonly fromSeat: number; readonly toSeat: number }
  | { readonly type: 'draw-wrong'; readonly shown: boolean }
  | { readonly type: 'confirm-layout' }
  | { readonly type: 'void-round'; readonly reason: VoidReason; readonly pin: string }
  | {
      readonly type: 'resolve-held-note';
      readonly caseNo: number;
      readonly outcome: HeldNoteOutcome;
      readonly reason: HeldNoteReason;
      /** Needed with the reason `other`; absent = nothing. */
      readonly words?: string;
      readonly pin: string;
      /** Above the limit of the table, and for a note of unknown value. */
      readonly secondPin?: string;
    }
  /** A credit put right by two persons; `amountMinor` is signed. */
  | {
      readonly type: 'adjust-credit';
      readonly seat: number;
      readonly amountMinor: number;
      readonly reason: AdjustReason;
      readonly words?: string;
      /** Number of the round it puts right; absent = none. */
      readonly roundNo?: number;
      /** Entry of the ledger it puts right; absent = none. */
      readonly correctsSeq?: number;
      readonly complaintNo?: number;
      readonly pin: string;
      readonly secondPin: string;
    }
  // service mode
  | { readonly type: 'enter-service'; readonly pin: string }
  | { readonly type: 'exit-service' }
  | { readonly type: 'run-self-test' }
  /** A fault whose cause is gone and that needs the eyes of one or two persons, see DeviceFault. */
  | {
      readonly type: 'end-fault';
      readonly device: string;
      readonly fault: string;
      readonly pin: string;
      readonly secondPin?: string;
    }
  /** A fault practised on a copy of the state, see drills.ts; by a technician or supervisor in service mode. */
  | { readonly type: 'hold-drill'; readonly drill: DrillId }
  /** Two persons change the table in force, at `fromMs` or (null) as soon as it is empty; `reason` in their words. */
  | {
      readonly type: 'plan-change';
      readonly edit: ProfileEdit;
      readonly reason: string;
      readonly fromMs: number | null;
      readonly pin: string;
      readonly secondPin: string;
    }
  | { readonly type: 'drop-change'; readonly pin: string }
  /** `target`: one of ExportPage. */
  | { readonly type: 'make-export'; readonly target: string }
  /** `table`: name of a ready table, see TablesPage. */
  | { readonly type: 'switch-table'; readonly table: string; readonly pin: string }
  /** Plays a round of the past on the big table, see TableView.recall. */
  | { readonly type: 'show-recall'; readonly roundId: string }
  | { readonly type: 'hide-recall' }
  // with simulated devices only
  | { readonly type: 'sim-insert-note'; readonly acceptor: number; readonly valueMinor: number }
  | { readonly type: 'sim-load-shoe' }
  | { readonly type: 'sim-draw-card' }
  | { readonly type: 'sim-auto'; readonly dealer: boolean; readonly players: boolean }
  | { readonly type: 'sim-fault'; readonly device: string; readonly fault: string };

export type ServiceQuery =
  | { readonly query: 'devices' }
  /** Writes what a device was fed and has sent lately into a file of the data folder. */
  | { readonly query: 'recording'; readonly device: string }
  /** As of a moment (null = now), since another one (null = the first entry), divided (null = the table's). */
  | {
      readonly query: 'meters';
      readonly asOfMs: number | null;
      readonly fromMs: number | null;
      readonly by: Slice | null;
    }
  | ({ readonly query: 'events' } & EventQuery)
  /** `seat`: those in which a bettor of that seat, or one on its hand, had a bet; `atMs`: those opened up to that time. */
  | {
      readonly query: 'rounds';
      readonly beforeNo: number | null;
      readonly limit: number;
      readonly seat?: number;
      readonly atMs?: number;
    }
  | { readonly query: 'round'; readonly roundId: string }
  | { readonly query: 'profile' }
  /** What an edit would change, and what forbids it; ChangeCheck. */
  | { readonly query: 'check-change'; readonly edit: ProfileEdit; readonly fromMs: number | null }
  | { readonly query: 'change' }
  | { readonly query: 'drills' }
  | { readonly query: 'exports' }
  | { readonly query: 'tables' }
  | { readonly query: 'link' }
  | { readonly query: 'software' }
  | { readonly query: 'storage' }
  | ({ readonly query: 'notes' } & NoteQuery)
  /** What device and driver said round the time of the note that begins with entry `seq`. */
  | { readonly query: 'note-trace'; readonly seq: number }
  /** Over the last so many hours. */
  | { readonly query: 'trends'; readonly hours: number }
  | { readonly query: 'displays' }
  | { readonly query: 'clock' }
  | { readonly query: 'software-files' };

/** What the big table needs to play the round of its `recall`. */
export type RecallQuery = { readonly query: 'recall'; readonly roundId: string; readonly fromStep: number };

/** Of the bettor of `seat` alone; a display of one seat may ask for no other. */
export type SeatQuery =
  | { readonly query: 'own-rounds'; readonly seat: number }
  | { readonly query: 'own-round'; readonly seat: number; readonly roundId: string };

export type Query = ServiceQuery | RecallQuery | SeatQuery;

export type ToHost =
  | { readonly t: 'hello'; readonly version: number; readonly lastSeq: number | null }
  | { readonly t: 'command'; readonly id: string; readonly command: Command }
  /** Answered only to a display that may show it, pages of service mode only while a service session is open. */
  | { readonly t: 'query'; readonly id: string; readonly query: Query }
  | { readonly t: 'pong'; readonly n: number }
  /** First painted frame of this page: for the supervisor and the bench. */
  | {
      readonly t: 'painted';
      readonly sinceStartMs: number;
      readonly renderer: string;
      readonly width: number;
      readonly height: number;
    }
  /** The answer to `measure`. */
  | {
      readonly t: 'measured';
      /** Of the table: webgl, canvas; `dom` where none is drawn. */
      readonly renderer: string;
      /** CSS pixels, and how many of the device one of them is. */
      readonly width: number;
      readonly height: number;
      readonly pixelRatio: number;
      /** Over one second, and the longest time between two of its frames. */
      readonly framesPerSecond: number;
      readonly longestFrameMs: number;
      /** Fingers the screen tells apart at once; 0 = it says it has no touch. */
      readonly touchPoints: number;
      /** Boxes round every place that a touch is heard on now: left, top, width, height in CSS pixels. */
      readonly regions: readonly (readonly [number, number, number, number])[];
    };

// ---- host -> display ----

export type ToDisplay =
  | { readonly t: 'welcome'; readonly version: number; readonly role: DisplayRole; readonly view: TableView }
  /** After every commit. `view` is the whole truth; animation is the difference to the one before. */
  | { readonly t: 'view'; readonly view: TableView }
  | { readonly t: 'answer'; readonly id: string; readonly status: 'done' | 'exists'; readonly seq: number }
  | {
      readonly t: 'answer';
      readonly id: string;
      readonly status: 'rejected';
      readonly code: RejectCode;
      readonly cites: readonly string[];
      readonly detail: string | null;
    }
  | { readonly t: 'result'; readonly id: string; readonly ok: true; readonly data: unknown }
  | { readonly t: 'result'; readonly id: string; readonly ok: false; readonly code: RejectCode }
  | { readonly t: 'ping'; readonly n: number }
  /** Count frames for a second and say `measured`. */
  | { readonly t: 'measure' }
  | { readonly t: 'refused'; readonly reason: string };

export type { Phase } from '../engine/table/state.ts';

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
    /** How the house wants it drawn; absent = as by default. */
    readonly display?: TableDisplay;
  };
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
  /** The progressive jackpot: what its meter shows and the price of a chip. Null where the table has none. */
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
  /** The round that may be complained about; `untilMs` null = until its cards are fed into the shuffler (r.61). */
  readonly complaintWindow: {
    readonly roundNo: number;
    readonly untilMs: number | null;
    readonly cites: readonly string[];
  } | null;
  readonly service: { readonly name: string; readonly role: PersonRole; readonly sinceMs: number } | null;
  /** The round of the past that the big table plays now; absent = it shows the present. */
  readonly recall?: { readonly roundId: string; readonly no: number; readonly openedAtMs: number };
  /** Faults of the ledger's files that stand, see docs/events.md. */
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
    /** Plain text, to be shown as such. */
    readonly message: Readonly<Record<Language, string>> | null;
  };
  readonly devices: readonly DeviceView[];
}

export interface DeviceView {
  readonly id: string;
  readonly kind: 'bill-acceptor' | 'card-shoe';
  readonly model: string;
  readonly simulated: boolean;
  readonly state: string;
  readonly fault: string | null;
  /** What the players of this device are told of it. */
  readonly player: 'no-notes' | 'note-stuck' | 'one-note' | 'staff' | null;
}

export interface SeatView {
  readonly seat: number;
  readonly language: Language;
  /** Nobody sits here: no credit, no bet of his anywhere, no request; others may have bet on this seat. */
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
  /** Whose chips lie in the box: the seat's own, else those nearest to the bank; null = no main bet. */
  readonly front: number | null;
  /** Who decides for the hands of this seat (art. 20.1, r.16); null = no hands. */
  readonly decider: number | null;
  /** Streak bets that lie untouchable on this seat (art. 13.5); `button` as on the layout, 1 = no win yet. */
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
  /** What may be noted for his next hand, whose turn has not come; absent = nothing. */
  readonly ahead?: readonly Choice[];
  /** What he has noted; `dropped`: why it was not said when the turn came. */
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
  readonly note: {
    readonly state: 'checking' | 'stacking' | 'credited' | 'returned' | 'held';
    readonly valueMinor: Minor;
    readonly caseNo: number | null;
  } | null;
  readonly cashOut: {
    readonly requestId: string;
    readonly amountMinor: Minor;
    readonly sinceMs: number;
    readonly twoPersons: boolean;
  } | null;
}

/** Of whoever sits there since he took the seat; out of the ledger, and nobody's name. */
export interface SessionView {
  readonly sinceMs: number;
  readonly inMinor: Minor;
  readonly outMinor: Minor;
  /** Won (+) or lost (-); stakes on the table are still his. */
  readonly resultMinor: Minor;
  readonly limits: OwnLimits;
  /** He lays nothing more before he has confirmed it. */
  readonly reached: OwnLimitKind | null;
  /** False once one has been reached: then they can only be lowered. */
  readonly mayRaise: boolean;
}

export interface BetView {
  readonly by: number;
  readonly bet: string;
  readonly amountMinor: Minor;
}

export interface HandView {
  readonly cards: readonly Card[];
  /** Of the bettor in front. */
  readonly stakeMinor: Minor;
  /** Of the others, nearest to the bank first; whoever has nothing on this hand is left out. */
  readonly behind: readonly { readonly by: number; readonly stakeMinor: Minor }[];
  readonly points: number;
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

export type * from './api-pages.ts';
