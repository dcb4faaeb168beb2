/** The pages of service mode in their groups, and to which of them a part belongs. */
import type { PersonRole } from '../../engine/table/inputs.ts';
import { maySee, type Page } from '../../wire/rights.ts';
import type { Part, PartKind } from './machine.ts';

export const GROUPS = {
  today: ['meters', 'charts'],
  money: ['notes', 'payouts'],
  devices: ['devices', 'displays', 'sound'],
  records: ['rounds', 'events', 'exports'],
  table: ['profile', 'tables', 'people'],
  system: ['link', 'clock', 'storage', 'reading', 'selfTest', 'drills', 'software'],
} as const satisfies Readonly<Record<string, readonly Page[]>>;
export type Group = keyof typeof GROUPS;
export const GROUP_NAMES = Object.keys(GROUPS) as Group[];

/** The pages of a group that are this person's work. */
export const pagesFor = (role: PersonRole, group: Group): readonly Page[] =>
  (GROUPS[group] as readonly Page[]).filter((page) => maySee(role, page));

export const groupOf = (page: Page): Group =>
  GROUP_NAMES.find((group) => (GROUPS[group] as readonly Page[]).includes(page))!;

const OF_SYSTEM: ReadonlySet<PartKind> = new Set(['link', 'ledger', 'copy', 'clock', 'reader', 'program']);
/** The parts whose faults are counted on a group. */
export const partsIn = (group: Group, parts: readonly Part[]): readonly Part[] =>
  group === 'devices' || group === 'system'
    ? parts.filter(({ kind }) => OF_SYSTEM.has(kind) === (group === 'system'))
    : [];
