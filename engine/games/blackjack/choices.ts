import { type Minor, partOf } from '../../core/money.ts';
import { reject } from '../../core/result.ts';
import { creditOf } from '../../table/draft.ts';
import { dueCard, isDueFaceDown } from '../../table/due.ts';
import type { Act } from '../../table/inputs.ts';
import type { RoundSeat, RoundState, TableState } from '../../table/state.ts';
import type { Choice, DealerStep } from '../../table/steps.ts';
import { type Asked, askedOf, insuranceRange, refusalOf } from './acts.ts';
import { canMakeBlackjack, isAce } from './hand.ts';
import type { OfferKind } from './parts.ts';
import { articlesOf, type BlackjackArticles, type BlackjackRules, rulesOf } from './rules.ts';
import { pairChoices } from './side-bets.ts';

/** The dealer's next step in a round: the card that is due, or the players they wait for. */
export function stepInRound(state: TableState): DealerStep {
  const articles = articlesOf(state);
  const { round } = state;
  if (state.phase === 'offers') {
    const seats = [...new Set(round?.offers?.pending.map((offer) => offer.by))].sort((a, b) => a - b);
    return { step: 'await-offers', seats, cites: [offerCite(round?.offers?.kind, articles)] };
  }
  const due = dueCard(state);
  const turn = round?.turn;
  if (due === null) {
    const seat = turn?.seat ?? 0;
    const by = round?.seats.find((played) => played.seat === seat)?.decider ?? seat;
    const step = { step: 'await-decision', seat, hand: turn?.hand ?? 0 } as const;
    return { ...step, ...(by === seat ? {} : { by }), cites: [articles.turns] };
  }
  if (due.to === 'burn') return { step: 'burn', done: 0, count: 1, cites: [articles.burnEachRound] };
  if (due.to === 'seat') {
    const { seat, hand } = due;
    return {
      step: 'draw-for-seat',
      seat,
      hand,
      cites: [due.additional ? articles.hit : dealingCite(rulesOf(state), articles)],
    };
  }
  const cards = round?.bank.length ?? 0;
  if (isDueFaceDown(due)) {
    const { dealing } = rulesOf(state);
    const cite = dealing === 'holeCard' ? articles.holeCard : articles.dealingBox;
    return { step: 'draw-for-bank', faceDown: true, cites: [cite] };
  }
  const cite =
    cards === 0
      ? dealingCite(rulesOf(state), articles)
      : cards === 1
        ? rulesOf(state).dealing === 'faceDown'
          ? articles.dealingDown
          : articles.bankSecond
        : articles.bankDraws;
  return { step: 'draw-for-bank', cites: [cite] };
}

function offerCite(kind: OfferKind | undefined, articles: BlackjackArticles): string {
  switch (kind) {
    case 'original-only':
      return articles.originalOnlyOffer;
    case 'any-pair':
      return 'art.13.1.2';
    case 'follow-split':
      return articles.followSplit;
    case 'follow-double':
      return articles.followDouble;
    default:
      return articles.announce;
  }
}

/** The dealing procedure in force (art. 5.2). */
function dealingCite({ dealing, cardSource }: BlackjackRules, articles: BlackjackArticles): string {
  if (dealing === 'holeCard') return articles.dealingHole;
  if (dealing === 'faceUp') return articles.dealing;
  return cardSource === 'box' ? articles.dealingBox : articles.dealingDown;
}

const TURN_ACTS: readonly Act[] = ['hit', 'stand', 'double', 'split', 'surrender', 'fiveCardHalf'];

/**
 * The decisions the panel of a bettor shows now, seat by seat: first the hand whose turn it is, if
 * they decide it, then what they are asked, then what they may still ask for; of their own seat
 * before the others. Empty = nothing to decide.
 */
export function choicesInRound(state: TableState, by: number): Choice[] {
  const round = state.round!;
  if (round.offers?.kind === 'any-pair') return pairChoices(state, by);
  const urgency = (seat: RoundSeat): number => {
    if (isDeciding(state, round, seat, by)) return 0;
    return (isAsked(round, seat.seat, by) ? 2 : 4) + (seat.seat === by ? 0 : 1);
  };
  // The sort is stable: equally urgent seats stay in the order of the table.
  return [...round.seats]
    .sort((a, b) => urgency(a) - urgency(b))
    .flatMap((seat) => choicesOn(state, round, seat, by));
}

/** They decide the hand whose turn it is; while the table is held it stays theirs. */
function isDeciding(state: TableState, round: RoundState, { seat, decider }: RoundSeat, by: number): boolean {
  if (round.turn?.seat !== seat || decider !== by) return false;
  return isTurnOpen(state) || state.paused !== null;
}

const isTurnOpen = (state: TableState): boolean => state.deadline?.kind === 'decision';

const isAsked = ({ offers }: RoundState, seat: number, by: number): boolean =>
  offers?.pending.some((offer) => offer.seat === seat && offer.by === by) ?? false;

