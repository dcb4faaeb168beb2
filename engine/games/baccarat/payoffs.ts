import type { Parts } from '../../core/money.ts';

/** What the bets win, a to b, or lose with a minus. */
export const PAYS = {
  side: [1, 1],
  lose: [-1, 1],
  /** art. 18.2: without commission the Banker's six pays half. */
  bankerSix: [1, 2],
  tie: [8, 1],
  pair: [11, 1],
  /** Despacho 56/2018, art. 17.5 */
  lucky6Two: [12, 1],
  lucky6Three: [20, 1],
} as const satisfies Record<string, Parts>;

/** art. 18.1: of what the Banker wins. */
export const COMMISSION: Parts = [1, 20];
