/** The pages of service mode in their groups, and to which of them a part belongs. */
import type { Part, PartKind } from './machine.ts';

export const GROUPS = {
  today: ['meters', 'charts'],
  money: ['notes', 'payouts'],
  devices: ['devices', 'displays', 'sound'],
  records: ['rounds', 'events', 'exports'],
  table: ['profile', 'tables'],
  system: ['link', 'clock', 'storage', 'reading', 'selfTest', 'drills', 'software'],
} as const;
export type Group = keyof typeof GROUPS;
export type Page = (typeof GROUPS)[Group][number];
export const GROUP_NAMES = Object.keys(GROUPS) as Group[];

export const groupOf = (page: Page): Group =>
  GROUP_NAMES.find((group) => (GROUPS[group] as readonly Page[]).includes(page))!;

const OF_SYSTEM: ReadonlySet<PartKind> = new Set(['link', 'ledger', 'copy', 'clock', 'reader', 'program']);
/** The parts whose faults are counted on a group. */
export const partsIn = (group: Group, parts: readonly Part[]): readonly Part[] =>
  group === 'devices' || group === 'system'
    ? parts.filter(({ kind }) => OF_SYSTEM.has(kind) === (group === 'system'))
    : [];
