import type { Card } from '../core/cards.ts';
import type { Currency, Minor } from '../core/money.ts';
import type { BlackjackRules } from '../games/blackjack/rules.ts';
import type { Language, Person, VoidReason } from './inputs.ts';
import type { TableProfile } from './profile.ts';
import type { SettlementLine } from './settlement.ts';
import type { Bet, Deadline, DoubleModality, HandStatus, PendingOffer, WaitingCard } from './state.ts';
import type { Hold } from './steps.ts';

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

/** Where a card came from: `waited` = it lay at the head of the waiting cards. */
interface FromShoe {
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
      readonly rules: BlackjackRules;
      readonly person: Person | null;
    }
  | { readonly type: 'dealer-signed-in'; readonly person: Person }
  | { readonly type: 'dealer-signed-out'; readonly person: Person }
  | { readonly type: 'language-set'; readonly seat: number; readonly language: Language }
  | { readonly type: 'attendant-called'; readonly seat: number; readonly on: boolean }
  | { readonly type: 'service-entered'; readonly person: Person }
  | { readonly type: 'service-left' }
  | {
      readonly type: 'fault-reported';
      readonly device: string;
      readonly fault: string;
      readonly place: string;
    }
  | { readonly type: 'fault-cleared'; readonly device: string; readonly fault: string }
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
      readonly next: 'cut' | 'end-card' | 'burn';
    }
  | { readonly type: 'shoe-cut'; readonly seat: number | null; readonly next: 'end-card' | 'burn' }
  | { readonly type: 'end-card-placed'; readonly cardsBehind: number }
  | { readonly type: 'shoe-readied' }
  | { readonly type: 'end-card-seen' }
  /** Cards that wait for a word of the dealer, in the order in which they left the shoe; replaces those before. */
  | {
      readonly type: 'cards-waiting';
      readonly waiting: readonly WaitingCard[];
      /** Cards that left the shoe with this event, and the number of the last one. */
      readonly drawnNow: number;
      readonly lastDrawNo: number | null;
    }
  | {
      readonly type: 'card-confirmed';
      readonly drawNo: number | null;
      readonly read: Card | null;
      readonly card: Card;
      readonly person: Person;
    }
  | ({
      readonly type: 'card-burned';
      readonly why: 'start' | 'round' | 'before-bank-second' | 'exposed' | 'set-aside' | 'wrong-bank-card';
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
  // dealing
  /** The bets are final: seats that receive cards, who decides for each, and what every bettor has at stake. */
  | {
      readonly type: 'deal-began';
      readonly bets: readonly Bet[];
      readonly seats: readonly { readonly seat: number; readonly decider: number }[];
    }
  | ({
      readonly type: 'card-dealt';
      readonly seat: number;
      readonly hand: number;
      readonly additional: boolean;
    } & FromShoe)
  | ({ readonly type: 'bank-card-dealt' } & FromShoe)
  | {
      readonly type: 'cards-swapped';
      readonly fromSeat: number;
      readonly toSeat: number;
      readonly person: Person;
    }
  | { readonly type: 'initial-deal-ended'; readonly blackjacks: readonly number[] }
  // offers
  | {
      readonly type: 'offers-opened';
      readonly kind: 'first' | 'original-only';
      readonly pending: readonly PendingOffer[];
      readonly deadline: Deadline;
    }
  | ({
      readonly type: 'insurance-laid';
      readonly currency: Currency;
      readonly amountMinor: Minor;
    } & Answer)
  | ({ readonly type: 'insurance-declined' } & Answer)
  | ({ readonly type: 'even-money-taken' } & Answer)
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
  | { readonly type: 'hit-called'; readonly seat: number; readonly hand: number; readonly by: number }
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
  | { readonly type: 'bank-turn-began'; readonly burnDue: number }
  // the end of a round
  | {
      readonly type: 'round-settled';
      readonly currency: Currency;
      readonly lines: readonly SettlementLine[];
      readonly deadline: Deadline;
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
  | { readonly type: 'round-closed'; readonly next: 'idle' | 'shoe'; readonly cardsBack: boolean }
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
        | 'closed';
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
    }
  | {
      readonly type: 'cash-out-requested';
      readonly seat: number;
      readonly requestId: string;
      readonly currency: Currency;
      readonly amountMinor: Minor;
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
    }
);

export type EventOf<T extends TableEvent['type']> = Extract<TableEvent, { type: T }>;
export type EventType = TableEvent['type'];
