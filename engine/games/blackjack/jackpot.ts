import { type Card, RANKS, rankOf, suitOf } from '../../core/cards.ts';
import {
  carriedPartOf,
  type Minor,
  type Parts,
  partOf,
  type Rounded,
  shareRounded,
  timesOf,
  ZERO,
} from '../../core/money.ts';
import { type Rejection, reject } from '../../core/result.ts';
import { parseFraction } from '../../rules/rulebook.ts';
import { type Draft, profileOf } from '../../table/draft.ts';
import type { EventOf } from '../../table/events.ts';
import type { Laid } from '../../table/game.ts';
import { emit } from '../../table/lane.ts';
import { reckoned, type SettlementLine } from '../../table/settlement.ts';
import type { Bet, RoundSeat, RoundState, TableState } from '../../table/state.ts';
import { type JackpotTerms, leastJackpotMinor } from './jackpot-terms.ts';
import type { JackpotMeter } from './parts.ts';
import { articlesOf, type BlackjackArticles, rulesOf } from './rules.ts';

/** The meter of the table's currency; null where the table has no jackpot today. */
export function jackpotMeter(state: TableState): JackpotMeter | null {
  if (!rulesOf(state).jackpot) return null;
  const { currency } = profileOf(state);
  return state.jackpots.find((meter) => meter.currency === currency) ?? null;
}

/**
 * r.42, r.45-r.47: one chip of the fixed amount, on the player's own cards, beside their main bet.
 */
export function refuseChip(
  terms: JackpotTerms,
  articles: BlackjackArticles,
  bets: readonly Bet[],
  { seat, by, amountMinor }: Laid,
): Rejection | null {
  if (seat !== by) return reject('not-own-seat', [articles.jackpotOwnCards]);
  if (!bets.some((bet) => bet.bet === 'main' && bet.seat === by && bet.by === by)) {
    return reject('no-main', [articles.jackpotMain]);
  }
  if (bets.some((bet) => bet.bet === 'jackpot' && bet.by === by)) {
    return reject('one-chip', [articles.jackpotChip]);
  }
  return amountMinor === terms.stake
    ? null
    : reject('wrong-stake', [articles.jackpotChip], `the chip is ${terms.stake}`);
}

type Why = EventOf<'jackpot-moved'>['why'];

function move(draft: Draft, why: Why, meter: JackpotMeter | null, amountMinor: number, rest: Parts): void {
  emit(draft, {
    type: 'jackpot-moved',
    atMs: draft.atMs,
    why,
    currency: profileOf(draft.state).currency,
    amountMinor: amountMinor as Minor,
    meterMinor: ((meter?.meterMinor ?? 0) + amountMinor) as Minor,
    rest,
  });
}

/**
 * r.44: a table that has never had a jackpot in this currency starts one. A meter that stands is
 * kept; where it is less than ten thousand times the stake now in force, the house lifts it to
 * that.
 */
export function startJackpot(draft: Draft): void {
  const terms = rulesOf(draft.state).jackpot;
  if (!terms) return;
  const meter = jackpotMeter(draft.state);
  const least = leastJackpotMinor(terms);
  if (!meter) move(draft, 'started', null, terms.seed, [0, 1]);
  else if (meter.meterMinor < least) move(draft, 'started', meter, least - meter.meterMinor, meter.rest);
}

/**
 * r.49: the cards that have won stay until the prize is paid; the seat whose prize still waits for
 * a hand, null = none.
 */
export function unpaidJackpot({ round, seats }: TableState): number | null {
  const won = round?.lines?.find(
    ({ by, outcome }) =>
      outcome === 'jackpot' &&
      seats[by - 1]?.wins?.some(({ requestId }) => requestId === `${round.id}-${by}`),
  );
  return won?.by ?? null;
}

/**
 * r.48: the chips are collected before the deal and lift the meter; what is less than a minor unit
 * is kept exactly.
 */
export function collectChips(draft: Draft, bets: readonly Bet[]): void {
  const meter = jackpotMeter(draft.state);
  if (!meter) return;
  const chips = bets.filter(({ bet }) => bet === 'jackpot').length;
  if (chips === 0) return;
  const { amountMinor, rest } = liftOf(rulesOf(draft.state).jackpot!, meter, chips);
  move(draft, 'collected', meter, amountMinor, rest);
}

/** By how much so many chips lift the meter, at once or one round after the other. */
function liftOf(
  { stake, increment }: JackpotTerms,
  { rest }: JackpotMeter,
  chips: number,
): { readonly amountMinor: number; readonly rest: Parts } {
  return carriedPartOf(timesOf(stake, chips), parseFraction(increment)!, rest);
}

