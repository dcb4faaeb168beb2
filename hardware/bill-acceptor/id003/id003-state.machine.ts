/** What the host's side of ID-003 knows. */
import type { UnitNote } from '../../ports.ts';
import { SIMULATED } from '../../simulators.ts';
import { PATIENCE_MS } from '../../transport/patience.ts';
import { type AcceptorLine, NEW_ACCEPTOR_LINE } from '../acceptor.machine.ts';
import { COUNTRIES, type Denomination, unitNoteOf } from './id003.codec.ts';
import type { Held } from './id003-note.machine.ts';
import { type Id003Options, type ReadOptions, readOptions } from './id003-options.ts';

export interface Id003State extends AcceptorLine, ReadOptions {
  readonly awaiting: { readonly command: number; readonly data: string; readonly sentAtMs: number } | null;
  readonly heardAtMs: number;
  /** How long an answer may take on this line, by the last one. */
  readonly patienceMs: number;
  /** The first question since the last answer that got none in time; null = none. */
  readonly missed: { readonly command: number; readonly sentAtMs: number } | null;
  readonly polledAtMs: number;
  readonly status: number | null;
  readonly statusSinceMs: number;
  /** The status was heard after the last command that could change it. */
  readonly fresh: boolean;
  readonly version: string | null;
  readonly bootVersion: string | null;
  readonly table: readonly Denomination[] | null;
  readonly tries: Readonly<Record<number, number>>;
  /** Times in a row that a question got no byte for an answer, command -> times. */
  readonly silences: Readonly<Record<number, number>>;
  readonly askAtMs: number;
  readonly identified: boolean;
  /** Settings the device has echoed since it last initialised, command -> data bytes. */
  readonly applied: Readonly<Record<number, string>>;
  readonly resetAtMs: number;
  /** Since when the unit has said DISABLE though it was opened; null = it does not. */
  readonly shutSinceMs: number | null;
  /** Since when the unit has said VEND VALID; null = its last status was another one. */
  readonly creditSinceMs: number | null;
  readonly holdAtMs: number;
  readonly held: Held | null;
}

/** Throws RangeError on an option that the unit's bytes cannot say. */
export function initialId003(options: Id003Options = {}): Id003State {
  return {
    ...NEW_ACCEPTOR_LINE,
    ...readOptions(options),
    awaiting: null,
    heardAtMs: 0,
    polledAtMs: Number.NEGATIVE_INFINITY,
    status: null,
    statusSinceMs: 0,
    fresh: false,
    version: null,
    bootVersion: null,
    table: null,
    tries: {},
    silences: {},
    askAtMs: 0,
    identified: false,
    applied: {},
    resetAtMs: Number.NEGATIVE_INFINITY,
    shutSinceMs: null,
    creditSinceMs: null,
    patienceMs: PATIENCE_MS,
    missed: null,
    holdAtMs: Number.NEGATIVE_INFINITY,
  };
}

/**
 * The unit's table as it counts here. The codes of our simulator have a name only where the unit
 * says that it is one.
 */
export function unitTable(s: Id003State): readonly { readonly code: number; readonly note: UnitNote }[] {
  const countries = s.countries ?? (s.version?.startsWith(SIMULATED) ? COUNTRIES : {});
  return (s.table ?? []).map((row) => ({ code: row.code, note: unitNoteOf(row, countries) }));
}
