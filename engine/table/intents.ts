import { type Rejection, reject } from '../core/result.ts';
import { isSame } from '../core/same.ts';
import { placeKept } from './cards.ts';
import { type Draft, deadlineAt } from './draft.ts';
import type { InputOf } from './inputs.ts';
import { emit } from './lane.ts';
import { handAt } from './places.ts';
import { gameOf } from './registry.ts';
import type { Intent, TableState } from './state.ts';
import type { Choice } from './steps.ts';

/**
 * What a player notes for a hand whose turn has not come: no decision, only what they mean to say
 * then. It moves nothing, may be changed or taken back until the turn, and is said by the table in
 * its turn as their decision if it is still lawful; else it is dropped and they are asked
 * (art. 6.3, r.18: hand by hand, in the order of the seats).
 */

/**
 * The next hand this bettor will decide and whose turn has not come; null = none is known yet.
 * Hands that had their turn are closed, and a seat that is still to have it has one.
 */
function nextHand(state: TableState, by: number): { readonly seat: number; readonly hand: number } | null {
  const { round, phase } = state;
  if (phase !== 'turns' && phase !== 'offers') return null;
  const { turn, seats } = round!;
  const next = seats.find(
    ({ seat, decider, hands }) => decider === by && seat !== turn?.seat && hands[0]!.status === 'open',
  );
  return next ? { seat: next.seat, hand: 0 } : null;
}

/**
 * What the bettor of a seat may note now: the choices as if it were the turn of that hand; empty =
 * nothing.
 */
export function aheadChoices(state: TableState, by: number): Choice[] {
  const turn = nextHand(state, by);
  if (!turn || state.service || state.hold) return [];
  const { round } = state;
  const then: TableState = {
    ...state,
    phase: 'turns',
    deadline: deadlineAt('decision', 0, 0, turn.seat, turn.hand),
    round: { ...round!, turn },
  };
  return gameOf(state).choicesAhead?.(then, by) ?? [];
}

/**
 * What a bettor has noted; what was dropped is reported as long as their hand is as it was then.
 */
export function intentOf({ round }: TableState, by: number): Intent | undefined {
  const intent = round?.intents?.find((each) => each.by === by);
  if (!intent?.dropped) return intent;
  const { seat, hand, cards } = intent;
  const { turn } = round!;
  const isThere = turn?.seat === seat && turn.hand === hand;
  return isThere && handAt(round!, seat, hand).cards.length === cards.length ? intent : undefined;
}

export function noteIntent(draft: Draft, input: InputOf<'note-intent'>): Rejection | null {
  const { state, atMs } = draft;
  const { roundId, seat, by, hand, act, touchedAtMs } = input;
  if (state.round?.id !== roundId) return reject('unknown-round');
  if (state.hold) return reject('held');
  if (act === null) {
    const noted = intentOf(state, by);
    if (!noted || noted.dropped) return reject('nothing-to-do');
  } else {
    const choice = aheadChoices(state, by).find(
      (each) => each.seat === seat && each.hand === hand && each.act === act,
    );
    if (!choice) return reject('not-due', [], 'nothing can be noted for this hand');
    if (!choice.allowed) return reject(choice.code ?? 'not-allowed', choice.cites);
  }
  emit(draft, { type: 'intent-noted', atMs, seat, by, hand, act, touchedAtMs });
  return null;
}

/** An intent for the hand whose turn it is now. */
export function dueIntent({ round, hold, deadline }: TableState): Intent | null {
  const turn = round?.turn;
  if (!turn || hold || deadline?.kind !== 'decision') return null;
  const isDue = ({ seat, hand, dropped }: Intent): boolean =>
    seat === turn.seat && hand === turn.hand && dropped === undefined;
  return round.intents?.find(isDue) ?? null;
}

/**
 * Says what was noted, as the decision of the bettor; what is not lawful any more is dropped, and
 * nothing else happens.
 */
export function takeIntent(draft: Draft): Rejection | null {
  const { state, atMs } = draft;
  const intent = dueIntent(state);
  if (!intent) return reject('nothing-to-do');
  const { seat, by, hand, act, cards } = intent;
  const round = state.round!;
  const { id: roundId } = round;
  const lies = handAt(round, seat, hand).cards;
  // Cards put right since have made another hand of it.
  const refused = isSame(lies, cards)
    ? gameOf(state).play(draft, { type: 'decide', atMs, roundId, seat, by, hand, act, touchedAtMs: atMs })
    : reject('not-allowed', [], 'the cards are others');
  if (refused) {
    const { code, cites } = refused;
    emit(draft, { type: 'intent-dropped', atMs, seat, by, hand, act, code, cites });
    return null;
  }
  emit(draft, { type: 'intent-taken', atMs, seat, by, hand, act });
  return placeKept(draft);
}