/** Rounds in which no chip has won: all that is left of them on the meter. */
export function passJackpotRounds(state: TableState, chips: number): void {
  const meter = jackpotMeter(state);
  if (!meter || chips === 0) return;
  const { amountMinor, rest } = liftOf(rulesOf(state).jackpot!, meter, chips);
  const lifted = { ...meter, meterMinor: (meter.meterMinor + amountMinor) as Minor, rest };
  state.jackpots = state.jackpots.map((one) => (one === meter ? lifted : one));
}

/** The cards of the round are cancelled: the chips go back, and the meter with them. */
export function undoJackpot(draft: Draft): void {
  const meter = jackpotMeter(draft.state);
  const { round } = draft.state;
  if (!meter?.before || !round?.dealt || !round.bets.some((bet) => bet.bet === 'jackpot')) return;
  move(draft, 'undone', meter, meter.before.meterMinor - meter.meterMinor, meter.before.rest);
}

/** Place of the best combination among the cards that count, in the order of `pays`; -1 = none. */
export function placeOf(terms: JackpotTerms, dealt: readonly Card[]): number {
  const counted = dealt.slice(0, terms.cards);
  return terms.pays.findIndex(({ combination }) => {
    const rank = RANKS.indexOf(combination[0]!);
    const ofRank = counted.filter((card) => rankOf(card) === rank);
    const need = Number(combination[1]);
    if (combination.length === 2) return ofRank.length >= need;
    return ofRank.some((card) => ofRank.filter((other) => suitOf(other) === suitOf(card)).length >= need);
  });
}

interface Chip {
  readonly seat: RoundSeat;
  /** -1 = no combination, 0 = the highest. */
  readonly place: number;
  /** The prize is `odds` parts of `baseMinor`. */
  baseMinor: number;
  odds: Parts;
  rounded: Rounded;
}

const prizeOf = (chip: Chip): number => partOf(chip.baseMinor, chip.odds, chip.rounded);

/**
 * r.42, r.43, r.46: the lines of all chips of a finished round, by the first cards alone. r.50.a,
 * r.50.b: prizes come out of the meter from the smallest to the largest, a share being measured on
 * the meter at the close of the bets; whoever has the highest combination takes what remains,
 * several of them in equal parts, odd units to the lower seats. Then the meter starts again.
 */
export function payJackpot(draft: Draft, round: RoundState): SettlementLine[] {
  const meter = jackpotMeter(draft.state)!;
  const terms = rulesOf(draft.state).jackpot!;
  const chips = round.seats
    .filter((seat) => seat.counted !== null)
    .map((seat) => chipOf(terms, meter.meterMinor, seat));
  let left: number = meter.meterMinor;
  // From the smallest up; where the meter cannot cover them all, the largest gets what is left.
  const lower = chips.filter(({ place }) => place > 0).toSorted((x, y) => prizeOf(x) - prizeOf(y));
  for (const chip of lower) {
    if (prizeOf(chip) > left) Object.assign(chip, { baseMinor: left, odds: [1, 1] });
    left -= prizeOf(chip);
  }
  const tops = chips.filter(({ place }) => place === 0);
  for (let at = 0; at < tops.length; at++) {
    const rounded = shareRounded(left, tops.length, at);
    Object.assign(tops[at]!, { baseMinor: left, odds: [1, tops.length], rounded });
  }
  if (tops.length > 0) left = 0;
  if (left < meter.meterMinor) move(draft, 'paid', meter, left - meter.meterMinor, meter.rest);
  if (tops.length > 0) move(draft, 'restarted', jackpotMeter(draft.state), terms.seed, meter.rest);
  const articles = articlesOf(draft.state);
  return chips.map((chip) => lineOf(terms, articles, chip));
}

function chipOf(terms: JackpotTerms, meterMinor: number, seat: RoundSeat): Chip {
  const place = placeOf(terms, seat.counted!);
  const pay = terms.pays[place];
  return pay?.odds
    ? { seat, place, baseMinor: terms.stake, odds: [pay.odds, 1], rounded: 'down' }
    : { seat, place, baseMinor: meterMinor, odds: parseFraction(pay?.share ?? '0')!, rounded: 'down' };
}

function lineOf(terms: JackpotTerms, articles: BlackjackArticles, chip: Chip): SettlementLine {
  const { seat, place, baseMinor, odds, rounded } = chip;
  const stakeMinor = terms.stake as Minor;
  const isPaid = place >= 0;
  return reckoned({
    seat: seat.seat,
    by: seat.seat,
    bet: 'jackpot',
    hand: null,
    outcome: isPaid ? 'jackpot' : 'lose',
    stakeMinor,
    odds: isPaid ? odds : [-1, 1],
    ...(isPaid ? { baseMinor: baseMinor as Minor, keptMinor: stakeMinor, rounded } : {}),
    returnedMinor: ZERO,
    netMinor: ZERO,
    cites: isPaid ? [articles.jackpotPaid, articles.jackpotShared] : [articles.jackpotPaid],
  });
}
