/**
 * Every right of every role: who may give which command in their own name, and who sees which page
 * of service mode. The host asks these rows, displays show what they allow, and
 * docs/operations/rights.md is printed of them. What a display may send at all, whoever stands
 * there, is in commands.ts.
 */
import {
  ASKERS,
  BOX_KEEPERS,
  DEALERS,
  DUTIES,
  MAKER,
  OPENERS,
  REPAIRERS,
  SERVICE,
  SUPERVISORS,
  SWITCHERS,
} from '../engine/table/duties.ts';
import type { PersonRole } from '../engine/table/inputs.ts';
import type { CommandType } from './commands.ts';
import type { HostEvent } from './host-events.ts';
import type { Query, QueryName } from './queries.ts';

export interface Right {
  /** One of these. */
  readonly first: readonly PersonRole[];
  /** And another person, one of these, where two are needed. */
  readonly second?: readonly PersonRole[];
  /**
   * How the host knows them. `pin`: they say who they are with the command · `or-dealer`: so, or
   * the dealer who is signed in, where the house asks for nobody else · `session`: whoever has
   * opened service mode · `or-session`: the dealer who is signed in, or whoever has opened it.
   */
  readonly known: 'pin' | 'or-dealer' | 'session' | 'or-session';
}

const pin = (first: readonly PersonRole[], second?: readonly PersonRole[]): Right => ({
  first,
  known: 'pin',
  ...(second === undefined ? {} : { second }),
});
const orDealer = (first: readonly PersonRole[]): Right => ({ first, known: 'or-dealer' });
const session = (first: readonly PersonRole[]): Right => ({ first, known: 'session' });

/** Those who read what the terminal has written, besides the attendant. */
const READERS: readonly PersonRole[] = ['supervisor', 'technician', 'auditor'];
const WITH_ATTENDANT: readonly PersonRole[] = ['attendant', ...READERS];
const WITH_MAKER: readonly PersonRole[] = [...READERS, ...MAKER];
const ANYBODY: readonly PersonRole[] = [...WITH_ATTENDANT, ...MAKER];

/**
 * A command that stands here is nobody's but theirs. Every other one is a touch of the table, which
 * needs no name, or the dealer's who is signed in. Faults are ended by the persons of faults.ts.
 */
export const RIGHTS = {
  'sign-in-dealer': pin(DEALERS),
  'witness-loading': pin(SUPERVISORS),
  'load-packet': pin(SUPERVISORS),
  'cut-shoe': orDealer(SUPERVISORS),
  'replace-bank-second': orDealer(SUPERVISORS),
  'take-back-card': orDealer(SUPERVISORS),
  'assign-card': orDealer(SUPERVISORS),
  'lay-out-cards': orDealer(SUPERVISORS),
  'count-cards': orDealer(SUPERVISORS),
  'confirm-card': orDealer(SUPERVISORS),
  'open-shuffler': pin(OPENERS),
  'replace-cards': pin(SUPERVISORS),
  'report-replacement': pin(SUPERVISORS),
  'forfeit-streak': pin(SUPERVISORS),
  'close-complaint': pin(SUPERVISORS),
  'void-round': pin(SUPERVISORS),
  'read-again': pin(REPAIRERS),
  'confirm-hand-pay': pin(DUTIES['confirm-hand-pay'].first, DUTIES['confirm-hand-pay'].second),
  'resolve-held-note': pin(DUTIES['resolve-held-note'].first, DUTIES['resolve-held-note'].second),
  'adjust-credit': pin(DUTIES['adjust-credit'].first, DUTIES['adjust-credit'].second),
  'hand-over-shift': pin(DUTIES['hand-over-shift'].first, DUTIES['hand-over-shift'].second),
  'check-exclusion': pin(ASKERS),
  'open-acceptor': pin(BOX_KEEPERS),
  'announce-drop': pin(BOX_KEEPERS),
  'end-drop': pin(BOX_KEEPERS),
  'enter-service': pin(SERVICE),
  'admit-manufacturer': pin(SUPERVISORS),
  'plan-change': pin(SWITCHERS, SUPERVISORS),
  'drop-change': pin(SWITCHERS),
  'switch-table': pin(SWITCHERS),
  'end-maintenance': session(SWITCHERS),
  'run-self-test': session(WITH_MAKER),
  'try-note': session(SWITCHERS),
  'try-cards': session(SWITCHERS),
  'test-device': session(SWITCHERS),
  'set-touch': session(SWITCHERS),
  'hold-drill': session(SWITCHERS),
  'make-export': session(READERS),
  'stop-work': session(READERS),
  'print-slip': { first: ['dealer', ...WITH_ATTENDANT], known: 'or-session' },
  'show-recall': { first: ['dealer', ...WITH_ATTENDANT], known: 'or-session' },
} as const satisfies Partial<Record<CommandType, Right>>;

