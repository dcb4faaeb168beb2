import { BET_NAMES } from '../../accounting/meter-table.ts';
import type { Combination, Legal, OptionSpec } from '../../rules/rulebook.ts';
import type { Language } from '../../table/inputs.ts';
import type { OptionValue } from '../../table/profile.ts';
import { firstThatFits, outcomes, type WinningHand, winningHand } from './winning-hands.ts';

// art. 13.4: the regulator's director may authorise bets beyond the regulation. Such a bet is data
// under its record; no law is written for it.

export type Words = Readonly<Record<Language, string>>;

export interface AuthorisedBet {
  /** By which it is laid and stands in the ledger. */
  readonly id: string;
  /** On the panels and on the page of the rules. */
  readonly name: Words;
  /** On the cloth, where there is little room. */
  readonly short: Words;
  /** The first of these hands that fits pays. */
  readonly wins: readonly WinningHand[];
  /** On one seat, in minor units; null = as every bet beside the sides. */
  readonly min: number | null;
  readonly max: number | null;
  /** At which end of the band its spot lies. */
  readonly place: 'player' | 'middle' | 'banker';
  /** art. 13.6: what the authorisation has the house tell the players; null = nothing more. */
  readonly disclosure: Words | null;
}

/** art. 13.4, as Despacho 69/2009 has added it. */
const ARTICLE = 'art.13.4';
const MUST_BE_GIVEN = null;
/** A band of the cloth has room for so many. */
const MOST_BETS = 4;
const MOST_HANDS = 12;

const field = (id: string, legal: Legal, byDefault: OptionValue = MUST_BE_GIVEN): OptionSpec => ({
  id,
  article: ARTICLE,
  legal,
  default: byDefault,
  authorisation: null,
  waivable: false,
});
const oneOf = (...values: OptionValue[]): Legal => ({ kind: 'one-of', values });
const integer = (min: number, max: number): Legal => ({ kind: 'integer', min, max, nullable: true });
/** Letters, no more than there is room for, without signs that nobody sees. */
const words = (most: number): Legal => {
  const text: Legal = {
    kind: 'text',
    pattern: new RegExp(`^(?! )[^\\p{C}\\p{Zl}\\p{Zp}]{1,${most}}(?<! )$`, 'u'),
    meaning: `1 to ${most} letters`,
  };
  return { kind: 'object', fields: [field('zh-Hant', text), field('pt', text), field('en', text)] };
};

const HANDS: Legal = {
  kind: 'list',
  min: 1,
  max: MOST_HANDS,
  fields: [
    field('winner', oneOf('player', 'banker', 'tie', null)),
    field('playerPoints', integer(0, 9)),
    field('playerCards', integer(2, 3)),
    field('bankerPoints', integer(0, 9)),
    field('bankerCards', integer(2, 3)),
    field('playerPair', oneOf(true, null)),
    field('bankerPair', oneOf(true, null)),
    field('odds', { kind: 'integer', min: 1, max: 1_000 }),
  ],
};

const AMOUNT = integer(1, 1_000_000_000_000);

/** The bets of this table that the regulator's director has authorised. */
export const AUTHORISED_BETS: OptionSpec = {
  ...field(
    'authorisedBets',
    {
      kind: 'list',
      named: true,
      min: 0,
      max: MOST_BETS,
      fields: [
        field('id', {
          kind: 'text',
          pattern: /^[a-z][A-Za-z0-9]{1,19}$/,
          meaning: 'a small letter, then 1 to 19 letters and digits',
        }),
        field('name', words(24)),
        field('short', words(10)),
        field('wins', HANDS),
        field('min', AMOUNT),
        field('max', AMOUNT),
        field('place', oneOf('player', 'middle', 'banker'), 'middle'),
        field('disclosure', { ...(words(200) as Extract<Legal, { kind: 'object' }>), nullable: true }),
      ],
    },
    [],
  ),
  authorisation: ARTICLE,
};

