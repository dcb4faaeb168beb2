import { BACCARAT_AND_WAR } from './baccarat-war.ts';
import type { Mutation } from './bugs.ts';
import { ERROR_DESK } from './error-desk.ts';
import { MACAU_BLACKJACK } from './macau-blackjack.ts';
import { MACAU_DECISIONS } from './macau-decisions.ts';
import { MACAU_HOUSE } from './macau-house.ts';
import { MACAU_SIDE_BETS } from './macau-side-bets.ts';
import { PORTUGAL } from './portugal.ts';
import { PORTUGAL_MATERIAL } from './portugal-material.ts';
import { TABLE } from './table.ts';

/** Every planted bug of the law, by regulation. */
export const MUTATIONS: readonly Mutation[] = [
  ...MACAU_BLACKJACK,
  ...MACAU_DECISIONS,
  ...MACAU_HOUSE,
  ...MACAU_SIDE_BETS,
  ...PORTUGAL,
  ...PORTUGAL_MATERIAL,
  ...BACCARAT_AND_WAR,
  ...TABLE,
  ...ERROR_DESK,
];
