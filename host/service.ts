import { isSame } from '../engine/core/same.ts';
import { rulebookOf } from '../engine/games/rulebook.ts';
import type { TableState } from '../engine/table/state.ts';
import { tableInUse } from '../engine/table/table.ts';
import type { Entry, Ledger } from '../ledger/store/ledger.store.ts';
import type { EventPage, ProfilePage, TablesPage } from './api.ts';
import { bodyShown, breathe } from './recall.ts';
import { problemsOf, type ReadyTable } from './tables.ts';

/** Pages of service mode that are read from the ledger alone; nothing here can change anything. */

/** Entries looked through at a time for those of one kind. */
const STRIDE = 10_000;

/** Newest entries first, of one kind when given; `hiddenIn`: see `hiddenRound`. */
export async function eventPage(
  ledger: Ledger,
  hiddenIn: string | null,
  o: { beforeSeq: number | null; limit: number; kind: string | null },
): Promise<EventPage> {
  const found: Entry[] = [];
  let beforeSeq = Math.min(o.beforeSeq ?? Infinity, ledger.head().seq + 1);
  while (beforeSeq > 1 && found.length < o.limit) {
    const downToSeq = Math.max(1, beforeSeq - STRIDE);
    const limit = o.limit - found.length;
    found.push(...ledger.newest({ beforeSeq, downToSeq, limit, kind: o.kind }));
    beforeSeq = downToSeq;
    await breathe();
  }
  return {
    events: found.map((entry) => {
      const { seq, atMs, kind, roundId } = entry;
      return { seq, atMs, kind, roundId, body: bodyShown(entry, hiddenIn) };
    }),
  };
}

/** Every table this terminal can be, judged at `atMs` by the engine. */
export function tablesPage(state: TableState, tables: readonly ReadyTable[], atMs: number): TablesPage {
  const { choice } = state;
  return {
    tables: tables.map((table) => ({
      name: table.name,
      profile: table.profile,
      inForce: isSame(table.profile, state.profile),
      problems: problemsOf(table, atMs),
    })),
    inUse: tableInUse(state),
    choice: choice && { name: choice.person.name, role: choice.person.role, atMs: choice.atMs },
  };
}

export function profilePage(state: TableState): ProfilePage {
  const { profile, rules } = state;
  const given = profile?.options ?? {};
  return {
    profile,
    options: (profile ? (rulebookOf(profile.rulebook)?.options ?? []) : []).map((option) => ({
      id: option.id,
      article: option.article,
      value: (rules as unknown as Record<string, unknown> | null)?.[option.id] ?? option.default,
      isDefault: !(option.id in given),
      authorisation: option.authorisation,
    })),
  };
}
