/**
 * `banca meters DB [--as-of TIME|SEQ] [--from TIME|SEQ] [--by SLICE] [--json]`: the meters folded
 * from the stored entries up to a moment, from another one on, divided; and their equations. Exit 0
 * they hold, 1 they do not, 2 cannot run.
 */
import { brokenEquations } from '../engine/accounting/meter-equations.ts';
import {
  copyOf,
  emptyMeters,
  type MeterFold,
  type MeterRow,
  metersOf,
  SLICES,
  type Slice,
  since,
  slicedMeters,
} from '../engine/accounting/meter-fold.ts';
import { initialState } from '../engine/engine.ts';
import { linkMeters } from '../host/pages/meters.ts';
import { OpenedCards } from '../host/table/sealed-cards.ts';
import { sameTransaction } from '../host/table/terminal.ts';
import type { Entry } from '../ledger/chain/entry.codec.ts';
import { CannotRun, moneyText, readArguments } from './command.ts';
import { type Moment, readMoment } from './moment.ts';
import { entriesOf, play, readLedger, withNext } from './read-ledger.ts';

function readSlice(text: string | undefined): Slice | null {
  if (text === undefined) return null;
  const slice = SLICES.find((candidate) => candidate === text);
  if (!slice) throw new CannotRun(`--by ${text}: one of ${SLICES.join(', ')}`);
  return slice;
}

const isAfter = (entry: Entry, moment: Moment): boolean =>
  'seq' in moment ? entry.seq > moment.seq : entry.atMs > moment.atMs;

type Place = { readonly seq: number; readonly atMs: number | null };
const placeOf = (entry: Entry | null): Place => ({ seq: entry?.seq ?? 0, atMs: entry?.atMs ?? null });
const placeText = ({ seq, atMs }: Place): string =>
  atMs === null ? 'before the first entry' : `entry ${seq} of ${new Date(atMs).toISOString()}`;

export function meters(argv: string[]): Promise<number> {
  const { values, positionals } = readArguments(
    argv,
    {
      'as-of': { type: 'string' },
      from: { type: 'string' },
      by: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
    ['DB'],
  );
  const until = readMoment('as-of', values['as-of']);
  const after = readMoment('from', values.from);
  const by = readSlice(values.by);
  return readLedger('meters', positionals[0]!, (reader) => {
    const fold = emptyMeters();
    const state = initialState();
    const cards = new OpenedCards(reader);
    let last: Entry | null = null;
    let before: { readonly fold: MeterFold; readonly place: Place } | null = null;
    let whole = true;
    const keepBefore = (): void => {
      before ??= { fold: copyOf(fold), place: placeOf(last) };
    };
    for (const { entry, next } of withNext(entriesOf(reader))) {
      if (until && isAfter(entry, until)) break;
      if (after && isAfter(entry, after)) keepBefore();
      play(state, entry, cards, fold);
      last = entry;
      whole = !sameTransaction(entry, next);
    }
    if (after) keepBefore();
    // Between the entries of one transaction money is on its way from one meter to the next.
    const problems = whole ? brokenEquations(fold) : [];
    const asOf = placeOf(last);
    const known = linkMeters(reader, asOf.seq, until && 'atMs' in until ? until.atMs : (asOf.atMs ?? 0));
    print(
      {
        terminal: reader.terminalId,
        currency: state.profile?.currency ?? null,
        asOf,
        from: before && (before as { place: Place }).place,
        problems,
      },
      before ? since(fold, (before as { fold: MeterFold }).fold) : fold,
      { by, known: after ? {} : known, json: values.json },
    );
    return problems.length === 0;
  });
}

interface Head {
  readonly terminal: string;
  readonly currency: string | null;
  readonly asOf: Place;
  readonly from: Place | null;
  readonly problems: readonly string[];
}

function print(
  head: Head,
  fold: MeterFold,
  o: { readonly by: Slice | null; readonly known: Readonly<Record<string, number>>; readonly json: boolean },
): void {
  const { keys, meters: list } = o.by
    ? slicedMeters(fold, o.by)
    : { keys: [], meters: metersOf(fold, o.known).map((row) => ({ ...row, parts: [] })) };
  if (o.json) {
    const { problems, ...rest } = head;
    const rows = list.map(({ parts, ...row }) =>
      o.by ? { ...row, parts: Object.fromEntries(keys.map((key, at) => [key, parts[at]])) } : row,
    );
    console.log(JSON.stringify({ ok: problems.length === 0, ...rest, by: o.by, meters: rows, problems }));
    return;
  }
  const period = head.from ? `, after ${placeText(head.from)}` : '';
  console.log(`terminal ${head.terminal}, ${placeText(head.asOf)}${period}`);
  const text = ({ unit }: MeterRow, value: number): string =>
    (unit === 'money' ? `${moneyText(value)} ${head.currency ?? ''}` : String(value)).trimEnd();
  const width = Math.max(...list.map(({ code }) => code.length));
  for (const row of list) {
    console.log(`${row.code.padEnd(width)}  ${text(row, row.value)}`);
    row.parts.forEach((part, at) => {
      if (part !== 0) console.log(`  ${o.by} ${keyText(o.by, keys[at]!)}  ${text(row, part)}`);
    });
  }
  for (const problem of head.problems) console.log(`PROBLEM  ${problem}`);
}

/** A shift is known by the time of the dealer's sign-in. */
const keyText = (by: Slice | null, key: string): string =>
  key === '' ? 'none' : by === 'shift' && /^\d+$/.test(key) ? new Date(Number(key)).toISOString() : key;
