/**
 * Questions to the reader and its answers: one line of JSON each, bounded in length, depth and
 * number, and checked by the side that receives it. No other file of this room is imported from
 * outside.
 */

/** No line is longer; less than a pipe of Linux holds, so that writing one never waits. */
export const LINE_BYTES = 60_000;
const MOST_FACTS = 1_500;
const MOST_LINES = 400;
const MOST_SEATS = 12;
const MOST_OPTIONS = 200;
const DEEPEST = 8;

/** The rulebooks whose articles are read here. */
export const READ_RULEBOOKS: readonly string[] = [
  'macau-blackjack-2004',
  'macau-blackjack-2009',
  'portugal-blackjack',
  'macau-baccarat',
  'macau-casino-war',
];

export interface AskedBet {
  readonly seat: number;
  readonly by: number;
  readonly bet: string;
  readonly amount: number;
}

/** What has happened at the table, in its order. Cards are texts: `AS`, `TD`. */
export type Fact =
  /**
   * The bets are final; the deal follows. `left`: art. 13.5.2.vi, bettors of a series who are gone.
   */
  | {
      readonly bets: readonly AskedBet[];
      readonly left?: readonly { readonly seat: number; readonly by: number }[];
    }
  | { readonly card: string; readonly to: 'bank' | 'player' }
  | { readonly card: string; readonly to: 'seat'; readonly seat: number; readonly hand: number }
  /**
   * `hand`: null where the answer is about no one hand. `raised`: of a double or a split, whose
   * money covers the raise; a bet behind that it does not cover stays as it lies.
   */
  | {
      readonly act: string;
      readonly seat: number;
      readonly hand: number | null;
      readonly by: number;
      readonly amount?: number;
      readonly raised?: readonly number[];
    }
  /** art. 5.1.2: first cards put right; `place` absent = all of them. */
  | { readonly swap: readonly [number, number]; readonly place?: number }
  /** art. 5.1.1: the last card of this place is invalid, and the next one takes its place. */
  | { readonly takenBack: 'bank' | { readonly seat: number; readonly hand: number } }
  /** r.17: the bank's second card was turned and is discarded. */
  | { readonly replaced: true };

export interface AskedSeries {
  readonly seat: number;
  readonly wins: number;
  readonly open: readonly { readonly by: number; readonly number: number; readonly amount: number }[];
}

export interface Question {
  readonly id: number;
  readonly rulebook: string;
  /** Every option of the table, defaults too. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly seats: number;
  /** As they stood when the bets were opened. */
  readonly streaks: readonly AskedSeries[];
  /** `rest`: what the meter is owed beyond whole units, a to b. */
  readonly jackpot: { readonly meter: number; readonly rest: readonly [number, number] } | null;
  readonly facts: readonly Fact[];
  /** All lines of a round that is over, or those that an article pays before. */
  readonly ask: 'settled' | 'at-once';
}

/** `outcome` says what became of the bet, as far as money tells it. */
export interface ReadLine {
  readonly seat: number;
  readonly by: number;
  readonly bet: string;
  readonly hand: number | null;
  readonly outcome: 'won' | 'lost' | 'tied';
  /** Money back less all money staked on it. */
  readonly net: number;
}

export type Reply =
  | {
      readonly id: number;
      readonly lines: readonly ReadLine[];
      /** Buttons of the streak by seat, and the meter; null where the game has none. */
      readonly after: {
        readonly streaks: Readonly<Record<string, number>> | null;
        readonly jackpot: number | null;
      };
    }
  /** By the articles this round is not over, or could not have come to this. */
  | { readonly id: number; readonly cannot: string };

// ---- what a line holds ----

type Members = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isCount = (value: unknown, most: number): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= most;
const isSeat = (value: unknown): value is number => isCount(value, MOST_SEATS) && value > 0;
const isHand = (value: unknown): value is number => isCount(value, 20);
const isAmount = (value: unknown): value is number => isCount(value, Number.MAX_SAFE_INTEGER);
const isName = (value: unknown): value is string =>
  typeof value === 'string' && /^[A-Za-z0-9-]{1,40}$/.test(value);
const isCard = (value: unknown): value is string =>
  typeof value === 'string' && /^[A23456789TJQK][SHDC]$/.test(value);
const isListOf = (value: unknown, most: number, isOne: (one: unknown) => boolean): value is unknown[] =>
  Array.isArray(value) && value.length <= most && value.every(isOne);

const isBet = (bet: unknown): boolean =>
  isObject(bet) && isSeat(bet['seat']) && isSeat(bet['by']) && isName(bet['bet']) && isAmount(bet['amount']);

