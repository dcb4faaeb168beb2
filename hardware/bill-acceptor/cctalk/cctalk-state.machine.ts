/** What the host's side of ccTalk knows. */
import type { AcceptorState, UnitNote } from '../../ports.ts';
import { SIMULATED } from '../../simulators.ts';
import { PATIENCE_MS } from '../../transport/patience.ts';
import { type AcceptorLine, type HeldNote, isWanted, NEW_ACCEPTOR_LINE } from '../acceptor.machine.ts';
import { decodeScaling, type EventBuffer, HEADER, TYPES, unitNoteOf, type Wire } from './cctalk.codec.ts';
import { codeOf } from './cctalk-cipher.codec.ts';

export interface CctalkOptions {
  /** Of the unit on its line; default 40. */
  readonly address?: number;
  /** Default: simple, and CRC-16 where there is a code. */
  readonly checksum?: 'simple' | 'crc16';
  /** Six digits of the encryption; default: in the clear. */
  readonly code?: string;
  /** Country letters of the unit's bill ids -> ISO 4217; default: a simulator's own. */
  readonly countries?: Readonly<Record<string, string>>;
  readonly currencies?: readonly string[];
}

/** Of our simulator's bill ids; a real unit's are named by the option, or by a technician. */
export const COUNTRIES: Readonly<Record<string, string>> = { MO: 'MOP', HK: 'HKD', EU: 'EUR' };

/** The note between escrow and its end. */
export interface Held extends HeldNote {
  readonly bill: number;
  /** The unit has shown since the last doubt that the note is there. */
  readonly isSure: boolean;
  /** From an earlier life of the host, which may have told it to stack. */
  readonly isPast: boolean;
  /** Since when the unit has said that its escrow is empty; null = it has not. */
  readonly emptySinceMs: number | null;
  /** The route that was sent last, and when; null = none. */
  readonly route: number | null;
  readonly routedAtMs: number;
}

/** What was asked: header and data. */
export type Question = readonly [header: number, data: readonly number[]];
export const keyOf = ([header, data]: Question): string => [header, ...data].join(' ');

export interface CctalkState extends AcceptorLine {
  readonly wire: Wire;
  readonly countries: Readonly<Record<string, string>> | null;
  readonly currencies: readonly string[] | null;
  readonly awaiting: { readonly question: Question; readonly sentAtMs: number } | null;
  /** No new question before: what is late then belongs to no question. */
  readonly quietUntilMs: number;
  readonly heardAtMs: number;
  readonly polledAtMs: number;
  readonly patienceMs: number;
  /** The event buffer as it was heard last, in full: it counts once it was heard so twice. */
  readonly buffer: string | null;
  /** The last answer was a buffer with nothing that is not dealt with. */
  readonly fresh: boolean;
  /** The last event that was dealt with; null = not known. */
  readonly counter: number | null;
  /** The event of that number and those before it, the newest first, as far as they are known. */
  readonly behind: EventBuffer['pairs'];
  /** It was heard all the time since then. */
  readonly isWatched: boolean;
  /** Serial number of the unit that counted so; null = it does not say it. */
  readonly counterOf: string | null;
  /** Of the credit that waits for the host; null = none, or the unit has restarted since. */
  readonly creditCounter: number | null;
  /** Answers by question, and how often in a row they were the same. */
  readonly facts: Readonly<Record<string, { readonly text: string; readonly times: number }>>;
  readonly tries: Readonly<Record<string, number>>;
  readonly silences: Readonly<Record<string, number>>;
  /** Null until it has been read whole, twice. */
  readonly table: readonly { readonly bill: number; readonly note: UnitNote }[] | null;
  /** Settings that the unit has acknowledged. */
  readonly applied: Readonly<Record<number, string>>;
  readonly fault: {
    readonly state: AcceptorState;
    readonly detail: string | null;
    readonly sinceMs: number;
  } | null;
  readonly checkedAtMs: number;
  /** The next check asks whether the unit is open, and not whether it is well. */
  readonly isGateNext: boolean;
  readonly lostAtMs: number;
  /** A barcoded ticket waits in escrow: it goes back. */
  readonly hasTicket: boolean;
  readonly held: Held | null;
}

