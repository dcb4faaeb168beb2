import type { Card } from '../core/cards.ts';
import type { Currency, Minor } from '../core/money.ts';
import type { RejectCode } from '../core/result.ts';
import type { TableRules } from '../rules/rulebook.ts';
import type { Comfort } from './comfort.ts';
import type {
  Act,
  CentreOrders,
  Language,
  LimitsSince,
  OwnLimitKind,
  OwnLimits,
  Person,
  Stops,
  WaitingAct,
} from './inputs.ts';
import type { TableProfile } from './profile.ts';
import type { SettlementLine } from './settlement.ts';
import type { Hold } from './steps.ts';
import type { Tally } from './tallies.ts';

// What a game keeps in the state beside what the table does. Each game adds its members to these by
// `declare module`; games/ledger-shape.ts has what they begin with.
export interface TableParts {}
/** Those of the table that begin afresh with another profile. */
export interface ProfileParts {}
export interface ShoeParts {}
export interface RoundParts {}
export interface SeatParts {}
export interface BettorParts {}
export interface HandParts {}
/** Of the cards of a round as they lay at its end. */
export interface LaidParts {}

/**
 * closed: no dealer or no profile · shoe: cards are made ready · idle: between rounds · betting ·
 * dealing: bets are closed, first cards · offers · turns · bank: the bank's cards · settled:
 * amounts are credited and shown.
 */
export type Phase =
  | 'closed'
  | 'shoe'
  | 'idle'
  | 'betting'
  | 'dealing'
  | 'offers'
  | 'turns'
  | 'bank'
  | 'settled';

export interface Deadline {
  readonly kind: 'betting' | 'offers' | 'decision' | 'results';
  readonly atMs: number;
  readonly totalMs: number;
  readonly seat: number | null;
  readonly hand: number | null;
}

/** r.61: a complaint keeps the cards of its round out of the shuffler until it is closed. */
export interface Complaint {
  readonly complaintNo: number;
  readonly seat: number;
  readonly roundNo: number;
  readonly sinceMs: number;
  /** Absent where an earlier version wrote it down. */
  readonly ofRoundId?: string;
  readonly from?: 'player' | 'dealer';
  /** What adjustments for it come to so far; absent = none. */
  adjustedMinor?: Minor;
}

/** The cards of a round as they lay at its end. */
export interface LaidCards extends LaidParts {
  readonly bank: readonly Card[];
  readonly seats: readonly { readonly seat: number; readonly hands: readonly (readonly Card[])[] }[];
}

/** The last round that was closed, for as long as it may be complained about. */
export interface ClosedRound extends LaidParts {
  readonly id: string;
  readonly no: number;
  readonly endedAtMs: number;
  readonly bank: readonly Card[];
  readonly seats: readonly RoundSeat[];
}

/** What a bettor has seen of their last round: it stays until they lay a bet, or have gone. */
export interface LastResult {
  readonly roundId: string;
  readonly no: number;
  readonly lines: readonly SettlementLine[];
  /** What lay open when the round was closed; absent in ledgers before that. */
  readonly cards?: LastCards;
}

/** The cards of a closed round as one of its bettors looks back on them. */
export interface LastCards extends LaidParts {
  /** null lies face down. */
  readonly bank: readonly (Card | null)[];
  /** Of the seats on which they had bets. */
  readonly hands: readonly { readonly seat: number; readonly cards: readonly Card[] }[];
}

/**
 * A card that left the shoe and has no place yet: the table holds until the dealer has said what it
 * is.
 */
export interface WaitingCard {
  readonly drawNo: number | null;
  /** null = its number is known to be missing, its face is not. */
  readonly card: Card | null;
  readonly confidence: number;
  readonly faceUp: boolean;
  /**
   * doubtful: its face must be confirmed · gap: missing · kept: art. 6.1, wrongly drawn by the bank
   * and not shown, it goes where the next card goes · known: its face is certain, its turn comes
   * after those before it.
   */
  readonly why: 'doubtful' | 'gap' | 'kept' | 'known';
}

/** Cards that are left in the shoe, and those in the discard tray. */
export interface CardCount {
  readonly left: number;
  readonly discarded: number;
}

