/** The pages of service mode in their groups, and to which of them a part belongs. */
import type { PersonRole } from '../../engine/table/inputs.ts';
import { type Group, maySee, PAGES, type Page } from '../../wire/rights.ts';
import type { Part, PartKind } from './machine.ts';

const { map: _, ...ROWS } = PAGES;
const ALL = Object.keys(ROWS) as Page[];

export const groupOf = (page: Page): Group => PAGES[page].group;

/** Every group has a page, or it would have no name. */
export const GROUPS = Object.groupBy(ALL, groupOf) as Readonly<Record<Group, readonly Page[]>>;
export const GROUP_NAMES = Object.keys(GROUPS) as readonly Group[];

/** The pages of a group that are this person's work. */
export const pagesFor = (role: PersonRole, group: Group): readonly Page[] =>
  GROUPS[group].filter((page) => maySee(role, page));

const OF_SYSTEM: ReadonlySet<PartKind> = new Set(['link', 'ledger', 'copy', 'clock', 'reader', 'program']);
/** The parts whose faults are counted on a group. */
export const partsIn = (group: Group, parts: readonly Part[]): readonly Part[] =>
  group === 'devices' || group === 'system'
    ? parts.filter(({ kind }) => OF_SYSTEM.has(kind) === (group === 'system'))
    : [];
