import { type Rejection, reject } from '../core/result.ts';
import { lapsedChoices } from '../rules/authorisation.ts';
import { rulebookOf } from '../rules/rulebook.ts';
import { drainWaiting, isRoundOpen, isShoeFaulty, needsNewShoe, releaseHold } from './cards.ts';
import { whyNoRound } from './centre-orders.ts';
import { articlesOf, type Draft, deadlineAt, profileOf } from './draft.ts';
import type { EventOf } from './events.ts';
import type { InputOf } from './inputs.ts';
import { emit } from './lane.ts';
import { gameOf } from './registry.ts';
import { resultsDeadline } from './round-end.ts';
import { restartCutOrder } from './shoe.ts';
import { mustFeed } from './shuffler.ts';
import type { TableState } from './state.ts';
import { areRoundsStopped } from './stops.ts';

export function refuseOpening(state: TableState): Rejection | null {
  if (state.profile === null) return reject('not-due', [], 'the table has no profile');
  if (state.dealer === null) return reject('no-dealer');
  if (state.hold !== null || isShoeFaulty(state) || areRoundsStopped(state)) return reject('held');
  if (state.phase === 'shoe') return reject('not-due', [articlesOf(state).cut], 'the shoe is not ready');
  if (needsNewShoe(state)) return reject('not-due', [articlesOf(state).endOfShoe], 'too few cards are left');
  if (mustFeed(state)) return reject('not-due', [articlesOf(state).feeding], 'the shuffler must be fed');
  const whyNot = whyNoRound(state);
  if (state.phase === 'idle' && whyNot !== null) return reject('centre-lock', [], whyNot);
  return state.phase === 'idle' ? null : reject('not-allowed', [], 'a round is on the table');
}

/** No bet is taken under a choice whose authorisation is over (art. 21). */
function lapsedSince(state: TableState, atMs: number): Rejection | null {
  const profile = profileOf(state);
  const lapsed = lapsedChoices(rulebookOf(profile.rulebook)!, profile, atMs);
  if (lapsed.length === 0) return null;
  const told = lapsed.map(({ option, message }) => `${option}: ${message}`);
  return reject('off', [...new Set(lapsed.map(({ article }) => article))], told.join('; '));
}

export function openBetting(draft: Draft, input: InputOf<'open-betting'>): Rejection | null {
  const { state, atMs } = draft;
  const refused = refuseOpening(state);
  if (refused !== null) return refused;
  if (input.roundId === '') return reject('malformed', [], 'roundId');
  const lapsed = lapsedSince(state, atMs);
  if (lapsed !== null) return lapsed;
  const deadline = deadlineAt('betting', atMs, profileOf(state).timing.bettingMs);
  emit(draft, {
    type: 'betting-opened',
    atMs,
    roundId: input.roundId,
    roundNo: state.roundNo + 1,
    last: isNextRoundLast(state),
    deadline,
    person: state.dealer!,
  });
  return null;
}

/** The round about to be opened is the last of its shoe. */
export const isNextRoundLast = ({ shoe }: TableState): boolean =>
  shoe.lastRound !== null && shoe.rounds + 1 >= shoe.lastRound;

/** Rounds without bets are the first of their shoe, and only as many as the options have. */
export function refuseDemoRound(state: TableState): Rejection | null {
  const refused = refuseOpening(state);
  if (refused) return refused;
  const { demoRounds } = gameOf(state).shoe(state);
  if (demoRounds === null) return reject('off');
  const { most, cite } = demoRounds;
  if (most === 0) return reject('off', [cite]);
  const { rounds, demoRounds: shown } = state.shoe;
  if (rounds > shown) return reject('too-late', [cite], 'this shoe is in play');
  return shown >= most ? reject('limit', [cite], `${most} in a shoe`) : null;
}

export function demoRound(draft: Draft, input: InputOf<'demo-round'>): Rejection | null {
  const { state, atMs } = draft;
  const refused = refuseDemoRound(state);
  if (refused) return refused;
  if (input.roundId === '') return reject('malformed', [], 'roundId');
  emit(draft, {
    type: 'demo-round-opened',
    atMs,
    roundId: input.roundId,
    roundNo: state.roundNo + 1,
    last: isNextRoundLast(state),
  });
  return null;
}

export function closeBetting(draft: Draft): Rejection | null {
  const { state } = draft;
  if (state.phase !== 'betting') return reject('not-due');
  if (state.hold !== null) return reject('held');
  const refused = gameOf(state).refuseClosing(state);
  if (refused !== null) return refused;
  endBetting(draft, false);
  return null;
}

