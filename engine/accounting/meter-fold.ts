import { minorOfFigure } from '../core/money.ts';
import { METERS, type MeterSpec, type MeterUnit, meterSpec } from './meter-table.ts';

/**
 * By what a meter can be divided. The parts of a slice sum to the meter of the table (equation 3).
 */
export const SLICES = ['seat', 'game', 'bet', 'denomination', 'dealer', 'shift'] as const;
export type Slice = (typeof SLICES)[number];

/** What a count falls under beside its seat. */
export interface MeterContext {
  /** Seats of the table in force; a count of any other seat belongs to no part of it. */
  readonly seatCount: number;
  readonly game: string;
  /** Id of the dealer at the table, '' = nobody. */
  readonly dealer: string;
  /** Time of their sign-in, ms as text: a shift is one dealer's time at the table. */
  readonly shift: string;
  /** Names of the bets that are this table's own, by authorisation. */
  readonly authorised: readonly string[];
}

/** Values by number of the meter; a hole = not touched yet. */
type Cells = number[];

/**
 * Meters as a fold over the entries of a ledger, from its first. Over the entries of one
 * transaction alone it holds what they have changed, and the same equations hold for it: they are
 * linear.
 */
export interface MeterFold {
  context: MeterContext;
  readonly table: Cells;
  /** Parts by key; '' = what falls to none of them. */
  readonly slices: Readonly<Record<Slice, Map<string, Cells>>>;
  /** Numbers of the meters that have a value. */
  readonly touched: number[];
  /** Notes in the box of each acceptor since it was last taken out; index = acceptor. */
  readonly boxes: { count: number; valueMinor: number }[];
  /** What no sum can show: a meter that fell, postings that do not sum to zero. */
  readonly problems: string[];
}

// ---- numbers of the meters ----

export interface Numbered {
  readonly code: string;
  readonly spec: MeterSpec;
  /** Of `bill_in_<currency>_<note>`: the note in minor units. */
  readonly noteMinor: number;
  readonly isWager: boolean;
  readonly isPay: boolean;
}

export const NUMBERED: Numbered[] = [];
const NUMBERS = new Map<string, number>();

export function numberOf(code: string): number {
  const known = NUMBERS.get(code);
  if (known !== undefined) return known;
  const spec = meterSpec(code);
  if (spec === null) throw new RangeError(`no meter ${code}`);
  NUMBERED.push({
    code,
    spec,
    noteMinor: code.startsWith('bill_in_') ? minorOfFigure(Number(code.slice(code.lastIndexOf('_') + 1))) : 0,
    isWager: code.startsWith('bet_'),
    isPay: code.startsWith('pay_'),
  });
  NUMBERS.set(code, NUMBERED.length - 1);
  return NUMBERED.length - 1;
}

/** Numbers of the meters that equations and hot paths name. */
export const N = {
  coinIn: numberOf('coin_in'),
  coinOut: numberOf('coin_out'),
  progressive: numberOf('mach_paid_progressive'),
  won: numberOf('won_total'),
  wonByHand: numberOf('att_paid_jackpot'),
  progressiveByHand: numberOf('att_paid_progressive'),
  winsPending: numberOf('wins_pending'),
  adjustedUp: numberOf('credit_adjust_up'),
  adjustedDown: numberOf('credit_adjust_down'),
  voided: numberOf('voided_bets'),
  attPaid: numberOf('att_paid_cancelled'),
  cancelled: numberOf('cancelled_total'),
  handpaid: numberOf('handpaid_total'),
  cashouts: numberOf('cashout_amount'),
  credit: numberOf('credit_now'),
  laid: numberOf('bets_laid'),
  pending: numberOf('handpays_pending_amount'),
  drop: numberOf('drop_total'),
  toDrop: numberOf('bills_to_drop'),
  billsIn: numberOf('bills_in'),
  jpNow: numberOf('jp_now'),
  jpContrib: numberOf('jp_contrib'),
  jpUndone: numberOf('jp_undone'),
  jpSeeds: numberOf('jp_seeds'),
  jpPaid: numberOf('jp_paid'),
};