type Options = Parameters<Combination['holds']>[0];
type Judged = (bet: AuthorisedBet, at: number, options: Options) => string | null;

export const authorisedIn = (options: Options): readonly AuthorisedBet[] =>
  (options['authorisedBets'] ?? []) as unknown as readonly AuthorisedBet[];

/** What must hold of each bet; `judge` names the member that does not. */
function ofEach(message: string, judge: Judged): Combination {
  const fault = (options: Options): string | null => {
    for (const [at, bet] of authorisedIn(options).entries()) {
      const member = judge(bet, at, options);
      if (member !== null) return `${AUTHORISED_BETS.id}.${at}.${member}`;
    }
    return null;
  };
  return {
    option: AUTHORISED_BETS.id,
    article: ARTICLE,
    message,
    holds: (options) => fault(options) === null,
    member: (options) => fault(options)!,
  };
}

const mostOf = (max: number | null, { sideBetMax, max: most }: Options): number =>
  max ?? Number(sideBetMax ?? most);

export const AUTHORISED_COMBINATIONS: readonly Combination[] = [
  ofEach('the name of another bet', ({ id }, at, options) =>
    BET_NAMES.has(id) ||
    authorisedIn(options)
      .slice(0, at)
      .some((other) => other.id === id)
      ? 'id'
      : null,
  ),
  ofEach('must not be above the maximum of the table', ({ max }, _, options) =>
    max !== null && max > Number(options['max']) ? 'max' : null,
  ),
  ofEach('must not be below the least bet', ({ min, max }, _, options) =>
    mostOf(max, options) < (min ?? Number(options['min'])) ? 'max' : null,
  ),
  ofEach('never pays: no hands come to it, or one before it takes them all', ({ wins }) => {
    const paying = new Set(outcomes().map((outcome) => firstThatFits(wins, outcome)));
    const idle = wins.findIndex((_, at) => !paying.has(at));
    return idle < 0 ? null : `wins.${idle}`;
  }),
  ofEach('must not win whatever is dealt', ({ wins }) =>
    outcomes().every((outcome) => firstThatFits(wins, outcome) >= 0) ? 'wins' : null,
  ),
];

const SEVEN = { winner: 'player', playerPoints: 7 } as const;
const OVER_SIX = { ...SEVEN, bankerPoints: 6 } as const;

/**
 * Two bets that Macau's director authorised on 30 September 2024, as the press tells them (B12).
 * They are offered where a table names them under a record of its own.
 */
export const LUCKY_7: AuthorisedBet = {
  id: 'lucky7',
  name: { 'zh-Hant': '幸運7', pt: '7 Sortudo', en: 'Lucky 7' },
  short: { 'zh-Hant': '幸運7', pt: '7 Sort.', en: 'Lucky 7' },
  wins: [winningHand({ ...SEVEN, playerCards: 2 }, 6), winningHand({ ...SEVEN, playerCards: 3 }, 15)],
  min: null,
  max: null,
  place: 'player',
  disclosure: null,
};

export const SUPER_LUCKY_7: AuthorisedBet = {
  id: 'superLucky7',
  name: { 'zh-Hant': '超級幸運7', pt: 'Super 7 Sortudo', en: 'Super Lucky 7' },
  short: { 'zh-Hant': '超級7', pt: 'Super 7', en: 'Super 7' },
  wins: [
    winningHand({ ...OVER_SIX, playerCards: 3, bankerCards: 3 }, 100),
    winningHand({ ...OVER_SIX, playerCards: 3, bankerCards: 2 }, 40),
    winningHand({ ...OVER_SIX, playerCards: 2, bankerCards: 2 }, 30),
  ],
  min: null,
  max: null,
  place: 'player',
  disclosure: null,
};

export const KNOWN_BETS: readonly AuthorisedBet[] = [LUCKY_7, SUPER_LUCKY_7];
