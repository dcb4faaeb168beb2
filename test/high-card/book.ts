import type { OptionSpec, Rulebook } from '../../engine/rules/rulebook.ts';
import type { GameBook } from '../../engine/rules/rules-page.ts';
import type { OptionValue } from '../../engine/table/profile.ts';

declare module '../../engine/rules/rulebook.ts' {
  interface GameIds {
    'high-card': true;
  }
}
declare module '../../engine/table/profile.ts' {
  interface RulebookIds {
    'high-card-of-the-house': true;
  }
}

const option = (id: string, values: readonly OptionValue[]): OptionSpec => ({
  id,
  article: 'h.1',
  legal: { kind: 'one-of', values },
  default: values[0]!,
  authorisation: null,
  waivable: false,
});

const amount = (id: string, byDefault: number): OptionSpec => ({
  ...option(id, [byDefault]),
  legal: { kind: 'integer', min: 1, max: 1_000_000 },
});

const HIGH_CARD_RULES: Rulebook = {
  id: 'high-card-of-the-house',
  game: 'high-card',
  dayOffsetMs: 0,
  home: 'macau',
  holidays: () => [],
  sources: { diplomas: [], checkedTo: '2026-01' },
  options: [
    option('decks', [6]),
    { ...option('seats', [7]), legal: { kind: 'integer', min: 1, max: 7 } },
    option('cardSource', ['shoe']),
    option('aceHigh', [true, false]),
    amount('min', 1_000),
    amount('max', 100_000),
    amount('step', 1_000),
  ],
  combinations: [],
  articles: {
    cut: 'h.2',
    endCard: 'h.2',
    endOfShoe: 'h.2',
    reshuffle: 'h.2',
    stop: '',
    shuffler: '',
    loading: '',
    feeding: '',
    complaints: '',
    jam: '',
    closing: '',
    deckCheck: '',
    replacement: '',
    decks: 'h.1',
    burnAtStart: '',
    burnEachRound: '',
    dealOrder: 'h.3',
    exposed: 'h.3',
    misdeal: 'h.3',
    bankDraws: 'h.3',
    sideBets: '',
  },
};

export const HIGH_CARD_BOOK: GameBook = {
  id: 'high-card',
  rulebooks: [HIGH_CARD_RULES],
  page({ say, pays }, rulebook, { aceHigh }) {
    say('game', `high-card.aim.${String(aceHigh)}`, { [rulebook]: 'h.3' });
    pays('high-card.pay', { odds: [1, 1] }, { [rulebook]: 'h.4' });
  },
  odds: (bet) => (bet === 'main' ? { odds: [1, 1] } : null),
};
