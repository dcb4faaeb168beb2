/**
 * `banca verify DB [--json]`: the whole ledger file, read only, its chain first, and after every
 * transaction the books against the table's own sums and the equations of the meters. Exit 0 holds,
 * 1 does not hold, 2 cannot run.
 */
import { parseArgs } from 'node:util';
import { brokenEquations } from '../engine/accounting/meter-equations.ts';
import { emptyMeters } from '../engine/accounting/meter-fold.ts';
import { booksAgree } from '../engine/accounting/self-audit.ts';
import { initialState } from '../engine/engine.ts';
import { OpenedCards, SealCheck } from '../host/table/sealed-cards.ts';
import { sameTransaction } from '../host/table/terminal.ts';
import {
  describeProblem,
  type OnStage,
  type VerifyReport,
  verifyLedger,
} from '../ledger/chain/verifier.store.ts';
import { openLedgerReader } from '../ledger/store/ledger.store.ts';
import { type ArchiveReport, verifyArchive } from './archive.ts';
import { DoesNotHold } from './command.ts';
import { readPublicKey } from './public-key.ts';
import { entriesOf, play, refuseFolder, Unplayable, withNext } from './read-ledger.ts';
import { type ExportReport, verifyExport } from './verify-export.ts';

const USAGE =
  'usage: banca verify DB [--json], or banca verify --archive SEAL|DIR | --export DIR --key FILE|BASE64 [--json]';

/** Body of the command; `argv` is what follows `verify`. Resolves to the exit code. */
export async function verify(argv: string[]): Promise<number> {
  let report: VerifyReport;
  const stages: Stages = {};
  let books: Books = NOT_CHECKED;
  let json = false;
  try {
    const { values, positionals } = parseArgs({
      args: argv,
      allowPositionals: true,
      options: {
        json: { type: 'boolean', default: false },
        archive: { type: 'string' },
        export: { type: 'string' },
        key: { type: 'string' },
      },
    });
    if (values.archive !== undefined && positionals.length === 0)
      return sayArchive(verifyArchive(values.archive, readPublicKey('--key', values.key)), values.json);
    if (values.export !== undefined && positionals.length === 0)
      return sayExport(verifyExport(values.export, readPublicKey('--key', values.key)), values.json);
    const path = positionals[0];
    if (path === undefined || positionals.length > 1) throw new Error(USAGE);
    json = values.json;
    refuseFolder(path);
    report = verifyLedger(path, (stage, ok, ms) => {
      stages[stage] = { ok, ms: Math.round(ms) };
    });
    // Sums over entries that are not what was written would say nothing.
    if (report.ok) books = checkBooks(path);
  } catch (error) {
    console.error(`verify: ${(error as Error).message}`);
    return error instanceof DoesNotHold ? 1 : 2;
  }
  const ok = report.ok && books.problem === '';
  const firstBadSeq = report.firstBadSeq ?? books.firstBadSeq;
  console.log(
    json ? JSON.stringify({ ...report, ok, firstBadSeq, ...stages, books }) : text(report, stages, books),
  );
  return ok ? 0 : 1;
}

function sayArchive(report: ArchiveReport, json: boolean): number {
  const { ok, problem, archives, firstSeq, lastSeq, keyId } = report;
  const holds = `${archives} archives hold: entries ${firstSeq} to ${lastSeq}, sealed with the terminal's key ${keyId}`;
  console.log(json ? JSON.stringify(report) : ok ? holds : `The archive does not hold: ${problem}`);
  return ok ? 0 : 1;
}

function sayExport(report: ExportReport, json: boolean): number {
  const { ok, problem, files, headSeq, keyId } = report;
  const holds = `The export holds: ${files} files, the ledger up to entry ${headSeq}, signed with the terminal's key ${keyId}.`;
  console.log(json ? JSON.stringify(report) : ok ? holds : `The export does not hold: ${problem}`);
  return ok ? 0 : 1;
}

/** The stages that are looked at before all else, with their time; none of what is no ledger. */
type Stages = { [stage in Parameters<OnStage>[0]]?: { readonly ok: boolean; readonly ms: number } };

export interface Books {
  /** Transactions after which the equations were checked. */
  readonly transactions: number;
  readonly firstBadSeq: number | null;
  /** Empty when the equations hold. */
  readonly problem: string;
}
const NOT_CHECKED: Books = { transactions: 0, firstBadSeq: null, problem: '' };

/**
 * Plays the events again and compares what the table owes with what the postings say, transaction
 * by transaction.
 */
function checkBooks(path: string): Books {
  const reader = openLedgerReader(path);
  const sums = new Map<string, Map<string, number>>();
  let changed = emptyMeters();
  let transactions = 0;
  try {
    const state = initialState();
    const cards = new OpenedCards(reader);
    const seals = new SealCheck();
    for (const { entry, next } of withNext(entriesOf(reader))) {
      for (const { account, currency, amountMinor } of entry.postings) {
        const accounts = sums.get(currency) ?? new Map<string, number>();
        sums.set(currency, accounts.set(account, (accounts.get(account) ?? 0) + amountMinor));
      }
      play(state, entry, cards, changed);
      const sealed = seals.take(entry);
      if (sealed !== null) return { transactions, firstBadSeq: entry.seq, problem: sealed };
      if (sameTransaction(entry, next)) continue;
      transactions += 1;
      const accounts = sums.get(state.profile?.currency ?? '') ?? new Map<string, number>();
      const broken = [...booksAgree(state, accounts), ...brokenEquations(changed)];
      changed = emptyMeters(changed.context);
      if (broken.length > 0) return { transactions, firstBadSeq: entry.seq, problem: broken.join('; ') };
    }
    return { ...NOT_CHECKED, transactions };
  } catch (error) {
    if (!(error instanceof Unplayable)) throw error;
    return { transactions, firstBadSeq: error.seq, problem: error.message };
  } finally {
    reader.close();
  }
}

function text(r: VerifyReport, stages: Stages, books: Books): string {
  const facts = [
    `terminal      ${r.terminal ?? 'unknown'}`,
    `entries       ${r.entries}, newest ${r.headSeq} with hash ${r.headHash}`,
    `checkpoints   ${r.checkpoints}, keys ${r.keyIds.join(', ') || 'none'}`,
    ...Object.entries(stages).map(
      ([stage, { ok, ms }]) => `${stage.padEnd(13)} ${ok ? 'sound' : 'NOT SOUND'}, after ${ms} ms`,
    ),
    `snapshots     ${r.snapshots}`,
    `acknowledged  up to entry ${r.acknowledgedSeq}`,
    ...Object.entries(r.balances)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([account, sum]) => `balance       ${account} ${sum}`),
  ];
  if (r.ok) {
    const sum = `books         checked after ${books.transactions} transactions`;
    if (books.problem === '') return [...facts, sum, 'The ledger holds.'].join('\n');
    return [
      ...facts,
      sum,
      `PROBLEM       books after entry ${books.firstBadSeq}: ${books.problem}`,
      `The chain holds, the books do not: the first bad entry is ${books.firstBadSeq}.`,
    ].join('\n');
  }
  const more = r.problemCount - r.problems.length;
  return [
    ...facts,
    ...r.problems.map((problem) => `PROBLEM       ${describeProblem(problem)}`),
    ...(more > 0 ? [`PROBLEM       and ${more} more`] : []),
    r.firstBadSeq === null
      ? 'The ledger does not hold.'
      : `The ledger does not hold: the first bad entry is ${r.firstBadSeq}.`,
  ].join('\n');
}
