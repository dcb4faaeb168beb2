/** Every statement that the rules pages of the tables can make. */
import assert from 'node:assert/strict';
import {
  KNOWN_BETS,
  type Legal,
  type RulesItem,
  type RulesPage,
  rulebookOf,
  rulesPage,
  type SectionId,
  type TableOptions,
  validateOptions,
} from '../../engine/books.ts';
import type { OptionValue, RulebookId } from '../../engine/table/profile.ts';

const MACAU_09 = {
  sideBets: ['anyPair', 'sevens', 'over13', 'under13', 'perfectPair', 'streak2', 'streak5'],
};
export const JACKPOT = {
  stake: 100,
  increment: '1/2',
  pays: [
    { combination: 'A4s', share: '1', odds: null },
    { combination: 'T4', share: '1/10', odds: null },
    { combination: '73s', share: null, odds: 500 },
  ],
};

const SAID = { 'zh-Hant': '說明', pt: 'Aviso', en: 'Notice' };
/** Every part that can be asked of the hands, and every member a bet can have. */
const AUTHORISED = [
  ...KNOWN_BETS,
  {
    id: 'everyPart',
    name: SAID,
    short: SAID,
    min: 1_000,
    max: 5_000,
    disclosure: SAID,
    wins: [
      { winner: 'tie', odds: 2 },
      { winner: 'banker', bankerCards: 3, odds: 2 },
      { bankerPair: true, odds: 2 },
      { playerPair: true, odds: 2 },
    ],
  },
] as unknown as OptionValue;

/** Tables to vary option by option, so that every statement is said at one of them. */
const TABLES: Readonly<Record<RulebookId, readonly Readonly<Record<string, OptionValue>>[]>> = {
  'macau-blackjack-2004': [
    {},
    { cardSource: 'box', decks: 1, dealing: 'faceDown' },
    { doubleOn: ['eleven'] },
    { betsBehind: 'nearest' },
  ],
  'macau-blackjack-2009': [
    {},
    MACAU_09,
    { dealing: 'holeCard', maxHands: 5 },
    { cardSource: 'box', decks: 1, dealing: 'faceDown' },
    { doubleOn: ['eleven', 'afterSplit'] },
    { min: 1_000, max: 100_000, sideBetMin: 500 },
    { betsBehind: 'nearest' },
  ],
  'portugal-blackjack': [{}, { jackpot: JACKPOT }, { cardSource: 'continuousShuffler' }],
  'macau-baccarat': [
    {},
    { lucky6: true },
    { authorisedBets: AUTHORISED },
    { burn: 'firstCardFace' },
    { cardSource: 'autoShuffler' },
  ],
  'macau-casino-war': [{}, { cardSource: 'autoShuffler' }],
};
export const RULEBOOKS = Object.keys(TABLES) as RulebookId[];

/** Values of an option that its legal values allow: all of a list, the ends of a range. */
export function valuesOf(legal: Legal): OptionValue[] {
  const nullable = 'nullable' in legal && legal.nullable ? [null] : [];
  switch (legal.kind) {
    case 'one-of':
      return [...legal.values];
    case 'integer':
      return [legal.min, legal.max, ...nullable];
    case 'fraction':
      return [legal.min, legal.max, ...nullable];
    case 'subset':
      return [...(legal.min === 0 ? [[]] : []), ...legal.of.map((member) => [member]), legal.of];
    case 'list':
      return legal.min === 0 ? [[]] : [];
    case 'object':
    case 'text':
      return nullable;
  }
}

export function pageOf(id: RulebookId, options: Readonly<Record<string, OptionValue>>): RulesPage | null {
  const checked = validateOptions(id, options);
  return checked.ok ? rulesPage(id, checked.resolved as unknown as TableOptions, 'MOP') : null;
}

/** What a page says beside its options, each statement with its articles. */
const said = (id: RulebookId, options: Readonly<Record<string, OptionValue>>): string[] =>
  pageOf(id, options)!
    .sections.filter((section) => section.id !== 'options')
    .flatMap(({ items }) => items.map(({ key, cites }) => [key, ...cites].join(' ')));

/** What options add to the page of a table (`+`), and what they take away from it (`-`). */
export function pageChanges(
  id: RulebookId,
  options: Readonly<Record<string, OptionValue>>,
  table: Readonly<Record<string, OptionValue>> = {},
): string[] {
  const [usual, now] = [said(id, table), said(id, { ...table, ...options })];
  return [
    ...now.filter((item) => !usual.includes(item)).map((item) => `+ ${item}`),
    ...usual.filter((item) => !now.includes(item)).map((item) => `- ${item}`),
  ];
}

/** Every page that one changed option of these tables makes. */
export function* pages(id: RulebookId): Generator<RulesPage> {
  for (const table of TABLES[id]) {
    const unchanged = pageOf(id, table);
    assert.ok(unchanged, `${id} ${JSON.stringify(table)}`);
    yield unchanged;
    for (const spec of rulebookOf(id)!.options) {
      for (const value of valuesOf(spec.legal)) {
        const page = pageOf(id, { ...table, [spec.id]: value });
        if (page) yield page;
      }
    }
  }
}

/** All statements of all these pages on one page, each once. */
export function merged(id: RulebookId): RulesPage {
  const items = new Map<SectionId, Map<string, RulesItem>>();
  for (const page of pages(id)) {
    for (const section of page.sections) {
      const known = items.get(section.id) ?? new Map<string, RulesItem>();
      for (const item of section.items) known.set(JSON.stringify(item), item);
      items.set(section.id, known);
    }
  }
  const sections = [...items].map(([section, found]) => ({ id: section, items: [...found.values()] }));
  return { rulebook: id, currency: 'MOP', minMinor: 100, maxMinor: 1_000, sections };
}
