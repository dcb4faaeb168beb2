import type { Card } from '../core/cards.ts';
import type { Currency, Minor } from '../core/money.ts';
import type { TableProfile } from './profile.ts';

export type Language = 'zh-Hant' | 'pt' | 'en';
export type PersonRole = 'dealer' | 'attendant' | 'supervisor' | 'technician' | 'auditor';
export interface Person {
  readonly id: string;
  readonly name: string;
  readonly role: PersonRole;
}

/** Decisions of a seat; names as in the conformance vectors, `playOn` = "no offer taken, deal on". */
export type Act =
  | 'hit'
  | 'stand'
  | 'double'
  | 'split'
  | 'surrender'
  | 'insure'
  | 'declineInsurance'
  | 'evenMoney'
  | 'fiveCardHalf'
  | 'loseOriginalOnly'
  | 'playOn';

export type VoidReason = 'misdeal' | 'card-exposed' | 'shoe-fault' | 'recovery' | 'supervisor';

/** Everything that can happen to the table, in the imperative. Time comes with the input; the engine has no clock. */
export type Input = { readonly atMs: number } & (
  | { readonly type: 'configure'; readonly profile: TableProfile; readonly person: Person | null }
  | { readonly type: 'sign-in-dealer'; readonly person: Person }
  | { readonly type: 'sign-out-dealer' }
  // the shoe
  | { readonly type: 'load-shoe'; readonly shoeId: string; readonly decks: number }
  /** art. 2.1.1: the player who cuts with the white card, null = the bank */
  | { readonly type: 'cut-shoe'; readonly seat: number | null }
  /** art. 2.1.1: second white card, this many cards from the end (>= 30) */
  | { readonly type: 'place-end-card'; readonly cardsBehind: number }
  | {
      readonly type: 'draw-card';
      /** Number the shoe gave the draw; strictly increasing by one, null where a source has no numbers. */
      readonly drawNo: number | null;
      /** null = a card has left the shoe whose face was not read: the dealer names it. */
      readonly card: Card | null;
      /** 0..255, 255 = certain */
      readonly confidence: number;
      /** The card lay face up in the source (art. 5.1.1). */
      readonly faceUp?: boolean;
    }
  | { readonly type: 'end-card-out' }
  // betting
  | { readonly type: 'open-betting'; readonly roundId: string }
  | {
      readonly type: 'place-bet';
      readonly roundId: string;
      readonly seat: number;
      /** Seat number of the bettor, the seat itself unless a bet is laid behind. */
      readonly by: number;
      readonly bet: string;
      readonly amountMinor: Minor;
      readonly touchedAtMs: number;
    }
  | {
      readonly type: 'undo-bet' | 'clear-bets' | 'repeat-bets' | 'double-bets';
      readonly roundId: string;
      readonly seat: number;
      readonly touchedAtMs: number;
    }
  | { readonly type: 'close-betting' }
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
  /** The deadline in the state has passed. */
  | { readonly type: 'reach-deadline' }
  // the dealer's way out of errors
  | {
      readonly type: 'confirm-card';
      readonly drawNo: number | null;
      readonly card: Card;
      readonly person: Person;
    }
  | { readonly type: 'set-card-aside'; readonly person: Person }
  | {
      readonly type: 'assign-card';
      readonly fromSeat: number;
      readonly toSeat: number;
      readonly person: Person;
    }
  /** art. 6.1: a card the bank drew when it must not, and whether its face was shown */
  | { readonly type: 'draw-wrong'; readonly shown: boolean }
  | { readonly type: 'confirm-layout'; readonly person: Person }
  | { readonly type: 'void-round'; readonly reason: VoidReason; readonly person: Person }
  | { readonly type: 'close-round' }
  // cash
  | {
      readonly type: 'escrow-note';
      readonly noteId: string;
      readonly acceptor: number;
      readonly currency: Currency;
      readonly valueMinor: Minor;
    }
  | { readonly type: 'choose-note-seat'; readonly seat: number | null }
  /** The device's credit signal (ID-003 VEND VALID). */
  | {
      readonly type: 'stack-note';
      readonly acceptor: number;
      readonly noteId: string | null;
      readonly valueMinor: Minor | null;
    }
  | { readonly type: 'return-note'; readonly acceptor: number; readonly noteId: string | null }
  /** The device came back idle without saying what became of the note. */
  | {
      readonly type: 'dispute-note';
      readonly acceptor: number;
      readonly noteId: string;
      readonly why: string;
    }
  | {
      readonly type: 'resolve-held-note';
      readonly caseNo: number;
      readonly credit: boolean;
      readonly person: Person;
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
  // people and machine
  | { readonly type: 'set-language'; readonly seat: number; readonly language: Language }
  | { readonly type: 'call-attendant'; readonly seat: number; readonly on: boolean }
  | { readonly type: 'enter-service'; readonly person: Person }
  | { readonly type: 'exit-service' }
  | { readonly type: 'start-terminal'; readonly bootId: string; readonly softwareId: string }
  | { readonly type: 'report-fault'; readonly device: string; readonly fault: string; readonly place: string }
  | { readonly type: 'clear-fault'; readonly device: string; readonly fault: string }
);

export type InputOf<T extends Input['type']> = Extract<Input, { type: T }>;
