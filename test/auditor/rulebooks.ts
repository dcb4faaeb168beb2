import type { AuditedRulebook } from '../../reader/auditor.ts';
import { baccarat } from '../../reader/baccarat.ts';
import { BlackjackAuditor } from '../../reader/blackjack.ts';
import { casinoWar } from '../../reader/casino-war.ts';

const BETS = [
  'main',
  'anyPair',
  'sevens',
  'over13',
  'under13',
  'perfectPair',
  'streak2',
  'streak3',
  'streak4',
  'streak5',
  'jackpot',
];
const ACTS = [
  'hit',
  'stand',
  'double',
  'split',
  'surrender',
  'insure',
  'declineInsurance',
  'evenMoney',
  'fiveCardHalf',
  'loseOriginalOnly',
  'followSplit',
  'followDouble',
  'betPair',
  'goToWar',
  'playOn',
];

const blackjacks: readonly AuditedRulebook[] = (
  ['macau-blackjack-2004', 'macau-blackjack-2009', 'portugal-blackjack'] as const
).map((rulebook) => ({
  rulebook,
  model: (options) => new BlackjackAuditor(rulebook, options),
  bets: BETS,
  acts: ACTS,
}));

/** Every rulebook that has an auditor. */
export const rulebooks: readonly AuditedRulebook[] = [
  ...blackjacks,
  baccarat,
  // Its auditor takes `playOn` for the half lost at a tie; at the table that answer has a name of
  // its own.
  { ...casinoWar, acts: casinoWar.acts.filter((act) => act !== 'playOn') },
];
