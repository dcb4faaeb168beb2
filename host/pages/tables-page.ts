import { rulebookOf } from '../../engine/books.ts';
import { isSame } from '../../engine/core/same.ts';
import { tableInUse } from '../../engine/engine.ts';
import type { TableState } from '../../engine/table/state.ts';
import type { ProfilePage, TablesPage } from '../../wire/pages.ts';
import { problemsOf, type ReadyTable } from '../config/ready-tables.ts';

/** Pages of service mode that are read from the ledger alone; nothing here can change anything. */

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