const isLeaver = (one: unknown): boolean => isObject(one) && isSeat(one['seat']) && isSeat(one['by']);

/** From a seat to another one, or to the bank: 0. */
const isSwap = (swap: unknown): boolean =>
  Array.isArray(swap) && swap.length === 2 && isSeat(swap[0]) && (swap[1] === 0 || isSeat(swap[1]));

function isFact(fact: unknown): boolean {
  if (!isObject(fact)) return false;
  const { card, to, seat, hand, by, act, amount, raised, swap, place, bets, left, takenBack, replaced } =
    fact;
  if (bets !== undefined)
    return isListOf(bets, MOST_LINES, isBet) && (left === undefined || isListOf(left, MOST_LINES, isLeaver));
  if (card !== undefined)
    return (
      isCard(card) && (to === 'bank' || to === 'player' || (to === 'seat' && isSeat(seat) && isHand(hand)))
    );
  if (act !== undefined)
    return (
      isName(act) &&
      isSeat(seat) &&
      isSeat(by) &&
      (hand === null || isHand(hand)) &&
      (amount === undefined || isAmount(amount)) &&
      (raised === undefined || isListOf(raised, MOST_LINES, isSeat))
    );
  if (swap !== undefined) return isSwap(swap) && (place === undefined || isHand(place));
  if (takenBack !== undefined)
    return (
      takenBack === 'bank' || (isObject(takenBack) && isSeat(takenBack['seat']) && isHand(takenBack['hand']))
    );
  return replaced === true;
}

const isSeries = (series: unknown): boolean =>
  isObject(series) &&
  isSeat(series['seat']) &&
  isHand(series['wins']) &&
  isListOf(
    series['open'],
    MOST_LINES,
    (bet) => isObject(bet) && isSeat(bet['by']) && isHand(bet['number']) && isAmount(bet['amount']),
  );

const isMeter = (jackpot: unknown): boolean =>
  jackpot === null ||
  (isObject(jackpot) &&
    isAmount(jackpot['meter']) &&
    isListOf(jackpot['rest'], 2, isAmount) &&
    (jackpot['rest'] as number[])[1]! > 0);

const isLine = (line: unknown): boolean =>
  isObject(line) &&
  isSeat(line['seat']) &&
  isSeat(line['by']) &&
  isName(line['bet']) &&
  (line['hand'] === null || isHand(line['hand'])) &&
  (line['outcome'] === 'won' || line['outcome'] === 'lost' || line['outcome'] === 'tied') &&
  Number.isSafeInteger(line['net']);

const isAfter = (after: unknown): boolean =>
  isObject(after) &&
  (after['jackpot'] === null || isAmount(after['jackpot'])) &&
  (after['streaks'] === null ||
    (isObject(after['streaks']) &&
      Object.entries(after['streaks']).every(([seat, button]) => isSeat(Number(seat)) && isHand(button))));

/** Lists and objects in one another, told before anything is made of the text. */
function isDeep(text: string): boolean {
  let open = 0;
  let isText = false;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (isText) {
      if (sign === '\\') at++;
      else if (sign === '"') isText = false;
    } else if (sign === '"') isText = true;
    else if (sign === '[' || sign === '{') {
      if (++open > DEEPEST) return true;
    } else if (sign === ']' || sign === '}') open--;
  }
  return false;
}

function membersOf(line: string): Members | null {
  if (line.length > LINE_BYTES || isDeep(line)) return null;
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) && isAmount(value['id']) ? value : null;
  } catch {
    return null;
  }
}

/** Null = no question. */
export function questionIn(line: string): Question | null {
  const asked = membersOf(line);
  const isOne =
    asked !== null &&
    isName(asked['rulebook']) &&
    isObject(asked['options']) &&
    Object.keys(asked['options']).length <= MOST_OPTIONS &&
    isSeat(asked['seats']) &&
    isListOf(asked['streaks'], MOST_SEATS, isSeries) &&
    isMeter(asked['jackpot']) &&
    isListOf(asked['facts'], MOST_FACTS, isFact) &&
    (asked['ask'] === 'settled' || asked['ask'] === 'at-once');
  return isOne ? (asked as unknown as Question) : null;
}

/** Null = no answer in the form of one. */
export function replyIn(line: string): Reply | null {
  const said = membersOf(line);
  if (said === null) return null;
  if (said['cannot'] !== undefined)
    return typeof said['cannot'] === 'string' && said['cannot'].length <= 400
      ? (said as unknown as Reply)
      : null;
  return isListOf(said['lines'], MOST_LINES, isLine) && isAfter(said['after'])
    ? (said as unknown as Reply)
    : null;
}
