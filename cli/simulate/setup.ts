/**
 * From what a command line asks for to tables that can be played: options, bets, players, exact
 * figures.
 */
import { readFileSync } from 'node:fs';
import { rulebookOf, validateOptions } from '../../engine/books.ts';
import type { BaccaratRules } from '../../engine/games/baccarat/rules.ts';
import type { BlackjackRules } from '../../engine/games/blackjack/rules.ts';
import type { CasinoWarRules } from '../../engine/games/casino-war/rules.ts';
import type { TableRules } from '../../engine/rules/rulebook.ts';
import type { RulebookId } from '../../engine/table/profile.ts';
import { CannotRun } from '../command.ts';
import { readStrategies, type Strategy } from '../figures/strategy-file.ts';
import { BESIDE_TIE, type ExactByBet, exactBaccarat, exactBlackjack, exactWar } from './exact.ts';
import { fit, type Options, optionsFor } from './fit.ts';
import type { Laid } from './live-table.ts';
import { BlackjackPlayer, type Player, WAR_STRATEGIES, WarPlayer, type WarStrategy } from './player.ts';

/** What is asked for. */
export interface Asked {
  readonly rulebook: RulebookId;
  /** Options given by hand; null = none, and the table is as the strategy assumes it. */
  readonly options: Options | null;
  /** Name of a built-in strategy or a file. */
  readonly strategy: string | null;
  readonly seats: number;
  readonly shoe: 'fresh' | 'cut';
}

/** One table with its players. */
export interface Setup {
  readonly strategy: string | null;
  readonly options: Options;
  readonly rules: TableRules;
  readonly seatCount: number;
  readonly player: Player | null;
  readonly laid: readonly Laid[];
  /** Reckoned when it is asked for: that takes a while. */
  exact(): ExactByBet;
  /** Where the table does not let the strategy play as it would. */
  readonly notes: readonly string[];
}

/** Seats of a table where nobody asks for more. */
const SEATS = 7;

const BLACKJACK_STRATEGIES: Readonly<Partial<Record<RulebookId, string>>> = {
  'macau-blackjack-2004': 'macau2004-enhc-5card',
  'macau-blackjack-2009': 'macau2009-nohole-s17-obo-5card',
  'portugal-blackjack': 'portugal',
};

/** Strategies that need no file, computed for the rules that stand beside each. */
export const builtIn = (): Strategy[] =>
  readStrategies(readFileSync(new URL('./strategies.json', import.meta.url), 'utf8'));

export function strategiesOf(text: string): Strategy[] {
  const known = builtIn();
  const named = known.filter(({ id }) => id === text);
  if (named.length > 0) return named;
  try {
    return readStrategies(readFileSync(text, 'utf8'));
  } catch (error) {
    const why = error instanceof Error ? error.message.split('\n')[0] : String(error);
    const ids = known.map(({ id }) => id).join(', ');
    throw new CannotRun(`--strategy ${text}: neither one of ${ids} nor a file that can be used: ${why}`);
  }
}

/**
 * Options made complete by the rulebook. Throws CannotRun with the first that is not legal and its
 * article.
 */
export function rulesFor(rulebook: RulebookId, options: Options): TableRules {
  const checked = validateOptions(rulebook, options);
  if (checked.ok) return checked.resolved;
  const { option, article, message } = checked.problems[0]!;
  throw new CannotRun(`option ${option}${article === '' ? '' : ` (${article})`}: ${message}`);
}

const onSeats = (count: number, bets: readonly string[]): Laid[] =>
  Array.from({ length: count }, (_, i) => bets.map((bet) => ({ seat: i + 1, bet, as: bet }))).flat();

/**
 * The tables asked for: one, or one for each strategy of a file. Throws CannotRun with a sentence.
 */
export function setUp(asked: Asked, say: (line: string) => void = () => {}): Setup[] {
  switch (rulebookOf(asked.rulebook)!.game) {
    case 'blackjack': {
      const text = asked.strategy ?? BLACKJACK_STRATEGIES[asked.rulebook]!;
      return tablesFor(asked, strategiesOf(text), say);
    }
    case 'baccarat':
      return [baccarat(asked)];
    case 'casino-war':
      return [casinoWar(asked)];
  }
}

/**
 * Of the strategies of a file those that the rulebook has a table for; what keeps the others off it
 * is said.
 */
