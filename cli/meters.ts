/**
 * `banca meters DB [--as-of TIME|SEQ] [--json]`: the meters folded from the stored events up to a moment, and their
 * equations against the credits of the seats. Exit 0 they hold, 1 they do not, 2 cannot run.
 */
import { emptyMeters, metersAgree, metersOf } from '../engine/accounting/meters.ts';
import { initialState } from '../engine/table/state.ts';
import { sameTransaction } from '../host/terminal.ts';
import type { Entry } from '../ledger/chain/entry.codec.ts';
import { CannotRun, moneyText, readArguments } from './command.ts';
import { entriesOf, play, readLedger, withNext } from './read-ledger.ts';

type Moment = { readonly seq: number } | { readonly atMs: number };

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})$/;

function readMoment(text: string): Moment {
  if (/^\d{1,15}$/.test(text)) return { seq: Number(text) };
  const atMs = TIME.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(atMs))
    throw new CannotRun(
      `--as-of ${text}: an entry number, or a time with its zone as in 2026-05-01T18:30:00+08:00`,
    );
  return { atMs };
}

const isAfter = (entry: Entry, moment: Moment | null): boolean =>
  moment !== null && ('seq' in moment ? entry.seq > moment.seq : entry.atMs > moment.atMs);

export function meters(argv: string[]): number {
  const { values, positionals } = readArguments(
    argv,
    { 'as-of': { type: 'string' }, json: { type: 'boolean', default: false } },
    ['DB'],
  );
  const asOf = values['as-of'];
  const moment = asOf === undefined ? null : readMoment(asOf);
  return readLedger('meters', positionals[0]!, (reader) => {
    const fold = emptyMeters();
    const state = initialState();
    let last: Entry | null = null;
    let whole = true;
    for (const { entry, next } of withNext(entriesOf(reader))) {
      if (isAfter(entry, moment)) break;
      play(state, entry, fold);
      last = entry;
      whole = !sameTransaction(entry, next);
    }
    const { seats, profile } = state;
    const credit = seats.reduce((sum, seat) => sum + seat.creditMinor, 0);
    const pending = seats.reduce((sum, seat) => sum + (seat.cashOut?.amountMinor ?? 0), 0);
    // Between the entries of one transaction money is on its way from one meter to the next.
    const jackpot = state.jackpots.reduce((sum, meter) => sum + meter.meterMinor, 0);
    const problems = whole ? metersAgree(fold, { credit, pending, jackpot }) : [];
    const list = metersOf(fold);
    const currency = profile?.currency ?? null;
    if (values.json) {
      console.log(
        JSON.stringify({
          ok: problems.length === 0,
          terminal: reader.terminalId,
          currency,
          asOf: { seq: last?.seq ?? 0, atMs: last?.atMs ?? null },
          meters: list,
          problems,
        }),
      );
    } else {
      const when = last
        ? `entry ${last.seq} of ${new Date(last.atMs).toISOString()}`
        : 'before the first entry';
      console.log(`terminal ${reader.terminalId}, ${when}`);
      const width = Math.max(...list.map(({ code }) => code.length));
      for (const { code, unit, value } of list) {
        const text = unit === 'money' ? `${moneyText(value)} ${currency ?? ''}` : String(value);
        console.log(`${code.padEnd(width)}  ${text.trimEnd()}`);
      }
      for (const problem of problems) console.log(`PROBLEM  ${problem}`);
    }
    return problems.length === 0;
  });
}