/**
 * In their turn all of them, the closed ones with their reason; else only what is theirs to say.
 */
function choicesOn(state: TableState, round: RoundState, place: RoundSeat, by: number): Choice[] {
  const { seat } = place;
  const isTheirs = isDeciding(state, round, place, by);
  const isTurn = isTurnOpen(state);
  const acts = isTheirs
    ? [...TURN_ACTS, ...standingOffers(state, round)]
    : isAsked(round, seat, by)
      ? offeredActs(round)
      : standingOffers(state, round).filter((act) => act === 'evenMoney');
  const hand = round.turn?.seat === seat ? round.turn.hand : 0;
  return acts.flatMap((act) => {
    const choice = choiceOf(state, round, seat, by, hand, act);
    const isShown = isTurn
      ? TURN_ACTS.includes(act) || choice?.allowed
      : choice?.code !== 'not-allowed' && choice?.code !== 'not-decider';
    return choice && isShown ? [choice] : [];
  });
}

/** Offers that the articles keep open after their own phase (arts. 10.3, 12.1). */
const standingOffers = (state: TableState, round: RoundState): Act[] => {
  const up = round.bank[0];
  if (up === undefined || round.bankLooked || state.phase === 'dealing') return [];
  return [...(canMakeBlackjack(up) ? ['evenMoney' as const] : []), ...(isAce(up) ? ['insure' as const] : [])];
};

function offeredActs(round: RoundState): Act[] {
  switch (round.offers?.kind) {
    case 'original-only':
      return ['loseOriginalOnly', 'playOn'];
    case 'follow-split':
      return ['followSplit', 'playOn'];
    case 'follow-double':
      return ['followDouble', 'playOn'];
    default:
      return ['insure', 'declineInsurance', 'evenMoney', 'surrender', 'playOn'];
  }
}

function choiceOf(
  state: TableState,
  round: RoundState,
  seat: number,
  by: number,
  hand: number,
  act: Act,
): Choice | null {
  const asked = askedOf(state, round, seat, by, hand, null);
  if ('ok' in asked) return null;
  const range = act === 'insure' ? insuranceRange(asked.rules, asked.bettor) : null;
  const refused = state.hold
    ? reject('held')
    : refusalOf(act, range ? { ...asked, amountMinor: range.minMinor } : asked);
  const credit = creditOf(state, by);
  return {
    act,
    seat,
    hand,
    allowed: refused === null,
    code: refused?.code ?? null,
    cites: refused?.cites ?? citesOf(act, asked),
    amountMinor: amountOf(act, asked),
    minMinor: range?.minMinor ?? null,
    maxMinor: range ? (Math.min(range.maxMinor, Math.max(credit, range.minMinor)) as Minor) : null,
  };
}

/**
 * What an act costs (raise) or pays back (half, even money), for the bettor of the panel; null = no
 * fixed amount.
 */
function amountOf(act: Act, { bettor, seat, hand }: Asked): Minor | null {
  const stake = hand.stakesMinor[seat.bettors.indexOf(bettor)] ?? bettor.originalMinor;
  switch (act) {
    case 'double':
    case 'split':
    case 'followSplit':
    case 'followDouble':
    case 'loseOriginalOnly':
      return bettor.originalMinor;
    case 'surrender':
    case 'fiveCardHalf':
      return partOf(stake, [1, 2]) as Minor;
    case 'evenMoney':
      return stake;
    default:
      return null;
  }
}

function citesOf(act: Act, { articles, hand }: Asked): string[] {
  switch (act) {
    case 'hit':
      return [articles.hit];
    case 'stand':
    case 'playOn':
      return [articles.freeChoice];
    case 'double':
      return [hand.fromSplit ? articles.doubleAfterSplit : articles.double];
    case 'split':
      return [hand.splitAces ? articles.splitAces : hand.fromSplit ? articles.resplit : articles.split];
    case 'surrender':
      return [articles.surrender, articles.surrenderWindow];
    case 'insure':
    case 'declineInsurance':
      return [articles.insurance];
    case 'evenMoney':
      return [articles.evenMoney];
    case 'fiveCardHalf':
      return [articles.fiveCards];
    case 'followSplit':
      return [articles.followSplit];
    case 'followDouble':
      return [articles.followDouble];
    case 'loseOriginalOnly':
      return [articles.originalOnlyOffer];
    default:
      return [];
  }
}

/** What may be noted for a hand whose turn has not come. */
const AHEAD: ReadonlySet<Act> = new Set(TURN_ACTS);

/** The choices that a bettor may note ahead, in a state in which the turn of the hand has come. */
export const choicesAhead = (state: TableState, by: number): Choice[] =>
  choicesInRound({ ...state, round: { ...state.round!, offers: null } }, by).filter(({ act }) =>
    AHEAD.has(act),
  );
