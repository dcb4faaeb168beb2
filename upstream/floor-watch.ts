/**
 * What follows from what is not heard: a table that is silent, late, wrong about the time, locked,
 * or too slow or too quick. Pure.
 */
import type { FloorLine, SlotLine, Standing, Wanted } from './floor.store.ts';
import { SLOT_MS } from './floor.store.ts';
import { type FloorPlan, paceOf } from './floor-plan.ts';
import type { AlarmFacts, AlarmKind } from './floor-table.ts';
import { CLOCK_LIMIT_MS } from './report.store.ts';

/** A terminal speaks every second; one that has locked its money, every 15 s. */
export const SILENT_MS = 3_000;
export const SILENT_LOCKED_MS = 40_000;
/** Entries that have been on their way for longer are late. */
export const LATE_MS = 2_000;

export const KINDS_OF_WATCH = ['silent', 'locked', 'clock', 'late', 'pace'] as const satisfies AlarmKind[];

export interface Watched {
  readonly nowMs: number;
  readonly lines: readonly FloorLine[];
  /** The open alarms of `KINDS_OF_WATCH`. */
  readonly standing: readonly Standing[];
  /** Since when this centre and its database have been able to hear. */
  readonly hearsSinceMs: number;
  /** Since when entries of the table have been outstanding. */
  readonly lateSinceMs: ReadonlyMap<string, number>;
  /** Of the last hour, to the last whole slot. */
  readonly slots: readonly SlotLine[];
  readonly plan: FloorPlan;
}

export const isSilent = ({ silentMs, isLocked }: FloorLine): boolean =>
  silentMs !== null && silentMs > (isLocked ? SILENT_LOCKED_MS : SILENT_MS);

/** Alarms to be opened, and those that are over. */
export function watch(o: Watched): { readonly wanted: Wanted[]; readonly over: Standing[] } {
  const wanted: Wanted[] = [];
  const over: Standing[] = [];
  const standing = Map.groupBy(o.standing, ({ terminal }) => terminal);
  const slots = Map.groupBy(o.slots, ({ terminal }) => terminal);
  for (const line of o.lines) {
    const { terminal } = line;
    const own = standing.get(terminal) ?? [];
    for (const { kind, about, holds, facts, sinceMs } of dueOf(line, o, slots.get(terminal) ?? [])) {
      const stands = own.find((alarm) => alarm.kind === kind && alarm.about === about);
      if (holds === true && stands === undefined) wanted.push({ terminal, kind, about, facts, sinceMs });
      if (holds === false && stands !== undefined) over.push(stands);
    }
  }
  return { wanted, over };
}

/** `holds` null: nobody can tell at the moment. */
interface Due {
  readonly kind: AlarmKind;
  readonly about: string;
  readonly holds: boolean | null;
  readonly sinceMs: number;
  readonly facts: AlarmFacts;
}

function dueOf(line: FloorLine, o: Watched, slots: readonly SlotLine[]): readonly Due[] {
  const { nowMs } = o;
  const silent = isSilent(line);
  const lateSince = o.lateSinceMs.get(line.terminal) ?? nowMs;
  const offMs = line.clockOffMs ?? 0;
  return [
    {
      kind: 'silent',
      about: '',
      // What nobody could have heard is no silence: neither while the database stood still, nor
      // right after the start of this centre.
      holds: line.state.isOff || !silent ? false : canTell(line, o) ? true : null,
      sinceMs: nowMs - (line.silentMs ?? 0),
      facts: {},
    },
    { kind: 'locked', about: '', holds: line.isLocked, sinceMs: nowMs, facts: {} },
    {
      kind: 'clock',
      about: '',
      holds: Math.abs(offMs) > CLOCK_LIMIT_MS,
      sinceMs: nowMs,
      facts: { offMs },
    },
    {
      kind: 'late',
      about: '',
      // A silent table brings nothing; that is said already.
      holds: silent ? false : nowMs - lateSince > LATE_MS,
      sinceMs: lateSince,
      facts: {},
    },
    ...pacesOf(line, o, slots, silent),
  ];
}

const canTell = ({ isLocked }: FloorLine, { nowMs, hearsSinceMs }: Watched): boolean =>
  nowMs - hearsSinceMs > (isLocked ? SILENT_LOCKED_MS : SILENT_MS);

/** @param slots of this table */
function pacesOf(
  line: FloorLine,
  { nowMs, plan }: Watched,
  slots: readonly SlotLine[],
  silent: boolean,
): readonly Due[] {
  const { minutes, least, most } = paceOf(plan, line.terminal);
  const count = (minutes * 60_000) / SLOT_MS;
  const before = Math.floor(nowMs / SLOT_MS);
  const rounds = slots
    .filter(({ slot }) => slot >= before - count && slot < before)
    .reduce((sum, slot) => sum + slot.rounds, 0);
  const perHour = Math.round((rounds * 60) / minutes);
  const { activeSinceMs } = line.state;
  // Somebody has been sitting at an open table for all of the time.
  const isWhole = activeSinceMs !== null && activeSinceMs <= (before - count) * SLOT_MS;
  const due = (about: string, limit: number | null, holds: boolean): Due => ({
    kind: 'pace',
    about,
    holds: limit === null ? false : silent ? null : holds,
    sinceMs: before * SLOT_MS,
    facts: { perHour, limit: limit ?? 0 },
  });
  return [
    due('low', least, least !== null && isWhole && perHour < least),
    due('high', most, most !== null && activeSinceMs !== null && perHour > most),
  ];
}
