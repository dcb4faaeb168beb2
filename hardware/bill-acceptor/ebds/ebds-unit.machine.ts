/**
 * What is read from a unit and set in it: identity, note table, inhibits, escrow time-out. Pure
 * steps on one record.
 */
import type { DeviceIdentity, Note, UnitNote } from '../../ports.ts';
import { type AcceptorLine, isWanted, ownWorth } from '../acceptor.machine.ts';
import type { Status } from './ebds.codec.ts';
import {
  AUXILIARY,
  decodeSoftwareCrc,
  type HostMessage,
  INHIBIT_BYTES,
  inhibitBytes,
  MOST_NOTES,
  type NoteSpec,
  printable,
  TELEMETRY,
  type UnitMessage,
  unitNoteOf,
} from './ebds-messages.codec.ts';
import type { Described } from './ebds-note.machine.ts';

const TRIES = 3;

/**
 * Where values come from: the table of extended notes, the table of seven values, or an option (the
 * unit has none).
 */
export type Reporting = 'extended' | 'values' | 'fixed';

/** A row of whichever table: its index as the inhibits or the poll's mask count it. */
export interface Row extends UnitNote {
  readonly index: number;
}

export interface UnitProfile {
  readonly model: string;
  readonly reporting: Reporting;
  /** Value index 1..7 -> note, where `reporting` is fixed. */
  readonly table: readonly Row[];
  /** Only notes of these currencies may be taken; null = every currency of the table. */
  readonly currencies: readonly string[] | null;
  /** Time a note waits in escrow before the unit gives it back by itself, seconds 1..127. */
  readonly escrowTimeoutS: number;
}

export interface UnitState {
  readonly reporting: Reporting;
  /** Rows read so far; complete once `tableRead`. */
  readonly table: readonly Row[];
  readonly tableRead: boolean;
  /** Answers to the queries of identity: text, '' where the unit would not say. */
  readonly texts: Readonly<Record<string, string>>;
  readonly tries: Readonly<Record<string, number>>;
  /** Settings the unit has taken since it last started. */
  readonly applied: Readonly<Record<string, string>>;
}

export const freshUnit = ({ reporting, table }: UnitProfile): UnitState => ({
  reporting,
  table: reporting === 'fixed' ? table : [],
  tableRead: reporting === 'fixed',
  texts: {},
  tries: {},
  applied: {},
});

type Asking = Exclude<HostMessage, { type: 'poll' }>;
/** What is asked, still without the poll that it carries. */
export type Question = Asking extends infer M ? (M extends unknown ? Omit<M, 'poll'> : never) : never;

/** Queries of identity, in the order they are asked. */
const TEXTS: Readonly<Record<'ebds' | 'pyramid', readonly (readonly [name: string, question: Question])[]>> =
  {
    ebds: [
      ['application', { type: 'auxiliary', command: AUXILIARY.applicationPart }],
      ['variant', { type: 'auxiliary', command: AUXILIARY.variantName }],
      ['crc', { type: 'auxiliary', command: AUXILIARY.softwareCrc }],
      ['serial', { type: 'auxiliary', command: AUXILIARY.serial }],
    ],
    pyramid: [['serial', { type: 'telemetry', command: TELEMETRY.serial }]],
  };
const textsOf = ({ reporting }: UnitProfile) => TEXTS[reporting === 'fixed' ? 'pyramid' : 'ebds'];

const gaveUp = (unit: UnitState, name: string): boolean => (unit.tries[name] ?? 0) >= TRIES;
const tried = (unit: UnitState, name: string): UnitState => ({
  ...unit,
  tries: { ...unit.tries, [name]: (unit.tries[name] ?? 0) + 1 },
});

/** The next thing to read; null when all is read. */
export function readingDue(unit: UnitState, profile: UnitProfile): Question | null {
  if (!unit.tableRead)
    return unit.reporting === 'extended'
      ? { type: 'query-note', index: unit.table.length + 1 }
      : { type: 'query-value-table' };
  return textsOf(profile).find(([name]) => unit.texts[name] === undefined)?.[1] ?? null;
}

