import type { Card } from '../core/cards.ts';
import type { Currency, Minor } from '../core/money.ts';
import type { BlackjackRules } from '../games/blackjack/rules.ts';
import type { Language, Person } from './inputs.ts';
import type { TableProfile } from './profile.ts';
import type { SettlementLine } from './settlement.ts';
import type { Hold } from './steps.ts';

/**
 * closed: no dealer or no profile · shoe: cards are made ready · idle: between rounds · betting · dealing: bets are
 * closed, first cards · offers · turns · bank: the bank's cards · settled: amounts are credited and shown.
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

/** A card that left the shoe and has no place yet: the table holds until the dealer has said what it is. */
export interface WaitingCard {
  readonly drawNo: number | null;
  /** null = its number is known to be missing, its face is not. */
  readonly card: Card | null;
  readonly confidence: number;
  readonly faceUp: boolean;
  /**
   * doubtful: its face must be confirmed · gap: missing · kept: art. 6.1, wrongly drawn by the bank and not shown, it
   * goes where the next card goes · known: its face is certain, its turn comes after those before it.
   */
  readonly why: 'doubtful' | 'gap' | 'kept' | 'known';
}

export interface ShoeState {
  id: string | null;
  decks: number;
  /** What is still to be done before the first round; `none` = no shoe in the table. */
  stage: 'none' | 'cut' | 'end-card' | 'burn' | 'ready';
  /** art. 2.1.1: seat of the player who cut, 0 = the bank, null = not cut */
  cutBy: number | null;
  endCardBehind: number | null;
  startBurn: number;
  startBurned: number;
  /** Cards out of this shoe, burnt ones among them; `discarded`: those of finished rounds and burnt ones. */
  drawn: number;
  burned: number;
  discarded: number;
  lastDrawNo: number | null;
  /** How often each of the 52 cards has come; none can come more often than there are decks. */
  counts: number[];
  /** art. 2.2.1: the second white card has come out. */
  ended: boolean;
  rounds: number;
  waiting: WaitingCard[];
}

export interface Bet {
  readonly seat: number;
  /** Seat number of the bettor: his credit pays and is paid. */
  readonly by: number;
  readonly bet: string;
  amountMinor: Minor;
}

/** One touch that laid money; a repeat or a double lays several with the same `batch`. */
export interface Placement {
  readonly batch: number;
  readonly seat: number;
  readonly by: number;
  readonly bet: string;
  readonly amountMinor: Minor;
}

export type HandStatus = 'open' | 'stood' | 'busted' | 'blackjack' | 'surrendered' | 'paid' | 'done';
export type DoubleModality = 'anyTwo' | 'afterSplit' | 'eleven';

export interface Hand {
  cards: Card[];
  /** open: may still be played · done: closed without a word (21, split ace, doubled, special prize) · paid: five-card half */
  status: HandStatus;
  fromSplit: boolean;
  splitAces: boolean;
  doubled: DoubleModality | null;
  /** A hit, double or split has called for a card that has not come yet. */
  called: boolean;
  /** art. 15: the prize of this hand has been won. */
  prize: boolean;
  /** Money on this hand, per bettor in the order of `RoundSeat.bettors`; 0 = the bet behind stayed elsewhere. */
  stakesMinor: Minor[];
}

export interface Bettor {
  readonly by: number;
  readonly originalMinor: Minor;
  insuranceMinor: Minor;
  insuranceDeclined: boolean;
  evenMoney: boolean;
  /** art. 10.7 offered and taken */
  losesOriginalOnly: boolean;
}

export interface RoundSeat {
  readonly seat: number;
  /** The one bettor who decides for the seat's hands (art. 20.1). */
  decider: number;
  /** Nearest to the bank first. */
  bettors: Bettor[];
  hands: Hand[];
  /** art. 16.5: a further split was declined, there is none any more on this seat. */
  resplitDeclined: boolean;
}

/** A bettor who has not yet answered what the phase `offers` offers him. */
export interface PendingOffer {
  readonly seat: number;
  readonly by: number;
}

export interface RoundState {
  readonly id: string;
  readonly no: number;
  readonly openedAtMs: number;
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
  /** Additional cards dealt in the round: they close insurance and surrender (art. 12.1, 18.2). */
  additional: number;
  turn: { readonly seat: number; readonly hand: number } | null;
  /** original-only: art. 10.7, after the bank's blackjack */
  offers: { readonly kind: 'first' | 'original-only'; readonly pending: PendingOffer[] } | null;
  /** Lines fixed during the round (special prizes); paid with the settlement. */
  prizes: SettlementLine[];
  /** After settlement or void. */
  lines: SettlementLine[] | null;
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
  readonly inBox: boolean;
  readonly sinceMs: number;
}

export interface CreditedNote {
  readonly acceptor: number;
  readonly noteId: string;
  readonly valueMinor: Minor;
  readonly bootId: string | null;
}

export interface CashOut {
  readonly requestId: string;
  readonly amountMinor: Minor;
  readonly sinceMs: number;
}

export interface SeatState {
  readonly seat: number;
  language: Language;
  creditMinor: Minor;
  cashOut: CashOut | null;
  callsAttendant: boolean;
  /** What this bettor laid in the last round, for `repeat-bets`. */
  previousBets: Bet[];
}

export interface Fault {
  readonly device: string;
  readonly fault: string;
  readonly place: string;
  readonly sinceMs: number;
}

/** Everything the table is; plain JSON, changed only by `evolve`. */
export interface TableState {
  profile: TableProfile | null;
  /** The profile's options made complete and checked against the rulebook. */
  rules: BlackjackRules | null;
  phase: Phase;
  bootId: string | null;
  dealer: Person | null;
  shoe: ShoeState;
  round: RoundState | null;
  roundNo: number;
  /** Index = seat - 1. */
  seats: SeatState[];
  hold: Hold | null;
  deadline: Deadline | null;
  /** The deadline while the table is held or in service; `leftMs` is what remains of it. */
  paused: (Deadline & { readonly leftMs: number }) | null;
  service: { readonly person: Person; readonly sinceMs: number } | null;
  faults: Fault[];
  noteSeat: number | null;
  /** At most one per acceptor. */
  notes: NoteInFlight[];
  /** The last credited note of each acceptor. */
  creditedNotes: CreditedNote[];
  heldNotes: HeldNote[];
  nextCaseNo: number;
}

export const emptyShoe = (): ShoeState => ({
  id: null,
  decks: 0,
  stage: 'none',
  cutBy: null,
  endCardBehind: null,
  startBurn: 0,
  startBurned: 0,
  drawn: 0,
  burned: 0,
  discarded: 0,
  lastDrawNo: null,
  counts: Array.from({ length: 52 }, () => 0),
  ended: false,
  rounds: 0,
  waiting: [],
});

/** The table before its first `configure`: closed, no seats, no money. */
export const initialState = (): TableState => ({
  profile: null,
  rules: null,
  phase: 'closed',
  bootId: null,
  dealer: null,
  shoe: emptyShoe(),
  round: null,
  roundNo: 0,
  seats: [],
  hold: null,
  deadline: null,
  paused: null,
  service: null,
  faults: [],
  noteSeat: null,
  notes: [],
  creditedNotes: [],
  heldNotes: [],
  nextCaseNo: 1,
});
