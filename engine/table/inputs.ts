import type { Card } from '../core/cards.ts';
import type { Minor } from '../core/money.ts';
import type { Comfort } from './comfort.ts';
import type { AcceptorWord } from './note-matrix.ts';
import type { TableProfile } from './profile.ts';

export const LANGUAGES = ['zh-Hant', 'pt', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];
export const ROLES = ['dealer', 'attendant', 'supervisor', 'technician', 'auditor', 'manufacturer'] as const;
export type PersonRole = (typeof ROLES)[number];
export interface Person {
  readonly id: string;
  readonly name: string;
  readonly role: PersonRole;
}

/**
 * Decisions of a seat, by names as in the conformance vectors: each game adds its own by `declare
 * module`.
 */
export interface Acts {}
export type Act = keyof Acts;

/**
 * What a fault keeps from being done, whoever told of it. `table`: no round is opened and one on
 * the table stands still · `rounds`: no round is opened, one on the table is played to its end and
 * paid · `cash-outs`: no credit is asked back and none is paid · `everything`: as `table` and
 * `cash-outs` · seats: their bettors lay nothing more; what lies stands and is played to its end,
 * and their credits stay payable.
 */
export type Stops = 'table' | 'rounds' | 'cash-outs' | 'everything' | readonly number[];

/** What the casino's centre asks of the table. */
export interface CentreOrders {
  /** Why no further round is opened; null = one may be. */
  readonly lock: string | null;
  /** Acceptors that take nothing; null in the list = all of them. */
  readonly acceptorsOff: readonly (number | null)[];
  /**
   * The only notes an acceptor may take, minor units; `acceptor` null = each that has no line of
   * its own.
   */
  readonly notes: readonly { readonly acceptor: number | null; readonly valuesMinor: readonly number[] }[];
  /**
   * The table rests after the round in play, for this reason; `no` of the command that says so, for
   * a person at the table may end it before the centre does. Null = it does not rest.
   */
  readonly maintenance: { readonly no: number; readonly reason: string } | null;
}

/** The command of the centre that has caused it, and who gave it. */
export interface ByOrder {
  readonly no: number;
  readonly issuer: string;
}

/**
 * What became of a held note: on the seat's credit, in the player's hand, or in the box without an
 * owner.
 */
export const HELD_NOTE_OUTCOMES = ['credited', 'returned', 'unclaimed'] as const;
export type HeldNoteOutcome = (typeof HELD_NOTE_OUTCOMES)[number];
export const HELD_NOTE_REASONS = [
  'seen-in-box',
  'seen-in-path',
  'device-record',
  'owner-unknown',
  'other',
] as const;
export type HeldNoteReason = (typeof HELD_NOTE_REASONS)[number];

/** Why a credit is put right; `other` needs words of its own. */
export const ADJUST_REASONS = [
  'settlement-wrong',
  'card-wrong',
  'note-wrong',
  'hand-pay-wrong',
  'complaint-upheld',
  'other',
] as const;
export type AdjustReason = (typeof ADJUST_REASONS)[number];

/** What an adjustment puts right, as far as it can be named: a round, an entry of the ledger. */
export interface Corrected {
  readonly roundId: string | null;
  readonly seq: number | null;
}

/**
 * What a player has set for themselves; null = no limit. Time since they took the seat, loss on the
 * whole, money put in since (absent = no limit).
 */
export interface OwnLimits {
  readonly timeMs: number | null;
  readonly lossMinor: Minor | null;
  readonly inMinor?: Minor | null;
}
/** When each of them was first set in this session; absent = it is not set. */
export interface LimitsSince {
  readonly timeSetMs?: number;
  readonly lossSetMs?: number;
  readonly inSetMs?: number;
}
/** What keeps a player from laying until they have confirmed it. */
export type OwnLimitKind = 'time' | 'loss' | 'break';

/** Why a card is named by people, and not by the shoe; `other` needs words of its own. */
export const CARD_REASONS = ['not-read', 'read-wrong', 'card-damaged', 'other'] as const;
export type CardReason = (typeof CARD_REASONS)[number];

export const VOID_REASONS = ['misdeal', 'card-exposed', 'shoe-fault', 'recovery', 'supervisor'] as const;
export type VoidReason = (typeof VOID_REASONS)[number];

/**
 * Everything that can happen to the table, in the imperative. Time comes with the input; the engine
 * has no clock.
 */