export const rightOf = (type: CommandType): Right | null =>
  (RIGHTS as Partial<Record<CommandType, Right>>)[type] ?? null;

interface PageRight {
  /** The tab under which it is found; the map has none. */
  readonly group?: string;
  readonly roles: readonly PersonRole[];
  /** What it asks the host for. */
  readonly asks: readonly QueryName[];
}

/** What a page asks of the entries, where it is not the page of the events. */
const ENTRIES = 'events';

/**
 * The pages of service mode, in the order of their groups. An attendant has those of payments,
 * notes, rounds and meters, the maker those of the machine.
 */
export const PAGES = {
  map: { roles: ANYBODY, asks: ['devices', 'displays', 'storage', 'clock', 'reading', 'software'] },
  meters: { group: 'today', roles: WITH_ATTENDANT, asks: ['meters'] },
  charts: { group: 'today', roles: WITH_MAKER, asks: ['trends'] },
  notes: { group: 'money', roles: WITH_ATTENDANT, asks: ['notes', 'note-trace'] },
  payouts: { group: 'money', roles: WITH_ATTENDANT, asks: ['payouts'] },
  devices: { group: 'devices', roles: ANYBODY, asks: ['devices', 'recording'] },
  displays: { group: 'devices', roles: WITH_MAKER, asks: ['displays'] },
  sound: { group: 'devices', roles: WITH_MAKER, asks: ['speech'] },
  rounds: { group: 'records', roles: WITH_ATTENDANT, asks: ['rounds', 'round', 'recall'] },
  events: { group: 'records', roles: READERS, asks: [ENTRIES] },
  exports: { group: 'records', roles: READERS, asks: ['exports'] },
  profile: { group: 'table', roles: READERS, asks: ['profile', 'change', 'check-change', 'figures'] },
  tables: { group: 'table', roles: READERS, asks: ['tables'] },
  people: { group: 'table', roles: READERS, asks: ['people'] },
  link: { group: 'system', roles: WITH_MAKER, asks: ['link'] },
  clock: { group: 'system', roles: WITH_MAKER, asks: ['clock'] },
  storage: { group: 'system', roles: WITH_MAKER, asks: ['storage'] },
  reading: { group: 'system', roles: READERS, asks: ['reading'] },
  selfTest: { group: 'system', roles: WITH_MAKER, asks: ['software'] },
  drills: { group: 'system', roles: READERS, asks: ['drills'] },
  software: { group: 'system', roles: WITH_MAKER, asks: ['software', 'software-files'] },
} as const satisfies Readonly<Record<string, PageRight>>;
export type Page = Exclude<keyof typeof PAGES, 'map'>;
export type Group = (typeof PAGES)[Page]['group'];

export const maySee = (role: PersonRole, page: Page): boolean =>
  (PAGES[page].roles as readonly PersonRole[]).includes(role);

/** Entries about the machine, which its maker may see; no money and no round is in them. */
const OF_MACHINE: ReadonlySet<string | null> = new Set<HostEvent['type']>([
  'clock-jumped',
  'code-checked',
  'ledger-repaired',
]);

/** Whether somebody of this role who has opened service mode may ask this of it. */
export const mayAsk = (role: PersonRole, query: Query): boolean =>
  Object.values<PageRight>(PAGES).some(
    ({ roles, asks }) => roles.includes(role) && asks.includes(query.query),
  ) ||
  (query.query === ENTRIES && MAKER.includes(role) && OF_MACHINE.has(query.kind));