/**
 * Sets the time a note waits in escrow, seconds; 0 = for ever. Null where the unit has it already
 * or would not have it.
 */
export function escrowTimeoutDue(unit: UnitState, seconds: number): Question | null {
  if (unit.reporting === 'fixed' || unit.applied['timeout'] === String(seconds) || gaveUp(unit, 'timeout'))
    return null;
  return { type: 'set-escrow-timeout', notesS: seconds, barcodesS: 1 };
}

/**
 * The next thing to set, only while the unit idles; null when all is set or the unit would not have
 * it.
 */
export function settingDue(
  unit: UnitState,
  profile: UnitProfile,
  allowed: readonly number[],
): Question | null {
  const timeout = escrowTimeoutDue(unit, profile.escrowTimeoutS);
  if (timeout !== null) return timeout;
  if (allowed.length === 0 || inhibitsHold(unit, allowed)) return null;
  // Which form a unit takes depends on its product, which no reply tells apart: the next one after
  // each refusal.
  const forms = INHIBIT_BYTES.filter((bytes) => bytes * 7 >= unit.table.length);
  const form = forms[(unit.tries['inhibits'] ?? 0) % forms.length] ?? INHIBIT_BYTES[2];
  return { type: 'set-inhibits', enabled: inhibitBytes(allowed, form) };
}

/**
 * Nothing but these notes can be taken; also where the unit has no inhibits, and the host alone
 * refuses.
 */
export const inhibitsHold = (unit: UnitState, allowed: readonly number[]): boolean =>
  unit.reporting !== 'extended' || unit.applied['inhibits'] === allowed.join() || gaveUp(unit, 'inhibits');

/** The answer to a question, or its refusal, taken in. */
export function hearAnswer(
  unit: UnitState,
  asked: Question,
  answer: UnitMessage,
  profile: UnitProfile,
): UnitState {
  const refused = answer.type !== 'auxiliary' && answer.status.invalidCommand;
  switch (asked.type) {
    case 'query-note':
      return hearRow(unit, asked.index, answer);
    case 'query-value-table': {
      if (answer.type === 'value-table')
        return {
          ...unit,
          tableRead: true,
          table: answer.rows.map((row) => ({ index: row.index, ...unitNoteOf(row, row.index) })),
        };
      const next = tried(unit, 'table');
      return gaveUp(next, 'table') ? { ...next, tableRead: true } : next;
    }
    case 'set-inhibits':
      if (refused) return tried(unit, 'inhibits');
      return { ...unit, applied: { ...unit.applied, inhibits: indexesOf(asked.enabled).join() } };
    case 'set-escrow-timeout':
      if (refused) return tried(unit, 'timeout');
      return { ...unit, applied: { ...unit.applied, timeout: String(asked.notesS) } };
    case 'auxiliary':
    case 'telemetry': {
      const name = textsOf(profile).find(([, question]) => same(question, asked))?.[0];
      if (name === undefined) return unit;
      const text =
        answer.type !== 'auxiliary'
          ? null
          : name === 'crc'
            ? decodeSoftwareCrc(answer.data)
            : printable(answer.data);
      if (text !== null) return { ...unit, texts: { ...unit.texts, [name]: text } };
      const next = tried(unit, name);
      return gaveUp(next, name) ? { ...next, texts: { ...next.texts, [name]: '' } } : next;
    }
    default:
      return unit;
  }
}

/** Nobody has answered: as good as a refusal. `status`: as it was heard last. */
export const hearSilence = (
  unit: UnitState,
  asked: Question,
  status: Status,
  profile: UnitProfile,
): UnitState =>
  hearAnswer(unit, asked, { type: 'status', status: { ...status, invalidCommand: true } }, profile);

const same = (a: Question, b: Question): boolean => JSON.stringify(a) === JSON.stringify(b);