export interface ShoeState extends ShoeParts {
  id: string | null;
  decks: number;
  /** What is still to be done before the first round; `none` = no shoe in the table. */
  stage: 'none' | 'witness' | 'packets' | 'cut' | 'end-card' | 'burn' | 'ready';
  /** Packets put into the shuffler. */
  packets: number;
  /** Seats that have declined to cut this pack (r.8). */
  cutRefused: number[];
  /** art. 2.1.1: seat of the player who cut, 0 = the bank, null = not cut */
  cutBy: number | null;
  endCardBehind: number | null;
  startBurn: number;
  startBurned: number;
  /**
   * Cards out of this shoe, burnt ones among them; `discarded`: those of finished rounds and burnt
   * ones.
   */
  drawn: number;
  burned: number;
  discarded: number;
  lastDrawNo: number | null;
  /** art. 5.1.1: the dealer has seen the next card lie face up. */
  nextFaceUp?: true | undefined;
  /** The card that left it last was burnt, and nobody has seen it. */
  lastUnseen?: true | undefined;
  /**
   * How often each of the 52 cards has come, as far as they were seen; none can come more often
   * than there are decks.
   */
  counts: number[];
  /** What must be there at its end, until somebody has counted it. */
  toCount?: CardCount;
  /** A card has come more often than there are decks: after this round these cards are out. */
  suspect?: true;
  /** art. 2.2.1: the second white card has come out. */
  ended: boolean;
  /** With it out: which round of this shoe is the last one, counted from 1. */
  lastRound: number | null;
  /** Rounds dealt out of this shoe, and how many of them were shown without bets. */
  rounds: number;
  demoRounds: number;
  waiting: WaitingCard[];
  /**
   * r.51: the shuffler is jammed and nobody has opened it yet, or a supervisor has in vain; null =
   * it is not.
   */
  jam: 'for-supervisor' | 'for-technician' | null;
  /**
   * r.55: the cards have been taken out of the shuffler and are to be put in order by deck, or a
   * deck was found not to be regular.
   */
  toOrder?: 'due' | 'irregular';
}

export interface Bet {
  readonly seat: number;
  /** Seat number of the bettor: their credit pays and is paid. */
  readonly by: number;
  readonly bet: string;
  amountMinor: Minor;
  /**
   * art. 13.1.2 with a new bet on each split hand: the hand it lies on until that hand has its
   * second card.
   */
  hand?: number | null;
}

/** A raise of one bettor: the money that goes on the hand beside what lies there. */
export interface Raise {
  readonly by: number;
  readonly amountMinor: Minor;
}

/** One touch that laid money; a repeat or a double lays several with the same `batch`. */
export interface Placement {
  readonly batch: number;
  readonly seat: number;
  readonly by: number;
  readonly bet: string;
  readonly amountMinor: Minor;
}

/**
 * Names a hand may go by; games have further ones. open: may still be played · done: closed without
 * a word.
 */
export interface HandStatuses {
  open: true;
  surrendered: true;
  done: true;
}
export type HandStatus = keyof HandStatuses;

export interface Hand extends HandParts {
  cards: Card[];
  status: HandStatus;
  /** A card has been called for that has not come yet. */
  called: boolean;
  /**
   * Money on this hand, per bettor in the order of `RoundSeat.bettors`; 0 = the bet behind stayed
   * elsewhere.
   */
  stakesMinor: Minor[];
}

export interface Bettor extends BettorParts {
  readonly by: number;
  readonly originalMinor: Minor;
}

export interface RoundSeat extends SeatParts {
  readonly seat: number;
  /** The one bettor who decides for the seat's hands (art. 20.1). */
  decider: number;
  /** Nearest to the bank first. */
  bettors: Bettor[];
  hands: Hand[];
}

/** Noted ahead by a bettor for a hand whose turn has not come, one at a time. */
export interface Intent {
  readonly seat: number;
  readonly by: number;
  readonly hand: number;
  readonly act: Act;
  /** Of the hand when it was noted. */
  readonly cards: readonly Card[];
  /** Why it was not said when the turn came. */
  dropped?: { readonly code: RejectCode; readonly cites: readonly string[] };
}

