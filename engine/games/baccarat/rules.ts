import type { TableArticle, TableRules } from '../../rules/rulebook.ts';
import { rulebookOf } from '../../rules/rulebook.ts';
import type { TableState } from '../../table/state.ts';
import type { AuthorisedBet } from './authorised-bets.ts';

/**
 * The options of Bacará, complete: what the house authorised, or the rulebook's default. Names and
 * legal values are the rulebook's option table; amounts in minor units.
 */
export interface BaccaratRules extends TableRules {
  readonly layouts: 1 | 2;
  readonly cutFromEnd: number;
  /** `fixed:n`: n cards, 1 to 8 */
  readonly burn: 'perDeck' | 'firstCardFace' | `fixed:${number}`;
  readonly burnFirstCardCounts: boolean;
  readonly demoRounds: number;
  readonly lastRound: 'current' | 'oneMore';
  readonly faceUpDeal: true | null;
  readonly commission: 'five-percent' | 'none-banker-six-half';
  readonly commissionRounding: 'down' | 'up';
  readonly halfRounding: 'down' | 'up';
  readonly pairs: boolean;
  readonly lucky6: boolean;
  /** art. 13.4: what the regulator's director has authorised beyond the regulation. */
  readonly authorisedBets?: readonly AuthorisedBet[];
  /**
   * Of any bet but those on the two sides; null = up to the table's maximum.
   */
  readonly sideBetMax?: number | null;
}

/** Where the regulation says what the procedure does; '' where its text was not seen. */
export type BaccaratArticles = Readonly<
  Record<
    | TableArticle
    | 'demoRounds'
    | 'sides'
    | 'points'
    | 'drawing'
    | 'tie'
    | 'tieBet'
    | 'pairs'
    | 'commission'
    | 'bankerSix'
    | 'lucky6'
    | 'lucky6Pays'
    | 'authorised'
    | 'authorisedPays',
    string
  >
>;

/** The table asks this game only under a rulebook of baccarat. */
export const rulesOf = (state: TableState): BaccaratRules => state.rules as BaccaratRules;

export const articlesOf = (state: TableState): BaccaratArticles =>
  rulebookOf(state.profile!.rulebook)!.articles as BaccaratArticles;
