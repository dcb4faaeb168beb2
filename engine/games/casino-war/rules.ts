import type { TableArticle, TableRules } from '../../rules/rulebook.ts';
import { rulebookOf } from '../../rules/rulebook.ts';
import type { TableState } from '../../table/state.ts';

/**
 * The options of «Desafio ao Casino», complete. Names and legal values are the rulebook's option
 * table; amounts in minor units.
 */
export interface CasinoWarRules extends TableRules {
  readonly cutFromEnd: number;
  readonly tieBet: boolean;
  /** Of a bet on the tie; null = up to the table's maximum. */
  readonly sideBetMax?: number | null;
  /**
   * What becomes of the main bet of a player who has bet on the tie that comes: returned, or their
   * choice as anybody's.
   */
  readonly tieBettorMain: 'push' | 'choose';
  /**
   * Three cards are burnt before every card of the challenge, or before the players' cards and
   * before the croupier's.
   */
  readonly warBurn: 'perCard' | 'once';
}

/** Where the regulation says what the procedure does; its articles are counted in their order. */
export type CasinoWarArticles = Readonly<
  Record<
    | TableArticle
    | 'againstHouse'
    | 'croupierCard'
    | 'higher'
    | 'lower'
    | 'tie'
    | 'choice'
    | 'halfLoss'
    | 'challenge'
    | 'warWon'
    | 'warTied'
    | 'warLost',
    string
  >
>;

/** The table asks this game only under a rulebook of Casino War. */
export const rulesOf = (state: TableState): CasinoWarRules => state.rules as CasinoWarRules;

export const articlesOf = (state: TableState): CasinoWarArticles =>
  rulebookOf(state.profile!.rulebook)!.articles as CasinoWarArticles;