export function extendBetting(draft: Draft): Rejection | null {
  const { state, atMs } = draft;
  if (state.phase !== 'betting') return reject('not-due');
  if (state.hold !== null) return reject('held');
  const deadline = deadlineAt('betting', atMs, profileOf(state).timing.bettingMs);
  emit(draft, { type: 'betting-time-renewed', atMs, deadline, person: state.dealer! });
  return null;
}

/**
 * A supervisor's word that a bettor with open bets of a series has left (art. 13.5.2.vi and the
 * house's rules).
 */
export function forfeitStreak(draft: Draft, input: InputOf<'forfeit-streak'>): Rejection | null {
  const { state } = draft;
  const { seat, by, person } = input;
  const { series } = gameOf(state);
  if (!series) return reject('off', [], 'this game has no series');
  const refused = series.refuseForfeit(state, seat, by);
  if (refused) return refused;
  if (person.role !== 'supervisor') return reject('person', [], 'supervisor');
  series.forfeit(draft, seat, by, person);
  return null;
}

/** Without a bet the table is idle again. */
function endBetting(draft: Draft, byDeadline: boolean): void {
  const { state, atMs } = draft;
  const game = gameOf(state);
  if (!game.isRound(state.round!.bets)) {
    if (!game.series?.settleForfeits(draft)) emit(draft, { type: 'betting-cancelled', atMs });
    restartCutOrder(draft, 'no-bets');
    return;
  }
  const closed: EventOf<'betting-closed'> = {
    type: 'betting-closed',
    atMs,
    byDeadline,
    burnDue: game.burnBeforeRound(state),
  };
  emit(draft, byDeadline ? closed : { ...closed, person: state.dealer! });
  drainWaiting(draft);
}

export function reachDeadline(draft: Draft): Rejection | null {
  const { state, atMs } = draft;
  const { deadline } = state;
  if (!deadline || atMs < deadline.atMs) return reject('not-due');
  switch (deadline.kind) {
    case 'betting': {
      const missing = gameOf(state).refuseClosing(state);
      if (missing) {
        const again = deadlineAt('betting', atMs, profileOf(state).timing.bettingMs);
        emit(draft, { type: 'betting-extended', atMs, seat: missing.seat, deadline: again });
      } else {
        endBetting(draft, true);
      }
      break;
    }
    case 'offers':
      gameOf(state).passOffers(draft);
      break;
    case 'decision':
      gameOf(state).passDecision(draft);
      break;
    case 'results':
      emit(draft, { type: 'results-shown', atMs });
      break;
  }
  return null;
}

/**
 * art. 5.1.2: what cannot be put right is cancelled, and every stake of the round goes back whole.
 */
export function voidRound(draft: Draft, input: InputOf<'void-round'>): Rejection | null {
  const { state, atMs } = draft;
  const { round } = state;
  if (!round) return reject('not-due', [], 'no round');
  const { misdeal } = articlesOf(state);
  if (!isRoundOpen(state)) return reject('round-over', [misdeal]);
  if (input.person.role !== 'dealer' && input.person.role !== 'supervisor') {
    return reject('person', [misdeal], 'dealer or supervisor');
  }
  emit(draft, {
    type: 'round-voided',
    atMs,
    reason: input.reason,
    person: input.person,
    committed: round.dealt,
    currency: profileOf(state).currency,
    lines: gameOf(state).refundLines(round, state),
    deadline: resultsDeadline(draft),
  });
  gameOf(state).voided?.(draft);
  releaseHold(draft, input.person);
  return null;
}

/** Until here the cards lie on the table, those that have won a jackpot too (r.49). */
export function closeRound(draft: Draft): Rejection | null {
  const { state, atMs } = draft;
  const { deadline } = state;
  const round = state.round!;
  if (state.phase !== 'settled') return reject('not-due', [], 'no settled round');
  if (state.hold !== null) return reject('held');
  if (deadline !== null && atMs < deadline.atMs)
    return reject('not-due', [], 'the result must be readable first');
  const game = gameOf(state);
  const unpaid = game.unpaidPrize?.(state) ?? null;
  if (unpaid) return reject('not-due', [unpaid.cite], `seat ${unpaid.seat}: the prize has not been paid`);
  const next = round.last || game.isShoeOfOneRound(state) ? 'shoe' : 'idle';
  const closed: EventOf<'round-closed'> = {
    type: 'round-closed',
    atMs,
    next,
    cardsBack: game.cardsBack(state) === 'at-close',
    kept: true,
    resultsStay: true,
    cardsStay: true,
  };
  const { drawn, decks, discarded } = state.shoe;
  const toCount = { left: decks * 52 - drawn, discarded: discarded + round.cardCount };
  emit(draft, next === 'shoe' && profileOf(state).countCards ? { ...closed, toCount } : closed);
  return null;
}
