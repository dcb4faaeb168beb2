import type { Minor } from '../core/money.ts';
import { type Rejection, reject } from '../core/result.ts';
import { type Asked, askedOf, insuranceRange, refusalOf } from '../games/blackjack/acts.ts';
import { dueCard } from '../games/blackjack/due.ts';
import { canMakeBlackjack, isAce } from '../games/blackjack/hand.ts';
import { doubleOf, mainOf, refuseChange, repeatOf } from './betting.ts';
import {
  areBooksFaulty,
  isRoundOpen,
  isShoeFaulty,
  needsNewShoe,
  refuseAssign,
  refuseDrawWrong,
  refuseEndCard,
} from './cards.ts';
import { articlesOf, creditOf, rulesOf } from './draft.ts';
import type { Act } from './inputs.ts';
import { refuseOpening } from './rounds.ts';
import type { RoundState, TableState } from './state.ts';
import type { BettingChoice, Choice, DealerOption, DealerStep } from './steps.ts';

/** The one thing the dealer is to do now. */
export function nextStep(state: TableState): DealerStep {
  if (state.service) return { step: 'in-service', cites: [] };
  if (!state.profile) return { step: 'call-supervisor', cites: [] };
  if (!state.dealer) return { step: 'sign-in', cites: [] };
  return heldStep(state) ?? phaseStep(state);
}

function heldStep(state: TableState): DealerStep | null {
  const { hold } = state;
  const articles = articlesOf(state);
  switch (hold?.code) {
    case undefined:
      return null;
    case 'recovery':
    case 'misdeal':
      return { step: 'confirm-layout', cites: [articles.misdeal] };
    case 'shoe-fault':
      return { step: isShoeFaulty(state) ? 'call-supervisor' : 'confirm-layout', cites: [articles.misdeal] };
    case 'books':
      return { step: areBooksFaulty(state) ? 'call-supervisor' : 'confirm-layout', cites: [] };
    case 'doubtful-card':
      return hold?.card === null || hold === null
        ? { step: 'resolve-card', cites: [articles.misdeal] }
        : { step: 'confirm-card', card: hold.card, cites: [articles.misdeal] };
    case 'card-gap':
      return { step: 'resolve-card', cites: [articles.misdeal] };
    case 'unexpected-card':
      return {
        step: 'resolve-card',
        cites: [refuseDrawWrong(state) ? articles.exposed : articles.bankDraws],
      };
  }
}

function phaseStep(state: TableState): DealerStep {
  const articles = articlesOf(state);
  const { shoe, round } = state;
  if (needsNewShoe(state)) return { step: 'load-shoe', cites: [articles.reshuffle] };
  switch (state.phase) {
    case 'closed':
      return { step: 'sign-in', cites: [] };
    case 'shoe':
      if (shoe.stage === 'cut') return { step: 'cut-shoe', cites: [articles.cut] };
      if (shoe.stage === 'end-card') {
        return { step: 'place-end-card', minBehind: rulesOf(state).cutBehind, cites: [articles.cut] };
      }
      if (shoe.stage === 'burn') {
        return {
          step: 'burn',
          done: shoe.startBurned,
          count: shoe.startBurn,
          cites: [articles.burnAtStart],
        };
      }
      return { step: 'load-shoe', cites: [articles.cut] };
    case 'idle':
      return { step: refuseOpening(state) ? 'call-supervisor' : 'open-betting', cites: [articles.dealOrder] };
    case 'betting':
      return { step: 'close-betting', cites: [articles.dealOrder] };
    case 'offers': {
      const seats = [...new Set(round?.offers?.pending.map((offer) => offer.seat))];
      const cite = round?.offers?.kind === 'original-only' ? articles.originalOnlyOffer : articles.announce;
      return { step: 'await-offers', seats, cites: [cite] };
    }
    case 'dealing':
    case 'turns':
    case 'bank':
      return dueStep(state);
    case 'settled':
      return state.deadline
        ? { step: 'read-results', untilMs: state.deadline.atMs, cites: [] }
        : { step: 'close-round', cites: [round?.last ? articles.endOfShoe : articles.dealOrder] };
  }
}

