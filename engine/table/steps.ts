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
    | 'misdeal'
    | 'books';
  readonly sinceMs: number;
  readonly card: Card | null;
  readonly drawNo: number | null;
  readonly detail: string | null;
}

/** Exactly one next legal step of the dealer, with the article it rests on. */
export type DealerStep = { readonly cites: readonly string[] } & (
  | {
      readonly step:
        | 'sign-in'
        | 'load-shoe'
        | 'cut-shoe'
        | 'open-betting'
        | 'close-betting'
        | 'draw-for-bank';
    }
  | { readonly step: 'confirm-layout' | 'close-round' | 'in-service' | 'call-supervisor' | 'resolve-card' }
  | { readonly step: 'place-end-card'; readonly minBehind: number }
  | { readonly step: 'burn'; readonly done: number; readonly count: number }
  | { readonly step: 'draw-for-seat'; readonly seat: number; readonly hand: number }
  | { readonly step: 'await-offers'; readonly seats: readonly number[] }
  | { readonly step: 'await-decision'; readonly seat: number; readonly hand: number }
  | { readonly step: 'confirm-card'; readonly card: Card }
  | { readonly step: 'read-results'; readonly untilMs: number }
);

/** Buttons the dealer has beside the one next step. */
export type DealerOption = {
  readonly option:
    | 'void-round'
    | 'set-card-aside'
    | 'assign-card'
    | 'draw-wrong'
    | 'end-card-out'
    | 'confirm-card'
    | 'sign-out'
    | 'new-shoe';
  readonly cites: readonly string[];
};

/** One decision of a seat: lawful now, or closed with the reason. */
export interface Choice {
  readonly act: Act;
  readonly hand: number;
  readonly allowed: boolean;
  readonly code: RejectCode | null;
  readonly cites: readonly string[];
  /** What it costs or pays: the raise of a double or split, the legal insurance range, the half of a surrender. */
  readonly amountMinor: Minor | null;
  readonly minMinor: Minor | null;
  readonly maxMinor: Minor | null;
}

export interface BettingChoice {
  readonly act: 'place-bet' | 'undo-bet' | 'clear-bets' | 'repeat-bets' | 'double-bets';
  readonly allowed: boolean;
  readonly code: RejectCode | null;
  readonly cites: readonly string[];
  /** place-bet: the most that may still be laid; repeat and double: what it would cost. */
  readonly amountMinor: Minor | null;
}
