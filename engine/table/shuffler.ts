import { type Rejection, reject } from '../core/result.ts';
import { articlesOf, type Draft } from './draft.ts';
import type { InputOf } from './inputs.ts';
import { emit } from './lane.ts';
import { gameOf } from './registry.ts';
import type { TableState } from './state.ts';

// What r.51-r.60 add for a shuffler: cards go back into it by the dealer's hand, a jam is opened.
// The cards stay in it for the session, and no round is announced as the last (r.56, r.57).
// Complaints come first (r.61), see complaints.ts.

/** Cards of finished rounds lie in the discard and have not gone back into the shuffler. */
export const isFeedingDue = (state: TableState): boolean =>
  gameOf(state).cardsBack(state) === 'fed-by-dealer' && state.shoe.discarded > state.shoe.burned;

/** r.59: after the round; r.60: what cannot be fed now waits for a later one. */
export function feedShuffler(draft: Draft): Rejection | null {
  const { state, atMs } = draft;
  const refused = refuseFeeding(state);
  if (refused) return refused;
  emit(draft, { type: 'shuffler-fed', atMs, cardCount: state.shoe.discarded });
  return null;
}

export function refuseFeeding(state: TableState): Rejection | null {
  const { feeding, complaints } = articlesOf(state);
  if (gameOf(state).cardsBack(state) !== 'fed-by-dealer') return reject('off', [feeding]);
  if (!state.dealer) return reject('no-dealer');
  if (state.hold) return reject('held');
  if (state.phase !== 'idle' || !isFeedingDue(state)) return reject('not-due', [feeding]);
  return state.complaints.length > 0 ? reject('not-allowed', [complaints], 'a complaint is open') : null;
}

/** Too few cards are in the shuffler for a round: first it must be fed. */
export function mustFeed(state: TableState): boolean {
  const game = gameOf(state);
  if (game.cardsBack(state) !== 'fed-by-dealer') return false;
  return state.shoe.decks * 52 - state.shoe.drawn < game.reserve(state);
}

/** The regulation says who may open a jammed shuffler. */
export const isJamRegulated = (state: TableState): boolean =>
  state.profile !== null && articlesOf(state).jam !== '' && gameOf(state).cardsBack(state) !== 'never';

/** r.51: a supervisor opens the lid; what they cannot put right, a technician does. */
export function openShuffler(draft: Draft, input: InputOf<'open-shuffler'>): Rejection | null {
  const { state, atMs } = draft;
  const { person, solved } = input;
  const cites = [articlesOf(state).jam];
  const { jam } = state.shoe;
  if (jam === null) return reject('not-due', cites, 'it is not jammed');
  const role = jam === 'for-supervisor' ? 'supervisor' : 'technician';
  if (person.role !== role) return reject('person', cites, role);
  emit(draft, { type: 'shuffler-opened', atMs, solved, person });
  return null;
}