export type Input = {
  readonly atMs: number;
} /** `second`, `reason`: of a change that two persons have entered. */ & (
  | {
      readonly type: 'configure';
      readonly profile: TableProfile;
      readonly person: Person | null;
      readonly second?: Person;
      readonly reason?: string;
    }
  | { readonly type: 'sign-in-dealer'; readonly person: Person }
  | { readonly type: 'sign-out-dealer' }
  // the shoe
  /** r.7: all cards lie open, by deck, and are as many as they must be. */
  | { readonly type: 'check-decks'; readonly person: Person }
  | { readonly type: 'load-shoe'; readonly shoeId: string; readonly decks: number }
  | { readonly type: 'witness-loading'; readonly person: Person }
  /**
   * r.54: one packet of cards has been put into the shuffler before a supervisor; `last` = all of
   * them are in.
   */
  | { readonly type: 'load-packet'; readonly last: boolean; readonly person: Person }
  /**
   * art. 2.1.1: the player who cuts with the white card, null = the bank; r.8: the supervisor, who
   * names themselves
   */
  | { readonly type: 'cut-shoe'; readonly seat: number | null; readonly person?: Person }
  /** r.8: the player whose turn it is does not want to cut. */
  | { readonly type: 'refuse-cut'; readonly seat: number }
  /** art. 2.1.1: second white card, this many cards from the end (>= 30) */
  | { readonly type: 'place-end-card'; readonly cardsBehind: number }
  | {
      readonly type: 'draw-card';
      /**
       * Number the shoe gave the draw; strictly increasing by one, null where a source has no
       * numbers.
       */
      readonly drawNo: number | null;
      /** null = a card has left the shoe whose face was not read: the dealer names it. */
      readonly card: Card | null;
      /** 0..255, 255 = certain */
      readonly confidence: number;
      /** The card lay face up in the source (art. 5.1.1). */
      readonly faceUp?: boolean;
    }
  | { readonly type: 'end-card-out' }
  /** r.59: the discarded cards go back into the shuffler. */
  | { readonly type: 'feed-shuffler' }
  /** r.61; `from`: who touched it, the player at the own seat or the dealer for them (absent). */
  | { readonly type: 'raise-complaint'; readonly seat: number; readonly from?: 'player' | 'dealer' }
  | {
      readonly type: 'close-complaint';
      readonly complaintNo: number;
      readonly upheld: boolean;
      readonly person: Person;
    }
  /** r.17: the bank's second card was turned while it was dealt; another one takes its place. */
  | { readonly type: 'replace-bank-second'; readonly person: Person }
  /** art. 5.1.1: the card dealt last lay face up, it was noticed after it had been read. */
  | { readonly type: 'doubt-card'; readonly person: Person }
  | { readonly type: 'take-back-card'; readonly person: Person }
  /**
   * r.12, r.55: the cards that are left are taken out and laid open; the next shoe is a new
   * beginning.
   */
  | { readonly type: 'lay-out-cards'; readonly person: Person }
  /** At the end of a shoe: what is left in it, and what lies in the discard tray. */
  | {
      readonly type: 'count-cards';
      readonly left: number;
      readonly discarded: number;
      /** Of whole decks: the cards that are not there, and those that are there too often. */
      readonly missing?: readonly Card[];
      readonly extra?: readonly Card[];
      readonly person: Person;
    }
  /** r.5, r.51: a deck, or a single damaged card, has been replaced. */
  | {
      readonly type: 'replace-cards';
      readonly what: 'deck' | 'card';
      /** The single one. */
      readonly card?: Card;
      readonly person: Person;
    }
  /** r.51: the inspection has been told of the damaged cards that were replaced. */
  | { readonly type: 'report-replacement'; readonly person: Person }
  /** r.55: the cards taken out of the shuffler are in order by deck, and every deck is regular. */
  | { readonly type: 'order-decks'; readonly regular: boolean; readonly person: Person }
  /** r.51: the lid of the jammed shuffler was opened. */
  | { readonly type: 'open-shuffler'; readonly solved: boolean; readonly person: Person }
  // betting
  | { readonly type: 'open-betting'; readonly roundId: string }
  /** A round without bets at the start of a shoe, where the regulation knows one. */
  | { readonly type: 'demo-round'; readonly roundId: string }
  | {
      readonly type: 'place-bet';
      readonly roundId: string;
      readonly seat: number;
      /** Seat number of the bettor, the seat itself unless a bet is laid behind. */
      readonly by: number;
      readonly bet: string;
      readonly amountMinor: Minor;
      /**
       * The chip goes on top of the bet that lies there; without it a second bet of the same name
       * is refused.
       */
      readonly onTop?: boolean;
      readonly touchedAtMs: number;
    }
  | {
      readonly type: 'undo-bet' | 'clear-bets' | 'repeat-bets' | 'double-bets';
      readonly roundId: string;
      readonly seat: number;
      readonly touchedAtMs: number;
    }
  | { readonly type: 'close-betting' }
  /** The dealer gives the whole time for bets once more, from now on. */
  | { readonly type: 'extend-betting' }
  /**
   * art. 13.5.2.vi, where the house rules have it so: this bettor has left, their open streak bets
   * are lost.
   */
  | {
      readonly type: 'forfeit-streak';
      readonly seat: number;
      readonly by: number;
      readonly person: Person;
    }
  // decisions
  | {
      readonly type: 'decide';
      readonly roundId: string;
      readonly seat: number;
      readonly by: number;
      readonly hand: number;
      readonly act: Act;
      readonly amountMinor?: Minor;
      readonly touchedAtMs: number;
    }
  /** For a hand whose turn has not come; null takes it back. */
  | {
      readonly type: 'note-intent';
      readonly roundId: string;
      readonly seat: number;
      readonly by: number;
      readonly hand: number;
      readonly act: Act | null;
      readonly touchedAtMs: number;
    }
  /** The turn of a hand has come for which something is noted. */
  | { readonly type: 'take-intent' }
  /** The deadline in the state has passed. */
  | { readonly type: 'reach-deadline' }
  // the dealer's way out of errors
  | {
      readonly type: 'confirm-card';
      readonly drawNo: number | null;
      readonly card: Card;
      readonly person: Person;
      /** Of another card than was read: who has seen it beside the supervisor, and why. */
      readonly second?: Person;
      readonly reason?: CardReason;
      readonly words?: string;
    }
  /**
   * The shoe has read the card that left it last once more; null = it could not. `shoeSeq`: its own
   * number of that card.
   */
  | {
      readonly type: 'read-card-again';
      readonly card: Card | null;
      readonly confidence: number;
      readonly shoeSeq: number;
      readonly person: Person;
    }
  | { readonly type: 'set-card-aside'; readonly person: Person }
  /**
   * art. 5.1.1: the dealer sees that the next card in the shoe lies face up; `faceUp` false takes
   * it back.
   */
  | { readonly type: 'announce-face-up'; readonly faceUp: boolean; readonly person: Person }
  | {
      readonly type: 'assign-card';
      readonly fromSeat: number;
      /** 0 = the bank, whose open card is given for the first one of the seat. */
      readonly toSeat: number;
      /**
       * One card alone, by its place in the hand from 0, for the one at the same place of the
       * other; absent = all of them.
       */
      readonly place?: number;
      readonly person: Person;
    }
  /** art. 6.1: a card the bank drew when it must not, and whether its face was shown */
  | { readonly type: 'draw-wrong'; readonly shown: boolean }
  | { readonly type: 'confirm-layout'; readonly person: Person }
  | { readonly type: 'void-round'; readonly reason: VoidReason; readonly person: Person }
  | { readonly type: 'close-round' }
  /**
   * The round's money waits: the second reader does not agree with what `input` would have paid, or
   * gives no answer. `input`: the card or the decision that is kept until it does.
   */
  | {
      readonly type: 'hold-money';
      readonly why: 'differs' | 'absent';
      readonly input: HeldInput | null;
    }
  /** It is read again; `person` null = the reader has come back. */
  | { readonly type: 'read-again'; readonly person: Person | null }
  // cash
  | {
      readonly type: 'hear-acceptor';
      readonly acceptor: number;
      readonly word: AcceptorWord;
      /**
       * Of `escrow` and `credited`: the note that is named; null or absent where it has no name.
       */
      readonly note?: { readonly currency: string; readonly valueMinor: number } | null;
      /** Of `escrow`: what a new note will be called. */
      readonly noteId?: string;
      /**
       * What, beside the table itself, keeps every note out of this acceptor; null or absent =
       * nothing.
       */
      readonly shutBy?: string | null;
      /** The terminal is locked: nothing may be written about a note. */
      readonly isLocked?: boolean;
    }
  | { readonly type: 'choose-note-seat'; readonly seat: number | null }
  /**
   * An acceptor that shuts after each note takes the next one; null = all of them. `person` null =
   * the centre has ordered it.
   */
  | {
      readonly type: 'open-acceptor';
      readonly acceptor: number | null;
      readonly person: Person | null;
      readonly byOrder?: ByOrder;
    }
  /** The cash boxes of these acceptors are exchanged now; null = of all. */
  | {
      readonly type: 'announce-drop';
      readonly acceptors: readonly number[] | null;
      readonly person: Person;
    }
  /** The unit has said that its box is out, or in again. */
  | { readonly type: 'take-box'; readonly acceptor: number }
  | { readonly type: 'put-box-back'; readonly acceptor: number }
  /** `person` null = its time is over. */
  | { readonly type: 'end-drop'; readonly person: Person | null }
  | {
      readonly type: 'resolve-held-note';
      readonly caseNo: number;
      readonly outcome: HeldNoteOutcome;
      readonly reason: HeldNoteReason;
      /** In words; needed with the reason `other`. */
      readonly words: string;
      readonly person: Person;
      readonly second: Person | null;
    }
  | { readonly type: 'request-cash-out'; readonly seat: number; readonly requestId: string }
  | { readonly type: 'cancel-cash-out'; readonly seat: number; readonly requestId: string }
  | {
      readonly type: 'confirm-hand-pay';
      readonly seat: number;
      readonly requestId: string;
      readonly person: Person;
      readonly second: Person | null;
    }
  /**
   * What the casino's centre asks for from now on; it takes the place of what it asked for before.
   */
  | ({ readonly type: 'obey-centre' } & CentreOrders)
  /** A person at the table ends what the centre has ordered. */
  | { readonly type: 'end-maintenance'; readonly person: Person }
  /**
   * A hand-pay that waits goes back to the credit, or was paid at the centre; by the number of its
   * receipt.
   */
  | {
      readonly type: 'reset-hand-pay';
      readonly payNo: number;
      readonly paid: { readonly person: Person; readonly second: Person | null } | null;
      readonly byOrder: ByOrder;
    }
  /**
   * The only road to another credit after the fact: a new entry beside the wrong one. More (+) or
   * less (-).
   */
  | {
      readonly type: 'adjust-credit';
      readonly seat: number;
      readonly amountMinor: Minor;
      readonly reason: AdjustReason;
      /** In words; needed with the reason `other`. */
      readonly words: string;
      readonly corrects: Corrected;
      /** The open complaint it answers. */
      readonly complaintNo: number | null;
      readonly person: Person;
      readonly second: Person;
    }
  // people and machine
  | { readonly type: 'set-language'; readonly seat: number; readonly language: Language }
  | { readonly type: 'set-comfort'; readonly seat: number; readonly comfort: Comfort }
  /** Somebody has sat down, or the seat is empty: the host sees to it, see docs/architecture.md. */
  | { readonly type: 'begin-session'; readonly seat: number }
  | { readonly type: 'end-session'; readonly seat: number }
  | ({ readonly type: 'set-own-limits'; readonly seat: number } & OwnLimits)
  /** A limit of this seat is due; and the player has read so. */
  | { readonly type: 'reach-own-limit'; readonly seat: number }
  | { readonly type: 'confirm-own-limit'; readonly seat: number }
  /** No bet of theirs is taken for so long; nothing but time ends it. */
  | { readonly type: 'take-break'; readonly seat: number; readonly forMs: number }
  /** Staff hear that somebody has been here for as long as the profile says. */
  | { readonly type: 'notice-long-session'; readonly seat: number }
  /** The house's span of time for notes is over at this seat. */
  | { readonly type: 'end-note-span'; readonly seat: number }
  | { readonly type: 'call-attendant'; readonly seat: number; readonly on: boolean }
  | { readonly type: 'enter-service'; readonly person: Person }
  /** `why`: nobody has touched it; absent = somebody has left. */
  | { readonly type: 'exit-service'; readonly why?: 'untouched' }
  | { readonly type: 'start-terminal'; readonly bootId: string; readonly softwareId: string }
  | {
      readonly type: 'report-fault';
      readonly device: string;
      readonly fault: string;
      readonly place: string;
      readonly stops?: Stops;
    }
  /** `persons`: who has looked at it, where a fault does not end by itself. */
  | {
      readonly type: 'clear-fault';
      readonly device: string;
      readonly fault: string;
      readonly persons?: readonly Person[];
    }
);

export type InputOf<T extends Input['type']> = Extract<Input, { type: T }>;

/** A decision that waits. */
export type WaitingAct = Pick<InputOf<'decide'>, 'seat' | 'hand' | 'by' | 'act' | 'amountMinor'>;

/** What is kept of an input while the money waits that it would have moved. */
export type HeldInput = Omit<InputOf<'draw-card'>, 'atMs'> | Omit<InputOf<'decide'>, 'atMs'>;
