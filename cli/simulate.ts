/**
 * `banca simulate --rulebook ID [--options JSON] [--strategy NAME|FILE] [--seats K] [--shoe
 * fresh|cut] --rounds N | --until ERROR --seed S [--threads N] [--live] [--json]`: plays rounds on
 * the engine and gives what every bet returns, with its standard error, beside the exact figure
 * where there is one. Exit 0 within four standard errors, 1 beyond or not as exact as asked for, 2
 * cannot run. docs/simulate.md says more.
 */
import { availableParallelism } from 'node:os';
import { rulebooks } from '../engine/books.ts';
import type { OptionValue, RulebookId } from '../engine/table/profile.ts';
import { FILE_BOUNDS, parseBounded } from '../ledger/chain/bounded-json.ts';
import { CannotRun, readArguments, required } from './command.ts';
import { LEAST_PAID, type OnPart, simulateTable, type Wanted, type Widest } from './simulate/run.ts';
import { type Asked, type Setup, setUp } from './simulate/setup.ts';

export const RULEBOOKS: readonly RulebookId[] = rulebooks().map(({ id }) => id);
const SHOES = ['fresh', 'cut'] as const;
/** Beyond so many standard errors a sampled return does not agree with its exact figure. */
const MOST_SIGMAS = 4;
interface BetReport {
  readonly bet: string;
  /** Minor units. */
  readonly wagered: number;
  readonly returned: number;
  /** Paid back per unit wagered, raises included; null for a prize, on which nothing is wagered. */
  readonly returnToPlayer: number | null;
  readonly standardError: number | null;
  /** Won or lost per unit staked before the cards; of a prize, per unit of the main bet. */
  readonly netPerInitial: number | null;
  readonly netStandardError: number | null;
  /** `sigmas`: standard errors between the two; null where the bet has paid too seldom to say. */
  readonly exact: { readonly id: string; readonly net: number; readonly sigmas: number | null } | null;
}

interface Report {
  readonly rulebook: RulebookId;
  readonly strategy: string | null;
  readonly options: Readonly<Record<string, OptionValue>>;
  readonly notes: readonly string[];
  readonly decks: number;
  readonly seats: number;
  readonly shoe: 'fresh' | 'cut';
  readonly rounds: number;
  readonly seed: number;
  /**
   * Why every round was played live; null = rounds were remembered, and one in a thousand played
   * live beside.
   */
  readonly live: string | null;
  readonly threads: number;
  /** The standard error that was asked for, and whether every bet has it; null = none was. */
  readonly until: number | null;
  readonly isReached: boolean | null;
  readonly bets: readonly BetReport[];
  readonly seconds: number;
  readonly roundsPerSecond: number;
  /**
   * No bet is further from its exact figure than four standard errors; null where that is not
   * asked, with a cut card.
   */
  readonly holds: boolean | null;
}

export function whole(name: string, text: string | undefined, least: number, most: number): number {
  const number = Number(required(name, text));
  if (/^\d{1,15}$/.test(text!) && number >= least && number <= most) return number;
  throw new CannotRun(`${name} ${text}: a whole number from ${least} to ${most}`);
}

export function oneOf<T extends string>(name: string, text: string, values: readonly T[]): T {
  const found = values.find((value) => value === text);
  if (found === undefined) throw new CannotRun(`${name} ${text}: one of ${values.join(', ')}`);
  return found;
}

export function readOptions(text: string | undefined): Readonly<Record<string, OptionValue>> | null {
  if (text === undefined) return null;
  let options: unknown;
  try {
    options = parseBounded(text, FILE_BOUNDS);
  } catch {
    options = null;
  }
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw new CannotRun(`--options ${text}: not a JSON object`);
  }
  return options as Record<string, OptionValue>;
}

const MOST_ROUNDS = 10_000_000_000;
const MOST_THREADS = 256;

/** `1bp` is a hundredth of a percent of the stake. Throws CannotRun. */
function errorOf(text: string | undefined): number | null {
  if (text === undefined) return null;
  const [, number, unit] = /^(\d{1,9}(?:\.\d{1,9})?)(bp|%)$/.exec(text) ?? [];
  const error = Number(number) * (unit === 'bp' ? 1e-4 : 1e-2);
  if (error >= 1e-6 && error <= 1) return error;
  throw new CannotRun(`--until ${text}: a standard error from 0.01bp to 100%`);
}

/** Plays the rounds of one table. */
async function play(
  asked: Asked,
  index: number,
  setup: Setup,
  wanted: Wanted,
  onPart: OnPart,
): Promise<Report> {
  const { rulebook, seats, shoe } = asked;
  const { options, rules, notes, strategy } = setup;
  const { seed, until } = wanted;
  const table = await simulateTable(asked, index, setup, wanted, onPart);
  const { rounds, seconds, threads, widest, whyLive } = table;

  const exact = setup.exact();
  const bets = table.tallies.flatMap((tally): BetReport[] => {
    const known = exact.get(tally.bet);
    // A prize that the table does not have is no bet of it.
    const { wageredMinor, returnedMinor, paidBlocks } = tally.sums;
    if (tally.bet === 'specialPrize' && returnedMinor === 0 && !known) return [];
    const back = tally.returnToPlayer(table.stakeMinor);
    const net = tally.netPerInitial(table.stakeMinor);
    const paid = paidBlocks >= LEAST_PAID;
    return [
      {
        bet: tally.bet,
        wagered: wageredMinor,
        returned: returnedMinor,
        returnToPlayer: back?.value ?? null,
        standardError: back?.standardError ?? null,
        netPerInitial: net?.value ?? null,
        netStandardError: net?.standardError ?? null,
        exact:
          known && net
            ? { ...known, sigmas: paid ? (net.value - known.net) / net.standardError : null }
            : null,
      },
    ];
  });
  return {
    rulebook,
    strategy,
    options,
    notes,
    decks: rules.decks,
    seats,
    shoe,
    rounds,
    seed,
    live: whyLive,
    threads,
    until,
    isReached: widest && widest.error <= until!,
    bets,
    seconds,
    roundsPerSecond: Math.round(rounds / seconds),
    // The exact figures are those of a full shoe; where a cut card ends it they are near, not the
    // same.
    holds: shoe === 'fresh' ? bets.every(isNear) : null,
  };
}

