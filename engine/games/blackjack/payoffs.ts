import type { Parts } from '../../core/money.ts';

/**
 * What the bets of a hand win, a to b, or lose with a minus; the side bets stand in
 * side-bet-prices.ts.
 */
export const PAYS = {
  /** arts. 9, 10.4; r.23 */
  win: [1, 1],
  lose: [-1, 1],
  /** art. 10.2; r.21 */
  blackjack: [3, 2],
  /** art. 10.3; r.34 */
  evenMoney: [1, 1],
  /** art. 12.2; r.33 */
  insurance: [2, 1],
  /** art. 15; r.35 */
  specialPrize: [3, 1],
  /** art. 18.1; r.36 */
  surrender: [-1, 2],
  /** art. 19.1 */
  fiveCards: [1, 2],
} as const satisfies Record<string, Parts>;
