/**
 * Faults that can be practised: every one that this terminal can tell of, and what only holds the
 * table. A drill is played by a process of its own on a copy of the ledger with simulated devices
 * (drill-main.ts): the table, its devices and its ledger know nothing of it but that it was held,
 * and by whom.
 */
import type { PersonRole } from '../engine/table/inputs.ts';
import type { Hold } from '../engine/table/steps.ts';
import { FAULTS, type FaultId } from './faults.ts';

/** What it shows: a fault, or a hold. */
export type Shown = { readonly fault: FaultId } | { readonly hold: Hold['code'] };

/** What goes wrong at a table and is no fault of a device: the hold tells it. */
const SITUATIONS = {
  'card-misread': 'card-gap',
  'double-feed': 'card-gap',
  'card-doubtful': 'doubtful-card',
  'unexpected-card': 'unexpected-card',
  'power-loss': 'recovery',
} as const satisfies Readonly<Record<string, Hold['code']>>;
type Situation = keyof typeof SITUATIONS;

/** Of no use to practise, each with its reason, for docs/operations/technician.md. */
export const UNDRILLED = {
  'shoe-misread':
    'stands in ledgers of earlier versions alone; a card that was not read is a hold, and the drill `card-misread`',
  'shoe-double-feed': 'likewise; the drill `double-feed`',
  'shoe-error':
    'only an Angel Eye shoe can say it, and the simulated shoe of a drill speaks KSP-1; it holds the round as `shoe-crc` does',
} as const satisfies Partial<Record<FaultId, string>>;

/** As they stand on the page: whoever looks for one knows what part of the machine it is about. */
// biome-ignore format: a list is read by its rows
export const DRILL_GROUPS = {
  notes: [
    'acceptor-jammed', 'stacker-jammed', 'cash-box-near-full', 'cash-box-full', 'cash-box-removed', 'acceptor-paused', 'acceptor-rejects',
    'acceptor-cheated', 'acceptor-sequence', 'note-in-doubt', 'acceptor-failed', 'acceptor-offline', 'acceptor-changed', 'notes-unconfirmed',
  ],
  cards: ['card-misread', 'card-doubtful', 'double-feed', 'unexpected-card', 'shoe-jam', 'shoe-no-feed', 'shoe-reverse', 'shoe-empty', 'shoe-cover-open'],
  shoe: ['shoe-offline', 'shoe-restarted', 'shoe-crc', 'shoe-gap', 'shoe-swapped', 'shoe-not-authentic', 'shoe-changed'],
  doors: [
    'main-door-open', 'logic-door-open', 'drop-door-open', 'acceptor-door-open', 'cabinet-door-open',
    'main-door-opened-off', 'logic-door-opened-off', 'drop-door-opened-off', 'acceptor-door-opened-off',
    'cabinet-offline', 'cabinet-changed', 'cabinet-battery-low',
  ],
  power: ['power-loss', 'ups-on-battery', 'ups-battery-low', 'ups-battery-old', 'ups-offline'],
  displays: ['display-lost', 'seat-display-lost', 'dealer-display-lost', 'sign-display-lost', 'window-restarts', 'excluded-person'],
  printer: ['printer-paper-low', 'printer-paper-out', 'printer-cover-open', 'printer-cutter', 'printer-failed', 'printer-offline'],
  storage: ['storage-low', 'storage-short', 'storage-full', 'storage-slow', 'storage-refuses', 'ledger-copy-failed', 'witness-failed'],
  ledger: ['ledger-repaired', 'ledger-damaged', 'books-differ', 'ledger-old', 'link-fork', 'ledger-gone', 'witness-gone'],
  system: ['link-down', 'link-overdue', 'clock-behind', 'clock-off', 'meter-jump', 'code-not-authentic', 'reader-gone', 'reader-missed'],
} as const satisfies Readonly<Record<string, readonly (FaultId | Situation)[]>>;

export type DrillGroup = keyof typeof DRILL_GROUPS;
export type DrillsOf<Group extends DrillGroup> = (typeof DRILL_GROUPS)[Group][number];
export type DrillId = DrillsOf<DrillGroup>;
export const DRILL_IDS = Object.values(DRILL_GROUPS).flat() as [DrillId, ...DrillId[]];

export const shownBy = (id: DrillId): Shown =>
  id in FAULTS ? { fault: id as FaultId } : { hold: SITUATIONS[id as Situation] };

/** A fault that is neither drilled nor has a reason is an error here. */
type Forgotten = Exclude<FaultId, DrillId | keyof typeof UNDRILLED>;
true satisfies [Forgotten] extends [never] ? true : Forgotten;

/**
 * What the terminal was seen to do: no notes, no round, the round held, the seat locked, nothing
 * played and no note taken, the program ended and started again, play goes on.
 */
export type Reaction = 'no-notes' | 'no-round' | 'held' | 'seat-locked' | 'nothing' | 'restarts' | 'plays-on';

/** One thing that happened in a drill, a line of its process. */
export type DrillStep =
  | { readonly at: 'copied'; readonly entries: number }
  | {
      readonly at:
        | 'ready'
        | 'struck'
        | 'healed'
        | 'note-settled'
        | 'round-voided'
        | 'shoe-loaded'
        | 'ledger-restored'
        | 'layout-confirmed';
    }
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
