/** `banca figures --rulebook`: every bet of a table. */
import { writeFileSync } from 'node:fs';
import { rulebookOf } from '../../engine/books.ts';
import type { BlackjackRules } from '../../engine/games/blackjack/rules.ts';
import type { OptionValue, RulebookId } from '../../engine/table/profile.ts';
import { CannotRun } from '../command.ts';
import { fit } from '../simulate/fit.ts';
import { rulesFor, strategiesOf } from '../simulate/setup.ts';
import { oneOf, RULEBOOKS, readOptions, whole } from '../simulate.ts';
import type { TableFigures } from './bet-figures.ts';
import { type Estimated, estimate } from './estimate.ts';
import type { Strategy } from './strategy-file.ts';
import { strategyTable, strategyText } from './strategy-table.ts';
import { tableFigures } from './table-figures.ts';

interface Asked {
  readonly rulebook: string;
  readonly options?: string | undefined;
  readonly strategy?: string | undefined;
  readonly save?: string | undefined;
  readonly estimate?: string | undefined;
  readonly json: boolean;
}

const MOST_SECONDS = 3_600;

/** A named strategy as this table lets it be played. */
function strategyFor(text: string | undefined, rules: BlackjackRules): Strategy | null {
  if (text === undefined) return null;
  const [strategy, ...more] = strategiesOf(text);
  if (more.length > 0) throw new CannotRun(`--strategy ${text}: several strategies, name a file with one`);
  return fit(strategy!, rules).played;
}

/** Throws CannotRun with a sentence. */
export async function figuresOfTable(asked: Asked): Promise<number> {
  const rulebook: RulebookId = oneOf('--rulebook', asked.rulebook, RULEBOOKS);
  const options = readOptions(asked.options) ?? {};
  const seconds = asked.estimate === undefined ? 0 : whole('--estimate', asked.estimate, 1, MOST_SECONDS);
  const rules = rulesFor(rulebook, options);
  const isBlackjack = rulebookOf(rulebook)!.game === 'blackjack';
  if (!isBlackjack && (asked.strategy !== undefined || asked.save !== undefined))
    throw new CannotRun('--strategy and --save belong to black jack');
  const strategy = isBlackjack ? strategyFor(asked.strategy, rules as BlackjackRules) : null;
  const figures = tableFigures(rulebook, rules, strategy);
  const estimates = seconds > 0 ? await estimate(figures, options, seconds) : [];
  if (asked.save !== undefined) writeFileSync(asked.save, `${JSON.stringify(figures.strategy)}\n`);
  if (asked.json) {
    const table = figures.strategy && strategyTable(figures.strategy);
    console.log(JSON.stringify({ ...figures, options, estimates, table }));
  } else print(figures, options, estimates);
  return 0;
}

const PLACES = 4;
const percent = (fraction: string): string => `${(100 * Number(fraction)).toFixed(PLACES)} %`;

function print(
  { rulebook, decks, bets, notEnumerated, notes, strategy }: TableFigures,
  options: Readonly<Record<string, OptionValue>>,
  estimates: readonly Estimated[],
): void {
  console.log(`${rulebook}, ${decks} decks, options ${JSON.stringify(options)}`);
  if (strategy) console.log(`strategy ${strategy.id}`);
  for (const { bet, edge, exact, within, favoursPlayer, results } of bets) {
    const less = within === undefined ? '' : `, at most ${within} less`;
    console.log(
      `\n${bet}: edge ${edge} (${percent(edge)})${exact === undefined ? '' : ` = ${exact}`}${less}${favoursPlayer ? '  ! favours the player' : ''}`,
    );
    for (const { net, chance, of } of results)
      console.log(`  ${(of === undefined ? net : `${of}, mean ${net}`).padEnd(30)}${chance}`);
  }
  console.log('');
  for (const note of notes) console.log(`note: ${note}`);
  for (const { bet, why } of notEnumerated) console.log(`not enumerated: ${bet}: ${why}`);
  for (const { bet, edge, error, rounds } of estimates)
    console.log(`estimated: ${bet}: edge ${percent(edge)} ± ${percent(error)} (${rounds} rounds played)`);
  if (strategy) console.log(`\n${strategyText(strategy)}`);
}
