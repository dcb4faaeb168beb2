import type { Card } from '../core/cards.ts';
import type { Currency, Minor } from '../core/money.ts';
import type { RejectCode } from '../core/result.ts';
import type { TableRules } from '../games/game.ts';
import type { CentreOrders } from './centre.ts';
import type { Comfort } from './comfort.ts';
import type {
  Act,
  AdjustReason,
  Corrected,
  HeldNoteOutcome,
  HeldNoteReason,
  Language,
  OwnLimitKind,
  OwnLimits,
  Person,
  VoidReason,
} from './inputs.ts';
import type { TableProfile } from './profile.ts';
import type { ProfileChange } from './profile-changes.ts';
import type { Parts, SettlementLine } from './settlement.ts';
import type {
  Bet,
  Deadline,
  DoubleModality,
  HandPay,
  HandStatus,
  LaidCards,
  OfferKind,
  PendingOffer,
  StreakBet,
  WaitingCard,
} from './state.ts';
import type { Hold } from './steps.ts';
import type { Stops } from './stops.ts';

/** A raise of one bettor: the money that goes on the hand beside what lies there. */
export interface Raise {
  readonly by: number;
  readonly amountMinor: Minor;
}

/** One person's answer stands in the event, or `byDefault`: the deadline answered for him. */
interface Answer {
  readonly seat: number;
  readonly by: number;
  readonly byDefault: boolean;
}

/** For which hand, and who decides it. */
interface Noted {
  readonly seat: number;
  readonly by: number;
  readonly hand: number;
}

/** Where a card came from: `waited` = it lay at the head of the waiting cards. */
export interface FromShoe {
  readonly card: Card;
  readonly drawNo: number | null;
  /** 0..255 as the shoe gave it; 255 for a card a person confirmed */
  readonly confidence: number;
  readonly waited: boolean;
}