function dueStep(state: TableState): DealerStep {
  const articles = articlesOf(state);
  const due = dueCard(state);
  const turn = state.round?.turn;
  if (due === null) {
    return { step: 'await-decision', seat: turn?.seat ?? 0, hand: turn?.hand ?? 0, cites: [articles.turns] };
  }
  switch (due.to) {
    case 'burn':
      return { step: 'burn', done: 0, count: 1, cites: [articles.burnEachRound] };
    case 'seat':
      return {
        step: 'draw-for-seat',
        seat: due.seat,
        hand: due.hand,
        cites: [due.additional ? articles.hit : articles.dealing],
      };
    case 'bank': {
      const cards = state.round?.bank.length ?? 0;
      const cite = cards === 0 ? articles.dealing : cards === 1 ? articles.bankSecond : articles.bankDraws;
      return { step: 'draw-for-bank', cites: [cite] };
    }
  }
}

/** Lawful buttons of the dealer beside the next step; every one of them is its own input. */
export function dealerOptions(state: TableState): DealerOption[] {
  if (!state.profile || state.service) return [];
  const articles = articlesOf(state);
  const options: DealerOption[] = [];
  const add = (option: DealerOption['option'], ...cites: string[]): void => {
    options.push({ option, cites });
  };
  const { hold, phase } = state;
  if (hold?.code === 'doubtful-card' || hold?.code === 'card-gap') add('confirm-card', articles.misdeal);
  if (hold?.code === 'unexpected-card') add('set-card-aside', articles.exposed);
  if (!refuseDrawWrong(state)) add('draw-wrong', articles.bankDraws);
  if (hasAssignable(state)) add('assign-card', articles.misdeal);
  if (!refuseEndCard(state)) add('end-card-out', articles.endOfShoe);
  if (isRoundOpen(state)) add('void-round', articles.misdeal);
  if (state.dealer && !hold && phase === 'idle') add('new-shoe', articles.reshuffle);
  if (state.dealer && !state.round) add('sign-out');
  return options;
}

function hasAssignable(state: TableState): boolean {
  const seats = state.round?.seats ?? [];
  return seats.some((from) => seats.some((to) => !refuseAssign(state, from.seat, to.seat)));
}

const TURN_ACTS: readonly Act[] = ['hit', 'stand', 'double', 'split', 'surrender', 'fiveCardHalf'];

/**
 * The decisions the panel of a seat shows now, for the bettor of that seat: in his turn all of them, the closed ones
 * with their reason; outside it only what he may still ask for. Empty = nothing to decide.
 */
export function seatChoices(state: TableState, seat: number): Choice[] {
  const { round } = state;
  if (!round?.dealt || round.lines || state.service) return [];
  const turn = round.turn;
  const isTurn = state.phase === 'turns' && turn?.seat === seat && state.deadline?.kind === 'decision';
  const isPending = round.offers?.pending.some((offer) => offer.seat === seat && offer.by === seat) ?? false;
  const acts =
    isTurn || (state.hold && state.paused && turn?.seat === seat)
      ? [...TURN_ACTS, ...standingOffers(state, round, seat)]
      : isPending
        ? offeredActs(round)
        : standingOffers(state, round, seat).filter((act) => act === 'evenMoney');
  const hand = turn?.seat === seat ? turn.hand : 0;
  return acts.flatMap((act) => {
    const choice = choiceOf(state, round, seat, hand, act);
    const isShown = isTurn ? TURN_ACTS.includes(act) || choice?.allowed : choice?.code !== 'not-allowed';
    return choice && isShown ? [choice] : [];
  });
}

