import type { Parts } from '../../core/money.ts';

/**
 * What the bets win, a to b, or lose with a minus; those of the war on both bets of the challenger.
 */
export const PAYS = {
  /** art. 7.1 */
  higher: [1, 1],
  lose: [-1, 1],
  /** art. 7.3 */
  tie: [10, 1],
  /** art. 7.4.1 */
  half: [-1, 2],
  /** art. 7.5.1: their three bets in play are one more than their own two. */
  warWin: [1, 2],
  /** art. 7.5.2: the initial bet again beside that. */
  warTie: [1, 1],
} as const satisfies Record<string, Parts>;
