import { type Rejection, reject } from '../core/result.ts';
import { standByDefault } from '../games/blackjack/play.ts';
import { passOffers, refundLines, resultsDeadline } from '../games/blackjack/round.ts';
import { hasMain } from './betting.ts';
import { drainWaiting, isRoundOpen, isShoeFaulty, needsNewShoe, releaseHold } from './cards.ts';
import { articlesOf, type Draft, deadlineAt, emit, profileOf, rulesOf } from './draft.ts';
import type { InputOf } from './inputs.ts';
import type { TableState } from './state.ts';

export function refuseOpening(state: TableState): Rejection | null {
  if (!state.profile) return reject('not-due', [], 'the table has no profile');
  if (!state.dealer) return reject('no-dealer');
  if (state.hold || isShoeFaulty(state)) return reject('held');
  if (state.phase === 'shoe') return reject('not-due', [articlesOf(state).cut], 'the shoe is not ready');
  if (needsNewShoe(state)) return reject('not-due', [articlesOf(state).endOfShoe], 'too few cards are left');
  return state.phase === 'idle' ? null : reject('not-allowed', [], 'a round is on the table');
}

export function openBetting(draft: Draft, input: InputOf<'open-betting'>): Rejection | null {
  const { state, atMs } = draft;
  const refused = refuseOpening(state);
  if (refused) return refused;
  if (input.roundId === '') return reject('malformed', [], 'roundId');
  emit(draft, {
    type: 'betting-opened',
    atMs,
    roundId: input.roundId,
    roundNo: state.roundNo + 1,
    last: state.shoe.ended,
    deadline: deadlineAt('betting', atMs, profileOf(state).timing.bettingMs),
  });
  return null;
}

export function closeBetting(draft: Draft): Rejection | null {
  const { state } = draft;
  if (state.phase !== 'betting' || !state.round) return reject('not-due');
  if (state.hold) return reject('held');
  endBetting(draft, false);
  return null;
}

/** Without a bet the table is idle again. */
function endBetting(draft: Draft, byDeadline: boolean): void {
  const { state, atMs } = draft;
  const { shoe } = state;
  if (!hasMain(state)) {
    emit(draft, { type: 'betting-cancelled', atMs });
    return;
  }
  // art. 4.2: at the start of each following round of the shoe, not of the first.
  const burnDue = rulesOf(state).burnEachRound !== 'none' && shoe.rounds > 0 ? 1 : 0;
  emit(draft, { type: 'betting-closed', atMs, byDeadline, burnDue });
  drainWaiting(draft);
}

export function reachDeadline(draft: Draft): Rejection | null {
  const { state, atMs } = draft;
  const { deadline } = state;
  if (!deadline || atMs < deadline.atMs) return reject('not-due');
  switch (deadline.kind) {
    case 'betting':
      endBetting(draft, true);
      break;
    case 'offers':
      passOffers(draft);
      break;
    case 'decision':
      standByDefault(draft);
      break;
    case 'results':
      emit(draft, { type: 'results-shown', atMs });
      break;
  }
  return null;
}

/** art. 5.1.2: what cannot be put right is cancelled, and every stake of the round goes back whole. */
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
    lines: refundLines(round, misdeal),
    deadline: resultsDeadline(draft),
  });
  releaseHold(draft, input.person);
  return null;
}

export function closeRound(draft: Draft): Rejection | null {
  const { state, atMs } = draft;
  const { round, deadline } = state;
  if (state.phase !== 'settled' || !round) return reject('not-due', [], 'no settled round');
  if (state.hold) return reject('held');
  if (!state.dealer) return reject('no-dealer');
  if (deadline && atMs < deadline.atMs) return reject('not-due', [], 'the result must be readable first');
  const isShuffler = rulesOf(state).cardSource === 'autoShuffler';
  emit(draft, {
    type: 'round-closed',
    atMs,
    next: round.last && !isShuffler ? 'shoe' : 'idle',
    cardsBack: isShuffler,
  });
  return null;
}
