/**
 * `banca figures [--game G] [--decks N[,N…]] [--strategy FILE] [--win P --push P --lose P]
 * [--json]`: exact probabilities and edges by enumeration; nothing is sampled. `banca figures
 * --rulebook ID [--options JSON] [--strategy NAME|FILE] [--save FILE] [--estimate SECONDS]
 * [--json]`: every bet of a table, and the best strategy. Exit 0, 2 cannot run. docs/figures.md has
 * the definitions.
 */
import { readFileSync } from 'node:fs';
import { CannotRun, readArguments, required } from './command.ts';
import { baccaratFigures } from './figures/baccarat.ts';
import { blackjackFigures } from './figures/blackjack.ts';
import { blackjackSideBetFigures } from './figures/blackjack-side-bets.ts';
import { casinoWarFigures } from './figures/casino-war.ts';
import type { Figure } from './figures/figure.ts';
import { minus, plus, type Rational, ratio, readRational } from './figures/rational.ts';
import { readStrategies, type Strategy } from './figures/strategy-file.ts';
import { type RoundChances, streakFigures } from './figures/streak.ts';
import { figuresOfTable } from './figures/table-command.ts';

/** Games of which the deck count says everything. */
const BY_DECKS = {
  baccarat: baccaratFigures,
  'casino-war': casinoWarFigures,
  bjside: blackjackSideBetFigures,
};
const DECKS = [6, 8];
const GAMES = ['baccarat', 'casino-war', 'bjside', 'blackjack', 'streak'] as const;
type Game = (typeof GAMES)[number];

/** No rulebook knows more than twelve decks (baccarat); beyond a hundred nobody means it. */
const MAX_DECKS = 100;

function readDecks(text: string): number[] {
  const decks = text.split(',').map(Number);
  if (!/^\d{1,3}(,\d{1,3})*$/.test(text) || decks.some((n) => n < 1 || n > MAX_DECKS))
    throw new CannotRun(`--decks ${text}: whole numbers of decks from 1 to ${MAX_DECKS}, as in 6 or 6,8`);
  return [...new Set(decks)];
}

/** The game asked for, or all for which what they need is there. */
function readGames(text: string | undefined, given: Readonly<Partial<Record<Game, boolean>>>): Game[] {
  if (text === undefined) return GAMES.filter((game) => given[game] !== false);
  const game = GAMES.find((name) => name === text);
  if (game === undefined) throw new CannotRun(`--game ${text}: one of ${GAMES.join(', ')}`);
  return [game];
}

function readStrategyFile(path: string): Strategy[] {
  try {
    return readStrategies(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new CannotRun(`--strategy ${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/**
 * The three chances of a round; decimals may be rounded, so their sum may miss 1 by half a last
 * place of each.
 */
function readChances(
  values: { readonly [name in 'win' | 'push' | 'lose']: string | undefined },
): RoundChances {
  let allowed = ratio(0);
  const read = (name: 'win' | 'push' | 'lose'): Rational => {
    const text = required(`--${name}`, values[name]);
    const number = readRational(text);
    if (number === null)
      throw new CannotRun(`--${name} ${text}: a fraction as in 3/7 or a decimal as in 0.4285`);
    if (number.decimals !== null) allowed = plus(allowed, ratio(1, 2n * 10n ** BigInt(number.decimals)));
    return number.value;
  };
  const chances = { win: read('win'), push: read('push'), lose: read('lose') };
  const off = minus(plus(plus(chances.win, chances.push), chances.lose), ratio(1));
  if (minus(off, allowed).num > 0n || plus(off, allowed).num < 0n)
    throw new CannotRun('--win, --push and --lose: together they must be 1');
  if (plus(chances.win, chances.lose).num === 0n)
    throw new CannotRun('--win and --lose: a round that always ties decides no streak');
  return chances;
}

export async function figures(argv: string[]): Promise<number> {
  const { values } = readArguments(argv, {
    rulebook: { type: 'string' },
    options: { type: 'string' },
    save: { type: 'string' },
    estimate: { type: 'string' },
    game: { type: 'string' },
    decks: { type: 'string' },
    strategy: { type: 'string' },
    win: { type: 'string' },
    push: { type: 'string' },
    lose: { type: 'string' },
    json: { type: 'boolean', default: false },
  });
  const { win, push, lose, strategy } = values;
  if (values.rulebook !== undefined) {
    for (const name of ['game', 'decks', 'win', 'push', 'lose'] as const)
      if (values[name] !== undefined) throw new CannotRun(`--${name} does not belong to --rulebook`);
    return await figuresOfTable({ ...values, rulebook: values.rulebook });
  }
  for (const name of ['options', 'save', 'estimate'] as const)
    if (values[name] !== undefined) throw new CannotRun(`--${name} belongs to --rulebook`);
  const given = {
    streak: [win, push, lose].some((text) => text !== undefined),
    blackjack: strategy !== undefined,
  };
  const games = readGames(values.game, given);
  if (given.streak && !games.includes('streak'))
    throw new CannotRun(`--win, --push and --lose belong to the streak, not to ${values.game}`);
  if (given.blackjack && !games.includes('blackjack'))
    throw new CannotRun(`--strategy belongs to blackjack, not to ${values.game}`);
  const decks = values.decks === undefined ? null : readDecks(values.decks);

  const figuresOf = (game: Game): Figure[] => {
    if (game === 'streak') return streakFigures(readChances({ win, push, lose }));
    if (game !== 'blackjack') return (decks ?? DECKS).flatMap(BY_DECKS[game]);
    return readStrategyFile(required('--strategy', strategy)).flatMap((fixed) =>
      (decks ?? [fixed.rules.decks]).flatMap((count) => blackjackFigures(fixed, count)),
    );
  };
  const list = games.flatMap(figuresOf);
  if (values.json) console.log(JSON.stringify(list));
  else {
    const width = Math.max(...list.map(({ id }) => id.length));
    for (const { id, value, exact } of list)
      console.log(`${id.padEnd(width)}  ${value}  ${exact ?? ''}`.trimEnd());
  }
  return 0;
}