// ---- the fold ----

const NO_CONTEXT: MeterContext = { seatCount: 0, game: '', dealer: '', shift: '', authorised: [] };

export const emptyMeters = (context: MeterContext = NO_CONTEXT): MeterFold => ({
  context,
  table: [],
  slices: {
    seat: new Map(),
    game: new Map(),
    bet: new Map(),
    denomination: new Map(),
    dealer: new Map(),
    shift: new Map(),
  },
  touched: [],
  boxes: [],
  problems: [],
});

const copyCells = (cells: Map<string, Cells>): Map<string, Cells> =>
  new Map([...cells].map(([key, values]) => [key, values.slice()]));

/**
 * A copy that counts on by itself. The cells of shifts that are over never change, and are shared.
 */
export function copyOf(fold: MeterFold): MeterFold {
  const { seat, game, bet, denomination, dealer, shift } = fold.slices;
  const shifts = new Map(shift);
  for (const key of [fold.context.shift, '']) {
    const cells = shift.get(key);
    if (cells !== undefined) shifts.set(key, cells.slice());
  }
  return {
    context: fold.context,
    table: fold.table.slice(),
    slices: {
      seat: copyCells(seat),
      game: copyCells(game),
      bet: copyCells(bet),
      denomination: copyCells(denomination),
      dealer: copyCells(dealer),
      shift: shifts,
    },
    touched: fold.touched.slice(),
    boxes: fold.boxes.map((box) => ({ ...box })),
    problems: fold.problems.slice(),
  };
}

function cellsOf(slice: Map<string, Cells>, key: string): Cells {
  let cells = slice.get(key);
  if (cells === undefined) {
    cells = [];
    slice.set(key, cells);
  }
  return cells;
}

const bump = (cells: Cells, no: number, amount: number): void => {
  cells[no] = (cells[no] ?? 0) + amount;
};

const SEATS = ['', ...Array.from({ length: 12 }, (_, at) => String(at + 1))];

/** `seat` 0 = the table's own; `part`: the bet or the note, for meters that are kept by them. */
export function add(fold: MeterFold, no: number, amount: number, seat = 0, part = ''): void {
  if (amount === 0) return;
  const { spec, code } = NUMBERED[no]!;
  if (fold.table[no] === undefined) fold.touched.push(no);
  bump(fold.table, no, amount);
  const { slices, context } = fold;
  if (seat <= context.seatCount) bump(cellsOf(slices.seat, SEATS[seat] ?? String(seat)), no, amount);
  if (spec.by !== undefined) bump(cellsOf(slices[spec.by], part), no, amount);
  if (spec.span === 'now') return;
  bump(cellsOf(slices.game, context.game), no, amount);
  bump(cellsOf(slices.dealer, context.dealer), no, amount);
  bump(cellsOf(slices.shift, context.shift), no, amount);
  if (amount < 0) fold.problems.push(`equation 7, ${code} never falls: it fell by ${-amount}`);
}

export const count = (fold: MeterFold, code: string, amount = 1, seat = 0, part = ''): void =>
  add(fold, numberOf(code), amount, seat, part);

/** One dealer's time at the table is not kept apart for ever. */
export const SHIFTS_KEPT = 500;
export const EARLIER = 'earlier';

/** Of more shifts than are kept, the oldest becomes part of one that stands for all before. */
export function forgetOldShifts({ slices: { shift } }: MeterFold): void {
  for (const [key, cells] of shift) {
    if (shift.size <= SHIFTS_KEPT) return;
    if (key === '' || key === EARLIER) continue;
    // A new list: copies of this fold share the one that stands there.
    const sum = shift.get(EARLIER)?.slice() ?? [];
    cells.forEach((amount, no) => {
      bump(sum, no, amount);
    });
    shift.delete(key);
    shift.set(EARLIER, sum);
  }
}