const indexesOf = (enabled: Uint8Array): readonly number[] =>
  Array.from({ length: enabled.length * 7 }, (_, i) => i + 1).filter(
    (index) => (enabled[Math.floor((index - 1) / 7)]! & (1 << ((index - 1) % 7))) !== 0,
  );

function hearRow(unit: UnitState, index: number, answer: UnitMessage): UnitState {
  if (answer.type === 'note' && answer.index === index && index === unit.table.length + 1) {
    const { spec } = answer;
    // The first blank row ends the table.
    const table = spec === null ? unit.table : [...unit.table, { index, ...unitNoteOf(spec) }];
    return {
      ...unit,
      table,
      tableRead: spec === null || index >= MOST_NOTES,
      tries: { ...unit.tries, row: 0 },
    };
  }
  // A blank row with index 0 is no answer about row n: behind the first one it says that there is
  // none.
  if (index > 1 && answer.type === 'note' && answer.index === 0 && answer.spec === null)
    return { ...unit, tableRead: true };
  const next = tried(unit, 'row');
  if (!gaveUp(next, 'row')) return next;
  // A unit without extended notes says its seven values; one that stops in the middle has said all
  // it has.
  return index === 1 ? { ...next, reporting: 'values' } : { ...next, tableRead: true };
}

/** The notes of the table that have a value here. */
export const notesOf = (unit: UnitState): readonly Note[] => unit.table.flatMap((row) => ownWorth(row) ?? []);

/** The table without our count of it, where a row stands twice once. */
export const unitTable = (unit: UnitState): readonly UnitNote[] => [
  ...new Map(unit.table.map((row) => [row.said, withoutIndex(row)])).values(),
];

const withoutIndex = ({ said, valueMinor, currency }: Row): UnitNote => ({ said, valueMinor, currency });

/** Rows whose notes may be taken. */
export const allowedRows = (
  unit: UnitState,
  profile: UnitProfile,
  line: Pick<AcceptorLine, 'confirmed' | 'isTrying' | 'allowedMinor'>,
): readonly number[] =>
  unit.table.flatMap((row) => (isWanted(line, row, profile.currencies) ? [row.index] : []));

/** The row of a described note in the table of this unit; null = it is not in it. */
export function rowOf(unit: UnitState, described: Described): UnitNote | null {
  if (described.by === 'index') {
    const row = unit.table.find(({ index }) => index === described.index);
    return row === undefined ? null : withoutIndex(row);
  }
  if (described.by !== 'spec' || !looksGenuine(described.spec)) return null;
  const note = unitNoteOf(described.spec);
  // Before the table is read the note's own words are all there is: a credit after a restart comes
  // first of all.
  return !unit.tableRead || unit.table.some(({ said }) => said === note.said) ? note : null;
}

const looksGenuine = ({ classification }: NoteSpec): boolean => classification === 0 || classification === 4;

const PRODUCTS: Readonly<Record<number, string>> = { 84: 'SC 83/85', 85: 'SC 66' };

/** Who the unit is; null until it has answered or refused every query. */
export function identityOf(unit: UnitState, profile: UnitProfile, status: Status): DeviceIdentity | null {
  if (textsOf(profile).some(([name]) => unit.texts[name] === undefined)) return null;
  const serial = unit.texts['serial'] ?? '';
  if (profile.reporting === 'fixed')
    // Pyramid's telemetry gives digits; its simulator has no other place for the mark of a
    // simulator.
    return /^\d*$/.test(serial)
      ? { model: profile.model, serial, firmware: `revision ${status.revision}` }
      : { model: profile.model, serial: '', firmware: serial };
  const { application = '', variant = '', crc = '' } = unit.texts;
  const firmware = [application, variant, crc === '' ? '' : `CRC ${crc}`].filter(Boolean).join(' ');
  return {
    model: `${profile.model} ${PRODUCTS[status.model] ?? status.model.toString(16)}`,
    serial,
    firmware,
  };
}