export interface RoundState extends RoundParts {
  readonly id: string;
  readonly no: number;
  readonly openedAtMs: number;
  /** Shown without bets. */
  readonly demo: boolean;
  /** Last round of the shoe (art. 2.2.1). */
  last: boolean;
  bets: Bet[];
  placements: Placement[];
  bettingClosedAtMs: number | null;
  /** The first card to a seat has been dealt: bets are final, `seats` stands. */
  dealt: boolean;
  /** Cards to be burnt before the next card is dealt (art. 4.2). */
  burnDue: number;
  /** Cards dealt to seats and bank, for the time the result stays. */
  cardCount: number;
  seats: RoundSeat[];
  bank: Card[];
  /**
   * The bank's second card lies face down: the terminal has read it, nobody may learn it before it
   * is turned.
   */
  bankHoleDown: boolean;
  /** Additional cards dealt in the round, after the first ones. */
  additional: number;
  turn: { readonly seat: number; readonly hand: number } | null;
  /** Absent until something is noted ahead. */
  intents?: Intent[];
  /** After settlement or void. */
  lines: readonly SettlementLine[] | null;
  voided: boolean;
  settledAtMs: number | null;
}

export interface NoteInFlight {
  readonly noteId: string;
  readonly acceptor: number;
  readonly seat: number;
  readonly currency: Currency;
  readonly valueMinor: Minor;
  state: 'escrowed' | 'stack-requested';
  readonly sinceMs: number;
}

/** Money whose fate or owner is not known: shown, never credited without a person. */
export interface HeldNote {
  readonly caseNo: number;
  readonly noteId: string | null;
  readonly acceptor: number;
  readonly seat: number | null;
  readonly currency: Currency;
  readonly valueMinor: Minor | null;
  readonly why: string;
  /** The device said it is in the cash box; else it may be anywhere. */
  inBox: boolean;
  readonly sinceMs: number;
}

/** A note as a device names it, of whatever currency. */
export interface NamedNote {
  readonly currency: string;
  readonly valueMinor: number;
}

/** Of the last credit signal of an acceptor: a note that was credited, or one that is a case. */
export interface CreditedNote {
  readonly acceptor: number;
  /** `case:NO` of a case. */
  readonly noteId: string;
  /** null = the unit could not name it. */
  readonly valueMinor: Minor | null;
  /** What it was called, of another currency than the table's. */
  readonly named?: NamedNote;
  /** The device has gone on since; until then it may repeat its signal. */
  readonly closed: boolean;
}

export interface CashOut {
  readonly requestId: string;
  readonly amountMinor: Minor;
  readonly sinceMs: number;
  readonly payNo?: number;
}

/** A win of a seat's bettor that is paid by hand. */
export interface HandPay {
  readonly seat: number;
  readonly requestId: string;
  readonly payNo: number;
  readonly amountMinor: Minor;
}

/** Since somebody took the seat. */
export interface Session {
  readonly sinceMs: number;
  /** Money put in and paid out since. */
  inMinor: Minor;
  outMinor: Minor;
  limits: OwnLimits;
  /** Absent where all were set by an older program, or none is. */
  limitsSince?: LimitsSince;
  /** Reached and not yet confirmed. */
  reached: OwnLimitKind | null;
  /** One has been reached: from then on none is raised. */
  hasReached: boolean;
  /** Time and result from which the limits count: the beginning, then the last confirmation. */
  timeFromMs: number;
  lossFromMinor: Minor;
  /** Rounds settled; absent in a session that began in an earlier version, as what follows. */
  rounds?: number;
  /** The most that was lost in one of them. */
  largestLossMinor?: Minor;
  /** Of the break they are taking. */
  breakUntilMs?: number;
  /** Staff have been told. */
  isLong?: true;
}