/** Throws RangeError on an option that does not fit the others. */
export function initialCctalk(
  options: CctalkOptions = {},
  known: Pick<CctalkState, 'counter' | 'behind' | 'counterOf'> | null = null,
): CctalkState {
  const { address = 40, code, checksum = code === undefined ? 'simple' : 'crc16' } = options;
  if (!Number.isInteger(address) || address < 2 || address > 255)
    throw new RangeError(`cctalk: address ${address} is not 2 to 255`);
  if (code !== undefined && !/^[0-9]{6}$/.test(code))
    throw new RangeError('cctalk: the code is not six digits');
  if (code !== undefined && checksum === 'simple')
    throw new RangeError('cctalk: encrypted frames have the checksum crc16');
  return {
    ...NEW_ACCEPTOR_LINE,
    wire: { address, checksum, code: code === undefined ? null : codeOf(code) },
    countries: options.countries ?? null,
    currencies: options.currencies ?? null,
    awaiting: null,
    quietUntilMs: 0,
    heardAtMs: 0,
    polledAtMs: Number.NEGATIVE_INFINITY,
    patienceMs: PATIENCE_MS,
    buffer: null,
    fresh: false,
    counter: known?.counter ?? null,
    behind: known?.behind ?? [],
    isWatched: false,
    counterOf: known?.counterOf ?? null,
    creditCounter: null,
    facts: {},
    tries: {},
    silences: {},
    table: null,
    applied: {},
    fault: null,
    checkedAtMs: Number.NEGATIVE_INFINITY,
    isGateNext: true,
    lostAtMs: Number.NEGATIVE_INFINITY,
    hasTicket: false,
  };
}

const TRIES = 3;
/** Questions in a row without any answer, while others had one: it may be the line. */
const SILENCES = 6;

/** Where one question after the other has no answer it is the line: the rest is counted anew. */
export const givenUp = (silences: CctalkState['silences']): CctalkState['silences'] =>
  Object.fromEntries(Object.entries(silences).filter(([, times]) => times >= SILENCES));

export const gaveUp = (s: Pick<CctalkState, 'tries' | 'silences'>, key: string): boolean =>
  (s.tries[key] ?? 0) >= TRIES || (s.silences[key] ?? 0) >= SILENCES;

/** The answer to a question that has no data; null = none. */
export const factOf = (s: Pick<CctalkState, 'facts'>, header: number): string | null =>
  s.facts[String(header)]?.text ?? null;

const IDENTITY: readonly Question[] = [
  HEADER.equipmentCategory,
  HEADER.manufacturer,
  HEADER.productCode,
  HEADER.serialNumber,
  HEADER.softwareRevision,
  HEADER.currencyRevision,
].map((header) => [header, []]);
const BILLS: readonly Question[] = Array.from({ length: TYPES }, (_, at) => [HEADER.billId, [at + 1]]);
/**
 * Money hangs on these answers, and whether this is the unit that was accepted here: each must have
 * come twice, with all others in between.
 */
const TWICE = 2;

const countriesOf = (s: CctalkState): readonly string[] => [
  ...new Set(BILLS.map((bill) => s.facts[keyOf(bill)]?.text.slice(0, 2) ?? '').filter((text) => text !== '')),
];
const scalingOf = (country: string): Question => [
  HEADER.countryScaling,
  Array.from(country, (letter) => letter.charCodeAt(0)),
];

/** What is still to be asked of who the unit is and what it takes; null = all is known. */
export function readingDue(s: CctalkState): Question | null {
  const less = (times: number) => (question: Question) => {
    const key = keyOf(question);
    const isGivenUp = question[0] !== HEADER.equipmentCategory && gaveUp(s, key);
    return !isGivenUp && (s.facts[key]?.times ?? 0) < times;
  };
  const unit = [...IDENTITY, ...BILLS];
  const scalings = countriesOf(s).map(scalingOf);
  return (
    unit.find(less(1)) ??
    scalings.find(less(1)) ??
    unit.find(less(TWICE)) ??
    scalings.find(less(TWICE)) ??
    null
  );
}

/** The unit's table out of its answers. The countries of a simulator have a name for it alone. */
export function tableOf(s: CctalkState): NonNullable<CctalkState['table']> {
  const isSimulator = factOf(s, HEADER.softwareRevision)?.startsWith(SIMULATED) ?? false;
  const countries = s.countries ?? (isSimulator ? COUNTRIES : {});
  return BILLS.flatMap((question) => {
    const id = s.facts[keyOf(question)]?.text ?? '';
    const bill = question[1][0]!;
    if (id === '') return [];
    const said = s.facts[keyOf(scalingOf(id.slice(0, 2)))]?.text;
    const scaling = said === undefined ? null : decodeScaling(Uint8Array.from(said.split(' '), Number));
    return [{ bill, note: unitNoteOf({ bill, id }, scaling?.ok ? scaling.value : null, countries) }];
  });
}

export const rowOf = (s: Pick<CctalkState, 'table'>, bill: number): UnitNote | null =>
  s.table?.find((row) => row.bill === bill)?.note ?? null;

export const allowedBills = (s: CctalkState): readonly number[] =>
  (s.table ?? []).flatMap(({ bill, note }) => (isWanted(s, note, s.currencies) ? [bill] : []));

/** As the unit must call itself; some write `_` for the space. */
export const isBillValidator = (s: CctalkState): boolean =>
  factOf(s, HEADER.equipmentCategory)?.replaceAll('_', ' ').trim() === 'Bill Validator';