/** What has no exact figure, or has paid too seldom, contradicts none. */
export const isNear = ({ exact }: Pick<BetReport, 'exact'>): boolean =>
  Math.abs(exact?.sigmas ?? 0) <= MOST_SIGMAS;

const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;
const number = (value: number, places: number): string => value.toFixed(places);
const distance = (sigmas: number | null): string => (sigmas === null ? '?' : `${number(sigmas, 2)} se`);
const withError = (value: number | null, error: number | null): string =>
  value === null ? '' : `${number(value, 6)} ± ${number(error ?? 0, 6)}`;

function print(report: Report): void {
  const { rulebook, strategy, seats, decks, shoe, rounds, seed, bets, notes, seconds, roundsPerSecond } =
    report;
  const cards = shoe === 'fresh' ? 'every round from a full shoe' : 'shoes dealt to the end card';
  console.log(
    `${[rulebook, strategy].filter((name) => name !== null).join(', ')}, ${plural(decks, 'deck')}, ${plural(seats, 'seat')}, ${cards}, seed ${seed}`,
  );
  console.log(`options ${JSON.stringify(report.options)}`);
  for (const note of notes) console.log(`differs from the strategy: ${note}`);
  if (report.live !== null) console.log(`every round is played live: ${report.live}`);
  const rows = [
    ['bet', 'wagered', 'returned', 'return', 'net per initial stake', 'exact', 'distance', 'figure'],
    ...bets.map((bet) => [
      bet.bet,
      String(bet.wagered),
      String(bet.returned),
      withError(bet.returnToPlayer, bet.standardError),
      withError(bet.netPerInitial, bet.netStandardError),
      bet.exact ? number(bet.exact.net, 6) : '',
      bet.exact ? distance(bet.exact.sigmas) : '',
      bet.exact?.id ?? '',
    ]),
  ];
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  for (const row of rows)
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    );
  console.log(
    `${rounds} rounds in ${number(seconds, 1)} s on ${plural(report.threads, 'thread')}, ${roundsPerSecond} a second`,
  );
  if (report.isReached === false) console.log('not every standard error is as small as asked for');
  if (report.holds === false) console.log(`beyond ${MOST_SIGMAS} standard errors of an exact figure`);
}

const BAR = 24;

/** A line that is written again and again, of how far it is. */
function progress({ rounds, until }: Wanted, done: number, seconds: number, widest: Widest | null): string {
  // An error falls with the root of the rounds.
  const part = Math.max(done / rounds, widest === null ? 0 : Math.min(1, (until! / widest.error) ** 2));
  const bar = '#'.repeat(Math.round(BAR * part)).padEnd(BAR, '-');
  const left = part === 0 ? '?' : number((seconds * (1 - part)) / part, 0);
  const error = widest === null ? '' : `, widest error ${number(widest.error * 1e4, 2)} bp (${widest.bet})`;
  return `[${bar}] ${number(100 * part, 0)} %, ${number(done / 1e6, 2)} million rounds${error}, ${left} s left`;
}

export async function simulate(argv: string[]): Promise<number> {
  const { values } = readArguments(argv, {
    rulebook: { type: 'string' },
    options: { type: 'string' },
    strategy: { type: 'string' },
    seats: { type: 'string', default: '1' },
    shoe: { type: 'string', default: 'fresh' },
    rounds: { type: 'string' },
    until: { type: 'string' },
    seed: { type: 'string' },
    threads: { type: 'string', default: String(Math.min(MOST_THREADS, availableParallelism())) },
    live: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  });
  const asked: Asked = {
    rulebook: oneOf('--rulebook', required('--rulebook', values.rulebook), RULEBOOKS),
    options: readOptions(values.options),
    strategy: values.strategy === undefined ? null : required('--strategy', values.strategy),
    seats: whole('--seats', values.seats, 1, 12),
    shoe: oneOf('--shoe', values.shoe, SHOES),
  };
  const until = errorOf(values.until);
  const wanted: Wanted = {
    // With an error to come to, the rounds are only the most that it may take.
    rounds: whole(
      '--rounds',
      values.rounds ?? (until === null ? undefined : String(MOST_ROUNDS)),
      1,
      MOST_ROUNDS,
    ),
    until,
    seed: whole('--seed', values.seed, 0, 2 ** 32 - 1),
    threads: whole('--threads', values.threads, 1, MOST_THREADS),
    isLive: values.live,
  };
  const { stderr } = process;
  const reports: Report[] = [];
  for (const [index, setup] of setUp(asked, console.error).entries()) {
    const report = await play(asked, index, setup, wanted, (...said) => {
      if (stderr.isTTY) stderr.write(`\r${progress(wanted, ...said)}\x1b[K`);
    });
    if (stderr.isTTY) stderr.write('\r\x1b[K');
    if (!values.json) print(report);
    reports.push(report);
  }
  if (values.json) console.log(JSON.stringify(reports.length === 1 ? reports[0] : reports));
  return reports.some(({ holds, isReached }) => holds === false || isReached === false) ? 1 : 0;
}