/** Offers that the articles keep open after their own phase (arts. 10.3, 12.1). */
const standingOffers = (state: TableState, round: RoundState, seat: number): Act[] => {
  const up = round.bank[0];
  if (up === undefined || state.phase === 'dealing' || !round.seats.some((played) => played.seat === seat)) {
    return [];
  }
  return [...(canMakeBlackjack(up) ? ['evenMoney' as const] : []), ...(isAce(up) ? ['insure' as const] : [])];
};

function offeredActs(round: RoundState): Act[] {
  return round.offers?.kind === 'original-only'
    ? ['loseOriginalOnly', 'playOn']
    : ['insure', 'declineInsurance', 'evenMoney', 'surrender', 'playOn'];
}

function choiceOf(state: TableState, round: RoundState, seat: number, hand: number, act: Act): Choice | null {
  const asked = askedOf(state, round, seat, seat, hand, null);
  if ('ok' in asked) return null;
  const range = act === 'insure' ? insuranceRange(asked.rules, asked.bettor) : null;
  const refused = state.hold
    ? reject('held')
    : refusalOf(act, range ? { ...asked, amountMinor: range.minMinor } : asked);
  const credit = creditOf(state, seat);
  return {
    act,
    hand,
    allowed: refused === null,
    code: refused?.code ?? null,
    cites: refused?.cites ?? citesOf(act, asked),
    amountMinor: amountOf(act, asked),
    minMinor: range?.minMinor ?? null,
    maxMinor: range ? (Math.min(range.maxMinor, Math.max(credit, range.minMinor)) as Minor) : null,
  };
}

/** What an act costs (raise) or pays back (half, even money), for the bettor of the panel; null = no fixed amount. */
function amountOf(act: Act, { bettor, seat, hand }: Asked): Minor | null {
  const stake = hand.stakesMinor[seat.bettors.indexOf(bettor)] ?? bettor.originalMinor;
  switch (act) {
    case 'double':
    case 'split':
    case 'loseOriginalOnly':
      return bettor.originalMinor;
    case 'surrender':
    case 'fiveCardHalf':
      return (stake / 2) as Minor;
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
    case 'loseOriginalOnly':
      return [articles.originalOnlyOffer];
  }
}

/** What the panel of a seat may do with its bets now; empty while no betting window is open. */
export function bettingChoices(state: TableState, seat: number): BettingChoice[] {
  const { round, rules } = state;
  const account = state.seats[seat - 1];
  if (!round || !rules || !account || state.phase !== 'betting' || state.service) return [];
  const held = state.hold ? reject('held') : null;
  const laid = mainOf(round.bets, seat, seat)?.amountMinor ?? 0;
  const room = Math.min(rules.max - laid, account.creditMinor);
  const most = (room - (room % rules.step)) as Minor;
  const least = laid > 0 ? rules.step : Math.ceil(rules.min / rules.step) * rules.step;
  const tooLittle = most >= least ? null : reject(rules.max - laid < least ? 'out-of-range' : 'no-credit');
  const sum = (placed: readonly { amountMinor: number }[]): Minor =>
    placed.reduce((total, { amountMinor }) => total + amountMinor, 0) as Minor;
  const choice = (
    act: BettingChoice['act'],
    refused: Rejection | null,
    amountMinor: Minor | null,
  ): BettingChoice => ({
    act,
    allowed: refused === null,
    code: refused?.code ?? null,
    cites: refused?.cites ?? [],
    amountMinor,
  });
  return [
    choice('place-bet', held ?? tooLittle, Math.max(0, most) as Minor),
    choice('undo-bet', held ?? refuseChange(state, 'undo-bet', seat), null),
    choice('clear-bets', held ?? refuseChange(state, 'clear-bets', seat), null),
    choice('repeat-bets', held ?? refuseChange(state, 'repeat-bets', seat), sum(repeatOf(state, seat))),
    choice('double-bets', held ?? refuseChange(state, 'double-bets', seat), sum(doubleOf(state, seat))),
  ];
}
