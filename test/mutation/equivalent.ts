/**
 * Changes of conditions that no test can catch, each with the reason why it changes nothing.
 * `conditions.ts` measures it and compares.
 */
const EQUAL = 'equal points are decided before';
const NOUGHT = 'null is above no maximum, for it counts nought';

export const EQUIVALENT: Readonly<Record<string, string>> = {
  'engine/games/baccarat/settle.ts settlementLines: player > banker -> player >= banker': EQUAL,
  'engine/games/baccarat/settle.ts settlementLines: player > banker (2) -> player >= banker': EQUAL,
  'engine/games/baccarat/winning-hands.ts winner: playerPoints > bankerPoints -> playerPoints >= bankerPoints':
    EQUAL,
  'engine/games/baccarat/authorised-bets.ts AUTHORISED_COMBINATIONS: max !== null -> true': NOUGHT,
};