/** Everything that has happened, in the past tense. An event holds all facts: evolve decides nothing. */
export type TableEvent = { readonly atMs: number } & (
  | { readonly type: 'terminal-started'; readonly bootId: string; readonly softwareId: string }
  | {
      readonly type: 'table-configured';
      readonly profile: TableProfile;
      readonly rules: TableRules;
      readonly person: Person | null;
      /** What is otherwise than in the profile before; absent = there was none, or an older version wrote this. */
      readonly changes?: readonly ProfileChange[];
      /** Of a change that two persons have entered. */
      readonly second?: Person;
      readonly reason?: string;
    }
  /** `relieves`: who was signed in until now; absent = the table was closed. */
  | { readonly type: 'dealer-signed-in'; readonly person: Person; readonly relieves?: Person }
  | { readonly type: 'dealer-signed-out'; readonly person: Person }
  | { readonly type: 'language-set'; readonly seat: number; readonly language: Language }
  | { readonly type: 'comfort-set'; readonly seat: number; readonly comfort: Comfort }
  /** `broughtMinor`: what is at the seat at this moment; the session's first money in. */
  | {
      readonly type: 'session-began';
      readonly seat: number;
      readonly currency: Currency;
      readonly broughtMinor: Minor;
    }
  /** What was put in and paid out; the difference was lost (+) or won (-). Comfort and limits end with it. */
  | {
      readonly type: 'session-ended';
      readonly seat: number;
      readonly currency: Currency;
      readonly inMinor: Minor;
      readonly outMinor: Minor;
      readonly forMs: number;
    }
  | ({ readonly type: 'own-limits-set'; readonly seat: number } & OwnLimits)
  /** `resultMinor`: won (+) or lost (-) in this session so far. */
  | {
      readonly type: 'own-limit-reached';
      readonly seat: number;
      readonly kind: OwnLimitKind;
      readonly currency: Currency;
      readonly resultMinor: Minor;
      readonly forMs: number;
    }
  /** The next reminder comes after as much again, from this time and this result on. */
  | {
      readonly type: 'own-limit-confirmed';
      readonly seat: number;
      readonly kind: OwnLimitKind;
      readonly currency: Currency;
      readonly resultMinor: Minor;
    }
  | { readonly type: 'attendant-called'; readonly seat: number; readonly on: boolean }
  | { readonly type: 'service-entered'; readonly person: Person }
  | { readonly type: 'service-left'; readonly person?: Person; readonly why?: 'untouched' }
  | {
      readonly type: 'fault-reported';
      readonly device: string;
      readonly fault: string;
      readonly place: string;
      readonly stops?: Stops;
    }
  | {
      readonly type: 'fault-cleared';
      readonly device: string;
      readonly fault: string;
      readonly persons?: readonly Person[];
      /** How long it stood; absent in entries of before there was this field. */
      readonly forMs?: number;
    }
  | { readonly type: 'centre-locked'; readonly reason: string }
  | { readonly type: 'centre-unlocked' }
  /** What the acceptors may take by order of the centre; replaces what was said before. */
  | ({ readonly type: 'notes-limited' } & Pick<CentreOrders, 'acceptorsOff' | 'notes'>)
  | { readonly type: 'table-held'; readonly hold: Hold }
  /** `fullTime`: a suspended deadline starts again from its whole length (after a power loss). */
  | {
      readonly type: 'hold-released';
      readonly code: Hold['code'];
      readonly person: Person | null;
      readonly fullTime: boolean;
    }
  // the shoe
  | {
      readonly type: 'shoe-loaded';
      readonly shoeId: string;
      readonly decks: number;
      readonly startBurn: number;
      readonly next: 'packets' | 'cut' | 'end-card' | 'burn';
    }
  | { readonly type: 'decks-checked'; readonly person: Person }
  | {
      readonly type: 'packet-loaded';
      readonly no: number;
      readonly next: 'packets' | 'burn';
      readonly person: Person;
    }
  | { readonly type: 'cut-refused'; readonly seat: number }
  /** `lastCutBy`: whom the next turn to cut follows, null = the order starts afresh. */
  | {
      readonly type: 'shoe-cut';
      readonly seat: number | null;
      readonly next: 'end-card' | 'burn';
      readonly lastCutBy: number | null;
      readonly person: Person | null;
    }
  | { readonly type: 'shuffler-fed'; readonly cardCount: number }
  | {
      readonly type: 'complaint-raised';
      readonly complaintNo: number;
      readonly seat: number;
      readonly roundNo: number;
      /** Absent in ledgers before the complaint named its round, who raised it, and the cards as they lay. */
      readonly ofRoundId?: string;
      readonly from?: 'player' | 'dealer';
      readonly cards?: LaidCards;
    }
  | {
      readonly type: 'complaint-closed';
      readonly complaintNo: number;
      readonly upheld: boolean;
      readonly person: Person;
      readonly ofRoundId?: string;
      /** What its adjustments come to. */
      readonly adjustedMinor?: Minor;
    }
  | { readonly type: 'cards-laid-out'; readonly cardCount: number; readonly person: Person }
  | { readonly type: 'cards-replaced'; readonly what: 'deck' | 'card'; readonly person: Person }
  | { readonly type: 'shuffler-jammed' }
  | { readonly type: 'shuffler-opened'; readonly solved: boolean; readonly person: Person }
  | { readonly type: 'end-card-placed'; readonly cardsBehind: number }
  /** The first burnt card has said how many are burnt, itself among them. */
  | { readonly type: 'start-burn-counted'; readonly count: number }
  | { readonly type: 'shoe-readied' }
  /** `lastRound`: which round of this shoe is its last one, counted from 1. */
  | { readonly type: 'end-card-seen'; readonly lastRound: number }
  /** Cards that wait for a word of the dealer, in the order in which they left the shoe; replaces those before. */
  | {
      readonly type: 'cards-waiting';
      readonly waiting: readonly WaitingCard[];
      /** Cards that left the shoe with this event, and the number of the last one. */
      readonly drawnNow: number;
      readonly lastDrawNo: number | null;
    }
  /** The next card out of the shoe lies face up, the dealer says; with false it does not. */
  | { readonly type: 'face-up-announced'; readonly faceUp: boolean; readonly person: Person }
  | {
      readonly type: 'card-confirmed';
      readonly drawNo: number | null;
      readonly read: Card | null;
      readonly card: Card;
      readonly person: Person;
    }
  /** `unseen`: nobody has seen its face, and it is not counted among the cards that are out: no entry of the ledger names it. */
  | ({
      readonly type: 'card-burned';
      readonly unseen?: true;
      readonly why:
        | 'start'
        | 'round'
        | 'before-bank-second'
        | 'war'
        | 'exposed'
        | 'set-aside'
        | 'misdrawn'
        | 'wrong-bank-card';
      readonly person: Person | null;
      readonly cites: readonly string[];
    } & FromShoe)
  // betting
  | {
      readonly type: 'betting-opened';
      readonly roundId: string;
      readonly roundNo: number;
      readonly last: boolean;
      readonly deadline: Deadline;
    }
  /** A round that is shown and not played: no bets, no payments; the cards follow at once. */
  | {
      readonly type: 'demo-round-opened';
      readonly roundId: string;
      readonly roundNo: number;
      readonly last: boolean;
    }
  | {
      readonly type: 'bet-placed';
      readonly batch: number;
      readonly seat: number;
      readonly by: number;
      readonly bet: string;
      readonly currency: Currency;
      readonly amountMinor: Minor;
      readonly touchedAtMs: number;
    }
  | {
      readonly type: 'bet-withdrawn';
      readonly batch: number;
      readonly seat: number;
      readonly by: number;
      readonly bet: string;
      readonly currency: Currency;
      readonly amountMinor: Minor;
      readonly touchedAtMs: number;
    }
  /** Jogo feito, nada mais. `burnDue`: art. 4.2 cards before the first one dealt. */
  | { readonly type: 'betting-closed'; readonly byDeadline: boolean; readonly burnDue: number }
  | { readonly type: 'betting-cancelled' }
  /** art. 13.5.2.vi: the time is up, but the bet this seat owes is missing; the window stays open. */
  | { readonly type: 'betting-extended'; readonly seat: number; readonly deadline: Deadline }
  /** art. 13.5.2.vi with the house's rule: the bettor has left, his open streak bets are lost with this round. */
  | {
      readonly type: 'streak-forfeited';
      readonly seat: number;
      readonly by: number;
      readonly person: Person;
    }
  // dealing
  /** The bets are final: seats that receive cards, who decides for each, and what every bettor has at stake. */
  | {
      readonly type: 'deal-began';
      readonly bets: readonly Bet[];
      readonly seats: readonly { readonly seat: number; readonly decider: number }[];
    }
  /** `faceDown`: it is not shown before it is turned. */
  | ({
      readonly type: 'card-dealt';
      readonly seat: number;
      readonly hand: number;
      readonly additional: boolean;
      readonly faceDown?: true;
    } & FromShoe)
  | ({ readonly type: 'bank-card-dealt'; readonly faceDown: boolean } & FromShoe)
  | ({ readonly type: 'player-side-card-dealt' } & FromShoe)
  | {
      readonly type: 'cards-swapped';
      readonly fromSeat: number;
      readonly toSeat: number;
      readonly person: Person;
    }
  | { readonly type: 'initial-deal-ended'; readonly blackjacks: readonly number[] }
  /** art. 5.2.3.3: the bank has looked at its card that lies face down, whether it makes a blackjack and nothing else. */
  | { readonly type: 'hole-card-checked'; readonly blackjack: boolean }
  | { readonly type: 'hole-card-turned' }
  // offers
  | {
      readonly type: 'offers-opened';
      readonly kind: OfferKind;
      readonly pending: readonly PendingOffer[];
      readonly deadline: Deadline;
    }
  | ({
      readonly type: 'insurance-laid';
      readonly currency: Currency;
      readonly amountMinor: Minor;
    } & Answer)
  | ({ readonly type: 'insurance-declined' } & Answer)
  /** `bound`: bettors of the seat who take it with their holder (r.15). */
  | ({ readonly type: 'even-money-taken'; readonly bound: readonly number[] } & Answer)
  | ({ readonly type: 'original-only-taken' } & Answer)
  | ({ readonly type: 'offer-passed' } & Answer)
  | ({ readonly type: 'hand-surrendered' } & Answer)
  | { readonly type: 'offers-closed' }
  // turns
  /** `deadline` is null while a card comes first (second card of a split hand). */
  | {
      readonly type: 'turn-moved';
      readonly seat: number;
      readonly hand: number;
      readonly deadline: Deadline | null;
    }
  | {
      readonly type: 'hit-called';
      readonly seat: number;
      readonly hand: number;
      readonly by: number;
      readonly byDefault: boolean;
    }
  | {
      readonly type: 'hand-stood';
      readonly seat: number;
      readonly hand: number;
      readonly by: number;
      readonly byDefault: boolean;
    }
  | {
      readonly type: 'hand-doubled';
      readonly seat: number;
      readonly hand: number;
      readonly by: number;
      readonly modality: DoubleModality;
      readonly aceLocked: boolean;
      readonly currency: Currency;
      readonly raises: readonly Raise[];
    }
  | {
      readonly type: 'hand-split';
      readonly seat: number;
      readonly hand: number;
      readonly by: number;
      readonly aces: boolean;
      readonly currency: Currency;
      readonly raises: readonly Raise[];
    }
  /** The tied seat challenges the house: as much again as its bet. */
  | {
      readonly type: 'war-declared';
      readonly seat: number;
      readonly by: number;
      readonly currency: Currency;
      readonly raises: readonly Raise[];
    }
  /** r.28: on the new hand beside `hand`; r.30: on `hand`. */
  | ({
      readonly type: 'raise-followed';
      readonly kind: 'split' | 'double';
      readonly hand: number;
      readonly currency: Currency;
      readonly amountMinor: Minor;
    } & Answer)
  /** r.21: the lines are fixed, the hands are collected. */
  | { readonly type: 'blackjacks-paid'; readonly lines: readonly SettlementLine[] }
  /** r.17: the second card of the bank was turned and is discarded. */
  | {
      readonly type: 'bank-second-burned';
      readonly card: Card;
      readonly person: Person;
      readonly cites: readonly string[];
    }
  | { readonly type: 'resplit-declined'; readonly seat: number }
  | {
      readonly type: 'hand-closed';
      readonly seat: number;
      readonly hand: number;
      readonly status: HandStatus;
    }
  | {
      readonly type: 'five-card-half-taken';
      readonly seat: number;
      readonly hand: number;
      readonly by: number;
    }
  | {
      readonly type: 'special-prize-won';
      readonly seat: number;
      readonly hand: number;
      readonly closesHand: boolean;
      readonly lines: readonly SettlementLine[];
    }
  /** Side bets the cards have just decided; the lines are paid with the settlement. */
  | { readonly type: 'side-bets-decided'; readonly lines: readonly SettlementLine[] }
  /** art. 13.1.2 with a new bet on each split hand. */
  | ({
      readonly type: 'pair-bet-laid';
      readonly hand: number;
      readonly currency: Currency;
      readonly amountMinor: Minor;
    } & Answer)
  | { readonly type: 'bank-turn-began'; readonly burnDue: number }
  // what was noted ahead: no decision yet
  | ({
      readonly type: 'intent-noted';
      /** null = taken back */
      readonly act: Act | null;
      readonly touchedAtMs: number;
    } & Noted)
  /** It was said in its turn: the decision stands right before. */
  | ({ readonly type: 'intent-taken'; readonly act: Act } & Noted)
  /** Its turn has come and it is not lawful any more: nothing was decided. */
  | ({
      readonly type: 'intent-dropped';
      readonly act: Act;
      readonly code: RejectCode;
      readonly cites: readonly string[];
    } & Noted)
  // the end of a round
  /**
   * r.44, r.48, r.50: the meter of the jackpot by so much more or less. collected: with the chips · undone: they went
   * back · restarted: after the highest combination
   */
  | {
      readonly type: 'jackpot-moved';
      readonly why: 'started' | 'collected' | 'undone' | 'paid' | 'restarted';
      readonly currency: Currency;
      readonly amountMinor: Minor;
      readonly meterMinor: Minor;
      readonly rest: Parts;
    }
  /**
   * art. 13.5.2: what the round has made of the series of a seat, right before its settlement. `open` empty = nothing is
   * open any more, the button is taken off.
   */
  | {
      readonly type: 'streak-moved';
      readonly seat: number;
      readonly result: 'won' | 'lost' | 'tied' | 'surrendered' | 'forfeited';
      readonly wins: number;
      readonly open: readonly StreakBet[];
    }
  | {
      readonly type: 'round-settled';
      readonly currency: Currency;
      readonly lines: readonly SettlementLine[];
      readonly deadline: Deadline;
      /** Wins too large for the machine: they wait for a hand-pay instead of lifting the credit. Absent = none. */
      readonly byHand?: readonly HandPay[];
      /** So many of the oldest rounds of the roads are forgotten, before this one is added. Absent = none. */
      readonly coupsGone?: number;
    }
  /** A win above the table's limit, right after the settlement that holds its money. */
  | {
      readonly type: 'substantial-win-noticed';
      readonly seat: number;
      readonly requestId: string;
      readonly currency: Currency;
      readonly amountMinor: Minor;
    }
  /** The result has lain on the table long enough to be read. */
  | { readonly type: 'results-shown' }
  /** `committed`: the bets were final, so the refund is turnover that was voided, not a bet taken back. */
  | {
      readonly type: 'round-voided';
      readonly reason: VoidReason;
      readonly person: Person;
      readonly committed: boolean;
      readonly currency: Currency;
      readonly lines: readonly SettlementLine[];
      readonly deadline: Deadline;
    }
  /** `next`: `shoe` where the shoe has ended (art. 2.2.1); `cardsBack`: the shuffler takes all cards back (art. 2.2.4). */
  | {
      readonly type: 'round-closed';
      readonly next: 'idle' | 'shoe';
      readonly cardsBack: boolean;
      /** The round stays known for complaints; absent in ledgers before that. */
      readonly kept?: true;
    }
  // cash
  | {
      readonly type: 'note-escrowed';
      readonly noteId: string;
      readonly acceptor: number;
      readonly seat: number;
      readonly currency: Currency;
      readonly valueMinor: Minor;
    }
  | { readonly type: 'note-stack-requested'; readonly noteId: string; readonly acceptor: number }
  | {
      readonly type: 'note-refused';
      readonly noteId: string;
      readonly acceptor: number;
      readonly currency: Currency;
      readonly valueMinor: Minor;
      readonly why:
        | 'currency'
        | 'denomination'
        | 'limit'
        | 'seat'
        | 'service'
        | 'held'
        | 'in-flight'
        | 'closed'
        | 'acceptor-off';
      /** The casino's centre has ordered it. */
      readonly byCentre?: true;
    }
  | { readonly type: 'note-seat-chosen'; readonly seat: number | null }
  | {
      readonly type: 'note-credited';
      readonly noteId: string;
      readonly acceptor: number;
      readonly seat: number;
      readonly currency: Currency;
      readonly valueMinor: Minor;
    }
  /** Nothing the device says from here on is about this credited note. */
  | { readonly type: 'note-closed'; readonly noteId: string; readonly acceptor: number }
  | { readonly type: 'note-returned'; readonly noteId: string; readonly acceptor: number }
  | {
      readonly type: 'note-held';
      readonly caseNo: number;
      readonly noteId: string | null;
      readonly acceptor: number;
      readonly seat: number | null;
      readonly currency: Currency;
      readonly valueMinor: Minor | null;
      readonly why: string;
      readonly inBox: boolean;
    }
  /** The device gives its credit signal for a note that is a case already: it lies in the box. Nothing is credited. */
  | {
      readonly type: 'held-note-found';
      readonly caseNo: number;
      readonly acceptor: number;
      readonly currency: Currency;
      readonly valueMinor: Minor;
    }
  | {
      readonly type: 'held-note-resolved';
      readonly caseNo: number;
      readonly acceptor: number;
      readonly credited: boolean;
      readonly seat: number | null;
      readonly currency: Currency;
      readonly valueMinor: Minor | null;
      readonly inBox: boolean;
      readonly person: Person;
      /** Absent in ledgers that knew credited or not, and one person. */
      readonly outcome?: HeldNoteOutcome;
      readonly reason?: HeldNoteReason;
      readonly words?: string;
      readonly second?: Person | null;
    }
  | {
      readonly type: 'cash-out-requested';
      readonly seat: number;
      readonly requestId: string;
      readonly currency: Currency;
      readonly amountMinor: Minor;
      /** Number of the receipt, one after the other over all hand-pays; absent in ledgers before it. */
      readonly payNo?: number;
    }
  | {
      readonly type: 'cash-out-cancelled';
      readonly seat: number;
      readonly requestId: string;
      readonly currency: Currency;
      readonly amountMinor: Minor;
    }
  | {
      readonly type: 'hand-paid';
      readonly seat: number;
      readonly requestId: string;
      readonly currency: Currency;
      readonly amountMinor: Minor;
      readonly person: Person;
      readonly second: Person | null;
      readonly payNo?: number;
      /** It was a win of that round and not the seat's credit. */
      readonly win?: true;
    }
  /** Two persons have put a credit right; nothing that stands in the ledger is changed by it. */
  | {
      readonly type: 'credit-adjusted';
      readonly seat: number;
      readonly currency: Currency;
      /** More (+) or less (-) credit. */
      readonly amountMinor: Minor;
      readonly reason: AdjustReason;
      readonly words: string;
      readonly corrects: Corrected;
      readonly complaintNo: number | null;
      readonly person: Person;
      readonly second: Person;
    }
);

export type EventOf<T extends TableEvent['type']> = Extract<TableEvent, { type: T }>;
export type EventType = TableEvent['type'];
