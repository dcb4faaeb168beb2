import type { Minor } from '../core/money.ts';
import type { Rejection } from '../core/result.ts';
import type { TableEvent } from './events.ts';
import type { Input } from './inputs.ts';
import type { TableState } from './state.ts';
import type { BettingChoice, Choice, DealerOption, DealerStep } from './steps.ts';

/** What a device must be told after the events are on disk. */
export type Effect =
  | { readonly type: 'stack-note'; readonly acceptor: number; readonly noteId: string }
  | { readonly type: 'return-note'; readonly acceptor: number }
  | { readonly type: 'acknowledge-credit'; readonly acceptor: number };

export interface Decision {
  readonly ok: true;
  readonly events: TableEvent[];
  readonly effects: Effect[];
}

export declare function decide(state: TableState, input: Input): Decision | Rejection;
export declare function evolve(state: TableState, event: TableEvent): TableState;
export declare function nextStep(state: TableState): DealerStep;
export declare function dealerOptions(state: TableState): DealerOption[];
export declare function seatChoices(state: TableState, seat: number): Choice[];
export declare function bettingChoices(state: TableState, seat: number): BettingChoice[];
export declare function allowedNotes(state: TableState, acceptor: number): Minor[];
