import type { Card } from '../core/cards.ts';
import type { Minor } from '../core/money.ts';
import type { RejectCode } from '../core/result.ts';
import type { Act } from './inputs.ts';

/** Why the table stands still. `code` names the sentence that player and dealer read. */
export interface Hold {
  readonly code:
    | 'recovery'
    | 'unexpected-card'
    | 'doubtful-card'
    | 'card-gap'
    | 'shoe-fault'
    | 'machine-fault'
    | 'misdeal'
    | 'books'
    /** The second reader of the round has not agreed with its settlement, or has not answered. */
    | 'unread';
  readonly sinceMs: number;
  readonly card: Card | null;
  readonly drawNo: number | null;
  readonly detail: string | null;
}

/** Steps without anything beside their name; games have further ones. */
export interface FurtherSteps {
  'sign-in': true;
  'check-decks': true;
  'load-shoe': true;
  'witness-loading': true;
  'order-decks': true;
  'count-cards': true;
  'feed-shuffler': true;
  'open-betting': true;
}

/** Exactly one next legal step of the dealer, with the article it rests on. */
export type DealerStep = { readonly cites: readonly string[] } & (
  | { readonly step: keyof FurtherSteps }
  | { readonly step: 'draw-for-bank'; readonly faceDown?: true }
  /** The casino's centre has ordered that no further round begins. */
  | { readonly step: 'locked-by-centre' }
  | { readonly step: 'confirm-layout' | 'close-round' | 'in-service' | 'call-supervisor' | 'resolve-card' }
  /** `seat`: whose turn it is (r.8), 0 = the supervisor's; null = whoever wants to. */
  | { readonly step: 'cut-shoe'; readonly seat: number | null }
  | { readonly step: 'load-packet'; readonly done: number; readonly least: number }
  | { readonly step: 'close-complaint'; readonly complaintNo: number; readonly seat: number }
  /** r.51: the supervisor, or the technician once they could not put it right. */
  | { readonly step: 'open-shuffler'; readonly technician: boolean }
  /**
   * `owedBySeat`: no card is dealt before this seat has a bet (art. 13.5.2.vi); absent = none owes
   * one.
   */
  | { readonly step: 'close-betting'; readonly owedBySeat?: number }
  | { readonly step: 'place-end-card'; readonly minBehind: number; readonly maxBehind: number }
  | { readonly step: 'burn'; readonly done: number; readonly count: number }
  | { readonly step: 'draw-for-seat'; readonly seat: number; readonly hand: number }
  /** r.49: a jackpot waits to be paid by hand; until then the cards stay. */
  | { readonly step: 'pay-prize'; readonly seat: number }
  /** `seats`: of the bettors who are to answer, wherever their bets lie. */
  | { readonly step: 'await-offers'; readonly seats: readonly number[] }
  /**
   * `by`: who decides, where it is not the bettor of the seat itself (arts. 20.1.2, 20.1.3, r.16).
   */
  | {
      readonly step: 'await-decision';
      readonly seat: number;
      readonly hand: number;
      readonly by?: number;
    }
  | { readonly step: 'confirm-card'; readonly card: Card }
  | { readonly step: 'read-results'; readonly untilMs: number }
);

/** Buttons the dealer has beside the one next step. */
export type DealerOption = {
  readonly option:
    | 'void-round'
    | 'set-card-aside'
    | 'card-face-up'
    | 'card-face-down'
    | 'assign-card'
    | 'draw-wrong'
    | 'end-card-out'
    | 'confirm-card'
    | 'forfeit-streak'
    | 'release-streak'
    | 'refuse-cut'
    | 'raise-complaint'
    | 'replace-bank-second'
    | 'doubt-card'
    | 'take-back-card'
    | 'open-betting'
    | 'lay-out-cards'
    | 'replace-cards'
    | 'report-replacement'
    | 'sign-out'
    | 'new-shoe'
    | 'demo-round';
  readonly cites: readonly string[];
};

/** A lawful way out of the present hold; its name says what it does and what follows from it. */
export interface Remedy {
  readonly remedy:
    | 'set-card-aside'
    | 'confirm-read-card'
    /** Where the shoe that is there can. */
    | 'read-card-again'
    | 'name-card'
    | 'wrong-card-shown'
    | 'wrong-card-unseen'
    | 'confirm-layout'
    | 'assign-card'
    | 'void-round';
  /** Who must say so. */
  readonly by: 'dealer' | 'supervisor';
  readonly cites: readonly string[];
}

/** One decision of a bettor: lawful now, or closed with the reason. */
export interface Choice {
  readonly act: Act;
  /** Whose hand it is about; the bettor's own seat unless they have bet on another one. */
  readonly seat: number;
  readonly hand: number;
  readonly allowed: boolean;
  readonly code: RejectCode | null;
  readonly cites: readonly string[];
  /**
   * What it costs or pays: the raise of a double or split, the legal insurance range, the half of a
   * surrender.
   */
  readonly amountMinor: Minor | null;
  readonly minMinor: Minor | null;
  readonly maxMinor: Minor | null;
}

/**
 * What a bettor may lay on the hand of another seat now; `bets` empty = nothing, `refused` says
 * why.
 */
export interface BehindChoice {
  readonly seat: number;
  /** Only what is lawful; `amountMinor`: the most one placement may add. */
  readonly bets: readonly { readonly bet: string; readonly amountMinor: Minor }[];
  readonly refused: { readonly code: RejectCode; readonly cites: readonly string[] } | null;
}

export interface BettingChoice {
  readonly act: 'place-bet' | 'undo-bet' | 'clear-bets' | 'repeat-bets' | 'double-bets';
  /** place-bet: one choice for every kind of bet the table takes. */
  readonly bet: string | null;
  readonly allowed: boolean;
  readonly code: RejectCode | null;
  readonly cites: readonly string[];
  /** place-bet: the most that may still be laid; repeat and double: what it would cost. */
  readonly amountMinor: Minor | null;
}
