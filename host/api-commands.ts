/** What a display may ask of the host: its commands and queries. Displays import them by `api.ts`. */
import type { Slice } from '../engine/accounting/meter-fold.ts';
import type { Card } from '../engine/core/cards.ts';
import type { Comfort } from '../engine/table/comfort.ts';
import type {
  Act,
  AdjustReason,
  HeldNoteOutcome,
  HeldNoteReason,
  Language,
  OwnLimits,
  VoidReason,
} from '../engine/table/inputs.ts';
import type { EventQuery, NoteQuery } from './api-pages.ts';
import type { ProfileEdit } from './change-desk.ts';
import type { DrillId } from './drills.ts';

/** Who somebody says they are, by the staff number of the terminal file, and the PIN that proves it. */
export interface Credential {
  readonly person: string;
  readonly pin: string;
}

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
      /** On a player's own panel; absent = at the staff's. */
      readonly from?: 'player';
      readonly credential: Credential;
      readonly secondCredential?: Credential;
    }
  // dealer
  | { readonly type: 'sign-in-dealer'; readonly credential: Credential }
  | { readonly type: 'sign-out-dealer' }
  | { readonly type: 'check-decks' }
  /** The packs of the rules are in a shoe that cannot tell it, see TableView.shoe. */
  | { readonly type: 'load-shoe' }
  | { readonly type: 'load-packet'; readonly last: boolean; readonly credential: Credential }
  /** `credential`: of the supervisor, where he is the one who cuts. */
  | { readonly type: 'cut-shoe'; readonly seat: number | null; readonly credential?: Credential }
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
      readonly credential: Credential;
    }
  | { readonly type: 'open-shuffler'; readonly solved: boolean; readonly credential: Credential }
  | { readonly type: 'lay-out-cards'; readonly credential: Credential }
  | { readonly type: 'replace-cards'; readonly what: 'deck' | 'card'; readonly credential: Credential }
  | { readonly type: 'open-betting' }
  | { readonly type: 'demo-round' }
  | { readonly type: 'close-betting' }
  /** `by`: the bettor who has left with streak bets open on `seat`; a supervisor's PIN. */
  | {
      readonly type: 'forfeit-streak';
      readonly seat: number;
      readonly by: number;
      readonly credential: Credential;
    }
  | { readonly type: 'close-round' }
  | { readonly type: 'confirm-card'; readonly card: Card; readonly credential?: Credential }
  | { readonly type: 'set-card-aside' }
  | { readonly type: 'announce-face-up'; readonly faceUp: boolean }
  | { readonly type: 'assign-card'; readonly fromSeat: number; readonly toSeat: number }
  | { readonly type: 'draw-wrong'; readonly shown: boolean }
  | { readonly type: 'confirm-layout' }
  | { readonly type: 'void-round'; readonly reason: VoidReason; readonly credential: Credential }
  | {
      readonly type: 'resolve-held-note';
      readonly caseNo: number;
      readonly outcome: HeldNoteOutcome;
      readonly reason: HeldNoteReason;
      /** Needed with the reason `other`; absent = nothing. */
      readonly words?: string;
      readonly credential: Credential;
      /** Above the limit of the table, and for a note of unknown value. */
      readonly secondCredential?: Credential;
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
      readonly credential: Credential;
      readonly secondCredential: Credential;
    }
  // service mode
  | { readonly type: 'enter-service'; readonly credential: Credential }
  | { readonly type: 'exit-service' }
  | { readonly type: 'run-self-test' }
  /** A fault whose cause is gone and that needs the eyes of one or two persons, see DeviceFault. */
  | {
      readonly type: 'end-fault';
      readonly device: string;
      readonly fault: string;
      readonly credential: Credential;
      readonly secondCredential?: Credential;
    }
  /** A fault practised on a copy of the state, see drills.ts; by a technician or supervisor in service mode. */
  | { readonly type: 'hold-drill'; readonly drill: DrillId }
  /** Two persons change the table in force, at `fromMs` or (null) as soon as it is empty; `reason` in their words. */
  | {
      readonly type: 'plan-change';
      readonly edit: ProfileEdit;
      readonly reason: string;
      readonly fromMs: number | null;
      readonly credential: Credential;
      readonly secondCredential: Credential;
    }
  | { readonly type: 'drop-change'; readonly credential: Credential }
  /** `target`: one of ExportPage. */
  | { readonly type: 'make-export'; readonly target: string }
  /** `table`: name of a ready table, see TablesPage. */
  | { readonly type: 'switch-table'; readonly table: string; readonly credential: Credential }
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