export interface SeatState {
  readonly seat: number;
  language: Language;
  creditMinor: Minor;
  cashOut: CashOut | null;
  /** Wins that wait to be paid by hand, oldest first; absent = none. */
  wins?: CashOut[];
  callsAttendant: boolean;
  // Absent until the first event that sets them, see below.
  comfort?: Comfort;
  session?: Session;
  /** Notes put in within the house's span of time, and since when; absent = none runs. */
  span?: { readonly fromMs: number; readonly inMinor: Minor };
  /** What this bettor laid in the last round, for `repeat-bets`. */
  previousBets: Bet[];
}

/** `act`: the decision that would have moved the money; absent where a card or a deadline would. */
export interface Unread {
  readonly why: 'differs' | 'absent';
  readonly sinceMs: number;
  readonly act?: WaitingAct;
}

export interface Fault {
  readonly device: string;
  readonly fault: string;
  readonly place: string;
  readonly sinceMs: number;
  /** Absent = nothing beside what the desk of its device does. */
  readonly stops?: Stops;
}

/** Cash boxes that are exchanged by announcement. */
export interface Drop {
  readonly sinceMs: number;
  readonly person: Person;
  readonly acceptors: readonly number[];
  readonly out: readonly number[];
  readonly exchanged: readonly number[];
  /** When it was announced, or a box was put back last. */
  readonly movedAtMs: number;
}

export interface TableChoice {
  readonly person: Person;
  readonly atMs: number;
  /** What the terminal file had in force; null = nothing was. */
  readonly over: TableProfile | null;
}

/** Orders of the centre that have changed something. */
export type KeptOrders = Omit<CentreOrders, 'maintenance'> & {
  readonly maintenance?: NonNullable<CentreOrders['maintenance']>;
  /** Number of the newest command of maintenance that a person at the table has ended. */
  readonly endedNo?: number;
};

/** Everything the table is; plain JSON, changed only by `evolve`. */
export interface TableState extends TableParts, ProfileParts {
  profile: TableProfile | null;
  /** The profile's options made complete and checked against the rulebook. */
  rules: TableRules | null;
  /**
   * Who has chosen this table over the one of the terminal file, and when; null = it is the file's.
   */
  choice: TableChoice | null;
  phase: Phase;
  bootId: string | null;
  dealer: Person | null;
  shoe: ShoeState;
  round: RoundState | null;
  roundNo: number;
  /** Index = seat - 1. */
  seats: SeatState[];
  /** Seat of the player who cut last in their turn (r.8), null = the order starts afresh. */
  lastCutBy: number | null;
  /** r.7: the cards of this table have been shown and counted. */
  decksChecked: boolean;
  /** r.51: damaged cards of which the inspection has not been told; absent = none. */
  toReport?: number;
  complaints: Complaint[];
  hold: Hold | null;
  deadline: Deadline | null;
  /** The deadline while the table is held or in service; `leftMs` is what remains of it. */
  paused: (Deadline & { readonly leftMs: number }) | null;
  service: { readonly person: Person; readonly sinceMs: number } | null;
  faults: Fault[];
  /**
   * What the casino's centre asks for; absent where it has never asked for anything, as in all
   * older states.
   */
  centre?: KeptOrders;
  noteSeat: number | null;
  /** At most one per acceptor. */
  notes: NoteInFlight[];
  /** The last credited note of each acceptor. */
  creditedNotes: CreditedNote[];
  heldNotes: HeldNote[];
  /**
   * Notes in each cash box since it was last taken out, as far as the devices have said; index =
   * acceptor - 1.
   */
  boxNotes: number[];
  nextCaseNo: number;
  nextComplaintNo: number;
  /** Absent = a box that is taken out is a fault. */
  drop?: Drop;
  /** Acceptors that have taken a note and are to be opened again; absent = none. */
  shutAfterNote?: number[];
  // Absent or undefined until the first event that sets them: a ledger of an earlier version comes
  // out at the states signed then.
  lastRound?: ClosedRound;
  /** By the number of the bettor's seat. Replaced, never changed. */
  results?: Readonly<Record<string, LastResult>> | undefined;
  nextPayNo?: number;
  /** The newest rounds under this profile, oldest first. */
  tallies?: Tally[];
  /** Money of the round on the table waits to be read once more. */
  unread?: Unread;
}