function tablesFor(asked: Asked, strategies: readonly Strategy[], say: (line: string) => void): Setup[] {
  if (strategies.length === 1) return [blackjack(asked, strategies[0]!)];
  const setups = strategies.flatMap((strategy) => {
    try {
      return [blackjack(asked, strategy)];
    } catch (error) {
      if (!(error instanceof CannotRun)) throw error;
      say(`left out: ${error.message}`);
      return [];
    }
  });
  if (setups.length === 0) throw new CannotRun(`--strategy ${asked.strategy}: none of them has a table here`);
  return setups;
}

/** What every table of a simulation has, and what is given by hand over it. */
function optionsOf({ options, shoe }: Asked, seatCount: number, derived: Options): Options {
  return {
    // Cards that go back after every round make every round the first of a full shoe.
    cardSource: shoe === 'fresh' ? 'autoShuffler' : 'shoe',
    ...(seatCount > SEATS ? { seats: seatCount } : {}),
    ...derived,
    ...options,
  };
}

const seatsOf = (rules: TableRules, needed: number): number => {
  if (needed <= rules.seats) return rules.seats;
  throw new CannotRun(`--seats: the table has ${rules.seats}, ${needed} are needed`);
};

/** A table of black jack whose players decide so. */
export function blackjack(asked: Asked, strategy: Strategy): Setup {
  const { rulebook, seats } = asked;
  const given = asked.options?.['sideBets'];
  const sideBets = Array.isArray(given) ? (given as readonly string[]) : [];
  const options = optionsOf(asked, seats, {
    ...optionsFor(rulebook, strategy),
    ...(sideBets.length > 1 ? { sideBetsAtOnce: 'any' } : {}),
  });
  const rules = rulesFor(rulebook, options) as BlackjackRules;
  const fitted = fit(strategy, rules);
  if (asked.options === null && fitted.differences.length > 0) {
    const { differences } = fitted;
    throw new CannotRun(`${rulebook} has no table for ${strategy.id}: ${differences.join('; ')}`);
  }
  const jackpot = rules.jackpot ? ['jackpot'] : [];
  return {
    strategy: strategy.id,
    options,
    rules,
    seatCount: seatsOf(rules, seats),
    player: new BlackjackPlayer(fitted.played),
    laid: onSeats(seats, ['main', ...sideBets, ...jackpot]),
    exact: () => exactBlackjack(fitted, rules, sideBets),
    notes: fitted.differences,
  };
}

function baccarat(asked: Asked): Setup {
  const { rulebook, seats, strategy } = asked;
  if (strategy !== null) throw new CannotRun('--strategy: nobody decides anything in baccarat');
  const options = optionsOf(asked, seats, {});
  const rules = rulesFor(rulebook, options) as BaccaratRules;
  const bets = [
    'player',
    'banker',
    'tie',
    ...(rules.pairs ? ['playerPair', 'bankerPair'] : []),
    ...(rules.lucky6 ? ['lucky6'] : []),
    ...(rules.authorisedBets ?? []).map(({ id }) => id),
  ];
  return {
    strategy: null,
    options,
    rules,
    seatCount: seatsOf(rules, seats),
    player: null,
    laid: onSeats(seats, bets),
    exact: () => exactBaccarat(rules),
    notes: [],
  };
}

/**
 * The tie bet lies on a seat of its own beside the others, because it changes what becomes of the
 * main bet there.
 */
function casinoWar(asked: Asked): Setup {
  const { rulebook, seats } = asked;
  const strategy = (asked.strategy ?? 'always-war') as WarStrategy;
  if (!WAR_STRATEGIES.includes(strategy)) {
    throw new CannotRun(`--strategy ${strategy}: one of ${WAR_STRATEGIES.join(', ')}`);
  }
  const hasTie = asked.options?.['tieBet'] !== false;
  const needed = hasTie ? seats + 1 : seats;
  const options = optionsOf(asked, needed, {});
  const rules = rulesFor(rulebook, options) as CasinoWarRules;
  const laid = onSeats(seats, ['main']);
  if (hasTie)
    laid.push({ seat: needed, bet: 'main', as: BESIDE_TIE }, { seat: needed, bet: 'tie', as: 'tie' });
  return {
    strategy,
    options,
    rules,
    seatCount: seatsOf(rules, needed),
    player: new WarPlayer(strategy),
    laid,
    exact: () => exactWar(rules, strategy),
    notes: [],
  };
}
