import type { GameBook } from '../../rules/rules-page.ts';
import { DESAFIO_AO_CASINO } from './desafio-ao-casino.ts';
import { PAYS } from './payoffs.ts';
import { casinoWarRules } from './rules-page.ts';

declare module '../../rules/rulebook.ts' {
  interface GameIds {
    'casino-war': true;
  }
}
declare module '../../table/profile.ts' {
  interface RulebookIds {
    'macau-casino-war': true;
  }
}

export const CASINO_WAR_BOOK: GameBook = {
  id: 'casino-war',
  rulebooks: [DESAFIO_AO_CASINO],
  page: casinoWarRules,
  odds: (bet) => (bet === 'tie' ? { odds: PAYS.tie } : bet === 'main' ? { odds: PAYS.higher } : null),
};
