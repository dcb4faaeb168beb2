import { type Rejection, reject } from '../core/result.ts';
import {
  areBooksFaulty,
  drawCard,
  holdTable,
  isRoundOpen,
  isShoeFaulty,
  placeKept,
  releaseHold,
} from './cards.ts';
import type { Draft } from './draft.ts';
import type { InputOf, WaitingAct } from './inputs.ts';
import { emit } from './lane.ts';
import { gameOf } from './registry.ts';
import { stopOf } from './stops.ts';

/**
 * Money of a round that has to be read once more before it moves. The card that would have moved it
 * lies with those that wait, a decision is kept as it was made, and a deadline is past when it is
 * read again: nothing has to be done twice at the table.
 */
export function holdMoney(draft: Draft, { why, input }: InputOf<'hold-money'>): Rejection | null {
  const { state, atMs } = draft;
  if (state.unread || !isRoundOpen(state)) return reject('not-due');
  const act = input?.type === 'decide' ? { act: keptOf(input) } : {};
  emit(draft, { type: 'money-held', atMs, why, ...act });
  // Where the table is held already, this hold follows on that one.
  if (state.hold === null) holdTable(draft, 'unread', null, null, why);
  return input?.type === 'draw-card' ? drawCard(draft, { ...input, atMs }) : null;
}

const keptOf = ({ seat, hand, by, act, amountMinor }: Omit<InputOf<'decide'>, 'atMs'>): WaitingAct => ({
  ...{ seat, hand, by, act },
  ...(amountMinor === undefined ? {} : { amountMinor }),
});

/** The round goes on as if nothing had been, as far as it agrees. */
export function readAgain(draft: Draft, { person }: InputOf<'read-again'>): Rejection | null {
  const { state, atMs } = draft;
  const { unread } = state;
  if (!unread) return reject('nothing-to-do');
  const isStopped = areBooksFaulty(state) || isShoeFaulty(state) || stopOf(state) !== null;
  if (state.hold?.code !== 'unread' || isStopped) return reject('held', [], 'another reason to stand still');
  emit(draft, { type: 'money-read-again', atMs, person });
  releaseHold(draft, person);
  if (!unread.act) return null;
  const roundId = state.round!.id;
  const decided = { type: 'decide', atMs, roundId, ...unread.act, touchedAtMs: atMs } as const;
  return gameOf(state).play(draft, decided) ?? placeKept(draft);
}
