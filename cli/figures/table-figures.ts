/**
 * What every bet of a table brings, by its rulebook and its options: the edge of the house and the
 * chance of every result, and for black jack the strategy they belong to. What is not enumerated is
 * named with the reason.
 */

import { rulebookOf } from '../../engine/books.ts';
import type { BaccaratRules } from '../../engine/games/baccarat/rules.ts';
import type { BlackjackRules } from '../../engine/games/blackjack/rules.ts';
import type { CasinoWarRules } from '../../engine/games/casino-war/rules.ts';
import type { TableRules } from '../../engine/rules/rulebook.ts';
import type { RulebookId } from '../../engine/table/profile.ts';
import { baccaratFigures, countBaccarat, prizesOf } from './baccarat.ts';
import { bestFor } from './best-for-table.ts';
import { betOf, exactOf, ONE, type TableFigures } from './bet-figures.ts';
import { blackjackBets } from './blackjack-bets.ts';
import { casinoWarFigures } from './casino-war.ts';
import { minus, plus, type Rational, ratio, times } from './rational.ts';
import type { Strategy } from './strategy-file.ts';

function baccarat(rules: BaccaratRules): Omit<TableFigures, 'rulebook' | 'decks'> {
  const list = baccaratFigures(rules.decks);
  const authorised = rules.authorisedBets ?? [];
  const counts = authorised.length > 0 ? countBaccarat(rules.decks) : null;
  const [banker, player, tie, six] = ['banker-win', 'player-win', 'tie', 'banker-win-6'].map((name) =>
    exactOf(list, name),
  ) as [Rational, Rational, Rational, Rational];
  const push = [ratio(0), tie] as const;
  const pair = [ratio(11), exactOf(list, 'pair-either-side')] as const;
  const isFree = rules.commission !== 'five-percent';
  const isUneven = rules.step % (isFree ? 2 : 20) !== 0 || rules.min % (isFree ? 2 : 20) !== 0;
  return {
    bets: [
      betOf('player', [ONE, player], push),
      isFree
        ? betOf('banker', [ONE, minus(banker, six)], [ratio(1, 2), six], push)
        : betOf('banker', [ratio(19, 20), banker], push),
      betOf('tie', [ratio(8), tie]),
      ...(rules.pairs ? [betOf('playerPair', pair), betOf('bankerPair', pair)] : []),
      ...(rules.lucky6
        ? [
            betOf(
              'lucky6',
              [ratio(12), exactOf(list, 'banker-win-6-2c')],
              [ratio(20), exactOf(list, 'banker-win-6-3c')],
            ),
          ]
        : []),
      ...authorised.map(({ id, wins }) =>
        betOf(id, ...prizesOf(counts!, wins).map(([chance, odds]) => [ratio(odds), chance] as const)),
      ),
    ],
    notEnumerated: [],
    notes: isUneven
      ? [
          `banker: for stakes whose ${isFree ? 'half' : 'commission'} is whole; else it is rounded ${isFree ? `${rules.halfRounding} (art. 18.2)` : `${rules.commissionRounding} (art. 18.1)`} by less than one minor unit`,
        ]
      : [],
    strategy: null,
  };
}

function casinoWar(rules: CasinoWarRules): Omit<TableFigures, 'rulebook' | 'decks'> {
  const list = casinoWarFigures(rules.decks);
  const [win, tie, warWin, warTie] = ['win', 'tie', 'war-win', 'war-tie'].map((name) =>
    exactOf(list, name),
  ) as [Rational, Rational, Rational, Rational];
  const warLose = minus(minus(ONE, warWin), warTie);
  const main = betOf(
    'main',
    [ratio(2), times(tie, warTie)],
    [ONE, plus(win, times(tie, warWin))],
    [ratio(-2), times(tie, warLose)],
  );
  const surrendered = betOf('main, always surrendered', [ONE, win], [ratio(-1, 2), tie]);
  const beside =
    rules.tieBettorMain === 'push' ? [betOf('main beside tie', [ONE, win], [ratio(0), tie])] : [];
  return {
    bets: [main, surrendered, ...(rules.tieBet ? [...beside, betOf('tie', [ratio(10), tie])] : [])],
    notEnumerated: [],
    notes: ['main: every tie is met with the challenge, which loses less than half the bet does (art. 7.4)'],
    strategy: null,
  };
}

/**
 * @param strategy the player's; null = the best one for these options, which takes seconds
 */
export function tableFigures(
  rulebook: RulebookId,
  rules: TableRules,
  strategy: Strategy | null = null,
): TableFigures {
  const { decks } = rules;
  switch (rulebookOf(rulebook)!.game) {
    case 'baccarat':
      return { rulebook, decks, ...baccarat(rules as BaccaratRules) };
    case 'casino-war':
      return { rulebook, decks, ...casinoWar(rules as CasinoWarRules) };
    case 'blackjack': {
      const table = rules as BlackjackRules;
      const played = strategy ?? bestFor(rulebook, table);
      return { rulebook, decks, ...blackjackBets(table, played), strategy: played };
    }
  }
}
