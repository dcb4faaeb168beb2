/**
 * What a table's layout is made of: its game, and what of it the house offers. The same view always
 * gives the same form.
 */
import { authorisedIn, bookOf, type Home, type TableOptions } from '../../engine/books.ts';
import type { DealerSide, RulebookId } from '../../engine/table/profile.ts';
import type { TableView } from '../../wire/view.ts';
import { homeOf } from '../texts/i18n.ts';
import { dealerSideOf } from './seating.ts';

export type FormGame = 'blackjack' | 'baccarat' | 'casino-war';

/** Colours of the suits and size of the index: a set of faces in `assets/atlas.ts`. */
export type FaceSet = '2-standard' | '4-standard' | '2-large' | '4-large';

export interface Form {
  readonly game: FormGame;
  /** Whose languages are printed. */
  readonly home: Home;
  /**
   * Bets with a spot of their own beside the main one, in the order they lie; baccarat: all of
   * them.
   */
  readonly spots: readonly string[];
  /** Of these, the bets that the regulator's director has authorised. */
  readonly authorised: readonly string[];
  /** The table shows the meter of a progressive jackpot. */
  readonly jackpot: boolean;
  /** Cards come out of a machine that mixes them, and go back into it. */
  readonly shuffler: boolean;
  /** art. 18 of Bacará: what is printed for the Banker side. */
  readonly commission: 'five-percent' | 'none-banker-six-half' | null;
  readonly faces: FaceSet;
  readonly dealerSide: DealerSide;
}

/**
 * A game without a form of its own is played on circles, as Casino War is: a card for each seat,
 * and the bank's.
 */
export function formGameOf(rulebook: RulebookId): FormGame {
  const game = bookOf(rulebook)?.id;
  return game === 'blackjack' || game === 'baccarat' ? game : 'casino-war';
}

/** Side bets of blackjack as they lie under the box, from the left. */
const SIDE_BETS = [
  'anyPair',
  'perfectPair',
  'sevens',
  'over13',
  'under13',
  'streak2',
  'streak3',
  'streak4',
  'streak5',
] as const;

export const PLAIN: Form = {
  game: 'blackjack',
  home: 'macau',
  spots: [],
  authorised: [],
  jackpot: false,
  shuffler: false,
  commission: null,
  faces: '2-standard',
  dealerSide: 'far',
};

/** The form of a table for its profile; options that a view does not name count as not offered. */
export function formOf({ table }: Pick<TableView, 'table'>): Form {
  const { options, display } = table;
  const game = formGameOf(table.rulebook);
  const source = options['cardSource'];
  const common: Form = {
    ...PLAIN,
    game,
    home: homeOf(table.rulebook),
    shuffler: source === 'autoShuffler' || source === 'continuousShuffler',
    faces: `${display?.suitColours ?? 2}-${display?.cardIndex ?? 'standard'}`,
    dealerSide: dealerSideOf({ table }),
  };
  if (game === 'casino-war') return { ...common, spots: options['tieBet'] === false ? [] : ['tie'] };
  if (game === 'baccarat') {
    const pairs = options['pairs'] !== false;
    const authorised = authorisedIn(options as TableOptions);
    const at = (end: string): string[] => authorised.flatMap(({ id, place }) => (place === end ? [id] : []));
    return {
      ...common,
      authorised: authorised.map(({ id }) => id),
      spots: [
        ...at('player'),
        ...(pairs ? ['playerPair'] : []),
        'tie',
        ...(options['lucky6'] === true ? ['lucky6'] : []),
        ...at('middle'),
        ...(pairs ? ['bankerPair'] : []),
        ...at('banker'),
        'banker',
        'player',
      ],
      commission: options['commission'] === 'none-banker-six-half' ? 'none-banker-six-half' : 'five-percent',
    };
  }
  const offered = Array.isArray(options['sideBets']) ? (options['sideBets'] as readonly unknown[]) : [];
  const jackpot = (options['jackpot'] ?? null) !== null;
  return {
    ...common,
    spots: [...SIDE_BETS.filter((bet) => offered.includes(bet)), ...(jackpot ? ['jackpot'] : [])],
    jackpot,
  };
}

export const sameForm = (a: Form, b: Form): boolean =>
  a.game === b.game &&
  a.home === b.home &&
  a.jackpot === b.jackpot &&
  a.shuffler === b.shuffler &&
  a.commission === b.commission &&
  a.faces === b.faces &&
  a.dealerSide === b.dealerSide &&
  a.spots.join() === b.spots.join() &&
  a.authorised.join() === b.authorised.join();