// ---- reading ----

/** What was counted after `before` and up to `fold`; what stands at a moment is that of `fold`. */
export function since(fold: MeterFold, before: MeterFold): MeterFold {
  const result = copyOf(fold);
  const take = (from: Cells, cells: Cells | undefined): void => {
    cells?.forEach((amount, no) => {
      if (NUMBERED[no]!.spec.span === 'life') bump(from, no, -amount);
    });
  };
  take(result.table, before.table);
  for (const slice of SLICES)
    for (const [key, cells] of before.slices[slice]) {
      const parts = result.slices[slice];
      const to = slice === 'shift' && !parts.has(key) ? EARLIER : key;
      // The cells of a shift that is over are shared.
      const own = cellsOf(parts, to).slice();
      take(own, cells);
      parts.set(to, own);
    }
  return result;
}

export interface MeterRow {
  readonly code: string;
  readonly unit: MeterUnit;
  readonly span: MeterSpec['span'];
  /** Minor units, a plain count, or seconds. */
  readonly value: number;
}

const rowOf = ({ code, spec: { unit, span } }: Numbered, value: number): MeterRow => ({
  code,
  unit,
  span,
  value,
});

/**
 * All meters in the order of their table; one for each bet, note or fault that has occurred.
 * @param known values that are in no entry (`queue_depth`, `last_proven_seq`); without them these
 * meters are left out
 */
export function metersOf(fold: MeterFold, known: Readonly<Record<string, number>> = {}): MeterRow[] {
  const rows: MeterRow[] = [];
  for (const spec of METERS) {
    if (spec.code.includes('<')) {
      const of = fold.touched.filter((no) => NUMBERED[no]!.spec === spec).map((no) => NUMBERED[no]!);
      // Notes by their value, codes and bets by their name.
      of.sort((a, b) => a.noteMinor - b.noteMinor || (a.code < b.code ? -1 : 1));
      for (const each of of) rows.push(rowOf(each, meterValue(fold, each.code)));
    } else if (!OUTSIDE.has(spec.code)) {
      rows.push(rowOf(NUMBERED[numberOf(spec.code)]!, meterValue(fold, spec.code)));
    } else if (spec.code in known) {
      rows.push(rowOf(NUMBERED[numberOf(spec.code)]!, known[spec.code]!));
    }
  }
  return rows;
}

const OUTSIDE: ReadonlySet<string> = new Set(['queue_depth', 'last_proven_seq']);

export const meterValue = (fold: MeterFold, code: string): number => fold.table[numberOf(code)] ?? 0;

/**
 * Meters of a slice have the values of its parts, in the order of `keys`; '' = what falls to none
 * of them.
 */
export interface SlicedMeters {
  readonly keys: readonly string[];
  readonly meters: readonly (MeterRow & { readonly parts: readonly number[] })[];
}

export function slicedMeters(fold: MeterFold, slice: Slice): SlicedMeters {
  const parts = [...fold.slices[slice]].sort(([a], [b]) => compareKeys(a, b));
  const kept = metersOf(fold).filter(({ code }) => isKeptBy(meterSpec(code)!, slice));
  return {
    keys: parts.map(([key]) => key),
    meters: kept.map((row) => ({ ...row, parts: parts.map(([, cells]) => cells[numberOf(row.code)] ?? 0) })),
  };
}

/** Seats and shifts as numbers, the rest as text, what falls to none of them last. */
function compareKeys(a: string, b: string): number {
  if (a === '' || b === '') return a === '' ? 1 : -1;
  const difference = Number(a) - Number(b);
  return Number.isNaN(difference) ? (a < b ? -1 : 1) : difference;
}

/** Meters of what stands at a moment belong to seats, not to who dealt or what was played. */
export function isKeptBy(spec: MeterSpec, slice: Slice): boolean {
  if (slice === 'seat') return true;
  return slice === 'bet' || slice === 'denomination' ? spec.by === slice : spec.span === 'life';
}
