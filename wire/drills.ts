/**
 * Faults that can be practised. A drill is played by a process of its own on a copy of the ledger
 * with simulated devices (drill-main.ts): the table, its devices and its ledger know nothing of it
 * but that it was held, and by whom.
 */
import type { PersonRole } from '../engine/table/inputs.ts';
import type { Hold } from '../engine/table/steps.ts';
import type { FaultId } from './faults.ts';

/** What it shows: a fault, or a hold. */
export type Shown = { readonly fault: FaultId } | { readonly hold: Hold['code'] };

export const DRILLS = {
  'note-jam': { fault: 'acceptor-jammed' },
  'box-full': { fault: 'cash-box-full' },
  'box-removed': { fault: 'cash-box-removed' },
  'note-pulled': { fault: 'acceptor-cheated' },
  'acceptor-failed': { fault: 'acceptor-failed' },
  'acceptor-unplugged': { fault: 'acceptor-offline' },
  'card-misread': { hold: 'card-gap' },
  'card-jam': { fault: 'shoe-jam' },
  'cover-open': { fault: 'shoe-cover-open' },
  'shoe-unplugged': { fault: 'shoe-offline' },
  'power-loss': { hold: 'recovery' },
  'disk-full': { fault: 'storage-full' },
  'clock-back': { fault: 'clock-behind' },
  'centre-lost': { fault: 'link-down' },
} as const satisfies Record<string, Shown>;

export type DrillId = keyof typeof DRILLS;
export const DRILL_IDS = Object.keys(DRILLS) as [DrillId, ...DrillId[]];

/**
 * What the terminal was seen to do: no notes, no round, the round held, the seat locked, play goes
 * on.
 */
export type Reaction = 'no-notes' | 'no-round' | 'held' | 'seat-locked' | 'plays-on';

/** One thing that happened in a drill, a line of its process. */
export type DrillStep =
  | { readonly at: 'copied'; readonly entries: number }
  | { readonly at: 'ready' | 'struck' | 'healed' | 'layout-confirmed' | 'no-recovery' }
  | {
      readonly at: 'told';
      /** Null: only a hold tells it. */
      readonly fault: FaultId | null;
      readonly hold: Hold['code'] | null;
      readonly afterMs: number;
    }
  | { readonly at: 'reacted'; readonly reaction: Reaction }
  | { readonly at: 'persons-confirmed'; readonly roles: readonly PersonRole[] }
  | { readonly at: 'over'; readonly afterMs: number }
  /** The copy holds: chain, signatures, postings. */
  | { readonly at: 'verified'; readonly entries: number }
  | { readonly at: 'failed'; readonly why: string };

/** `stopped`: somebody has ended it before its end. */
export type DrillOutcome = 'as-it-should' | 'otherwise' | 'stopped';
