/**
 * The parts of docs/events.md, and the names of the events for service mode, out of the catalogue.
 */
import type { Language } from '../../engine/table/inputs.ts';
import { CODINGS } from '../../host/pages/event-codes.ts';
import { ALARM_KINDS } from '../../upstream/operator.store.ts';
import { EVENT_CODES, EVENTS, type EventCode, NOT_DETECTED, rowOf } from '../../wire/event-catalogue.ts';
import { codesOfFault, FAULTS, type FaultRow } from '../../wire/faults.ts';
import { table } from './table.ts';

/** What tells of each event: a kind of entry with its condition, or a fault. */
export function sources(): ReadonlyMap<EventCode, readonly string[]> {
  const found = new Map<EventCode, string[]>();
  const add = (code: EventCode, source: string): void => {
    found.set(code, [...(found.get(code) ?? []), source]);
  };
  for (const [kind, coding] of Object.entries(CODINGS)) {
    if (typeof coding === 'string' || 'none' in coding) continue;
    for (const rule of coding)
      if (typeof rule === 'string') add(rule, `\`${kind}\``);
      else add(rule.code, `\`${kind}\`: ${rule.if}${'class' in rule ? ` (${rule.class})` : ''}`);
  }
  for (const [fault, row] of Object.entries<FaultRow>(FAULTS)) {
    const { begins, ends } = codesOfFault(row);
    add(begins, `fault \`${fault}\``);
    add(ends, `fault \`${fault}\` cleared`);
  }
  return found;
}

export function codeTable(): string {
  const found = sources();
  return table(
    ['code', 'class', 'event', '中文', 'Português', 'SAS', 'entry of the ledger'],
    EVENT_CODES.filter((code) => found.has(code)).map((code) => {
      const { class: cls, sas, name } = rowOf(code);
      return [code, cls, name.en, name['zh-Hant'], name.pt, sas ?? '–', found.get(code)!.join('; ')];
    }),
  );
}

export const notDetectedTable = (): string =>
  table(
    ['code', 'event', 'why not'],
    Object.entries(NOT_DETECTED).map(([no, why]) => [no, rowOf(no as EventCode).name.en, why]),
  );

/** Kinds of entries that are no event of the list. */
export const withoutCodeTable = (): string =>
  table(
    ['entry', 'why it has no code'],
    Object.entries(CODINGS).flatMap(([kind, coding]) =>
      typeof coding === 'object' && 'none' in coding ? [[`\`${kind}\``, coding.none]] : [],
    ),
  );

export const faultTable = (): string =>
  table(
    ['fault', 'code', 'level', 'ended by', 'when'],
    Object.entries<FaultRow>(FAULTS).map(([fault, { code, level, ends, when }]) => [
      `\`${fault}\``,
      String(code),
      level,
      typeof ends === 'string' ? ends : ends.map((roles) => roles.join(' or ')).join(' + '),
      when,
    ]),
  );

/** locales/<language>/events.json */
export const eventNames = (language: Language): string =>
  `${JSON.stringify({ name: Object.fromEntries(EVENT_CODES.map((code) => [code, rowOf(code).name[language]])) }, null, 2)}\n`;

/**
 * Numbers of the list that neither an entry nor a fault tells, and that nobody has given a reason
 * for.
 */
export const unexplained = (): string[] => {
  const told = new Set([...sources().keys()].map((code) => String(Number.parseInt(code, 10))));
  return Object.keys(EVENTS).filter((no) => told.has(no) === no in NOT_DETECTED);
};

/**
 * upstream/alarm-codes.json: the codes of what the centre shows as alarms, which may read no code
 * of the terminal.
 */
export function alarmCodes(): string {
  const kinds = Object.fromEntries(
    ALARM_KINDS.flatMap((kind) => {
      const coding: unknown = CODINGS[kind];
      if (!Array.isArray(coding)) return [];
      const first = coding[0] as string | { readonly code: string };
      return [[kind, typeof first === 'string' ? first : first.code]];
    }),
  );
  const faults = Object.fromEntries(
    Object.entries<FaultRow>(FAULTS).map(([fault, { code }]) => [fault, `${code}`]),
  );
  const levels = Object.fromEntries(
    Object.entries<FaultRow>(FAULTS).map(([fault, { level }]) => [fault, level]),
  );
  const codes = [...new Set([...Object.values(kinds), ...Object.values(faults)])].sort() as EventCode[];
  const events = Object.fromEntries(
    codes.map((code) => [code, { class: rowOf(code).class, name: rowOf(code).name }]),
  );
  return `${JSON.stringify({ kinds, faults, levels, events }, null, 2)}\n`;
}
